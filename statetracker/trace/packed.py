"""Files that may be gzipped: told by their magic number, not by their name."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import IO, Final, cast

from statetracker.errors import RecordingError

__all__ = ["DAMAGE", "cut_short", "open_packed"]

_GZIP_MAGIC: Final = b"\x1f\x8b"

#: What reading from a damaged or cut gzip stream raises.
DAMAGE: Final = (EOFError, zlib.error, OSError)


def open_packed(path: str | Path) -> IO[bytes]:
    """Open a plain or gzipped file for reading its unpacked bytes; raises `RecordingError`."""
    try:
        with Path(path).open("rb") as probe:
            packed = probe.read(2) == _GZIP_MAGIC
        return cast("IO[bytes]", gzip.open(path, "rb") if packed else Path(path).open("rb"))
    except OSError as error:
        raise RecordingError(str(path), None, f"cannot be opened: {error.strerror}") from None


def cut_short(path: str, line: int | None, error: BaseException) -> RecordingError:
    """Say that the compressed stream ends here."""
    return RecordingError(path, line, f"the compressed stream is damaged or cut short ({error})")
