"""Register pressure over a program, drawn: as SVG with the standard library, as PNG with Pillow.

Bars are GRFs alive at each instruction, on top of the payload; lines are the register file's end and, where both were
tried, the payload of either way. Loops are shaded: a spill there costs ten times as much.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from statetracker.errors import MissingExtra

if TYPE_CHECKING:
    from statetracker.geometry.dispatch import Attempt, Decision

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
    ways = (("DUAL_OBJECT", decision.dual_object), ("interleaved", decision.fallback))
    tried = [(name, one) for name, one in ways if one is not None]
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
    alive, payload = decision.pressure or [0], attempt.payload.registers
    step, floor = _WIDTH_PX / len(alive), base + _HEIGHT_PX
    opened = []
    for ip, one in enumerate(decision.shader.program.instructions):
        if one.op == "do":
            opened.append(ip)
        elif one.op == "while":
            start = opened.pop()
            what.shapes.append((_LEFT_PX + start * step, base, (ip - start + 1) * step, _HEIGHT_PX, _LOOP))
    of_payload, of_values = _ROWS[attempt is decision.chosen]
    what.shapes.append((_LEFT_PX, floor - payload * unit, _WIDTH_PX, payload * unit, of_payload))
    for ip, count in enumerate(alive):
        high = count * unit
        what.shapes.append((_LEFT_PX + ip * step, floor - payload * unit - high, max(step, 0.5), high, of_values))
    limit = floor - decision.registers * unit
    what.shapes.extend(
        [
            (_LEFT_PX, limit - 1, _WIDTH_PX, 2, _LIMIT),
            (_LEFT_PX, floor, _WIDTH_PX, 1, _INK),
            (_LEFT_PX - 1, base, 1, _HEIGHT_PX, _INK),
        ]
    )
    right = _LEFT_PX + _WIDTH_PX + 8
    what.labels.extend(
        [
            (8, floor + 4, "0", _INK),
            (8, limit + 4, str(decision.registers), _LIMIT),
            (right, limit + 4, "register file", _LIMIT),
            (right, floor - payload * unit / 2 + 4, f"payload {payload}", _INK),
            (_LEFT_PX, floor + 18, "instruction 0", _INK),
            (_LEFT_PX + _WIDTH_PX - 30, floor + 18, str(len(alive) - 1), _INK),
        ]
    )
    most = payload + max(alive)
    if abs(most - decision.registers) * unit > 12:
        what.labels.append((right, floor - most * unit + 4, f"peak {most}", _INK))


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
        f'<text x="{x:.0f}" y="{y:.0f}" {_FONT} fill="{_hex(colour)}">{escape(text)}</text>'
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
