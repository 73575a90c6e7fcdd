"""What went wrong for other translations to Vulkan, one test each; under zink22 where it still shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.cso import DEFAULT_KEY, CsoContext
from statetracker.sampler import key_rule
from statetracker.vulkan import BorderColor, BorderFallback
from statetracker.vulkan.driver import VulkanDriver
from statetracker.vulkan.enums import INTEGER_COLORS
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
