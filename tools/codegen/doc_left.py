"""Table of docs/shader_lowering.md: what is left, from the figures that ``make sweep`` keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vulkan.boundary.figures import ALL, kept
from tests.vulkan.boundary.left import KINDS
from tools.codegen.doc_layout import grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LEFT_TABLES"]


def _share(count: int, whole: int) -> str:
    """A share in percent; of one that rounds to nothing, that it is something."""
    share = f"{count / whole:.1%}"
    return "under 0.1%" if share == "0.0%" and count else share


def _left() -> str:
    """Kinds by their share of states."""
    figures_by_kind = kept()
    whole = figures_by_kind[ALL]
    rows = [
        (
            kind,
            KINDS[kind].means,
            KINDS[kind].because,
            row.example,
            _share(row.vectors, whole.vectors),
            _share(row.reports, whole.reports),
            _share(row.plain, whole.states),
            _share(row.states, whole.states),
        )
        for kind, row in figures_by_kind.items()
        if kind != ALL
    ]
    everything = f"{whole.vectors:,}", f"{whole.reports:,}", f"{whole.states:,}", f"{whole.states:,}"
    head = ("left", "what differs", "why", "seen first", "vectors", "reports", "plain samples", "any form")
    return grid(head, [*rows, ("of", "", "", "", *everything)])


#: Name in a page -> what writes the table.
LEFT_TABLES: Final[Mapping[str, Callable[[], str]]] = {"what is left": _left}
