"""A callback that calls its tracker back gets InvalidCallOrder, and the tracker does what it does without that call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker.cso import POLICIES, RecordingDriver
from statetracker.errors import DeviceLost, DriverError, InvalidCallOrder

Tracker = st.StateTracker[int]
TEXTURE = st.Texture(internal_format="RGBA8")
PAIRS = [(st.Sampler(max_lod=float(n)), TEXTURE) for n in range(6)]
RECORDS = [st.convert(*pair, st.Screen.named("llvmpipe")).pipe for pair in PAIRS]
GL = st.Context()

#: Bound one after another; the last two need room, so that each callback is called.
SLOTS: list[tuple[tuple[st.Sampler, st.Texture], ...]] = [
    (PAIRS[0], PAIRS[1]),
    (PAIRS[1],),
    (PAIRS[2], PAIRS[0]),
    (PAIRS[3],),
    (PAIRS[4], PAIRS[5]),
]

#: Everything that changes something, by its name.
FORBIDDEN: dict[str, Callable[[Tracker], object]] = {
    "bind what is bound": lambda tracker: tracker.bind("fragment", SLOTS[0]),
    "bind what is being bound": lambda tracker: tracker.bind("fragment", SLOTS[2]),
    "bind something else": lambda tracker: tracker.bind("fragment", (PAIRS[5],)),
    "bind another stage": lambda tracker: tracker.bind("vertex", SLOTS[3]),
    "bind a stage for the first time": lambda tracker: tracker.bind("compute", SLOTS[0]),
    "bind_context": lambda tracker: tracker.bind_context(GL, "fragment"),
    "end_frame": lambda tracker: tracker.end_frame(),
    "invalidate": lambda tracker: tracker.invalidate(),
    "invalidate a stage": lambda tracker: tracker.invalidate("fragment"),
    "save_samplers": lambda tracker: tracker.save_samplers("vertex"),
    "restore_samplers": lambda tracker: tracker.restore_samplers(),
    "unbind": lambda tracker: tracker.unbind(),
    "device_lost": lambda tracker: tracker.device_lost(),
    "device_lost, another driver": lambda tracker: tracker.device_lost(RecordingDriver()),
    "destroy": lambda tracker: tracker.destroy(),
    "with": lambda tracker: tracker.__exit__(),
    "policy": lambda tracker: setattr(tracker, "policy", st.Policy(lod_offset=1.0)),
    "the same policy": lambda tracker: setattr(tracker, "policy", tracker.policy),
    "screen": lambda tracker: setattr(tracker, "screen", st.Screen.named("iris")),
    "cso.single_sampler": lambda tracker: tracker.cso.single_sampler("fragment", 0, RECORDS[0]),
    "cso.single_sampler_done": lambda tracker: tracker.cso.single_sampler_done("fragment"),
    "cso.set_samplers": lambda tracker: tracker.cso.set_samplers("fragment", [RECORDS[0]]),
    "cso.look_up": lambda tracker: tracker.cso.look_up("fragment", [RECORDS[0]]),
    "cso.unbind": lambda tracker: tracker.cso.unbind(),
    "cso.destroy": lambda tracker: tracker.cso.destroy(),
    "cso.forget": lambda tracker: tracker.cso.forget(),
    "cso.tidy": lambda tracker: tracker.cso.tidy(),
    "cso.save_samplers": lambda tracker: tracker.cso.save_samplers("vertex"),
    "cso.restore_samplers": lambda tracker: tracker.cso.restore_samplers(),
    "cso.max_size": lambda tracker: setattr(tracker.cso, "max_size", 1),
    "a create": lambda tracker: tracker.cso.sampler_state(st.SamplerState(lod_bias=1.5)),
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


class CallsBack(RecordingDriver):
    """Makes ``call`` in each call of the callback ``when``, before or after its work, and keeps what came of it."""

    def __init__(self) -> None:
        super().__init__()
        self.call: Callable[[], object] | None = None
        self.when, self.late = "", False
        self.came: list[object] = []

    def around(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
        answer = work(*arguments) if self.late else None
        if self.call is not None and name == self.when:
            try:
                self.call()
            except InvalidCallOrder as error:
                self.came.append(error)
            else:
                self.came.append(None)
        return answer if self.late else work(*arguments)

    def create_sampler_state(self, record: bytes) -> int:
        made: int = self.around("create", super().create_sampler_state, record)
        return made

    def bind_sampler_states(self, stage: str, start: int, handles: Any) -> None:
        self.around("bind", super().bind_sampler_states, stage, start, handles)

    def delete_sampler_state(self, handle: int) -> None:
        self.around("delete", super().delete_sampler_state, handle)


def run(eviction: str, driver: CallsBack, call: Callable[[Tracker], object] | None, when: str) -> list[object]:
    """Bind, change and destroy; give all that can be seen of it."""
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=4), eviction=eviction)
    seen: list[object] = []
    for at, slots in enumerate([*SLOTS[:2], *SLOTS[:2], SLOTS[0], *SLOTS, *SLOTS, *reversed(SLOTS), *SLOTS]):
        tracker.bind("vertex", SLOTS[at % 2])
        if at == 5 and call is not None:
            driver.when, driver.call = when, lambda: call(tracker)
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


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("when", ["create", "bind", "delete"])
@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_call_is_refused_and_changes_nothing(name: str, when: str, late: bool) -> None:
    for eviction in POLICIES:
        driver = CallsBack()
        driver.late = late
        seen = run(eviction, driver, FORBIDDEN[name], when)
        assert len(driver.came) > 3
        assert None not in driver.came
        assert seen == run(eviction, CallsBack(), None, when)


def test_a_preload_that_would_make_nothing_is_refused_too(tmp_path: Path) -> None:
    driver = CallsBack()
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver)
    tracker.bind("fragment", SLOTS[0])
    tracker.save_states(tmp_path / "states")
    driver.when, driver.call = "bind", lambda: tracker.preload(tmp_path / "states")
    tracker.unbind()
    assert driver.came
    assert None not in driver.came


@pytest.mark.parametrize("when", ["create", "bind", "delete"])
@pytest.mark.parametrize("name", ALLOWED)
def test_what_only_reads_may_be_asked(name: str, when: str) -> None:
    for eviction in POLICIES:
        driver = CallsBack()
        seen = run(eviction, driver, ALLOWED[name], when)
        assert set(driver.came) == {None}
        assert seen == run(eviction, CallsBack(), None, when)


def test_a_callback_may_call_another_tracker() -> None:
    other = st.StateTracker(st.Screen.named("llvmpipe"), RecordingDriver())
    driver = CallsBack()
    seen = run("second-chance", driver, lambda _: other.bind("fragment", SLOTS[0]), "bind")
    assert set(driver.came) == {None}
    assert seen == run("second-chance", CallsBack(), None, "bind")


@pytest.mark.parametrize("when", ["create", "bind", "delete"])
def test_a_refused_call_that_is_not_caught_is_the_cause(when: str) -> None:
    class Careless(CallsBack):
        def around(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
            if name == when and armed:
                armed.clear()
                tracker.unbind()
            return work(*arguments)

    armed: list[bool] = []
    driver = Careless()
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=3))
    tracker.bind("fragment", SLOTS[0])
    tracker.bind("fragment", SLOTS[3])
    armed.append(True)
    with pytest.raises(DriverError) as caught:
        tracker.bind("fragment", SLOTS[4])
    assert caught.value.call == {"create": "create_sampler_state", "bind": "bind_sampler_states"}.get(
        when, "delete_sampler_state"
    )
    assert isinstance(caught.value.__cause__, InvalidCallOrder)
    bound = tracker.bind("fragment", SLOTS[4])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, list(bound.handles)]


def test_a_lost_device_is_reported_by_raising_not_by_a_call() -> None:
    class Lost(CallsBack):
        def around(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
            if name == "bind" and self.call:
                self.call = None
                with pytest.raises(InvalidCallOrder):
                    tracker.device_lost()
                raise DeviceLost("Vulkan", "vkQueueSubmit", "VK_ERROR_DEVICE_LOST")
            return work(*arguments)

    driver = Lost()
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver)
    for slots in (*SLOTS, *SLOTS):
        tracker.bind("fragment", slots)
    driver.call = lambda: None
    with pytest.raises(DriverError):
        tracker.bind("fragment", SLOTS[0])
    assert tracker.generation == 1
    assert tracker.bind("fragment", SLOTS[0]).handles == (6, 7)
