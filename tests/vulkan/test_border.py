"""The border colour, fallback by fallback: what is taken, what it costs, and why the rungs before were not possible."""

from __future__ import annotations

from math import inf, nan
from typing import Any, Final

import pytest

import statetracker as st
from statetracker.vulkan import (
    BorderColor,
    BorderFallback,
    ComponentMapping,
    CustomBorderColor,
    SamplerCreateInfo,
    View,
    VulkanDialect,
    create_info,
    explain_info,
)
from statetracker.vulkan.enums import BorderChoice
from statetracker.vulkan.ranges import values, words_of
from tests.vulkan.devices import NO_COLOURS, NO_SHADER, SWIZZLE_TOLD, WHOLE, WITH_FORMAT, screen_without

Colour = tuple[float, float, float, float]

NO_D24: Final = screen_without("customBorderColorWithoutFormat", formats=("X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT"))
ODD: Final = (0.25, 0.5, 0.75, 1.0)


def state(
    colour: Colour, *, integer: bool = False, wrap: str = "CLAMP_TO_BORDER", form: str = "NONE", **more: Any
) -> Any:
    words = words_of(colour, "int" if integer else "float")
    wraps: dict[str, Any] = dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), wrap)
    return st.SamplerState(
        **wraps, border_color=words, border_color_is_integer=integer, border_color_format=form, **more
    )


def info_of(colour: Colour, screen: st.Screen, **more: Any) -> SamplerCreateInfo:
    asked = {name: more.pop(name) for name in ("view", "free_slots", "dialect") if name in more}
    return create_info(state(colour, **more), screen, **asked)


def fallbacks(record: st.SamplerState, screen: st.Screen, **asked: Any) -> tuple[BorderChoice, ...]:
    return explain_info(record, screen, **asked).border_fallbacks


# Predefined


def test_a_colour_next_to_a_predefined_one_is_not_it() -> None:
    assert info_of((0.0, 0.0, 0.0, 0.99999994), WHOLE).border.fallback is BorderFallback.CUSTOM
    assert info_of((0, 0, 0, 2), WHOLE, integer=True).border.fallback is BorderFallback.CUSTOM


@pytest.mark.parametrize(("red", "expected"), [(0.0, "TRANSPARENT_BLACK"), (1.0, "OPAQUE_WHITE")])
def test_where_depth_is_compared_red_alone_has_to_match(red: float, expected: str) -> None:
    colour = (red, 0.3, 0.6, 0.9)
    compared = info_of(colour, WHOLE, compare_mode="R_TO_TEXTURE")
    assert compared.border_color == BorderColor[f"FLOAT_{expected}"]
    assert (compared.border.fallback, compared.border.error) == (BorderFallback.PREDEFINED, 0.0)
    assert info_of(colour, WHOLE).border.fallback is BorderFallback.CUSTOM
    assert info_of(colour, WHOLE, compare_mode="R_TO_TEXTURE", dialect="zink22").custom_border_color is not None


def test_where_all_channels_match_too_that_colour_is_the_better_one() -> None:
    assert info_of((0, 0, 0, 1), WHOLE, compare_mode="R_TO_TEXTURE").border_color == BorderColor.FLOAT_OPAQUE_BLACK


def test_a_colour_that_nothing_reads_costs_nothing() -> None:
    info = info_of(ODD, NO_COLOURS, wrap="REPEAT")
    assert (info.border_color, info.border.error) == (BorderColor.FLOAT_TRANSPARENT_BLACK, 0.0)
    assert (info.border.fallback, info.border.because) == (BorderFallback.PREDEFINED, "no address mode reads it")
    assert info_of((5, 6, 7, 8), WHOLE, integer=True, wrap="REPEAT").border_color == BorderColor.INT_TRANSPARENT_BLACK


# Custom without a format


@pytest.mark.parametrize("colour", [ODD, (-1e30, inf, nan, 1e-45)])
def test_a_custom_colour_without_a_format_is_bit_for_bit(colour: Colour) -> None:
    info = info_of(colour, WHOLE)
    assert info.border_color == BorderColor.FLOAT_CUSTOM_EXT
    assert info.custom_border_color == CustomBorderColor(words_of(colour, "float"), "UNDEFINED")
    assert (info.border.fallback, info.border.error, info.unsupported) == (BorderFallback.CUSTOM, 0.0, ())


def test_a_view_that_needs_the_format_said_passes_the_second_rung() -> None:
    view = View("R5G6B5_UNORM")
    info = info_of((0.5, 0.25, 2.0, 1.0), WHOLE, view=view)
    assert info.border.fallback is BorderFallback.CUSTOM_FORMAT
    assert info.custom_border_color is not None
    assert info.custom_border_color.format == "B5G6R5_UNORM_PACK16"
    assert info_of(ODD, WHOLE, view=View("B5G6R5_UNORM")).border.fallback is BorderFallback.CUSTOM


