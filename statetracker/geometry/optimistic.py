"""The part of the stack that is pushed in hope, kept while values are spilled.

Which values simplify can take away does not depend on the order in which it takes them: what remains is the largest set
of which every member has too many neighbours in the set. So the set is kept, with an order in which the others go: a
value that goes counts only neighbours that go later or stay. A spill touches few of these counts.
Source: docs/geometry.md, Allocation.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from functools import reduce
from heapq import heappop, heappush
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, Final

from statetracker.geometry.allocate import Q, first_choice

if TYPE_CHECKING:
    from statetracker.geometry.interference import Interference

__all__ = ["Optimistic"]

_STAYS: Final = 1 << 62


class Optimistic:
    """The optimistic part of an attempt.

    nodes   its members by increasing number
    total   of each register what all its neighbours and the payload take away
    """

    def __init__(self, graph: Interference, payload: int, count: int) -> None:
        self.graph, self.payload, self.count = graph, payload, count
        self._p = (0, count, count - 1)
        sizes = graph.sizes
        self.total = [
            payload * Q[size][1] + sum([Q[size][sizes[m]] for m in near])
            for size, near in zip(sizes, graph.near, strict=True)
        ]
        self._left = self.total.copy()  # the same, of neighbours that go later or stay
        self._order = [_STAYS] * len(sizes)
        self._next = 0
        self._masks = [0] * len(sizes)
        self.nodes = list(range(len(sizes)))
        self._peel(set(self.nodes))

    def has(self, node: int) -> bool:
        """Whether a register is a member."""
        return self._order[node] == _STAYS

    def _light(self, node: int) -> bool:
        return self._left[node] < self._p[self.graph.sizes[node]]

    def _peel(self, looked_at: set[int]) -> None:
        """Take away what can be, beginning with some."""
        sizes, left, order, p = self.graph.sizes, self._left, self._order, self._p
        going = [node for node in looked_at if order[node] == _STAYS and left[node] < p[sizes[node]]]
        gone = set()
        while going:
            node = going.pop()
            order[node] = self._next
            self._next += 1
            gone.add(node)
            size = sizes[node]
            for other in self.graph.near[node]:
                if order[other] == _STAYS:
                    before = left[other]
                    left[other] = now = before - Q[sizes[other]][size]
                    if now < p[sizes[other]] <= before:
                        going.append(other)
        if len(gone) > 16:
            self.nodes = [node for node in self.nodes if node not in gone]
        else:
            for node in gone:
                del self.nodes[bisect_left(self.nodes, node)]
        for node in gone:
            self._masks[node] = 0

    def spill(self, victim: int, near: list[int], changes: list[tuple[int, list[int]]]) -> None:
        """Follow a spill.

        near      the victim's neighbours until now
        changes   in order: a register, made by the spill or not, and neighbours that it did not have
        """
        sizes, left, total, order = self.graph.sizes, self._left, self.total, self._order
        for other in near:
            total[other] -= sizes[other]  # q(b, 1) is the size of b
            left[other] -= sizes[other]
        left[victim] = total[victim] = self.payload
        self._masks[victim] = 0
        first = len(order)
        made = range(first, len(sizes))
        added = Counter(chain.from_iterable(beside for node, beside in changes if node >= first))
        again: list[tuple[int, int]] = []
        for node, times in added.items():
            if node < first:
                taken = times * sizes[node]
                total[node] += taken
                if order[node] == _STAYS:
                    left[node] += taken
                else:
                    self._more(node, taken, again)
        for node, beside in changes:
            for other in beside if node < first else ():
                self._met(node, other, first, again)
                self._met(other, node, first, again)
        order += [_STAYS] * len(made)
        self._masks += [0] * len(made)
        self.nodes += made
        total += [0] * len(made)  # never asked for: they are not spilled again
        left += [self.payload + sum([sizes[m] for m in self.graph.near[n] if order[m] == _STAYS]) for n in made]
        self._peel({victim, *near, *made, *self._come_back(again)})

    def _more(self, node: int, taken: int, again: list[tuple[int, int]]) -> None:
        """Take more away from a register: if it cannot go any longer in its turn, it is to come back."""
        self._left[node] += taken
        if self._order[node] != _STAYS and not self._light(node):
            heappush(again, (self._order[node], node))

    def _met(self, node: int, other: int, first: int, again: list[tuple[int, int]]) -> None:
        """Give a register another neighbour."""
        if node < first:
            taken = Q[self.graph.sizes[node]][self.graph.sizes[other]]
            self.total[node] += taken
            if other >= first or self._order[other] == _STAYS or self._order[other] > self._order[node]:
                self._more(node, taken, again)

    def _come_back(self, again: list[tuple[int, int]]) -> list[int]:
        """Those that cannot go any longer when their turn comes, and what they hold up; all are to be looked at."""
        sizes, left, order = self.graph.sizes, self._left, self._order
        back = []
        while again:
            at, node = heappop(again)
            if order[node] != at:
                continue
            order[node] = _STAYS
            back.append(node)
            insort(self.nodes, node)
            left[node] = self.payload * Q[sizes[node]][1]
            for other in self.graph.near[node]:
                if self.graph.gone[other]:
                    continue
                if order[other] == _STAYS:
                    left[node] += Q[sizes[node]][sizes[other]]
                if order[other] > at:
                    left[other] += Q[sizes[other]][sizes[node]]
                    if order[other] != _STAYS and not self._light(other):
                        heappush(again, (order[other], other))
        return back

    def failing(self) -> int | None:
        """The first member, from the highest number down, that finds no register; None where all do."""
        masks, near, lower, sizes, count = self._masks, self.graph.near, self.graph.lower, self.graph.sizes, self.count
        taken, file, start = (1 << self.payload) - 1, (1 << count) - 1, 0
        for node in reversed(self.nodes):
            above = near[node][lower[node] :]
            free = ~reduce(or_, map(masks.__getitem__, above), taken) & file
            size = sizes[node]
            choice = first_choice(size, free, start, count)
            if choice is None:
                return node
            masks[node] = 1 << choice if size == 1 else 3 << choice - count
            start = (choice + 1) % (2 * count - 1)
        return None
