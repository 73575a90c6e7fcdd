"""What each shader stage of a stream runs: GLSL programs, pipelines, assembly programs, ATI shaders.

A stage's source is the current GLSL program's stage, else the bound pipeline's, else (vertex, fragment) an enabled
assembly program, else (fragment) an ATI fragment shader, else fixed function. Sources are not read here: the caller
brings an `Analysis`. Source: docs/streams.md (GL 4.6 compatibility, 7.3 and 7.4; recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from statetracker.frontend.stream_includes import NamedStrings, is_search_path
from statetracker.frontend.stream_said import SAMPLER_TYPES, Said
from statetracker.gl import Program, SamplerUniform
from statetracker.gl.program import STAGES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from statetracker.gl import Context

__all__ = ["SHADER_STAGES", "Analysis", "Linked", "Objects", "ProgramObject", "Programs"]

#: GL's shader types.
SHADER_STAGES: Final = {
    0x8B31: "vertex",
    0x8E88: "tess-ctrl",
    0x8E87: "tess-eval",
    0x8DD9: "geometry",
    0x8B30: "fragment",
    0x91B9: "compute",
}
#: Bits of glUseProgramStages.
_STAGE_BITS: Final = {
    "vertex": 0x01,
    "fragment": 0x02,
    "geometry": 0x04,
    "tess-ctrl": 0x08,
    "tess-eval": 0x10,
    "compute": 0x20,
}
_SEPARABLE: Final = 0x8258


class Linked(NamedTuple):
    """What an analysis finds out about the sources of a program.

    samplers   active sampler uniforms, with the initial units of their elements
    slots      stage -> (uniform, element) for each slot
    locations  of every active uniform by name; ``s``, ``s[0]``, ``s[1]`` for arrays
    problems   what could not be read; the rest is as good as it gets
    failed     why GL would not link it; empty where it would
    taken      samplers taken as used, an array by its last element: what GL does not confirm is not known
    """

    glsl_version: int
    samplers: tuple[SamplerUniform, ...]
    slots: Mapping[str, Sequence[tuple[str, int]]]
    locations: Mapping[str, int]
    problems: tuple[str, ...] = ()
    failed: str = ""
    taken: tuple[str, ...] = ()


class Analysis(Protocol):
    """Reads shader sources; `statetracker.replay` can, and this room must not import it."""

    def link(
        self,
        sources: Mapping[str, Sequence[str]],
        *,
        inactive: Collection[str],
        active: Collection[str],
        profile: str,
    ) -> Linked:
        """Read the sources of each stage's shaders as one program.

        inactive  names that GL has no location for, of elements too
        active    names that it has one for, though this analysis found nothing to use them
        profile   of the context, as `gl.Limits` names it
        """
        ...

    def assembly(self, text: str) -> Mapping[int, int]:
        """The units that an assembly program samples, with their targets; `ArgumentError` for one that GL refuses."""
        ...


class Shader:
    """A shader object: its stage, its source, and the source it was compiled from (None: not, or in vain)."""

    def __init__(self, stage: str) -> None:
        self.stage = stage
        self.source = ""
        self.compiled: str | None = None
        self.before: str | None = None


class Executable(NamedTuple):
    """What a successful link leaves: the samplers, the sources of its stages, and what GL said of it since."""

    program: Program
    sources: Mapping[str, Sequence[str]]
    linked: Linked
    said: Said

    @property
    def stages(self) -> Collection[str]:
        """The stages that it has shaders for."""
        return self.sources.keys()


class ProgramObject:
    """A program object. ``executable`` is of the last link that succeeded; ``usable``: the last link did.

    profile   of the context that linked it last
    """

    def __init__(self) -> None:
        self.profile = "compatibility"
        self.shaders: list[Shader] = []
        self.separable = False
        self.said = Said()
        self.executable: Executable | None = None
        self.before: Executable | None = None
        self.usable = False
        self.linked_from: dict[str, list[str]] = {}

    def has(self, stage: str) -> bool:
        """Whether it has a shader of that stage."""
        return self.executable is not None and stage in self.executable.stages

    def link(self, analysis: Analysis) -> tuple[str, ...]:
        """Link what is attached; gives the analysis's problems. A failed link leaves the executable as it was."""
        self.before, self.usable = self.executable, False
        sources: dict[str, list[str]] = {}
        for shader in self.shaders:
            if shader.compiled is None:
                return ()
            sources.setdefault(shader.stage, []).append(shader.compiled)
        self.said = Said()
        self.linked_from = sources
        return self._read(analysis)

    def _read(self, analysis: Analysis) -> tuple[str, ...]:
        linked = analysis.link(
            self.linked_from,
            inactive=self.said.inactive,
            active=self.said.active,
            profile=self.profile,
        )
        if linked.failed:
            return linked.problems
        self.executable = Executable(program_of(linked), self.linked_from, linked, self.said)
        self.usable = True
        return linked.problems

    def failed(self) -> None:
        """Take a link back that the stream says did not succeed."""
        if self.usable:
            self.executable, self.usable = self.before, False

    def located(self, name: str, location: int, analysis: Analysis) -> str:
        """Hear which location GL gave a name; what contradicts the sources is corrected, or comes back as a doubt."""
        if self.executable is None or not self.usable:
            return ""
        linked = self.executable.linked
        self.said.located(name, location)
        if location >= 0 and name not in linked.locations:
            return self._proved(name, f"location {location}", analysis)
        sampler = _sampler_of(name, linked)
        if sampler is None:
            self.executable.program.vacate(location)
        elif location >= 0:
            _place(self.executable, name, location)
        elif sampler.name in self.executable.program.locations:
            self.said.inactive.add(name)
            self._again(analysis)
        return ""

    def listed(self, index: int, name: str, size: int, kind: int, analysis: Analysis) -> str:
        """Hear of an active uniform, its size and type; gives a doubt where nothing was found to use a sampler."""
        if self.executable is None or not self.usable:
            return ""
        last = self.said.listed(index, name, size)
        sampler = _sampler_of(last, self.executable.linked)
        problem = ""
        if kind in SAMPLER_TYPES and last not in self.executable.linked.locations:
            problem = self._proved(last, "a place among the active ones", analysis)
        elif sampler is not None and sampler.size > size:
            self.said.inactive.add(f"{sampler.name}[{size}]")
            self._again(analysis)
        self._complete(analysis)
        return problem

    def count(self, uniforms: int, analysis: Analysis) -> None:
        """Hear how many active uniforms there are."""
        self.said.count(uniforms)
        self._complete(analysis)

    def _complete(self, analysis: Analysis) -> None:
        """Drop the samplers that a complete list of active uniforms does not have."""
        if self.executable is None or not self.usable:
            return
        gone = set(self.said.unlisted(s.name for s in self.executable.linked.samplers)) - self.said.inactive
        if gone:
            self.said.inactive |= gone
            self._again(analysis)

    def _proved(self, name: str, what: str, analysis: Analysis) -> str:
        """Take a uniform as used that GL has, though nothing was found to use it."""
        if name not in self.said.active:
            self.said.active.add(name)
            self._again(analysis)
        if self.executable is None or self.executable.linked.problems:
            return ""
        return f"GL gave the uniform {name!r} {what}, but nothing was found to use it"

    def _again(self, analysis: Analysis) -> None:
        """Read the sources again with what GL said since the link; units that were set stay."""
        before = self.executable
        self._read(analysis)
        if before is None or self.executable is None:
            return
        for name, where in self.said.locations.items():
            _place(self.executable, name, where)
        _keep_units(before.program, self.executable.program)


