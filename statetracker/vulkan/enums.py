"""Vulkan's sampler enums: the C names without their prefixes, with the C values; how a border colour reaches a device.

`vk_name` gives the full name back, as `to_dict` forms and reports have it. Source: Vulkan 1.3, 13 "Samplers",
VkBorderColor; docs/vulkan_samplers.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Filter(IntEnum):
    """``VkFilter``."""

    NEAREST = 0
    LINEAR = 1
    CUBIC_EXT = 1000015000


class SamplerMipmapMode(IntEnum):
    """``VkSamplerMipmapMode``. There is no NONE: level 0 alone is selected by the lods."""

    NEAREST = 0
    LINEAR = 1


class SamplerAddressMode(IntEnum):
    """``VkSamplerAddressMode``."""

    REPEAT = 0
    MIRRORED_REPEAT = 1
    CLAMP_TO_EDGE = 2
    CLAMP_TO_BORDER = 3
    MIRROR_CLAMP_TO_EDGE = 4


class CompareOp(IntEnum):
    """``VkCompareOp``: the numbers of ``PIPE_FUNC_*``."""

    NEVER = 0
    LESS = 1
    EQUAL = 2
    LESS_OR_EQUAL = 3
    GREATER = 4
    NOT_EQUAL = 5
    GREATER_OR_EQUAL = 6
    ALWAYS = 7


class BorderColor(IntEnum):
    """``VkBorderColor``."""

    FLOAT_TRANSPARENT_BLACK = 0
    INT_TRANSPARENT_BLACK = 1
    FLOAT_OPAQUE_BLACK = 2
    INT_OPAQUE_BLACK = 3
    FLOAT_OPAQUE_WHITE = 4
    INT_OPAQUE_WHITE = 5
    FLOAT_CUSTOM_EXT = 1000287003
    INT_CUSTOM_EXT = 1000287004


class SamplerReductionMode(IntEnum):
    """``VkSamplerReductionMode``: the numbers of ``PIPE_TEX_REDUCTION_*``."""

    WEIGHTED_AVERAGE = 0
    MIN = 1
    MAX = 2


class ComponentSwizzle(IntEnum):
    """``VkComponentSwizzle``."""

    IDENTITY = 0
    ZERO = 1
    ONE = 2
    R = 3
    G = 4
    B = 5
    A = 6


class SamplerCreateFlag(IntFlag):
    """``VkSamplerCreateFlagBits``."""

    SUBSAMPLED_BIT_EXT = 1
    SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT = 2
    NON_SEAMLESS_CUBE_MAP_BIT_EXT = 4
    DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT = 8
    IMAGE_PROCESSING_BIT_QCOM = 16


#: What stands before a member's name in C: ``VK_SAMPLER_MIPMAP_MODE_`` for `SamplerMipmapMode`.
PREFIXES: Final[Mapping[type[IntEnum], str]] = {
    enum: f"VK{re.sub('(?=[A-Z])', '_', enum.__name__).upper()}_"
    for enum in (
        *(Filter, SamplerMipmapMode, SamplerAddressMode, CompareOp, BorderColor),
        *(SamplerReductionMode, ComponentSwizzle),
    )
}

_NAMES: Final = {enum: {int(m): prefix + m.name for m in enum} for enum, prefix in PREFIXES.items()}

#: Enum -> full C name -> number.
NUMBERS: Final = {enum: {name: number for number, name in names.items()} for enum, names in _NAMES.items()}

CUSTOM_COLORS: Final = (BorderColor.FLOAT_CUSTOM_EXT, BorderColor.INT_CUSTOM_EXT)
INTEGER_COLORS: Final = tuple(colour for colour in BorderColor if colour.name.startswith("INT_"))


def vk_name(enum: type[IntEnum], number: int) -> str:
    """Return the full C name of a member; a number that has none gives its digits."""
    return _NAMES[enum].get(number) or str(int(number))


class CustomBorderColor(NamedTuple):
    """``VkSamplerCustomBorderColorCreateInfoEXT``.

    Attributes:
        words: The colour, four words of 32 bits: floats or integers, as the border colour's enum says.
        format: A VkFormat without prefix.
    """

    words: tuple[int, int, int, int]
    format: str = "UNDEFINED"


class ComponentMapping(NamedTuple):
    """``VkSamplerBorderColorComponentMappingCreateInfoEXT``: the view's swizzle.

    Attributes:
        components: Four letters of ``RGBA01``, for r, g, b and a.
        srgb: The view's format is sRGB.
    """

    components: str
    srgb: bool = False


class BorderFallback(IntEnum):
    """The ways to give a border colour, finest first."""

    PREDEFINED = 0  # one of Vulkan's three colours of the right numeric type is that colour
    CUSTOM = 1  # a custom colour without a format: nothing is lost
    CUSTOM_FORMAT = 2  # a custom colour with the format that will be sampled: clamped to what that holds
    SWIZZLE_CORRECTED = 3  # the device needs the view's swizzle with the colour, and gets it
    IN_SHADER = 4  # the shader mixes it in; the sampler reads the edge, or transparent black
    NEAREST = 5  # the predefined colour nearest in value (zink: transparent black, whatever the colour)

    @property
    def label(self) -> str:
        """As output has it."""
        return self.name.lower().replace("_", "-")


class BorderChoice(NamedTuple):
    """One fallback, tried.

    Attributes:
        fallback: The border colour to use instead.
        possible: Whether it can carry the colour.
        border_color: VkBorderColor.
        custom: The colour and format to chain, or None.
        mapping: The swizzle to chain, or None.
        error: The largest error of a channel that a shader can see; infinite for NaN.
        because: Why it is possible, or why not.
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
