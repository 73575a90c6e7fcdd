"""Mip levels that a sample reads: the level of detail, its bias and limits, and the choice of filter.

Source: OpenGL 4.6, 8.14 (8.14.1 scale factor and level of detail, 8.14.2 minification, 8.14.3 magnification).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from statetracker.pipe import SamplerState, TexFilter, TexMipfilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.reference.wraps import Floats, Indices


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
