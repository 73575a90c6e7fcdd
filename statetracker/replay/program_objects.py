"""Program objects: the result of a link, corrected by GL's reports of uniforms.

A report overrides the sources: a uniform with location -1 is unused, any other location means it is used, and a
complete list of active uniforms decides all. Source: docs/streams.md, docs/glsl.md (GL 4.6 compatibility, 7.3 and 7.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import Program, SamplerUniform
from statetracker.gl.enums import Target
from statetracker.gl.names import registered
from statetracker.replay.calls import Allowance
from statetracker.replay.glsl import link_sources
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statetracker.replay.glsl import LinkedProgram
    from statetracker.replay.share_group import Shader

_GLSL: Final = "shaders"
#: GL's names of targets where its names of samplers differ.
_SHAPES: Final = {"RECTANGLE": "2D_RECT", "CUBE_MAP": "CUBE"}
#: Types that glGetActiveUniform gives for samplers.
SAMPLER_TYPES: Final = frozenset(
    number
    for shape in (target.name.removeprefix("TEXTURE_") for target in Target)
    for name in ("SAMPLER_{}", "SAMPLER_{}_SHADOW", "INT_SAMPLER_{}", "UNSIGNED_INT_SAMPLER_{}")
    if (number := registered(name.format(_SHAPES.get(shape, shape)))) is not None
)


class ReportedUniforms:
    """The reports since a link.

    Attributes:
        locations: Queried names, with the reported locations.
        inactive: Names without a location, of elements too.
        active: Names that are active though their source was not seen to use them.
        confirmed: Every name that is active.
        count: Of active uniforms; None: not reported.
    """

    def __init__(self) -> None:
        self.locations: dict[str, int] = {}
        self.inactive: set[str] = set()
        self.active: set[str] = set()
        self.confirmed: set[str] = set()
        self.count: int | None = None
        self._opened = False
        self._listed: dict[int, str] = {}

    def locate(self, name: str, location: int) -> None:
        self.locations[name] = location
        if location >= 0:
            self.confirmed.add(name)

    def list_active(self, index: int, name: str, size: int) -> str:
        """Keep a result of ``glGetActiveUniform``; gives the last element's name."""
        base = name.removesuffix("[0]")
        self._listed[index] = base
        last = base if size <= 1 else f"{base}[{size - 1}]"
        self.confirmed |= {base, last}
        return last

    def unlisted(self, samplers: Iterable[str]) -> set[str]:
        """Return the samplers that are not in the list of active uniforms, once that is complete."""
        count = self.count
        if count is None or len(self._listed) < count or any(index not in self._listed for index in range(count)):
            return set()
        return set(samplers).difference(self._listed.values())

    def open(self, taken: Iterable[str]) -> list[str]:
        """Return the samplers taken as used that no report confirms; empty after the first time."""
        if self._opened:
            return []
        self._opened = True
        return [name for name in taken if name not in self.confirmed]


class Executable(NamedTuple):
    """The result of a successful link: the samplers, the sources of its stages, and GL's reports since."""

    program: Program
    sources: Mapping[str, Sequence[str]]
    linked: LinkedProgram
    reported: ReportedUniforms


