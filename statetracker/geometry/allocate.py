"""Register allocation by colouring: simplify, optimistic, select, round robin.

Two classes: single registers and contiguous pairs. ``B`` is the number of registers of the file, 112 on gen7 (16 more
are message registers). Nodes are virtual registers; payload registers are coloured beforehand and meet everything.
Source: docs/geometry.md, Allocation; the test that a node can be coloured is Runeson and Nystrom's.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.liveness import Interval

__all__ = ["REGISTERS", "Colouring", "Q", "colour", "first_choice", "neighbours"]

#: Registers that the allocator may use, by generation.
REGISTERS: Final = {6: 128, 7: 112}

#: q(a, b): the most registers of class a that one of class b can take away. Classes are sizes; index 0 is unused.
Q: Final = (
    (0, 0, 0),
    (0, 1, 2),
    (0, 2, 3),
)


class Colouring(NamedTuple):
    """An attempt.

    registers    first register of each virtual register; -1: not coloured
    failed       the first that found no register; None: all did
    candidates   where it failed, those a spill may free: coloured ones by number, then the optimistic part of the stack
    """

    registers: list[int]
    failed: int | None
    candidates: list[int]


def neighbours(intervals: Sequence[Interval]) -> list[list[int]]:
    """Interference: of each virtual register those alive together with it, by increasing number."""
    found: list[list[int]] = [[] for _ in intervals]
    alive: list[int] = []
    for b in sorted((n for n, one in enumerate(intervals) if one.end >= 0), key=lambda n: intervals[n].start):
        start, end = intervals[b]
        alive = [a for a in alive if intervals[a].end > start]
        for a in alive:
            if end > intervals[a].start:  # no point where a begins
                found[a].append(b)
                found[b].append(a)
        alive.append(b)
    for one in found:
        one.sort()
    return found


def colour(sizes: Sequence[int], graph: Sequence[Sequence[int]], payload: int, count: int) -> Colouring:
    """Try to give every virtual register its registers.

    sizes     1 or 2, of each
    graph     `neighbours`
    payload   registers taken from the front
    count     B, registers of the file
    """
    stack, optimistic = _simplify(sizes, graph, payload, count)
    registers = [-1] * len(sizes)
    start = 0
    while stack:
        node = stack[-1]
        taken = (1 << payload) - 1
        for other in graph[node]:
            if registers[other] >= 0:
                taken |= (1 << sizes[other]) - 1 << registers[other]
        choice = first_choice(sizes[node], ~taken & (1 << count) - 1, start, count)
        if choice is None:
            waiting = set(stack)
            coloured = [n for n in range(len(sizes)) if n not in waiting]
            return Colouring(registers, node, coloured + stack[optimistic:])
        stack.pop()
        registers[node] = choice if sizes[node] == 1 else choice - count
        start = (choice + 1) % (2 * count - 1)
    return Colouring(registers, None, [])


def _simplify(sizes: Sequence[int], graph: Sequence[Sequence[int]], payload: int, count: int) -> tuple[list[int], int]:
    """The stack, and where its optimistic part starts.

    A pass goes down the numbers; one that may be pushed only since the pass went by waits for the next.
    """
    p = (0, count, count - 1)
    weight = [
        payload * Q[size][1] + sum(Q[size][sizes[m]] for m in near) for size, near in zip(sizes, graph, strict=True)
    ]
    stack: list[int] = []
    now = [-node for node, size in enumerate(sizes) if weight[node] < p[size]]  # a heap, the highest number first
    now.reverse()
    after: list[int] = []
    waiting = {-node for node in now}
    left = set(range(len(sizes)))
    while now:
        node = -heappop(now)
        stack.append(node)
        left.discard(node)
        size = sizes[node]
        for other in graph[node]:
            weight[other] -= Q[sizes[other]][size]
            if other in left and other not in waiting and weight[other] < p[sizes[other]]:
                waiting.add(other)
                if other < node:
                    heappush(now, -other)
                else:
                    after.append(-other)
        if not now:
            heapify(after)
            now, after = after, []
    return stack + sorted(left), len(stack) if left else 0


def first_choice(size: int, free: int, start: int, count: int) -> int | None:
    """The first choice from ``start`` on, around, whose registers are all in ``free``; None where there is none.

    Choices: singles are 0 to B - 1, the pair at r is B + r, B being ``count``.
    """
    if size == 2:
        free = (free & free >> 1) << count
    for some in (free >> start << start, free):
        if some:
            return (some & -some).bit_length() - 1
    return None
