"""`State`: one sampler, the texture it samples and its unit, for conversions under test; as JSON, and as GL calls.

States are drawn from a `random.Random` alone, so state n of a seed is always the same;
`statetracker.conformance.strategies` feeds the same functions from hypothesis. Values stand with GL's default first,
and simpler ones before others: what differs is shrunk towards them.
"""

from __future__ import annotations

from functools import cache
from math import isfinite
from random import Random
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from statetracker.conformance.generate import allocatable
from statetracker.conformance.shrink import groups, simplest
from statetracker.conformance.weights import BIASES, BORDERS, LODS
from statetracker.errors import ArgumentError
from statetracker.gl import Sampler, Texture
from statetracker.gl import enums as e
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import PARAMETERS, availability_of
from statetracker.gl.sampler import DEFAULTS, FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from statetracker.gl import Limits

#: What a unit can say, as arguments of `statetracker.convert` -> default.
UNIT_OPTIONS: Final[Mapping[str, object]] = {"unit_lod_bias": 0.0, "seamless": False, "glsl130": True}

_TARGET: Final = "GL_TEXTURE_2D"
_FORMAT: Final = "RGBA8"
#: Field of `Sampler` -> its GL parameter.
_PARAMETERS: Final = {row.field: row.name for row in PARAMETERS.values() if row.on_sampler}

#: Target -> how many numbers its size has.
_SIZES: Final = {
    "2d": 2, "1d": 1, "3d": 3, "rectangle": 2, "cube-map": 2, "1d-array": 2, "2d-array": 3, "cube-map-array": 3
}  # fmt: skip
_NAMES: Final = {
    name: tuple(gl_name(value, family) for value in sorted(family, key=DEFAULTS[name].__ne__))
    for name, family in FAMILIES.items()
}
_FLOATS: Final = {"min_lod": (-1000.0, *LODS), "max_lod": (1000.0, *LODS), "lod_bias": BIASES}
_ANISOTROPIES: Final = (1.0, 1.5, 2.0, 3.0, 8.0, 16.0)


class State(NamedTuple):
    """The input of a conversion.

    Attributes:
        sampler: The sampler object.
        texture: The texture it samples.
        unit: ``unit_lod_bias``, ``seamless``, ``glsl130``; those that are left out are at their defaults.
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
            name: _readable(name, value)
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
        """Return the GL calls that matter: storage other than 2D RGBA8, parameters that are not GL's defaults."""
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
    """Return a value of a sampler as JSON has it."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if isinstance(value, bool | float) else int(value)


def _readable(name: str, value: Any) -> Any:
    """Return a sampler's value as people write it: names, a border of floats (a list) or of integers (a tuple)."""
    if name == "border_color":
        numbers = unpack("<4f", pack("<4I", *value))
        usual = all(number == 0.0 or 1e-30 < abs(number) < 1e30 for number in numbers)
        return list(numbers) if usual else unpack("<4i", pack("<4I", *value))
    return gl_name(value, FAMILIES[name]) if name in FAMILIES else _plain(value)


def _sampler_call(name: str, value: Any) -> str:
    form = "f" if isinstance(value, float | str) and name not in FAMILIES else "i"
    if name.startswith("border_color"):
        name, form = "border_color", "fv" if name == "border_color" else "Iiv"
    shown = f"{{{', '.join(map(repr, value))}}}" if isinstance(value, list | tuple) else value
    return f"glSamplerParameter{form}(sampler, {_PARAMETERS[name]}, {int(shown) if isinstance(shown, bool) else shown})"


def _unit_call(name: str, value: Any) -> str:
    if name == "lod_bias":
        return f"glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, {value!r})"
    return "glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS)" if name == "seamless" else "glUseProgram(a program of GLSL 1.20)"


def states(seed: int, count: int, options: Iterable[str] = UNIT_OPTIONS) -> Iterator[State]:
    """Yield the first states of a seed, each by its number; ``options`` as in `state`."""
    for number in range(count):
        yield state(Random(f"{seed}/{number}"), options)  # noqa: S311 (no secret)


def state(random: Random, options: Iterable[str] = UNIT_OPTIONS) -> State:
    """Draw what a conversion under test is given: finite numbers; of a unit only these options, others as they start.

    Half of the samplers that compare have a texture with depth: with others nothing is compared.
    """
    one = sampler(random, finite=True)
    comparing = one.compare_mode != e.CompareMode.NONE
    image = texture(random, depth=comparing and random.choice((False, True)))
    unit = {
        "unit_lod_bias": number(random, BIASES, finite=True),
        "seamless": random.choice((False, True)),
        "glsl130": random.choice((True, False)),
    }
    wanted = set(options)
    return State(one, image, {name: value for name, value in unit.items() if name in wanted})


