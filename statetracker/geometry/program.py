"""The vec4 back end's program: virtual registers, instructions that read and write their channels, control flow.

Other files (payload attributes, uniforms, message registers, immediates) play no role once the payload is sized, so an
instruction names virtual registers (vgrfs) only. See docs/geometry.md.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Opcodes of control flow.
CONTROL_FLOW: Final = frozenset({"if", "else", "endif", "do", "break", "continue", "while"})
#: Swizzle -> the channels it reads, as bits: x 1, y 2, z 4, w 8.
READ_MASKS: Final[Mapping[str, int]] = {
    "".join(letters): sum({1 << "xyzw".index(one) for one in letters}) for letters in product("xyzw", repeat=4)
}
#: Write mask -> the channels it writes, as bits.
MASKS: Final[Mapping[str, int]] = {
    "".join(one for n, one in enumerate("xyzw") if bits >> n & 1): bits for bits in range(1, 16)
}
#: Virtual registers of a program: as many as the largest scratch memory of a thread holds, 2 MiB of 32 bytes each.
MOST_REGISTERS: Final = 1 << 16
_MOST_SOURCES: Final = 3


class Source(NamedTuple):
    """A virtual register read.

    Attributes:
        reg: Its number, from 0.
        swizzle: Four letters of ``xyzw``.
    """

    reg: int
    swizzle: str

    def __str__(self) -> str:
        return f"{self.reg}.{self.swizzle}"


class Destination(NamedTuple):
    """A virtual register written.

    Attributes:
        reg: Its number, from 0.
        mask: The channels as bits: x 1, y 2, z 4, w 8.
    """

    reg: int
    mask: int

    def __str__(self) -> str:
        return f"{self.reg}." + "".join(one for n, one in enumerate("xyzw") if self.mask >> n & 1)


class Instruction(NamedTuple):
    """One back-end instruction.

    Attributes:
        op: Its name.
        dst: What it writes; None for no virtual register (a message register, the flag, nothing).
        srcs: Up to three virtual registers read.
        predicated: It runs for the channels that the flag names.
        slot: Of a scratch_read or scratch_write: its scratch slot, registers of 32 bytes; else -1.
        origin: Instruction of the program as given that this one stands for or serves; -1: itself.
        note: What it does in the shader's words, for people.
    """

    op: str
    dst: Destination | None = None
    srcs: tuple[Source, ...] = ()
    predicated: bool = False
    slot: int = -1
    origin: int = -1
    note: str = ""

    @property
    def scratch(self) -> bool:
        """True where it reads or writes scratch memory."""
        return self.slot >= 0

    def to_list(self) -> list[object]:
        """Return the line of a program file: op, dst or 0, sources, and 1 if predicated."""
        line: list[object] = [self.op, str(self.dst) if self.dst else 0, [str(one) for one in self.srcs]]
        return [*line, 1] if self.predicated else line


class Program(NamedTuple):
    """A program of the back end.

    Attributes:
        vgrf_sizes: Of the virtual registers: 1 or 2 GRFs each, up to `MOST_REGISTERS` of them.
        instructions: In order.
        relative: Vgrfs that some instruction addresses relatively: never spilled.
    """

    vgrf_sizes: tuple[int, ...]
    instructions: tuple[Instruction, ...]
    relative: frozenset[int] = frozenset()

    @classmethod
    def parse(cls, vgrf_sizes: Sequence[int], lines: Sequence[object], relative: Sequence[int] = ()) -> Program:
        """Build a program from lines ``[op, "reg.mask" or 0, ["reg.swizzle", ...], 1 if predicated]``.

        Args:
            vgrf_sizes: As in `Program`.
            lines: The instructions, in order.
            relative: As in `Program`.

        Raises:
            ArgumentError: A line of another form, an unknown register, a size other than 1 and 2, more than 65536
                registers (the largest scratch memory of a thread, 2 MiB, holds no more), or control flow that does not
                nest.
        """
        for size in vgrf_sizes:
            if size not in (1, 2) or isinstance(size, bool | float):
                raise ArgumentError("vgrf_sizes", size, accepted="1 or 2 GRFs for each virtual register")
        program = cls(
            tuple(vgrf_sizes), tuple(_instruction(at, one) for at, one in enumerate(lines)), frozenset(relative)
        )
        program.check()
        return program

    def check(self) -> None:
        """Check the count of registers, their numbers and the nesting of control flow; raises `ArgumentError`."""
        count = len(self.vgrf_sizes)
        if count > MOST_REGISTERS:
            accepted = f"up to {MOST_REGISTERS}: the largest scratch memory of a thread, 2 MiB, holds no more"
            raise ArgumentError("len(vgrf_sizes)", count, accepted=accepted)
        for at, one in enumerate(self.instructions):
            for reg in (*(src.reg for src in one.srcs), *((one.dst.reg,) if one.dst else ())):
                if not 0 <= reg < count:
                    raise ArgumentError(f"instructions[{at}]", reg, accepted=f"virtual registers 0 to {count - 1}")
        jumps_of(self.instructions)


def _instruction(at: int, line: object) -> Instruction:
    if not isinstance(line, list | tuple) or not 3 <= len(line) <= 4 or not isinstance(line[0], str):
        raise ArgumentError(f"instructions[{at}]", line, accepted='[op, "reg.mask" or 0, ["reg.swizzle", ...], 0 or 1]')
    op, dst, srcs = line[:3]
    if not isinstance(srcs, list | tuple) or len(srcs) > _MOST_SOURCES:
        raise ArgumentError(f"instructions[{at}]", srcs, accepted=f"a list of up to {_MOST_SOURCES} sources")
    destination = None
    if isinstance(dst, str):
        reg, mask = _operand(at, dst, MASKS, "reg.mask, such as 5.xyz, the channels in order")
        destination = Destination(reg, MASKS[mask])
    elif dst not in (0, None):
        raise ArgumentError(f"instructions[{at}]", dst, accepted='"reg.mask", or 0 for no virtual register')
    sources = tuple(Source(*_operand(at, src, READ_MASKS, "reg.swizzle, such as 5.xyzz")) for src in srcs)
    return Instruction(op, destination, sources, predicated=len(line) == 4 and bool(line[3]))


def _operand(at: int, text: object, letters: Mapping[str, int], accepted: str) -> tuple[int, str]:
    reg, _, channels = str(text).partition(".")
    number = len(reg) < 10 and reg.isascii() and reg.isdecimal()
    if not isinstance(text, str) or not number or channels not in letters:
        raise ArgumentError(f"instructions[{at}]", text, accepted=accepted)
    return int(reg), channels


#: Opcode -> what may be open where it stands, which it closes.
_CLOSES: Final = {"else": ("if",), "endif": ("if", "else"), "while": ("do",)}


def jumps_of(instructions: Sequence[Instruction]) -> dict[int, int]:
    """Return where control flow may go from an instruction, besides the one after it.

    Args:
        instructions: Of a program, in order.

    Raises:
        ArgumentError: Control flow that does not nest.
    """
    jumps: dict[int, int] = {}
    opened: list[tuple[str, int, list[int]]] = []  # opcode, ip, and the breaks of a loop
    loops: list[tuple[str, int, list[int]]] = []  # those of them that are loops
    for ip, (op, *_) in enumerate(instructions):
        if op in _CLOSES:
            begun, breaks = _closed(opened, op, ip)
            if op == "while":
                loops.pop()
                jumps |= {ip: begun, **dict.fromkeys(breaks, ip + 1)}  # a loop is left through a break only
            else:
                jumps[begun] = ip + (op == "else")
        if op in {"if", "else", "do"}:
            opened.append((op, ip, []))
            loops += opened[-1:] if op == "do" else ()
        elif op in {"break", "continue"}:
            if not loops:
                raise ArgumentError(f"instructions[{ip}]", op, accepted=f"{op} between do and while")
            _, begun, breaks = loops[-1]
            if op == "break":
                breaks.append(ip)
            else:
                jumps[ip] = begun
    if opened:
        raise ArgumentError("instructions", opened[-1][0], accepted="endif for every if, while for every do")
    return jumps


def _closed(opened: list[tuple[str, int, list[int]]], op: str, ip: int) -> tuple[int, list[int]]:
    """Close what is open: the ip where it began, and its breaks."""
    if not opened or opened[-1][0] not in _CLOSES[op]:
        accepted = f"{op} inside an open {' or '.join(_CLOSES[op])}"
        raise ArgumentError(f"instructions[{ip}]", op, accepted=accepted)
    _, begun, breaks = opened.pop()
    return begun, breaks
