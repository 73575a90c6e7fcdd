"""`statetracker.gl.floats`: numbers that entry points turn into other numbers."""

from __future__ import annotations

import math
from struct import pack, unpack

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

#: int -> result bits, recorded live on Mesa 22.3.6.
INT_TO_FLOAT = {
    2147483647: 0x3F800000,
    -2147483648: 0xBF800000,
    0: 0x2F800000,
    1: 0x30400000,
    12345678: 0x3BBC614E,
    -12345678: 0xBBBC614E,
    1000: 0x34FA2000,
    -1: 0xAF800000,
}


@pytest.mark.parametrize(("value", "bits"), INT_TO_FLOAT.items())
def test_an_int_border_component_maps_to_the_recorded_bits(value: int, bits: int) -> None:
    """Every step but the last product is rounded to float32."""
    assert border_from_ints(value) == bits


@given(st.integers(INT_MIN, INT_MAX))
def test_int_border_components_stay_within_one(value: int) -> None:
    """The int range maps onto [-1, 1]."""
    assert abs(unpack("<f", pack("<I", border_from_ints(value)))[0]) <= 1.0


@given(st.floats(width=32, allow_nan=False))
def test_a_float32_stays_what_it_is(value: float) -> None:
    assert math.copysign(1.0, f32(value)) == math.copysign(1.0, value)
    assert f32(value) == value


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (1e39, math.inf),
        (-1e39, -math.inf),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        (3.4028235e38, 3.4028234663852886e38),
        (3.4028235677973366e38, math.inf),
        (math.nextafter(3.4028235677973366e38, 0), 3.4028234663852886e38),
    ],
)
def test_what_float32_cannot_hold_becomes_infinite(value: float, rounded: float) -> None:
    """Only from halfway above the largest float32 on."""
    assert f32(value) == rounded


def test_nan_and_minus_zero_keep_their_bits() -> None:
    assert (f32_bits(math.nan), f32_bits(-0.0)) == (0x7FC00000, 0x80000000)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2.9, 2),
        (-2.9, -2),
        (math.nan, INT_MIN),
        (1e20, INT_MIN),
        (-1e20, INT_MIN),
        (INT_MAX + 0.5, INT_MAX),
        (INT_MAX + 1.0, INT_MIN),
        (INT_MIN - 0.5, INT_MIN),
        (INT_MIN - 1.0, INT_MIN),
    ],
)
def test_a_cast_truncates_and_gives_the_smallest_int_where_it_cannot(value: float, expected: int) -> None:
    assert float_to_int(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.5, 1),
        (-0.5, -1),
        (2.4, 2),
        (1e20, INT_MAX),
        (-1e20, INT_MIN),
        (math.inf, INT_MAX),
        (-math.inf, INT_MIN),
        (math.nan, INT_MIN),
    ],
)
def test_rounding_goes_away_from_zero_and_saturates(value: float, expected: int) -> None:
    """Halves are not rounded to even."""
    assert round_to_int(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, INT_MAX), (-1.0, -INT_MAX), (0.5, 1073741823), (2.0, INT_MIN), (math.nan, INT_MIN)]
)
def test_a_queried_border_component_is_truncated(value: float, expected: int) -> None:
    """2147483647 x, or the smallest int."""
    assert normalized_int(value) == expected


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


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, 0), (1, 1), (-1, -1), (0x7FFFFFFF, 0x7FFFFFFF), (0x80000000, -0x80000000), (0xFFFFFFFF, -1), (1 << 32, 0)],
)
def test_a_signed_int_is_read_from_32_bits(value: int, expected: int) -> None:
    assert signed(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2.9, 2),
        (-2.9, 0xFFFFFFFE),
        (3e9, 3_000_000_000),
        (float(2**32 + 5), 5),
        (float(2**62 + 2**12), 2**12),
        (float(2**63 + 2**12), 0),
        (float(2**64 + 2**12), 0),
        (-float(2**64 + 2**12), 0),
        (math.inf, 0),
        (-math.inf, 0),
        (math.nan, 0),
    ],
)
def test_a_low_word_is_what_64_bits_leave(value: float, expected: int) -> None:
    """Nothing of what does not fit."""
    assert low_word(value) == expected


@pytest.mark.parametrize(("value", "expected"), [(2.0, 2.5), (-2.0, -2.5), (0.25, 0.75), (-0.25, -0.75)])
def test_half_goes_away_from_zero(value: float, expected: float) -> None:
    assert half_away(value) == expected
