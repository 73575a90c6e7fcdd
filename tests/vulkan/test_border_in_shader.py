"""How the shader mixes in a border: by which route, on which axes, over what; and when it has nothing to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from statetracker.pipe.lowering import NO_LOWERING
from statetracker.vulkan import View
from statetracker.vulkan.ranges import words_of
from tests.vulkan.devices import screen_without
from tests.vulkan.lowered import COMPARED, LINEAR, NO_COLOURS, ODD, WHOLE, made

if TYPE_CHECKING:
    from statetracker.vulkan import SamplerCreateInfo

MUTE: Final = ("VK_EXT_border_color_swizzle", "borderColorSwizzle", "borderColorSwizzleFromImage")
NO_MIRROR: Final = ("samplerMirrorClampToEdge", "VK_KHR_sampler_mirror_clamp_to_edge")


def modes(info: SamplerCreateInfo) -> list[str]:
    return [mode.name for mode in (info.address_mode_u, info.address_mode_v, info.address_mode_w)]


# Nothing


@pytest.mark.parametrize("wraps", ["RRR", "EEE", "BBB", "REB"])
@pytest.mark.parametrize("more", [{}, LINEAR | {"min_lod": 0.5, "max_lod": 2.5, "lod_bias": 3.0}, COMPARED])
def test_a_device_that_has_everything_leaves_nothing_to_the_shader(wraps: str, more: dict[str, Any]) -> None:
    info = made(WHOLE, wraps, View("R8G8B8A8_UNORM", "ZYX1", cube=False), **more)
    assert info.lowering == NO_LOWERING
    assert not info.lowering.needed


# Routes


@pytest.mark.parametrize(
    ("wraps", "route", "border", "half"),
    [
        ("BRR", "predefined", "s", ""),
        ("BBB", "predefined", "str", ""),
        ("REB", "predefined", "r", ""),
        ("BCE", "edge", "s", "t"),
        ("CCC", "edge", "", "str"),
        ("MBR", "predefined", "st", ""),
        ("BHR", "edge", "s", "t"),
        ("REE", "", "", ""),
    ],
)
def test_the_sampler_reads_transparent_black_unless_a_clamp_needs_the_edge(
    wraps: str, route: str, border: str, half: str
) -> None:
    info = made(NO_COLOURS, wraps)
    work = info.lowering
    assert (work.route, work.border, work.half_border) == (route, border, half)
    assert info.border_color.name == "FLOAT_TRANSPARENT_BLACK"
    assert ("CLAMP_TO_BORDER" in modes(info)) == (route == "predefined")
    shares = {"B": 0.0, "M": 0.0, "C": 0.5, "H": 0.5, "R": 1.0, "E": 1.0}
    assert info.lowering_values.k == tuple(shares[letter] for letter in wraps)
    if route:
        assert info.lowering_values.border == words_of(ODD, "float")


def test_integers_are_mixed_into_transparent_black_of_integers() -> None:
    info = made(NO_COLOURS, "BBB", border_color=(1, 2, 3, 400), border_color_is_integer=True)
    assert (info.border_color.name, info.lowering.route) == ("INT_TRANSPARENT_BLACK", "predefined")
    assert info.lowering_values.border == (1, 2, 3, 400)


def test_an_axis_of_the_samplers_own_border_is_not_the_shaders() -> None:
    """Half of it is mixed in on the other axis, into what has the whole one already."""
    info = made(WHOLE, "CBR")
    assert modes(info) == ["CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "REPEAT"]
    assert info.custom_border_color is not None
    assert info.lowering.work == {"half_border": "s"}
    assert (info.lowering.route, info.lowering_values.k) == ("edge", (0.5, 1.0, 1.0))


@pytest.mark.parametrize(
    ("lacking", "wraps", "expected", "fold"),
    [
        ((), "MRR", "CLAMP_TO_BORDER", "s"),
        ((), "MCR", "MIRROR_CLAMP_TO_EDGE", ""),
        (NO_MIRROR, "MRR", "CLAMP_TO_BORDER", "s"),
        (NO_MIRROR, "MCR", "CLAMP_TO_EDGE", "s"),
        ((), "HRR", "MIRROR_CLAMP_TO_EDGE", ""),
        (NO_MIRROR, "HRR", "CLAMP_TO_EDGE", "s"),
    ],
)
def test_a_mirrored_edge_is_the_devices_where_it_has_one(
    lacking: tuple[str, ...], wraps: str, expected: str, fold: str
) -> None:
    screen = screen_without("VK_EXT_custom_border_color", "customBorderColors", *lacking)
    info = made(screen, wraps)
    assert (info.address_mode_u.name, info.lowering.fold, info.lowering.reflect) == (expected, fold, "s")


@pytest.mark.parametrize(
    ("wraps", "expected"),
    [
        ("BMC", ["CLAMP_TO_EDGE", "MIRROR_CLAMP_TO_EDGE", "CLAMP_TO_EDGE"]),
        ("CBM", ["CLAMP_TO_EDGE", "CLAMP_TO_EDGE", "MIRROR_CLAMP_TO_EDGE"]),
        ("MRC", ["MIRROR_CLAMP_TO_EDGE", "REPEAT", "CLAMP_TO_EDGE"]),
    ],
)
def test_each_axis_has_its_own_edge(wraps: str, expected: list[str]) -> None:
    info = made(NO_COLOURS, wraps)
    assert (modes(info), info.lowering.fold) == (expected, "")
    folded = made(screen_without("VK_EXT_custom_border_color", "customBorderColors", *NO_MIRROR), wraps)
    assert modes(folded) == [mode.removeprefix("MIRROR_") for mode in expected]
    assert folded.lowering.fold == folded.lowering.reflect == info.lowering.reflect == "str"[wraps.index("M")]


@pytest.mark.parametrize(
    ("swizzle", "more", "route"),
    [
        ("ZYXW", {}, "predefined"),
        ("000W", {}, "predefined"),
        ("ZYX1", {}, "edge"),
        ("1XXX", {}, "edge"),
        ("ZYX1", COMPARED, "predefined"),
    ],
)
def test_a_swizzle_with_ones_needs_the_edge_where_it_may_not_reach_the_border(
    swizzle: str, more: dict[str, Any], route: str
) -> None:
    """Zeros that are moved are zeros, and a comparison sees no swizzle."""
    lacking = ("VK_EXT_custom_border_color", "customBorderColors")
    view = View("Z32_FLOAT" if more else "R8G8B8A8_UNORM", swizzle, cube=False)
    assert made(screen_without(*lacking, *MUTE), "BRR", view, **more).lowering.route == route
    assert made(screen_without(*lacking), "BRR", view, **more).lowering.route == "predefined"


@pytest.mark.parametrize(
    ("form", "swizzle", "ones"),
    [
        ("R8G8B8A8_UNORM", "XYZW", ""),
        ("R8G8B8A8_UNORM", "XYZ1", "a"),
        ("R8G8B8A8_UNORM", "1X01", "ra"),
        ("R8_UNORM", "X001", "a"),
        ("R8_UNORM", "XYZW", "a"),  # a view without alpha reads 1
        ("R16G16_FLOAT", "WXYZ", "r"),
        ("R8G8B8X8_UNORM", "XYZW", "a"),
        ("L8_UNORM", "XXX1", "a"),
        ("L8A8_UNORM", "XXXW", ""),
        ("A8_UNORM", "000W", ""),
        ("Z32_FLOAT", "XXX1", "a"),
        ("Z32_FLOAT", "XXXX", ""),
        ("R32_UINT", "X001", "a"),
    ],
)
def test_ones_are_the_channels_in_which_transparent_black_reads_as_1(form: str, swizzle: str, ones: str) -> None:
    info = made(NO_COLOURS, "BRR", View(form, swizzle, cube=False), border_color=(3, 5, 7, 9))
    assert (info.lowering.route, info.lowering.ones) == ("predefined", ones)
    assert made(NO_COLOURS, "BCR", View(form, swizzle, cube=False), border_color=(3, 5, 7, 9)).lowering.ones == ""


def test_of_a_view_that_is_not_known_or_compares_there_are_no_ones() -> None:
    assert made(NO_COLOURS, "BRR").lowering.ones == ""
    assert made(NO_COLOURS, "BRR", View("Z32_FLOAT", "XXX1"), **COMPARED).lowering.ones == ""
