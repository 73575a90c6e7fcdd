"""Tilings: where a byte of a surface lies in memory, and back. See docs/surfaces.md.

A tile is 4096 bytes; tiles follow each other row by row. A table of address bits says which bit of x (in bytes) and y
(in rows) each one is; all else follows from it, for integers and NumPy arrays. Row pitches are physical: a W tile is 64
by 64 texels but 128 bytes by 32 rows (the i965 driver of 2014 keeps half of that pitch).
"""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from statetracker.errors import ArgumentError, UnknownName
from statetracker.surface.units import wide

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    Coordinates = TypeVar("Coordinates", int, NDArray[Any])

#: Bytes of a tile, and the alignment of a tiled surface.
TILE_B: Final = 4096


class Tiling(StrEnum):
    """The arrangement of a surface's bytes. HIZ says where the blocks of a HiZ surface lie, tile by tile only."""

    LINEAR = "LINEAR"
    X = "X"
    Y = "Y"
    W = "W"
    HIZ = "HIZ"


class Tile(NamedTuple):
    """A tile of one tiling and element size.

    Attributes:
        width_el: The elements that a tile covers.
        height_el: The rows of elements that it covers.
        phys_width_B: Its footprint in memory, in bytes; not the logical one for W and HIZ.
        phys_height: Its footprint in rows.
        tiles_an_element: 3 for elements of three components, whose components lie in three tiles; else 1.
        bpb: Bits of an element (a third of it where an element lies in three tiles).
    """

    width_el: int
    height_el: int
    phys_width_B: int
    phys_height: int
    tiles_an_element: int
    bpb: int


class TileSize(NamedTuple):
    """A row of `TILES`.

    Attributes:
        width_B: Logical bytes a row.
        height: Logical rows.
        phys_width_B: Physical bytes a row.
        phys_height: Physical rows.
        bpb: The element sizes allowed, in bits.
    """

    width_B: int
    height: int
    phys_width_B: int
    phys_height: int
    bpb: tuple[int, ...]


_ANY_BPB: Final = (8, 16, 32, 64, 96, 128)

#: Tiled layouts. Logical and physical heights differ for W and HIZ: never derive one from the other.
TILES: Final[Mapping[Tiling, TileSize]] = {
    #                    logical   physical   elements
    Tiling.X:   TileSize(512,  8,  512,  8,   _ANY_BPB),
    Tiling.Y:   TileSize(128, 32,  128, 32,   _ANY_BPB),
    Tiling.W:   TileSize( 64, 64,  128, 32,   (8,)),
    Tiling.HIZ: TileSize(256, 16,  128, 32,   (128,)),
}  # fmt: skip

#: Which bit of x (u, in bytes) or y (v) each address bit inside a tile is, from bit 11 down to bit 0.
BITS: Final[Mapping[Tiling, tuple[str, ...]]] = {
    #            11    10    9     8     7     6     5     4     3     2     1     0
    Tiling.X: ("v2", "v1", "v0", "u8", "u7", "u6", "u5", "u4", "u3", "u2", "u1", "u0"),
    Tiling.Y: ("u6", "u5", "u4", "v4", "v3", "v2", "v1", "v0", "u3", "u2", "u1", "u0"),
    Tiling.W: ("u5", "u4", "u3", "v5", "v4", "v3", "v2", "u2", "v1", "u1", "v0", "u0"),
}

#: Address bits whose exclusive or is added to bit 6 where the memory controller swizzles.
SWIZZLE_BITS: Final[Mapping[Tiling, tuple[int, ...]]] = {Tiling.X: (9, 10), Tiling.Y: (9,), Tiling.W: (9,)}


def tiling_named(name: Tiling | str) -> Tiling:
    """Return a tiling by its name, in any case; raises `UnknownName`."""
    try:
        return Tiling(name.upper())
    except (ValueError, AttributeError):
        raise UnknownName("tiling", name, accepted=", ".join(Tiling)) from None


