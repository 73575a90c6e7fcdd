"""`plan_samplers`: fewer samplers than a program's states, within a device's limit; the shader does the rest.

The cheapest step is first, and none goes further than the limit asks for. Source: docs/webgpu.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.frontend.result import Result
from statetracker.gl.enums import Target
from statetracker.pipe.enums import TexFilter, TexMipfilter
from statetracker.shader.request import descriptor
from statetracker.spellings import aligned
from statetracker.vulkan.conversion import by_data, by_texels, with_open_limits

if TYPE_CHECKING:
    from collections.abc import Hashable

    from statetracker.pipe import Lowering, LoweringValues
    from statetracker.shader.block_values import Descriptor

#: Target -> axes that are filtered; two for every other.
_AXES: Final = {Target.TEXTURE_1D: 1, Target.TEXTURE_1D_ARRAY: 1, Target.TEXTURE_3D: 3}


class Step(NamedTuple):
    """A step of a plan, with its cost.

    Attributes:
        name: Dynamic (those that were asked for), equal, limits, wraps (of states that read one texel a level), filters
            (of all others).
        bindings: Those whose samples the shader writes anew.
        samplers: How many are left after it.
        taps: Texels that are read for a sample of each of the bindings, added up, beyond one instruction each.
    """

    name: str
    bindings: tuple[Descriptor, ...]
    samplers: int
    taps: int


class SamplerPlan(NamedTuple):
    """The answer of `plan_samplers`.

    Attributes:
        places: Binding -> the places of its image and of its sampler: what `statetracker.split_samplers` takes.
        results: Binding -> the `Result` with the sampler that it shares; ``lowering_values`` of it go into the block.
        samplers: A sampler's place -> its descriptor on a WebGPU screen, else its create info.
        cost: `Step` by step, in the order in which they were taken.
        left_over: (binding, why) of those that share no sampler though the limit asks for it, and of what sharing
            loses.
        limit: The most samplers that there may be.
    """

    places: dict[Descriptor, tuple[Descriptor, Descriptor]]
    results: dict[Descriptor, Result]
    samplers: dict[Descriptor, Any]
    cost: tuple[Step, ...]
    left_over: tuple[tuple[Descriptor, str], ...]
    limit: int

    @property
    def lowerings(self) -> dict[Descriptor, Lowering]:
        """The shader's work, as `statetracker.lower` takes it."""
        return {binding: result.lowering for binding, result in self.results.items()}

    @property
    def values(self) -> dict[Descriptor, LoweringValues]:
        """The numbers that the shader reads, by binding."""
        return {binding: result.lowering_values for binding, result in self.results.items()}

    @property
    def fits(self) -> bool:
        """True where there are no more samplers than the limit."""
        return len(self.samplers) <= self.limit

    def explain(self) -> str:
        """Say what each step did and costs, and what is left over, line by line."""
        rows = [("step", "bindings", "samplers", "taps added")]
        rows += [(one.name, str(len(one.bindings)), str(one.samplers), str(one.taps)) for one in self.cost]
        fits = f"{len(self.samplers)} samplers for {len(self.results)} bindings, of at most {self.limit}"
        end = fits if self.fits else f"{fits}: too many"
        return "\n".join([*aligned(rows), *(f"{s}:{b}: {why}" for (s, b), why in self.left_over), end])

    def __str__(self) -> str:
        return self.explain()


def plan_samplers(
    results: Mapping[Descriptor, Result],
    limit: int = 16,
    *,
    dynamic: Collection[Descriptor] = (),
    first: Descriptor | None = None,
) -> SamplerPlan:
    """Plan samplers for the states that a shader's bindings have, so that a stage has no more than a limit.

    Bindings with equal samplers share one. Where that is not enough the shader limits the level of detail, then wraps
    and filters: cheapest first. A comparison stays the sampler's.

    Args:
        results: (set, binding) of each combined sampler -> what `statetracker.convert` gives for it.
        limit: The most samplers that there may be; WebGPU promises 16 a stage.
        dynamic: Bindings whose wraps, filters and limits are read of the block: no state makes another module of the
            shader. Their sampler is the one that the last step has.
        first: The place of the first sampler, the others follow; None: behind the greatest binding of the first set.
            Give it where the module has other resources there.

    Raises:
        ArgumentError: A value is no result, a place is none, a dynamic one no binding, the limit is below 1, or
            a sampler would come to a binding.
    """
    asked = _checked(results, limit)
    if not isinstance(dynamic, Collection):
        raise ArgumentError("dynamic", dynamic, accepted="a collection of (set, binding)")
    for place in dynamic:
        if descriptor("dynamic", place) not in asked:
            raise ArgumentError("dynamic", place, accepted=", ".join(map(str, asked)) or "none: there is no binding")
    work = _Plan(asked, limit, dynamic)
    for step in (work.limits, work.wraps, work.filters):
        if work.count > limit:
            step()
    work.end()
    group = min((place[0] for place in asked), default=0)
    at = 1 + max((place[1] for place in asked if place[0] == group), default=-1)
    start = descriptor("first", first) if first is not None else (group, at)
    keys: dict[Hashable, Descriptor] = {}
    for key in work.keys.values():
        keys.setdefault(key, (start[0], start[1] + len(keys)))
    if taken := asked.keys() & keys.values():
        raise ArgumentError("first", first, accepted=f"a place whose samplers do not come to a binding: {min(taken)}")
    samplers = {keys[work.keys[binding]]: _sampler(one) for binding, one in reversed(work.results.items())}
    return SamplerPlan(
        places={binding: (binding, keys[key]) for binding, key in work.keys.items()},
        results=work.results,
        samplers=dict(sorted(samplers.items())),
        cost=tuple(work.cost),
        left_over=tuple(work.left_over),
        limit=limit,
    )


