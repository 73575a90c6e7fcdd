"""``statetracker geometry``: recorded programs answered or compared, or one explained and drawn."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, json_line, say, table
from statetracker.errors import ArgumentError, FileError, StateTrackerError
from statetracker.geometry import answer, dispatch, explain, shader_of_record
from statetracker.geometry.picture import chart, png, svg
from statetracker.trace.packed import DAMAGE, open_packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.geometry import Decision

__all__ = ["draw", "explain_line", "run_files"]

_SHOWN = 10  # differences shown before only counting


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


def _records(path: str, counts: Counter[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Lines of a file as JSON objects; others are told. Raises `FileError` for a file that cannot be read at all."""
    number = 0
    try:
        with open_packed(path) as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError):
                    record = None
                if isinstance(record, dict):
                    yield number, record
                    continue
                counts["bad lines"] += 1
                say(str(FileError(path, number, "no JSON object")))
    except DAMAGE as error:
        raise FileError(path, number or None, f"cannot be read: {error}") from None
    if number == 0:
        raise FileError(path, None, "is empty", hint="A file of records has one JSON object a line.")


def _one_file(path: str, counts: Counter[str], *, check: bool, as_json: bool) -> int:
    for number, record in _records(path, counts):
        try:
            found = answer(record)
            if check and "out" not in record:
                raise FileError(path, number, "has no out to compare with")
        except StateTrackerError as error:
            counts["bad lines"] += 1
            say(str(error if isinstance(error, FileError) else FileError(path, number, str(error))))
            continue
        _count(found["out"], counts)
        differences = _differences(record, found) if check else []
        counts["compared"] += check
        counts["differ"] += bool(differences)
        if differences and counts["differ"] <= _SHOWN:
            shown = "; ".join(f"{name}: {mine!r}, recorded {theirs!r}" for name, mine, theirs in differences[:3])
            say(f"{path}:{number}: {shown}")
        if as_json:
            json_line(found if not check else {"line": number, "differences": [list(d) for d in differences]})
    if counts["bad lines"]:
        return EXIT_FAILED
    return EXIT_DIFFERS if counts["differ"] else EXIT_FINE


def _count(out: Mapping[str, Any], counts: Counter[str]) -> None:
    counts["records"] += 1
    counts["spilled"] += bool(out["spills"])
    counts[out["mode"]["later"] if out["ok"] else "failed"] += 1


_ABSENT = "(absent)"


def _differences(theirs: Mapping[str, Any], mine: Mapping[str, Any], at: str = "") -> list[tuple[str, object, object]]:
    """Members that differ, by their path: (path, ours, recorded)."""
    found: list[tuple[str, object, object]] = []
    for name in {**theirs, **mine}:
        a, b = mine.get(name, _ABSENT), theirs.get(name, _ABSENT)
        if isinstance(a, dict) and isinstance(b, dict):
            found += _differences(b, a, f"{at}{name}.")
        elif a != b:
            found.append((f"{at}{name}", a, b))
    return found


def explain_line(path: str, line: int, *, policy: str, output: str | None, as_json: bool) -> int:
    """Explain the decision for the program of one line, and draw its pressure where ``output`` names a file."""
    record = next((one for number, one in _records(path, Counter()) if number == line), None)
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
    ending = Path(output).suffix.lower()
    if ending not in {".png", ".svg"}:
        raise ArgumentError("-o", output, accepted="a file name that ends in .png or .svg")
    drawn = chart(decision)
    try:
        Path(output).write_bytes(png(drawn) if ending == ".png" else svg(drawn).encode())
    except OSError as error:
        raise FileError(output, None, f"cannot be written: {error.strerror}") from None
