"""An open file, plain or gzip, as all readers share it: lines that are none, and what kind a file is of.

Formats: docs/traces.md, docs/case_files.md.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, Literal, NamedTuple, Self, TypeAlias, TypeVar

from statetracker.errors import RecordingError
from statetracker.unpacking import DAMAGE, limits, open_packed, too_long

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")
#: Recorded cases, a dump, a Mesa trace in XML or as JSON lines, a run of the loop.
Kind: TypeAlias = Literal["cases", "dump", "xml", "states", "run"]

_PROBE: Final = 1 << 16
_CALL: Final = re.compile(rb"^\d+ (?:@\w+ )?[A-Za-z_]\w*\(", re.MULTILINE)
_RUN: Final = re.compile(rb'\s*(?:\["create",|\{"statetracker": ?"run")')
_XML: Final = re.compile(rb"\s*(?:<\?xml|<trace|<call|<!)")

#: Items that are kept; later ones are counted.
MOST_KEPT: Final = 1000


class Problem(NamedTuple):
    """A line that could not be read, as an error that names file and line; ``call``: the call's number, if known."""

    error: RecordingError
    call: int | None = None


class Kept(list[T]):
    """A list of at most `MOST_KEPT` items; ``total`` is the number of all that were added, also of those cleared."""

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def add(self, item: T) -> None:
        """Count an item, and keep it where there is room."""
        self.total += 1
        if len(self) < MOST_KEPT:
            self.append(item)


class RecordingFile:
    """A recording that is open; as a context manager it is closed at the end.

    Args:
        path: What messages call it.
        stream: Its bytes, unpacked.
    """

    def __init__(self, path: str | Path, stream: IO[bytes]) -> None:
        self.path = str(path)
        self._stream = stream
        self._line = 0
        self._longest = limits().line
        #: At most one: where a packed stream broke off.
        self._damage: list[Problem] = []

    def _next_line(self) -> bytes:
        """Read a line. Empty at the end, and where a packed stream breaks off, which is kept in ``_damage``."""
        try:
            line = self._stream.readline(self._longest + 1)
        except DAMAGE as error:
            self._damage = [Problem(cut_short(self.path, self._line + 1, error))]
            return b""
        if len(line) > self._longest:
            raise too_long(self.path, self._line + 1, most=self._longest)
        self._line += bool(line)
        return line

    def _first_line(self) -> bytes:
        """Read the first line; raises `RecordingError` where a packed stream breaks off in it."""
        line = self._next_line()
        for problem in self._damage:
            raise problem.error
        return line

    def _error(self, problem: str, *, hint: str = "") -> RecordingError:
        return RecordingError(self.path, self._line, problem, hint=hint)

    def _problem(self, problem: str, call: int | None, *, line: int | None = None) -> Problem:
        """Return the problem of a call, at the line that was read last or at another."""
        where = "" if call is None else f"call {call}: "
        return Problem(RecordingError(self.path, line or self._line, where + problem), call)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def open_recording(path: str | Path, *, again: bool = False) -> IO[bytes]:
    """Open a file as `open_packed` does; raises `RecordingError`."""
    try:
        return open_packed(path, again=again)
    except (OSError, ValueError) as error:  # a path with a null in it
        raise RecordingError(str(path), None, f"cannot be opened: {getattr(error, 'strerror', error)}") from None


def opened(path: str | Path, kind: Callable[[str | Path, IO[bytes]], T]) -> T:
    """Open a recording of a kind, gzip by its magic number; raises `RecordingError`."""
    stream = open_recording(path)
    try:
        return kind(path, stream)
    except BaseException:
        stream.close()
        raise


def cut_short(path: str, line: int, error: BaseException) -> RecordingError:
    """Return the error for a compressed stream that ends early."""
    return RecordingError(path, line, f"the compressed stream is damaged or cut short ({error})")


def kind_of(path: str | Path) -> Kind:
    """Return the kind of the file at a path; an unknown one counts as recorded cases: their reader says what is wrong.

    An empty file, also a packed one that breaks off before its first byte, counts as a dump without a call.

    Args:
        path: Of the file.

    Raises:
        RecordingError: A file that cannot be opened.
    """
    with open_recording(path, again=True) as stream:
        start = _start(stream)
    if not start:
        return "dump"
    if _XML.match(start):
        return "xml"
    if _RUN.match(start):
        return "run"
    if start.lstrip().startswith(b"{"):
        return "states" if _is_states(start) else "cases"
    return "dump" if _CALL.search(start) or start.startswith(b"//") else "cases"


def _start(stream: IO[bytes]) -> bytes:
    """Return the first bytes of a file; read piece by piece, so that the part before damage is kept."""
    start = b""
    with suppress(*DAMAGE):
        while len(start) < _PROBE and (more := stream.read1(_PROBE)):  # type: ignore[attr-defined]  # both kinds do
            start += more
    return start[:_PROBE]


def _is_states(start: bytes) -> bool:
    """Return whether the first lines are a header and an event of Mesa's trace as JSON lines."""
    lines = start.splitlines()
    try:
        head = json.loads(lines[0])
        if "program" in head and "packages" in head:
            return True
        return len(lines) > 1 and "event" in json.loads(lines[1]) and "caps" not in head
    except (ValueError, TypeError, RecursionError):
        return False
