"""`statetracker.caps.vulkan_formats`: formats by name, number and kind of driver."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.caps import FormatMasks, VulkanFacts, vulkan_format
from statetracker.caps.facts import PROMISED
from statetracker.caps.vulkan_formats import REPLACED, feature_bits, format_name, table, vulkan_formats
from statetracker.pipe.formats import pipe_format

# fmt: off
#: What zink over lavapipe (Mesa 22.3.6) was seen to choose; pipe format, VkFormat.
SEEN: Final = [
    ("R8_UNORM", "R8_UNORM"), ("R16G16_SNORM", "R16G16_SNORM"), ("B5G6R5_UNORM", "R5G6B5_UNORM_PACK16"),
    ("B4G4R4A4_UNORM", "A4R4G4B4_UNORM_PACK16"), ("B5G5R5A1_UNORM", "A1R5G5B5_UNORM_PACK16"),
    ("R8G8B8X8_UNORM", "R8G8B8A8_UNORM"), ("R8G8B8X8_SNORM", "R8G8B8A8_SNORM"), ("R8G8B8X8_SRGB", "A8B8G8R8_SRGB_PACK32"),
    ("R8G8B8A8_SRGB", "A8B8G8R8_SRGB_PACK32"), ("B8G8R8A8_SRGB", "B8G8R8A8_SRGB"), ("R8G8B8X8_SINT", "R8G8B8A8_SINT"),
    ("R10G10B10A2_UNORM", "A2B10G10R10_UNORM_PACK32"), ("R10G10B10A2_UINT", "A2B10G10R10_UINT_PACK32"),
    ("R16G16B16X16_UNORM", "R16G16B16A16_UNORM"), ("R16G16B16X16_FLOAT", "R16G16B16A16_SFLOAT"),
    ("R32G32B32X32_FLOAT", "R32G32B32A32_SFLOAT"), ("R32G32B32X32_SINT", "R32G32B32A32_SINT"),
    ("R11G11B10_FLOAT", "B10G11R11_UFLOAT_PACK32"), ("R9G9B9E5_FLOAT", "E5B9G9R9_UFLOAT_PACK32"),
    ("A8_SNORM", "R8_SNORM"), ("A16_SNORM", "R16_SNORM"), ("L8_UNORM", "R8_UNORM"), ("L16A16_SNORM", "R16G16_SNORM"),
    ("L8A8_UNORM", "R8G8_UNORM"), ("A32_UINT", "R32_UINT"), ("L32A32_SINT", "R32G32_SINT"), ("L16_UINT", "R16_UINT"),
    ("Z16_UNORM", "D16_UNORM"), ("Z24X8_UNORM", "X8_D24_UNORM_PACK32"), ("Z32_FLOAT", "D32_SFLOAT"),
    ("Z24_UNORM_S8_UINT", "D24_UNORM_S8_UINT"), ("Z32_FLOAT_S8X24_UINT", "D32_SFLOAT_S8_UINT"), ("S8_UINT", "S8_UINT"),
    ("DXT1_RGB", "BC1_RGB_UNORM_BLOCK"), ("DXT5_SRGBA", "BC3_SRGB_BLOCK"), ("RGTC2_SNORM", "BC5_SNORM_BLOCK"),
    ("LATC1_UNORM", "BC4_UNORM_BLOCK"), ("LATC2_SNORM", "BC5_SNORM_BLOCK"), ("BPTC_RGB_UFLOAT", "BC6H_UFLOAT_BLOCK"),
]
# fmt: on

EVERYTHING: Final = VulkanFacts()


@pytest.mark.parametrize(("pipe", "vulkan"), SEEN)
def test_pipe_format_has_the_vulkan_format_that_was_seen(pipe: str, vulkan: str) -> None:
    assert vulkan_format(pipe, EVERYTHING) == vulkan


def test_table_names_formats_that_exist_on_both_sides() -> None:
    assert [pipe_format(pipe).name for pipe in table()] == list(table())
    assert set(table().values()) <= set(vulkan_formats())
    assert set(REPLACED) | set(REPLACED.values()) | set(PROMISED) <= set(vulkan_formats())


@pytest.mark.parametrize("pipe", ["I8_UNORM", "R8G8B8X8_UINT", "R10G10B10A2_SINT", "NV12", "NONE", "R64_FLOAT"])
def test_formats_without_a_counterpart_have_none(pipe: str) -> None:
    """Intensity and unused channels of unsigned integers, among others."""
    assert vulkan_format(pipe, EVERYTHING) is None


def test_24_bit_depth_that_is_missing_is_kept_as_float() -> None:
    """With stencil too; a device that has it keeps it."""
    without = VulkanFacts(formats={"D32_SFLOAT": FormatMasks(0, 1)})
    assert vulkan_format("Z24X8_UNORM", without) == "D32_SFLOAT"
    assert vulkan_format("Z24_UNORM_S8_UINT", without) == "D32_SFLOAT_S8_UINT"
    assert vulkan_format("X24S8_UINT", without) == "D32_SFLOAT_S8_UINT"
    there = VulkanFacts(formats={"X8_D24_UNORM_PACK32": FormatMasks(0, 1)})
    assert vulkan_format("Z24X8_UNORM", there) == "X8_D24_UNORM_PACK32"


@pytest.mark.parametrize(
    ("pipe", "feature"), [("B4G4R4A4_UNORM", "formatA4R4G4B4"), ("R4G4B4A4_UNORM", "formatA4B4G4R4")]
)
def test_4444_formats_of_the_extension_need_their_feature(pipe: str, feature: str) -> None:
    formats = {vulkan: FormatMasks(1, 1) for vulkan in table().values()}
    assert vulkan_format(pipe, VulkanFacts(formats=formats)) is None
    assert vulkan_format(pipe, VulkanFacts(formats=formats, features=frozenset({feature}))) == table()[pipe]


def test_format_is_named_by_number_and_by_any_of_its_names() -> None:
    assert format_name(37) == format_name("VK_FORMAT_R8G8B8A8_UNORM") == "R8G8B8A8_UNORM"
    assert format_name("VK_FORMAT_G8B8G8R8_422_UNORM_KHR") == "G8B8G8R8_422_UNORM"
    assert format_name(2_000_000_000) == "2000000000"
    assert format_name("VK_FORMAT_R128_UNORM") == "R128_UNORM"


def test_feature_bits_have_the_values_of_the_specification() -> None:
    """Those that samplers look at, and the one beyond 32 bits."""
    bits = feature_bits()
    assert bits["SAMPLED_IMAGE"] == 1
    assert bits["SAMPLED_IMAGE_FILTER_LINEAR"] == 0x1000
    assert bits["SAMPLED_IMAGE_FILTER_MINMAX"] == 0x10000
    assert bits["SAMPLED_IMAGE_DEPTH_COMPARISON"] == 0x2_0000_0000


def test_format_table_shows_channels_and_kind() -> None:
    assert vulkan_formats()["A2B10G10R10_UINT_PACK32"][2:] == ((("A", 2), ("B", 10), ("G", 10), ("R", 10)), "UINT")
    assert vulkan_formats()["D24_UNORM_S8_UINT"].channels == (("D", 24), ("S", 8))
