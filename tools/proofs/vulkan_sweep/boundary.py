"""One state of the boundary set on all devices: converted, checked, and what is left of it counted by kind.

Devices that a state cannot distinguish share its conversion; the rules of valid usage are checked on each.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.frontend.vulkan_view import vulkan_view, vulkan_violations
from statetracker.gl import Target
from statetracker.survey.classes import class_key
from tools.proofs.vulkan_sweep.figures import ALL, PART
from tools.proofs.vulkan_sweep.forms import FORMS
from tools.proofs.vulkan_sweep.left import left_of, refused
from tools.proofs.vulkan_sweep.states import BOUNDARY, GlState, boundary_state
from tools.proofs.vulkan_sweep.sweep import Counts, newest_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo

__all__ = ["boundaries", "boundary", "part", "screen_of"]


class _Made(NamedTuple):
    info: SamplerCreateInfo
    left: Mapping[str, frozenset[str]]


@cache
def screen_of(row: DeviceRow) -> st.Screen:
    """The screen of a row of the corpus."""
    return st.Screen.from_vulkan(device_facts(row))


def boundary(number: int, rows: Sequence[DeviceRow], *, every: int = 1, dialect: str = "native") -> Counts:
    """Convert state ``number`` on devices; ``every``: on that part of the vectors that begins with the number.

    What is left is counted under ``native`` alone.
    """
    counts, made = Counts(), dict[object, _Made]()
    state = boundary_state(number)
    sampler, texture, seamless, glsl130 = state
    words = f"{sampler!r} {texture!r} seamless={seamless} glsl130={glsl130}"
    for row in rows:
        if (number - row.vector) % every:
            continue
        screen = screen_of(row)
        view = vulkan_view(texture, screen, glsl130)
        key = class_key(screen, view)
        if key not in made:
            made[key] = _made(state, screen, dialect)
        info, left = made[key]
        where = f"on vector {row.vector}, {row}\n  {words}"
        counts.take("boundary", info, vulkan_violations(info, view, screen), where)
        if dialect == "native":
            _count(counts, row, left, f"{texture.internal_format}, {Target(texture.target).name}")
        for loss in refused(left):
            counts.texts.setdefault(loss, f"{loss}\n  {where}")
    return counts


def boundaries(numbers: Iterable[int], rows: Sequence[DeviceRow], *, every: int, dialect: str) -> Counts:
    """Convert several states; see `boundary`."""
    total = Counts()
    for number in numbers:
        total.add(boundary(number, rows, every=every, dialect=dialect))
    return total


def _made(state: GlState, screen: st.Screen, dialect: str) -> _Made:
    sampler, texture, seamless, glsl130 = state
    result = st.convert(sampler, texture, screen, seamless=seamless, glsl130=glsl130, vulkan_dialect=dialect)
    made = _Made(result.vulkan, left_of(state, screen, result) if dialect == "native" else {})
    screen.derived.clear()  # plans for this texture: of no use to the next one, and much of 754 screens
    return made


def _count(counts: Counts, row: DeviceRow, left: Mapping[str, frozenset[str]], texture: str) -> None:
    """Count what one state leaves; without forms it is the sampler's, whatever the form."""
    for loss, forms in {ALL: frozenset[str](), **left}.items():
        counts.left[loss, row.vector] += 1
        counts.plain[loss, row.vector] += not forms or "plain" in forms
        if loss not in counts.examples:
            form = next((name for name in FORMS if name in forms), "any form")
            counts.examples[loss] = "" if loss == ALL else f"{form}, {texture}, {row.name}"


def part() -> Counts:
    """The part of the boundary set that the tests do, on part of the devices."""
    vectors, every = PART
    total = Counts()
    for number in range(BOUNDARY):
        total.add(boundary(number, newest_rows()[::vectors], every=every))
    return total
