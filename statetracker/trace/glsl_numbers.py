"""GLSL's numbers as Python's: how results wrap and round, as Mesa folds constants.

``bool`` is bool, ``int`` an int of 32 bits, ``uint`` an `Unsigned`, ``float`` a float rounded to single precision,
``double`` a `Double`. What C leaves open (a float beyond an int's range) is what x86-64 gives.

Source: docs/glsl.md (The OpenGL Shading Language 4.60, 4.1.3 and 4.1.4; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import math
import struct
from typing import Final, TypeAlias

__all__ = [
    "Double",
    "Number",
    "Unsigned",
    "Wide",
    "alike",
    "converted",
    "divided",
    "fitted",
    "remainder",
    "to_float",
    "to_int",
    "to_uint",
]


class Unsigned(int):
    """A uint."""


class Wide(int):
    """An int64_t or uint64_t; its 64 bits are taken for endless."""


class Double(float):
    """A double."""


Number: TypeAlias = "float | bool"

_BITS: Final = 32
_INDEFINITE: Final = -(1 << 31)


def to_int(number: Number) -> int:
    """An int: integers wrap, floats are cut; one that is too large, or NaN, gives the smallest int."""
    if isinstance(number, float):
        number = int(number) if math.isfinite(number) else _INDEFINITE
        if not _INDEFINITE <= number < -_INDEFINITE:
            return _INDEFINITE
    return (int(number) - _INDEFINITE) % (1 << _BITS) + _INDEFINITE


def to_uint(number: Number) -> Unsigned:
    """A uint: integers wrap, floats are cut and then wrap; NaN and infinities give 0."""
    return Unsigned((int(number) if math.isfinite(number) else 0) % (1 << _BITS))


def to_float(number: Number) -> float:
    """A float of single precision; one that is too large gives infinity."""
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", number))
    except OverflowError:
        return math.copysign(math.inf, number)
    return float(rounded)


def fitted(result: Number, *operands: Number) -> Number:
    """A result in the type that the operands have together; a bool stays one."""
    if isinstance(result, bool):
        return result
    if any(isinstance(operand, Double) for operand in operands):
        return Double(result)
    if any(isinstance(operand, float) for operand in operands):
        return to_float(result)
    if any(isinstance(operand, Wide) for operand in operands):
        return Wide(result)
    if any(isinstance(operand, Unsigned) for operand in operands):
        return to_uint(result)
    return to_float(result) if isinstance(result, float) else to_int(result)


def converted(type_name: str, number: Number) -> Number:
    """A number as a component of a type: ``vec2``, ``uint``, ``i64vec3``."""
    if type_name.startswith("b"):
        return bool(number)
    if "64" in type_name:
        return Wide(number) if math.isfinite(number) else Wide()
    if type_name.startswith(("i", "u")):
        return to_int(number) if type_name.startswith("i") else to_uint(number)
    return Double(number) if type_name.startswith("d") else to_float(number)


def alike(left: Number, right: Number) -> tuple[Number, Number]:
    """Two numbers as they are compared: an int beside a uint is one too."""
    if isinstance(left, Unsigned) != isinstance(right, Unsigned) and not any(
        isinstance(number, (float, Wide)) for number in (left, right)
    ):
        return to_uint(left), to_uint(right)
    return left, right


def divided(left: Number, right: Number) -> Number:
    """``left / right``, unfitted: integers towards 0, by 0 gives 0; floats as IEEE 754 has it."""
    if isinstance(left, float) or isinstance(right, float):
        if right:
            return left / right
        sign = math.copysign(1.0, left) * math.copysign(1.0, right)
        return math.copysign(math.inf, sign) if left and left == left else math.nan  # noqa: PLR0124 (not NaN)
    if not right:
        return 0
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """``left % right`` of integers, with the sign of ``left``; by 0 gives 0."""
    return left - right * int(divided(left, right)) if right else 0
