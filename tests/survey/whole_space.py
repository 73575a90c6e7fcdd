"""The whole discrete space on classes of devices, and the shares of outcomes, kept in space_shares.csv for the docs.

Devices are in one class where rules read the same of them for this space, whose states ask for no LOD bias and no
anisotropy, and for one custom colour: a limit counts no further than that.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.frontend.vulkan_view import vulkan_violations
from statetracker.gl import Sampler
from statetracker.gl.enums import CompareFunc, MagFilter, MinFilter, ReductionMode, Wrap
from statetracker.survey.comparison import TEXTURES, columns, sampler_at, texture_facts, texture_view
from statetracker.survey.outcomes import KINDS, DeviceClass, class_key, device_classes, outcome
from statetracker.survey.report import Share
from statetracker.vulkan import create_info, facts_of
from statetracker.vulkan.conversion import record_of
from tests.vulkan.devices import screen_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo, View

__all__ = [
    "KEPT", "Judged", "Row", "faults_of_pair", "folded", "judged", "kept", "shares", "space_classes", "state",
]  # fmt: skip

KEPT: Final = Path(__file__).with_name("space_shares.csv")
#: What the states ask of a limit.
_ASKED: Final = {"maxSamplerLodBias": 0, "maxSamplerAnisotropy": 1, "maxCustomBorderColorSamplers": 1}


class Judged(NamedTuple):
    """One class of devices: kind of outcome -> states, and what is wrong."""

    kinds: Counter[str]
    wrong: list[str]


class Row(NamedTuple):
    """What becomes of the states of one texture.

    Attributes:
        kind: Of outcome.
        states: Pairs of a state and a capability vector that have it.
        share_vectors: Of all such pairs.
        share_reports: ... where a vector counts by its public reports.
    """

    texture: str
    kind: str
    states: int
    share_vectors: float
    share_reports: float


def folded(sampler: Sampler) -> Sampler:
    """The state of the space that stands for another: of its column."""
    wraps = tuple(
        sorted({Wrap(getattr(sampler, axis)) for axis in ("wrap_s", "wrap_t", "wrap_r")}, key=list(Wrap).index)
    )
    compare = CompareFunc.LEQUAL if sampler.compare_mode else None
    rest = MinFilter(sampler.min_filter), MagFilter(sampler.mag_filter), compare, sampler.cube_map_seamless
    return sampler_at((wraps, *rest, ReductionMode(sampler.reduction_mode)))


def state(number: int) -> Sampler:
    """State ``number`` of the space, from 0 to `SPACE`."""
    axes = (Wrap, Wrap, Wrap, MinFilter, MagFilter, (None, *CompareFunc), (False, True), ReductionMode)
    values = []
    for axis in map(list, axes):
        number, n = divmod(number, len(axis))
        values.append(axis[n])
    s, t, r, *rest = values
    return sampler_at(((s, t, r), *rest))


@cache
def space_classes(name: str) -> tuple[DeviceClass, ...]:
    """Classes of devices for a texture of the space."""
    view = texture_view(name)
    alike: dict[tuple[object, ...], list[DeviceClass]] = {}
    for one in device_classes(view):
        facts = facts_of(one.screen)
        limits = {limit: min(value, _ASKED.get(limit, value)) for limit, value in facts.limits.items()}
        alike.setdefault(class_key(st.Screen.from_vulkan(facts._replace(limits=limits)), view), []).append(one)
    return tuple(DeviceClass(same[0].screen, sum((one.rows for one in same), ())) for same in alike.values())


def _faults(info: SamplerCreateInfo, view: View, screen: st.Screen) -> list[str]:
    """What is wrong with an info: rules of valid usage that it breaks; or it is another one when made of itself."""
    problems = [one.rule for one in vulkan_violations(info, view, screen)]
    problems += [f"unsupported: {one.name}" for one in info.unsupported if one.name != "format"]
    again = create_info(record_of(info), screen, view=view._replace(cube=None))
    return problems if again == info and not again.unsupported else [*problems, "not the same, made of itself"]


def judged(name: str, number: int, every: int = 1) -> Judged:
    """Convert the columns of a texture for class ``number`` of `space_classes`; ``every``: only each so many-th."""
    view, facts, screen = texture_view(name), texture_facts(name), space_classes(name)[number].screen
    kinds, wrong, seen = Counter[str](), list[str](), set[object]()
    for sampler, states in columns(name)[number % every :: every]:
        result = st.convert(sampler, facts, screen)
        kinds[outcome(result, screen).kind] += states
        info = result.vulkan
        key = (info.key, info.depth_border_sampler and info.depth_border_sampler.key)
        if key not in seen:
            seen.add(key)
            wrong += [f"{fault}: {name}, {sampler!r}, {screen.name}" for fault in _faults(info, view, screen)]
    return Judged(kinds, wrong)


def faults_of_pair(name: str, row: DeviceRow, number: int) -> list[str]:
    """Convert state ``number`` itself on a row itself: what is wrong, or differs from the column and class for it.

    It is converted again on another screen of the same facts, and explained; the same must come out.
    """
    view, facts, sampler, screen = texture_view(name), texture_facts(name), state(number), screen_of(row)
    result = st.convert(sampler, facts, screen)
    again = st.convert(Sampler.of_content(sampler.content()), facts, st.Screen.from_vulkan(facts_of(screen)))
    problems = _faults(result.vulkan, view, screen)
    if not (again.vulkan == result.vulkan == again.explain_vulkan().info and again.lowering == result.lowering):
        problems.append("not the same, made twice")
    stands = _class_by_row(name)[row].screen
    became = [outcome(result, screen), outcome(st.convert(folded(sampler), facts, stands), stands)]
    alike = [
        (one.kind, [work for work, _ in one.work], one.sizes, [lost.name for lost in one.unsupported]) for one in became
    ]
    return problems if alike[0] == alike[1] else [*problems, f"not as its column: {became}"]


@cache
def _class_by_row(name: str) -> dict[DeviceRow, DeviceClass]:
    return {row: one for one in space_classes(name) for row in one.rows}


def shares(done: Mapping[tuple[str, int], Judged]) -> list[Row]:
    """The shares of each texture, by kind; ``done``: texture and number of a class -> what was judged."""
    counted = []
    for name in TEXTURES:
        states, weighed = Counter[str](), Counter[str]()
        for number, devices in enumerate(space_classes(name)):
            share = Share.of(devices.rows)
            for kind, count in done[name, number].kinds.items():
                states[kind] += count * share.vectors
                weighed[kind] += count * share.reports
        whole = states.total(), weighed.total()
        for kind in KINDS:
            parts = round(states[kind] / whole[0], 6), round(weighed[kind] / whole[1], 6)
            counted.append(Row(name, kind, states[kind], *parts))
    return counted


def kept() -> list[Row]:
    """The shares of the last whole run."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [Row(name, kind, int(states), float(one), float(two)) for name, kind, states, one, two in rows]
