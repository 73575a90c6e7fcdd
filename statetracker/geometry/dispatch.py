"""The choice of a dispatch mode: DUAL_OBJECT if the shader fits without spilling, else the fallback with spilling.

`answer` completes a recorded question, a line of a file of programs, by it. Source: docs/geometry.md, The choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.geometry.allocator.allocate import Allocation, allocate
from statetracker.geometry.allocator.colouring import REGISTERS
from statetracker.geometry.allocator.liveness import Interval, live_intervals, pressure
from statetracker.geometry.payload import MOST_COUNT, DispatchMode, Payload, UrbSizes, payload, scratch_bytes, urb_sizes
from statetracker.geometry.program import Program
from statetracker.spellings import looked_up

MAX_INVOCATIONS: Final = 32

#: Policy -> the fallback's mode for one invocation; more are always DUAL_INSTANCE.
POLICIES: Final[Mapping[str, DispatchMode]] = {
    "series": DispatchMode.DUAL_INSTANCE,  # as merged in 2014
    "later": DispatchMode.SINGLE,  # 2015 and after
}


class Shader(NamedTuple):
    """A geometry shader for the back end: its program and what sizes payload and output.

    Attributes:
        vertices_in: Of an input primitive, 1 to 6.
        in_slots: VUE slots of an input vertex, with the 2 of the header.
        output_type: One of `OUTPUTS`.
        max_vertices: How many an invocation may emit.
        out_slots: VUE slots of an output vertex, 16 bytes each.
        uniforms: vec4 of push constants.
        primitive_id: Whether it reads gl_PrimitiveIDIn.
        invocations: Times that it runs for a primitive.
        uses_end_primitive: Whether it calls EndPrimitive.
        array_slots: Scratch slots of arrays that are indexed dynamically: taken before any spill.
        point_size: Whether it reads gl_PointSize of its input.
    """

    program: Program
    vertices_in: int
    in_slots: int
    output_type: str
    max_vertices: int
    out_slots: int
    uniforms: int = 0
    primitive_id: bool = False
    invocations: int = 1
    uses_end_primitive: bool = False
    array_slots: int = 0
    point_size: bool = False

    def payload(self, apr: int) -> Payload:
        """Return the payload with ``apr`` attributes to a register, 1 or 2."""
        return payload(self.vertices_in, self.in_slots, apr=apr, uniforms=self.uniforms, primitive_id=self.primitive_id)

    def urb(self) -> UrbSizes:
        """Return the sizes of the output."""
        return urb_sizes(
            self.output_type, self.max_vertices, self.out_slots, uses_end_primitive=self.uses_end_primitive
        )


class Attempt(NamedTuple):
    """One way to run the shader that was tried: the payload, and the allocation of the program's values beside it."""

    payload: Payload
    allocation: Allocation


class Decision(NamedTuple):
    """The choice. ``dual_object`` is None where it was not tried; ``fallback`` where it was not needed.

    Attributes:
        shader: What it was made for.
        policy: One of `POLICIES`.
        registers: GRFs that the file has for a thread.
        mode: None where no mode holds the shader.
        not_tried: Why DUAL_OBJECT was not tried, else empty.
        live: Intervals of the program as given.
        pressure: GRFs alive at each ip of the program as given, without the payload.
        urb: Sizes of the output.
    """

    shader: Shader
    policy: str
    registers: int
    mode: DispatchMode | None
    dual_object: Attempt | None
    fallback: Attempt | None
    not_tried: str
    live: list[Interval]
    urb: UrbSizes

    @property
    def chosen(self) -> Attempt:
        """The last attempt: the one that fits, if any does."""
        chosen = self.fallback or self.dual_object
        assert chosen is not None  # noqa: S101 (one is always made)
        return chosen

    @property
    def pressure(self) -> list[int]:
        """GRFs alive at each ip, without the payload."""
        return pressure(self.shader.program, self.live)

    @property
    def scratch_bytes(self) -> int:
        """Scratch memory of a thread."""
        return scratch_bytes(self.chosen.allocation.scratch_slots)

    @property
    def instance_field(self) -> int:
        """Invocations - 1, as 3DSTATE_GS holds it; 0 where there is none."""
        return max(1, self.shader.invocations) - 1


def dispatch(shader: Shader, policy: str = "later", *, dual_object: bool = True, count: int = REGISTERS[7]) -> Decision:
    """Choose the dispatch mode of a shader.

    Output too large for the URB is reported (``urb.fits``), and the rest is decided all the same.

    Args:
        shader: Its program and sizes.
        policy: ``later`` (SINGLE for one invocation) or ``series`` (always DUAL_INSTANCE), for the fallback.
        dual_object: False forbids DUAL_OBJECT, for debugging.
        count: Registers of the file.

    Raises:
        UnknownName: An unknown policy.
        ArgumentError: Counts out of range.
    """
    single = looked_up("policy", policy, POLICIES)
    if isinstance(shader.invocations, bool) or not 0 <= shader.invocations <= MAX_INVOCATIONS:
        raise ArgumentError("invocations", shader.invocations, accepted=f"0 to {MAX_INVOCATIONS}")
    shader.program.check()
    urb = shader.urb()
    not_tried = ""
    if shader.invocations > 1:
        not_tried = f"{shader.invocations} invocations, and DUAL_OBJECT runs one"
    elif not dual_object:
        not_tried = "DUAL_OBJECT is switched off"
    first = None if not_tried else _attempt(shader, 1, count, spilling=False)
    second: Attempt | None = None
    mode: DispatchMode | None = DispatchMode.DUAL_OBJECT
    if first is None or not first.allocation.ok:
        second = _attempt(shader, 2, count, spilling=True)
        mode = _fallback_mode(shader, single) if second.allocation.ok else None
    return Decision(shader, policy, count, mode, first, second, not_tried, live_intervals(shader.program), urb)


