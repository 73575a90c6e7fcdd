"""Arithmetic of layouts, on integers and NumPy arrays alike; `Reason`, in which every number of one is explained.

Units, as suffixes of names: **px** pixel of the application, **sa** sample of the surface (px times interleaved
samples), **el** element (a format block), **B** byte. See docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Number = TypeVar("Number", int, NDArray[Any])


class Reason(NamedTuple):
    """One thing chosen, decided or computed, and why.

    Attributes:
        field: Its name.
        value: What it became.
        reason: Why, in words.
    """

    field: str
    value: object
    reason: str


#: The largest size or count of a request: drivers count in unsigned integers of 32 bits.
LARGEST_COUNT: Final = (1 << 32) - 1


def align(value: Number, step: int) -> Number:
    """Round up to a multiple of any positive step."""
    result: Number = -(-value // step) * step
    return result


def cdiv(value: Number, step: int) -> Number:
    """Divide, rounding up."""
    result: Number = -(-value // step)
    return result


def minify(value: Number, level: int) -> Number:
    """Halve ``level`` times, rounding down, never below 1."""
    shifted: Number = value >> level
    result: Number = shifted + (shifted == 0)
    return result


def larger(a: Number, b: Number) -> Number:
    """Return the larger of two, element by element for arrays."""
    result: Number = a + (b - a) * (b > a)
    return result


def wide(value: Number) -> Number:
    """Return an array of integers as one of 64 bits: narrower ones overflow without a word. All else stays."""
    if isinstance(value, int) or not hasattr(value, "astype") or value.dtype.kind not in "iu":
        return value
    return value.astype("int64", casting="same_kind", copy=False)


def check_place(level: int, levels: int, layer: int, layers: int) -> None:
    """Raise `ArgumentError` for a level or layer that is not among so many."""
    for field, value, count in (("level", level, levels), ("layer", layer, layers)):
        if not 0 <= value < count:
            raise ArgumentError(field, value, accepted=f"0 to {count - 1}")


def whole_number(field: str, value: object, least: int, most: int = LARGEST_COUNT) -> None:
    """Raise `ArgumentError` unless an argument is an ``int`` from ``least`` to ``most``; true and false are none."""
    if type(value) is not int or not least <= value <= most:
        raise ArgumentError(field, value, accepted=f"a whole number from {least} to {most}")
