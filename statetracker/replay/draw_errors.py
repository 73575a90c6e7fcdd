"""Draws that GL refuses for what is in the call, or for what the call would need: they convert nothing.

Source: docs/streams.md (GL 4.6 compatibility, 10.4, 10.5, 11.3.4, 21.2; recorded live).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from statetracker.gl.pixels import PACKED, PIXEL_FORMATS, PIXEL_TYPES
from statetracker.gl.registry import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl import Context
    from statetracker.replay.programs import Programs

__all__ = ["GEOMETRY_MODES", "VERTEX_MAPS", "mode_refused", "pixels_refused", "refused"]

_PATCHES: Final = number("GL_PATCHES")
_MODES: Final = range(_PATCHES + 1)
_NOT_IN_CORE: Final = (number("GL_QUADS"), number("GL_QUAD_STRIP"), number("GL_POLYGON"))
#: What a geometry shader takes -> the modes that give it.
GEOMETRY_MODES: Final[Mapping[str, tuple[int, ...]]] = {
    "points": (number("GL_POINTS"),),
    "lines": (number("GL_LINES"), number("GL_LINE_LOOP"), number("GL_LINE_STRIP")),
    "triangles": (number("GL_TRIANGLES"), number("GL_TRIANGLE_STRIP"), number("GL_TRIANGLE_FAN")),
    "lines_adjacency": (number("GL_LINES_ADJACENCY"), number("GL_LINE_STRIP_ADJACENCY")),
    "triangles_adjacency": (number("GL_TRIANGLES_ADJACENCY"), number("GL_TRIANGLE_STRIP_ADJACENCY")),
}
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INPUT: Final = re.compile(r"layout\s*\(([^)]*)\)\s*in\s*;")
_INDEX_TYPES: Final = tuple(number(f"GL_UNSIGNED_{kind}") for kind in ("BYTE", "SHORT", "INT"))
#: What glEvalMesh1 and glEvalMesh2 take.
_MESHES: Final = {
    "glEvalMesh1": (number("GL_POINT"), number("GL_LINE")),
    "glEvalMesh2": (number("GL_POINT"), number("GL_LINE"), number("GL_FILL")),
}
#: Number of the evaluator's dimensions -> its maps that make vertices.
VERTEX_MAPS: Final = {
    n: {number(f"GL_MAP{n}_{kind}") for kind in ("VERTEX_3", "VERTEX_4", "VERTEX_ATTRIB0_4_NV")} for n in ("1", "2")
}


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
        return args.get("mode") not in _MESHES[name] or context.enabled.isdisjoint(VERTEX_MAPS[name[-1]])
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
