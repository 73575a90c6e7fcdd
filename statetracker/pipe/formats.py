"""Pipe formats: names, numbers, the few facts that samplers need, and the format a sampler view would have.

Names and numbers are rows of ``formats.csv``, read on first use. The facts follow from the name by one rule table: it
lists the channels (``L16A16``), then what kind of numbers they are (``SNORM``). `shown_border` is the border colour as
a shader would read it: clamped to the format, then through the view's swizzle. Source: docs/sampler_state.md (Mesa
22.3, recorded live); docs/shader_lowering.md (measured on Mesa 22.3.6: llvmpipe, lavapipe).
"""

from __future__ import annotations

import re
from functools import cache
from struct import Struct
from threading import RLock
from typing import TYPE_CHECKING, Final, NoReturn

from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    Words = tuple[int, int, int, int]

_BY_NAME: Final[dict[str, PipeFormat]] = {}
_BY_NUMBER: Final[dict[int, PipeFormat]] = {}
_LOADING: Final = RLock()

#: Reads the bits of a depth-stencil surface as a colour: a colour format in spite of its name.
_BITS_AS_COLOR: Final = "_AS_R8G8B8A8"

# fmt: off
#: A fact holds if the channels (the name's first word without its digits) are in the first column, or if any word of
#: the name (they stand between underscores) is in the second.
_RULES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    #                      channels  words
    "is_alpha":           (("A",),   ()),                                     # components (0, 0, 0, X)
    "is_luminance_alpha": (("LA",),  ("LATC2",)),                             # components (X, X, X, Y)
    "has_depth":          ((),       ("Z16", "Z24", "Z32", "Z24X8", "X8Z24")),
    "has_stencil":        ((),       ("S8", "S8X24", "X24S8")),
    "is_pure_integer":    ((),       ("UINT", "SINT")),                       # unless there is depth beside it
    "is_srgb":            ((),       ("SRGB", "SRGBA", "SRGB8", "SRGB8A1", "SRGBA8")),
}

#: The stencil part of a format, read alone. A format without a row has no stencil: NONE.
_STENCIL_ONLY: Final = {
    "Z24_UNORM_S8_UINT":    "X24S8_UINT",
    "S8_UINT_Z24_UNORM":    "S8X24_UINT",
    "Z32_FLOAT_S8X24_UINT": "X32_S8X24_UINT",
    "Z16_UNORM_S8_UINT":    "S8_UINT",                   # not in the recordings
    "S8_UINT":              "S8_UINT",
    "X24S8_UINT":           "X24S8_UINT",
    "S8X24_UINT":           "S8X24_UINT",
    "X32_S8X24_UINT":       "X32_S8X24_UINT",
}

#: sRGB formats whose linear form is not spelled with UNORM in place of SRGB. ASTC just drops the word.
_LINEAR: Final = {
    "DXT1_SRGB":    "DXT1_RGB",
    "DXT1_SRGBA":   "DXT1_RGBA",
    "DXT3_SRGBA":   "DXT3_RGBA",
    "DXT5_SRGBA":   "DXT5_RGBA",
    "BPTC_SRGBA":   "BPTC_RGBA_UNORM",
    "ETC2_SRGB8":   "ETC2_RGB8",
    "ETC2_SRGB8A1": "ETC2_RGB8A1",
    "ETC2_SRGBA8":  "ETC2_RGBA8",
}

#: Video formats: the format of the first plane, and the resource format that is kept instead where the driver uses it.
_FIRST_PLANE: Final = {
    #        first plane           kept as it is stored
    "NV12": ("R8_UNORM",           "R8_G8B8_420_UNORM"),
    "IYUV": ("R8_UNORM",           None),
    "P010": ("R16_UNORM",          None),
    "P012": ("R16_UNORM",          None),
    "P016": ("R16_UNORM",          None),
    "Y210": ("R16G16_UNORM",       None),
    "Y212": ("R16G16_UNORM",       None),
    "Y216": ("R16G16_UNORM",       None),
    "Y410": ("R10G10B10A2_UNORM",  None),
    "Y412": ("R16G16B16A16_UNORM", None),
    "Y416": ("R16G16B16A16_UNORM", None),
    "YUYV": ("R8G8_UNORM",         "R8G8_R8B8_UNORM"),
    "UYVY": ("R8G8_UNORM",         "G8R8_B8R8_UNORM"),
    "AYUV": ("R8G8B8A8_UNORM",     None),
    "XYUV": ("R8G8B8X8_UNORM",     None),
}
# fmt: on

