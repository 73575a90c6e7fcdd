"""Asking for sampler and texture parameters, in the form the application chose.

Source: docs/parameters.md (getters; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl import enums as e
from statetracker.gl.floats import (
    Number,
    clamped,
    f32,
    float_to_int,
    floats_of,
    half_away,
    low_word,
    normalized_int,
    round_to_int,
    signed,
    word,
)
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import INVALID_ENUM, INVALID_VALUE, PARAMETERS
from statetracker.gl.setters import Refusal

if TYPE_CHECKING:
    from statetracker.gl.floats import Words
    from statetracker.gl.parameters import Availability
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

#: The values, or None and the GL error.
Answer: TypeAlias = tuple[list[Number] | None, Refusal | None]

Q = e.TextureQuery
P = e.TextureParameter

#: How image units read textures of another format: Mesa knows no other way.
BY_SIZE: Final = 0x90C8
#: Parameters whose getter on a sampler object needs what the setter needs, CUBE_MAP_SEAMLESS's only the extension.
_GATED_ON_SAMPLER: Final = (P.REDUCTION_MODE, P.CUBE_MAP_SEAMLESS, P.SRGB_DECODE)
#: The same of the form iv alone. Observed on seven releases of Mesa, 21.2.6 to 25.2.8.
_GATED_BY_IV: Final = (*_GATED_ON_SAMPLER, P.MAX_ANISOTROPY)


def get_sampler(availability: Availability, sampler: Sampler, pname: int, suffix: str) -> Answer:
    """Do ``glGetSamplerParameter*``."""
    row = PARAMETERS.get(pname)
    gated = pname in (_GATED_BY_IV if suffix == "iv" else _GATED_ON_SAMPLER)
    if row is None or not row.on_sampler or (gated and pname not in availability.sampler_queries):
        return None, _refused(pname, "a sampler object", availability.sampler)
    value = getattr(sampler, row.field)
    return (_border(value, suffix) if row.kind == "border" else [_of_sampler(value, suffix)]), None


def get_texture(availability: Availability, texture: Texture, pname: int, suffix: str) -> Answer:
    """Do ``glGetTexParameter*``.

    fv clamps border colours where fragment colours are clamped: in compatibility contexts, with a fixed-point target.
    """
    row = PARAMETERS.get(pname)
    if row is None:
        return _query(availability, texture, pname, suffix)
    names = availability.texture if suffix == "fv" else availability.texture_integer_queries
    if pname not in names:
        return None, _refused(pname, "a texture", names)
    if row.kind == "border" and (suffix == "iv" or (suffix == "fv" and availability.limits.compatibility)):
        floats = [clamped(v) for v in floats_of(texture.sampler.border_color)]
        return (list(floats) if suffix == "fv" else [normalized_int(v) for v in floats]), None
    if row.kind in ("swizzle", "swizzles"):
        first = pname - P.SWIZZLE_R
        parts = texture.swizzle if row.kind == "swizzles" else texture.swizzle[first : first + 1]
        return [_of_texture(v, suffix) for v in parts], None
    if row.kind == "priority" and suffix != "fv":
        return [normalized_int(texture.priority)], None
    owner: Sampler | Texture = texture.sampler if row.filtering else texture
    value = getattr(owner, row.field)
    return (_border(value, suffix) if row.kind == "border" else [_of_texture(value, suffix)]), None


def get_level(texture: Texture, face: int, level: int, pname: int, most: int, absent: int) -> Answer:
    """Do ``glGetTexLevelParameter*``: the size and internal format of an image; an absent image has size 0.

    most     the highest level that a context has
    absent   the internal format of an image that is not there

    How many bits a component has is the driver's business: those names are refused.
    """
    if not 0 <= level <= most:
        return None, Refusal(INVALID_VALUE, f"level={level} is no mipmap level; accepted: 0 to {most}")
    image = texture.images.get((face, level))
    answers: dict[int, int] = {
        e.LevelQuery.WIDTH: image.width if image else 0,
        e.LevelQuery.HEIGHT: image.height if image else 0,
        e.LevelQuery.DEPTH: image.depth if image else 0,
        e.LevelQuery.INTERNAL_FORMAT: image.format.number if image else absent,
        e.LevelQuery.COMPRESSED: int(image.format.compressed) if image else 0,
        e.LevelQuery.SAMPLES: image.samples if image else 0,
        e.LevelQuery.FIXED_SAMPLE_LOCATIONS: int(image.fixed) if image else 1,
    }
    if pname not in answers:
        return None, _refused(pname, "an image of a texture", frozenset(answers))
    return [answers[pname]], None


def _query(availability: Availability, texture: Texture, pname: int, suffix: str) -> Answer:
    view = texture.view
    levels = texture.immutable_levels
    answers: dict[int, int] = {
        Q.IMMUTABLE_FORMAT: int(levels > 0),
        Q.IMMUTABLE_LEVELS: view.parent_levels if view else levels,
        Q.IMAGE_FORMAT_COMPATIBILITY_TYPE: BY_SIZE,
        Q.VIEW_MIN_LEVEL: view.min_level if view else 0,
        Q.VIEW_NUM_LEVELS: levels,
        Q.VIEW_MIN_LAYER: view.min_layer if view else 0,
        Q.VIEW_NUM_LAYERS: texture.layers if levels else 0,
    }
    if availability.limits.compatibility:
        answers[Q.RESIDENT] = 1
    if availability.limits.profile == "core":
        answers[Q.TARGET] = texture.target
    if availability.limits.gles:
        answers[Q.REQUIRED_TEXTURE_IMAGE_UNITS_OES] = 1
    if pname not in answers:
        return None, _refused(pname, "a texture", availability.texture | frozenset(answers))
    return [_of_texture(answers[pname], suffix)], None


def _refused(pname: int, owner: str, accepted: frozenset[int]) -> Refusal:
    words = ", ".join(gl_name(p) for p in sorted(accepted))
    return Refusal(INVALID_ENUM, f"pname={gl_name(pname)} cannot be asked of {owner} here; accepted: {words}")


def _of_sampler(value: Number, suffix: str) -> Number:
    """Sampler objects: iv rounds to 64 bits and keeps 32, Iiv truncates to 32, Iuiv to 64 and keeps 32."""
    if suffix == "fv":
        return f32(float(value))
    if suffix == "iv":
        return signed(low_word(half_away(value)))
    return float_to_int(value) if suffix == "Iiv" else low_word(value)


def _of_texture(value: Number, suffix: str) -> Number:
    """Textures: every form of ints rounds and saturates at the int range; Iuiv gives those bits without sign."""
    if suffix == "fv":
        return f32(float(value))
    number = round_to_int(value)
    return word(number) if suffix == "Iuiv" else number


def _border(words: Words, suffix: str) -> list[Number]:
    if suffix == "fv":
        return list(floats_of(words))
    if suffix == "iv":
        return [normalized_int(v) for v in floats_of(words)]
    return list(words) if suffix == "Iuiv" else list(unpack("<4i", pack("<4I", *words)))
