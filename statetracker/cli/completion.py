"""What a shell completes: names of screens, of dialects, of devices of the corpus.

``statetracker --install-completion`` writes it into the shell's own files, ``--show-completion`` prints it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = 40  # devices that are offered


def _starting(module: str, *tables: str) -> Callable[[str], list[str]]:
    """Make what typer calls with what has been typed so far: the names in tables of a module, loaded then."""

    def complete(incomplete: str) -> list[str]:
        loaded = import_module(f"statetracker.{module}")
        names = dict.fromkeys(name for table in tables for name in getattr(loaded, table))
        return [name for name in names if name.lower().startswith(incomplete.lower())]

    return complete


screens: Final = _starting("caps", "PROFILES")
dialects: Final = _starting("sampler.dialects", "ALIASES", "DIALECTS")
vulkan_dialects: Final = _starting("vulkan.dialects", "DIALECTS")
drivers: Final = _starting("conformance.drivers", "DRIVERS")
profiles: Final = _starting("gl.limits", "PROFILES")


def devices(incomplete: str) -> list[str]:
    """Names of devices that have what was typed so far, those that begin with it first; at most 40."""
    from statetracker.caps import searching

    names = dict.fromkeys(row.name for row in searching(incomplete) if row.name) if incomplete else {}
    begin = incomplete.lower()
    return sorted(names, key=lambda name: (not name.lower().startswith(begin), name))[:_MOST]
