"""The distance of one state from another that may stand in for it, in pictures: LODs, border, anisotropy.

Two states of one family differ in nothing else: wraps, filters, comparison, reduction, seams and coordinates are the
same, and integer border colours too, as these are not colours. The page is docs/budget.md.
"""

from __future__ import annotations

from math import inf, log2
from operator import sub
from struct import Struct
from typing import Final, NamedTuple, TypeAlias

from statetracker.pipe.layout import MASKS, RECORD, SHIFTS
from statetracker.pipe.wraps import READS_BORDER

#: What states have in common that may stand in for one another.
Family: TypeAlias = tuple[int, ...]
#: Bias, min_lod, max_lod, anisotropy and the border's four channels, each in its own unit (`UNITS`).
Traits: TypeAlias = tuple[float, ...]

#: The record with the border colour as floats.
_FLOATS: Final = Struct("<I7f4x").unpack
_ANISOTROPY: Final = MASKS["max_anisotropy"]
_COMPARE, _FUNC, _INTEGER = MASKS["compare_mode"], MASKS["compare_func"], MASKS["border_color_is_integer"]
#: Levels beyond which no texture has any: a max_lod of 1000 is one of 15.
_LEVELS: Final = 15.0
#: In place of NaN and of what is as large: as far as can be from all but itself.
_FAR: Final = 1e30

#: What counts as a distance of 1, which a player may just see: in levels, in a channel of the border, in doublings.
UNITS: Final = {"lod": 0.5, "border": 1 / 8, "anisotropy": 1.0}
_NO_BORDER: Final = (0.0,) * 4


class Loss(NamedTuple):
    """A picture's loss where one state stands in for another; `inf` where it may not.

    Attributes:
        lod: Levels: the largest difference of the bias, min_lod and max_lod (each of 15 levels at most).
        border: The largest difference of a channel, where a wrap reads the border; 1 is from black to white.
        anisotropy: Doublings: from 4 to 16 it is 2.
    """

    lod: float = 0.0
    border: float = 0.0
    anisotropy: float = 0.0

    @property
    def distance(self) -> float:
        """The largest of the three, each in its own unit (`UNITS`): a player may just see 1; infinite as in `Loss`."""
        return max(self.lod / UNITS["lod"], self.border / UNITS["border"], self.anisotropy / UNITS["anisotropy"])

    def __str__(self) -> str:
        """``LOD 0.03 levels, border 0.5``; what is not lost is left out."""
        parts = (
            ("LOD", self.lod, " levels"),
            ("border", self.border, ""),
            ("anisotropy", self.anisotropy, " doublings"),
        )
        return ", ".join(f"{name} {size:.4g}{unit}" for name, size, unit in parts if size) or "nothing"

    def worst(self, other: Loss) -> Loss:
        """Return the larger of each of this and the other."""
        return Loss(*map(max, self, other))


def traits(record: bytes) -> tuple[Family, Traits]:
    """Return a record's family, and in what it may differ from others of that; an unread border is none."""
    word, _, _, _, *border, fmt = RECORD.unpack(record)
    kept = word & ~_ANISOTROPY
    if not word & _COMPARE:
        kept &= ~_FUNC
    _, *lods, red, green, blue, alpha = _FLOATS(record)
    colour: tuple[float, ...] = _NO_BORDER
    family: Family = (kept, fmt)
    if not word & READS_BORDER:
        family = (kept & ~_INTEGER,)
    elif word & _INTEGER:
        family = (kept, fmt, *border)
    else:
        colour = tuple(_plain(part) / UNITS["border"] for part in (red, green, blue, alpha))
    doublings = log2(max((word & _ANISOTROPY) >> SHIFTS["max_anisotropy"], 1)) / UNITS["anisotropy"]
    return family, (*(_plain(lod, _LEVELS) / UNITS["lod"] for lod in lods), doublings, *colour)


def _plain(value: float, most: float = _FAR / 8) -> float:
    """Return a number that can be subtracted: no NaN, and within bounds."""
    return max(min(value, most), -_FAR / 8) if value == value else _FAR  # noqa: PLR0124 (the test for NaN)


def apart(one: Traits, other: Traits) -> float:
    """Return the distance of two states of one family."""
    apart: float = max(map(abs, map(sub, one, other)))
    return apart


def loss(asked: bytes, given: bytes) -> Loss:
    """Return what is lost where ``given`` stands in for ``asked`` (36 bytes each); all `inf` across families.

    NaN is as far as can be from all but itself.
    """
    if asked == given:
        return Loss()
    (family, ours), (other, theirs) = traits(asked), traits(given)
    if family != other:
        return Loss(inf, inf, inf)
    bias, low, high, doublings, *border = (abs(one - two) for one, two in zip(ours, theirs, strict=True))
    lod, colour = max(bias, low, high) * UNITS["lod"], max(border) * UNITS["border"]
    return Loss(*(inf if part > _FAR / 4 else part for part in (lod, colour, doublings * UNITS["anisotropy"])))