def tile(tiling: Tiling | str, bpb: int) -> Tile:
    """Return the tile of a tiling for elements of ``bpb`` bits.

    A LINEAR "tile" is one element. Elements of 96 bits lie in three tiles of 32-bit elements, unless LINEAR.

    Args:
        tiling: How the bytes are arranged, or the name of it.
        bpb: Bits of an element.

    Raises:
        ArgumentError: An element size that the tiling does not take.
    """
    tiling = tiling_named(tiling)
    if tiling is Tiling.LINEAR:
        if bpb not in _ANY_BPB:
            raise ArgumentError("bpb", bpb, accepted=f"bits of an element: {', '.join(map(str, _ANY_BPB))}")
        return Tile(1, 1, bpb // 8, 1, 1, bpb)
    size = TILES[tiling]
    if bpb not in size.bpb:
        raise ArgumentError("bpb", bpb, accepted=f"bits of an element under {tiling}: {', '.join(map(str, size.bpb))}")
    k = 3 if bpb == 96 else 1
    return Tile(size.width_B * 8 * k // bpb, size.height, size.phys_width_B, size.phys_height, k, bpb // k)


def check_row_pitch(tiling: Tiling, row_pitch_B: int) -> None:
    """Raise `ArgumentError` unless a row of the surface is a whole, positive number of tiles."""
    step = 1 if tiling is Tiling.LINEAR else TILES[tiling].phys_width_B
    if row_pitch_B <= 0 or row_pitch_B % step:
        raise ArgumentError("row_pitch_B", row_pitch_B, accepted=f"a positive multiple of {step} under tiling {tiling}")


def tile_offset(
    tiling: Tiling | str, bpb: int, row_pitch_B: int, x_el: Coordinates, y_el: Coordinates
) -> tuple[Coordinates, Coordinates, Coordinates]:
    """Split an element's place into the byte offset of its tile and the remainder inside the tile.

    Raises as `tile` does.

    Args:
        tiling: How the bytes are arranged, or the name of it.
        bpb: Bits of an element.
        row_pitch_B: Physical.
        x_el: Columns of elements from the surface's start; an integer or an array.
        y_el: Rows of elements from the surface's start; an integer or an array.

    Returns:
        Offset of the tile in bytes, remainder x and y in elements (0, 0 when LINEAR).
    """
    t, x_el, y_el = tile(tiling, bpb), wide(x_el), wide(y_el)
    if t.height_el == 1:  # LINEAR: a "tile" is an element
        return y_el * row_pitch_B + x_el * t.phys_width_B, x_el * 0, y_el * 0
    row: Coordinates = y_el // t.height_el * (t.phys_height * row_pitch_B)
    column: Coordinates = x_el // t.width_el * (t.phys_height * t.phys_width_B * t.tiles_an_element)
    start: Coordinates = row + column
    return start, x_el % t.width_el, y_el % t.height_el


def _runs(tiling: Tiling) -> tuple[tuple[str, int, int, int], ...]:
    """Return runs of neighbouring address bits of a coordinate: its letter, its lowest bit, the address's, a mask."""
    runs, at = [], 0
    for letter, bits in groupby(reversed(BITS[tiling]), key=lambda bit: bit[0]):
        run = list(bits)
        runs.append((letter, int(run[0][1:]), at, (1 << len(run)) - 1))
        at += len(run)
    return tuple(runs)


#: Tiling -> its runs, the lowest first.
RUNS: Final = {tiling: _runs(tiling) for tiling in BITS}


def _with_bytes(tiling: Tiling | str, row_pitch_B: int) -> Tiling:
    tiling = tiling_named(tiling)
    if tiling is Tiling.HIZ:
        hint = "Inside a HiZ tile no order of bytes is known: ask for tile_offset."
        raise ArgumentError("tiling", "HIZ", accepted="LINEAR, X, Y, W", hint=hint)
    check_row_pitch(tiling, row_pitch_B)
    return tiling


def offset_in_tile(tiling: Tiling, u: Coordinates, v: Coordinates) -> Coordinates:
    """Byte offset inside a tile of byte ``u`` of row ``v``: X, Y and W."""
    offset: Coordinates = u & 0
    for letter, low, at, mask in RUNS[tiling]:
        offset = offset | ((u if letter == "u" else v) >> low & mask) << at
    return offset


def position_in_tile(tiling: Tiling, offset: Coordinates) -> tuple[Coordinates, Coordinates]:
    """Byte and row inside a tile of a byte offset in it: the inverse of `offset_in_tile`."""
    place = {"u": offset & 0, "v": offset & 0}
    for letter, low, at, mask in RUNS[tiling]:
        place[letter] = place[letter] | (offset >> at & mask) << low
    return place["u"], place["v"]


def swizzle_bit6(tiling: Tiling, address_B: Coordinates) -> Coordinates:
    """Exchange what the memory controller exchanges: bit 6 is inverted by higher bits. Doing it twice undoes it."""
    flip: Coordinates = address_B & 0
    for bit in SWIZZLE_BITS.get(tiling, ()):
        flip = flip ^ (address_B >> bit & 1)
    result: Coordinates = address_B ^ flip << 6
    return result


def address(
    tiling: Tiling | str, x: Coordinates, y: Coordinates, row_pitch_B: int, *, bit6_swizzle: bool = False
) -> Coordinates:
    """Byte offset from the surface's start of a byte of it.

    Args:
        tiling: How its bytes are arranged, or the name of it.
        x: Byte in the row, from 0 (W: texels, which are bytes); an integer or an array of integers.
        y: Row, likewise.
        row_pitch_B: Physical.
        bit6_swizzle: As the processor sees it on machines whose memory controller swizzles; LINEAR is never swizzled.

    Raises:
        ArgumentError: A pitch that is no whole number of tiles, or HIZ.
    """
    tiling, x, y = _with_bytes(tiling, row_pitch_B), wide(x), wide(y)
    if tiling is Tiling.LINEAR:
        linear: Coordinates = y * row_pitch_B + x
        return linear
    size = TILES[tiling]
    index = y // size.height * (row_pitch_B // size.phys_width_B) + x // size.width_B
    address: Coordinates = index * TILE_B + offset_in_tile(tiling, x % size.width_B, y % size.height)
    return swizzle_bit6(tiling, address) if bit6_swizzle else address


def coordinate(
    tiling: Tiling | str, address_B: Coordinates, row_pitch_B: int, *, bit6_swizzle: bool = False
) -> tuple[Coordinates, Coordinates]:
    """Byte in the row and row of a byte offset from the surface's start, ``address_B``: the inverse of `address`.

    The other arguments, and errors, are as in `address`.
    """
    tiling, address_B = _with_bytes(tiling, row_pitch_B), wide(address_B)
    if tiling is Tiling.LINEAR:
        return address_B % row_pitch_B, address_B // row_pitch_B
    if bit6_swizzle:
        address_B = swizzle_bit6(tiling, address_B)
    size = TILES[tiling]
    tiles_a_row = row_pitch_B // size.phys_width_B
    index = address_B // TILE_B
    u, v = position_in_tile(tiling, address_B % TILE_B)
    return index % tiles_a_row * size.width_B + u, index // tiles_a_row * size.height + v
