"""The parts of constants, whatever they are written as: plain, null, or specialised when the module is.

Source: SPIR-V, unified 1, 2.12 (specialisation), 3.49.7 (constants).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from statetracker.spirv import Editor

__all__ = ["is_zero", "parts_of"]

_CONSTANT, _COMPOSITE, _NULL = 43, 44, 46
_SPEC_CONSTANT, _SPEC_COMPOSITE, _SPEC_OP = 50, 51, 52
_VECTOR, _ARRAY = 23, 28
_EXTRACT: Final = 81
_MOST: Final = 16  # parts; offsets have at most 4, the length of a damaged module's array may be any number


def parts_of(editor: Editor, ident: int) -> list[int] | None:
    """The components of a constant vector, the elements of a constant array, of a scalar itself.

    None for what is no constant. Parts that the module does not have on their own are declared: zeros of a null,
    OpSpecConstantOp CompositeExtract of what is computed when the module is specialised.
    """
    one = editor.definitions[ident]
    if one.opcode in {_COMPOSITE, _SPEC_COMPOSITE}:
        return one.words[2:]
    if one.opcode in {_CONSTANT, _SPEC_CONSTANT}:
        return [ident]
    if one.opcode not in {_NULL, _SPEC_OP}:
        return None
    kind = editor.definitions[one.words[0]]
    count = _count(editor, kind.opcode, kind.words)
    if not count:
        return [ident] if kind.opcode not in {_VECTOR, _ARRAY} else None
    if one.opcode == _NULL:
        return [editor.null(kind.words[1])] * count
    return [editor.spec_op(kind.words[1], _EXTRACT, ident, at) for at in range(count)]


def _count(editor: Editor, code: int, words: list[int]) -> int:
    """How many parts a type has; 0 for scalars, and for a length that is not known."""
    if code == _ARRAY:
        length = editor.definitions[words[2]]
        return length.words[2] if length.opcode == _CONSTANT and length.words[2] <= _MOST else 0
    return words[2] if code == _VECTOR else 0


def is_zero(editor: Editor, ident: int) -> bool:
    """Whether a scalar is the constant 0, however the module is specialised."""
    one = editor.definitions[ident]
    return one.opcode == _NULL or (one.opcode == _CONSTANT and not any(one.words[2:]))
