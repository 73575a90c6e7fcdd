"""Register allocation with spilling: colour, choose a victim, spill, and begin again.

A spill shifts every later instruction, so what is alive is kept by the gaps of the program as given: gap ``2 * ip``
before an instruction, behind the loads of spills; gap ``2 * ip + 1`` behind it, before its store. Two registers
interfere where they are alive in the same gap. Source: docs/geometry.md, Allocation and Spilling.
"""

from __future__ import annotations

from itertools import accumulate
from operator import xor
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.geometry.allocator.colouring import colour, members, together
from statetracker.geometry.allocator.liveness import blocks, live_intervals, neighbours, pressure
from statetracker.geometry.allocator.spilling import Rewriting, Victims
from statetracker.geometry.program import CONTROL_FLOW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.geometry.allocator.liveness import BasicBlock
    from statetracker.geometry.allocator.spilling import Fresh
    from statetracker.geometry.program import Program

#: Registers that are looked at in all, again after every spill: some ten seconds. No shader comes near.
MOST_WORK: Final = 4_000_000
#: Why an allocation fails.
FAILURES: Final[Mapping[str, str]] = {
    "payload": "the payload alone needs more registers than there are",
    "would_spill": "some value finds no register, and spilling is not allowed in this mode",
    "no_register_to_spill": "some value finds no register, and nothing is left that can be spilled",
    "too_long": f"spilling takes too long: more than {MOST_WORK:,} registers to look at, again after every spill",
}


class Allocation(NamedTuple):
    """The outcome of allocating registers.

    Attributes:
        reason: None, or the key of `FAILURES`.
        program: The program after spilling.
        registers: First GRF of each of its virtual registers; -1 where it failed.
        spills: Victims in order; numbers from the initial count on are registers made by earlier spills.
        scratch_slots: Those of arrays and of spills.
        total_grf: GRFs used, the payload included.
    """

    reason: str | None
    program: Program
    registers: list[int]
    spills: list[int]
    scratch_slots: int
    total_grf: int

    @property
    def ok(self) -> bool:
        """True where every value has its registers."""
        return self.reason is None


def allocate(
    program: Program, payload_registers: int, *, count: int = 112, spilling: bool = True, slots: int = 0
) -> Allocation:
    """Return a program's values registers, spilling where that is allowed.

    Args:
        program: Of the back end.
        payload_registers: GRFs from 0 on that the payload takes.
        count: Registers of the file.
        spilling: False: where registers do not suffice, the answer is ``would_spill``.
        slots: Scratch slots already taken.

    Raises:
        ArgumentError: A file of fewer than 2 registers.
    """
    if count < 2:
        raise ArgumentError("count", count, accepted="2 registers or more: a pair needs them")
    if payload_registers > count:
        return Allocation("payload", program, [], [], slots, 0)
    values = Spilling(program, slots)
    victims = Victims(program, payload_registers, count)
    spills: list[int] = []
    within: Sequence[int] | None = None
    work = spare = 0
    while True:
        colouring = colour(values.sizes, values.graph, payload_registers, count, within)
        if colouring.failed is None:
            reason = None
            break
        if not spilling:
            reason = "would_spill"
            break
        victim = victims.take(values.sizes, values.graph, colouring.candidates)
        if victim is None:
            reason = "no_register_to_spill"
            break
        work += len(values.sizes)
        if not spills:  # each frees one where most are alive, and makes two
            spare = payload_registers + max(pressure(program, live_intervals(program))) - count
        if max(work, spare * (len(program.vgrf_sizes) + spare)) > MOST_WORK:
            reason = "too_long"
            break
        spills.append(victim)
        made = values.free(victim)
        within = None if made is None else sorted({*colouring.candidates, *made} - {victim}, reverse=True)
    ends = [at + size for at, size in zip(colouring.registers, values.sizes, strict=True)]
    used = 0 if reason else max([payload_registers, *ends])
    spilled = values.program() if spills else program
    return Allocation(reason, spilled, colouring.registers, spills, slots + len(spills), used)


