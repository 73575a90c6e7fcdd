"""Tables of figures that are kept: outcomes of the whole space (``make space``), what is left (``make sweep``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.survey import KINDS, TEXTURES
from tests.survey import whole_space
from tests.vulkan.boundary import figures, left
from tools.codegen.doc_layout import code, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["KEPT_TABLES"]


def _kinds() -> str:
    return grid(("outcome", "what it means"), [(code(kind), means) for kind, means in KINDS.items()])


def _shares() -> str:
    """Return a row a texture: the share of pairs of a state and a vector, and of a state and a report."""
    by_place = {(row.texture, row.kind): row for row in whole_space.kept()}
    rows = []
    for name in TEXTURES:
        these = [by_place[name, kind] for kind in KINDS]
        rows.append((name, *(f"{row.share_vectors:.2%}, {row.share_reports:.2%}" for row in these)))
    return grid(("texture", *KINDS), rows)


def _share(count: int, whole: int) -> str:
    """Return a share in percent; of one that rounds to nothing, that it is something."""
    share = f"{count / whole:.1%}"
    return "under 0.1%" if share == "0.0%" and count else share


def _left() -> str:
    """Kinds by their share of states."""
    figures_by_kind = figures.kept()
    whole = figures_by_kind[figures.ALL]
    rows = [
        (
            kind,
            left.KINDS[kind].means,
            left.KINDS[kind].because,
            row.example,
            _share(row.vectors, whole.vectors),
            _share(row.reports, whole.reports),
            _share(row.plain, whole.states),
            _share(row.states, whole.states),
        )
        for kind, row in figures_by_kind.items()
        if kind != figures.ALL
    ]
    everything = f"{whole.vectors:,}", f"{whole.reports:,}", f"{whole.states:,}", f"{whole.states:,}"
    head = ("left", "what differs", "why", "seen first", "vectors", "reports", "plain samples", "any form")
    return grid(head, [*rows, ("of", "", "", "", *everything)])


#: Name in a page -> what writes the table.
KEPT_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "outcomes": _kinds,
    "space shares": _shares,
    "what is left": _left,
}
