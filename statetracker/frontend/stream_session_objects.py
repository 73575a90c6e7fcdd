"""What a stream does to the objects of a GL context: lists, programs, pipelines, framebuffers.

Source: docs/streams.md.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from statetracker.frontend.stream_session_draws import SessionDraws
from statetracker.frontend.stream_texels import refilled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.frontend.stream import StreamCall
    from statetracker.frontend.stream_session_draws import Args

__all__ = ["SessionObjects"]

_DRAWING: Final = ("glBegin", "glDraw", "glMultiDraw", "glRect", "glBitmap", "glCopyPixels", "glEvalMesh", "glCallList")
_LINK_STATUS: Final = 0x8B82
_COMPILE_STATUS: Final = 0x8B81
_ACTIVE_UNIFORMS: Final = 0x8B86
_UNIFORM: Final = 0x92E1
_ERROR_POSITION: Final = 0x864B
_TEXTURE0: Final = 0x84C0


class SessionObjects(SessionDraws):
    """Calls that make, change and delete objects."""

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

    def compile_shader_include(self, args: Args, _call: StreamCall) -> None:
        """``glCompileShaderIncludeARB``."""
        paths = args[2] if isinstance(args[2], tuple) else ()
        self.programs.compile(args[0], [str(path) for path in paths])

    def named_string(self, args: Args, _call: StreamCall) -> None:
        """``glNamedStringARB``."""
        self.objects.named_strings.define(_cut(args[2], args[1]), _cut(args[4], args[3]))

    def delete_named_string(self, args: Args, _call: StreamCall) -> None:
        """``glDeleteNamedStringARB``."""
        self.objects.named_strings.delete(_cut(args[1], args[0]))

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
            self.doubt_if(call, problem)

    def resource_location(self, args: Args, call: StreamCall) -> None:
        """``glGetProgramResourceLocation``: glGetUniformLocation by another name, where it is about uniforms."""
        if args[1] == _UNIFORM:
            self.uniform_location([args[0], args[2]], call)

    def active_uniform(self, args: Args, call: StreamCall) -> None:
        """``glGetActiveUniform``: what GL lists is active; a name that may have been cut says nothing."""
        program, index, room, _length, size, kind, name = args
        if isinstance(name, str) and type(size) is type(kind) is tuple and len(name) < room - 1:
            before = self.context.program
            problem = self.programs.listed(program, index, name, size[0], kind[0])
            self.drawer.touched |= self.context.program is not before
            self.doubt_if(call, problem)

    def program_status(self, args: Args, _call: StreamCall) -> None:
        """``glGetProgramiv``: a link that failed is no link; how many uniforms are active."""
        if args[1] == _ACTIVE_UNIFORMS and type(args[2]) is tuple:
            before = self.context.program
            self.programs.count(args[0], args[2][0])
            self.drawer.touched |= self.context.program is not before
        if args[1] in (_LINK_STATUS, _COMPILE_STATUS) and args[2] == (0,):
            self.drawer.touched = True
            self.programs.not_linked(args[0]) if args[1] == _LINK_STATUS else self.programs.not_compiled(args[0])

    def shader_status(self, args: Args, _call: StreamCall) -> None:
        """``glGetShaderiv``: a shader that did not compile cannot be linked."""
        if args[1] == _COMPILE_STATUS and args[2] == (0,):
            self.programs.not_compiled(args[0])

    def uniform(self, args: Args, call: StreamCall) -> None:
        """``glUniform1i``, glUniform1iv."""
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

    def assembly_text(self, args: Args, call: StreamCall) -> None:
        """``glProgramStringARB``."""
        self.doubt_if(call, self.assembly.text(args[0], str(args[3])))

    def named_assembly_text(self, args: Args, call: StreamCall) -> None:
        """``glNamedProgramStringEXT``."""
        self.doubt_if(call, self.assembly.named_text(args[0], str(args[4])))

    def doubt_if(self, call: StreamCall, problem: str) -> None:
        """Tell a problem, if there is one."""
        if problem:
            self.doubt(call, problem)

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

    def draw_buffers(self, args: Args, call: StreamCall) -> None:
        """``glDrawBuffer`` and its kin: where it is GL_NONE, fixed function samples nothing but for the alpha test."""
        which = args[0] if "framebuffer" in call.args else self.framebuffers.drawn
        before = self.framebuffers.colourless
        self.framebuffers.select(which, args[-1] if type(args[-1]) is tuple else (args[-1],))
        self.drawer.touched |= before != self.framebuffers.colourless

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

    def sub_image(self, _args: Args, call: StreamCall) -> None:
        """``glTexSubImage*`` and their kin: with GENERATE_MIPMAP on, texels of the base level fill the chain."""
        self.drawer.touched |= refilled(self.context, call.args)

    def nothing(self, _args: Args, _call: StreamCall) -> None:
        """Calls that are known and change nothing that a draw reads."""


def _name(call: StreamCall) -> int:
    return call.result if isinstance(call.result, int) else 0


def _names(value: object) -> list[int]:
    return [name for name in value if isinstance(name, int)] if type(value) is tuple else []


def _joined(strings: object) -> str:
    return "".join(str(part) for part in strings) if isinstance(strings, tuple) else str(strings or "")


def _cut(text: object, length: object) -> str:
    """A text of a given length; negative: all of it."""
    return str(text)[:length] if isinstance(length, int) and length >= 0 else str(text)


def _attaches(call: StreamCall) -> bool:
    """Whether an attachment gets an image, and not 0."""
    given: Mapping[str, object] = call.args
    return bool(given.get("texture", given.get("renderbuffer", 0)))


def _draws(call: StreamCall) -> bool:
    return call.name.startswith(_DRAWING)
