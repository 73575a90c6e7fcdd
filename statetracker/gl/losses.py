"""`Attributes`: what a host's object is to have, and what of ours it cannot say."""

from __future__ import annotations

from typing import Any, NamedTuple

from statetracker.errors import ArgumentError


class Loss(NamedTuple):
    """One field that a host's sampler cannot express.

    field    of `Sampler`
    wanted   its value; of an enum the GL name
    got      what the host's sampler has instead
    because  why
    """

    field: str
    wanted: Any
    got: object
    because: str

    def error(self, host: str) -> ArgumentError:
        """The same as an error."""
        return ArgumentError(self.field, self.wanted, accepted=f"{self.got} by {host}", hint=f"{self.because}.")


class Attributes(dict[str, Any]):
    """Attribute -> value, in the order in which they are to be set.

    losses   `Loss` by `Loss`, what they do not say
    """

    def __init__(self, values: dict[str, Any], losses: tuple[Loss, ...] = ()) -> None:
        super().__init__(values)
        self.losses = losses

    def onto(self, thing: object) -> None:
        """Set them all."""
        for name, value in self.items():
            setattr(thing, name, value)
