"""The policy to compare others with: the state that was looked up longest ago goes, those in use excepted.

Every lookup changes the order, so a loop has nothing that it may bind without one: each bind costs its lookups. And of
one state too many for the limit, used in turn, it gives up just the one that comes next. docs/cso.md has the figures.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Driver, Handle
from statetracker.cso.slots import everything_held

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.pipe.layout import KeyRule


class LruCache(StateCache[Handle]):
    """Keeps at most ``max_size`` states, or as many as are in use, if those are more. One goes for one that comes.

    It pins as `SecondChanceCache` does, and a failure is never cached.
    """

    name: ClassVar[str] = "lru"

    def __init__(
        self, driver: Driver[Handle], stages: Mapping[str, StageSlots[Handle]], max_size: int, rule: KeyRule
    ) -> None:
        super().__init__(driver, stages, max_size, rule)
        self._states: OrderedDict[bytes, Handle] = OrderedDict()  # the last looked up last

    def __len__(self) -> int:
        """All states."""
        return len(self._states)

    def live_keys(self) -> list[bytes]:
        """Return all states, the last looked up last."""
        return list(self._states)

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        states = self._states
        if key in states:
            self.counts.hits += 1
            if key != next(reversed(states)):
                states.move_to_end(key)
                self._begin_epoch()  # another lookup would change the order
            return key, states[key]
        self._make_room(self.max_size - 1)
        handle = self._made(states, key, data)
        self.peak = max(self.peak, len(states))
        self._begin_epoch()
        return key, handle

    def _make_room(self, wanted: int) -> None:
        """Delete states that are not in use until ``wanted`` are left, or none is free."""
        over = len(self._states) - wanted
        if over > 0:
            held = everything_held(self._stages.values())
            victims = [*islice((key for key in self._states if key not in held), over)]
            self._give_up(map(self._states.pop, victims), len(victims), over - len(victims))

    def _evict(self) -> None:
        self._make_room(self.max_size)

    def _everything(self) -> Iterable[Handle]:
        return map(self._states.pop, list(self._states))
