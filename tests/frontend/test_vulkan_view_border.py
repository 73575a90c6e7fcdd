"""The border colour as a program sees it: what the texture's format could hold, by base format, depth mode, swizzle."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

import statetracker as st
from tests.shader.sampled import bits
from tests.vulkan.devices import screen_without

#: A driver that takes the colour as it is set, and a Vulkan device without custom border colours.
SCREENS = {
    "llvmpipe": st.Screen.named("llvmpipe"),
    "vulkan": screen_without("VK_EXT_custom_border_color"),
    # The front end puts the colour through the swizzle, and it was not limited.
    "swizzled": screen_without("borderColorSwizzleFromImage", "VK_EXT_custom_border_color", "customBorderColors"),
}
SWIZZLE = ("alpha", "one", "red", "zero")
COLOUR = (2.0, -3.0, 0.5, 0.25)

screens = pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)


def shown(screen: st.Screen, internal: str, *, compare: bool = False, border: tuple[Any, ...], **texture: Any) -> Any:
    """The words that a program is given beyond the edge of such a texture; integers where the border has them."""
    fields: dict[str, Any] = {"border_color_i" if isinstance(border[0], int) else "border_color": border}
    sampler = st.Sampler(wrap="clamp-to-border", compare_mode=compare, **fields)
    image = st.Texture(internal_format=internal, size=(4, 4), **texture)
    return st.convert(sampler, image, screen).lowering_values.border


@pytest.mark.parametrize(
    ("internal", "seen"),
    [
        ("RG8", (1.0, 0.0, 0.0, 1.0)),
        ("RGB565", (1.0, 0.0, 0.5, 1.0)),
        ("SRGB8_ALPHA8", (1.0, 0.0, 0.5, 0.25)),
        ("RGBA8_SNORM", (1.0, -1.0, 0.5, 0.25)),
        ("LUMINANCE8_ALPHA8", (1.0, 1.0, 1.0, 0.25)),
        ("INTENSITY8", (1.0, 1.0, 1.0, 1.0)),
        ("RGBA16F", COLOUR),
        ("R11F_G11F_B10F", (2.0, -3.0, 0.5, 1.0)),
    ],
)
@screens
def test_a_colour_is_limited_as_its_format_is(screen: st.Screen, internal: str, seen: tuple[float, ...]) -> None:
    """Those of floats are not, and none is decoded from sRGB."""
    assert shown(screen, internal, border=COLOUR) == bits(*seen)


@pytest.mark.parametrize(
    ("internal", "border", "seen"),
    [
        ("RGBA8I", (300, -1, -200, 127), (127, -1, -128, 127)),
        ("RG16UI", (1 << 20, 5, 6, 7), (65535, 5, 0, 1)),
        ("RGB10_A2UI", (5000, 1, 2, 9), (1023, 1, 2, 3)),
        ("R32I", (-5, 6, 7, 8), (-5, 0, 0, 1)),
        ("STENCIL_INDEX8", (300, 1, 2, 3), (255, 255, 255, 1)),
    ],
)
@screens
def test_of_integers_the_missing_alpha_is_the_integer_1(
    screen: st.Screen, internal: str, border: tuple[int, ...], seen: tuple[int, ...]
) -> None:
    assert shown(screen, internal, border=border) == tuple(one & 0xFFFFFFFF for one in seen)


@pytest.mark.parametrize(
    ("internal", "seen"),
    [
        ("RGBA8", (0.25, 1.0, 1.0, 0.0)),
        ("LUMINANCE8", (1.0, 1.0, 1.0, 0.0)),
        ("ALPHA8", (0.25, 1.0, 0.0, 0.0)),
    ],
)
@screens
def test_the_swizzle_comes_last(screen: st.Screen, internal: str, seen: tuple[float, ...]) -> None:
    assert shown(screen, internal, border=COLOUR, swizzle=SWIZZLE) == bits(*seen)


@pytest.mark.parametrize(
    ("mode", "seen"),
    [
        ("red", (0.25, 0.0, 0.0, 1.0)),
        ("luminance", (0.25, 0.25, 0.25, 1.0)),
        ("intensity", (0.25, 0.25, 0.25, 0.25)),
    ],
)
@screens
def test_depth_is_shown_by_its_mode(screen: st.Screen, mode: str, seen: tuple[float, ...]) -> None:
    border = (0.25, 0.5, 0.75, 1.0)
    assert shown(screen, "DEPTH_COMPONENT24", border=border, depth_mode=mode) == bits(*seen)


@pytest.mark.parametrize(("internal", "depth"), [("DEPTH_COMPONENT24", 1.0), ("DEPTH_COMPONENT32F", 2.0)])
@screens
def test_of_a_comparison_every_word_is_the_depth(screen: st.Screen, internal: str, depth: float) -> None:
    """Whatever the mode; of fixed point within 0 and 1."""
    assert shown(screen, internal, border=COLOUR, compare=True, depth_mode="red") == bits(depth)


@screens
def test_stencil_is_the_integer_in_red(screen: st.Screen) -> None:
    texture: dict[str, Any] = {"internal_format": "DEPTH24_STENCIL8", "size": (4, 4), "stencil_sampling": True}
    sampler = st.Sampler(wrap="clamp-to-border", border_color_i=(300, 1, 2, 3))
    assert st.convert(sampler, st.Texture(**texture), screen).lowering_values.border[0] == 255


@screens
def test_what_is_no_number_is_kept_of_floats(screen: st.Screen) -> None:
    """Of a fixed-point format it is 0, and an infinity its end."""
    border = (inf, -inf, 0.5, nan)
    assert shown(screen, "RGBA16F", border=border) == bits(*border)
    assert shown(screen, "RGBA8", border=border) == bits(1.0, 0.0, 0.5, 0.0)
