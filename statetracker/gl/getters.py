"""Asking for sampler and texture parameters, in the form the application chose.

Source: docs/parameters.md (getters; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from math import isnan
from struct import pack, unpack
from typing import TYPE_CHECKING

from statetracker.gl import enums as e
from statetracker.gl.floats import f32, float_to_int, normalized_int, round_to_int
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import INVALID_ENUM, PARAMETERS, Parameter
from statetracker.gl.setters import Gates, Refusal

if TYPE_CHECKING:
    from statetracker.gl.sampler import Sampler, Words
    from statetracker.gl.texture import Texture

__all__ = ["get_sampler", "get_texture"]

Number = int | float
Answer = "tuple[list[Number] | None, Refusal | None]"

#: Parameters whose getter on a sampler object needs what the setter needs. MAX_ANISOTROPY's does not.
_GATED_ON_SAMPLER = (e.TextureParameter.REDUCTION_MODE, e.TextureParameter.CUBE_MAP_SEAMLESS, e.TextureParameter.SRGB_DECODE)


def get_sampler(gates: Gates, sampler: Sampler, pname: int, suffix: str) -> Answer:
    """Do ``glGetSamplerParameter*``: the values, or None and the error."""
    row = PARAMETERS.get(pname)
    if row is None or not row.on_sampler or (pname in _GATED_ON_SAMPLER and pname not in gates.sampler):
        return None, Refusal(INVALID_ENUM, f"{gl_name(pname)} cannot be asked of a sampler object here")
    return _values(row, getattr(sampler, row.field), suffix), None


def get_texture(gates: Gates, texture: Texture, pname: int, suffix: str, *, clamps_border: bool = True) -> Answer:
    """Do ``glGetTexParameter*``.

    clamps_border   fragment colour clamping is in effect (as with a fixed-point framebuffer): fv clamps to [0, 1]
    """
    row = PARAMETERS.get(pname)
    if row is None or pname not in gates.texture:
        return None, Refusal(INVALID_ENUM, f"{gl_name(pname)} cannot be asked of a texture here")
    if row.kind == "border" and suffix in ("fv", "iv"):
        floats = _floats(texture.sampler.border_color)
        if suffix == "iv" or clamps_border:
            floats = [_clamp(v) for v in floats]
        return (floats if suffix == "fv" else [normalized_int(v) for v in floats]), None
    if row.kind == "swizzle":
        return _values(row, texture.swizzle[pname - e.TextureParameter.SWIZZLE_R], suffix), None
    if row.kind == "swizzles":
        return [_number(v, suffix) for v in texture.swizzle], None
    owner: object = texture.sampler if row.filtering else texture
    return _values(row, getattr(owner, row.field), suffix), None


def _values(row: Parameter, value: object, suffix: str) -> list[Number]:
    if row.kind == "border":
        return _border(value, suffix)  # type: ignore[arg-type]
    return [_number(value, suffix)]  # type: ignore[arg-type]


def _number(value: Number, suffix: str) -> Number:
    if suffix == "fv":
        return f32(float(value))
    if isinstance(value, float):
        return round_to_int(value) if suffix == "iv" and not isnan(value) else float_to_int(value)
    return int(value)


def _floats(words: Words) -> list[float]:
    return list(unpack("<4f", pack("<4I", *words)))


def _border(words: Words, suffix: str) -> list[Number]:
    if suffix == "fv":
        return list(_floats(words))
    if suffix == "iv":
        return [normalized_int(v) for v in _floats(words)]
    return list(words) if suffix == "Iuiv" else list(unpack("<4i", pack("<4I", *words)))


def _clamp(value: float) -> float:
    return min(value, 1.0) if value > 0.0 else 0.0
