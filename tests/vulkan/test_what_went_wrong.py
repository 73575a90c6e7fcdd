"""What went wrong for other translations to Vulkan, one test each; under zink22 where it still shows."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.cso import DEFAULT_KEY, CsoContext
from statetracker.sampler import key_rule
from statetracker.vulkan import BorderColor, BorderFallback, Filter, SamplerMipmapMode, create_info
from statetracker.vulkan.driver import VulkanDriver
from statetracker.vulkan.enums import CUSTOM_COLORS, INTEGER_COLORS
from tests.vulkan.devices import NO_COLOURS, WHOLE, WITH_FORMAT, screen_without
from tests.vulkan.test_driver import Standin

if TYPE_CHECKING:
    from statetracker.vulkan import SamplerCreateInfo

NO_FEATURE: Final = screen_without("customBorderColors", "customBorderColorWithoutFormat")
NO_SLOTS: Final = screen_without(maxCustomBorderColorSamplers=0)
DEVICES: Final = {
    "whole": WHOLE,
    "without the extension": NO_COLOURS,
    "without the feature": NO_FEATURE,
    "with formats only": WITH_FORMAT,
    "without a slot": NO_SLOTS,
}
BORDER: Final = "clamp-to-border"
ODD: Final = (0.2, 0.4, 0.6, 0.8)


def native(texture: str = "RGBA8", screen: st.Screen = WHOLE, **sampler: Any) -> SamplerCreateInfo:
    return made("native", texture, screen, **sampler)


def made(dialect: str, texture: str, screen: st.Screen, **sampler: Any) -> SamplerCreateInfo:
    """Convert under a dialect; what comes of `native` breaks no rule, whatever the test is about."""
    result = st.convert(st.Sampler(**sampler), st.Texture("2d", texture), screen, vulkan_dialect=dialect)
    assert dialect != "native" or result.violations == []
    return result.vulkan


# The custom colour and its struct

_WRAPS: Final = ("repeat", "clamp-to-edge", BORDER, "clamp", "mirror-clamp-to-border", "mirror-clamp-to-edge")
_COLOURS: Final = ((0, 0, 0, 0), (0, 0, 0, 1), (1, 1, 1, 1), ODD, (-5.0, 0, float("nan"), float("inf")))
_TEXTURES: Final = ("RGBA8", "RGBA8UI", "R32F", "DEPTH_COMPONENT24", "RGB565")


@pytest.mark.parametrize("screen", DEVICES.values(), ids=DEVICES)
def test_a_struct_of_a_custom_colour_and_the_custom_border_colour_stand_together(screen: st.Screen) -> None:
    """Lavapipe dies on the colour without its struct."""
    chained = 0
    for wrap, colour, texture in product(_WRAPS, _COLOURS, _TEXTURES):
        info = native(texture, screen, wrap=wrap, border_color=colour)
        custom = info.custom_border_color is not None
        assert custom == (info.border_color in CUSTOM_COLORS), (wrap, colour, texture)
        chained += custom
    assert bool(chained) == (screen in (WHOLE, WITH_FORMAT))


def test_zink_chains_where_only_the_extension_is_there_and_breaks_a_rule_with_it() -> None:
    sampler, texture = st.Sampler(wrap=BORDER, border_color=ODD), st.Texture("2d", "RGBA8")
    screen = screen_without("customBorderColors")
    zink = st.convert(sampler, texture, screen, vulkan_dialect="zink22")
    assert [broken.rule for broken in zink.violations] == ["VUID-VkSamplerCreateInfo-customBorderColors-04085"]
    assert native(screen=screen, wrap=BORDER, border_color=ODD).custom_border_color is None


# Predefined colours

_PREDEFINED: Final = (
    ((0.0, 0.0, 0.0, 0.0), BorderColor.FLOAT_TRANSPARENT_BLACK),
    ((-0.0, 0.0, -0.0, 0.0), BorderColor.FLOAT_TRANSPARENT_BLACK),
    ((0.0, 0.0, 0.0, 1.0), BorderColor.FLOAT_OPAQUE_BLACK),
    ((1.0, 1.0, 1.0, 1.0), BorderColor.FLOAT_OPAQUE_WHITE),
)


@pytest.mark.parametrize("screen", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize(("colour", "expected"), _PREDEFINED)
def test_no_fallback_is_taken_for_a_predefined_colour(
    screen: st.Screen, colour: tuple[float, ...], expected: BorderColor
) -> None:
    info = native(screen=screen, wrap=BORDER, border_color=colour)
    assert (info.border_color, info.border.fallback, info.unsupported) == (expected, BorderFallback.PREDEFINED, ())
    assert info.custom_border_color is None


@pytest.mark.parametrize("screen", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ((0, 0, 0, 0), BorderColor.INT_TRANSPARENT_BLACK),
        ((0, 0, 0, 1), BorderColor.INT_OPAQUE_BLACK),
        ((1, 1, 1, 1), BorderColor.INT_OPAQUE_WHITE),
    ],
)
@pytest.mark.parametrize("texture", ["RGBA8UI", "RGBA16I", "RGBA32UI"])
def test_an_integer_colour_is_matched_with_a_predefined_one(
    texture: str, screen: st.Screen, colour: tuple[int, ...], expected: BorderColor
) -> None:
    """Read as floats, an integer 1 is the denormal 1.4e-45, and matches nothing."""
    info = native(texture, screen, wrap=BORDER, border_color_i=colour)
    assert (info.border_color, info.border.fallback, info.unsupported) == (expected, BorderFallback.PREDEFINED, ())


def test_a_float_colour_of_ones_is_no_integer_white() -> None:
    words = (0x3F800000,) * 4
    info = native("RGBA32UI", wrap=BORDER, border_color_bits=words)
    assert info.border_color == BorderColor.INT_CUSTOM_EXT
    assert info.custom_border_color is not None
    assert info.custom_border_color.words == words


# Slots


@pytest.mark.parametrize("wrap", ["repeat", "mirrored-repeat", "clamp-to-edge", "mirror-clamp-to-edge"])
@pytest.mark.parametrize("screen", DEVICES.values(), ids=DEVICES)
def test_no_custom_slot_is_spent_on_a_colour_that_no_wrap_reads(screen: st.Screen, wrap: str) -> None:
    info = native(screen=screen, wrap=wrap, border_color=ODD)
    assert (info.border_color, info.custom_border_color) == (BorderColor.FLOAT_TRANSPARENT_BLACK, None)
    assert (info.border.error, info.unsupported) == (0.0, ())


def test_a_wrap_that_only_the_record_calls_a_border_spends_no_slot_either() -> None:
    """Zink counts the record's wraps, and spends a slot though the mode it makes of this one reads no border."""
    clamp = st.SamplerState(wrap_s="CLAMP", wrap_t="CLAMP", wrap_r="CLAMP", border_color=ODD)  # nearest: the edge
    info = create_info(clamp, WHOLE)
    assert (info.border_color, info.custom_border_color) == (BorderColor.FLOAT_TRANSPARENT_BLACK, None)
    zink = made("zink22", "RGBA8", WHOLE, wrap="mirror-clamp-to-border", border_color=ODD)
    assert zink["addressModeU"] == "VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE"
    assert zink.custom_border_color is not None
    folded = native(wrap="mirror-clamp-to-border", border_color=ODD)
    assert folded["addressModeU"] == "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER", "this one is read"
    assert folded.custom_border_color is not None


