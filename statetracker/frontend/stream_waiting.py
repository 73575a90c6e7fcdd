"""What draws the vertices that wait after glEnd, among the calls that no sampler depends on.

Mesa keeps vertices back until something changes that they are drawn with, or somebody looks at what was drawn. A call
that sets what is set already is no change. Source: docs/streams.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.state import GL_TEXTURE0

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.gl import Context

__all__ = ["IMMEDIATE_LIKE", "NOT_FLUSHING", "SWAPS", "Waiting", "sets_the_same"]

#: Calls that the replay models and that draw nothing that waits: they make names, or wait themselves.
NOT_FLUSHING: Final = frozenset(
    {
        *(
            "glGenTextures",
            "glGenSamplers",
            "glGenPrograms",
            "glGenFramebuffers",
            "glGenLists",
            "glGenProgramPipelines",
        ),
        *("glCreateTextures", "glCreateSamplers", "glCreateFramebuffers", "glCreateProgramPipelines"),
        *("glEnableClientState", "glDisableClientState"),
        *("glCreateShader", "glCreateProgram", "glCallList", "glCallLists", "glRect", "glEvalMesh1", "glEvalMesh2"),
    }
)
#: Draws that wait as glEnd's vertices do.
IMMEDIATE_LIKE: Final = ("glRect", "glEvalMesh1", "glEvalMesh2")
#: Calls of the window system that draw what waits in the current context.
SWAPS: Final = ("glXSwapBuffers", "glXWaitGL", "eglSwapBuffers", "eglWaitGL", "eglWaitClient", "wglSwapBuffers")

_ALWAYS: Final = re.compile(
    r"gl(?:Flush|Finish|Clear(?:Buffer\w*|NamedFramebuffer\w*)?|Readn?Pixels|Get(?:n|Compressed)?Tex(?:ture)?(?:Sub)?Image"
    r"|GetCompressedTex(?:ture)?(?:Sub)?Image|Blit\w+|CopyImageSubData|Accum|RenderMode|(?:Begin|End)Query\w*)(?:ARB|EXT)?"
)
_MATRIX: Final = re.compile(
    r"gl(?:LoadIdentity|Load(?:Transpose)?Matrix[fd]|Mult(?:Transpose)?Matrix[fd]|Translate[fd]|Rotate[fd]|Scale[fd]"
    r"|Orthof?|Frustumf?)(?:ARB)?"
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
#: Arguments that say which of several states is set.
_WHICH: Final = ("face", "target", "pname", "light", "coord", "plane", "equation", "index", "buf", "texture")
#: What some states are at first.
_AT_FIRST: Final[Mapping[str, tuple[object, ...]]] = {
    "glMatrixMode": (0x1700,),
    "glHint": (0x1100,),
    "glShadeModel": (0x1D01,),
    "glAlphaFunc": (0x207, 0),
    "glPointSize": (1,),
    "glLineWidth": (1,),
    "glPolygonMode": (0x1B02,),
    "glCullFace": (0x405,),
    "glFrontFace": (0x901,),
    "glBlendFunc": (1, 0),
    "glBlendEquation": (0x8006,),
    "glDepthFunc": (0x201,),
    "glDepthMask": (1,),
    "glColorMask": (1, 1, 1, 1),
    "glLogicOp": (0x1503,),
}


def sets_the_same(context: Context, name: str, args: Mapping[str, Any]) -> bool:
    """Whether a call sets what is set already: a switch, the active unit, a parameter of a texture."""
    if name in ("glEnable", "glDisable"):
        cap = args.get("cap")
        return (cap in context.enabled or cap in context.unit().enabled) == (name == "glEnable")
    if name == "glActiveTexture":
        return bool(args.get("texture") == GL_TEXTURE0 + context.active)
    if name not in ("glTexParameteri", "glTexParameterf"):
        return False
    error, messages = context.error, context.messages[:]
    found = context.glGetTexParameterfv(args.get("target"), args.get("pname"))
    context.error, context.messages[:] = error, messages
    return found == [args.get("param")]


class Waiting:
    """What a context remembers to know whether a call draws what waits."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, object], tuple[object, ...]] = {}
        self._attributes: set[str] = set()
        self._moved = False
        self._known = True

    def drawn(self) -> None:
        """Nothing waits any more."""
        self._attributes.clear()

    def forget(self) -> None:
        """Hear that states were put back all at once: which values they have is not known any more."""
        self._last.clear()
        self._known = False

    @staticmethod
    def rule(name: str) -> Callable[[Waiting, Mapping[str, Any], bool], bool] | None:
        """How a call is judged: from its arguments, and whether it is between glBegin and glEnd; None: never."""
        if _ALWAYS.fullmatch(name):
            return lambda _self, _args, _inside: True
        if _MATRIX.fullmatch(name):
            return Waiting._move
        if name in ("glPushMatrix", "glPopMatrix"):
            return Waiting._push if name == "glPushMatrix" else Waiting._pop
        if _CHANGING.fullmatch(name):
            return lambda self, args, _inside: self.changes(name, args)
        found = _ATTRIBUTE.fullmatch(name)
        kind = found[1] if found else None
        return None if kind is None else lambda self, _args, inside: self.attribute(kind, inside=inside)

    def _move(self, _args: Mapping[str, Any], _inside: bool) -> bool:  # noqa: FBT001 (one form for all rules)
        self._moved = True
        return True

    def _push(self, _args: Mapping[str, Any], _inside: bool) -> bool:  # noqa: FBT001 (one form for all rules)
        self._moved = False
        return False

    def _pop(self, _args: Mapping[str, Any], _inside: bool) -> bool:  # noqa: FBT001 (one form for all rules)
        """A matrix that was not touched since it was pushed is the same; of those below nothing is known."""
        moved, self._moved = self._moved, True
        return moved

    def changes(self, name: str, args: Mapping[str, Any]) -> bool:
        """Whether a state is set to another value than it had."""
        key = name, tuple(value for which, value in args.items() if which in _WHICH)
        value = tuple(value for which, value in args.items() if which not in _WHICH)
        before = self._last.get(key, _AT_FIRST.get(name) if self._known else None)
        self._last[key] = value
        return before != value

    def attribute(self, kind: str, *, inside: bool) -> bool:
        """An attribute that the waiting vertices have too is only set."""
        if inside:
            self._attributes.add(kind)
        return not inside and kind not in self._attributes
