"""Caches that stay below a hard limit of live states, by letting a state that is there stand in for one that is not.

A state that is asked for at the limit is *merged* into the nearest live state of its `family` (`nearness`), if that is
near enough, until that goes or there is room; else the one unused for longest that nothing holds goes. Room comes at
the ends of frames: what no bind has looked up for `PATIENCE` frames goes then. See docs/budget.md.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from statetracker import events
from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Handle
from statetracker.cso.nearness import Loss, apart, loss, traits
from statetracker.cso.slots import everything_held
from statetracker.errors import SamplerLimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.cso.nearness import Family, Traits
    from statetracker.pipe.layout import KeyRule

#: Frames after which a state that no bind has looked up goes, once the limit is reached.
PATIENCE: Final = 64
#: Merges remembered; of more, the oldest is worked out again when it is asked for.
_REMEMBERED: Final = 1 << 16


_WAY_OUT: Final = (
    "Bind fewer at once; allow more: max_size, or unique_limit of a Policy; "
    "or merge states: policy=GOVERNORS['merge'], or when_full='merge' of a Policy"
)


class Merge(NamedTuple):
    """A state that another one stands in for.

    Attributes:
        asked: Key of the record that was to be bound.
        given: Key of the live state in its place.
        loss: What a picture loses by it.
    """

    asked: bytes
    given: bytes
    loss: Loss

    def __str__(self) -> str:
        """Names what is lost."""
        return f"{self.asked.hex()} is {self.given.hex()}: {self.loss} (distance {self.loss.distance:.3g})"


class GovernedCache(StateCache[Handle]):
    """Creates nothing above ``max_size`` live states; see the module. What is in use when the limit is lowered stays.

    Attributes:
        near: How far a state may be merged before another one is given up for it; None: neither is done in a frame.
    """

    near: ClassVar[float | None]

    def _start(self, rule: KeyRule) -> None:  # noqa: ARG002 (its keys are what the base makes them)
        self._live: OrderedDict[bytes, Handle] = OrderedDict()  # the last looked up last
        self._families: dict[Family, dict[bytes, Traits]] = {}  # may name states that are gone
        self._merges: dict[bytes, Merge] = {}  # likewise
        self._used: set[bytes] = set()
        self._frames = 0
        self._worst = Loss()

    def __len__(self) -> int:
        """Live states, without those to delete."""
        return len(self._live)

    def merges(self) -> list[Merge]:
        """Return what is merged now."""
        return [merge for merge in self._merges.values() if merge.given in self._live]

    def live_keys(self) -> list[bytes]:
        """Return the live states, the last looked up last."""
        return list(self._live)

    def details(self) -> dict[str, Any]:
        """Return how many merges there were, and the largest distance among them."""
        return {"worst_merge": self._worst.distance}

    @property
    def worst(self) -> Loss:
        """The most that any merge has lost so far."""
        return self._worst

    def tidy(self) -> None:
        """Every `PATIENCE` frames at the limit, delete the states that were not looked up since the last time."""
        super().tidy()
        self._frames += 1
        if self._frames % PATIENCE or len(self._live) < self.max_size:
            return
        held = everything_held(self._stages.values())
        idle = [key for key in self._live if key not in self._used and key not in held]
        self._used.clear()
        if idle:
            self._give_away(idle)
        else:
            self.epoch += 1
        # so an epoch begins: all that is bound from now on is looked up, and counts as used

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        if len(self._live) > self.max_size:
            self.evict()
        if key not in self._live:
            merge = self._merge(key)
            if merge is None:
                return key, self._new(key, data)
            key = merge.given
        self._live.move_to_end(key)
        self._used.add(key)
        self.counts.hits += 1
        return key, self._live[key]

    def _merge(self, key: bytes) -> Merge | None:
        """Return the merge for a state that is not there; None: there is room for it, or no state is near enough."""
        merge = self._merges.get(key)
        if merge is not None and (len(self._live) < self.max_size or merge.given not in self._live):
            del self._merges[key]
            merge = None
        if len(self._live) < self.max_size:
            return None
        if self.near is None or (merge is not None and merge.loss.distance <= self.near):
            return merge
        merge = merge or self._nearest(key)
        if merge is None or (merge.loss.distance > self.near and self._unused() is not None):
            self._merges.pop(key, None)
            return None
        self._note(merge)
        return merge

    def _nearest(self, key: bytes) -> Merge | None:
        """Return the nearest live state of the family; of several the one that was made first."""
        family, ours = traits(key)
        kin = {other: theirs for other, theirs in self._families.get(family, {}).items() if other in self._live}
        if not kin:
            return None
        given = min(kin, key=lambda other: apart(ours, kin[other]))
        merge = Merge(key, given, loss(key, given))
        return merge if merge.loss.distance < inf else None

    def _note(self, merge: Merge) -> None:
        if merge.asked in self._merges:
            return
        if len(self._merges) >= _REMEMBERED:
            del self._merges[next(iter(self._merges))]
        self._merges[merge.asked] = merge
        self.counts.merged += 1
        self._worst = self._worst.worst(merge.loss)
        if events.listening():
            facts = {"policy": self.name, "distance": merge.loss.distance, "lost": str(merge.loss)}
            self.guard.call(partial(events.emit, "cso", "merge", **facts))

    def _new(self, key: bytes, data: bytes) -> Handle:
        """Create a state, below the limit."""
        if len(self._live) >= self.max_size:
            unused = None if self.near is None else self._unused()
            if unused is None:
                raise SamplerLimitExceeded("states", len(self._live), self.max_size, library="cache", hint=_WAY_OUT)
            self._give_away([unused])
        handle = self._made(self._live, key, data)
        family, numbers = traits(key)
        self._families.setdefault(family, {})[key] = numbers
        self._used.add(key)
        self.peak = max(self.peak, len(self._live))
        return handle

    def _unused(self) -> bytes | None:
        """Return the state that was looked up longest ago, of those that nothing holds."""
        held = everything_held(self._stages.values())
        return next((key for key in self._live if key not in held), None)

    def _give_away(self, keys: list[bytes]) -> None:
        """Delete states, and forget what was merged into them."""
        self._used.difference_update(keys)
        for key in keys:
            self._families.get(traits(key)[0], {}).pop(key, None)
        self._give_up(map(self._live.pop, keys), len(keys), 0)

    def _evict(self) -> None:
        over = len(self._live) - self.max_size
        if over > 0:
            held = everything_held(self._stages.values())
            self._give_away([*islice((key for key in self._live if key not in held), over)])
        else:
            self.epoch += 1  # merged states may be created now

    def _everything(self) -> Iterable[Handle]:
        for part in (self._families, self._merges, self._used):
            part.clear()
        return map(self._live.pop, list(self._live))


class MergeCache(GovernedCache[Handle]):
    """Merges what looks the same but for a little (a distance of 1 at most); for the rest it evicts."""

    name: ClassVar[str] = "merge"
    near: ClassVar[float | None] = 1.0


class NearestCache(GovernedCache[Handle]):
    """Merges whatever may be merged, however far, before it evicts: the fewest creates."""

    name: ClassVar[str] = "nearest"
    near: ClassVar[float | None] = inf


class RaiseCache(GovernedCache[Handle]):
    """Raises `SamplerLimitExceeded`: neither another picture nor a create in the place of another."""

    name: ClassVar[str] = "raise"
    near: ClassVar[float | None] = None


#: What ``Policy(when_full=...)`` accepts.
GOVERNORS: Final[Mapping[str, type[GovernedCache[Any]]]] = {
    cache.name: cache for cache in (MergeCache, NearestCache, RaiseCache)
}
