"""Work in processes that a driver may crash or hang, and what such a process was at."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from statetracker.errors import WorkerLost
from statetracker.jobs import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["apart"]

Result = TypeVar("Result")


def apart(work: Callable[..., Result], parts: Mapping[str, tuple[Any, ...]], *, limit_s: int) -> Iterator[Result]:
    """Yield the results of all parts, in order: `statetracker.jobs.run_jobs` in two processes or more.

    ``work``: its first argument is a function, to be called with what it does next, before it does so. ``limit_s``: a
    process that has not called it for so long hangs, and is ended.

    A part whose process died is run again when all others are done, twice at most. The last note of `WorkerLost`, and
    of an exception of ``work``, is what the part was at.
    """
    with TemporaryDirectory(prefix="parts-") as folder:
        placed = {part: (Path(folder, str(n)), *given) for n, (part, given) in enumerate(parts.items())}
        try:
            for _, result in run_jobs(partial(_watched, work, limit_s), placed, jobs=max(2, os.cpu_count() or 1)):
                yield result
        except WorkerLost as lost:
            lost.add_note(placed[lost.part][0].read_text(encoding="utf-8"))
            raise


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
