"""The texels that a reference texture unit reads, the shape of each target, and the levels that a sample reads.

A level is an array of shape (layers, depth, height, width, 4): layers of arrays (six faces a layer for cubes), depth of
3D textures, both 1 elsewhere; a 1D texture has height 1. Row 0 is t = 0. Four channels, already as a shader would see
them: expanded to RGBA, sRGB decoded, depth in channel 0. See docs/reference_unit.md. Source of levels: OpenGL 4.6, 8.14
(8.14.1 scale factor and level of detail, 8.14.2 minification, 8.14.3 magnification).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.errors import ArgumentError
from statetracker.pipe import SamplerState, TexFilter, TexMipfilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from statetracker.reference.wraps import Floats, Indices


class TargetShape(NamedTuple):
    """A target: how many axes it filters along, whether it has layers, and what is special about it."""

    axes: int
    layered: bool
    cube: bool = False
    unnormalized: bool = False

    @property
    def coordinates(self) -> int:
        """Numbers in one sample's coordinate: axes (three for a direction), then the layer."""
        return (3 if self.cube else self.axes) + self.layered


# fmt: off
TARGETS: Final = {
    #                          axes  layered
    "1d":         TargetShape(1,     False),
    "1d-array":   TargetShape(1,     True),
    "2d":         TargetShape(2,     False),
    "2d-array":   TargetShape(2,     True),
    "rect":       TargetShape(2,     False, unnormalized=True),
    "3d":         TargetShape(3,     False),
    "cube":       TargetShape(2,     False, cube=True),
    "cube-array": TargetShape(2,     True,  cube=True),
}
# fmt: on

#: What the texels are -> the type of their channels, and whether a comparison value is first limited to [0, 1].
KINDS: Final = {
    "float": (np.float64, False),
    "unorm": (np.float64, False),
    "snorm": (np.float64, False),
    "unorm-depth": (np.float64, True),
    "int": (np.int64, False),
    "uint": (np.int64, False),
}


class Texels:
    """A texture's content: its target, its levels from the base level on, and what its channels are.

    Args:
        target: A key of `TARGETS`.
        levels: Arrays of shape (layers, depth, height, width, 4); axes that the target lacks may be left out: a 2D
            level is (height, width, 4), a 1D array's (layers, width, 4), a cube's (6, size, size, 4), a 3D level
            (depth, height, width, 4).
        kind: A key of `KINDS`.

    Raises:
        ArgumentError: A shape that does not fit the target, or levels that do not halve.
    """

    def __init__(self, target: str, levels: Sequence[ArrayLike], *, kind: str = "float") -> None:
        if target not in TARGETS:
            raise ArgumentError("target", target, accepted=", ".join(TARGETS))
        if kind not in KINDS:
            raise ArgumentError("kind", kind, accepted=", ".join(KINDS))
        if not levels:
            raise ArgumentError("levels", levels, accepted="at least one level")
        self.target = target
        self.shape: TargetShape = TARGETS[target]
        self.kind = kind
        self.clamps_reference = KINDS[kind][1]
        self.levels = tuple(self._level(np.asarray(level, KINDS[kind][0])) for level in levels)
        #: One array a level with a texel a row, for `fetch`.
        self.rows = tuple(np.ascontiguousarray(level.reshape(-1, 4)) for level in self.levels)
        for number, level in enumerate(self.levels[1:], 1):
            self._check_halved(number, level)

    def size(self, level: int) -> tuple[int, ...]:
        """Width, height, depth of a level: as many as the target has axes."""
        _, depth, height, width, _ = self.levels[level].shape
        return (width, height, depth)[: self.shape.axes]

    @property
    def layers(self) -> int:
        """Layers of an array (a cube array's whole cubes); 1 elsewhere."""
        count: int = self.levels[0].shape[0]
        return count // 6 if self.shape.cube else count

    def _level(self, level: NDArray[Any]) -> NDArray[Any]:
        stacked = self.shape.layered or self.shape.cube
        wanted = stacked + self.shape.axes + 1
        full = 5
        if level.ndim == wanted != full:
            layers = level.shape[0] if stacked else 1
            sizes = level.shape[stacked:-1]
            level = level.reshape(layers, *(1,) * (3 - len(sizes)), *sizes, level.shape[-1])
        if level.ndim != full or level.shape[-1] != 4 or 0 in level.shape:
            raise ArgumentError("level", level.shape, accepted=f"{wanted} dimensions, the last of four channels")
        if (not stacked and level.shape[0] > 1) or max(level.shape[1 : 4 - self.shape.axes], default=1) > 1:
            raise ArgumentError("level", level.shape, accepted=f"1 for each axis that {self.target} lacks")
        faces = level.shape[0] % 6 == 0 if self.shape.layered else level.shape[0] == 6
        if self.shape.cube and (not faces or level.shape[2] != level.shape[3]):
            raise ArgumentError("level", level.shape, accepted="six square faces a cube")
        return level

    def _check_halved(self, number: int, level: NDArray[Any]) -> None:
        base = self.levels[0].shape
        axes = self.shape.axes
        halved = (base[0], *(max(1, size >> number) for size in base[1:4]), 4)
        kept = tuple(have if place in {0, *range(4 - axes, 4)} else base[place] for place, have in enumerate(halved))
        if level.shape != kept:
            raise ArgumentError(f"level {number}", level.shape, accepted=str(kept))


