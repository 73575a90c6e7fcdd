"""Border colours and rows of text: which words are floats, that what is shown makes the same words; columns."""

from __future__ import annotations

from struct import pack, unpack

import pytest
from hypothesis import given
from hypothesis import strategies as h

import statetracker as st
from statetracker.spellings import aligned, float_color, signed_color

WORDS = h.one_of(
    h.integers(0, 2**32 - 1),
    h.integers(-300, 300).map(lambda n: n & 0xFFFFFFFF),
    h.floats(width=32).map(lambda x: unpack("<I", pack("<f", x))[0]),
)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((0x3F800000, 0x3DCCCCCD, 0, 0x80000000), (1.0, 0.1, 0.0, -0.0)),
        ((0x7F7FFFFF, 0, 0, 0x00800000), (3.4028234663852886e38, 0.0, 0.0, 1.1754944e-38)),
        ((0x3F800000, 1, 0, 0), None),
        ((0x3F800000, 0x7F800000, 0, 0), None),
        ((0x3F800000, 0xFFFFFFFF, 0, 0), None),
    ],
)
def test_normal_floats_are_floats_in_few_digits(words: tuple[int, ...], shown: tuple[float, ...] | None) -> None:
    """Denormals, infinities and NaN are integers that happen to be so."""
    assert repr(float_color(words)) == repr(shown)


def test_the_largest_word_is_minus_one() -> None:
    assert signed_color((0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 5)) == (-1, 2**31 - 1, -(2**31), 5)


@given(h.tuples(WORDS, WORDS, WORDS, WORDS), h.booleans())
def test_a_sampler_and_a_state_are_rebuilt_from_what_is_shown(words: tuple[int, ...], integer: bool) -> None:
    """Bit for bit, whatever the words are."""
    sampler = st.Sampler(border_color_bits=words)
    assert eval(repr(sampler), {"Sampler": st.Sampler}).content() == sampler.content()  # noqa: S307 (our own text)
    state = st.SamplerState(border_color=words, border_color_is_integer=integer)
    assert eval(repr(state), {"SamplerState": st.SamplerState}) == state  # noqa: S307


def test_a_colour_is_shown_as_it_was_given_and_integers_as_words() -> None:
    assert repr(st.Sampler(border_color=(1, 0.5, 0, 0.1))) == "Sampler(border_color=(1.0, 0.5, 0.0, 0.1))"
    assert repr(st.Sampler(border_color_i=(1, -1, 0, 255))) == "Sampler(border_color_i=(1, -1, 0, 255))"
    assert "border_color=(0.0, 0.0, 0.0, 1.0)" in repr(st.SamplerState(border_color=(0.0, 0.0, 0.0, 1.0)))
    integers = st.SamplerState(border_color=(0x3F800000, 0, 0, 0), border_color_is_integer=True)
    assert "border_color=(1065353216, 0, 0, 0)" in repr(integers)


def test_cells_start_below_each_other_no_line_ends_in_blanks_and_rows_are_of_one_length() -> None:
    assert aligned([("a", "bb", "c"), ("aaa", "b", "long, and longer")]) == ["a    bb  c", "aaa  b   long, and longer"]
    assert aligned([("a", "b"), ("aa", "")]) == ["a   b", "aa"]
    with pytest.raises(ValueError, match="zip"):
        aligned([("a", "b"), ("a",)])
