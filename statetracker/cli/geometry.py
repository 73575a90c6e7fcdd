"""``statetracker geometry``: recorded programs answered or compared, or one explained and drawn."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from statetracker.cli.jsonl import Kind, answer_files, json_records
from statetracker.cli.output import EXIT_FINE, json_line, table, write_picture
from statetracker.errors import ArgumentError, FileError
from statetracker.geometry import answer, dispatch, explain, shader_of_record
from statetracker.geometry.picture import chart, png, svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.geometry import Decision

__all__ = ["draw", "explain_line", "run_files"]


_MODES: Final = ("DUAL_OBJECT", "DUAL_INSTANCE", "SINGLE")


def _count(_record: object, answer: Mapping[str, Any], counts: Counter[str]) -> None:
    out = answer["out"]
    counts["records"] += 1
    counts["spilled"] += bool(out["spills"])
    counts[out["mode"]["later"] if out["ok"] else "failed"] += 1


_COLUMNS: Final = ("records", *_MODES, "failed", "spilled")
_PROGRAMS: Final = Kind(
    answer=answer,
    lacks=lambda record: "" if "out" in record else "has no out to compare with",
    add=_count,
    columns=_COLUMNS,
    cells=lambda counts: [counts[name] for name in _COLUMNS],
)


def run_files(files: list[str], *, check: bool, as_json: bool) -> int:
    """Answer recorded programs, or compare them."""
    return answer_files(files, _PROGRAMS, check=check, as_json=as_json)


def explain_line(path: str, line: int, *, policy: str, output: str | None, as_json: bool) -> int:
    """Explain the decision for the program of one line, and draw its pressure where ``output`` names a file."""
    record = next((one for number, one in json_records(path, Counter()) if number == line), None)
    if record is None:
        raise ArgumentError("--explain", line, accepted=f"the number of a line of {path} that has a program")
    program = record.get("in")
    if not isinstance(program, dict):
        raise FileError(path, line, "has no in to answer")
    decision = dispatch(shader_of_record(program), policy)
    steps = explain(decision)
    if as_json:
        json_line([step._asdict() for step in steps])
    else:
        table("", ("field", "value", "why"), steps)
    if output is not None:
        draw(decision, output)
    return EXIT_FINE


def draw(decision: Decision, output: str) -> None:
    """Draw a decision's pressure into a file. Raises `ArgumentError` for another ending, `FileError`."""
    write_picture(output, png=lambda: png(chart(decision)), svg=lambda: svg(chart(decision)))
