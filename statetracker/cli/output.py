"""Output: messages to standard error, tables and JSON to standard output."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table

from statetracker.errors import ArgumentError, FileError
from statetracker.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = [
    "EXIT_DIFFERS",
    "EXIT_FAILED",
    "EXIT_FINE",
    "EXIT_INTERRUPTED",
    "console",
    "json_line",
    "say",
    "table",
    "write_file",
    "write_picture",
]

EXIT_FINE: Final = 0
EXIT_DIFFERS: Final = 1
EXIT_FAILED: Final = 2
EXIT_INTERRUPTED: Final = 130  # by SIGINT; SIGTERM's is 143

_LONGEST: Final = 2000  # characters of a message
_PLAIN_WIDTH: Final = 160  # where output goes to a file, nothing is cut to a terminal's width


def console(*, error: bool = False) -> Console:
    """A console on standard output or standard error, made when it is needed so that redirection is seen."""
    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() else _PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, soft_wrap=False)


def say(message: str) -> None:
    """Write one line to standard error; of a very long one the beginning and the end."""
    line = "\\n".join(message.splitlines())
    if len(line) > _LONGEST:
        line = (
            f"{line[: _LONGEST // 2]} ... ({len(line) - _LONGEST:,} characters left out) ... {line[-_LONGEST // 2 :]}"
        )
    print(f"statetracker: {line}", file=sys.stderr)


def json_line(value: object) -> None:
    """Write one line of JSON to standard output; NaN and infinities as text, as in recordings."""
    sys.stdout.write(json.dumps(_plain(value), separators=(", ", ": "), allow_nan=False) + "\n")


def _plain(value: Any) -> Any:  # noqa: ANN401 (any JSON)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):  # noqa: PLR0124
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()) -> None:
    """Write a table; columns named in ``right`` hold numbers."""
    grid = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in columns:
        grid.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(str(cell) for cell in row))
    console().print(grid)


def write_picture(output: str, *, png: Callable[[], bytes], svg: Callable[[], str]) -> None:
    """Write a picture in the form of the file name's ending; only that form is made.

    Raises `ArgumentError` for another ending, `FileError` where it cannot be written.
    """
    ending = Path(output).suffix.lower()
    if ending not in {".png", ".svg"}:
        raise ArgumentError("-o", output, accepted="a file name that ends in .png or .svg")
    write_file(output, png() if ending == ".png" else svg().encode())


def write_file(output: str, data: bytes) -> None:
    """Write a file, whole or not at all; raises `FileError`."""
    try:
        write_whole(output, data)
    except OSError as error:
        raise FileError(output, None, f"cannot be written: {error.strerror or error}") from None
