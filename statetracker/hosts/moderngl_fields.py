"""moderngl's samplers and textures.

moderngl keeps attributes of its own and does not ask GL, so these are read as they are. Setting ``border_color`` makes
all three axes CLAMP_TO_BORDER, whatever ``repeat_x`` says; setting ``repeat_x`` then makes that axis REPEAT or
CLAMP_TO_EDGE again. Source: moderngl 5.12 and 5.13, read beside GL's own getters.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.errors import ArgumentError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

#: A field, its value, what there is instead, why.
Lost: TypeAlias = tuple[str, Any, Any, str]

_REPEAT: Final = 0x2901
_BORDER: Final = 0x812D
_MIRRORED: Final = 0x8370
_EDGE: Final = 0x812F
_COMPARES: Final = 0x884E
_FIRST_MIPMAP_FILTER: Final = 0x2700
_AXES: Final = {"wrap_s": "repeat_x", "wrap_t": "repeat_y", "wrap_r": "repeat_z"}
_FUNCS: Final = ("0", "<", "==", "<=", ">", "!=", ">=", "1")  # from GL_NEVER, 0x0200, on
_NO_FUNC: Final = ("", "?")  # how it is set, and read

#: Fields of which moderngl's samplers have anything; the others keep GL's default.
_KEPT: Final = {
    *_AXES, "min_filter", "mag_filter", "min_lod", "max_lod", "max_anisotropy", "compare_mode", "compare_func",
    "border_color",
}  # fmt: skip

# fmt: off
#: dtype -> internal format, after the components' letters. Source: moderngl's table of data types; of ``ni1`` and
#: ``ni2`` what it gives GL, which is not what its documentation says.
_FORMATS: Final = {
    "f1":  "8",   "f2":  "16F",  "f4": "32F",
    "u1":  "8UI", "u2":  "16UI", "u4": "32UI",
    "i1":  "8I",  "i2":  "16I",  "i4": "32I",
    "nu1": "8",   "nu2": "16",
    "ni1": "8",   "ni2": "16",
}
_COMPONENTS: Final = ("R", "RG", "RGB", "RGBA")
#: Class -> target.
_TARGETS: Final = {
    "Texture": "2d", "Texture3D": "3d", "TextureArray": "2d-array", "TextureCube": "cube-map",
}
# fmt: on


def sampler_fields(sampler: Any) -> dict[str, Any]:
    """Read a ``moderngl.Sampler``, or the same attributes of a texture, as fields of `Sampler`.

    A border colour that is not all zero means CLAMP_TO_BORDER on every axis.

    Args:
        sampler: What has the attributes.

    Raises:
        ArgumentError: It lacks the attributes.
    """
    if not hasattr(sampler, "filter"):
        raise ArgumentError("sampler", sampler, accepted="a moderngl.Sampler")
    fields: dict[str, Any] = {"filter": tuple(sampler.filter)}
    for field, attribute in _AXES.items():
        if hasattr(sampler, attribute):
            fields[field] = _REPEAT if getattr(sampler, attribute) else _EDGE
    for name in ("min_lod", "max_lod"):
        if hasattr(sampler, name):
            fields[name] = getattr(sampler, name)
    fields["max_anisotropy"] = max(1.0, getattr(sampler, "anisotropy", 1.0))
    border = tuple(getattr(sampler, "border_color", (0.0,) * 4))
    if any(border):
        fields |= dict.fromkeys(_AXES, _BORDER) | {"border_color": border}
    return fields | _compared(getattr(sampler, "compare_func", "") if _has_depth(sampler) else "")


def _has_depth(sampler: Any) -> bool:
    """Return whether it has a function: a texture without depth refuses to be asked; of 3D ``depth`` is a size."""
    return type(sampler).__name__ not in _TARGETS or getattr(sampler, "depth", False) is True


def _compared(func: str) -> dict[str, Any]:
    if func in _NO_FUNC:
        return {}
    if func not in _FUNCS:
        raise UnknownName("compare_func", func, accepted=", ".join(_FUNCS))
    return {"compare_mode": _COMPARES, "compare_func": 0x0200 + _FUNCS.index(func)}


def texture_arguments(texture: Any) -> dict[str, Any]:
    """Read a moderngl texture as arguments of `Texture`, but for its sampler.

    It has a whole mipmap chain where its min filter reads one, as after ``build_mipmaps``; else one level. The internal
    format is that of its data type: one given to moderngl by number cannot be read back.
    """
    kind = type(texture).__name__
    if kind not in _TARGETS:
        raise ArgumentError("texture", texture, accepted=f"a moderngl {', '.join(_TARGETS)}")
    depth = _has_depth(texture)
    samples = getattr(texture, "samples", 0)
    arguments: dict[str, Any] = {
        "target": "2d-multisample" if samples else _TARGETS[kind],
        "internal_format": "DEPTH_COMPONENT24" if depth else _format(texture),
        "size": tuple(texture.size),
        "samples": samples,
        "levels": None if texture.filter[0] >= _FIRST_MIPMAP_FILTER and not samples else 1,
    }
    return arguments if depth else arguments | {"swizzle": texture.swizzle}


def _format(texture: Any) -> str:
    if texture.dtype not in _FORMATS:
        raise UnknownName("dtype", texture.dtype, accepted=", ".join(_FORMATS))
    return f"{_COMPONENTS[texture.components - 1]}{_FORMATS[texture.dtype]}"


def attributes(state: Mapping[str, Any], usual: Mapping[str, Any]) -> tuple[dict[str, Any], list[Lost]]:
    """Return the attributes of a ``moderngl.Sampler`` for the fields of a `Sampler`, and what they do not say.

    Args:
        state: Field -> its value.
        usual: Field -> GL's default.
    """
    losses: list[Lost] = [
        (field, state[field], value, f"moderngl's samplers have no {field}")
        for field, value in usual.items()
        if field not in _KEPT and state[field] != value
    ]
    wraps = {attribute: state[field] for field, attribute in _AXES.items()}
    values: dict[str, Any] = {}
    if _BORDER in wraps.values():  # it has to come first: it sets the wraps of all axes
        values["border_color"] = unpack("<4f", pack("<4I", *state["border_color"]))
    for field, attribute in _AXES.items():
        wrap = state[field]
        if wrap in (_REPEAT, _EDGE):
            values[attribute] = wrap == _REPEAT
        elif wrap != _BORDER:
            values[attribute] = wrap == _MIRRORED
            got = "GL_REPEAT" if values[attribute] else "GL_CLAMP_TO_EDGE"
            losses.append((field, wrap, got, "moderngl repeats, clamps to the edge, or to the border"))
    values["filter"] = state["min_filter"], state["mag_filter"]
    values["compare_func"] = _FUNCS[state["compare_func"] - 0x0200] if state["compare_mode"] else ""
    values |= {"anisotropy": state["max_anisotropy"], "min_lod": state["min_lod"], "max_lod": state["max_lod"]}
    return values, losses
