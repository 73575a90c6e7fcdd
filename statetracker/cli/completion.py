"""What a shell completes: names of screens, of dialects, of devices of the corpus.

``statetracker --install-completion`` writes it into the shell's own files, ``--show-completion`` prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["devices", "dialects", "drivers", "profiles", "screens", "vulkan_dialects"]

_MOST: Final = 40  # devices that are offered


def _starting(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Make what typer calls with what has been typed so far."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.lower().startswith(incomplete.lower())]

    return complete


def _screens() -> Iterable[str]:
    from statetracker.caps import PROFILES

    return PROFILES


def _dialects() -> Iterable[str]:
    from statetracker.sampler.dialects import ALIASES, DIALECTS

    return dict.fromkeys((*ALIASES, *DIALECTS))


def _vulkan_dialects() -> Iterable[str]:
    from statetracker.vulkan.dialects import DIALECTS

    return DIALECTS


def _drivers() -> Iterable[str]:
    from statetracker.conformance.drivers import DRIVERS

    return DRIVERS


def _profiles() -> Iterable[str]:
    from statetracker.gl.limits import PROFILES

    return PROFILES


screens: Final = _starting(_screens)
dialects: Final = _starting(_dialects)
vulkan_dialects: Final = _starting(_vulkan_dialects)
drivers: Final = _starting(_drivers)
profiles: Final = _starting(_profiles)


def devices(incomplete: str) -> list[str]:
    """Names of devices that have what was typed so far, those that begin with it first; at most 40."""
    from statetracker.caps import searching

    names = dict.fromkeys(row.name for row in searching(incomplete) if row.name) if incomplete else {}
    begin = incomplete.lower()
    return sorted(names, key=lambda name: (not name.lower().startswith(begin), name))[:_MOST]
