"""Numbers given to GL's entry points, turned into others, bit for bit; which form (i, fv ...) does what.

All results that GL keeps as float32 are Python floats that hold exactly a float32 value. Sampler objects and textures
differ: the float forms of sampler objects truncate, glTexParameterf rounds; Iuiv is unsigned for sampler objects and
signed for textures. Source: docs/rules/entry_points.md, docs/parameters.md (recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from math import isfinite, isnan, trunc
from struct import Struct, pack, unpack
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Words: TypeAlias = tuple[int, int, int, int]

_F = Struct("<f")
_I = Struct("<I")
_INT_MIN = -(1 << 31)
_INT_MAX = (1 << 31) - 1
_SIGN = 1 << 31
_LONG_END = 2.0**63
_FLT_MAX = 3.4028235677973366e38  # the least double that rounds to infinity


def f32(value: float) -> float:
    """Round to float32 (nearest, ties to even); too large becomes infinite, any int too, NaN stays NaN."""
    if abs(value) >= _FLT_MAX:
        return float("inf") if value > 0 else float("-inf")
    rounded: float = _F.unpack(_F.pack(value))[0]
    return rounded


def f32_bits(value: float) -> int:
    """Return the 32 bits of a number as float32 (a Python NaN is 0x7FC00000 or, negative, 0xFFC00000)."""
    bits: int = _I.unpack(_F.pack(f32(value)))[0]
    return bits


def word(value: int) -> int:
    """Take the low 32 bits, as storing a signed or unsigned int does."""
    return value & 0xFFFFFFFF


def signed(value: int) -> int:
    """Read the low 32 bits as a signed int."""
    return (word(value) ^ _SIGN) - _SIGN


def border_from_ints(value: int) -> int:
    """Turn one component of an ``iv`` border colour into float32 bits.

    GL maps the int range onto [-1, 1]: (2i + 1) / (2^32 - 2), every step in float32 but the last product. So 0 gives
    a small positive number, not 0.
    """
    return f32_bits(f32(f32(2.0 * f32(value)) + 1.0) * (1.0 / 4294967294.0))


def float_to_int(value: float) -> int:
    """Truncate toward zero as a C cast does; NaN and what does not fit give the smallest int, as x86 does."""
    if isnan(value) or not _INT_MIN - 1 < value < _INT_MAX + 1:
        return _INT_MIN
    return trunc(value)


def low_word(value: float) -> int:
    """Truncate toward zero to 64 bits and take the low 32, as x86 does; 0 for NaN and what does not fit."""
    return word(trunc(value)) if abs(value) < _LONG_END else 0


def half_away(value: float) -> float:
    """Move by one half away from zero, so that truncating rounds."""
    return value + 0.5 if value >= 0.0 else value - 0.5


def round_to_int(value: float) -> int:
    """Round half away from zero and saturate at the int range; NaN gives the smallest int."""
    if isnan(value):
        return _INT_MIN
    moved = half_away(value)
    return max(_INT_MIN, min(_INT_MAX, trunc(moved))) if isfinite(moved) else (_INT_MAX if value > 0 else _INT_MIN)


def normalized_int(value: float) -> int:
    """Turn a stored border component into what an ``iv`` query returns: trunc(2147483647 x); else the smallest int."""
    return float_to_int(2147483647.0 * value)


def floats_of(words: Words) -> list[float]:
    """Read four words as float32."""
    return list(unpack("<4f", pack("<4I", *words)))


def clamped(value: float) -> float:
    """Clamp to [0, 1]; NaN and -0.0 give 0.0."""
    return min(value, 1.0) if value > 0.0 else 0.0


def clamped_words(words: Words) -> Words:
    """Clamp four words, read as float32, to [0, 1]."""
    x, y, z, w = (f32_bits(clamped(v)) for v in floats_of(words))
    return x, y, z, w


Number: TypeAlias = int | float


class Form(NamedTuple):
    """A form of a call, and how it reads values.

    Attributes:
        name: The suffix: i, f, iv, fv, Iiv, Iuiv.
        vector: Whether it takes an array, and so border colours.
        as_enum: Number given -> integer for enums, levels and swizzles.
        as_float: Number given -> float32.
        as_bool: Number given -> integer tested for 0 and 1.
        border: Four numbers given -> four 32-bit words, or None where the form refuses border colours.
    """

    name: str
    vector: bool
    as_enum: Callable[[Number], int]
    as_float: Callable[[Number], float]
    as_bool: Callable[[Number], int]
    border: Callable[[Sequence[Number]], Words] | None


def _int(value: Number) -> int:
    return signed(value) if isinstance(value, int) else float_to_int(value)


def _unsigned(value: Number) -> int:
    return word(value if isinstance(value, int) else float_to_int(value))


def _trunc(value: Number) -> int:
    return float_to_int(f32(value))


def _round(value: Number) -> int:
    given = f32(value)  # Mesa casts 2^31: it is not above the largest int, which is 2^31 as a float32
    return _INT_MIN if given == -_INT_MIN else round_to_int(given)


def _float(value: Number) -> float:
    return f32(float(value))


def _border_f(values: Sequence[Number]) -> Words:
    x, y, z, w = (f32_bits(float(v)) for v in values)
    return x, y, z, w


def _border_i(values: Sequence[Number]) -> Words:
    x, y, z, w = (border_from_ints(_int(v)) for v in values)
    return x, y, z, w


def _border_bits(values: Sequence[Number]) -> Words:
    x, y, z, w = (_unsigned(v) for v in values)
    return x, y, z, w


_BORDERS: Final = {"iv": _border_i, "fv": _border_f, "Iiv": _border_bits, "Iuiv": _border_bits}


def _form(name: str, as_enum: Callable[[Number], int], *, low_byte: bool) -> Form:
    """Make a form: integers become floats as they are read; sampler objects test the ``low_byte`` of truth values."""

    def of_integer(value: Number) -> float:
        return f32(float(as_enum(value)))

    def byte(value: Number) -> int:
        return as_enum(value) & 0xFF

    as_float = _float if name.startswith("f") else of_integer
    return Form(name, "v" in name, as_enum, as_float, byte if low_byte else as_enum, _BORDERS.get(name))


_OF_SAMPLERS: Final = {"i": _int, "iv": _int, "f": _trunc, "fv": _trunc, "Iiv": _int, "Iuiv": _unsigned}
_OF_TEXTURES: Final = {"i": _int, "iv": _int, "f": _round, "fv": _trunc, "Iiv": _int, "Iuiv": _int}
SAMPLER_FORMS: Final = {name: _form(name, read, low_byte=True) for name, read in _OF_SAMPLERS.items()}
TEXTURE_FORMS: Final = {name: _form(name, read, low_byte=False) for name, read in _OF_TEXTURES.items()}
