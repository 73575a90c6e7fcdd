"""Sets as integers, against sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry.allocator.colouring import members, together


@given(st.sets(st.integers(0, 300)))
def test_members_of_a_set_come_in_order(numbers: set[int]) -> None:
    bits = together(numbers)
    assert bits == sum(1 << one for one in numbers)
    assert members(bits) == sorted(numbers)
