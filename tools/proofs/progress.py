"""The progress bar of the long proofs."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

__all__ = ["progress"]


def progress(*, transient: bool = True) -> Progress:
    """Make a bar on stderr: what it is, how many of how many, how long and how long yet.

    transient   it goes when it is done
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=transient)
