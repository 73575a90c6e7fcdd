"""Long programs: the same answers as ever; how long they take is for ``benchmarks/geometry.py``."""

from __future__ import annotations

import sys
from math import isclose

import pytest

from statetracker.benchmarks.geometry import KINDS, Measured, exponent, measure
from statetracker.geometry import Program, allocate, live_intervals, pressure
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


def product(count: int) -> Program:
    """So many values, all alive before the first is used."""
    lines: list[object] = [["mov", f"{n}.xyzw", []] for n in range(count + 1)]
    lines += [["mul", f"{count}.xyzw", [f"{count}.xyzw", f"{n}.xyzw"]] for n in range(count)]
    return Program.parse([1] * (count + 1), [*lines, ["mov_mrf", 0, [f"{count}.xyzw"]]])


@pytest.mark.parametrize("count", [2_000, 10_000])
def test_what_would_take_minutes_is_refused_before_the_first_spill(count: int) -> None:
    seen = allocate(product(count), 7)
    assert (seen.reason, seen.spills) == ("too_long", [])
    assert allocate(product(count), 7, spilling=False).reason == "would_spill"


def test_spilling_that_turns_out_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(allocate(product(300), 7).spills) == 197
    monkeypatch.setattr(sys.modules["statetracker.geometry.allocator.allocate"], "MOST_WORK", 50_000)
    seen = allocate(random_program(3, length=500, values=150, reach=200, maybe=0), 13)
    assert seen.reason == "too_long"
    assert len(seen.spills) > 100
