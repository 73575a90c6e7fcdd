"""Lowered programs run on integers: constants and inputs made visible as registers of negative numbers.

The lowering leaves operands outside of virtual registers out; here they stay in, so that a program can be run by value.
The note, the SPIR-V instruction that an opcode was written for, says what it computes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.geometry.program import Instruction, Program, Source, jumps_of
from statetracker.geometry.shader import code as code_module
from statetracker.geometry.shader import memory as memory_module
from statetracker.geometry.shader.arithmetic import FOLDED
from statetracker.geometry.shader.code import Code
from statetracker.geometry.shader.flow import Flow
from statetracker.geometry.shader.interface import Interface
from statetracker.geometry.shader.lowering import _coalesced, _flat, needed
from statetracker.spirv import Module

if TYPE_CHECKING:
    import pytest


class Visible:
    """Constants and inputs by the negative register that stands for them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.registers: list[tuple[Any, ...]] = []
        plain = code_module.swizzle

        def swizzle(column: Any, mask: int) -> Any:
            if column[0].file in {"vgrf", "undefined"}:
                return plain(column, mask)
            channels = [n for n in range(4) if mask >> n & 1]
            held = dict(zip(channels, column, strict=True))
            last, four = column[0], []
            for n in range(4):
                last = held.get(n, last)
                four.append(last)
            if tuple(four) not in self.registers:
                self.registers.append(tuple(four))
            return Source(-1 - self.registers.index(tuple(four)), "xyzw")

        def put(code: Code, op: str, column: Any) -> None:
            """A vertex's four channels in one piece, so that their order is seen."""
            code.write(op, None, [code.read(code.copy(column), 15)] if len(column) == 4 else [])

        monkeypatch.setattr(Code, "put", put)
        monkeypatch.setattr(code_module, "swizzle", swizzle)
        monkeypatch.setattr(memory_module, "swizzle", swizzle)

    def lowered(self, data: bytes) -> tuple[list[Instruction], list[Instruction]]:
        """The lines as written, and tidied."""
        interface = Interface(Module.read(data))
        scratch, found = None, frozenset[int]()
        while scratch != found:
            scratch, flow = found, Flow(interface, found)
            flow.write()
            found = flow.memory.scratch
        lines = _flat(flow.code.lines)
        program = Program(tuple(flow.code.sizes), tuple(lines))
        tidy = _coalesced(program, needed(program))
        return lines, needed(program._replace(instructions=tuple(tidy)))

    def run(self, lines: list[Instruction], given: list[int], steps: int = 100_000) -> list[tuple[int, ...]]:
        """The vertices put out; inputs are the four integers of location 0."""
        machine = _Machine(self, given)
        targets = jumps_of(lines)
        ip = 0
        while ip < len(lines):
            steps -= 1
            assert steps, "no end"
            ip = machine.step(lines[ip], ip, targets)
        return machine.vertices


_SENDING = {"mov_mrf", "urb_write", "set_vertex_count", "thread_end"}


class _Machine:
    def __init__(self, visible: Visible, given: list[int]) -> None:
        self.visible, self.given = visible, given
        self.file: dict[tuple[int, int], int] = {}
        self.flag = False
        self.message: list[int] = []
        self.vertices: list[tuple[int, ...]] = []

    def read(self, src: Source, channel: int) -> int:
        n = "xyzw".index(src.swizzle[channel])
        if src.reg >= 0:
            return self.file.get((src.reg, n), 0x5A5A5A5A)  # never written: it must not matter
        place = self.visible.registers[-1 - src.reg][n]
        value = self.given[place.channel] if place.file == "attribute" else place.at
        return int(value) & 0xFFFFFFFF

    def step(self, one: Instruction, ip: int, targets: dict[int, int]) -> int:
        if one.op in _SENDING or (one.note == "EmitVertex" and one.op in {"cmp_flag", "if", "add", "endif"}):
            self.sent(one)
            return ip + 1
        if one.op == "if":
            return ip + 1 if self.flag else targets[ip]
        if one.op in {"else", "while"}:
            return targets[ip]
        if (one.predicated and not self.flag) or (one.op == "mov" and not one.srcs):
            return ip + 1
        if one.op in {"break", "continue"}:
            return targets[ip]
        if one.op.startswith("test_flag"):
            self.flag = bool(self.read(one.srcs[0], 0)) != one.op.endswith("_not")
        elif one.op.startswith("cmp_flag"):
            self.flag = bool(self.compared(one, 0)) != one.op.endswith("_not")
        elif one.dst is not None:
            made = {n: self.result(one, n) for n in range(4) if one.dst.mask >> n & 1}
            self.file.update({(one.dst.reg, n): value for n, value in made.items()})
        return ip + 1

    def compared(self, one: Instruction, channel: int) -> int:
        values = [self.read(src, channel) for src in one.srcs]
        return FOLDED[f"Op{one.note}" if f"Op{one.note}" in FOLDED else "OpIEqual"](*values)

    def result(self, one: Instruction, channel: int) -> int:
        if one.op == "mov":
            return self.read(one.srcs[0], channel)
        if one.op == "sel":
            return self.read(one.srcs[0] if self.flag else one.srcs[-1], channel)
        if one.op == "or" and one.note == "case":
            return self.read(one.srcs[0], channel) | self.read(one.srcs[1], channel)
        if one.op == "cmp":
            return self.compared(one, channel)
        values = [self.read(src, channel) for src in one.srcs]
        return FOLDED[f"Op{one.note}"](*values) & 0xFFFFFFFF

    def sent(self, one: Instruction) -> None:
        """What goes to message registers before a URB write, but for the vertex counter (register 0)."""
        if one.op == "mov_mrf" and one.srcs and one.srcs[0].reg:
            self.message = [self.read(one.srcs[0], n) for n in range(4)]
        elif one.op == "urb_write":
            self.vertices.append(tuple(self.message))
