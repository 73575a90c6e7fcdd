"""Recorded questions: an ``in`` completed with this library's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, SurfaceRefused
from statetracker.surface.alignment import decide, tile_mask
from statetracker.surface.attachments import framebuffer
from statetracker.surface.layout import hiz_surface, layout
from statetracker.surface.picture import drawing
from statetracker.surface.request import Kind, surface_request
from statetracker.surface.stencil import pixel_size
from statetracker.surface.tilings import Tiling, address, coordinate, tile, tile_offset
from statetracker.surface.units import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from statetracker.surface.attachments import Framebuffer, Policy
    from statetracker.surface.picture import Drawing
    from statetracker.surface.request import SurfaceRequest

    Record = Mapping[str, Any]

#: Members of a record that are answers, by what is asked; a question may carry any others.
ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "surf": ("ok", "surf", "hiz_ok", "hiz"),
    "alignment": ("before", "out", "layout"),
    "addr": ("addr",),
    "w_to_y": ("addr", "xy", "yy"),
    "intratile": ("tile_bpb", "tile_logical_el", "tile_phys_B", "offset_B", "intra_x_el", "intra_y_el"),
    "ims_px_size": ("w", "h"),
}
#: Members of ``in``, needed and optional: arguments of `surface_request` and `framebuffer`.
_SURF: Final = (
    ("verx10", "kind", "format", "width", "height"),
    ("levels", "array_len", "samples", "usage", "tilings", "row_pitch_B"),
)
_ALIGNMENT: Final = (
    ("gen", "target", "format", "width", "height"),
    ("layers", "levels", "level", "layer", "attach", "stencil_level", "stencil_layer", "clear_depth", "clear_stencil"),
)


def kind_of_record(record: Record) -> str:
    """Return the kind of a record: ``surf``, ``alignment``, or ``addr``, ``w_to_y``, ``intratile``, ``ims_px_size``.

    Args:
        record: As `answer` takes it.

    Raises:
        ArgumentError: A record that asks nothing known.
    """
    asked, q = record.get("in"), record.get("q")
    for member, kind in (("verx10", "surf"), ("gen", "alignment")):
        if isinstance(asked, dict) and member in asked:
            return kind
    if isinstance(q, str) and q in _TILING:
        return q
    raise ArgumentError("record", sorted(record), accepted="in (with verx10 or gen), or q " + ", ".join(_TILING))


def answer(record: Record, *, policy: Policy | str = "i965-2014") -> dict[str, object]:
    """Complete a record; what it holds beyond its question is kept, and not looked at.

    Args:
        record: A question, as recorded files have it.
        policy: Of the alignment decision.

    Raises:
        ArgumentError: A question that makes no sense or lacks a member.
    """
    kind = kind_of_record(record)
    kept = {name: value for name, value in record.items() if name not in ANSWERS[kind]}
    if kind == "surf":
        return kept | surface_line(_request(record["in"]))
    if kind == "alignment":
        return kept | _alignment(record["in"], policy)
    return kept | _TILING[kind](_Question(kind, record))


def drawing_of_record(record: Record) -> Drawing:
    """Draw the surface or trees of a record of kind ``surf`` or ``alignment``.

    Args:
        record: As `answer` takes it.

    Raises:
        ArgumentError: As for `answer`, or a record of another kind.
    """
    kind = kind_of_record(record)
    if kind == "surf":
        return drawing(layout(_request(record["in"])))
    if kind == "alignment":
        return drawing(_framebuffer(record["in"]).tree.mt)
    raise ArgumentError("record", kind, accepted="a surface or a depth/stencil alignment, to be drawn")


class _Question:
    """The members of a question, checked on access."""

    def __init__(self, kind: str, members: Record) -> None:
        self.kind, self.members = kind, members

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (any JSON)
        if name not in self.members:
            raise ArgumentError(name, None, accepted=f"a value: a {self.kind} question needs this member")
        return self.members[name]

    def count(self, name: str, least: int = 0) -> int:
        """Return a size or a place."""
        value: int = self[name]
        whole_number(name, value, least)
        return value

    def flag(self, name: str) -> bool:
        """Return true or false."""
        value = self[name]
        if not isinstance(value, bool):
            raise ArgumentError(name, value, accepted="true or false")
        return value

    def arguments(self, needed: Iterable[str], optional: Iterable[str]) -> tuple[list[Any], Record]:
        """By place and by name; members that are none are left out."""
        given = {name: self.members[name] for name in optional if name in self.members}
        return [self[name] for name in needed], given


def _request(asked: Record) -> SurfaceRequest:
    needed, optional = _Question("surf", asked).arguments(*_SURF)
    return surface_request(*needed, **optional)


def _framebuffer(asked: Record) -> Framebuffer:
    question = _Question("alignment", asked)
    needed, optional = question.arguments(*_ALIGNMENT)
    for name in optional.keys() & {"clear_depth", "clear_stencil"}:
        question.flag(name)
    return framebuffer(*needed, **optional)


def surface_line(request: SurfaceRequest) -> dict[str, object]:
    """Answer a question of kind ``surf``: ``ok`` is false for a surface refused, ``hiz_ok`` for a HiZ refused."""
    try:
        surface = layout(request)
    except SurfaceRefused:
        return {"ok": False}
    line: dict[str, object] = {"ok": True, "surf": surface.to_dict()}
    if request.kind is not Kind.DEPTH:
        return line
    try:
        return line | {"hiz_ok": True, "hiz": hiz_surface(surface).to_dict()}
    except SurfaceRefused:
        return line | {"hiz_ok": False}


def _alignment(asked: Record, policy: Policy | str) -> dict[str, object]:
    fb = _framebuffer(asked)
    before: dict[str, object] = {"mask": list(tile_mask(fb)), "depth_draw": None, "stencil_draw": None}
    if fb.depth is not None:
        before |= {"depth_draw": list(fb.depth.depth_draw()), "depth_mt": fb.depth.storage.mt.to_dict()}
    if fb.stencil is not None:
        before |= {
            "stencil_draw": list(fb.stencil.stencil_draw()),
            "stencil_mt": fb.stencil.storage.stencil_mt.to_dict(),
        }
    mt, last = fb.tree.mt, fb.texture.layers - 1
    layers = sorted({layer for layer in (0, 1, last) if layer <= last})
    offsets = [[level, layer, *mt.offsets[level, layer]] for level in range(fb.texture.levels) for layer in layers]
    out = decide(fb, policy).to_dict()
    return {"before": before, "out": out, "layout": {"qpitch": mt.qpitch, "offsets": offsets}}


def _addr(r: _Question) -> dict[str, object]:
    x, y, pitch = r.count("x"), r.count("y"), r.count("row_pitch_B", 1)
    return {"addr": address(r["tiling"], x, y, pitch, bit6_swizzle=r.flag("bit6_swizzle"))}


def _w_to_y(r: _Question) -> dict[str, object]:
    pitch = r.count("row_pitch_B", 1)
    addr = address(Tiling.W, r.count("xw"), r.count("yw"), pitch)
    x, y = coordinate(Tiling.Y, addr, pitch)
    return {"addr": addr, "xy": x, "yy": y}


def _intratile(r: _Question) -> dict[str, object]:
    t = tile(r["tiling"], r["bpb"])
    start, x, y = tile_offset(r["tiling"], r["bpb"], r.count("row_pitch_B", 1), r.count("x_el"), r.count("y_el"))
    values = t.bpb, [t.width_el, t.height_el], [t.phys_width_B, t.phys_height], start, x, y
    return dict(zip(ANSWERS["intratile"], values, strict=True))


def _ims_px_size(r: _Question) -> dict[str, object]:
    w, h = pixel_size(r.count("samples"))
    return {"w": w, "h": h}


_TILING: Final[Mapping[str, Callable[[_Question], dict[str, object]]]] = {
    "addr": _addr, "w_to_y": _w_to_y, "intratile": _intratile, "ims_px_size": _ims_px_size,
}  # fmt: skip
