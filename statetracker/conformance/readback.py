"""Read-back: the getters called after a case's calls, on the live driver and on our context alike.

The values have the form of recorded case files.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.gl.names import gl_name, glenum
from statetracker.gl.parameters import PARAMETERS
from statetracker.gl.sampler import FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Forms of the getters.
FORMS: Final = ("fv", "iv", "Iiv", "Iuiv")
_SHARED: Final = tuple(name for name in FIELDS if name != "border_color")
_FLOATS: Final = frozenset(row.field for row in PARAMETERS.values() if row.kind in {"float", "anisotropy", "priority"})
_OF_TEXTURE: Final = (
    *("base_level", "max_level", "immutable_format", "immutable_levels", "depth_texture_mode"),
    *("depth_stencil_texture_mode", "swizzle", "generate_mipmap", "priority"),
    *("swizzle_r", "swizzle_g", "swizzle_b", "swizzle_a"),
)
_NUMBERS: Final = frozenset(
    {"cube_map_seamless", "base_level", "max_level", "immutable_format", "immutable_levels", "generate_mipmap"}
)
#: Parameters without GL_TEXTURE_ in front of their names.
_BARE: Final = frozenset({"depth_texture_mode", "depth_stencil_texture_mode", "generate_mipmap"})
_LEVEL: Final = ("width", "height", "depth", "internal_format")


#: Answers getters: a function's name and arguments to its values, or None where it raised a GL error.
Asker: TypeAlias = "Callable[..., list[Any] | None]"


def read_back(ask: Asker, target: str, sampler: object) -> dict[str, Any]:
    """Read every parameter of the bound texture, the sampler object (None: there is none) and the unit.

    ``forms`` has the answers of the forms of the getter that are not given by name, as GL gives them.
    """
    texture = _answers(ask, "glGetTexParameter", target, (*_SHARED, "border_color", *_OF_TEXTURE))
    texture["base_level_image"] = _image(ask, target, int(texture["base_level"] or 0))
    bias = ask("glGetTexEnvfv", "GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS")
    return {
        "texture": texture,
        "sampler_object": None
        if sampler is None
        else _answers(ask, "glGetSamplerParameter", sampler, (*_SHARED, "border_color")),
        "unit_lod_bias": bias[0] if bias else None,
        "global_seamless": bool((ask("glIsEnabled", "GL_TEXTURE_CUBE_MAP_SEAMLESS") or [0])[0]),
    }


def differences(recorded: dict[str, Any], ours: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Compare two read-backs: (where, recorded, ours) for what differs; what was not recorded is not compared."""
    for name, value in recorded.items():
        other = ours.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            for where, old, new in differences(value, other):
                yield f"{name}.{where}", old, new
        elif name in ours and _spelt(value) != _spelt(other):
            yield name, value, other


def _answers(ask: Asker, getter: str, name: object, fields: tuple[str, ...]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    forms: dict[str, dict[str, Any]] = {}
    for field in fields:
        values = {form: _plain(ask(f"{getter}{form}", name, _pname(field))) for form in FORMS}
        if field == "border_color":
            answers[field] = values
            continue
        if field != "swizzle":
            values = {form: parts[0] if parts else None for form, parts in values.items()}
        plain = values.pop("fv" if field in _FLOATS else "iv")
        answers[field] = plain if field in _FLOATS | _NUMBERS else _named(plain)
        forms[field] = values
    return answers | {"forms": forms}


def _pname(field: str) -> str:
    if field == "swizzle":
        return "GL_TEXTURE_SWIZZLE_RGBA"
    return f"GL_{field if field in _BARE else f'texture_{field}'}".upper()


def _named(value: Any) -> Any:
    if isinstance(value, list):
        return [_named(part) for part in value]
    return None if value is None else gl_name(value)


def _image(ask: Asker, target: str, level: int) -> dict[str, Any]:
    face = "GL_TEXTURE_CUBE_MAP_POSITIVE_X" if target == "GL_TEXTURE_CUBE_MAP" else target
    answers = {name: ask("glGetTexLevelParameteriv", face, level, f"GL_TEXTURE_{name.upper()}") for name in _LEVEL}
    return {name: None if not values else values[0] for name, values in answers.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _spelt(value: Any) -> Any:
    """Spell a value so that -0.0, NaN, names and 1 == 1.0 compare as they should."""
    if isinstance(value, list):
        return [_spelt(part) for part in value]
    if isinstance(value, str):
        return repr(float(value)) if value in {"nan", "inf", "-inf"} else repr(float(glenum(value)))
    return repr(float(value)) if isinstance(value, int | float) else repr(value)
