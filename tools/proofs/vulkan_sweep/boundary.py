"""One state of the boundary set on all devices: converted, checked, and what is left of it counted by kind.

Devices that a state cannot tell apart share its conversion; the rules of valid usage are checked on each.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.caps.fields import FIELDS
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.frontend.vulkan_view import vulkan_view, vulkan_violations
from statetracker.gl import Target
from statetracker.vulkan import facts_of
from statetracker.vulkan.device import Device, device_of
from statetracker.vulkan.views import can_compare, can_filter, can_reduce
from tools.proofs.vulkan_sweep.figures import ALL, PART
from tools.proofs.vulkan_sweep.forms import FORMS
from tools.proofs.vulkan_sweep.left import left_of, refused
from tools.proofs.vulkan_sweep.states import BOUNDARY, GlState, boundary_state
from tools.proofs.vulkan_sweep.sweep import Counts, newest_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo, View

__all__ = ["boundary", "part", "screen_of", "told_apart"]

_SCALARS: Final = tuple(name for name, default in FIELDS.items() if isinstance(default, bool | int | float | str))
_DEVICE: Final = tuple(name for name in Device.__slots__ if name != "facts")


class _Made(NamedTuple):
    info: SamplerCreateInfo
    left: Mapping[str, frozenset[str]]


@cache
def screen_of(row: DeviceRow) -> st.Screen:
    """The screen of a row of the corpus."""
    return st.Screen.from_vulkan(device_facts(row))


@cache
def _device(row: DeviceRow) -> tuple[object, ...]:
    """What rules read of a device, whatever the texture."""
    screen = screen_of(row)
    device = device_of(screen)
    return (*(getattr(screen, name) for name in _SCALARS), *(getattr(device, name) for name in _DEVICE))


def told_apart(row: DeviceRow, view: View) -> tuple[object, ...]:
    """What rules read of a device for a view: devices of which that is the same give a state the same conversion."""
    facts = facts_of(screen_of(row))
    answers = (asked(facts, view.format) for asked in (can_filter, can_compare, can_reduce))
    return (_device(row), view, vulkan_format(view.format, facts), *answers)


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
        key = told_apart(row, view)
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
