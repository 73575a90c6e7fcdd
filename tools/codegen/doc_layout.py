"""Layout of the tables of docs/: Markdown tables, and the members that a docstring describes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["code", "codes", "grid", "marked", "members", "summary"]

#: An entry of a section of a docstring: a name, a colon, what it is. Lines further in go on with it.
_ENTRY: Final = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)$", re.MULTILINE)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")


def grid(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a Markdown table; yes and no for booleans, nothing for None."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


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


def members(thing: object) -> str:
    """Write the table of the arguments and attributes that a docstring describes."""
    parts = re.split(r"\n(Args|Attributes|Raises):\n", f"{inspect.getdoc(thing)}\n")
    entries = [
        entry
        for head, part in zip(parts[1::2], parts[2::2], strict=True)
        if head != "Raises"
        for entry in _ENTRY.findall(part)
    ]
    return grid(("member", "what it is"), ((code(name), marked(text).removesuffix(".")) for name, text in entries))
