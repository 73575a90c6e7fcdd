"""Outcomes of a state on a device, in one word and in numbers: read off a `Result`, decided nowhere.

And the classes of devices that the rules cannot distinguish, so that one conversion serves them all. See
docs/portability.md.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.caps.devices import DeviceRow, corpus, device_facts
from statetracker.caps.facts import VulkanFacts
from statetracker.caps.fields import FIELDS
from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.frontend import convert
from statetracker.vulkan import Unsupported
from statetracker.vulkan.device import Device, device_of, facts_of
from statetracker.vulkan.views import can_compare, can_filter, can_reduce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.frontend import Result
    from statetracker.gl import Sampler
    from statetracker.gl.facts import TextureFacts
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


@lru_cache(256)  # 80 KiB each
def device_classes(view: View) -> tuple[DeviceClass, ...]:
    """Sort all rows of the corpus into classes for a view; the class with most reports first; kept for some views."""
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


#: The kinds of outcomes, best first -> what each means.
KINDS: Final = {
    "native": "the device's sampler does all of it",
    "shader": "sampler and shader together do all of it",
    "approximated": "something is off, by a number",
    "impossible": "something cannot be had at all",
}


class Outcome(NamedTuple):
    """The outcome of a state on a device.

    Attributes:
        kind: One of `KINDS`.
        work: What the shader does: members of `Lowering` that are set, with their values.
        unsupported: What neither does; a ``size`` of None makes it impossible.
    """

    kind: str
    work: tuple[tuple[str, str | bool], ...] = ()
    unsupported: tuple[Unsupported, ...] = ()

    @property
    def rank(self) -> int:
        """Place in `KINDS`: 0 is native."""
        return tuple(KINDS).index(self.kind)

    @property
    def samples(self) -> bool:
        """True where the device can sample the texture at all."""
        return all(one.name != "format" for one in self.unsupported)

    @property
    def sizes(self) -> dict[str, float]:
        """By how much it is off: name of what is -> samples, or the largest channel's error."""
        return {one.name: one.size for one in self.unsupported if one.size is not None}

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON, but for floats that are no numbers."""
        unsupported = [one.to_dict() for one in self.unsupported]
        return {"kind": self.kind, "shader": dict(self.work), "unsupported": unsupported}

    def __str__(self) -> str:
        """``shader: fold st``; ``approximated: anisotropy: 16 samples became 1; the device has none``."""
        words = [f"{name}{'' if value is True else f' {value}'}" for name, value in self.work]
        parts = [", ".join(words)] if words else []
        return ": ".join([self.kind, "; ".join([*parts, *map(str, self.unsupported)])]).removesuffix(": ")


def outcome(result: Result, screen: Screen) -> Outcome:
    """Sort the result of a native conversion for a Vulkan device, which ``screen`` is of.

    A format that the device cannot sample is impossible, whatever its sampler.
    """
    unsupported, work = result.vulkan.unsupported, tuple(result.lowering.work.items())
    if not samples(screen, result.view):
        name = result.view.format
        because = f"the device cannot sample {name}"
        unsupported = (*unsupported, Unsupported("format", "format", name, None, None, because))
    return sorted_outcome(work, unsupported)


def sorted_outcome(work: tuple[tuple[str, str | bool], ...], unsupported: tuple[Unsupported, ...]) -> Outcome:
    """Return the outcome of what the shader does and of what neither does; both are as in `Outcome`."""
    if unsupported:
        return Outcome("impossible" if None in [one.size for one in unsupported] else "approximated", work, unsupported)
    return Outcome("shader" if work else "native", work)


class _Watched(Device):
    """A device that has no member of its own, and keeps the names of those that are read."""

    def __init__(self, device: Device) -> None:
        self.device, self.names = device, set[str]()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (any member)
        self.names.add(name)
        return getattr(self.device, name)


class Outcomes:
    """Outcomes of samplers with one texture, converted once for all screens of which the conversion reads the same.

    It reads what the view and the GL side depend on, which `class_key` has, and some members of the device. All
    samplers have the sRGB decoding that the view was made for.
    """

    def __init__(self, screens: Sequence[Screen], view: View, facts: TextureFacts, options: dict[str, Any]) -> None:
        self._facts, self._options = facts, options
        self._keys = [class_key(screen, view) for screen in screens]
        self._screens, self._copy = screens, cache(lambda number: screens[number].replace())
        self._known: dict[object, dict[tuple[str, ...], dict[object, Outcome]]] = {}

    def of(self, number: int, sampler: Sampler) -> Outcome:
        """Return the outcome of a sampler on the screen of that number."""
        known = self._known.setdefault(sampler.content(), {})
        for names, outcomes in known.items():
            if (key := self._read(number, names)) in outcomes:
                return outcomes[key]
        screen = self._copy(number)
        device = screen.derived[Device] = _Watched(device_of(self._screens[number]))
        made = outcome(convert(sampler, self._facts, screen, **self._options), screen)
        names = tuple(sorted(device.names & DEVICE_PART.keys()))
        known.setdefault(names, {})[self._read(number, names)] = made
        return made

    def _read(self, number: int, names: tuple[str, ...]) -> tuple[object, ...]:
        key = self._keys[number]
        return (*[key[DEVICE_PART[name]] for name in names], *key[len(DEVICE_PART) :])
