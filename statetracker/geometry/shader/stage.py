"""The outside of a geometry shader: vertices sent, primitives ended, the thread begun and ended.

Registers 0 and 1 are the vertex counter and, where there are cut bits, those bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.geometry.program import Destination, Source
from statetracker.geometry.shader.code import UNDEFINED, Code, Column, Place
from statetracker.geometry.shader.interface import BuiltIn, Interface
from statetracker.geometry.urb import urb_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping

_COUNTER: Final = Source(0, "xxxx")
_BITS: Final = Source(1, "xxxx")
_FLUSH: Final = 32


class Stage:
    """Messages of the stage."""

    def __init__(self, interface: Interface, code: Code, *, ends: bool) -> None:
        self.interface, self.code = interface, code
        sizes = urb_sizes(interface.output, interface.max_vertices, 0, uses_end_primitive=ends)
        self.cuts = sizes.control_data_header_size_hwords > 0
        self.slots = self._slots()

    def _slots(self) -> list[list[tuple[int, Place]]]:
        """For each output slot: (channel, where the value is: file ``variable``, (variable, column), channel)."""
        outputs, types = self.interface.outputs, self.interface.types
        of: Mapping[int | None, Place] = {
            one.built_in: Place("variable", (one.variable, one.start), 0) for one in outputs if one.built_in is not None
        }
        header = [(channel, of[one]) for channel, one in
                  ((1, BuiltIn.LAYER), (2, BuiltIn.VIEWPORT_INDEX), (3, BuiltIn.POINT_SIZE)) if one in of]  # fmt: skip
        position = of.get(BuiltIn.POSITION)
        slots = [header, [(n, position._replace(channel=n)) for n in range(4)] if position else []]
        distances = [
            Place("variable", (one.variable, one.start + n), 0)
            for built_in in (BuiltIn.CLIP_DISTANCE, BuiltIn.CULL_DISTANCE)
            for one in outputs if one.built_in == built_in
            for n in range(len(types.columns(one.type_id)))
        ]  # fmt: skip
        slots += [list(enumerate(distances[n : n + 4])) for n in range(0, len(distances), 4)]
        if BuiltIn.PRIMITIVE_ID in of:
            slots.append([(0, of[BuiltIn.PRIMITIVE_ID])])
        for location in self.interface.locations(outputs):
            slot = []
            for one in outputs:
                widths = types.columns(one.type_id)
                if one.location is not None and 0 <= location - one.location < len(widths):
                    n = location - one.location
                    slot += [(one.component + channel, Place("variable", (one.variable, one.start + n), channel))
                             for channel in range(widths[n])]  # fmt: skip
            slots.append(slot)
        return slots

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
            code.put("mov_mrf", tuple(self._held(place, state) for _, place in slot))
        code.write("urb_write")
        code.write("add", Destination(0, 1), [_COUNTER])
        code.write("endif")

    def _held(self, place: Place, state: Mapping[tuple[str, int, int], Column]) -> Place:
        assert isinstance(place.at, tuple)  # noqa: S101 (of a variable: see _slots)
        column = state.get(("variable", *place.at), ())
        return column[place.channel] if place.channel < len(column) else UNDEFINED

    def _write_bits(self) -> None:
        made = self.code.fresh()
        self.code.write("add", Destination(made, 1), [_COUNTER])
        self.code.write("shr", Destination(made, 1), [Source(made, "xxxx")])
        for src in (Source(made, "xxxx"), _BITS):
            self.code.write("mov_mrf", None, [src])
        self.code.write("urb_write")

    def end_primitive(self) -> None:
        """Write the cut bit of the last vertex."""
        self.code.note = "EndPrimitive"
        if self.cuts:
            last, bit = self.code.fresh(), self.code.fresh()
            self.code.write("add", Destination(last, 1), [_COUNTER])
            self.code.write("shl", Destination(bit, 1), [Source(last, "xxxx")])
            self.code.write("or", Destination(1, 1), [_BITS, Source(bit, "xxxx")])

    def end(self) -> None:
        """Write the last cut bits, the count, the end of the thread."""
        self.code.note = "end of the thread"
        if self.cuts:
            self._write_bits()
        self.code.write("set_vertex_count", None, [_COUNTER])
        self.code.write("thread_end")
