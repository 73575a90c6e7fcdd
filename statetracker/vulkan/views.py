"""The view that is sampled: what a device can do with its format, and through which swizzle it is seen.

`stored` gives how a screen keeps a GL internal format: the pipe format is the driver's choice (`Screen.stores`), the
VkFormat a rule of `statetracker.caps.vulkan_formats`; ``gl_formats.csv`` is the table for zink over lavapipe. Source:
Vulkan 1.3, "Format Features"; docs/vulkan_samplers.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.facts import FILTER_LINEAR, FILTER_MINMAX, PROMISED, SAMPLED_IMAGE
from statetracker.caps.vulkan_formats import vulkan_format, vulkan_formats
from statetracker.caps.webgpu import WEBGPU
from statetracker.files import csv_rows
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan.device import facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps import Screen
    from statetracker.caps.facts import VulkanFacts

_PROMISED_BITS: Final = SAMPLED_IMAGE | FILTER_LINEAR

#: Of VkFormatFeatureFlags2 alone.
DEPTH_COMPARISON: Final = 1 << 33

#: Beginnings of the pipe formats that Vulkan samples through a YCbCr conversion alone: video, and pairs of pixels.
_YCBCR: Final = re.compile(r"[AX]?YUV|YV|UYVY|IYUV|NV\d|P01\d|Y\d|\w+_4[024][024]_|R8G8_[RB]8|G8R8_[GB]8")

#: What a channel of a view may be: a component, zero or one.
SELECTORS: Final = "XYZW01"


class View(NamedTuple):
    """The known facts of the image view that will be sampled.

    Attributes:
        format: Pipe format, without prefix.
        swizzle: Four letters of ``XYZW01``: the texture's swizzle composed with its format's, as the front end has it.
        cube: Whether it is a cube map; None: not known.
    """

    format: str
    swizzle: str = "XYZW"
    cube: bool | None = None


def has_bit(facts: VulkanFacts, vulkan: str, bit: int) -> bool:
    """Return whether optimally tiled images of a VkFormat can do something.

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
    """Return whether views can rearrange channels: not on a portability subset without the feature, nor on WebGPU."""
    return "VK_KHR_portability_subset" not in facts.extensions or "imageViewFormatSwizzle" in facts.features


def is_ycbcr(pipe: str) -> bool:
    """Return whether Vulkan samples a view of a pipe format, as it is, only through a YCbCr conversion."""
    return _YCBCR.match(pipe) is not None


def can_filter(facts: VulkanFacts, pipe: str) -> bool:
    """Return whether a view of a pipe format can be filtered linearly; integers never can."""
    return not pipe_format(pipe).is_pure_integer and _pipe_has(facts, pipe, FILTER_LINEAR)


def can_reduce(facts: VulkanFacts, pipe: str) -> bool:
    """Return whether a view of a pipe format can be reduced to its least or largest texel."""
    return _pipe_has(facts, pipe, FILTER_MINMAX)


def can_compare(facts: VulkanFacts, pipe: str) -> bool:
    """Return whether depth in a view of a pipe format can be compared."""
    return _pipe_has(facts, pipe, DEPTH_COMPARISON)


# fmt: off
#: Kind of pipe format -> where each of X, Y, Z, W lies in the VkFormat it is kept as.
_PLACES: Final[Mapping[str, str]] = {
    #                      XYZW
    "depth-stencil":      "RRRR",
    "alpha":              "000R",
    "luminance":          "RRR1",
    "luminance-alpha":    "RRRG",
    "without-alpha":      "RGB1",
    "color":              "RGBA",
}
# fmt: on


class StoredFormat(NamedTuple):
    """A texture's format in memory and in its view.

    Attributes:
        internal_format: GL, without prefix.
        pipe_format: PIPE_FORMAT, without prefix.
        swizzle: The view's swizzle in Gallium: letters of ``XYZW01``.
        vulkan_format: VkFormat, without prefix; None where there is none.
        vulkan_swizzle: The view's swizzle in Vulkan: letters of ``RGBA01``.
    """

    internal_format: str
    pipe_format: str
    swizzle: str
    vulkan_format: str | None
    vulkan_swizzle: str