class Choice(NamedTuple):
    """For each sample: whether its image filter is linear, its two levels, and the second's weight."""

    linear: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    first: Indices
    second: Indices
    weight: Floats


def lod_of(dx: Floats, dy: Floats, size: Sequence[int], *, unnormalized: bool = False) -> Floats:
    """Return the level of detail for derivatives (n, axes) of the coordinate: log2 of the longer footprint in texels.

    A footprint of length 0 gives minus infinity. This is the formula that GL calls ideal; others are allowed.
    """
    scale = np.ones(len(size)) if unnormalized else np.asarray(size, np.float64)
    longest = np.maximum(np.linalg.norm(dx * scale, axis=-1), np.linalg.norm(dy * scale, axis=-1))
    with np.errstate(divide="ignore"):
        lod: Floats = np.log2(longest)
    return lod


def choose(state: SamplerState, lod: Floats, levels: int) -> Choice:
    """Choose filters and levels.

    ``lod`` is the level of detail before the sampler's bias and limits, one a sample; NaN counts as 0. ``levels`` is
    how many the texture has, from its base level on.

    The sampler's ``lod_bias`` is added and the sum limited to ``min_lod`` and ``max_lod``; at 0 and below the
    magnification filter reads the base level. Half a level belongs to the finer one.
    """
    with np.errstate(invalid="ignore"):
        biased = np.nan_to_num(lod, nan=0.0) + state.lod_bias
    limited = np.minimum(np.maximum(biased, state.min_lod), state.max_lod)
    magnified = limited <= 0
    last = levels - 1
    linear = np.where(magnified, state.mag_img_filter == TexFilter.LINEAR, state.min_img_filter == TexFilter.LINEAR)
    first = np.zeros(len(lod), np.int64)
    second, weight = first, np.zeros(len(lod))
    if state.min_mip_filter == TexMipfilter.NEAREST:
        nearest = np.ceil(np.clip(limited, 0, last) + 0.5) - 1
        first = second = np.where(magnified, 0, np.clip(nearest, 0, last)).astype(np.int64)
    elif state.min_mip_filter == TexMipfilter.LINEAR:
        level = np.where(magnified, 0, np.clip(limited, 0, last))
        below = np.floor(level)
        first = below.astype(np.int64)
        second, weight = np.minimum(first + 1, last), level - below
    return Choice(linear, first, second, weight)
