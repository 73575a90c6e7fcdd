"""The payload of a geometry shader's thread, and the URB entry that it writes.

A register (GRF) is 32 bytes: two vec4. SINGLE and DUAL_INSTANCE interleave: two attributes to a register, which both
halves of the thread share. DUAL_OBJECT has one attribute to a register, each half its own object's. The payload is
header, primitive id, constants, input attributes; an entry is control data and vertices.
Source: Ivy Bridge PRM, volume 2 part 1, 7.2.1.1 (3DSTATE_GS); docs/geometry.md.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up

if TYPE_CHECKING:
    from collections.abc import Mapping


class DispatchMode(IntEnum):
    """A thread's mode; the value is that of the 2-bit field at bit 11 of 3DSTATE_GS.

    Attributes:
        SINGLE: One object, SIMD4x1, inputs interleaved.
        DUAL_INSTANCE: One object, up to two of its instances, SIMD4x2, inputs interleaved.
        DUAL_OBJECT: Two objects, SIMD4x2, one attribute to a register; one instance only.
    """

    SINGLE = 0
    DUAL_INSTANCE = 1
    DUAL_OBJECT = 2

    @property
    def attributes_per_register(self) -> int:
        """Input attributes in a register."""
        return 1 if self is DispatchMode.DUAL_OBJECT else 2


#: Input primitive -> vertices.
VERTICES_IN: Final[Mapping[str, int]] = {
    "points": 1, "lines": 2, "lines_adjacency": 4, "triangles": 3, "triangles_adjacency": 6,
}  # fmt: skip
#: Slots at the front of every input vertex: the header (point size in w) and the position.
HEADER_SLOTS: Final = 2
#: gl_MaxGeometryInputComponents: 16 vec4 of varyings. 128 would not fit, not even interleaved (6 * 34 / 2 = 102).
MAX_INPUT_COMPONENTS: Final = 64


def instances_per_thread(mode: DispatchMode) -> int:
    """Instances that one thread runs."""
    return 2 if mode is DispatchMode.DUAL_INSTANCE else 1


def check_input_components(components: int) -> None:
    """Refuse more input components to a vertex than `MAX_INPUT_COMPONENTS`; raises `ArgumentError`."""
    if components > MAX_INPUT_COMPONENTS:
        hint = "Each input takes whole vec4; pack several into one, or compute them in the geometry shader."
        accepted = f"up to {MAX_INPUT_COMPONENTS} to a vertex (16 vec4)"
        raise ArgumentError("input components", components, accepted=accepted, hint=hint)


class Attribute(NamedTuple):
    """The place of a vec4 of the payload.

    Attributes:
        register: Its number: a GRF, from 0.
        half: 0 or 1 (dwords 0-3, 4-7) where both SIMD4x2 halves read the same; None: each half its own.
        vertical_stride: Of the region that reads it: 0 repeats one vec4 for both halves, 4 goes on to the next.
    """

    register: int
    half: int | None
    vertical_stride: int


class Payload(NamedTuple):
    """The layout of a thread's payload for one number of attributes to a register.

    Attributes:
        apr: Attributes to a register: 1 (DUAL_OBJECT) or 2.
        vertices_in: Input vertices.
        slots: VUE slots of each, with the 2 of the header.
        primitive_id: Whether r1 holds the primitive id.
        urb_read_length: Of each vertex, in units of two slots.
        stride: Slots of each vertex in the payload: an odd count wastes one.
        dispatch_grf_start_reg: Where constants start.
        curb_read_length: Registers of constants, two vec4 each.
        inputs: First register of input attributes.
        registers: The whole payload; the first free GRF.
    """

    apr: int
    vertices_in: int
    slots: int
    primitive_id: bool
    urb_read_length: int
    stride: int
    dispatch_grf_start_reg: int
    curb_read_length: int
    inputs: int
    registers: int

    def _at(self, index: int) -> Attribute:
        if self.apr == 1:
            return Attribute(index, None, 4)
        return Attribute(index // 2, index % 2, 0)

    def attribute(self, vertex: int, slot: int | None) -> Attribute:
        """Return the place of an input vertex's slot; None (never written by the vertex stage): r0, undefined.

        Args:
            vertex: Of the primitive, from 0.
            slot: A VUE slot; None: one that the vertex stage never writes.

        Raises:
            ArgumentError: A vertex or slot that is not in the payload.
        """
        if slot is None:
            return self._at(0)
        if not 0 <= vertex < self.vertices_in:
            raise ArgumentError("vertex", vertex, accepted=f"0 to {self.vertices_in - 1}")
        if not 0 <= slot < self.slots:
            raise ArgumentError("slot", slot, accepted=f"0 to {self.slots - 1}, or None for one never written")
        return self._at(self.apr * self.inputs + self.stride * vertex + slot)

    def primitive_id_attribute(self) -> Attribute:
        """Return the primitive id's place: r1, dwords 0 and 4 in DUAL_OBJECT, else its low half; or `ArgumentError`."""
        if not self.primitive_id:
            accepted = "a payload of a shader that reads gl_PrimitiveIDIn"
            raise ArgumentError("primitive_id", value=False, accepted=accepted)
        return self._at(self.apr)


