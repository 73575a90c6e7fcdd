"""Files of JSON records, a line each: read, answered, and answers compared with what was recorded."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.cli.output import (
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    error,
    json_line,
    progress,
    quiet,
    report,
    table,
)
from statetracker.errors import FileError, StateTrackerError
from statetracker.trace.recording_file import open_recording
from statetracker.unpacking import DAMAGE, read_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

#: Differences, and bad lines, of a file that are shown before they are only counted.
_SHOWN: Final = 10
_ABSENT: Final = "(absent)"


def json_records(path: str, counts: Counter[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Lines of a file as JSON objects; others are reported. Raises `FileError` for a file that cannot be read."""
    number = 0
    try:
        with open_recording(path) as stream:
            while line := read_line(stream, path, number + 1):
                number += 1
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError):
                    record = None
                if isinstance(record, dict):
                    yield number, record
                    continue
                _bad_line(counts, FileError(path, number, "no JSON object"))
    except DAMAGE as error:
        raise FileError(path, number or None, f"cannot be read: {error}") from None
    if number == 0:
        raise FileError(path, None, "is empty", hint="A file of records has one JSON object a line.")


class RecordKind(NamedTuple):
    """A command's way to answer and count its records.

    Attributes:
        answer: Record -> its answer; raises `StateTrackerError` for one that makes no sense.
        lacks: Record -> what it lacks to be compared with; "" for nothing.
        add: Record, answer, counts: counts one more.
        cells: Counts -> the columns of the table, between the file's name and the count of bad lines.
    """

    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    lacks: Callable[[Mapping[str, Any]], str]
    add: Callable[[Mapping[str, Any], Mapping[str, Any], Counter[str]], None]
    cells: Callable[[Counter[str]], Mapping[str, object]]


def answer_files(files: list[str], kind: RecordKind, *, check: bool, as_json: bool) -> int:
    """Answer the records of files, or compare them. Bad lines are reported and skipped; gives the worst exit code.

    As JSON, compared records have their verdict, and the last line is the summary.
    """
    worst, rows, whole = EXIT_FINE, [], Counter[str]()
    for path in files:
        counts: Counter[str] = Counter()
        try:
            code = _answer_file(path, kind, counts, check=check, as_json=as_json)
        except StateTrackerError as failure:
            report(failure)
            code = EXIT_FAILED
            whole["problems"] += 1
        worst = max(worst, code)
        whole += counts
        agreed = f"{counts['compared'] - counts['differ']} of {counts['compared']}" if check else "-"
        rows.append((Path(path).name, *kind.cells(counts).values(), counts["bad lines"], agreed))
    if check and worst == EXIT_FINE and not whole["compared"]:
        error("nothing could be compared: the files hold no records")
        worst = EXIT_FAILED
    if as_json and check:
        json_line(summary(Counter(files=len(files), problems=whole["bad lines"]) + whole, worst))
    elif not as_json and not (check and quiet()):
        columns = ("file", *kind.cells(whole), "bad lines", "agreed")
        table("", columns, rows, right=columns[columns.index("records") :])
    return worst


def summary(counts: Counter[str], code: int) -> dict[str, object]:
    """Return the last line of ``--check --json``; ``verdict`` says of the exit code what it means.

    Args:
        counts: ``files``; ``compared`` and ``differ``: cases, records or states; ``problems``: what cannot be read or
            used.
        code: The exit code.
    """
    files, compared, differ, problems = (counts[name] for name in ("files", "compared", "differ", "problems"))
    word = {EXIT_FINE: "agrees", EXIT_DIFFERS: "differs"}.get(code, "failed")
    shown = {"files": files, "compared": compared, "agree": compared - differ, "differ": differ, "problems": problems}
    return {"summary": {"verdict": word, **shown}}


def _answer_file(path: str, kind: RecordKind, counts: Counter[str], *, check: bool, as_json: bool) -> int:
    with progress(Path(path).name, None, "lines", lines=as_json) as watch:
        for number, record in json_records(path, counts):
            watch(number)
            try:
                answer = kind.answer(record)
                if check and (lacking := kind.lacks(record)):
                    raise FileError(path, number, lacking)
            except StateTrackerError as failure:
                _bad_line(counts, failure if isinstance(failure, FileError) else FileError(path, number, str(failure)))
                continue
            kind.add(record, answer, counts)
            differing = _differences(record, answer) if check else []
            counts["compared"] += check
            counts["differ"] += bool(differing)
            if differing and counts["differ"] <= _SHOWN:
                shown = "; ".join(f"{name}: {mine!r}, recorded {theirs!r}" for name, mine, theirs in differing[:3])
                error(f"{path}:{number}: {shown}")
            if as_json:
                json_line(answer if not check else verdict({"line": number}, differing))
    return _exit_code(path, counts)


def verdict(line: Mapping[str, Any], differing: Iterable[Iterable[object]]) -> dict[str, object]:
    """Return a line of ``--check --json``: what it has, whether it agrees, and the differences as lists."""
    listed = [list(one) for one in differing]
    return {**line, "agrees": not listed, "differences": listed}


def _bad_line(counts: Counter[str], failure: FileError) -> None:
    """Count a line that is not one, and report it if it is among the first."""
    counts["bad lines"] += 1
    if counts["bad lines"] <= _SHOWN:
        error(str(failure))


def _exit_code(path: str, counts: Counter[str]) -> int:
    """Return the exit code of a file; bad lines that were not shown are counted in one line."""
    if not counts["bad lines"]:
        return EXIT_DIFFERS if counts["differ"] else EXIT_FINE
    more = counts["bad lines"] - _SHOWN
    if more > 0:
        error(f"{path}: {more} more bad lines")
    return EXIT_FAILED


def _differences(theirs: Mapping[str, Any], mine: Mapping[str, Any], at: str = "") -> list[tuple[str, object, object]]:
    """Members that differ, by their path: (path, ours, recorded)."""
    differences: list[tuple[str, object, object]] = []
    for name in {**theirs, **mine}:
        a, b = mine.get(name, _ABSENT), theirs.get(name, _ABSENT)
        if isinstance(a, dict) and isinstance(b, dict):
            differences += _differences(b, a, f"{at}{name}.")
        elif a != b:
            differences.append((f"{at}{name}", a, b))
    return differences
