"""What a stream's replay asks of shader sources, answered by the readers of `statetracker.trace`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from statetracker.frontend.stream_programs import Linked
from statetracker.gl import SamplerUniform
from statetracker.trace.arb import samplers_of
from statetracker.trace.glsl import StageSamplers, link, stage_samplers
from statetracker.trace.glsl_preprocess import UNKNOWN_INCLUDE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["SourceAnalysis"]

_NO_MAIN = "there is no main"
_FATAL = ("calls itself", UNKNOWN_INCLUDE)


class SourceAnalysis:
    """Reads GLSL and assembly programs. Stages that were read before are remembered, the last few of them.

    driver   decides which macros a shader finds, as `stage_samplers` takes it
    """

    def __init__(self, driver: str = "llvmpipe") -> None:
        self.driver = driver

    def link(
        self,
        sources: Mapping[str, Sequence[str]],
        *,
        inactive: Collection[str],
        active: Collection[str],
        captured: Collection[str],
        separable: bool,
        profile: str = "compatibility",
    ) -> Linked:
        """Read the sources of each stage's shaders as one program; a stage that no GLSL is gives a problem."""
        stages = {
            stage: _stage(tuple(texts), stage, frozenset(inactive), profile, self.driver)
            for stage, texts in sources.items()
        }
        linked = link(stages, captured=captured, separable=separable, active=active)
        return Linked(
            linked.glsl_version,
            tuple(SamplerUniform(s.name, s.type, s.size, tuple(s.sizes), s.binding) for s in linked.samplers),
            {stage: [(slot.sampler, slot.element) for slot in slots] for stage, slots in linked.slots.items()},
            linked.locations,
            linked.problems,
            next((p for p in linked.problems if p.endswith(_NO_MAIN) or any(word in p for word in _FATAL)), ""),
        )

    def assembly(self, text: str) -> Mapping[int, int]:
        """The units that an assembly program samples, with their targets."""
        return {unit: int(target) for unit, target in samplers_of(text).items()}


@lru_cache(maxsize=64)
def _stage(texts: tuple[str, ...], stage: str, inactive: frozenset[str], profile: str, driver: str) -> StageSamplers:
    return stage_samplers(texts, stage, inactive=inactive, profile=profile, driver=driver)