# Filters of formats that cannot be filtered: lavapipe filters no depth

_MIN: Final = ("nearest", "linear", "nearest-mipmap-nearest", "linear-mipmap-linear", "nearest-mipmap-linear")


@pytest.mark.parametrize("smallest", _MIN)
@pytest.mark.parametrize("largest", ["nearest", "linear"])
def test_each_filter_is_judged_by_its_own_value(smallest: str, largest: str) -> None:
    """A demotion that looked at the min filter to judge the mag filter left LINEAR where min was NEAREST."""
    fine = native("RGBA8", min_filter=smallest, mag_filter=largest)
    assert [int(fine.min_filter), int(fine.mag_filter)] == [smallest.startswith("linear"), largest == "linear"]
    for texture in ("DEPTH_COMPONENT16", "DEPTH_COMPONENT24", "DEPTH_COMPONENT32F"):
        info = native(texture, WHOLE, min_filter=smallest, mag_filter=largest)
        assert (info.min_filter, info.mag_filter, int(info.mipmap_mode)) == (Filter.NEAREST, Filter.NEAREST, 0)


@pytest.mark.parametrize("smallest", _MIN)
@pytest.mark.parametrize("largest", ["nearest", "linear"])
def test_what_is_compared_keeps_its_filters_where_the_shader_does_not_filter(smallest: str, largest: str) -> None:
    asked = st.Sampler(
        min_filter=smallest, mag_filter=largest, compare_mode=True, wrap="repeat", cube_map_seamless=True
    )
    for target in ("2d", "cube-map"):
        result = st.convert(asked, st.Texture(target, "DEPTH_COMPONENT24"), WHOLE, filter_in_shader=False)
        info = result.vulkan
        assert (result.violations, info.unsupported, result.lowering.filter_texels) == ([], (), False)
        assert (info.mipmap_mode == SamplerMipmapMode.LINEAR) == smallest.endswith("mipmap-linear")
        assert [int(info.min_filter), int(info.mag_filter)] == [smallest.startswith("linear"), largest == "linear"]


