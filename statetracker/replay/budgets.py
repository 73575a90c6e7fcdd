"""Samplers that a run needs, and the cheapest change of the policy that keeps it below a limit.

Nothing is estimated: a `Run` is bound again, by the very `Policy` and `Caches` that the loop has, over a driver that
counts. So what is planned is what a `StateTracker` with that policy will create. The page is docs/budget.md.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.cso import POLICIES, CsoContext, Loss, Resolved, loss
from statetracker.cso.keys import key_function
from statetracker.errors import SamplerLimitExceeded
from statetracker.frontend import Policy
from statetracker.frontend.bound_stage import FrameCounter
from statetracker.frontend.lifetime import budget, kind_of
from statetracker.frontend.vulkan_view import our_infos
from statetracker.sampler import dialect as dialect_named
from statetracker.sampler import key_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.frontend import FrameCounts
    from statetracker.replay.runs import Run

#: The LOD quanta that are tried, in levels; None: left alone.
QUANTA: Final = (None, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
#: The largest anisotropies that are tried.
ANISOTROPIES: Final = (None, 8, 4, 2, 0)
#: A cache that never gives anything up.
_ENDLESS: Final = 10**9

#: Member of a create info that matters only where another one has a value -> whether it has.
_READ: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "compareOp": lambda info: info["compareEnable"],
    "maxAnisotropy": lambda info: info["anisotropyEnable"],
    "mipmapMode": lambda info: info["minLod"] or info["maxLod"],
    "borderColor": lambda info: any(
        info[f"addressMode{axis}"] == "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER" for axis in "UVW"
    ),
}


class Played(NamedTuple):
    """A run bound under a policy.

    Attributes:
        policy: As `StateTracker` takes them.
        eviction: As `StateTracker` takes them.
        frames: What `StateTracker.end_frame` gives.
        peak: The most states that were live at any moment.
        again: Creates of a state that had been made before.
        records: Records that were looked up.
        hits: Those of them that needed no create.
        loss: The most that any state lost.
    """

    policy: Policy
    eviction: str
    frames: list[FrameCounts]
    peak: int
    again: int
    records: int
    hits: int
    loss: Loss

    @property
    def creates(self) -> int:
        """In all frames."""
        return sum(frame.creates for frame in self.frames)

    @property
    def hitch(self) -> int:
        """The most creates in a frame, the first one left aside where there are others."""
        return max(frame.creates for frame in self.frames[1:] or self.frames)

    @property
    def hit_rate(self) -> float:
        """Of the records that were looked up, the share that needed no create, 0 to 1; 1 where none was looked up."""
        return self.hits / self.records if self.records else 1.0

    def fits(self, limit: int) -> bool:
        """Return whether it keeps a limit of live states, with at most one create in a hundred repeating a state."""
        return self.peak <= limit and self.again * 100 <= self.creates

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "policy": repr(self.policy), "eviction": self.eviction, "peak": self.peak, "creates": self.creates,
            "creates_a_frame": self.creates / len(self.frames), "hitch": self.hitch, "created_again": self.again,
            "hit_rate": self.hit_rate, "merged": sum(frame.merged for frame in self.frames),
            "loss": {**self.loss._asdict(), "distance": self.loss.distance},
        }  # fmt: skip


class Distinct(NamedTuple):
    """Counts of a run's different samplers, in four ways, and of those with a custom border colour.

    Attributes:
        records: By the 36 bytes that were asked for.
        canonical: In canonical form, as `Policy` has them.
        infos: By the create infos of `canonical`.
        content: By what of these can matter: how a device counts that keeps equal samplers once.
        colours: Create infos with a custom border colour.
    """

    records: int
    canonical: int
    infos: int
    content: int
    colours: int


class MergePlan(NamedTuple):
    """A plan for the samplers that a run needs.

    Attributes:
        run: What was played.
        limit: Live states that are allowed.
        distinct: How many different samplers it has, counted in four ways.
        quanta: Played without a limit at each of `QUANTA`.
        caches: Played with each kind of eviction and several budgets.
        advice: The cheapest that fits; where none does, the one that makes the fewest states again.
    """

    run: Run
    limit: int
    distinct: Distinct
    quanta: list[Played]
    caches: list[Played]
    advice: Played

    def __str__(self) -> str:
        """Return the advice in one sentence."""
        unlimited, chosen = self.quanta[0], self.advice
        if unlimited.peak <= self.limit:
            return f"{unlimited.peak:,} of {self.limit:,} live states: nothing need change"
        words = f"{chosen.policy!r}: {unlimited.peak:,} -> {chosen.peak:,} live states of {self.limit:,}"
        again = f"; {chosen.again:,} creates of states that were given up before" if chosen.again else ""
        return f"{words}; lost: {chosen.loss}{again}{'' if chosen.fits(self.limit) else '; it does not fit'}"


class _Driver:
    """Counts what lives."""

    def __init__(self) -> None:
        self.live = self.peak = self.creates = 0
        self.made: set[bytes] = set()

    def create_sampler_state(self, record: bytes) -> int:
        self.live += 1
        self.peak = max(self.peak, self.live)
        self.creates += 1
        self.made.add(record)
        return self.creates

    def bind_sampler_states(self, stage: str, start: int, handles: object) -> None: ...

    def delete_sampler_state(self, _handle: int) -> None:
        self.live -= 1


def play(run: Run, policy: Policy, eviction: str = "second-chance") -> Played:
    """Bind a run as a `StateTracker` with this policy would.

    Args:
        run: What is bound, frame by frame.
        policy: A user's overrides and budget.
        eviction: One of `cso.POLICIES`.
    """
    driver, dialect = _Driver(), dialect_named(run.dialect)
    cso = CsoContext(driver, max_size=budget(policy), **kind_of(run.screen, policy, dialect, eviction))
    counter, cut = FrameCounter(), key_function(key_rule(run.screen, dialect))
    applied = {record: policy.apply(record) for record in run.asked}
    pairs: dict[tuple[bytes, object], None] = {}
    frames, looked_up = [], 0
    for frame in run.frames:
        for stage, records in frame:
            asked = [record and applied[record] for record in records]
            keys, handles = cso.look_up(stage, asked)
            cso.bind_resolved(stage, Resolved(keys, handles, cso.cache.epoch))
            given = [(record, key) for record, key in zip(records, keys, strict=True) if record is not None]
            pairs.update(dict.fromkeys(given))
            looked_up += len(given)
        cso.tidy()
        frames.append(counter.end(cso, 0))
    worst = Loss()
    for record, key in pairs:
        worst = worst.worst(loss(cut(record), key if isinstance(key, bytes) else cut(applied[record])))
    creates = driver.creates
    again = creates - len(driver.made)
    return Played(policy, eviction, frames, driver.peak, again, looked_up, looked_up - creates, worst)


def distinct(run: Run) -> Distinct:
    """Count the samplers of a run."""
    canonical = {Policy().apply(record) for record in run.asked}
    infos: set[str] = set()
    content: set[str] = set()
    for record in canonical:
        for info in our_infos(record, run.screen, "native"):
            infos.add(json.dumps(info))
            read = {name: value for name, value in info.items() if name not in _READ or _READ[name](info)}
            content.add(json.dumps(read))
    colours = sum('"customBorderColor"' in info for info in infos)
    return Distinct(len(run.asked), len(canonical), len(infos), len(content), colours)


def plan(run: Run, limit: int) -> MergePlan:
    """Play a run under the policies there are, and choose.

    Args:
        run: What is bound, frame by frame.
        limit: Live states that are allowed, at least 1.
    """
    quanta = [play(run, Policy(lod_quantum=quantum, max_states=_ENDLESS)) for quantum in QUANTA]
    budgets = sorted({max(limit // part, 1) for part in (4, 2, 1)})
    caches = [play(run, Policy(max_states=most), name) for name in POLICIES for most in budgets]
    return MergePlan(run, limit, distinct(run), quanta, caches, _advice(run, limit))


def _advice(run: Run, limit: int) -> Played:
    """Return the first that fits, of those that lose least first; governors lose what they are seen to lose."""
    tried: list[Played] = []
    for when in ("merge", "nearest"):
        with suppress(SamplerLimitExceeded):  # more are bound at once, and none may stand in for another
            tried.append(play(run, Policy(unique_limit=limit, when_full=when)))
    for cost, policy in sorted(_knobs(run, limit), key=lambda item: item[0]):
        if any(played.fits(limit) and played.loss.distance < cost for played in tried):
            break
        tried.append(play(run, policy))
        if tried[-1].fits(limit):
            break
    return min(reversed(tried), key=lambda played: _cost(played, limit))


def _cost(played: Played, limit: int) -> tuple[float, ...]:
    """Return the order of choice: the limit; of those that fit, what pictures lose; else the fewest repeats."""
    fits = played.fits(limit)
    return (played.peak > limit, not fits, *(() if fits else (played.again,)), played.loss.distance)


def _knobs(run: Run, limit: int) -> Iterator[tuple[float, Policy]]:
    """Every combination of the policy's knobs that has an effect of its own: what it takes from a state, at most."""
    seen = set()
    for quantum in QUANTA:
        for anisotropy in ANISOTROPIES:
            policy = Policy(lod_quantum=quantum, max_anisotropy=anisotropy, max_states=limit)
            applied = {record: policy.apply(record) for record in run.asked}
            effect = tuple(applied.values())
            if effect not in seen:
                seen.add(effect)
                yield max(loss(*pair).distance for pair in applied.items()), policy
