"""`WatchedDriver`: a driver that records what a cache must never do, and fails on demand.

See docs/conformance.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.cso import MAX_SAMPLERS, STAGES

if TYPE_CHECKING:
    from collections.abc import Sequence


class WatchedDriver:
    """Writes down every wrong call. Handles are numbers from 0.

    Attributes:
        wrong: What should never have happened, in words: a bind after a delete, a second delete, an unknown handle.
        fails: Callback -> how its next call fails: "none" (a create gives None), "raise" before its work, "raise after"
            it.
        made: Handle -> the record it was made of.
        given: The handles given to delete.
        bound: Stage -> what its slots hold.
        last_bind: Stage and number of slots of the last bind.
        deleted_bound: How many handles were deleted while a slot held them.
    """

    def __init__(self) -> None:
        self.fails: dict[str, str] = {}
        self.lose()

    def lose(self) -> None:
        """Lose the device and every handle; start again from handle 0."""
        self.wrong: list[str] = []
        self.made: dict[int, bytes] = {}
        self.given: set[int] = set()
        self.bound: dict[str, list[int | None]] = {stage: [None] * MAX_SAMPLERS for stage in STAGES}
        self.last_bind: tuple[str, int] | None = None
        self.deleted_bound = 0
        self.fails.clear()

    def create_sampler_state(self, record: bytes) -> int | None:
        """Make a handle of a record, give None, or raise `RuntimeError` where it was asked to fail."""
        how = self.fails.pop("create", None)
        if how == "none":
            return None
        if how is not None:
            raise RuntimeError("create failed")
        handle = len(self.made)
        self.made[handle] = record
        return handle

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        """Bind, and check that every handle exists; raises `RuntimeError` where it was asked to fail."""
        how = self.fails.pop("bind", None)
        if how == "raise":
            raise RuntimeError("bind failed")
        self.wrong += [f"bound {handle} after its delete" for handle in handles if handle in self.given]
        self.wrong += [f"bound {handle}, never made" for handle in handles if handle not in {None, *self.made}]
        self.bound[stage][start : start + len(handles)] = handles
        self.last_bind = stage, len(handles)
        if how is not None:
            raise RuntimeError("bind failed late")

    def delete_sampler_state(self, handle: int) -> None:
        """Delete, and check that the handle exists and is not bound; raises `RuntimeError` where it shall fail."""
        if handle in self.given:
            self.wrong.append(f"deleted {handle} twice")
        if handle not in self.made:
            self.wrong.append(f"deleted {handle}, never made")
        self.given.add(handle)
        if self.holds(handle):
            self.deleted_bound += 1
        if self.fails.pop("delete", None) is not None:
            raise RuntimeError("delete failed")

    def holds(self, handle: int) -> bool:
        """Return whether any slot of any stage has a handle."""
        return any(handle in slots for slots in self.bound.values())

    @property
    def empty(self) -> bool:
        """True where nothing is bound."""
        return all(handle is None for slots in self.bound.values() for handle in slots)
