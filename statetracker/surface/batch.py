"""Many layouts at once, and whole surfaces tiled and detiled, with NumPy.

Layouts are of surfaces that differ in size and layers only, grouped by their choices: each group's choices are made
once by the code of a single layout, whose arithmetic then runs on arrays. To tile and detile, memory is reshaped into
one axis for each run of address bits (`statetracker.surface.tilings.RUNS`) and its axes are put in the order of rows
and columns: the table of bits is the only rule, and no index array is made. A surface is tiled by writing through this
view, and detiled by reading through it. Needs the extra ``batch``: without NumPy the import raises `MissingExtra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError, MissingExtra, SurfaceRefused
from statetracker.surface.layout import layout_shape
from statetracker.surface.mip_tree import tree
from statetracker.surface.tilings import RUNS, TILE_B, TILES, Tiling, check_row_pitch, swizzle_bit6, tile, tiling_named
from statetracker.surface.units import LARGEST_COUNT, align, cdiv

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.surface.batch", "numpy", "batch") from error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from statetracker.surface.request import SurfaceRequest

    Integers = NDArray[np.int64]
    Bytes = NDArray[np.uint8]


class Layouts(NamedTuple):
    """Layouts of many surfaces; rows of surfaces that are refused are 0.

    Attributes:
        ok: Whether there is a surface.
        x_sa: (surfaces, levels): place of layer 0 of each level.
        y_sa: (surfaces, levels): place of layer 0 of each level.
        layer_step_sa: Sample rows from one layer to the next.
        row_pitch_B: As of a single layout.
        size_B: As of a single layout.
        array_pitch_el_rows: As of a single layout.
    """

    ok: NDArray[np.bool_]
    row_pitch_B: Integers
    size_B: Integers
    array_pitch_el_rows: Integers
    layer_step_sa: Integers
    x_sa: Integers
    y_sa: Integers


def layout_batch(
    request: SurfaceRequest, width: ArrayLike, height: ArrayLike, array_len: ArrayLike | None = None
) -> Layouts:
    """Lay out a surface in many sizes.

    Args:
        request: Everything but the sizes; those it has are ignored.
        width: Whole numbers from 1; the three arrays broadcast together.
        height: As the widths.
        array_len: As the widths; None: the request's.

    Raises:
        ArgumentError: Sizes below 1 or above 4294967295, that are no whole numbers, or that do not broadcast.
    """
    asked = {"width": width, "height": height, "array_len": request.array_len if array_len is None else array_len}
    try:
        sizes = np.broadcast_arrays(*map(np.atleast_1d, asked.values()))
    except ValueError:
        raise ArgumentError("sizes", asked, accepted="whole numbers, or arrays that broadcast together") from None
    for name, part in zip(asked, sizes, strict=True):
        if part.ndim != 1 or part.dtype.kind not in "iu" or ((part < 1) | (part > LARGEST_COUNT)).any():
            raise ArgumentError(name, part, accepted=f"one dimension of whole numbers from 1 to {LARGEST_COUNT}")
    w, h, a = (part.astype(np.int64) for part in sizes)
    columns: list[Any] = [np.zeros(len(w), np.int64) for _ in range(4)]
    places = [np.zeros((len(w), request.levels), np.int64) for _ in range(2)]
    layouts = Layouts(np.zeros(len(w), np.bool_), *columns, *places)
    # the choices depend on these facts of the size only
    group = (w > 16382) * 8 + (w > 8192) * 4 + (a == 1) * 2 + (h % 4 == 1)
    for rows in [np.flatnonzero(group == value) for value in np.unique(group)]:
        _fill(layouts, request, rows, (w[rows], h[rows], a[rows]))
    return layouts


def _fill(
    layouts: Layouts, request: SurfaceRequest, rows: Integers, sizes: tuple[Integers, Integers, Integers]
) -> None:
    w, h, a = sizes
    one = request._replace(width=int(w[0]), height=int(h[0]), array_len=int(a[0]))
    try:
        plan, least_step, most = layout_shape(one)
    except SurfaceRefused:
        return
    shape = tree(one, plan, w, h, a)
    t = tile(plan.tiling, one.format.bpb)
    least = align(cdiv(shape.width_el * t.tiles_an_element, t.width_el) * t.phys_width_B, least_step)
    pitch = np.full_like(least, request.row_pitch_B) if request.row_pitch_B else least
    high = cdiv(shape.height_el, t.height_el) * t.phys_height
    size = high * pitch
    ok = (pitch >= least) & (pitch % least_step == 0) & (high <= (1 << 31) // pitch)
    ok &= np.prod(sizes, axis=0, dtype=float) <= 1 << 33  # beyond, integers of 64 bits would not do: 2 GiB hold less
    if most:
        ok &= pitch <= most
    layouts.ok[rows] = ok
    layouts.row_pitch_B[rows] = pitch * ok
    layouts.size_B[rows] = size * ok
    layouts.array_pitch_el_rows[rows] = shape.pitch_sa // one.format.bh * ok
    layouts.layer_step_sa[rows] = shape.pitch_sa * plan.slices * ok
    layouts.x_sa[rows] = np.stack(shape.x_sa, axis=1) * ok[:, None]
    layouts.y_sa[rows] = np.stack(shape.y_sa, axis=1) * ok[:, None]


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
