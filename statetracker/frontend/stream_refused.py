"""Draws that GL refuses for what is in the call, or for what the call would need: they convert nothing.

Source: docs/streams.md (GL 4.6 compatibility, 10.4, 10.5, 11.3.4, 21.2; recorded live).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from statetracker.gl.pixels import PACKED, PIXEL_FORMATS, PIXEL_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from statetracker.frontend.stream_programs import Programs
    from statetracker.gl import Context

__all__ = ["GEOMETRY_MODES", "makes_vertices", "mode_refused", "pixels_refused", "refused"]

_PATCHES: Final = 0x000E
_MODES: Final = range(_PATCHES + 1)
#: QUADS, QUAD_STRIP, POLYGON.
_NOT_IN_CORE: Final = (0x0007, 0x0008, 0x0009)
#: What a geometry shader takes -> the modes that give it.
GEOMETRY_MODES: Final[Mapping[str, tuple[int, ...]]] = {
    "points": (0x0000,),
    "lines": (0x0001, 0x0002, 0x0003),
    "triangles": (0x0004, 0x0005, 0x0006),
    "lines_adjacency": (0x000A, 0x000B),
    "triangles_adjacency": (0x000C, 0x000D),
}
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INPUT: Final = re.compile(r"layout\s*\(([^)]*)\)\s*in\s*;")
_INDEX_TYPES: Final = (0x1401, 0x1403, 0x1405)
#: What glEvalMesh1 and glEvalMesh2 take: POINT, LINE, FILL.
_MESHES: Final = {"glEvalMesh1": (0x1B00, 0x1B01), "glEvalMesh2": (0x1B00, 0x1B01, 0x1B02)}
#: Number of the evaluator's dimensions -> its maps that make vertices: VERTEX_3, VERTEX_4, VERTEX_ATTRIB0_4_NV.
_MAPS: Final = {"1": {0x0D97, 0x0D98, 0x8660}, "2": {0x0DB7, 0x0DB8, 0x8670}}


def mode_refused(context: Context, programs: Programs, mode: object) -> bool:
    """Whether no primitive of that mode can be drawn: not GL's, not this profile's, or not what the shaders take."""
    if mode not in _MODES or (context.limits.profile != "compatibility" and mode in _NOT_IN_CORE):
        return True
    tessellated = programs.stage_program("tess-eval") is not None
    if tessellated or mode == _PATCHES:
        return (mode == _PATCHES) != tessellated
    geometry = programs.sources("geometry")
    takes = GEOMETRY_MODES.get(_taken(geometry)) if geometry else None
    return takes is not None and mode not in takes


@lru_cache(maxsize=64)
def _taken(sources: tuple[str, ...]) -> str:
    """What kind of primitives a geometry shader's ``layout`` takes; empty where it does not say."""
    layouts = _INPUT.finditer(_COMMENT.sub(" ", "\n".join(sources)))
    words = (word.strip() for layout in layouts for word in layout[1].split(","))
    return next((word for word in words if word in GEOMETRY_MODES), "")


def refused(context: Context, programs: Programs, name: str, args: Mapping[str, object]) -> bool:
    """Whether a call of `DRAWS` is an error, or makes no vertices."""
    if name in _MESHES:
        return args.get("mode") not in _MESHES[name] or context.enabled.isdisjoint(_MAPS[name[-1]])
    if isinstance(args.get("mode"), int) and mode_refused(context, programs, args["mode"]):
        return True
    if "Elements" in name and args.get("type", _INDEX_TYPES[0]) not in _INDEX_TYPES:
        return True
    start, end, counts = args.get("start"), args.get("end"), args.get("count")
    if isinstance(start, int) and isinstance(end, int) and end < start:
        return True
    return type(counts) is tuple and any(isinstance(count, int) and count < 0 for count in counts)


def pixels_refused(fmt: int, kind: int) -> bool:
    """Whether glDrawPixels takes no such pixels: format and type must exist, and go together."""
    if PIXEL_FORMATS.get(fmt) in (None, "integer") or kind not in PIXEL_TYPES:
        return True
    if PIXEL_FORMATS[fmt] == "ds":
        return fmt not in PACKED.get(kind, ())
    return fmt not in PACKED.get(kind, (fmt,))


def makes_vertices(name: str) -> Callable[[Context, Collection[int], Mapping[str, object]], bool] | None:
    """How a call between glBegin and glEnd makes vertices, given the arrays switched on; None: it does not."""
    if re.match(r"glVertex(?:[234]|P[234]|Attribs|StreamATI)", name):
        return lambda _context, _arrays, _args: True
    if re.match(r"glVertexAttrib[1-4ILP]", name) and "Pointer" not in name and "Format" not in name:
        return lambda _context, _arrays, args: args.get("index", 0) == 0
    if name.startswith("glArrayElement"):
        return lambda _context, arrays, _args: bool(arrays)
    found = re.match(r"glEval(?:Coord|Point)([12])", name)
    maps = _MAPS[found[1]] if found else None
    return None if maps is None else lambda context, _arrays, _args: not context.enabled.isdisjoint(maps)
