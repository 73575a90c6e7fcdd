"""A certificate for an allocation, by code of its own: nothing here calls the allocator, its liveness or its spiller.

`faults` checks that registers are in range and clear of the payload, that values alive together do not share one (by
liveness at every instruction, and by intervals), that no write destroys a value still needed, that taking the spills
back gives the program as given, and that interpreting gives equal outputs before, after, and on the GRFs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.geometry.program import READ_MASKS, jumps_of
from tests.geometry.interpreter import first_difference, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry import Allocation
    from statetracker.geometry.program import Instruction, Program

__all__ = ["alive_after", "faults", "spans", "taken_back"]


def _successors(instructions: Sequence[Instruction]) -> list[list[int]]:
    """Instructions that may follow each one."""
    jumps, follow = jumps_of(instructions), []
    for ip, one in enumerate(instructions):
        leaves = one.op in {"else", "while"} or (one.op in {"break", "continue"} and not one.predicated)
        after = ([] if leaves else [ip + 1]) + ([jumps[ip]] if ip in jumps else [])
        follow.append([n for n in after if n < len(instructions)])
    return follow


def alive_after(program: Program) -> tuple[list[int], list[int]]:
    """Channels (bit 4 * vgrf + channel) alive before and after each instruction, by iteration over instructions."""
    lines = program.instructions
    follow = _successors(lines)
    reads = [0] * len(lines)
    kills = [0] * len(lines)
    for ip, one in enumerate(lines):
        for src in one.srcs:
            reads[ip] |= READ_MASKS[src.swizzle] << 4 * src.reg
        if one.dst is not None and not one.predicated and program.vgrf_sizes[one.dst.reg] == 1:
            kills[ip] = one.dst.mask << 4 * one.dst.reg
    before, after = [0] * len(lines), [0] * len(lines)
    changed = True
    while changed:
        changed = False
        for ip in range(len(lines) - 1, -1, -1):
            out = 0
            for n in follow[ip]:
                out |= before[n]
            entering = reads[ip] | out & ~kills[ip]
            if (out, entering) != (after[ip], before[ip]):
                after[ip], before[ip], changed = out, entering, True
    return before, after


def _written_after(program: Program) -> list[int]:
    """Channels that may have been written once each instruction has run; what was never written cannot be lost."""
    lines = program.instructions
    follow = _successors(lines)
    into, out = [0] * len(lines), [0] * len(lines)
    changed = True
    while changed:
        changed = False
        for ip, one in enumerate(lines):
            out[ip] = into[ip] | (one.dst.mask << 4 * one.dst.reg if one.dst is not None else 0)
            for n in follow[ip]:
                if out[ip] & ~into[n]:
                    into[n] |= out[ip]
                    changed = True
    return out


def _regs(channels: int) -> set[int]:
    seen = set()
    while channels:
        reg = ((channels & -channels).bit_length() - 1) // 4
        seen.add(reg)
        channels &= ~(15 << 4 * reg)
    return seen


def spans(program: Program) -> dict[int, tuple[int, int]]:
    """From the first to the last instruction at which each referenced register is read, written or alive."""
    before, after = alive_after(program)
    seen: dict[int, tuple[int, int]] = {}
    for ip, one in enumerate(program.instructions):
        here = _regs(before[ip] | after[ip]) | {src.reg for src in one.srcs} | ({one.dst.reg} if one.dst else set())
        for reg in here:
            seen[reg] = (seen.get(reg, (ip, ip))[0], ip)
    return seen


def taken_back(given: Program, spilled: Program, victims: Sequence[int]) -> Program | None:
    """The spilled program without its spills; None where scratch is not read just before a use or written just after.

    A fresh register stands for the victim whose slot it came from or went to.
    """
    first = min((one.slot for one in spilled.instructions if one.scratch), default=0)
    stands_for = {reg: reg for reg in range(len(given.vgrf_sizes))}
    pending: dict[int, int] = {}
    for one in spilled.instructions:
        if one.op == "scratch_read" and one.dst is not None:
            pending[one.dst.reg] = one.slot
        elif one.op == "scratch_write":
            pending[one.srcs[0].reg] = one.slot
    for reg, slot in sorted(pending.items()):
        if reg < len(given.vgrf_sizes) or not 0 <= slot - first < len(victims) or victims[slot - first] >= reg:
            return None
        stands_for[reg] = stands_for.get(victims[slot - first], -1)
    lines = []
    for at, one in enumerate(spilled.instructions):
        if one.scratch:
            if not _in_place(spilled.instructions, at):
                return None
            continue
        srcs = tuple(src._replace(reg=stands_for.get(src.reg, -1)) for src in one.srcs)
        dst = one.dst and one.dst._replace(reg=stands_for.get(one.dst.reg, -1))
        lines.append(one._replace(srcs=srcs, dst=dst, origin=-1))
    return given._replace(instructions=tuple(lines))


def _in_place(lines: Sequence[Instruction], at: int) -> bool:
    """Whether a scratch read stands before its only use, a scratch write after what it stores, under its predicate."""
    one = lines[at]
    near = at
    while lines[near].op == one.op:
        near += 1 if one.op == "scratch_read" else -1
        if not 0 <= near < len(lines):
            return False
    served = lines[near]
    if served.origin != one.origin:
        return False
    if one.op == "scratch_read":
        assert one.dst is not None
        masks = [READ_MASKS[src.swizzle] for src in served.srcs if src.reg == one.dst.reg]
        return not one.predicated and masks == [one.dst.mask]
    letters = one.srcs[0].swizzle
    stored = sum(1 << n for n, letter in enumerate(letters) if "xyzw"[n] == letter)
    return (
        served.dst is not None
        and (served.dst.reg, served.dst.mask, served.predicated) == (one.srcs[0].reg, stored, one.predicated)
        and READ_MASKS[letters] == stored
    )


def faults(given: Program, seen: Allocation, payload: int, count: int, *, seed: int = 0) -> list[str]:
    """What is wrong with a successful allocation; empty where nothing is.

    ``given``: the program before. ``payload``: registers taken from the front; ``count`` those of the file. ``seed``:
    of the values and conditions that the interpreter is given.
    """
    program, registers = seen.program, seen.registers
    faults_of = []
    held = {}
    for reg, (size, at) in enumerate(zip(program.vgrf_sizes, registers, strict=True)):
        held[reg] = set(range(at, at + size))
        if at < payload or at + size > count:
            faults_of.append(f"vgrf {reg} of size {size} at {at}: outside {payload} to {count - 1}")
    faults_of += _shared(program, held)
    back = taken_back(given, program, seen.spills)
    if back is None or back.instructions != tuple(one._replace(origin=-1) for one in given.instructions):
        faults_of.append("taking the spills back does not give the program")
    expected = run(given, seed=seed)
    for name, held_at in (("after spilling", None), ("on the GRFs", registers)):
        wrong = first_difference(expected, run(program, held_at, seed=seed))
        if wrong:
            faults_of.append(f"{name}: {wrong}")
    return faults_of


def _shared(program: Program, held: dict[int, set[int]]) -> list[str]:
    faults_of = []
    _, after = alive_after(program)
    written = _written_after(program)
    for ip, one in enumerate(program.instructions):
        if one.dst is None:
            continue
        lost = [reg for reg in _regs(after[ip] & written[ip]) - {one.dst.reg} if held[reg] & held[one.dst.reg]]
        faults_of += [
            f"instruction {ip} writes vgrf {one.dst.reg} over vgrf {reg}, which is still needed" for reg in lost
        ]
    alive = sorted(spans(program).items(), key=lambda item: item[1])
    for n, (a, (start, end)) in enumerate(alive):
        for b, (begin, last) in alive[n + 1 :]:
            if begin >= end:
                break
            if last > start and held[a] & held[b]:
                faults_of.append(f"vgrf {a} ({start}-{end}) and vgrf {b} ({begin}-{last}) share a register")
    return faults_of
