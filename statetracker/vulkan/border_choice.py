"""How a border colour may reach a device: six ways, finest first, and the outcome of one.

==================  =======================================================================
predefined          one of Vulkan's three colours of the right numeric type is that colour
custom              a custom colour without a format: nothing is lost
custom-format       a custom colour with the format that will be sampled: clamped to what that holds
swizzle-corrected   the device needs the view's swizzle with the colour, and gets it
in-shader           the shader mixes it in; the sampler reads the edge, or transparent black
nearest             the predefined colour nearest in value (zink: transparent black, whatever the colour)
==================  =======================================================================

Source: docs/vulkan_samplers.md (Mesa 22.3.6, recorded live; Vulkan 1.3, VkBorderColor).
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from statetracker.vulkan.enums import BorderColor


class CustomBorderColor(NamedTuple):
    """``VkSamplerCustomBorderColorCreateInfoEXT``.

    words    the colour, four words of 32 bits: floats or integers, as the border colour's enum says
    format   a VkFormat without prefix
    """

    words: tuple[int, int, int, int]
    format: str = "UNDEFINED"


class ComponentMapping(NamedTuple):
    """``VkSamplerBorderColorComponentMappingCreateInfoEXT``: the view's swizzle.

    components   four letters of ``RGBA01``, for r, g, b and a
    srgb         the view's format is sRGB
    """

    components: str
    srgb: bool = False


class BorderFallback(IntEnum):
    """The ways to give a border colour, finest first."""

    PREDEFINED = 0
    CUSTOM = 1
    CUSTOM_FORMAT = 2
    SWIZZLE_CORRECTED = 3
    IN_SHADER = 4
    NEAREST = 5

    @property
    def label(self) -> str:
        """As output has it."""
        return self.name.lower().replace("_", "-")


class BorderChoice(NamedTuple):
    """One fallback, tried.

    fallback       which
    possible       whether it can carry the colour
    border_color   VkBorderColor
    custom         the colour and format to chain, or None
    mapping        the swizzle to chain, or None
    error          the largest error of a channel that a shader can see; infinite for NaN
    because        why it is possible, or why not
    """

    fallback: BorderFallback = BorderFallback.PREDEFINED
    possible: bool = True
    border_color: BorderColor = BorderColor.FLOAT_TRANSPARENT_BLACK
    custom: CustomBorderColor | None = None
    mapping: ComponentMapping | None = None
    error: float = 0.0
    because: str = ""

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        error = self.error if self.error != float("inf") else "inf"
        return {"fallback": self.fallback.label, "possible": self.possible, "error": error, "because": self.because}
