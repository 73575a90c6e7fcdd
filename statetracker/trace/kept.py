"""`Kept`: what went wrong in a stream without an end, the first of it and how much there was."""

from __future__ import annotations

from typing import Final, TypeVar

__all__ = ["MOST_KEPT", "Kept"]

T = TypeVar("T")

#: Items that are kept; later ones are counted.
MOST_KEPT: Final = 1000


class Kept(list[T]):
    """A list of at most `MOST_KEPT` items; ``total`` is the number of all that were added, also of those cleared."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.total = 0

    def add(self, item: T) -> None:
        """Count an item, and keep it where there is room."""
        self.total += 1
        if len(self) < MOST_KEPT:
            self.append(item)
