"""How tables of docs/ are entered and laid out: Markdown tables, and the members that a docstring describes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["TABLES", "Rows", "code", "codes", "defined", "grid", "marked", "members", "summary", "table"]

#: Cells of a table, row by row.
Rows: TypeAlias = "Iterable[Sequence[object]]"
Made = TypeVar("Made", bound="Callable[[], Rows]")
#: Name in a page -> what writes the table.
TABLES: Final[dict[str, Callable[[], str]]] = {}

#: A member in a docstring: names, two spaces or more, what they are. Lines further in go on with it.
_MEMBER: Final = re.compile(r"^([A-Za-z_][\w.]*(?:(?:, | \.\. )[A-Za-z_][\w.]*)*,?) {2,}(\S.*)$")
_ON: Final = re.compile(r"^ {6,}(\S.*)$")
_NAMES: Final = re.compile(r"[A-Za-z_]\w*(?:, [A-Za-z_]\w*)*")


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


def code(value: object) -> str:
    """Mark as code; nothing stays nothing."""
    return f"`{value}`" if value not in ("", None) else ""


def codes(values: Iterable[object]) -> str:
    """Mark each as code, with commas between."""
    return ", ".join(code(value) for value in values)


def marked(text: str) -> str:
    """Give the text of a docstring as one line of Markdown."""
    return " ".join(text.split()).replace("``", "`")


def summary(thing: object) -> str:
    """Give the first paragraph of a docstring as one line of Markdown."""
    return marked((inspect.getdoc(thing) or "").split("\n\n", 1)[0])


def members(thing: object) -> str:
    """Write the table of the members that a docstring describes."""
    rows: list[list[str]] = []
    open_ = False
    for line in (inspect.getdoc(thing) or "").splitlines():
        match = _MEMBER.match(line)
        if match is not None:
            rows.append([match[1], match[2]])
        elif open_ and line.startswith("      "):
            rows[-1][1] += f" {line.strip()}"
        elif _NAMES.fullmatch(line) and line.count(","):
            rows.append([line, ""])
        else:
            open_ = False
            continue
        open_ = True
    return grid("member | what it is", ((codes(names.rstrip(",").split(", ")), marked(text)) for names, text in rows))


def defined(text: str) -> str:
    """Give a docstring as Markdown, its lists as definition lists."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        member, more = _MEMBER.match(line), _ON.match(line)
        if member is not None:
            lines += ["", codes(member[1].rstrip(",").split(", ")), f":   {member[2]}"]
        elif inside and more is not None:
            lines.append(f"    {more[1]}")
        else:
            lines.append(line)
        inside = member is not None or (inside and more is not None)
    return "\n".join(lines)
