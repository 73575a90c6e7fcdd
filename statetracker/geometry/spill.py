"""Spilling: what it costs, which register goes, and the scratch reads and writes put in its place.

Costs and benefits are single precision, rounded after every step: near ties depend on it.
Source: docs/geometry.md, Spilling.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.geometry.allocate import Q
from statetracker.geometry.program import MASKS, READ_MASKS, Destination, Instruction, Program, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SCRATCH_READ_MRF", "SCRATCH_WRITE_MRF", "URB_WRITE_MRF", "choose_victim", "insert_spill", "spill_costs"]

#: Message registers, first and last. Writes of output stay below those of a scratch read: it may come in between.
SCRATCH_READ_MRF: Final = (14, 15)
SCRATCH_WRITE_MRF: Final = (13, 15)
URB_WRITE_MRF: Final = (1, 13)

_SINGLE: Final = Struct("f")


def _single(value: float) -> float:
    """Round to single precision; too large gives infinity."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    except OverflowError:
        return float("inf")
    return rounded


def spill_costs(program: Program) -> list[float]:
    """Cost of spilling each virtual register: its reads and writes, ten times as much in a loop; 0: not possible."""
    cost = [0.0] * len(program.vgrf_sizes)
    never = {reg for reg, size in enumerate(program.vgrf_sizes) if size != 1} | program.relative
    scale = 1.0
    for one in program.instructions:
        for src in one.srcs:
            cost[src.reg] = _single(cost[src.reg] + scale)
        if one.dst is not None:
            cost[one.dst.reg] = _single(cost[one.dst.reg] + scale)
        if one.scratch:
            never.update(src.reg for src in one.srcs)
            never.update((one.dst.reg,) if one.dst is not None else ())
        if one.op == "do":
            scale = _single(scale * 10.0)
        elif one.op == "while":
            scale = _single(scale / 10.0)
    for reg in never:
        if reg < len(cost):
            cost[reg] = 0.0
    return cost


class _Benefits:
    """Sums of q / p, one addend after another in single precision; steps seen before are looked up."""

    def __init__(self, count: int) -> None:
        p = (0, count, count - 1)
        self.quotient = [[_single(Q[a][b] / p[a]) if a else 0.0 for b in range(3)] for a in range(3)]
        self.steps: dict[tuple[float, float], float] = {}

    def of(self, size: int, sizes: Sequence[int], near: Sequence[int], payload: int) -> float:
        total, steps, quotient = 0.0, self.steps, self.quotient[size]
        for addend in [*[quotient[sizes[m]] for m in near], *[quotient[1]] * payload]:
            key = (total, addend)
            after = steps.get(key)
            if after is None:
                after = steps[key] = _single(total + addend)
            total = after
        return total


def choose_victim(
    program: Program, graph: Sequence[Sequence[int]], candidates: Sequence[int], payload: int, count: int
) -> int | None:
    """The candidate whose spilling frees most for its cost; the first of equals; None where none can be spilled."""
    cost = spill_costs(program)
    sizes = program.vgrf_sizes
    benefits = _Benefits(count)
    best, victim = 0.0, None
    for node in candidates:
        if cost[node] > 0.0:
            worth = _single(benefits.of(sizes[node], sizes, graph[node], payload) / cost[node])
            if worth > best:
                best, victim = worth, node
    return victim


_LETTERS: Final = {bits: letters for letters, bits in MASKS.items()}


def _store_swizzle(mask: int) -> str:
    """Each written channel itself; for the others the first written one, so that liveness stays exact."""
    written = _LETTERS[mask]
    return "".join(one if one in written else written[0] for one in "xyzw")


def insert_spill(program: Program, victim: int, slot: int) -> Program:
    """Put a virtual register into a scratch slot.

    Each use reads it into a fresh register just before; each write goes to a fresh register, stored just after.
    The victim keeps its number, without a reference. Fresh numbers: sources left to right, then the destination.
    """
    sizes = list(program.vgrf_sizes)
    lines: list[Instruction] = []
    for ip, one in enumerate(program.instructions):
        origin = one.origin if one.origin >= 0 else ip
        changed = one if one.origin >= 0 else one._replace(origin=origin)
        if all(src.reg != victim for src in one.srcs) and (one.dst is None or one.dst.reg != victim):
            lines.append(changed)
            continue
        srcs = []
        for src in one.srcs:
            if src.reg == victim:
                fresh = Destination(len(sizes), READ_MASKS[src.swizzle])
                sizes.append(1)
                lines.append(Instruction("scratch_read", fresh, slot=slot, origin=origin))
                srcs.append(Source(fresh.reg, src.swizzle))
            else:
                srcs.append(src)
        changed = changed._replace(srcs=tuple(srcs))
        if one.dst is not None and one.dst.reg == victim:
            stored = Source(len(sizes), _store_swizzle(one.dst.mask))
            lines.append(changed._replace(dst=Destination(len(sizes), one.dst.mask)))
            sizes.append(1)
            lines.append(Instruction("scratch_write", None, (stored,), one.predicated, slot, origin))
        else:
            lines.append(changed)
    return Program(tuple(sizes), tuple(lines), program.relative)
