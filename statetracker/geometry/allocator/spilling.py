"""Spilling: its costs, the choice of the victim, and the scratch reads and writes that replace it.

Costs and benefits are single precision, rounded after every step: near ties depend on it.
Source: docs/geometry.md, Spilling.
"""

from __future__ import annotations

from math import frexp, ldexp
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.geometry.allocator.colouring import Q, members, together
from statetracker.geometry.program import MASKS, READ_MASKS, Destination, Instruction, Program, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

_SINGLE: Final = Struct("f")


def rounded(value: float) -> float:
    """Round to single precision; too large gives infinity."""
    rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]  # in native form, which has no bound to complain of
    return rounded


def spill_costs(program: Program) -> list[float]:
    """Cost of spilling each virtual register of a program; 0: not possible.

    Its reads and writes, ten times as much in a loop.
    """
    cost = [0.0] * len(program.vgrf_sizes)
    never = {reg for reg, size in enumerate(program.vgrf_sizes) if size != 1} | program.relative
    scale = 1.0
    for one in program.instructions:
        for src in one.srcs:
            cost[src.reg] = rounded(cost[src.reg] + scale)
        if one.dst is not None:
            cost[one.dst.reg] = rounded(cost[one.dst.reg] + scale)
        if one.scratch:
            never.update(src.reg for src in one.srcs)
            never.update((one.dst.reg,) if one.dst is not None else ())
        if one.op == "do":
            scale = rounded(scale * 10.0)
        elif one.op == "while":
            scale = rounded(scale / 10.0)
    for reg in never:
        if reg < len(cost):
            cost[reg] = 0.0
    return cost


class Victims:
    """The choice of the next victim; a spilled register, and one that a spill made, is no candidate.

    What a register frees is q / p of every neighbour, in their order, then of each payload register.
    """

    def __init__(self, program: Program, payload: int, count: int) -> None:
        self._cost, self._payload = spill_costs(program), payload
        self._quotient = [rounded(q / count) for q in Q[1]]  # pairs are never spilled
        self._sums: dict[tuple[float, int], float] = {}

    def take(self, sizes: Sequence[int], graph: Sequence[int], candidates: Sequence[int]) -> int | None:
        """Return the candidate whose spilling frees most for its cost, or the first of them; None: there is none."""
        pairs = together(node for node, size in enumerate(sizes) if size != 1)
        best, victim = 0.0, None
        tried: set[tuple[float, int]] = set()
        for node in candidates:
            cost = self._cost[node] if node < len(self._cost) else 0.0
            near = graph[node]
            two, key = near & pairs, (cost, near.bit_count())
            if cost <= 0.0 or (self._at_most(near, two) / cost <= best if two else key in tried):
                continue
            if not two:
                tried.add(key)
            worth = rounded(self._benefit(near, two) / cost)
            if worth > best:
                best, victim = worth, node
        if victim is not None:
            self._cost[victim] = 0.0
        return victim

    def _at_most(self, near: int, two: int) -> float:
        """No less than the benefit: a sum of single precision strays by half a unit in the last place a step."""
        addends = near.bit_count() + self._payload
        return self._quotient[1] * (addends + two.bit_count()) * (1 + addends * 2.0**-23)

    def _benefit(self, near: int, two: int) -> float:
        """Return what a register with these neighbours, some of them pairs, frees."""
        total, passed = 0.0, 0
        for n, pair in enumerate(members(two)):
            below = (near & ((1 << pair) - 1)).bit_count() - n
            total, passed = rounded(self._plus(total, below - passed) + self._quotient[2]), below
        return self._plus(total, near.bit_count() - two.bit_count() - passed + self._payload)

    def _plus(self, total: float, many: int) -> float:
        """Add what so many single registers free, one after another."""
        key = total, many
        if key not in self._sums:
            while many:
                before, total, many = total, rounded(total + self._quotient[1]), many - 1
                if frexp(before)[1] == frexp(total)[1]:  # up to the next power of two, every further step is as long
                    step = rounded(total + self._quotient[1]) - total
                    steps = max(0, min(many, int((ldexp(1.0, frexp(total)[1]) - total) / step) - 1))
                    total, many = total + steps * step, many - steps
            self._sums[key] = total
        return self._sums[key]


