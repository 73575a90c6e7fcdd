"""Files written whole or not at all: beside their place, then put there in one step.

What interrupts the writing, a full disk or a signal, leaves what was there before. Pipes and devices
(``/dev/stdout``) are written to directly. A file that is written bit by bit keeps each bit whole with
`uninterrupted`. `csv_rows` reads the tables that the package ships. Like `errors`, every part of the package may import
this.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import threading
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from statetracker.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Names of files that the process has open; what they stand for is not replaced.
_OPEN_ALREADY: Final = re.compile(r"/dev/(?:std(?:out|err)|fd/)|/proc/")


@contextmanager
def file_errors(path: str | Path, what: str) -> Iterator[None]:
    """Raise each `OSError` of a block as a `FileError`: the file cannot be ``what``, "read" or "written"."""
    try:
        yield
    except OSError as error:
        raise FileError(str(path), None, f"cannot be {what}: {error.strerror or error}") from None


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file; raises `OSError`, and then leaves no part of it."""
    with written_whole(path) as stream:
        stream.write(data)


@contextmanager
def written_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Yield a stream to write a file with, which stands at its place when the block ends without an exception.

    A link stays one, and a file keeps its permissions. Raises `OSError` where it cannot be written.
    """
    place, mode = Path(os.path.realpath(path)), _mode(path)
    if _OPEN_ALREADY.match(str(Path(path).absolute())) or (mode is not None and not stat.S_ISREG(mode)):
        with Path(path).open("wb") as stream:
            yield stream
        return
    if mode is not None:
        place.open("ab").close()  # what may not be written is not replaced either
    part = place.with_name(f".{place.name[:200]}.{os.urandom(4).hex()}.part")
    try:
        with part.open("xb") as stream:
            yield stream
        if mode is not None:
            part.chmod(stat.S_IMODE(mode))
        part.replace(place)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back SIGINT and SIGTERM, where Python code handles them, until the block has ended.

    In threads other than the main one nothing is held back: they get no signals.
    """
    came: list[int] = []
    with ExitStack() as after:
        after.callback(lambda: list(map(signal.raise_signal, came)))
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if callable(handler):
                    after.callback(signal.signal, number, handler)
                    signal.signal(number, lambda number, _: came.append(number))
        yield


def csv_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table that this package ships; lines that begin with # are remarks."""
    import csv

    with path.open(encoding="ascii", newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def _mode(path: str | Path) -> int | None:
    """Return the mode of a file; None where there is none."""
    try:
        return Path(path).stat().st_mode
    except FileNotFoundError:
        return None
