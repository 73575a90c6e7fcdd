"""A tracker under attack: a driver that checks every call, and steps that change, fail and interrupt.

The driver keeps what is true of it: which handles are alive, what each was made of, what each stage has bound. It notes
every call that must not happen. `World.check` compares the tracker with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import statetracker as st
from statetracker.errors import DeviceLost, DriverError, InvalidCallOrder, SamplerLimitExceeded

STAGES = ("fragment", "vertex", "compute")
SCREENS = [
    st.Screen.named("llvmpipe"),
    st.Screen.named("llvmpipe").replace(use_format_with_border_color=True),
    st.Screen.named("zink-lavapipe"),
]
POLICIES = [
    *(st.Policy(max_states=most) for most in (2, 4, 16, 4096)),
    *(st.Policy(unique_limit=most, when_full=way) for most in (2, 5, 8) for way in ("merge", "nearest", "raise")),
    st.Policy(force_nearest=True, max_states=4),
]


class StrictDriver:
    """Handles are numbers. ``wrong`` has what the tracker did that it must not.

    Args:
        chance: Decides which callback raises at random before its work.
        rate: How often one does.

    Attributes:
        limit: How many handles may be alive at once; None: any number.
    """

    def __init__(self, chance: random.Random, rate: float = 0.0) -> None:
        self.chance, self.rate = chance, rate
        self.limit: int | None = None
        self.alive: dict[int, bytes] = {}
        self.bound: dict[str, list[int | None]] = {}
        self.wrong: list[str] = []
        self.made = self.calls = 0

    def _may_fail(self, call: str) -> bool:
        """Raise at random; True: make nothing."""
        self.calls += 1
        if self.chance.random() >= self.rate:
            return False
        how = self.chance.choice(["raise", "raise", "none", "lost", "interrupt"])
        if how == "lost":
            self.lose()
            raise DeviceLost("Vulkan", call, "VK_ERROR_DEVICE_LOST")
        if how == "interrupt":
            raise KeyboardInterrupt
        if how == "raise":
            raise RuntimeError(call)
        return call == "create"

    def lose(self) -> None:
        """Lose the device: every handle is gone and nothing is bound."""
        self.alive.clear()
        self.bound.clear()

    def create_sampler_state(self, record: bytes) -> int | None:
        if self._may_fail("create"):
            return None
        self.made += 1
        self.alive[self.made] = record
        if self.limit is not None and len(self.alive) > self.limit:
            self.wrong.append(f"{len(self.alive)} alive at a limit of {self.limit}")
        return self.made

    def bind_sampler_states(self, stage: str, _start: int, handles: tuple[int | None, ...]) -> None:
        self.wrong += [f"{one} bound, not alive" for one in handles if one is not None and one not in self.alive]
        self._may_fail("bind")
        slots = self.bound.setdefault(stage, [])
        slots[: len(handles)] = handles

    def delete_sampler_state(self, handle: int) -> None:
        if handle not in self.alive:
            self.wrong.append(f"{handle} deleted, not alive")
        self.wrong += [f"{handle} deleted while bound" for slots in self.bound.values() if handle in slots]
        late = self.chance.random() < 0.5
        if not late:
            self.alive.pop(handle, None)  # a delete that raises is not called again: it has done its work
        try:
            self._may_fail("delete")
        finally:
            self.alive.pop(handle, None)


class World:
    """A tracker, what it binds, and steps by name. A seed is a run."""

    def __init__(self, seed: int, rate: float = 0.0) -> None:
        self.chance = chance = random.Random(seed)  # noqa: S311
        self.driver = StrictDriver(random.Random(seed + 1), rate)  # noqa: S311
        self.last: dict[str, Any] = {}
        self.textures = [st.Texture(internal_format=name) for name in ("RGBA8", "ALPHA8", "R8")]
        wraps = ("clamp", "repeat", "repeat")
        self.samplers = [st.Sampler(lod_bias=n / 64 if n % 2 else n, wrap=wraps[n % 3]) for n in range(9)]
        self.sets = [self.slots() for _ in range(8)]
        self.tracker: st.StateTracker[Any] = st.StateTracker(
            chance.choice(SCREENS),
            self.driver,
            policy=chance.choice(POLICIES),
            eviction=chance.choice(["second-chance", "second-chance", "lru"]),
        )
        self.followed()

    def slots(self) -> Any:
        """Slots at random, in one of their forms."""
        pairs: list[Any] = [
            (self.chance.choice(self.samplers), self.chance.choice(self.textures))
            for _ in range(self.chance.choice([1, 1, 2, 2, 3]))
        ]
        if self.chance.random() < 0.2:
            pairs.insert(0, None)
        return dict(enumerate(pairs)) if self.chance.random() < 0.2 else tuple(pairs)

    def followed(self) -> None:
        """Take the tracker's limit."""
        self.driver.limit = self.tracker.policy.unique_limit

    def change_policy(self) -> None:
        """Set another policy; the limit that counts is the tracker's, whatever comes of it."""
        policy = self.chance.choice(POLICIES)
        try:
            self.tracker.policy = policy
        finally:
            self.followed()

    def change_screen(self) -> None:
        self.tracker.screen = self.chance.choice(SCREENS)

    def change(self) -> None:
        """Change a sampler or a texture."""
        if self.chance.random() < 0.7:
            self.chance.choice(self.samplers).max_lod = float(self.chance.randrange(4))
        else:
            texture = self.chance.choice(self.textures)
            texture.store("swizzle", texture.swizzle[::-1])

    def bind(self) -> None:
        self.bound(self.chance.choice(STAGES), self.chance.choice(self.sets))

    def bound(self, stage: str, slots: Any) -> None:
        """Bind, and compare what the driver has with what was asked for."""
        answer = self.tracker.bind(stage, slots)
        self.last[stage] = slots
        has = self.driver.bound.get(stage, [])
        named = slots if isinstance(slots, dict) else dict(enumerate(slots))
        for slot, pair in named.items():
            if pair is None:
                continue
            if slot >= len(has) or has[slot] != answer.handles[slot]:
                self.driver.wrong.append(f"slot {slot} of {stage}: the driver has {has}, not {answer.handles}")
            wanted, made = self.tracker.record(*pair), self.driver.alive.get(answer.handles[slot] or 0)
            if made is None or (self.tracker.policy.unique_limit is None and made != wanted):
                self.driver.wrong.append(f"slot {slot} of {stage}: {made!r}, not {wanted!r}")

    def save_and_restore(self) -> None:
        self.tracker.save_samplers()
        try:
            self.bound("fragment", self.chance.choice(self.sets))
        finally:
            self.tracker.restore_samplers()

    def lose(self) -> None:
        """Lose the device; a tracker that an interrupt kept from hearing of it still has it."""
        before = self.tracker.generation
        try:
            self.tracker.device_lost()
        finally:
            if self.tracker.generation != before:
                self.driver.lose()

    def steps(self) -> list[Callable[[], object]]:
        """Everything that may happen, the usual more often."""
        tracker = self.tracker
        return [
            *[self.bind] * 20,
            *[self.change] * 4,
            *[tracker.end_frame] * 3,
            *[self.change_policy] * 2,
            self.change_screen,
            self.save_and_restore,
            tracker.unbind,
            tracker.invalidate,
            self.lose,
        ]

    def step(self) -> None:
        """Do something; errors of the driver and of the limit are what they should be."""
        try:
            self.chance.choice(self.steps())()
        except DriverError as error:
            if isinstance(error.__cause__, DeviceLost) and self.tracker.cso.statistics().live:
                self.driver.wrong.append("handles of a lost device are kept")
        except (SamplerLimitExceeded, InvalidCallOrder, KeyboardInterrupt):
            pass

    def check(self) -> None:
        """Compare the tracker with its driver: nothing was wrong, and every handle is known to both."""
        assert not self.driver.wrong, self.driver.wrong[:3]
        assert self.tracker.cso.statistics().live == len(self.driver.alive)
        limit = self.tracker.policy.unique_limit
        assert limit is None or self.tracker.cso.max_size <= limit

    def works(self) -> None:
        """Bind everything, first what was bound last: the tracker works, whatever came before."""
        self.driver.rate = 0.0
        for stage in STAGES:
            for slots in [self.last.get(stage, ()), *self.sets]:
                try:
                    self.bound(stage, slots)
                except SamplerLimitExceeded:
                    assert self.tracker.policy.unique_limit is not None
        self.check()

    def end(self) -> None:
        """Destroy: each handle is gone."""
        self.driver.rate = 0.0
        self.tracker.destroy()
        self.check()
        assert self.driver.alive == {}
