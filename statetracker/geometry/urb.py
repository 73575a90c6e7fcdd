"""Sizes of what a geometry shader writes: vertex, control data, the URB entry, and scratch memory.

Source: Ivy Bridge PRM, volume 2 part 1, 7.2.1.1; docs/geometry.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_VERTEX_BYTES: Final = 62 * 16
MAX_OUTPUT_BYTES: Final = 512 * 64


class OutputPrimitive(NamedTuple):
    """An output primitive: the hardware's topology, and its control data: SID (1) or CUT (0)."""

    topology: int
    control_data_format: str


#: GLSL's output layout -> the hardware's fields.
OUTPUTS: Final[Mapping[str, OutputPrimitive]] = {
    #                                 topology  control data
    "points":         OutputPrimitive(1,        "SID"),
    "line_strip":     OutputPrimitive(3,        "CUT"),
    "triangle_strip": OutputPrimitive(5,        "CUT"),
}  # fmt: skip


class UrbSizes(NamedTuple):
    """Sizes of a geometry shader's output; a hword is 32 bytes.

    Attributes:
        output_vertex_size_hwords: Of a vertex.
        control_data_header_size_hwords: Of the control data before the vertices.
        control_data_format: What its bits are: ``CUT``, or ``SID``, of streams.
        output_bytes: Of everything.
        fits: Whether an entry holds it (32 KiB), and a vertex is not larger than 992 bytes.
        urb_entry_size_64B: Of the entry, in units of 64 bytes.
    """

    output_vertex_size_hwords: int
    control_data_header_size_hwords: int
    control_data_format: str
    output_bytes: int
    fits: bool
    urb_entry_size_64B: int  # noqa: N815 (the unit)

    @property
    def output_vertex_size_field(self) -> int:
        """The field's value in 3DSTATE_GS."""
        return 2 * self.output_vertex_size_hwords - 1


def urb_sizes(
    output_type: str, max_vertices: int, out_slots: int, *, uses_end_primitive: bool = False, gen: int = 7
) -> UrbSizes:
    """Return the sizes of what a shader writes, in any case; ``fits`` says whether hardware takes them.

    Args:
        output_type: As in `Shader`.
        max_vertices: As in `Shader`.
        out_slots: As in `Shader`.
        uses_end_primitive: As in `Shader`.
        gen: 7, or 8 with its 32 bytes more.

    Raises:
        UnknownName: An unknown output type.
        ArgumentError: Negative counts.
    """
    form = looked_up("output_type", output_type, OUTPUTS).control_data_format
    for name, value in (("max_vertices", max_vertices), ("out_slots", out_slots)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ArgumentError(name, value, accepted="a whole number from 0")
    bits = 1 if form == "CUT" and uses_end_primitive else 0
    header = -(-bits * max_vertices // 256)
    vertex = -(-out_slots * 16 // 32)
    size = 32 * (vertex * max_vertices + header) + (32 if gen >= 8 else 0)
    fits = size <= MAX_OUTPUT_BYTES and 16 * out_slots <= MAX_VERTEX_BYTES
    return UrbSizes(vertex, header, form, size, fits, -(-size // 64))


def scratch_bytes(slots: int) -> int:
    """Scratch memory of a thread: the least power of two that holds the slots, from 1024; 0 for none."""
    return max(1024, 1 << (32 * slots - 1).bit_length()) if slots else 0


def scratch_encoding(size: int) -> int:
    """Return the per-thread scratch field of the state, of a size: log2(bytes) - 10, for powers of two from 1024 on."""
    return size.bit_length() - 11


def cut_bits(events: list[str], max_vertices: int) -> tuple[int, list[int]]:
    """Follow the control data of a shader that calls ``"emit"`` and ``"end"`` (EndPrimitive) in the order of events.

    Returns the vertices emitted (those beyond ``max_vertices`` are not) and the 32-bit words written, in order. Up to
    32 vertices one word is written at the end; more are flushed before each vertex whose number is a multiple of 32.
    """
    count = bits = 0
    words: list[int] = []
    for event in events:
        if event == "emit":
            if count >= max_vertices:
                continue
            if max_vertices > 32 and count and count % 32 == 0:
                words.append(bits)
                bits = 0
            count += 1
        elif count:
            bits |= 1 << (count - 1) % 32
    return count, [*words, bits] if count else words
