"""What is sampled, mixed: sums by weight in which nothing of weight 0 counts. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.spirv import Word

__all__ = ["product", "total", "weighted"]


def total(words: Sequence[Word]) -> Word:
    """The sum of some words."""
    whole = words[0]
    for one in words[1:]:
        whole = whole + one
    return whole


def product(words: Sequence[Word]) -> Word:
    """The product of some words; of bools whether all hold."""
    whole = words[0]
    for one in words[1:]:
        whole = whole & one if whole.kind.name == "BOOL" else whole * one
    return whole


def weighted(terms: Sequence[tuple[Word, Word]]) -> Word:
    """The sum of texels by weight; one of weight 0 counts for nothing, infinite or not."""
    return total([weight.equals(0.0).select(texel.like(0.0), texel.scaled(weight)) for weight, texel in terms])
