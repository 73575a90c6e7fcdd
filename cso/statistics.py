"""What a context has done so far, as plain numbers.

See docs/cso.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import Self


class Counts:
    """Numbers that a cache and its context count. A loop may pass them on from context to context.

    changed, unchanged   binds of resolved states with a call of the driver, and without
    slots_changed        slots whose handle became another one in binds of resolved states
    other_calls          calls of the driver's bind for states that were staged

    The others are as in `Statistics`.
    """

    def __init__(self) -> None:
        self.hits = self.shortcuts = self.failed_creates = self.deletes = self.evictions = self.forgotten = 0
        self.runs = self.merged = self.changed = self.unchanged = self.slots_changed = 0
        self.other_calls = self.slots_sent = 0

    @property
    def binds(self) -> int:
        """Binds of resolved states."""
        return self.changed + self.unchanged

    @property
    def calls(self) -> int:
        """Calls of the driver's bind."""
        return self.changed + self.other_calls


class Statistics(NamedTuple):
    """A snapshot of a context's counters.

    hits, misses, shortcuts   records that were cached, that were not, and that are those of the slot before
                              (set_samplers). Together they are all records given, except those that were no record
    creates, failed_creates   handles made; creates that gave None or raised. Together they are the misses
    deletes, evictions        handles given to delete; states given up because of the limit
    forgotten                 handles dropped without a delete, because their device was lost
    live                      handles that exist: creates - deletes - forgotten
    peak, max_size            most states cached at once; the limit
    runs, pinned              evictions runs; states in use at the last one
    bind_calls, slots_sent    bind callbacks called, and the slots they covered

    Only policy ``mesa`` counts the following; they are 0 under any other:

    size                      nodes in the table, a doubled state twice and a lost one not at all
    key_collisions            compares of two records of equal key word that were not equal
    longest_run, buckets      of the table as it is now
    mispinned, lost           times that another state was taken out for a pinned one; states lost that way right now
    deleted_while_bound       states deleted while a slot held them

    Only a governor (`cso.GOVERNORS`) counts these:

    merged                    times that a live state began to stand in for another one
    worst_merge               the largest distance of the two (1: a player may just see it; `cso.nearness.UNITS`)
    """

    hits: int
    misses: int
    shortcuts: int
    creates: int
    failed_creates: int
    deletes: int
    evictions: int
    forgotten: int
    live: int
    peak: int
    max_size: int
    runs: int
    pinned: int
    bind_calls: int
    slots_sent: int
    size: int = 0
    key_collisions: int = 0
    longest_run: int = 0
    buckets: int = 0
    mispinned: int = 0
    lost: int = 0
    deleted_while_bound: int = 0
    merged: int = 0
    worst_merge: float = 0.0

    @classmethod
    def of(cls, counts: Counts, creates: int, **there: Any) -> Self:  # noqa: ANN401 (integers, and one float)
        """Take what was counted until now.

        counts    numbers of calls and of states, from 0
        creates   how many handles were made
        there     the other members, by name
        """
        counted = {name: value for name, value in vars(counts).items() if name in cls._fields}
        misses = creates + counts.failed_creates
        return cls(misses=misses, creates=creates, bind_calls=counts.calls, **counted, **there)
