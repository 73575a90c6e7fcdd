"""Interference that follows spills: who is alive together with whom, without working out the whole program again.

A spill shifts every later instruction, so places are counted in the program as given: ``2 * ip`` is before an
instruction, where its loads are, ``2 * ip + 1`` is the instruction. What a spill leaves alone is data flow: channels of
different registers never meet in it, so only fresh registers need intervals. Source: docs/geometry.md, Spilling.
"""

from __future__ import annotations

from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING

from statetracker.geometry.bits import members
from statetracker.geometry.liveness import blocks, channels_entering, live_intervals
from statetracker.geometry.places import Places
from statetracker.geometry.program import CONTROL_FLOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.liveness import Block
    from statetracker.geometry.program import Program
    from statetracker.geometry.spill import Fresh

__all__ = ["Interference"]


class Interference:
    """Live intervals and neighbours of a program's registers, those of spills included.

    sizes        of the registers
    alive        the set of registers that are referenced
    start, end   places
    refuses      of each register as given, whether spilling it changes the program's blocks
    """

    def __init__(self, program: Program) -> None:
        intervals = live_intervals(program)
        lines = program.instructions
        self.sizes = list(program.vgrf_sizes)
        self.start = [2 * one.start + 1 for one in intervals]
        self.end = [2 * one.end + 1 for one in intervals]
        begin, end = [0] * len(lines), [0] * len(lines)
        self._change = [0] * (2 * len(lines) + 2)  # GRFs alive at a place and after it, less those before
        self._crowded = self._crowd = 0
        self.alive = 0
        for node, one in enumerate(intervals):
            if one.end >= 0:
                self.alive |= 1 << node
                begin[one.start] |= 1 << node
                end[one.end] |= 1 << node
                self._press(node, self.sizes[node])
        self._begun: list[int] = [0, *accumulate(begin, or_)]  # registers as given that begin at an earlier instruction
        self._ended: list[int] = [0, *accumulate(end, or_)]  # ... and that end there
        self._early = [0] * (len(lines) + 1)  # those that begin just before an instruction
        self._fresh = Places(2 * len(lines))  # loaded or stored: alive from one place to the next
        self._floats_from, self._floats_to = Places(2 * len(lines)), Places(2 * len(lines) + 1)  # stored perhaps
        self._floats = False
        self._blocks = blocks(lines)
        self._entering = channels_entering(program, self._blocks)
        self._first = {block.start: n for n, block in enumerate(self._blocks)}
        self._at = [n for n, block in enumerate(self._blocks) for _ in range(block.start, block.end + 1)]
        self._reach = _reaching(self._blocks)
        self.refuses = _refusing(program)

    def near(self, node: int) -> int:
        """The set of a register's neighbours."""
        if not self.alive >> node & 1:
            return 0
        return self._meeting(self.start[node], self.end[node]) & ~(1 << node)

    def _meeting(self, start: int, end: int) -> int:
        """Registers that end after a start and start before an end."""
        begun = self._begun[end >> 1] | self._early[end - 1 >> 1]
        found = begun & ~self._ended[start + 1 >> 1] | self._fresh.between(start, end)
        if self._floats:
            found |= self._floats_from.before(end) & ~self._floats_to.before(start + 1)
        return found & self.alive

    def _press(self, node: int, size: int) -> None:
        """Count a register where it is alive."""
        start, end = self.start[node], self.end[node]
        self._change[start] += size
        self._change[end] -= size
        if start <= self._crowded < end:
            self._crowd += size

    def crowded(self, most: int) -> bool:
        """Whether somewhere between instructions more than ``most`` GRFs are alive."""
        if self._crowd <= most:
            pressure = list(accumulate(self._change))
            self._crowd = max(pressure)
            self._crowded = pressure.index(self._crowd)
        return self._crowd > most

    def remove(self, node: int) -> int:
        """Take a register away; its neighbours until now."""
        near = self.near(node)
        self._press(node, -self.sizes[node])
        self.alive ^= 1 << node
        return near

    def begins_earlier(self, ip: int) -> list[tuple[int, int]]:
        """Tell of a load before an instruction: where a block begins with it, what enters begins earlier.

        Only where nothing runs into the block, as at the program's start. Gives these, each with its new neighbours.
        """
        block = self._first.get(ip)
        if block is None or self._fresh.at[2 * ip]:
            return []
        entering = self._entering[block]
        given = [
            node for node in members((self._begun[ip + 1] & ~self._begun[ip]) & self.alive) if entering >> 4 * node & 15
        ]
        return [(node, self._move(node, ip)) for node in (*given, *self._floats_from.at[2 * ip + 1])]

    def _move(self, node: int, ip: int) -> int:
        """Let a register begin before an instruction, not at it; its new neighbours."""
        known = self.near(node)
        self._press(node, -self.sizes[node])
        self.start[node] = 2 * ip
        if node < len(self.refuses):
            self._early[ip] |= 1 << node
        else:
            self._floats_from.remove(node, 2 * ip + 1)
            self._floats_from.add(node, 2 * ip)
        self._press(node, self.sizes[node])
        return self.near(node) & ~known

    def add(self, fresh: Fresh) -> int:
        """Take in a register that a spill made, numbers increasing; its neighbours."""
        node, ip = fresh.reg, fresh.ip
        start, end = (2 * ip + 1, 2 * ip + 2) if fresh.write else (2 * ip, 2 * ip + 1)
        if fresh.write and fresh.predicated:  # defines nothing: alive from wherever the place can be reached
            first, last = self._reach[self._at[ip]]
            begin = self._blocks[first].start
            start = 2 * begin + (not self._fresh.at[2 * begin])
            end = max(end, 2 * last + 1)
            self._floats = True
            self._floats_from.add(node, start)
            self._floats_to.add(node, end)
        else:
            self._fresh.add(node, start)
        self.start.append(start)
        self.end.append(end)
        self.sizes.append(1)
        self.alive |= 1 << node
        self._press(node, 1)
        return self.near(node)


def _refusing(program: Program) -> list[bool]:
    """Of each register whether a load would fall between blocks, or a store."""
    refuses = [False] * len(program.vgrf_sizes)
    for one in program.instructions:
        if one.op in {"endif", "do"}:
            for src in one.srcs:
                refuses[src.reg] = True
        if one.op in CONTROL_FLOW and one.dst is not None:
            refuses[one.dst.reg] = True
    return refuses


def _reaching(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Of each block: the first block among it and those from which it can be reached; the last ip among those."""
    first = list(range(len(blocks)))
    last = [-1] * len(blocks)
    changed = True
    while changed:
        changed = False
        for n, block in enumerate(blocks):
            far = max(block.end, last[n])
            for after in block.next:
                if first[n] < first[after] or far > last[after]:
                    first[after], last[after] = min(first[n], first[after]), max(far, last[after])
                    changed = True
    return list(zip(first, last, strict=True))
