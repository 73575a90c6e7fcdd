"""Register allocation by colouring: simplify, optimistic, select, round robin.

Two classes: single registers and contiguous pairs. ``B`` is the number of registers of the file, 112 on gen7 (16 more
are message registers). Nodes are virtual registers; payload registers are coloured beforehand and meet everything.
Source: docs/geometry.md, Allocation; the test that a node can be coloured is Runeson and Nystrom's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.geometry.bits import members
from statetracker.geometry.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.liveness import Interval

__all__ = ["REGISTERS", "Colouring", "RegisterFile", "colour", "neighbours"]

#: Registers that the allocator may use, by generation.
REGISTERS: Final = {6: 128, 7: 112}


class Colouring(NamedTuple):
    """An attempt.

    registers    first register of each virtual register; -1: not coloured
    failed       the first that found no register; None: all did
    candidates   where it failed, those a spill may free: coloured ones by number, then the optimistic part of the stack
    """

    registers: list[int]
    failed: int | None
    candidates: list[int]


class RegisterFile:
    """Registers that are given out one value after another, round robin.

    Choices in their order: single registers, then pairs, each by register; the next value looks on from where the last
    one found its own, around.
    """

    def __init__(self, payload: int, count: int) -> None:
        """Begin with all free but the payload, which everybody meets."""
        self._payload, self._count = payload, count
        self._holds = [0] * count  # the set of values that hold a register
        self._start = 0

    def place(self, node: int, size: int, near: int) -> int | None:
        """Give a value of a size its registers: the first of them, or None where its neighbours leave none."""
        holds, payload, last = self._holds, self._payload, self._count + 1 - size
        passed = self._count if size != 1 else 0  # choices of the other class that come before
        start = self._start - passed if passed <= self._start < passed + last else 0
        for at in chain(range(max(start, payload), last), range(payload, start)):
            if not (holds[at] if size == 1 else holds[at] | holds[at + 1]) & near:
                for held in range(at, at + size):
                    holds[held] |= 1 << node
                self._start = passed + at + 1
                return at
        return None


def neighbours(intervals: Sequence[Interval]) -> list[int]:
    """Interference: of each virtual register the set of those alive together with it, bit n for register n."""
    begun, before = [0], []  # the first registers to start, and where each starts
    for start, node in sorted((one.start, node) for node, one in enumerate(intervals)):
        before.append(start)
        begun.append(begun[-1] | 1 << node)
    ended, until = [0], []
    for end, node in sorted((one.end, node) for node, one in enumerate(intervals)):
        until.append(end)
        ended.append(ended[-1] | 1 << node)
    return [
        begun[bisect_left(before, end)] & ~ended[bisect_right(until, start)] & ~(1 << node)
        for node, (start, end) in enumerate(intervals)
    ]


def colour(sizes: Sequence[int], graph: Sequence[int], payload: int, count: int) -> Colouring:
    """Try to give every virtual register its registers.

    sizes     1 or 2, of each
    graph     `neighbours`
    payload   registers taken from the front
    count     B, registers of the file
    """
    stack, optimistic = _simplify(sizes, graph, payload, count)
    registers = [-1] * len(sizes)
    file = RegisterFile(payload, count)
    while stack:
        node = stack[-1]
        first = file.place(node, sizes[node], graph[node])
        if first is None:
            waiting = set(stack)
            coloured = [n for n in range(len(sizes)) if n not in waiting]
            return Colouring(registers, node, coloured + stack[optimistic:])
        registers[stack.pop()] = first
    return Colouring(registers, None, [])


def _simplify(sizes: Sequence[int], graph: Sequence[int], payload: int, count: int) -> tuple[list[int], int]:
    """The stack, and where its optimistic part starts.

    A pass goes down the numbers; one that may be pushed only since the pass went by waits for the next.
    """
    weights = Weights(sizes, graph, payload, count)
    left = (1 << len(sizes)) - 1
    stack: list[int] = []
    light = left & ~weights.too_much()
    node = len(sizes)
    while light:
        below = light & (1 << node) - 1
        node = (below or light).bit_length() - 1  # the pass is over: from the top
        stack.append(node)
        left ^= 1 << node
        weights.subtract(graph[node], sizes[node])
        light = left & ~weights.too_much()
    return stack + members(left), len(stack)