# Custom with a format


@pytest.mark.parametrize(
    ("form", "colour", "held", "error"),
    [
        ("R8G8B8A8_UNORM", ODD, ODD, 0.0),
        ("R8G8B8A8_UNORM", (2.5, -0.5, 0.5, 1.0), (1.0, 0.0, 0.5, 1.0), 0.0),
        ("R8G8B8A8_SNORM", (2.5, -0.5, -3.0, 1.0), (1.0, -0.5, -1.0, 1.0), 0.0),
        ("R8G8B8A8_SRGB", (1.25, 0.5, 0.5, 0.5), (1.0, 0.5, 0.5, 0.5), 0.0),
        ("R8_UNORM", (nan, 0.5, 0.5, 0.5), (0.0, 0.5, 0.5, 0.5), 0.0),
        ("R16G16B16A16_FLOAT", (70000.0, -70000.0, 0.5, 1.0), (65504.0, -65504.0, 0.5, 1.0), 4496.0),
        ("R16G16B16A16_FLOAT", (nan, 0.5, 0.5, 0.5), (0.0, 0.5, 0.5, 0.5), inf),
        ("R16_FLOAT", (0.5, 70000.0, 0.5, 0.5), (0.5, 65504.0, 0.5, 0.5), 0.0),
        ("Z32_FLOAT", (0.5, inf, nan, 0.5), (0.5, inf, nan, 0.5), 0.0),
        ("R32_FLOAT", (1e30, 0.5, 0.5, 0.5), (1e30, 0.5, 0.5, 0.5), 0.0),
        ("R11G11B10_FLOAT", (-1.0, 65536.0, 0.5, 1.0), (0.0, 65024.0, 0.5, 1.0), 512.0),
        ("Z16_UNORM", (1.5, 0.5, 0.5, 0.5), (1.0, 0.5, 0.5, 0.5), 0.0),
        ("Z32_FLOAT", (1.5, 0.5, 0.5, 0.5), (1.5, 0.5, 0.5, 0.5), 0.0),
    ],
)
def test_a_custom_colour_with_a_format_is_clamped_to_what_it_holds(
    form: str, colour: Colour, held: Colour, error: float
) -> None:
    """GL clamps to fixed points itself, and does not show a channel that is not there: only floats lose anything."""
    info = info_of(colour, WITH_FORMAT, form=form, dialect=NO_SHADER)
    assert info.border.fallback is BorderFallback.CUSTOM_FORMAT
    assert info.custom_border_color is not None
    assert info.custom_border_color.words == words_of(held, "float")
    assert info.border.error == pytest.approx(error, rel=1e-6)
    assert [loss.size for loss in info.unsupported if loss.name == "border"] == ([info.border.error] if error else [])


@pytest.mark.parametrize(
    ("form", "colour"),
    [
        ("R16G16B16A16_FLOAT", (70000.0, 0.5, 0.5, 1.0)),
        ("R16G16B16A16_FLOAT", (0.5, nan, 0.5, 1.0)),
        ("R11G11B10_FLOAT", (-1.0, 0.5, 0.5, 1.0)),
        ("R32_FLOAT", (inf, 0.5, 0.5, 1.0)),
        ("Z32_FLOAT", (inf, 0.5, 0.5, 1.0)),
        ("R16G16_FLOAT", (0.5, 70000.0, 0.5, 1.0)),
        ("R16G16B16_FLOAT", (0.5, 0.5, 70000.0, 1.0)),
        ("R16G16B16A16_FLOAT", (0.5, 0.5, 0.5, 70000.0)),
    ],
)
def test_a_float_that_its_format_cannot_hold_is_the_shaders(form: str, colour: Colour) -> None:
    """Vulkan allows no such custom colour, and GL clamps no floats."""
    info = info_of(colour, WITH_FORMAT, form=form)
    assert (info.border.fallback, info.border.error, info.unsupported) == (BorderFallback.IN_SHADER, 0.0, ())
    assert info.lowering_values.border == words_of(colour, "float")
    tried = fallbacks(state(colour, form=form), WITH_FORMAT)[BorderFallback.CUSTOM_FORMAT]
    assert not tried.possible
    assert tried.because.endswith(", which cannot hold all of it")
    assert info_of(colour, WHOLE, form=form).border.fallback is BorderFallback.CUSTOM


