"""The order of spills against the specification word for word: after every spill, everything is worked out again."""

from __future__ import annotations

import struct
import sys
from math import isclose
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statetracker.benchmarks.geometry import KINDS, Measured, exponent, measure
from statetracker.geometry import Program, allocate, insert_spill, live_intervals, pressure
from statetracker.geometry.allocator.spilling import spill_costs
from statetracker.geometry.program import CONTROL_FLOW, Destination, Source
from tests.geometry.random_programs import random_program

Q = ((0, 0, 0), (0, 1, 2), (0, 2, 3))


def single(value: float) -> float:
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def simplified(sizes: list[int], graph: list[list[int]], payload: int, count: int) -> tuple[list[int], int]:
    """The stack, and where the optimistic part starts."""
    stack: list[int] = []
    pushed = True
    while pushed:
        pushed = False
        for node in range(len(sizes) - 1, -1, -1):
            near = [m for m in graph[node] if m not in stack]
            taken = payload * Q[sizes[node]][1] + sum(Q[sizes[node]][sizes[m]] for m in near)
            if node not in stack and taken < (0, count, count - 1)[sizes[node]]:
                stack.append(node)
                pushed = True
    rest = [node for node in range(len(sizes)) if node not in stack]
    return stack + rest, len(stack) if rest else 0


def attempt(sizes: list[int], graph: list[list[int]], payload: int, count: int) -> tuple[dict[int, int], list[int]]:
    """First registers, and the candidates for a spill where some value had none."""
    stack, optimistic = simplified(sizes, graph, payload, count)
    choices = [(reg,) for reg in range(count)] + [(reg, reg + 1) for reg in range(count - 1)]
    seen: dict[int, int] = {}
    start = 0
    while stack:
        node = stack[-1]
        taken = set(range(payload))
        for m in graph[node]:
            if m in seen:
                taken.update(range(seen[m], seen[m] + sizes[m]))
        for step in range(len(choices)):
            at = (start + step) % len(choices)
            if len(choices[at]) == sizes[node] and not taken & set(choices[at]):
                break
        else:
            return seen, sorted(seen) + stack[optimistic:]
        seen[stack.pop()] = choices[at][0]
        start = at + 1
    return seen, []


def restarting(program: Program, payload: int, count: int) -> tuple[list[int], Program, list[int] | None]:
    """Victims in order, the program after them, and the registers; None where nothing can be spilled."""
    spills: list[int] = []
    while True:
        sizes, intervals = list(program.vgrf_sizes), live_intervals(program)
        graph = [
            [m for m, b in enumerate(intervals) if m != n and not (a.end <= b.start or b.end <= a.start)]
            if a.end >= 0 else [] for n, a in enumerate(intervals)
        ]  # fmt: skip
        seen, candidates = attempt(sizes, graph, payload, count)
        if len(seen) == len(sizes):
            return spills, program, [seen[node] for node in range(len(sizes))]
        cost, best, victim = spill_costs(program), 0.0, -1
        for node in candidates:
            benefit, p = 0.0, (0, count, count - 1)
            for size in [*(sizes[m] for m in graph[node]), *[1] * payload]:
                benefit = single(benefit + single(Q[sizes[node]][size] / p[sizes[node]]))
            if cost[node] > 0.0 and single(benefit / cost[node]) > best:
                best, victim = single(benefit / cost[node]), node
        if victim < 0:
            return spills, program, None
        program = insert_spill(program, victim, len(spills))
        spills.append(victim)


def busy(program: Program, random: Random) -> Program:
    """The program beginning with reads, with control flow that reads and writes, and with registers that stay."""
    lines = list(program.instructions)
    many = len(program.vgrf_sizes)
    lines[0] = lines[0]._replace(
        srcs=tuple(Source(random.randrange(many), "xyzw") for _ in range(random.randint(1, 3)))
    )
    for ip, one in enumerate(lines):
        if one.op in CONTROL_FLOW and random.random() < 0.3:
            lines[ip] = one._replace(srcs=(Source(random.randrange(many), "xyzw"),))
        elif one.op in CONTROL_FLOW and random.random() < 0.1:
            lines[ip] = one._replace(dst=Destination(random.randrange(many), random.randint(1, 15)))
    return program._replace(instructions=tuple(lines), relative=frozenset(random.sample(range(many), min(2, many))))


