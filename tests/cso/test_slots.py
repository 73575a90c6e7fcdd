"""States that were looked up are bound without another lookup, and only where a slot has another handle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as hst

from statetracker.cso import POLICIES, CsoContext, Resolved
from statetracker.errors import ArgumentError, DriverError
from statetracker.pipe import SamplerState
from tests.cso.failing import FailingDriver

Context = CsoContext[int]
RECORDS = [bytes(SamplerState(max_lod=float(n))) for n in range(8)]


@pytest.fixture
def context(driver: FailingDriver) -> Context:
    return CsoContext(driver)


def resolved(context: Context, *numbers: int | None, stage: str = "fragment") -> Resolved[int]:
    records = [None if n is None else RECORDS[n] for n in numbers]
    return Resolved(*context.look_up(stage, records), context.cache.epoch)


def bind(context: Context, *numbers: int | None, stage: str = "fragment") -> Resolved[int]:
    states = resolved(context, *numbers, stage=stage)
    context.bind_resolved(stage, states)
    return states


def use(context: Context, *records: bytes) -> None:
    """Look up states, so that others have to go."""
    for one in records:
        context.sampler_state(one)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_resolved_is_bound_as_often_as_wanted_without_a_lookup(driver: FailingDriver, policy: str) -> None:
    """In a stage that was never used, too."""
    context: Context = CsoContext(driver, policy=policy)
    one, other = resolved(context, 0, 1), resolved(context, 2, 3)
    lookups = context.statistics().hits, context.statistics().misses
    for _ in range(3):
        context.bind_resolved("fragment", one)
        context.bind_resolved("fragment", other)
    context.bind_resolved("vertex", one)
    assert driver.bound() == [[0, 1], [2, 3]] * 3 + [[0, 1]]
    assert (context.handles("fragment")[:3], context.handles("vertex")[:3]) == ((2, 3, None), (0, 1, None))
    assert (context.statistics().hits, context.statistics().misses) == lookups


def test_a_lookup_creates_in_the_order_of_the_slots_and_stages_nothing(context: Context, driver: FailingDriver) -> None:
    """It looks up equal neighbours each."""
    resolved(context, 3, 1, 1)
    resolved(context, 1, 1)
    context.single_sampler_done("fragment")
    assert context.handles("fragment")[:2] == (None, None)
    assert [event[2] for event in driver.events] == [RECORDS[n].hex() for n in (3, 1)]
    assert (context.statistics().hits, context.counts.shortcuts) == (3, 0)


@pytest.mark.parametrize(
    ("binds", "sent"),
    [
        ([(0, 1, 2), (0, 3, 2), (4, 3, 2), (4, 3, 2), (4, 3, 5)], [[0, 1, 2], [0, 3], [4], [4, 3, 5]]),
        ([(0, 1), (None, 2, None)], [[0, 1], [0, 2]]),  # None stands for what the slot holds
    ],
)
def test_the_driver_is_given_slots_0_to_the_highest_that_changed(
    context: Context, driver: FailingDriver, binds: list[tuple[int | None, ...]], sent: list[list[int]]
) -> None:
    for numbers in binds:
        bind(context, *numbers)
    assert driver.bound() == sent
    assert context.handles("fragment")[len(binds[0]) :] == (None,) * (32 - len(binds[0]))


def test_done_binds_what_was_bound_resolved_since_a_slot_of_another_stage_was_staged(
    context: Context, driver: FailingDriver
) -> None:
    context.single_sampler("vertex", 1, RECORDS[3])  # the highest slot counts for every stage
    bind(context, 0, 1)
    context.single_sampler_done("fragment")
    bind(context, 0, 1)
    assert driver.bound() == [[1, 2], [1, 2]]


@pytest.mark.parametrize("refused", [True, False])
def test_slots_that_are_not_trusted_are_bound_once_more(context: Context, driver: FailingDriver, refused: bool) -> None:
    """After a bind that raised, and where the stage was distrusted."""
    whole, two, one = resolved(context, 0, 1, 2), resolved(context, 0, 1), resolved(context, 0)
    if refused:
        driver.fails["bind"] = RuntimeError("no")
        with pytest.raises(DriverError):
            context.bind_resolved("fragment", whole)
    else:
        context.bind_resolved("fragment", whole)
        context.slots("fragment").distrust()
        driver.events.clear()
    for again in (two, one, two, whole, whole):
        context.bind_resolved("fragment", again)
    assert driver.bound() == [[0, 1], [0, 1, 2]]


@pytest.mark.parametrize("resolve", [True, False])
def test_a_bind_that_succeeds_makes_its_slots_sure(context: Context, driver: FailingDriver, resolve: bool) -> None:
    bind(context, 0, 1)
    context.slots("fragment").distrust()
    if resolve:
        bind(context, 0, 1)
    else:
        context.set_samplers("fragment", [RECORDS[0], RECORDS[1]])
    bind(context, 2, 1)
    assert driver.bound() == [[0, 1], [0, 1], [2]]


def test_done_after_a_bind_that_raised_leaves_no_doubt(driver: FailingDriver) -> None:
    context: Context = CsoContext(driver, max_size=2)
    driver.fails["bind"] = RuntimeError("no")
    with pytest.raises(DriverError):
        bind(context, 0, 1)
    context.single_sampler("fragment", 1, RECORDS[0])
    context.single_sampler_done("fragment")
    context.bind_resolved("fragment", resolved(context, 0, 0))  # the driver is known to hold them
    assert driver.bound() == [[0, 0]]
    use(context, RECORDS[2])
    assert driver.deleted() == [1]  # which the driver may have taken before, and not now


def test_fewer_slots_leave_those_above_bound_and_in_use(driver: FailingDriver) -> None:
    """And of one slot only what was bound last is in use."""
    context: Context = CsoContext(driver, max_size=3)
    bind(context, 0, 1, 2)
    bind(context, 1)
    use(context, *RECORDS[4:])
    assert {0, 1, 2}.intersection(driver.deleted()) == {0}
    assert context.handles("fragment")[:3] == (1, 1, 2)
    bind(context, 1, 2)
    assert driver.bound() == [[0, 1, 2], [1], [1, 2]]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_what_a_lookup_gave_stays_until_all_is_there(driver: FailingDriver, limit: int) -> None:
    context: Context = CsoContext(driver, max_size=limit)
    bind(context, 4, 5)
    seen = resolved(context, 0, 1, 2, 3)
    assert not {*seen.named}.intersection(driver.deleted())
    context.bind_resolved("fragment", seen)
    assert driver.bound()[-1] == list(seen.named)


@pytest.mark.parametrize("wrong", [b"short", bytearray(36), 7])
def test_a_lookup_that_fails_leaves_all_as_it_was(context: Context, driver: FailingDriver, wrong: Any) -> None:
    """Of more slots than there are, too."""
    bind(context, 0)
    with pytest.raises(ArgumentError):
        context.look_up("fragment", [RECORDS[1], wrong])
    for call in (context.look_up, context.set_samplers):
        with pytest.raises(ArgumentError, match=r"slot=32 cannot be used; accepted: 0\.\.31"):
            call("fragment", [RECORDS[0]] * 33)
    assert context.handles("fragment")[:2] == (0, None)
    assert context._stages["fragment"].pending == []
    assert driver.bound() == [[0]]


@pytest.mark.parametrize("first", [True, False])
def test_a_bind_that_raises_leaves_both_in_use_and_is_made_again_in_full(driver: FailingDriver, first: bool) -> None:
    context: Context = CsoContext(driver, max_size=4)
    before, after = resolved(context, 0, 1), resolved(context, 0, 2)
    for one in (before, after, before) if first else (before,):
        context.bind_resolved("fragment", one)
    driver.fails["bind"] = RuntimeError("busy")
    with pytest.raises(DriverError, match=r"raised RuntimeError.* for slots 0\.\.1 .*Call bind again") as caught:
        context.bind_resolved("fragment", after)
    assert caught.value.call == "bind_sampler_states"
    assert context.handles("fragment")[:2] == (0, 2)
    context.max_size = 1
    assert driver.deleted() == []
    context.bind_resolved("fragment", resolved(context, 0, 2))
    assert driver.bound()[-1] == [0, 2]
    context.max_size = 1
    assert driver.deleted() == [1]


def test_an_error_names_the_slots_that_the_driver_was_given(context: Context, driver: FailingDriver) -> None:
    bind(context, 0, 1, 2)
    driver.fails["bind"] = RuntimeError("no")
    with pytest.raises(DriverError, match=r"for slots 0\.\.1 of stage 'fragment'"):
        bind(context, 0, 3, 2)
    bind(context, 0, 3, 2)
    assert driver.bound()[-1] == [0, 3, 2]


def test_what_interrupts_a_bind_is_passed_on(context: Context, driver: FailingDriver) -> None:
    one = resolved(context, 0)
    driver.fails["bind"] = KeyboardInterrupt()
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
def test_gallium_calls_go_on_from_what_was_bound(context: Context, driver: FailingDriver, way: str) -> None:
    """What is staged and not sent is sent with the next bind."""
    bind(context, 3, 4, 5, 6)
    bind(context, 0, 1, 2)
    STAGINGS[way](context)
    staged = way in {"single_sampler", "set_samplers"}
    assert context.handles("fragment")[:5] == (7 if staged else 4, 5, 6, 3, None)
    bind(context, 0, 1, 2)
    assert driver.bound()[-1] == ([4] if way == "set_samplers" else [4, 5, 6])
    context.single_sampler("fragment", 1, RECORDS[3])
    bind(context, 0, None)
    assert driver.bound()[-1] == [4, 0]


def test_restoring_brings_back_what_was_bound(context: Context, driver: FailingDriver) -> None:
    bind(context, 0, 1)
    context.save_samplers()
    bind(context, 2, 3, 4)
    context.restore_samplers()
    assert context.handles("fragment")[:3] == (0, 1, None)
    bind(context, 0, 1)
    assert driver.bound() == [[0, 1], [2, 3, 4], [0, 1]]


@pytest.mark.parametrize(("end", "bound"), [("unbind", [0, 1]), ("forget", [2, 3])])
def test_after_an_end_everything_is_bound_again(
    context: Context, driver: FailingDriver, end: str, bound: list[int]
) -> None:
    bind(context, 0, 1)
    getattr(context, end)()
    bind(context, 0, 1)
    assert driver.bound()[-1] == bound


def test_binds_are_counted_and_stay_so_when_the_device_is_lost(context: Context) -> None:
    for numbers in ((0, 1), (0, 2), (0, 2), (3, 2), (3, 2, 4), (3,), (5,), (5, 1)):
        bind(context, *numbers)
    for _ in range(2):
        counts = context.counts
        assert (counts.changed, counts.unchanged, counts.slots_changed) == (6, 2, 2 + 1 + 1 + 1 + 1 + 1)
        assert (counts.calls, counts.slots_sent) == (6, 2 + 2 + 1 + 3 + 1 + 2)
        context.forget()


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
    driver = FailingDriver()
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
        assert not {*has}.intersection(driver.deleted())
