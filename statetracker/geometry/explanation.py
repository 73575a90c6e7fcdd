"""A decision shown: in sentences, and as register pressure over the program, drawn.

`explain` says what was chosen, why, and what each number follows from. `chart` has bars of GRFs alive at each
instruction, on top of the payload; lines are the register file's end and, where both were tried, the payload of either
way. Loops are shaded: a spill there costs ten times as much. SVG with the standard library, PNG with Pillow. See
docs/geometry.md.
"""

from __future__ import annotations

from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import MissingExtra
from statetracker.geometry.allocator.allocate import FAILURES
from statetracker.geometry.payload import MAX_OUTPUT_BYTES, MAX_VERTEX_BYTES, DispatchMode, instances_per_thread
from statetracker.geometry.program import jumps_of

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
    for name, attempt in _tried(decision):
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


def _tried(decision: Decision) -> list[tuple[str, Attempt]]:
    ways = (("DUAL_OBJECT", decision.dual_object), ("interleaved", decision.fallback))
    return [(name, one) for name, one in ways if one is not None]


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


_WIDTH_PX: Final = 900
_HEIGHT_PX: Final = 300
_LEFT_PX: Final = 46
_TOP_PX: Final = 58
_BOTTOM_PX: Final = 40
_RIGHT_PX: Final = 150
_LOOP: Final = (236, 236, 232)
_FONT: Final = 'font-family="monospace" font-size="12"'
_INK: Final = (30, 30, 30)
_PAPER: Final = (255, 255, 255)
_LIMIT: Final = (180, 40, 40)
#: Payload and values of each row: the way not chosen is pale.
_ROWS: Final = {True: ((120, 150, 180), (60, 110, 170)), False: ((214, 222, 230), (190, 205, 222))}

Colour = tuple[int, int, int]


class Chart(NamedTuple):
    """A chart in pixels: rectangles (x, y, width, height), and texts by their left end and base line."""

    width: int
    height: int
    shapes: list[tuple[float, float, float, float, Colour]]
    labels: list[tuple[float, float, str, Colour]]


def chart(decision: Decision) -> Chart:
    """Draw a decision: one panel for each way that was tried."""
    tried = _tried(decision)
    mode = "no mode" if decision.mode is None else decision.mode.name
    panel = _HEIGHT_PX + _BOTTOM_PX + 24
    what = Chart(_LEFT_PX + _WIDTH_PX + _RIGHT_PX, _TOP_PX + len(tried) * panel, [], [])
    what.labels.append((_LEFT_PX, 20, f"{mode}: registers alive at each instruction, over the payload", _INK))
    most = max(decision.pressure, default=0)
    unit = _HEIGHT_PX / max([decision.registers, *(one.payload.registers + most for _, one in tried)])
    for row, (name, attempt) in enumerate(tried):
        base, done = _TOP_PX + row * panel, attempt.allocation
        _panel(what, decision, attempt, base, unit)
        spilled = f", {len(done.spills)} spills" if done.spills else ""
        said = f"{name}: payload {attempt.payload.registers}, peak {most}, of {decision.registers}"
        what.labels.append((_LEFT_PX, base - 10, f"{said}: {done.reason or 'fits'}{spilled}", _INK))
    return what


def _panel(what: Chart, decision: Decision, attempt: Attempt, base: int, unit: float) -> None:
    shapes, labels = what.shapes, what.labels
    alive, payload = decision.pressure or [0], attempt.payload.registers
    step, floor = _WIDTH_PX / len(alive), base + _HEIGHT_PX
    instructions = decision.shader.program.instructions
    for ip, start in jumps_of(instructions).items():
        if instructions[ip].op == "while":
            shapes.append((_LEFT_PX + start * step, base, (ip - start + 1) * step, _HEIGHT_PX, _LOOP))
    of_payload, of_values = _ROWS[attempt is decision.chosen]
    shapes.append((_LEFT_PX, floor - payload * unit, _WIDTH_PX, payload * unit, of_payload))
    for ip, count in enumerate(alive):
        high = count * unit
        shapes.append((_LEFT_PX + ip * step, floor - payload * unit - high, max(step, 0.5), high, of_values))
    limit = floor - decision.registers * unit
    right = _LEFT_PX + _WIDTH_PX + 8
    shapes += [
        (_LEFT_PX, limit - 1, _WIDTH_PX, 2, _LIMIT),
        (_LEFT_PX, floor, _WIDTH_PX, 1, _INK),
        (_LEFT_PX - 1, base, 1, _HEIGHT_PX, _INK),
    ]
    labels += [
        (8, floor + 4, "0", _INK),
        (8, limit + 4, str(decision.registers), _LIMIT),
        (right, limit + 4, "register file", _LIMIT),
        (right, floor - payload * unit / 2 + 4, f"payload {payload}", _INK),
        (_LEFT_PX, floor + 18, "instruction 0", _INK),
        (_LEFT_PX + _WIDTH_PX - 30, floor + 18, str(len(alive) - 1), _INK),
    ]
    most = payload + max(alive)
    if abs(most - decision.registers) * unit > 12:
        labels.append((right, floor - most * unit + 4, f"peak {most}", _INK))


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def svg(what: Chart) -> str:
    """Return the chart as SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{what.width}" height="{what.height}">',
        f'<rect width="100%" height="100%" fill="{_hex(_PAPER)}"/>',
    ]
    lines += [
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{_hex(colour)}"/>'
        for x, y, width, height, colour in what.shapes
    ]
    lines += [
        f'<text x="{x:.0f}" y="{y:.0f}" {_FONT} fill="{_hex(colour)}">{escape(text, quote=False)}</text>'
        for x, y, text, colour in what.labels
    ]
    return "\n".join([*lines, "</svg>\n"])


def png(what: Chart) -> bytes:
    """Return the chart as PNG; raises `MissingExtra` without Pillow."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise MissingExtra("a PNG chart", "pillow", "report") from error
    image = Image.new("RGB", (what.width, what.height), _PAPER)
    draw = ImageDraw.Draw(image)
    for x, y, width, height, colour in what.shapes:
        if width >= 0.5 and height >= 0.5:
            draw.rectangle((x, y, max(x, x + width - 1), max(y, y + height - 1)), fill=colour)
    for x, y, text, colour in what.labels:
        draw.text((x, y - 10), text, fill=colour)
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()
