"""Registers given out round robin, and what an attempt says where it fails."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry import Interval, neighbours
from statetracker.geometry.allocator.colouring import Q, colour, members, together


def test_a_value_takes_as_many_registers_from_another_as_choices_overlap() -> None:
    for a in (1, 2):
        for b in (1, 2):
            taken = {at for at in range(20) if set(range(at, at + a)) & set(range(10, 10 + b))}
            assert Q[a][b] == len(taken)


def test_where_an_attempt_fails_the_coloured_come_first_then_what_waits_from_the_bottom() -> None:
    graph = neighbours([Interval(0, 9)] * 4 + [Interval(10, 11)])  # 3 and 2 have the two registers
    assert colour([1] * 5, graph, 0, 2) == ([-1, -1, 1, 0, -1], 1, [2, 3, 0, 1])
    graph = neighbours([Interval(0, 9)] * 3 + [Interval(10, 11)] * 2)
    assert colour([1] * 5, graph, 0, 2) == ([-1, 1, 0, -1, -1], 0, [1, 2, 0])
    whole = colour([1] * 5, graph, 0, 3)
    assert (whole.failed, whole.candidates, sorted(whole.registers[:3])) == (None, [], [0, 1, 2])


def test_a_value_that_is_never_referenced_meets_the_payload_alone() -> None:
    graph = neighbours([Interval(1 << 30, -1), Interval(0, 1), Interval(0, 0)])
    assert graph == [0, 0, 0]
    assert colour([1, 1, 1], graph, 1, 2).registers == [1, 1, 1]


@given(st.sets(st.integers(0, 300)))
def test_members_of_a_set_come_in_order(numbers: set[int]) -> None:
    bits = together(numbers)
    assert bits == sum(1 << one for one in numbers)
    assert members(bits) == sorted(numbers)