def as_accepted(state: State, limits: Limits) -> State:
    """Return a state as a GL context of these limits has it: what it refuses to set stays at GL's default.

    The same state where it refuses nothing.
    """
    there = availability_of(limits)
    left: dict[str, Any] = {
        row.field: DEFAULTS[row.field]
        for row in PARAMETERS.values()
        if row.on_sampler
        and (value := getattr(state.sampler, row.field)) != DEFAULTS[row.field]
        and (row.pname not in there.sampler or (row.family is e.Wrap and value not in there.sampler_wraps))
    }
    return state._replace(sampler=state.sampler.copy(**left)) if left else state


def sampler(random: Random, *, finite: bool = False) -> Sampler:
    """Draw a sampler, as `strategies.samplers` has them."""
    fields: dict[str, Any] = {name: random.choice(names) for name, names in _NAMES.items()}
    fields |= {name: number(random, usual, finite=finite) for name, usual in _FLOATS.items()}
    fields["cube_map_seamless"] = random.choice((False, True))
    fields["max_anisotropy"] = random.choice(_ANISOTROPIES)
    kind = random.choice(("none", "floats", "words"))
    if kind == "floats":
        fields["border_color"] = tuple(number(random, BORDERS, finite=finite) for _ in range(4))
    elif kind == "words":
        fields["border_color_bits"] = tuple(random.getrandbits(32) for _ in range(4))
    return Sampler(**fields)


def texture(random: Random, *, target: str | None = None, depth: bool = False) -> Texture:
    """Draw a texture, as `strategies.textures` has them."""
    chosen = random.choice(tuple(_SIZES)) if target is None else target
    width = random.choice((1, 2, 4, 8, 5))
    others = [random.choice((1, 2, 3, 8)) for _ in range(2)]  # as many for all: hypothesis likes what is short
    size = (width, *others[: _SIZES[chosen] - 1])
    if chosen.startswith("cube"):
        size = (width, width, *((6,) if chosen.endswith("array") else ()))
    name = random.choice(depth_formats() if depth else formats())
    if chosen == "3d" and name.startswith(("DEPTH", "STENCIL")):
        name = "RGBA8"
    spatial = size[:-1] if chosen.endswith("array") else size
    levels = random.choice((1, 1 if chosen == "rectangle" else max(spatial).bit_length()))
    stencil = random.choice((False, True)) and name.startswith("DEPTH") and "STENCIL" in name
    mode = "stencil-index" if stencil else "depth-component"
    return Texture(chosen, name, size=size, levels=levels, stencil_mode=mode)


def number(random: Random, usual: Sequence[float | str], *, finite: bool = False) -> float:
    """Draw the first of some usual values, any of them, or any float32; NaN and infinities unless all are finite."""
    kind = random.choice(("first", "usual", "any"))
    if kind == "any":
        word = random.getrandbits(32)
        infinite = finite and word >> 23 & 255 == 255
        return float(unpack("<f", (word ^ infinite << 30).to_bytes(4, "little"))[0])
    values = [value for value in map(float, usual) if not finite or abs(value) < float("inf")]
    return values[0] if kind == "first" else random.choice(values)


@cache
def formats() -> tuple[str, ...]:
    """Names of internal formats that are neither compressed nor YCbCr; each kind as often as any other."""
    kinds: dict[str, list[str]] = {}
    for row in allocatable():
        kinds.setdefault(row.kind, []).append(row.name)
    most = max(map(len, kinds.values()))
    return ("RGBA8", *(name for names in kinds.values() for name in (names * most)[:most]))


@cache
def depth_formats() -> tuple[str, ...]:
    """Names of internal formats with depth."""
    return tuple(row.name for row in allocatable() if row.kind in {"depth", "ds"})


def shrunk(state: State, shows: Callable[[State], bool]) -> State:
    """Reduce a state to what still shows something: first GL's defaults, then simpler values."""
    described = state.description()
    if not shows(State.of(described)):
        return state
    return State.of(simplest(described, lambda smaller: shows(State.of(smaller)), _simpler))


def _simpler(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for gone in groups([(part, name) for part, fields in described.items() for name in fields]):
        yield {part: {n: v for n, v in fields.items() if (part, n) not in gone} for part, fields in described.items()}
    for part, fields in described.items():
        for name, value in fields.items():
            for plain in _plainer(name, value):
                yield described | {part: fields | {name: plain}}


def _plainer(name: str, value: Any) -> Iterator[Any]:
    if name.startswith("border_color"):
        usual = [float(one) for one in BORDERS] if name == "border_color" else (0, 1)
        for place, channel in enumerate(value):
            yield from ([*value[:place], plain, *value[place + 1 :]] for plain in _before(channel, usual))
        return
    values: Mapping[str, Sequence[Any]] = {**_NAMES, **_FLOATS, "max_anisotropy": _ANISOTROPIES}
    yield from _before(value, formats() if name == "internal_format" else values.get(name, ()))


def _before(value: Any, values: Sequence[Any]) -> Sequence[Any]:
    """Return the values that stand before one; all of them, where it is none of them."""
    places = [repr(one) for one in values]
    return values[: places.index(repr(value))] if repr(value) in places else values