@pytest.mark.parametrize(
    ("form", "colour", "held"),
    [
        ("R8G8B8A8_UINT", (256, 255, 0, 5), (255, 255, 0, 5)),
        ("R8G8B8A8_SINT", (128, -129, 0, 5), (127, -128, 0, 5)),
        ("R16_SINT", (40000, 0, 7, 5), (32767, 0, 7, 5)),
        ("R32G32B32A32_SINT", (-(2**31), 2**31 - 1, 0, 5), (-(2**31), 2**31 - 1, 0, 5)),
        ("S8_UINT", (300, 9999, 0, 5), (255, 255, 0, 5)),
        ("Z24_UNORM_S8_UINT", (300, -1, 0, 5), (255, 255, 0, 5)),
        ("R32G32B32A32_UINT", (-1, 2**31 - 1, 0, 5), (-1, 2**31 - 1, 0, 5)),
    ],
)
def test_a_custom_integer_with_a_format_is_clamped_as_gl_clamps_it(form: str, colour: Colour, held: Colour) -> None:
    info = info_of(colour, WITH_FORMAT, form=form, integer=True)
    assert info.border_color == BorderColor.INT_CUSTOM_EXT
    assert info.custom_border_color is not None
    assert info.custom_border_color.words == words_of(held, "int")
    assert (info.border.fallback, info.border.error) == (BorderFallback.CUSTOM_FORMAT, 0.0)
    assert info.unsupported == ()


def test_a_nan_is_at_an_error_without_bound_from_any_predefined_colour() -> None:
    border = info_of((nan, 0.5, 0.5, 0.5), NO_COLOURS, dialect=NO_SHADER).border
    assert border.error == inf
    assert border.to_dict()["error"] == "inf"


def test_a_record_that_does_not_say_the_format_may_have_a_view_that_does() -> None:
    info = info_of(ODD, WITH_FORMAT, view=View("R16_UNORM"))
    assert info.custom_border_color == CustomBorderColor(words_of(ODD, "float"), "R16_UNORM")


# As zink says the format: what 22.3 asks its front end for where customBorderColorWithoutFormat is lacking

WILD: Final = (2.5, -0.5, 0.25, 3.0)
INTEGERS: Final = (300, -200, 256, 70000)


@pytest.mark.parametrize(
    ("form", "said", "held"),
    [
        ("Z16_UNORM", "D16_UNORM", WILD),
        ("Z16_UNORM_S8_UINT", "D16_UNORM", WILD),
        ("Z24X8_UNORM", "X8_D24_UNORM_PACK32", WILD),
        ("Z24_UNORM_S8_UINT", "X8_D24_UNORM_PACK32", WILD),
        ("Z32_FLOAT", "D32_SFLOAT", WILD),
        ("Z32_FLOAT_S8X24_UINT", "D32_SFLOAT", WILD),
        ("R8G8B8A8_UNORM", "R8G8B8A8_UNORM", WILD),
        ("R8G8B8A8_SNORM", "R8G8B8A8_SNORM", WILD),
        ("R16G16B16A16_FLOAT", "R16G16B16A16_SFLOAT", WILD),
        ("R8G8B8A8_SRGB", "A8B8G8R8_SRGB_PACK32", (1.0, 0.0, 0.25, 1.0)),
        ("R8_SRGB", "R8_SRGB", (1.0, -0.5, 0.25, 3.0)),
        ("R8G8B8X8_UNORM", "R8G8B8A8_UNORM", (2.5, -0.5, 0.25, 1.0)),
        ("R8G8B8X8_SNORM", "R8G8B8A8_SNORM", (2.5, -0.5, 0.25, 1.0)),
        ("B8G8R8X8_SRGB", "B8G8R8A8_SRGB", (1.0, 0.0, 0.25, 1.0)),
    ],
)
def test_zink_leaves_floats_as_they_are_but_for_srgb_and_padding(form: str, said: str, held: Colour) -> None:
    custom = info_of(WILD, WITH_FORMAT, form=form, dialect="zink22").custom_border_color
    assert custom == CustomBorderColor(words_of(held, "float"), said)


def test_zink_fills_the_padding_of_a_float_format_with_ones() -> None:
    custom = info_of(WILD, WITH_FORMAT, form="R16G16B16X16_FLOAT", dialect="zink22").custom_border_color
    assert custom == CustomBorderColor((*words_of(WILD, "float")[:3], 0xFFFFFFFF), "R16G16B16A16_SFLOAT")


