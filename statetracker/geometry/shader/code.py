"""Back-end code being written: places of values, instructions, and the gathering of a vec4 from where its parts lie.

`Stage` writes the outside of a geometry shader: vertices sent, primitives ended, the thread begun and ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.geometry.payload import urb_sizes
from statetracker.geometry.program import Destination, Instruction, Source
from statetracker.geometry.shader.interface import BuiltIn, Interface

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Place(NamedTuple):
    """The place of a component of a value.

    Attributes:
        file: ``vgrf``, ``attribute``, ``uniform``, ``immediate`` or ``undefined``.
        at: The register, or the vec4 of another file; the bits of an immediate, None: not known.
        channel: 0 to 3.
    """

    file: str
    at: object
    channel: int

    @property
    def known(self) -> int | None:
        """The bits of a constant that is known."""
        return self.at if self.file == "immediate" and isinstance(self.at, int) else None


#: A vec4 or less, and a whole value: its columns in order.
Column = tuple[Place, ...]
Value = tuple[Column, ...]
#: A way by which control reaches a place where ways meet: the moves that it takes are filled in later.
Edge = list[Instruction]

UNDEFINED: Final = Place("undefined", None, 0)
_LETTERS: Final = "xyzw"


def immediate(bits: int | None) -> Place:
    """Return a constant; None: its value is not known here."""
    return Place("immediate", bits, 0)


def places(reg: int, width: int) -> Column:
    """Return the first channels of a register."""
    return tuple(Place("vgrf", reg, n) for n in range(width))


def _vec4(one: Place) -> object:
    """Return the vec4 that a place lies in, as one operand reads it; all immediates count as one."""
    return one.file if one.file in {"immediate", "undefined"} else (one.file, one.at)


def register(one: Place) -> int:
    """Return the virtual register that a place lies in."""
    assert isinstance(one.at, int)  # noqa: S101 (of a vgrf)
    return one.at


def swizzle(column: Column, mask: int) -> Source | None:
    """Return what reads a column of one vec4, by the channels of a mask; None outside of virtual registers."""
    channels = [n for n in range(4) if mask >> n & 1]
    of_channel = dict(zip(channels, column, strict=True))
    first = of_channel[channels[0]]
    if first.file != "vgrf":
        return None
    letters, last = "", first
    for n in range(4):
        last = of_channel.get(n, last)
        letters += _LETTERS[last.channel]
    return Source(register(first), letters)


def moves(reg: int, column: Column, note: str, *, maybe: bool = False) -> list[Instruction]:
    """Return moves of a column into a register's first channels: one a vec4 it lies in, none of the undefined."""
    moves = []
    for key in dict.fromkeys(_vec4(one) for one in column if one.file != "undefined"):
        channels = [n for n, one in enumerate(column) if _vec4(one) == key]
        mask = sum(1 << n for n in channels)
        source = swizzle(tuple(column[n] for n in channels), mask)
        moves.append(Instruction("mov", Destination(reg, mask), (source,) if source else (), maybe, note=note))
    return moves


