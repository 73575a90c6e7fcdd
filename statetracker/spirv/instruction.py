"""An instruction, and the walk over its words that sorts ids from literals.

Source: SPIR-V 1.6, 2.3 (physical layout) and 3 (binary form).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.errors import ModuleError
from statetracker.spirv.grammar import ID_KINDS, Shape, enumerants, masks, shape, shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Instruction:
    """One instruction: ``opcode``, its operand ``words`` (result type and id first, where it has them), its ``offset``.

    ``offset`` is the word at which it stood in the module that was read; -1 for one that was built.
    """

    __slots__ = ("offset", "opcode", "words")

    def __init__(self, opcode: int, words: list[int], offset: int = -1) -> None:
        self.opcode = opcode
        self.words = words
        self.offset = offset

    @property
    def shape(self) -> Shape:
        """Its form in the grammar; `ModuleError` for an opcode that the grammar does not know."""
        row = shapes().get(self.opcode)
        if row is None:
            raise ModuleError(self.offset, f"opcode {self.opcode} is not in the grammar")
        return row

    @property
    def name(self) -> str:
        """``OpLoad``."""
        row = shape(self.opcode)
        return row.name if row else f"opcode {self.opcode}"

    @property
    def type_id(self) -> int:
        """The id of its result type; 0 for none."""
        return self.words[0] if self.shape.typed else 0

    @property
    def result(self) -> int:
        """Its result id; 0 for none."""
        form = self.shape
        return self.words[1 if form.typed else 0] if form.defines else 0

    @property
    def operands(self) -> list[int]:
        """The words after result type and result id."""
        form = self.shape
        return self.words[form.typed + form.defines :]

    def copy(self, words: list[int] | None = None) -> Instruction:
        """Another one of the same opcode and place; ``words`` are its own, None: a copy of these."""
        return Instruction(self.opcode, list(self.words) if words is None else words, self.offset)

    def error(self, problem: str, *, hint: str = "") -> ModuleError:
        """Return an error at this instruction: its problem and its hint are as in `ModuleError`."""
        return ModuleError(self.offset, problem, instruction=self.name, hint=hint)

    def __repr__(self) -> str:
        return f"<{self.name} {' '.join(map(str, self.words))} @{self.offset}>"


def id_positions(instruction: Instruction, literal_words: Callable[[int], int]) -> list[int]:
    """Say which of an instruction's words are ids; `ModuleError` where the words do not fit its form.

    ``literal_words`` says how many words a literal of a value's type takes, for OpSwitch.
    """
    form = instruction.shape
    count = len(instruction.words)
    if form.plain is not None and (count <= form.fixed or form.tail != "walked"):
        if count < form.fixed or (count > form.fixed and not form.tail):
            raise instruction.error(f"has {count} operand words, its form has {form.fixed}")
        return [*form.plain, *range(form.fixed, count)] if form.tail == "ids" else list(form.plain)
    return _Walk(instruction, literal_words).all(form)


class _Walk:
    """The walk over the words of an instruction whose form is not plain."""

    def __init__(self, instruction: Instruction, literal_words: Callable[[int], int]) -> None:
        self.instruction = instruction
        self.words = instruction.words
        self.literal_words = literal_words
        self.at = 0
        self.ids: list[int] = []

    def all(self, form: Shape, skip: int = 0) -> list[int]:
        """Walk every operand of a form; nothing may be left over."""
        for operand in form.operands[skip:]:
            if not operand.many:
                self.some(operand.parts)
            while operand.many and self.at < len(self.words):
                self.some(operand.parts)
                if operand.many == "?":
                    break
        if self.at < len(self.words):
            raise self.instruction.error(f"has {len(self.words) - self.at} words too many")
        return self.ids

    def some(self, kinds: tuple[str, ...]) -> None:
        for kind in kinds:
            self.one(kind)

    def take(self, count: int = 1) -> int:
        """Pass words by; the first of them."""
        if self.at + count > len(self.words):
            raise self.instruction.error("ends before its operands do")
        self.at += count
        return self.words[self.at - count]

    def one(self, kind: str) -> None:
        if kind in ID_KINDS:
            self.ids.append(self.at)
            self.take()
        elif kind == "LiteralString":
            while not _ends_text(self.take()):
                pass
        elif kind == "LiteralContextDependentNumber":
            self.take(max(1, len(self.words) - self.at))
        elif kind == "LiteralSwitch":
            self.take(self.literal_words(self.words[0]))
        elif kind == "LiteralSpecConstantOpInteger":
            self.nested(self.take())
        elif kind in masks():
            self.mask(kind, self.take())
        else:
            self.value(kind, self.take())

    def nested(self, number: int) -> None:
        form = shape(number)
        if form is None or not form.defines:
            raise self.instruction.error(f"holds opcode {number}, which gives no value")
        self.all(form, form.typed + form.defines)

    def mask(self, kind: str, bits: int) -> None:
        members = enumerants()[kind]
        while bits:
            bit = bits & -bits
            bits ^= bit
            if bit not in members:
                raise self.instruction.error(f"{kind} has the unknown bit {bit:#x}")
            self.some(members[bit].parameters)

    def value(self, kind: str, number: int) -> None:
        """Read the parameters of an enumerant; a kind without any takes every number."""
        members: Mapping[int, object] = enumerants().get(kind, {})
        if number in members:
            self.some(enumerants()[kind][number].parameters)
        elif kind in {"Decoration", "ExecutionMode"}:
            raise self.instruction.error(f"{kind} {number} is not in the grammar")


def _ends_text(word: int) -> bool:
    return not (word & 0xFF and word & 0xFF00 and word & 0xFF0000 and word & 0xFF000000)


def text_of(words: list[int]) -> tuple[str, int]:
    """Return the literal string at the front of some words, and its length in words; bad bytes are replaced."""
    data = b"".join(word.to_bytes(4, "little") for word in words)
    raw = data.partition(b"\0")[0]
    return raw.decode("utf-8", "replace"), len(raw) // 4 + 1


def words_of(text: str) -> list[int]:
    """Return a literal string as words: ``text`` in UTF-8, with its zero byte."""
    data = text.encode()
    data += bytes(4 - len(data) % 4)
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