@pytest.mark.parametrize(
    ("form", "said", "held"),
    [
        ("S8_UINT", "S8_UINT", (255, 255, 255, 255)),
        ("Z24_UNORM_S8_UINT", "S8_UINT", (255, 255, 255, 255)),
        ("Z16_UNORM", "S8_UINT", (255, 255, 255, 255)),
        ("R8G8B8A8_UINT", "R8G8B8A8_UINT", (255, 255, 255, 255)),
        ("R8G8B8A8_SINT", "R8G8B8A8_SINT", (127, -128, 127, 127)),
        ("R8_UINT", "R8_UINT", (255, -200, 256, 70000)),
        ("R16G16_SINT", "R16G16_SINT", INTEGERS),
        ("R10G10B10A2_UINT", "A2B10G10R10_UINT_PACK32", (300, 1023, 256, 3)),
        ("R32G32B32A32_UINT", "R32G32B32A32_UINT", INTEGERS),
        ("R8G8B8X8_SINT", "R8G8B8A8_SINT", (127, -128, 127, 0x7FFFFFFF)),
        ("R8G8B8A8_UNORM", "R8G8B8A8_UNORM", INTEGERS),
    ],
)
def test_zink_clamps_integers_to_their_channels_and_any_depth_to_stencil(form: str, said: str, held: Colour) -> None:
    info = info_of(INTEGERS, WITH_FORMAT, integer=True, form=form, dialect="zink22")
    assert info.border_color == BorderColor.INT_CUSTOM_EXT
    assert info.custom_border_color == CustomBorderColor(words_of(held, "int"), said)
    kind = "uint" if "UINT" in form else "int"
    asked, got = (values(words_of(colour, "int"), kind) for colour in (INTEGERS, held))
    assert info.border.error == max(abs(a - b) for a, b in zip(asked, got, strict=True))


def test_zink_says_the_depth_that_the_device_keeps() -> None:
    for form in ("Z24X8_UNORM", "Z24_UNORM_S8_UINT"):
        custom = info_of(WILD, NO_D24, form=form, dialect="zink22").custom_border_color
        assert custom == CustomBorderColor(words_of(WILD, "float"), "D32_SFLOAT")


@pytest.mark.parametrize(("form", "integer"), [("S8_UINT", False), ("R8G8B8X8_UINT", True), ("NONE", False)])
def test_what_zink_cannot_say_is_transparent_black(form: str, integer: bool) -> None:
    tried = fallbacks(state((3, 2, 1, 7), integer=integer, form=form), WITH_FORMAT, dialect="zink22")
    assert not tried[BorderFallback.CUSTOM_FORMAT].possible
    last = tried[BorderFallback.NEAREST]
    assert (last.fallback, last.border_color, last.because) == (
        BorderFallback.NEAREST, BorderColor.FLOAT_TRANSPARENT_BLACK, "all that is left",
    )  # fmt: skip
    assert last.error == 7
    assert info_of((0.5, 2, 1, 7), NO_COLOURS, dialect="zink21").border.error == 7


def test_zink_takes_the_format_from_the_record_alone() -> None:
    view = View("R8G8B8A8_UNORM")
    assert info_of(ODD, WITH_FORMAT, dialect="zink22", view=view).custom_border_color is None
    given = info_of(ODD, WITH_FORMAT, form="R16_UNORM", view=view).custom_border_color
    assert given == CustomBorderColor(words_of(ODD, "float"), "R16_UNORM")


def test_the_last_free_slot_is_a_slot() -> None:
    assert info_of(ODD, WHOLE, free_slots=1).border.fallback is BorderFallback.CUSTOM
    assert info_of(ODD, WHOLE, free_slots=0).border.fallback is BorderFallback.IN_SHADER
    assert info_of(ODD, WHOLE, free_slots=0, dialect=NO_SHADER).border.fallback is BorderFallback.NEAREST


# Passed with its swizzle


def test_a_device_that_wants_the_swizzle_gets_it() -> None:
    info = info_of(ODD, SWIZZLE_TOLD, view=View("R8G8B8A8_UNORM", "ZYXW"))
    assert info.border.fallback is BorderFallback.SWIZZLE_CORRECTED
    assert info.component_mapping == ComponentMapping("BGRA", srgb=False)
    assert (info.border.error, info.unsupported) == (0.0, ())
    given = info.to_dict()["pNext"]["pNext"]
    assert given["components"] == {
        "r": "VK_COMPONENT_SWIZZLE_B",
        "g": "VK_COMPONENT_SWIZZLE_G",
        "b": "VK_COMPONENT_SWIZZLE_R",
        "a": "VK_COMPONENT_SWIZZLE_A",
    }


def test_the_swizzle_says_whether_the_view_is_srgb() -> None:
    info = info_of(ODD, SWIZZLE_TOLD, view=View("R8G8B8A8_SRGB", "XXX1"))
    assert info.component_mapping == ComponentMapping("RRR1", srgb=True)


@pytest.mark.parametrize("swizzle", ["XYZW", "ZYXW"])
def test_a_colour_that_the_swizzle_does_not_change_keeps_its_rung(swizzle: str) -> None:
    """It is passed all the same: without it the border is undefined."""
    info = info_of((0.5, 0.5, 0.5, 1.0), SWIZZLE_TOLD, view=View("R8G8B8A8_UNORM", swizzle))
    assert info.border.fallback is BorderFallback.CUSTOM
    assert (info.component_mapping is None) == (swizzle == "XYZW")


