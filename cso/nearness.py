"""How far one state is from another that may stand in for it, in pictures: LODs, border colour, anisotropy.

Two states of one `family` differ in nothing else: wraps, filters, comparison, reduction, seams and coordinates are the
same, and integer border colours too, as these are not colours. The page is docs/budget.md.
"""

from __future__ import annotations

from math import inf, log2
from struct import Struct
from typing import Final, NamedTuple

from statetracker.pipe.layout import MASKS, RECORD, SHIFTS
from statetracker.pipe.wraps import READS_BORDER

__all__ = ["UNITS", "Loss", "family", "loss"]

#: The record with the border colour as floats.
_FLOATS: Final = Struct("<I7f4x").unpack
_ANISOTROPY: Final = MASKS["max_anisotropy"]
_COMPARE, _FUNC, _INTEGER = MASKS["compare_mode"], MASKS["compare_func"], MASKS["border_color_is_integer"]
#: Levels beyond which no texture has any: a max_lod of 1000 is one of 15.
_LEVELS: Final = 15.0

#: What counts as a distance of 1, which a player may just see: in levels, in a channel of the border, in doublings.
UNITS: Final = {"lod": 0.5, "border": 1 / 8, "anisotropy": 1.0}


class Loss(NamedTuple):
    """What a picture loses where one state stands in for another; `inf` where it may not.

    lod          levels: the largest difference of the bias, min_lod and max_lod (within the 15 levels there can be)
    border       the largest difference of a channel, where a wrap reads the border
    anisotropy   doublings: from 4 to 16 it is 2
    """

    lod: float = 0.0
    border: float = 0.0
    anisotropy: float = 0.0

    @property
    def distance(self) -> float:
        """The largest of the three, each in its own unit (`UNITS`)."""
        return max(self.lod / UNITS["lod"], self.border / UNITS["border"], self.anisotropy / UNITS["anisotropy"])

    def __str__(self) -> str:
        """``LOD 0.03 levels, border 0.5``; what is not lost is left out."""
        parts = (("LOD", self.lod, " levels"), ("border", self.border, ""), ("anisotropy", self.anisotropy, " doublings"))
        return ", ".join(f"{name} {size:.4g}{unit}" for name, size, unit in parts if size) or "nothing"

    def worst(self, other: Loss) -> Loss:
        """The larger of each."""
        return Loss(*map(max, self, other))


def family(record: bytes) -> tuple[object, ...]:
    """What states have in common that may stand in for one another."""
    word, _, _, _, *border, fmt = RECORD.unpack(record)
    kept = word & ~_ANISOTROPY
    if not word & _COMPARE:
        kept &= ~_FUNC
    if not word & READS_BORDER:
        return (kept & ~_INTEGER,)
    return (kept, fmt, *border) if word & _INTEGER else (kept, fmt)


def loss(asked: bytes, given: bytes) -> Loss:
    """What is lost where ``given`` stands in for ``asked`` (36 bytes each); all `inf` across families.

    NaN is as far as can be from all but itself.
    """
    if asked == given:
        return Loss()
    if family(asked) != family(given):
        return Loss(inf, inf, inf)
    (word, *ours), (other, *theirs) = _FLOATS(asked), _FLOATS(given)
    lods = zip(ours[:3], theirs[:3], strict=True)
    colours = zip(ours[3:7], theirs[3:7], strict=True) if word & READS_BORDER and not word & _INTEGER else ()
    return Loss(
        max(_apart(_clamped(one), _clamped(two)) for one, two in lods),
        max((_apart(one, two) for one, two in colours), default=0.0),
        abs(_doublings(word) - _doublings(other)),
    )


def _apart(one: float, two: float) -> float:
    if one == two or (one != one and two != two):  # noqa: PLR0124 (the test for NaN)
        return 0.0
    apart = abs(one - two)
    return apart if apart == apart else inf  # noqa: PLR0124


def _clamped(lod: float) -> float:
    return _LEVELS if lod > _LEVELS else lod


def _doublings(word: int) -> float:
    return log2(max((word & _ANISOTROPY) >> SHIFTS["max_anisotropy"], 1))
