"""Sweep: every capability vector of the device corpus, a boundary set and random states, and no rule broken.

Exit codes: 0 no violation, 1 some.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from tools.proofs.vulkan_sweep.sweep import Counts, newest_rows, sweep

if TYPE_CHECKING:
    from collections import Counter

_CHUNK: Final = 4
_COLUMNS: Final = (TextColumn("device vectors"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())


def _shares(title: str, counts: Counter[str], whole: int) -> Table:
    grid = Table(title, "infos", "share", box=None, pad_edge=False)
    for name, count in counts.most_common():
        grid.add_row(name, f"{count:,}", f"{count / whole:.2%}")
    return grid


def _show(total: Counts, vectors: int) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    grid = Table("states", "converted", "violations", box=None, pad_edge=False)
    for kind, count in total.states.items():
        grid.add_row(kind, f"{count:,}", f"{total.violations[kind]:,}")
    whole = total.states.total()
    grid.add_row(f"all, on {vectors} vectors", f"{whole:,}", f"{total.violations.total():,}")
    console.print(grid)
    for title, counts in (
        ("rule broken", total.rules),
        ("border colour", total.fallbacks),
        ("unsupported", total.unsupported),
        ("left to the shader", total.lowering),
    ):
        if counts:
            console.print()
            console.print(_shares(title, counts, whole))
    for text in total.texts.values():
        print(text)


def main(argv: list[str] | None = None) -> int:
    """Sweep on all cores, with progress."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.proofs.vulkan_sweep", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th state of the boundary set")
    parser.add_argument("--randoms", type=int, default=500, metavar="N", help="random GL states on each vector")
    parser.add_argument("--records", type=int, default=500, metavar="N", help="random records on each vector")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", default="native", help="native breaks no rule, zink22 and zink21 do")
    parser.add_argument("--newest", action="store_true", help="judge by the newest rules, whatever a device's version")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(argv)
    one = partial(
        sweep,
        every=options.every,
        randoms=options.randoms,
        records=options.records,
        seed=options.seed,
        dialect=options.dialect,
        newest=options.newest,
    )
    rows, total, begun = newest_rows(), Counts.nothing(), time.monotonic()
    progress = Progress(*_COLUMNS, TimeRemainingColumn(), console=Console(stderr=True))
    with ProcessPoolExecutor(options.workers) as pool, progress:
        task = progress.add_task("", total=len(rows))
        for counts in pool.map(one, rows, chunksize=_CHUNK):
            total.add(counts)
            progress.advance(task)
    _show(total, len(rows))
    print(f"\n{time.monotonic() - begun:.0f} s, seed {options.seed}, {options.workers} workers, {options.dialect}")
    return int(bool(total.violations.total()))


if __name__ == "__main__":
    sys.exit(main())
