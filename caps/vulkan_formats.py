"""Vulkan's formats and their feature bits by name and number, and the VkFormat that stands for a pipe format.

The former are read on first use from ``vulkan_formats.csv`` and ``vulkan_format_bits.csv``, which
``tools/codegen/make_vulkan_formats.py`` writes from the Khronos registry; the latter from ``vulkan_pipe.csv``, as zink
chooses it for a device that has everything. `vulkan_format` replaces what a device lacks. View swizzles are not here.
Source: docs/vulkan_screens.md (Mesa 22.3, zink over lavapipe, recorded live).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.facts import PROMISED
from statetracker.files import csv_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps.facts import VulkanFacts

#: VkFormats that a device may lack -> what stands in.
REPLACED: Final[Mapping[str, str]] = {
    "X8_D24_UNORM_PACK32": "D32_SFLOAT",
    "D24_UNORM_S8_UINT": "D32_SFLOAT_S8_UINT",
}


class VulkanFormat(NamedTuple):
    """One VkFormat.

    Attributes:
        name: Without ``VK_FORMAT_``.
        number: The enum's value.
        channels: (letter, bits) in the registry's order; 0 bits in a compressed format; empty for UNDEFINED.
        kind: Of the first channel: UNORM, SNORM, USCALED, SSCALED, UINT, SINT, UFLOAT, SFLOAT, SRGB.
    """

    name: str
    number: int
    channels: tuple[tuple[str, int], ...]
    kind: str


@cache
def vulkan_formats() -> Mapping[str, VulkanFormat]:
    """Every VkFormat of the registry, by name without ``VK_FORMAT_``."""
    formats = {}
    for row in csv_rows(Path(__file__).with_name("vulkan_formats.csv")):
        parts = tuple((part[0], int(part[1:] or 0)) for part in row["channels"].split())
        formats[row["name"]] = VulkanFormat(row["name"], int(row["number"]), parts, row["kind"])
    return formats


@cache
def names_by_number() -> Mapping[int, str]:
    """Return number of a VkFormat -> its name without ``VK_FORMAT_``."""
    return {row.number: row.name for row in vulkan_formats().values()}


def format_name(value: str | int) -> str:
    """Name a format without ``VK_FORMAT_``.

    A number or name that the registry does not have is kept as it is: it is newer than this library.

    Args:
        value: A number, or a name with or without prefix; ``_KHR`` and ``_EXT`` at the end are dropped where the
            registry has the name without.
    """
    if isinstance(value, int):
        return names_by_number().get(value, str(value))
    name = value.removeprefix("VK_FORMAT_")
    bare = name.removesuffix("_KHR").removesuffix("_EXT")
    return bare if name not in vulkan_formats() and bare in vulkan_formats() else name


@cache
def feature_bits() -> Mapping[str, int]:
    """Masks of ``VkFormatFeatureFlags2`` by name, without ``VK_FORMAT_FEATURE_2_`` and ``_BIT``."""
    return {row["name"]: 1 << int(row["bit"]) for row in csv_rows(Path(__file__).with_name("vulkan_format_bits.csv"))}


@cache
def table() -> Mapping[str, str]:
    """Pipe format -> VkFormat, both without prefix, on a device that has everything; others have no VkFormat."""
    return {row["pipe"]: row["vulkan"] for row in csv_rows(Path(__file__).with_name("vulkan_pipe.csv"))}


def vulkan_format(pipe: str, facts: VulkanFacts) -> str | None:
    """Name the VkFormat, without ``VK_FORMAT_``, in which a device keeps a pipe format.

    None where there is none: no VkFormat corresponds, or a feature is missing. What is named may still be a format
    that the device cannot sample.

    Args:
        pipe: A pipe format without ``PIPE_FORMAT_``.
        facts: The device; where it reports no formats, it is taken to have all.
    """
    name = table().get(pipe)
    if name is None or facts.formats is None:
        return name
    if name in PROMISED and PROMISED[name] not in facts.features:
        return None
    if name in REPLACED and name not in facts.formats:
        return REPLACED[name]
    return name