@cache
def _kind(name: str) -> str:
    fmt = pipe_format(name)
    if fmt.has_depth or fmt.has_stencil:
        return "depth-stencil"
    channels = name.partition("_")[0].translate(str.maketrans("", "", "0123456789"))
    if channels in ("L", "LATC") and not fmt.is_luminance_alpha:
        return "luminance"
    if fmt.is_luminance_alpha or name.startswith("LATC2"):
        return "luminance-alpha"
    if fmt.is_alpha:
        return "alpha"
    return "without-alpha" if channels.endswith("X") and len(channels) == 4 else "color"


def view_swizzle(pipe: str, swizzle: str) -> str:
    """Return the swizzle of a Vulkan image view.

    Depth that is read as alpha alone (``000X``) is red everywhere: GL's ALPHA mode, whose shader picks alpha.

    Args:
        pipe: Pipe format of the view, without prefix.
        swizzle: Letters of ``XYZW01``: which component each of red, green, blue and alpha is.

    Returns:
        Letters of ``RGBA01``.
    """
    kind = _kind(pipe)
    if kind == "depth-stencil" and swizzle == "000X":
        return "RRRR"
    placed = _PLACES[kind]
    return "".join(placed[SELECTORS.index(letter)] if letter in "XYZW" else letter for letter in swizzle)


def channels_of_one(pipe: str, swizzle: str, facts: VulkanFacts) -> str:
    """Channels of ``rgba`` in which a view reads transparent black as 1: those it sets, and alpha that is not there."""
    row = vulkan_formats().get(vulkan_format(pipe, facts) or "")
    lacks_alpha = row is not None and "A" not in dict(row.channels)
    pairs = zip("rgba", view_swizzle(pipe, swizzle), strict=True)
    return "".join(to for to, letter in pairs if letter == "1" or (letter == "A" and lacks_alpha))


def shader_swizzle(pipe: str, swizzle: str, facts: VulkanFacts, *, compares: bool) -> str:
    """Return the swizzle that is left to the shader, letters of ``RGBA01``; empty for none.

    ``compares``: depth is compared, and nothing but red is read.

    So on WebGPU alone, where borders are the shader's too. A colour reads as 0 in a channel that its format lacks, as 1
    in alpha; what depth reads as beside red is not said.
    """
    letters = view_swizzle(pipe, swizzle)
    if facts.driver != WEBGPU or can_swizzle(facts) or (compares and letters[0] == "R"):
        return ""
    row = vulkan_formats().get(vulkan_format(pipe, facts) or "")
    has = dict(row.channels) if row is not None and "R" in dict(row.channels) else "RGBA"
    plain = {letter: letter if letter in has else lacking for letter, lacking in zip("RGBA", "0001", strict=True)}
    return "" if [plain.get(letter, letter) for letter in letters] == [*plain.values()] else letters


def stored(internal_format: str, swizzle: str, screen: Screen) -> StoredFormat:
    """Return how a screen keeps a GL internal format.

    Args:
        internal_format: GL, with or without ``GL_``.
        swizzle: The format's own, letters of ``XYZW01``.
        screen: The device.

    Raises:
        UnknownName: An internal format that textures cannot have.
    """
    pipe = screen.stores(internal_format)
    vulkan = vulkan_format(pipe, facts_of(screen))
    return StoredFormat(internal_format.removeprefix("GL_"), pipe, swizzle, vulkan, view_swizzle(pipe, swizzle))


@cache
def gl_formats() -> Mapping[str, StoredFormat]:
    """Return the committed table, by GL internal format: what zink of Mesa 22.3.6 does over lavapipe."""
    rows = [StoredFormat(**row) for row in csv_rows(Path(__file__).with_name("gl_formats.csv"))]
    return {row.internal_format: row._replace(vulkan_format=row.vulkan_format or None) for row in rows}
