"""How often the allocator spills where no spill is needed, by an exact solver: ``make solver`` (minutes).

The register file is cut down so that small programs press against it. OR-tools' CP-SAT decides whether values fit at
all, each in adjacent registers and no two that are alive together in the same.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.geometry import Interval, Program, allocate, interfere, live_intervals, pressure
from tests.geometry.random_programs import random_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILES: Final = range(8, 17)  # registers of the file
SPARE: Final = (0, 1, 2)  # registers beyond what is alive at once
#: Kind of program -> options of the generator.
KINDS: Final[dict[str, dict[str, Any]]] = {
    "singles, straight-line": {"flow": 0},
    "singles, branching": {"flow": 2},
    "pairs, straight-line": {"flow": 0, "pairs": 0.3},
    "pairs, branching": {"flow": 2, "pairs": 0.3},
}


def cliques(intervals: Sequence[Interval]) -> Iterator[list[int]]:
    """Sets of values alive together, such that every two that interfere are in one of them."""
    used = [n for n, one in enumerate(intervals) if one.end >= 0]
    for n in used:
        here = intervals[n]
        if here.end == here.start:
            yield [n, *(m for m in used if m != n and interfere(here, intervals[m]))]
        else:
            yield [m for m in used if intervals[m].start <= here.start < intervals[m].end]


def colourable(program: Program, payload: int, count: int, *, seconds: float = 20.0) -> bool | None:
    """Whether the values fit a file of ``count`` registers after the payload; None: not known in that time.

    Needs OR-tools.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    first = [model.new_int_var(payload, count - size, f"r{n}") for n, size in enumerate(program.vgrf_sizes)]
    for clique in cliques(live_intervals(program)):
        if len(clique) > 1:
            model.add_all_different([first[n] + half for n in clique for half in range(program.vgrf_sizes[n])])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)


class Case(NamedTuple):
    """A program that presses against a file.

    need        registers alive at once, the payload included: no file of fewer holds it
    registers   those of the file
    """

    program: Program
    payload: int
    need: int
    registers: int


def case(kind: str, spare: int, seed: int) -> Case:
    """The first program from a seed on whose need, and ``spare`` more, is a size of `FILES`."""
    random = Random(seed)  # noqa: S311 (a test's dice)
    while True:
        payload = random.randint(0, 3)
        program = random_program(
            random.randrange(1 << 32), length=random.randint(10, 120), values=random.randint(1, 10), **KINDS[kind]
        )
        need = payload + max(pressure(program, live_intervals(program)), default=0)
        if need + spare in FILES:
            return Case(program, payload, need, need + spare)


class Verdict(NamedTuple):
    """The answers of solver and allocator; ``fits`` is None where the solver ran out of time."""

    fits: bool | None
    coloured: bool
    spills: int


def verdict(asked: Case) -> Verdict:
    """Run both."""
    fits = colourable(asked.program, asked.payload, asked.registers)
    plain = allocate(asked.program, asked.payload, count=asked.registers, spilling=False)
    spilled = allocate(asked.program, asked.payload, count=asked.registers)
    return Verdict(fits, plain.ok, len(spilled.spills))


def main() -> int:
    """Run with a progress bar, print a table; 1 where the allocator colours what cannot be coloured."""
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--programs", type=int, default=500, help="of each kind and each number of spare registers")
    asked = parser.parse_args()
    table = Table("program", "spare", "tried", "fit", "coloured", "needless", "share", "spills")
    for column in table.columns[1:]:
        column.justify = "right"
    wrong = unknown = 0
    with Progress() as progress:
        task = progress.add_task("programs", total=len(KINDS) * len(SPARE) * asked.programs)
        for kind in KINDS:
            for spare in SPARE:
                verdicts = []
                for seed in range(asked.programs):
                    verdicts.append(verdict(case(kind, spare, seed)))
                    progress.advance(task)
                fit = sum(one.fits is True for one in verdicts)
                needless = [one.spills for one in verdicts if one.fits and not one.coloured]
                wrong += sum(one.coloured and one.fits is False for one in verdicts)
                unknown += sum(one.fits is None for one in verdicts)
                coloured = sum(one.coloured for one in verdicts)
                share = f"{len(needless) / fit:.1%}" if fit else "-"
                each = f"{sum(needless) / len(needless):.1f}" if needless else "-"
                row = (len(verdicts), fit, coloured, len(needless))
                table.add_row(kind, str(spare), *(f"{n:,}" for n in row), share, each)
            table.add_section()
    Console().print(table)
    print(f"{unknown} that the solver left open, {wrong} coloured against it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
