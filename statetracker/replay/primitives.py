"""The draws that GL refuses: by primitives, by what is between glBegin and glEnd, by the framebuffer.

Between glBegin and glEnd GL executes nothing but vertices, their attributes and display lists; a stream with holes may
have lost the glEnd. A framebuffer is incomplete without any attachment, or where GL reported it since it last changed.
Source: docs/streams.md (GL 4.6 compatibility, 10.3 to 10.7, 11.3.4, 21.2; recorded live).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.names import glenum
from statetracker.replay.calls import handled, integers, nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.gl import Context
    from statetracker.replay.calls import Handlers
    from statetracker.replay.programs import Programs
    from statetracker.trace.apitrace import DumpCall

_PATCHES: Final = glenum("GL_PATCHES")
_MODES: Final = range(_PATCHES + 1)
_NOT_IN_CORE: Final = (glenum("GL_QUADS"), glenum("GL_QUAD_STRIP"), glenum("GL_POLYGON"))
#: What a geometry shader takes -> the modes that give it.
GEOMETRY_MODES: Final[Mapping[str, tuple[int, ...]]] = {
    "points": (glenum("GL_POINTS"),),
    "lines": (glenum("GL_LINES"), glenum("GL_LINE_LOOP"), glenum("GL_LINE_STRIP")),
    "triangles": (glenum("GL_TRIANGLES"), glenum("GL_TRIANGLE_STRIP"), glenum("GL_TRIANGLE_FAN")),
    "lines_adjacency": (glenum("GL_LINES_ADJACENCY"), glenum("GL_LINE_STRIP_ADJACENCY")),
    "triangles_adjacency": (glenum("GL_TRIANGLES_ADJACENCY"), glenum("GL_TRIANGLE_STRIP_ADJACENCY")),
}
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INPUT: Final = re.compile(r"layout\s*\(([^)]*)\)\s*in\s*;")
_INDEX_TYPES: Final = tuple(glenum(f"GL_UNSIGNED_{kind}") for kind in ("BYTE", "SHORT", "INT"))
#: What glEvalMesh1 and glEvalMesh2 take.
_MESHES: Final = {
    "glEvalMesh1": (glenum("GL_POINT"), glenum("GL_LINE")),
    "glEvalMesh2": (glenum("GL_POINT"), glenum("GL_LINE"), glenum("GL_FILL")),
}
#: Number of the evaluator's dimensions -> its maps that make vertices.
_MAPS: Final = {
    n: {glenum(f"GL_MAP{n}_{kind}") for kind in ("VERTEX_3", "VERTEX_4", "VERTEX_ATTRIB0_4_NV")} for n in ("1", "2")
}
#: Arrays that make vertices: the array of positions, and attribute 0.
_POSITIONS: Final = (glenum("GL_VERTEX_ARRAY"), 0)
_UNKNOWN: Final = -1

_READ: Final = glenum("GL_READ_FRAMEBUFFER")
_DRAW: Final = glenum("GL_DRAW_FRAMEBUFFER")
_BOTH: Final = glenum("GL_FRAMEBUFFER")
_COMPLETE: Final = glenum("GL_FRAMEBUFFER_COMPLETE")
_DEFAULT_SIZES: Final = (glenum("GL_FRAMEBUFFER_DEFAULT_WIDTH"), glenum("GL_FRAMEBUFFER_DEFAULT_HEIGHT"))
_NONE: Final = glenum("GL_NONE")
#: What glDrawBuffer may choose of a window, and of an object.
_OF_WINDOW: Final = range(glenum("GL_FRONT_LEFT"), glenum("GL_AUX3") + 1)
_OF_OBJECT: Final = range(glenum("GL_COLOR_ATTACHMENT0"), glenum("GL_COLOR_ATTACHMENT7") + 1)


def mode_refused(context: Context, programs: Programs, mode: object) -> bool:
    """Return whether a mode cannot be drawn: not GL's, not this profile's, or not what the shaders take."""
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
    """Return what kind of primitives a geometry shader's ``layout`` takes; empty where it does not say."""
    layouts = _INPUT.finditer(_COMMENT.sub(" ", "\n".join(sources)))
    words = (word.strip() for layout in layouts for word in layout[1].split(","))
    return next((word for word in words if word in GEOMETRY_MODES), "")


