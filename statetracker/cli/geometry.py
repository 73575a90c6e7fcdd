"""``statetracker geometry``: recorded programs answered or compared, or one explained and drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statetracker.cli.output import EXIT_FAILED, EXIT_FINE, json_line, say, table, write_picture
from statetracker.cli.record_lines import bad_line, exit_code, json_records, tell_answer
from statetracker.errors import ArgumentError, FileError, StateTrackerError
from statetracker.geometry import answer, dispatch, explain, shader_of_record
from statetracker.geometry.picture import chart, png, svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.geometry import Decision

__all__ = ["draw", "explain_line", "run_files"]


def run_files(files: list[str], *, check: bool, as_json: bool) -> int:
    """Answer the records of files, or compare them; bad lines are told and passed by. The worst is the exit code."""
    worst = EXIT_FINE
    rows = []
    for path in files:
        counts: Counter[str] = Counter()
        try:
            code = _one_file(path, counts, check=check, as_json=as_json)
        except StateTrackerError as error:
            say(str(error))
            code = EXIT_FAILED
        worst = max(worst, code)
        agreed = f"{counts['compared'] - counts['differ']} of {counts['compared']}" if check else "-"
        modes = [counts[name] for name in _COLUMNS]
        rows.append((Path(path).name, counts["records"], *modes, counts["bad lines"], agreed))
    if not as_json:
        columns = ("file", "records", *_COLUMNS, "bad lines", "agreed")
        table("", columns, rows, right=columns[1:])
    return worst


_COLUMNS = ("DUAL_OBJECT", "DUAL_INSTANCE", "SINGLE", "failed", "spilled")


def _one_file(path: str, counts: Counter[str], *, check: bool, as_json: bool) -> int:
    for number, record in json_records(path, counts):
        try:
            found = answer(record)
            if check and "out" not in record:
                raise FileError(path, number, "has no out to compare with")
        except StateTrackerError as error:
            bad_line(counts, error if isinstance(error, FileError) else FileError(path, number, str(error)))
            continue
        _count(found["out"], counts)
        tell_answer(path, number, record, found, counts, check=check, as_json=as_json)
    return exit_code(path, counts)


def _count(out: Mapping[str, Any], counts: Counter[str]) -> None:
    counts["records"] += 1
    counts["spilled"] += bool(out["spills"])
    counts[out["mode"]["later"] if out["ok"] else "failed"] += 1


def explain_line(path: str, line: int, *, policy: str, output: str | None, as_json: bool) -> int:
    """Explain the decision for the program of one line, and draw its pressure where ``output`` names a file."""
    record = next((one for number, one in json_records(path, Counter()) if number == line), None)
    if record is None:
        raise ArgumentError("--explain", line, accepted=f"the number of a line of {path} that has a program")
    asked = record.get("in")
    if not isinstance(asked, dict):
        raise FileError(path, line, "has no in to answer")
    decision = dispatch(shader_of_record(asked), policy)
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
