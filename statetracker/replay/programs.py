"""A context's programs and pipelines: which program runs each stage, and which one glUniform sets.

A stage is run by the current program, else by the bound pipeline's program of that stage. What GL refuses changes
nothing. Source: docs/streams.md (GL 4.6 compatibility, 7.3 and 7.4; recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.names import glenum
from statetracker.replay.calls import integers, result_name
from statetracker.replay.glsl import last_element
from statetracker.replay.program_objects import ProgramObject
from statetracker.replay.share_group import SHADER_STAGES, STAGE_BITS, Shader, joined
from statetracker.spellings import STAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.gl import Context, Program
    from statetracker.replay.program_objects import Executable
    from statetracker.replay.share_group import Shaders
    from statetracker.trace.apitrace import DumpCall

_SEPARABLE: Final = glenum("GL_PROGRAM_SEPARABLE")


class _Pipeline:
    """A program pipeline: which program runs each stage, and which one glUniform sets."""

    def __init__(self) -> None:
        self.stages: dict[str, ProgramObject] = {}
        self.active: ProgramObject | None = None


class Programs:
    """The programs and pipelines of a context.

    Args:
        context: Its ``program`` is the one that glUniform sets.
        driver: Decides which macros are predefined, as `glsl.stage_samplers` takes it.
        shaders: Of the context's share group.
        objects: Its programs, by name.
    """

    def __init__(self, context: Context, driver: str, shaders: Shaders, objects: dict[int, ProgramObject]) -> None:
        self.context = context
        self.driver = driver
        self.shaders = shaders
        self.objects = objects
        self._current: ProgramObject | None = None
        self._running: Executable | None = None
        self._pipelines: dict[int, _Pipeline] = {}
        self._pipeline: _Pipeline | None = None

    def glCreateProgram(self, call: DumpCall) -> None:
        self.objects[result_name(call)] = ProgramObject(self.driver, self.shaders.allowance)

    def glCreateShaderProgramv(self, call: DumpCall, kind: int, _count: int, strings: object) -> Sequence[str]:
        name = result_name(call)
        if kind not in SHADER_STAGES or not name:
            return ()
        shader = Shader(SHADER_STAGES[kind])
        shader.compiled = self.shaders.named_strings.expand(joined(strings))
        made = self.objects[name] = ProgramObject(self.driver, self.shaders.allowance)
        made.separable = True
        made.shaders = [shader]
        doubts = self.glLinkProgram(name)
        made.shaders = []
        return doubts

    def glAttachShader(self, program: int, shader: int) -> None:
        into, attached = self.objects.get(program), self.shaders.objects.get(shader)
        if into is not None and attached is not None and attached not in into.shaders:
            into.shaders.append(attached)
            self.shaders.attach(attached, 1)

    def glDetachShader(self, program: int, shader: int) -> None:
        of, attached = self.objects.get(program), self.shaders.objects.get(shader)
        if of is not None and attached is not None and attached in of.shaders:
            of.shaders.remove(attached)
            self.shaders.attach(attached, -1)

    def glProgramParameteri(self, program: int, pname: int, value: int) -> None:
        if program in self.objects and pname == _SEPARABLE:
            self.objects[program].separable = bool(value)

    def glLinkProgram(self, program: int) -> Sequence[str]:
        return self.update(program, lambda obj: obj.link(self.context.limits.profile))

    def update(self, program: int, change: Callable[[ProgramObject], Sequence[str] | None]) -> Sequence[str]:
        """Change a program, and run its new executable where it is current; gives the doubts of the change."""
        obj = self.objects.get(program)
        if obj is None:
            return ()
        doubts = change(obj) or ()
        if obj.executable is None:
            self.context.programs.pop(program, None)
            return doubts
        self.context.programs[program] = obj.executable.program
        if obj is self._current and obj.usable:
            self._running = obj.executable
        self._choose()
        return doubts

    def report_failure(self, program: int) -> None:
        obj = self._usable(program)
        if obj is not None:
            was_running = obj is self._current and obj.executable is self._running
            self.update(program, ProgramObject.report_failure)
            if was_running:
                self._running = obj.executable
                self._choose()

    def _usable(self, program: int) -> ProgramObject | None:
        """Return the program of a name, if its last link succeeded."""
        obj = self.objects.get(program)
        return obj if program and obj is not None and obj.usable else None

    def glUseProgram(self, program: int) -> None:
        obj = self._usable(program)
        if obj is not None or program == 0:
            self._current, self._running = obj, obj.executable if obj else None
        self._choose()

    def glDeleteProgram(self, program: int) -> None:
        """Delete a program, unless it is in use."""
        if program in self.objects and self.objects[program] is not self._current:
            for shader in self.objects.pop(program).shaders:
                self.shaders.attach(shader, -1)
            self.context.programs.pop(program, None)

    def glDeleteObjectARB(self, name: int) -> None:
        """Delete a shader, or a program."""
        self.glDeleteProgram(name)
        self.shaders.glDeleteShader(name)

    # Pipelines
    def glGenProgramPipelines(self, _count: int, names: object) -> None:
        self._pipelines.update({name: _Pipeline() for name in integers(names)})

    glCreateProgramPipelines = glGenProgramPipelines

    def glDeleteProgramPipelines(self, _count: int, names: object) -> None:
        for name in integers(names):
            if self._pipelines.pop(name, None) is self._pipeline:
                self._pipeline = None
        self._choose()

    def glBindProgramPipeline(self, name: int) -> None:
        if name == 0 or name in self._pipelines:
            self._pipeline = self._pipelines.get(name)
        self._choose()

    def glUseProgramStages(self, pipeline: int, mask: int, program: int) -> None:
        into, obj = self._pipelines.get(pipeline), self._usable(program)
        if into is None or (program and (obj is None or not obj.separable)):
            return
        for stage, bit in STAGE_BITS.items():
            if mask & bit:
                into.stages.pop(stage, None)
                if obj is not None and obj.executable is not None and stage in obj.executable.sources:
                    into.stages[stage] = obj

    def glActiveShaderProgram(self, pipeline: int, program: int) -> None:
        into, obj = self._pipelines.get(pipeline), self._usable(program)
        if into is not None and (program == 0 or obj is not None):
            into.active = obj
        self._choose()

    def _choose(self) -> None:
        running = self._running
        if running is None and self._pipeline is not None and self._pipeline.active is not None:
            running = self._pipeline.active.executable
        self.context.program = running and running.program

    # Draws
    def _executable(self, stage: str) -> Executable | None:
        if self._running is not None:
            return self._running if stage in self._running.sources else None
        if self._current is not None or self._pipeline is None or stage not in self._pipeline.stages:
            return None
        return self._pipeline.stages[stage].executable

    def stage_program(self, stage: str) -> Program | None:
        """Return the GLSL program that runs a stage; None where none does."""
        executable = self._executable(stage)
        return executable and executable.program

    def glsl_stages(self) -> list[tuple[str, Program]]:
        """Return the stages of a draw that a GLSL program runs, in pipeline order."""
        drawn = [stage for stage in STAGES if stage != "compute"]
        return [(stage, program) for stage in drawn if (program := self.stage_program(stage)) is not None]

    def sources(self, stage: str) -> tuple[str, ...]:
        """Return the sources of the shaders that run a stage; empty where no GLSL program does."""
        executable = self._executable(stage)
        return tuple(executable.sources.get(stage, ())) if executable is not None else ()

    def open_samplers(self) -> list[str]:
        """Return the samplers of a draw or dispatch that are taken as used and that no report confirms, once each."""
        running = {id(one.reported): one for stage in STAGES if (one := self._executable(stage)) is not None}
        return [name for one in running.values() for name in one.reported.open(map(last_element, one.linked.samplers))]

    @property
    def any_program(self) -> bool:
        """True where a GLSL program or a pipeline with stages is in force."""
        return self._running is not None or (self._pipeline is not None and bool(self._pipeline.stages))

    @property
    def computes_only(self) -> bool:
        """True where the current program has a compute shader and nothing else, with which GL draws nothing."""
        return self._running is not None and set(self._running.sources) == {"compute"}
