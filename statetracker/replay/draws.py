"""The draws of a context: when they happen, and which slots their stages sample.

A stage is run by GLSL, else by an assembly program, an ATI shader or fixed function. Mesa keeps vertices back after
glEnd until something changes that they are drawn with, or the image is looked at (`Pending`). A call that sets what is
set already is no change. Source: docs/streams.md (GL 4.6 compatibility, 7.3 and 7.4; Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.names import glenum
from statetracker.gl.pixels import PIXEL_FORMATS
from statetracker.gl.units import TEXTURE0
from statetracker.replay.assembly import AtiShaders
from statetracker.replay.calls import DRAWS, IMMEDIATE_DRAWS, draws_something, handled
from statetracker.replay.primitives import Framebuffers, Vertices, mode_refused, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.gl import Context, Slot
    from statetracker.replay.assembly import Assembly
    from statetracker.replay.calls import Handlers
    from statetracker.replay.programs import Programs
    from statetracker.replay.share_group import DisplayLists
    from statetracker.replay.states import Stages, States
    from statetracker.trace.apitrace import DumpCall

_DEPTH_STENCIL: Final = glenum("GL_DEPTH_STENCIL")
_COLOR: Final = glenum("GL_COLOR")
_COPIED: Final = (_COLOR, glenum("GL_DEPTH"), glenum("GL_STENCIL"), _DEPTH_STENCIL)
_RENDER: Final = glenum("GL_RENDER")
_RENDER_MODES: Final = (_RENDER, glenum("GL_FEEDBACK"), glenum("GL_SELECT"))
_DIMENSIONS: Final = 3
ALPHA_TEST: Final = glenum("GL_ALPHA_TEST")
#: Switches with which glCopyPixels is no plain copy.
_FRAGMENT_WORK: Final = frozenset(
    {
        ALPHA_TEST,
        *map(glenum, ("GL_BLEND", "GL_INDEX_LOGIC_OP", "GL_COLOR_LOGIC_OP")),
        *map(glenum, ("GL_DEPTH_TEST", "GL_STENCIL_TEST", "GL_FOG")),
    }
)

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


class Draws:
    """The draws of a context, by what its session has.

    ``refused`` gets the number of each draw that is an error.
    """

    def __init__(
        self,
        context: Context,
        states: States,
        programs: Programs,
        assembly: Assembly,
        lists: DisplayLists,
        *,
        guess: Callable[[str], None],
    ) -> None:
        self.context, self.states, self.programs, self.assembly = context, states, programs, assembly
        self.lists, self.guess = lists, guess
        self.ati, self.framebuffers, self.vertices = AtiShaders(context), Framebuffers(), Vertices()
        self.pending = Pending()
        self.refused: Callable[[int], None] | None = None
        self._render_mode = _RENDER

    def stages(self) -> Stages | None:
        """Return the stages of a draw now; None where it would be an error."""
        limits, programs = self.context.limits, self.programs
        bare = limits.profile == "core" and not self.vertices.bound
        if bare or not self.framebuffers.drawable or programs.computes_only:
            return None
        stages: Stages = []
        targets: dict[int, int] = {}
        running = programs.glsl_stages()
        for stage, program in running:
            if any(targets.setdefault(unit, target) != target for unit, target, _ in program.units_in_use(stage)):
                return None
            stages.append((stage, program.slots(stage), program.glsl130))
        if limits.compatibility or limits.profile == "gles1":
            glsl = {stage for stage, _ in running}
            vertex, fragment = (() if stage in glsl else self._without_glsl(stage) for stage in ("vertex", "fragment"))
            if vertex is None or fragment is None:
                return None
            stages = [("vertex", vertex, False), *stages, ("fragment", fragment, False)]
        elif not programs.any_program:
            return None
        return [stage for stage in stages if stage[1]]

    def _without_glsl(self, stage: str) -> Sequence[Slot] | None:
        """Slots of a stage without GLSL; None: an error."""
        text = self.assembly.program(stage)
        if text is not None:
            return text.slots()
        if stage == "vertex":
            return ()
        slots = self.ati.slots()
        if slots is not None:
            return slots
        colourless = self.framebuffers.colourless and ALPHA_TEST not in self.context.enabled
        return () if colourless else self.context.fixed_function_slots()

    @property
    def fixed_function(self) -> bool:
        """True where a draw now has no fragment shader of any kind, in a context that can do without."""
        limits = self.context.limits
        kinds = (self.programs.stage_program("fragment"), self.assembly.program("fragment"), self.ati.slots())
        return (limits.compatibility or limits.profile == "gles1") and kinds == (None, None, None)

    def draw(self, at: int) -> None:
        """Convert for a draw by a call; without a change since the last one there is nothing to convert."""
        stages = self.stages() if self.states.touched else []
        if stages is not None:
            self._draw(at, stages)
        elif self.refused is not None:
            self.refused(at)

    def _draw(self, at: int, stages: Stages) -> None:
        """Draw with stages; samplers that are only taken as used are guesses."""
        if self.states.touched:
            for name in self.programs.open_samplers():
                self.guess(f"sampler {name!r} taken as used")
        self.states.draw(at, stages)

    def flush(self) -> None:
        at = self.pending.take()
        if at is not None:
            self.draw(at)

    def _draw_later(self, at: int) -> None:
        """Draw when a later call makes it necessary, but in a display list at once."""
        if self.lists.running:
            self.flush()
            self.draw(at)
        else:
            self.pending.add(at)

    def _number(self, call: DumpCall) -> int:
        """Return the number of a draw's call; of one in a display list that of the call that runs the list."""
        return self.lists.called if self.lists.running else call.number

    def call(self, call: DumpCall, name: str) -> None:
        """Any call of `DRAWS`, by its plain name."""
        if draws_something(name, call.args) and not refused(self.context, self.programs, name, call.args):
            (self._draw_later if name in IMMEDIATE_DRAWS else self.draw)(self._number(call))

    def glBegin(self, call: DumpCall, mode: int) -> None:
        """Refuse a mode that cannot be drawn, a core context, and a second glBegin."""
        if self.vertices.surely_inside(call.number):
            return
        if self.context.limits.profile == "core" or mode_refused(self.context, self.programs, mode):
            self.vertices.begun = None
        else:
            self.vertices.begin(call.number)

    def glEnd(self, call: DumpCall, *_args: object) -> None:
        """Draw, if there was a vertex or there may have been one."""
        if self.vertices.end(call.number):
            self._draw_later(self._number(call))

    def glRenderMode(self, mode: int) -> None:
        """Pixel rectangles are drawn in the mode GL_RENDER only."""
        if mode in _RENDER_MODES:
            self._render_mode = mode

    def glDrawPixels(self, call: DumpCall, width: int, height: int, fmt: int, kind: int, *_pixels: object) -> None:
        """Drawn where format and type go together."""
        if not pixels_refused(fmt, kind):
            self._rectangle(call, width, height, 2 if fmt == _DEPTH_STENCIL else 1)

    def glCopyPixels(self, call: DumpCall, _x: int, _y: int, width: int, height: int, kind: int) -> None:
        """Colours are copied without a draw if nothing changes or tests the fragments."""
        if kind not in _COPIED:
            return
        blit = kind == _COLOR and self.context.enabled.isdisjoint(_FRAGMENT_WORK) and not self._makes_fragments()
        self._rectangle(call, width, height, 0 if blit else 2 if kind == _DEPTH_STENCIL else 1)

    def _makes_fragments(self) -> bool:
        stages = self.stages() or []
        return self.programs.stage_program("fragment") is not None or any(stage == "fragment" for stage, *_ in stages)

    def glBitmap(self, call: DumpCall, width: int, height: int, *_bits: object) -> None:
        self._rectangle(call, width, height, 1)

    def _rectangle(self, call: DumpCall, width: int, height: int, internal: int) -> None:
        """Draw a pixel rectangle, with ``internal`` samplers of Mesa's beside the stages'."""
        if not (isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0):
            return
        stages = self.stages() if self._render_mode == _RENDER else None
        if stages is not None:
            self._draw(self._number(call), stages)
            if internal:
                self.states.draw_rectangle(self._number(call), stages, internal)

    def glRasterPos(self, call: DumpCall, *_position: object) -> None:
        """With a vertex program all stages run, as in a draw; without one, no state is read."""
        if self.programs.stage_program("vertex") is not None or self.assembly.program("vertex") is not None:
            self.draw(self._number(call))

    def glDispatchCompute(self, call: DumpCall, *groups: int) -> None:
        """Nothing with 0 groups."""
        program = self.programs.stage_program("compute")
        if program is not None and (len(groups) < _DIMENSIONS or all(groups)):
            slots = program.slots("compute")
            self._draw(self._number(call), [("compute", slots, program.glsl130)] if slots else [])
            self.states.touched = True

    glDispatchComputeIndirect = glDispatchComputeGroupSize = glDispatchCompute


def pixels_refused(fmt: int, kind: int) -> bool:
    """Return whether glDrawPixels takes no such pixels: format and type must exist, and go together."""
    row = PIXEL_FORMATS.get(fmt)
    return row is None or row.holds == "integer" or kind not in row.types


def _call(name: str) -> Callable[..., None]:
    """Return the handler of a call of `DRAWS`, which takes GL's arguments by name."""
    return lambda draws, call, *_args: draws.call(call, name)


CALLS: Final[Handlers] = {**{name: _call(name) for name in DRAWS}, **handled(Draws)}


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
