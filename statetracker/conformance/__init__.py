"""Conformance: what any implementation should do, as programs that try to break it.

`CsoMachine` throws every order of calls at a constant state cache and its driver; subclass it to try your own. It needs
hypothesis (the extra ``conformance``); nothing else of the library does. Names are loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.conformance.machine import COLLIDING_RECORDS, CsoMachine
    from statetracker.conformance.watched import WatchedDriver

__all__ = ["COLLIDING_RECORDS", "CsoMachine", "WatchedDriver"]

_MODULES = {"COLLIDING_RECORDS": "machine", "CsoMachine": "machine", "WatchedDriver": "watched"}


def __getattr__(name: str) -> object:
    """Load a public name from its module on first use."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'statetracker.conformance' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"statetracker.conformance.{module}"), name)
    globals()[name] = value
    return value
