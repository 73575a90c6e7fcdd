"""The policy that gives up what Mesa gives up, in Mesa's order.

It is here to replay what a live Mesa did and to compare with one, not to be good: it walks its table from the first
bucket, whatever was used last; it keeps a create that gave nothing as a state with no handle; and it pins by key word.
That last is a defect, kept on purpose: a pinned state is taken out of the table by its word, which takes the newest
state of that word, and the pinned one is put in. If the two differ, the taken one is *lost* (no hit, no delete) and the
pinned one is in the table twice, and may be deleted while bound.

Where Mesa would go on to use freed memory, this does not: a lost state is deleted at destroy, no handle is deleted
twice, and a deleted state is never found again. What became of bound states is in the statistics; the rules are in
docs/cso.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, cast

from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Driver, Handle
from statetracker.cso.keys import word_function
from statetracker.cso.slots import OLDER_STAGES, STAGES, everything_held
from statetracker.cso.table import Record, WordTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.pipe.layout import KeyRule

__all__ = ["MesaCache"]


class _Pins(NamedTuple):
    """Whose slots a release pins: the stages in its order, then the saved slots of some."""

    stages: tuple[str, ...]
    saved: tuple[str, ...]


# fmt: off
_PINS: Final[dict[str, _Pins]] = {
    # layout       stages  saved
    "22.3": _Pins(STAGES, ("fragment", "compute")),
    "21.2": _Pins(OLDER_STAGES, ()),
    "21.0": _Pins(OLDER_STAGES, ()),
    "seed": _Pins(OLDER_STAGES, ()),
}
# fmt: on


class MesaCache(StateCache[Handle]):
    """Finds, creates and evicts as Mesa does, release by release (the key rule's layout names it).

    Above ``max_size`` a run gives up a quarter of the table and what is above the limit. It comes after the create
    and before the insertion, so a table holds up to ``max_size + 1`` states.
    """

    name: ClassVar[str] = "mesa"

    def __init__(
        self, driver: Driver[Handle], stages: Mapping[str, StageSlots[Handle]], max_size: int, rule: KeyRule
    ) -> None:
        super().__init__(driver, stages, max_size, rule)
        self._word = word_function(rule)
        self._pins = _PINS[rule.layout]
        self._table = WordTable()
        self._lost: dict[Record, None] = {}
        self._key_collisions = self._mispinned = self._deleted_while_bound = 0

    def details(self) -> dict[str, int]:
        """Counters of the table and of the defect."""
        return {
            "size": self._table.size,
            "key_collisions": self._key_collisions,
            "longest_run": self._table.longest_run(),
            "buckets": self._table.buckets,
            "mispinned": self._mispinned,
            "lost": len(self._lost),
            "deleted_while_bound": self._deleted_while_bound,
        }

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        word = self._word(key)
        for found in reversed(self._table.run(word)):
            if found.key == key and found.alive:
                self.found += 1
                return found, cast("Handle | None", found.handle)
            self._key_collisions += 1
        handle = self._made(data)
        record = Record(key, word, handle)
        try:
            self._evict()
        finally:
            self._table.insert(record)
            self.peak = max(self.peak, self._table.size)
        return record, handle

    def _evict(self) -> None:
        size = self._table.size
        if size <= self.max_size:
            return
        count = size // 4 + size - self.max_size
        taken = [(record, node) for record in self._pinned() if (node := self._table.take(record.word)) is not None]
        dropped = self._table.drop(count)
        for record, node in reversed(taken):
            self._table.insert(record)
            self._mispinned += node is not record
        held = everything_held(self._stages.values())
        self._deleted_while_bound += sum(record in held for record in _first_times(dropped))
        handles = list(self._handles(dropped))
        self._note_lost(taken)
        self._give_up(handles, len(dropped), len(taken))

    def _pinned(self) -> Iterator[Record]:
        """What slots hold, in the order in which it is taken out; twice if two slots hold it."""
        stages = self._stages
        for slots in stages.values():
            slots.settle()
        lists = [stages[stage].held for stage in self._pins.stages if stage in stages]
        saved = (stages[stage].saved for stage in self._pins.saved if stage in stages)
        lists += [copies[0] for copies in saved if copies is not None]
        for held in lists:
            yield from (record for record in held if isinstance(record, Record))

    def _note_lost(self, taken: list[tuple[Record, Record]]) -> None:
        for record, node in taken:
            self._lost.pop(record, None)
            if not node.nodes and node.alive:
                self._lost[node] = None

    def _everything(self) -> list[Handle]:
        records = [*self._table.drop(self._table.size), *self._lost]
        self._table = WordTable()
        self._lost.clear()
        return list(self._handles(records))

    def _handles(self, records: Iterable[Record]) -> Iterator[Handle]:
        """The handles to delete: not those of states deleted before, and none where the driver made none."""
        for record in _first_times(records):
            record.alive = False
            if record.handle is not None:
                yield cast("Handle", record.handle)


def _first_times(records: Iterable[Record]) -> Iterator[Record]:
    """Records that are still alive, each once."""
    return iter(dict.fromkeys(record for record in records if record.alive))
