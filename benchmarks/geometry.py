"""Decisions of a dispatch mode, programs a second by length, and how time grows: ``python benchmarks/geometry.py``.

Counted is processor time: the median of all runs over some programs of each length. The exponent is the slope of a
line through the logarithms from 1,000 instructions on: 1 grows as the program does, 2 as its square. ``--json`` gives
a line a measurement.
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
            found = dispatch(shader)
            seconds.append(process_time() - begun)
        alive.append(max(pressure(program, found.live)))
        spills.append(len(found.chosen.allocation.spills))
    return Measured(kind, length, max(alive), median(spills), median(seconds), len(seconds))


def exponent(found: list[Measured]) -> float:
    """Slope of log time over log length, of the long programs."""
    found = [one for one in found if one.length >= FIT_FROM]
    return linear_regression([log(one.length) for one in found], [log(one.seconds) for one in found]).slope


def main() -> int:
    """Measure with a progress bar; print a table, or lines of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="a line of JSON a measurement")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the longest program")
    parser.add_argument("--programs", type=int, default=5, help="of each kind and length")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program")
    asked = parser.parse_args()
    sizes = [size for size in SIZES if size <= asked.most]
    if asked.most < 2 * FIT_FROM or asked.programs < 1 or asked.repeats < 1:
        parser.error("--most takes 2000 or more, --programs and --repeats 1 or more")
    table = Table("program", "instructions", "alive", "spills", "a second", "ms", "exponent", title="Decisions")
    for column in table.columns[1:]:
        column.justify = "right"
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("decisions", total=len(KINDS) * len(sizes))
        for kind in KINDS:
            found = []
            for size in sizes:
                found.append(measure(kind, size, programs=asked.programs, repeats=asked.repeats))
                progress.advance(task)
            for one in found:
                slope = f"{exponent(found):.2f}" if one is found[-1] else ""
                rate, each = f"{one.per_second:,.1f}", f"{one.seconds * 1e3:,.1f}"
                table.add_row(
                    kind if one is found[0] else "",
                    f"{one.length:,}",
                    str(one.alive),
                    f"{one.spills:g}",
                    rate,
                    each,
                    slope,
                )
                if asked.json:
                    print(json.dumps({**one._asdict(), "exponent": round(exponent(found), 3)}))  # noqa: T201
            table.add_section()
    if not asked.json:
        Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
