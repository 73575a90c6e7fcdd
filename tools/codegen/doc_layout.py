"""How tables of docs/ are entered and laid out: Markdown tables, and the members that a docstring describes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["TABLES", "Rows", "code", "codes", "entries", "grid", "grouped", "marked", "members", "summary", "table"]

#: Cells of a table, row by row.
Rows: TypeAlias = "Iterable[Sequence[object]]"
Made = TypeVar("Made", bound="Callable[[], Rows]")
Row = TypeVar("Row")
#: Name in a page -> what writes the table.
TABLES: Final[dict[str, Callable[[], str]]] = {}

#: An entry of a section of a docstring: a name, a colon, what it is. Lines further in go on with it.
_ENTRY: Final = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)$", re.MULTILINE)


def table(name: str, head: str = "") -> Callable[[Made], Made]:
    """Enter a function as a table of docs/: it returns rows, below the columns of ``head``, or the text itself."""

    def enter(made: Made) -> Made:
        def text() -> str:
            rows = made()
            return rows if isinstance(rows, str) else grid(head, rows)

        TABLES[name] = text
        return made

    return enter


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")


def grid(head: str | Sequence[str], rows: Rows) -> str:
    """Write a Markdown table; yes and no for booleans, nothing for None. ``head`` may have bars between columns."""
    columns = head.split(" | ") if isinstance(head, str) else head
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def grouped(pairs: Iterable[tuple[str, Row]]) -> dict[Row, list[str]]:
    """Join names that have the same row, in the order of the first of each."""
    groups: dict[Row, list[str]] = {}
    for name, row in pairs:
        groups.setdefault(row, []).append(name)
    return groups


def code(value: object) -> str:
    """Mark as code; nothing stays nothing."""
    return f"`{value}`" if value not in ("", None) else ""


def codes(values: Iterable[object]) -> str:
    """Mark each as code, with commas between."""
    return ", ".join(code(value) for value in values)


def marked(text: str) -> str:
    """Return the text of a docstring as one line of Markdown."""
    return " ".join(text.split()).replace("``", "`")


def summary(thing: object) -> str:
    """Return the first paragraph of a docstring as one line of Markdown."""
    return marked((inspect.getdoc(thing) or "").split("\n\n", 1)[0])


def entries(thing: object) -> dict[str, str]:
    """Return the arguments and attributes that a docstring describes, with what it says."""
    parts = re.split(r"\n(Args|Attributes|Raises):\n", f"{inspect.getdoc(thing)}\n")
    described = [part for head, part in zip(parts[1::2], parts[2::2], strict=True) if head != "Raises"]
    return {name: marked(text).removesuffix(".") for part in described for name, text in _ENTRY.findall(part)}


def members(thing: object) -> str:
    """Write the table of the arguments and attributes that a docstring describes."""
    return grid("member | what it is", ((code(name), text) for name, text in entries(thing).items()))
