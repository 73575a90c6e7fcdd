"""Random steps under a driver that raises at random, `DeviceLost` and interrupts among it: nothing is ever wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import statetracker as st
from statetracker import events
from statetracker.errors import DeviceLost, DriverError, InvalidCallOrder
from tests.cso.failing import FailingDriver
from tests.frontend.conftest import TEXTURE
from tests.frontend.loop_world import World

STEPS = 250
#: Each 66 runs in `make test`, 667 with the 1,000 examples of the profile `modules`: 500,000 steps.
RUNS = 2 * settings().max_examples


@pytest.mark.parametrize("rate", [0.0, 0.02, 0.2])
def test_whatever_a_driver_raises_nothing_is_wrong(rate: float) -> None:
    for seed in range(RUNS // 3):
        world = World(seed, rate)
        for _ in range(STEPS):
            world.step()
            world.check()
        world.works()
        world.end()


def pairs(*numbers: int) -> tuple[tuple[st.Sampler, st.Texture], ...]:
    """Return slots with biases, so that a limit of different states can merge them."""
    return tuple((st.Sampler(lod_bias=number / 2), TEXTURE) for number in numbers)


def over(driver: FailingDriver, eviction: str = "second-chance", **policy: Any) -> st.StateTracker[int]:
    return st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(**policy), eviction=eviction)


def test_a_loss_in_a_late_delete_is_noticed_though_an_early_one_raised_something_else() -> None:
    class Losing(FailingDriver):
        def delete_sampler_state(self, handle: int) -> None:
            super().delete_sampler_state(handle)
            deletes.append(handle)
            if len(deletes) == 1:
                raise RuntimeError("busy")
            if len(deletes) == 3:
                raise DeviceLost("Vulkan", "vkDestroySampler", "VK_ERROR_DEVICE_LOST")

    deletes: list[int] = []
    tracker = over(Losing(), max_states=16)
    for number in range(12):
        tracker.bind("fragment", pairs(number))
    with pytest.raises(DriverError) as caught:
        tracker.policy = st.Policy(max_states=2)
    assert isinstance(caught.value.__cause__, DeviceLost)
    assert len(deletes) == 3  # nothing of a lost device is deleted
    assert tracker.cso.statistics().live == 0
    assert tracker.bind("fragment", pairs(11)).handles == (12,)


def test_handles_that_an_interrupt_left_to_delete_count_at_a_hard_limit(driver: FailingDriver) -> None:
    tracker = over(driver, max_states=64)
    tracker.bind("fragment", pairs(*range(8)))
    driver.fails["delete"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        tracker.policy = st.Policy(unique_limit=8)
    for number in range(20, 30):
        tracker.bind("fragment", pairs(number))
        assert len(driver.of("create")) - len(driver.deleted()) <= 8


def test_a_loss_that_an_interrupt_covers_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch, driver: FailingDriver
) -> None:
    """Between the driver's `DeviceLost` and the exchange of the cache: the next call makes up for it."""
    tracker = over(driver)
    tracker.bind("fragment", pairs(1))
    interrupted = tracker.device_lost

    def covered() -> None:
        monkeypatch.setattr(tracker, "device_lost", interrupted)
        raise KeyboardInterrupt

    for call, number in (("create", 2), ("bind", 1), ("create", 3)):
        monkeypatch.setattr(tracker, "device_lost", covered)
        driver.fails[call] = DeviceLost("Vulkan", call, "VK_ERROR_DEVICE_LOST")
        if call == "bind":
            tracker.invalidate()
        with pytest.raises(KeyboardInterrupt):
            tracker.bind("fragment", pairs(number))
        dead = {event[1] for event in driver.of("create")}
        assert not dead & {*tracker.bind("fragment", pairs(1)).handles}
    tracker.destroy()
    assert len(driver.deleted()) == 1


@pytest.mark.parametrize("eviction", ["second-chance", "lru"])
def test_the_end_of_a_frame_deletes_what_an_interrupt_left(eviction: str, driver: FailingDriver) -> None:
    tracker = over(driver, eviction)
    for number in range(20):
        tracker.bind("fragment", pairs(number))
    driver.fails["delete"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        tracker.policy = st.Policy(max_states=4)
    assert tracker.cso.statistics().live > 4
    assert tracker.end_frame().live <= 4


def test_a_listener_and_a_users_override_may_not_call_the_tracker_back() -> None:
    came: list[object] = []

    def back(*_: object) -> None:
        for call in (lambda: tracker.bind("vertex", slots), lambda: setattr(tracker, "policy", other)):
            with pytest.raises(InvalidCallOrder):
                call()
            came.append(call)

    other, slots = st.Policy(unique_limit=3), pairs(9)
    policy = st.Policy(unique_limit=2, override=back)
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), FailingDriver(), policy=policy)
    events.listen(back)
    try:
        for number in (0, 40, 1):
            tracker.bind("fragment", pairs(number))
    finally:
        events.quiet()
    assert len(came) > 6


def test_a_destroyed_tracker_stays_destroyed(tmp_path: Path, driver: FailingDriver) -> None:
    tracker = over(driver)
    tracker.bind("fragment", pairs(1))
    tracker.save_states(tmp_path / "states")
    tracker.destroy()
    tracker.device_lost()
    for call in (
        lambda: tracker.bind("fragment", pairs(1)),
        lambda: tracker.preload(tmp_path / "states"),
        lambda: setattr(tracker, "policy", st.Policy(unique_limit=4)),
    ):
        with pytest.raises(InvalidCallOrder, match="destroyed"):
            call()
    assert len(driver.of("create")) == 1


def test_a_meta_operation_leaves_the_answers() -> None:
    tracker = over(FailingDriver())
    slots = pairs(*range(3))
    before = tracker.bind("fragment", slots)
    tracker.save_samplers()
    tracker.bind("fragment", slots[:1])
    tracker.restore_samplers()
    assert tracker.bind("fragment", slots) is before


def test_slots_with_a_gap_have_one_answer_below_others() -> None:
    tracker = over(FailingDriver())
    tracker.bind("fragment", pairs(*range(4)))
    gap = (*pairs(5), None, *pairs(6))
    assert len({id(tracker.bind("fragment", gap)) for _ in range(5)}) == 1
