"""Which registers are alive together, and how many that takes at each instruction.

See docs/geometry.md.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from statetracker.geometry.allocator.liveness import live_intervals
from statetracker.geometry.allocator.spilling import insert_spill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.allocator.liveness import Interval
    from statetracker.geometry.program import Program


def interfere(a: Interval, b: Interval) -> bool:
    """Whether two registers, a and b, are alive together.

    A value last read where another is written may share its register.
    """
    return a.end > b.start and b.end > a.start


def neighbours(intervals: Sequence[Interval]) -> list[int]:
    """Of each virtual register, by its intervals, the set of those that interfere with it, bit n for register n.

    They are those that start before its end, without those that end before its start.
    """
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


def pressure(program: Program, intervals: Sequence[Interval]) -> list[int]:
    """GRFs alive at each ip of a program, without the payload: what an instruction reads, writes and leaves for later.

    intervals   of its virtual registers, of `live_intervals`

    A register that ends where another starts counts once: they may be the same. The greatest is a lower bound.
    """
    count = len(program.instructions)
    change, begins, points = [0] * (count + 1), [0] * (count + 1), [0] * (count + 1)
    for size, (start, end) in zip(program.vgrf_sizes, intervals, strict=True):
        if end > start:
            change[start] += size
            begins[start] += size
            change[end] -= size
        elif end >= 0:  # written and never read: alive for an instant, beside what was alive before
            points[start] = max(points[start], size)
    return [
        max(now, now - begun + point) for now, begun, point in zip(accumulate(change), begins, points, strict=True)
    ][:count]


class Interference:
    """A program that is being spilled, and its registers' neighbours, computed again after each spill.

    program   as it is now
    sizes     of its registers
    graph     `neighbours`
    """

    sizes: Sequence[int]

    def __init__(self, program: Program, slot: int) -> None:
        self._given, self._slot = program, slot
        self.sizes = program.vgrf_sizes
        self._intervals = live_intervals(program)
        self.graph = neighbours(self._intervals)

    @property
    def program(self) -> Program:
        """The program as it is now."""
        return self._given

    def spill(self, victim: int) -> Sequence[int] | None:
        """Put a register into the next scratch slot; the registers made, None where others may be harder to colour."""
        Interference.__init__(self, insert_spill(self._given, victim, self._slot), self._slot + 1)
        return None
