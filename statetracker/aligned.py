"""Rows of text in columns, as explanations print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["aligned"]


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a line for each row, its cells two blanks apart; the last cell is as long as it is.

    Args:
        rows: At least one, all of the same length.
    """
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
