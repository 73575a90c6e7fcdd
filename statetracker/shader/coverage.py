"""Weights: how much of a sample lies inside the texture, by axis, and sums in which nothing of weight 0 counts.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from functools import reduce
from operator import add, and_, mul
from typing import TYPE_CHECKING, Final

from statetracker.pipe.enums import TexReduction
from statetracker.spirv import Kind, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def either(flag: Word | bool, yes: Callable[[], Word], no: Callable[[], Word]) -> Word:  # noqa: FBT001 (it may be known)
    """Return one of two, by a flag that is known or written; what cannot be meant is not written."""
    if isinstance(flag, Word):
        return flag.select(yes(), no())
    return yes() if flag else no()


def total(words: Sequence[Word]) -> Word:
    """Return the sum of some words."""
    return reduce(add, words)


def product(words: Sequence[Word]) -> Word:
    """Return the product of some words; of bools whether all hold."""
    return reduce(and_ if words[0].kind is Kind.BOOL else mul, words)


def weighted(terms: Sequence[tuple[Word, Word]]) -> Word:
    """Return the sum of texels by weight; one of weight 0 counts for nothing, infinite or not."""
    return total([weight.equals(0.0).select(texel.like(0.0), texel.scaled(weight)) for weight, texel in terms])


def reduced(terms: Sequence[tuple[Word, Word]], reduction: TexReduction) -> Word:
    """Return the sum of texels by weight, or the least or greatest of those that have some."""
    if reduction == TexReduction.WEIGHTED_AVERAGE:
        return weighted(terms)
    (weight, whole), *others = terms
    counts = weight.differs(0.0)
    for weight, texel in others:  # without an infinite constant in place of a texel of weight 0: WGSL has none
        own = weight.differs(0.0)
        both = whole.min(texel) if reduction == TexReduction.MIN else whole.max(texel)
        whole = counts.select(own.select(both, whole), texel)
        counts = counts | own
    return whole


#: Component of a gather -> whether it is the second texel along s and t: (i0, j1), (i1, j1), (i1, j0), (i0, j0).
SECOND: Final = ((0, 1), (1, 1), (1, 0), (0, 0))


def inside(place: Word, size: Word) -> Word:
    """Return whether places or indices are inside, each for itself; not for a NaN."""
    return (place.like(0.0) <= place) & (place < size)


def is_inside(share: Word | float, index: Word, size: Word, linear: Word | bool) -> Word:  # noqa: FBT001
    """Return whether a texel is inside; GL_CLAMP has no outside with NEAREST, an edge has none.

    ``share`` is the least weight of the edge texel.
    """
    flag = inside(index, size).named("is_inside")
    if isinstance(share, Word):
        return flag | either(linear, lambda: share, share.ceil).equals(1.0)
    return flag | ~linear if share and isinstance(linear, Word) else flag


def coverage(place: Word, size: Word, share: Word, linear: Word | bool, axes: Sequence[int]) -> Word:  # noqa: FBT001
    """Return the share of texels inside, over some axes.

    ``place`` and ``size`` are in texels, a component an axis; ``share`` is the least weight of the edge texel: 0, 0.5
    or 1; ``linear`` says whether filtering is linear, known or not.
    """
    each = either(linear, lambda: _smooth(place, size, share), lambda: _nearest(place, size, share)).named("weights")
    return product([each.emit.component(each, axis) for axis in axes]).named("coverage")


def _smooth(place: Word, size: Word, share: Word) -> Word:
    return (place + 0.5).min(size + 0.5 - place).finite_clamp(share, 1.0)


def _nearest(place: Word, size: Word, share: Word) -> Word:
    return inside(place, size).select(place.like(1.0), share.ceil())


def texels_of_axis(place: Word, linear: Word | bool) -> list[tuple[Word, Word | None]]:  # noqa: FBT001
    """Index and weight of the texels that a filter reads along an axis; a filter of one has no weight.

    Args:
        place: In texels.
        linear: Whether two are read; a `Word` where the level decides.
    """
    if linear is False:
        return [(place.floor(), None)]
    half = place.like(0.5) if linear is True else linear.select(place.like(0.5), 0.0)
    start = place - half
    first = start.floor().named("first_texel")
    weight = start - first if linear is True else linear.select(start - first, 0.0)
    return [(first, weight.like(1.0) - weight), (first + 1.0, weight)]
