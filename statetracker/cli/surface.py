"""``statetracker surface``: records answered or compared, or one surface described, explained and drawn.

``surface stencil``: the surface state with which samplers read W-tiled stencil.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from statetracker.cli.jsonl import RecordKind, answer_files, json_records
from statetracker.cli.output import EXIT_FINE, console, info, json_line, table, write_picture
from statetracker.errors import ArgumentError, FileError, StateTrackerError, SurfaceRefused
from statetracker.surface import (
    answer,
    decide,
    drawing,
    explain_layout,
    framebuffer,
    hiz_slices,
    hiz_surface,
    layout,
    png,
    surface_request,
    svg,
)
from statetracker.surface.override import Mode, override
from statetracker.surface.picture import title
from statetracker.surface.recorded import ANSWERS, drawing_of_record, kind_of_record, surface_line
from statetracker.surface.stencil import stencil_tree
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.cli.options import Given
    from statetracker.surface import Drawing, Surface


def _lacking(record: Mapping[str, Any]) -> str:
    names = ANSWERS[kind_of_record(record)]
    return "" if any(name in record for name in names) else f"has no out to compare with: none of {', '.join(names)}"


def _count(record: Mapping[str, Any], answer: Mapping[str, Any], counts: Counter[str]) -> None:
    counts["kind " + kind_of_record(record)] += 1
    counts["records"] += 1
    counts["refused"] += answer.get("ok") is False


def _cells(counts: Counter[str]) -> dict[str, object]:
    kinds = ", ".join(sorted(name.removeprefix("kind ") for name in counts if name.startswith("kind ")))
    return {"records of": kinds, "records": counts["records"], "refused": counts["refused"]}


def show_surface(given: Given) -> int:
    """Answer recorded questions, compare them, or draw the first; without a file, describe one surface."""
    if not given.files:
        if given.size is None:
            raise ArgumentError("surface", None, accepted="a FILE.jsonl, or --size WxH with --gen, --kind ...")
        return _older(given) if given.older else _describe(given)
    if given.size is not None or given.older:
        raise ArgumentError(
            "FILE", given.files[0], accepted="no file with --size and --older, which describe a surface"
        )
    if given.output is not None:
        if len(given.files) > 1:
            raise ArgumentError("-o", given.output, accepted="one file at a time")
        return _draw_record(given.files[0], given.output)
    kind = RecordKind(partial(answer, policy=given.policy or "i965-2014"), _lacking, _count, _cells)
    return answer_files(given.files, kind, check=given.check, as_json=given.as_json)


def _draw_record(path: str, output: str) -> int:
    for number, record in json_records(path, Counter()):
        try:
            if kind_of_record(record) not in {"surf", "alignment"}:
                break
            drawn = drawing_of_record(record)
        except StateTrackerError as error:
            raise FileError(path, number, str(error)) from None
        return _write(drawn, output)
    raise ArgumentError("FILE", path, accepted="a file whose first record is a surface or a depth/stencil alignment")


def _write(what: Drawing, output: str) -> int:
    write_picture(output, png=lambda: png(what), svg=lambda: svg(what))
    info(f"{output} written: {what.width}x{what.height} elements, {what.waste:.1%} waste")
    return EXIT_FINE


_DEFAULT_FORMATS = {"stencil": "R8_UINT", "depth": "R24_UNORM_X8_TYPELESS", "color": "R8G8B8A8_UNORM", "hiz": "HIZ"}


def size_of(text: str) -> tuple[int, int]:
    """``100x50`` to (100, 50); raises `ArgumentError`."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise ArgumentError("--size", text, accepted="WIDTHxHEIGHT in pixels, such as 100x50")
    return integer(width, field="--size"), integer(height, field="--size")


def _describe(given: Given) -> int:
    """Describe one surface, every number with its reason, and draw it where ``-o`` names a file."""
    size, kind = size_of(given.size), given.kind
    if kind not in _DEFAULT_FORMATS:
        raise ArgumentError("--kind", kind, accepted=", ".join(_DEFAULT_FORMATS))
    name = _DEFAULT_FORMATS[kind] if given.format is None else given.format
    request = surface_request(
        given.gen, kind, name, *size, levels=given.levels, array_len=given.layers, samples=given.samples,
        usage=given.usage, tilings=given.tiling, row_pitch_B=given.pitch,
    )  # fmt: skip
    if given.as_json:
        json_line(surface_line(request))
    result = layout(request)  # refused: raises, with the reason
    if not given.as_json:
        _steps(title(result), explain_layout(request))
        if kind == "depth":
            _print_hiz(result)
    return EXIT_FINE if given.output is None else _write(drawing(result), given.output)


def _print_hiz(depth: Surface) -> None:
    try:
        hiz = hiz_surface(depth)
    except SurfaceRefused as error:
        console().print(f"its HiZ: {error}")
        return
    _steps("its HiZ", explain_layout(hiz.request))
    each = sum(one.size_B for one in hiz_slices(depth))
    layers = depth.request.array_len
    if layers * depth.request.levels > 1:
        images = layers * depth.request.levels
        console().print(f"a HiZ surface for each image instead: {images} surfaces, {each * layers} bytes")


def _steps(title: str, steps: list[Any]) -> None:
    table(title, ("field", "value", "why"), [(s.field, _shown(s.value), s.reason) for s in steps])
    console().print()


def _shown(value: object) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, tuple) else str(value)


def show_stencil(given: Given) -> int:
    """Print the surface state, every member with its reason."""
    laid_out = stencil_tree(
        size=size_of(given.size), gen=given.gen, levels=given.levels, layers=given.layers, samples=given.samples,
        layout_of=given.layout, row_pitch_B=given.pitch or None,
    )  # fmt: skip
    described = override(laid_out, mode=given.mode, view=given.view, level=given.level, layer=given.layer)
    for option, number in (("--level", given.level), ("--layer", given.layer)):
        if number and (described.mode is not Mode.STATIC or not described.needed):
            raise ArgumentError(option, number, accepted="0; with --mode static a single image is described")
    if given.as_json:
        json_line(described.to_dict())
        return EXIT_FINE
    shape = f"stencil {given.size}, {laid_out.levels} levels, {laid_out.layers} layers"
    rows = [(step.field, step.value, step.reason) for step in described.steps()]
    table(f"generation {laid_out.generation.name}, {shape}", ("member", "value", "why"), rows)
    return EXIT_FINE


def _older(given: Given) -> int:
    """Describe a surface as the i965 driver of 2014 lays it out, and what it decides on alignment."""
    target = given.target or ("2D" if given.layers == 1 else "2D_ARRAY")
    name = "Z24X8" if given.format is None else given.format
    fb = framebuffer(
        given.gen, target, name, *size_of(given.size), layers=given.layers, levels=given.levels, level=given.level,
        layer=given.layer, attach=given.attach,
    )  # fmt: skip
    decision = decide(fb, given.policy or "safe")
    if given.as_json:
        steps = [step._asdict() for step in decision.steps]
        json_line({"layout": fb.tree.mt.to_dict(), "out": decision.to_dict(), "steps": steps})
    else:
        _steps(title(fb.tree.mt), list(decision.steps))
        for move in decision.moves:
            for sentence in move.sentences():
                console().print(f"* {sentence}")
    return EXIT_FINE if given.output is None else _write(drawing(fb.tree.mt), given.output)