def payload(vertices_in: int, slots: int, *, apr: int, uniforms: int = 0, primitive_id: bool = False) -> Payload:
    """Lay out the payload: r0, primitive id, constants, then the slots of vertex 0, vertex 1 ...

    Args:
        vertices_in: Of an input primitive, 1 to 6.
        slots: VUE slots of an input vertex, 0 to 65536.
        apr: Attributes to a register: 1 in DUAL_OBJECT, else 2.
        uniforms: vec4 of push constants, two to a register in every mode.
        primitive_id: The shader reads it: a register holds it.

    Raises:
        ArgumentError: Counts out of range.
    """
    for name, value, least, most in (
        ("vertices_in", vertices_in, 1, 6), ("in_slots", slots, 0, 1 << 16),
        ("uniforms", uniforms, 0, 1 << 16), ("apr", apr, 1, 2),
    ):  # fmt: skip
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ArgumentError(name, value, accepted=f"{least} to {most}")
    read_length = -(-slots // 2)
    start = 2 if primitive_id else 1
    constants = -(-uniforms // 2)
    inputs = start + constants
    registers = inputs + -(-2 * read_length * vertices_in // apr)
    lengths = (read_length, 2 * read_length, start, constants, inputs, registers)
    return Payload(apr, vertices_in, slots, primitive_id, *lengths)


class FixUp(NamedTuple):
    """A move in place on the payload before the shader runs, with every channel written whichever are enabled.

    Attributes:
        what: ``gl_PointSize`` (x := w: the vertex stage leaves it in w) or ``primitive_id`` (plus a base).
        at: The vec4 changed.
        write: Channels written.
        swizzle: Of the source, the same vec4.
        dwords: Width of the destination: 4 in interleaved modes, 8 in DUAL_OBJECT.
        write_all: Forced: an interleaved vec4 serves both halves, so it is written whichever channels are enabled.
    """

    what: str
    at: Attribute
    write: str
    swizzle: str
    dwords: int
    write_all: bool


def fix_ups(of: Payload, *, point_size: bool, primitive_id_base: bool = False) -> tuple[FixUp, ...]:
    """Return the moves before the shader: x := w of slot 0 of every vertex (gl_PointSize), and the primitive id.

    Args:
        of: The payload.
        point_size: The shader reads gl_PointSize.
        primitive_id_base: A software primitive restart adds a base to the id.
    """
    dwords = 8 if of.apr == 1 else 4
    vertices = range(of.vertices_in if point_size else 0)
    moves = [FixUp("gl_PointSize", of.attribute(n, 0), "x", "wwww", dwords, write_all=True) for n in vertices]
    if primitive_id_base and of.primitive_id:
        # In DUAL_OBJECT each half writes its own dword under its own enable; shared ones must be written always.
        at = of.primitive_id_attribute()
        moves.append(FixUp("primitive_id", at, "x", "xxxx", dwords, of.apr == 2))
    return tuple(moves)


def instance_id(header: tuple[int, ...]) -> tuple[int, int]:
    """Return the instance ids of a thread's two halves from its header, r0 (8 dwords): bits 31:27 of dwords 0 and 1."""
    return (header[0] & 0xFFFFFFFF) >> 27, (header[1] & 0xFFFFFFFF) >> 27


#: What a module can declare of vertices, slots and arrays; hardware holds far less.
MOST_COUNT: Final = (1 << 32) - 1
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
        ArgumentError: Counts below 0 or above 4294967295.
    """
    form = looked_up("output_type", output_type, OUTPUTS).control_data_format
    for name, value in (("max_vertices", max_vertices), ("out_slots", out_slots)):
        if type(value) is not int or not 0 <= value <= MOST_COUNT:
            raise ArgumentError(name, value, accepted=f"a whole number from 0 to {MOST_COUNT}")
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
