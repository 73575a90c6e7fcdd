"""Which samplers the shaders of a program use: GLSL by a scan, assembly programs by their reader."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from statetracker.replay.glsl import link, stage_samplers
from statetracker.trace.arb import samplers_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from statetracker.replay.glsl import LinkedProgram, Stage

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
    ) -> LinkedProgram:
        """Read the sources of each stage's shaders as one program; what cannot be read gives a problem.

        inactive  names that GL has no location for, of elements too
        active    names that it has one for, though the sources do not use them
        profile   of the context, as `gl.Limits` names it

        Raises `MissingExtra` without pcpp.
        """
        stages = {stage: _stage(tuple(texts), profile, self.driver) for stage, texts in sources.items()}
        return link(stages, inactive=inactive, active=active)

    def assembly(self, text: str) -> Mapping[int, int]:
        """The units that an assembly program samples, with their targets; `ArgumentError` for one that GL refuses."""
        return {unit: int(target) for unit, target in samplers_of(text).items()}


@lru_cache(maxsize=64)
def _stage(texts: tuple[str, ...], profile: str, driver: str) -> Stage:
    return stage_samplers(texts, profile=profile, driver=driver)
