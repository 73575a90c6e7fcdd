"""Tables of docs/portability.md: kinds of outcomes, and their shares of the whole space, of ``make space``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.survey import KINDS, TEXTURES
from tests.survey.whole_space import kept
from tools.codegen.doc_layout import code, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["SPACE_TABLES"]


def _kinds() -> str:
    return grid(("outcome", "what it means"), [(code(kind), means) for kind, means in KINDS.items()])


def _shares() -> str:
    """A row a texture: the share of pairs of a state and a vector, and of a state and a report."""
    by_place = {(row.texture, row.kind): row for row in kept()}
    rows = []
    for name in TEXTURES:
        these = [by_place[name, kind] for kind in KINDS]
        rows.append((name, *(f"{row.share_vectors:.2%}, {row.share_reports:.2%}" for row in these)))
    return grid(("texture", *KINDS), rows)


#: Name in a page -> what writes the table.
SPACE_TABLES: Final[Mapping[str, Callable[[], str]]] = {"outcomes": _kinds, "space shares": _shares}