# Numeric types


@pytest.mark.parametrize("screen", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize("texture", ["RGBA8", "R32F", "RGBA16_SNORM", "SRGB8_ALPHA8", "DEPTH_COMPONENT24"])
def test_a_float_texture_never_has_an_integer_border(screen: st.Screen, texture: str) -> None:
    for colour in ({"border_color_i": (3, 0, 7, 1)}, {"border_color_i": (1, 1, 1, 1)}, {"border_color": ODD}):
        info = native(texture, screen, wrap=BORDER, **colour)
        assert info.border_color not in INTEGER_COLORS, (texture, colour)


def test_a_border_of_zeros_is_integers_on_an_integer_texture() -> None:
    """GL leaves the record's word for it unset where the colour is all zeros; Vulkan has two transparent blacks."""
    result = st.convert(st.Sampler(wrap=BORDER), st.Texture("2d", "RGBA8UI"), WHOLE)
    assert not result.pipe.border_color_is_integer
    assert result.vulkan.border_color == BorderColor.INT_TRANSPARENT_BLACK
    assert "integers as in R8G8B8A8_UINT" in str(result.explain_vulkan())


def test_a_stencil_mode_on_a_colour_texture_makes_its_border_no_integer() -> None:
    """GL sets the record's word for it by the mode alone."""
    result = st.convert(
        st.Sampler(wrap=BORDER, border_color=ODD), st.Texture("2d", "RGBA8", stencil_sampling=True), WHOLE
    )
    assert result.pipe.border_color_is_integer
    assert result.vulkan.border_color == BorderColor.FLOAT_CUSTOM_EXT


def test_depth_without_stencil_is_depth_in_stencil_mode() -> None:
    """GL has the mode for formats with both. Its view had no format, and could not be compared."""
    texture = st.Texture("2d", "DEPTH_COMPONENT16", stencil_sampling=True)
    result = st.convert(st.Sampler(compare_mode=True), texture, WHOLE)
    assert (result.view.format, result.vulkan.unsupported) == ("Z16_UNORM", ())
    both = st.Texture("2d", "DEPTH24_STENCIL8", stencil_sampling=True)
    assert st.convert(st.Sampler(), both, WHOLE).view.format == "X24S8_UINT"


@pytest.mark.parametrize("screen", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize("texture", ["RGBA8UI", "R32I", "RG16UI"])
def test_an_integer_texture_never_has_a_float_border(screen: st.Screen, texture: str) -> None:
    """Zink falls back to float transparent black whatever the texture holds."""
    for colour in ((3, 0, 7, 1), (1, 1, 1, 1), (-1, 255, 256, 0)):
        assert native(texture, screen, wrap=BORDER, border_color_i=colour).border_color in INTEGER_COLORS
    zink = made("zink22", "RGBA8UI", NO_COLOURS, wrap=BORDER, border_color_i=(3, 0, 7, 1))
    assert zink.border_color == BorderColor.FLOAT_TRANSPARENT_BLACK


# One sampler, two textures


def test_textures_whose_formats_need_different_borders_do_not_share_a_handle() -> None:
    """Where custom colours need their format, it is in the record, and must be in the key of the cache."""
    sampler = st.Sampler(wrap=BORDER, border_color=(2.5, 0.4, 0.6, 0.8))
    device = Standin()
    driver = VulkanDriver(device, WITH_FORMAT)
    context = CsoContext(driver, max_size=16)  # which asks the driver for its key
    results = [st.convert(sampler, st.Texture("2d", name), WITH_FORMAT) for name in ("RGBA8", "RGBA16F", "RGBA8")]
    assert len({result.pipe.border_color_format for result in results}) == 2
    context.set_samplers("fragment", [bytes(result.pipe) for result in results])
    first, second, third = driver.bound["fragment"]
    assert first is third
    assert first is not second
    said = [info["pNext"]["format"] for info in device.infos.values()]
    assert said == ["VK_FORMAT_R8G8B8A8_UNORM", "VK_FORMAT_R16G16B16A16_SFLOAT"]
    assert [result.violations for result in results] == [[], [], []]
    assert driver.key == key_rule(WITH_FORMAT)
    assert VulkanDriver(device, WHOLE).key == key_rule(WHOLE) == DEFAULT_KEY, "elsewhere they share one"


def test_infos_for_differently_swizzled_views_are_different() -> None:
    """The record is the same: a cache of handles of infos that know their view has them by the info."""
    screen = screen_without("borderColorSwizzleFromImage")
    sampler = st.Sampler(wrap=BORDER, border_color=ODD)
    plain, turned = (
        st.convert(sampler, st.Texture("2d", "RGBA8", swizzle=swizzle), screen)
        for swizzle in (("red", "green", "blue", "alpha"), ("blue", "green", "red", "alpha"))
    )
    assert plain.vulkan != turned.vulkan
    assert (plain.vulkan.component_mapping, plain.violations, turned.violations) == (None, [], [])
    assert turned.vulkan.component_mapping is not None
    assert turned.vulkan.component_mapping.components == "BGRA"


# Anisotropy


@pytest.mark.parametrize("asked", [1.0, 1.5, 2.0, 16.0, 64.0])
@pytest.mark.parametrize("most", [0, 1, 1.5, 4, 16])
def test_anisotropy_is_never_enabled_with_a_maximum_below_one(asked: float, most: float) -> None:
    """Two devices of the corpus have the feature and a limit of 0 or 1: nothing satisfies 01071 there."""
    info = native(screen=screen_without(maxSamplerAnisotropy=most), max_anisotropy=asked, min_filter="linear")
    assert info.max_anisotropy == 0.0 or info.anisotropy_enable
    assert not info.anisotropy_enable or 1.0 < info.max_anisotropy <= most


@pytest.mark.parametrize("asked", range(32))
def test_no_record_enables_an_anisotropy_of_zero(asked: int) -> None:
    state = st.SamplerState(max_anisotropy=asked)
    for screen in (WHOLE, screen_without("samplerAnisotropy"), screen_without(maxSamplerAnisotropy=0)):
        info = create_info(state, screen)
        assert info.anisotropy_enable == (info.max_anisotropy > 1)
        assert info.max_anisotropy in (0.0, min(asked, 16))
    zink = create_info(state, screen_without("samplerAnisotropy"), dialect="zink22")
    assert (zink.anisotropy_enable, zink.max_anisotropy) == (asked > 1, asked if asked > 1 else 0.0)
