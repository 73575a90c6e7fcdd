"""The test whether a value can always be coloured: what its neighbours can take away, against what there is.

Two classes of values: one register, or two in a row. The test is Runeson and Nystrom's, with their p and q.
Source: docs/geometry.md, Allocation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.geometry.bits import Counts, together, union

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Q", "Weights"]

#: q(a, b): the most registers of class a that one of class b can take away. Classes are sizes; index 0 is unused.
Q: Final = (
    (0, 0, 0),
    (0, 1, 2),
    (0, 2, 3),
)


class Weights:
    """What is taken away from every register of a program, in a file of some registers.

    payload   registers taken from the front: they always count
    pairs     the set of registers of size 2; all others are of size 1
    """

    def __init__(self, sizes: Sequence[int], graph: Sequence[int], payload: int, count: int) -> None:
        """Begin with all neighbours, as sets."""
        self.payload = payload
        self.pairs = together(node for node, size in enumerate(sizes) if size != 1)
        self._power = count.bit_length()  # counted so that too much begins at a power of 2
        self._offset = [(1 << self._power) - p for p in (0, count, count - 1)]
        self._counts = Counts(
            [self.taken(size, near) + self._offset[size] for size, near in zip(sizes, graph, strict=True)]
        )

    def taken(self, size: int, near: int) -> int:
        """What neighbours and the payload take away from a register of a size."""
        pairs = (near & self.pairs).bit_count()
        return (self.payload + near.bit_count() - pairs) * Q[size][1] + pairs * Q[size][2]

    def too_much(self) -> int:
        """The set of registers that may find none: as much is taken away as there is."""
        return union(self._counts.planes[self._power :])

    def assign(self, node: int, size: int, near: int) -> None:
        """Let a register have these neighbours, whatever it had."""
        self._counts[node] = self.taken(size, near) + self._offset[size]

    def by_weight(self, near: int, size: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """A set, by what a neighbour of a size takes away from its members."""
        pairs = near & self.pairs
        return ((near ^ pairs, Q[1][size]), (pairs, Q[2][size]))

    def add(self, near: int, size: int) -> None:
        """Let all registers of a set have another neighbour of a size."""
        for some, weight in self.by_weight(near, size):
            self._counts.add(some, weight)

    def subtract(self, near: int, size: int) -> None:
        """Take a neighbour of a size away from all registers of a set."""
        for some, weight in self.by_weight(near, size):
            self._counts.subtract(some, weight)
