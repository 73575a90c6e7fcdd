"""`Texel`: what a sampling instruction gives, a scalar or a vector, and the arithmetic that mixes texels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.spirv import Kind, Word
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.spirv import Emitter

__all__ = ["Texel", "chosen", "weighted"]


class Texel:
    """The ``id`` of a value of 32-bit components, ``count`` of them, of one ``kind``."""

    __slots__ = ("count", "emit", "id", "kind")

    def __init__(self, emit: Emitter, ident: int) -> None:
        """Take a value; floats of other widths are converted."""
        self.emit, self.id = emit, emit.as_float32(ident)
        one = emit.editor.definitions[emit.type_of(self.id)]
        self.count = one.words[2] if one.opcode == Op.TypeVector else 1
        component = emit.editor.definitions[one.words[1]] if one.opcode == Op.TypeVector else one
        self.kind = Kind.FLOAT if component.opcode == Op.TypeFloat else Kind.INT if component.words[2] else Kind.UINT

    @classmethod
    def of(cls, words: Sequence[Word]) -> Texel:
        """Join words of one kind."""
        emit = words[0].emit
        return cls(emit, emit.joined(words))  # type: ignore[attr-defined, arg-type]

    @property
    def type_id(self) -> int:
        """The type's id."""
        return self.emit.type_of(self.id)

    def null(self) -> Texel:
        """Zeros of the same type."""
        return Texel(self.emit, self.emit.editor.null(self.type_id))

    def __add__(self, other: Texel) -> Texel:
        return Texel(self.emit, self.emit.op("OpFAdd", self.type_id, self.id, other.id))

    def __sub__(self, other: Texel) -> Texel:
        return Texel(self.emit, self.emit.op("OpFSub", self.type_id, self.id, other.id))

    def scaled(self, by: Word) -> Texel:
        """Every component times a number."""
        name = "OpFMul" if self.count == 1 else "OpVectorTimesScalar"
        return Texel(self.emit, self.emit.op(name, self.type_id, self.id, by.id))


def chosen(condition: Word, yes: Texel, no: Texel) -> Texel:
    """One of two, whole, by a bool."""
    emit = yes.emit
    flag = emit.joined([condition] * yes.count)
    return Texel(emit, emit.op("OpSelect", yes.type_id, flag, yes.id, no.id))


def weighted(terms: Sequence[tuple[Word, Texel]]) -> Texel:
    """The sum of texels by weight; one of weight 0 counts for nothing, infinite or not."""
    total: Texel | None = None
    for weight, texel in terms:
        term = chosen(weight.equals(0.0), texel.null(), texel.scaled(weight))
        total = term if total is None else total + term
    assert total is not None  # noqa: S101 (there is a term)
    return total
