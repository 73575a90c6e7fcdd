"""The gate of a context: shut while a callback of the driver runs, so that no call comes in meanwhile.

A loop that binds thousands of times a frame looks up its stage in a dict at each bind. While the gate is shut there is
an empty dict in its place, so that looking there is the check, and a bind that calls nobody pays nothing for it. See
docs/cso.md.
"""

from __future__ import annotations

from typing import Any, Final

from statetracker.errors import InvalidCallOrder

#: In place of the stages of a gate that is shut. It stays empty.
SHUT: Final[dict[str, Any]] = {}


class Gate:
    """What calls of a context come through; a front end's loop is the gate of its own.

    stages   what the loop remembers of each stage, by name; `SHUT` while a callback runs

    What calls the driver keeps ``stages``, puts `SHUT` there, and puts it back after the callback, whatever came of it.
    """

    def __init__(self) -> None:
        self.stages: dict[str, Any] = {}

    def pass_through(self) -> None:
        """Raise `InvalidCallOrder` inside a callback."""
        if self.stages is SHUT:
            raise called_back()


def called_back() -> InvalidCallOrder:
    """Make the error for a call from inside a callback, or from a second thread."""
    return InvalidCallOrder(
        "the cache",
        "it is inside a driver's callback",
        hint="A callback must not call the context back, and a context serves one thread at a time",
    )
