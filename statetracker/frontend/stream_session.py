"""One GL context of a stream, and what each call does to it.

`CALLS` is the table of the calls that the replay itself models; what `statetracker.gl` models goes to its `Context`.
Source: docs/streams.md.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.frontend.stream_assembly import Assembly, AssemblyObjects, AtiShaders
from statetracker.frontend.stream_calls import DRAWS, draws
from statetracker.frontend.stream_draws import Drawer, program_slots, stages_in_use
from statetracker.frontend.stream_framebuffers import Framebuffers
from statetracker.frontend.stream_lists import DisplayLists
from statetracker.frontend.stream_programs import Objects, Programs
from statetracker.gl import Context, Limits
from statetracker.gl.pixels import PIXEL_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from statetracker.frontend.stream import StreamCall
    from statetracker.frontend.stream_draws import StreamEvent
    from statetracker.frontend.stream_programs import Analysis
    from statetracker.gl import Slot
    from statetracker.sampler import Converter

__all__ = ["CALLS", "Session"]

Args: TypeAlias = "list[Any]"
Stages: TypeAlias = "list[tuple[str, Sequence[Slot], bool]]"

_DRAWING: Final = ("glBegin", "glDraw", "glMultiDraw", "glRect", "glBitmap", "glCopyPixels", "glEvalMesh", "glCallList")
_LINK_STATUS: Final = 0x8B82
_COMPILE_STATUS: Final = 0x8B81
_ERROR_POSITION: Final = 0x864B
_TEXTURE0: Final = 0x84C0
_DEPTH_STENCIL: Final = (0x84F9,)
_PACKED_TYPES: Final = (0x84FA, 0x8DAD)  # GL_UNSIGNED_INT_24_8, GL_FLOAT_32_UNSIGNED_INT_24_8_REV
_COLOR: Final = 0x1800
#: ALPHA_TEST, BLEND, both logic ops, DEPTH_TEST, STENCIL_TEST, FOG: what a plain copy of colours cannot do.
_FRAGMENT_WORK: Final = {0x0BC0, 0x0BE2, 0x0BF1, 0x0BF2, 0x0B71, 0x0B90, 0x0B60}


class Session:
    """A context: GL's state, its programs, lists and framebuffers, and its cache of states."""

    def __init__(
        self,
        converter: Converter,
        analysis: Analysis,
        tell: Callable[[StreamEvent], None],
        numbers: Iterator[int],
        *,
        profile: str = "",
        share: Session | None = None,
        explained: bool = False,
        doubt: Callable[[StreamCall, str], None],
        guessed: Callable[[str], None],
        execute: Callable[[StreamCall], None],
    ) -> None:
        """Start as a new context does; with ``share``, on another's objects."""
        self.context = Context(_limits(converter, profile))
        self.objects, self.texts, self.lists = Objects(), AssemblyObjects(), DisplayLists()
        if share is not None:
            self.objects, self.texts, self.lists = share.objects, share.texts, share.lists
            for name in ("textures", "samplers", "programs", "defaults"):
                setattr(self.context, name, getattr(share.context, name))
        self.programs = Programs(self.context, analysis, self.objects)
        self.assembly = Assembly(self.context, analysis, self.texts)
        self.ati = AtiShaders(self.context)
        self.framebuffers = Framebuffers()
        self.drawer = Drawer(self.context, converter, tell, numbers, explained=explained)
        self.doubt = doubt
        self.guessed = guessed
        self.execute = execute
        self.vertex_array = 0
        self.begun: StreamCall | None = None
        self.inside = 0
        self.vertices = 0
        self.pending: int | None = None

    # Draws
    def stages(self) -> Stages | None:
        """What a draw would use; None where it would be an error."""
        if not self.framebuffers.drawable:
            return None
        if self.context.limits.profile == "core" and not self.vertex_array:
            return None
        return stages_in_use(self.context, self.programs, self.assembly, self.ati)

    def draw(self, number: int) -> None:
        """Convert for a draw."""
        stages = self.stages() if self.drawer.touched else []
        if stages is not None:
            self.drawer.draw(number, stages)

    def flush(self) -> None:
        """Draw what glEnd left waiting."""
        if self.pending is not None:
            number, self.pending = self.pending, None
            self.draw(number)

    def draw_call(self, args: Args, call: StreamCall) -> None:
        """Any call of `DRAWS`."""
        del args
        if draws(self.plain, call.args):
            self.draw(call.number)

    plain = ""

    def begin(self, _args: Args, call: StreamCall) -> None:
        """``glBegin``."""
        self.begun, self.inside, self.vertices = call, 0, 0

    def end(self, _args: Args, call: StreamCall) -> None:
        """``glEnd``: a draw, if there was a vertex or there may have been one."""
        begun, self.begun = self.begun, None
        if begun is None:
            return
        missing = call.number - begun.number - 1 > self.inside
        if not (self.vertices or missing):
            return
        if self.lists.depth:
            self.draw(call.number)
        elif self.pending is None:
            self.pending = call.number

    def pixels(self, args: Args, call: StreamCall) -> None:
        """``glDrawPixels``: drawn where format and type go together."""
        packed = args[2] in _DEPTH_STENCIL
        if PIXEL_FORMATS.get(args[2]) not in (None, "integer") and packed == (args[3] in _PACKED_TYPES):
            self._rectangle(call, args[0], args[1], 2 if packed else 1)

    def copy_pixels(self, args: Args, call: StreamCall) -> None:
        """``glCopyPixels``: colours are copied without a draw where nothing is done to fragments on the way."""
        blit = args[4] == _COLOR and not (self.context.enabled & _FRAGMENT_WORK) and not self._fragments_made()
        self._rectangle(call, args[2], args[3], 0 if blit else 2 if args[4] in _DEPTH_STENCIL else 1)

    def _fragments_made(self) -> bool:
        """Whether a program or a texture makes fragments."""
        stages = self.stages() or []
        return self.programs.stage_program("fragment") is not None or any(stage == "fragment" for stage, *_ in stages)

    def bitmap(self, args: Args, call: StreamCall) -> None:
        """``glBitmap``."""
        self._rectangle(call, args[0], args[1], 1)

    def _rectangle(self, call: StreamCall, width: int, height: int, own: int) -> None:
        if not (isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0):
            return
        stages = self.stages()
        if stages is not None:
            self.drawer.draw(call.number, stages)
            if own:
                self.drawer.own(call.number, stages, own)

    def dispatch(self, _args: Args, call: StreamCall) -> None:
        """``glDispatchCompute`` and its kin."""
        program = self.programs.stage_program("compute")
        if program is not None:
            self.drawer.draw(call.number, program_slots(program, "compute"))
            self.drawer.touched = True

    # Display lists
    def new_list(self, args: Args, _call: StreamCall) -> None:
        """``glNewList``."""
        self.lists.begin(args[0], args[1])

    def end_list(self, _args: Args, _call: StreamCall) -> None:
        """``glEndList``."""
        self.lists.end()

    def call_list(self, args: Args, _call: StreamCall) -> None:
        """``glCallList``."""
        self.lists.run(args[0], self.execute)

    def call_lists(self, args: Args, call: StreamCall) -> None:
        """``glCallLists``: a dump shows how many, not which.

        Taken are those that set before those that draw, else in order of their numbers.
        """
        names = args[2]
        if type(names) is tuple:  # and not a blob, of which only the size is known
            chosen = [self.lists.base + name for name in names]
        else:
            self.guessed(call.name)
            chosen = list(islice(self.lists.candidates(_draws), max(0, args[0])))
        for name in chosen:
            self.lists.run(name, self.execute)

    def list_base(self, args: Args, _call: StreamCall) -> None:
        """``glListBase``."""
        self.lists.base = args[0]

    def delete_lists(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteLists``."""
        self.lists.delete(args[0], args[1])

    # Programs
    def create_shader(self, args: Args, call: StreamCall) -> None:
        """``glCreateShader``."""
        self.programs.create_shader(_name(call), args[0])

    def shader_source(self, args: Args, _call: StreamCall) -> None:
        """``glShaderSource``."""
        self.programs.source(args[0], _joined(args[2]))

    def compile_shader(self, args: Args, _call: StreamCall) -> None:
        """``glCompileShader``."""
        self.programs.compile(args[0])

    def create_program(self, _args: Args, call: StreamCall) -> None:
        """``glCreateProgram``."""
        self.programs.create_program(_name(call))

    def attach_shader(self, args: Args, _call: StreamCall) -> None:
        """``glAttachShader``."""
        self.programs.attach(args[0], args[1])

    def detach_shader(self, args: Args, _call: StreamCall) -> None:
        """``glDetachShader``."""
        self.programs.detach(args[0], args[1])

    def link_program(self, args: Args, call: StreamCall) -> None:
        """``glLinkProgram``."""
        for problem in self.programs.link(args[0]):
            self.doubt(call, problem)

    def program_parameter(self, args: Args, _call: StreamCall) -> None:
        """``glProgramParameteri``."""
        self.programs.parameter(args[0], args[1], args[2])

    def captured(self, args: Args, _call: StreamCall) -> None:
        """``glTransformFeedbackVaryings``."""
        found = self.objects.programs.get(args[0])
        if found is not None and isinstance(args[2], tuple):
            found.captured = tuple(str(name) for name in args[2])

    def create_separate(self, args: Args, call: StreamCall) -> None:
        """``glCreateShaderProgramv``."""
        for problem in self.programs.create_separate(_name(call), args[0], _joined(args[2])):
            self.doubt(call, problem)

    def use_program(self, args: Args, _call: StreamCall) -> None:
        """``glUseProgram``."""
        self.programs.use(args[0])

    def delete_program(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteProgram``."""
        self.programs.delete(args[0])

    def delete_shader(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteShader``."""
        self.programs.delete_shader(args[0])

    def delete_object(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteObjectARB``: a shader, or a program."""
        self.programs.delete(args[0])
        self.programs.delete_shader(args[0])

    def uniform_location(self, args: Args, call: StreamCall) -> None:
        """``glGetUniformLocation``: the location that GL gave is the truth."""
        if isinstance(call.result, int):
            before = self.context.program
            problem = self.programs.located(args[0], str(args[1]), call.result)
            self.drawer.touched |= self.context.program is not before
            if problem:
                self.doubt(call, problem)

    def program_status(self, args: Args, _call: StreamCall) -> None:
        """``glGetProgramiv``: a link that failed is no link."""
        if args[1] in (_LINK_STATUS, _COMPILE_STATUS) and args[2] == (0,):
            self.drawer.touched = True
            self.programs.not_linked(args[0]) if args[1] == _LINK_STATUS else self.programs.not_compiled(args[0])

    def shader_status(self, args: Args, _call: StreamCall) -> None:
        """``glGetShaderiv``: a shader that did not compile cannot be linked."""
        if args[1] == _COMPILE_STATUS and args[2] == (0,):
            self.programs.not_compiled(args[0])

    def uniform(self, args: Args, call: StreamCall) -> None:
        """``glUniform1i``, glUniform1iv, also between glBegin and glEnd of a list."""
        function, program = self.context.function(call.name), self.context.program
        if function is not None and program is not None:
            before = program.units[:]
            function(*args)
            self.drawer.touched |= before != program.units

    # Pipelines
    def generate_pipelines(self, args: Args, _call: StreamCall) -> None:
        """``glGenProgramPipelines``, glCreateProgramPipelines."""
        self.programs.generate_pipelines(_names(args[1]))

    def delete_pipelines(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteProgramPipelines``."""
        self.programs.delete_pipelines(_names(args[1]))

    def bind_pipeline(self, args: Args, _call: StreamCall) -> None:
        """``glBindProgramPipeline``."""
        self.programs.bind_pipeline(args[0])

    def use_stages(self, args: Args, _call: StreamCall) -> None:
        """``glUseProgramStages``."""
        self.programs.use_stages(args[0], args[1], args[2])

    def activate(self, args: Args, _call: StreamCall) -> None:
        """``glActiveShaderProgram``."""
        self.programs.activate(args[0], args[1])

    # Assembly programs and ATI shaders
    def bind_assembly(self, args: Args, _call: StreamCall) -> None:
        """``glBindProgramARB``."""
        self.assembly.bind(args[0], args[1])

    def assembly_text(self, args: Args, _call: StreamCall) -> None:
        """``glProgramStringARB``."""
        self.assembly.text(args[0], str(args[3]))

    def named_assembly_text(self, args: Args, _call: StreamCall) -> None:
        """``glNamedProgramStringEXT``."""
        self.assembly.named_text(args[0], str(args[4]))

    def delete_assembly(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteProgramsARB``."""
        self.assembly.delete(_names(args[1]))

    def asked(self, args: Args, _call: StreamCall) -> None:
        """``glGetIntegerv``: the position of an error in the last assembly program."""
        if args[0] == _ERROR_POSITION and args[1] != (-1,):
            self.drawer.touched = True
            self.assembly.refused()

    def bind_ati(self, args: Args, _call: StreamCall) -> None:
        """``glBindFragmentShaderATI``."""
        self.ati.bind(args[0])

    def begin_ati(self, _args: Args, _call: StreamCall) -> None:
        """``glBeginFragmentShaderATI``."""
        self.ati.begin()

    def sample_ati(self, args: Args, _call: StreamCall) -> None:
        """``glSampleMapATI``."""
        self.ati.sample(args[0])

    def delete_ati(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteFragmentShaderATI``."""
        self.ati.delete(args[0])

    # Framebuffers, vertex arrays
    def bind_framebuffer(self, args: Args, _call: StreamCall) -> None:
        """``glBindFramebuffer``."""
        self.framebuffers.bind(args[0], args[1])

    def delete_framebuffers(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteFramebuffers``."""
        self.framebuffers.delete(tuple(_names(args[1])))

    def attach_image(self, args: Args, call: StreamCall) -> None:
        """``glFramebufferTexture*``, glFramebufferRenderbuffer."""
        self.framebuffers.attach(self.framebuffers.at(args[0]), args[1], something=_attaches(call))

    def attach_named(self, args: Args, call: StreamCall) -> None:
        """``glNamedFramebufferTexture*``, glNamedFramebufferRenderbuffer."""
        self.framebuffers.attach(args[0], args[1], something=_attaches(call))

    def framebuffer_parameter(self, args: Args, call: StreamCall) -> None:
        """``glFramebufferParameteri``, glNamedFramebufferParameteri."""
        which = args[0] if call.name.startswith("glNamed") else self.framebuffers.at(args[0])
        self.framebuffers.parameter(which, args[1], args[2])

    def framebuffer_status(self, args: Args, call: StreamCall) -> None:
        """``glCheckFramebufferStatus``, glCheckNamedFramebufferStatus: what GL says is the truth."""
        which = args[0] if "Named" in call.name else self.framebuffers.at(args[0])
        self.framebuffers.said(which, call.result)

    def bind_vertex_array(self, args: Args, _call: StreamCall) -> None:
        """``glBindVertexArray``: a core context draws with one only."""
        self.vertex_array = args[0]

    # Calls of gl.Context whose arguments a stream shows otherwise
    def active_texture(self, args: Args, _call: StreamCall) -> None:
        """``glActiveTexture``: a number below GL_TEXTURE0 is an error in GL."""
        if isinstance(args[0], int) and args[0] >= _TEXTURE0:
            self.context.glActiveTexture(args[0])

    def nothing(self, _args: Args, _call: StreamCall) -> None:
        """Calls that are known and change nothing that a draw reads."""


def _limits(converter: Converter, profile: str) -> Limits:
    limits = converter.screen.gl_limits(release=converter.dialect.gl_release)
    if profile and profile != limits.profile:
        limits = Limits(
            profile=profile,
            extensions=limits.extensions,
            max_texture_size=limits.max_texture_size,
            max_combined_units=limits.max_combined_units,
            max_anisotropy=limits.max_anisotropy,
            release=limits.release.name,
            force_integer_nearest=limits.force_integer_nearest,
        )
    return limits


def _draws(call: StreamCall) -> bool:
    return call.name.startswith(_DRAWING)


def _name(call: StreamCall) -> int:
    return call.result if isinstance(call.result, int) else 0


def _names(value: object) -> list[int]:
    return [name for name in value if isinstance(name, int)] if type(value) is tuple else []


def _joined(strings: object) -> str:
    return "".join(str(part) for part in strings) if isinstance(strings, tuple) else str(strings or "")


def _attaches(call: StreamCall) -> bool:
    """Whether an attachment gets an image, and not 0."""
    given: Mapping[str, object] = call.args
    return bool(given.get("texture", given.get("renderbuffer", 0)))


Handler: TypeAlias = "Callable[[Session, Args, StreamCall], None]"

_S = Session

#: Calls that the replay itself models -> what they do. Older spellings are in `stream_calls.ALIASES`.
CALLS: Final[Mapping[str, Handler]] = {
    **dict.fromkeys(DRAWS, _S.draw_call),
    "glBegin": _S.begin,
    "glEnd": _S.end,
    "glDrawPixels": _S.pixels,
    "glCopyPixels": _S.copy_pixels,
    "glBitmap": _S.bitmap,
    "glDispatchCompute": _S.dispatch,
    "glDispatchComputeIndirect": _S.dispatch,
    "glDispatchComputeGroupSize": _S.dispatch,
    "glNewList": _S.new_list,
    "glEndList": _S.end_list,
    "glCallList": _S.call_list,
    "glCallLists": _S.call_lists,
    "glListBase": _S.list_base,
    "glGenLists": _S.nothing,
    "glDeleteLists": _S.delete_lists,
    "glCreateShader": _S.create_shader,
    "glShaderSource": _S.shader_source,
    "glCompileShader": _S.compile_shader,
    "glGetShaderiv": _S.shader_status,
    "glDeleteShader": _S.delete_shader,
    "glCreateProgram": _S.create_program,
    "glAttachShader": _S.attach_shader,
    "glDetachShader": _S.detach_shader,
    "glLinkProgram": _S.link_program,
    "glProgramParameteri": _S.program_parameter,
    "glTransformFeedbackVaryings": _S.captured,
    "glCreateShaderProgramv": _S.create_separate,
    "glUseProgram": _S.use_program,
    "glDeleteProgram": _S.delete_program,
    "glDeleteObjectARB": _S.delete_object,
    "glGetUniformLocation": _S.uniform_location,
    "glGetProgramiv": _S.program_status,
    "glUniform1i": _S.uniform,
    "glUniform1iv": _S.uniform,
    "glGenProgramPipelines": _S.generate_pipelines,
    "glCreateProgramPipelines": _S.generate_pipelines,
    "glDeleteProgramPipelines": _S.delete_pipelines,
    "glBindProgramPipeline": _S.bind_pipeline,
    "glUseProgramStages": _S.use_stages,
    "glActiveShaderProgram": _S.activate,
    "glGenProgramsARB": _S.nothing,
    "glBindProgramARB": _S.bind_assembly,
    "glProgramStringARB": _S.assembly_text,
    "glNamedProgramStringEXT": _S.named_assembly_text,
    "glDeleteProgramsARB": _S.delete_assembly,
    "glGetIntegerv": _S.asked,
    "glGenFragmentShadersATI": _S.nothing,
    "glBindFragmentShaderATI": _S.bind_ati,
    "glBeginFragmentShaderATI": _S.begin_ati,
    "glEndFragmentShaderATI": _S.nothing,
    "glSampleMapATI": _S.sample_ati,
    "glPassTexCoordATI": _S.nothing,
    **{f"gl{of}FragmentOp{n}ATI": _S.nothing for of in ("Color", "Alpha") for n in (1, 2, 3)},
    "glSetFragmentShaderConstantATI": _S.nothing,
    "glDeleteFragmentShaderATI": _S.delete_ati,
    "glGenFramebuffers": _S.nothing,
    "glCreateFramebuffers": _S.nothing,
    "glBindFramebuffer": _S.bind_framebuffer,
    "glDeleteFramebuffers": _S.delete_framebuffers,
    "glCheckFramebufferStatus": _S.framebuffer_status,
    "glCheckNamedFramebufferStatus": _S.framebuffer_status,
    "glFramebufferParameteri": _S.framebuffer_parameter,
    "glNamedFramebufferParameteri": _S.framebuffer_parameter,
    **{
        f"glFramebuffer{what}": _S.attach_image
        for what in ("Texture", "Texture1D", "Texture2D", "Texture3D", "TextureLayer", "TextureFace", "Renderbuffer")
    },
    **{
        f"glNamedFramebuffer{what}": _S.attach_named
        for what in ("Texture", "Texture1D", "Texture2D", "Texture3D", "TextureLayer", "TextureFace", "Renderbuffer")
    },
    "glFramebufferTexture2DMultisample": _S.attach_image,
    "glFramebufferTextureMultiview": _S.attach_image,
    "glBindVertexArray": _S.bind_vertex_array,
    "glActiveTexture": _S.active_texture,
}
