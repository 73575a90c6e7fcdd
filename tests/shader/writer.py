"""A SPIR-V module in the making, word by word."""

from __future__ import annotations

import struct

from statetracker.spirv import Instruction
from statetracker.spirv.grammar import opcode

__all__ = ["Writer"]


class Writer:
    """A module in the making: sections of instructions, types and constants once each.

    Args:
        sets: Descriptor set 0 is written down, not left out.
    """

    def __init__(self, *, sets: bool = True) -> None:
        self.sets = sets
        self.bound = 1
        self.annotations: list[Instruction] = []
        self.globals: list[Instruction] = []
        self.functions: list[Instruction] = []
        self.body: list[Instruction] = []
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def new(self) -> int:
        self.bound += 1
        return self.bound - 1

    def known(self, name: str, *words: int, typed: bool = False) -> int:
        """A type or a constant (``typed``: its first word is a type)."""
        key = (name, words)
        if key not in self._known:
            self._known[key] = ident = self.new()
            laid = [words[0], ident, *words[1:]] if typed else [ident, *words]
            self.globals.append(Instruction(opcode(name), laid))
        return self._known[key]

    def vector(self, kind: int, count: int) -> int:
        return kind if count == 1 else self.known("OpTypeVector", kind, count)

    def constant(self, kind: int, bits: int) -> int:
        return self.known("OpConstant", kind, bits, typed=True)

    def specialised(self, kind: int, bits: int) -> int:
        """A specialisation constant, its default value for its number."""
        ident = self.known("OpSpecConstant", kind, bits, typed=True)
        if all(one.words != [ident, 1, bits] for one in self.annotations):
            self.decorate(ident, 1, bits)  # SpecId
        return ident

    def number(self, value: float) -> int:
        return self.constant(self.float, struct.unpack("<I", struct.pack("<f", value))[0])

    def variable(self, storage: int, kind: int) -> int:
        pointer, ident = self.known("OpTypePointer", storage, kind), self.new()
        self.globals.append(Instruction(opcode("OpVariable"), [pointer, ident, storage]))
        return ident

    def op(self, name: str, kind: int, *words: int) -> int:
        ident = self.new()
        self.body.append(Instruction(opcode(name), [kind, ident, *words]))
        return ident

    def plain(self, name: str, *words: int) -> None:
        self.body.append(Instruction(opcode(name), list(words)))

    def decorate(self, ident: int, *words: int) -> None:
        self.annotations.append(Instruction(opcode("OpDecorate"), [ident, *words]))

    @property
    def float(self) -> int:
        return self.known("OpTypeFloat", 32)

    @property
    def int(self) -> int:
        return self.known("OpTypeInt", 32, 1)
