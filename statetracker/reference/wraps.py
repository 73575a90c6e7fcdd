"""Texels that an axis reads: the eight wraps, each as one row.

A coordinate u = s * N + offset (rectangles: s + offset) is folded; then floor(u) is read (nearest), or floor(u - 0.5)
and the next (linear); an index outside 0 to N - 1 is resolved to the border, the edge, or by repetition. Source: OpenGL
4.6 compatibility profile, 8.14.2 and 8.14.3; GL_EXT_texture_mirror_clamp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from statetracker.pipe import TexWrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]

#: The index that stands for the border colour.
BORDER: Final = -1

_FAR: Final = 2.0**50


class Taps(NamedTuple):
    """The texels that one axis reads: two indices (`BORDER` for the border) and the weight of the second."""

    first: Indices
    second: Indices
    weight: Floats


def _clip(low: float, high: float) -> Callable[[Floats, int], Floats]:
    """Limit u to [low, N + high]: beyond, nothing changes any more, and indices stay small."""
    return lambda u, texels: np.clip(u, low, texels + high)


def _fold_to(high: float) -> Callable[[Floats, int], Floats]:
    """Mirror u at zero, then limit it to N + high."""
    return lambda u, texels: np.minimum(np.abs(u), texels + high)


def _both_ways(u: Floats, texels: int) -> Floats:
    """Limit u to [-N - 1, N + 1]."""
    return np.clip(u, -texels - 1, texels + 1)


def _period(times: int) -> Callable[[Floats, int], Floats]:
    """Take u modulo a multiple of N."""
    return lambda u, texels: u - times * texels * np.floor(u / (times * texels))


def _edge(index: Indices, texels: int) -> Indices:
    return np.clip(index, 0, texels - 1)


def _border(index: Indices, texels: int) -> Indices:
    return np.where((index < 0) | (index >= texels), BORDER, index)


def _turned(index: Indices, texels: int) -> Indices:
    """Mirror the index itself: GL defines this wrap so, and a gather below 0 gives its texels in mirrored order."""
    return np.minimum(np.where(index < 0, -1 - index, index), texels - 1)


def _repeat(index: Indices, texels: int) -> Indices:
    return np.mod(index, texels)


def _mirror(index: Indices, texels: int) -> Indices:
    turned = np.mod(index, 2 * texels)
    return np.where(turned < texels, turned, 2 * texels - 1 - turned)


def finite(u: Floats) -> Floats:
    """Replace NaN by 0 and limit infinities to where a double still counts single texels."""
    return np.clip(np.nan_to_num(u), -_FAR, _FAR)


class WrapRule(NamedTuple):
    """One wrap: how u is folded, and how an index outside is resolved, with linear and with nearest filtering."""

    fold: Callable[[Floats, int], Floats]
    linear: Callable[[Indices, int], Indices]
    nearest: Callable[[Indices, int], Indices]


# fmt: off
WRAPS: Final[Mapping[TexWrap, WrapRule]] = {
    #                                         fold            linear    nearest
    TexWrap.REPEAT:                  WrapRule(_period(1),     _repeat,  _repeat),
    TexWrap.CLAMP:                   WrapRule(_clip(0, 0),    _border,  _edge),
    TexWrap.CLAMP_TO_EDGE:           WrapRule(_clip(-1, 1),   _edge,    _edge),
    TexWrap.CLAMP_TO_BORDER:         WrapRule(_clip(-1, 1),   _border,  _border),
    TexWrap.MIRROR_REPEAT:           WrapRule(_period(2),     _mirror,  _mirror),
    TexWrap.MIRROR_CLAMP:            WrapRule(_fold_to(0),    _border,  _edge),
    TexWrap.MIRROR_CLAMP_TO_EDGE:    WrapRule(_both_ways,     _turned,  _turned),
    TexWrap.MIRROR_CLAMP_TO_BORDER:  WrapRule(_fold_to(1),    _border,  _border),
}
# fmt: on


def nearest_tap(wrap: TexWrap, u: Floats, texels: int) -> Indices:
    """Return the index that nearest filtering reads at texel coordinate u; NaN reads as 0."""
    rule = WRAPS[wrap]
    return rule.nearest(np.floor(rule.fold(finite(u), texels)).astype(np.int64), texels)


def linear_taps(wrap: TexWrap, u: Floats, texels: int) -> Taps:
    """Return the two indices that linear filtering reads at texel coordinate u, and the second's weight; NaN as 0."""
    rule = WRAPS[wrap]
    place = rule.fold(finite(u), texels) - 0.5
    below = np.floor(place)
    first = below.astype(np.int64)
    return Taps(rule.linear(first, texels), rule.linear(first + 1, texels), place - below)
