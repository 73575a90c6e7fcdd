"""Blocks and intervals of small programs, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry import Interval, Program, interfere, live_intervals, neighbours, pressure
from statetracker.geometry.allocator.colouring import members
from statetracker.geometry.allocator.liveness import NEVER, blocks


def program(*lines: Any, sizes: tuple[int, ...] = (1,) * 4) -> Program:
    return Program.parse(sizes, [list(line) for line in lines])


def edges(of: Program) -> list[tuple[int, int, list[int]]]:
    return [(block.start, block.end, sorted(block.next)) for block in blocks(of.instructions)]


NOP: Any = ("nop", 0, [])
IF: Any = ("if", 0, [])
ELSE: Any = ("else", 0, [])
ENDIF: Any = ("endif", 0, [])
DO: Any = ("do", 0, [])
WHILE: Any = ("while", 0, [])
BREAK: Any = ("break", 0, [])
CONTINUE: Any = ("continue", 0, [])
MAYBE_BREAK: Any = ("break", 0, [], 1)
MAYBE_CONTINUE: Any = ("continue", 0, [], 1)


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        ([], [(0, -1, [])]),
        ([NOP, NOP], [(0, 1, [])]),
        ([IF, NOP, ENDIF, NOP], [(0, 0, [1, 2]), (1, 1, [2]), (2, 3, [])]),
        ([IF, ENDIF], [(0, 0, [1, 1]), (1, 1, [])]),
        ([NOP, IF, NOP, ELSE, NOP, ENDIF], [(0, 1, [1, 2]), (2, 3, [3]), (4, 4, [3]), (5, 5, [])]),
        ([NOP, DO, MAYBE_BREAK, NOP, WHILE, NOP], [(0, 0, [1]), (1, 2, [2, 3]), (3, 4, [1]), (5, 5, [])]),
        ([DO, BREAK, NOP, WHILE], [(0, 1, [2]), (2, 3, [0]), (4, 3, [])]),
        ([DO, MAYBE_CONTINUE, BREAK, WHILE], [(0, 1, [0, 1]), (2, 2, [3]), (3, 3, [0]), (4, 3, [])]),
        ([DO, CONTINUE, WHILE, NOP], [(0, 1, [0]), (2, 2, [0]), (3, 3, [])]),
    ],
)
def test_blocks_end_where_control_flow_does(lines: list[Any], seen: list[tuple[int, int, list[int]]]) -> None:
    assert edges(program(*lines)) == seen


SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(-1, 6), st.integers(1, 2)), min_size=1, max_size=14)


@given(SPANS)
def test_neighbours_are_those_that_interfere(spans: list[tuple[int, int, int]]) -> None:
    intervals = [Interval(1 << 30, -1) if more < 0 else Interval(start, start + more) for start, more, _ in spans]
    assert [members(bits) for bits in neighbours(intervals)] == [
        [m for m, b in enumerate(intervals) if m != n and min(a.end, b.end) >= 0 and interfere(a, b)]
        for n, a in enumerate(intervals)
    ]


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        ((0, 4), (4, 6), False), ((0, 4), (3, 6), True), ((2, 2), (0, 4), True), ((2, 2), (2, 4), False),
        ((2, 2), (0, 2), False), ((2, 2), (2, 2), False), ((0, 9), (3, 4), True), ((0, 1), (5, 6), False),
    ],
)  # fmt: skip
def test_a_value_may_take_the_register_of_one_that_ends_where_it_begins(
    a: tuple[int, int], b: tuple[int, int], meet: bool
) -> None:
    assert interfere(Interval(*a), Interval(*b)) is interfere(Interval(*b), Interval(*a)) is meet
    assert not interfere(Interval(*a), NEVER)


def test_pressure_counts_what_an_instruction_leaves_and_what_it_writes_for_nobody() -> None:
    of = program(("mov", "0.x", []), ("mov", "1.x", ["0.xxxx"]), ("mov", "2.x", ["1.xxxx"]), NOP, sizes=(1, 2, 2, 1))
    intervals = live_intervals(of)
    assert intervals == [(0, 1), (0, 2), (2, 2), NEVER]  # a write to a pair is none of the whole
    assert pressure(of, intervals) == [3, 2, 2, 0]
    first = program(("mov", "0.x", []), NOP, sizes=(2,))
    assert pressure(first, live_intervals(first)) == [2, 0]
    both = program(("mov", "0.x", []), ("mov", "1.x", []), ("add", "2.x", ["0.xxxx", "1.xxxx"]))
    assert pressure(both, live_intervals(both)) == [1, 2, 1]
    beside = program(("mov", "0.x", []), ("mov", "1.x", []), ("mov_mrf", 0, ["0.xxxx"]), ("mov_mrf", 0, ["0.xxxx"]))
    assert pressure(beside, live_intervals(beside)) == [1, 2, 1, 0]
    entered = program(("mov", "1.x", ["0.xxxx"]), NOP, ("mov_mrf", 0, ["0.xxxx"]))
    assert pressure(entered, live_intervals(entered)) == [1, 1, 0]  # 0 may share the register of 1: they begin together
