"""Values that a VkFormat can hold, by channel: a custom border colour must lie there; the format that goes with it.

Source: VUID-VkSamplerCreateInfo-borderColor-04442; Vulkan 1.3, "Formats" and "Numeric representation";
docs/vulkan_samplers.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.vulkan_formats import vulkan_format, vulkan_formats
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan.enums import CustomBorderColor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps.facts import VulkanFacts
    from statetracker.pipe.formats import PipeFormat

    Words = tuple[int, int, int, int]

_FLOATS: Final = Struct("<4f")
_WORDS: Final = Struct("<4I")
_HALF: Final = 65504.0
_SINGLE: Final = (2.0 - 2.0**-23) * 2.0**127
_INTEGERS: Final = ("UINT", "SINT")

# fmt: off
#: Floats without a sign, by the channel's bits.
_UFLOAT: Final = {11: 65024.0, 10: 64512.0, 9: 65408.0, 0: _HALF}
# fmt: on


class ColorRange(NamedTuple):
    """The range of a format's values.

    Attributes:
        kind: ``float``, ``int`` or ``uint``: how the colour's words are read.
        bounds: (least, most) of red, green, blue, alpha; None where a channel is not looked at.
    """

    kind: str
    bounds: tuple[tuple[float, float] | None, ...]


@cache
def color_range(name: str, *, stencil: bool = False) -> ColorRange | None:
    """Return what a VkFormat holds; None for UNDEFINED and for formats that the registry does not have.

    A channel that the format lacks counts as its widest one. Formats with depth look at red alone.

    Args:
        name: Without ``VK_FORMAT_``.
        stencil: Of a combined depth-stencil format, the stencil part.
    """
    row = vulkan_formats().get(name)
    if row is None or not row.channels:
        return None
    letters = dict(row.channels)
    if "D" in letters:
        return _depth(letters, stencil=stencil)
    widest = max(letters.values())
    bounds = tuple(_bounds(row.kind, letters.get(letter, widest)) for letter in "RGBA")
    kind = {"UINT": "uint", "SINT": "int"}.get(row.kind, "float")
    return ColorRange(kind, bounds)


def _depth(letters: dict[str, int], *, stencil: bool) -> ColorRange:
    others = (None, None, None)
    if stencil and "S" in letters:
        return ColorRange("uint", ((0, 255), *others))
    return ColorRange("float", ((-_SINGLE, _SINGLE) if letters["D"] == 32 else (0.0, 1.0), *others))


def _bounds(kind: str, bits: int) -> tuple[float, float]:
    if kind in ("UINT", "USCALED"):
        return 0, (1 << bits) - 1
    if kind in ("SINT", "SSCALED"):
        return -(1 << bits - 1), (1 << bits - 1) - 1
    if kind == "SNORM":
        return -1.0, 1.0
    if kind == "UFLOAT":
        return 0.0, _UFLOAT[bits]
    if kind == "SFLOAT":
        most = _HALF if bits in (0, 16) else _SINGLE  # compressed formats, of 0 bits, hold halves
        return -most, most
    return 0.0, 1.0


def is_integer_format(name: str) -> bool:
    """Return whether a VkFormat's numbers are integers: UINT, SINT, and stencil alone."""
    row = vulkan_formats().get(name)
    return row is not None and row.kind in _INTEGERS


def combined_depth_stencil(name: str) -> bool:
    """Return whether a VkFormat has depth and stencil."""
    row = vulkan_formats().get(name)
    return row is not None and {"D", "S"} <= {letter for letter, _ in row.channels}


def values(words: Sequence[int], kind: str) -> tuple[float, ...]:
    """Return a colour's four words, read as ``float``, ``int`` or ``uint``."""
    if kind == "uint":
        return tuple(words)
    if kind == "int":
        return tuple(word - (1 << 32) if word >> 31 else word for word in words)
    return _FLOATS.unpack(_WORDS.pack(*words))


def words_of(colour: Sequence[float], kind: str) -> tuple[int, int, int, int]:
    """Return the other way round; floats are rounded to float32."""
    if kind == "float":
        r, g, b, a = _WORDS.unpack(_FLOATS.pack(*colour))
    else:
        r, g, b, a = (int(value) & 0xFFFFFFFF for value in colour)
    return r, g, b, a


def holds(span: ColorRange, words: Sequence[int]) -> bool:
    """Return whether every channel that is looked at lies within its bounds; NaN lies nowhere."""
    return all(
        bound is None or bound[0] <= value <= bound[1]
        for bound, value in zip(span.bounds, values(words, span.kind), strict=True)
    )


def into_range(span: ColorRange, words: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the nearest colour that lies within; NaN becomes 0."""
    moved = list(words)
    for n, (bound, value) in enumerate(zip(span.bounds, values(words, span.kind), strict=True)):
        if bound is not None:
            nearest = 0.0 if value != value else min(max(value, bound[0]), bound[1])  # noqa: PLR0124 (the test for NaN)
            moved[n] = words_of([nearest] * 4, span.kind)[0]
    return moved[0], moved[1], moved[2], moved[3]


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
    """Return the VkFormat to send for a pipe format, and the colour clamped to it; None: they do not go together.

    With ``every`` each channel is clamped to what the format holds; otherwise as zink clamps them.
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
    """Return the channels of a VkFormat of floats, to which GL does not clamp a border; of any other format none."""
    row = vulkan_formats()[fmt]
    if row.kind not in {"SFLOAT", "UFLOAT"}:
        return ()
    return tuple(_PLACES[letter] for letter, _ in row.channels)
