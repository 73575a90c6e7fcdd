"""A driver as the cache sees it: three callables of Gallium's ``pipe_context``, and an opaque handle.

`ReentrancyGuard` keeps other calls out while one of them runs. `RecordingDriver` makes nothing and records the calls.
"""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Protocol, TypeVar

from statetracker.errors import DeviceLost, InvalidCallOrder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

#: Whatever a driver returns from a create. None means that it made nothing; every other value is a handle, 0 too.
Handle = TypeVar("Handle")
R = TypeVar("R")


class Driver(Protocol[Handle]):
    """A driver. Its callbacks are called on the thread that calls the context, and must not call the context back."""

    def create_sampler_state(self, record: bytes, /) -> Handle | None:
        """Make a sampler of a 36-byte record; None if it cannot."""
        ...

    def bind_sampler_states(self, stage: str, start: int, handles: tuple[Handle | None, ...], /) -> object:
        """Bind ``handles`` to a stage's slots from ``start`` on (always 0 so far); None leaves a slot empty."""
        ...

    def delete_sampler_state(self, handle: Handle, /) -> object:
        """Delete a handle; the cache never names it again."""
        ...


class ReentrancyGuard:
    """Keeps calls of a context, or of the loop above it, out of the callbacks that these call.

    Attributes:
        busy: True while a callback runs: of the driver, of the user's policy, a listener. Code that calls one sets it
            first thing in a ``try`` and resets it both there and in the handler: no exception leaves it set.
        lost: True once a callback raised `DeviceLost`, until the handles of that device are dropped.
    """

    def __init__(self) -> None:
        self.busy = self.lost = False

    def call(self, callback: Callable[..., R], *arguments: object) -> R:
        """Call ``callback`` with these arguments, busy meanwhile; note a lost device. Raises what that raises."""
        before = self.busy
        try:
            self.busy = True
            result = callback(*arguments)
            self.busy = before
        except DeviceLost:
            self.lost = True
            raise
        finally:
            self.busy = before
        return result

    def check_open(self) -> None:
        """Raise `InvalidCallOrder` inside a callback, or from a second thread."""
        if self.busy:
            hint = "A callback must not call the context back, and a context serves one thread at a time"
            raise InvalidCallOrder("the cache", "it is inside a driver's callback", hint=hint)


class RecordingDriver:
    """A driver that makes nothing and records the calls; its handles are the numbers of the states.

    ``events`` holds the calls so far. One a line, as JSON, they are a recording (docs/cso.md)::

        ["create", 0, "00d4...00"]                      the number of the state, counted from 0, and its record in hex
        ["bind", "MESA_SHADER_FRAGMENT", 0, [0, null]]  stage, first slot, the numbers bound, null for an empty slot
        ["delete", 0]
    """

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
        """Yield the events as lines of a recording, without line ends."""
        for event in self.events:
            yield dumps(event, separators=(",", ":"))
