"""Files that may be gzipped: recognised by their magic number, not by their name. Pipes are read like files."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final, Self, cast

from statetracker.errors import RecordingError

__all__ = ["DAMAGE", "OpenFile", "cut_short", "open_packed"]

_GZIP_MAGIC: Final = b"\x1f\x8b"

#: What reading from a damaged or cut gzip stream raises.
DAMAGE: Final = (EOFError, zlib.error, OSError)

#: What came out of a pipe that will be opened once more.
_kept: dict[str, bytes] = {}


def open_packed(path: str | Path, *, again: bool = False) -> IO[bytes]:
    """Open a plain or gzipped file for reading its unpacked bytes; raises `RecordingError`.

    again   the path will be opened once more, which a pipe does not bear: what comes out of it is kept until then
    """
    try:
        stream = _opened(path, again=again)
        packed = stream.read(2) == _GZIP_MAGIC
        stream.seek(0)
    except OSError as error:
        raise RecordingError(str(path), None, f"cannot be opened: {error.strerror}") from None
    return cast("IO[bytes]", _Unpacked(stream)) if packed else stream


def _opened(path: str | Path, *, again: bool) -> IO[bytes]:
    kept = _kept.pop(str(path), None)
    if kept is None:
        stream = Path(path).open("rb")  # noqa: SIM115 (the caller closes it)
        if not _is_pipe(stream):
            return stream
        with stream:
            kept = stream.read()
    if again:
        _kept[str(path)] = kept
    return BytesIO(kept)


def _is_pipe(stream: IO[bytes]) -> bool:
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class OpenFile:
    """A recording that is open; as a context manager it is closed at the end."""

    _stream: IO[Any]

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the file."""
        self.close()


class _Unpacked(gzip.GzipFile):
    """A gzip stream that closes what it reads from."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(fileobj=stream)
        self._stream = stream

    def close(self) -> None:
        """Close both."""
        super().close()
        self._stream.close()


def cut_short(path: str, line: int | None, error: BaseException) -> RecordingError:
    """The error for a compressed stream that ends early."""
    return RecordingError(path, line, f"the compressed stream is damaged or cut short ({error})")
