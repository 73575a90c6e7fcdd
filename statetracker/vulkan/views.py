"""The view that is sampled, and what a device can do with its format. Source: Vulkan 1.3, "Format Features"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.facts import PROMISED
from statetracker.caps.vulkan_names import FILTER_LINEAR, FILTER_MINMAX, SAMPLED_IMAGE
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.pipe.formats import pipe_format

if TYPE_CHECKING:
    from statetracker.caps.facts import VulkanFacts

_PROMISED_BITS: Final = SAMPLED_IMAGE | FILTER_LINEAR

#: Of VkFormatFeatureFlags2 alone.
DEPTH_COMPARISON: Final = 1 << 33

#: Beginnings of the pipe formats that Vulkan samples through a YCbCr conversion alone: video, and pairs of pixels.
_YCBCR: Final = re.compile(r"[AX]?YUV|YV|UYVY|IYUV|NV\d|P01\d|Y\d|\w+_4[024][024]_|R8G8_[RB]8|G8R8_[GB]8")

#: What a channel of a view may be: a component, zero or one.
SELECTORS: Final = "XYZW01"


class View(NamedTuple):
    """What is known of the image view that will be sampled.

    format    pipe format, without prefix
    swizzle   four letters of ``XYZW01``: the texture's swizzle composed with its format's, as the front end has it
    cube      whether it is a cube map; None: not known
    """

    format: str
    swizzle: str = "XYZW"
    cube: bool | None = None


def has_bit(facts: VulkanFacts, vulkan: str, bit: int) -> bool:
    """Whether optimally tiled images of a VkFormat can do something.

    True where the device does not report its formats, or not that bit: nothing is known against it. Of formats that
    come with a feature only what the feature promises is known.
    """
    if facts.formats is None or not facts.format_bits & bit:
        return True
    if vulkan in PROMISED:
        return PROMISED[vulkan] in facts.features and bool(bit & _PROMISED_BITS)
    masks = facts.formats.get(vulkan)
    return masks is not None and bool(masks.optimal & bit)


def _pipe_has(facts: VulkanFacts, pipe: str, bit: int) -> bool:
    vulkan = vulkan_format(pipe, facts)
    if vulkan is None:
        return facts.formats is None
    return has_bit(facts, vulkan, bit)


def can_swizzle(facts: VulkanFacts) -> bool:
    """Whether views can rearrange channels: always, but on a portability subset without the feature, as WebGPU is."""
    return "VK_KHR_portability_subset" not in facts.extensions or "imageViewFormatSwizzle" in facts.features


def is_ycbcr(pipe: str) -> bool:
    """Whether Vulkan samples a view of a pipe format, as it is, only through a YCbCr conversion."""
    return _YCBCR.match(pipe) is not None


def can_filter(facts: VulkanFacts, pipe: str) -> bool:
    """Whether a view of a pipe format can be filtered linearly; integers never can."""
    return not pipe_format(pipe).is_pure_integer and _pipe_has(facts, pipe, FILTER_LINEAR)


def can_reduce(facts: VulkanFacts, pipe: str) -> bool:
    """Whether a view of a pipe format can be reduced to its least or largest texel."""
    return _pipe_has(facts, pipe, FILTER_MINMAX)


def can_compare(facts: VulkanFacts, pipe: str) -> bool:
    """Whether depth in a view of a pipe format can be compared."""
    return _pipe_has(facts, pipe, DEPTH_COMPARISON)
