"""Random samplers, textures and states for conversions under test, drawn from a `random.Random` alone, and shrunk.

State n of a seed is always the same. `statetracker.conformance.strategies` feeds the same functions from hypothesis.
Values stand with GL's default first, and simpler ones before others: what differs is shrunk towards them.
"""

from __future__ import annotations

from functools import cache
from random import Random
from struct import unpack
from typing import TYPE_CHECKING, Any, Final

from statetracker.conformance.generate import allocatable
from statetracker.conformance.shrink import groups, simplest
from statetracker.conformance.states import UNIT_OPTIONS, State
from statetracker.conformance.weights import BIASES, BORDERS, LODS
from statetracker.gl import Sampler, Texture
from statetracker.gl.enums import CompareMode
from statetracker.gl.names import gl_name
from statetracker.gl.sampler import DEFAULTS, FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

#: Target -> how many numbers its size has.
_TARGETS: Final = {
    "2d": 2, "1d": 1, "3d": 3, "rectangle": 2, "cube-map": 2, "1d-array": 2, "2d-array": 3, "cube-map-array": 3
}  # fmt: skip
_NAMES: Final = {
    name: tuple(gl_name(value, family) for value in sorted(family, key=DEFAULTS[name].__ne__))
    for name, family in FAMILIES.items()
}
_FLOATS: Final = {"min_lod": (-1000.0, *LODS), "max_lod": (1000.0, *LODS), "lod_bias": BIASES}
_ANISOTROPIES: Final = (1.0, 1.5, 2.0, 3.0, 8.0, 16.0)
_BORDERS: Final[Sequence[float | str]] = BORDERS


def states(seed: int, count: int, options: Iterable[str] = UNIT_OPTIONS) -> Iterator[State]:
    """Yield the first states of a seed, each by its number; ``options`` as in `state`."""
    for number in range(count):
        yield state(Random(f"{seed}/{number}"), options)  # noqa: S311 (no secret)


def state(random: Random, options: Iterable[str] = UNIT_OPTIONS) -> State:
    """Draw what a conversion under test is given: finite numbers; of a unit only these options, others as they start.

    Half of the samplers that compare have a texture with depth: with others nothing is compared.
    """
    one = sampler(random, finite=True)
    comparing = one.compare_mode != CompareMode.NONE
    image = texture(random, depth=comparing and random.choice((False, True)))
    unit = {
        "unit_lod_bias": number(random, BIASES, finite=True),
        "seamless": random.choice((False, True)),
        "glsl130": random.choice((True, False)),
    }
    wanted = set(options)
    return State(one, image, {name: value for name, value in unit.items() if name in wanted})


def sampler(random: Random, *, finite: bool = False) -> Sampler:
    """Draw a sampler: every wrap, filter, comparison and reduction, and borders of every kind.

    finite   no NaN and no infinity, whose results GL leaves open
    """
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
    """Draw a texture of one level or all levels, any format that its target can hold, depth sampled as stencil too.

    depth   only formats with depth, where the target has them
    """
    chosen = random.choice(tuple(_TARGETS)) if target is None else target
    width = random.choice((1, 2, 4, 8, 5))
    others = [random.choice((1, 2, 3, 8)) for _ in range(2)]  # as many for all: hypothesis likes what is short
    size = (width, *others[: _TARGETS[chosen] - 1])
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
        usual: Sequence[float] = [*map(float, _BORDERS)] if name == "border_color" else (0, 1)
        for place, channel in enumerate(value):
            yield from ([*value[:place], plain, *value[place + 1 :]] for plain in _before(channel, usual))
        return
    values: Sequence[Any] = _NAMES.get(name, ())
    values = values or {**_FLOATS, "max_anisotropy": _ANISOTROPIES}.get(name, ())
    yield from _before(value, formats() if name == "internal_format" else values)


def _before(value: Any, values: Sequence[Any]) -> Sequence[Any]:
    """The values that stand before one; all of them, where it is none of them."""
    places = [repr(one) for one in values]
    return values[: places.index(repr(value))] if repr(value) in places else values
