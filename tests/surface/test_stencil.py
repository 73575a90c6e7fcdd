"""W-tiled stencil for a sampler that cannot read it: translations, trees, overrides, refusals."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError, SurfaceRefused
from statetracker.surface import Tiling, address
from statetracker.surface.copies import small_copy
from statetracker.surface.override import override
from statetracker.surface.stencil import decode_sample, encode_sample, stencil_tree, w_to_block, w_to_y, y_to_w

places = some.integers(0, 1 << 16)


def test_translation_names_the_same_byte_over_two_by_two_tiles() -> None:
    """By the tilings' own table, not by the formula."""
    for x, y in product(range(128), repeat=2):
        assert address(Tiling.W, x, y, 256) == address(Tiling.Y, *w_to_y(x, y), 256)


@given(places, places, some.integers(0, 100), some.integers(0, 100))
def test_translations_undo_each_other_and_add_up_on_the_grid_of_eight_by_four(
    x: int, y: int, across: int, down: int
) -> None:
    """The reason for every alignment rule; four bytes are an element of the block view."""
    tx, ty = w_to_y(x, y)
    assert y_to_w(tx, ty) == (x, y)
    assert w_to_y(x + 8 * across, y + 4 * down) == (tx + 16 * across, ty + 2 * down)
    column, row, channel = w_to_block(x, y)
    assert (4 * column + channel, row) == (tx, ty)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "u8"])
@pytest.mark.parametrize("translated", [w_to_y, y_to_w, w_to_block, lambda x, y: encode_sample(x, y, x, 16)])
def test_arrays_of_any_integers_give_what_integers_do(translated: Any, kind: str) -> None:
    place = np.array([127], kind)
    assert [part.tolist() for part in translated(place, place)] == [[n] for n in translated(127, 127)]


@pytest.mark.parametrize("samples", [1, 2, 4, 8, 16])
def test_samples_fill_the_physical_rectangle(samples: int) -> None:
    """A bijection for even sizes, undone by its inverse."""
    seen = {encode_sample(x, y, s, samples) for x, y, s in product(range(6), range(4), range(samples))}
    assert len(seen) == 6 * 4 * samples
    wide, high = {1: (1, 1), 2: (2, 1), 4: (2, 2), 8: (4, 2), 16: (4, 4)}[samples]
    assert seen == set(product(range(6 * wide), range(4 * high)))
    for x, y, s in product(range(6), range(4), range(samples)):
        assert decode_sample(*encode_sample(x, y, s, samples), samples) == (x, y, s)


@pytest.mark.parametrize("layout_of", ["plain", "isl"])
@pytest.mark.parametrize("gen", [6, 7, 7.5])
def test_no_two_texels_share_a_byte(gen: float, layout_of: str) -> None:
    """All levels and layers of an odd size, inside the tree's memory."""
    tree = stencil_tree(gen, (37, 21), levels=6, layers=3, layout_of=layout_of)
    taken = set()
    for level in range(tree.levels):
        width, height = tree.level_size(level)
        for layer, x, y in product(range(3), range(width), range(height)):
            taken.add(address(Tiling.W, *tree.place(x, y, level=level, layer=layer), tree.row_pitch_B))
    assert len(taken) == 3 * sum(w * h for w, h in map(tree.level_size, range(6)))
    assert max(taken) < tree.row_pitch_B * tree.rows // 2


