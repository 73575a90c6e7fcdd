"""For mkdocstrings: the members and arguments that a docstring lists become definitions.

A line ``name, other   what they are``, with lines further in that go on with it, is how docstrings of this project list
them; Markdown would run them together.
"""

from __future__ import annotations

import re
from typing import Any, Final

import griffe

from tools.codegen.doc_layout import MEMBER, codes

__all__ = ["Definitions", "defined"]

_ON: Final = re.compile(r"^ {6,}(\S.*)$")


def defined(text: str) -> str:
    """Give a docstring as Markdown, its lists as definition lists."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        member, more = MEMBER.match(line), _ON.match(line)
        if member is not None:
            lines += ["", codes(member[1].rstrip(",").split(", ")), f":   {member[2]}"]
        elif inside and more is not None:
            lines.append(f"    {more[1]}")
        else:
            lines.append(line)
        inside = member is not None or (inside and more is not None)
    return "\n".join(lines)


class Definitions(griffe.Extension):
    """Rewrites each docstring as it is read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:  # noqa: ANN401, ARG002 (griffe's signature)
        """Rewrite one."""
        if obj.docstring is not None:
            obj.docstring.value = defined(obj.docstring.value)