class Code:
    """Registers and lines; `lines` is where instructions go now."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.lines: list[Instruction | Edge] = []
        self.fixed: set[int] = set()  # registers of scratch messages of arrays: never spilled
        self.note = ""

    def fresh(self) -> int:
        """Return a new virtual register."""
        self.sizes.append(1)
        return len(self.sizes) - 1

    def write(self, op: str, dst: Destination | None = None, srcs: Sequence[Source | None] = (), *,
              maybe: bool = False) -> None:  # fmt: skip
        """Add an instruction; sources outside of virtual registers are left out."""
        read = tuple(src for src in srcs if src is not None)
        self.lines.append(Instruction(op, dst, read, maybe, note=self.note))

    def move(self, reg: int, column: Column, *, maybe: bool = False) -> None:
        """Move a column into the first channels of a register."""
        self.lines.extend(moves(reg, column, self.note, maybe=maybe))

    def gather(self, column: Column) -> Column:
        """Return a column in one vec4: the one it lies in, or a new register that it is moved to."""
        if len({_vec4(one) for one in column if one.file != "undefined"}) <= 1:
            return column
        return self.copy(column)

    def copy(self, column: Column) -> Column:
        """Return a column moved to a new register."""
        reg = self.fresh()
        self.move(reg, column)
        return places(reg, len(column))

    def read(self, column: Column, mask: int) -> Source | None:
        """Return an operand, gathered if need be, read by the channels of a mask; a scalar is read by all of them."""
        width = mask.bit_count()
        whole = self.gather(column if len(column) == width else column[:1] * width)
        known = next((one for one in whole if one.file != "undefined"), None)
        if known is None:
            return None
        return swizzle(tuple(known if one.file == "undefined" else one for one in whole), mask)

    def result(self, op: str, width: int, sources: Sequence[Source | None] = ()) -> Column:
        """Write an instruction that makes a column of so many components in a new register."""
        reg = self.fresh()
        self.write(op, Destination(reg, (1 << width) - 1), sources)
        return places(reg, width)

    def make(self, op: str, width: int, operands: Sequence[Column]) -> Column:
        """Return an instruction that makes a new column of so many components, from columns as wide or scalars."""
        return self.result(op, width, [self.read(one, (1 << width) - 1) for one in self.legal(operands)])

    def dot(self, a: Column, b: Column) -> Column:
        """Return a dot product over all components."""
        mask = (1 << len(a)) - 1
        return self.result(f"dp{max(2, len(a))}", 1, [self.read(a, mask), self.read(b, mask)])

    def legal(self, operands: Sequence[Column]) -> list[Column]:
        """Operands as hardware reads them: three must be registers, and of two only one an immediate."""
        if len(operands) < 3:
            keep = next((n for n, one in enumerate(operands) if one[0].file == "immediate"), -1)
            return [
                self.copy(one) if one[0].file == "immediate" and n != keep else one for n, one in enumerate(operands)
            ]
        return [one if any(place.file == "vgrf" for place in one) else self.copy(one) for one in operands]

    def put(self, op: str, column: Column) -> None:
        """Write a column to a message register, or wherever ``op`` says: one instruction for each vec4 it lies in."""
        groups = dict.fromkeys(_vec4(one) for one in column if one.file != "undefined")
        for key in groups or {None: None}:
            part = tuple(one for one in column if _vec4(one) == key)
            self.write(op, None, [swizzle(part, (1 << len(part)) - 1)] if part else [])


_COUNTER: Final = Source(0, "xxxx")
_BITS: Final = Source(1, "xxxx")
_FLUSH: Final = 32


class Stage:
    """Messages of the stage; registers 0 and 1 are the vertex counter and, where there are cut bits, those bits."""

    def __init__(self, interface: Interface, code: Code, *, ends: bool) -> None:
        self.interface, self.code = interface, code
        sizes = urb_sizes(interface.output, interface.max_vertices, 0, uses_end_primitive=ends)
        self.cuts = sizes.control_data_header_size_hwords > 0
        self.slots = self._slots()

    def _slots(self) -> list[list[tuple[int, int, int]]]:
        """For each output slot, where its components are: variable, column, channel."""
        outputs, types = self.interface.outputs, self.interface.types
        of = {one.built_in: (one.variable, one.start) for one in outputs if one.built_in is not None}
        header = [(*of[one], 0) for one in (BuiltIn.LAYER, BuiltIn.VIEWPORT_INDEX, BuiltIn.POINT_SIZE) if one in of]
        position = [(*of[BuiltIn.POSITION], n) for n in range(4)] if BuiltIn.POSITION in of else []
        distances = [
            (one.variable, one.start + n, 0)
            for built_in in (BuiltIn.CLIP_DISTANCE, BuiltIn.CULL_DISTANCE)
            for one in outputs if one.built_in == built_in
            for n in range(len(types.columns(one.type_id)))
        ]  # fmt: skip
        slots = [header, position, *(distances[n : n + 4] for n in range(0, len(distances), 4))]
        if BuiltIn.PRIMITIVE_ID in of:
            slots.append([(*of[BuiltIn.PRIMITIVE_ID], 0)])
        return slots + [
            [
                (one.variable, one.start + n, channel)
                for one in outputs if one.location is not None
                for n, width in enumerate(types.columns(one.type_id)) if one.location + n == location
                for channel in range(width)
            ]
            for location in self.interface.locations(outputs)
        ]  # fmt: skip

    def begin(self) -> None:
        """Write the counter, and the cut bits."""
        for note in ("vertex counter", "cut bits")[: 1 + self.cuts]:
            self.code.note = note
            self.code.write("mov", Destination(self.code.fresh(), 1))

    def emit(self, state: Mapping[tuple[str, int, int], Column]) -> None:
        """Write a vertex: each output slot to message registers, the write, and one more counted."""
        code = self.code
        code.note = "EmitVertex"
        code.write("cmp_flag", None, [_COUNTER])
        code.write("if")
        if self.cuts and self.interface.max_vertices > _FLUSH:  # bits of 32 vertices before the next one
            for op in ("and_flag", "cmp_flag"):
                code.write(op, None, [_COUNTER])
                code.write("if")
            self._write_bits()
            code.write("endif")
            code.write("mov", Destination(1, 1))
            code.write("endif")
        code.write("mov_mrf", None, [_COUNTER])
        for slot in self.slots:
            held = [(state.get(("variable", variable, column), ()), channel) for variable, column, channel in slot]
            code.put("mov_mrf", tuple(column[n] if n < len(column) else UNDEFINED for column, n in held))
        code.write("urb_write")
        code.write("add", Destination(0, 1), [_COUNTER])
        code.write("endif")

    def _write_bits(self) -> None:
        made = self.code.fresh()
        source = Source(made, "xxxx")
        self.code.write("add", Destination(made, 1), [_COUNTER])
        self.code.write("shr", Destination(made, 1), [source])
        for src in (source, _BITS):
            self.code.write("mov_mrf", None, [src])
        self.code.write("urb_write")

    def end_primitive(self) -> None:
        """Write the cut bit of the last vertex."""
        self.code.note = "EndPrimitive"
        if self.cuts:
            bit = self.code.make("shl", 1, [self.code.result("add", 1, [_COUNTER])])
            self.code.write("or", Destination(1, 1), [_BITS, self.code.read(bit, 1)])

    def end(self) -> None:
        """Write the last cut bits, the count, the end of the thread."""
        self.code.note = "end of the thread"
        if self.cuts:
            self._write_bits()
        self.code.write("set_vertex_count", None, [_COUNTER])
        self.code.write("thread_end")
