"""The order of spills: attempt after attempt until all values find registers, each following from the one before.

Every attempt would simplify, colour what remains in hope, fail somewhere, and choose a victim. Of all that, the choice
needs only which values remain, what they cost and free, and, between equals, where colouring fails.
Source: docs/geometry.md, Spilling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.geometry.bits import members, together, union
from statetracker.geometry.interference import Interference
from statetracker.geometry.optimistic import Optimistic
from statetracker.geometry.spill import Benefits, Rewriting, rounded, spill_costs

if TYPE_CHECKING:
    from statetracker.geometry.program import Program

__all__ = ["spill_until_it_fits"]


#: Below, single precision has fewer digits.
_TINY: Final = 1e-30


def _enough(least: float, cost: float) -> int:
    """The smallest count that is at least so much for a cost."""
    count = int(least * cost) if least else 0  # a cost may be infinite
    return count if count / cost >= least else count + 1


class _Attempts:
    """A program and what is known of its next attempt; victims are registers of the program as given."""

    def __init__(self, program: Program, payload: int, count: int, slot: int) -> None:
        self.payload, self.count = payload, count
        self.rewriting = Rewriting(program, slot)
        self.graph = Interference(program)
        self.kept = Optimistic(self.graph, payload, count)
        self.cost = spill_costs(program)
        self.benefits = Benefits(count)
        self.given = (1 << len(program.vgrf_sizes)) - 1
        self.equal = all(size == 1 for size in program.vgrf_sizes)
        by_cost: dict[float, list[int]] = {}
        for node, cost in enumerate(self.cost):
            if cost > 0.0:
                by_cost.setdefault(cost, []).append(node)
        self.classes = {cost: together(by_cost[cost]) for cost in sorted(by_cost)}  # those that can be spilled
        self.able = union(self.classes.values())

    def best(self) -> list[int]:
        """Members that are worth most, by increasing number: more than one where rounded values are equal."""
        total, able = self.kept.total, self.kept.stays & self.able
        greatest = total.most(able)
        # A sum of single precision strays by half a unit in the last place a step, and so does the one beside it; the
        # least values stray by all of theirs.
        nearly = 1 - (greatest + 8) * 2.0**-23
        most = least = 0.0  # what a member frees for its cost, not rounded
        classes = []
        for cost, bits in self.classes.items():
            if greatest / cost < least:
                break  # all others cost more
            of_class = bits & able
            if of_class:
                frees = total.most(of_class)
                classes.append((frees / cost, cost, of_class))
                most = max(most, frees / cost)
                least = most * nearly if most > _TINY else 0.0
        equals = [
            node
            for worth, cost, of_class in classes
            if worth >= least
            for node in members(total.at_least(_enough(least, cost), of_class))
        ]
        if len(equals) == 1 and least > 0.0:
            return equals
        worths = {node: self._worth(node) for node in sorted(equals)}
        highest = max(worths.values(), default=0.0)
        return [node for node, worth in worths.items() if worth == highest > 0.0]

    def _worth(self, node: int) -> float:
        """What spilling frees for its cost, as the compiler rounds it."""
        near = self.graph.near(node)
        given = 0 if self.equal else near & self.given  # registers that spills make are of one GRF
        benefit = self.benefits.of(1, self.graph.sizes, members(given))
        singles = near.bit_count() - given.bit_count() + self.payload
        benefit = self.benefits.and_singles(benefit, 1, singles)
        return rounded(benefit / self.cost[node])

    def victim(self) -> int | None:
        """The register to spill next; None where all find registers, and where nothing can be spilled."""
        equals = self.best()
        if not equals or (len(equals) == 1 and self.graph.crowded(self.count - self.payload)):
            return equals[0] if equals else None  # more is alive than the file holds: no order of colouring helps
        failing = self.kept.failing()
        if failing is None:
            return None
        return next((node for node in equals if node > failing), equals[0])  # those that have registers come first

    def spill(self, victim: int) -> None:
        """Put it into a slot and follow what that changes."""
        graph, kept = self.graph, self.kept
        kept.removed(victim, graph.remove(victim))
        self.able ^= 1 << victim
        self.classes[self.cost[victim]] ^= 1 << victim
        if not self.classes[self.cost[victim]]:
            del self.classes[self.cost[victim]]
        for one in self.rewriting.spill(victim):
            if not one.write:
                for node, others in graph.begins_earlier(one.ip):
                    kept.met(node, others)
            kept.made(one.reg, graph.add(one))
        kept.settle()


def spill_until_it_fits(program: Program, payload: int, count: int, slot: int) -> tuple[Program, list[int]]:
    """Spill until every value finds a register or nothing is left that can be spilled: the program, and the victims.

    payload   registers taken from the front
    count     registers of the file
    slot      the first scratch slot that is free
    """
    spills: list[int] = []
    attempts = _Attempts(program, payload, count, slot)
    while True:
        victim = attempts.victim()
        if victim is None:
            return (attempts.rewriting.program() if spills else program), spills
        spills.append(victim)
        if attempts.graph.refuses[victim]:  # loads or stores would fall into other blocks: begin again
            attempts.rewriting.spill(victim)
            attempts = _Attempts(attempts.rewriting.program(), payload, count, attempts.rewriting.slot)
        else:
            attempts.spill(victim)