def _checked(results: object, limit: object) -> dict[Descriptor, Result]:
    if not isinstance(results, Mapping):
        raise ArgumentError("results", results, accepted="(set, binding) -> a result of convert")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ArgumentError("limit", limit, accepted="a number of samplers, 1 or more")
    for place, one in results.items():
        if not isinstance(one, Result):
            raise ArgumentError(f"result of {place}", one, accepted="a result of convert")
    return {descriptor("results", place): one for place, one in results.items()}


def _sampler(result: Result) -> Any:  # noqa: ANN401 (of either API)
    return result.webgpu if result.webgpu_screen else result.vulkan


def _key(result: Result) -> Hashable:
    """Return what two results are compared by: the sampler that their API makes."""
    return tuple(result.webgpu.items()) if result.webgpu_screen else result.vulkan.key


def _taps(result: Result) -> int:
    """Texels that the shader reads for a sample, where it filters."""
    asked = result.lowering
    axes = _AXES.get(Target(result.target), 2)
    linear = asked.dynamic or TexFilter.LINEAR in {asked.min_img_filter, asked.mag_img_filter}
    between = asked.dynamic or asked.min_mip_filter == TexMipfilter.LINEAR
    return (1 << axes if linear else 1) * (2 if between else 1)


class _Plan:
    """The plan in the making: each binding's result and its sampler's key."""

    def __init__(self, asked: dict[Descriptor, Result], limit: int, dynamic: Collection[Descriptor]) -> None:
        self.limit, self.asked, self.results = limit, asked, dict(asked)
        self.left_over: list[tuple[Descriptor, str]] = []
        for binding in dynamic:
            info = by_data(asked[binding].draft())
            if isinstance(info, str):
                self.left_over.append((binding, info))
            else:
                self.results[binding] = asked[binding].with_info(info)
        self.keys = {binding: _key(one) for binding, one in self.results.items()}
        taken = {binding: one for binding, one in self.results.items() if one.lowering.dynamic}
        self.cost = [Step("dynamic", tuple(taken), self.count, self.added(taken))] if taken else []
        self.cost.append(Step("equal", (), self.count, 0))

    @property
    def count(self) -> int:
        """Number of samplers."""
        return len(set(self.keys.values()))

    @staticmethod
    def added(taken: dict[Descriptor, Result]) -> int:
        """Return how many texels more some bindings read."""
        return sum(_taps(one) - 1 for one in taken.values())

    def take(self, name: str, moves: list[dict[Descriptor, Result]]) -> None:
        """Take moves in order, until the samplers fit or none is left; those that gain nothing are undone."""
        before = (dict(self.keys), dict(self.results))
        taken: dict[Descriptor, Result] = {}
        fewest = self.count
        for move in moves:
            if self.count <= self.limit:
                break
            taken |= move
            self.results |= move
            self.keys |= {binding: _key(one) for binding, one in move.items()}
        if self.count >= fewest:
            self.keys, self.results = before
            return
        self.cost.append(Step(name, tuple(taken), self.count, self.added(taken) if name != "limits" else 0))

    def limits(self) -> None:
        """Open the limits of samplers that differ by nothing else; where most are saved first."""
        groups: dict[Hashable, dict[Descriptor, Result]] = defaultdict(dict)
        for binding, one in self.results.items():
            info = None if one.lowering.dynamic else with_open_limits(one.draft())
            if info is not None:
                opened = one.with_info(info)
                groups[_key(opened)][binding] = opened
        saved = {key: len({self.keys[binding] for binding in group}) for key, group in groups.items()}
        self.take("limits", [groups[key] for key in sorted(groups, key=lambda key: -saved[key]) if saved[key] > 1])

    def wraps(self) -> None:
        """Of states that read one texel a level."""
        self.take("wraps", self.by_cost(lambda one: _taps(one) <= 2 and not _mixes(one)))

    def filters(self) -> None:
        """Of all others."""
        self.take("filters", self.by_cost(lambda _: True))

    def end(self) -> None:
        """Say what is lost, and why there are too many samplers where there are."""
        for at, one in self.results.items():
            lost = [str(loss) for loss in one.unsupported if loss not in self.asked[at].unsupported]
            self.left_over += [(at, why) for why in lost]
            if self.count > self.limit and (why := _why(one)):
                self.left_over.append((at, why))

    def by_cost(self, wanted: Any) -> list[dict[Descriptor, Result]]:  # noqa: ANN401 (a test of a result)
        """Return bindings of each sampler as one move, those with the fewest taps first, and with anisotropy last."""
        groups: dict[Hashable, dict[Descriptor, Result]] = defaultdict(dict)
        refused: set[Hashable] = set()
        for binding, one in self.results.items():
            info = by_texels(one.draft())
            if isinstance(info, str):
                refused.add(self.keys[binding])
            elif _key(shared := one.with_info(info)) != self.keys[binding]:
                groups[self.keys[binding]][binding] = shared
        moves = [group for key, group in groups.items() if key not in refused and any(map(wanted, group.values()))]
        lost = {id(move): any(self.results[at].vulkan.anisotropy_enable for at in move) for move in moves}
        return sorted(moves, key=lambda move: (lost[id(move)], sum(map(_taps, move.values()))))


def _mixes(result: Result) -> bool:
    return TexFilter.LINEAR in {result.lowering.min_img_filter, result.lowering.mag_img_filter}


def _why(result: Result) -> str:
    """Return why a sampler of too many is not shared by all."""
    made = by_texels(result.draft())
    if isinstance(made, str):
        return made
    return f"a comparison is the sampler's: {made.compare_op.name}" if made.compare_enable else ""
