"""Counters of what a context has done so far, as plain numbers.

See docs/cso.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import Self


class Counts:
    """Numbers that a cache and its context count; a loop may pass them on. The others are as in `Statistics`.

    Attributes:
        changed: Binds of resolved states with a call of the driver.
        unchanged: Binds of resolved states without one.
        slots_changed: Slots whose handle became another one in binds of resolved states.
        other_calls: Calls of the driver's bind for states that were staged.
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

    Only policy ``mesa`` counts ``size`` to ``deleted_while_bound``, only a governor (`cso.GOVERNORS`) ``merged`` and
    ``worst_merge``; elsewhere they are 0.

    Attributes:
        hits: Records that were cached.
        misses: Records that were not.
        shortcuts: Records like the one of the slot before (set_samplers). The three are all records given, except those
            that were no record.
        creates: Handles made.
        failed_creates: Creates that gave None or raised; with creates these are the misses.
        deletes: Handles given to delete.
        evictions: States given up because of the limit.
        forgotten: Handles dropped without a delete, because their device was lost.
        live: Handles that exist: creates - deletes - forgotten.
        peak: Most states cached at once.
        max_size: The limit.
        runs: Evictions run.
        pinned: States in use at the last one.
        bind_calls: Bind callbacks called.
        slots_sent: The slots they covered.
        size: Nodes in the table, a doubled state twice and a lost one not at all.
        key_collisions: Compares of two records of equal key word that were not equal.
        longest_run: Of the table as it is now; buckets likewise.
        mispinned: Times that another state was taken out for a pinned one; lost are the states lost that way now.
        deleted_while_bound: States deleted while a slot held them.
        merged: Times that a live state began to stand in for another one.
        worst_merge: The largest distance of the two (1: a player may just see it; `cso.governor.UNITS`).
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

        Args:
            counts: Numbers of calls and of states, from 0.
            creates: How many handles were made.
            **there: The other members, by name.
        """
        counted = {name: value for name, value in vars(counts).items() if name in cls._fields}
        misses = creates + counts.failed_creates
        return cls(misses=misses, creates=creates, bind_calls=counts.calls, **counted, **there)