class ProgramObject:
    """A program object. ``executable`` is of the last link that succeeded; ``usable``: the last link did.

    Args:
        driver: Decides which macros are predefined, as `glsl.stage_samplers` takes it.
        allowance: Of the recording.
    """

    def __init__(self, driver: str = "llvmpipe", allowance: Allowance | None = None) -> None:
        self.driver = driver
        self.allowance = allowance or Allowance()
        self.shaders: list[Shader] = []
        self.separable = False
        self.executable: Executable | None = None
        self.usable = False
        self._before: Executable | None = None
        self._profile = ""

    def link(self, profile: str = "compatibility") -> tuple[str, ...]:
        """Link what is attached; gives what could not be read. A failed link leaves the executable as it was.

        Args:
            profile: Of the context that links it.
        """
        self._before, self.usable, self._profile = self.executable, False, profile
        sources: dict[str, list[str]] = {}
        for shader in self.shaders:
            if shader.compiled is None:
                return ()
            sources.setdefault(shader.stage, []).append(shader.compiled)
        return self._read(sources, ReportedUniforms())

    def _read(self, sources: Mapping[str, Sequence[str]], reported: ReportedUniforms) -> tuple[str, ...]:
        self.allowance.take(_GLSL, 0)
        linked = link_sources(
            sources, inactive=reported.inactive, active=reported.active, profile=self._profile, driver=self.driver
        )
        self.allowance.take(_GLSL, linked.cost)
        if not linked.failed:
            self.executable = Executable(_program(linked), sources, linked, reported)
            self.usable = True
        return linked.problems

    def report_failure(self) -> None:
        """Undo a link that GL reported as failed."""
        if self.usable:
            self.executable, self.usable = self._before, False

    def report_location(self, name: str, location: int) -> tuple[str, ...]:
        """Correct a name's location; gives a doubt where the sources do not have it."""
        if self.executable is None or not self.usable:
            return ()
        program, _, linked, reported = self.executable
        reported.locate(name, location)
        if location >= 0 and name not in linked.locations:
            return self._activate(self.executable, name, f"location {location}")
        sampler = _sampler(name, linked)
        if sampler is None or location >= 0:
            _place(self.executable, name, location)
        elif sampler.name in program.locations:
            reported.inactive.add(name)
            self._read_again(self.executable)
        return ()

    def report_uniform(self, index: int, name: str, size: int, kind: int) -> tuple[str, ...]:
        """Take an active uniform with its size and type; gives a doubt for a sampler that the sources do not use."""
        if self.executable is None or not self.usable:
            return ()
        _, _, linked, reported = self.executable
        last = reported.list_active(index, name, size)
        sampler = _sampler(last, linked)
        doubts: tuple[str, ...] = ()
        if kind in SAMPLER_TYPES and last not in linked.locations:
            doubts = self._activate(self.executable, last, "a place among the active ones")
        elif sampler is not None and sampler.size > size:
            reported.inactive.add(f"{sampler.name}[{size}]")
            self._read_again(self.executable)
        self._drop_unlisted(self.executable)
        return doubts

    def report_count(self, uniforms: int) -> None:
        if self.executable is not None and self.usable:
            self.executable.reported.count = uniforms
            self._drop_unlisted(self.executable)

    def _drop_unlisted(self, executable: Executable) -> None:
        """Drop the samplers that a complete list of active uniforms does not have."""
        reported = executable.reported
        gone = reported.unlisted(sampler.name for sampler in executable.linked.samplers) - reported.inactive
        if gone:
            reported.inactive |= gone
            self._read_again(executable)

    def _activate(self, executable: Executable, name: str, what: str) -> tuple[str, ...]:
        """Take a uniform as used that the sources do not use; gives a doubt, unless parts of them cannot be read."""
        if name not in executable.reported.active:
            executable.reported.active.add(name)
            executable = self._read_again(executable)
        doubt = f"GL gave the uniform {name!r} {what}, but nothing was seen to use it"
        return () if executable.linked.problems else (doubt,)

    def _read_again(self, before: Executable) -> Executable:
        """Read the sources again with the reports since the link; units that were set stay."""
        self._read(before.sources, before.reported)
        after = self.executable or before
        for name, location in before.reported.locations.items():
            _place(after, name, location)
        _keep_units(before.program, after.program)
        return after


def _sampler(name: str, linked: LinkedProgram) -> SamplerUniform | None:
    """Return the sampler uniform that a name, also of an element, belongs to."""
    base = name.rpartition("[")[0] if name.endswith("]") else name
    return next((s for s in linked.samplers if s.name in (name, base)), None)


def _place(executable: Executable, name: str, location: int) -> None:
    """Set the location that GL reported for a sampler's name; that of another uniform is no sampler's."""
    sampler = _sampler(name, executable.linked)
    if sampler is None:
        executable.program.vacate(location)
    elif location >= 0:
        index = "0" if name == sampler.name else name.rpartition("[")[2].rstrip("]")
        element = integer(index) if index.isdecimal() else 0
        for at in range(element, sampler.size if element == 0 else min(element + 1, sampler.size)):
            executable.program.place(location + at - element, sampler.name, at)


def _keep_units(before: Program, after: Program) -> None:
    """Take over the units that were set, by the names of their uniforms."""
    for name, location in before.locations.items():
        place, base = before.places.get(location), name.partition("[")[0]
        if place is None or f"{base}[0]" not in after.locations or name not in after.locations:
            continue
        if after.locations[name] in after.places:
            after.set_units(after.locations[name], [before.units[place]])


def _program(linked: LinkedProgram) -> Program:
    places = {
        linked.locations[name]: (sampler.name, element)
        for sampler in linked.samplers
        for element in range(sampler.size)
        if (name := f"{sampler.name}[{element}]" if element else sampler.name) in linked.locations
    }
    return Program(linked.samplers, glsl_version=linked.version, slots=linked.slots, locations=places)
