"""Output: messages and progress to standard error, tables and JSON to standard output; no wider than the terminal."""

from __future__ import annotations

import errno
import json
import os
import sys
import textwrap
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, FileError
from statetracker.files import file_errors, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console

    from statetracker.sampler.explanation import Explanation
    from statetracker.vulkan.explanation import VulkanExplanation

    #: Shows how much is done, and a remark.
    Watch = Callable[..., object]

EXIT_FINE: Final = 0
EXIT_DIFFERS: Final = 1
EXIT_FAILED: Final = 2
EXIT_INTERRUPTED: Final = 130  # by SIGINT; SIGTERM's is 143

_LONGEST: Final = 2000  # characters of a message
_PLAIN_WIDTH: Final = 160  # where output goes to a file, and COLUMNS does not say otherwise
#: The unit of a file that is read: progress shows it as kB or MB.
BYTES: Final = "bytes"
_ABSENT: Final = os.strerror(errno.ENOENT)
_USUAL: Final = 24  # characters of a member's name or value; longer values do not make their column wider
_GAP: Final = 2  # blanks between two columns

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def hushed(wanted: bool) -> Iterator[None]:
    """Leave out notes, summaries and progress until the block ends; results and errors are written as ever."""
    before = _quiet.set(wanted or _quiet.get())
    try:
        yield
    finally:
        _quiet.reset(before)


def quiet() -> bool:
    """Return whether notes, summaries and progress are left out."""
    return _quiet.get()


def console(*, error: bool = False) -> Console:
    """Return a console on standard output or standard error, made when it is needed so that redirection is seen.

    As wide as COLUMNS says, else as the terminal is; where there is neither, 160.
    """
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS", "").isdecimal() else _PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def error(message: str) -> None:
    """Write one line to standard error; of a very long one the beginning and the end.

    Where it cannot be written, on a full disk or a closed pipe, this and what follows is discarded.
    """
    line = "\\n".join(message.splitlines())
    if len(line) > _LONGEST:
        line = (
            f"{line[: _LONGEST // 2]} ... ({len(line) - _LONGEST:,} characters left out) ... {line[-_LONGEST // 2 :]}"
        )
    try:
        print(f"statetracker: {line}", file=sys.stderr)
    except OSError:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 (for the rest of the process)


def report(failure: Exception) -> None:
    """Write an error to standard error; where a file is not there, with the name nearest to it in its folder."""
    near = ""
    if isinstance(failure, FileError) and _ABSENT in failure.problem and not failure.hint:
        near = _near(failure.file)
    error(f"{failure}. Did you mean {near!r}?" if near else str(failure))


def _near(file: str) -> str:
    """Return the name of a file that is like this one; empty where there is none."""
    from difflib import get_close_matches

    place = Path(file)
    try:
        names = [path.name for path in place.parent.iterdir()]
    except OSError:
        return ""
    close = get_close_matches(place.name, names, n=1)
    return str(place.with_name(close[0])) if close else ""


def info(message: str) -> None:
    """Write one line to standard error, unless it is quiet: what is no error and no result."""
    if not quiet():
        error(message)


def json_line(value: object) -> None:
    """Write one line of JSON to standard output; NaN and infinities as text, as in recordings."""
    sys.stdout.write(json.dumps(_plain(value), separators=(", ", ": "), allow_nan=False) + "\n")


def json_lines(values: Iterable[object]) -> None:
    """Write a line of JSON for each value."""
    for value in values:
        json_line(value)


def _plain(value: Any) -> Any:  # noqa: ANN401 (any JSON)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):  # noqa: PLR0124
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Sequence[str] = (),
    typed: Sequence[str] = (),
) -> None:
    """Write a table, no word of it broken; where it is too wide for that, a paragraph for each row.

    ``right`` are columns that hold numbers, ``typed`` those with what one must type: their cells are never broken
    across lines.
    """
    from rich.table import Table

    out = console()
    cells = [[str(cell) for cell in row] for row in rows]
    whole = {n for n, name in enumerate(columns) if name in {*right, *typed}}
    widths = _widths([list(columns), *cells], out.width, whole)
    if widths is None:
        _paragraphs(out, title, columns, cells)
        return
    headed = any(columns)
    grid = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold", show_header=headed
    )
    for name, width in zip(columns, widths, strict=True):
        grid.add_column(name, justify="right" if name in right else "left", overflow="fold", width=width)
    for row in cells:
        grid.add_row(*row)
    with out.capture() as captured:
        out.print(grid)
    for line in captured.get().splitlines():
        print(line.rstrip())


def _widths(rows: Sequence[Sequence[str]], most: int, whole: set[int]) -> list[int] | None:
    """Return widths with which all columns fit: the widest give way first. None: words would have to be broken.

    The columns of ``whole`` do not give way.
    """
    columns = list(zip(*rows, strict=True))
    natural = [max(map(len, column)) for column in columns]
    least = [
        width if n in whole else max((len(word) for cell in column for word in cell.split()), default=0)
        for n, (column, width) in enumerate(zip(columns, natural, strict=True))
    ]
    most -= _GAP * (len(columns) - 1)
    if sum(least) > most:
        return None
    widths = natural
    while sum(widths) > most:
        giving = max((n for n in range(len(widths)) if widths[n] > least[n]), key=widths.__getitem__)
        widths[giving] -= 1
    return widths


