"""Arithmetic of layouts, on integers and NumPy arrays alike.

Units, as suffixes of names: **px** pixel of the application, **sa** sample of the surface (px times interleaved
samples), **el** element (a format block), **B** byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Number = TypeVar("Number", int, NDArray[Any])

__all__ = ["align", "cdiv", "larger", "minify"]


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
    """Give the larger of two, element by element for arrays."""
    result: Number = a + (b - a) * (b > a)
    return result
