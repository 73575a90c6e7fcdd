"""Sets as integers and counts as planes, against sets and dictionaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry.bits import Counts, members, together, union

NUMBERS = st.sets(st.integers(0, 300))
WEIGHTS = st.integers(0, 3)


@given(NUMBERS)
def test_members_of_a_set_come_in_order(numbers: set[int]) -> None:
    bits = together(numbers)
    assert bits == sum(1 << one for one in numbers)
    assert members(bits) == sorted(numbers)


@given(st.lists(NUMBERS))
def test_a_union_has_what_any_has(sets: list[set[int]]) -> None:
    assert union(map(together, sets)) == together(set().union(*sets))


@given(st.lists(st.integers(0, 40), max_size=40), st.lists(st.tuples(NUMBERS, WEIGHTS)), st.data())
def test_counts_count(first: list[int], changes: list[tuple[set[int], int]], data: st.DataObject) -> None:
    counts = Counts(first)
    model = dict(enumerate(first)) | dict.fromkeys(range(len(first), 301), 0)
    for numbers, weight in changes:
        if data.draw(st.booleans()):
            counts.add(together(numbers), weight)
            model |= {one: model[one] + weight for one in numbers}
        else:
            enough = {one for one in numbers if model[one] >= weight}
            counts.subtract(together(enough), weight)
            model |= {one: model[one] - weight for one in enough}
        one, count = data.draw(st.tuples(st.integers(0, 300), st.integers(0, 70)))
        counts[one] = model[one] = count
    assert {one: counts[one] for one in model} == model
    asked = data.draw(NUMBERS)
    assert counts.most(together(asked)) == max((model[one] for one in asked), default=0)
    least = data.draw(st.integers(0, 130))
    assert counts.at_least(least, together(asked)) == together(one for one in asked if model[one] >= least)


def test_less_than_nothing_is_an_error() -> None:
    counts = Counts([2])
    with pytest.raises(IndexError):
        counts.subtract(1, 3)
