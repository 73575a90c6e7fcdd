"""Mesa's hash table, as far as anybody can see it: which record comes next when the table is walked.

The table Mesa uses has prime numbers of buckets and chains its nodes, equal words next to each other. All that shows is
the order of a walk: buckets ascending, then the chain. A chain keeps its runs of equal words in the order of arrival,
and growing or shrinking walks the old table and appends to the new one. So one dict of runs in order of arrival says
everything: a walk is that dict sorted, stably, by bucket, and a rehash stores it so.

Source: docs/cso.md (Mesa 22.3, recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BUCKETS", "Record", "WordTable"]

#: Bits -> buckets, just above 2**bits (all but 8201 are primes). Tables larger than the last keep its buckets.
BUCKETS: Final = {
    bits: (1 << bits) + above for bits, above in enumerate((1, 5, 3, 3, 1, 9, 7, 5, 3, 9, 25, 3, 1), start=4)
}
_LEAST: Final = min(BUCKETS)
_MOST: Final = max(BUCKETS)


class Record:
    """A cached state under policy ``mesa``. Two records may have equal bytes; only identity tells them apart.

    key      the bytes that count
    word     the XOR of their words
    handle   the driver's, or None if it made nothing
    nodes    how often it is in the table: usually once, see `MesaCache` for 0 and 2
    alive    whether it has not been given up
    """

    __slots__ = ("alive", "handle", "key", "nodes", "word")

    def __init__(self, key: bytes, word: int, handle: object) -> None:
        self.key = key
        self.word = word
        self.handle = handle
        self.nodes = 0
        self.alive = True


class WordTable:
    """Records by word, with Mesa's order of walking.

    size      nodes in the table
    buckets   0 for a table that never held anything
    """

    __slots__ = ("_bits", "_runs", "buckets", "size")

    def __init__(self) -> None:
        self.size = 0
        self.buckets = 0
        self._bits = 0
        self._runs: dict[int, list[Record]] = {}  # each run oldest first: its front is the end of the list

    def run(self, word: int) -> Sequence[Record]:
        """The records of a word, newest last."""
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

    def longest_run(self) -> int:
        """The most records of one word."""
        return max(map(len, self._runs.values()), default=0)

    def _pop(self, run: list[Record]) -> Record:
        record = run.pop()
        record.nodes -= 1
        self.size -= 1
        return record

    def _walk(self) -> list[int]:
        """The words in the order of a walk."""
        buckets = self.buckets
        return sorted(self._runs, key=lambda word: word % buckets)

    def _rehash(self, bits: int) -> None:
        if bits == self._bits:
            return
        if self._runs:
            self._runs = {word: self._runs[word] for word in self._walk()}
        self._bits = bits
        self.buckets = BUCKETS[bits]