_NO_DIGITS: Final = str.maketrans("", "", "0123456789")
_DEPTH_BASES: Final = ("DEPTH_COMPONENT", "DEPTH_STENCIL", "STENCIL_INDEX")

_FLOAT: Final = Struct("<f")
_WORD: Final = Struct("<I")
_ONE: Final = 0x3F800000
_SIGN: Final = 1 << 31
#: Kinds of numbers in a format's name; without one they are from 0 to 1.
_KINDS: Final = ("UINT", "SINT", "SNORM", "FLOAT", "UFLOAT")
#: Kinds that end at 1 -> where they begin.
_LEAST: Final = {"UNORM": 0.0, "SNORM": -1.0}
#: A channel in a pipe format's name, and its bits.
_CHANNEL: Final = re.compile(r"([RGBALIS])(\d+)")
#: Component -> the channel that it is in formats where channels differ.
_CHANNELS: Final = {"X": "R", "Y": "G", "Z": "B", "W": "A"}


class PipeFormat:
    """One pipe format. Treat it as a constant; there is one object a number.

    Args:
        name: ``PIPE_FORMAT_*`` without the prefix.
        number: The enum's value in Mesa 22.3.

    Attributes:
        is_alpha: A colour format that holds alpha alone: components (0, 0, 0, X).
        is_luminance_alpha: A colour format with components (X, X, X, Y): L8A8, L4A4, LATC2.
        has_depth: There is a depth part.
        has_stencil: There is a stencil part; X24S8 and its like are stencil alone.
        is_pure_integer: Every channel is an unnormalised integer.
        is_srgb: Colours are sRGB-encoded.
    """

    __slots__ = ("name", "number", *_RULES)

    is_alpha: bool
    is_luminance_alpha: bool
    has_depth: bool
    has_stencil: bool
    is_pure_integer: bool
    is_srgb: bool

    def __init__(self, name: str, number: int) -> None:
        words = [] if name.endswith(_BITS_AS_COLOR) else name.split("_")
        self.name = name
        self.number = number
        for fact in _RULES:
            setattr(self, fact, _holds(fact, words))
        self.is_pure_integer &= not self.has_depth

    def __repr__(self) -> str:
        """Show the name, which is enough to know which it is."""
        return f"PipeFormat({self.name})"


def pipe_format(value: str | int | PipeFormat) -> PipeFormat:
    """Look up a format.

    Args:
        value: A name with or without ``PIPE_FORMAT_``, a number of Mesa 22.3, or a format (returned as it is).

    Raises:
        UnknownName: Anything else, with the nearest names.
    """
    if isinstance(value, PipeFormat):
        return value
    if not _BY_NAME:
        _load()
    try:
        fmt = _BY_NAME.get(value.removeprefix("PIPE_FORMAT_")) if isinstance(value, str) else _BY_NUMBER.get(value)
    except TypeError:  # a list, for example
        fmt = None
    if fmt is None:
        _refuse(value)
    return fmt


def stencil_only(fmt: str | PipeFormat) -> PipeFormat:
    """Return the format that reads the stencil part alone; NONE for a format without stencil."""
    return pipe_format(_STENCIL_ONLY.get(pipe_format(fmt).name, "NONE"))


def linear(fmt: str | PipeFormat) -> PipeFormat:
    """Return the same format without sRGB decoding; a format that is not sRGB stays."""
    known = pipe_format(fmt)
    if not known.is_srgb:
        return known
    ending = "" if known.name.startswith("ASTC") else "_UNORM"
    return pipe_format(_LINEAR.get(known.name) or known.name.removesuffix("_SRGB") + ending)


def first_plane(fmt: str | PipeFormat, resource: str | PipeFormat) -> PipeFormat:
    """Return the format in which a sampler reads the first plane of a surface's video format.

    Where ``resource``, what the driver stores, is that format or the driver's own for it, there is nothing to map.
    """
    surface, stored = pipe_format(fmt), pipe_format(resource)
    plane, kept = _FIRST_PLANE.get(surface.name, (surface.name, None))
    return stored if stored is surface or stored.name == kept else pipe_format(plane)


