"""Every internal format in every call, then random sequences, here and on this machine's Mesa: ``make gl-calls``.

Exit codes: 0 both do the same but for the listed departures, 1 they do not, 2 it could not be tried.
"""

from __future__ import annotations

import argparse
import sys
import time

from rich.console import Console
from rich.table import Table

from statetracker.bindings import egl
from tools.proofs.gl_calls.departures import DEPARTURES
from tools.proofs.gl_calls.drawn import BATCH, drawn
from tools.proofs.gl_calls.formats import FORMATS, STEP, every
from tools.proofs.gl_calls.runs import Outcome, run


def show(results: list[Outcome], what: str = "sequences") -> int:
    """Print what was compared, and the shortest sequence of each profile that differs."""
    names = [departure.name for departure in DEPARTURES]
    grid = Table("profile", what, "calls and questions", *names, "result", box=None, pad_edge=False)
    for one in results:
        counts = [f"{one.counts.get(name, 0):,}" for name in (what, "calls", *names)]
        grid.add_row(one.profile, *counts, "differs" if one.problem else "the same")
    Console(width=None if sys.stdout.isatty() else 160).print(grid)
    for one in results:
        if one.problem:
            print(f"\n{one.profile}: {one.problem}\n  after", *one.calls, sep="\n  ")
    return int(any(one.problem for one in results))


def main(argv: list[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(prog="python -m tools.proofs.gl_calls", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=20_000, help="sequences in each profile; default: 20000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes, two at least; else one a core")
    options = parser.parse_args(argv)
    there = egl.available()
    if not there:
        sys.stderr.write(f"{there.reason}\n")
        return 2
    start, code = time.monotonic(), 0
    for what, work, whole, step in (
        ("internal formats", every, range(len(FORMATS)), STEP),
        ("sequences", drawn, range(options.seed, options.seed + options.count), BATCH),
    ):
        ranges = [whole[first : first + step] for first in range(0, len(whole), step)]
        code |= show(run(what, work, ranges, workers=options.workers), what)
    print(f"{time.monotonic() - start:.0f} s, seed {options.seed}")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
