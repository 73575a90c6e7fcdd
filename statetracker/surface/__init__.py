"""Depth and stencil in the memory of Intel hardware, generations 4 to 8. See docs/surfaces.md.

Two layouts are never mixed: that of the newer drivers (`layout`: generations 6 to 8) and that of the i965 driver of
2014 (`miptree`: generations 4 to 7; `decide`). Lengths carry their unit: px, sa (samples), el (format blocks), B.
`statetracker.surface.batch` needs NumPy and is imported on its own.
"""

from __future__ import annotations

from statetracker.surface.alignment import NOT_NEEDED, Decision, decide
from statetracker.surface.attachments import POLICIES, QUIRKS, Attach, Framebuffer, Policy, Quirk, framebuffer
from statetracker.surface.choices import PIXEL_SAMPLES, REFUSALS, DimLayout, MsaaLayout, Span
from statetracker.surface.copies import ImageCopy, Move, run_copy
from statetracker.surface.layout import ImageOffset, Surface, explain_layout, hiz_slices, hiz_surface, layout
from statetracker.surface.level_layer import DepthPacket, LevelCommand, depth_packet, level_command
from statetracker.surface.older import OLDER_FORMATS, Miptree, OlderFormat, Target, miptree
from statetracker.surface.picture import Drawing, drawing, png, svg
from statetracker.surface.recorded import answer
from statetracker.surface.request import FORMATS, Kind, SurfaceFormat, SurfaceRequest, surface_request
from statetracker.surface.tilings import BITS, TILES, Tile, TileSize, Tiling, address, coordinate, tile, tile_offset
from statetracker.surface.units import Reason

__all__ = [
    "BITS",
    "FORMATS",
    "NOT_NEEDED",
    "OLDER_FORMATS",
    "PIXEL_SAMPLES",
    "POLICIES",
    "QUIRKS",
    "REFUSALS",
    "TILES",
    "Attach",
    "Decision",
    "DepthPacket",
    "DimLayout",
    "Drawing",
    "Framebuffer",
    "ImageCopy",
    "ImageOffset",
    "Kind",
    "LevelCommand",
    "Miptree",
    "Move",
    "MsaaLayout",
    "OlderFormat",
    "Policy",
    "Quirk",
    "Reason",
    "Span",
    "Surface",
    "SurfaceFormat",
    "SurfaceRequest",
    "Target",
    "Tile",
    "TileSize",
    "Tiling",
    "address",
    "answer",
    "coordinate",
    "decide",
    "depth_packet",
    "drawing",
    "explain_layout",
    "framebuffer",
    "hiz_slices",
    "hiz_surface",
    "layout",
    "level_command",
    "miptree",
    "png",
    "run_copy",
    "surface_request",
    "svg",
    "tile",
    "tile_offset",
]
