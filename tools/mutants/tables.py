"""Changes of a table: a row gone, two rows swapped, a cell with the value the next row has there."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Collection", "Edit", "is_sentence", "neighbour_cells", "rows_dropped", "rows_of", "rows_swapped"]

Collection: TypeAlias = ast.Dict | ast.Tuple | ast.List | ast.Set
#: Bytes from, bytes to, what stands there instead.
Edit: TypeAlias = tuple[int, int, str]
Span: TypeAlias = "Callable[[ast.expr], tuple[int, int]]"


def rows_of(node: Collection) -> list[ast.expr]:
    """Return the rows of a table; of a dictionary, its values."""
    return node.values if isinstance(node, ast.Dict) else node.elts


def rows_dropped(node: Collection, span: Span) -> Iterator[list[Edit]]:
    """Yield the edits that drop each row."""
    rows = rows_of(node)
    keys = node.keys if isinstance(node, ast.Dict) else [None] * len(rows)
    heads = [span(row if key is None else key)[0] for key, row in zip(keys, rows, strict=True)]
    ends = [span(row)[1] for row in rows]
    comma = "," if isinstance(node, ast.Tuple) and len(rows) == 2 else ""  # a tuple of one
    for place in range(len(rows)):
        if isinstance(node, ast.Dict) and keys[place] is None:
            continue  # another table unpacked into this one
        if place + 1 < len(rows):
            yield [(heads[place], heads[place + 1], ""), (ends[-1], ends[-1], comma)]
        else:
            yield [(ends[place - 1], ends[place], comma)]


def rows_swapped(rows: Sequence[ast.expr], span: Span, source: Callable[[ast.expr], str]) -> Iterator[list[Edit]]:
    """Yield the edits that make neighbours change places."""
    for one, other in pairwise(rows):
        yield [(*span(one), source(other)), (*span(other), source(one))]


def neighbour_cells(rows: Sequence[ast.expr]) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """Yield every cell with the others of its column, those of the rows below first."""
    columns = [dict(_cells(row)) for row in rows]
    for place, cells in enumerate(columns):
        for path, cell in cells.items():
            yield cell, [other[path] for other in columns[place + 1 :] + columns[:place] if path in other]


def _cells(row: ast.expr, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], ast.expr]]:
    match row:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for place, part in enumerate(parts):
                yield from _cells(part, (*path, str(place)))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=named):
            for place, part in enumerate(parts):
                yield from _cells(part, (*path, name, str(place)))
            for keyword in named:
                yield from _cells(keyword.value, (*path, name, str(keyword.arg)))
        case _:
            yield path, row


def is_sentence(node: ast.expr) -> bool:
    """Return whether a cell is said, not done."""
    words = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    return words or isinstance(node, ast.JoinedStr)
