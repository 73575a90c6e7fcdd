"""The alignment decision: the worked table, its truth by addresses, its quirks, what is refused."""

# ruff: noqa: E501 (a row of the worked table is a line)
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from statetracker.errors import ArgumentError, UnknownName
from statetracker.surface import NOT_NEEDED, POLICIES, decide, framebuffer
from tests.surface.strategies import framebuffers
from tools.proofs import prove_alignment

D, S, B = "depth", "stencil", "depth_stencil"

# gen, target, format, size, level, layer(s), attach, cleared, mask, depth draw, stencil draw, moves (- is not copied),
# tile, depth / HiZ / stencil offset, flags; all others are recorded
WORKED: list[tuple[Any, ...]] = [
    ("4", "2D", "Z24X8", (17, 32), 1, 0, "depth_only", "", (31, 31), (0, 32), None, "", (0, 0), (4096, 0, 0), ""),
    ("6", "2D_ARRAY", "Z32F", (573, 44), 1, 0, "separate_s8", "d", (63, 63), (0, 44), (0, 0), "-depth", (0, 0), (0, 0, 0), ""),
    ("6", "2D", "Z16", (13, 22), 1, 0, "separate_s8", "ds", (63, 63), (0, 24), (0, 0), "-stencil -depth", (0, 0), (0, 0, 0), ""),
    ("6", "CUBE", "Z24S8", (16, 16), 0, (4, 1), "same_texture", "", (63, 63), (0, 272), (0, 68), "stencil depth", (0, 16), (32768, 16384, 4096), "M"),
]  # fmt: skip


@pytest.mark.parametrize("row", WORKED, ids=lambda row: "-".join(map(str, row[:6])))
def test_worked_table(row: tuple[Any, ...]) -> None:
    gen, target, name, size, level, layer, attach, cleared, mask, depth, stencil, moves, tile, offsets, flags = row
    first, second = layer if isinstance(layer, tuple) else (layer, layer)
    layers = {"2D": 1, "CUBE": 6}.get(target, 6)
    fb = framebuffer(
        gen, target, name, *size, layers=layers, levels=max(size).bit_length(), level=level, layer=first,
        attach=attach, stencil_layer=second, clear_depth="d" in cleared, clear_stencil="s" in cleared,
    )  # fmt: skip
    assert (fb.depth.depth_draw() if fb.depth else None) == depth
    assert (fb.stencil.stencil_draw() if fb.stencil else None) == stencil
    seen = decide(fb, "i965-2014")
    assert mask is None or seen.mask == mask
    assert " ".join(("" if move.copied else "-") + move.rb for move in seen.moves) == moves
    assert (seen.tile_x, seen.tile_y) == tile
    assert (seen.depth_offset, seen.hiz_offset, seen.stencil_offset) == offsets
    assert (seen.warn_unaligned, seen.warn_mismatch) == ("U" in flags, "M" in flags)


@pytest.mark.parametrize("policy", [POLICIES["safe"], POLICIES["i965-2014"]], ids=lambda policy: policy.name)
def test_decisions_are_true_by_addresses(policy: Any, whole: bool) -> None:
    """Of some textures of the proof; of all with ``make prove``."""
    counts: Counter[str] = Counter()
    chosen = [case for n, case in enumerate(prove_alignment.cases()) if whole or n % 997 == 0]
    chosen += [case for n, case in enumerate(prove_alignment.array_cases()) if whole or n % 41 == 0]
    assert [line for case in chosen for line in prove_alignment.prove(case, policy, counts)] == []
    assert counts["by offsets"] > 500
    assert counts["with temporaries"] > 500


def test_the_proof_sees_a_wrong_offset() -> None:
    fb = framebuffer("6", "2D", "Z24S8", 256, 128, levels=4, level=3, attach="same_renderbuffer")
    right = decide(fb, "i965-2014")
    assert list(prove_alignment.differences(fb, right, 3)) == []
    for member, buffer in (("depth_offset", "depth"), ("hiz_offset", "hiz"), ("stencil_offset", "stencil")):
        wrong = right._replace(**{member: getattr(right, member) + 4096})
        assert list(prove_alignment.differences(fb, wrong, 3)) == [buffer]


@given(framebuffers(most=600))
def test_safe_decisions_never_warn_and_move_an_image_once(fb: Any) -> None:
    seen = decide(fb)
    assert not seen.warn_unaligned
    assert not seen.warn_mismatch
    assert len({move.rb for move in seen.moves}) == len(seen.moves)
    assert (seen.tile_x % 8, seen.tile_y % 8) == (0, 0)
    assert seen.hiz_offset % 4096 == seen.depth_offset % 4096 == seen.stencil_offset % 4096 == 0


