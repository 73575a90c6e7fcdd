"""A custom border colour with its format: the VkFormat to send, and the colour that it can hold.

Source: docs/vulkan_samplers.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statetracker.caps.vulkan_names import vulkan_formats
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan.border_choice import CustomBorderColor
from statetracker.vulkan.ranges import ColorRange, color_range, into_range, is_integer_format

if TYPE_CHECKING:
    from statetracker.caps.facts import VulkanFacts
    from statetracker.pipe.formats import PipeFormat

    Words = tuple[int, int, int, int]

__all__ = ["float_channels", "format_and_words"]

#: Pipe formats with depth, by a part of their name -> the depth alone.
_DEPTH_ONLY: Final = {"Z16": "Z16_UNORM", "Z24": "Z24X8_UNORM", "Z32": "Z32_FLOAT"}

#: A channel of padding in a pipe format's name; DXT5 has none.
_PADDING: Final = re.compile(r"X\d")
_PLACES: Final = {"D": 0, "R": 0, "G": 1, "B": 2, "A": 3}
_ONE: Final = 0x3F800000
_ALL_ONES: Final = 0xFFFFFFFF


def format_and_words(
    name: str, words: Words, facts: VulkanFacts, *, integer: bool, every: bool
) -> CustomBorderColor | None:
    """The VkFormat to send for a pipe format, and the colour clamped to it; None where the two do not go together.

    every   every channel is clamped to what the format holds; otherwise as zink clamps them
    """
    pipe = pipe_format(name)
    if pipe.has_depth or pipe.has_stencil:
        if integer:
            fmt = None if every and not pipe.has_stencil else "S8_UINT"
        else:
            depth = next((depth for mark, depth in _DEPTH_ONLY.items() if mark in name), None)
            fmt = None if depth is None else vulkan_format(depth, facts)
    else:
        fmt = vulkan_format(name, facts)
        if fmt is not None and every and is_integer_format(fmt) != integer:
            fmt = None
    span = None if fmt is None else color_range(fmt)
    if fmt is None or span is None:
        return None
    if every:
        return CustomBorderColor(into_range(span, words), fmt)
    return CustomBorderColor(_as_zink(words, pipe, fmt, span), fmt)


def _as_zink(words: Words, pipe: PipeFormat, fmt: str, span: ColorRange) -> Words:
    """Clamp as zink does: integers to their channel, sRGB to [0, 1]; a channel of padding gets all there is."""
    if pipe.has_depth or pipe.has_stencil:
        return into_range(span, words) if fmt == "S8_UINT" else words
    there = {letter for letter, _ in vulkan_formats()[fmt].channels}
    looked_at = there if pipe.is_pure_integer or pipe.is_srgb else set()
    bounds = tuple(bound if letter in looked_at else None for letter, bound in zip("RGBA", span.bounds, strict=True))
    clamped = into_range(ColorRange(span.kind, bounds), words)
    if _PADDING.search(pipe.name.partition("_")[0]) is None:
        return clamped
    kind = vulkan_formats()[fmt].kind
    padding = 0x7FFFFFFF if span.kind != "float" else _ALL_ONES if kind == "SFLOAT" else _ONE
    return (*clamped[:3], padding)


def float_channels(fmt: str) -> tuple[int, ...]:
    """The channels of a VkFormat of floats, to which GL does not clamp a border; of any other format none."""
    row = vulkan_formats()[fmt]
    if row.kind not in {"SFLOAT", "UFLOAT"}:
        return ()
    return tuple(_PLACES[letter] for letter, _ in row.channels)
