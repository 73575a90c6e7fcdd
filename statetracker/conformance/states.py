"""`State`: one sampler, the texture it samples and its unit, for conversions under test; as JSON, and as GL calls."""

from __future__ import annotations

from math import isfinite
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from statetracker.errors import ArgumentError
from statetracker.gl import Sampler, Texture
from statetracker.gl import enums as e
from statetracker.gl.names import gl_name
from statetracker.gl.sampler import DEFAULTS, FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: What a unit can say, as arguments of `statetracker.convert` -> default.
UNIT_OPTIONS: Final[Mapping[str, object]] = {"unit_lod_bias": 0.0, "seamless": False, "glsl130": True}

_TARGET: Final = "GL_TEXTURE_2D"
_FORMAT: Final = "RGBA8"
#: Fields of `Sampler` whose GL parameter has another name.
_PARAMETERS: Final = {
    "max_anisotropy": "GL_TEXTURE_MAX_ANISOTROPY",
    "srgb_decode": "GL_TEXTURE_SRGB_DECODE_EXT",
    "reduction_mode": "GL_TEXTURE_REDUCTION_MODE_ARB",
}


class State(NamedTuple):
    """What a conversion is given.

    sampler   the sampler object
    texture   the texture it samples
    unit      ``unit_lod_bias``, ``seamless``, ``glsl130``; those that are left out are at their defaults
    """

    sampler: Sampler
    texture: Texture
    unit: Mapping[str, Any]

    @classmethod
    def of(cls, description: Mapping[str, Any]) -> Self:
        """Read what `description` gives; raises `ArgumentError`."""
        unknown = [name for name in description if name not in {"sampler", "texture", "unit"}]
        if unknown:
            raise ArgumentError("state", unknown[0], accepted="sampler, texture, unit")
        unit = {"unit_lod_bias" if name == "lod_bias" else name: v for name, v in description.get("unit", {}).items()}
        if any(name not in UNIT_OPTIONS for name in unit):
            raise ArgumentError("unit", unit, accepted="lod_bias, seamless, glsl130")
        texture = {"internal_format": _FORMAT} | description.get("texture", {})
        try:
            return cls(Sampler(**description.get("sampler", {})), Texture(**texture), unit)
        except TypeError as error:
            raise ArgumentError("texture", texture, accepted="arguments of Texture", hint=f"({error})") from None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as a program under test gets it: GL's numbers, the border colour as four words."""
        sampler = {name: _plain(value) for name, value in self.sampler.state().items()}
        facts = self.texture.facts()
        texture = {
            "target": facts.target,
            "internal_format": f"GL_{facts.internal_format}",
            "base_format": f"GL_{facts.base_format}",
            "is_integer": facts.is_integer,
            "stencil_sampling": facts.stencil_sampling,
            "depth_mode": facts.depth_mode,
            "swizzle": list(facts.swizzle),
        }
        return {"sampler": sampler, "texture": texture, "unit": {**UNIT_OPTIONS, **self.unit}}

    def description(self) -> dict[str, Any]:
        """Only what is not GL's default, as ``statetracker convert`` reads it."""
        sampler = {
            name: _spelled(name, value)
            for name, value in self.sampler.state().items()
            if repr(_plain(value)) != repr(_plain(DEFAULTS[name]))  # -0.0 is not the default
        }
        if isinstance(sampler.get("border_color"), tuple):
            sampler["border_color_i"] = sampler.pop("border_color")
        unit = {
            name.removeprefix("unit_"): value
            for name, value in self.unit.items()
            if repr(value) != repr(UNIT_OPTIONS[name])
        }
        parts = {"sampler": sampler, "texture": self._texture(), "unit": unit}
        return {name: part for name, part in parts.items() if part}

    def calls(self) -> list[str]:
        """The GL calls that matter: storage other than 2D RGBA8, parameters that are not GL's defaults."""
        parts = {name: part.items() for name, part in self.description().items()}
        sampler = (_sampler_call(*field) for field in parts.get("sampler", ()))
        return [*self._texture_calls(), *sampler, *(_unit_call(*field) for field in parts.get("unit", ()))]

    def _texture(self) -> dict[str, Any]:
        texture, base = self.texture, self.texture.base_image()
        target = gl_name(texture.target, e.Target)
        said: dict[str, Any] = {} if target == _TARGET else {"target": target}
        if base is not None and base.format.name != _FORMAT:
            said["internal_format"] = base.format.name
        if texture.stencil_sampling:
            said["stencil_mode"] = "GL_STENCIL_INDEX"
        return said

    def _texture_calls(self) -> Iterator[str]:
        said = self._texture()
        target = said.get("target", _TARGET)
        if "target" in said or "internal_format" in said:
            dimensions = "3" if "3D" in target or "_ARRAY" in target.removeprefix("GL_TEXTURE_1D") else "2"
            dimensions = "1" if target == "GL_TEXTURE_1D" else dimensions
            yield f"glTexImage{dimensions}D({target}, 0, GL_{said.get('internal_format', _FORMAT)}, ...)"
        if "stencil_mode" in said:
            yield f"glTexParameteri({target}, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX)"


def _plain(value: Any) -> Any:
    """A value of a sampler as JSON has it."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if isinstance(value, bool | float) else int(value)


def _spelled(name: str, value: Any) -> Any:
    """A value of a sampler as people write it: names, and a border of floats (a list) or of integers (a tuple)."""
    if name == "border_color":
        numbers = unpack("<4f", pack("<4I", *value))
        usual = all(number == 0.0 or 1e-30 < abs(number) < 1e30 for number in numbers)
        return list(numbers) if usual else unpack("<4i", pack("<4I", *value))
    return gl_name(value, FAMILIES[name]) if name in FAMILIES else _plain(value)


def _sampler_call(name: str, value: Any) -> str:
    form = "f" if isinstance(value, float | str) and name not in FAMILIES else "i"
    if name.startswith("border_color"):
        name, form = "border_color", "fv" if name == "border_color" else "Iiv"
    parameter = _PARAMETERS.get(name, f"GL_TEXTURE_{name.upper()}")
    shown = f"{{{', '.join(map(repr, value))}}}" if isinstance(value, list | tuple) else value
    return f"glSamplerParameter{form}(sampler, {parameter}, {int(shown) if isinstance(shown, bool) else shown})"


def _unit_call(name: str, value: Any) -> str:
    if name == "lod_bias":
        return f"glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, {value!r})"
    return "glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS)" if name == "seamless" else "glUseProgram(a program of GLSL 1.20)"
