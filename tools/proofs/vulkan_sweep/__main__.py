"""Sweep: every capability vector of the device corpus, a boundary set and random states, and no rule broken.

What sampler and shader leave undone in the boundary set is counted by kind. Exit codes: 0 no rule is broken, nothing is
left that may not be, and the whole boundary set gives the stored figures; 1 otherwise.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table

from tools.proofs.progress import add_workers, in_parts
from tools.proofs.vulkan_sweep.boundary import boundaries, part
from tools.proofs.vulkan_sweep.figures import ALL, Figures, figures, stored, write
from tools.proofs.vulkan_sweep.left import KINDS, refused
from tools.proofs.vulkan_sweep.states import BOUNDARY
from tools.proofs.vulkan_sweep.sweep import Counts, newest_rows, sweep

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

_CHUNK: Final = 4  # states of the boundary set in one part


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


def _show_left(seen: Mapping[str, Figures]) -> None:
    grid = Table("what is left", "vectors", "reports", "states", "plain samples", box=None, pad_edge=False)
    whole = seen[ALL]
    for kind, row in seen.items():
        shares = (f"{count / most:.2%}" for count, most in zip(row[:4], (*whole[:3], whole.states), strict=True))
        grid.add_row(kind if kind in {ALL, *KINDS} else f"NOT ALLOWED: {kind}", *shares)
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print()
    console.print(grid)


def _judged(total: Counts, *, whole: bool, keep: bool) -> bool:
    """Show what is left, and keep it; whether that is not as it should be."""
    seen = figures(total, part() if whole else total)
    _show_left(seen)
    bad = refused(kind for kind in seen if kind != ALL)
    if whole and keep and not bad:
        write(seen)
    differs = whole and seen != stored()
    if differs:
        print("These are not the stored figures: run with --write, then tools/codegen/make_docs.py.")
    return bool(bad) or differs


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
    add_workers(parser)
    parser.add_argument("--write", action="store_true", help="keep the figures of what is left: left.csv")
    options = parser.parse_args(argv)
    rows, total, begun = newest_rows(), Counts(), time.monotonic()
    state = partial(boundaries, rows=rows, every=options.every, dialect=options.dialect)
    device = partial(
        sweep,
        randoms=options.randoms,
        records=options.records,
        seed=options.seed,
        dialect=options.dialect,
        newest=options.newest,
    )
    numbers = [range(first, min(first + _CHUNK, BOUNDARY)) for first in range(0, BOUNDARY, _CHUNK)]
    for counts in in_parts("boundary states", state, {f"states {one}": (one,) for one in numbers}, options):
        total.add(counts)
    for counts in in_parts("device vectors", device, {f"vector {one.vector}": (one,) for one in rows}, options):
        total.add(counts)
    _show(total, len(rows))
    wrong = bool(total.violations.total())
    if total.left:
        wrong = _judged(total, whole=options.every == 1, keep=options.write) or wrong
    where = options.scheduler or f"{options.workers} workers"
    print(f"\n{time.monotonic() - begun:.0f} s, seed {options.seed}, {where}, {options.dialect}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
