"""Generation 6 on the path of generation 7: the depth packet names level and layer, and nothing is ever moved.

Its depth packet has the fields; its stencil and HiZ packets have neither, so that both lie in the layout whose levels
are full-size arrays with one array pitch (GFX6_STENCIL_HIZ), and their addresses move to the level, by whole tiles.
That layout is what it costs. Source: docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.surface.choices import DimLayout
from statetracker.surface.layout import hiz_surface, layout
from statetracker.surface.request import surface_request
from statetracker.surface.tilings import TILES, Tiling
from statetracker.surface.units import Reason, align, cdiv

if TYPE_CHECKING:
    from statetracker.surface.attachments import Attachment, Framebuffer
    from statetracker.surface.layout import Surface
    from statetracker.surface.older import Miptree

#: Format of a tree of 2014: the kind and format of a surface.
_FORMATS: Final = {
    "Z16": ("depth", "R16_UNORM"),
    "Z24X8": ("depth", "R24_UNORM_X8_TYPELESS"),
    "Z32F": ("depth", "R32_FLOAT"),
    "S8": ("stencil", "R8_UINT"),
}


class LevelCommand(NamedTuple):
    """A stencil or HiZ packet of generation 6: a base address and a pitch is all it has.

    Attributes:
        kind: ``stencil`` or ``hiz``.
        level: The mipmap level that is rendered to.
        base_offset_B: To add to the buffer's address; a multiple of 4096.
        pitch_field: What the packet's pitch field holds: bytes minus 1. The pitch is physical, which for stencil is the
            doubled one that the hardware wants.
        row_pitch_B: The pitch itself.
        qpitch_rows: Sample rows between slices, which the hardware derives from the depth packet's height.
    """

    kind: str
    level: int
    base_offset_B: int
    row_pitch_B: int
    pitch_field: int
    qpitch_rows: int


class DepthPacket(NamedTuple):
    """The depth packet's values that the other packets have no field for.

    Attributes:
        width: Of level 0, in pixels: the level is chosen by ``lod``.
        height: Of level 0, in pixels.
        lod: The level rendered to.
        depth: Layers of the surface.
        minimum_array_element: First layer rendered to.
        render_target_view_extent: How many layers are rendered to.
        separate: Separate stencil and HiZ are one shared switch on this generation: both or neither.
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

    Args:
        surface: Stencil or HiZ.
        level: The one that is rendered to.

    Raises:
        ArgumentError: A surface of another layout (its packets need no such offset) or a level it has not.
    """
    if surface.plan.dim_layout is not DimLayout.GFX6_STENCIL_HIZ:
        accepted = "a generation 6 stencil or HiZ surface (GFX6_STENCIL_HIZ)"
        raise ArgumentError("surface", str(surface.plan.dim_layout), accepted=accepted)
    place = surface.offset(level)
    pitch = surface.row_pitch_B
    return LevelCommand(str(surface.request.kind), level, place.tile_offset_B, pitch, pitch - 1, surface.tree.pitch_sa)


def depth_packet(depth: Surface, level: int, *, layer: int = 0, layers: int | None = None) -> DepthPacket:
    """Describe the depth packet that goes with `level_command` of its HiZ and stencil.

    Args:
        depth: The surface.
        level: The mipmap level that is rendered to.
        layer: First layer rendered to.
        layers: How many are rendered to; None: all from ``layer`` on.

    Raises:
        ArgumentError: A surface that is not generation 6 depth, or levels and layers it has not.
    """
    r = depth.request
    if r.generation.verx10 != 60 or r.kind != "depth":
        raise ArgumentError("depth", f"gen {r.generation.name} {r.kind}", accepted="a depth surface of generation 6")
    depth.offset(level, layer)
    count = r.array_len - layer if layers is None else layers
    if not 1 <= count <= r.array_len - layer:
        raise ArgumentError("layers", count, accepted=f"1 to {r.array_len - layer}")
    return DepthPacket(r.width, r.height, level, r.array_len, layer, count, separate=True)


class LevelLayer(NamedTuple):
    """The values to program. Offsets in bytes from the start of each surface; a surface that is not attached is None.

    Attributes:
        mismatch: Depth and stencil are of two layers: one packet names the layer of both.
        steps: Offsets and sizes, with what the trees of 2014 take instead.
    """

    depth: Surface | None
    hiz: Surface | None
    stencil: Surface | None
    hiz_offset: int
    stencil_offset: int
    mismatch: bool
    steps: tuple[Reason, ...]


def level_layer(fb: Framebuffer) -> LevelLayer:
    """Lay out the attachments of generation 6 and find their levels; raises `SurfaceRefused`."""
    depth = hiz = stencil = None
    hiz_offset = stencil_offset = 0
    steps = []
    if fb.depth is not None:
        level, tree = fb.depth.image.level, fb.depth.storage.mt
        depth = _surface(fb.depth, tree)
        hiz = hiz_surface(depth)
        hiz_offset = level_command(hiz, level).base_offset_B
        steps = [
            Reason("level, layer", tuple(fb.depth.image), "the depth packet of generation 6 names them, too"),
            Reason("hiz_offset", hiz_offset, f"whole tiles to level {level} of HiZ"),
            _cost("depth_B", depth, tree.size_B),
            _cost("hiz_B", hiz, align(cdiv(tree.total[1], 2), TILES[Tiling.Y].height) * tree.row_pitch_B),
        ]
    if fb.stencil is not None:
        level, tree = fb.stencil.image.level, fb.stencil.storage.stencil_mt
        stencil = _surface(fb.stencil, tree)
        stencil_offset = level_command(stencil, level).base_offset_B
        steps += [
            Reason("stencil_offset", stencil_offset, f"whole tiles to level {level} of stencil"),
            _cost("stencil_B", stencil, tree.size_B),
        ]
    layers = {one.image.layer for one in (fb.depth, fb.stencil) if one is not None}
    return LevelLayer(depth, hiz, stencil, hiz_offset, stencil_offset, len(layers) > 1, tuple(steps))


def _surface(attachment: Attachment, tree: Miptree) -> Surface:
    of, (kind, name) = attachment.storage.texture, _FORMATS[tree.format.name]
    return layout(surface_request(6, kind, name, of.width, of.height, levels=of.levels, array_len=of.layers))


def _cost(field: str, surface: Surface, before: int) -> Reason:
    times = surface.size_B / before
    return Reason(field, surface.size_B, f"bytes; {before} in the tree of 2014: {times:.2f} times as many")
