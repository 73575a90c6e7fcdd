"""`statetracker.sampler.gl_side`: a sampler in a driver's terms, before texture and screen have a say."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.gl import CompareFunc, MinFilter, ReductionMode, Sampler, SrgbDecode, Wrap
from statetracker.gl.floats import f32
from statetracker.pipe.layout import MASKS, SHIFTS
from statetracker.sampler.gl_side import (
    BORDER_NONZERO,
    BORDER_USED,
    CLAMPISH,
    COMPARES,
    CONTEXT_SEAMLESS,
    SKIPS_DECODE,
    WORD_MASK,
    quantize_lod_bias,
    sampler_key,
)

FLOATS = some.floats(width=32, allow_nan=False)
INPUTS: Final = BORDER_NONZERO | CLAMPISH | COMPARES | SKIPS_DECODE


def member(sampler: Sampler, name: str) -> int:
    """Read one member of the embedded word."""
    return (sampler_key(sampler) & MASKS[name]) >> SHIFTS[name]


@given(FLOATS)
def test_quantised_bias_is_the_nearest_multiple_of_a_256th(bias: float) -> None:
    """Exact arithmetic: within half a step of the clamped bias, and a half goes away from zero."""
    seen = quantize_lod_bias(bias)
    steps, wanted = Fraction(seen) * 256, Fraction(min(16.0, max(-16.0, bias))) * 256
    assert steps.denominator == 1
    assert abs(steps - wanted) < Fraction(1, 2) or abs(steps) - abs(wanted) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("bias", "seen"),
    [
        (nan, -16.0),
        (-inf, -16.0),
        (inf, 16.0),
        (-16.5, -16.0),
        (-17.0, -16.0),
        (16.5, 16.0),
        (16.001, 16.0),
        (f32(0.49999997) / 256, 0.0),
        (0.5 / 256, 1 / 256),
    ],
)
def test_ends_and_halves_of_the_grid(bias: float, seen: float) -> None:
    """NaN counts as the least bias; just below a half goes down."""
    assert quantize_lod_bias(bias) == seen


@pytest.mark.parametrize("wrap", Wrap)
def test_clamp_and_its_mirror_are_clampish(wrap: Wrap) -> None:
    for axis in ("wrap_s", "wrap_t", "wrap_r"):
        fields: dict[str, Any] = {axis: wrap}
        clampish = bool(sampler_key(Sampler(**fields)) & CLAMPISH)
        assert clampish is (wrap in (Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT))


@pytest.mark.parametrize("value", MinFilter)
def test_image_filter_is_the_lowest_bit_of_the_min_filter(value: MinFilter) -> None:
    """And the mip filter is what is left of its name."""
    mip = {0x26: 2, 0x27: 0 if value < MinFilter.NEAREST_MIPMAP_LINEAR else 1}[value >> 8]
    assert member(Sampler(min_filter=value), "min_img_filter") == value & 1
    assert member(Sampler(min_filter=value), "min_mip_filter") == mip


@pytest.mark.parametrize("value", CompareFunc)
def test_compare_function_is_passed_whatever_the_mode(value: CompareFunc) -> None:
    """The mode itself is an input: the texture decides."""
    for mode in (False, True):
        sampler = Sampler(compare_func=value, compare_mode=mode)
        assert (member(sampler, "compare_func"), member(sampler, "compare_mode")) == (value & 7, 0)
        assert bool(sampler_key(sampler) & COMPARES) is mode


@pytest.mark.parametrize(
    ("value", "expected"), [(ReductionMode.WEIGHTED_AVERAGE, 0), (ReductionMode.MIN, 1), (ReductionMode.MAX, 2)]
)
def test_reduction_mode(value: ReductionMode, expected: int) -> None:
    """WEIGHTED_AVERAGE 0, MIN 1, MAX 2."""
    assert member(Sampler(reduction_mode=value), "reduction_mode") == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, 0), (1.5, 1), (2.9, 2), (31.0, 31), (32.0, 31), (inf, 31), (nan, 31)]
)
def test_anisotropy_is_truncated_and_fits_five_bits(value: float, expected: int) -> None:
    """Exactly 1.0 is off."""
    assert member(Sampler(max_anisotropy=value), "max_anisotropy") == expected


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ((0, 0, 0, 0), False),
        ((0, 0, 0, 1), True),
        ((0, 0, 1, 0), True),
        ((0, 1, 0, 0), True),
        ((0x80000000, 0, 0, 0), True),
    ],
)
def test_border_counts_by_its_bits(words: tuple[int, ...], counts: bool) -> None:
    """-0.0 and denormals are something."""
    assert bool(sampler_key(Sampler(border_color_bits=words)) & BORDER_NONZERO) is counts


@pytest.mark.parametrize("value", SrgbDecode)
def test_skipped_decoding_is_an_input_alone(value: SrgbDecode) -> None:
    """No member of the word shows it."""
    key = sampler_key(Sampler(srgb_decode=value))
    assert bool(key & SKIPS_DECODE) is (value == SrgbDecode.SKIP_DECODE_EXT)
    assert key & WORD_MASK == sampler_key(Sampler()) & WORD_MASK


@given(some.from_type(Sampler))
def test_members_that_only_a_texture_decides_are_zero(sampler: Sampler) -> None:
    """And nothing but the inputs lies above the word."""
    key = sampler_key(sampler)
    assert not key & (MASKS["compare_mode"] | MASKS["unnormalized_coords"] | MASKS["border_color_is_integer"])
    assert key & ~WORD_MASK & ~INPUTS == 0


def test_inputs_lie_above_the_word_each_in_a_bit_of_its_own() -> None:
    """And the border rule's answer above them all."""
    bits = (COMPARES, BORDER_NONZERO, SKIPS_DECODE, CLAMPISH, CONTEXT_SEAMLESS, BORDER_USED)
    assert sum(MASKS.values()) == WORD_MASK
    assert [bit.bit_length() - 1 for bit in bits] == [27, 28, 29, 30, 31, 32]
    assert all(bit & (bit - 1) == 0 for bit in bits)
