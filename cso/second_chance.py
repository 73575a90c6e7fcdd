"""The policy for users: a state that was used since the last turn stays.

States live in two generations. A new state, and an old one that is used again, is *recent*. When room is needed, old
states go, the latest of them first, except those in use. When no old one is left, all recent ones become old: that is
a turn. A hit on a recent state is one dict lookup and changes nothing.

Why the latest first: a program draws the same things every frame. With one state too many for the limit, giving up the
one unused for longest gives up just the one that comes next, all the way round. docs/cso.md has the figures.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, ClassVar, Final

from statetracker.cso.cache import StateCache, gave_none
from statetracker.cso.driver import Driver, Handle
from statetracker.cso.gate import SHUT, called_back
from statetracker.cso.keys import no_record, whole_record
from statetracker.cso.slots import everything_held
from statetracker.pipe.layout import RECORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.pipe.layout import KeyRule
    from statetracker.pipe.state import SamplerState

_NEVER: Final = (-1,)  # no record ends so


class SecondChanceCache(StateCache[Handle]):
    """Keeps at most ``max_size`` states, or as many as are in use, if those are more.

    It pins by key bytes, which are a state's identity here: nothing is deleted that a slot holds, that the driver
    received last, or that is saved. A failure is never cached. One run gives up a 64th of the limit, so that no frame
    waits for thousands of deletes; it comes before the create, so that the limit holds at every moment.
    """

    name: ClassVar[str] = "second-chance"

    def __init__(
        self, driver: Driver[Handle], stages: Mapping[str, StageSlots[Handle]], max_size: int, rule: KeyRule
    ) -> None:
        super().__init__(driver, stages, max_size, rule)
        self._old: dict[bytes, Handle] = {}
        self._gone = 0  # states that have left the cache
        words = 1 if self._tail is None else len(self._tail) // 4
        self._end = struct.Struct(f"<{RECORD_BYTES - 4 * words}x{words}I").unpack
        self._usual = _NEVER if self._tail is None else (0,) * words

    @property
    def creates(self) -> int:
        """Handles made: those here, and those that were."""
        return self._gone + len(self.recent) + len(self._old)

    def tidy(self) -> None:
        """Give up old states, unused since the last turn, until a 64th of the limit is free. No turn.

        Above the limit, where more states were in use than fit, recent ones that no longer are go too.
        """
        wanted, there = self._spared(), len(self.recent) + len(self._old)
        with self._alone():
            if there > self.max_size and not self.recent.keys() <= everything_held(self._stages.values()):
                self._make_room(self.max_size)
            elif self._old and there > wanted:
                self._make_room(wanted, turn=False)

    def obtain(self, record: SamplerState | bytes) -> tuple[object, Handle | None]:
        """As `StateCache.obtain`, in one piece: most of what a miss costs is calls. Raises what that raises."""
        gate = self.gate
        stages = gate.stages
        if stages is SHUT:
            raise called_back()
        gate.stages = SHUT
        try:
            recent, old, end = self.recent, self._old, self._end
            try:
                if record.__class__ is bytes and end(record) == self._usual:
                    key = data = record  # its own key, for which the context has asked
                    handle = None
                else:
                    data = whole_record(record)
                    key = self._key(data)
                    handle = recent.get(key)
            except struct.error:
                raise no_record(f"{len(bytes(record))} bytes") from None
            if handle is None and old:
                handle = old.pop(key, None)
            if handle is not None:
                self.later_hits += 1
                recent[key] = handle
                return key, handle
            if (len(recent) + len(old) if old else len(recent)) >= self.max_size:
                self._make_room(self._spared())
            create = self._create
            try:
                handle = create(data)
            except Exception as error:
                raise self._create_raised(error) from error
            if handle is None:
                self.failed_creates += 1
                raise gave_none()
            recent[key] = handle
            return key, handle
        finally:
            gate.stages = stages

    def live_keys(self) -> list[bytes]:
        """The older states, then the recent ones."""
        return [*self._old, *self.recent]

    def most(self) -> int:
        """The most states cached at once: as many as there are, or were before some were given up."""
        self.peak = max(self.peak, len(self.recent) + len(self._old))
        return self.peak

    def _spared(self) -> int:
        """How many states a run leaves, so that the next creates find room."""
        return self.max_size - max(self.max_size // 64, 1)

    def _make_room(self, wanted: int, *, turn: bool = True) -> None:
        """Give up states that are not in use until ``wanted`` are left, or none is free.

        turn   also recent ones, when no old one is left
        """
        self.most()
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
        self._gone += len(victims)
        self._give_up(victims, len(victims), len(pinned))

    def _evict(self) -> None:
        if len(self.recent) + len(self._old) > self.max_size:
            self._make_room(self.max_size)

    def _everything(self) -> list[Handle]:
        self.most()
        handles = [*self._old.values(), *self.recent.values()]
        self._gone += len(handles)
        self._old.clear()
        self.recent.clear()
        return handles
