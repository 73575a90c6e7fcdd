"""Arithmetic, written one instruction after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.spirv import Editor, Instruction

__all__ = ["Emitter"]

#: GLSL.std.450 numbers.
FABS, FLOOR, EXP2, FMIN, SMIN, FMAX, SMAX, FCLAMP, FMIX = 4, 8, 29, 37, 39, 40, 42, 43, 46
_VECTOR: Final = 23


class Emitter:
    """Appends new instructions to ``out``; every method gives the id of its result."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.out: list[Instruction] = []
        self.float = editor.type_float()

    def op(self, name: str, type_id: int, *operands: int) -> int:
        """One instruction."""
        one = self.editor.build(name, type_id, *operands)
        self.out.append(one)
        return one.words[1]

    def glsl(self, number: int, type_id: int, *operands: int) -> int:
        """One extended instruction."""
        return self.op("OpExtInst", type_id, self.editor.glsl(), number, *operands)

    def fop(self, name: str, *operands: int) -> int:
        """One instruction on 32-bit floats."""
        return self.op(name, self.float, *operands)

    def type_of(self, ident: int) -> int:
        """The type id of a value."""
        return self.editor.definitions[ident].words[0]

    def parts(self, ident: int) -> list[int]:
        """The components of a vector; a scalar is its own."""
        kind = self.editor.definitions[self.type_of(ident)]
        if kind.opcode != _VECTOR:
            return [ident]
        return [self.op("OpCompositeExtract", kind.words[1], ident, n) for n in range(kind.words[2])]

    def vector(self, parts: Sequence[int], component: int | None = None) -> int:
        """A vector of components (32-bit floats, if not told otherwise); of one, itself."""
        if len(parts) == 1:
            return parts[0]
        kind = self.editor.type_vector(component or self.float, len(parts))
        return self.op("OpCompositeConstruct", kind, *parts)

    def as_float32(self, ident: int) -> int:
        """A float value of any width in 32 bits: derivatives exist for no other."""
        kind = self.editor.definitions[self.type_of(ident)]
        count = kind.words[2] if kind.opcode == _VECTOR else 1
        component = self.editor.definitions[kind.words[1]] if kind.opcode == _VECTOR else kind
        if component.opcode != 22 or component.words[1] == 32:
            return ident
        return self.op("OpFConvert", self.editor.type_vector(self.float, count), ident)

    def scaled(self, vector: int, factor: int, count: int) -> int:
        """A vector of 32-bit floats times a scalar."""
        name = "OpFMul" if count == 1 else "OpVectorTimesScalar"
        return self.op(name, self.type_of(vector), vector, factor)

    def uint(self, value: int) -> int:
        """A 32-bit unsigned constant."""
        return self.editor.constant(self.editor.type_int(signed=False), value)

    def uop(self, name: str, *operands: int) -> int:
        """One instruction on 32-bit unsigned integers."""
        return self.op(name, self.editor.type_int(signed=False), *operands)
