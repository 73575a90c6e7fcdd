"""Many layouts at once, with NumPy: surfaces that differ in size and layers only.

Surfaces are grouped by their choices; each group's choices are made once by the code of a single layout, whose
arithmetic then runs on arrays. Needs the extra ``batch``: without NumPy the
import raises `MissingExtra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.errors import ArgumentError, MissingExtra, SurfaceRefused
from statetracker.surface.layout import layout_shape
from statetracker.surface.mip_tree import tree
from statetracker.surface.tilings import tile

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.surface.batch", "numpy", "batch") from error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from statetracker.surface.request import SurfaceRequest

    Integers = NDArray[np.int64]


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
        ArgumentError: Sizes below 1 or that are no whole numbers.
    """
    layers = request.array_len if array_len is None else array_len
    sizes = np.broadcast_arrays(*(np.atleast_1d(np.asarray(part)) for part in (width, height, layers)))
    for name, part in zip(("width", "height", "array_len"), sizes, strict=True):
        if part.ndim != 1 or part.dtype.kind not in "iu" or (part < 1).any():
            raise ArgumentError(name, part.dtype, accepted="one dimension of whole numbers from 1")
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
    least = -(-shape.width_el * t.tiles_an_element // t.width_el) * t.phys_width_B
    least = -(-least // least_step) * least_step
    pitch = np.full_like(least, request.row_pitch_B) if request.row_pitch_B else least
    size = -(-shape.height_el // t.height_el) * t.phys_height * pitch
    ok = (pitch >= least) & (pitch % least_step == 0) & (size <= 1 << 31)
    if most:
        ok &= pitch <= most
    layouts.ok[rows] = ok
    layouts.row_pitch_B[rows] = pitch * ok
    layouts.size_B[rows] = size * ok
    layouts.array_pitch_el_rows[rows] = shape.pitch_sa // one.format.bh * ok
    layouts.layer_step_sa[rows] = shape.pitch_sa * plan.slices * ok
    layouts.x_sa[rows] = np.stack(shape.x_sa, axis=1) * ok[:, None]
    layouts.y_sa[rows] = np.stack(shape.y_sa, axis=1) * ok[:, None]