_LETTERS: Final = {bits: letters for letters, bits in MASKS.items()}


def _store_swizzle(mask: int) -> str:
    """Each written channel itself; for the others the first written one, so that liveness stays exact."""
    written = _LETTERS[mask]
    return "".join(one if one in written else written[0] for one in "xyzw")


class Fresh(NamedTuple):
    """A register that a spill made.

    Attributes:
        reg: Its number.
        ip: The instruction, of the program as given, that it serves.
        write: It is written there and then stored; else it is loaded and then read there.
        predicated: Of the instruction.
    """

    reg: int
    ip: int
    write: bool
    predicated: bool


class Rewriting:
    """A program whose values go to scratch slots one after another.

    Each use is read into a fresh register just before; each write goes to a fresh register, stored just after.
    A victim keeps its number, without a reference. Fresh numbers: sources left to right, then the destination.
    """

    def __init__(self, program: Program, slot: int) -> None:
        self.given, self.slot = program, slot
        self.sizes = list(program.vgrf_sizes)
        self.changed: dict[int, Instruction] = {}
        self.loads: dict[int, list[Instruction]] = {}
        self.stores: dict[int, Instruction] = {}
        self.places: list[list[int]] = [[] for _ in self.sizes]  # where each register as given is read or written
        for ip, one in enumerate(program.instructions):
            for reg in {src.reg for src in one.srcs} | ({one.dst.reg} if one.dst else set()):
                self.places[reg].append(ip)

    def spill(self, victim: int) -> list[Fresh]:
        """Put a register of the program as given into the next slot; the registers that this makes, in order."""
        made = []
        for ip in self.places[victim]:
            one = self.changed.get(ip, self.given.instructions[ip])
            origin = one.origin if one.origin >= 0 else ip
            srcs = []
            for src in one.srcs:
                if src.reg == victim:
                    made.append(Fresh(len(self.sizes), ip, write=False, predicated=one.predicated))
                    fresh = Destination(self._another(), READ_MASKS[src.swizzle])
                    load = Instruction("scratch_read", fresh, slot=self.slot, origin=origin)
                    self.loads.setdefault(ip, []).append(load)
                    srcs.append(Source(fresh.reg, src.swizzle))
                else:
                    srcs.append(src)
            dst = one.dst
            if dst is not None and dst.reg == victim:
                made.append(Fresh(len(self.sizes), ip, write=True, predicated=one.predicated))
                dst = Destination(self._another(), dst.mask)
                stored = (Source(dst.reg, _store_swizzle(dst.mask)),)
                self.stores[ip] = Instruction("scratch_write", None, stored, one.predicated, self.slot, origin)
            self.changed[ip] = one._replace(dst=dst, srcs=tuple(srcs))
        self.slot += 1
        return made

    def _another(self) -> int:
        self.sizes.append(1)
        return len(self.sizes) - 1

    def program(self) -> Program:
        """Return the program as it is now; a line's ``origin`` is what it stands for in the program as given."""
        lines: list[Instruction] = []
        for ip, given in enumerate(self.given.instructions):
            one = self.changed.get(ip, given)
            lines.extend(self.loads.get(ip, ()))
            lines.append(one if one.origin >= 0 else one._replace(origin=ip))
            if ip in self.stores:
                lines.append(self.stores[ip])
        return Program(tuple(self.sizes), tuple(lines), self.given.relative)


def insert_spill(program: Program, victim: int, slot: int) -> Program:
    """Put a virtual register of a program, the victim, into a scratch slot: see `Rewriting`."""
    rewriting = Rewriting(program, slot)
    rewriting.spill(victim)
    return rewriting.program()
