"""Create infos as plain data, and the border colour as a program sees it: what the texture's format could hold."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

import statetracker as st
from statetracker.frontend.vulkan_view import plain, vulkan_dialect_of
from statetracker.vulkan import create_info
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
DEPTH: dict[str, Any] = {"border": (0.25, 0.5, 0.75, 1.0)}

screens = pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)


def shown(screen: st.Screen, internal: str, *, compare: bool = False, border: tuple[Any, ...], **texture: Any) -> Any:
    """Return the words that a program reads beyond the edge of a texture; a border of integers stays one."""
    fields: dict[str, Any] = {"border_color_i" if isinstance(border[0], int) else "border_color": border}
    sampler = st.Sampler(wrap="clamp-to-border", compare_mode=compare, **fields)
    image = st.Texture(internal_format=internal, size=(4, 4), **texture)
    return st.convert(sampler, image, screen).lowering_values.border


@pytest.mark.parametrize(
    ("internal", "texture", "seen"),
    [
        # A colour is limited as its format is; those of floats are not, and none is decoded from sRGB.
        ("RG8", {}, (1.0, 0.0, 0.0, 1.0)),
        ("RGB565", {}, (1.0, 0.0, 0.5, 1.0)),
        ("SRGB8_ALPHA8", {}, (1.0, 0.0, 0.5, 0.25)),
        ("RGBA8_SNORM", {}, (1.0, -1.0, 0.5, 0.25)),
        ("LUMINANCE8_ALPHA8", {}, (1.0, 1.0, 1.0, 0.25)),
        ("INTENSITY8", {}, (1.0, 1.0, 1.0, 1.0)),
        ("RGBA16F", {}, COLOUR),
        ("R11F_G11F_B10F", {}, (2.0, -3.0, 0.5, 1.0)),
        # Of integers the missing alpha is the integer 1; stencil is the integer in red.
        ("RGBA8I", {"border": (300, -1, -200, 127)}, (127, -1, -128, 127)),
        ("RG16UI", {"border": (1 << 20, 5, 6, 7)}, (65535, 5, 0, 1)),
        ("RGB10_A2UI", {"border": (5000, 1, 2, 9)}, (1023, 1, 2, 3)),
        ("R32I", {"border": (-5, 6, 7, 8)}, (-5, 0, 0, 1)),
        ("STENCIL_INDEX8", {"border": (300, 1, 2, 3)}, (255, 255, 255, 1)),
        ("DEPTH24_STENCIL8", {"border": (300, 1, 2, 3), "stencil_sampling": True}, (255, None, None, None)),
        # The swizzle comes last.
        ("RGBA8", {"swizzle": SWIZZLE}, (0.25, 1.0, 1.0, 0.0)),
        ("LUMINANCE8", {"swizzle": SWIZZLE}, (1.0, 1.0, 1.0, 0.0)),
        ("ALPHA8", {"swizzle": SWIZZLE}, (0.25, 1.0, 0.0, 0.0)),
        # Depth is shown by its mode; of a comparison every word is the depth, within 0 and 1 of fixed point.
        ("DEPTH_COMPONENT24", DEPTH | {"depth_mode": "red"}, (0.25, 0.0, 0.0, 1.0)),
        ("DEPTH_COMPONENT24", DEPTH | {"depth_mode": "luminance"}, (0.25, 0.25, 0.25, 1.0)),
        ("DEPTH_COMPONENT24", DEPTH | {"depth_mode": "intensity"}, (0.25, 0.25, 0.25, 0.25)),
        ("DEPTH_COMPONENT24", {"compare": True, "depth_mode": "red"}, (1.0,)),
        ("DEPTH_COMPONENT32F", {"compare": True, "depth_mode": "red"}, (2.0,)),
    ],
)
@screens
def test_a_border_is_what_the_texture_could_hold(
    screen: st.Screen, internal: str, texture: dict[str, Any], seen: tuple[Any, ...]
) -> None:
    words = shown(screen, internal, **{"border": COLOUR} | texture)
    wanted = (
        bits(*seen) if isinstance(seen[0], float) else tuple(None if at is None else at & 0xFFFFFFFF for at in seen)
    )
    assert [(one, other) for one, other in zip(words, wanted, strict=True) if other not in {None, one}] == []


@screens
def test_what_is_no_number_is_kept_of_floats(screen: st.Screen) -> None:
    """Of a fixed-point format it is 0, and an infinity its end."""
    border = (inf, -inf, 0.5, nan)
    assert shown(screen, "RGBA16F", border=border) == bits(*border)
    assert shown(screen, "RGBA8", border=border) == bits(1.0, 0.0, 0.5, 0.0)


def test_plain_is_json_of_equal_bits() -> None:
    """A colour of NaNs and infinities, too."""
    words = (0x7FC00000, 0x7FC00001, 0xFF800000, 1)
    state = st.SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=words)
    info = plain(create_info(state, st.Screen.named("zink-lavapipe"), dialect="zink22").to_dict())
    assert info["pNext"]["customBorderColor"] == {"uint32": list(words)}
    assert json.loads(json.dumps(info, allow_nan=False)) == info


def test_a_dialect_of_gl_has_zinks_of_the_same_release() -> None:
    assert [vulkan_dialect_of(name) for name in ("mesa21", "mesa22", "mesa24")] == ["zink21", "zink22", "zink22"]
