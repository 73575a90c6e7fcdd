"""Interference that follows spills: who is alive together with whom, without working out the whole program again.

A spill shifts every later instruction, so intervals are kept in keys that do not shift: each instruction as given has
room for loads before it and a store after it. What a spill leaves alone is data flow: channels of different registers
never meet in it, so only fresh registers need intervals. Source: docs/geometry.md, Spilling.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

from statetracker.geometry.allocate import neighbours
from statetracker.geometry.liveness import blocks, channels_entering, live_intervals
from statetracker.geometry.program import CONTROL_FLOW

if TYPE_CHECKING:
    from statetracker.geometry.program import Program
    from statetracker.geometry.spill import Fresh

__all__ = ["Interference"]


class Interference:
    """Live intervals and neighbours of a program's registers, those of spills included.

    near       of each register its neighbours by increasing number; spilled ones stay in the lists of others
    lower      how many of these have a lower number
    start, end in keys: instruction ip is at ``key(ip)``
    gone       whether a register has been spilled
    """

    def __init__(self, program: Program) -> None:
        intervals = live_intervals(program)
        lines = program.instructions
        self.room = max((len(one.srcs) for one in lines), default=0)  # keys for loads, before each instruction
        self.stride = self.room + 2
        self.sizes = list(program.vgrf_sizes)
        self.near = neighbours(intervals)
        self.lower = [bisect_left(near, node) for node, near in enumerate(self.near)]
        self.start = [self.key(one.start) for one in intervals]
        self.end = [self.key(one.end) if one.end >= 0 else -1 for one in intervals]
        self.gone = [False] * len(intervals)
        self.loads = [0] * len(lines)
        self.alive: list[list[int]] = [[] for _ in lines]
        change = [0] * (len(lines) + 1)
        for node, (first, last) in enumerate(intervals):
            for ip in range(first, last + 1):
                self.alive[ip].append(node)
            if last > first:
                change[first] += program.vgrf_sizes[node]
                change[last] -= program.vgrf_sizes[node]
        self.after = list(accumulate(change))[: len(lines)]  # GRFs alive between an instruction and what follows
        self.before = [0, *self.after[:-1]]  # and just before it, its loads included
        self._blocks = blocks(lines)
        self._entering = channels_entering(program, self._blocks)
        self._first = {block.start: n for n, block in enumerate(self._blocks)}
        self._at = [0] * len(lines)
        for n, block in enumerate(self._blocks):
            self._at[block.start : block.end + 1] = [n] * (block.end + 1 - block.start)
        self._reach = self._reaching()
        self._floating: list[int] = []
        self.refuses = [False] * len(intervals)  # spilling these changes the blocks
        for one in lines:
            if one.op in {"endif", "do"}:
                for src in one.srcs:
                    self.refuses[src.reg] = True
            if one.op in CONTROL_FLOW and one.dst is not None:
                self.refuses[one.dst.reg] = True

    def key(self, ip: int) -> int:
        """Where an instruction stands."""
        return ip * self.stride + self.room

    def _reaching(self) -> list[tuple[int, int]]:
        """Of each block: the first block among it and those from which it can be reached; the last ip among those."""
        first = list(range(len(self._blocks)))
        last = [-1] * len(self._blocks)
        changed = True
        while changed:
            changed = False
            for n, block in enumerate(self._blocks):
                far = max(block.end, last[n])
                for after in block.next:
                    if first[n] < first[after] or far > last[after]:
                        first[after], last[after] = min(first[n], first[after]), max(far, last[after])
                        changed = True
        return list(zip(first, last, strict=True))

    def remove(self, node: int) -> list[int]:
        """Take a register away; its neighbours until now."""
        self.gone[node] = True
        near, self.near[node] = self.near[node], []
        self.lower[node] = 0
        self._press(node, -self.sizes[node])
        self.start[node], self.end[node] = self.key(1 << 30), -1
        return [other for other in near if not self.gone[other]]

    def _press(self, node: int, size: int) -> None:
        """Count a register where it is alive."""
        (first, offset), (last, until) = divmod(self.start[node], self.stride), divmod(self.end[node], self.stride)
        before, after = self.before, self.after
        for ip in range(first + (offset >= self.room), last + (until >= self.room)):
            before[ip] += size
        for ip in range(first + (offset > self.room), last + (until > self.room)):
            after[ip] += size

    def begins_earlier(self, ip: int) -> list[tuple[int, list[int]]]:
        """Tell of the first load before an instruction: where a block begins with it, what enters begins earlier.

        Only where nothing runs into the block, as at the program's start. Gives these, each with its new neighbours.
        """
        self.loads[ip] += 1
        block = self._first.get(ip)
        if self.loads[ip] > 1 or block is None:
            return []
        here, entering = self.key(ip), self._entering[block]
        moved = [
            node
            for node in self.alive[ip]
            if self.start[node] == here
            and not self.gone[node]
            and (node in self._floating if node >= len(self.refuses) else entering >> 4 * node & 15)
        ]
        return [(node, self._move(node, here - self.room)) for node in moved]

    def _move(self, node: int, start: int) -> list[int]:
        """Let a register begin earlier; its new neighbours."""
        self._press(node, -self.sizes[node])
        old, self.start[node] = self.start[node], start
        self._press(node, self.sizes[node])
        known = set(self.near[node])
        found = []
        for other in self.alive[old // self.stride]:
            if other != node and other not in known and not self.gone[other] and self._meet(node, other):
                found.append(other)
                for a, b in ((node, other), (other, node)):
                    at = bisect_left(self.near[a], b)
                    self.near[a].insert(at, b)
                    self.lower[a] += b < a
        return found

    def _meet(self, a: int, b: int) -> bool:
        return self.end[a] > self.start[b] and self.end[b] > self.start[a]

    def add(self, fresh: Fresh) -> list[int]:
        """Take in a register that a spill made, numbers increasing; its neighbours."""
        ip, here = fresh.ip, self.key(fresh.ip)
        load = here - self.room + self.loads[ip] - 1
        start, end = (here, here + 1) if fresh.write else (load, here)
        if fresh.write and fresh.predicated:  # defines nothing: alive from wherever the place can be reached
            first, last = self._reach[self._at[ip]]
            begin = self._blocks[first].start
            start = self.key(begin) - (self.room if self.loads[begin] else 0)
            end = max(end, self.key(last))
            self._floating.append(fresh.reg)
        node = len(self.start)
        self.start.append(start)
        self.end.append(end)
        self.gone.append(False)
        self.sizes.append(1)
        span = range(start // self.stride, end // self.stride + 1)
        if len(span) == 1:
            alive = self.alive[ip]
            near = [b for b in alive if self.end[b] > start and self.start[b] < end]
            if 2 * len(near) < len(alive):
                self.alive[ip] = [b for b in alive if not self.gone[b]]
        else:
            near = [b for b in range(node) if self.end[b] > start and self.start[b] < end]
        for place in span:
            self.alive[place].append(node)
        self.near.append(near)
        self.lower.append(len(near))
        for other in near:
            self.near[other].append(node)
        self._press(node, 1)
        return near.copy()
