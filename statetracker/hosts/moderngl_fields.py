"""moderngl's samplers and textures.

moderngl keeps attributes of its own and does not ask GL, so these are read as they are. Setting ``border_color`` makes
all three axes CLAMP_TO_BORDER, whatever ``repeat_x`` says; setting ``repeat_x`` then makes that axis REPEAT or
CLAMP_TO_EDGE again. Source: moderngl 5.12 and 5.13, read beside GL's own getters.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e
from statetracker.gl.combiner import TEXTURE0
from statetracker.gl.current import ACTIVE_UNIT, BINDINGS
from statetracker.gl.formats import internal_format, internal_format_named
from statetracker.gl.targets import POSITIVE_X

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.current import Asker
    from statetracker.gl.texture import Texture

#: A field, its value, what there is instead, why.
Lost: TypeAlias = tuple[str, Any, str, str]

_REPEAT: Final = 0x2901
_BORDER: Final = 0x812D
_MIRRORED: Final = 0x8370
_EDGE: Final = 0x812F
_COMPARES: Final = 0x884E
_FIRST_MIPMAP_FILTER: Final = 0x2700
_AXES: Final = {"wrap_s": "repeat_x", "wrap_t": "repeat_y", "wrap_r": "repeat_z"}
_FUNCS: Final = ("0", "<", "==", "<=", ">", "!=", ">=", "1")  # from GL_NEVER, 0x0200, on
_NO_FUNC: Final = ("", "?")  # how it is set, and read

#: Fields that moderngl's samplers do not have -> GL's value, which they keep, and its name.
_ABSENT: Final[dict[str, tuple[object, str]]] = {
    "lod_bias": (0.0, "0.0"),
    "srgb_decode": (0x8A49, "GL_DECODE_EXT"),
    "cube_map_seamless": (False, "False"),
    "reduction_mode": (0x9367, "GL_WEIGHTED_AVERAGE"),
}

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
#: Kind of an internal format -> what a shader samples it as; colours, for every other.
_SAMPLED: Final = {
    "int": "integers", "uint": "unsigned integers", "stencil": "unsigned integers", "depth": "depths", "ds": "depths",
}
#: Base format -> its components; one, for every other.
_COUNTS: Final = {"RG": 2, "LUMINANCE_ALPHA": 2, "RGB": 3, "RGBA": 4}
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


def check_image(ask: Asker, name: str, image: Any, texture: Texture, *, mipmaps: bool) -> None:
    """Ask GL whether an image is what its texture says; the bindings of unit 0 are as before afterwards.

    Args:
        ask: The live context.
        name: The shader's, of the variable.
        image: What `Draw.use` binds.
        texture: What GL is said to know of it.
        mipmaps: The sampler reads every level that the texture shows.

    Raises:
        ArgumentError: It is no texture of this target in this context, or lacks components, levels or another kind of
            texels.
    """
    target = e.Target(texture.target)
    active = ask.read("glGetIntegerv", ACTIVE_UNIT)[0]
    ask.call("glActiveTexture", TEXTURE0)
    before = ask.read("glGetIntegerv", BINDINGS[target], kind="u")[0]
    place = POSITIVE_X if target is e.Target.TEXTURE_CUBE_MAP else target
    try:
        image.use(0)
        bound = ask.read("glGetIntegerv", BINDINGS[target], kind="u")[0]
        shown = texture.part()
        levels = range(shown.first_level, shown.first_level + (shown.levels or 1 if mipmaps else 1))
        asked = (e.LevelQuery.WIDTH, e.LevelQuery.INTERNAL_FORMAT)
        seen = [tuple(ask.read("glGetTexLevelParameteriv", place, level, one)[0] for one in asked) for level in levels]
    except AttributeError:  # it is none, or is released
        bound, seen = None, []
    finally:
        ask.call("glBindTexture", target, before)
        ask.call("glActiveTexture", active)
    if not seen or bound != getattr(image, "glo", bound) or not seen[0][0]:
        hint = "The slot takes (sampler, renderer.texture(image), image)."
        accepted = f"a texture of moderngl's in this context, whose target is {target.name}"
        raise ArgumentError(f"image of {name}", image, accepted=accepted, hint=hint)
    there = next((at for at, (width, _) in enumerate(seen) if not width), len(seen))
    if there < len(seen):
        hint = "Call image.build_mipmaps(), or say how many levels there are: renderer.texture(image, levels=...)."
        raise ArgumentError(
            f"texture of {name}", f"{len(seen)} levels", accepted=f"the {there} of its image", hint=hint
        )
    said, real = internal_format_named(texture.facts().internal_format), internal_format(seen[0][1])
    if real is not None:
        kinds = [_SAMPLED.get(one.kind, "colours") for one in (said, real)]
        few = _COUNTS.get(real.base_format, 1) < _COUNTS.get(said.base_format, 1)
        if kinds[0] != kinds[1] or few:
            hint = "renderer.texture(image) describes it as it is."
            raise ArgumentError(
                f"texture of {name}", said.name, accepted=f"{kinds[1]} as in {real.name}, its image's", hint=hint
            )


def attributes(state: Mapping[str, Any]) -> tuple[dict[str, Any], list[Lost]]:
    """Return the attributes of a ``moderngl.Sampler`` for the fields of a `Sampler`, and what they do not say."""
    losses: list[Lost] = [
        (field, state[field], shown, f"moderngl's samplers have no {field}")
        for field, (value, shown) in _ABSENT.items()
        if state[field] != value
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