def test_white_and_transparent_black_need_no_swizzle() -> None:
    """They are the same in every channel; only a swizzle with constants would change them, and Vulkan asks nothing."""
    for colour in ((0, 0, 0, 0), (1, 1, 1, 1)):
        info = info_of(colour, SWIZZLE_TOLD, view=View("R8G8B8A8_UNORM", "ZYXW"))
        assert (info.border.fallback, info.component_mapping) == (BorderFallback.PREDEFINED, None)


def test_a_device_that_says_nothing_of_swizzles_loses_by_how_much_it_could_be_wrong() -> None:
    screen = screen_without("VK_EXT_border_color_swizzle", "borderColorSwizzle", "borderColorSwizzleFromImage")
    turned = View("R8G8B8A8_UNORM", "ZYXW")
    info = info_of((0.25, 0.5, 1.0, 1.0), screen, view=turned, dialect=NO_SHADER)
    assert [(loss.name, loss.size) for loss in info.unsupported] == [("border-swizzle", 0.75)]
    unbounded = info_of((0.25, nan, 1.0, 1.0), screen, view=View("R8G8B8A8_UNORM", "XXXW"), dialect=NO_SHADER)
    assert [(loss.name, loss.size) for loss in unbounded.unsupported] == [("border-swizzle", inf)]


# The nearest predefined colour


@pytest.mark.parametrize(
    ("colour", "expected", "error"),
    [
        ((0.2, 0.2, 0.2, 0.2), "FLOAT_TRANSPARENT_BLACK", 0.2),
        ((0.2, 0.2, 0.2, 0.9), "FLOAT_OPAQUE_BLACK", 0.2),
        ((0.9, 0.8, 0.7, 0.9), "FLOAT_OPAQUE_WHITE", 0.3),
        ((5.0, 5.0, 5.0, 5.0), "FLOAT_OPAQUE_WHITE", 4.0),
        ((-5.0, 0.0, 0.0, 0.0), "FLOAT_TRANSPARENT_BLACK", 5.0),
        ((0.0, 0.0, 0.0, 0.5), "FLOAT_TRANSPARENT_BLACK", 0.5),
        ((nan, 0.0, 0.0, 1.0), "FLOAT_OPAQUE_BLACK", inf),
    ],
)
def test_the_last_rung_is_the_nearest_and_the_earlier_on_a_tie(colour: Colour, expected: str, error: float) -> None:
    info = info_of(colour, NO_COLOURS, dialect=NO_SHADER)
    assert (info.border.fallback, info.border_color.name) == (BorderFallback.NEAREST, expected)
    assert info.border.error == pytest.approx(error)
    (loss,) = info.unsupported
    assert (loss.name, loss.got) == ("border", expected)
    assert loss.size == info.border.error
    assert "lacks VK_EXT_custom_border_color" in loss.because


@pytest.mark.parametrize(
    ("colour", "expected", "error"),
    [
        ((3, 0, 0, 1), "INT_OPAQUE_BLACK", 3),
        ((255, 255, 255, 255), "INT_OPAQUE_WHITE", 254),
        ((-1, -1, -1, -1), "INT_TRANSPARENT_BLACK", 1),
    ],
)
def test_the_nearest_of_an_integer_is_an_integer(colour: Colour, expected: str, error: float) -> None:
    info = info_of(colour, NO_COLOURS, integer=True, dialect=NO_SHADER)
    assert (info.border_color.name, info.border.error) == (expected, error)


def test_the_nearest_colour_is_near_in_all_four_channels_also_where_depth_is_compared() -> None:
    """What it costs there is red's error alone, as nothing else is read."""
    compared: dict[str, Any] = {"compare_mode": "R_TO_TEXTURE", "dialect": NO_SHADER}
    info = info_of((0.9, 0.0, 0.0, 0.0), NO_COLOURS, **compared)
    assert info.border_color == BorderColor.FLOAT_TRANSPARENT_BLACK
    assert info.border.error == pytest.approx(0.9)
    assert info_of((0.4, 1.0, 1.0, 1.0), NO_COLOURS, **compared).border_color == BorderColor.FLOAT_OPAQUE_WHITE


@pytest.mark.parametrize("name", ["DXT1_RGB", "DXT5_RGBA", "DXT5_SRGBA", "BPTC_RGBA_UNORM"])
def test_the_x_of_dxt_is_no_padding(name: str) -> None:
    info = info_of((0.25, 0.5, 0.75, 0.5), WITH_FORMAT, dialect="zink22", form=name)
    assert info.custom_border_color is not None
    assert info.custom_border_color.words[3] == 0x3F000000


