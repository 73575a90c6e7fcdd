"""The policies by name, and the two that are not Mesa's: ``second-chance`` for users, ``lru`` to compare with.

**second-chance**: a state that was used since the last turn stays. States live in two generations. A new state, and an
old one that is used again, is *recent*. When room is needed, old states go, the latest of them first, except those in
use. When no old one is left, all recent ones become old: that is a turn. A hit on a recent state is one dict lookup and
changes nothing. Why the latest first: a program draws the same things every frame. With one state too many for the
limit, giving up the one unused for longest gives up just the one that comes next, all the way round.

**lru**: the state that was looked up longest ago goes. Every lookup changes the order, so a loop has nothing that it
may bind without one. docs/measured.md has the figures.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, Final

from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Handle
from statetracker.cso.mesa import MesaCache
from statetracker.cso.slots import everything_held
from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.pipe.layout import KeyRule


class SecondChanceCache(StateCache[Handle]):
    """Keeps at most ``max_size`` states, or as many as are in use, if those are more.

    It pins by key bytes, which are a state's identity here: nothing is deleted that a slot holds, that the driver
    received last, or that is saved. A failure is never cached. One run deletes a 64th of the limit, so that no frame
    waits for thousands of deletes; it comes before the create, so that the limit holds at every moment.
    """

    name: ClassVar[str] = "second-chance"

    def _start(self, rule: KeyRule) -> None:  # noqa: ARG002 (its keys are what the base makes them)
        self._old: dict[bytes, Handle] = {}

    def __len__(self) -> int:
        """States in both generations."""
        return len(self.recent) + len(self._old)

    def tidy(self) -> None:
        """Delete old states, unused since the last turn, until a 64th of the limit is free. No turn.

        Above the limit, where more states were in use than fit, recent ones that no longer are go too.
        """
        super().tidy()
        wanted, there = self._after_a_run(), len(self)
        if there > self.max_size and not self.recent.keys() <= everything_held(self._stages.values()):
            self._make_room(self.max_size)
        elif self._old and there > wanted:
            self._make_room(wanted, turn=False)

    def live_keys(self) -> list[bytes]:
        """Return the older states, then the recent ones."""
        return [*self._old, *self.recent]

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        handle = self.recent.get(key)
        if handle is None and key in self._old:
            self.recent.update(zip((key,), map(self._old.pop, (key,)), strict=True))
            handle = self.recent[key]
        if handle is not None:
            self.counts.hits += 1
            return key, handle
        if len(self) >= self.max_size:
            self._make_room(self._after_a_run())
        return key, self._made(self.recent, key, data)

    def _after_a_run(self) -> int:
        """Return how many states a run leaves, so that the next creates find room."""
        return self.max_size - max(self.max_size // 64, 1)

    def _make_room(self, wanted: int, *, turn: bool = True) -> None:
        """Delete states that are not in use until ``wanted`` are left, or none is free.

        With ``turn`` recent ones go too, when no old one is left.
        """
        self.peak = max(self.peak, len(self))
        held, left = everything_held(self._stages.values()), len(self)
        gone = 0
        for last in (False, True) if turn else (True,):  # what is old; and after a turn, what was recent
            victims: list[bytes] = []
            pinned: list[bytes] = []
            for key in reversed(self._old):
                if left - len(victims) <= wanted:
                    break
                (pinned if key in held else victims).append(key)
            self.recent.update(zip(pinned, map(self._old.pop, pinned), strict=True))
            gone += len(victims)
            left -= len(victims)
            if last or left <= wanted:
                break
            self.epoch += 1
            self.owed.extend(map(self._old.pop, victims))
            self.recent, self._old = self._old, self.recent
        self._give_up(map(self._old.pop, victims), gone, len(pinned))

    def _evict(self) -> None:
        if len(self) > self.max_size:
            self._make_room(self.max_size)

    def _everything(self) -> Iterable[Handle]:
        self.peak = max(self.peak, len(self))
        return chain(map(self._old.pop, list(self._old)), map(self.recent.pop, list(self.recent)))


class LruCache(StateCache[Handle]):
    """Keeps at most ``max_size`` states, or as many as are in use, if those are more. One goes for one that comes.

    It pins as `SecondChanceCache` does, and a failure is never cached.
    """

    name: ClassVar[str] = "lru"

    def _start(self, rule: KeyRule) -> None:  # noqa: ARG002 (its keys are what the base makes them)
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
                self.epoch += 1  # another lookup would change the order
            return key, states[key]
        self._make_room(self.max_size - 1)
        handle = self._made(states, key, data)
        self.peak = max(self.peak, len(states))
        self.epoch += 1
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


#: A class of your own may be given in place of a name.
POLICIES: Final[Mapping[str, type[StateCache[Any]]]] = {
    cache.name: cache for cache in (SecondChanceCache, MesaCache, LruCache)
}


def policy_named(policy: str | type[StateCache[Handle]]) -> type[StateCache[Handle]]:
    """Return the policy of a name, or the class itself; raises `UnknownName`."""
    if isinstance(policy, str) and policy in POLICIES:
        return POLICIES[policy]
    if isinstance(policy, type) and issubclass(policy, StateCache):
        return policy
    hint = "A hard limit has a class of GOVERNORS: policy=GOVERNORS['merge']"
    raise UnknownName("policy", policy, accepted=", ".join(POLICIES), hint=hint)
