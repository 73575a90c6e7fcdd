"""`LoweringValues`: the numbers of a lowering, which may change from state to state, as an element of a uniform block.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from math import isfinite
from struct import Struct
from typing import Final, NamedTuple

from statetracker.errors import ArgumentError

_ELEMENT: Final = Struct("<4I4f4f")
#: Bytes of an element, in std140.
ELEMENT_BYTES: Final = _ELEMENT.size
_SHARES: Final = (0.0, 0.5, 1.0)


class LoweringValues(NamedTuple):
    """The numbers that the shader reads for one sampler.

    border    the border colour as the view shows it, four words: bits of floats, or integers; of a comparison the
              first is the border's depth
    k         for s, t, r the least weight of the edge texel: 0 CLAMP_TO_BORDER, 0.5 GL_CLAMP, 1 every other wrap
    lod_bias  the LOD bias that the device's sampler has, in levels
    rest      levels to add to it: the part beyond the device's limit
    min_lod   the least level of detail that the state allows; max_lod the greatest; either may be infinite
    """

    border: tuple[int, int, int, int] = (0, 0, 0, 0)
    k: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lod_bias: float = 0.0
    rest: float = 0.0
    min_lod: float = -1000.0
    max_lod: float = 1000.0

    def to_bytes(self) -> bytes:
        """The element: border, k and lod_bias, rest, min_lod, max_lod and 0. A max_lod below min_lod is min_lod.

        Raises `ArgumentError` for a k that is not 0, 0.5 or 1, for a NaN, and for an infinite bias.
        """
        if len(self.k) != len("str") or any(share not in _SHARES for share in self.k):
            raise ArgumentError("k", self.k, accepted="0, 0.5 or 1 for each of s, t and r")
        for name in ("lod_bias", "rest"):
            if not isfinite(getattr(self, name)):
                raise ArgumentError(name, getattr(self, name), accepted="a finite number of levels")
        for name in ("min_lod", "max_lod"):
            if getattr(self, name) != getattr(self, name):
                raise ArgumentError(name, getattr(self, name), accepted="a number of levels, or infinity")
        limits = self.min_lod, max(self.min_lod, self.max_lod)
        return _ELEMENT.pack(*self.border, *self.k, self.lod_bias, self.rest, *limits, 0.0)
