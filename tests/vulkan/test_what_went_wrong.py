"""What went wrong for other translations to Vulkan, one test each; under zink22 where it still shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import statetracker as st
from statetracker.cso import DEFAULT_KEY, CsoContext
from statetracker.sampler import key_rule
from statetracker.vulkan import BorderColor
from statetracker.vulkan.driver import VulkanDriver
from tests.vulkan.devices import WHOLE, WITH_FORMAT
from tests.vulkan.test_driver import Standin

if TYPE_CHECKING:
    from statetracker.vulkan import SamplerCreateInfo

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


def test_a_float_colour_of_ones_is_no_integer_white() -> None:
    words = (0x3F800000,) * 4
    info = native("RGBA32UI", wrap=BORDER, border_color_bits=words)
    assert info.border_color == BorderColor.INT_CUSTOM_EXT
    assert info.custom_border_color is not None
    assert info.custom_border_color.words == words


# Numeric types


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
