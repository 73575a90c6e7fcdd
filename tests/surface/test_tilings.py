"""Tilings: worked addresses, the table of bits against the closed forms, whole surfaces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.errors import ArgumentError, UnknownName
from statetracker.surface.batch import detile_surface, tile_surface
from statetracker.surface.tilings import (
    BITS,
    TILE_B,
    TILES,
    Tiling,
    address,
    coordinate,
    offset_in_tile,
    position_in_tile,
    tile,
    tile_offset,
)

BYTES = sorted(BITS)


def from_bits(tiling: Tiling, u: int, v: int) -> int:
    parts = {"u": u, "v": v}
    return sum((parts[bit[0]] >> int(bit[1:]) & 1) << (11 - i) for i, bit in enumerate(BITS[tiling]))


@pytest.mark.parametrize("tiling", BYTES)
def test_closed_forms_are_the_table_of_bits_at_every_byte_of_a_tile(tiling: Tiling) -> None:
    size = TILES[tiling]
    seen = set()
    for v in range(size.height):
        for u in range(size.width_B):
            offset = offset_in_tile(tiling, u, v)
            assert offset == from_bits(tiling, u, v)
            assert position_in_tile(tiling, offset) == (u, v)
            seen.add(offset)
    assert seen == set(range(TILE_B))


@given(st.sampled_from([*BYTES, Tiling.LINEAR]), st.integers(1, 40), st.integers(0, 1 << 24), st.booleans())
def test_coordinate_undoes_address(tiling: Tiling, tiles: int, where: int, swizzle: bool) -> None:
    pitch = 512 * tiles
    x, y = coordinate(tiling, where, pitch, bit6_swizzle=swizzle)
    assert address(tiling, x, y, pitch, bit6_swizzle=swizzle) == where


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "i4", "u8"])
@pytest.mark.parametrize("tiling", [*BYTES, Tiling.LINEAR])
def test_arrays_of_any_integers_give_what_integers_do(tiling: Tiling, kind: str) -> None:
    place, pitch = np.array([127], kind), 1 << 26
    assert address(tiling, place, place, pitch).tolist() == [address(tiling, 127, 127, pitch)]
    assert [part.tolist() for part in coordinate(tiling, place, pitch)] == [[n] for n in coordinate(tiling, 127, pitch)]
    found = tile_offset(tiling, 8, pitch, place, place)
    assert [part.tolist() for part in found] == [[n] for n in tile_offset(tiling, 8, pitch, 127, 127)]


@given(
    st.sampled_from([*BYTES, Tiling.LINEAR]),
    st.integers(1, 150),
    st.integers(1, 150),
    st.sampled_from(["u1", "u2", "u4", "u8"]),
    st.integers(0, 2),
    st.booleans(),
)
def test_detiling_undoes_tiling_and_both_agree_with_addresses(
    tiling: Tiling, width: int, height: int, kind: str, more: int, swizzle: bool
) -> None:
    rng = np.random.default_rng(width * 1000 + height)
    image = rng.integers(0, 255, (height, width), "u1").astype(kind)
    width_B = width * image.itemsize
    size = TILES.get(tiling)
    pitch = width_B + more if size is None else (-(-width_B // size.width_B) + more) * size.phys_width_B
    memory = tile_surface(image, tiling, pitch, bit6_swizzle=swizzle)
    back = detile_surface(memory, tiling, pitch, width_B=width_B, height=height, bit6_swizzle=swizzle)
    assert np.array_equal(back.view(kind), image)
    y, x = np.mgrid[:height, :width_B]
    where = address(tiling, x, y, pitch, bit6_swizzle=swizzle)
    assert np.array_equal(memory[where], image.view("u1"))
    columns, rows = coordinate(tiling, where, pitch, bit6_swizzle=swizzle)
    assert np.array_equal(columns, x)
    assert np.array_equal(rows, y)
    assert memory.sum(dtype=int) == image.view("u1").sum(dtype=int)


def test_an_element_of_96_bits_lies_in_three_tiles_unless_linear() -> None:
    assert tile("Y", 96) == (32, 32, 128, 32, 3, 32)
    assert tile("LINEAR", 96) == (1, 1, 12, 1, 1, 96)
    assert tile_offset("Y", 96, 128 * 6, 33, 40) == (4096 * 6 + 4096 * 3, 1, 8)


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        *((lambda t=t, p=p: address(t, 0, 0, p), ArgumentError, "row_pitch_B")
          for t, p in (("X", 128), ("Y", 100), ("W", 64), ("Y", 0), ("LINEAR", -1))),
        (lambda: address("Z", 0, 0, 128), UnknownName, "'Z'"),
        (lambda: address("HIZ", 0, 0, 128), ArgumentError, "HIZ"),
        (lambda: tile("W", 32), ArgumentError, "bpb"),
        (lambda: tile_surface(np.zeros((2, 130), "u1"), "Y", 128), ArgumentError, "hold 130 bytes"),
        (lambda: detile_surface(np.zeros(100, "u1"), "Y", 128), ArgumentError, "whole rows of tiles"),
        (lambda: detile_surface(np.zeros(4096, "u1"), "Y", 128, width_B=129), ArgumentError, "at most"),
    ],
)  # fmt: skip
def test_what_cannot_be_tiled_is_refused(asked: Callable[[], object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        asked()
