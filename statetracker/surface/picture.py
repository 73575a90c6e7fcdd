"""A layout drawn to scale: levels, layers, tiles, waste. As SVG with the standard library, as PNG with Pillow."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from statetracker.errors import ArgumentError, MissingExtra
from statetracker.surface.older import Miptree
from statetracker.surface.tilings import TILE_B, tile
from statetracker.surface.units import align, cdiv, minify

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.surface.layout import Surface

_FONT: Final = 'font-family="monospace" font-size="11"'
_LONG_PX: Final = 860
_MARGIN_PX: Final = 16
_LINE_PX: Final = 18
_LETTER_PX: Final = 7
_SMALLEST_TILE_PX: Final = 7
_MOST_IMAGES: Final = 1 << 16  # more than that are a grey blur, and minutes

Colour = tuple[int, int, int]

_WASTE: Final = (214, 214, 210)
_GRID: Final = (150, 150, 146)
_INK: Final = (30, 30, 30)
_PAPER: Final = (255, 255, 255)

#: Colours of levels, in turn; layers in turn are lighter.
_LEVELS: Final = ((70, 114, 196), (216, 118, 62), (92, 154, 88), (148, 96, 178), (196, 160, 52), (62, 150, 160))


class Rect(NamedTuple):
    """An image of a level and layer, in elements."""

    level: int
    layer: int
    x: int
    y: int
    width: int
    height: int


class Drawing(NamedTuple):
    """The drawing, in elements: the memory of a surface, its tiles, its images.

    Attributes:
        title: The surface in words.
        width: Of the memory, padding too.
        height: Of the memory, padding too.
        tile: Width and height of a tile.
        images: A rectangle for each image.
        lines: What stands below the picture.
    """

    title: str
    width: int
    height: int
    tile: tuple[int, int]
    images: tuple[Rect, ...]
    lines: tuple[str, ...]

    @property
    def waste(self) -> float:
        """Share of the memory in which no image lies, 0 to 1."""
        return 1 - sum(i.width * i.height for i in self.images) / (self.width * self.height)

    @property
    def scale(self) -> float:
        """Pixels of the picture an element, 8 at most."""
        return min(_LONG_PX / max(self.width, self.height), 8.0)


def title(what: Surface | Miptree) -> str:
    """Return a surface or a tree of the older layout, in a line."""
    if isinstance(what, Miptree):
        return f"i965 of 2014: {what.format.name} {what.size0[0]}x{what.size0[1]}"
    r = what.request
    return f"gen {r.generation.name} {r.kind} {r.format.name} {r.width}x{r.height}"


def drawing(what: Surface | Miptree) -> Drawing:
    """Say what is drawn of a surface, or of a tree of the older layout.

    Args:
        what: The surface or tree.

    Raises:
        ArgumentError: More than 65536 images.
    """
    if isinstance(what, Miptree):
        images = len(what.offsets)
    else:
        images = what.request.levels * what.request.array_len * what.plan.slices
    if images > _MOST_IMAGES:
        hint = "Draw fewer layers: all are alike."
        raise ArgumentError("images", images, accepted=f"up to {_MOST_IMAGES} in a picture", hint=hint)
    return _older(what) if isinstance(what, Miptree) else _surface(what)


def _surface(s: Surface) -> Drawing:
    r = s.request
    t = tile(s.tiling, r.format.bpb)
    rows = s.size_B // s.row_pitch_B // t.phys_height * t.height_el
    width = s.row_pitch_B // t.phys_width_B * t.width_el // t.tiles_an_element
    images = []
    for level in range(r.levels):
        w, h = s.image_size_sa(level)
        for layer in range(r.array_len):
            for part in range(s.plan.slices):
                o = s.offset(level, layer)
                y = o.y_el + part * s.array_pitch_el_rows
                images.append(Rect(level, layer, o.x_el, y, cdiv(w, r.format.bw), cdiv(h, r.format.bh)))
    sizes = f"levels {r.levels}, layers {r.array_len}, samples {r.samples}"
    memory = f"{s.tiling} tiles of {t.width_el}x{t.height_el} el, pitch {s.row_pitch_B} B, size {s.size_B} B"
    pitch = f"{s.plan.dim_layout}, array pitch {s.array_pitch_el_rows} el rows"
    return Drawing(title(s), width, rows, (t.width_el, t.height_el), tuple(images), (sizes, memory, pitch))


def _older(mt: Miptree) -> Drawing:
    t = tile(mt.tiling, 8 if mt.tiling == "W" else 32)
    tile_width = t.width_el if mt.tiling == "W" else 128 // mt.format.cpp
    rows, width = align(mt.total[1], t.height_el), mt.pitch // mt.format.cpp
    images = tuple(
        Rect(level, layer, x, y, minify(mt.size0[0], level - mt.levels[0]), minify(mt.size0[1], level - mt.levels[0]))
        for (level, layer), (x, y) in mt.offsets.items()
    )
    sizes = f"levels {mt.levels[0]} to {mt.levels[1]}, layers {mt.layers}, aligned to {mt.align[0]}x{mt.align[1]}"
    memory = f"{mt.tiling} tiles of {TILE_B} B, pitch {mt.pitch} B, total {mt.total[0]}x{mt.total[1]}"
    return Drawing(title(mt), width, rows, (tile_width, t.height_el), images, (sizes, memory, f"qpitch {mt.qpitch}"))


def _colour(level: int, layer: int) -> Colour:
    light = min(layer % 4 * 0.16, 0.5)
    red, green, blue = _LEVELS[level % len(_LEVELS)]
    return round(red + (255 - red) * light), round(green + (255 - green) * light), round(blue + (255 - blue) * light)


def _size(d: Drawing) -> tuple[int, int]:
    texts = [*_heading(d), *(text for _, text in _legend(d))]
    wide = max(d.width * d.scale, *(len(text) * _LETTER_PX + 20 for text in texts))
    lines = len(_heading(d)) + len(_legend(d)) + 1
    return round(wide) + 2 * _MARGIN_PX, round(d.height * d.scale) + lines * _LINE_PX + 2 * _MARGIN_PX


def _heading(d: Drawing) -> tuple[str, ...]:
    grid = f"thin lines: every tile{'' if _grid_every(d) == 1 else f' x {_grid_every(d)}'}"
    return d.title, *d.lines, f"{d.width}x{d.height} el of memory, {d.waste:.1%} of it waste (grey); {grid}"


def _legend(d: Drawing) -> list[tuple[Colour, str]]:
    first: dict[int, Rect] = {}
    for image in d.images:
        first.setdefault(image.level, image)
    return [(_colour(i.level, 0), f"L{i.level}: {i.width}x{i.height} at {i.x},{i.y}") for i in first.values()]


def _grid_every(d: Drawing) -> int:
    """Draw every n-th tile line, so that lines stay apart."""
    narrow = min(d.tile[0], d.tile[1]) * d.scale
    every = 1
    while narrow * every < _SMALLEST_TILE_PX:
        every *= 2
    return every


def _draw(d: Drawing, box: Callable[..., object], line: Callable[..., object], text: Callable[..., object]) -> None:
    """Call for each part of the picture: boxes and lines under texts. Places and sizes are in pixels."""
    s, left, top = d.scale, _MARGIN_PX, _MARGIN_PX + len(_heading(d)) * _LINE_PX
    right, bottom = left + d.width * s, top + d.height * s
    for n, words in enumerate(_heading(d)):
        text(left, _MARGIN_PX + n * _LINE_PX, words, _INK)
    box(left, top, d.width * s, d.height * s, _WASTE)
    for i in d.images:
        box(left + i.x * s, top + i.y * s, i.width * s, i.height * s, _colour(i.level, i.layer))
    step_x, step_y = (size * _grid_every(d) for size in d.tile)
    if step_x > 1:
        for x in range(0, d.width + 1, step_x):
            line(left + x * s, top, left + x * s, bottom)
        for y in range(0, d.height + 1, step_y):
            line(left, top + y * s, right, top + y * s)
    layers = any(image.layer for image in d.images)
    for i in d.images:  # labels of images that are large enough, where no line crosses them
        label = f"L{i.level}" + (f" s{i.layer}" if layers else "")
        if i.width * s > len(label) * _LETTER_PX + 4 and i.height * s > _LINE_PX - 4:
            text(left + i.x * s + 3, top + i.y * s + 1, label, _PAPER)
    for n, (fill, words) in enumerate(_legend(d)):
        below = bottom + _LINE_PX / 2 + n * _LINE_PX
        box(left, below + 2, 12, 12, fill)
        text(left + 20, below, words, _INK)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def svg(d: Drawing) -> str:
    """Draw as SVG: ``d``, what `drawing` gives."""
    width, height = _size(d)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {_FONT}>',
        f'<rect width="{width}" height="{height}" fill="{_hex(_PAPER)}"/>',
    ]

    def box(x: float, y: float, w: float, h: float, fill: Colour) -> None:
        out.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{w:.2f}" height="{h:.2f}" fill="{_hex(fill)}"/>')

    def line(x1: float, y1: float, x2: float, y2: float) -> None:
        places = f'x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"'
        out.append(f'<line {places} stroke="{_hex(_GRID)}" stroke-width="0.5"/>')

    def text(x: float, y: float, words: str, colour: Colour) -> None:
        out.append(f'<text x="{x:.2f}" y="{y + 12:.2f}" fill="{_hex(colour)}">{escape(words)}</text>')

    _draw(d, box, line, text)
    return "\n".join([*out, "</svg>", ""])


def png(d: Drawing) -> bytes:
    """Draw as PNG: ``d``, what `drawing` gives. Raises `MissingExtra` without Pillow (the extra ``report``)."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise MissingExtra("statetracker.surface.picture.png", "pillow", "report") from error
    image = Image.new("RGB", _size(d), _PAPER)
    pen = ImageDraw.Draw(image)

    def box(x: float, y: float, w: float, h: float, fill: Colour) -> None:
        """Whole pixels; never less than one, however small the image is drawn."""
        left, top = round(x), round(y)
        pen.rectangle((left, top, max(round(x + w) - 1, left), max(round(y + h) - 1, top)), fill=fill)

    _draw(
        d, box,
        lambda *ends: pen.line(ends, fill=_GRID),
        lambda x, y, words, colour: pen.text((x, y), words, fill=colour),
    )  # fmt: skip
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
