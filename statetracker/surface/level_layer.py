"""Generation 6 on the path of generation 7: the depth packet names level and layer, and nothing is ever moved.

Its depth packet has the fields; its stencil and HiZ packets have neither, so that both lie in the layout whose levels
are full-size arrays with one array pitch (GFX6_STENCIL_HIZ), and their addresses move to the level, by whole tiles.
That layout is what it costs. Source: docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.surface.layout import hiz_surface, layout
from statetracker.surface.packets import level_command
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


class LevelLayer(NamedTuple):
    """What to program. Offsets in bytes from the start of each surface; a surface that is not attached is None.

    mismatch   depth and stencil are of two layers: one packet names the layer of both
    steps      offsets and sizes, with what the trees of 2014 take instead
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
