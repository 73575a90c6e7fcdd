"""`RecordingFile`: what the readers share. A file that is open, plain or gzip, and the lines that are none.

Formats: docs/traces.md, docs/case_files.md.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Final, NamedTuple, Self, TypeVar

from statetracker.errors import RecordingError
from statetracker.unpacking import DAMAGE, limits, open_packed, too_long

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

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

    path     what messages call it
    stream   its bytes, unpacked
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
            raise too_long(self.path, self._line + 1)
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
        """The problem of a call, at the line that was read last or at another."""
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
    except OSError as error:
        raise RecordingError(str(path), None, f"cannot be opened: {error.strerror}") from None


def opened(path: str | Path, kind: Callable[[str | Path, IO[bytes]], T]) -> T:
    """Open a recording of a kind, gzip by its magic number; raises `RecordingError`."""
    stream = open_recording(path)
    try:
        return kind(path, stream)
    except BaseException:
        stream.close()
        raise


def cut_short(path: str, line: int, error: BaseException) -> RecordingError:
    """The error for a compressed stream that ends early."""
    return RecordingError(path, line, f"the compressed stream is damaged or cut short ({error})")
