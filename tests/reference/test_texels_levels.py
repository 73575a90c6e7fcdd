"""The level of detail, its limits, and the choice of filter and levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from statetracker.pipe import SamplerState
from statetracker.reference.texels import choose, lod_of


def state(mip: str, **fields: Any) -> SamplerState:
    """Minify linearly, magnify to the nearest."""
    return SamplerState(min_img_filter="LINEAR", min_mip_filter=mip, max_lod=1000.0).replace(**fields)


def test_lod_is_the_logarithm_of_the_longer_footprint() -> None:
    """Four texels one way, two the other: level 2."""
    assert lod_of(np.array([[4 / 64, 0]]), np.array([[0, 2 / 32]]), (64, 32)) == [2.0]
    assert lod_of(np.array([[4.0, 0]]), np.array([[0, 2.0]]), (64, 32), unnormalized=True) == [2.0]
    assert lod_of(np.zeros((1, 2)), np.zeros((1, 2)), (64, 32)) == [-np.inf]


def test_at_zero_and_below_the_texture_is_magnified() -> None:
    """GL's constant c is 0."""
    assert choose(state("NONE"), np.array([-1.0, 0.0, 0.001]), 1).linear.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("lod", "level"), [(-5, 0), (0.5, 0), (0.51, 1), (1.5, 1), (1.51, 2), (9, 3), (np.inf, 3), (np.nan, 0)]
)
def test_nearest_level_takes_half_down(lod: float, level: int) -> None:
    """Half a level belongs to the finer one."""
    assert choose(state("NEAREST"), np.array([lod]), 4).first == [level]


def test_linear_mixes_two_levels_and_stops_at_the_last() -> None:
    seen = choose(state("LINEAR"), np.array([0.0, 1.25, 3.5]), 4)
    assert seen.first.tolist() == [0, 1, 3]
    assert seen.second.tolist()[1:] == [2, 3]
    assert seen.weight.tolist() == [0, 0.25, 0]


def test_bias_is_added_before_the_limits() -> None:
    """``min_lod`` and ``max_lod`` have the last word, the upper one the very last."""
    biased = state("LINEAR", lod_bias=1.5, min_lod=1.0, max_lod=2.0)
    seen = choose(biased, np.array([-9.0, 0.0, 9.0]), 8)
    assert (seen.first + seen.weight).tolist() == [1, 1.5, 2]
    crossed = state("NEAREST", min_lod=3.0, max_lod=1.0)
    assert choose(crossed, np.array([0.0]), 8).first == [1]


def test_without_mip_filter_the_base_level_is_read() -> None:
    """But the limits still choose between the image filters."""
    seen = choose(state("NONE", min_lod=0.25), np.array([-3.0]), 4)
    assert (seen.first[0], seen.linear[0]) == (0, True)
