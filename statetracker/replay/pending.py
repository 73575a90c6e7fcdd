"""Vertices that wait after glEnd, and which calls draw them.

Mesa keeps vertices back until something changes that they are drawn with, or the image is looked at. A call that sets
what is set already is no change. Source: docs/streams.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.names import glenum
from statetracker.gl.units import TEXTURE0

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.gl import Context

#: Modelled calls that draw nothing that waits: they make names, or wait themselves.
NOT_FLUSHING: Final = frozenset(
    {
        *("glGenTextures", "glGenSamplers", "glGenPrograms", "glGenFramebuffers", "glGenLists"),
        *("glGenProgramPipelines", "glCreateProgramPipelines", "glCreateShader", "glCreateProgram"),
        *("glCreateTextures", "glCreateSamplers", "glCreateFramebuffers"),
        *("glEnableClientState", "glDisableClientState", "glCallList", "glCallLists"),
        *("glBegin", "glEnd", "glRect", "glEvalMesh1", "glEvalMesh2"),
    }
)
#: Calls of the window system that draw what waits in the current context.
SWAPS: Final = ("glXSwapBuffers", "glXWaitGL", "eglSwapBuffers", "eglWaitGL", "eglWaitClient", "wglSwapBuffers")

_ALWAYS: Final = re.compile(
    r"gl(?:Flush|Finish|Clear(?:Buffer\w*|NamedFramebuffer\w*)?|Readn?Pixels|Get(?:n|Compressed)?Tex(?:ture)?(?:Sub)?Image"
    r"|GetCompressedTex(?:ture)?(?:Sub)?Image|Blit\w+|CopyImageSubData|Accum|RenderMode|(?:Begin|End)Query\w*)(?:ARB|EXT)?"
)
_MATRIX: Final = re.compile(
    r"gl(?:LoadIdentity|Load(?:Transpose)?Matrix[fd]|Mult(?:Transpose)?Matrix[fd]|Translate[fd]|Rotate[fd]|Scale[fd]"
    r"|Orthof?|Frustumf?|(?:Push|Pop)Matrix)(?:ARB)?"
)
_CHANGING: Final = re.compile(
    r"gl(?:Viewport\w*|DepthRange\w*|Scissor\w*|Clip(?:Plane|Control)\w*|TexGen\w+|MatrixMode|Light\w+|ColorMaterial"
    r"|ShadeModel|Fog[fi]v?|AlphaFunc|Hint|Point(?:Size|Parameter\w+)|Line(?:Width|Stipple)|Polygon\w+|CullFace|FrontFace"
    r"|Blend(?:Func|Equation|Color)\w*|Depth(?:Func|Mask|Bounds)\w*|Stencil\w+|ColorMask\w*|LogicOp|Sample\w+|IndexMask)"
)
_ATTRIBUTE: Final = re.compile(
    r"gl(Color|SecondaryColor|Normal|TexCoord|MultiTexCoord|FogCoord|Index|EdgeFlag|Material|VertexAttrib[ILP]?)"
    r"(?:P?[1-4]|[bdfisu]).*"
)
#: Arguments that select one of several states.
_WHICH: Final = ("face", "target", "pname", "light", "coord", "plane", "equation", "index", "buf", "texture")
#: Initial values of some states.
_AT_FIRST: Final[Mapping[str, tuple[object, ...]]] = {
    "glMatrixMode": (glenum("GL_MODELVIEW"),),
    "glHint": (glenum("GL_DONT_CARE"),),
    "glShadeModel": (glenum("GL_SMOOTH"),),
    "glAlphaFunc": (glenum("GL_ALWAYS"), 0),
    "glPointSize": (1,),
    "glLineWidth": (1,),
    "glPolygonMode": (glenum("GL_FILL"),),
    "glCullFace": (glenum("GL_BACK"),),
    "glFrontFace": (glenum("GL_CCW"),),
    "glBlendFunc": (glenum("GL_ONE"), glenum("GL_ZERO")),
    "glBlendEquation": (glenum("GL_FUNC_ADD"),),
    "glDepthFunc": (glenum("GL_LESS"),),
    "glDepthMask": (1,),
    "glColorMask": (1, 1, 1, 1),
    "glLogicOp": (glenum("GL_COPY"),),
}


def sets_the_same(context: Context, name: str, args: Mapping[str, Any]) -> bool:
    """Return whether a call sets what is set already: a switch, the active unit, a parameter of a texture."""
    if name in ("glEnable", "glDisable"):
        cap = args.get("cap")
        return (cap in context.enabled or cap in context.unit().enabled) == (name == "glEnable")
    if name == "glActiveTexture":
        return bool(args.get("texture") == TEXTURE0 + context.active)
    if name not in ("glTexParameteri", "glTexParameterf"):
        return False
    error, messages = context.error, context.messages[:]
    current = context.glGetTexParameterfv(args.get("target"), args.get("pname"))
    context.error, context.messages[:] = error, messages
    return current == [args.get("param")]


class Pending:
    """A draw that waits, and the state that decides whether a call makes it necessary.

    Attributes:
        at: Number of the call that draws, where a draw waits.
    """

    def __init__(self) -> None:
        self.at: int | None = None
        self._last: dict[tuple[str, object], tuple[object, ...]] = {}
        self._attributes: set[str] = set()
        self._moved = False
        self._known = True

    def add(self, at: int) -> None:
        """Let a draw wait; it is drawn together with one that waits already."""
        if self.at is None:
            self.at = at

    def take(self) -> int | None:
        """Return the draw that waits, which it does no more."""
        at, self.at = self.at, None
        if at is not None:
            self._attributes.clear()
        return at

    def forget(self) -> None:
        """Forget the values of states, which were restored all at once."""
        self._last.clear()
        self._known = False

    @staticmethod
    def rule(name: str) -> Callable[[Pending, Mapping[str, Any], bool], bool] | None:
        """Return whether a call draws what waits, given its arguments and a glBegin before it; None: never."""
        if _ALWAYS.fullmatch(name):
            return lambda _self, _args, _inside: True
        if _MATRIX.fullmatch(name):
            return lambda self, _args, _inside: self._matrix(name)
        if _CHANGING.fullmatch(name):
            return lambda self, args, _inside: self.changes(name, args)
        match = _ATTRIBUTE.fullmatch(name)
        kind = match[1] if match else None
        return None if kind is None else lambda self, _args, inside: self.attribute(kind, inside=inside)

    def _matrix(self, name: str) -> bool:
        """Return whether a matrix is changed; popped, it is the same if it was not touched since it was pushed."""
        changed = name != "glPushMatrix" and (name != "glPopMatrix" or self._moved)
        self._moved = name != "glPushMatrix"
        return changed

    def changes(self, name: str, args: Mapping[str, Any]) -> bool:
        """Return whether a state is set to another value than it had."""
        key = name, tuple(value for which, value in args.items() if which in _WHICH)
        value = tuple(value for which, value in args.items() if which not in _WHICH)
        before = self._last.get(key, _AT_FIRST.get(name) if self._known else None)
        self._last[key] = value
        return before != value

    def attribute(self, kind: str, *, inside: bool) -> bool:
        """Set an attribute; return whether the waiting vertices lack it."""
        if inside:
            self._attributes.add(kind)
        return not inside and kind not in self._attributes
