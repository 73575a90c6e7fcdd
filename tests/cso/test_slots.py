"""States that were looked up are bound without another lookup, and only where a slot has another handle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as hst

from statetracker.cso import POLICIES, CsoContext, RecordingDriver, Resolved
from statetracker.errors import ArgumentError, DriverError
from statetracker.pipe import SamplerState

Context = CsoContext[int]
RECORDS = [bytes(SamplerState(max_lod=float(n))) for n in range(8)]


class Refusing(RecordingDriver):
    """Raises ``error`` at a bind, if there is one."""

    error: BaseException | None = None

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        if self.error is not None:
            raise self.error
        super().bind_sampler_states(stage, start, handles)

    def bound(self) -> list[Any]:
        return [event[3] for event in self.events if event[0] == "bind"]

    def deleted(self) -> set[Any]:
        return {event[1] for event in self.events if event[0] == "delete"}


@pytest.fixture
def driver() -> Refusing:
    return Refusing()


@pytest.fixture
def context(driver: Refusing) -> Context:
    return CsoContext(driver)


def resolved(context: Context, *numbers: int | None, stage: str = "fragment") -> Resolved[int]:
    records = [None if n is None else RECORDS[n] for n in numbers]
    return Resolved(*context.look_up(stage, records), context.cache.epoch)


def bind(context: Context, *numbers: int | None, stage: str = "fragment") -> Resolved[int]:
    states = resolved(context, *numbers, stage=stage)
    context.bind_resolved(stage, states)
    return states


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_resolved_is_bound_as_often_as_wanted_without_a_lookup(driver: Refusing, policy: str) -> None:
    context: Context = CsoContext(driver, policy=policy)
    one, other = resolved(context, 0, 1), resolved(context, 2, 3)
    lookups = context.statistics().hits, context.statistics().misses
    for _ in range(3):
        context.bind_resolved("fragment", one)
        context.bind_resolved("fragment", other)
    assert driver.bound() == [[0, 1], [2, 3]] * 3
    assert context.handles("fragment")[:3] == (2, 3, None)
    assert (context.statistics().hits, context.statistics().misses) == lookups


def test_states_may_be_bound_in_a_stage_that_was_never_used(context: Context, driver: Refusing) -> None:
    context.bind_resolved("vertex", resolved(context, 0, 1, stage="fragment"))
    assert (context.handles("vertex")[:2], driver.bound()) == ((0, 1), [[0, 1]])


def test_a_lookup_looks_up_equal_neighbours_each(context: Context) -> None:
    resolved(context, 0, 0)
    resolved(context, 0, 0)
    assert (context.statistics().hits, context.counts.shortcuts) == (3, 0)


def test_a_lookup_stages_nothing(context: Context, driver: Refusing) -> None:
    resolved(context, 0, 1)
    context.single_sampler_done("fragment")
    assert context.handles("fragment")[:2] == (None, None)
    assert driver.bound() == []


def test_creates_come_in_the_order_of_the_slots(context: Context, driver: Refusing) -> None:
    bind(context, 3, 1, 2)
    assert [event[2] for event in driver.events if event[0] == "create"] == [RECORDS[n].hex() for n in (3, 1, 2)]


def test_the_driver_is_given_slots_0_to_the_highest_that_changed(context: Context, driver: Refusing) -> None:
    for numbers in ((0, 1, 2), (0, 3, 2), (4, 3, 2), (4, 3, 2), (4, 3, 5)):
        bind(context, *numbers)
    handle = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
    assert driver.bound() == [[0, 1, 2], [0, handle[3]], [handle[4]], [handle[4], handle[3], handle[5]]]


def test_none_stands_for_what_the_slot_holds(context: Context, driver: Refusing) -> None:
    bind(context, 0, 1)
    bind(context, None, 2, None)
    assert driver.bound() == [[0, 1], [0, 2]]
    assert context.handles("fragment")[:4] == (0, 2, None, None)


def test_done_binds_what_was_bound_resolved_since_a_slot_of_another_stage_was_staged(
    context: Context, driver: Refusing
) -> None:
    context.single_sampler("vertex", 1, RECORDS[3])  # the highest slot counts for every stage
    bind(context, 0, 1)
    context.single_sampler_done("fragment")
    assert driver.bound() == [[1, 2], [1, 2]]
    bind(context, 0, 1)
    assert driver.bound() == [[1, 2], [1, 2]]


def test_after_a_bind_that_raised_each_slot_is_bound_once_more(context: Context, driver: Refusing) -> None:
    whole, two, one = resolved(context, 0, 1, 2), resolved(context, 0, 1), resolved(context, 0)
    driver.error = RuntimeError("no")
    with pytest.raises(DriverError):
        context.bind_resolved("fragment", whole)
    driver.error = None
    for again in (two, one, two, whole, whole):
        context.bind_resolved("fragment", again)
    assert driver.bound() == [[0, 1], [0, 1, 2]]


def test_done_after_a_bind_that_raised_leaves_no_doubt(driver: Refusing) -> None:
    context: Context = CsoContext(driver, max_size=2)
    driver.error = RuntimeError("no")
    with pytest.raises(DriverError):
        bind(context, 0, 1)
    driver.error = None
    context.single_sampler("fragment", 1, RECORDS[0])
    context.single_sampler_done("fragment")
    assert driver.bound() == [[0, 0]]
    context.bind_resolved("fragment", resolved(context, 0, 0))
    assert driver.bound() == [[0, 0]]  # the driver is known to hold them
    context.sampler_state(RECORDS[2])
    assert driver.deleted() == {1}  # which the driver may have taken before, and not now


def test_fewer_slots_leave_those_above_bound_and_in_use(driver: Refusing) -> None:
    context: Context = CsoContext(driver, max_size=3)
    bind(context, 0, 1, 2)
    bind(context, 1)
    for record in RECORDS[4:]:
        context.sampler_state(record)
    assert driver.deleted().isdisjoint({1, 2})
    assert context.handles("fragment")[:3] == (1, 1, 2)
    bind(context, 1, 2)
    assert driver.bound() == [[0, 1, 2], [1], [1, 2]]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_what_a_lookup_gave_stays_until_all_is_there(driver: Refusing, limit: int) -> None:
    context: Context = CsoContext(driver, max_size=limit)
    bind(context, 4, 5)
    seen = resolved(context, 0, 1, 2, 3)
    assert driver.deleted().isdisjoint(seen.named)
    context.bind_resolved("fragment", seen)
    assert driver.bound()[-1] == list(seen.named)


def test_only_what_is_bound_last_is_in_use(driver: Refusing) -> None:
    context: Context = CsoContext(driver, max_size=4)
    bind(context, 1)
    bind(context, 0)
    for record in RECORDS[2:]:
        context.sampler_state(record)
    assert 1 not in driver.deleted()  # handle 1 is of record 0
    assert 0 in driver.deleted()


@pytest.mark.parametrize("wrong", [b"short", bytearray(36), 7])
def test_a_lookup_that_fails_leaves_all_as_it_was(context: Context, driver: Refusing, wrong: Any) -> None:
    bind(context, 0)
    with pytest.raises(ArgumentError):
        context.look_up("fragment", [RECORDS[1], wrong])
    assert context.handles("fragment")[:2] == (0, None)
    assert context._stages["fragment"].pending == []
    assert driver.bound() == [[0]]


def test_more_slots_than_there_are_is_refused(context: Context) -> None:
    with pytest.raises(ArgumentError, match=r"slot=32 cannot be used; accepted: 0\.\.31"):
        context.look_up("fragment", [RECORDS[0]] * 33)
    with pytest.raises(ArgumentError, match=r"slot=32 cannot be used; accepted: 0\.\.31"):
        context.set_samplers("fragment", [RECORDS[0]] * 33)


@pytest.mark.parametrize("first", [True, False])
def test_a_bind_that_raises_leaves_both_in_use_and_is_made_again_in_full(driver: Refusing, first: bool) -> None:
    context: Context = CsoContext(driver, max_size=4)
    before, after = resolved(context, 0, 1), resolved(context, 0, 2)
    for one in (before, after, before) if first else (before,):
        context.bind_resolved("fragment", one)
    driver.error = RuntimeError("busy")
    with pytest.raises(DriverError, match=r"raised RuntimeError.* for slots 0\.\.1 .*Call bind again") as caught:
        context.bind_resolved("fragment", after)
    assert caught.value.call == "bind_sampler_states"
    assert context.handles("fragment")[:2] == (0, 2)
    context.max_size = 1
    assert driver.deleted() == set()
    driver.error = None
    again = resolved(context, 0, 2)
    context.bind_resolved("fragment", again)
    assert driver.bound()[-1] == [0, 2]
    context.max_size = 1
    assert driver.deleted() == {1}


def test_what_interrupts_a_bind_is_passed_on(context: Context, driver: Refusing) -> None:
    one = resolved(context, 0)
    driver.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt) as caught:
        context.bind_resolved("fragment", one)
    assert caught.value.__cause__ is None


STAGINGS: dict[str, Callable[[Context], object]] = {
    "single_sampler": lambda context: context.single_sampler("fragment", 0, RECORDS[7]),
    "set_samplers": lambda context: context.set_samplers("fragment", [RECORDS[7]]),
    "single_sampler_done": lambda context: context.single_sampler_done("fragment"),
    "save_samplers": lambda context: context.save_samplers(),
    "handles": lambda context: context.handles("fragment"),
}


@pytest.mark.parametrize("way", STAGINGS)
def test_gallium_calls_go_on_from_what_was_bound(context: Context, driver: Refusing, way: str) -> None:
    bind(context, 3, 4, 5, 6)
    bind(context, 0, 1, 2)
    STAGINGS[way](context)
    staged = way in {"single_sampler", "set_samplers"}
    assert context.handles("fragment")[:5] == (7 if staged else 4, 5, 6, 3, None)
    bind(context, 0, 1, 2)
    assert driver.bound()[-1] == ([4] if way == "set_samplers" else [4, 5, 6])


def test_what_is_staged_and_not_sent_is_sent_with_the_next_bind(context: Context, driver: Refusing) -> None:
    bind(context, 0, 1)
    context.single_sampler("fragment", 1, RECORDS[2])
    bind(context, 0, None)
    assert driver.bound() == [[0, 1], [0, 2]]


def test_a_stage_that_is_not_trusted_is_bound_in_full(context: Context, driver: Refusing) -> None:
    one = bind(context, 0, 1, 2)
    context.slots("fragment").distrust()
    short = resolved(context, 0, 1)
    for _ in range(2):
        context.bind_resolved("fragment", short)
    context.bind_resolved("fragment", one)
    context.bind_resolved("fragment", one)
    assert driver.bound() == [[0, 1, 2], [0, 1], [0, 1, 2]]


def test_restoring_brings_back_what_was_bound(context: Context, driver: Refusing) -> None:
    bind(context, 0, 1)
    context.save_samplers()
    bind(context, 2, 3, 4)
    context.restore_samplers()
    assert driver.bound()[-1] == [0, 1]
    assert context.handles("fragment")[:3] == (0, 1, None)
    bind(context, 0, 1)
    assert driver.bound()[-1] == [0, 1]
    assert len(driver.bound()) == 3


@pytest.mark.parametrize("end", ["unbind", "forget"])
def test_after_an_end_everything_is_bound_again(context: Context, driver: Refusing, end: str) -> None:
    bind(context, 0, 1)
    getattr(context, end)()
    bind(context, 0, 1)
    assert driver.bound()[-1] == [0, 1] if end == "unbind" else [2, 3]


def counted(context: Context) -> tuple[int, ...]:
    counts = context.counts
    return counts.changed + counts.unchanged, counts.unchanged, counts.slots_changed, counts.calls, counts.slots_sent


def test_binds_are_counted(context: Context) -> None:
    for numbers in ((0, 1), (0, 2), (0, 2), (3, 2), (3, 2, 4), (3,), (5,), (5, 1)):
        bind(context, *numbers)
    #               binds, unchanged, slots_changed, calls, slots_sent
    assert counted(context) == (8, 2, 2 + 1 + 1 + 1 + 1 + 1, 6, 2 + 2 + 1 + 3 + 1 + 2)


def test_what_was_bound_before_the_device_was_lost_stays_counted(context: Context) -> None:
    bind(context, 0)
    bind(context, 1)
    context.forget()
    assert counted(context) == (2, 0, 2, 2, 2)


@pytest.mark.parametrize("resolve", [True, False])
def test_a_bind_that_succeeds_makes_its_slots_sure(context: Context, driver: Refusing, resolve: bool) -> None:
    bind(context, 0, 1)
    context.slots("fragment").distrust()
    if resolve:
        bind(context, 0, 1)
    else:
        context.set_samplers("fragment", [RECORDS[0], RECORDS[1]])
    bind(context, 2, 1)
    assert driver.bound() == [[0, 1], [0, 1], [2]]


def test_changes_are_those_of_the_last_bind(context: Context) -> None:
    slots = context.slots("fragment")
    for numbers, changed in (
        ((0, 1), {0: 0, 1: 1}),
        ((0, 2), {1: 2}),
        ((0, 2), {}),
        ((None, 1), {1: 1}),
        ((3,), {0: 3}),
        ((3, 1, 0), {2: 0}),
    ):
        bind(context, *numbers)
        assert slots.changed() == changed
        context.statistics()  # counts
        assert slots.changed() == changed


NUMBERS = hst.lists(hst.none() | hst.integers(0, 5), max_size=4)
CALLS = hst.lists(hst.tuples(hst.sampled_from(["bind", "bind", "bind", "again", "set", "stage", "unbind"]), NUMBERS))


@given(CALLS, hst.integers(2, 8))
def test_what_the_driver_has_is_always_what_is_staged(calls: list[tuple[str, list[int | None]]], limit: int) -> None:
    driver = Refusing()
    context: Context = CsoContext(driver, max_size=limit)
    has: list[int | None] = [None] * 32
    met: list[Resolved[int]] = []
    for kind, numbers in calls:
        driver.events.clear()
        if kind == "bind":
            met.append(bind(context, *numbers))
        elif kind == "again" and met and met[-1].epoch == context.cache.epoch:
            context.bind_resolved("fragment", met[-1])
        elif kind == "set":
            context.set_samplers("fragment", [None if n is None else RECORDS[n] for n in numbers])
        elif kind == "stage" and numbers and numbers[0] is not None:
            context.single_sampler("fragment", len(numbers) - 1, RECORDS[numbers[0]])
            context.single_sampler_done("fragment")
        elif kind == "unbind":
            context.unbind()
        for handles in driver.bound():
            has[: len(handles)] = handles
        assert has == list(context.handles("fragment"))
        assert driver.deleted().isdisjoint(has)
