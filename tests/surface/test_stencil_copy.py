"""`statetracker.surface.copies.small_copy`: an image in a small tree of its own, read through its description."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError, SurfaceRefused
from statetracker.surface import Tiling, address
from statetracker.surface.copies import small_copy
from statetracker.surface.override import override
from statetracker.surface.stencil import stencil_tree, w_to_y


def test_an_image_off_the_grid_is_read_from_its_copy() -> None:
    """Layer 1 of 100x50 begins at row 50, 2 mod 4: refused; its copy is described from the start of a tile."""
    tree = stencil_tree(6, (100, 50), layers=3, layout_of="isl")
    with pytest.raises(SurfaceRefused, match="stencil_offset"):
        override(tree, layer=1)
    small, _ = small_copy(tree, np.zeros(tree.row_pitch_B * tree.rows // 2, np.uint8), layer=1)
    described = override(small)
    assert (described.base_offset_B, described.tile_x, described.tile_y) == (0, 0, 0)
    assert (described.uniforms["base_w"], described.uniforms["base_h"]) == (100, 50)


@given(
    some.sampled_from([6, 7]), some.sampled_from(["isl", "plain"]), some.integers(1, 150), some.integers(1, 90),
    some.sampled_from([1, 4]), some.data(),
)  # fmt: skip
def test_every_texel_is_in_the_copy_as_the_sampler_sees_it(
    gen: int, layout: str, width: int, height: int, samples: int, data: some.DataObject
) -> None:
    """Of every sample, through the Y-tiled description; and nothing of other images."""
    levels = data.draw(some.integers(1, max(width, height).bit_length())) if samples == 1 else 1
    tree = stencil_tree(gen, (width, height), levels=levels, layers=3, samples=samples, layout_of=layout)
    level, layer = data.draw(some.integers(0, levels - 1)), data.draw(some.integers(0, 2))
    memory = np.random.default_rng(width).integers(1, 256, tree.row_pitch_B * tree.rows // 2, np.uint8)
    small, copied = small_copy(tree, memory, level=level, layer=layer)
    described = override(small, mode="static")
    wide, high = tree.level_size(level)
    ys, xs = np.mgrid[:high, :wide]
    for sample in range(samples):
        x, y = w_to_y(*small.place(xs, ys, sample=sample))
        seen = copied[described.base_offset_B + address(Tiling.Y, x, y, described.row_pitch_B)]
        there = address(Tiling.W, *tree.place(xs, ys, level=level, layer=layer, sample=sample), tree.row_pitch_B)
        assert (seen == memory[there]).all()
    assert np.count_nonzero(copied) == wide * high * samples


def test_what_cannot_be_copied_is_refused() -> None:
    """An image that is not there, or memory that is not the tree's."""
    tree = stencil_tree(6, (8, 8))
    memory = np.zeros(4096, np.uint8)
    with pytest.raises(ArgumentError, match="layer=1"):
        small_copy(tree, memory, layer=1)
    with pytest.raises(ArgumentError, match="4096 bytes"):
        small_copy(tree, memory[:-1])
