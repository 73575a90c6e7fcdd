"""Tables of docs/surfaces.md: generations, tiles, alignments, refusals, quirks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.caps import GENERATIONS
from statetracker.surface import BITS, QUIRKS, REFUSALS, TILES
from statetracker.surface.choices import ALIGNMENTS
from tools.codegen.doc_layout import code, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["SURFACE_TABLES"]


def _size(pair: tuple[int, int]) -> str:
    return f"{pair[0]} x {pair[1]}"


def generations() -> str:
    """Write what each generation can do."""
    members = next(iter(GENERATIONS.values()))._fields
    rows = (
        (code(name), *(_shown(getattr(row, name)) for row in GENERATIONS.values()))
        for name in members
        if name != "name"
    )
    return grid(("", *(row.name for row in GENERATIONS.values())), rows)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def tiles() -> str:
    """Write the sizes of tiles."""
    rows = (
        (tiling, f"{t.width_B} B x {t.height}", f"{t.phys_width_B} B x {t.phys_height}") for tiling, t in TILES.items()
    )
    return grid(("tiling", "logical", "in memory"), rows)


def bits() -> str:
    """Write which bit of x (u) and y (v) each address bit is."""
    return grid(("address bit", *(str(n) for n in range(11, -1, -1))), ((tiling, *row) for tiling, row in BITS.items()))


def alignments() -> str:
    """Write the alignment of images."""
    rows = ((row.what, _size(row.gen6), _size(row.gen7), _size(row.gen8)) for row in ALIGNMENTS)
    return grid(("images (el)", "6", "7, 7.5", "8"), rows)


def refusals() -> str:
    """Write every reason for refusal."""
    return grid(("reason", "meaning"), ((code(name), text) for name, text in REFUSALS.items()))


def quirks() -> str:
    """Write what the driver of 2014 does and the safe policy does not."""
    rows = ((code(name), quirk.what, quirk.safe) for name, quirk in QUIRKS.items())
    return grid(("quirk", "`i965-2014`", "`safe`"), rows)


#: Tables by name.
SURFACE_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "generations": generations,
    "tiles": tiles,
    "tile bits": bits,
    "surface alignments": alignments,
    "surface refusals": refusals,
    "alignment quirks": quirks,
}
