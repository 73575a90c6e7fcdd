"""What is open around the block being written: loops of the hardware, constructs without one, the function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.geometry.shader.code import Edge

if TYPE_CHECKING:
    from statetracker.geometry.shader.memory import Key, State

#: Labels that no block has: where a function returns to; the end of a loop's body, of a jump's arm.
RETURN: Final = -1
NOWHERE: Final = -2


class Retry(Exception):
    """A way leads to a label that cannot be reached in this form: the construct is written in another."""

    def __init__(self, target: int) -> None:
        super().__init__(target)
        self.target = target


class Scope:
    """A loop of the hardware around what is written: where its exits lead, and its ways out."""

    def __init__(self, leave: int, again: int | None, header: int | None, depth: int) -> None:
        self.leave, self.again, self.header, self.depth = leave, again, header, depth
        self.held: list[tuple[Key, int]] = []  # variables that the loop changes, and their registers
        self.entry = Edge()
        self.exits: list[tuple[State, Edge]] = []
        self.flags: dict[int, int] = {}  # label beyond the loop -> the register that says to go there

    def reaches(self, label: int) -> bool:
        """Whether a label is where a break or a continue of this loop leads."""
        return label in {self.leave, self.again, self.header}


class Open:
    """A construct written without if or loop: its labels may be reached at its own depth only."""

    def __init__(self, merge: int, labels: set[int], depth: int, size: int) -> None:
        self.merge, self.labels, self.depth, self.size = merge, labels, depth, size
        self.rounds = 0


class Frame:
    """A function being inlined."""

    def __init__(self) -> None:
        self.ends: list[int] = []
        self.scopes: list[Scope] = []
        self.open: list[Open] = []
        self.headers: set[int] = set()
