"""What a stream's replay asks of shader sources: GLSL by a scan, assembly programs by their reader."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from statetracker.frontend.stream_programs import Linked
from statetracker.gl import SamplerUniform
from statetracker.replay.glsl import Stage, link, stage_samplers
from statetracker.trace.arb import samplers_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["SourceAnalysis"]


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
        """The units that an assembly program samples, with their targets."""
        return {unit: int(target) for unit, target in samplers_of(text).items()}


def _problems(stage: Stage) -> tuple[str, ...]:
    return (*stage.problems, stage.failed) if stage.failed else stage.problems


@lru_cache(maxsize=64)
def _stage(texts: tuple[str, ...], profile: str, driver: str) -> Stage:
    return stage_samplers(texts, profile=profile, driver=driver)
