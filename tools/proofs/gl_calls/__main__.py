"""Every internal format in every call, then random sequences, here and on this machine's Mesa: ``make gl-calls``.

Exit codes: 0 both do the same but for the listed departures, 1 they do not, 2 it could not be tried.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from statetracker.bindings import egl
from tools.proofs.gl_calls.departures import DEPARTURES
from tools.proofs.gl_calls.formats import FORMATS
from tools.proofs.gl_calls.parent import EVERY, WORKER, Outcome, run
from tools.proofs.gl_calls.sides import PROFILES
from tools.proofs.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.progress import Progress, TaskID


def show(seen: list[Outcome], what: str = "sequences") -> int:
    """Print what was compared, and the shortest sequence of each profile that differs."""
    names = [departure.name for departure in DEPARTURES]
    grid = Table("profile", what, "calls and questions", *names, "result", box=None, pad_edge=False)
    for one in seen:
        counts = [f"{one.counts.get(name, 0):,}" for name in (what, "calls", *names)]
        grid.add_row(one.profile, *counts, "differs" if one.problem else "the same")
    Console(width=None if sys.stdout.isatty() else 160).print(grid)
    for one in seen:
        if one.problem:
            print(f"\n{one.profile}: {one.problem}\n  after", *one.calls, sep="\n  ")
    return int(any(one.problem for one in seen))


def _advance(bar: Progress, tasks: Mapping[str, TaskID], profile: str, n: int) -> None:
    bar.advance(tasks[profile], n)


def main(argv: list[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(prog="python -m tools.proofs.gl_calls", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=20_000, help="sequences in each profile; default: 20000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(argv)
    there = egl.available()
    if not there:
        sys.stderr.write(f"{there.reason}\n")
        return 2
    start, code = time.monotonic(), 0
    for what, count, first, worker in (
        ("internal formats", len(FORMATS), 0, EVERY),
        ("sequences", options.count, options.seed, WORKER),
    ):
        with progress() as bar:
            tasks = {profile: bar.add_task(f"{what}, {profile}", total=count) for profile in PROFILES}
            advance = partial(_advance, bar, tasks)
            seen = run(count, seed=first, workers=options.workers, done=advance, worker=worker)
        code |= show(seen, what)
    print(f"{time.monotonic() - start:.0f} s, seed {options.seed}, {options.workers} workers")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
