"""The part of the stack that is pushed in hope, kept while values are spilled.

Which values simplify can take away does not depend on the order in which it takes them: what remains is the largest set
of which every member has too many neighbours in the set. So the set is kept, with an order in which the others go: a
value that goes counts only neighbours that go later or stay. A spill touches few of these counts.
Source: docs/geometry.md, Allocation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.geometry.allocate import RegisterFile
from statetracker.geometry.bits import Counts, members
from statetracker.geometry.places import Places
from statetracker.geometry.weights import Weights

if TYPE_CHECKING:
    from statetracker.geometry.interference import Interference

__all__ = ["Optimistic"]


class Optimistic:
    """The optimistic part of an attempt.

    stays   the set of its members
    total   of each register as given, what all its neighbours and the payload take away
    """

    def __init__(self, graph: Interference, payload: int, count: int) -> None:
        self.graph, self._payload, self._count = graph, payload, count
        many = len(graph.sizes)
        near = [graph.near(node) for node in range(many)]
        self._left = left = Weights(graph.sizes, near, payload, count)  # of neighbours that go later or stay
        self.total = Counts([left.taken(size, beside) for size, beside in zip(graph.sizes, near, strict=True)])
        self._given = (1 << many) - 1
        self.stays = self._given
        self._order: dict[int, int] = {}  # of those that have gone
        self._gone = Places()  # by their order
        self._peel()

    def _peel(self) -> None:
        """Take away what can be."""
        going = self.stays & ~self._left.too_much()
        while going:
            node = going.bit_length() - 1
            self.stays ^= 1 << node
            self._order[node] = len(self._gone.at)
            self._gone.add(node, self._order[node])
            self._left.subtract(self.graph.near(node) & self.stays, self.graph.sizes[node])
            going = self.stays & ~self._left.too_much()

    def removed(self, victim: int, near: int) -> None:
        """Follow that a member is referenced no longer; ``near`` were its neighbours. Victims are of one GRF."""
        self._left.subtract(near, 1)
        for beside, weight in self._left.by_weight(near & self._given, 1):
            self.total.subtract(beside, weight)
        self._left.assign(victim, 1, 0)

    def made(self, node: int, near: int) -> None:
        """Follow that a spill has made a register, of one GRF; it is not spilled again."""
        self._left.add(near, 1)
        for beside, weight in self._left.by_weight(near & self._given, 1):
            self.total.add(beside, weight)
        self._left.assign(node, 1, near & self.stays)
        self.stays |= 1 << node

    def met(self, node: int, others: int) -> None:
        """Follow that a register has new neighbours."""
        sizes, order, never = self.graph.sizes, self._order, len(self._gone.at)
        for other in members(others):
            here, there = order.get(node, never), order.get(other, never)
            for one, beside, later in ((node, other, here <= there), (other, node, there <= here)):
                for some, weight in self._left.by_weight(1 << one & self._given, sizes[beside]):
                    self.total.add(some, weight)
                if later:
                    self._left.add(1 << one, sizes[beside])

    def settle(self) -> None:
        """Let those come back that cannot go any longer in their turn, and then take away what can be."""
        sizes, order, left = self.graph.sizes, self._order, self._left
        back = left.too_much() & ~self.stays
        while back:
            node = back.bit_length() - 1
            at = order.pop(node)
            near = self.graph.near(node)
            self._gone.remove(node, at)
            left.add(near & ~self._gone.before(at), sizes[node])
            left.assign(node, sizes[node], near & self.stays)
            self.stays |= 1 << node
            back = left.too_much() & ~self.stays
        self._peel()

    def failing(self) -> int | None:
        """The first member, from the highest number down, that finds no register; None where all do."""
        graph, file = self.graph, RegisterFile(self._payload, self._count)
        waiting = self.stays
        while waiting:
            node = waiting.bit_length() - 1
            waiting ^= 1 << node
            if file.place(node, graph.sizes[node], graph.near(node)) is None:
                return node
        return None
