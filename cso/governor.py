"""Caches that stay below a hard limit of live states, by letting a state that is there stand in for one that is not.

A state that is asked for at the limit is *merged* into the nearest live state of its family, if that is near enough,
until that goes or there is room; else the one unused for longest that nothing holds goes. Room comes at the ends of
frames: what no bind has looked up for `PATIENCE` frames goes then.

How near a state is, is measured in pictures: LODs, border, anisotropy. Two states of one family differ in nothing else:
wraps, filters, comparison, reduction, seams and coordinates are the same, and integer border colours too, as these are
not colours. See docs/budget.md.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from itertools import islice
from math import inf, log2
from operator import sub
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeAlias

from statetracker import events
from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Handle
from statetracker.cso.slots import everything_held
from statetracker.errors import SamplerLimitExceeded
from statetracker.pipe.layout import MASKS, RECORD, SHIFTS
from statetracker.pipe.wraps import READS_BORDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.pipe.layout import KeyRule

#: Frames after which a state that no bind has looked up goes, once the limit is reached.
PATIENCE: Final = 64
#: Merges remembered; of more, the oldest is worked out again when it is asked for.
_REMEMBERED: Final = 1 << 16
_WAY_OUT: Final = (
    "Bind fewer at once; allow more: max_size, or unique_limit of a Policy; "
    "or merge states: policy=GOVERNORS['merge'], or when_full='merge' of a Policy"
)

#: What states have in common that may stand in for one another.
Family: TypeAlias = tuple[int, ...]
#: Bias, min_lod, max_lod, anisotropy and the four channels of a border that is read, each in its own unit (`UNITS`).
Traits: TypeAlias = tuple[float, ...]

#: The record with the border colour as floats.
_FLOATS: Final = Struct("<I7f4x").unpack
_ANISOTROPY: Final = MASKS["max_anisotropy"]
_COMPARE, _FUNC, _INTEGER = MASKS["compare_mode"], MASKS["compare_func"], MASKS["border_color_is_integer"]
#: Levels beyond which no texture has any: a max_lod of 1000 is one of 15.
_LEVELS: Final = 15.0
#: In place of NaN and of what is as large: as far as can be from all but itself.
_FAR: Final = 1e30

#: What counts as a distance of 1, which a player may just see: in levels, in a channel of the border, in doublings.
UNITS: Final = {"lod": 0.5, "border": 1 / 8, "anisotropy": 1.0}


class Loss(NamedTuple):
    """A picture's loss where one state stands in for another; `inf` where it may not.

    Attributes:
        lod: Levels: the largest difference of the bias, min_lod and max_lod (each of 15 levels at most).
        border: The largest difference of a channel, where a wrap reads the border; 1 is from black to white.
        anisotropy: Doublings: from 4 to 16 it is 2.
    """

    lod: float = 0.0
    border: float = 0.0
    anisotropy: float = 0.0

    @property
    def distance(self) -> float:
        """The largest of the three, each in its own unit (`UNITS`): a player may just see 1; infinite as in `Loss`."""
        return max(self.lod / UNITS["lod"], self.border / UNITS["border"], self.anisotropy / UNITS["anisotropy"])

    def __str__(self) -> str:
        """``LOD 0.03 levels, border 0.5``; what is not lost is left out."""
        parts = (
            ("LOD", self.lod, " levels"),
            ("border", self.border, ""),
            ("anisotropy", self.anisotropy, " doublings"),
        )
        return ", ".join(f"{name} {size:.4g}{unit}" for name, size, unit in parts if size) or "nothing"

    def worst(self, other: Loss) -> Loss:
        """Return the larger of each of this and the other."""
        return Loss(*map(max, self, other))


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

    def _new(self, key: bytes, data: bytes) -> Handle | None:
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


def traits(record: bytes) -> tuple[Family, Traits]:
    """Return a record's family, and in what it may differ from others of that; an unread border is none."""
    word, _, _, _, *border, fmt = RECORD.unpack(record)
    kept = word & ~_ANISOTROPY
    if not word & _COMPARE:
        kept &= ~_FUNC
    _, *lods, red, green, blue, alpha = _FLOATS(record)
    colour: tuple[float, ...] = ()
    family: Family = (kept, fmt)
    if not word & READS_BORDER:
        family = (kept & ~_INTEGER,)
    elif word & _INTEGER:
        family = (kept, fmt, *border)
    else:
        colour = tuple(_plain(part) / UNITS["border"] for part in (red, green, blue, alpha))
    doublings = log2(max((word & _ANISOTROPY) >> SHIFTS["max_anisotropy"], 1)) / UNITS["anisotropy"]
    return family, (*(_plain(lod, _LEVELS) / UNITS["lod"] for lod in lods), doublings, *colour)


def _plain(value: float, most: float = _FAR / 8) -> float:
    """Return a number that can be subtracted: no NaN, and within bounds."""
    return max(min(value, most), -_FAR / 8) if value == value else _FAR  # noqa: PLR0124 (the test for NaN)


def apart(one: Traits, other: Traits) -> float:
    """Return the distance of two states of one family."""
    apart: float = max(map(abs, map(sub, one, other)))
    return apart


def loss(asked: bytes, given: bytes) -> Loss:
    """Return what is lost where ``given`` stands in for ``asked`` (36 bytes each); all `inf` across families.

    NaN is as far as can be from all but itself.
    """
    if asked == given:
        return Loss()
    (family, ours), (other, theirs) = traits(asked), traits(given)
    if family != other:
        return Loss(inf, inf, inf)
    bias, low, high, doublings, *border = (abs(one - two) for one, two in zip(ours, theirs, strict=True))
    lod, colour = max(bias, low, high) * UNITS["lod"], max(border, default=0.0) * UNITS["border"]
    return Loss(*(inf if part > _FAR / 4 else part for part in (lod, colour, doublings * UNITS["anisotropy"])))
