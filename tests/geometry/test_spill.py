"""Sums of single precision: in leaps as step by step."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry.spill import Benefits


def single(value: float) -> float:
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


@given(st.integers(2, 300), st.integers(1, 2), st.lists(st.integers(1, 2), max_size=50), st.integers(0, 5000))
def test_many_single_registers_are_added_as_one_after_another(
    count: int, size: int, sizes: list[int], more: int
) -> None:
    benefits = Benefits(count)
    begun = benefits.of(size, sizes, range(len(sizes)))
    total = 0.0
    for one in [*sizes, *[1] * more]:
        total = single(total + benefits.quotient[size][one])
    assert benefits.and_singles(begun, size, more) == total


def test_a_sum_that_no_longer_grows_stays() -> None:
    benefits = Benefits(16)  # an addend of a sixteenth: a tie at 2 ** 20, lost in what is greater
    assert benefits.and_singles(2.0**20, 1, 10) == 2.0**20
    assert benefits.and_singles(2.0**21, 1, 10**12) == 2.0**21
    assert benefits.and_singles(2.0**20 - 0.125, 1, 10) == 2.0**20
