"""Decisions of a dispatch mode, programs a second by length, and how time grows: ``python benchmarks/geometry.py``.

Counted is processor time: the median of all runs over some programs of each length. The exponent is the slope of a
line through the logarithms from 1,000 instructions on: 1 grows as the program does, 2 as its square. ``--json`` gives
a line a measurement. It needs a checkout: the programs come from the tests, and `statetracker bench` leaves it out.
"""

from __future__ import annotations

import argparse
import json
import sys
from math import log
from statistics import linear_regression, median
from time import process_time
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from statetracker.geometry import Shader, dispatch, pressure
from tests.geometry.random_programs import random_program

SIZES: Final = (50, 200, 500, 1000, 2000)
FIT_FROM: Final = 1000  # instructions from which the exponent is fitted
#: Kind of program -> options of the generator. With a reach, only the latest values are used; else pressure grows.
KINDS: Final[dict[str, dict[str, Any]]] = {
    "relaxed, straight": {"values": 12, "reach": 20, "maybe": 0.0, "flow": 0},
    "relaxed, branching": {"values": 12, "reach": 20, "maybe": 0.0, "flow": 2},
    "pressured, straight": {"values": 150, "reach": 200, "maybe": 0.0, "flow": 0},
    "pressured, branching": {"values": 150, "reach": 200, "maybe": 0.0, "flow": 2},
    "pressure grows, straight": {"values": 8, "flow": 0},
    "pressure grows, branching": {"values": 8, "flow": 2},
    "pressure grows, pairs": {"values": 8, "flow": 2, "pairs": 0.15},
}


class Measured(NamedTuple):
    """Programs of one kind and length; ``alive`` is the greatest pressure, without the payload. Medians."""

    kind: str
    length: int
    alive: int
    spills: float
    seconds: float
    runs: int

    @property
    def per_second(self) -> float:
        """Decisions a second."""
        return 1 / self.seconds


def measure(kind: str, length: int, *, programs: int, repeats: int) -> Measured:
    """Decide for programs of some seeds, several times each."""
    seconds, alive, spills = [], [], []
    for seed in range(programs):
        program = random_program(seed, length=length, **KINDS[kind])
        shader = Shader(program, 3, 4, "triangle_strip", 3, 4)
        for _ in range(repeats):
            begun = process_time()
            decision = dispatch(shader)
            seconds.append(process_time() - begun)
        alive.append(max(pressure(program, decision.live)))
        spills.append(len(decision.chosen.allocation.spills))
    return Measured(kind, length, max(alive), median(spills), median(seconds), len(seconds))


def exponent(rows: list[Measured]) -> float:
    """Slope of log time over log length, of the long programs."""
    rows = [row for row in rows if row.length >= FIT_FROM]
    return linear_regression([log(row.length) for row in rows], [log(row.seconds) for row in rows]).slope


def main() -> int:
    """Measure with a progress bar; print a table, or lines of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="a line of JSON a measurement")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the longest program")
    parser.add_argument("--programs", type=int, default=5, help="of each kind and length")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program")
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.most]
    if options.most < 2 * FIT_FROM or options.programs < 1 or options.repeats < 1:
        parser.error("--most takes 2000 or more, --programs and --repeats 1 or more")
    table = Table("program", "instructions", "alive", "spills", "a second", "ms", "exponent", title="Decisions")
    for column in table.columns[1:]:
        column.justify = "right"
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("decisions", total=len(KINDS) * len(sizes))
        for kind in KINDS:
            rows: list[Measured] = []
            for size in sizes:
                rows.append(measure(kind, size, programs=options.programs, repeats=options.repeats))
                progress.advance(task)
            for row in rows:
                slope = f"{exponent(rows):.2f}" if row is rows[-1] else ""
                rate, each = f"{row.per_second:,.1f}", f"{row.seconds * 1e3:,.1f}"
                table.add_row(
                    kind if row is rows[0] else "",
                    f"{row.length:,}",
                    str(row.alive),
                    f"{row.spills:g}",
                    rate,
                    each,
                    slope,
                )
                if options.json:
                    print(json.dumps({**row._asdict(), "exponent": round(exponent(rows), 3)}))  # noqa: T201
            table.add_section()
    if not options.json:
        Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