def test_what_goes_out_bit_for_bit_is_no_loss_even_where_it_is_no_number() -> None:
    info = info_of((0.5, 0.0, 0.0, nan), WITH_FORMAT, form="Z16_UNORM")
    assert info.custom_border_color is not None
    assert info.border.error == 0.0
    assert "border" not in {loss.name for loss in info.unsupported}


def test_an_unsigned_border_is_off_by_what_an_unsigned_format_reads() -> None:
    view = View("L8A8_UINT")
    black: dict[str, Any] = dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), "CLAMP_TO_BORDER")
    black |= {"border_color_is_integer": True}
    record = st.SamplerState(border_color=(0, 0, 0, 0xBF800000), **black)
    assert create_info(record, NO_COLOURS, view=view, dialect=NO_SHADER).border.error == 0xBF800000


def test_the_nearest_colour_is_nearest_in_the_one_channel_that_a_swizzle_shows() -> None:
    """The other channels were zeros only because the view does not show them."""
    screen = screen_without("borderColorSwizzleFromImage", "VK_EXT_custom_border_color", "customBorderColors")
    info = info_of((0.75, 0.75, 0.75, 0.75), screen, view=View("Z24X8_UNORM", "XXXX"), dialect=NO_SHADER)
    assert (info.border_color.name, info.border.error) == ("FLOAT_OPAQUE_WHITE", 0.25)


# All fallbacks


@pytest.mark.parametrize("screen", [WHOLE, WITH_FORMAT, NO_COLOURS, SWIZZLE_TOLD])
@pytest.mark.parametrize("colour", [(0, 0, 0, 0), ODD])
@pytest.mark.parametrize("dialect", ["native", NO_SHADER])
def test_every_rung_is_reported_in_order_and_the_first_possible_one_is_taken(
    screen: st.Screen, colour: Colour, dialect: str | VulkanDialect
) -> None:
    view = View("R8G8B8A8_UNORM", "ZYXW")
    tried = fallbacks(state(colour), screen, view=view, dialect=dialect)
    assert [choice.fallback for choice in tried] == list(BorderFallback)
    assert all(choice.because for choice in tried)
    taken = next(choice for choice in tried if choice.possible)
    assert create_info(state(colour), screen, view=view, dialect=dialect).border == taken
    assert tried[-1].possible
    assert tried[BorderFallback.IN_SHADER].possible == (dialect == "native")


# The second sampler, for 24-bit depth that is kept in floats


@pytest.mark.parametrize(("red", "clamped"), [(2.5, 1.0), (-1.0, 0.0)])
def test_24_bit_depth_in_floats_has_a_second_sampler_with_the_clamped_border(red: float, clamped: float) -> None:
    info = info_of((red, 0.3, 0.3, 0.3), NO_D24, form="Z24X8_UNORM")
    twin = info.depth_border_sampler
    assert info.lowering.second_sampler
    assert info.custom_border_color is not None
    assert info.custom_border_color.format == "D32_SFLOAT"
    assert twin is not None
    assert (twin.border.fallback, twin.custom_border_color) == (BorderFallback.PREDEFINED, None)
    names = {0.0: BorderColor.FLOAT_TRANSPARENT_BLACK, 1.0: BorderColor.FLOAT_OPAQUE_WHITE}
    assert twin.border_color == names[clamped]


def test_a_border_within_the_range_of_depth_needs_no_second_sampler() -> None:
    assert info_of((0.5, 0.3, 0.3, 0.3), NO_D24, form="Z24X8_UNORM").depth_border_sampler is None
    assert info_of((2.5, 0.3, 0.3, 0.3), NO_D24, form="Z24X8_UNORM", wrap="REPEAT").depth_border_sampler is None
    assert info_of((2.5, 0.3, 0.3, 0.3), WITH_FORMAT, form="Z24X8_UNORM").depth_border_sampler is None


# What else a rung says and does

NOTHING_TOLD: Final = screen_without(
    "borderColorSwizzleFromImage", "VK_EXT_custom_border_color", "customBorderColors", "customBorderColorWithoutFormat"
)
TURNED: Final = View("R8G8B8A8_UNORM", "WZYX")
FEW: Final = View("R5G6B5_UNORM")
ZINK21: Final = {"dialect": "zink21"}
AS_IS: Final = SWIZZLE_TOLD.replace(apply_texture_swizzle_to_border_color=False)  # colours as the program gave them


