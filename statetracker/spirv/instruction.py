"""An instruction, and the walk over its words that sorts ids from literals.

Source: SPIR-V 1.6, 2.3 (physical layout) and 3 (binary form).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from statetracker.errors import ModuleError
from statetracker.spirv.grammar import ID_KINDS, Shape, enumerants, masks, shape
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Instruction:
    """One instruction: ``opcode``, its operand ``words`` (result type and id first, where it has them), its ``offset``.

    ``offset`` is the word at which it stood in the module that was read; -1 for one that was built. ``shape`` is its
    form in the grammar; `ModuleError` for an opcode that the grammar does not know.
    """

    __slots__ = ("offset", "opcode", "shape", "words")

    def __init__(self, opcode: int, words: list[int], offset: int = -1) -> None:
        self.opcode = opcode
        self.words = words
        self.offset = offset
        form = shape(opcode)
        if form is None:
            raise ModuleError(offset, f"opcode {opcode} is not in the grammar")
        self.shape = form

    @property
    def name(self) -> str:
        """``OpLoad``."""
        return self.shape.name

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

    def copy(self, words: list[int] | None = None, opcode: int | None = None) -> Instruction:
        """Another one of the same place; ``words`` are its own, None: a copy of these; an opcode of None: the same."""
        code = self.opcode if opcode is None else opcode
        return Instruction(code, list(self.words) if words is None else words, self.offset)

    def error(self, problem: str, *, hint: str = "") -> ModuleError:
        """Return an error at this instruction: its problem and its hint are as in `ModuleError`."""
        return ModuleError(self.offset, problem, instruction=self.name, hint=hint)

    def __repr__(self) -> str:
        return f"<{self.name} {' '.join(map(str, self.words))} @{self.offset}>"


def literal_words_in(definitions: Mapping[int, Instruction], one: Instruction, value: int) -> int:
    """Return how many words a literal of a value's type takes (1 or 2); `ModuleError` where that is no integer.

    ``definitions`` has the instruction that gives an id; ``one`` has the literal, and the error names it.
    """
    selector = definitions.get(value)
    kind = definitions.get(selector.words[0]) if selector is not None and selector.shape.typed else None
    if kind is None or kind.opcode != Op.TypeInt:
        raise one.error(f"selects by id {value}, which is no integer")
    return 2 if kind.words[1] > 32 else 1


def ids_in(definitions: Mapping[int, Instruction], one: Instruction) -> Sequence[int]:
    """Return which words of an instruction are ids; `ModuleError` where the words do not fit its form.

    Args:
        definitions: Id -> the instruction that gives it.
        one: The instruction.
    """
    form, words = one.shape, one.words
    more = len(words) - form.fixed
    if form.plain is not None and more >= 0:
        if more and form.tail == "ids":
            return [*form.plain, *range(form.fixed, len(words))]
        text = form.tail == "text" and text_of(words[form.fixed :])[1] == more
        if text or form.tail in (_LITERALS if more else _NOTHING):
            return form.plain
    return _Walk(definitions, one).all(form)


#: Tails that may be nothing, and those of literals alone.
_NOTHING: Final = frozenset({"", "ids", "literals", "walked"})
_LITERALS: Final = frozenset({"literals", "number"})


class _Walk:
    """The walk over the words of an instruction whose form is not plain."""

    def __init__(self, definitions: Mapping[int, Instruction], instruction: Instruction) -> None:
        self.definitions, self.instruction, self.words = definitions, instruction, instruction.words
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

    def some(self, kinds: Iterable[str]) -> None:
        """Pass the words of operands of some kinds by, and of what these bring with them."""
        for kind in kinds:
            if kind in ID_KINDS:
                self.ids.append(self.at)
            self.at += self.length(kind)
            if self.at > len(self.words):
                raise self.instruction.error("ends before its operands do")
            if kind == "LiteralSpecConstantOpInteger":
                self.nested(self.words[self.at - 1])
            elif kind in enumerants():
                self.some(self.parameters(kind, self.words[self.at - 1]))

    def length(self, kind: str) -> int:
        """Return how many words the next operand takes."""
        if kind == "LiteralString":
            return text_of(self.words[self.at :])[1]
        if kind == "LiteralContextDependentNumber":
            return max(1, len(self.words) - self.at)
        return literal_words_in(self.definitions, self.instruction, self.words[0]) if kind == "LiteralSwitch" else 1

    def nested(self, number: int) -> None:
        form = shape(number)
        if form is None or not form.defines or number == Op.SpecConstantOp:  # of which none may be nested in another
            raise self.instruction.error(f"holds opcode {number}, which gives no value")
        self.all(form, form.typed + form.defines)

    def parameters(self, kind: str, word: int) -> Iterator[str]:
        """Yield the kinds of what follows a mask's bits or an enumerant, which most kinds may have that are unknown."""
        members = enumerants()[kind]
        if kind not in masks():
            if word not in members and kind in {"Decoration", "ExecutionMode"}:
                raise self.instruction.error(f"{kind} {word} is not in the grammar")
            yield from members[word].parameters if word in members else ()
            return
        for bit in (1 << at for at in range(word.bit_length()) if word >> at & 1):
            if bit not in members:
                raise self.instruction.error(f"{kind} has the unknown bit {bit:#x}")
            yield from members[bit].parameters


def text_of(words: list[int]) -> tuple[str, int]:
    """Return the literal string at the front of some words, and its length in words; bad bytes are replaced."""
    raw = struct.pack(f"<{len(words)}I", *words).partition(b"\0")[0]
    return raw.decode("utf-8", "replace"), len(raw) // 4 + 1


def words_of(text: str) -> list[int]:
    """Return a literal string as words: ``text`` in UTF-8, with its zero byte."""
    data = text.encode()
    data += bytes(4 - len(data) % 4)
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
