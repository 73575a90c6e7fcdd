"""Places of images, computed when asked for: as many layers as a driver can count cost nothing."""

from __future__ import annotations

import pytest

from statetracker.errors import ArgumentError
from statetracker.surface import drawing, miptree
from statetracker.surface.mip_tree import ImagePlaces
from statetracker.surface.stencil import stencil_tree

MOST = 2**32 - 1


def test_places_are_a_mapping_of_every_level_and_layer() -> None:
    places = ImagePlaces({2: (0, 0), 3: (8, 4)}, layers=3, layer_rows=10)
    assert dict(places) == {(level, n): (x, y + 10 * n) for level, x, y in ((2, 0, 0), (3, 8, 4)) for n in range(3)}
    assert (len(places), list(places)[:2]) == (6, [(2, 0), (2, 1)])
    assert [places.get(image) for image in ((1, 0), (3, 3), (3, -1))] == [None] * 3


def test_layers_of_the_older_tree_cost_nothing() -> None:
    mt = miptree("6", "2D_ARRAY", "Z16", (64, 64), layers=MOST, levels=(0, 6))
    assert len(mt.offsets) == 7 * MOST
    assert mt.offsets[1, MOST - 1] == (0, 64 + (MOST - 1) * mt.qpitch)
    assert mt.total[1] == MOST * mt.qpitch
    assert str(MOST) in repr(mt.offsets)
    assert (MOST, 0) not in mt.offsets


def test_trees_of_any_number_of_layers_are_compared() -> None:
    one, other = (miptree("6", "2D_ARRAY", "Z16", (64, high), layers=MOST, levels=(0, 6)) for high in (64, 128))
    assert one == miptree("6", "2D_ARRAY", "Z16", (64, 64), layers=MOST, levels=(0, 6))
    assert one.offsets != other.offsets
    small = ImagePlaces({0: (0, 0)}, layers=2, layer_rows=8)
    assert small == {(0, 0): (0, 0), (0, 1): (0, 8)}
    assert small != ImagePlaces({0: (0, 0)}, layers=2, layer_rows=9)
    assert ImagePlaces({0: (0, 0)}, layer_rows=8) == ImagePlaces({0: (0, 0)}, layer_rows=9)


def test_layers_of_a_stencil_tree_cost_nothing() -> None:
    tree = stencil_tree(7, (64, 64), layers=MOST)
    assert tree.place(1, 2, layer=MOST - 1) == (1, 2 + (MOST - 1) * tree.layer_rows)
    isl = stencil_tree(6, (64, 64), levels=3, layers=20_000, layout_of="isl")
    assert isl.place(1, 2, level=2, layer=19_999) == (64 + 1, 20_032 * 64 + 19_999 * 64 + 2 - 32 * 64)


def test_more_images_than_can_be_seen_are_not_drawn() -> None:
    with pytest.raises(ArgumentError, match="65536 in a picture"):
        drawing(miptree("6", "2D_ARRAY", "Z16", (64, 64), layers=MOST))
    assert len(drawing(miptree("6", "2D_ARRAY", "Z16", (64, 64), layers=1000)).images) == 1000


@pytest.mark.parametrize("layers", [0, -1, MOST + 1, 10**12, 2.5, "TRND", True])
def test_layers_that_no_driver_can_count_are_refused(layers: int) -> None:
    with pytest.raises(ArgumentError, match=r"layers=.*a whole number from 1 to 4294967295"):
        miptree("6", "2D_ARRAY", "Z16", (64, 64), layers=layers)
