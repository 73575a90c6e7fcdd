"""Input, plain or gzip, read within limits: how long a line, what a packed file unpacks to, how large an integer.

A few megabytes of gzip can hold gigabytes. The limits are far above what recordings have (docs/command_line.md);
`read_limits` raises them, on the command line ``--limits``. Like `errors`, every part of the package may import this.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from statetracker.errors import ArgumentError, InputTooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What reading from a damaged or cut gzip stream raises.
DAMAGE: Final = (EOFError, zlib.error, OSError)

_GZIP_MAGIC: Final = b"\x1f\x8b"

#: What a packed file may unpack to whatever its ratio.
_HARMLESS: Final = 4 << 20
_BUFFER: Final = 1 << 16
#: The longest text of an integer that is looked at, and the most that --limits takes.
_DIGITS: Final = 66
_MOST_TIMES: Final = 1_000_000
_HINT: Final = "'statetracker --limits 10 COMMAND' reads ten times as much, 'unpacking.read_limits' in Python."


class ReadLimits(NamedTuple):
    """The most that is read.

    Attributes:
        line: Bytes of a line, of a call, of a document that is read as a whole.
        size: Bytes that a packed file unpacks to.
        ratio: Unpacked bytes a packed byte; files that unpack to less than 4 MiB are not judged by it.
        toml: Bytes of a description in TOML: a key of many parts costs the square of them.
        expanded: List calls, tokens and elements that a recording expands to, beside what its size allows.
    """

    line: int = 16 << 20
    size: int = 8 << 30
    ratio: int = 300
    toml: int = 16 << 10
    expanded: int = 250_000

    def times(self, factor: float) -> ReadLimits:
        """Return the limits times a factor; raises `ArgumentError`."""
        if not 1 <= factor <= _MOST_TIMES:
            raise ArgumentError("limits", factor, accepted=f"a number from 1 to {_MOST_TIMES:,}")
        return ReadLimits(*(int(limit * factor) for limit in self))


_limits: ContextVar[ReadLimits] = ContextVar("read_limits", default=ReadLimits())  # noqa: B039 (it cannot be changed)


def limits() -> ReadLimits:
    """Return the limits in force."""
    return _limits.get()


@contextmanager
def read_limits(chosen: ReadLimits) -> Iterator[None]:
    """Read within other limits: those of the files that are opened inside the block."""
    token = _limits.set(chosen)
    try:
        yield
    finally:
        _limits.reset(token)


def open_packed(path: str | Path, *, again: bool = False) -> IO[bytes]:
    """Open a plain or gzip file, by its magic number and not its name, for its unpacked bytes; raises `OSError`.

    ``again`` means that the path will be opened once more: what is read of a pipe until then is kept.

    Reading raises `InputTooLarge` at a limit, and one of `DAMAGE` where the file is damaged or cut short.
    """
    stream = _opened(path, again=again)
    packed = stream.read(2) == _GZIP_MAGIC
    stream.seek(0)
    if not again and isinstance(raw := getattr(stream, "raw", None), _Pipe):
        raw.forget()
    return cast("IO[bytes]", io.BufferedReader(_Unpacked(stream, str(path)), _BUFFER)) if packed else stream


def position(stream: IO[bytes]) -> int:
    """Return how many bytes of the file on disk have been read."""
    raw = getattr(stream, "raw", None)
    return raw.packed.tell() if isinstance(raw, _Unpacked) else stream.tell()


def read_line(stream: IO[bytes], path: str, number: int) -> bytes:
    """Read a line; ``number`` is its own. Raises `InputTooLarge` for one that is too long."""
    longest = limits().line
    line = stream.readline(longest + 1)
    if len(line) > longest:
        raise too_long(path, number)
    return line


def read_document(stream: IO[bytes], path: str) -> bytes:
    """Read a file as a whole; raises `InputTooLarge`."""
    longest = limits().line
    data = stream.read(longest + 1)
    if len(data) > longest:
        raise too_large(path, "a document", longest)
    return data


def too_large(path: str, what: str, most: int) -> InputTooLarge:
    """Return the error for a file above its limit of bytes."""
    return InputTooLarge(path, None, f"is {what} of more than {most:,} bytes", hint=_HINT)


def too_long(path: str, number: int, what: str = "a line", most: int | None = None) -> InputTooLarge:
    """Return the error for a line, or what else is kept as a whole, that passes a limit; None: the one in force."""
    return InputTooLarge(path, number, f"{what} of more than {most or limits().line:,} bytes", hint=_HINT)


def integer(text: str | bytes | int, base: int = 10, *, field: str = "integer", most: int | None = None) -> int:
    """Read an integer of outside text; raises `ArgumentError` for what is none, or has more than 64 bits.

    ``field`` names it in the error; ``most`` is the largest, with 0 as the least; None: any of 64 bits.
    """
    try:
        if isinstance(text, int) and base == 10:
            value: int | None = int(text)
        else:
            value = int(text, base) if len(text) <= _DIGITS else None  # type: ignore[arg-type]
    except ValueError:
        value = None
    if value is None or not (0 <= value <= most if most is not None else abs(value) <= 1 << 64):
        accepted = "a whole number of at most 64 bits" if most is None else f"a whole number from 0 to {most:,}"
        raise ArgumentError(field, text, accepted=accepted) from None
    return value


class _Unpacked(io.RawIOBase):
    """The bytes of a gzip stream, counted."""

    def __init__(self, packed: IO[bytes], path: str) -> None:
        self.packed = packed
        self._path = path
        self._gzip = gzip.GzipFile(fileobj=packed)
        self._limits = limits()
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # as the buffered reader calls it
        data = self._gzip.read1(len(buffer))
        buffer[: len(data)] = data
        self._size += len(data)
        if self._size > self._limits.size:
            raise self._refused(f"unpacks to more than {self._limits.size:,} bytes")
        if self._size > max(_HARMLESS, self._limits.ratio * self.packed.tell()):
            raise self._refused(f"unpacks to more than {self._limits.ratio:,} times its packed size")
        return len(data)

    def _refused(self, problem: str) -> InputTooLarge:
        return InputTooLarge(self._path, None, problem, hint=_HINT)

    def close(self) -> None:
        try:
            self._gzip.close()
            self.packed.close()
        finally:
            super().close()


#: Pipes that will be opened once more, by path.
_kept: dict[str, _Pipe] = {}


def _opened(path: str | Path, *, again: bool) -> IO[bytes]:
    pipe = _kept.pop(str(path), None)
    if pipe is None:
        stream = Path(path).open("rb")  # noqa: SIM115 (the caller closes it)
        if not _is_pipe(stream):
            return stream
        pipe = _Pipe(stream)
    if again:
        _kept[str(path)] = pipe
    pipe.begin(stays=again)
    return cast("IO[bytes]", io.BufferedReader(pipe))


def _is_pipe(stream: IO[bytes]) -> bool:
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class _Pipe(io.RawIOBase):
    """A pipe that can be read from its beginning again, until it is to forget that."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._start = bytearray()
        self._at = 0
        self._keeps = True
        self._stays = False

    def begin(self, *, stays: bool) -> None:
        """Read from the beginning; ``stays``: closing it leaves it open."""
        self._at, self._stays = 0, stays

    def forget(self) -> None:
        """Keep no more of what is read."""
        self._keeps = False

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset if whence == io.SEEK_SET else self._at + offset
        return self._at

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # as the buffered reader calls it
        data = bytes(self._start[self._at : self._at + len(buffer)])
        if not data:
            data = self._stream.read1(len(buffer))  # type: ignore[attr-defined]  # a file is buffered
            if self._keeps:
                self._start += data
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self._stays:
            self._stream.close()
            super().close()
