"""The entry-point forms (i, f, iv, fv, Iiv, Iuiv) and how each reads a value for each kind of parameter.

One row a form. Sampler objects and textures differ: the float forms of sampler objects truncate, glTexParameterf
rounds; Iuiv is unsigned for sampler objects and signed for textures. Source: docs/parameters.md (entry points;
recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.gl.floats import border_from_ints, f32, f32_bits, float_to_int, round_to_int, signed, word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.gl.floats import Words

__all__ = ["SAMPLER_FORMS", "TEXTURE_FORMS", "Form"]

Number: TypeAlias = int | float


class Form(NamedTuple):
    """How one form reads values.

    name       the suffix: i, f, iv, fv, Iiv, Iuiv
    vector     whether it takes an array, and so border colours
    as_enum    number given -> integer for enums, levels and swizzles
    as_float   number given -> float32
    as_bool    number given -> integer tested for 0 and 1
    border     four numbers given -> four 32-bit words, or None where the form refuses border colours
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
    return float_to_int(float(value))


def _round(value: Number) -> int:
    return round_to_int(float(value))


def _float_of_int(value: Number) -> float:
    return f32(float(_int(value)))


def _float_of_unsigned(value: Number) -> float:
    return f32(float(_unsigned(value)))


def _float(value: Number) -> float:
    return f32(float(value))


def _low_byte(value: Number) -> int:
    return _int(value) & 0xFF


def _border_f(values: Sequence[Number]) -> Words:
    x, y, z, w = (f32_bits(float(v)) for v in values)
    return x, y, z, w


def _border_i(values: Sequence[Number]) -> Words:
    x, y, z, w = (border_from_ints(_int(v)) for v in values)
    return x, y, z, w


def _border_bits(values: Sequence[Number]) -> Words:
    x, y, z, w = (_unsigned(v) for v in values)
    return x, y, z, w


# fmt: off
SAMPLER_FORMS: Final[Mapping[str, Form]] = {
    #               name    vector as_enum    as_float            as_bool    border
    "i":    Form("i",    False, _int,      _float_of_int,      _low_byte, None),
    "iv":   Form("iv",   True,  _int,      _float_of_int,      _low_byte, _border_i),
    "f":    Form("f",    False, _trunc,    _float,             _low_byte, None),
    "fv":   Form("fv",   True,  _trunc,    _float,             _low_byte, _border_f),
    "Iiv":  Form("Iiv",  True,  _int,      _float_of_int,      _low_byte, _border_bits),
    "Iuiv": Form("Iuiv", True,  _unsigned, _float_of_unsigned, _low_byte, _border_bits),
}

TEXTURE_FORMS: Final[Mapping[str, Form]] = {
    #               name    vector as_enum    as_float            as_bool    border
    "i":    Form("i",    False, _int,      _float_of_int,      _int,      None),
    "iv":   Form("iv",   True,  _int,      _float_of_int,      _int,      _border_i),
    "f":    Form("f",    False, _round,    _float,             _round,    None),
    "fv":   Form("fv",   True,  _trunc,    _float,             _trunc,    _border_f),
    "Iiv":  Form("Iiv",  True,  _int,      _float_of_int,      _int,      _border_bits),
    "Iuiv": Form("Iuiv", True,  _int,      _float_of_int,      _int,      _border_bits),
}
# fmt: on
