"""A callback that calls its tracker back gets InvalidCallOrder, and the tracker does what it does without that call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker.cso import POLICIES, RecordingDriver
from statetracker.errors import DeviceLost, DriverError, InvalidCallOrder
from tests.cso import callbacks

Tracker = st.StateTracker[int]
TEXTURE = st.Texture(internal_format="RGBA8")
PAIRS = [(st.Sampler(max_lod=float(n)), TEXTURE) for n in range(6)]
RECORDS = [st.convert(*pair, st.Screen.named("llvmpipe")).pipe for pair in PAIRS]
GL = st.Context()


def below(call: Callable[[Any, bytes], object]) -> Callable[[Tracker, bytes], object]:
    """A call of the cache underneath; on its own it is in tests/cso/test_context_callbacks.py."""
    return lambda tracker, record: call(tracker.cso, record)


#: Bound one after another; the last two need room, so that each callback is called.
SLOTS: list[tuple[tuple[st.Sampler, st.Texture], ...]] = [
    (PAIRS[0], PAIRS[1]),
    (PAIRS[1],),
    (PAIRS[2], PAIRS[0]),
    (PAIRS[3],),
    (PAIRS[4], PAIRS[5]),
]

#: Everything that changes something, by its name.
FORBIDDEN: dict[str, Callable[[Tracker, bytes], object]] = {
    "bind what is bound": lambda tracker, _: tracker.bind("fragment", SLOTS[0]),
    "bind what is being bound": lambda tracker, _: tracker.bind("fragment", SLOTS[2]),
    "bind something else": lambda tracker, _: tracker.bind("fragment", (PAIRS[5],)),
    "bind another stage": lambda tracker, _: tracker.bind("vertex", SLOTS[3]),
    "bind a stage for the first time": lambda tracker, _: tracker.bind("compute", SLOTS[0]),
    "bind_context": lambda tracker, _: tracker.bind_context(GL, "fragment"),
    "end_frame": lambda tracker, _: tracker.end_frame(),
    "invalidate": lambda tracker, _: tracker.invalidate(),
    "invalidate a stage": lambda tracker, _: tracker.invalidate("fragment"),
    "save_samplers": lambda tracker, _: tracker.save_samplers("vertex"),
    "restore_samplers": lambda tracker, _: tracker.restore_samplers(),
    "unbind": lambda tracker, _: tracker.unbind(),
    "device_lost": lambda tracker, _: tracker.device_lost(),
    "device_lost, another driver": lambda tracker, _: tracker.device_lost(RecordingDriver()),
    "destroy": lambda tracker, _: tracker.destroy(),
    "with": lambda tracker, _: tracker.__exit__(),
    "policy": lambda tracker, _: setattr(tracker, "policy", st.Policy(lod_offset=1.0)),
    "the same policy": lambda tracker, _: setattr(tracker, "policy", tracker.policy),
    "screen": lambda tracker, _: setattr(tracker, "screen", st.Screen.named("iris")),
    **{f"cso.{name}": below(call) for name, call in callbacks.FORBIDDEN.items() if not name.startswith("cache.")},
}

#: What only reads.
ALLOWED: dict[str, Callable[[Tracker], object]] = {
    "statistics": lambda tracker: tracker.cso.statistics(),
    "handles": lambda tracker: tracker.cso.handles("fragment"),
    "handles of a new stage": lambda tracker: tracker.cso.handles("compute"),
    "max_size": lambda tracker: tracker.cso.max_size,
    "record": lambda tracker: tracker.record(*PAIRS[0]),
    "policy": lambda tracker: (tracker.policy, tracker.screen, tracker.generation),
}


class CallsBack(callbacks.CallsBack, RecordingDriver):
    """Makes every forbidden call in every callback."""

    forbidden = FORBIDDEN
    at_once = len(FORBIDDEN)
    record = bytes(RECORDS[0])

    def __init__(self) -> None:
        super().__init__()
        self.wrong = []


class Asks(RecordingDriver):
    """Makes ``calls`` in each callback, before and after its work."""

    def __init__(self, calls: Iterable[Callable[[Tracker], object]] = ()) -> None:
        super().__init__()
        self.calls = [*calls]
        self.context: Any = None

    def around(self, work: Callable[..., Any], *arguments: Any) -> Any:
        for turn in range(2):
            for call in self.calls if self.context is not None else ():
                call(self.context)
            if not turn:
                made = work(*arguments)
        return made

    def create_sampler_state(self, record: bytes) -> int:
        made: int = self.around(super().create_sampler_state, record)
        return made

    def bind_sampler_states(self, stage: str, start: int, handles: Any) -> None:
        self.around(super().bind_sampler_states, stage, start, handles)

    def delete_sampler_state(self, handle: int) -> None:
        self.around(super().delete_sampler_state, handle)


def run(eviction: str, driver: Any) -> list[object]:
    """Bind, change and destroy; give all that can be seen of it."""
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=4), eviction=eviction)
    seen: list[object] = []
    for at, slots in enumerate([*SLOTS[:2], *SLOTS[:2], SLOTS[0], *SLOTS, *SLOTS, *reversed(SLOTS), *SLOTS]):
        tracker.bind("vertex", SLOTS[at % 2])
        if at == 5:
            driver.context = tracker
        bound = tracker.bind("fragment", slots)
        seen += [bound.handles, bound.changed, bound.generation]
        if at == 8:
            tracker.save_samplers()
        if at % 10 == 9:
            seen.append(tracker.end_frame())
    tracker.restore_samplers()
    tracker.policy = st.Policy(lod_offset=0.5, max_states=3)
    seen.append(tracker.bind("fragment", SLOTS[0]).handles)
    tracker.unbind()
    seen.append(tracker.bind("fragment", SLOTS[1]).handles)
    tracker.destroy()
    counted = tracker.cso.statistics()
    return [*seen, driver.events, counted._replace(hits=0)]


@pytest.mark.parametrize("eviction", POLICIES)
def test_forbidden_calls_are_refused_and_change_nothing(eviction: str) -> None:
    driver = CallsBack()
    seen = run(eviction, driver)
    assert driver.wrong == []
    assert driver.calls > 1000
    assert seen == run(eviction, Asks())


@pytest.mark.parametrize("eviction", POLICIES)
def test_what_only_reads_may_be_asked_and_another_tracker_called(eviction: str) -> None:
    other = st.StateTracker(st.Screen.named("llvmpipe"), RecordingDriver())
    driver = Asks([*ALLOWED.values(), lambda _: other.bind("fragment", SLOTS[0])])
    assert run(eviction, driver) == run(eviction, Asks())


def test_a_preload_that_would_make_nothing_is_refused_too(tmp_path: Path) -> None:
    came: list[object] = []

    def preload(tracker: Tracker) -> None:
        with pytest.raises(InvalidCallOrder):
            tracker.preload(tmp_path / "states")
        came.append(tracker)

    driver = Asks([preload])
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver)
    tracker.bind("fragment", SLOTS[0])
    tracker.save_states(tmp_path / "states")
    driver.context = tracker
    tracker.unbind()
    assert came


def test_a_device_that_a_users_function_finds_lost_is_gone_at_once() -> None:
    """Not at the next call: a host that only reads would show handles that are no more."""

    def lose(*_given: object) -> None:
        raise DeviceLost("Vulkan", "vkQueueSubmit", "VK_ERROR_DEVICE_LOST")

    tracker = st.StateTracker(st.Screen.named("llvmpipe"), RecordingDriver(), policy=st.Policy(override=lose))
    with pytest.raises(DeviceLost):
        tracker.bind("fragment", SLOTS[0])
    assert (tracker.generation, tracker.lost) == (1, False)


def test_a_lost_device_is_reported_by_raising_not_by_a_call() -> None:
    def lose(tracker: Tracker) -> None:
        driver.context = None
        with pytest.raises(InvalidCallOrder):
            tracker.device_lost()
        raise DeviceLost("Vulkan", "vkQueueSubmit", "VK_ERROR_DEVICE_LOST")

    driver = Asks([lose])
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver)
    for slots in (*SLOTS, *SLOTS):
        tracker.bind("fragment", slots)
    driver.context = tracker
    with pytest.raises(DriverError):
        tracker.bind("fragment", SLOTS[0])
    assert tracker.generation == 1
    assert tracker.bind("fragment", SLOTS[0]).handles == (6, 7)
