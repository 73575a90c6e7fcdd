"""What is sampled, mixed: sums by weight in which nothing of weight 0 counts. Source: docs/shader_lowering.md."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from statetracker.pipe.enums import TexReduction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.spirv import Word

__all__ = ["product", "reduced", "total", "weighted"]


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


def reduced(terms: Sequence[tuple[Word, Word]], reduction: TexReduction) -> Word:
    """The sum of texels by weight, or the least or greatest of those that have some."""
    if reduction == TexReduction.WEIGHTED_AVERAGE:
        return weighted(terms)
    least = reduction == TexReduction.MIN
    beyond = inf if least else -inf
    whole, *others = (weight.equals(0.0).select(texel.like(beyond), texel) for weight, texel in terms)
    for one in others:
        whole = whole.min(one) if least else whole.max(one)
    return whole
