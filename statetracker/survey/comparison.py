"""Device against device: where two conversions of a state part, by rule; of one state, or of the whole discrete space.

The space is the 331,776 states of one texture. What becomes of a state depends on which wraps there are, not on which
axis has which, and which function compares is passed on. So a column, a set of up to three wraps with the rest, stands
for all states that become alike. ``make space`` compares with random states, on devices themselves.

The rules of `statetracker.vulkan.rules` run over both drafts side by side; the rule after which a member is first not
the same is the one that its difference is put down to. See docs/portability.md.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from itertools import combinations, product
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import UnknownName
from statetracker.frontend import convert
from statetracker.frontend.vulkan_view import vulkan_view, whole_screen
from statetracker.gl import Sampler, Texture
from statetracker.gl.enums import CompareFunc, MagFilter, MinFilter, ReductionMode, Wrap
from statetracker.sampler import sampler_state
from statetracker.survey.outcomes import any_screen, class_key, outcome
from statetracker.vulkan.conversion import finished
from statetracker.vulkan.draft import TRACKED
from statetracker.vulkan.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from statetracker.caps import Screen
    from statetracker.frontend import Result
    from statetracker.gl import TextureFacts
    from statetracker.vulkan import SamplerCreateInfo, View

#: Wraps, min and mag filters, no comparison or one by a function, seams, reductions.
SPACE: Final = len(Wrap) ** 3 * len(MinFilter) * len(MagFilter) * (1 + len(CompareFunc)) * 2 * len(ReductionMode)

#: Textures on which the space is looked at: name -> target, internal format.
TEXTURES: Final = {
    "RGBA8, 2D": ("2d", "RGBA8"),
    "RGBA8, cube": ("cube_map", "RGBA8"),
    "RGBA32F, 2D": ("2d", "RGBA32F"),
    "DEPTH_COMPONENT24, 2D": ("2d", "DEPTH_COMPONENT24"),
}

#: No predefined one, and within what every format holds.
_COLOUR: Final = (0.25, 0.5, 0.75, 1.0)


class Column(NamedTuple):
    """States that become alike: ``sampler`` is one of them, ``states`` how many they are."""

    sampler: Sampler
    states: int


#: Wraps, filters, comparison or none, seams and reduction.
Point = tuple[tuple[Wrap, ...], MinFilter, MagFilter, CompareFunc | None, bool, ReductionMode]


def sampler_at(point: Point) -> Sampler:
    """Return the state at a point; the last of the wraps is that of the axes beyond them."""
    wraps, minify, magnify, compare, seamless, reduction = point
    s, t, r = (*wraps, wraps[-1], wraps[-1])[:3]
    return Sampler(
        wrap_s=s,
        wrap_t=t,
        wrap_r=r,
        min_filter=minify,
        mag_filter=magnify,
        compare_mode=compare is not None,
        compare_func=compare or CompareFunc.LEQUAL,
        cube_map_seamless=seamless,
        reduction_mode=reduction,
        border_color=_COLOUR,
    )


def _folded() -> Iterator[tuple[Point, int]]:
    """Yield a point for each column, and how many states it has."""
    sets = [(one, (0, 1, 6, 6)[count]) for count in (1, 2, 3) for one in combinations(Wrap, count)]
    compares = ((None, 1), (CompareFunc.LEQUAL, len(CompareFunc)))
    rest = product(MinFilter, MagFilter, compares, (False, True), ReductionMode)
    for (wraps, orders), (minify, magnify, (compare, functions), seamless, mode) in product(sets, list(rest)):
        yield (wraps, minify, magnify, compare, seamless, mode), orders * functions


@cache
def columns(name: str) -> tuple[Column, ...]:
    """Return the columns of a texture, by its name in `TEXTURES`; those of one record are one."""
    facts, screen = texture_facts(name), whole_screen(any_screen())
    samplers: dict[bytes, Sampler] = {}
    states: dict[bytes, int] = {}
    for point, count in _folded():
        sampler = sampler_at(point)
        record = bytes(sampler_state(sampler, facts, screen))
        samplers.setdefault(record, sampler)
        states[record] = states.get(record, 0) + count
    return tuple(Column(samplers[record], count) for record, count in states.items())


@cache
def texture_facts(name: str) -> TextureFacts:
    """Return the facts of a texture of `TEXTURES`."""
    if name not in TEXTURES:
        raise UnknownName("texture", name, accepted="; ".join(TEXTURES))
    target, internal_format = TEXTURES[name]
    return Texture(target, internal_format).facts()


def texture_view(name: str) -> View:
    """Its view, which is the same on every device of the corpus."""
    return vulkan_view(texture_facts(name), any_screen(), glsl130=True)


#: What a draft says of the shader's work -> the member of `Lowering` that it becomes.
_WORK: Final = {
    "half": "half_border",
    "border_bits": "border",
    **{name: name for name in ("clamp", "mirror", "fold", "reflect", "normalize", "cube_edges", "limit_lod", "route")},
    **{name: name for name in ("filter_texels", "fixed_depth", "swizzle")},
}
_WATCHED: Final = (*TRACKED, *_WORK, "lod_bias_rest", "unsupported")
_watched: Final = attrgetter(*_WATCHED)


class Difference(NamedTuple):
    """One member that two devices have otherwise.

    Attributes:
        rule: The rule at which it parts, of docs/vulkan_samplers.md; ``from-pipe``: before the first.
        member: Of the create info, or of the `Lowering`; ``unsupported``, ``lod_bias_rest``.
        one: Its value on the first device.
        because: What the rule says where it changed the member; empty where it did not.
        other: Its value on the second.
    """

    rule: str
    member: str
    one: object
    other: object
    because: str

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {**self._asdict(), "one": _plain(self.one), "other": _plain(self.other)}

    def __str__(self) -> str:
        """``mirror-edge: fold nothing | st; the device lacks ...``."""
        return f"{self.rule}: {self.member} {_word(self.one)} | {_word(self.other)}; {self.because}".removesuffix("; ")


class SpaceDifference(NamedTuple):
    """A rule's difference in the whole space.

    Attributes:
        rule: As in `Difference`.
        texture: Of `TEXTURES`.
        states: How many of its states have a member that parts there.
        kinds: Kind of outcome on the first device, and on the second -> states.
        sampler: One of the states.
        example: What differs there.
    """

    rule: str
    texture: str
    states: int
    kinds: dict[tuple[str, str], int]
    sampler: Sampler
    example: tuple[Difference, ...]

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        kinds = {" -> ".join(pair): count for pair, count in self.kinds.items()}
        example = [one.to_dict() for one in self.example]
        return {**self._asdict(), "kinds": kinds, "sampler": repr(self.sampler), "example": example}


def compare(
    sampler: Sampler | None,
    texture: Texture | TextureFacts,
    one: Screen,
    other: Screen,
    **options: Any,  # noqa: ANN401 (as convert has them)
) -> list[Difference]:
    """Return what two devices, by their screens, do otherwise with a state, in the order of the rules.

    The state and the options are what `statetracker.convert` takes.
    """
    return _parted(convert(sampler, texture, one, **options), convert(sampler, texture, other, **options))


def compare_space(
    one: Screen, other: Screen, *, textures: Iterable[str] = tuple(TEXTURES)
) -> Iterator[SpaceDifference]:
    """Yield what two devices, by their screens, do otherwise in the whole discrete space, most states first.

    It is sorted by texture, of which there are those of `TEXTURES`, and rule.
    """
    for name in textures:
        parts: dict[str, SpaceDifference] = {}
        view, facts = texture_view(name), texture_facts(name)
        for sampler, states in columns(name) if class_key(one, view) != class_key(other, view) else ():
            both = convert(sampler, facts, one), convert(sampler, facts, other)
            if _key(both[0]) == _key(both[1]):
                continue
            parted = _parted(*both)
            kinds = outcome(both[0], one).kind, outcome(both[1], other).kind
            for rule in dict.fromkeys(difference.rule for difference in parted):
                here = tuple(difference for difference in parted if difference.rule == rule)
                row = parts.setdefault(rule, SpaceDifference(rule, name, 0, {}, sampler, here))
                row.kinds[kinds] = row.kinds.get(kinds, 0) + states
                parts[rule] = row._replace(states=row.states + states)
        yield from sorted(parts.values(), key=lambda row: -row.states)


def _key(result: Result) -> tuple[object, ...]:
    info = result.vulkan
    return info.key, info.lowering.work, info.lowering.route, info.lowering.reflect, info.unsupported


def _parted(one: Result, other: Result) -> list[Difference]:
    """Run the rules over both, and see where they part."""
    drafts = one.draft(), other.draft()
    before = [_watched(draft) for draft in drafts]
    parted = {
        name: ("from-pipe", "") for name, *values in zip(_WATCHED, *before, strict=True) if values[0] != values[1]
    }
    for rule in RULES:
        for draft in drafts:
            rule.apply(draft)
        now = [_watched(draft) for draft in drafts]
        pairs = zip(zip(*before, strict=True), zip(*now, strict=True), strict=True) if before != now else ()
        for name, (old, new) in zip(_WATCHED, pairs, strict=False):
            if old == new:
                continue
            if new[0] == new[1]:
                parted.pop(name, None)
            elif name not in parted:
                changed = (draft for n, draft in enumerate(drafts) if old[n] != new[n])
                parted[name] = rule.name, " | ".join(dict.fromkeys(map(rule.because, changed)))
        before = now
    infos = finished(drafts[0]), finished(drafts[1])
    order = ("from-pipe", *(rule.name for rule in RULES))
    differences = []
    for name, (rule_name, because) in sorted(parted.items(), key=lambda row: order.index(row[1][0])):
        one_has, other_has = (_value(info, name) for info in infos)
        differences.append(Difference(rule_name, _WORK.get(name, name), one_has, other_has, because))
    second = [info.lowering.second_sampler for info in infos]
    if second[0] != second[1]:
        because = "24-bit depth is kept in floats"
        differences.append(Difference("border", "second_sampler", second[0], second[1], because))
    return differences


def _value(info: SamplerCreateInfo, name: str) -> object:
    return getattr(info.lowering, _WORK[name]) if name in _WORK else getattr(info, name)


def _word(value: object) -> str:
    if isinstance(value, tuple) and not hasattr(value, "_asdict"):
        return "; ".join(map(str, value)) or "nothing"
    return "nothing" if value == "" else str(_plain(value))


def _plain(value: object) -> object:
    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, tuple) and not hasattr(value, "_asdict"):
        return [one.to_dict() if hasattr(one, "to_dict") else one for one in value]
    return value._asdict() if hasattr(value, "_asdict") else value
