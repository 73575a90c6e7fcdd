"""The vertices between glBegin and glEnd, and the vertex arrays that glArrayElement reads.

GL executes nothing but vertices, their attributes and display lists there. A stream with holes may have lost the glEnd.
Source: docs/streams.md (GL 4.6 compatibility, 10.3 and 10.7; recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.registry import number
from statetracker.replay.draw_errors import VERTEX_MAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.gl import Context
    from statetracker.replay.calls import Handlers

__all__ = ["CALLS", "Vertices", "makes_vertices"]

#: Arrays that make vertices: the array of positions, and attribute 0.
_POSITIONS: Final = (number("GL_VERTEX_ARRAY"), 0)
_UNKNOWN: Final = -1


class Vertices:
    """A context's open glBegin, and which arrays are on in its vertex arrays. Handlers of calls take GL's arguments.

    begun    number of the open glBegin's call; None: there is none
    bound    the vertex array
    """

    def __init__(self) -> None:
        self.begun: int | None = None
        self.bound = 0
        self._calls = 0
        self._vertices = 0
        self._arrays: dict[int, set[int]] = {}

    def begin(self, call: int) -> None:
        """Start at a glBegin that GL takes."""
        self.begun, self._calls, self._vertices = call, 0, 0

    def surely_inside(self, call: int) -> bool:
        """Whether a call is between glBegin and glEnd, and the stream shows all calls since glBegin."""
        return self.begun is not None and call - self.begun - 1 <= self._calls

    def refuses(self, call: int, *, allowed: bool) -> bool:
        """Count a call since glBegin; whether GL refuses it there, being none of those that are allowed."""
        refused = not allowed and self.surely_inside(call)
        self._calls += 1
        return refused

    def add(self, *, made: bool) -> None:
        """Count a vertex, if one was made."""
        self._vertices += made

    def end(self, call: int) -> bool:
        """Take a glEnd; whether it draws: there was a vertex since glBegin, or there may have been one."""
        begun, self.begun = self.begun, None
        return begun is not None and (self._vertices > 0 or call - begun - 1 > self._calls)

    @property
    def has_positions(self) -> bool:
        """Whether glArrayElement makes a vertex."""
        return bool(self._arrays.get(self.bound))

    def bind(self, name: int) -> None:
        """``glBindVertexArray``: a core context draws with one only."""
        self.bound = name

    def enable(self, array: int) -> None:
        """``glEnableClientState``, glEnableVertexAttribArray."""
        if array in _POSITIONS:
            self._arrays.setdefault(self.bound, set()).add(array)

    def disable(self, array: int) -> None:
        """``glDisableClientState``, glDisableVertexAttribArray."""
        self._arrays.get(self.bound, set()).discard(array)

    def enable_unknown(self, *_args: object) -> None:
        """Calls after which glArrayElement is taken to make vertices."""
        self._arrays.setdefault(self.bound, set()).add(_UNKNOWN)


def makes_vertices(name: str) -> Callable[[Context, Vertices, Mapping[str, Any]], bool] | None:
    """How a call between glBegin and glEnd makes vertices; None: it does not."""
    if re.match(r"glVertex(?:[234]|P[234]|Attribs|StreamATI)", name):
        return lambda _context, _vertices, _args: True
    if re.match(r"glVertexAttrib[1-4ILP]", name) and "Pointer" not in name and "Format" not in name:
        return lambda _context, _vertices, args: args.get("index", 0) == 0
    if name.startswith("glArrayElement"):
        return lambda _context, vertices, _args: vertices.has_positions
    found = re.match(r"glEval(?:Coord|Point)([12])", name)
    maps = VERTEX_MAPS[found[1]] if found else None
    return None if maps is None else lambda context, _vertices, _args: not context.enabled.isdisjoint(maps)


CALLS: Final[Handlers] = {
    "glBindVertexArray": Vertices.bind,
    "glEnableClientState": Vertices.enable,
    "glEnableVertexAttribArray": Vertices.enable,
    "glDisableClientState": Vertices.disable,
    "glDisableVertexAttribArray": Vertices.disable,
    "glInterleavedArrays": Vertices.enable_unknown,
    "glPopClientAttrib": Vertices.enable_unknown,
    "glEnableVertexArrayAttrib": Vertices.enable_unknown,
    "glEnableVertexArray": Vertices.enable_unknown,
}
