"""Prove the alignment decision by addresses: each pixel of an image, by offsets and in its tree.

Where a decision needs no warning, the byte address of each pixel as the hardware finds it (base plus offset, pixel plus
tile_x, tile_y) must be its address in the tree that is rendered to; for depth, for HiZ (half the rows) and for stencil.
The address of (x, y) in a tiled surface is one part of x plus one part of y, so that all columns of one row and all
rows of one column prove every pixel; the proof checks that too, by taking the far corner.

Widths 1 to 512 with heights around each alignment step, and the reverse; all levels, generations, formats and
attachments, the policies `safe` and `i965-2014`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from statetracker.surface.alignment import decide
from statetracker.surface.attachments import Attach, Framebuffer, framebuffer
from statetracker.surface.older import OLDER_FORMATS
from statetracker.surface.tilings import TILE_B, TILES, Tiling, offset_in_tile
from statetracker.surface.units import minify

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.surface.alignment import Decision
    from statetracker.surface.attachments import Policy
    from statetracker.surface.older import Miptree

GENERATIONS: Final = ("4", "4.5", "5", "6")

#: Around the steps 2, 4, 8 of images and 32, 64 of tiles, and far from them.
AROUND: Final = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 130)
_REACH: Final = 1 << 14


class Case(NamedTuple):
    """One texture and what is attached of it; every level is proved."""

    generation: str
    target: str
    format: str
    width: int
    height: int
    layers: int
    attach: Attach


def cases() -> Iterator[Case]:
    """Yield every case of the proof."""
    sizes = {(n, m) for n in range(1, 513) for m in AROUND}
    for size in sorted(sizes | {(m, n) for n, m in sizes}):
        yield from _cases("2D", *size, 1)


def array_cases() -> Iterator[Case]:
    """Yield arrays and cubes, whose layers lie at other remainders."""
    for n in range(1, 131):
        for array, cube in zip(_cases("2D_ARRAY", n, 131 - n, 3), _cases("CUBE", n, n, 6), strict=True):
            yield array
            yield cube


def _cases(target: str, width: int, height: int, layers: int) -> Iterator[Case]:
    for generation in GENERATIONS:
        for name in (row.name for row in OLDER_FORMATS.values()):
            for attach in attachments(generation, name):
                yield Case(generation, target, name, width, height, layers, attach)


def attachments(generation: str, name: str) -> tuple[Attach, ...]:
    """Kinds of attachment that a format can have."""
    if name == "S8":
        return ()
    if OLDER_FORMATS[name].packed:
        return Attach.SAME_RENDERBUFFER, Attach.SAME_TEXTURE, Attach.STENCIL_ONLY
    return (Attach.DEPTH_ONLY, Attach.SEPARATE_S8) if generation == "6" else (Attach.DEPTH_ONLY,)


class _Parts:
    """The two parts of an address under a tiling: of bytes in a row, and of rows (tile rows apart)."""

    def __init__(self, tiling: Tiling) -> None:
        size = TILES[tiling]
        n = np.arange(_REACH)
        zero = n * 0
        self.x: NDArray[np.int64] = n // size.width_B * TILE_B + offset_in_tile(tiling, n % size.width_B, zero)
        self.row: NDArray[np.int64] = offset_in_tile(tiling, zero, n % size.height)
        self.tile_row: NDArray[np.int64] = n // size.height
        self.tile_rows_B = size.phys_height


_PARTS: Final = {tiling: _Parts(tiling) for tiling in (Tiling.Y, Tiling.W)}


def addresses(mt: Miptree, x: int, y: int, width: int, height: int) -> NDArray[np.int64]:
    """Addresses of the first row's pixels, of the first column's, and of the far corner."""
    parts, cpp = _PARTS[mt.tiling], mt.format.cpp
    across = parts.x[x * cpp : (x + width) * cpp : cpp]
    a_row_of_tiles = parts.tile_rows_B * mt.row_pitch_B
    down = parts.tile_row[y : y + height] * a_row_of_tiles + parts.row[y : y + height]
    return np.concatenate([across + down[0], across[0] + down, across[-1:] + down[-1]])


def differences(fb: Framebuffer, decision: Decision, level: int) -> Iterator[str]:
    """Name the buffers in which an address differs."""
    size = minify(fb.texture.width, level), minify(fb.texture.height, level)
    tile = decision.tile_x, decision.tile_y
    depth, stencil = decision.depth_storage, decision.stencil_storage
    if depth is not None and decision.depth_draw is not None:
        if not _same(depth.mt, decision.depth_draw, decision.depth_offset, tile, size):
            yield "depth"
        if fb.generation.hiz:
            x, y = decision.depth_draw
            rows = y // 2, (size[1] + 1) // 2
            if y % 2 or not _same(
                depth.mt, (x, rows[0]), decision.hiz_offset, (tile[0], tile[1] // 2), (size[0], rows[1])
            ):
                yield "hiz"
    if stencil is not None and decision.stencil_draw is not None:
        mt = stencil.stencil_mt
        offset = decision.stencil_offset if mt.tiling is Tiling.W else decision.depth_offset
        if not _same(mt, decision.stencil_draw, offset, tile, size):
            yield "stencil"


def _same(mt: Miptree, draw: tuple[int, int], offset: int, tile: tuple[int, int], size: tuple[int, int]) -> bool:
    whole = addresses(mt, *draw, *size)
    moved = addresses(mt, *tile, *size) + offset
    return bool(np.array_equal(whole, moved))


def prove(case: Case, policy: Policy, counts: Counter[str]) -> list[str]:
    """Prove every level of a case, at its first and last layer; returns what differs and is no quirk."""
    wrong = []
    levels = max(case.width, case.height).bit_length()
    for level in range(levels):
        for layer in {0, case.layers - 1}:
            fb = framebuffer(
                case.generation, case.target, case.format, case.width, case.height, layers=case.layers, levels=levels,
                level=level, layer=layer, attach=case.attach,
            )  # fmt: skip
            decision = decide(fb, policy)
            counts["decisions"] += 1
            if decision.warn_unaligned or decision.warn_mismatch:
                counts["warned"] += 1
                continue
            counts["by offsets" if not decision.moves else "with temporaries"] += 1
            for name in differences(fb, decision, level):
                quirk = quirk_behind(policy, case, decision, name)
                counts[quirk or "DIFFER"] += 1
                wrong += [] if quirk else [f"{case} level {level} layer {layer}: {name}"]
    return wrong


def quirk_behind(policy: Policy, case: Case, decision: Decision, name: str) -> str:
    """Name the quirk of the policy that makes an address differ; empty where none does."""
    if name != "stencil":
        return ""
    if case.attach is Attach.STENCIL_ONLY:
        return "stencil_only_page_lost" if "stencil_only_page_lost" in policy.quirks else ""
    draw = decision.stencil_draw or (0, 0)
    remainder = draw[0] & decision.mask[0], draw[1] & decision.mask[1]
    disagree = remainder != (decision.tile_x, decision.tile_y)
    return "silent_mismatch" if disagree and "silent_mismatch" in policy.quirks else ""
