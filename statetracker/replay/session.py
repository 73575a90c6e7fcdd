"""One GL context of a stream: its parts, the calls that each handles, and which make a draw look at its samplers again.

What calls of the table `COMPARED` name is compared before and after each. Other calls always count as a change of
samplers, or never. Source: docs/streams.md.
"""

from __future__ import annotations

from inspect import signature
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.gl.enums import Target
from statetracker.gl.facts import changes
from statetracker.gl.names import glenum
from statetracker.gl.targets import FACE_TARGETS, POSITIVE_X
from statetracker.gl.units import TEXTURE0
from statetracker.replay import draws
from statetracker.replay.assembly import ATI_CALLS, STAGE_SWITCHES, Assembly
from statetracker.replay.calls import Allowance, Handlers, handled
from statetracker.replay.draws import ALPHA_TEST, Draws
from statetracker.replay.primitives import FRAMEBUFFER_CALLS, Vertices
from statetracker.replay.programs import Programs
from statetracker.replay.share_group import DisplayLists, NamedStrings, Shaders

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.gl import Context, Texture
    from statetracker.replay.assembly import Text
    from statetracker.replay.program_objects import ProgramObject
    from statetracker.replay.states import States
    from statetracker.trace.apitrace import DumpCall

_LINK_STATUS: Final = glenum("GL_LINK_STATUS")
_COMPILE_STATUS: Final = glenum("GL_COMPILE_STATUS")
_ACTIVE_UNIFORMS: Final = glenum("GL_ACTIVE_UNIFORMS")
_UNIFORM: Final = glenum("GL_UNIFORM")
_ERROR_POSITION: Final = glenum("GL_PROGRAM_ERROR_POSITION_ARB")
_CUBE: Final = int(Target.TEXTURE_CUBE_MAP)
_PARTS: Final = (("xoffset", "width"), ("yoffset", "height"), ("zoffset", "depth"))

#: Calls that write a part of an image; of EXT_direct_state_access, too, whose names are not plain ones with a suffix.
_SUB_IMAGES: Final = tuple(
    f"gl{kind}{of}SubImage{n}D{suffix}"
    for kind in ("", "Copy", "Compressed")
    for of, suffix in (("Tex", ""), ("Texture", ""), ("Texture", "EXT"), ("MultiTex", "EXT"))
    for n in (1, 2, 3)
)


class Share:
    """The objects of a share group, by name; those of `gl.Context` are taken over from the first context."""

    def __init__(self, allowance: Allowance) -> None:
        self.shaders = Shaders(allowance)
        self.programs: dict[int, ProgramObject] = {}
        self.texts: dict[int, Text] = {}