@pytest.mark.parametrize(
    ("gen", "name", "size", "attach", "why"),
    [
        ("6", "Z32F_S8X24", (15, 17), "same_texture", "remainder (0, 20) is no multiple of 8"),
        ("4", "Z32F", (33, 15), "depth_only", "remainder (0, 16) cannot be expressed by generation 4"),
        ("6", "Z16", (13, 22), "separate_s8", "stencil's remainder is (0, 0), depth's (0, 24)"),
    ],
)
def test_why_a_depth_buffer_is_moved(gen: str, name: str, size: tuple[int, int], attach: str, why: str) -> None:
    """The three reasons that docs/surfaces.md gives; on generation 7 there is none."""
    seen = decide(framebuffer(gen, "2D", name, *size, levels=2, level=1, attach=attach))
    assert [step.reason for step in seen.steps if step.field == "move depth"] == [why]
    assert not decide(framebuffer("7", "2D", name, *size, levels=2, level=1, attach=attach)).needed


#: Quirk -> texture and attachment that show it, and what is looked at: of the driver, of the safe policy.
SHOWN: dict[str, tuple[Any, dict[str, Any], Callable[[Any], object], object, object]] = {
    "double_move": (
        ("5", "2D_ARRAY", "Z24S8", 32, 32),
        {"layers": 2, "levels": 3, "level": 2, "layer": 1, "attach": "same_renderbuffer"},
        lambda seen: ([move.rb for move in seen.moves], seen.warn_unaligned), ([B, B], True), ([B], False),
    ),
    "discards_depth": (
        ("4", "2D", "Z24S8", 32, 17), {"levels": 3, "level": 2, "attach": "stencil_only", "clear_stencil": True},
        lambda seen: seen.moves[0].copied, False, True,
    ),
    "stencil_only_page_lost": (
        ("4", "2D", "Z24S8", 128, 32), {"levels": 3, "level": 2, "attach": "stencil_only"},
        lambda seen: (seen.stencil_draw, seen.depth_offset), ((64, 32), 0), ((64, 32), 32 * 512 + 2 * 4096),
    ),
    "second_move": (
        ("6", "2D", "Z16", 13, 22), {"levels": 2, "level": 1, "attach": "separate_s8"},
        lambda seen: [move.rb for move in seen.moves], [S, D], [D],
    ),
    "cube_levels": (  # two faces of 64 beside each other, for an image of 128
        ("4", "CUBE", "Z32F", 257, 257), {"layers": 6, "levels": 4, "level": 1, "layer": 5},
        lambda seen: seen.moves[0].temporary.mt.total[0], 128, 128,
    ),
    "silent_mismatch": (
        ("6", "2D_ARRAY", "Z32F", 17, 114),
        {"layers": 3, "levels": 7, "level": 1, "layer": 2, "attach": "separate_s8"},
        lambda seen: (seen.warn_mismatch, seen.tile_y != 0, seen.stencil_draw[1]), (False, True, 0), (False, False, 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("quirk", SHOWN)
def test_quirk(quirk: str) -> None:
    texture, more, look, driver, safe = SHOWN[quirk]
    fb = framebuffer(*texture, **more)
    assert (look(decide(fb, "i965-2014")), look(decide(fb, "safe"))) == (driver, safe)


@pytest.mark.parametrize("gen", ["7", "7.5", "8"])
@pytest.mark.parametrize("policy", POLICIES)
def test_from_generation_7_on_the_buffers_are_recorded_and_nothing_is_needed(gen: str, policy: str) -> None:
    seen = decide(framebuffer(gen, "2D", "Z24S8", 16, 60, levels=4, level=3, attach="same_texture"), policy)
    assert not seen.needed
    assert seen.steps[-1].reason == NOT_NEEDED
    assert (seen.depth_draw, seen.stencil_draw) == ((8, 76), (8, 80))
    assert seen.moves == ()
    assert (seen.tile_x, seen.tile_y, seen.depth_offset, seen.hiz_offset, seen.stencil_offset) == (0,) * 5


@pytest.mark.parametrize(
    ("gen", "name", "more", "said"),
    [
        ("6", "Z16", {"attach": "same_texture"}, "with stencil"), ("6", "Z16", {"level": 1}, "level"),
        ("5", "Z16", {"attach": "separate_s8"}, "packed format before"),
        ("6", "Z24S8", {"levels": 2, "attach": "same_texture", "stencil_level": 1}, "stencil_level"),
    ],
)  # fmt: skip
def test_what_cannot_be_attached_is_refused(gen: str, name: str, more: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        framebuffer(gen, "2D", name, 4, 4, **more)
    with pytest.raises(UnknownName, match="policy"):
        decide(framebuffer("6", "2D", "Z16", 4, 4), "brave")
