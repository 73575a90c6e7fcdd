"""Files that may be gzipped: recognised by their magic number, not by their name. Pipes are read like files."""

from __future__ import annotations

import io
import os
import stat
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self, TypeVar, cast

from statetracker.errors import RecordingError
from statetracker.unpacking import GZIP_MAGIC, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable

Opened = TypeVar("Opened")

#: What reading from a damaged or cut gzip stream raises.
DAMAGE: Final = (EOFError, zlib.error, OSError)

#: Pipes that will be opened once more, by path.
_kept: dict[str, _Pipe] = {}


def open_packed(path: str | Path, *, again: bool = False) -> IO[bytes]:
    """Open a plain or gzipped file for reading its unpacked bytes; raises `RecordingError`.

    again   the path will be opened once more, which a pipe does not bear: what was read of it until then is kept

    Reading raises `InputTooLarge` where a packed file passes a limit of `statetracker.unpacking`.
    """
    try:
        stream = _opened(path, again=again)
        packed = stream.read(2) == GZIP_MAGIC
        stream.seek(0)
    except OSError as error:
        raise RecordingError(str(path), None, f"cannot be opened: {error.strerror}") from None
    if not again and isinstance(raw := getattr(stream, "raw", None), _Pipe):
        raw.forget()
    return unpacked(stream, str(path)) if packed else stream


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


class OpenFile:
    """A recording that is open; as a context manager it is closed at the end."""

    _stream: IO[Any]

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def opened(path: str | Path, kind: Callable[[str | Path, IO[bytes]], Opened]) -> Opened:
    """Open a recording of a kind, gzip by its magic number; raises `RecordingError`."""
    stream = open_packed(path)
    try:
        return kind(path, stream)
    except BaseException:
        stream.close()
        raise


def cut_short(path: str, line: int | None, error: BaseException) -> RecordingError:
    """The error for a compressed stream that ends early."""
    return RecordingError(path, line, f"the compressed stream is damaged or cut short ({error})")
