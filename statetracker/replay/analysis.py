"""Which samplers the shaders of a program use: GLSL by a scan, assembly programs by their reader."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from statetracker.gl import SamplerUniform
from statetracker.replay.glsl import Stage, link, stage_samplers
from statetracker.trace.arb import samplers_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["Linked", "SourceAnalysis"]


class Linked(NamedTuple):
    """What the sources of a program come to.

    samplers   active sampler uniforms, with the initial units of their elements
    slots      stage -> (uniform, element) for each slot
    locations  of every active uniform by name; ``s``, ``s[0]``, ``s[1]`` for arrays
    problems   what could not be read; the rest is as good as it gets
    failed     why GL would not link it; empty where it would
    taken      samplers taken as used, an array by its last element: what no report confirms is not known
    """

    glsl_version: int
    samplers: tuple[SamplerUniform, ...]
    slots: Mapping[str, Sequence[tuple[str, int]]]
    locations: Mapping[str, int]
    problems: tuple[str, ...] = ()
    failed: str = ""
    taken: tuple[str, ...] = ()


class SourceAnalysis:
    """Reads GLSL and assembly programs. Stages that were read before are remembered, the last few of them.

    driver   decides which macros a shader finds, as `glsl.stage_samplers` takes it
    """

    def __init__(self, driver: str = "llvmpipe") -> None:
        self.driver = driver

    def link(
        self,
        sources: Mapping[str, Sequence[str]],
        *,
        inactive: Collection[str],
        active: Collection[str],
        profile: str = "compatibility",
    ) -> Linked:
        """Read the sources of each stage's shaders as one program; what cannot be read gives a problem.

        inactive  names that GL has no location for, of elements too
        active    names that it has one for, though the sources do not use them
        profile   of the context, as `gl.Limits` names it

        Raises `MissingExtra` without pcpp.
        """
        stages = {stage: _stage(tuple(texts), profile, self.driver) for stage, texts in sources.items()}
        linked = link(stages, inactive=inactive, active=active)
        return Linked(
            linked.version,
            tuple(SamplerUniform(s.name, s.type, s.size, tuple(s.sizes), s.binding) for s in linked.samplers),
            linked.slots,
            linked.locations,
            tuple(f"{stage}: {problem}" for stage, read in stages.items() for problem in _problems(read)),
            next((f"{stage}: {read.failed}" for stage, read in stages.items() if read.failed), ""),
            tuple(sampler.last for sampler in linked.samplers),
        )

    def assembly(self, text: str) -> Mapping[int, int]:
        """The units that an assembly program samples, with their targets; `ArgumentError` for one that GL refuses."""
        return {unit: int(target) for unit, target in samplers_of(text).items()}


def _problems(stage: Stage) -> tuple[str, ...]:
    return (*stage.problems, stage.failed) if stage.failed else stage.problems


@lru_cache(maxsize=64)
def _stage(texts: tuple[str, ...], profile: str, driver: str) -> Stage:
    return stage_samplers(texts, profile=profile, driver=driver)
