"""What the long proofs share: a progress bar, and work in parts under it.

Parts that may crash or hang in a driver are for `apart`, which tells what such a part was at.
"""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from statetracker.errors import WorkerLost
from statetracker.jobs import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, MutableMapping

__all__ = ["apart", "progress", "words"]

Result = TypeVar("Result")


def progress(*, transient: bool = True) -> Progress:
    """Make a bar on stderr: what it is, how many of how many, how long and how long yet.

    transient   it goes when it is done
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=transient)


def apart(
    title: str,
    work: Callable[..., Result],
    parts: Mapping[str, tuple[Any, ...]],
    *,
    limit_s: int,
    workers: int = 0,
    kept: MutableMapping[str, Result] | None = None,
) -> Iterator[Result]:
    """The results of all parts, in order, under a bar: `statetracker.jobs.run_jobs` in processes that may crash.

    work     its first argument is a function, to be called with what it does next, before it does so
    limit_s  a process that has not called it for so long hangs, and is ended
    workers  processes of this machine, at least two, by default one for each core

    A part whose process died is run again when all others are done, twice at most. The last note of `WorkerLost`, and
    of an exception of ``work``, is what the part was at.
    """
    with TemporaryDirectory(prefix="parts-") as folder, progress(transient=False) as bar:
        placed = {part: (Path(folder, str(n)), *given) for n, (part, given) in enumerate(parts.items())}
        task = bar.add_task(title, total=len(parts), completed=sum(part in kept for part in parts) if kept else 0)
        jobs = max(2, workers or os.cpu_count() or 1)
        watched = partial(_watched, work, limit_s)
        try:
            for _, result in run_jobs(watched, placed, jobs=jobs, kept=kept, watch=lambda _: bar.advance(task)):
                yield result
        except WorkerLost as lost:
            lost.add_note(placed[lost.part][0].read_text(encoding="utf-8"))
            raise


def words(error: Exception) -> str:
    """What an error says, and its notes: what a part was at that `apart` did."""
    return "\n".join((str(error), *getattr(error, "__notes__", ())))


def _watched(work: Callable[..., Result], limit_s: int, place: Path, *arguments: object) -> Result:
    """Do a part, and keep in a file what it is at; a signal that nothing catches ends a process that hangs."""
    with place.open("w+b", buffering=0) as file:

        def at(what: str) -> None:
            file.seek(0)
            file.write(what.encode())
            file.truncate()
            signal.alarm(limit_s)

        at("its start")
        try:
            return work(at, *arguments)
        except Exception as error:
            error.add_note(place.read_text(encoding="utf-8"))
            raise
        finally:
            signal.alarm(0)
