"""A program's states on a device, on how many devices the program looks right, and the samplers it needs on WebGPU.

It looks right where every state is exact, if no finding is wrong or undefined, which holds on every device. Outcomes
are read off `statetracker.survey`, plans off `statetracker.plan_samplers`. See docs/inspect.md and docs/budget.md.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.caps.devices import corpus
from statetracker.frontend import convert, plan_samplers
from statetracker.frontend.vulkan_view import is_webgpu
from statetracker.replay.dumps import counted
from statetracker.survey.outcomes import Outcome, outcome, reports_of, sorted_outcome
from statetracker.survey.report import names_of, portability
from statetracker.vulkan import Unsupported
from statetracker.vulkan.device import facts_of, limit_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.findings.inspector import Inspection
    from statetracker.findings.settings import StageUse, Use
    from statetracker.frontend import Result
    from statetracker.frontend.sharing import SamplerPlan
    from statetracker.gl import Sampler
    from statetracker.survey.changes import Change
    from statetracker.survey.report import Group

#: The worst outcome that is exact: the sampler does it, or sampler and shader together.
_EXACT: Final = 1
#: Of so many reports one that is lost is not worth a word: a few are of drivers that sample nothing.
_FEW: Final = 2000
#: States for which a change is looked for, those first that are off on most devices.
_SEARCHED: Final = 8


class Everywhere(NamedTuple):
    """On how many public reports of devices a program looks right.

    Attributes:
        reports: All that there are.
        right: Those of devices on which every state is exact, by the sampler or with the shader's help.
        worst: The state that is off on most, and on how many; None where all are right everywhere.
        example: Devices on which that is most off, each with the number of a report, and why.
        changes: The states that are off somewhere and have a change that helps, each with the cheapest.
        changed: ``right`` with these changes.
        faults: The program's findings that are wrong or undefined.
    """

    reports: int
    right: int
    worst: tuple[Use, int] | None = None
    example: str = ""
    changes: tuple[tuple[Use, Change], ...] = ()
    changed: int = 0
    faults: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        worst = self.worst and {"first_call": self.worst[0].call, "reports": self.worst[1]}
        changes = [{"first_call": use.call, **change.to_dict()} for use, change in self.changes]
        return {**self._asdict(), "worst": worst, "changes": changes}

    def __str__(self) -> str:
        """Say how many, what is lost on most, what would help, and why it looks right nowhere."""
        found = self.faults and f" It looks right on none: {counted(self.faults, 'finding')} wrong or undefined."
        return f"{self._states}{found or ''}"

    @property
    def _states(self) -> str:
        what = "its states are exact" if self.faults else "it looks right"
        text = f"By what {self.reports:,} reports of devices say, {what} on {self.right / self.reports:.1%}"
        use, missed = self.worst or (None, 0)
        if use is None or missed * _FEW < self.reports:
            return f"{text}."
        where = ", ".join(use.textures)
        text += (
            f"; most are lost by {where} (first drawn at call {use.call}): {missed / self.reports:.1%} ({self.example})"
        )
        if not self.changes:
            return f"{text}, and no change of one or two of its settings helps."
        found = Counter(str(change) for _, change in self.changes)
        words = [f"{change} in {counted(n, 'state')}" for change, n in found.most_common()]
        return f"{text}. With {'; '.join(words)} it is {self.changed / self.reports:.1%}."


def outcome_on(use: Use, screen: Screen) -> Outcome:
    """Say what becomes of a state on a screen."""
    result = result_on(use, screen)
    if screen.vulkan is not None and not result.webgpu_screen:
        return outcome(result, screen)
    work = tuple(result.lowering.work.items())
    lost = tuple(one for one in result.unsupported if isinstance(one, Unsupported))
    if len(lost) < len(result.unsupported):  # GL_CLAMP that Gallium's hardware lacks
        return Outcome("impossible", work, lost)
    return sorted_outcome(work, lost)


def result_on(use: Use, screen: Screen) -> Result:
    """Convert a state for a screen."""
    return convert(use.needed, use.facts, screen, **_options(use))


def needs(uses: tuple[Use, ...], screen: Screen) -> dict[str, tuple[int, int]]:
    """Return what the states need of a Vulkan device, and how many it has; empty for a screen of none."""
    if screen.vulkan is None or is_webgpu(screen):
        return {}
    facts = facts_of(screen)
    infos = {json.dumps(result_on(use, screen).vulkan.to_dict()) for use in uses}
    colours = sum('"customBorderColor"' in info for info in infos)
    return {
        "samplers": (len(infos), int(limit_of(facts, "maxSamplerAllocationCount"))),
        "custom border colours": (colours, int(limit_of(facts, "maxCustomBorderColorSamplers"))),
    }


def looks_right(made: Inspection, outcomes: Iterable[Outcome]) -> bool:
    """Return whether a program looks right on a device, where its states have these outcomes."""
    return made.right and all(one.rank <= _EXACT for one in outcomes)


def everywhere(uses: tuple[Use, ...], faults: int = 0) -> Everywhere:
    """Convert every state for every device of the corpus, and look for the changes that help.

    Args:
        uses: The states.
        faults: `Inspection.faults` of the program.
    """
    lost = [(use, _off(use, use.needed)) for use in uses]
    whole = reports_of(corpus())
    exact = _exact(groups for _, groups in lost)
    if exact == whole:
        return Everywhere(whole, exact, faults=faults)
    lost.sort(key=lambda one: -_reports(one[1]))
    changes: list[tuple[Use, Change]] = []
    left = []
    for use, groups in lost:
        searched = groups and len(changes) < _SEARCHED
        change = portability(use.needed, use.facts, **_options(use)).exact if searched else None
        if change is not None:
            changes.append((use, change))
        left.append(groups if change is None else _off(use, use.needed.copy(**change.members)))
    use, groups = lost[0]
    most = max(groups, key=lambda one: one.share.reports)
    numbers = {row.name: row.newest_report for row in sorted(most.rows, key=lambda row: row.reports)}
    example = f"{', '.join(f'{name} #{numbers[name]}' for name in names_of(most.rows))}: {most.outcome}"
    return Everywhere(whole, exact, (use, _reports(groups)), example, tuple(changes), _exact(left), faults)


def _reports(groups: list[Group]) -> int:
    return sum(one.share.reports for one in groups)


def _exact(lost: Iterable[list[Group]]) -> int:
    """Count the reports of devices that are in none of these."""
    rows = {row for groups in lost for one in groups for row in one.rows}
    return reports_of(corpus()) - reports_of(tuple(rows))


def _options(use: Use) -> dict[str, Any]:
    """Return its unit as `convert` takes it."""
    options = use.unit._asdict()
    return {"unit_lod_bias": options.pop("lod_bias"), **options}


def _off(use: Use, sampler: Sampler) -> list[Group]:
    """Return the groups of devices on which a state is off, or impossible."""
    groups = portability(sampler, use.facts, changes=False, **_options(use)).groups
    return [one for one in groups if one.outcome.rank > _EXACT]


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