def sampler_view_format(
    resource: str | PipeFormat,
    *,
    base_format: str,
    stencil_sampling: bool,
    skip_decode: bool,
    surface: str | PipeFormat | None = None,
) -> PipeFormat:
    """Return the format a sampler view of a texture has, as the border colour's quirks see it.

    Args:
        resource: What the driver stores the texture as.
        base_format: The base format of the texture's GL internal format, without ``GL_``.
        stencil_sampling: DEPTH_STENCIL_TEXTURE_MODE is STENCIL_INDEX; colour textures ignore it.
        skip_decode: SKIP_DECODE applies; to the border colour it does for bindless handles only.
        surface: The surface's format where the texture is made from one (video), else None.
    """
    stored = pipe_format(resource)
    viewed = stored if surface is None else pipe_format(surface)
    if base_format in _DEPTH_BASES and (stencil_sampling or base_format == "STENCIL_INDEX"):
        return stencil_only(viewed)
    if skip_decode:
        viewed = linear(viewed)
    return first_plane(viewed, stored)


def _holds(fact: str, words: list[str]) -> bool:
    channels, marks = _RULES[fact]
    return "".join(words[:1]).translate(_NO_DIGITS) in channels or any(word in marks for word in words)


def _refuse(value: object) -> NoReturn:
    from difflib import get_close_matches

    near = get_close_matches(value.upper(), _BY_NAME, n=3) if isinstance(value, str) else ()
    hint = f"Did you mean {' or '.join(near)}?" if near else ""
    raise UnknownName("pipe format", value, accepted="a PIPE_FORMAT name or number of Mesa 22.3", hint=hint)


def _load() -> None:
    """Read the formats: all at once, so that no other thread, and nothing after an interrupt, finds some of them."""
    from pathlib import Path

    with _LOADING, Path(__file__).with_name("formats.csv").open(encoding="ascii") as lines:
        if _BY_NAME:  # another thread came first
            return
        formats = {}
        for line in lines:
            name, _, number = line.rstrip().partition(",")
            if number.isdecimal() and not name.startswith("#"):
                formats[name] = PipeFormat(name, int(number))
        _BY_NUMBER.update({fmt.number: fmt for fmt in formats.values()})
        _BY_NAME.update(formats)


def shown_border(words: Sequence[int], fmt: str | PipeFormat, swizzle: str) -> Words:
    """Return the border colour that a view shows.

    Of a float format nothing is clamped; a NaN in a clamped channel is 0.

    Args:
        words: Four words: bits of floats, or integers where the format is one.
        fmt: Pipe format of the view.
        swizzle: Of the view, four letters of ``XYZW01``: the texture's composed with its base format's.
    """
    known = pipe_format(fmt)
    one = 1 if known.is_pure_integer else _ONE
    shown = {letter: _clamped(word, known, letter) for letter, word in zip(_CHANNELS, words, strict=True)}
    shown |= {"0": 0, "1": one}
    x, y, z, w = (shown[letter] for letter in swizzle)
    return x, y, z, w


def _clamped(word: int, fmt: PipeFormat, component: str) -> int:
    """Return a word of one component, ``X`` to ``W``, within what the format holds."""
    kind, bits = _kind(fmt.name)
    if kind == "UINT":
        return min(word, (1 << _width(bits, component)) - 1)
    if kind == "SINT":
        signed = word - (1 << 32) if word & _SIGN else word
        most = (1 << _width(bits, component) - 1) - 1
        return max(-most - 1, min(signed, most)) & 0xFFFFFFFF
    if kind not in _LEAST:
        return word
    (value,) = _FLOAT.unpack(_WORD.pack(word))
    bounded = min(max(value, _LEAST[kind]), 1.0) if value == value else 0.0  # noqa: PLR0124 (not NaN)
    return int(_WORD.unpack(_FLOAT.pack(bounded))[0])


def _width(bits: dict[str, int], component: str) -> int:
    """Bits of a component; where the format has no channel of that name, those of its widest."""
    return bits.get(_CHANNELS[component], max(bits.values()))


@cache
def _kind(name: str) -> tuple[str, dict[str, int]]:
    """Return the kind of a format's numbers, and the bits of its channels; depth counts before stencil."""
    kinds = ("FLOAT",) if pipe_format(name).has_depth else _KINDS
    kind = next((word for word in name.split("_") if word in kinds), "UNORM")
    return kind, {channel: int(width) for channel, width in _CHANNEL.findall(name)}
