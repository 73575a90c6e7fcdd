"""The policy for users: a state that was used since the last turn stays.

States live in two generations. A new state, and an old one that is found again, is *recent*. When room is needed, old
states go, the latest of them first, except those in use. When no old one is left, all recent ones become old: that is
a turn. A hit on a recent state is one dict lookup and changes nothing.

Why the latest first: a program draws the same things every frame. With one state too many for the limit, giving up the
one unused for longest gives up just the one that comes next, all the way round. docs/cso.md has the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Driver, Handle
from statetracker.cso.slots import everything_held
from statetracker.errors import DriverError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.pipe.layout import KeyRule

__all__ = ["SecondChanceCache"]


class SecondChanceCache(StateCache[Handle]):
    """Keeps at most ``max_size`` states, or as many as are in use, if those are more.

    It pins by key bytes, which are a state's identity here: nothing is deleted that a slot holds, that the driver was
    last told, or that is saved. A failure is never cached. One run gives up a 64th of the limit, so that a frame never
    waits for thousands of deletes; it comes before the create, so that the limit holds at every moment.
    """

    name: ClassVar[str] = "second-chance"

    def __init__(
        self, driver: Driver[Handle], stages: Mapping[str, StageSlots[Handle]], max_size: int, rule: KeyRule
    ) -> None:
        super().__init__(driver, stages, max_size, rule)
        self._old: dict[bytes, Handle] = {}

    def tidy(self) -> None:
        """Give up old states, which nobody used since the last turn, until a 64th of the limit is free. No turn."""
        wanted = self.max_size - max(self.max_size // 64, 1)
        if self._old and len(self.recent) + len(self._old) > wanted:
            with self._alone():
                self._make_room(wanted, turn=False)

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        recent, old = self.recent, self._old
        handle = recent.get(key)
        if handle is None and old:
            handle = old.pop(key, None)
        if handle is not None:
            self.found += 1
            recent[key] = handle
            return key, handle
        size = len(recent) + len(old)
        if size >= self.max_size:
            size = self._make_room(self.max_size - max(self.max_size // 64, 1))
        handle = self._made(data)
        if handle is None:
            raise DriverError("create_sampler_state", "gave None", hint="Nothing is cached: the next use asks again")
        recent[key] = handle
        if size >= self.peak:
            self.peak = size + 1
        return key, handle

    def _make_room(self, wanted: int, *, turn: bool = True) -> int:
        """Give up states that are not in use until ``wanted`` are left, or none is free; return how many are left.

        turn   also recent ones, when no old one is left
        """
        recent, old = self.recent, self._old
        held = everything_held(self._stages.values())
        pinned: dict[bytes, Handle] = {}
        victims: list[Handle] = []
        left = len(recent) + len(old)
        while left > wanted and (old or (turn and recent)):
            if not old:
                old.update(recent)
                recent.clear()
            key, handle = old.popitem()
            if key in held:
                pinned[key] = handle
            else:
                victims.append(handle)
                left -= 1
        recent.update(pinned)
        self._give_up(victims, len(victims), len(pinned))
        return left

    def _evict(self) -> None:
        if len(self.recent) + len(self._old) > self.max_size:
            self._make_room(self.max_size)

    def _everything(self) -> list[Handle]:
        handles = [*self._old.values(), *self.recent.values()]
        self._old.clear()
        self.recent.clear()
        return handles
