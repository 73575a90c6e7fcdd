"""How much of a sample lies inside the texture: the weight of its texels there, by axis.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from statetracker.spirv import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SECOND", "coverage", "inside", "texel_place"]

#: Component of a gather -> whether it is the second texel along s and t: (i0, j1), (i1, j1), (i1, j0), (i0, j0).
SECOND: Final = ((0, 1), (1, 1), (1, 0), (0, 0))


def texel_place(coordinate: Word, size: Word | None, shift: Word | None, *, reflect: bool) -> Word:
    """A coordinate in texels of a level, the offset added; ``size`` None: it is in texels already."""
    place = coordinate if size is None else coordinate * size
    place = place if shift is None else place + shift
    return place.abs() if reflect else place


def inside(place: Word, size: Word) -> Word:
    """Whether a place or an index is inside; not for a NaN."""
    return (place.like(0.0) <= place) & (place < size)


def coverage(
    places: Sequence[Word],
    sizes: Sequence[Word],
    shares: Sequence[Word | float],
    linear: Word | bool,  # noqa: FBT001 (it may be known)
) -> Word:
    """The share of texels inside over some axes.

    places   in texels, one an axis
    shares   the least weight of the edge texel: 0, 0.5 or 1, known or not
    linear   whether filtering is linear, known or not
    """
    whole: Word | None = None
    for place, size, share in zip(places, sizes, shares, strict=True):
        one = _axis(place, size, share, linear)
        whole = one if whole is None else whole * one
    assert whole is not None  # noqa: S101 (there is an axis)
    return whole


def _axis(place: Word, size: Word, share: Word | float, linear: Word | bool) -> Word:  # noqa: FBT001
    if linear is False:
        return _nearest(place, size, share)
    smooth = (place + 0.5).min(size + 0.5 - place).finite_clamp(0.0, 1.0)
    if isinstance(share, Word) or share:
        smooth = smooth.max(share)
    return smooth if linear is True else linear.select(smooth, _nearest(place, size, share))


def _nearest(place: Word, size: Word, share: Word | float) -> Word:
    least = place.like(share.ceil() if isinstance(share, Word) else float(ceil(share)))
    return inside(place, size).select(place.like(1.0), least)
