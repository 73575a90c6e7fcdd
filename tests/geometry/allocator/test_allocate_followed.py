"""Long programs: the same answers as ever; how long they take is for ``benchmarks/geometry.py``."""

from __future__ import annotations

from math import isclose

import pytest

from statetracker.benchmarks.geometry import KINDS, Measured, exponent, measure
from statetracker.geometry import allocate, live_intervals, pressure
from tests.geometry.random_programs import random_program


def test_the_exponent_is_the_slope_of_the_long_programs() -> None:
    seen = [Measured("", n, 0, 0, 3e-9 * n**1.5 if n >= 1000 else 1.0, 1) for n in (50, 500, 1000, 2000, 5000)]
    assert isclose(exponent(seen), 1.5)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_program_is_measured(kind: str) -> None:
    seen = measure(kind, 50, programs=1, repeats=2)
    assert seen.runs == 2
    assert seen.seconds > 0
    assert (seen.spills > 0) == kind.startswith("pressured")


@pytest.mark.parametrize("flow", [0, 2])
def test_a_bounded_reach_bounds_the_pressure_of_long_programs(flow: int) -> None:
    alive = []
    for length in (500, 4000):
        program = random_program(1, length=length, values=12, reach=20, maybe=0, flow=flow)
        alive.append(max(pressure(program, live_intervals(program))))
    assert alive[1] < 1.5 * alive[0] < 60


def test_spilling_a_long_program_leaves_no_more_alive_than_there_are_registers() -> None:
    program = random_program(3, length=1500, values=150, reach=200, maybe=0)
    seen = allocate(program, 13)
    assert seen.ok
    assert len(seen.spills) > 200
    assert max(pressure(seen.program, live_intervals(seen.program))) <= 112 - 13
    assert allocate(program, 13) == seen
