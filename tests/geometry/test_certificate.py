"""Every allocation certified by code of its own; the checker itself is shown to see what is wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry import (
    Interval,
    Program,
    allocate,
    dispatch,
    insert_spill,
    live_intervals,
    pressure,
    shader_of_record,
)  # fmt: skip
from tests.geometry.certificate import faults, spans
from tests.geometry.interpreter import first_difference, run
from tests.geometry.random_programs import random_program

RECORDING = Path(__file__).parents[1] / "data" / "isl" / "gs_dispatch.jsonl.gz"


@given(
    st.integers(0, 1 << 32), st.integers(0, 60), st.integers(1, 24), st.sampled_from([0, 0.15]), st.integers(0, 3),
    st.integers(4, 24), st.integers(0, 3),
)  # fmt: skip
def test_random_programs_keep_their_meaning_in_a_small_register_file(
    seed: int, length: int, values: int, pairs: float, flow: int, count: int, payload: int
) -> None:
    """With `make registers` 50,000 programs."""
    program = random_program(seed, length=length, values=values, pairs=pairs, flow=flow)
    intervals = live_intervals(program)
    assert {n: tuple(one) for n, one in enumerate(intervals) if one.end >= 0} == spans(program)
    seen = allocate(program, payload, count=count)
    assert seen.reason in {None, "no_register_to_spill"}
    if seen.ok:
        assert faults(program, seen, payload, count, seed=seed) == []
    if max(pressure(program, intervals), default=0) + payload > count:
        assert seen.spills or not seen.ok


@given(st.integers(0, 1 << 32), st.integers(0, 60), st.integers(1, 20), st.integers(0, 3), st.sampled_from([0, 0, 2]))
def test_code_of_single_registers_fits_exactly_what_is_alive_at_once(
    seed: int, length: int, values: int, payload: int, flow: int
) -> None:
    """Intervals coloured by their start need as many registers as are alive at once; so does the allocator, no more.

    Among intervals there is always one whose neighbours are all alive at once: simplify never gets stuck below.
    """
    program = random_program(seed, length=length, values=values, flow=flow)
    intervals = live_intervals(program)
    need = payload + max(pressure(program, intervals), default=0)
    assert payload + interval_colours([one for one in intervals if one.end >= 0]) == need
    if need > 2:
        assert not allocate(program, payload, count=need - 1, spilling=False).ok
    assert allocate(program, payload, count=max(2, need), spilling=False).ok


def interval_colours(intervals: list[Interval]) -> int:
    """Registers that a sweep takes, the oldest free one first; a value's register is free where the value ends."""
    ends: list[int] = []
    for start, end in sorted(intervals):
        free = [n for n, until in enumerate(ends) if until <= start]
        if free:
            ends[free[0]] = end
        else:
            ends.append(end)
    return len(ends)


def test_every_recorded_allocation_is_certified() -> None:
    checked = 0
    with gzip.open(RECORDING, "rt", encoding="utf-8") as stream:
        for line in stream:
            shader = shader_of_record(json.loads(line)["in"])
            seen = dispatch(shader).chosen
            if seen.allocation.ok and len(shader.program.instructions) < 240:
                checked += 1
                assert faults(shader.program, seen.allocation, seen.payload.registers, 112) == []
    assert checked > 30


LINES = [["mov", "0.xyzw", []], ["mov", "1.xyzw", []], ["mov", "2.xyzw", []], ["mov_mrf", 0, ["0.xyzw"]],
         ["add", "1.x", ["1.yyyy", "2.xxxx"], 1], ["mov_mrf", 0, ["1.wzyx"]], ["mov_mrf", 0, ["2.xyzw"]]]  # fmt: skip


def test_the_checker_sees_shared_registers_those_of_the_payload_lost_spills_and_stores_of_too_much() -> None:
    program = Program.parse([1, 1, 1], LINES)
    good = allocate(program, 1, count=3)
    assert (bool(good.spills), faults(program, good, 1, 3)) == (True, [])
    for reg in {one.dst.reg for one in good.program.instructions if one.dst}:
        wrong = [0 if n == reg else at for n, at in enumerate(good.registers)]
        assert any("outside" in one for one in faults(program, good._replace(registers=wrong), 1, 3))
    same = faults(program, good._replace(registers=[1] * len(good.registers)), 1, 3)
    for words in ("share a register", "on the GRFs"):
        assert any(words in one for one in same)
    spilled = insert_spill(program, 1, 0)
    seen = allocate(spilled, 0)._replace(spills=[1], scratch_slots=1)
    assert faults(program, seen, 0, 112) == []
    for at, one in enumerate(spilled.instructions):
        if one.scratch:
            others = [()] + ([(one._replace(predicated=False),)] if one.predicated else [])
            for other in others:  # it is lost, or stores what was not written
                lines = spilled.instructions[:at] + other + spilled.instructions[at + 1 :]
                assert faults(program, seen._replace(program=spilled._replace(instructions=lines)), 0, 112)
    assert any(one.predicated for one in spilled.instructions if one.scratch)


def test_the_interpreter_sees_a_changed_value_and_passes_undefined_ones_by() -> None:
    program = Program.parse([1, 1, 1], LINES)
    assert first_difference(run(program, seed=1), run(program, seed=1)) == ""
    assert first_difference(run(program, seed=1), run(program, seed=2)) != ""
    assert run(Program.parse([1], [["mov_mrf", 0, ["0.xyzw"]]]))[0].values == (None,) * 4
