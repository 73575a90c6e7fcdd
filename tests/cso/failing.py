"""A driver that fails on request, for tests of what a cache or a tracker does then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from statetracker.cso import RecordingDriver

__all__ = ["FailingDriver"]


class FailingDriver(RecordingDriver):
    """Writes down; ``fails`` says what the next call of a callback raises, or None for a create that gives None.

    A delete that raises is done and written down; a create or a bind is not, but for one that fails as "bind after".
    """

    def __init__(self) -> None:
        super().__init__()
        self.fails: dict[str, BaseException | None] = {}

    def _fail(self, call: str) -> bool:
        if call not in self.fails:
            return False
        error = self.fails.pop(call)
        if error is not None:
            raise error
        return True

    def create_sampler_state(self, record: bytes) -> int:
        if self._fail("create"):
            nothing: Any = None
            return nothing  # type: ignore[no-any-return]
        return super().create_sampler_state(record)

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        self._fail("bind")
        super().bind_sampler_states(stage, start, handles)
        self._fail("bind after")

    def delete_sampler_state(self, handle: int) -> None:
        super().delete_sampler_state(handle)
        self._fail("delete")

    def take(self) -> list[list[object]]:
        """The calls since the last `take` or `calls`, records left out."""
        calls = [event[:2] if event[0] == "create" else event for event in self.events]
        self.events.clear()
        return calls

    def calls(self) -> list[object]:
        """The same without creates, and of each call its last part: what was bound, what was deleted."""
        return [call[-1] for call in self.take() if call[0] != "create"]

    def of(self, kind: str) -> list[list[object]]:
        """The events of one kind."""
        return [event for event in self.events if event[0] == kind]

    def bound(self) -> list[Any]:
        """The handles of each bind."""
        return [event[3] for event in self.of("bind")]

    def deleted(self) -> list[Any]:
        """The handles that were deleted, in this order."""
        return [event[1] for event in self.of("delete")]
