"""`RecordingDriver`: a driver that makes nothing and records the calls.

One event a line, as JSON, in the order of the calls (docs/cso.md)::

    ["create", 0, "00d4...00"]                      the number of the state, counted from 0, and its record in hex
    ["bind", "MESA_SHADER_FRAGMENT", 0, [0, null]]  stage, first slot, the numbers bound, null for an empty slot
    ["delete", 0]
"""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class RecordingDriver:
    """Handles are the numbers of the states. ``events`` holds the calls so far."""

    def __init__(self) -> None:
        self.events: list[list[object]] = []
        self._made = 0

    def create_sampler_state(self, record: bytes) -> int:
        """Write a create of a record; the handle is the next number, from 0."""
        number = self._made
        self._made += 1
        self.events.append(["create", number, record.hex()])
        return number

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        """Write a bind; arguments are as in `Driver.bind_sampler_states`."""
        name = f"MESA_SHADER_{stage.upper().replace('-', '_')}"
        self.events.append(["bind", name, start, list(handles)])

    def delete_sampler_state(self, handle: int) -> None:
        """Write a delete of a handle."""
        self.events.append(["delete", handle])

    def lines(self) -> Iterator[str]:
        """The events as lines of a recording, without line ends."""
        for event in self.events:
            yield dumps(event, separators=(",", ":"))
