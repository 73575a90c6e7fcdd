"""Layouts: worked examples, what holds for every surface, every refusal by its name, batches, packets, pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

from statetracker.errors import ArgumentError, SurfaceRefused, UnknownName
from statetracker.surface import (
    FORMATS,
    REFUSALS,
    Surface,
    depth_packet,
    drawing,
    explain_layout,
    hiz_slices,
    hiz_surface,
    layout,
    level_command,
    miptree,
    png,
    surface_request,
    svg,
)
from statetracker.surface.batch import layout_batch
from statetracker.surface.override import override
from statetracker.surface.picture import Drawing, Rect
from statetracker.surface.stencil import stencil_tree
from statetracker.surface.tilings import TILES, Tiling
from statetracker.surface.units import align, cdiv, larger, minify

if TYPE_CHECKING:
    from collections.abc import Callable


D16, D24, D32, S8 = "R16_UNORM", "R24_UNORM_X8_TYPELESS", "R32_FLOAT", "R8_UINT"


def made(gen: float, kind: str, name: str, width: int, height: int, **more: Any) -> Surface:
    return layout(surface_request(gen, kind, name, width, height, **more))


@pytest.mark.parametrize(
    ("asked", "level", "layer", "place"),
    [
        ((6, "stencil", S8, 100, 50, 4, 3), 2, 2, (64, 292, 53248, 0, 36)),
        ((6, "depth", D24, 300, 200, 3, 2), 2, 1, (152, 544, 712704, 24, 0)),
        ((7, "stencil", S8, 100, 50, 4, 3), 2, 2, (56, 424, 49152, 56, 40)),
        (
            (8, "color", "R8G8B8A8_UNORM", 1024, 1024, 11, 6),
            9,
            5,
            (512, 1532 + 1540 * 5, (288 * 32 + 16) * 4096, 0, 16),
        ),
    ],
)
def test_worked_places(asked: Any, level: int, layer: int, place: tuple[int, ...]) -> None:
    """x_sa, y_sa, tile offset, remainder in the tile; more are recorded."""
    *names, levels, layers = asked
    usage = "TN" if names[0] == 8 else ""
    seen = made(*names, levels=levels, array_len=layers, usage=usage, tilings="Y" if usage else "ANY")
    offset = seen.offset(level, layer)
    assert (*offset[2:4], *offset[6:9]) == place


@pytest.mark.parametrize(("width", "usage", "tiling"), [(16382, "R", "Y"), (16383, "R", "LINEAR"), (16383, "T", "Y")])
def test_gen8_renders_to_what_is_wider_than_16382_only_when_linear(width: int, usage: str, tiling: str) -> None:
    assert made(8, "color", "R8_UNORM", width, 4, usage=usage).tiling == tiling


def test_a_hiz_surface_an_image_beside_the_layered_one() -> None:
    """In tiles of 128 x 64 samples: 3 x 4, 2 x 2 and one, for each of two layers; the layered one has 42."""
    depth = made(6, "depth", D24, 300, 200, levels=3, array_len=2)
    slices = hiz_slices(depth)
    assert [one.size_B // 4096 for one in slices] == [12, 4, 1]
    assert [one.row_pitch_B for one in slices] == [384, 256, 128]
    assert sum(one.size_B for one in slices) * 2 == 139264 < hiz_surface(depth).size_B == 172032
    for size, levels, layers, whole, each in (
        (64, 7, 1, 49_152, 28_672), (1024, 11, 6, 11_010_048, 4_349_952), (16, 1, 64, 65_536, 262_144),
    ):  # fmt: skip
        depth = made(6, "depth", D24, size, size, levels=levels, array_len=layers)
        assert hiz_surface(depth).size_B == whole
        assert sum(one.size_B for one in hiz_slices(depth)) * layers == each
    with pytest.raises(ArgumentError, match="Only depth has HiZ"):
        hiz_slices(made(6, "stencil", S8, 300, 200))


@st.composite
def surfaces(draw: st.DrawFn) -> Surface:
    gen = draw(st.sampled_from([6, 7, 7.5, 8]))
    kind = draw(st.sampled_from(["stencil", "depth", "color"]))
    names = {"stencil": [S8], "depth": [D16, D24, D32]}.get(kind, [name for name in FORMATS if name != "HIZ"])
    samples = draw(st.sampled_from([1, 1, 1, 4, 8]))
    levels = draw(st.integers(1, 10)) if samples == 1 else 1
    try:
        seen = made(
            gen, kind, draw(st.sampled_from(names)), draw(st.integers(1, 700)), draw(st.integers(1, 700)),
            levels=levels, array_len=draw(st.integers(1, 4)), samples=samples,
            usage=draw(st.sampled_from(["", "T", "R", "TRN"])),
        )  # fmt: skip
    except SurfaceRefused:
        assume(False)
    return hiz_surface(seen) if kind == "depth" and draw(st.booleans()) else seen


def rectangles(s: Surface) -> list[tuple[int, int, int, int]]:
    r = s.request
    seen = []
    for level in range(min(r.levels, max(s.tree.width0_sa, s.tree.height0_sa).bit_length())):
        width, height = s.image_size_sa(level)
        for layer in range(r.array_len):
            o = s.offset(level, layer)
            for part in range(s.plan.slices):
                y = o.y_el + part * s.array_pitch_el_rows
                seen.append((o.x_el, y, o.x_el + cdiv(width, r.format.bw), y + cdiv(height, r.format.bh)))
    return seen


@given(surfaces())
def test_no_two_images_overlap_and_all_lie_inside(s: Surface) -> None:
    boxes = np.array(rectangles(s))
    x0, y0, x1, y1 = boxes.T
    apart = (
        (x1[:, None] <= x0[None]) | (x1[None] <= x0[:, None]) | (y1[:, None] <= y0[None]) | (y1[None] <= y0[:, None])
    )
    assert apart[~np.eye(len(boxes), dtype=bool)].all()
    assert x1.max() <= s.tree.width_el
    assert y1.max() <= s.tree.height_el


@given(
    st.sampled_from([6, 7, 7.5, 8]), st.sampled_from([D16, D24, D32]), st.integers(1, 700), st.integers(1, 700),
    st.integers(1, 10), st.integers(1, 4), st.sampled_from([1, 4]),
)  # fmt: skip
def test_a_slice_is_what_the_layered_hiz_has_of_its_level(
    gen: float, name: str, width: int, height: int, levels: int, layers: int, samples: int
) -> None:
    """The same samples, from the start of a tile, in one level and layer; large enough and never larger."""
    depth = made(
        gen, "depth", name, width, height, levels=levels if samples == 1 else 1, array_len=layers, samples=samples
    )
    layered, slices = hiz_surface(depth), hiz_slices(depth)
    assert len(slices) == depth.request.levels
    for level, one in enumerate(slices):
        assert (one.request.levels, one.request.array_len, one.offset(0)[2:9]) == (1, 1, (0,) * 7)
        wide, high = layered.image_size_sa(level)
        assert one.image_size_sa(0) == (wide, high)
        assert cdiv(wide, 8) * cdiv(high, 4) * 16 <= one.size_B <= layered.size_B


@given(surfaces())
def test_every_image_is_aligned_and_its_last_tile_inside_the_size(s: Surface) -> None:
    r = s.request
    # of an element in three tiles only the first is sure to be inside: the library counts single tiles in a row
    tile_B = 1 if s.tiling is Tiling.LINEAR else 4096
    for level in range(r.levels):
        for layer in range(r.array_len):
            o = s.offset(level, layer)
            assert o.x_el % s.plan.align_el[0] == 0
            assert o.y_el % s.plan.align_el[1] == 0 or s.plan.span == "FULL"
            assert o.range_end_B - 1 + tile_B <= s.size_B
            if s.plan.dim_layout == "GFX6_STENCIL_HIZ" and layer == 0:
                assert o[7:9] == (0, 0)
    assert s.offset(0)[2:9] == (0,) * 7
    assert s.row_pitch_B % (1 if s.tiling is Tiling.LINEAR else TILES[s.tiling].phys_width_B) == 0


REFUSED: dict[str, Callable[[], object]] = {
    "no_tiling": lambda: made(6, "depth", D16, 4, 4, tilings="X"),
    "msaa_compressed": lambda: made(7, "color", "BC1_UNORM", 4, 4, samples=4),
    "msaa_levels": lambda: made(7, "depth", D16, 4, 4, samples=4, levels=2),
    "msaa_element_size": lambda: made(6, "color", "R32G32B32_FLOAT", 4, 4, samples=4),
    "msaa_signed": lambda: made(7, "color", "R32_SINT", 4, 4, samples=4),
    "msaa_valign2": lambda: made(7, "color", "R32G32B32_FLOAT", 4, 4, samples=4),
    "msaa_interleaved_width": lambda: made(7, "depth", D16, 8193, 4, samples=8),
    "msaa_depth_rendered": lambda: made(8, "depth", D16, 4, 4, samples=4, usage="R"),
    "pitch_too_small": lambda: made(7, "depth", D32, 100, 4, row_pitch_B=128),
    "pitch_unaligned": lambda: made(7, "depth", D32, 10, 4, row_pitch_B=200),
    "pitch_too_large": lambda: (made(6, "stencil", S8, 65536, 4), made(6, "stencil", S8, 65537, 4)),
    "stencil_offset": lambda: override(stencil_tree(6, (10, 10), layers=2, layout_of="isl"), layer=1),
    "stencil_width": lambda: override(stencil_tree(7, (8193, 4)), view="byte"),
    "size_too_large": lambda: made(7, "color", "R32G32B32A32_FLOAT", 16384, 16384, tilings="LINEAR"),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_every_reason_for_refusal_is_met_by_its_name(reason: str) -> None:
    with pytest.raises(SurfaceRefused, match=re.escape(f"({reason})")) as caught:
        REFUSED[reason]()
    assert caught.value.reason == reason
    assert REFUSALS[reason][1:] in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (lambda: made(5, "depth", D16, 4, 4), "older"),
        (lambda: made(9, "depth", D16, 4, 4), "generation"),
        (lambda: made(7, "shadow", D16, 4, 4), "kind"),
        (lambda: made(7, "depth", S8, 4, 4), "format"),
        (lambda: made(7, "color", "HIZ", 4, 4), "format"),
        (lambda: made(7, "depth", "R64", 4, 4), "format"),
        (lambda: made(7, "depth", D16, 0, 4), "width"),
        (lambda: made(7, "depth", D16, 4, 4, samples=3), "samples"),
        (lambda: made(7, "depth", D16, 4, 4, levels=33), "levels"),
        (lambda: made(7, "depth", D16, 4, 4, usage="Q"), "usage"),
        (lambda: made(7, "depth", D16, 4, 4).offset(1), "level"),
        (lambda: made(7, "depth", D16, 4, 4).offset(0, 1), "layer"),
        (lambda: hiz_surface(made(7, "stencil", S8, 4, 4)), "kind"),
        (lambda: layout_batch(surface_request(7, "depth", D16, 1, 1), [4], [0]), "height"),
        (lambda: layout_batch(surface_request(7, "depth", D16, 1, 1), [1 << 32], [4]), "width=array"),
        (lambda: layout_batch(surface_request(7, "depth", D16, 1, 1), [4, 5], [4, 5, 6]), "broadcast"),
    ],
)
def test_what_cannot_be_asked_for_is_reported(asked: Any, error: str) -> None:
    with pytest.raises((ArgumentError, UnknownName), match=error):
        asked()


@given(surfaces())
def test_an_explanation_shows_every_number_that_is_recorded(s: Surface) -> None:
    said = {step.field: step.value for step in explain_layout(s.request)}
    seen = s.to_dict()
    for name in set(seen) - {"offsets"}:
        value = seen[name]
        assert said[name] == (tuple(value) if isinstance(value, list) else value)
    assert all(step.reason for step in explain_layout(s.request))


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize(
    ("kind", "name"), [("stencil", S8), ("depth", D24), ("color", "BC1_UNORM"), ("color", "R32G32B32_FLOAT")]
)
@pytest.mark.parametrize("gen", [6, 7, 7.5, 8])
def test_a_batch_is_many_single_layouts(gen: float, kind: str, name: str, samples: int) -> None:
    rng = np.random.default_rng(7)
    width, height = rng.integers(1, 20000, 60), rng.integers(1, 600, 60)
    layers = rng.integers(1, 4, 60)
    request = surface_request(gen, kind, name, 1, 1, levels=5 if samples == 1 else 1, samples=samples, usage="T")
    seen = layout_batch(request, width, height, layers)
    for n, (w, h, a) in enumerate(zip(width.tolist(), height.tolist(), layers.tolist(), strict=True)):
        try:
            one = layout(request._replace(width=w, height=h, array_len=a))
        except SurfaceRefused:
            assert not seen.ok[n]
            continue
        assert seen.ok[n]
        assert (seen.row_pitch_B[n], seen.size_B[n]) == (one.row_pitch_B, one.size_B)
        assert seen.array_pitch_el_rows[n] == one.array_pitch_el_rows
        last = one.offset(request.levels - 1, a - 1)
        y = seen.y_sa[n, -1] + (a - 1) * seen.layer_step_sa[n]
        assert (seen.x_sa[n, -1], y) == last[2:4]


MOST = (1 << 32) - 1


@pytest.mark.parametrize("row_pitch_B", [0, MOST - 63])
@pytest.mark.parametrize("sizes", [(MOST, MOST, 1), (4, 1 << 31, 1 << 31), (1, 1, MOST), (1 << 31, 1 << 31, MOST)])
def test_a_batch_refuses_what_integers_of_64_bits_would_not_hold(sizes: tuple[int, ...], row_pitch_B: int) -> None:
    request = surface_request(8, "color", "R32G32B32A32_FLOAT", 64, 64, levels=3, row_pitch_B=row_pitch_B)
    with pytest.raises(SurfaceRefused):
        layout(request._replace(width=sizes[0], height=sizes[1], array_len=sizes[2]))
    seen = layout_batch(request, *sizes)
    assert not seen.ok[0]
    assert not seen.size_B[0]


@given(st.integers(1, 1 << 40), st.integers(1, 1000), st.integers(0, 30))
def test_units_are_the_same_on_arrays(value: int, step: int, level: int) -> None:
    array = np.array([value])
    assert align(value, step) == align(array, step)[0] >= value
    assert cdiv(value, step) * step == align(value, step)
    assert minify(value, level) == minify(array, level)[0] == max(value >> level, 1)
    assert larger(value, step) == larger(array, np.array([step]))[0] == max(value, step)


def test_hand_over_of_a_gen6_level() -> None:
    s = made(6, "stencil", S8, 100, 50, levels=4, array_len=3)
    command = level_command(s, 2)
    assert (command.base_offset_B, command.row_pitch_B, command.pitch_field) == (40960, 384, 383)
    assert command.qpitch_rows == 50
    d = made(6, "depth", D24, 100, 50, levels=4, array_len=3)
    assert depth_packet(d, 2, layer=1)[:6] == (100, 50, 2, 3, 1, 2)
    assert level_command(hiz_surface(d), 1).base_offset_B % 4096 == 0
    with pytest.raises(ArgumentError, match="GFX6_STENCIL_HIZ"):
        level_command(made(7, "stencil", S8, 4, 4), 0)
    with pytest.raises(ArgumentError, match="generation 6"):
        depth_packet(made(7, "depth", D24, 4, 4), 0)
    with pytest.raises(ArgumentError, match="layers"):
        depth_packet(d, 0, layer=1, layers=3)


PICTURED: list[Any] = [
    made(6, "stencil", S8, 100, 50, levels=4, array_len=3),
    made(7, "depth", D24, 300, 200, levels=5, array_len=2),
    miptree("4", "CUBE", "Z24S8", (64, 64), layers=6, levels=(0, 3)),
    made(8, "depth", D32, 1920, 1080, levels=11),  # images smaller than a pixel
    made(7, "stencil", S8, 1, 1, array_len=50),
    miptree("4", "CUBE", "Z24S8", (4096, 1), layers=6, levels=(0, 12)),
]


@pytest.mark.parametrize("what", PICTURED, ids=["gen6", "gen7", "older", "long-chain", "far-apart", "older-chain"])
def test_a_picture_draws_every_image_to_scale(what: Any) -> None:
    d = drawing(what)
    drawn = ET.fromstring(svg(d))  # noqa: S314 (our own text)
    rects = drawn.findall("{http://www.w3.org/2000/svg}rect")
    shown = {(r.get("width"), r.get("height")) for r in rects}
    assert {(f"{i.width * d.scale:.2f}", f"{i.height * d.scale:.2f}") for i in d.images} <= shown
    assert len(rects) == 2 + len(d.images) + len({i.level for i in d.images})
    assert all(i.x + i.width <= d.width and i.y + i.height <= d.height for i in d.images)
    if what is PICTURED[0]:
        assert d.waste == pytest.approx(1 - 3 * (100 * 50 + 50 * 25 + 25 * 12 + 12 * 6) / (192 * 384))
    picture = Image.open(BytesIO(png(d)))
    assert picture.size == (int(drawn.get("width", 0)), int(drawn.get("height", 0)))


def test_an_image_smaller_than_a_pixel_is_one_pixel() -> None:
    d = Drawing("", 3000, 3000, (3000, 3000), (Rect(0, 0, 1500, 1500, 1, 1),), ())
    x, y = 16 + 430, 16 + 2 * 18 + 430  # margin, two lines of text above, half of the long side
    picture = Image.open(BytesIO(png(d)))
    colour = picture.getpixel((x, y))
    assert colour == (70, 114, 196)
    assert [at for at in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if picture.getpixel(at) == colour] == []
