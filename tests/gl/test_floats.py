"""`statetracker.gl.floats`: numbers that entry points turn into other numbers, and how each form reads one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.gl.floats import (
    SAMPLER_FORMS,
    TEXTURE_FORMS,
    border_from_ints,
    clamped,
    f32,
    f32_bits,
    float_to_int,
    half_away,
    low_word,
    normalized_int,
    round_to_int,
    signed,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.floats import Form

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
    assert 0.0 <= clamped(value) <= 1.0
    assert math.copysign(1.0, clamped(value)) == math.copysign(1.0, clamped(-0.0)) == 1.0


SUFFIXES = ("i", "f", "iv", "fv", "Iiv", "Iuiv")
BIG = 0xFFFFFFFF


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_only_vector_forms_take_border_colours(suffix: str) -> None:
    for table in (SAMPLER_FORMS, TEXTURE_FORMS):
        assert table[suffix].vector == suffix.endswith("v") == (table[suffix].border is not None)


@pytest.mark.parametrize("suffix", ["i", "iv", "Iiv"])
def test_ints_become_float32_by_rounding_to_even(suffix: str) -> None:
    """16777217 lies halfway between two float32 numbers."""
    assert TEXTURE_FORMS[suffix].as_float(16777217) == 16777216.0


@pytest.mark.parametrize("forms", [SAMPLER_FORMS, TEXTURE_FORMS], ids=["sampler", "texture"])
def test_float_forms_read_a_float32(forms: Mapping[str, Form]) -> None:
    """What a double holds is rounded first: to 1.0, to 16777216, to 2^31, which no int is. Observed on Mesa 22.3.6."""
    for form in (forms["f"], forms["fv"]):
        assert [form.as_enum(value) for value in (0.9999999999, 16777217)] == [1, 16777216]
        assert form.as_bool(1.99999999999) == 2
        assert form.as_enum(2147483647) == -0x80000000


@pytest.mark.parametrize("value", [2147483648.0, 2147483647.0, 2147483583.9999])
def test_texture_f_saturates_above_the_int_range_and_casts_its_edge(value: float) -> None:
    """Mesa compares with 2147483647 as a float32, which is 2^31. Observed on Mesa 22.3.6."""
    edge = -0x80000000 if value > 2147483600.0 else 2147483520
    assert TEXTURE_FORMS["f"].as_enum(value) == edge
    assert [TEXTURE_FORMS["f"].as_enum(far) for far in (2147483904.0, 1e20, -1e20)] == [2**31 - 1] * 2 + [-(2**31)]


def test_a_float_of_the_largest_int_is_no_seam() -> None:
    assert [SAMPLER_FORMS[suffix].as_bool(2147483647) for suffix in ("f", "fv", "i")] == [0, 0, 255]


@pytest.mark.parametrize("forms", [SAMPLER_FORMS, TEXTURE_FORMS], ids=["sampler", "texture"])
def test_fv_borders_keep_their_bits_and_iv_borders_are_mapped(forms: Mapping[str, Form]) -> None:
    values = (1.5, -0.0, 0.25, 1.0)
    fv, iv, signed, unsigned = (forms[suffix].border for suffix in ("fv", "iv", "Iiv", "Iuiv"))
    assert fv is not None and iv is not None and signed is not None and unsigned is not None  # noqa: PT018 (one question: are they there)
    assert fv(values) == tuple(f32_bits(v) for v in values)
    assert iv((0, 0, 0, 2147483647)) == (0x2F800000, 0x2F800000, 0x2F800000, 0x3F800000)
    assert signed((-1, 0, 1, 2)) == unsigned((BIG, 0, 1, 2)) == (BIG, 0, 1, 2)


# fmt: off
#: Form: what 0xFFFFFFFF and 2.5 are as an enum, as a float and as a truth value; C's conversions of the argument.
SAMPLER_READS = {
    "i":    ((-1, 2),      (-1.0, 2.0),         (0xFF, 2)),
    "iv":   ((-1, 2),      (-1.0, 2.0),         (0xFF, 2)),
    "f":    ((INT_MIN, 2), (4294967296.0, 2.5), (0, 2)),
    "fv":   ((INT_MIN, 2), (4294967296.0, 2.5), (0, 2)),
    "Iiv":  ((-1, 2),      (-1.0, 2.0),         (0xFF, 2)),
    "Iuiv": ((BIG, 2),     (4294967296.0, 2.0), (0xFF, 2)),
}
TEXTURE_READS = {
    "i":    ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
    "iv":   ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
    "f":    ((INT_MAX, 3), (4294967296.0, 2.5), (INT_MAX, 3)),
    "fv":   ((INT_MIN, 2), (4294967296.0, 2.5), (INT_MIN, 2)),
    "Iiv":  ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
    "Iuiv": ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
}
# fmt: on


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_form_reads_what_no_int_holds_and_what_no_int_is_in_its_own_way(suffix: str) -> None:
    """Integer forms keep 32 bits; float forms convert and saturate, or give the smallest int."""
    for table, reads in ((SAMPLER_FORMS, SAMPLER_READS), (TEXTURE_FORMS, TEXTURE_READS)):
        form = table[suffix]
        seen = [tuple(read(v) for v in (BIG, 2.5)) for read in (form.as_enum, form.as_float, form.as_bool)]
        assert tuple(seen) == reads[suffix]
