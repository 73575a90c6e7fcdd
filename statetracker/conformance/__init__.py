"""Conformance: state machines and random cases that try to break an implementation, and the installed Mesa as a judge.

`CsoMachine` tries any order of calls on a constant state cache and its driver; subclass it to test another. It and the
strategies need hypothesis (the extra ``conformance``). Names are loaded on first use. See docs/conformance.md.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.conformance.candidate import Program as Program
    from statetracker.conformance.diff import compare_recordings as compare_recordings
    from statetracker.conformance.machine import COLLIDING_RECORDS as COLLIDING_RECORDS
    from statetracker.conformance.machine import CsoMachine as CsoMachine
    from statetracker.conformance.plugin import check_live_case as check_live_case
    from statetracker.conformance.run import conform as conform
    from statetracker.conformance.search import check_case as check_case
    from statetracker.conformance.watched import WatchedDriver as WatchedDriver

_MODULES = {
    "diff": ("compare_recordings",),
    "machine": ("COLLIDING_RECORDS", "CsoMachine"),
    "plugin": ("check_live_case",),
    "run": ("conform",),
    "search": ("check_case",),
    "candidate": ("Program",),
    "watched": ("WatchedDriver",),
}

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
