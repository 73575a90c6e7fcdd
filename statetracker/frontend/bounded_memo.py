"""`BoundedMemo`: a memo that stays within a bound without ever starting over.

Entries live in two generations. When the newer one is full it becomes the older one; what is looked up there moves to
the newer one, and the rest goes, a few entries for each new one, so that no single bind pays for it.
"""

from __future__ import annotations

from typing import Final, Generic, TypeVar

_TOGETHER: Final = 16  # entries leave at once
K = TypeVar("K")
V = TypeVar("V")


class BoundedMemo(Generic[K, V]):
    """A memo of ``most`` entries in the newer generation, and at most as many in the older one.

    Args:
        most: Entries of a generation.

    Attributes:
        newer: Entries of the newer generation; a hot path looks here first.
        older: Entries of the older one; `promote` takes what is found in it, and `get` looks in both.
    """

    __slots__ = ("_leaving", "most", "newer", "older")

    def __init__(self, most: int) -> None:
        self.most = most
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.newer: dict[K, V] = {}
        self.older: dict[K, V] = {}
        self._leaving: dict[K, V] = {}

    def __len__(self) -> int:
        return len(self.newer) + len(self.older)

    def age(self) -> None:
        """Forget what was neither put nor looked up since the last call of this, or the one before."""
        self.newer, self.older, self._leaving = {}, self.newer, {}

    def get(self, key: K) -> V | None:
        """Return what is kept, and keep it as if it were new; None: nothing is."""
        value = self.newer.get(key)
        return self.promote(key) if value is None else value

    def promote(self, key: K) -> V | None:
        """Return what the older generation keeps, and move it to the newer one; None: nothing."""
        value = self.older.pop(key, None)
        if value is not None:
            self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep a value; the bound holds afterwards."""
        if len(self.newer) >= self.most:
            self.older.update(self._leaving)  # nothing, but after ``most`` was lowered
            self.newer, self.older, self._leaving = {}, self.newer, self.older
        leaving, there = self._leaving, len(self.newer)
        if leaving and not there % _TOGETHER:  # so many that all have left when the newer generation is full
            for _ in range(min(len(leaving), (len(leaving) // (self.most - there) + 1) * _TOGETHER)):
                leaving.popitem()
        self.newer[key] = value