def _sampler_of(name: str, linked: Linked) -> SamplerUniform | None:
    """The sampler uniform that a name, also of an element, belongs to."""
    base = name.rpartition("[")[0] if name.endswith("]") else name
    return next((s for s in linked.samplers if s.name in (name, base)), None)


def _place(executable: Executable, name: str, location: int) -> None:
    """Put what GL said into a program."""
    sampler = _sampler_of(name, executable.linked)
    if sampler is None:
        executable.program.vacate(location)
    elif location >= 0:
        index = "0" if name == sampler.name else name.rpartition("[")[2].rstrip("]")
        element = int(index) if index.isdigit() else 0
        for at in range(element, sampler.size if element == 0 else min(element + 1, sampler.size)):
            executable.program.place(location + at - element, sampler.name, at)


def _keep_units(before: Program, after: Program) -> None:
    """Take over the units that were set, and the locations that GL gave."""
    for name, location in before.locations.items():
        old, base = before.places.get(location), name.partition("[")[0]
        if old is None or f"{base}[0]" not in after.locations or name not in after.locations:
            continue
        new = after.places.get(after.locations[name])
        if new is not None:
            after.set_units(after.locations[name], [before.units[old]])


def program_of(linked: Linked) -> Program:
    """Make GL's program of what an analysis found."""
    places = {
        linked.locations[name]: (sampler.name, element)
        for sampler in linked.samplers
        for element in range(sampler.size)
        for name in (f"{sampler.name}[{element}]", sampler.name)
        if name in linked.locations and (element == 0 or name != sampler.name)
    }
    return Program(linked.samplers, glsl_version=linked.glsl_version, slots=linked.slots, locations=places)


