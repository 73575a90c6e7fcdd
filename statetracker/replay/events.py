"""What a replay gives: states created, bound and deleted, each with the number of the GL call that caused it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from statetracker.sampler import Explanation

__all__ = ["Binds", "Creates", "Deletes", "Maker", "StreamEvent"]


class Maker(NamedTuple):
    """What a state was first made for: stage, slot, unit, texture (None: the default one), and why it is as it is.

    ``own``: Mesa's own state for a pixel rectangle, in a slot that the program leaves free; it has no unit or texture.
    """

    stage: str
    slot: int
    unit: int
    texture: int | None
    why: Explanation | None
    own: bool = False

    def __str__(self) -> str:
        """In words that follow 'for'."""
        if self.own:
            return f"Mesa's own use, {self.stage} slot {self.slot}"
        texture = "the default texture" if self.texture is None else f"texture {self.texture}"
        return f"{self.stage} slot {self.slot}: unit {self.unit}, {texture}"


class Creates(NamedTuple):
    """A state was created: its number, counted from 0 over the whole stream, and its 36 bytes."""

    call: int
    id: int
    state: bytes
    made_for: Maker | None

    def to_dict(self) -> dict[str, object]:
        """As a line of JSON has it."""
        return {"call": self.call, "event": "create", "id": self.id, "state": self.state.hex()}


class Binds(NamedTuple):
    """States were bound to a stage's slots from ``start`` on; None is an unbound slot."""

    call: int
    stage: str
    start: int
    ids: tuple[int | None, ...]

    def to_dict(self) -> dict[str, object]:
        """As a line of JSON has it."""
        return {"call": self.call, "event": "bind", "stage": self.stage, "start": self.start, "ids": list(self.ids)}


class Deletes(NamedTuple):
    """A state was deleted."""

    call: int
    id: int

    def to_dict(self) -> dict[str, object]:
        """As a line of JSON has it."""
        return {"call": self.call, "event": "delete", "id": self.id}


StreamEvent: TypeAlias = Creates | Binds | Deletes
