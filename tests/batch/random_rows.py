"""Rows of random samplers, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from statetracker import batch
from statetracker.gl.sampler import FAMILIES

if TYPE_CHECKING:
    from statetracker.batch.rows import Array

__all__ = ["random_floats", "random_rows"]

_BOUNDARY: Final = (0.0, -0.0, 1e-45, -1e-45, 0.49999997 / 256, 0.5 / 256, -0.5 / 256, 1.0, 15.999999, 16.0, -16.0)
_ODD: Final = np.array([*_BOUNDARY, 31.5, -32.0, 1e3, -1e3, np.nan, np.inf, -np.inf, 3e38, -3e38], np.float32)
_WORDS: Final = np.array([0, 1, 0x80000000, 0x3F800000, 0x7FC00001, 0xFFFFFFFF], np.uint32)


def random_floats(chance: np.random.Generator, count: int, span: float) -> Array:
    """Floats of a span, boundary values, halves of the bias grid, and any bits."""
    kinds = (
        chance.uniform(-span, span, count).astype(np.float32),
        chance.choice(_ODD, count),
        ((chance.integers(-5000, 5000, count) + 0.5) / 256).astype(np.float32),
        chance.integers(0, 1 << 32, count, np.uint32).view(np.float32),
    )
    kinds[-1].view(np.uint32)[np.isnan(kinds[-1])] |= 1 << 22  # a Python float cannot keep a signalling NaN
    picked: Array = np.choose(chance.integers(0, len(kinds), count), kinds)
    return picked


def random_rows(chance: np.random.Generator, count: int) -> Array:
    """Samplers, each member by itself."""
    rows = np.zeros(count, batch.SAMPLER)
    for field, family in FAMILIES.items():
        rows[field] = chance.choice(np.array([int(value) for value in family], np.uint16), count)
    rows["cube_map_seamless"] = chance.integers(0, 2, count)
    anisotropy = random_floats(chance, count, 40.0)
    rows["max_anisotropy"] = np.where(anisotropy < 1.0, np.float32(1.0), anisotropy)
    for field in ("lod_bias", "min_lod", "max_lod"):
        rows[field] = random_floats(chance, count, 20.0)
    shape = count, 4
    words = np.where(chance.random(shape) < 0.5, chance.choice(_WORDS, shape), chance.integers(0, 1 << 32, shape))
    rows["border_color"] = words * (chance.random((count, 1)) < 0.8)
    return rows
