"""Caches that merge states to stay below a limit."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.cso import GOVERNORS, CsoContext, Loss
from statetracker.cso.governor import PATIENCE, GovernedCache, MergeCache, NearestCache, RaiseCache
from statetracker.errors import DriverError, SamplerLimitExceeded
from statetracker.pipe import SamplerState
from tests.cso.failing import FailingDriver

FRAGMENT = "fragment"


def biased(levels: float, wrap: str = "repeat") -> bytes:
    return bytes(SamplerState(wrap_s=wrap, lod_bias=levels))


class Counting(FailingDriver):
    """Knows which handles live, and refuses to bind others."""

    def __init__(self) -> None:
        super().__init__()
        self.peak = 0

    @property
    def live(self) -> set[object]:
        return {event[1] for event in self.of("create")} - {*self.deleted()}

    def create_sampler_state(self, record: bytes) -> int:
        handle = super().create_sampler_state(record)
        self.peak = max(self.peak, len(self.live))
        return handle

    def bind_sampler_states(self, _stage: str, _start: int, handles: Sequence[int | None]) -> None:
        assert {handle for handle in handles if handle is not None} <= self.live


def governed(policy: type[GovernedCache[int]], limit: int) -> tuple[CsoContext[int], Counting]:
    driver = Counting()
    return CsoContext(driver, policy=policy, max_size=limit), driver


def bind(context: CsoContext[int], *records: bytes) -> tuple[int | None, ...]:
    context.set_samplers(FRAGMENT, records)
    return context.handles(FRAGMENT)[: len(records)]


EDGE = biased(0.0, "clamp-to-edge")


@pytest.mark.parametrize(
    ("policy", "limit", "asked", "handles", "live"),
    [
        (MergeCache, 3, (0.0, 1 / 256, 2 / 256), (0, 1, 2), (0, 1, 2)),  # below the limit all are made
        (MergeCache, 2, (0.0, 8.0, 0.0, 4.0), (0, 1, 0, 2), (0, 2)),  # too far: in place of what was unused for longest
        (NearestCache, 2, (0.0, 8.0, 3.5), (0, 1, 0), (1, 0)),  # however far
        (NearestCache, 2, (0.0, 8.0, EDGE), (0, 1, 2), (1, 2)),  # but not of another family
    ],
)
def test_which_state_is_made_stands_in_or_goes(
    policy: type[GovernedCache[int]],
    limit: int,
    asked: tuple[Any, ...],
    handles: tuple[int, ...],
    live: tuple[int, ...],
) -> None:
    context, driver = governed(policy, limit)
    records = [one if isinstance(one, bytes) else biased(one) for one in asked]
    assert [bind(context, one)[0] for one in records] == [*handles]
    assert driver.live == {*live}
    assert [*map(records.index, context.cache.live_keys())] == [*map(handles.index, live)]


def test_at_the_limit_the_nearest_live_state_stands_in() -> None:
    context, _ = governed(MergeCache, 3)
    for levels in (0.0, 1.0, 2.0):
        bind(context, biased(levels))
    assert bind(context, biased(0.875)) == (1,)
    (merge,) = context.cache.merges()  # type: ignore[attr-defined]
    assert (merge.asked, merge.given, merge.loss) == (biased(0.875), biased(1.0), Loss(lod=0.125))
    assert str(merge).endswith("LOD 0.125 levels (distance 0.25)")
    assert context.statistics()[-2:] == (1, 0.25)


def test_a_far_state_stands_in_where_all_others_are_bound() -> None:
    context, driver = governed(MergeCache, 2)
    assert bind(context, biased(0.0), biased(8.0), biased(4.5)) == (0, 1, 1)
    assert bind(context, biased(4.5)) == (1,)  # slots 1 and 2 still hold what they had
    bind(context, biased(4.5), biased(8.0), biased(8.0))
    assert driver.live == {1, 2}  # 0 was free by then


@pytest.mark.parametrize("policy", [MergeCache, NearestCache])
def test_more_at_once_than_the_limit_raises_where_nothing_may_be_merged(policy: type[GovernedCache[int]]) -> None:
    context, driver = governed(policy, 2)
    with pytest.raises(SamplerLimitExceeded, match="2 of 2 states exist") as caught:
        bind(context, biased(0.0), biased(0.0, "clamp-to-edge"), biased(0.0, "mirror-repeat"))
    assert (caught.value.live, caught.value.budget) == (2, 2)
    assert "when_full='merge'" in str(caught.value)  # of a StateTracker's policy
    assert "max_size" in str(caught.value)  # of a CsoContext
    assert bind(context, biased(0.0)) == (0,)
    assert driver.peak == 2


def test_raise_neither_merges_nor_evicts_within_a_frame() -> None:
    context, driver = governed(RaiseCache, 2)
    bind(context, biased(0.0))
    bind(context, biased(1.0))
    with pytest.raises(SamplerLimitExceeded):
        bind(context, biased(1.0 / 256))
    assert driver.live == {0, 1}


def frames(context: CsoContext[int], count: int, *records: bytes) -> None:
    for _ in range(count):
        for record in records:
            bind(context, record)
        context.tidy()


def test_what_no_frame_uses_goes_and_makes_room() -> None:
    context, driver = governed(RaiseCache, 2)
    frames(context, 1, biased(0.0), biased(1.0))
    frames(context, 2 * PATIENCE - 2, biased(1.0))
    assert driver.live == {0, 1}
    frames(context, 1, biased(1.0))
    assert driver.live == {1}
    bind(context, biased(2.0))


def test_a_merged_state_stays_merged_until_there_is_room() -> None:
    context, driver = governed(MergeCache, 2)
    frames(context, 1, biased(0.0), biased(1.0), biased(0.25))
    assert bind(context, biased(0.25)) == (0,)
    frames(context, 3 * PATIENCE, biased(0.0), biased(1.0), biased(0.25))
    assert bind(context, biased(0.25)) == (0,)  # 0.0 is in use, and so is 1.0: nothing goes
    frames(context, 3 * PATIENCE, biased(0.0), biased(0.25))
    assert bind(context, biased(0.25)) == (2,)  # 1.0 is gone
    assert (driver.live, context.cache.merges()) == ({0, 2}, [])  # type: ignore[attr-defined]


@pytest.mark.parametrize(("limit", "more"), [(4, 1.0), (2, None)])
def test_below_the_limit_or_in_a_slot_no_unused_state_goes(limit: int, more: float | None) -> None:
    """However long no bind names it."""
    context, driver = governed(MergeCache, limit)
    frames(context, 1, biased(0.0), *(() if more is None else (biased(more),)))
    context.set_samplers("vertex", [biased(8.0)])
    frames(context, 3 * PATIENCE, biased(0.0))
    assert driver.live == {0, 1} | ({2} if more else set())


def test_the_worst_merge_is_the_worst_of_all_not_the_last() -> None:
    context, _ = governed(NearestCache, 1)
    for number in (0.0, 4.0, 0.25):
        bind(context, biased(number))
    distances = [merge.loss.distance for merge in context.cache.merges()]  # type: ignore[attr-defined]
    assert distances[0] > distances[1]
    assert context.statistics().worst_merge == distances[0]


def test_lookups_without_a_create_are_hits() -> None:
    context, _ = governed(NearestCache, 1)
    for levels in (0.0, 0.0, 1.0, 1.0, 1.0):
        bind(context, biased(levels))
    done = context.statistics()
    assert (done.hits + done.shortcuts, done.misses, done.merged) == (4, 1, 1)


def test_merges_into_a_state_that_goes_are_forgotten() -> None:
    context, driver = governed(MergeCache, 2)
    for levels in (0.0, 0.25, 8.0, 0.0, 8.0):
        bind(context, biased(levels))
    assert [merge.given for merge in context.cache.merges()] == [biased(0.25)]  # type: ignore[attr-defined]
    bind(context, biased(4.0))  # in place of 0.25
    assert (driver.live, context.cache.merges()) == ({2, 3}, [])  # type: ignore[attr-defined]


def test_a_smaller_limit_holds_at_once_and_a_larger_one_makes_what_was_merged() -> None:
    context, driver = governed(NearestCache, 3)
    for levels in (0.0, 1.0, 2.0, 2.25):
        bind(context, biased(levels))
    context.max_size = 2
    assert driver.live == {1, 2}
    context.max_size = 3
    assert bind(context, biased(2.25)) == (3,)


def test_after_a_failed_create_or_a_lost_device_nothing_is_left() -> None:
    context, driver = governed(NearestCache, 2)
    driver.fails["create"] = None
    with pytest.raises(DriverError, match="gave None"):
        bind(context, biased(0.0))
    assert context.cache.live_keys() == []
    for levels in (0.0, 1.0, 2.0):
        bind(context, biased(levels))
    context.forget()
    driver.events.clear()
    assert (context.cache.live_keys(), context.cache.merges()) == ([], [])  # type: ignore[attr-defined]
    assert bind(context, biased(2.0)) == (2,)


STEPS = some.lists(
    some.one_of(
        some.just("frame"),
        some.tuples(
            some.sampled_from((-8.0, -0.25, 0.0, 0.25, 0.5, 4.0, inf)), some.sampled_from(("repeat", "clamp-to-edge"))
        ),
    ),
    max_size=60,
)


@pytest.mark.parametrize("policy", GOVERNORS.values(), ids=list(GOVERNORS))
@given(STEPS, some.integers(1, 4))
def test_the_limit_holds_whatever_is_bound(policy: type[GovernedCache[int]], steps: list[object], limit: int) -> None:
    context, driver = governed(policy, limit)
    for step in steps:
        creates = context.statistics().creates
        if step == "frame":
            context.tidy()
            continue
        asked = biased(*step)  # type: ignore[misc]
        try:
            (handle,) = bind(context, asked)
        except SamplerLimitExceeded:
            assert policy.near is None or len(driver.live) == limit
            continue
        assert handle in driver.live
        assert context.statistics().creates <= creates + 1
        for merge in context.cache.merges():  # type: ignore[attr-defined]
            assert merge.given in context.cache.live_keys()
            assert merge.asked not in context.cache.live_keys()
    assert driver.peak <= limit
    context.destroy()
    assert driver.live == set()
