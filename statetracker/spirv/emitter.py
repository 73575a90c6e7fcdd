"""Arithmetic, written one instruction after another. See docs/spirv.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.spirv.instruction import Instruction
from statetracker.spirv.names import Op
from statetracker.spirv.word import Kind, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.spirv.editor import Editor


class Emitter:
    """Appends new instructions to ``out``. Values of 32 bits are `Word`s, whose operators write; the rest are ids.

    Methods share these arguments:

    * ``name``: of an instruction, with its ``Op``
    * ``type_id``, ``operands``: id of the type of the result, and the words after type and result
    * ``kind``, ``count``: of components: float, signed, unsigned or bool; 1 a scalar, 2 to 4 a vector
    * ``ident``: id of a value that there is already
    * ``value``: of a constant, in every component; float32 or 32 bits

    Args:
        editor: Of the module.
    """

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.out: list[Instruction] = []

    def op(self, name: str, type_id: int, *operands: int) -> int:
        """One instruction; the id of its result."""
        one = self.editor.build(name, type_id, *operands)
        self.out.append(one)
        return one.words[1]

    def result(self, of: Instruction, name: str, *operands: int) -> None:
        """Write the last of the instructions that stand for another one: it has that one's type and id.

        ``of`` is the other one.
        """
        one = self.editor.build(name, of.words[0], *operands)
        one.words[1] = of.words[1]
        self.out.append(one)

    def again(self, one: Instruction, type_id: int, *operands: int, code: int = 0) -> int:
        """Return the same instruction once more, with another type and other operands; the id of its result.

        ``one`` is the instruction, ``code`` the opcode that it gets; 0: its own.
        """
        made = Instruction(code or one.opcode, [type_id, self.editor.new_id(), *operands], one.offset)
        self.editor.definitions[made.words[1]] = made
        self.out.append(made)
        return made.words[1]

    def make(self, kind: Kind, name: str, *operands: int, count: int = 1) -> Word:
        """One instruction whose result is a scalar of 32 bits, or a vector of ``count`` of them."""
        return Word(self, self.op(name, self.type_id(kind, count), *operands), kind, count)

    def number(self, kind: Kind, value: float, count: int = 1) -> Word:
        """Return a constant, the same in every component."""
        if kind is Kind.FLOAT:
            ident = self.editor.float_constant(value)
        else:
            ident = self.editor.constant(self.type_id(kind), int(value))
        if count > 1:
            ident = self.editor.composite(self.type_id(kind, count), [ident] * count)
        return Word(self, ident, kind, count)

    def uint(self, value: int) -> Word:
        """Return an unsigned constant."""
        return self.number(Kind.UINT, value)

    def word(self, ident: int) -> Word:
        """Return a scalar or a vector of 32 bits that there is already."""
        one, count = self.editor.components(self.type_of(ident))
        if one.opcode == Op.TypeInt:
            return Word(self, ident, Kind.INT if one.words[2] else Kind.UINT, count)
        return Word(self, ident, Kind.FLOAT if one.opcode == Op.TypeFloat else Kind.BOOL, count)

    def type_id(self, kind: Kind, count: int = 1) -> int:
        """Return the type's id of a kind of words."""
        if kind is Kind.FLOAT:
            one = self.editor.type_float()
        else:
            one = self.editor.type_bool() if kind is Kind.BOOL else self.editor.type_int(signed=kind is Kind.INT)
        return self.editor.type_vector(one, count)

    def type_of(self, ident: int) -> int:
        """Return the type id of a value."""
        return self.editor.definitions[ident].words[0]

    def part_ids(self, ident: int, count: int | None = None) -> list[int]:
        """Return the components of a vector, or the first ``count`` of them; a scalar is its own."""
        kind = self.editor.definitions[self.type_of(ident)]
        if kind.opcode != Op.TypeVector:
            return [ident]
        parts = range(kind.words[2] if count is None else count)
        return [self.op("OpCompositeExtract", kind.words[1], ident, n) for n in parts]

    def parts(self, ident: int, count: int | None = None) -> list[Word]:
        """Return the components, each of 32 bits."""
        return [self.word(one) for one in self.part_ids(ident, count)]

    def vector(self, parts: Sequence[int], component: int) -> int:
        """Return the id of a vector of components, by their ids and that of the type of each; of one, itself."""
        if len(parts) == 1:
            return parts[0]
        return self.op("OpCompositeConstruct", self.editor.type_vector(component, len(parts)), *parts)

    def joined(self, words: Sequence[Word]) -> int:
        """Return the id of a vector of the components of words of one kind; of one, itself."""
        return self.join(words).id

    def join(self, words: Sequence[Word]) -> Word:
        """Return a vector of the components of words of one kind; of one, itself."""
        if len(words) == 1:
            return words[0]
        count = sum(one.count for one in words)
        return self.make(words[0].kind, "OpCompositeConstruct", *(one.id for one in words), count=count)

    def head(self, vector: Word, count: int) -> Word:
        """Return the first components of a vector, as many as ``count``."""
        if vector.count == count:
            return vector
        if count == 1:
            return self.make(vector.kind, "OpCompositeExtract", vector.id, 0)
        return self.make(vector.kind, "OpVectorShuffle", vector.id, vector.id, *range(count), count=count)

    def component(self, vector: Word, at: int) -> Word:
        """One component of a vector: number ``at``, from 0."""
        return vector if vector.count == 1 else self.make(vector.kind, "OpCompositeExtract", vector.id, at)

    def as_float32(self, ident: int) -> int:
        """Return a float value of any width in 32 bits: derivatives exist for no other."""
        component, count = self.editor.components(self.type_of(ident))
        if component.opcode != Op.TypeFloat or component.words[1] == 32:
            return ident
        return self.op("OpFConvert", self.editor.type_vector(self.editor.type_float(), count), ident)

    def float32(self, ident: int) -> Word:
        """Return a float scalar of any width in 32 bits."""
        return self.word(self.as_float32(ident))
