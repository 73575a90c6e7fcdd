"""Conformance: state machines and random cases that try to break an implementation, and the installed Mesa as a judge.

`CsoMachine` tries any order of calls on a constant state cache and its driver; subclass it to test another. It and
the strategies need hypothesis (the extra ``conformance``). Names are loaded on first use.

`generate`, `states`       random cases and states: what a seed means; a state as JSON and as calls
`strategies`               the same as hypothesis strategies
`machine`, `watched`       the state machine of a cache, and the driver that watches it
`drivers`, `live`          the drivers of this machine, run in processes of their own
`worker`, `pipe_tail`      such a process: GL calls in, what Mesa's driver received out
`judge`, `readback`        comparing, member by member
`run`, `tally`             a whole run and its counts, and which rows of the tables it went through
`shrink`                   the fewest calls that still show a mismatch
`candidate`                anybody's conversion under test: a function or a program
`search`, `agreement`      random states on it, what differs from ours, short counterexamples
`report`, `diff`           the HTML report; what changed between two recordings
`plugin`                   the same as tests, for pytest
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.conformance.candidate import Program
    from statetracker.conformance.diff import compare_recordings
    from statetracker.conformance.machine import COLLIDING_RECORDS, CsoMachine
    from statetracker.conformance.plugin import check_live_case
    from statetracker.conformance.run import conform
    from statetracker.conformance.search import check_case
    from statetracker.conformance.watched import WatchedDriver

__all__ = [
    "COLLIDING_RECORDS",
    "CsoMachine",
    "Program",
    "WatchedDriver",
    "check_case",
    "check_live_case",
    "compare_recordings",
    "conform",
]

_MODULES = {
    "diff": ("compare_recordings",),
    "machine": ("COLLIDING_RECORDS", "CsoMachine"),
    "plugin": ("check_live_case",),
    "run": ("conform",),
    "search": ("check_case",),
    "candidate": ("Program",),
    "watched": ("WatchedDriver",),
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
