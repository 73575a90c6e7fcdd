"""Texels that an axis reads: the eight wraps, each as one row; and cube maps, whose faces go on beyond their edges.

A coordinate u = s * N + offset (rectangles: s + offset) is folded; then floor(u) is read (nearest), or floor(u - 0.5)
and the next (linear); an index outside 0 to N - 1 is resolved to the border, the edge, or by repetition. Of a cube,
`face_of` says which face a direction meets and where, `across_the_edge` which texel lies beyond a face's edge. Source:
OpenGL 4.6 compatibility profile, 8.13 (table 8.19), 8.13.1 (seamless cube map filtering), 8.14.2 and 8.14.3;
GL_EXT_texture_mirror_clamp.
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


#: Face -> (the major axis and its sign, then the axis and sign of s and of t). Source: GL 4.6, table 8.19.
# fmt: off
FACES: Final = (
    #   major       s           t
    ((0, 1.0),  (2, -1.0),  (1, -1.0)),   # +x
    ((0, -1.0), (2, 1.0),   (1, -1.0)),   # -x
    ((1, 1.0),  (0, 1.0),   (2, 1.0)),    # +y
    ((1, -1.0), (0, 1.0),   (2, -1.0)),   # -y
    ((2, 1.0),  (0, 1.0),   (1, -1.0)),   # +z
    ((2, -1.0), (0, -1.0),  (1, -1.0)),   # -z
)
# fmt: on
_MAJOR_AXIS: Final = np.array([row[0][0] for row in FACES])
_S_AXIS, _S_SIGN = (np.array([row[1][part] for row in FACES]) for part in (0, 1))
_T_AXIS, _T_SIGN = (np.array([row[2][part] for row in FACES]) for part in (0, 1))


def face_of(direction: Floats) -> tuple[Indices, Floats, Floats]:
    """Return the face that each direction (n, 3) meets, and s and t on it, in [0, 1].

    Where two components are equally large z wins over y, and y over x. A direction of length 0 gives face +z at
    (0.5, 0.5).
    """
    size = np.abs(direction)
    axis = np.where(
        (size[:, 2] >= size[:, 0]) & (size[:, 2] >= size[:, 1]), 2, np.where(size[:, 1] >= size[:, 0], 1, 0)
    )
    rows = np.arange(len(direction))
    major = direction[rows, axis]
    face = 2 * axis + (major < 0)
    scale = np.where(major == 0, 1.0, np.abs(major))
    s = _S_SIGN[face] * direction[rows, _S_AXIS[face]] / scale
    t = _T_SIGN[face] * direction[rows, _T_AXIS[face]] / scale
    return face, (s + 1) / 2, (t + 1) / 2


def direction_of(face: Indices, s: Floats, t: Floats) -> Floats:
    """Return a direction (n, 3) that meets a face at (s, t); the inverse of `face_of` inside a face."""
    rows = np.arange(len(face))
    direction = np.zeros((len(face), 3))
    direction[rows, _MAJOR_AXIS[face]] = np.where(face % 2, -1.0, 1.0)
    direction[rows, _S_AXIS[face]] = _S_SIGN[face] * (2 * s - 1)
    direction[rows, _T_AXIS[face]] = _T_SIGN[face] * (2 * t - 1)
    return direction


def across_the_edge(face: Indices, x: Indices, y: Indices, size: int) -> tuple[Indices, Indices, Indices]:
    """Return the texel (face, x, y) that continues a face at indices one beyond its edge; those inside stay.

    At a corner, where both indices are outside, three faces meet and no texel continues: the result is one of the
    two that share an edge with the corner, and callers must not use it.
    """
    outside = (x < 0) | (x >= size) | (y < 0) | (y >= size)
    if not outside.any():
        return face, x, y
    met, s, t = face_of(direction_of(face, (x + 0.5) / size, (y + 0.5) / size))
    column = np.clip(np.floor(s * size), 0, size - 1).astype(np.int64)
    row = np.clip(np.floor(t * size), 0, size - 1).astype(np.int64)
    return np.where(outside, met, face), np.where(outside, column, x), np.where(outside, row, y)
