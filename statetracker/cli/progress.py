"""Progress of a long command, with its unit, on standard error: only where a person is watching, and not with -q."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from statetracker.cli.output import console, quiet

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The unit of a file that is read: shown as kB or MB.
BYTES: Final = "bytes"


class Watch(Protocol):
    """Takes how much is done, and a remark."""

    def __call__(self, done: float, remark: str = "") -> object:
        """Show it."""


@contextmanager
def progress(what: str, total: float | None, unit: str, *, lines: bool = False) -> Iterator[Watch]:
    """Give a function that shows how much is done: ``name ---- 50 of 2,000 cases  98% agree  0:00:12``.

    what    in front of the bar
    total   how much there is; None: not known, and then only what is done is shown
    unit    what is counted, in the plural; `BYTES` for a file that is read
    lines   the results are written meanwhile: on the same terminal they would be written through the bar
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