@pytest.mark.parametrize("pairs", [0, 0.15])
@pytest.mark.parametrize("flow", [0, 2, 3])
@settings(max_examples=50)
@given(
    st.integers(0, 1 << 32), st.integers(5, 70), st.integers(1, 25), st.integers(3, 20), st.integers(0, 4),
    st.booleans(),
)  # fmt: skip
def test_victims_and_registers_are_those_of_starting_again_after_every_spill(
    flow: int, pairs: float, seed: int, length: int, values: int, count: int, payload: int, odd: bool
) -> None:
    program = random_program(seed, length=length, values=values, pairs=pairs, flow=flow)
    if odd:
        program = busy(program, Random(seed))  # noqa: S311 (a test's dice)
    seen = allocate(program, min(payload, count), count=count)
    spills, spilled, registers = restarting(program, min(payload, count), count)
    assert seen.spills == spills
    assert seen.program == spilled
    assert seen.ok == (registers is not None)
    if registers is not None:
        assert seen.registers == registers


@pytest.mark.parametrize(
    ("sizes", "lines", "payload", "count", "spills"),
    [
        (  # spilling 1 makes a register alive from the start; spilling 2 then puts a load before the start
            [1, 1, 1],
            [["mov", "0.xyzw", ["2.xyzw", "0.xyzw"]], ["dp4", "1.xyzw", ["0.xzxy"], 1], ["mov", "2.xyzw", ["1.ywzw"]],
             ["mov_mrf", 0, ["0.xyzw"]]],
            1, 3, [1, 2, 0],
        ),
        (  # as many are alive as there are registers, and what is pushed in hope may still find its own
            [1, 2, 1, 1, 1, 2, 2, 2, 1, 2],
            [*(["mov", f"{n}.xyzw", []] for n in range(7)), ["dp4", "1.xyzw", ["1.yxxy", "2.wwxx"]],
             ["add", "7.z", ["3.wxyx", "6.xxyy"]], ["dp4", "8.xyzw", ["2.wxxx", "5.xzww"]], ["mov", "9.xy", ["8.zwyz"]],
             *(["mov_mrf", 0, [f"{n}.xyzw"]] for n in (0, 4, 3, 7, 5, 8, 2))],
            2, 12, [4, 0, 3],
        ),
    ],
    ids=["a predicated store lives from the first load", "a file that is just full"],
)  # fmt: skip
def test_victims_of_rare_programs(
    sizes: list[int], lines: list[object], payload: int, count: int, spills: list[int]
) -> None:
    program = Program.parse(sizes, lines)
    assert allocate(program, payload, count=count).spills == restarting(program, payload, count)[0] == spills


def test_loops_so_deep_that_costs_are_infinite_leave_nothing_to_spill() -> None:
    """Ten to the 39th is too much for single precision: what a spill frees for that is nothing."""
    inside: list[object] = [["add", "0.xyzw", ["0.xyzw", "1.xyzw"]], ["add", "1.xyzw", ["2.xyzw", "1.xyzw"]],
                            ["add", "2.xyzw", ["0.xyzw", "2.xyzw"]], ["break", 0, [], 1]]  # fmt: skip
    for depth in (38, 40):
        lines: list[object] = [["mov", f"{n}.xyzw", []] for n in range(3)]
        lines += [["do", 0, []]] * depth
        lines += [*inside, *[["while", 0, []], ["break", 0, [], 1]] * (depth - 1), ["while", 0, []]]
        program = Program.parse([1, 1, 1], lines)
        seen = allocate(program, 0, count=2)
        assert seen.spills == restarting(program, 0, 2)[0]
        assert (seen.ok, len(seen.spills)) == ((True, 3) if depth == 38 else (False, 0))


@pytest.mark.parametrize("count", [6, 12])
def test_spilled_values_get_slots_one_after_another(count: int) -> None:
    seen = allocate(random_program(5, length=60, values=20, maybe=0.0), 0, count=count, slots=3)
    slots = [one.slot for one in seen.program.instructions if one.scratch]
    assert len(seen.spills) > 3
    assert sorted(set(slots)) == list(range(3, 3 + len(seen.spills)))
    assert seen.scratch_slots == 3 + len(seen.spills)


def test_the_exponent_is_the_slope_of_the_long_programs() -> None:
    seen = [Measured("", n, 0, 0, 3e-9 * n**1.5 if n >= 1000 else 1.0, 1) for n in (50, 500, 1000, 2000, 5000)]
    assert isclose(exponent(seen), 1.5)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_program_is_measured(kind: str) -> None:
    seen = measure(kind, 50, programs=1, repeats=2)
    assert seen.runs == 2
    assert seen.seconds > 0
    assert (seen.spills > 0) == kind.startswith("pressured")


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
