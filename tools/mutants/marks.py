"""Marks of changes: where one is, and in as few words as tell it from the others there."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["marks"]

_TOKEN: Final = re.compile(r"""\w+(?:\.\w+)*|"[^"]*"|'[^']*'|\s+|[<>=!]=|<<|>>|.""")


def marks(changes: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return the mark of each change of a module: ``place: before => after``, as ``f32: value > 0 => (value >= 0)``.

    What stands before and after is what differs; with words around it where several changes of a place would be alike.

    Args:
        changes: Where each is, the lines before, the lines after; no two are alike.
    """
    made: dict[int, str] = {}
    for words in count():
        left = {n: _mark(*change, words) for n, change in enumerate(changes) if n not in made}
        alone = [*made.values(), *left.values()]
        made |= {n: mark for n, mark in left.items() if alone.count(mark) == 1}
        if len(made) == len(changes):
            return [made[n] for n in range(len(changes))]
    raise AssertionError


def _mark(where: str, was: str, now: str, words: int) -> str:
    old, new = _TOKEN.findall(was), _TOKEN.findall(now)
    start = end = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    more = words + (start + end == len(old))  # of what is only put in, the words around it
    start, end = max(0, start - more), max(0, end - more)
    before, after = ("".join(line[start : len(line) - end]).strip() for line in (old, new))
    return f"{where}: {before} => {after or 'gone'}"