@pytest.mark.parametrize(("level", "layer"), list(product(range(5), range(3))))
def test_static_override_of_generation_6_reaches_its_image(level: int, layer: int) -> None:
    """Base address, tile offset and translation together lead to the byte that the tree has."""
    tree = stencil_tree(6, (100, 75), levels=5, layers=3)
    described = override(tree, level=level, layer=layer)
    width, height = tree.level_size(level)
    assert (described.tile_x % 4, described.tile_y % 2, described.uniforms["base_w"]) == (0, 0, width)
    for x, y in product({0, width // 2, width - 1}, {0, height // 2, height - 1}):
        column, row = w_to_y(x, y)
        assert column < described.width
        assert row < described.height
        seen = described.base_offset_B + address(
            Tiling.Y, column + described.tile_x, row + described.tile_y, described.row_pitch_B
        )
        assert seen == address(Tiling.W, *tree.place(x, y, level=level, layer=layer), tree.row_pitch_B)


def test_dynamic_override_describes_the_whole_tree() -> None:
    """Twice as wide, half as high, one level, one sample; offsets for the shader."""
    seen = override(stencil_tree(7, (100, 75), levels=3, layers=2))
    assert (seen.tiling, seen.format, seen.width, seen.height, seen.samples) == ("Y", "R8_UINT", 208, 216, 1)
    assert seen.uniforms["offsets"] == ((0, 0, 216), (0, 80, 216), (56, 80, 216))
    assert "twice the logical pitch" in str(seen)
    none = override(stencil_tree(8, (64, 64)))
    assert not none.needed
    assert "nothing to do: the sampler of generation 8 reads W-tiled stencil" in str(none)


def test_view_follows_the_size_limit() -> None:
    """8192 texels are 16384 bytes, which generation 7 can describe; eight samples make a pixel four wide."""
    assert override(stencil_tree(7, (8192, 4))).view == "byte"
    wide = override(stencil_tree(7, (8193, 4)))
    assert (wide.view, wide.format, wide.width) == ("block", "R8G8B8A8_UINT", 4100)
    assert override(stencil_tree(7, (8192, 4), samples=8)).width == 16384
    for size, more, samples in (((8193, 4), {"view": "byte"}, 1), ((8194, 4), {}, 8)):
        with pytest.raises(SurfaceRefused, match="stencil_width"):
            override(stencil_tree(7, size, samples=samples), **more)  # type: ignore[arg-type]


def test_trees_have_physical_sizes_and_pitches() -> None:
    assert stencil_tree(7, (33, 17), samples=8).physical == (136, 36)
    assert stencil_tree(7, (100, 75), row_pitch_B=512).row_pitch_B == 512
    with pytest.raises(ArgumentError, match="6 and later"):
        stencil_tree(5, (8, 8))
    with pytest.raises(ArgumentError, match="layer=1"):
        stencil_tree(6, (8, 8)).place(0, 0, layer=1)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"levels": 8}, "levels"), ({"levels": 0}, "levels"), ({"samples": 4, "levels": 2}, "levels"),
        ({"samples": 2}, "samples"), ({"samples": 3}, "samples"), ({"layers": 0}, "size, layers"),
        ({"row_pitch_B": 64}, "row_pitch_B"), ({"row_pitch_B": 300}, "row_pitch_B"),
        ({"layout_of": "guess"}, "layout_of"),
    ],
)  # fmt: skip
def test_bad_trees_are_refused_by_field(arguments: dict[str, int], field: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        stencil_tree(7, (100, 75), **arguments)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert caught.value.accepted


@pytest.mark.parametrize(("field", "accepted"), [("mode", "dynamic, static"), ("view", "byte, block")])
@pytest.mark.parametrize("value", ["x", "", 3, ["byte"]])
@pytest.mark.parametrize("gen", [7, 8])
def test_a_mode_or_view_that_does_not_exist_is_refused(field: str, accepted: str, value: Any, gen: int) -> None:
    """With the names there are, whether an override is needed or not."""
    with pytest.raises(ArgumentError) as caught:
        override(stencil_tree(gen, (8, 8)), **{field: value})
    assert (caught.value.field, caught.value.value, caught.value.accepted) == (field, value, accepted)


@pytest.mark.parametrize("size", [(8, 8, 8), (8,), "ab", 8, None, (8.5, 8), ("8", "8")])
def test_a_size_that_is_no_width_and_height_is_refused(size: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        stencil_tree(7, size)
    assert (caught.value.field, caught.value.accepted) == ("size", "(width, height), two whole numbers")


@pytest.mark.parametrize(("gen", "limit"), [(6, 8192), (7, 16384), (7.5, 16384), (8, 16384)])
@pytest.mark.parametrize("layout_of", ["plain", "isl"])
def test_a_tree_is_no_larger_than_the_generation_s_largest_surface(gen: float, limit: int, layout_of: str) -> None:
    for size in ((limit, 4), (4, limit)):
        assert stencil_tree(gen, size, layout_of=layout_of).size == size
    for size in ((limit + 1, 4), (4, limit + 1)):
        with pytest.raises(ArgumentError, match=f"accepted: 1 to {limit} each"):
            stencil_tree(gen, size, layout_of=layout_of)


@pytest.mark.parametrize("mode", ["dynamic", "static"])
@pytest.mark.parametrize("image", [{"level": 4}, {"level": -1}, {"layer": 2}, {"layer": -1}])
def test_an_image_that_the_tree_lacks_is_refused_in_every_mode(mode: str, image: dict[str, int]) -> None:
    with pytest.raises(ArgumentError) as caught:
        override(stencil_tree(7, (8, 8), levels=4, layers=2), mode=mode, **image)  # type: ignore[arg-type]
    ((field, value),) = image.items()
    assert (caught.value.field, caught.value.value) == (field, value)


def test_an_image_off_the_grid_is_read_from_its_copy() -> None:
    """Layer 1 of 100x50 begins at row 50, 2 mod 4: refused; its copy is described from the start of a tile."""
    tree = stencil_tree(6, (100, 50), layers=3, layout_of="isl")
    assert tree.offsets[0, 1][1] % 4 == 2
    with pytest.raises(SurfaceRefused, match="stencil_offset"):
        override(tree, layer=1)
    assert override(tree, mode="dynamic").needed
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
