"""Register allocation: live intervals, interference, colouring, spilling.

`allocate` is the loop; read it first. Sets of registers are integers.
"""

from __future__ import annotations

from statetracker.geometry.allocator.allocate import FAILURES, Allocation, allocate
from statetracker.geometry.allocator.colouring import REGISTERS, Colouring, colour
from statetracker.geometry.allocator.liveness import Interval, interfere, live_intervals, neighbours, pressure
from statetracker.geometry.allocator.spilling import insert_spill, spill_costs

__all__ = [
    "FAILURES",
    "REGISTERS",
    "Allocation",
    "Colouring",
    "Interval",
    "allocate",
    "colour",
    "insert_spill",
    "interfere",
    "live_intervals",
    "neighbours",
    "pressure",
    "spill_costs",
]