class Pipeline:
    """A program pipeline: which program runs each stage, and which one glUniform means."""

    def __init__(self) -> None:
        self.stages: dict[str, ProgramObject] = {}
        self.active: ProgramObject | None = None


class Objects:
    """Shaders, programs and named strings of a share group, by name."""

    def __init__(self) -> None:
        self.named_strings = NamedStrings()
        self.shaders: dict[int, Shader] = {}
        self.programs: dict[int, ProgramObject] = {}


class Programs:
    """A context's programs. Calls take their arguments in GL's order; what GL refuses changes nothing."""

    def __init__(self, context: Context, analysis: Analysis, objects: Objects) -> None:
        self.context = context
        self.analysis = analysis
        self.objects = objects
        self.current: ProgramObject | None = None
        self.pipelines: dict[int, Pipeline] = {}
        self.pipeline: Pipeline | None = None
        self._running: Executable | None = None

    # Shaders
    def create_shader(self, name: int, kind: int) -> None:
        """``glCreateShader``."""
        if kind in SHADER_STAGES and name:
            self.objects.shaders[name] = Shader(SHADER_STAGES[kind])

    def source(self, shader: int, source: str) -> None:
        """``glShaderSource``, its strings joined."""
        if shader in self.objects.shaders:
            self.objects.shaders[shader].source = source

    def compile(self, shader: int, paths: Sequence[str] = ()) -> None:
        """``glCompileShader``; glCompileShaderIncludeARB with its paths, all of which GL must take."""
        found = self.objects.shaders.get(shader)
        if found is not None and all(map(is_search_path, paths)):
            found.compiled = self.objects.named_strings.expand(found.source, paths)

    def not_compiled(self, shader: int) -> None:
        """Hear that compiling failed."""
        if shader in self.objects.shaders:
            self.objects.shaders[shader].compiled = None

    # Programs
    def create_program(self, name: int) -> ProgramObject:
        """``glCreateProgram``."""
        found = self.objects.programs[name] = ProgramObject()
        return found

    def attach(self, program: int, shader: int) -> None:
        """``glAttachShader``."""
        into, what = self.objects.programs.get(program), self.objects.shaders.get(shader)
        if into is not None and what is not None and what not in into.shaders:
            into.shaders.append(what)

    def detach(self, program: int, shader: int) -> None:
        """``glDetachShader``."""
        of, what = self.objects.programs.get(program), self.objects.shaders.get(shader)
        if of is not None and what in of.shaders:
            of.shaders.remove(what)

    def parameter(self, program: int, pname: int, value: int) -> None:
        """``glProgramParameteri``."""
        if program in self.objects.programs and pname == _SEPARABLE:
            self.objects.programs[program].separable = bool(value)

    def link(self, program: int) -> tuple[str, ...]:
        """``glLinkProgram``; gives what could not be read."""
        found = self.objects.programs.get(program)
        if found is None:
            return ()
        found.profile = self.context.limits.profile
        problems = found.link(self.analysis)
        self._linked(program, found)
        return problems

    def create_separate(self, name: int, kind: int, source: str) -> tuple[str, ...]:
        """``glCreateShaderProgramv``."""
        if kind not in SHADER_STAGES or not name:
            return ()
        shader = Shader(SHADER_STAGES[kind])
        shader.source = source
        shader.compiled = self.objects.named_strings.expand(source)
        made = self.create_program(name)
        made.separable = True
        made.shaders = [shader]
        problems = self.link(name)
        made.shaders = []
        return problems

    def _linked(self, name: int, found: ProgramObject) -> None:
        if found.executable is None:
            self.context.programs.pop(name, None)
            return
        self.context.programs[name] = found.executable.program
        if found is self.current and found.usable:
            self._running = found.executable
        self._aim()

    def not_linked(self, program: int) -> None:
        """Hear that linking failed."""
        found = self.objects.programs.get(program)
        if found is not None and found.usable:
            was_running = found.executable is self._running
            found.failed()
            self._linked(program, found)
            if was_running and found is self.current:
                self._running = found.executable
                self._aim()

    def located(self, program: int, name: str, location: int) -> str:
        """Hear which location GL gave; gives a problem in words, or nothing."""
        found = self.objects.programs.get(program)
        if found is None:
            return ""
        problem = found.located(name, location, self.analysis)
        self._linked(program, found)
        return problem

    def listed(self, program: int, index: int, name: str, size: int, kind: int) -> str:
        """Hear of an active uniform; gives a problem in words, or nothing."""
        found = self.objects.programs.get(program)
        if found is None:
            return ""
        problem = found.listed(index, name, size, kind, self.analysis)
        self._linked(program, found)
        return problem

    def count(self, program: int, uniforms: int) -> None:
        """Hear how many active uniforms there are."""
        found = self.objects.programs.get(program)
        if found is not None:
            found.count(uniforms, self.analysis)
            self._linked(program, found)

    def use(self, program: int) -> None:
        """``glUseProgram``."""
        found = self.objects.programs.get(program)
        if program == 0:
            self.current = self._running = None
        elif found is not None and found.usable:
            self.current, self._running = found, found.executable
        self._aim()

    def delete(self, name: int) -> None:
        """``glDeleteProgram``, or glDeleteShader; what is in use stays in use."""
        found = self.objects.programs.get(name)
        if found is not None and found is not self.current:
            del self.objects.programs[name]
            self.context.programs.pop(name, None)

    def delete_shader(self, name: int) -> None:
        """``glDeleteShader``; what is attached stays attached."""
        self.objects.shaders.pop(name, None)

    # Pipelines
    def generate_pipelines(self, names: Sequence[int]) -> None:
        """``glGenProgramPipelines``, glCreateProgramPipelines."""
        self.pipelines.update({name: Pipeline() for name in names})

    def delete_pipelines(self, names: Sequence[int]) -> None:
        """``glDeleteProgramPipelines``."""
        for name in names:
            if self.pipelines.pop(name, None) is self.pipeline:
                self.pipeline = None
        self._aim()

    def bind_pipeline(self, name: int) -> None:
        """``glBindProgramPipeline``."""
        if name == 0 or name in self.pipelines:
            self.pipeline = self.pipelines.get(name)
        self._aim()

    def use_stages(self, pipeline: int, mask: int, program: int) -> None:
        """``glUseProgramStages``."""
        into, found = self.pipelines.get(pipeline), self.objects.programs.get(program)
        if into is None or (program and (found is None or not found.usable or not found.separable)):
            return
        for stage, bit in _STAGE_BITS.items():
            if mask & bit:
                into.stages.pop(stage, None)
                if found is not None and found.has(stage):
                    into.stages[stage] = found

    def activate(self, pipeline: int, program: int) -> None:
        """``glActiveShaderProgram``."""
        into, found = self.pipelines.get(pipeline), self.objects.programs.get(program)
        if into is not None and (program == 0 or (found is not None and found.usable)):
            into.active = found
        self._aim()

    def _aim(self) -> None:
        """Say which program glUniform means."""
        running = self._running
        if running is None and self.pipeline is not None and self.pipeline.active is not None:
            running = self.pipeline.active.executable
        self.context.program = running.program if running is not None else None

    # Draws
    def _executable(self, stage: str) -> Executable | None:
        """What runs a stage."""
        if self._running is not None:
            return self._running if stage in self._running.stages else None
        if self.current is None and self.pipeline is not None:
            found = self.pipeline.stages.get(stage)
            return found.executable if found is not None else None
        return None

    def stage_program(self, stage: str) -> Program | None:
        """The GLSL program that runs a stage; None where none does."""
        found = self._executable(stage)
        return found.program if found is not None else None

    def open(self) -> list[str]:
        """The samplers of a draw or dispatch that are taken as used and that GL was not heard to confirm, once each."""
        running = {id(found.said): found for stage in STAGES if (found := self._executable(stage)) is not None}
        return [name for found in running.values() for name in found.said.open(found.linked.taken)]

    def sources(self, stage: str) -> tuple[str, ...]:
        """The sources of the shaders that run a stage; empty where no GLSL program does."""
        found = self._executable(stage)
        return tuple(found.sources.get(stage, ())) if found is not None else ()

    @property
    def any_program(self) -> bool:
        """Whether a GLSL program or a pipeline with stages is in force."""
        return self._running is not None or (self.pipeline is not None and bool(self.pipeline.stages))

    @property
    def computes_only(self) -> bool:
        """Whether the current program has a compute shader and nothing else, with which GL draws nothing."""
        return self._running is not None and set(self._running.stages) == {"compute"}

    def glsl_stages(self) -> list[tuple[str, Program]]:
        """The stages of a draw that a GLSL program runs, in pipeline order."""
        found = ((stage, self.stage_program(stage)) for stage in STAGES if stage != "compute")
        return [(stage, program) for stage, program in found if program is not None]
