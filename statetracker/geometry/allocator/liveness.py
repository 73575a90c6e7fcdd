"""Live intervals of virtual registers: channels followed through basic blocks, then one interval a register.

An instruction's number is its ip. A channel lives from where it is first to where it is last read or written, and
wherever data flow carries it. Source: docs/geometry.md, Liveness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.geometry.program import READ_MASKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.program import Instruction, Program


class Interval(NamedTuple):
    """The ip at which a virtual register is first alive (start), and last (end)."""

    start: int
    end: int


#: Of a register that is never referenced: it meets no other.
NEVER: Final = Interval(1 << 30, -1)


class BasicBlock:
    """A basic block: ips ``start`` to ``end`` (inclusive) and the numbers of the blocks that may follow."""

    __slots__ = ("end", "next", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start - 1
        self.next: list[int] = []


class _Builder:
    """The walk that cuts a program into blocks and links them."""

    def __init__(self) -> None:
        self.blocks = [BasicBlock(0)]
        self.ifs: list[list[int]] = []  # block of the if, then that of the else if there is one
        self.loops: list[tuple[int, list[int]]] = []  # block of the do, blocks that break

    def cut(self, ip: int, *, falls: bool) -> int:
        """Begin a block at ``ip``; ``falls``: the one before runs into it. The number of the new one."""
        self.blocks[-1].end = ip - 1
        self.blocks.append(BasicBlock(ip))
        here = len(self.blocks) - 1
        if falls:
            self.blocks[here - 1].next.append(here)
        return here

    def before(self, ip: int, op: str) -> None:
        """Begin a block at an endif or a do, unless one has just begun."""
        here = len(self.blocks) - 1
        if self.blocks[-1].start != ip:
            here = self.cut(ip, falls=True)
        if op == "do":
            self.loops.append((here, []))
        else:
            for one in self.ifs.pop()[-1:]:
                self.blocks[one].next.append(here)

    def after(self, ip: int, one: Instruction) -> None:
        """End a block at an if, else, break, continue or while."""
        here = len(self.blocks) - 1
        if one.op == "if":
            self.ifs.append([here])
            self.cut(ip + 1, falls=True)
        elif one.op == "else":
            begun = self.cut(ip + 1, falls=False)
            self.blocks[self.ifs[-1][0]].next.append(begun)
            self.ifs[-1].append(here)
        elif one.op == "while":
            do, breaks = self.loops.pop()
            self.blocks[here].next.append(do)
            begun = self.cut(ip + 1, falls=False)  # a loop is left through a break only
            for block in breaks:
                self.blocks[block].next.append(begun)
        else:
            do, breaks = self.loops[-1]
            if one.op == "break":
                breaks.append(here)
            else:
                self.blocks[here].next.append(do)
            self.cut(ip + 1, falls=one.predicated)


def blocks(instructions: Sequence[Instruction]) -> list[BasicBlock]:
    """The basic blocks in order, with their edges. The last one may be empty."""
    builder = _Builder()
    for ip, one in enumerate(instructions):
        if one.op in {"endif", "do"}:
            builder.before(ip, one.op)
        elif one.op in {"if", "else", "while", "break", "continue"}:
            builder.after(ip, one)
    builder.blocks[-1].end = len(instructions) - 1
    return builder.blocks


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
    """The backward fixpoint: channels alive into and out of each block."""
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


def _registers(channels: int) -> list[int]:
    """Numbers of the virtual registers of which some channel is set, in order."""
    regs = []
    while channels:
        reg = ((channels & -channels).bit_length() - 1) // 4
        regs.append(reg)
        channels &= -1 << 4 * reg + 4
    return regs


def live_intervals(program: Program) -> list[Interval]:
    """The live interval of every virtual register of a program; `NEVER` for one without a reference."""
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
