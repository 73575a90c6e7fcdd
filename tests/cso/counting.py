"""A driver that counts what lives, for long runs; a cache that binds what is gone is found out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CountingDriver"]


class CountingDriver:
    """Counts what lives. A handle is a number below ``2 * most``; numbers of deleted states come back.

    Args:
        most: States that may live.

    Attributes:
        peak: The most states that lived at one moment.
        wrong: Handles bound or deleted that did not exist.
    """

    def __init__(self, most: int) -> None:
        self.live = self.peak = self.creates = self.deletes = self.wrong = 0
        self.exists = bytearray(2 * most)
        self.free = list(range(len(self.exists)))

    def create_sampler_state(self, record: bytes) -> int:
        """Give a free handle."""
        handle = self.free.pop()
        self.exists[handle] = len(record) == 36
        self.creates += 1
        self.live += 1
        self.peak = max(self.peak, self.live)
        return handle

    def bind_sampler_states(self, _stage: str, _start: int, handles: Sequence[int | None]) -> None:
        """Count handles that do not exist."""
        for handle in handles:
            if handle is not None and not self.exists[handle]:
                self.wrong += 1

    def delete_sampler_state(self, handle: int) -> None:
        """Take a handle back."""
        self.wrong += not self.exists[handle]
        self.exists[handle] = 0
        self.free.append(handle)
        self.deletes += 1
        self.live -= 1
