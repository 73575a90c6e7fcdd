"""One class of devices, all columns of a texture: what becomes of the states, and whether every info is as it must be.

Devices are in one class where rules read the same of them for this space, whose states ask for no LOD bias and no
anisotropy, and for one custom colour: a limit counts no further than that.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.caps.devices import corpus
from statetracker.frontend.vulkan_view import vulkan_violations
from statetracker.gl import Sampler
from statetracker.survey.classes import DeviceClass, class_key, device_classes
from statetracker.survey.outcomes import outcome
from statetracker.survey.space import SPACE, TEXTURES, columns, folded, state, texture_facts, texture_view
from statetracker.vulkan import create_info, facts_of
from statetracker.vulkan.conversion import record_of
from tools.proofs.vulkan_sweep.boundary import screen_of

if TYPE_CHECKING:
    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo, View

__all__ = ["Judged", "judged", "part_id", "sample", "space_classes"]

#: What the states ask of a limit.
_ASKED: Final = {"maxSamplerLodBias": 0, "maxSamplerAnisotropy": 1, "maxCustomBorderColorSamplers": 1}


class Judged(NamedTuple):
    """The counts of one class of devices.

    kinds        kind of outcome -> states
    unsupported  name of what is unsupported -> states
    work         member of the lowering -> states
    wrong        what is wrong with an info, and where -> states: a rule broken, not the same again
    """

    kinds: Counter[str]
    unsupported: Counter[str]
    work: Counter[str]
    wrong: Counter[str]


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


def part_id(name: str, number: int) -> str:
    """What class ``number`` of `space_classes` is called among the parts of a run."""
    return f"{name}, class {number}"


def faults(info: SamplerCreateInfo, view: View, screen: st.Screen) -> list[str]:
    """What is wrong with an info: rules of valid usage that it breaks; or it is another one when made of itself."""
    problems = [one.rule for one in vulkan_violations(info, view, screen)]
    again = create_info(record_of(info), screen, view=view._replace(cube=None))
    return problems if again == info and not again.unsupported else [*problems, "not the same, made of itself"]


def judged(name: str, number: int, every: int = 1) -> Judged:
    """Convert the columns of a texture for class ``number`` of `space_classes`; ``every``: only each so many-th."""
    view, facts, screen = texture_view(name), texture_facts(name), space_classes(name)[number].screen
    counts = Judged(Counter(), Counter(), Counter(), Counter())
    seen: dict[object, list[str]] = {}
    for sampler, states in columns(name)[number % every :: every]:
        result = st.convert(sampler, facts, screen)
        became, info = outcome(result, screen), result.vulkan
        counts.kinds[became.kind] += states
        for one in became.unsupported:
            counts.unsupported[one.name] += states
        for work, _ in became.work:
            counts.work[work] += states
        key = (info.key, info.depth_border_sampler and info.depth_border_sampler.key)
        if key not in seen:
            seen[key] = faults(info, view, screen)
        for fault in seen[key]:
            counts.wrong[f"{fault}: {name}, {sampler!r}, {screen.name}"] += states
    return counts


def sample(seed: int, count: int) -> list[str]:
    """Check pairs of a random state itself and a row of the corpus itself; give what is wrong."""
    rng = Random(seed)  # noqa: S311 (the same in every run)
    problems = []
    for _ in range(count):
        row = rng.choice(corpus())
        problems += _checked(rng.choice(list(TEXTURES)), row, screen_of(row), rng)
    return problems


def _checked(name: str, row: DeviceRow, screen: st.Screen, rng: Random) -> list[str]:
    """Convert a random state on a row: what differs from its column and class, or is wrong.

    It is converted again on another screen of the same facts, and explained; the same must come out.
    """
    view, facts = texture_view(name), texture_facts(name)
    sampler = state(rng.randrange(SPACE))
    result = st.convert(sampler, facts, screen)
    other = st.Screen.from_vulkan(facts_of(screen))
    again = st.convert(Sampler.of_content(sampler.content()), facts, other)
    problems = faults(result.vulkan, view, screen)
    if not (again.vulkan == result.vulkan == again.explain_vulkan().info and again.lowering == result.lowering):
        problems.append("not the same, made twice")
    became, stands = outcome(result, screen), outcome(_standing(name, row, sampler), _class_of(name, row).screen)
    alike = [
        (one.kind, [name for name, _ in one.work], one.sizes, [u.name for u in one.unsupported])
        for one in (became, stands)
    ]
    if alike[0] != alike[1]:
        problems.append(f"not as its column: {became}, {stands}")
    return [f"{fault}: {name}, {sampler!r}, {row}" for fault in problems]


def _standing(name: str, row: DeviceRow, sampler: Sampler) -> st.Result:
    return st.convert(folded(sampler), texture_facts(name), _class_of(name, row).screen)


def _class_of(name: str, row: DeviceRow) -> DeviceClass:
    return _classes_by_row(name)[row]


@cache
def _classes_by_row(name: str) -> dict[DeviceRow, DeviceClass]:
    return {row: one for one in space_classes(name) for row in one.rows}
