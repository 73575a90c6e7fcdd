"""What a format can hold, and the nearest colour that it can."""

from __future__ import annotations

from math import inf, isfinite, nan, nextafter
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps.vulkan_formats import vulkan_formats
from statetracker.vulkan.ranges import (
    ColorRange,
    color_range,
    combined_depth_stencil,
    holds,
    into_range,
    is_integer_format,
    values,
    words_of,
)

MOST: Final = float.fromhex("0x1.fffffep127")
NORMALISED: Final = ((0.0, 1.0),) * 4
SINGLE: Final = ((-MOST, MOST),) * 4
#: VkFormat -> how its words are read, and what each channel holds: numbers of "Numeric representation", by hand.
RANGES: Final = {
    "R8_UNORM": ("float", NORMALISED),
    "R5G6B5_UNORM_PACK16": ("float", NORMALISED),
    "A8B8G8R8_SRGB_PACK32": ("float", NORMALISED),
    "R16_SNORM": ("float", ((-1.0, 1.0),) * 4),
    "R16G16_SFLOAT": ("float", ((-65504.0, 65504.0),) * 4),
    "BC6H_SFLOAT_BLOCK": ("float", ((-65504.0, 65504.0),) * 4),
    "BC6H_UFLOAT_BLOCK": ("float", ((0.0, 65504.0),) * 4),
    "R32_SFLOAT": ("float", SINGLE),
    "B10G11R11_UFLOAT_PACK32": ("float", ((0.0, 65024.0), (0.0, 65024.0), (0.0, 64512.0), (0.0, 65024.0))),
    "E5B9G9R9_UFLOAT_PACK32": ("float", ((0.0, 65408.0),) * 4),
    "R8_USCALED": ("float", ((0, 255),) * 4),
    "R8_SSCALED": ("float", ((-128, 127),) * 4),
    "R16_UINT": ("uint", ((0, 65535),) * 4),
    "R32G32_SINT": ("int", ((-(2**31), 2**31 - 1),) * 4),
    "A2B10G10R10_UINT_PACK32": ("uint", ((0, 1023), (0, 1023), (0, 1023), (0, 3))),
    "A2R10G10B10_SINT_PACK32": ("int", ((-512, 511), (-512, 511), (-512, 511), (-2, 1))),
    "D16_UNORM": ("float", ((0.0, 1.0), None, None, None)),
    "X8_D24_UNORM_PACK32": ("float", ((0.0, 1.0), None, None, None)),
    "D32_SFLOAT": ("float", ((-MOST, MOST), None, None, None)),
    "D24_UNORM_S8_UINT": ("float", ((0.0, 1.0), None, None, None)),
    "D32_SFLOAT_S8_UINT": ("float", ((-MOST, MOST), None, None, None)),
    "S8_UINT": ("uint", ((0, 255),) * 4),
}


@pytest.mark.parametrize("name", RANGES)
def test_a_format_holds_what_its_channels_hold(name: str) -> None:
    """A channel that it lacks counts as its widest one; where there is depth, red alone is looked at."""
    assert color_range(name) == RANGES[name]


@pytest.mark.parametrize("name", ["D24_UNORM_S8_UINT", "D32_SFLOAT_S8_UINT"])
def test_stencil_beside_depth_holds_eight_bits(name: str) -> None:
    assert color_range(name, stencil=True) == ("uint", ((0, 255), None, None, None))
    assert color_range("D16_UNORM", stencil=True) == color_range("D16_UNORM")


def test_what_is_no_format_holds_nothing_that_is_known() -> None:
    for name in ("UNDEFINED", "R9_UNORM"):
        assert color_range(name) is None
        assert not is_integer_format(name)
        assert not combined_depth_stencil(name)


def test_formats_are_of_their_kind() -> None:
    both = {name for name in vulkan_formats() if combined_depth_stencil(name)}
    assert both == {"D16_UNORM_S8_UINT", "D24_UNORM_S8_UINT", "D32_SFLOAT_S8_UINT"}
    for name in vulkan_formats():
        assert is_integer_format(name) == (name not in both and ("UINT" in name or "SINT" in name)), name


@pytest.mark.parametrize(
    ("name", "colour", "nearest"),
    [
        ("R8_UNORM", (1.5, -0.5, 0.25, nan), (1.0, 0.0, 0.25, 0.0)),
        ("R32_SFLOAT", (inf, -inf, 1e30, nan), (MOST, -MOST, 1e30, 0.0)),
        ("R16_SFLOAT", (65504.0, nextafter(65504.0, inf), 70000.0, -inf), (65504.0, 65504.0, 65504.0, -65504.0)),
        ("D16_UNORM", (2.0, 2.0, nan, -2.0), (1.0, 2.0, nan, -2.0)),
        ("R8_SNORM", (-1.0, 1.0, -0.0, 0.0), (-1.0, 1.0, -0.0, 0.0)),
    ],
)
def test_the_nearest_colour_that_a_format_holds(
    name: str, colour: tuple[float, ...], nearest: tuple[float, ...]
) -> None:
    span = color_range(name)
    assert span is not None
    assert into_range(span, words_of(colour, "float")) == words_of(nearest, "float")


def test_channels_are_moved_each_for_itself() -> None:
    span = ColorRange("int", ((0, 1), None, (-5, 5), (7, 9)))
    assert into_range(span, words_of((3, 99, -6, 0), "int")) == words_of((1, 99, -5, 7), "int")
    assert not holds(span, words_of((0, 0, 0, 0), "int"))
    assert holds(span, words_of((0, 0, 0, 7), "int"))
    assert not holds(span, words_of((9, 0, 9, 7), "int"))


@given(some.sampled_from([*vulkan_formats()]), some.tuples(*[some.integers(0, 2**32 - 1)] * 4))
def test_what_was_moved_is_held_and_what_is_held_stays(name: str, words: tuple[int, int, int, int]) -> None:
    span = color_range(name)
    if span is None:
        return
    moved = into_range(span, words)
    assert holds(span, moved)
    assert (moved == words) == holds(span, words)
    for n, (bound, value) in enumerate(zip(span.bounds, values(words, span.kind), strict=True)):
        if bound is None or (isfinite(value) and bound[0] <= value <= bound[1]):
            assert moved[n] == words[n]
