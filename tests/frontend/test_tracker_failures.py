"""What a failure leaves: which slots are bound again, what a screen that was half replaced is, what the counts say."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import DriverError, InvalidCallOrder
from tests.cso.failing import FailingDriver as Driver
from tests.frontend.conftest import pairs

Tracker = st.StateTracker[int]


@pytest.mark.parametrize("rounds", [1, 6])
@pytest.mark.parametrize("after", [0, 1])
def test_a_bind_that_was_interrupted_leaves_nothing_unchanged(
    tracker: Tracker, driver: Driver, rounds: int, after: int
) -> None:
    """What interrupts is passed on as it is, of a kept material too; the driver may have taken the new slots or not."""
    slots = [pairs(n) for n in range(2)]
    for _ in range(rounds):
        for one in slots:
            tracker.bind("fragment", one)
    driver.fails["bind"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        tracker.bind("fragment", slots[0])
    driver.calls()
    assert tracker.bind("fragment", slots[after]).handles == (after,)
    assert driver.calls() == [[after]]


def test_a_delete_that_fails_is_reported_once_the_screen_is_replaced(tracker: Tracker, driver: Driver) -> None:
    screen = tracker.screen.replace(use_format_with_border_color=True)  # another key rule, so another cache
    slots = pairs(1)
    tracker.bind("fragment", slots)
    old = tracker.cso
    driver.fails["delete"] = RuntimeError("busy")
    with pytest.raises(DriverError) as caught:
        tracker.screen = screen
    assert caught.value.handles == (0,)
    assert tracker.screen is screen
    assert tracker.cso is not old
    assert tracker.bind("fragment", slots).handles == (1,)


def test_counts_of_caches_that_are_gone_are_kept_apart(tracker: Tracker) -> None:
    """A new driver comes with a new cache; with the old one go states that were never deleted."""
    for at, number in enumerate((3, 2, 1)):
        tracker.bind("fragment", pairs(*range(number)))
        tracker.cso.max_size = 4096
        if at == 1:
            tracker.unbind()
            tracker.cso.max_size = 1
        tracker.device_lost(Driver())
    counts = tracker.end_frame()
    assert (counts.creates, counts.deletes, counts.live) == (6, 1, 0)
    tracker.bind("fragment", pairs(1))
    assert tracker.end_frame()[-4:-1] == (1, 0, 1)


def test_no_generation_comes_again(tracker: Tracker) -> None:
    seen = [tracker.generation]
    for bias in (1.0, 2.0, 3.0):
        tracker.policy = st.Policy(lod_offset=bias)
        seen.append(tracker.generation)
        tracker.device_lost()
        seen.append(tracker.generation)
    assert len(set(seen)) == 7


def test_after_a_restore_that_failed_the_stage_is_bound_in_full_and_others_are_left_alone(
    tracker: Tracker, driver: Driver
) -> None:
    each = pairs(*range(8))
    for _ in range(4):
        for pair in (each[2], each[0]):
            tracker.bind("vertex", (pair,))
    before = tracker.bind("fragment", each[:3])
    tracker.save_samplers()
    tracker.bind("fragment", each[3:4])
    driver.fails["bind"] = RuntimeError("busy")
    with pytest.raises(DriverError):
        tracker.restore_samplers()
    driver.calls()
    bound = tracker.bind("vertex", each[2:3])
    assert driver.calls() == [list(bound.handles)]
    tracker.bind("fragment", each[:3])
    assert driver.calls() == [list(before.handles)]


def test_an_interrupt_while_a_smaller_budget_deletes_leaves_the_policy_that_was_asked(driver: Driver) -> None:
    tracker = Tracker(st.Screen.named("llvmpipe"), driver)
    before = tracker.policy
    for number in range(9):
        tracker.bind("fragment", pairs(number))
    driver.fails["delete"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        tracker.policy = st.Policy(max_states=3)
    assert (tracker.policy.max_states, tracker.cso.max_size, tracker.generation) == (3, 3, 1)
    tracker.policy = before
    assert tracker.cso.max_size == 4096


def test_after_a_restore_slots_above_what_was_saved_are_bound_again(tracker: Tracker, driver: Driver) -> None:
    """Other code may have bound them meanwhile."""
    slots = pairs(0, 1, 2)
    tracker.bind("fragment", slots[:2])
    tracker.save_samplers()
    tracker.bind("fragment", slots)
    tracker.restore_samplers()
    driver.take()
    tracker.bind("fragment", slots[:2])
    assert driver.take() == []
    tracker.bind("fragment", slots)
    assert driver.take() == [["bind", "MESA_SHADER_FRAGMENT", 0, [0, 1, 2]]]


def test_answers_from_before_a_loss_say_nothing_of_the_stage(tracker: Tracker, driver: Driver) -> None:
    slots = pairs(0, 1)
    tracker.bind("fragment", slots)
    old = tracker.bind("fragment", slots[:1])
    tracker.device_lost(driver)
    assert old.handles == old.named
    tracker.bind("fragment", slots[:1])
    with pytest.raises(InvalidCallOrder, match="was bound again"):
        assert old.changed


class InterruptsAfter:
    """A trace function that interrupts what the slots of a stage do after the driver's bind.

    Args:
        event: ``call``: at the entry of a function, where CPython hears signals while it handles an error; ``line``.
        turn: At which of these, from 0.
    """

    def __init__(self, event: str, turn: int) -> None:
        self.event, self.left, self.bound = event, turn, False

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> Any:
        code = frame.f_code
        if event == self.event and self.bound and code.co_filename.endswith("slots.py"):
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
        self.bound |= code.co_name == "bind_sampler_states"
        return self


@pytest.mark.parametrize("fails", [True, False])
def test_an_interrupt_beside_a_bind_leaves_nothing_trusted_or_unpinned(driver: Driver, fails: bool) -> None:
    """Where the driver refused the bind too: it may have taken the new slots, whenever the interrupt comes."""
    old, new = pairs(1), pairs(2)
    turn, came = 0, True
    while came:
        tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=st.Policy(max_states=2))
        tracker.bind("fragment", old)
        if fails:
            driver.fails["bind"] = RuntimeError("no")
        before = sys.gettrace()
        sys.settrace(InterruptsAfter("call" if fails else "line", turn))
        try:
            tracker.bind("fragment", new)
            came = False
        except (KeyboardInterrupt, DriverError) as error:
            came = isinstance(error, KeyboardInterrupt)
        finally:
            sys.settrace(before)
        made = driver.of("create")[-1][1]
        driver.take()
        tracker.cso.sampler_state(tracker.record(*pairs(3)[0]) or b"")
        assert ["delete", made] not in driver.take()
        tracker.bind("fragment", old)
        assert len(driver.bound()) == 1
        tracker.destroy()
        driver.take()
        turn += 1
    assert turn > 3
