"""An interpreter of back-end programs: what a program puts out, before and after spilling, by value or by GRF.

Opcodes are opaque: an instruction's result is a number made of its opcode, its place and what it read, so that a wrong
value anywhere shows. Conditions are drawn from a seed, by instruction and visit. What was never written is None, and so
is what is made of it: a comparison passes those by. One lane is run: masked writes cannot disturb the other.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from statetracker.geometry.program import jumps_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.program import Instruction, Program

__all__ = ["Output", "first_difference", "run"]

Value = int | None


class Output(NamedTuple):
    """What an instruction without a virtual destination put out: its place in the program as given, and the values."""

    origin: int
    values: tuple[Value, ...]


class _Machine:
    """Registers, scratch and the visits that conditions are drawn by."""

    def __init__(self, program: Program, registers: Sequence[int] | None, seed: int) -> None:
        self.program, self.registers, self.seed = program, registers, seed
        self.file: dict[tuple[int, int], Value] = {}
        self.scratch: dict[tuple[int, int], Value] = {}
        self.visits: defaultdict[int, int] = defaultdict(int)

    def place(self, reg: int, origin: int) -> int:
        """Where a virtual register lies; a pair's upper or lower half, by the instruction."""
        upper = (origin & 1) if self.program.vgrf_sizes[reg] == 2 else 0
        return 2 * reg + upper if self.registers is None else self.registers[reg] + upper

    def condition(self, origin: int) -> bool:
        return hash((self.seed, origin, self.visits[origin])) >> 7 & 1 == 1

    def read(self, one: Instruction, origin: int) -> list[tuple[Value, ...]]:
        seen = []
        for reg, swizzle in one.srcs:
            at = self.place(reg, origin)
            seen.append(tuple(self.file.get((at, "xyzw".index(letter))) for letter in swizzle))
        return seen

    def execute(self, one: Instruction, origin: int) -> tuple[Value, ...] | None:
        """Run an instruction without control flow; the values it puts out, if it does."""
        sources = self.read(one, origin)
        if one.op == "scratch_write":
            for channel, letter in enumerate(one.srcs[0].swizzle):
                if "xyzw"[channel] == letter:
                    self.scratch[one.slot, channel] = sources[0][channel]
            return None
        if one.dst is None:
            return tuple(value for source in sources for value in source)
        at = self.place(one.dst.reg, origin)
        for channel in range(4):
            if one.dst.mask >> channel & 1:
                self.file[at, channel] = self._result(one, origin, channel, sources)
        return None

    def _result(self, one: Instruction, origin: int, channel: int, sources: list[tuple[Value, ...]]) -> Value:
        if one.op == "scratch_read":
            return self.scratch.get((one.slot, channel))
        if one.op == "dp4":
            read = [value for source in sources for value in source]
        else:
            read = [source[channel] for source in sources]
        if None in read:
            return None
        return hash((self.seed, origin, self.visits[origin], channel, *read))


def run(program: Program, registers: Sequence[int] | None = None, *, seed: int = 0, steps: int = 400) -> list[Output]:
    """Run a program; give what it put out.

    ``registers``: first GRF of each virtual register: run on these; None: every virtual register has its own place.
    ``steps``: instructions of the program as given after which the run is broken off: a loop may never end.
    """
    machine = _Machine(program, registers, seed)
    instructions = program.instructions
    targets = jumps_of(instructions)
    seen: list[Output] = []
    ip = 0
    while ip < len(instructions):
        one = instructions[ip]
        origin = one.origin if one.origin >= 0 else ip
        if not one.scratch:
            steps -= 1
            if steps < 0:
                break
            machine.visits[origin] += 1
        ip = _step(machine, one, origin, ip, targets, seen)
    return seen


def _step(
    machine: _Machine, one: Instruction, origin: int, ip: int, targets: dict[int, int], seen: list[Output]
) -> int:
    """Run one instruction; the next ip."""
    if one.op == "if":
        return ip + 1 if machine.condition(origin) else targets[ip]
    if one.op in {"else", "while"}:
        return targets[ip]
    if one.predicated and not machine.condition(origin):
        return ip + 1
    if one.op in {"break", "continue"}:
        return targets[ip]
    values = machine.execute(one, origin)
    if values:
        seen.append(Output(origin, values))
    return ip + 1


def first_difference(expected: Sequence[Output], seen: Sequence[Output]) -> str:
    """Where two runs differ, in words; empty where they agree. A value that was never defined agrees with anything."""
    if [one.origin for one in expected] != [one.origin for one in seen]:
        return f"{len(expected)} and {len(seen)} outputs, or in another order"
    for a, b in zip(expected, seen, strict=True):
        for x, y in zip(a.values, b.values, strict=True):
            if x is not None and x != y:
                return f"instruction {a.origin} puts out {b.values}, expected {a.values}"
    return ""
