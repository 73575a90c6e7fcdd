"""A tracker and its twin, which remembers no bind, say the same and call the driver the same, whatever happens.

Two worlds take the same random steps: binds of a few slots in three stages, changes of what they sample, failures of
the driver, evictions, meta operations, lost devices. Before each step the twin forgets every bind that it knows. In
some runs the callbacks of the first world call its tracker back at random, which is refused and changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import statetracker as st
from statetracker import gl
from statetracker.cso import RecordingDriver
from statetracker.errors import DriverError, InvalidCallOrder
from statetracker.frontend.bound_stage import BoundStage
from statetracker.frontend.slot_sets import StageMemory
from statetracker.pipe import SamplerState

STEPS = 150
STAGES = ("fragment", "vertex", "compute")
RECORDS = [bytes(SamplerState(max_lod=100.0 + n)) for n in range(6)]


class Driver(RecordingDriver):
    """Fails now and then, in both worlds at the same calls; looks whether what is bound and deleted may be."""

    def __init__(self, seed: int, rate: float) -> None:
        super().__init__()
        self.random, self.rate = random.Random(seed), rate  # noqa: S311
        self.live: set[int] = set()
        self.slots: dict[str, list[int | None]] = {}
        self.wrong: list[str] = []
        self.back: Callable[[], str] | None = None
        self.refused = 0

    def call_back(self) -> None:
        if self.back is not None:
            try:
                self.wrong.append(f"{self.back()} was not refused")
            except InvalidCallOrder as error:
                self.refused += "inside a driver's callback" in str(error)

    def may_fail(self, call: str) -> None:
        self.call_back()
        if self.random.random() < self.rate:
            self.events.append([f"{call} fails"])
            raise RuntimeError(call)

    def create_sampler_state(self, record: bytes) -> int:
        self.may_fail("create")
        handle = super().create_sampler_state(record)
        self.live.add(handle)
        return handle

    def bind_sampler_states(self, stage: str, start: int, handles: Any) -> None:
        if not self.live.issuperset(handle for handle in handles if handle is not None):
            self.wrong.append(f"{handles} bound, one of them deleted")
        self.may_fail("bind")
        self.slots.setdefault(stage, [None] * 32)[start : start + len(handles)] = handles
        super().bind_sampler_states(stage, start, handles)

    def delete_sampler_state(self, handle: int) -> None:
        if any(handle in slots for slots in self.slots.values()):
            self.wrong.append(f"{handle} deleted while bound")
        self.live.remove(handle)
        super().delete_sampler_state(handle)
        self.may_fail("delete")


class World:
    """A tracker with everything that it binds."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311
        rate, self.budget = chance.choice([0, 0, 0.02, 0.1]), chance.choice([2, 4, 8, 64, 4096])
        self.eviction = chance.choice(["second-chance", "second-chance", "mesa", "lru"])
        self.driver = Driver(seed, rate)
        self.tracker = st.StateTracker(
            st.Screen.named("zink-lavapipe"),
            self.driver,
            policy=st.Policy(max_states=self.budget),
            dialect=chance.choice(["seed", "mesa21", "mesa22", "mesa24"]),
            eviction=self.eviction,
        )
        self.samplers = [
            st.Sampler(max_lod=float(n), wrap="repeat" if n % 3 else "clamp", compare_mode=n % 4 == 1) for n in range(6)
        ]
        names = ("RGBA8", "ALPHA8", "DEPTH_COMPONENT24")
        self.textures = [st.Texture(internal_format=name) for name in names] + [st.Texture("TEXTURE_BUFFER")]
        self.units = [gl.Unit(), gl.Unit()]
        self.requests = [self.request(chance) for _ in range(6)]
        tuples: list[tuple[Any, ...]] = [one for one in self.requests if isinstance(one, tuple)]
        self.requests += [(*one[:-1], self.pair(chance)) for one in (tuples * 3)[:3]]
        if chance.random() < 0.5:  # as a frame has them: materials of as many units each
            units, things = chance.choice([1, 2, 4]), [(a, b) for a in self.samplers for b in self.textures[:3]]
            self.requests[:3] = [tuple(chance.choices(things, k=units)) for _ in range(3)]
        while len(self.requests) < 9:
            self.requests.append((self.pair(chance),))

    def pair(self, chance: random.Random) -> Any:
        pair = (chance.choice([*self.samplers, None]), chance.choice(self.textures[:3] * 6 + self.textures))
        parts = [None, (*pair, chance.choice(self.units)), (*pair, chance.choice([0.5, -0.0, 1])), *[pair] * 7]
        return chance.choice(parts)

    def request(self, chance: random.Random) -> Any:
        pairs = [self.pair(chance) for _ in range(chance.choice([1, 1, 2, 2, 3, 5]))]
        return chance.choice([tuple(pairs), tuple(pairs), pairs, {chance.randrange(6): one for one in pairs}])

    def forget_binds(self) -> None:
        tracker = self.tracker
        for name, memory in tracker.stages.items():
            tracker.stages[name] = StageMemory(tracker.cso, name, tracker.generation, memory.memo)

    def do(self, kind: str, number: int, stage: str) -> Any:
        """Take a step; what it answers, or the error."""
        try:
            answer = STEPS_BY_NAME[kind](self, number, stage)
        except (DriverError, InvalidCallOrder) as error:
            return type(error), getattr(error, "call", None)
        if isinstance(answer, BoundStage):
            states = {slot: (state.record, state.lowering) for slot, state in answer.states.items()}
            assert answer.generation == self.tracker.generation
            return answer.handles, answer.changed, states
        return answer

    def call_back(self, seed: int) -> None:
        """Have every callback make a random step of the tracker; but none that only changes what is bound."""
        chance = random.Random(seed + 1)  # noqa: S311
        kinds = [kind for kind in STEPS_BY_NAME if kind not in {"change", "look up"}]

        def back() -> str:
            kind = chance.choice(kinds)
            STEPS_BY_NAME[kind](self, chance.randrange(7200) if kind != "loop" else chance.randrange(3), "fragment")
            return kind

        self.driver.back = back

    def change(self, number: int) -> None:
        """Change one of the things that are bound, or give it the value that it has."""
        which, value = number % 4, number // 4 % 3
        if which == 0:
            self.samplers[number % 6].lod_bias = float(value)
        elif which == 1:
            self.samplers[number % 6].update(wrap_s=("repeat", "clamp", "clamp-to-border")[value])
        elif which == 2:
            self.textures[value].store("swizzle", self.textures[value].swizzle[::-1])
        else:
            self.units[number // 4 % 2].set_lod_bias(float(value))

    def seen(self) -> Any:
        """Everything else that must be the same."""
        numbers = self.tracker.cso.statistics()._asdict().items()
        statistics = {name: n for name, n in numbers if name not in {"hits", "shortcuts", "key_collisions"}}
        events, self.driver.events = self.driver.events, []
        return events, statistics


def bind(world: World, number: int, stage: str) -> Any:
    slots = world.requests[number % 9]
    if number % 10 == 0:
        slots = type(slots)(slots)
    return world.tracker.bind(stage, slots, seamless=number // 10 % 6 == 0, glsl130=number // 60 % 10 > 0)


def save_and_bind(world: World, number: int, stage: str) -> Any:
    world.tracker.save_samplers(stage)
    return world.tracker.bind(stage, world.requests[number % 9])


def end_frame(world: World, _number: int, _stage: str) -> Any:
    return world.tracker.end_frame()._replace(unchanged=0)


#: Name -> what a step of this name does with a number and a stage.
STEPS_BY_NAME: dict[str, Callable[[World, int, str], Any]] = {
    "bind": bind,
    "loop": lambda world, number, stage: world.tracker.bind(stage, world.requests[number]),
    "change": lambda world, number, _: world.change(number),
    "frame": end_frame,
    "unbind": lambda world, *_: world.tracker.unbind(),
    "lost": lambda world, *_: world.tracker.device_lost(),
    "policy": lambda world, number, _: setattr(
        world.tracker, "policy", st.Policy(max_states=world.budget, force_nearest=number % 2 == 0)
    ),
    "save": save_and_bind,
    "restore": lambda world, _, stage: world.tracker.restore_samplers(stage),
    "invalidate": lambda world, number, stage: world.tracker.invalidate(stage if number % 2 else None),
    "look up": lambda world, number, _: world.tracker.cso.sampler_state(RECORDS[number % 6]),
    "limit": lambda world, number, _: setattr(world.tracker.cso, "max_size", (2, 4, 8, 64)[number % 4]),
}

_OFTEN = {"bind": 30, "loop": 8, "change": 5, "frame": 3, "save": 2, "restore": 2, "look up": 2}


def plan(seed: int) -> Iterable[tuple[str, int, str]]:
    """The steps of a run; in its loops, two or three slots come round and round."""
    chance = random.Random(-seed)  # noqa: S311
    kinds = [kind for kind in STEPS_BY_NAME for _ in range(_OFTEN.get(kind, 1))]
    for _ in range(STEPS):
        kind, number, stage = chance.choice(kinds), chance.randrange(7200), chance.choice(("fragment", *STAGES))
        if kind != "loop":
            yield kind, number, stage
        else:
            yield from ((kind, at % (2 + number % 2), stage) for at in range(40))


@pytest.mark.parametrize("seed", range(60))
def test_a_tracker_without_memory_does_the_same(seed: int) -> None:
    world, twin = World(seed), World(seed)
    for step in plan(seed):
        twin.forget_binds()
        assert world.do(*step) == twin.do(*step), step
        assert world.seen() == twin.seen(), step
        if world.eviction != "mesa" and not world.driver.rate:
            assert world.driver.wrong == []


@pytest.mark.parametrize("seed", range(60))
def test_callbacks_that_call_back_change_nothing(seed: int) -> None:
    world, twin = World(seed), World(seed)
    world.call_back(seed)
    for step in plan(seed):
        assert world.do(*step) == twin.do(*step), step
        assert world.seen() == twin.seen(), step
        assert world.driver.wrong == twin.driver.wrong
    assert world.driver.refused > 20


def test_many_binds_of_these_runs_need_no_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the twins would be alike and prove nothing."""
    asked = 0
    slow: list[object] = []
    original: Any = StageMemory.answer

    def counted(*given: Any) -> Any:
        slow.append(given)
        return original(*given)

    monkeypatch.setattr(StageMemory, "answer", counted)
    for seed in range(20):
        world = World(seed)
        for step in plan(seed):
            asked += step[0] in {"bind", "loop", "save"}
            world.do(*step)
    assert len(slow) < asked * 0.8