def _paragraphs(out: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write for each row its first cell, and below it the others with the names of their columns."""
    if title:
        out.print(title, soft_wrap=True)
    for first, *others in rows:
        named = [f"{name}: {cell}" if name else cell for name, cell in zip(columns[1:], others, strict=True) if cell]
        text = wrap("; ".join(named), "    ")
        out.print(f"{first}\n{text}", soft_wrap=True)


def wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """Return a text in lines as wide as the output, broken between words only; where nobody looks in one line.

    The first line begins with ``first``, the others with ``rest``, by default as many blanks.
    """
    if not _looked_at():
        return f"{first}{text}".rstrip()
    return textwrap.fill(
        text,
        max(get_terminal_size().columns, 20),
        initial_indent=first,
        subsequent_indent=" " * len(first) if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_wrapped(text: str) -> None:
    """Write text line by line, each folded, with what it is indented by."""
    for line in text.splitlines():
        rest = " " * (len(line) - len(line.lstrip()) + _GAP)
        print(wrap(line, rest=rest))


def _looked_at() -> bool:
    """Return whether standard output has a width: it is a terminal, or COLUMNS says so."""
    return sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()


def reasons(why: Explanation | VulkanExplanation) -> None:
    """Write an explanation: a line a member where nobody looks or all fit; else each reason stands below its member."""
    text = str(why).splitlines()
    if not _looked_at() or max(map(len, text)) <= get_terminal_size().columns:
        print(why)
        return
    rows = list(why.rows())
    widths = [max(len(row[column]) for row in rows if len(row[column]) <= _USUAL) for column in (0, 1)]
    for name, value, rule, because, before in rows:
        print(wrap(f"{name:{widths[0]}}  {value:{widths[1]}}  {rule}", rest="    "))
        print(wrap(f"{because} (was {before})" if before else because, "    "))
    for line in text[len(rows) + 1 :]:
        print(wrap(line))


def write_picture(output: str, *, png: Callable[[], bytes], svg: Callable[[], str]) -> None:
    """Write a picture in the form of the file name's ending; only that form is made.

    Args:
        output: The file.
        png: Makes the picture as PNG.
        svg: Makes it as SVG.

    Raises:
        ArgumentError: Another ending.
        FileError: It cannot be written.
    """
    ending = ending_of("-o", output, ".png", ".svg")
    write_file(output, png() if ending == ".png" else svg())


def ending_of(option: str, output: str, *accepted: str) -> str:
    """Return the ending of the file name that an option has; raises `ArgumentError` for none of those accepted."""
    ending = Path(output).suffix.lower()
    if ending not in accepted:
        *others, last = accepted
        words = f"{', '.join(others)} or {last}" if others else last
        raise ArgumentError(option, output, accepted=f"a file name that ends in {words}")
    return ending


def try_file(output: str) -> None:
    """Raise `FileError` where a file cannot be written, before there is anything to write."""
    from tempfile import TemporaryFile

    place = Path(output)
    with file_errors(output, "written"):
        if place.is_file() or place.is_dir():
            place.open("ab").close()
        elif not place.exists():
            TemporaryFile(dir=place.absolute().parent).close()


def write_file(output: str, data: bytes | str) -> None:
    """Write a file, whole or not at all; raises `FileError`.

    Text becomes UTF-8; what that cannot hold, as a file's name that is no text, is escaped.
    """
    with file_errors(output, "written"):
        write_whole(output, data.encode(errors="backslashreplace") if isinstance(data, str) else data)


@contextmanager
def progress(what: str, total: float | None, unit: str, *, lines: bool = False) -> Iterator[Watch]:
    """Return a function that shows how much is done: ``name ---- 50 of 2,000 cases  98% agree  0:00:12``.

    It shows it only where a person is watching, and not with -q.

    Args:
        what: In front of the bar.
        total: How much there is; None: not known, and then only what is done is shown.
        unit: What is counted, in the plural; `BYTES` for a file that is read.
        lines: The results are written meanwhile: on the same terminal they would be written through the bar.
    """
    if quiet() or not sys.stderr.isatty() or (lines and sys.stdout.isatty()):
        yield lambda done, remark="": None  # noqa: ARG005 (nobody looks)
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    whole = "" if total is None else f" of {total:,.0f}"
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        DownloadColumn() if unit == BYTES else TextColumn(f"{{task.completed:,.0f}}{whole} {unit}", markup=False),
        TextColumn("{task.fields[remark]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(error=True), transient=True) as bar:
        task = bar.add_task(what, total=total, remark="")
        yield lambda done, remark="": bar.update(task, completed=done, remark=remark)
