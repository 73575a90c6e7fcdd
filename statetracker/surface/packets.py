"""The hand-over to a driver: what to program for a level of a generation 6 stencil or HiZ surface.

See docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.surface.choices import DimLayout

if TYPE_CHECKING:
    from statetracker.surface.layout import Surface


class LevelCommand(NamedTuple):
    """A stencil or HiZ packet of generation 6: a base address and a pitch is all it has.

    kind            ``stencil`` or ``hiz``
    level           the mipmap level that is rendered to
    base_offset_B   to add to the buffer's address; a multiple of 4096
    pitch_field     what the packet's pitch field holds: bytes minus 1. The pitch is physical, which for stencil is the
                    doubled one that the hardware wants.
    row_pitch_B     the pitch itself
    qpitch_rows     sample rows between slices, which the hardware derives from the depth packet's height
    """

    kind: str
    level: int
    base_offset_B: int
    row_pitch_B: int
    pitch_field: int
    qpitch_rows: int


class DepthPacket(NamedTuple):
    """What the depth packet must say, because the other packets have no field for it.

    width, height   of level 0, in pixels: the level is chosen by ``lod``
    lod             the level rendered to
    depth           layers of the surface
    minimum_array_element, render_target_view_extent
                    first layer rendered to, and how many
    separate        separate stencil and HiZ are one shared switch on this generation: both or neither
    """

    width: int
    height: int
    lod: int
    depth: int
    minimum_array_element: int
    render_target_view_extent: int
    separate: bool


def level_command(surface: Surface, level: int) -> LevelCommand:
    """Describe the packet of a stencil or HiZ surface of generation 6 for rendering to a level.

    All layers are reached from there: they are ``qpitch_rows`` apart in every level.
    Raises `ArgumentError` for a surface of another layout (its packets need no such offset) or a level it has not.
    """
    if surface.plan.dim_layout is not DimLayout.GFX6_STENCIL_HIZ:
        raise ArgumentError(
            "surface", str(surface.plan.dim_layout), accepted="a generation 6 stencil or HiZ surface (GFX6_STENCIL_HIZ)"
        )
    place = surface.offset(level)
    pitch = surface.row_pitch_B
    return LevelCommand(str(surface.request.kind), level, place.tile_offset_B, pitch, pitch - 1, surface.tree.pitch_sa)


def depth_packet(depth: Surface, level: int, *, layer: int = 0, layers: int | None = None) -> DepthPacket:
    """Describe the depth packet that goes with `level_command` of its HiZ and stencil.

    level           the mipmap level that is rendered to
    layer, layers   first layer and number of layers rendered to; None: all from ``layer`` on

    Raises `ArgumentError` for a surface that is not generation 6 depth, and for levels and layers it has not.
    """
    r = depth.request
    if r.generation.verx10 != 60 or r.kind != "depth":
        raise ArgumentError("depth", f"gen {r.generation.name} {r.kind}", accepted="a depth surface of generation 6")
    depth.offset(level, layer)
    count = r.array_len - layer if layers is None else layers
    if not 1 <= count <= r.array_len - layer:
        raise ArgumentError("layers", count, accepted=f"1 to {r.array_len - layer}")
    return DepthPacket(r.width, r.height, level, r.array_len, layer, count, separate=True)
