"""Policy ``level-layer``: generation 6 on generation 7's path, where nothing moves, and what it costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from statetracker.errors import SurfaceRefused
from statetracker.surface import decide, framebuffer, hiz_surface, layout, surface_request, tile_offset
from statetracker.surface.level_layer import level_layer
from tests.surface.strategies import framebuffers

#: Target, size, layers, levels; bytes of the surfaces, of the trees of 2014; images moved, bytes copied.
COSTS = [
    ("2D", (1024, 1024), 1, 11, 11_010_048, 11_337_728, 1, 40),
    ("2D", (1920, 1080), 1, 11, 20_332_544, 22_118_400, 2, 19_860),
    ("2D", (300, 200), 1, 9, 1_064_960, 716_800, 4, 9_920),
    ("CUBE", (512, 512), 6, 10, 18_939_904, 17_596_416, 30, 10_485_750),
    ("2D_ARRAY", (300, 200), 8, 9, 7_577_600, 6_164_480, 32, 79_360),
]


def steps(got: Any) -> dict[str, Any]:
    return {step.field: step for step in got.steps}


@pytest.mark.parametrize("row", COSTS, ids=str)
def test_the_costs_in_the_docs(row: tuple[Any, ...]) -> None:
    """The sizes of all surfaces; the images that would move under ``safe``, and what that copies, there and back."""
    target, size, layers, levels, new, old, moved, copied = row
    images = [(level, layer) for level in range(levels) for layer in range(layers)]
    got = [
        framebuffer(6, target, "Z24S8", *size, layers=layers, levels=levels, level=a, layer=b, attach="same_texture")
        for a, b in images
    ]
    said = [step for step in level_layer(got[0]).steps if step.field.endswith("_B")]
    assert sum(step.value for step in said if isinstance(step.value, int)) == new
    assert sum(int(step.reason.split()[1]) for step in said) == old
    moves = [decide(fb).moves for fb in got]
    assert sum(map(bool, moves)) == moved
    assert sum(c.size_B for some in moves for m in some for c in (*m.copies, *m.copies_back)) == copied


@given(framebuffers(("6",)))
def test_the_hardware_finds_every_image(fb: Any) -> None:
    """It adds a layer's rows, by level 0's pitch, to the level's address: there the layout has the image."""
    got = level_layer(fb)
    for surface, offset, attachment in (
        (got.hiz, got.hiz_offset, fb.depth),
        (got.stencil, got.stencil_offset, fb.stencil),
    ):
        if surface is None:
            continue
        level, layer = attachment.image
        whole, bpb = surface.offset(level, layer), surface.request.format.bpb
        rows = layer * surface.array_pitch_el_rows
        seen = tile_offset(surface.tiling, bpb, surface.row_pitch_B, 0, rows)
        size = surface.request.format
        inside = whole.intratile_x_sa // size.bw, whole.intratile_y_sa // size.bh
        assert (seen[0] + offset, *seen[1:]) == (whole.tile_offset_B, *inside)


@given(framebuffers(("6",)))
def test_nothing_moves_and_no_remainder_is_left(fb: Any) -> None:
    """Unless depth and stencil are of two layers nothing is wrong, either; the sizes are the layouts' own."""
    got = decide(fb, "level-layer")
    assert (got.moves, got.tile_x, got.tile_y, got.warn_unaligned) == ((), 0, 0, False)
    saved = decide(fb).moves
    copied = sum(copy.size_B for move in saved for copy in (*move.copies, *move.copies_back))
    assert f"there are {len(saved)}, which copy {copied} bytes" in steps(got)["moves"].reason
    layers = {one.image.layer for one in (fb.depth, fb.stencil) if one is not None}
    assert got.warn_mismatch == (len(layers) > 1)
    if fb.depth is not None:
        of = fb.texture
        name = {"Z16": "R16_UNORM", "Z24X8": "R24_UNORM_X8_TYPELESS", "Z32F": "R32_FLOAT"}[fb.tree.mt.format.name]
        depth = layout(surface_request(6, "depth", name, of.width, of.height, levels=of.levels, array_len=of.layers))
        sizes = steps(got)
        assert (sizes["depth_B"].value, sizes["hiz_B"].value) == (depth.size_B, hiz_surface(depth).size_B)


@given(framebuffers(("4", "4.5", "5", "7", "8")))
def test_other_generations_are_decided_as_under_safe(fb: Any) -> None:
    """Before generation 6 the packets have no such layout to go with; after it there is nothing to decide."""
    one, other = decide(fb, "level-layer"), decide(fb, "safe")
    assert (one.to_dict(), one.needed, one.steps) == (other.to_dict(), other.needed, other.steps)


def test_layers_that_differ_are_a_mismatch() -> None:
    """One packet names the layer."""
    fb = framebuffer(6, "CUBE", "Z24S8", 16, 16, layers=6, layer=4, stencil_layer=1, attach="same_texture")
    assert decide(fb, "level-layer").warn_mismatch


def test_a_surface_that_cannot_be_laid_out_is_refused() -> None:
    """Stencil wider than the field of its pitch."""
    fb = framebuffer(6, "2D", "Z24S8", 70000, 4, attach="stencil_only")
    with pytest.raises(SurfaceRefused, match="pitch_too_large"):
        decide(fb, "level-layer")
