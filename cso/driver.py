"""What a driver is to the cache: three callables of Gallium's ``pipe_context``, and an opaque handle."""

from __future__ import annotations

from typing import Protocol, TypeVar

#: Whatever a driver returns from a create. None means that it made nothing; every other value is a handle, 0 too.
Handle = TypeVar("Handle")


class Driver(Protocol[Handle]):
    """A driver. Its callbacks are called on the thread that calls the context, and must not call the context back."""

    def create_sampler_state(self, record: bytes, /) -> Handle | None:
        """Make a sampler of a 36-byte record; None if it cannot."""
        ...

    def bind_sampler_states(self, stage: str, start: int, handles: tuple[Handle | None, ...], /) -> object:
        """Bind ``handles`` to a stage's slots from ``start`` on (always 0 so far); None leaves a slot empty.

        A tuple, which may be kept: the same one comes again with the same bind.
        """
        ...

    def delete_sampler_state(self, handle: Handle, /) -> object:
        """Give up a handle; the cache never names it again."""
        ...
