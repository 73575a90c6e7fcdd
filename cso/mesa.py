"""The policy that gives up what Mesa gives up, in Mesa's order.

It is here to replay what a live Mesa did and to compare with one, not to be good: it walks its table from the first
bucket, whatever was used last; it keeps a create that gave nothing as a state with no handle; and it pins by key word.
That last is a defect, kept on purpose: a pinned state is taken out of the table by its word, which takes the newest
state of that word, and the pinned one is put in. If the two differ, the taken one is *lost* (no hit, no delete) and the
pinned one is in the table twice, and may be deleted while bound.

Where Mesa would go on to use freed memory, this does not: a lost state is deleted at destroy, no handle is deleted
twice, and a deleted state is never given again. What became of bound states is in the statistics; the rules are in
docs/cso.md.

States lie in a hash table. All that shows of it is the order of a walk: buckets ascending, then the chain, where states
of equal words lie next to each other. A chain keeps its runs of equal words in the order of arrival, and growing or
shrinking walks the old table and appends to the new one. So one dict of runs in order of arrival says everything: a
walk is that dict sorted, stably, by bucket, and a rehash stores it so. Source: docs/cso.md (Mesa 22.3, recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, cast

from statetracker.cso.cache import StateCache
from statetracker.cso.driver import Handle
from statetracker.cso.keys import word_function
from statetracker.cso.slots import OLDER_STAGES, STAGES, everything_held

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statetracker.pipe.layout import KeyRule

#: Bits -> buckets, just above 2**bits (all but 8201 are primes). Tables larger than the last keep its buckets.
BUCKETS: Final = {
    bits: (1 << bits) + above for bits, above in enumerate((1, 5, 3, 3, 1, 9, 7, 5, 3, 9, 25, 3, 1), start=4)
}
_LEAST: Final = min(BUCKETS)
_MOST: Final = max(BUCKETS)


class Record:
    """A cached state under policy ``mesa``. Two records may have equal bytes; they are compared by identity.

    Args:
        key: The bytes that count.
        word: The XOR of their words.
        handle: The driver's, or None if it made nothing.

    Attributes:
        nodes: How often it is in the table: usually once, see `MesaCache` for 0 and 2.
        alive: Whether it has not been given up.
    """

    __slots__ = ("alive", "handle", "key", "nodes", "word")

    def __init__(self, key: bytes, word: int, handle: object = None) -> None:
        self.key = key
        self.word = word
        self.handle = handle
        self.nodes = 0
        self.alive = True


class WordTable:
    """Records by word, with Mesa's order of walking.

    Attributes:
        size: Nodes in the table.
        buckets: 0 for a table that never held anything.
    """

    __slots__ = ("_bits", "_runs", "buckets", "size")

    def __init__(self) -> None:
        self.size = 0
        self.buckets = 0
        self._bits = 0
        self._runs: dict[int, list[Record]] = {}  # each run oldest first: its front is the end of the list

    def run(self, word: int) -> Sequence[Record]:
        """Return the records of a word, newest last."""
        return self._runs.get(word, ())

    def insert(self, record: Record) -> None:
        """Put a record in front of those of its word, or at the end of its bucket's chain."""
        if self.size >= self.buckets:
            self._rehash(min(max(self._bits + 1, _LEAST), _MOST))
        self._runs.setdefault(record.word, []).append(record)
        record.nodes += 1
        self.size += 1

    def take(self, word: int) -> Record | None:
        """Remove the newest record of a word; None if there is none. The table may shrink."""
        run = self._runs.get(word)
        if not run:
            return None
        record = self._pop(run)
        if not run:
            del self._runs[word]
        if self.size <= self.buckets >> 3 and self._bits > _LEAST:
            self._rehash(max(self._bits - 2, _LEAST))
        return record

    def drop(self, count: int) -> list[Record]:
        """Remove the first ``count`` nodes of a walk, or all if there are fewer; the table does not shrink."""
        dropped: list[Record] = []
        for word in self._walk():
            run = self._runs[word]
            while run and len(dropped) < count:
                dropped.append(self._pop(run))
            if run:
                break
            del self._runs[word]
        return dropped

    def records(self) -> list[Record]:
        """Every record, each once."""
        return list(dict.fromkeys(record for run in self._runs.values() for record in run))

    def longest_run(self) -> int:
        """Return the most records of one word."""
        return max(map(len, self._runs.values()), default=0)

    def _pop(self, run: list[Record]) -> Record:
        record = run.pop()
        record.nodes -= 1
        self.size -= 1
        return record

    def _walk(self) -> list[int]:
        """Return the words in the order of a walk."""
        buckets = self.buckets
        return sorted(self._runs, key=lambda word: word % buckets)

    def _rehash(self, bits: int) -> None:
        if bits == self._bits:
            return
        if self._runs:
            self._runs = {word: self._runs[word] for word in self._walk()}
        self._bits = bits
        self.buckets = BUCKETS[bits]


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

    def _start(self, rule: KeyRule) -> None:
        self._word = word_function(rule)
        self._pins = _PINS[rule.layout]
        self._table = WordTable()
        self._lost: dict[Record, None] = {}
        self._owned: dict[Record, Handle] = {}  # every handle that exists, in the table or not
        self._key_collisions = self._mispinned = self._deleted_while_bound = 0

    def __len__(self) -> int:
        """States that the driver has made."""
        return len(self._owned)

    def most(self) -> int:
        """Return the most nodes in the table at once."""
        return self.peak

    def live_keys(self) -> list[bytes]:
        """Return the states that are alive, in no order of use."""
        return [record.key for record in self._table.records() if record.alive]

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
        for state in reversed(self._table.run(word)):
            if state.key == key and state.alive:
                self.counts.hits += 1
                return state, cast("Handle | None", state.handle)
            self._key_collisions += 1
        record = Record(key, word)
        record.handle = handle = self._made(self._owned, record, data, keeps_failures=True)
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
        gone = [*dict.fromkeys(record for record in dropped if record.alive)]
        self._deleted_while_bound += sum(record in held for record in gone)
        for record in gone:
            record.alive = False
        self._note_lost(taken)
        self._give_up(map(self._owned.pop, filter(self._owned.__contains__, gone)), len(dropped), len(taken))

    def _pinned(self) -> Iterator[Record]:
        """Yield what slots hold, in the order in which it is taken out; twice if two slots hold it."""
        stages = self._stages
        lists = [stages[stage].staging() for stage in self._pins.stages if stage in stages]
        saved = (stages[stage].saved for stage in self._pins.saved if stage in stages)
        lists += [[key for key, _ in copies] for copies in saved if copies is not None]
        for held in lists:
            yield from (record for record in held if isinstance(record, Record))

    def _note_lost(self, taken: list[tuple[Record, Record]]) -> None:
        for record, node in taken:
            self._lost.pop(record, None)
            if not node.nodes and node.alive:
                self._lost[node] = None

    def _everything(self) -> Iterable[Handle]:
        records = [*dict.fromkeys([*self._table.drop(self._table.size), *self._lost, *self._owned])]
        self._table = WordTable()
        self._lost.clear()
        return map(self._owned.pop, filter(self._owned.__contains__, records))
