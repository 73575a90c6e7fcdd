"""Counts in words, for summaries."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, word: str) -> str:
    """A number with its noun: 1 state, 2,000 states."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
