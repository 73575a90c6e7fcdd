"""Writes opcodes.csv, enumerants.csv and names.py of statetracker/spirv from Khronos' machine-readable grammar.

    python tools/codegen/make_spirv_grammar.py /usr/include/spirv/unified1/spirv.core.grammar.json
    python tools/codegen/make_spirv_grammar.py   # names.py alone, from the committed tables: for a new name

The grammar is in Debian's package spirv-headers; the committed files were made from 1.6.1+1.3.239.0-1.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

PRODUCT = Path(__file__).resolve().parents[2] / "statetracker"
SPIRV = PRODUCT / "spirv"

#: Classes of names.py: opcodes, and kinds of enumerants.
KINDS = (
    "Op",
    "BuiltIn",
    "Capability",
    "Decoration",
    "Dim",
    "ExecutionMode",
    "ExecutionModel",
    "ImageOperands",
    "StorageClass",
)
HEAD = '''"""Numbers of opcodes and enumerants by their names in the specification: those that are used here.

Written by tools/codegen/make_spirv_grammar.py; do not edit. `opcode` gives any opcode by its name.
"""

from __future__ import annotations
'''
CLASS = '''

class {kind}:
    """{kind}*: the names are without that prefix."""

{lines}
'''


def operands(row: dict[str, list[dict[str, str]]], key: str) -> str:
    """Return the kinds of a row's operands, each with its quantifier (``?``, ``*`` or none)."""
    return " ".join(one["kind"] + one.get("quantifier", "") for one in row.get(key, ()))


def write_tables(grammar: Path) -> None:
    """Write both tables; the first alias of a number wins."""
    said = json.loads(grammar.read_text(encoding="utf-8"))
    codes: dict[int, list[object]] = {}
    for row in said["instructions"]:
        codes.setdefault(row["opcode"], [row["opcode"], row["opname"], operands(row, "operands")])
    members: dict[tuple[str, int], list[object]] = {}
    for kind in said["operand_kinds"]:
        for row in kind.get("enumerants", ()):
            value = int(str(row["value"]), 0)
            flag = "mask" if kind["category"] == "BitEnum" else "value"
            member = [kind["kind"], flag, value, row["enumerant"], operands(row, "parameters")]
            members.setdefault((kind["kind"], value), member)
    for name, head, rows in (
        ("opcodes.csv", ["opcode", "name", "operands"], codes),
        ("enumerants.csv", ["kind", "category", "value", "name", "parameters"], members),
    ):
        with (SPIRV / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(rows.values())


def used() -> set[tuple[str, str]]:
    """Names that the product's code has, as (class, name)."""
    names: set[tuple[str, str]] = set()
    for path in PRODUCT.rglob("*.py"):
        names.update(re.findall(rf"\b({'|'.join(KINDS)})\.([A-Z]\w*)", path.read_text(encoding="utf-8")))
    return {(kind, name) for kind, name in names if not name.isupper()}  # other enums have names of their own


def numbers() -> dict[tuple[str, str], int]:
    """(Class, name) to number, from the tables; ``1D`` is ``Dim1D``, since no name begins with a digit."""
    with (SPIRV / "opcodes.csv").open(encoding="utf-8", newline="") as file:
        numbers = {("Op", row["name"].removeprefix("Op")): int(row["opcode"]) for row in csv.DictReader(file)}
    with (SPIRV / "enumerants.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["kind"] + row["name"] if row["name"][0].isdigit() else row["name"]
            numbers[row["kind"], name] = int(row["value"])
    return numbers


def laid_out(pairs: list[tuple[str, int]]) -> str:
    """Write assignments by number, several in a line of 120 letters."""
    lines: list[list[tuple[str, int]]] = [[]]
    for pair in sorted(pairs, key=lambda pair: pair[1]):
        if len(assignment([*lines[-1], pair])) > 120:
            lines.append([])
        lines[-1].append(pair)
    return "\n".join(map(assignment, lines))


def assignment(pairs: list[tuple[str, int]]) -> str:
    """One line: names, then their numbers."""
    return f"    {', '.join(name for name, _ in pairs)} = {', '.join(str(number) for _, number in pairs)}"


def names() -> str:
    """Return the text of names.py."""
    known, wanted = numbers(), used()
    text = HEAD
    for kind in KINDS:
        pairs = [(name, known[kind, name]) for of, name in wanted if of == kind]
        text += CLASS.replace("{kind}", kind).replace("{lines}", laid_out(pairs))
    return text


def main(argv: list[str]) -> int:
    """Write the tables, where a grammar is given, and the names."""
    if argv:
        write_tables(Path(argv[0]))
    (SPIRV / "names.py").write_text(names(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