def refused(context: Context, programs: Programs, name: str, args: Mapping[str, object]) -> bool:
    """Return whether a call of `DRAWS` is an error, or makes no vertices."""
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


class Vertices:
    """A context's open glBegin, and which arrays are on in its vertex arrays.

    Attributes:
        begun: Number of the open glBegin's call; None: there is none.
        made: Vertices since then.
        bound: The vertex array.
    """

    def __init__(self) -> None:
        self.begun: int | None = None
        self.bound = 0
        self._calls = 0
        self.made = 0
        self._arrays: dict[int, set[int]] = {}

    def begin(self, call: int) -> None:
        self.begun, self._calls, self.made = call, 0, 0

    def surely_inside(self, call: int) -> bool:
        """Return whether a call is between glBegin and glEnd, and the stream shows all calls since glBegin."""
        return self.begun is not None and call - self.begun - 1 <= self._calls

    def refuses(self, call: int, *, allowed: bool) -> bool:
        """Count a call since glBegin; whether GL refuses it there, being none of those that are allowed."""
        refused = not allowed and self.surely_inside(call)
        self._calls += 1
        return refused

    def end(self, call: int) -> bool:
        """Take a glEnd; whether it draws: there was a vertex since glBegin, or there may have been one."""
        begun, self.begun = self.begun, None
        return begun is not None and (self.made > 0 or call - begun - 1 > self._calls)

    @property
    def has_positions(self) -> bool:
        """True where glArrayElement makes a vertex."""
        return bool(self._arrays.get(self.bound))

    def glBindVertexArray(self, name: int) -> None:
        """Bind a vertex array; a core context draws with one only."""
        self.bound = name

    def glEnableClientState(self, array: int) -> None:
        if array in _POSITIONS:
            self._arrays.setdefault(self.bound, set()).add(array)

    def glDisableClientState(self, array: int) -> None:
        self._arrays.get(self.bound, set()).discard(array)

    def glEnableVertexArray(self, *_args: object) -> None:
        """From then on glArrayElement counts as making vertices."""
        self._arrays.setdefault(self.bound, set()).add(_UNKNOWN)

    glEnableVertexAttribArray, glDisableVertexAttribArray = glEnableClientState, glDisableClientState
    glEnableVertexArrayAttrib = glInterleavedArrays = glPopClientAttrib = glEnableVertexArray


def makes_vertices(name: str) -> Callable[[Context, Vertices, Mapping[str, Any]], bool] | None:
    """Return how a call between glBegin and glEnd makes vertices; None: it does not."""
    if re.match(r"glVertex(?:[234]|P[234]|Attribs|StreamATI)", name):
        return lambda _context, _vertices, _args: True
    if re.match(r"glVertexAttrib[1-4ILP]", name) and "Pointer" not in name and "Format" not in name:
        return lambda _context, _vertices, args: args.get("index", 0) == 0
    if name.startswith("glArrayElement"):
        return lambda _context, vertices, _args: vertices.has_positions
    match = re.match(r"glEval(?:Coord|Point)([12])", name)
    maps = _MAPS[match[1]] if match else None
    return None if maps is None else lambda context, _vertices, _args: not context.enabled.isdisjoint(maps)


class _Framebuffer:
    def __init__(self) -> None:
        self.attached: set[object] = set()
        self.status: int | None = None


