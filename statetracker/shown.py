"""Values as people read them: rows of text in columns, and border colours.

Of a border colour's four 32-bit words nothing says whether they are floats or integers. A word is taken for a float
where it is 0.0, -0.0 or a normal float32: small integers would be denormals, small negative ones NaN. So ``(1.0, 0.5,
0.0, 1.0)`` and ``(-1, 7, 0, 255)`` are both shown as they were given.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS: Final = Struct("<4I")
_FLOATS: Final = Struct("<4f")
_SIGNED: Final = Struct("<4i")
_FLOAT: Final = Struct("<f")
_EXPONENT: Final = 0x7F800000
_SIGN: Final = 0x80000000


def float_color(words: Sequence[int]) -> tuple[float, ...] | None:
    """Return four words as floats, in the fewest digits that make the same words; None where one is no normal float32.

    0.0 and -0.0 count as normal; NaN, infinities and denormals do not.
    """
    if any(word & ~_SIGN and (word & _EXPONENT) in (0, _EXPONENT) for word in words):
        return None
    return tuple(map(_shortest, _FLOATS.unpack(_WORDS.pack(*words))))


def signed_color(words: Sequence[int]) -> tuple[int, ...]:
    """Return four words as signed integers, -2147483648 to 2147483647."""
    return _SIGNED.unpack(_WORDS.pack(*words))


def _shortest(value: float) -> float:
    """Nine digits distinguish every float32 from every other."""
    packed = _FLOAT.pack(value)
    shown = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next((short for short in shown if abs(short) < 3.4e38 and _FLOAT.pack(short) == packed), value)


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a line for each row, its cells two blanks apart; the last cell is as long as it is.

    There is at least one row, and all have the same length.
    """
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
