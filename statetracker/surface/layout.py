"""A surface laid out: tiling, sizes, pitches, and where each level and layer lies.

Read in this order: `request`, `choices`, `mip_tree`, this. Not here: 1D and 3D surfaces, CCS and MCS, generation 9 on;
the older driver's layout (`statetracker.surface.older`). See docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.surface.choices import DimLayout, MsaaLayout, choose, refuse
from statetracker.surface.mip_tree import tree
from statetracker.surface.request import HIZ_FORMAT, Kind
from statetracker.surface.tilings import TILE_B, Tiling, tile, tile_offset
from statetracker.surface.units import Reason, align, cdiv, check_place, minify

if TYPE_CHECKING:
    from statetracker.surface.choices import LayoutChoice, Listener
    from statetracker.surface.mip_tree import Tree
    from statetracker.surface.request import SurfaceRequest

_LARGEST_B: Final = 1 << 31


class ImageOffset(NamedTuple):
    """The place of an image (one level of one layer); members in the order of the recordings.

    Attributes:
        x_sa: Place of its first sample in the surface.
        y_sa: Place of its first sample in the surface.
        x_el: The same in elements.
        y_el: The same in elements.
        tile_offset_B: Of the tile that holds its first element, from the surface's start.
        intratile_x_sa: Place of its first element in that tile, with intratile_y_sa.
        range_end_B: 1 more than the start of the tile that holds its last element (LINEAR: of the element).
    """

    level: int
    layer: int
    x_sa: int
    y_sa: int
    x_el: int
    y_el: int
    tile_offset_B: int
    intratile_x_sa: int
    intratile_y_sa: int
    range_end_B: int


class Surface(NamedTuple):
    """A surface laid out. Sizes in the units of their names; ``tree`` holds the places of the levels.

    Attributes:
        request: What it was made for.
        plan: What was chosen: tiling, layout, alignment.
        row_pitch_B: Physical, from one row of elements to the next.
        size_B: Of the whole surface.
        base_align_B: Its address is a multiple of this.
    """

    request: SurfaceRequest
    plan: LayoutChoice
    tree: Tree[int]
    row_pitch_B: int
    size_B: int
    base_align_B: int

    @property
    def tiling(self) -> Tiling:
        """The arrangement of its bytes."""
        return self.plan.tiling

    @property
    def array_pitch_el_rows(self) -> int:
        """Rows of elements from one array slice to the next."""
        return self.tree.pitch_sa // self.request.format.bh

    def image_size_sa(self, level: int) -> tuple[int, int]:
        """Width and height of an image of a level, without padding."""
        return minify(self.tree.width0_sa, level), minify(self.tree.height0_sa, level)

    def offset(self, level: int, layer: int = 0) -> ImageOffset:
        """Return the place of a level and layer; raises `ArgumentError` for one that the surface does not have."""
        r = self.request
        check_place(level, r.levels, layer, r.array_len)
        bw, bh = r.format.bw, r.format.bh
        x = self.tree.x_sa[level]
        y = self.tree.y_sa[level] + layer * self.plan.slices * self.tree.pitch_sa
        width, height = self.image_size_sa(level)
        start, inner_x, inner_y = tile_offset(self.tiling, r.format.bpb, self.row_pitch_B, x // bw, y // bh)
        last_x, last_y = x // bw + cdiv(width, bw) - 1, y // bh + cdiv(height, bh) - 1
        last, _, _ = tile_offset(self.tiling, r.format.bpb, self.row_pitch_B, last_x, last_y)
        return ImageOffset(level, layer, x, y, x // bw, y // bh, start, inner_x * bw, inner_y * bh, last + 1)

    def to_dict(self) -> dict[str, object]:
        """Return the form of the recordings; offsets of every level, of all layers or, with more than 3, of four."""
        r, count = self.request, self.request.array_len
        layers = range(count) if count <= 3 else sorted({0, 1, count // 2, count - 1})
        return {
            "tiling": str(self.tiling),
            "dim_layout": str(self.plan.dim_layout),
            "msaa_layout": str(self.plan.msaa_layout),
            "align_el": list(self.plan.align_el),
            "phys_level0_sa": [self.tree.width0_sa, self.tree.height0_sa, self.tree.array_slices],
            "row_pitch_B": self.row_pitch_B,
            "array_pitch_el_rows": self.array_pitch_el_rows,
            "span": str(self.plan.span),
            "size_B": self.size_B,
            "base_align_B": self.base_align_B,
            "offsets": [list(self.offset(level, layer)) for level in range(r.levels) for layer in layers],
        }


def _silent(_field: str, _value: object, _reason: str) -> None:
    """Listen to nothing."""


def layout(r: SurfaceRequest, listener: Listener = _silent) -> Surface:
    """Lay out a surface.

    Args:
        r: The request, of `surface_request`.
        listener: Called with (field, value, reason) for every number; `explain_layout` collects them.

    Raises:
        SurfaceRefused: The hardware has no such surface; ``reason`` is a row of `statetracker.surface.REFUSALS`.
    """
    plan = choose(r, listener)
    shape = tree(r, plan, r.width, r.height, r.array_len)
    _say_shape(r, plan, shape, listener)
    pitch = _row_pitch(r, plan, shape.width_el, listener)
    t = tile(plan.tiling, r.format.bpb)
    size = cdiv(shape.height_el, t.height_el) * t.phys_height * pitch
    if size > _LARGEST_B:
        raise refuse("size_too_large", "size_B", size, accepted=f"at most {_LARGEST_B}")
    listener("size_B", size, f"{shape.height_el} element rows in tiles of {t.height_el}, {t.phys_height} pitches each")
    return Surface(r, plan, shape, pitch, size, _base_align(r, plan, listener))


def explain_layout(r: SurfaceRequest) -> list[Reason]:
    """Return every number of a surface with its reason: `layout` of the request ``r`` with a listener.

    Args:
        r: The request, of `surface_request`.

    Raises:
        SurfaceRefused: The hardware has no such surface.
    """
    steps: list[Reason] = []
    surface = layout(r, lambda field, value, reason: steps.append(Reason(field, value, reason)))
    for level in range(r.levels):
        o = surface.offset(level, 0)
        where = f"tile at byte {o.tile_offset_B}, inside it {o.intratile_x_sa}, {o.intratile_y_sa}"
        steps.append(Reason(f"level {level}", (o.x_sa, o.y_sa), where))
    if r.array_len > 1:
        step = surface.plan.slices * surface.tree.pitch_sa
        steps.append(Reason("layer", step, "sample rows from one layer to the next, in every level"))
    return steps


def _say_shape(r: SurfaceRequest, plan: LayoutChoice, shape: Tree[int], say: Listener) -> None:
    pw, ph = plan.pixel_sa
    reason = {
        MsaaLayout.NONE: "as requested",
        MsaaLayout.INTERLEAVED: f"size rounded up to even, times {pw} and {ph} samples",
        MsaaLayout.ARRAY: f"one slice for each of {plan.slices} samples",
    }[plan.msaa_layout]
    say("phys_level0_sa", (shape.width0_sa, shape.height0_sa, shape.array_slices), reason)
    if plan.dim_layout is DimLayout.GFX6_STENCIL_HIZ:
        pitch = f"{shape.height0_sa} rows of level 0, aligned; every level has it"
    elif plan.span == "FULL":
        extra = f" + {plan.qpitch_extra} (generation 6, height % 4 = 1)" if plan.qpitch_extra else ""
        pitch = f"aligned heights of levels 0 and 1 + {r.generation.qpitch_rows} alignments{extra}"
    else:
        pitch = "height of a slice, aligned"
    say("array_pitch_el_rows", shape.pitch_sa // r.format.bh, pitch)
    say("total_el", (shape.width_el, shape.height_el), "all levels and slices")


def _pitch_step(r: SurfaceRequest, plan: LayoutChoice) -> int:
    """Return what a row pitch is a multiple of, in bytes."""
    if plan.tiling is Tiling.LINEAR:
        return r.format.bs if "R" in r.usage else 1
    return tile(plan.tiling, r.format.bpb).phys_width_B


def _row_pitch(r: SurfaceRequest, plan: LayoutChoice, width_el: int, say: Listener) -> int:
    t, step = tile(plan.tiling, r.format.bpb), _pitch_step(r, plan)
    # an element of three components is three elements wide, in tiles of single components
    tiles = cdiv(width_el * t.tiles_an_element, t.width_el)
    least = align(tiles * t.phys_width_B, step)
    reason = f"{tiles} tiles of {t.phys_width_B} bytes hold {width_el} elements"
    if plan.tiling is Tiling.LINEAR:
        reason = f"{width_el} elements of {r.format.bs} bytes"
    pitch = least
    if r.row_pitch_B:
        pitch, reason = r.row_pitch_B, f"as wanted; at least {least}, a multiple of {step}"
        if pitch < least:
            raise refuse("pitch_too_small", "row_pitch_B", pitch, accepted=f"from {least}")
        if pitch % step:
            raise refuse("pitch_unaligned", "row_pitch_B", pitch, accepted=f"a multiple of {step}")
    most = _largest_pitch(r)
    if most and pitch > most:
        raise refuse("pitch_too_large", "row_pitch_B", pitch, accepted=f"at most {most}")
    say("row_pitch_B", pitch, reason)
    return pitch


def layout_shape(r: SurfaceRequest) -> tuple[LayoutChoice, int, int]:
    """Return what a batch of sizes shares: the choices, the step of a row pitch, and the largest (0: any).

    Raises `SurfaceRefused` where no size of the request's kind has a surface.
    """
    plan = choose(r, _silent)
    return plan, _pitch_step(r, plan), _largest_pitch(r)


def _largest_pitch(r: SurfaceRequest) -> int:
    """Largest row pitch in bytes; 0 where nothing limits it."""
    if r.kind in {Kind.STENCIL, Kind.HIZ}:
        return r.generation.stencil_pitch_B
    limited = r.kind is Kind.DEPTH or bool(r.usage & {"R", "T"})
    return r.generation.surface_pitch_B if limited else 0


def _base_align(r: SurfaceRequest, plan: LayoutChoice, say: Listener) -> int:
    if plan.tiling is not Tiling.LINEAR:
        align_B, reason = TILE_B, "a tile"
    elif "R" in r.usage:
        align_B, reason = 1 << (r.format.bs - 1).bit_length(), "an element, to a power of two"
    else:
        align_B, reason = 1, "LINEAR and no render target"
    say("base_align_B", align_B, reason)
    return align_B


def _hiz_request(depth: SurfaceRequest) -> SurfaceRequest:
    if depth.kind is not Kind.DEPTH:
        raise ArgumentError("kind", str(depth.kind), accepted="depth", hint="Only depth has HiZ.")
    return depth._replace(
        kind=Kind.HIZ, format=HIZ_FORMAT, usage=frozenset(), tilings=frozenset({Tiling.HIZ}), row_pitch_B=0
    )


def hiz_surface(depth: Surface) -> Surface:
    """Lay out the HiZ surface of a depth surface; raises `ArgumentError` if it is not depth, `SurfaceRefused`."""
    return layout(_hiz_request(depth.request))


def hiz_slices(depth: Surface) -> tuple[Surface, ...]:
    """Lay out HiZ image by image, in place of the layered surface: one surface a level, which each layer has a copy of.

    Every one begins at a tile and has one level and one layer, so that rendering to a layer needs no array pitch of
    HiZ; rendering to several layers at once does, and takes `hiz_surface`.

    Args:
        depth: The surface that it belongs to.

    Raises:
        ArgumentError: The surface is not depth.
        SurfaceRefused: The hardware has no such surface.
    """
    r = _hiz_request(depth.request)._replace(levels=1, array_len=1)
    sizes = [(minify(r.width, level), minify(r.height, level)) for level in range(depth.request.levels)]
    return tuple(layout(r._replace(width=width, height=height)) for width, height in sizes)
