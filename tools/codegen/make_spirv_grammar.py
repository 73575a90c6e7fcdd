"""Writes statetracker/spirv/opcodes.csv and enumerants.csv from Khronos' machine-readable grammar.

    python tools/codegen/make_spirv_grammar.py /usr/include/spirv/unified1/spirv.core.grammar.json

The grammar is in Debian's package spirv-headers; the committed files were made from 1.6.1+1.3.239.0-1.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

ROOM = Path(__file__).resolve().parents[2] / "statetracker" / "spirv"


def operands(row: dict[str, list[dict[str, str]]], key: str) -> str:
    """The kinds of a row's operands, each with its quantifier (``?``, ``*`` or none)."""
    return " ".join(one["kind"] + one.get("quantifier", "") for one in row.get(key, ()))


def main(argv: list[str]) -> int:
    """Write both files; the first alias of a number wins."""
    grammar = json.loads(Path(argv[0]).read_text(encoding="utf-8"))
    codes: dict[int, list[object]] = {}
    for row in grammar["instructions"]:
        codes.setdefault(row["opcode"], [row["opcode"], row["opname"], operands(row, "operands")])
    members: dict[tuple[str, int], list[object]] = {}
    for kind in grammar["operand_kinds"]:
        for row in kind.get("enumerants", ()):
            value = int(str(row["value"]), 0)
            flag = "mask" if kind["category"] == "BitEnum" else "value"
            said = [kind["kind"], flag, value, row["enumerant"], operands(row, "parameters")]
            members.setdefault((kind["kind"], value), said)
    for name, head, rows in (
        ("opcodes.csv", ["opcode", "name", "operands"], codes),
        ("enumerants.csv", ["kind", "category", "value", "name", "parameters"], members),
    ):
        with (ROOM / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(rows.values())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
