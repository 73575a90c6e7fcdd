"""Files of JSON records, a line each: reading them, telling the bad ones, comparing answers with what was recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, json_line, say
from statetracker.errors import FileError
from statetracker.trace.packed import DAMAGE, open_packed

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping

__all__ = ["bad_line", "exit_code", "json_records", "tell_answer"]

#: Differences, and bad lines, of a file that are shown before they are only counted.
_SHOWN: Final = 10
_ABSENT: Final = "(absent)"


def json_records(path: str, counts: Counter[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
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
                bad_line(counts, FileError(path, number, "no JSON object"))
    except DAMAGE as error:
        raise FileError(path, number or None, f"cannot be read: {error}") from None
    if number == 0:
        raise FileError(path, None, "is empty", hint="A file of records has one JSON object a line.")


def bad_line(counts: Counter[str], error: FileError) -> None:
    """Count a line that is not one, and tell it if it is among the first."""
    counts["bad lines"] += 1
    if counts["bad lines"] <= _SHOWN:
        say(str(error))


def tell_answer(  # where a record came from, and what is wanted
    path: str,
    number: int,
    record: Mapping[str, Any],
    found: Mapping[str, Any],
    counts: Counter[str],
    *,
    check: bool,
    as_json: bool,
) -> None:
    """Tell the answer to one record as a line of JSON; with ``check`` instead how it differs from what was recorded."""
    differing = _differences(record, found) if check else []
    counts["compared"] += check
    counts["differ"] += bool(differing)
    if differing and counts["differ"] <= _SHOWN:
        shown = "; ".join(f"{name}: {mine!r}, recorded {theirs!r}" for name, mine, theirs in differing[:3])
        say(f"{path}:{number}: {shown}")
    if as_json:
        json_line(found if not check else {"line": number, "differences": [list(d) for d in differing]})


def exit_code(path: str, counts: Counter[str]) -> int:
    """What a whole file comes to; bad lines that were not shown are counted aloud."""
    if not counts["bad lines"]:
        return EXIT_DIFFERS if counts["differ"] else EXIT_FINE
    more = counts["bad lines"] - _SHOWN
    if more > 0:
        say(f"{path}: {more} more bad lines")
    return EXIT_FAILED


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