class Session:
    """A context with the parts that execute its calls.

    GL's answers that a stream shows override what the replay worked out: a location or a list of active uniforms, a
    failed link or compile, the position of an error in an assembly program. Source: docs/glsl.md.

    Args:
        context: GL's state.
        states: The driver's sampler states.
        driver: Decides which macros are predefined, as `glsl.stage_samplers` takes it.
        guess: Counts what is executed though the stream does not show all of it.
        execute: Executes a call of a display list.
        share: The context whose objects it shares.
        allowance: Of the recording.
    """

    def __init__(
        self,
        context: Context,
        states: States,
        driver: str,
        *,
        guess: Callable[[str], None],
        execute: Callable[[DumpCall], None],
        share: Session | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self.context, self.states = context, states
        self.guess, self.execute = guess, execute
        allowance = allowance or Allowance()
        self.share: Share = Share(allowance) if share is None else share.share
        if share is not None:
            for name in ("textures", "samplers", "programs", "defaults"):
                setattr(context, name, getattr(share.context, name))
        self.shaders = self.share.shaders
        self.lists: DisplayLists = DisplayLists(allowance, None if share is None else share.lists)
        self.named_strings = self.shaders.named_strings
        self.programs = Programs(context, driver, self.shaders, self.share.programs)
        self.assembly = Assembly(context, self.share.texts)
        self.draws = Draws(context, states, self.programs, self.assembly, self.lists, guess=guess)
        self.ati, self.framebuffers, self.vertices = self.draws.ati, self.draws.framebuffers, self.draws.vertices

    def end(self, call: int) -> None:
        """Destroy the context: what is pending is drawn, and its states are deleted."""
        self.draws.flush()
        self.states.destroy(call)

    def glCallList(self, call: DumpCall, name: int) -> None:
        self.lists.run(name, self.execute, call)

    def glCallLists(self, call: DumpCall, count: int, _kind: int, names: object) -> None:
        """Call display lists; a dump shows how many, not which.

        Executed are those that set before those that draw, else in order of their numbers.
        """
        if type(names) is tuple:  # and not a blob, of which only the size is known
            chosen: Sequence[int] = [self.lists.base + name for name in names]
        else:
            self.guess("glCallLists")
            chosen = self.lists.guess(count)
        for name in chosen:
            self.lists.run(name, self.execute, call)

    def glActiveTexture(self, unit: Any) -> None:  # noqa: ANN401 (as the stream has it)
        """Choose a unit; a number below GL_TEXTURE0 is an error in GL."""
        if isinstance(unit, int) and unit >= TEXTURE0:
            self.context.glActiveTexture(unit)

    def glTexSubImage2D(self, call: DumpCall, *_args: object) -> None:
        """With GENERATE_MIPMAP on, texels of the base level fill the chain."""
        self.states.touched |= _refilled(self.context, call.args)

    def _update(self, program: int, change: Callable[[ProgramObject], Sequence[str] | None]) -> Sequence[str]:
        before = self.context.program
        doubts = self.programs.update(program, change)
        self.states.touched |= self.context.program is not before
        return doubts

    def glGetUniformLocation(self, call: DumpCall, program: int, name: object) -> Sequence[str]:
        """Take the location that GL gave."""
        location = call.result
        if not isinstance(location, int):
            return ()
        return self._update(program, lambda obj: obj.report_location(str(name), location))

    def glGetProgramResourceLocation(self, call: DumpCall, program: int, interface: int, name: object) -> Sequence[str]:
        """Do what glGetUniformLocation does, where it is about uniforms."""
        return self.glGetUniformLocation(call, program, name) if interface == _UNIFORM else ()

    def glGetActiveUniform(self, program: int, index: int, size: int, *reported: object) -> Sequence[str]:
        """Take a uniform that GL lists as active; a name that may be cut off is ignored."""
        _length, elements, kind, name = reported
        if not isinstance(name, str) or type(elements) is not tuple or type(kind) is not tuple or len(name) >= size - 1:
            return ()
        return self._update(program, lambda obj: obj.report_uniform(index, name, elements[0], kind[0]))

    def glGetProgramiv(self, program: int, pname: int, value: object) -> None:
        """Take what GL said of a link, and how many uniforms are active; a link that failed is no link."""
        if pname == _ACTIVE_UNIFORMS and type(value) is tuple:
            self._update(program, lambda obj: obj.report_count(value[0]))
        elif pname == _LINK_STATUS and value == (0,):
            self.states.touched = True
            self.programs.report_failure(program)
        elif pname == _COMPILE_STATUS and value == (0,):  # of a shader: glGetObjectParameterivARB asks for both
            self.states.touched = True
            self.shaders.report_failure(program)

    def glGetShaderiv(self, shader: int, pname: int, value: object) -> None:
        """Take what GL said of a compile; a shader that did not compile cannot be linked."""
        if pname == _COMPILE_STATUS and value == (0,):
            self.shaders.report_failure(shader)

    def glGetIntegerv(self, pname: int, value: object) -> None:
        """Take the position of an error in the last assembly program."""
        if pname == _ERROR_POSITION and value != (-1,):
            self.states.touched = True
            self.assembly.report_failure()


def _refilled(context: Context, args: Mapping[str, object]) -> bool:
    """Fill the mipmap chain of the texture that a call writes; whether it was filled (GL 4.6 compatibility, 8.14.4).

    ``args`` has its arguments by the names that GL gives them.
    """
    numbers = {name: value for name, value in args.items() if isinstance(value, int)}
    texture, level = _meant(context, numbers), numbers.get("level")
    if texture is None or not texture.generate_mipmap or level != texture.base_level:
        return False
    base = texture.base_image()
    if base is None or not _inside(numbers, (base.width, base.height, base.depth), texture.target):
        return False
    for face in _faces(numbers, texture.target):
        texture.generate(face)
    return True


def _meant(context: Context, args: Mapping[str, int]) -> Texture | None:
    if args.get("texture"):
        return context.textures.get(args["texture"])
    target = args.get("target", 0)
    if target not in context.availability.targets | FACE_TARGETS:
        return None
    unit = args["texunit"] - TEXTURE0 if "texunit" in args else None
    return context.bound(_CUBE if target in FACE_TARGETS else target, unit)


def _inside(args: Mapping[str, int], size: tuple[int, int, int], target: int) -> bool:
    """Return whether some texels are meant and all of them are in the image; a cube's faces count as its depth."""
    most = (*size[:2], 6) if target == _CUBE else size
    starts = ((args.get(start, 0), args.get(count, 1)) for start, count in _PARTS)
    return all(n > 0 and start >= 0 and start + n <= end for (start, n), end in zip(starts, most, strict=True))


def _faces(args: Mapping[str, int], target: int) -> range:
    if target != _CUBE:
        return range(1)
    where = args.get("target", _CUBE)
    if where in FACE_TARGETS:
        return range(where - POSITIVE_X, where - POSITIVE_X + 1)
    first = args.get("zoffset", 0)
    return range(first, first + args.get("depth", 1))


#: The parts of a session: how it is found, and the calls that it handles.
PARTS: Final[tuple[tuple[Callable[[Session], object], Handlers], ...]] = (
    (attrgetter("draws"), draws.CALLS),
    (attrgetter("vertices"), handled(Vertices)),
    (attrgetter("lists"), handled(DisplayLists)),
    (attrgetter("shaders"), handled(Shaders)),
    (attrgetter("named_strings"), handled(NamedStrings)),
    (attrgetter("programs"), handled(Programs)),
    (attrgetter("assembly"), handled(Assembly)),
    (attrgetter("ati"), ATI_CALLS),
    (attrgetter("framebuffers"), FRAMEBUFFER_CALLS),
    (lambda session: session, {**handled(Session), **dict.fromkeys(_SUB_IMAGES, Session.glTexSubImage2D)}),
)
#: Every call that a part handles. Older spellings are in `calls.ALIASES`.
CALLS: Final[Handlers] = {name: method for _, calls in PARTS for name, method in calls.items()}
#: Those whose handlers take the call itself first.
WHOLE_CALLS: Final = frozenset(n for n, method in CALLS.items() if [*signature(method).parameters][1:2] == ["call"])

#: What is compared before and after a call; True: the call is a change; False: it is none.
Rule: TypeAlias = "Callable[[Session], object] | bool"

#: Calls that the session's parts handle and that are changes, as they begin; others are none.
_OF_PARTS: Final = (
    *("glUseProgram", "glLinkProgram", "glCreateShaderProgram", "glActiveShader", "glBindProgram", "glDelete"),
    *("glProgramString", "glNamedProgramString", "glBindFragmentShader", "glEndFragmentShader"),
)
#: Calls that `gl.Context` handles and that are none; others are changes.
_IDLE: Final = ("glActiveTexture", "glGenTextures", "glGenSamplers", "glCreateSamplers", "glPushAttrib")


def _tokens(_session: Session) -> object:
    """Return the newest token: every change of a sampler, a texture, a unit or a program's units takes one."""
    return changes.last


def _switches(session: Session) -> object:
    context = session.context
    return changes.last, context.seamless, context.enabled & STAGE_SWITCHES, ALPHA_TEST in context.enabled


def _colourless(session: Session) -> object:
    return session.framebuffers.colourless


#: How calls begin -> what is compared.
COMPARED: Final[Mapping[str, Callable[[Session], object]]] = {
    **{f"gl{of}Parameter": _tokens for of in ("Tex", "Texture", "MultiTex", "Sampler")},
    **{f"glBind{of}": _tokens for of in ("Texture", "MultiTexture", "Sampler")},
    **dict.fromkeys(("glTexEnv", "glMultiTexEnv", "glUniform1i"), _tokens),
    **dict.fromkeys(("glEnable", "glDisable"), _switches),
    **{f"gl{of}DrawBuffer": _colourless for of in ("", "Framebuffer", "NamedFramebuffer")},
}


def rule_of(name: str, *, handled: bool) -> Rule:
    """Return how calls of a name count.

    ``handled`` means that a part of the session handles it, and not its `gl.Context`.
    """
    compared = next((what for start, what in COMPARED.items() if name.startswith(start)), None)
    if compared is not None:
        return compared
    return name.startswith(_OF_PARTS) if handled else name not in _IDLE
