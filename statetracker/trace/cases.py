"""Recorded case files: JSON lines, plain or gzip; a header, then one case a line.

Format: docs/case_files.md. A file is read a line at a time. Damage does not end it: a broken line becomes a `Problem`
that names file and line, and reading goes on with the next; a cut gzip stream ends with a `Problem` after the last
whole line.
"""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import RecordingError
from statetracker.trace.recording_file import Problem, RecordingFile, opened
from statetracker.unpacking import position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FORMAT_VERSION: Final = 1

#: How a case's fields must look: name -> (accepted types, in words). None is fine for all but ``calls``.
_SHAPES: Final = {
    "calls": (list, "a list of calls"),
    "texture": (dict, "an object"),
    "shader": (dict, "an object"),
    "raw": (dict, "an object"),
    "sampler_view": (dict, "an object"),
    "pipe_sampler_state": (dict, "an object"),
    "unit": (int, "a unit number"),
}


class Header(NamedTuple):
    """The first line.

    Attributes:
        data: The driver's answers: a screen file.
        driver: The driver's name.
        mesa_version: Of the Mesa that was recorded, ``"22.3.6"``.
    """

    data: dict[str, Any]
    driver: str
    mesa_version: str


class Call(NamedTuple):
    """One GL call.

    Attributes:
        fn: Its name.
        args: Its arguments as written.
        err: The error that it raised, by name; None where that was not kept.
    """

    fn: str
    args: list[Any]
    err: str | None


class Case(NamedTuple):
    """One case: its place in the file (from 0), its line (from 1), and the parsed object.

    Attributes:
        data: The object, as JSON has it.
    """

    place: int
    line: int
    data: dict[str, Any]

    @property
    def id(self) -> object:
        """The case's number."""
        return self.data.get("id")

    def calls(self) -> Iterator[Call]:
        """Yield the GL calls, in order."""
        for call in self.data["calls"]:
            yield Call(call["fn"], call["args"], call.get("err"))


class CaseFile(RecordingFile):
    """A recorded case file that is open. Iterate over it for `Case` and `Problem` items; the header is there at once.

    Args:
        path: What messages call it.
        stream: Its bytes, unpacked.

    Raises:
        RecordingError: There is no header, or it is of another version.
        InputTooLarge: A limit of reading is passed.
    """

    def __init__(self, path: str | Path, stream: IO[bytes]) -> None:
        super().__init__(path, stream)
        self.header = self._header()

    def _parse(self, line: bytes) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:  # also a number of thousands of digits, or too deep
            raise self._error(f"not JSON: {error}") from None
        if not isinstance(data, dict):
            raise self._error(f"a line holds one JSON object, not {type(data).__name__}")
        return data

    def _header(self) -> Header:
        first = self._first_line()
        if not first:
            self._line = 1
            raise self._error("the file is empty; the first line is a header")
        data = self._parse(first)
        if not data.get("header") and "caps" not in data:
            raise self._error("the first line is no header of a recorded case file", hint="It has 'header' and 'caps'.")
        version = data.get("oracle_version", _FORMAT_VERSION)
        if version != _FORMAT_VERSION:
            raise self._error(f"format version {version!r}; this reader knows version {_FORMAT_VERSION}")
        return Header(data, str(data.get("driver", "")), str(data.get("mesa_version", "")))

    def __iter__(self) -> Iterator[Case | Problem]:
        """Every case, and a `Problem` for every line that is none."""
        place = 0
        while line := self._next_line():
            if not line.strip():
                continue
            try:
                data = self._parse(line)
                self._check(data)
            except RecordingError as error:
                yield Problem(error)
            else:
                yield Case(place, self._line, data)
            place += 1
        yield from self._damage

    def _check(self, data: dict[str, Any]) -> None:
        for name, (kind, words) in _SHAPES.items():
            value = data.get(name)
            if name == "calls" and value is None:
                raise self._error("the case has no 'calls'")
            if value is not None and not isinstance(value, kind):
                raise self._error(f"'{name}' is {type(value).__name__}, not {words}")
        for call in data["calls"]:
            if not (isinstance(call, dict) and isinstance(call.get("fn"), str) and isinstance(call.get("args"), list)):
                raise self._error("a call is an object with 'fn' and 'args'", hint=f"It is {json.dumps(call)[:80]}.")

    def position(self) -> int:
        """Return how many bytes of the file on disk have been read."""
        return position(self._stream)


def open_cases(path: str | Path) -> CaseFile:
    """Open a recorded case file at a path, gzip by its magic number; raises `RecordingError`."""
    return opened(path, CaseFile)