def _attempt(shader: Shader, apr: int, count: int, *, spilling: bool) -> Attempt:
    layout, slots = shader.payload(apr), shader.array_slots
    return Attempt(layout, allocate(shader.program, layout.registers, count=count, spilling=spilling, slots=slots))


def _fallback_mode(shader: Shader, single: DispatchMode) -> DispatchMode:
    return DispatchMode.DUAL_INSTANCE if shader.invocations > 1 else single


_COUNTS: Final = ("vertices_in", "in_slots", "uniforms", "invocations", "max_vertices", "out_slots")
_FLAGS: Final = ("primitive_id", "uses_end_primitive")
#: Members of a question -> what they are, as JSON has it.
_MEMBERS: Final = (
    (_COUNTS, int, "a whole number"),
    (("vgrf_sizes", "instructions"), list, "a list"),
    (_FLAGS, bool, "true or false"),
)


def shader_of_record(asked: Mapping[str, Any]) -> Shader:
    """Return the shader that a record asked for.

    Args:
        asked: Its member ``in``.

    Raises:
        ArgumentError: A member is missing or wrong; the error names it.
    """
    for name in (*_COUNTS, *_FLAGS, "output_type", "vgrf_sizes", "instructions"):
        if name not in asked:
            raise ArgumentError(f"in.{name}", None, accepted="a value: the member is missing")
    for names, kind, accepted in _MEMBERS:
        for name in names:
            if type(asked[name]) is not kind:
                raise ArgumentError(f"in.{name}", asked[name], accepted=accepted)
    slots, fixed = _arrays(asked)
    program = Program.parse(asked["vgrf_sizes"], asked["instructions"], fixed)
    return Shader(
        program, output_type=asked["output_type"], array_slots=slots,
        **{name: asked[name] for name in (*_COUNTS, *_FLAGS)},
    )  # fmt: skip


def _arrays(asked: Mapping[str, Any]) -> tuple[int, list[int]]:
    """Scratch slots of arrays, and the registers of their messages: members that a record may leave out."""
    slots, fixed = asked.get("array_slots", 0), asked.get("relative", [])
    if type(slots) is not int or not 0 <= slots <= MOST_COUNT:
        raise ArgumentError("in.array_slots", slots, accepted=f"a whole number from 0 to {MOST_COUNT}")
    if not isinstance(fixed, list) or not all(type(one) is int and one >= 0 for one in fixed):
        raise ArgumentError("in.relative", fixed, accepted="a list of virtual registers")
    return slots, fixed


def record_of_shader(shader: Shader) -> dict[str, Any]:
    """Return the ``in`` of a record for a shader: what `shader_of_record` reads.

    ``array_slots`` and ``relative`` (registers never spilled) are there only where a shader indexes arrays at run time.
    """
    record = {name: getattr(shader, name) for name in (*_COUNTS, *_FLAGS, "output_type")}
    record["vgrf_sizes"] = list(shader.program.vgrf_sizes)
    record["instructions"] = [one.to_list() for one in shader.program.instructions]
    if shader.array_slots or shader.program.relative:
        record |= {"array_slots": shader.array_slots, "relative": sorted(shader.program.relative)}
    return record


def answer(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with its ``out``. Raises `ArgumentError` for a record without a program."""
    asked = record.get("in")
    if not isinstance(asked, Mapping):
        raise ArgumentError("in", asked, accepted="an object: the question")
    inputs = {name: value for name, value in record.items() if name != "out"}
    return {**inputs, "out": outcome(dispatch(shader_of_record(asked)))}


def outcome(decision: Decision) -> dict[str, Any]:
    """Return a decision as the ``out`` of a record."""
    shader = decision.shader
    layouts = {"dual_object": shader.payload(1), "interleaved": shader.payload(2)}
    layout = layouts["interleaved"]
    done = decision.chosen.allocation
    verdict: dict[str, Any] | None = None
    if decision.dual_object is not None:
        reason = decision.dual_object.allocation.reason
        verdict = {"ok": True} if reason is None else {"ok": False, "reason": reason}
    out: dict[str, Any] = {
        "payload_regs": {name: one.registers for name, one in layouts.items()},
        "urb_read_length": layout.urb_read_length,
        "dispatch_grf_start_reg": layout.dispatch_grf_start_reg,
        "curb_read_length": layout.curb_read_length,
        "live": [[-1, -1] if one.end < 0 else list(one) for one in decision.live],
        "dual_object": verdict,
        "ok": done.ok,
    }
    if done.ok:
        one = None if decision.fallback else DispatchMode.DUAL_OBJECT
        modes = {policy: (one or _fallback_mode(shader, single)).name for policy, single in POLICIES.items()}
        out |= {"mode": modes, "total_grf": done.total_grf}
    else:
        out["reason"] = done.reason
    out["spills"] = done.spills
    if done.ok:
        out |= {
            "scratch_slots": done.scratch_slots,
            "scratch_bytes": decision.scratch_bytes,
            "n_instr": len(done.program.instructions),
            "n_vgrf": len(done.program.vgrf_sizes),
            "assignment": done.registers,
        }
    return {**out, "urb": decision.urb._asdict()}
