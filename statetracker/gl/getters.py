"""Asking for sampler and texture parameters, in the form the application chose.

Source: docs/parameters.md (getters; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.floats import (
    Number,
    clamped_words,
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
from statetracker.gl.limits import ALWAYS
from statetracker.gl.names import gl_name, listing
from statetracker.gl.parameters import INVALID_ENUM, INVALID_VALUE, PARAMETERS, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.gl.floats import Words
    from statetracker.gl.parameters import Availability
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

Q = e.TextureQuery
P = e.TextureParameter

#: How image units read textures of another format: Mesa knows no other way.
BY_SIZE: Final = 0x90C8
#: Parameters whose getter on a sampler object needs what the setter needs, CUBE_MAP_SEAMLESS's only the extension: all
#: that need anything, in the form iv. Observed on seven releases of Mesa, 21.2.6 to 25.2.8.
_GATED_BY_IV: Final = frozenset(
    p for p, row in PARAMETERS.items() if row.on_sampler and row.sampler_gate is not ALWAYS and not row.silent
)
#: ... and in the others.
_GATED_ON_SAMPLER: Final = _GATED_BY_IV - {P.MAX_ANISOTROPY}


def get_sampler(availability: Availability, sampler: Sampler, pname: int, suffix: str) -> list[Number]:
    """Do ``glGetSamplerParameter*``."""
    row = PARAMETERS.get(pname)
    gated = pname in (_GATED_BY_IV if suffix == "iv" else _GATED_ON_SAMPLER)
    if row is None or not row.on_sampler or (gated and pname not in availability.sampler_queries):
        raise _refused(pname, "a sampler object", availability.sampler)
    value = getattr(sampler, row.field)
    return _border(value, suffix) if row.kind == "border" else [_of_sampler(value, suffix)]


def get_texture(availability: Availability, texture: Texture, pname: int, suffix: str) -> list[Number]:
    """Do ``glGetTexParameter*``.

    fv clamps border colours where fragment colours are clamped: in compatibility contexts, with a fixed-point target.
    """
    row = PARAMETERS.get(pname)
    if row is None:
        return _query(availability, texture, pname, suffix)
    names = availability.texture if suffix == "fv" else availability.texture_integer_queries
    if pname not in names:
        raise _refused(pname, "a texture", names)
    if row.kind == "border":
        words = texture.sampler.border_color
        clamps = suffix == "iv" or (suffix == "fv" and availability.limits.compatibility)
        return _border(clamped_words(words) if clamps else words, suffix)
    if row.kind in ("swizzle", "swizzles"):
        first = pname - P.SWIZZLE_R
        parts = texture.swizzle if row.kind == "swizzles" else texture.swizzle[first : first + 1]
        return [_of_texture(v, suffix) for v in parts]
    if row.kind == "priority" and suffix != "fv":
        return [normalized_int(texture.priority)]
    owner: Sampler | Texture = texture.sampler if row.filtering else texture
    return [_of_texture(getattr(owner, row.field), suffix)]


def get_level(texture: Texture, face: int, level: int, pname: int, most: int, absent: int) -> list[Number]:
    """Do ``glGetTexLevelParameter*``: the size and internal format of an image; an absent image has size 0.

    ``most`` is the highest level that a context has, ``absent`` the internal format of an image that is not there.

    How many bits a component has is the driver's business: those names are refused.
    """
    if not 0 <= level <= most:
        raise Refusal(INVALID_VALUE, f"level={level} is no mipmap level; accepted: 0 to {most}")
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
        raise _refused(pname, "an image of a texture", answers)
    return [answers[pname]]


def _query(availability: Availability, texture: Texture, pname: int, suffix: str) -> list[Number]:
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
        raise _refused(pname, "a texture", availability.texture | answers.keys())
    return [_of_texture(answers[pname], suffix)]


def _refused(pname: int, owner: str, accepted: Iterable[int]) -> Refusal:
    return Refusal(
        INVALID_ENUM, f"pname={gl_name(pname)} cannot be asked of {owner} here; accepted: {listing(accepted)}"
    )


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
