"""Random steps under a driver that raises at random, `DeviceLost` and interrupts among it: nothing is ever wrong."""

from __future__ import annotations

import pytest
from hypothesis import settings

import statetracker as st
from statetracker.errors import DeviceLost, DriverError
from tests.frontend.drivers import FailingDriver
from tests.frontend.loop_world import World

STEPS = 250
#: Each 66 runs in `make test`, 667 under the profile `wide`: 500,000 steps.
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


def sampler(number: int) -> st.Sampler:
    return st.Sampler(lod_bias=number / 2)


TEXTURE = st.Texture(internal_format="RGBA8")


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
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), Losing(), policy=st.Policy(max_states=16))
    for number in range(12):
        tracker.bind("fragment", ((sampler(number), TEXTURE),))
    with pytest.raises(DriverError) as caught:
        tracker.policy = st.Policy(max_states=2)
    assert isinstance(caught.value.__cause__, DeviceLost)
    assert len(deletes) == 3  # nothing of a lost device is deleted
    assert tracker.cso.statistics().live == 0
    assert tracker.bind("fragment", ((sampler(11), TEXTURE),)).handles == (12,)


@pytest.mark.parametrize("way", ["merge", "nearest", "raise"])
@pytest.mark.parametrize("limit", [1, 2, 7])
def test_a_lower_hard_limit_is_kept_though_more_are_bound(way: str, limit: int) -> None:
    driver = FailingDriver()
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(unique_limit=8, when_full=way))
    slots = tuple((sampler(number), TEXTURE) for number in range(8))
    tracker.bind("fragment", slots)
    tracker.policy = st.Policy(unique_limit=limit, when_full=way)
    assert tracker.cso.statistics().live <= limit
    tracker.bind("fragment", slots[-limit:])  # the last that were looked up are kept
    assert tracker.cso.statistics().live <= limit


def test_handles_that_an_interrupt_left_to_delete_count_at_a_hard_limit() -> None:
    driver = FailingDriver()
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=64))
    tracker.bind("fragment", tuple((sampler(number), TEXTURE) for number in range(8)))
    driver.fails["delete"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        tracker.policy = st.Policy(unique_limit=8)
    for number in range(20, 30):
        tracker.bind("fragment", ((sampler(number), TEXTURE),))
        made = sum(event[0] == "create" for event in driver.events)
        assert made - sum(event[0] == "delete" for event in driver.events) <= 8
