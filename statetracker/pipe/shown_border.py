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

__all__ = ["SELECTORS", "shown_border"]

#: What a channel of a view may be: a component, zero or one.
SELECTORS: Final = "XYZW01"

_FLOAT: Final = Struct("<f")
_WORD: Final = Struct("<I")
_ONE: Final = 0x3F800000
_SIGN: Final = 1 << 31
#: A channel in a pipe format's name, and the components that it is.
_CHANNEL: Final = re.compile(r"([RGBALIS])(\d+)")
_COMPONENTS: Final = {"R": "X", "G": "Y", "B": "Z", "A": "W", "L": "XYZ", "I": "XYZW", "S": "X"}


def shown_border(words: Sequence[int], fmt: str | PipeFormat, swizzle: str) -> Words:
    """Give the border colour that a view shows.

    words    four words: bits of floats, or integers where the format is one
    fmt      pipe format of the view
    swizzle  of the view, four letters of ``XYZW01``: the texture's composed with its base format's

    Of a float format nothing is clamped; a NaN in a clamped channel is 0.
    """
    known = pipe_format(fmt)
    one = 1 if known.is_pure_integer else _ONE
    x, y, z, w = (
        {"0": 0, "1": one}[letter] if letter in "01" else _clamped(words[SELECTORS.index(letter)], known, letter)
        for letter in swizzle
    )
    return x, y, z, w


def _clamped(word: int, fmt: PipeFormat, component: str) -> int:
    """A word of one component, ``X`` to ``W``, within what the format holds."""
    kind, bits = _kind(fmt.name)
    width = bits.get(component, max(bits.values(), default=32))
    if kind == "UINT":
        return min(word, (1 << width) - 1)
    if kind == "SINT":
        signed = word - (1 << 32) if word & _SIGN else word
        most = (1 << width - 1) - 1
        return max(-most - 1, min(signed, most)) & 0xFFFFFFFF
    if kind == "FLOAT":
        return word
    (value,) = _FLOAT.unpack(_WORD.pack(word))
    least = -1.0 if kind == "SNORM" else 0.0
    bounded = min(max(value, least), 1.0) if value == value else 0.0  # noqa: PLR0124 (not NaN)
    return word if bounded == value else int(_WORD.unpack(_FLOAT.pack(bounded))[0])


@cache
def _kind(name: str) -> tuple[str, dict[str, int]]:
    """The kind of a format's numbers, and the bits of its components; depth counts before stencil."""
    words = name.split("_")
    if pipe_format(name).has_depth:
        return ("FLOAT" if "FLOAT" in words else "UNORM"), {}
    kind = next((word for word in words if word in {"UINT", "SINT", "SNORM", "FLOAT"}), "UNORM")
    if "UFLOAT" in words or "SFLOAT" in words:
        kind = "FLOAT"
    bits = {component: int(width) for letter, width in _CHANNEL.findall(name) for component in _COMPONENTS[letter]}
    return kind, bits
