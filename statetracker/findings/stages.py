"""Samplers that the stages of a recorded program's draws need on WebGPU, as `statetracker.plan_samplers` plans them.

Source: docs/budget.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.findings.devices import result_on
from statetracker.frontend import plan_samplers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.findings.settings import StageUse
    from statetracker.frontend.sharing import SamplerPlan

#: Samplers that a stage of WebGPU has.
MOST: Final = 16
#: Steps of a plan, the cheapest first.
STEPS: Final = ("equal", "limits", "wraps", "filters")


class StagePlan(NamedTuple):
    """A plan for a stage of some draws.

    Attributes:
        use: What it samples with.
        after: How many samplers there are after each of `STEPS`, if all are taken.
        plan: The plan that goes no further than the limit asks for.
        taps: Texels that are read for a sample of each texture, added up, beyond one instruction each.
    """

    use: StageUse
    after: tuple[int, ...]
    plan: SamplerPlan
    taps: int

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        call, draws, textures, *_, planned, _ = self.counts
        counts = {"stage": self.use.stage, "first_call": call, "draws": draws, "textures": textures}
        steps = {one.name: one.taps for one in self.plan.cost}
        made = {"planned": planned, "fits": self.plan.fits, "taps": steps, "left_over": self.left_over}
        return {**counts, "samplers": dict(zip(STEPS, self.after, strict=True)), **made}

    @property
    def counts(self) -> tuple[int, ...]:
        """First call, draws, textures, samplers after each step and as planned, taps added."""
        return (self.use.call, self.use.draws, len(self.use.uses), *self.after, len(self.plan.samplers), self.taps)

    @property
    def left_over(self) -> list[str]:
        """The losses, and the reasons why too many samplers stay."""
        return list(dict.fromkeys(why for _, why in self.plan.left_over))


def plans(stages: Iterable[StageUse], limit: int = MOST) -> list[StagePlan]:
    """Plan for the stages of an `Inspection`, each by itself; those with the most samplers come first.

    ``limit`` is the most samplers that one may have.
    """
    screen, made = Screen.named("webgpu"), list[StagePlan]()
    for use in stages:
        results = {(0, at): result_on(one, screen) for at, one in enumerate(use.uses)}
        left = {step.name: step.samplers for step in plan_samplers(results, 1).cost}
        after = list[int]()
        for name in STEPS:  # one that saves nothing is left out
            after.append(left[name] if name in left else after[-1])
        plan = plan_samplers(results, limit)
        made.append(StagePlan(use, tuple(after), plan, sum(step.taps for step in plan.cost)))
    return sorted(made, key=lambda one: (-one.after[0], -one.use.draws))
