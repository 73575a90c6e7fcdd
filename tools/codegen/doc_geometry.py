"""The tables of docs/geometry.md: what each SPIR-V instruction becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.geometry.shader.rules import ARITHMETIC, EXTENDED, PAIRS, SPECIAL
from tools.codegen.doc_layout import codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["GEOMETRY_TABLES"]


def _by_steps(rows: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """Rows with the same steps in one."""
    by_steps: dict[tuple[str, ...], list[str]] = {}
    for name, steps in rows:
        by_steps.setdefault(steps, []).append(name)
    return grid(("instruction", "steps"), ((codes(names), "; ".join(steps)) for steps, names in by_steps.items()))


GEOMETRY_TABLES: Final[dict[str, Callable[[], str]]] = {
    "geometry instructions": lambda: _by_steps([*ARITHMETIC.items(), *PAIRS.items()]),
    "geometry extended": lambda: _by_steps(EXTENDED.values()),
    "geometry special": lambda: grid(("what", "becomes"), SPECIAL.items()),
}
