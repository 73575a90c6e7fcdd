"""Live intervals of virtual registers, which of them are alive together, and how many registers that takes.

Channels are followed through basic blocks; then each register has one interval. An instruction's number is its ip.
A channel lives from where it is first to where it is last read or written, and wherever data flow carries it.
Source: docs/geometry.md, Liveness.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.geometry.allocator.colouring import members
from statetracker.geometry.program import CONTROL_FLOW, READ_MASKS, jumps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statetracker.geometry.program import Instruction, Program


class Interval(NamedTuple):
    """The ip at which a virtual register is first alive (start), and last (end)."""

    start: int
    end: int


#: Of a register that is never referenced: it meets no other.
NEVER: Final = Interval(1 << 30, -1)


class BasicBlock(NamedTuple):
    """A basic block: ips ``start`` to ``end`` (inclusive) and the numbers of the blocks that may follow."""

    start: int
    end: int
    next: list[int]


def blocks(instructions: Sequence[Instruction]) -> list[BasicBlock]:
    """Return the basic blocks in order, with their edges. The last one may be empty."""
    flow = [(ip, one) for ip, one in enumerate(instructions) if one.op in CONTROL_FLOW]
    starts = sorted({0, *(ip + (one.op not in {"endif", "do"}) for ip, one in flow)})
    number = {start: n for n, start in enumerate(starts)}
    jumps = jumps_of(instructions)
    cfg = []
    for n, start in enumerate(starts):
        end = (starts[n + 1] if n + 1 < len(starts) else len(instructions)) - 1
        after: list[int] = []
        if end >= start:
            last = instructions[end]
            leaves = last.op in {"else", "while"} or (last.op in {"break", "continue"} and not last.predicated)
            after = [n + 1] if n + 1 < len(starts) and not leaves else []
            after += [number[jumps[end]]] if end in jumps else []
        cfg.append(BasicBlock(start, end, after))
    return cfg


def _uses_and_defs(program: Program, block: BasicBlock) -> tuple[int, int]:
    """Channels read before they are defined, and defined before they are read; bit 4 * vgrf + channel."""
    use = define = 0
    for one in program.instructions[block.start : block.end + 1]:
        for reg, swizzle in one.srcs:
            use |= (READ_MASKS[swizzle] << 4 * reg) & ~define
        if one.dst is not None and not one.predicated and program.vgrf_sizes[one.dst.reg] == 1:
            define |= (one.dst.mask << 4 * one.dst.reg) & ~use
    return use, define


def _flow(program: Program, cfg: list[BasicBlock]) -> tuple[list[int], list[int]]:
    """Return the backward fixpoint: channels alive into and out of each block."""
    facts = [_uses_and_defs(program, block) for block in cfg]
    into, out = [0] * len(cfg), [0] * len(cfg)
    changed = True
    while changed:
        changed = False
        for n in range(len(cfg) - 1, -1, -1):
            leaving = 0
            for after in cfg[n].next:
                leaving |= into[after]
            use, define = facts[n]
            entering = use | (leaving & ~define)
            if entering != into[n] or leaving != out[n]:
                into[n], out[n], changed = entering, leaving, True
    return into, out


def _registers(channels: int) -> Iterable[int]:
    """Numbers of the virtual registers of which some channel is set, in order."""
    return dict.fromkeys(channel // 4 for channel in members(channels))


def live_intervals(program: Program) -> list[Interval]:
    """Return the live interval of every virtual register of a program; `NEVER` for one without a reference."""
    start, end = [NEVER.start] * len(program.vgrf_sizes), [NEVER.end] * len(program.vgrf_sizes)

    def touch(reg: int, ip: int) -> None:
        start[reg] = min(start[reg], ip)
        end[reg] = max(end[reg], ip)

    for ip, one in enumerate(program.instructions):
        for src in one.srcs:
            touch(src.reg, ip)
        if one.dst is not None:
            touch(one.dst.reg, ip)
    cfg = blocks(program.instructions)
    into, out = _flow(program, cfg)
    seen = 0
    for block, entering in zip(cfg, into, strict=True):  # the first block that a channel enters decides
        for reg in _registers(entering & ~seen):
            touch(reg, block.start)
        seen |= entering
    seen = 0
    for block, leaving in zip(reversed(cfg), reversed(out), strict=True):  # and the last that it leaves
        for reg in _registers(leaving & ~seen):
            touch(reg, block.end)
        seen |= leaving
    return [Interval(*one) for one in zip(start, end, strict=True)]


def interfere(a: Interval, b: Interval) -> bool:
    """Return whether two registers, a and b, are alive together.

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

    A register that ends where another starts counts once: they may be the same. The greatest is a lower bound.

    Args:
        program: Of the back end.
        intervals: Of its virtual registers, of `live_intervals`.
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
