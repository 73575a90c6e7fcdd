"""Register allocation with spilling: colour, choose a victim, spill, and begin again.

Source: docs/geometry.md, Allocation and Spilling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.geometry.allocator.colouring import colour
from statetracker.geometry.allocator.followed import Followed
from statetracker.geometry.allocator.interference import Interference
from statetracker.geometry.allocator.spilling import Victims

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.geometry.program import Program

__all__ = ["FAILURES", "Allocation", "allocate"]

#: Why an allocation fails.
FAILURES: Final[Mapping[str, str]] = {
    "payload": "the payload alone needs more registers than there are",
    "would_spill": "some value finds no register, and spilling is not allowed in this mode",
    "no_register_to_spill": "some value finds no register, and nothing is left that can be spilled",
}


class Allocation(NamedTuple):
    """The outcome of allocating registers.

    reason        None, or the key of `FAILURES`
    program       the program after spilling
    registers     first GRF of each of its virtual registers; -1 where it failed
    spills        victims in order; numbers from the initial count on are registers made by earlier spills
    scratch_slots those of arrays and of spills
    total_grf     GRFs used, the payload included
    """

    reason: str | None
    program: Program
    registers: list[int]
    spills: list[int]
    scratch_slots: int
    total_grf: int

    @property
    def ok(self) -> bool:
        """Whether every value has its registers."""
        return self.reason is None


def allocate(
    program: Program,
    payload_registers: int,
    *,
    count: int = 112,
    spilling: bool = True,
    slots: int = 0,
    follow: bool = True,
) -> Allocation:
    """Give a program's values registers, spilling where that is allowed.

    payload_registers   GRFs from 0 on that the payload takes
    count               registers of the file
    spilling            False: where registers do not suffice, the answer is ``would_spill``
    slots               scratch slots already taken
    follow              False computes everything again after each spill: slower, with the same outcome

    Raises `ArgumentError` for a file of fewer than 2 registers.
    """
    if count < 2:
        raise ArgumentError("count", count, accepted="2 registers or more: a pair needs them")
    if payload_registers > count:
        return Allocation("payload", program, [], [], slots, 0)
    values = (Followed if follow else Interference)(program, slots)
    victims = Victims(program, payload_registers, count)
    spills: list[int] = []
    while True:
        colouring = colour(values.sizes, values.graph, payload_registers, count)
        if colouring.failed is None:
            break
        if not spilling:
            return Allocation("would_spill", program, colouring.registers, spills, slots, 0)
        victim = victims.take(values.sizes, values.graph, colouring.candidates)
        if victim is None:
            reason = "no_register_to_spill"
            return Allocation(reason, values.program, colouring.registers, spills, slots + len(spills), 0)
        values.spill(victim)
        spills.append(victim)
    ends = [at + size for at, size in zip(colouring.registers, values.sizes, strict=True)]
    used = max([payload_registers, *ends])
    return Allocation(None, values.program, colouring.registers, spills, slots + len(spills), used)
