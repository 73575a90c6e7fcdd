"""The allocator against an exact solver, with the register file cut down; widely with ``make solver``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from statetracker.geometry import Interval, Program, allocate, interfere, live_intervals, pressure
from tests.geometry.random_programs import random_program

FILES = range(8, 17)  # registers
SPARE = (0, 1, 2)  # registers beyond what is alive at once
#: Kind of program -> options of the generator.
KINDS: dict[str, dict[str, Any]] = {
    "singles, straight-line": {"flow": 0},
    "singles, branching": {"flow": 2},
    "pairs, straight-line": {"flow": 0, "pairs": 0.3},
    "pairs, branching": {"flow": 2, "pairs": 0.3},
}


def cliques(intervals: Sequence[Interval]) -> Iterator[list[int]]:
    """Yield sets of values alive together, such that every two that interfere are in one of them."""
    used = [n for n, one in enumerate(intervals) if one.end >= 0]
    for n in used:
        here = intervals[n]
        if here.end == here.start:
            yield [n, *(m for m in used if m != n and interfere(here, intervals[m]))]
        else:
            yield [m for m in used if intervals[m].start <= here.start < intervals[m].end]


def colourable(program: Program, payload: int, count: int) -> bool | None:
    """Ask whether the values fit ``count`` registers, adjacent and not shared; None: not known in that time."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    first = [model.new_int_var(payload, count - size, f"r{n}") for n, size in enumerate(program.vgrf_sizes)]
    for clique in cliques(live_intervals(program)):
        if len(clique) > 1:
            model.add_all_different([first[n] + half for n in clique for half in range(program.vgrf_sizes[n])])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 20.0
    status = solver.solve(model)
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)


def pressing(kind: str, spare: int, seed: int) -> tuple[Program, int, int]:
    """Return a program, its payload and the registers alive at once, to which ``spare`` more are a size of `FILES`."""
    random = Random(seed)  # noqa: S311 (a test's dice)
    while True:
        payload = random.randint(0, 3)
        program = random_program(
            random.randrange(1 << 32), length=random.randint(10, 120), values=random.randint(1, 10), **KINDS[kind]
        )
        need = payload + max(pressure(program, live_intervals(program)), default=0)
        if need + spare in FILES:
            return program, payload, need


@pytest.mark.live("ortools")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spare", SPARE)
def test_nothing_is_coloured_that_cannot_be_and_most_of_what_can(kind: str, spare: int, whole: bool) -> None:
    count, coloured = 500 if whole else 8, 0
    for seed in range(count):
        program, payload, need = pressing(kind, spare, seed)
        if allocate(program, payload, count=need + spare, spilling=False).ok:
            coloured += 1
            assert colourable(program, payload, need + spare) in ({True, None} if whole else {True})
            assert not allocate(program, payload, count=need + spare).spills
    assert coloured >= (0.96 * count if whole else (0, 4, 6)[spare])


@pytest.mark.live("ortools")
def test_pairs_are_laid_across_each_other_by_going_round_where_they_would_fit() -> None:
    """2 takes registers 0 and 1, 1 goes on from there and takes 1 and 2: nothing is left for 0 in a file of 4."""
    lines = [["mov", "0.xyzw", []], ["mov", "1.xyzw", ["0.xyzw"]], ["add", "2.xy", ["0.xyzw", "1.xyzw"]],
             ["mov_mrf", 0, ["0.xyzw"]]]  # fmt: skip
    program = Program.parse([2, 2, 2], lines)
    assert colourable(program, 0, 4) is True
    assert allocate(program, 0, count=4, spilling=False).registers == [-1, 1, 0]
