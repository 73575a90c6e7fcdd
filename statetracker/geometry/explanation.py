"""A decision in sentences: what was chosen, why, and what each number follows from.

See docs/geometry.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.geometry.allocator import FAILURES
from statetracker.geometry.payload import DispatchMode, instances_per_thread
from statetracker.geometry.urb import MAX_OUTPUT_BYTES, MAX_VERTEX_BYTES

if TYPE_CHECKING:
    from statetracker.geometry.dispatch import Attempt, Decision


class Reason(NamedTuple):
    """A field of the decision, its value, and the reason for it."""

    field: str
    value: str
    reason: str


def peak(decision: Decision) -> tuple[int, int]:
    """Return the most GRFs alive at once in a decision, without the payload, and the first ip where they are."""
    pressure = decision.pressure
    most = max(pressure, default=0)
    return most, pressure.index(most) if pressure else 0


def explain(decision: Decision) -> list[Reason]:
    """Return the decision, field by field."""
    shader, chosen = decision.shader, decision.chosen
    layout, done = chosen.payload, chosen.allocation
    steps: list[Reason] = []

    def say(field: str, value: object, reason: str) -> None:
        steps.append(Reason(field, str(value), reason))

    most, ip = peak(decision)
    program = shader.program.instructions
    note = program[ip].note or program[ip].op if program else "nothing"
    say("mode", "none" if decision.mode is None else decision.mode.name, _why_mode(decision))
    say("pressure", most, f"registers alive at once, beside the payload, first at instruction {ip} ({note})")
    if decision.not_tried:
        say("DUAL_OBJECT", "not tried", decision.not_tried)
    for name, attempt in (("DUAL_OBJECT", decision.dual_object), ("interleaved", decision.fallback)):
        if attempt is not None:
            say(f"{name} payload", attempt.payload.registers, _why_payload(attempt))
            say(f"{name} allocation", attempt.allocation.reason or "fits", _why_allocation(decision, attempt))
    first = "after r0" + (" and the primitive id in r1" if layout.primitive_id else "")
    say("dispatch_grf_start_reg", layout.dispatch_grf_start_reg, first)
    say("curb_read_length", layout.curb_read_length, f"{shader.uniforms} vec4 of constants, 2 to a register")
    say("urb_read_length", layout.urb_read_length, f"{layout.slots} slots of an input vertex, 2 to a unit")
    if done.ok:
        say("total_grf", done.total_grf, "the highest register used, and one; the allocator goes round")
        say("spills", len(done.spills), _why_spills(decision))
        say("scratch", f"{decision.scratch_bytes} B", _why_scratch(decision))
    if decision.mode is not None:
        runs = instances_per_thread(decision.mode)
        held = f"{runs} at a time; the hardware's field holds {decision.instance_field}"
        say("instances", max(1, shader.invocations), held)
    return [*steps, *_output(decision)]


def _why_mode(decision: Decision) -> str:
    if decision.mode is DispatchMode.DUAL_OBJECT:
        return "it fits the registers without spilling, and has one invocation: two objects to a thread"
    if decision.mode is None:
        return f"no mode holds it: {FAILURES[decision.chosen.allocation.reason or 'payload']}"
    if decision.dual_object is None:
        why = decision.not_tried
    else:
        why = f"DUAL_OBJECT fails: {FAILURES[decision.dual_object.allocation.reason or 'payload']}"
    return f"{why}; inputs are interleaved, 2 to a register (policy {decision.policy})"


def _why_payload(attempt: Attempt) -> str:
    one = attempt.payload
    attributes = one.stride * one.vertices_in
    parts = ["r0", *(["primitive id"] if one.primitive_id else [])]
    if one.curb_read_length:
        parts.append(f"{one.curb_read_length} of constants")
    inputs = one.registers - one.inputs
    vertices = "1 vertex" if one.vertices_in == 1 else f"{one.vertices_in} vertices"
    parts.append(f"{inputs} of inputs: {vertices} of {one.stride} slots = {attributes}")
    return f"{', '.join(parts)}, {one.apr} to a register"


def _why_allocation(decision: Decision, attempt: Attempt) -> str:
    done, most = attempt.allocation, peak(decision)[0]
    need = f"{attempt.payload.registers} of payload and at most {most} alive at once, of {decision.registers}"
    if done.reason == "payload":
        return f"{FAILURES['payload']}: {attempt.payload.registers} of {decision.registers}"
    if done.reason is not None:
        return f"{need}: {FAILURES[done.reason]}"
    return f"{need}" + (f"; {len(done.spills)} values had to go to scratch memory" if done.spills else "")


def _why_spills(decision: Decision) -> str:
    spills = decision.chosen.allocation.spills
    if not spills:
        return "every value has a register"
    program = decision.shader.program
    made = {one.dst.reg: f"vgrf {one.dst.reg} ({one.note})" for one in reversed(program.instructions)
            if one.dst and one.note}  # fmt: skip
    shown = 4 if made else 8
    named = ", ".join(made.get(reg, f"vgrf {reg}") for reg in spills[:shown]) + (" ..." if len(spills) > shown else "")
    return f"{named}: the most room for the least reads and writes, in this order"


def _why_scratch(decision: Decision) -> str:
    slots, arrays = decision.chosen.allocation.scratch_slots, decision.shader.array_slots
    if not slots:
        return "nothing is kept in memory"
    of_arrays = f", {arrays} of them of arrays indexed dynamically" if arrays else ""
    return f"{slots} slots of 32 B{of_arrays}, rounded up to a power of two from 1024 B, for each thread"


def _output(decision: Decision) -> list[Reason]:
    urb, shader = decision.urb, decision.shader
    header = urb.control_data_header_size_hwords
    bits = "1 bit a vertex for EndPrimitive" if header else "no bits needed"
    vertex = f"{shader.out_slots} slots of 16 B, in units of 32 B"
    entry = f"{urb.output_bytes} B: {shader.max_vertices} vertices and the control data"
    steps = [
        Reason("output vertex", f"{urb.output_vertex_size_hwords} hwords", vertex),
        Reason("control data", f"{urb.control_data_format}, {header} hwords", f"{shader.output_type} out, {bits}"),
        Reason("URB entry", f"{urb.urb_entry_size_64B} x 64 B", entry),
    ]
    if not urb.fits:
        limits = f"an entry holds {MAX_OUTPUT_BYTES} B, a vertex {MAX_VERTEX_BYTES} B: linking fails"
        steps.append(Reason("output", "too large", limits))
    return steps
