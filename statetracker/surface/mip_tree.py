"""Sizes and places of levels and layers: the two layouts, on integers and NumPy arrays alike.

GFX4_2D: level 1 under level 0, the others in a column right of level 1; the whole again for each layer.
GFX6_STENCIL_HIZ: each level is an array of full height, level 0 on top, the others side by side below.
`ImagePlaces` computes the places of layers that are all alike on access.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from statetracker.surface.choices import DimLayout, MsaaLayout, Span
from statetracker.surface.tilings import tile
from statetracker.surface.units import align, cdiv, larger, minify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from statetracker.surface.choices import LayoutChoice
    from statetracker.surface.request import SurfaceRequest

XY = tuple[int, int]


class ImagePlaces(Mapping[tuple[int, int], XY]):  # noqa: PLW1641 (no mapping has a hash)
    """(level, layer) to (x, y), where layers follow each other at one distance in every level.

    Args:
        levels: Level to the place of its layer 0.
        layers: How many there are; they cost neither time nor memory.
        layer_rows: Rows from one layer to the next.
    """

    __slots__ = ("layer_rows", "layers", "levels")

    def __init__(self, levels: Mapping[int, XY], layers: int = 1, layer_rows: int = 0) -> None:
        self.levels, self.layers, self.layer_rows = levels, layers, layer_rows

    def __getitem__(self, image: tuple[int, int]) -> XY:
        """Place of an image; raises `KeyError` for one that is not there."""
        level, layer = image
        if level not in self.levels or not 0 <= layer < self.layers:
            raise KeyError(image)
        x, y = self.levels[level]
        return x, y + layer * self.layer_rows

    def __eq__(self, other: object) -> bool:
        """Compare what the places follow from with that of others; with any other mapping, place by place."""
        if not isinstance(other, ImagePlaces):
            return Mapping.__eq__(self, other)
        rows = self.layer_rows == other.layer_rows or self.layers < 2
        return self.levels == other.levels and self.layers == other.layers and rows

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Levels in order, all layers of each."""
        return ((level, layer) for level in self.levels for layer in range(self.layers))

    def __len__(self) -> int:
        return len(self.levels) * self.layers

    def __repr__(self) -> str:
        """Return what the places follow from, not one by one."""
        return f"ImagePlaces({self.levels!r}, layers={self.layers}, layer_rows={self.layer_rows})"


Number = TypeVar("Number", int, "NDArray[Any]")


class Tree(NamedTuple, Generic[Number]):
    """The shape of a surface before it has a pitch.

    Attributes:
        width0_sa: Physical width of level 0.
        height0_sa: Physical height of level 0.
        pitch_sa: Rows from one slice to the next.
        width_el: Of everything.
        height_el: Of everything.
        x_sa: Column of layer 0 of each level, in samples.
        y_sa: Row of layer 0 of each level, in samples.
        array_slices: Physical layers.
    """

    width0_sa: Number
    height0_sa: Number
    array_slices: Number
    pitch_sa: Number
    width_el: Number
    height_el: Number
    x_sa: tuple[Number, ...]
    y_sa: tuple[Number, ...]


def tree(r: SurfaceRequest, plan: LayoutChoice, width: Number, height: Number, array_len: Number) -> Tree[Number]:
    """Lay out levels and layers of one size, or of many with the same plan and number of levels."""
    w0, h0 = width, height
    if plan.msaa_layout is MsaaLayout.INTERLEAVED:
        w0 = align(width, 2) * plan.pixel_sa[0]
        h0 = align(height, 2) * plan.pixel_sa[1]
    slices: Number = array_len * plan.slices
    if plan.dim_layout is DimLayout.GFX6_STENCIL_HIZ:
        return _flat(r, plan, w0, h0, slices)
    return _mip_tree(r, plan, w0, h0, slices)


def _mip_tree(r: SurfaceRequest, plan: LayoutChoice, w0: Number, h0: Number, slices: Number) -> Tree[Number]:
    bw, bh = r.format.bw, r.format.bh
    aw, ah = plan.align_el[0] * bw, plan.align_el[1] * bh
    widths = [align(minify(w0, level), aw) for level in range(r.levels)]
    xs, ys, below = stacked(widths, [align(minify(h0, level), ah) for level in range(r.levels)])
    slice_w, slice_h = w0, h0
    if r.levels > 1:
        slice_w, slice_h = larger(widths[0], widths[1] + (widths[2] if r.levels > 2 else xs[0])), below
    if plan.span is Span.FULL:
        spacer = r.generation.qpitch_rows * ah + plan.qpitch_extra
        pitch = align(align(h0, ah) + align(minify(h0, 1), ah) + spacer, bh)
    else:
        pitch = align(slice_h, ah)
    height_el = pitch // bh * (slices - 1) + cdiv(slice_h, bh)
    return Tree(w0, h0, slices, pitch, cdiv(slice_w, bw), height_el, tuple(xs), tuple(ys))


def stacked(widths: Sequence[Number], heights: Sequence[Number]) -> tuple[list[Number], list[Number], Number]:
    """Place levels of these padded sizes: level 1 under level 0, the others in a column right of level 1.

    Args:
        widths: Of each level.
        heights: Of each level.

    Returns:
        The column and the row of each level, and the rows of all.
    """
    zero: Number = heights[0] * 0
    xs, ys = [zero], [zero]
    below = height = heights[0]
    for level in range(1, len(heights)):
        xs.append(widths[1] if level > 1 else zero)
        ys.append(below)
        height = larger(height, below + heights[level])
        if level > 1:
            below = below + heights[level]
    return xs, ys, height


def _flat(r: SurfaceRequest, plan: LayoutChoice, w0: Number, h0: Number, slices: Number) -> Tree[Number]:
    bw, bh = r.format.bw, r.format.bh
    t = tile(plan.tiling, r.format.bpb)
    pitch = align(h0, plan.align_el[1] * bh)
    below = align(slices * pitch, t.height_el * bh)
    widths = [align(minify(w0, level), t.width_el * bw) for level in range(r.levels)]
    zero: Number = w0 * 0
    xs, ys, right = [zero], [zero], zero
    for width in widths[1:]:
        xs.append(right)
        ys.append(below)
        right = right + width
    height = below if r.levels == 1 else below * 2
    return Tree(w0, h0, slices, pitch, larger(widths[0], right) // bw, height // bh, tuple(xs), tuple(ys))
