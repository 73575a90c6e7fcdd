"""The border colour as a shader would read it: clamped to the format, then through the view's swizzle.

Source: docs/shader_lowering.md (measured on Mesa 22.3.6: llvmpipe, lavapipe).
"""

from __future__ import annotations

import re
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.pipe.formats import pipe_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.pipe.formats import PipeFormat

    Words = tuple[int, int, int, int]

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
