"""Constant state objects: a record becomes a driver handle once, and a bind is a lookup. The page is docs/cso.md.

A front end hands records to a `CsoContext`, which creates each distinct one once, keeps what it created up to a limit,
and gives the driver, per shader stage, what is bound. What it gives up at the limit is a policy: ``second-chance`` for
users, ``mesa`` to reproduce Mesa's choices object for object, ``lru`` to compare. Names are Gallium's.
"""

from __future__ import annotations

from statetracker.cso.cache import StateCache
from statetracker.cso.context import CsoContext
from statetracker.cso.driver import Driver, RecordingDriver
from statetracker.cso.governor import GOVERNORS, UNITS, Loss, Merge, loss
from statetracker.cso.keys import DEFAULT_KEY
from statetracker.cso.lint import Collision, Fault, KeyReport, lint
from statetracker.cso.mesa import MesaCache
from statetracker.cso.policies import POLICIES, LruCache, SecondChanceCache
from statetracker.cso.slots import MAX_SAMPLERS, STAGES, Resolved
from statetracker.cso.statistics import Statistics

__all__ = [
    "DEFAULT_KEY",
    "GOVERNORS",
    "MAX_SAMPLERS",
    "POLICIES",
    "STAGES",
    "UNITS",
    "Collision",
    "CsoContext",
    "Driver",
    "Fault",
    "KeyReport",
    "Loss",
    "LruCache",
    "Merge",
    "MesaCache",
    "RecordingDriver",
    "Resolved",
    "SecondChanceCache",
    "StateCache",
    "Statistics",
    "lint",
    "loss",
]