class Framebuffers:
    """A context's framebuffers, and which one draws go to."""

    def __init__(self) -> None:
        self.drawn = 0
        self.read = 0
        self.objects: dict[int, _Framebuffer] = {}
        self._colourless: set[int] = set()

    glGenFramebuffers = glCreateFramebuffers = nothing

    def glBindFramebuffer(self, target: int, name: int) -> None:
        if target in (_BOTH, _DRAW):
            self.drawn = name
        if target in (_BOTH, _READ):
            self.read = name

    def glDeleteFramebuffers(self, _count: int, names: object) -> None:
        """Delete framebuffers; the one that is bound gives way to the window."""
        for name in integers(names):
            self.objects.pop(name, None)
            self._colourless.discard(name)
            self.drawn = 0 if name == self.drawn else self.drawn
            self.read = 0 if name == self.read else self.read

    def _of(self, call: DumpCall, target: int) -> int:
        """Return the framebuffer that a call is about: the one bound to its target, or its first argument is a name."""
        return target if "Named" in call.name else self.read if target == _READ else self.drawn

    def _attach(self, framebuffer: int, attachment: object, image: object) -> None:
        if framebuffer > 0:
            state = self.objects.setdefault(framebuffer, _Framebuffer())
            state.status = None
            (state.attached.add if image else state.attached.discard)(attachment)

    def glFramebufferTexture(self, call: DumpCall, target: int, attachment: object, *_image: object) -> None:
        self._attach(self._of(call, target), attachment, call.args.get("texture", call.args.get("renderbuffer")))

    def glFramebufferParameteri(self, call: DumpCall, target: int, pname: int, value: int) -> None:
        """Set a default size, which stands for attachments."""
        if pname in _DEFAULT_SIZES:
            self._attach(self._of(call, target), pname, value > 0)

    def glCheckFramebufferStatus(self, call: DumpCall, target: int, *_target: int) -> None:
        """Take the status that GL reported: it decides."""
        framebuffer = self._of(call, target)
        if framebuffer > 0 and isinstance(call.result, int):
            self.objects.setdefault(framebuffer, _Framebuffer()).status = call.result

    def glDrawBuffer(self, call: DumpCall, *args: Any) -> None:  # noqa: ANN401 (as the stream has them)
        """With GL_NONE, fixed function samples nothing but for the alpha test."""
        framebuffer, chosen = args[0] if "Framebuffer" in call.name else self.drawn, args[-1]
        buffers = chosen if type(chosen) is tuple else (chosen,)
        there = _OF_OBJECT if framebuffer else _OF_WINDOW
        if all(buffer == _NONE or buffer in there for buffer in buffers):
            colourless = all(buffer == _NONE for buffer in buffers)
            (self._colourless.add if colourless else self._colourless.discard)(framebuffer)

    @property
    def colourless(self) -> bool:
        """True where colours are drawn nowhere: the draw buffer is GL_NONE."""
        return self.drawn in self._colourless

    @property
    def drawable(self) -> bool:
        """True where a draw into the bound framebuffer is no error."""
        if self.drawn == 0:
            return True
        state = self.objects.get(self.drawn)
        if state is None:
            return False
        return state.status == _COMPLETE if state.status is not None else bool(state.attached)


_IMAGES: Final = ("Texture", "Texture1D", "Texture2D", "Texture3D", "TextureLayer", "TextureFace", "Renderbuffer")
_DRAW_BUFFERS: Final = [f"gl{of}DrawBuffer{s}" for of in ("", "Framebuffer", "NamedFramebuffer") for s in ("", "s")]
_ATTACHED: Final = [f"gl{of}Framebuffer{image}" for of in ("", "Named") for image in _IMAGES]

FRAMEBUFFER_CALLS: Final[Handlers] = {
    **handled(Framebuffers),
    **dict.fromkeys(_DRAW_BUFFERS, Framebuffers.glDrawBuffer),
    **dict.fromkeys(_ATTACHED, Framebuffers.glFramebufferTexture),
    "glFramebufferTexture2DMultisample": Framebuffers.glFramebufferTexture,
    "glFramebufferTextureMultiview": Framebuffers.glFramebufferTexture,
    "glNamedFramebufferParameteri": Framebuffers.glFramebufferParameteri,
    "glCheckNamedFramebufferStatus": Framebuffers.glCheckFramebufferStatus,
}
