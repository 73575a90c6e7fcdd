"""The parts of constants, whatever they are written as: plain, null, or specialised when the module is.

Source: SPIR-V, unified 1, 2.12 (specialisation), 3.49.7 (constants).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from statetracker.spirv.names import ImageOperands, Op

if TYPE_CHECKING:
    from statetracker.spirv import Editor, Module

_MOST: Final = 16  # parts; offsets have at most 4, the length of a damaged module's array may be any number


def parts_of(editor: Editor, ident: int) -> list[int] | None:
    """The components of a constant vector, the elements of a constant array, of a scalar itself.

    None for what is no constant. Parts that the module does not have are declared: zeros of a null,
    OpSpecConstantOp CompositeExtract of what is computed when the module is specialised.
    """
    one = editor.definitions[ident]
    if one.opcode in {Op.ConstantComposite, Op.SpecConstantComposite}:
        return one.words[2:]
    if one.opcode in {Op.Constant, Op.SpecConstant}:
        return [ident]
    if one.opcode not in {Op.ConstantNull, Op.SpecConstantOp}:
        return None
    kind = editor.definitions[one.words[0]]
    count = _count(editor, kind.opcode, kind.words)
    if not count:
        return [ident] if kind.opcode not in {Op.TypeVector, Op.TypeArray} else None
    if one.opcode == Op.ConstantNull:
        return [editor.null(kind.words[1])] * count
    return [editor.spec_op(kind.words[1], Op.CompositeExtract, ident, at) for at in range(count)]


def _count(editor: Editor, code: int, words: list[int]) -> int:
    """How many parts a type has; 0 for scalars, and for a length that is not known."""
    if code == Op.TypeArray:
        length = editor.definitions[words[2]]
        return length.words[2] if length.opcode == Op.Constant and length.words[2] <= _MOST else 0
    return words[2] if code == Op.TypeVector else 0


def is_zero(module: Editor | Module, ident: int) -> bool:
    """Whether a scalar is the constant 0, however the module is specialised."""
    one = module.definitions[ident]
    return one.opcode == Op.ConstantNull or (one.opcode == Op.Constant and not any(one.words[2:]))


def whole_float(editor: Editor, ident: int) -> int | None:
    """The value of a float constant that is a whole number from 0 to 31; None for any other."""
    one = editor.definitions[ident]
    if one.opcode != Op.Constant:
        return 0 if one.opcode == Op.ConstantNull else None
    value = struct.unpack("<f", struct.pack("<I", one.words[2]))[0]
    return int(value) if 0 <= value < 32 and value == int(value) else None


def offset_operand(editor: Editor, offset: int) -> dict[int, list[int]]:
    """An offset as an image operand, constant where it is a constant; none for id 0."""
    if not offset:
        return {}
    return {ImageOperands.Offset if parts_of(editor, offset) is None else ImageOperands.ConstOffset: [offset]}
