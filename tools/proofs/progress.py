"""What the long proofs share: a progress bar, work in parts under it, and the options that say where it is done."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from statetracker.parts import run_parts

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator, Mapping, MutableMapping

__all__ = ["add_workers", "in_parts", "progress"]

Result = TypeVar("Result")


def progress(*, transient: bool = True) -> Progress:
    """Make a bar on stderr: what it is, how many of how many, how long and how long yet.

    transient   it goes when it is done
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=transient)


def add_workers(parser: ArgumentParser) -> None:
    """Add the options ``--workers`` and ``--scheduler``, which `in_parts` reads."""
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes here")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="not here but on Dask's workers: tcp://host:8786")


def in_parts(
    title: str,
    work: Callable[..., Result],
    parts: Mapping[str, tuple[Any, ...]],
    options: Namespace,
    kept: MutableMapping[str, Result] | None = None,
) -> Iterator[Result]:
    """The results of all parts, in order, under a bar; see `statetracker.parts.run_parts`."""
    with progress(transient=False) as bar:
        done = sum(part in kept for part in parts) if kept else 0
        task = bar.add_task(title, total=len(parts), completed=done)
        where = {"scheduler": options.scheduler, "jobs": options.workers}
        for _, result in run_parts(work, parts, **where, kept=kept, watch=lambda _: bar.advance(task)):
            yield result
