"""Forms of instructions, word by word: two tables from Khronos' machine-readable grammar.

``opcodes.csv`` says the operand kinds of every instruction, ``enumerants.csv`` what follows an enumerant or a mask bit.
Both are written by ``tools/codegen/make_spirv_grammar.py``. Source: SPIR-V specification, unified 1, section 3.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from statetracker.files import csv_rows

#: Operand kinds that are an id.
ID_KINDS: Final = frozenset({"IdResultType", "IdResult", "IdRef", "IdScope", "IdMemorySemantics"})
_OPCODES: Final = Path(__file__).with_name("opcodes.csv")
_ENUMERANTS: Final = Path(__file__).with_name("enumerants.csv")
_PAIRS: Final = {
    "PairLiteralIntegerIdRef": ("LiteralSwitch", "IdRef"),
    "PairIdRefLiteralInteger": ("IdRef", "LiteralInteger"),
    "PairIdRefIdRef": ("IdRef", "IdRef"),
}
#: Operand kinds that may take several words.
_LONGER: Final = ("LiteralString", "LiteralContextDependentNumber", "LiteralSpecConstantOpInteger")


class Operand(NamedTuple):
    """One operand: ``parts`` its kinds (two for a pair); ``many``: empty (one), ``?`` or ``*``."""

    parts: tuple[str, ...]
    many: str


#: What may follow the fixed operands -> its name.
_TAILS: Final = {
    (): "",
    (Operand(("IdRef",), "*"),): "ids",
    (Operand(("LiteralInteger",), "*"),): "literals",
    (Operand(("LiteralContextDependentNumber",), ""),): "number",
    (Operand(("LiteralString",), ""),): "text",
}


class Shape(NamedTuple):
    """An instruction's form.

    Attributes:
        opcode: Its number.
        name: With ``Op``.
        operands: Those after result type and result id.
        typed: It has a result type.
        defines: It has a result id.
        plain: Where every fixed operand is one word: the positions of ids among these, else None.
        tail: With ``plain``: what follows: nothing; ``ids`` or ``literals`` of a word each, or none of them; a
            ``number`` of a word or more; a ``text``; or what must be ``walked``, if it is there.
        fixed: With ``plain``: the number of fixed words.
    """

    opcode: int
    name: str
    operands: tuple[Operand, ...]
    typed: bool
    defines: bool
    plain: tuple[int, ...] | None
    tail: str
    fixed: int


class Enumerant(NamedTuple):
    """A value or a mask bit of a kind, and the kinds of the operands after it."""

    name: str
    parameters: tuple[str, ...]


def _operand(text: str) -> Operand:
    many = text[-1] if text[-1] in "?*" else ""
    kind = text.removesuffix(many) if many else text
    return Operand(_PAIRS.get(kind, (kind,)), many)


def _one_word(operand: Operand) -> bool:
    kind = operand.parts[0]
    if len(operand.parts) > 1 or kind in _LONGER or kind in masks():
        return False
    return not any(member.parameters for member in enumerants().get(kind, {}).values())


def _shape(row: dict[str, str]) -> Shape:
    operands = tuple(_operand(text) for text in row["operands"].split())
    kinds = [one.parts[0] for one in operands]
    first = next((n for n, one in enumerate(operands) if one.many or operands[n:] in _TAILS), len(operands))
    fixed, rest = operands[:first], operands[first:]
    plain = None
    if all(_one_word(one) for one in fixed):
        plain = tuple(n for n, one in enumerate(fixed) if one.parts[0] in ID_KINDS)
    typed, defines = "IdResultType" in kinds, "IdResult" in kinds
    return Shape(int(row["opcode"]), row["name"], operands, typed, defines, plain, _TAILS.get(rest, "walked"), first)


@cache
def masks() -> frozenset[str]:
    """Kinds whose word is a set of bits, each with its own parameters."""
    return frozenset(row["kind"] for row in csv_rows(_ENUMERANTS) if row["category"] == "mask")


@cache
def enumerants() -> dict[str, dict[int, Enumerant]]:
    """Kind -> value or bit -> enumerant."""
    kinds: dict[str, dict[int, Enumerant]] = {}
    for row in csv_rows(_ENUMERANTS):
        parameters = tuple(one.rstrip("?*") for one in row["parameters"].split())
        kinds.setdefault(row["kind"], {})[int(row["value"])] = Enumerant(row["name"], parameters)
    return kinds


@cache
def shapes() -> dict[int, Shape]:
    """Opcode -> form."""
    return {int(row["opcode"]): _shape(row) for row in csv_rows(_OPCODES)}


def shape(number: int) -> Shape | None:
    """Return an opcode's form; None for a number that the grammar does not know."""
    return shapes().get(number)


@cache
def _by_name() -> dict[str, int]:
    return {one.name: one.opcode for one in shapes().values()}


def opcode(name: str) -> int:
    """Return an instruction's number by its name (``OpLoad``); KeyError for an unknown one."""
    return _by_name()[name]
