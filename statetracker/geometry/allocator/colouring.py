"""Colouring: simplify, optimistic, select, round robin. Sets of registers are integers, a bit for each register.

Two classes: single registers and contiguous pairs. ``B`` is the number of registers of the file, 112 on gen7 (16 more
are message registers). Nodes are virtual registers; payload registers are coloured beforehand and meet everything.
Source: docs/geometry.md, Allocation; the test that a node can be coloured is Runeson and Nystrom's, with their p and q.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def members(bits: int) -> list[int]:
    """Numbers of the bits that are set, increasing; ``bits`` is not negative."""
    text = f"{bits:b}"[::-1]
    positions = []
    at = text.find("1")
    while at >= 0:
        positions.append(at)
        at = text.find("1", at + 1)
    return positions


def together(numbers: Iterable[int]) -> int:
    """Return the set of some numbers, each 0 or more."""
    octets = bytearray()
    for number in numbers:
        at = number >> 3
        if at >= len(octets):
            octets += bytes(at + 1 - len(octets))
        octets[at] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")


#: Registers that the allocator may use, by generation.
REGISTERS: Final = {6: 128, 7: 112}

#: q(a, b): the most registers of class a that one of class b can take away. Classes are sizes; index 0 is unused.
Q: Final = (
    (0, 0, 0),
    (0, 1, 2),
    (0, 2, 3),
)


class Colouring(NamedTuple):
    """The outcome of colouring.

    Attributes:
        registers: First register of each virtual register; -1: not coloured.
        failed: The first that got no register; None: all got one.
        candidates: Where it failed, those a spill may free: coloured ones by number, then the optimistic part of the
            stack.
    """

    registers: list[int]
    failed: int | None
    candidates: list[int]


class RegisterFile:
    """Registers that are given out one value after another, round robin.

    The choices are the single registers, then the pairs, each by register. The search for the next value starts behind
    the last choice and wraps around. At first all are free but the payload, which meets every value.
    """

    def __init__(self, payload: int, count: int) -> None:
        self._payload, self._count = payload, count
        self._holds = [0] * count  # the set of values that hold a register
        self._start = 0

    def place(self, node: int, size: int, near: int) -> int | None:
        """Return a value of a size its registers: the first of them, or None where its neighbours leave none."""
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


def colour(
    sizes: Sequence[int], graph: Sequence[int], payload: int, count: int, within: Sequence[int] | None = None
) -> Colouring:
    """Try to give every virtual register its registers.

    Args:
        sizes: 1 or 2, of each.
        graph: `neighbours`.
        payload: Registers taken from the front.
        count: B, registers of the file.
        within: Where known: those, downwards, that may not always find registers; all others do.
    """
    everything = range(len(sizes))[::-1]
    stack, hoped = _simplify(sizes, graph, payload, count, everything if within is None else within)
    registers = [-1] * len(sizes)
    file = RegisterFile(payload, count)
    for n, node in enumerate(hoped):
        first = file.place(node, sizes[node], graph[node])
        if first is None:
            return Colouring(registers, node, hoped[:n][::-1] + hoped[n:][::-1])
        registers[node] = first
    if within is not None:
        stack, _ = _simplify(sizes, graph, payload, count, everything)
    for node in reversed(stack):
        registers[node] = file.place(node, sizes[node], graph[node]) or 0  # p and q: there always is one
    return Colouring(registers, None, [])


def _simplify(
    sizes: Sequence[int], graph: Sequence[int], payload: int, count: int, waiting: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Those of some that always find registers, as they are pushed; the others, which are pushed in hope, downwards.

    A pass goes down the numbers; one that may be pushed only since the pass went by waits for the next.
    """
    left = together(waiting)
    pairs = together(node for node in waiting if sizes[node] != 1)
    stack: list[int] = []
    pushed = -1
    while pushed < len(stack):
        pushed = len(stack)
        stay = []
        for node in waiting:
            size, near = sizes[node], graph[node] & left
            two = (near & pairs).bit_count() if pairs else 0
            taken = Q[size][1] * (payload + near.bit_count() - two) + Q[size][2] * two
            if taken < count + 1 - size:
                stack.append(node)
                left ^= 1 << node
            else:
                stay.append(node)
        waiting = stay
    return stack, list(waiting)
