"""GL's answers that a stream shows: they override what the replay worked out.

A location or a list of active uniforms, a failed link or compile, the position of an error in an assembly program.
Source: docs/streams.md, docs/glsl.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.names import glenum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.replay.assembly import Assembly
    from statetracker.replay.calls import Handlers
    from statetracker.replay.program_objects import ProgramObject
    from statetracker.replay.programs import Programs
    from statetracker.replay.states import States
    from statetracker.trace.apitrace import DumpCall

_LINK_STATUS: Final = glenum("GL_LINK_STATUS")
_COMPILE_STATUS: Final = glenum("GL_COMPILE_STATUS")
_ACTIVE_UNIFORMS: Final = glenum("GL_ACTIVE_UNIFORMS")
_UNIFORM: Final = glenum("GL_UNIFORM")
_ERROR_POSITION: Final = glenum("GL_PROGRAM_ERROR_POSITION_ARB")


class Answers:
    """Passes answers on to a context's programs; ``states`` convert again where one changed any.

    Handlers of calls take GL's arguments and give doubts, if any.
    """

    def __init__(self, programs: Programs, assembly: Assembly, states: States) -> None:
        self.programs = programs
        self.assembly = assembly
        self.states = states

    def _update(self, program: int, change: Callable[[ProgramObject], Sequence[str] | None]) -> Sequence[str]:
        context = self.programs.context
        before = context.program
        doubts = self.programs.update(program, change)
        self.states.touched |= context.program is not before
        return doubts

    def uniform_location(self, call: DumpCall, program: int, name: object) -> Sequence[str]:
        """``glGetUniformLocation``: the location that GL gave is used."""
        location = call.result
        if not isinstance(location, int):
            return ()
        return self._update(program, lambda obj: obj.report_location(str(name), location))

    def resource_location(self, call: DumpCall, program: int, interface: int, name: object) -> Sequence[str]:
        """``glGetProgramResourceLocation``: glGetUniformLocation by another name, where it is about uniforms."""
        return self.uniform_location(call, program, name) if interface == _UNIFORM else ()

    def active_uniform(self, program: int, index: int, size: int, *reported: object) -> Sequence[str]:
        """``glGetActiveUniform``: a uniform that GL lists is active; a name that may be cut off is ignored."""
        _length, elements, kind, name = reported
        if not isinstance(name, str) or type(elements) is not tuple or type(kind) is not tuple or len(name) >= size - 1:
            return ()
        return self._update(program, lambda obj: obj.report_uniform(index, name, elements[0], kind[0]))

    def program_parameter(self, program: int, pname: int, value: object) -> None:
        """``glGetProgramiv``: a link that failed is no link; how many uniforms are active."""
        if pname == _ACTIVE_UNIFORMS and type(value) is tuple:
            self._update(program, lambda obj: obj.report_count(value[0]))
        elif pname == _LINK_STATUS and value == (0,):
            self.states.touched = True
            self.programs.report_failure(program)
        elif pname == _COMPILE_STATUS and value == (0,):  # of a shader: glGetObjectParameterivARB asks for both
            self.states.touched = True
            self.programs.shaders.report_failure(program)

    def shader_parameter(self, shader: int, pname: int, value: object) -> None:
        """``glGetShaderiv``: a shader that did not compile cannot be linked."""
        if pname == _COMPILE_STATUS and value == (0,):
            self.programs.shaders.report_failure(shader)

    def integer(self, pname: int, value: object) -> None:
        """``glGetIntegerv``: the position of an error in the last assembly program."""
        if pname == _ERROR_POSITION and value != (-1,):
            self.states.touched = True
            self.assembly.report_failure()


CALLS: Final[Handlers] = {
    "glGetActiveUniform": Answers.active_uniform,
    "glGetProgramiv": Answers.program_parameter,
    "glGetShaderiv": Answers.shader_parameter,
    "glGetIntegerv": Answers.integer,
    "glGetUniformLocation": Answers.uniform_location,
    "glGetProgramResourceLocation": Answers.resource_location,
}
