"""`statetracker.gl.floats`: numbers that entry points turn into other numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from struct import pack, unpack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.gl.floats import (
    border_from_ints,
    clamped,
    clamped_words,
    f32,
    f32_bits,
    float_to_int,
    floats_of,
    half_away,
    low_word,
    normalized_int,
    round_to_int,
    signed,
    word,
)

INT_MIN, INT_MAX = -(1 << 31), (1 << 31) - 1

# fmt: off
#: Function: what it is given and what it gives.
GIVEN: dict[Callable[[Any], float], list[tuple[float, float]]] = {
    # Every step but the last product is rounded to float32: bits recorded live on Mesa 22.3.6.
    border_from_ints: [
        (INT_MAX, 0x3F800000), (INT_MIN, 0xBF800000), (0, 0x2F800000), (1, 0x30400000), (12345678, 0x3BBC614E),
        (-12345678, 0xBBBC614E), (1000, 0x34FA2000), (-1, 0xAF800000),
    ],
    # Infinite only from halfway above the largest float32 on.
    f32: [
        (1e39, math.inf), (-1e39, -math.inf), (10**400, math.inf), (-(10**400), -math.inf),
        (3.4028235e38, 3.4028234663852886e38), (3.4028235677973366e38, math.inf),
        (math.nextafter(3.4028235677973366e38, 0), 3.4028234663852886e38),
    ],
    # A cast truncates, and gives the smallest int where it cannot.
    float_to_int: [
        (2.9, 2), (-2.9, -2), (math.nan, INT_MIN), (1e20, INT_MIN), (-1e20, INT_MIN), (INT_MAX + 0.5, INT_MAX),
        (INT_MAX + 1.0, INT_MIN), (INT_MIN - 0.5, INT_MIN), (INT_MIN - 1.0, INT_MIN),
    ],
    # Rounding goes away from zero, not to even, and saturates.
    round_to_int: [
        (0.5, 1), (-0.5, -1), (2.4, 2), (1e20, INT_MAX), (-1e20, INT_MIN), (math.inf, INT_MAX), (-math.inf, INT_MIN),
        (math.nan, INT_MIN),
    ],
    # A queried border component is truncated: 2147483647 x, or the smallest int.
    normalized_int: [(1.0, INT_MAX), (-1.0, -INT_MAX), (0.5, 1073741823), (2.0, INT_MIN), (math.nan, INT_MIN)],
    # A signed int is read from 32 bits.
    signed: [
        (0, 0), (1, 1), (-1, -1), (0x7FFFFFFF, 0x7FFFFFFF), (0x80000000, -0x80000000), (0xFFFFFFFF, -1), (1 << 32, 0),
    ],
    # A low word is what 64 bits leave: nothing of what does not fit.
    low_word: [
        (2.9, 2), (-2.9, 0xFFFFFFFE), (3e9, 3_000_000_000), (float(2**32 + 5), 5), (float(2**62 + 2**12), 2**12),
        (float(2**63 + 2**12), 0), (float(2**64 + 2**12), 0), (-float(2**64 + 2**12), 0), (math.inf, 0),
        (-math.inf, 0), (math.nan, 0),
    ],
    half_away: [(2.0, 2.5), (-2.0, -2.5), (0.25, 0.75), (-0.25, -0.75)],
}
# fmt: on


@pytest.mark.parametrize(
    ("function", "value", "expected"), [(function, *row) for function, rows in GIVEN.items() for row in rows]
)
def test_a_number_becomes_another(function: Callable[[Any], float], value: float, expected: float) -> None:
    assert function(value) == expected


@given(st.integers(INT_MIN, INT_MAX))
def test_int_border_components_stay_within_one(value: int) -> None:
    """The int range maps onto [-1, 1]."""
    assert abs(unpack("<f", pack("<I", border_from_ints(value)))[0]) <= 1.0


@given(st.floats(width=32, allow_nan=False))
def test_a_float32_stays_what_it_is(value: float) -> None:
    assert math.copysign(1.0, f32(value)) == math.copysign(1.0, value)
    assert f32(value) == value


def test_nan_and_minus_zero_keep_their_bits() -> None:
    assert (f32_bits(math.nan), f32_bits(-0.0)) == (0x7FC00000, 0x80000000)


@given(st.integers())
def test_a_word_has_32_bits(value: int) -> None:
    """Signed and unsigned ints give the same bits."""
    assert 0 <= word(value) < 1 << 32
    assert (word(value) - value) % (1 << 32) == 0


@given(st.floats())
def test_clamping_gives_a_number_from_0_to_1(value: float) -> None:
    """NaN gives 0."""
    assert 0.0 <= clamped(value) <= 1.0
    assert math.copysign(1.0, clamped(value)) == math.copysign(1.0, clamped(-0.0)) == 1.0


def test_words_are_clamped_as_floats() -> None:
    """Two, minus one, NaN and a half."""
    words = (f32_bits(2.0), f32_bits(-1.0), 0x7FC00000, f32_bits(0.5))
    assert floats_of(clamped_words(words)) == [1.0, 0.0, 0.0, 0.5]