# fmt: off
#: A record, a device, what else is asked -> a rung, and why it is possible, or not.
REASONS: Final[list[tuple[st.SamplerState, st.Screen, dict[str, Any], str, bool, str]]] = [
    (state((0, 0, 0, 1)), WHOLE, {}, "PREDEFINED", True, "FLOAT_OPAQUE_BLACK is that colour"),
    (state((1, 0.5, 0.5, 0.5), compare_mode="R_TO_TEXTURE"), WHOLE, {}, "PREDEFINED", True,
     "FLOAT_OPAQUE_WHITE is that colour in every channel that is read"),
    (state(ODD), WHOLE, {}, "PREDEFINED", False, "no predefined colour is that colour"),
    (state(ODD, wrap="REPEAT"), WHOLE, {}, "CUSTOM", False, "no address mode reads it"),
    (state(ODD), NO_COLOURS, {}, "CUSTOM", False, "the device lacks VK_EXT_custom_border_color"),
    (state(ODD), NO_COLOURS, {"view": FEW}, "CUSTOM", False, "the device lacks VK_EXT_custom_border_color"),
    (state(ODD), screen_without("customBorderColors"), {}, "CUSTOM", False,
     "the device lacks feature customBorderColors"),
    (state(ODD), WITH_FORMAT, {}, "CUSTOM", False, "the device lacks feature customBorderColorWithoutFormat"),
    (state(ODD), screen_without(maxCustomBorderColorSamplers=0), {}, "CUSTOM", False,
     "none of the device's 0 custom colours is free"),
    (state(ODD), WHOLE, {"view": FEW}, "CUSTOM", False, "B5G6R5_UNORM_PACK16 needs the format sent"),
    (state(ODD), WITH_FORMAT, {}, "CUSTOM_FORMAT", False, "the record does not have the format"),
    (state(ODD, form="R8_UNORM"), WITH_FORMAT, ZINK21, "CUSTOM_FORMAT", False, "this dialect never sends the format"),
    (state(ODD, form="R8_UNORM"), NO_COLOURS, ZINK21, "CUSTOM_FORMAT", False,
     "the device lacks VK_EXT_custom_border_color"),
    *((state((3, 0, 0, 7), integer=integer, form=form), WITH_FORMAT, {}, "CUSTOM_FORMAT", False,
       f"{form} cannot go with {'an integer' if integer else 'a float'} colour")
      for form, integer in (("R8_UINT", False), ("R8_UNORM", True), ("S8_UINT", False), ("Z16_UNORM", True))),
    (state((2.5, 0.5, 0.5, 1.0), form="R16_UNORM"), WITH_FORMAT, {}, "CUSTOM_FORMAT", True,
     "R16_UNORM is R16_UNORM, to which GL clamps it"),
    (state((2.5, -0.5, 0.25, 3.0), form="R8G8B8A8_SRGB"), WITH_FORMAT, {"dialect": "zink22"}, "CUSTOM_FORMAT", True,
     "R8G8B8A8_SRGB is A8B8G8R8_SRGB_PACK32, which cannot hold all of it"),
    (state(ODD, form="R16_UNORM"), WITH_FORMAT, {}, "CUSTOM_FORMAT", True, "R16_UNORM is R16_UNORM"),
    (state(ODD), WHOLE, {"view": TURNED}, "SWIZZLE_CORRECTED", False, "this device does not need the view's swizzle"),
    (state((0.0, 0.1, 0.0, 1.0)), NOTHING_TOLD, {"view": TURNED}, "SWIZZLE_CORRECTED", False,
     "there is no custom colour to send it with"),
    *((state(ODD), SWIZZLE_TOLD, {"view": view}, "SWIZZLE_CORRECTED", False,
       "the view's swizzle is not known, or changes nothing") for view in (None, View("R8G8B8A8_UNORM"))),
]
# fmt: on


@pytest.mark.parametrize(("record", "screen", "asked", "rung", "possible", "because"), REASONS)
def test_a_rung_says_why_it_is_possible_or_not(
    record: st.SamplerState, screen: st.Screen, asked: dict[str, Any], rung: str, possible: bool, because: str
) -> None:
    tried = fallbacks(record, screen, **asked)[BorderFallback[rung]]
    assert (tried.possible, tried.because) == (possible, because)


def test_a_choice_is_plain_data() -> None:
    plain = BorderChoice().to_dict()
    assert plain == {"fallback": "predefined", "possible": True, "error": 0.0, "because": ""}
    assert BorderChoice().border_color == BorderColor.FLOAT_TRANSPARENT_BLACK
    far = state((65536.0, 0.5, 0.5, 1.0), form="R16_FLOAT")
    other = fallbacks(far, WITH_FORMAT, dialect=NO_SHADER)[BorderFallback.CUSTOM_FORMAT]
    because = "R16_FLOAT is R16_SFLOAT, which cannot hold all of it"
    assert other.to_dict() == {"fallback": "custom-format", "possible": True, "error": 32.0, "because": because}


def test_a_colour_that_nothing_reads_has_no_custom_colour_and_no_error() -> None:
    tried = fallbacks(state(ODD, wrap="REPEAT"), WHOLE)
    assert tried[BorderFallback.NEAREST].error == 0.0
    given = fallbacks(state((0, 0, 0, 1), wrap="REPEAT"), AS_IS, view=TURNED)
    assert given[BorderFallback.PREDEFINED].mapping is None


