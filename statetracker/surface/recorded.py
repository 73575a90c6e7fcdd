"""Records as they were recorded: an ``in`` completed with what this library answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, SurfaceRefused
from statetracker.surface.alignment import decide, tile_mask
from statetracker.surface.attachments import framebuffer
from statetracker.surface.choices import PIXEL_SAMPLES
from statetracker.surface.layout import hiz_surface, layout
from statetracker.surface.request import Kind, surface_request
from statetracker.surface.tilings import Tiling, address, coordinate, tile, tile_offset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.surface.alignment import Policy

    Record = Mapping[str, Any]

__all__ = ["answer", "kind_of_record"]


def kind_of_record(record: Record) -> str:
    """Tell what a record asks: ``surf``, ``alignment``, or ``addr``, ``w_to_y``, ``intratile``, ``ims_px_size``.

    Raises `ArgumentError` for a record that asks nothing known.
    """
    asked = record.get("in")
    if isinstance(asked, dict):
        if "verx10" in asked:
            return "surf"
        if "gen" in asked:
            return "alignment"
    if record.get("q") in _TILING:
        return str(record["q"])
    raise ArgumentError("record", sorted(record), accepted="in (with verx10 or gen), or q " + ", ".join(_TILING))


def answer(record: Record, *, policy: Policy | str = "i965-2014") -> dict[str, object]:
    """Complete a record; what it holds beyond its question is not looked at.

    policy   of the alignment decision

    Raises `ArgumentError` for a question that makes no sense or lacks a member.
    """
    kind = kind_of_record(record)
    try:
        if kind == "surf":
            return _surf(record["in"])
        if kind == "alignment":
            return _alignment(record["in"], policy)
        return _TILING[kind](record)
    except KeyError as error:
        raise ArgumentError("record", str(error.args[0]), accepted=f"every member of a {kind} question") from None
    except TypeError as error:
        raise ArgumentError(
            "record", str(error), accepted=f"the members of a {kind} question, each of its type"
        ) from None


def _surf(asked: Record) -> dict[str, object]:
    rest = dict(asked)
    head = [rest.pop(name) for name in ("verx10", "kind", "format", "width", "height")]
    request = surface_request(*head, **rest)
    try:
        found = layout(request)
    except SurfaceRefused:
        return {"in": dict(asked), "ok": False}
    line = {"in": dict(asked), "ok": True, "surf": found.to_dict()}
    if request.kind is Kind.DEPTH:
        try:
            hiz = hiz_surface(found)
        except SurfaceRefused:
            return line | {"hiz_ok": False}
        line |= {"hiz_ok": True, "hiz": hiz.to_dict()}
    return line


def _alignment(asked: Record, policy: Policy | str) -> dict[str, object]:
    rest = dict(asked)
    head = [rest.pop(name) for name in ("gen", "target", "format", "width", "height")]
    fb = framebuffer(*head, **rest)
    before: dict[str, object] = {
        "mask": list(tile_mask(fb)),
        "depth_draw": list(fb.depth.depth_draw()) if fb.depth is not None else None,
        "stencil_draw": list(fb.stencil.stencil_draw()) if fb.stencil is not None else None,
    }
    if fb.depth is not None:
        before["depth_mt"] = fb.depth.storage.mt.to_dict()
    if fb.stencil is not None:
        before["stencil_mt"] = fb.stencil.storage.stencil_mt.to_dict()
    mt, last = fb.tree.mt, fb.texture.layers - 1
    layers = sorted({layer for layer in (0, 1, last) if layer <= last})
    offsets = [[level, layer, *mt.offsets[level, layer]] for level in range(fb.texture.levels) for layer in layers]
    return {
        "in": dict(asked),
        "before": before,
        "out": decide(fb, policy).to_dict(),
        "layout": {"qpitch": mt.qpitch, "offsets": offsets},
    }


def _picked(record: Record, *names: str) -> dict[str, object]:
    return {name: record[name] for name in names}


def _addr(r: Record) -> dict[str, object]:
    found = address(r["tiling"], r["x"], r["y"], r["row_pitch_B"], bit6_swizzle=r["bit6_swizzle"])
    return _picked(r, "q", "tiling", "row_pitch_B", "x", "y", "bit6_swizzle") | {"addr": found}


def _w_to_y(r: Record) -> dict[str, object]:
    found = address(Tiling.W, r["xw"], r["yw"], r["row_pitch_B"])
    x, y = coordinate(Tiling.Y, found, r["row_pitch_B"])
    return _picked(r, "q", "xw", "yw", "row_pitch_B") | {"addr": found, "xy": x, "yy": y}


def _intratile(r: Record) -> dict[str, object]:
    t = tile(r["tiling"], r["bpb"])
    start, x, y = tile_offset(r["tiling"], r["bpb"], r["row_pitch_B"], r["x_el"], r["y_el"])
    return _picked(r, "q", "tiling", "bpb", "row_pitch_B", "x_el", "y_el") | {
        "tile_bpb": t.bpb,
        "tile_logical_el": [t.width_el, t.height_el],
        "tile_phys_B": [t.phys_width_B, t.phys_height],
        "offset_B": start,
        "intra_x_el": x,
        "intra_y_el": y,
    }


def _ims_px_size(r: Record) -> dict[str, object]:
    if r["samples"] not in PIXEL_SAMPLES:
        raise ArgumentError("samples", r["samples"], accepted=", ".join(map(str, PIXEL_SAMPLES)))
    w, h = PIXEL_SAMPLES[r["samples"]]
    return _picked(r, "q", "samples") | {"w": w, "h": h}


_TILING: Final[Mapping[str, Callable[[Record], dict[str, object]]]] = {
    "addr": _addr,
    "w_to_y": _w_to_y,
    "intratile": _intratile,
    "ims_px_size": _ims_px_size,
}
