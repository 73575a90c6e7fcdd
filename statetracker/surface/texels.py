"""Whole surfaces tiled and detiled, with NumPy (the extra ``batch``; without it the import raises `MissingExtra`).

Memory is reshaped into one axis for each run of address bits (`statetracker.surface.tilings.RUNS`) and its axes are put
in the order of rows and columns: the table of bits is the only rule, and no index array is made. A surface is tiled by
writing through this view, and detiled by reading through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, MissingExtra
from statetracker.surface.tilings import RUNS, TILE_B, TILES, Tiling, check_row_pitch, swizzle_bit6, tiling_named
from statetracker.surface.units import align

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.surface.texels", "numpy", "batch") from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

_LINE_B: Final = 64


def _row_B(tiling: Tiling, row_pitch_B: int) -> int:
    """Logical bytes a row of the surface has."""
    check_row_pitch(tiling, row_pitch_B)
    if tiling is Tiling.HIZ:
        raise ArgumentError("tiling", "HIZ", accepted="LINEAR, X, Y, W")
    size = TILES.get(tiling)
    return row_pitch_B // size.phys_width_B * size.width_B if size else row_pitch_B


def _by_rows(memory: Bytes, tiling: Tiling, row_B: int) -> Bytes:
    """View the memory of whole tiles with several axes that together are its rows, then its columns."""
    if tiling is Tiling.LINEAR:
        return memory.reshape(-1, row_B)
    runs = RUNS[tiling][::-1]
    rows, columns = ([2 + i for i, run in enumerate(runs) if run[0] == letter] for letter in "vu")
    tiles = memory.reshape(-1, row_B // TILES[tiling].width_B, *(mask + 1 for *_, mask in runs))
    return tiles.transpose(0, *rows, 1, *columns)


def _swizzled(memory: Bytes, tiling: Tiling, *, bit6_swizzle: bool) -> Bytes:
    """Exchange 64-byte lines as the memory controller does, where it does."""
    if not bit6_swizzle or tiling is Tiling.LINEAR:
        return memory
    order = swizzle_bit6(tiling, np.arange(0, TILE_B, _LINE_B)) // _LINE_B
    return memory.reshape(-1, TILE_B // _LINE_B, _LINE_B)[:, order].reshape(-1)


def tile_surface(image: NDArray[Any], tiling: Tiling | str, row_pitch_B: int, *, bit6_swizzle: bool = False) -> Bytes:
    """Lay an image out in memory.

    Args:
        image: (height, width) of any element type; its bytes are taken as they are.
        tiling: How the bytes are arranged, or the name of it.
        row_pitch_B: Physical; a row of the image must fit.
        bit6_swizzle: As for `address`.

    Returns:
        uint8, whole tiles; bytes outside of the image are 0.

    Raises:
        ArgumentError: A pitch too small or no whole number of tiles.
    """
    tiling = tiling_named(tiling)
    rows = np.ascontiguousarray(image)
    if rows.ndim != 2:
        raise ArgumentError("image", rows.shape, accepted="an array of two dimensions, (height, width)")
    height, row_B = rows.shape[0], _row_B(tiling, row_pitch_B)
    width_B = rows.shape[1] * rows.itemsize
    if width_B > row_B:
        accepted = f"a pitch whose rows hold {width_B} bytes, not {row_B}"
        raise ArgumentError("row_pitch_B", row_pitch_B, accepted=accepted)
    stored = height if tiling is Tiling.LINEAR else align(height, TILES[tiling].height)
    full = np.zeros((stored, row_B), np.uint8)
    full[:height, :width_B] = rows.view(np.uint8).reshape(height, width_B)
    memory = np.empty(full.size, np.uint8)
    there = _by_rows(memory, tiling, row_B)
    there[...] = full.reshape(there.shape)
    return _swizzled(memory, tiling, bit6_swizzle=bit6_swizzle)


def detile_surface(
    memory: NDArray[Any],
    tiling: Tiling | str,
    row_pitch_B: int,
    *,
    width_B: int | None = None,
    height: int | None = None,
    bit6_swizzle: bool = False,
) -> Bytes:
    """Read a surface from memory, row by row: the inverse of `tile_surface`.

    Args:
        memory: uint8, whole tiles.
        tiling: How its bytes are arranged, or the name of it.
        row_pitch_B: Physical.
        width_B: Of the part wanted; None: everything, padding included.
        height: Of the part wanted; None: everything.
        bit6_swizzle: As for `address`.

    Returns:
        uint8 (height, width_B); ``.view`` gives wider elements.

    Raises:
        ArgumentError: Memory is no whole number of tile rows or the part wanted lies outside.
    """
    tiling = tiling_named(tiling)
    flat = np.ascontiguousarray(memory).reshape(-1).view(np.uint8)
    row_B = _row_B(tiling, row_pitch_B)
    tile_row_B = row_pitch_B if tiling is Tiling.LINEAR else row_pitch_B * TILES[tiling].phys_height
    if flat.size % tile_row_B:
        raise ArgumentError("memory", flat.size, accepted=f"a multiple of {tile_row_B} bytes: whole rows of tiles")
    image = _by_rows(_swizzled(flat, tiling, bit6_swizzle=bit6_swizzle), tiling, row_B).reshape(-1, row_B)
    width_B = row_B if width_B is None else width_B
    height = image.shape[0] if height is None else height
    if not (0 <= width_B <= row_B and 0 <= height <= image.shape[0]):
        raise ArgumentError("width_B, height", (width_B, height), accepted=f"at most {row_B} and {image.shape[0]}")
    return np.ascontiguousarray(image[:height, :width_B])
