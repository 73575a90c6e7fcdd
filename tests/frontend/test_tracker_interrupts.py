"""Whatever raises, wherever: afterwards the old or the new state holds, the tracker works, handles are deleted once."""

from __future__ import annotations

import gc
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import settings

import statetracker as st
from statetracker.errors import InvalidCallOrder, SamplerLimitExceeded
from tests.frontend.loop_world import POLICIES, SCREENS, StrictDriver, World

ROOT = Path(st.__file__).parent
#: The code whose lines raise: the loop and the cache.
WATCHED = tuple(str(ROOT / room) for room in ("frontend", "cso"))
TRIALS = 2 * settings().max_examples  # 400 in `make test`, 2,000 with the 1,000 examples of the profile `modules`
DRIVER = {function.__code__ for function in vars(StrictDriver).values() if hasattr(function, "__code__")}


def in_driver(frame: FrameType | None) -> bool:
    """Whether a callback of the driver runs: an interrupt in there is the driver's own affair."""
    while frame is not None:
        if frame.f_code in DRIVER:
            return True
        frame = frame.f_back
    return False


@pytest.fixture
def timer() -> Any:
    """Interrupt a call after so many seconds, with a real signal; gives whether it came."""
    armed = [False]

    def ring(_number: int, frame: FrameType | None) -> None:
        if in_driver(frame):
            signal.setitimer(signal.ITIMER_REAL, 1e-5)
        elif armed[0]:
            armed[0] = False
            raise KeyboardInterrupt

    def interrupted(after: float, call: Callable[[], object]) -> bool:
        try:
            armed[0] = True
            signal.setitimer(signal.ITIMER_REAL, after)
            with suppress(SamplerLimitExceeded, InvalidCallOrder):  # a save that an interrupt left
                call()
            armed[0] = False
        except KeyboardInterrupt:
            return True
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return False

    before = signal.signal(signal.SIGALRM, ring)
    watching, gc.callbacks[:] = [*gc.callbacks], []  # an interrupt in another library's callback would be lost
    yield interrupted
    gc.callbacks[:] = watching
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_real_signal_at_any_moment_leaves_the_tracker_whole(timer: Any) -> None:
    came = 0
    chance = random.Random(0)  # noqa: S311
    for trial in range(TRIALS):
        world = World(trial)
        for _ in range(chance.randrange(20)):
            world.step()
        rare = [world.change_policy, world.change_screen, world.bind, world.save_and_restore]
        step = chance.choice([*rare, *world.steps()])
        came += timer(chance.uniform(1e-6, 1e-4), step)
        world.followed()
        world.works()
        world.end()
    assert came > TRIALS // 10


def scenario(world: World) -> list[Callable[[], object]]:
    """Steps that reach the lines of the loop and the cache."""
    tracker, sets = world.tracker, world.sets

    def policy(number: int) -> Callable[[], object]:
        return lambda: setattr(tracker, "policy", POLICIES[number])

    def binds() -> None:
        for stage in ("fragment", "vertex"):
            for slots in sets:
                world.bound(stage, slots)

    return [
        binds, binds, policy(1), binds, tracker.end_frame, world.change, binds, policy(7), binds, policy(4), binds,
        tracker.end_frame, world.save_and_restore, lambda: setattr(tracker, "screen", SCREENS[1]), binds,
        policy(8), binds, policy(0), binds, tracker.unbind, tracker.invalidate, binds, world.lose, binds,
        policy(3), binds,
    ]  # fmt: skip


class RaisesAt:
    """A trace function that counts lines, and raises at one of them."""

    def __init__(self, place: tuple[str, int] | None = None, turn: int = 1) -> None:
        self.seen: Counter[tuple[str, int]] = Counter()
        self.place, self.turn = place, turn

    def __call__(self, frame: FrameType, event: str, _argument: object) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(WATCHED) or name.endswith("recording.py"):
            return None
        if event == "line":
            place = name, frame.f_lineno
            self.seen[place] += 1
            if place == self.place and self.seen[place] == self.turn and not in_driver(frame.f_back):
                raise KeyboardInterrupt
        return self


def played(eviction: str, tracer: RaisesAt) -> None:
    """Play the scenario; each step that is interrupted is followed by all the others."""
    world = World(3)
    world.tracker = st.StateTracker(SCREENS[0], world.driver, policy=POLICIES[2], eviction=eviction)
    world.followed()
    before = sys.gettrace()
    try:
        for step in scenario(world):
            sys.settrace(tracer)
            try:
                step()
            except (KeyboardInterrupt, SamplerLimitExceeded):
                pass
            finally:
                sys.settrace(None)
                world.followed()
            if tracer.place is not None and tracer.seen[tracer.place] >= tracer.turn:
                tracer = RaisesAt()
                world.works()
        sys.settrace(tracer)
        try:
            world.tracker.destroy()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        world.end()
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("eviction", ["second-chance", "lru"])
def test_an_interrupt_at_each_line_leaves_the_tracker_whole(eviction: str) -> None:
    """At the first time that the line runs, and at another one."""
    every = RaisesAt()
    played(eviction, every)
    assert len(every.seen) > 300
    chance = random.Random(1)  # noqa: S311
    places = sorted(every.seen.items())
    if settings().max_examples < 1000:
        places = places[::9]
    for place, times in places:
        for turn in {1, chance.randint(1, times)}:
            try:
                played(eviction, RaisesAt(place, turn))
            except AssertionError as error:
                raise AssertionError(f"{place[0]}:{place[1]}, time {turn} of {times}") from error
