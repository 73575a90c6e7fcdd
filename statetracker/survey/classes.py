"""Devices that the rules cannot distinguish, so that one conversion serves them all.

See docs/portability.md.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.caps.devices import DeviceRow, corpus, device_facts
from statetracker.caps.facts import VulkanFacts
from statetracker.caps.fields import FIELDS
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.vulkan.device import Device, device_of, facts_of
from statetracker.vulkan.views import can_compare, can_filter, can_reduce

if TYPE_CHECKING:
    from statetracker.vulkan import View

_SCALARS: Final = tuple(name for name, default in FIELDS.items() if isinstance(default, bool | int | float | str))
_DEVICE: Final = tuple(name for name in vars(Device(VulkanFacts())) if name != "facts")
#: Members of the device -> where a `class_key` has them: at its beginning.
DEVICE_PART: Final = {name: n for n, name in enumerate(_DEVICE)}


class DeviceClass(NamedTuple):
    """Rows of the corpus of which rules read the same for one view.

    Attributes:
        screen: Of the first of them.
        rows: Devices of the corpus, at least 1.
    """

    screen: Screen
    rows: tuple[DeviceRow, ...]


def samples(screen: Screen, view: View) -> bool:
    """Return whether a device can sample a view's format at all."""
    facts = facts_of(screen)
    name = vulkan_format(view.format, facts)
    return name is not None and (facts.formats is None or facts.samples(name))


def class_key(screen: Screen, view: View) -> tuple[object, ...]:
    """Return what rules read of a device for a view: equal answers give a state the same create info."""
    facts, device = facts_of(screen), device_of(screen)
    members = (*(getattr(device, name) for name in _DEVICE), *(getattr(screen, name) for name in _SCALARS))
    answers = (asked(facts, view.format) for asked in (can_filter, can_compare, can_reduce))
    return (*members, view, vulkan_format(view.format, facts), *answers, samples(screen, view))


@cache
def _screens() -> tuple[DeviceClass, ...]:
    """Return a screen for each capability vector, and for each with Turnip's name, which has a rule of its own."""
    rows: dict[tuple[int, bool], list[DeviceRow]] = {}
    for row in corpus():
        rows.setdefault((row.vector, row.name.startswith("Turnip")), []).append(row)
    return tuple(DeviceClass(Screen.from_vulkan(device_facts(same[0])), tuple(same)) for same in rows.values())


@cache
def device_classes(view: View) -> tuple[DeviceClass, ...]:
    """Sort all rows of the corpus into classes for a view; the class with most reports first; done once a view."""
    screens: dict[tuple[object, ...], Screen] = {}
    rows: dict[tuple[object, ...], list[DeviceRow]] = {}
    for screen, same in _screens():
        key = class_key(screen, view)
        screens.setdefault(key, screen)
        rows.setdefault(key, []).extend(same)
    classes = [DeviceClass(screens[key], tuple(same)) for key, same in rows.items()]
    return tuple(sorted(classes, key=lambda one: -reports_of(one.rows)))


def reports_of(rows: tuple[DeviceRow, ...]) -> int:
    """Return how many public reports rows stand for."""
    return sum(row.reports for row in rows)


def any_screen() -> Screen:
    """Return a screen of the corpus, for what is the same on all of them: the view of a texture."""
    return _screens()[0].screen
