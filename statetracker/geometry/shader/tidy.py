"""The last passes: unread values are removed, and so are moves of values that are made for the move only."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from statetracker.geometry.program import CONTROL_FLOW, READ_MASKS, Destination, Instruction, Program, Source

#: Instructions whose result is not made channel by channel: they write the channels they write.
_WHOLE: Final = frozenset({"tex", "surface", "pull_load", "array_read"})


def tidy(program: Program) -> Program:
    """Remove values that are never read, make values where they are moved to, and number the registers from 0."""
    lines = _coalesced(program, needed(program))
    return _numbered(program, needed(program._replace(instructions=tuple(lines))))


def needed(program: Program) -> list[Instruction]:
    """Return the instructions that something outside depends on, with only the channels that are read."""
    lines = program.instructions
    writers = defaultdict[int, list[int]](list)
    for ip, one in enumerate(lines):
        if one.dst is not None:
            writers[one.dst.reg].append(ip)
    read = defaultdict[int, int](int)
    keep: set[int] = set()
    work = [ip for ip, one in enumerate(lines) if one.dst is None]
    while work:
        ip = work.pop()
        if ip in keep:
            continue
        keep.add(ip)
        for reg, swizzle in lines[ip].srcs:
            new = READ_MASKS[swizzle] & ~read[reg]
            read[reg] |= new
            if new:
                work += [n for n in writers[reg] if (dst := lines[n].dst) is not None and dst.mask & new]
    return [_trimmed(one, read[one.dst.reg] if one.dst else 0) for ip, one in enumerate(lines) if ip in keep]


def _trimmed(one: Instruction, read: int) -> Instruction:
    """Without the channels that are never read; sources read no more than that."""
    if one.dst is None or one.op in _WHOLE or not one.dst.mask & ~read:
        return one
    mask = one.dst.mask & read
    if one.op.startswith("dp"):
        return one._replace(dst=Destination(one.dst.reg, mask))
    first = next(n for n in range(4) if mask >> n & 1)
    srcs = tuple(
        Source(reg, "".join(letters[n] if mask >> n & 1 else letters[first] for n in range(4)))
        for reg, letters in one.srcs
    )
    return one._replace(dst=Destination(one.dst.reg, mask), srcs=srcs)


class _Mentions:
    """The reads and writes of each register, and the control flow before each instruction."""

    def __init__(self, lines: list[Instruction]) -> None:
        self.uses, self.writes = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        self.block: list[int] = []
        for ip, one in enumerate(lines):
            self.block.append(ip if one.op in CONTROL_FLOW else self.block[-1] if ip else -1)
            for src in one.srcs:
                self.uses[src.reg].append(ip)
            if one.dst is not None:
                self.writes[one.dst.reg].append(ip)

    def alone(self, ip: int, reg: int, to: int) -> bool:
        """Return whether a move is a register's only reader, in the block that made it, with ``to`` untouched since."""
        makers = self.writes[reg]
        if reg == to or self.uses[reg] != [ip] or not makers or not self.block[ip] < makers[0] <= makers[-1] < ip:
            return False
        return not any(makers[0] < n < ip for n in (*self.uses[to], *self.writes[to]))

    def moved(self, ip: int, reg: int, to: int) -> None:
        """Let the makers of a register write another one, and drop the move."""
        self.writes[to] = sorted([*(n for n in self.writes[to] if n != ip), *self.writes[reg]])
        self.writes[reg], self.uses[reg] = [], []


def _coalesced(program: Program, lines: list[Instruction]) -> list[Instruction]:
    """Remove moves of values that are made in the same block and for nothing else: they are made where they go."""
    kept: list[Instruction | None] = list(lines)
    mentions = _Mentions(lines)
    for ip in range(len(lines)):
        move = kept[ip]
        if move is None or move.op != "mov" or move.predicated or len(move.srcs) != 1 or move.dst is None:
            continue
        (reg, letters), to = move.srcs[0], move.dst
        if {reg, to.reg} & program.relative or not mentions.alone(ip, reg, to.reg):
            continue
        makers = mentions.writes[reg]
        made = _moved([kept[n] for n in makers], to, letters)
        if made is not None:
            for n, new in zip(makers, made, strict=True):
                kept[n] = new
            kept[ip] = None
            mentions.moved(ip, reg, to.reg)
    return [one for one in kept if one is not None]


def _moved(makers: list[Instruction | None], to: Destination, letters: str) -> list[Instruction] | None:
    """Makers of a value that write where it is moved to; None where they cannot."""
    channels = [n for n in range(4) if to.mask >> n & 1]
    same = all("xyzw"[n] == letters[n] for n in channels)
    moved = []
    for one in makers:
        if one is None or one.dst is None or one.predicated:
            return None
        if same and not one.dst.mask & ~to.mask:
            moved.append(one._replace(dst=Destination(to.reg, one.dst.mask)))
            continue
        alone = len(makers) == len(channels) == one.dst.mask.bit_count() == 1
        if not alone or one.op in _WHOLE:
            return None
        at = one.dst.mask.bit_length() - 1
        srcs = one.srcs if one.op.startswith("dp") else tuple(Source(reg, text[at] * 4) for reg, text in one.srcs)
        moved.append(one._replace(dst=Destination(to.reg, to.mask), srcs=srcs))
    return moved


def _numbered(program: Program, lines: list[Instruction]) -> Program:
    """Assign numbers to registers in the order of their first mention."""
    number: dict[int, int] = {}
    for one in lines:
        for reg in (*((one.dst.reg,) if one.dst else ()), *(src.reg for src in one.srcs)):
            number.setdefault(reg, len(number))
    made = tuple(
        one._replace(
            dst=one.dst and Destination(number[one.dst.reg], one.dst.mask),
            srcs=tuple(Source(number[src.reg], src.swizzle) for src in one.srcs),
        )
        for one in lines
    )
    sizes = sorted(number, key=lambda reg: number[reg])
    relative = frozenset(number[reg] for reg in program.relative if reg in number)
    return Program(tuple(program.vgrf_sizes[reg] for reg in sizes), made, relative)