class Spilling(Rewriting):
    """A program that is being spilled; ``graph`` is `neighbours`."""

    def __init__(self, program: Program, slot: int) -> None:
        super().__init__(program, slot)
        self._intervals = live_intervals(program)
        self.graph = neighbours(self._intervals)
        self._alive: list[int] = []  # the set of registers alive in each gap, from the first spill on

    def free(self, victim: int) -> Sequence[int] | None:
        """Put a register into the next scratch slot; the registers made, None where others may be harder to colour.

        None are while each one made has its place among neighbours of the victim that all meet.
        """
        if not self._alive:
            self._begin()
        made = self.spill(victim)
        if victim in self._elsewhere:
            Spilling.__init__(self, self.program(), self.slot)
            return None
        graph = self.graph
        before, inside = graph[victim], True
        for other in members(before):
            graph[other] ^= 1 << victim
        graph[victim] = 0
        self._referenced ^= 1 << victim
        for one in made:
            near = self._put(one)
            inside &= not (near & ~before or (one.write and one.predicated))
            graph.append(near)
            for other in members(near):
                graph[other] |= 1 << one.reg
            self._referenced |= 1 << one.reg
        return [one.reg for one in made] if inside else None

    def _put(self, one: Fresh) -> int:
        """Make a register of a spill alive in its gaps; the set of those already alive there."""
        gaps, near = range(2 * one.ip + one.write, 2 * one.ip + one.write + 1), 0
        if one.write and one.predicated:  # defines nothing: alive from wherever the instruction can be reached
            first, last = self._reach[self._block[one.ip]]
            gaps = range(2 * first + 1, max(gaps.stop, 2 * last + 1))
            near = together(node for node, ip in self._instants if first < ip and 2 * ip + 1 < gaps.stop)
        for gap in gaps:
            near |= self._alive[gap]
            self._alive[gap] |= 1 << one.reg
        return near & self._referenced

    def _begin(self) -> None:
        """Compute which registers are alive in each gap."""
        program, intervals = self.given, self._intervals
        self._referenced = (1 << len(intervals)) - 1
        change = [0] * (2 * len(program.instructions) + 2)
        for node, one in enumerate(intervals):
            if one.end > one.start:
                change[2 * one.start + 1] ^= 1 << node
                change[2 * one.end + 1] ^= 1 << node
        self._alive = list(accumulate(change, xor))
        self._instants = [(node, one.start) for node, one in enumerate(intervals) if one.end == one.start]
        cfg = blocks(program.instructions)
        self._elsewhere = _elsewhere(program, cfg)
        self._block = [n for n, block in enumerate(cfg) for _ in range(block.start, block.end + 1)]
        self._reach = _reaching(cfg)


def _elsewhere(program: Program, cfg: Sequence[BasicBlock]) -> set[int]:
    """Return registers of which a load or a store begins or ends a block, which changes where others are alive."""
    entered = {0, *(block.start for n, block in enumerate(cfg) if n not in cfg[n - 1].next)}
    registers: set[int] = set()
    for ip, one in enumerate(program.instructions):
        if ip in entered or one.op in {"endif", "do"}:
            registers.update(src.reg for src in one.srcs)
        if one.op in CONTROL_FLOW and one.dst is not None:
            registers.add(one.dst.reg)
    return registers


def _reaching(cfg: Sequence[BasicBlock]) -> list[tuple[int, int]]:
    """Of each block: the first ip of it and those from which it can be reached; the last ip of the latter."""
    first, last = [block.start for block in cfg], [-1] * len(cfg)
    changed = True
    while changed:
        changed = False
        for n, block in enumerate(cfg):
            far = max(block.end, last[n])
            for after in block.next:
                if first[n] < first[after] or far > last[after]:
                    first[after], last[after] = min(first[n], first[after]), max(far, last[after])
                    changed = True
    return list(zip(first, last, strict=True))
