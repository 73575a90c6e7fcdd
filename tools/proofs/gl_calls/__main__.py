"""Random sequences of GL's sampler and texture calls, here and on this machine's Mesa: ``make gl-calls``.

Exit codes: 0 both do the same but for the listed departures, 1 they do not, 2 it could not be tried.
"""

from __future__ import annotations

import argparse
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from statetracker.bindings import egl
from tools.proofs.gl_calls.departures import DEPARTURES
from tools.proofs.gl_calls.parent import Found, run
from tools.proofs.gl_calls.sides import PROFILES


def show(found: list[Found]) -> int:
    """Print what was compared, and the shortest sequence of each profile that differs."""
    names = [departure.name for departure in DEPARTURES]
    grid = Table("profile", "sequences", "calls and questions", *names, "result", box=None, pad_edge=False)
    for one in found:
        counts = [f"{one.counts.get(name, 0):,}" for name in ("sequences", "calls", *names)]
        grid.add_row(one.profile, *counts, "differs" if one.problem else "the same")
    Console(width=None if sys.stdout.isatty() else 160).print(grid)
    for one in found:
        if one.problem:
            print(f"\n{one.profile}: {one.problem}\n  after", *one.calls, sep="\n  ")
    return int(any(one.problem for one in found))


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
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    start = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks = {profile: progress.add_task(profile, total=options.count) for profile in PROFILES}
        found = run(
            options.count,
            seed=options.seed,
            workers=options.workers,
            done=lambda profile, n: progress.advance(tasks[profile], n),
        )
    code = show(found)
    print(f"{time.monotonic() - start:.0f} s, seed {options.seed}, {options.workers} workers")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