def test_what_is_kept_as_it_is_has_no_error_even_without_bound() -> None:
    info = info_of((inf, -inf, nan, 1.0), WITH_FORMAT, form="Z32_FLOAT", dialect="zink22")
    assert info.border.error == 0.0


@pytest.mark.parametrize(("integer", "form"), [(False, "R8G8B8A8_UNORM"), (True, "R8G8B8A8_UINT")])
def test_black_that_a_view_turns_is_reported_with_the_first_colour_that_can(integer: bool, form: str) -> None:
    info = info_of((0, 0, 0, 1), AS_IS, integer=integer, view=View(form, "WZYX"))
    assert info.border.fallback is BorderFallback.SWIZZLE_CORRECTED
    assert info.border_color.name == ("INT_OPAQUE_BLACK" if integer else "FLOAT_OPAQUE_BLACK")
    assert info.component_mapping == ComponentMapping("ABGR", srgb=False)


def test_the_nearest_colour_is_reported_with_its_swizzle_if_that_counts() -> None:
    tried = fallbacks(state((0.0, 0.1, 0.0, 1.0)), NOTHING_TOLD, view=TURNED)
    assert not tried[BorderFallback.CUSTOM].possible
    black = tried[BorderFallback.NEAREST]
    assert (black.border_color, black.mapping) == (BorderColor.FLOAT_OPAQUE_BLACK, ComponentMapping("ABGR", srgb=False))
    white = fallbacks(state((1.0, 0.9, 1.0, 1.0)), NOTHING_TOLD, view=TURNED)[BorderFallback.NEAREST]
    assert (white.border_color, white.mapping) == (BorderColor.FLOAT_OPAQUE_WHITE, None)


def test_red_alone_needs_no_swizzle_and_zink_gives_none() -> None:
    compared = info_of((0.5, 0, 0, 1), SWIZZLE_TOLD, view=View("Z16_UNORM", "WZYX"), compare_mode="R_TO_TEXTURE")
    assert compared.component_mapping is None
    assert info_of(ODD, SWIZZLE_TOLD, view=TURNED, dialect="zink22").component_mapping is None


@pytest.mark.parametrize(
    ("swizzle", "given_back", "letters"),
    [
        ("ZYXW", (0.75, 0.5, 0.25, 1.0), "BGRA"),
        ("WZYX", (1.0, 0.75, 0.5, 0.25), "ABGR"),
        ("XXX1", (0.25, 0.0, 0.0, 0.0), "RRR1"),
        ("0Y0W", (0.0, 0.5, 0.0, 1.0), "0G0A"),
        ("000W", (0.0, 0.0, 0.0, 1.0), "000A"),
    ],
)
def test_a_colour_that_the_front_end_has_swizzled_is_given_back(swizzle: str, given_back: Colour, letters: str) -> None:
    assert SWIZZLE_TOLD.apply_texture_swizzle_to_border_color
    info = info_of(ODD, SWIZZLE_TOLD, view=View("R8G8B8A8_UNORM", swizzle))
    assert info.component_mapping == ComponentMapping(letters, srgb=False)
    assert info.border.error == 0.0
    if info.custom_border_color is None:
        assert info.border_color == BorderColor.FLOAT_OPAQUE_BLACK
    else:
        assert info.custom_border_color.words == words_of(given_back, "float")
    as_is = info_of(ODD, AS_IS, view=View("R8G8B8A8_UNORM", swizzle))
    assert as_is.custom_border_color is not None
    assert as_is.custom_border_color.words == words_of(ODD, "float")


def test_a_view_of_constants_shows_nothing_of_a_border() -> None:
    before = NOTHING_TOLD.replace(apply_texture_swizzle_to_border_color=True)
    assert fallbacks(state((5.0, 6.0, 7.0, 8.0)), before, view=View("R8G8B8A8_UNORM", "0101"))[-1].error == 0.0


@pytest.mark.parametrize("channel", range(4))
def test_transparent_black_is_off_by_each_channel(channel: int) -> None:
    colour = tuple(5.0 * (n == channel) for n in range(4))
    info = info_of(colour, NO_COLOURS, dialect="zink22")  # type: ignore[arg-type]  # four
    assert (info.border.error, info.border_color) == (5.0, BorderColor.FLOAT_TRANSPARENT_BLACK)


def test_what_is_no_number_counts_as_none_of_that_channel() -> None:
    border_color = info_of((nan, 0.6, 0.6, 1.0), NO_COLOURS, dialect=NO_SHADER).border_color
    assert border_color == BorderColor.FLOAT_OPAQUE_BLACK
