"""Policy lru: what goes is what was looked up longest ago, and what a slot holds stays."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.cso import CsoContext, RecordingDriver
from statetracker.pipe import SamplerState
from tests.cso.conftest import record


@given(some.lists(some.integers(0, 12), max_size=60), some.integers(1, 9))
def test_its_creates_and_deletes_are_those_of_an_ordered_dict(numbers: list[int], size: int) -> None:
    driver = RecordingDriver()
    context = CsoContext(driver, policy="lru", max_size=size)
    kept: OrderedDict[int, int] = OrderedDict()
    expected: list[list[object]] = []
    made = 0
    for number in numbers:
        record = bytes(SamplerState(max_lod=number / 8))
        if number not in kept:
            if len(kept) == size:
                expected.append(["delete", kept.popitem(last=False)[1]])
            expected.append(["create", made, record.hex()])
            kept[number], made = made, made + 1
        kept.move_to_end(number)
        assert context.sampler_state(record) == kept[number]
    assert driver.events == expected
    done = context.statistics()
    assert (done.hits, done.misses, done.live) == (len(numbers) - made, made, len(kept))
    assert done.peak == min(made, size)


def test_what_a_slot_holds_stays_however_long_ago_it_was_looked_up(driver: Any) -> None:
    context = CsoContext(driver, policy="lru", max_size=2)
    context.set_samplers("fragment", [record(0)])
    for number in range(1, 9):
        context.sampler_state(record(number))
    assert ["delete", 0] not in driver.events
    assert driver.events[-2:] == [["delete", 7], ["create", 8, record(8).hex()]]
    assert context.statistics().pinned == 0


def test_more_than_the_limit_may_be_bound_and_go_when_they_no_longer_are(driver: Any) -> None:
    context = CsoContext(driver, policy="lru", max_size=2)
    context.set_samplers("fragment", [record(n) for n in range(5)])
    done = context.statistics()
    assert (done.live, done.peak, done.pinned) == (5, 5, 3)  # at the last create two could stay, and three more had to
    context.unbind()
    context.sampler_state(record(5))
    assert driver.of("delete") == [["delete", n] for n in range(4)]
    assert [*context.cache.live_keys()] == [record(4), record(5)]
    context.max_size = 1
    assert [*context.cache.live_keys()] == [record(5)]


def test_every_bind_of_a_loop_counts_as_a_use() -> None:
    """Other binds would leave the order as it was when they were first looked up."""
    driver = RecordingDriver()
    texture = st.Texture(internal_format="RGBA8", size=(4, 4))
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=3), eviction="lru")
    first, second, third, fourth = (((st.Sampler(max_lod=float(n)), texture),) for n in range(1, 5))
    for slots in (first, second, third, first, second, first, first, fourth):
        tracker.bind("fragment", slots)
    assert [event[1] for event in driver.events if event[0] == "delete"] == [2]
