"""The order of spills: attempt after attempt until all values find registers, each following from the one before.

Every attempt would simplify, colour what remains in hope, fail somewhere, and choose a victim. Of all that, the choice
needs only which values remain, what they cost and free, and, between equals, where colouring fails.
Source: docs/geometry.md, Spilling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.geometry.interference import Interference
from statetracker.geometry.optimistic import Optimistic
from statetracker.geometry.spill import Benefits, Rewriting, rounded, spill_costs

if TYPE_CHECKING:
    from statetracker.geometry.program import Program

__all__ = ["spill_until_it_fits"]


class _Attempts:
    """A program and what is known of its next attempt; victims are registers of the program as given."""

    def __init__(self, program: Program, payload: int, count: int, slot: int) -> None:
        self.payload, self.count = payload, count
        self.rewriting = Rewriting(program, slot)
        self.graph = Interference(program)
        self.kept = Optimistic(self.graph, payload, count)
        self.cost = spill_costs(program)
        self.benefits = Benefits(count)
        self.equal = all(size == 1 for size in program.vgrf_sizes)
        self.worths: dict[tuple[int, float], float] = {}
        self.crowded = 0
        self.able = [node for node, cost in enumerate(self.cost) if cost > 0.0]

    def best(self) -> list[int]:
        """Members that are worth most, by increasing number: more than one where rounded values are equal."""
        has, gone, total, cost = self.kept.has, self.graph.gone, self.kept.total, self.cost
        self.able = able = [node for node in self.able if not gone[node]]
        about = [total[node] / cost[node] if has(node) else 0.0 for node in able]  # not rounded
        most = max(about, default=0.0)
        # Sums of single precision stray by half a unit in the last place a step; the least values, by all of theirs.
        least = most * (1 - (len(self.graph.sizes) + self.payload + 8) * 2.0**-23) if most > 1e-30 else 0.0
        worth = {node: self._worth(node) for node, one in zip(able, about, strict=True) if one >= least and has(node)}
        most = max(worth.values(), default=0.0)
        return [node for node, one in worth.items() if one == most] if most > 0.0 else []

    def _worth(self, node: int) -> float:
        """What spilling frees for its cost, as the compiler rounds it."""
        cost = self.cost[node]
        if self.equal:
            key = (self.kept.total[node], cost)
            found = self.worths.get(key)
            if found is None:
                benefit = self.benefits.of(1, (0, 1), [1] * (key[0] - self.payload), self.payload)
                found = self.worths[key] = rounded(benefit / cost)
            return found
        gone = self.graph.gone
        near = [other for other in self.graph.near[node] if not gone[other]]
        return rounded(self.benefits.of(1, self.graph.sizes, near, self.payload) / cost)

    def hopeless(self) -> bool:
        """Whether more is alive at some place than the file holds: then no order of colouring helps."""
        most = self.count - self.payload
        before, after = self.graph.before, self.graph.after
        if not before:
            return False
        if max(before[self.crowded], after[self.crowded]) <= most:
            where = before if max(before) > max(after) else after
            self.crowded = where.index(max(where))
        return max(before[self.crowded], after[self.crowded]) > most

    def victim(self) -> int | None:
        """The register to spill next; None where all find registers, and where nothing can be spilled."""
        equals = self.best() if self.kept.nodes else []
        if not equals or (len(equals) == 1 and self.hopeless()):
            return equals[0] if equals else None
        failing = self.kept.failing()
        if failing is None:
            return None
        return next((node for node in equals if node > failing), equals[0])  # those that have registers come first

    def spill(self, victim: int) -> None:
        """Put it into a slot and follow what that changes."""
        near = self.graph.remove(victim)
        changes: list[tuple[int, list[int]]] = []
        for one in self.rewriting.spill(victim):
            if not one.write:
                changes += self.graph.begins_earlier(one.ip)
            changes.append((one.reg, self.graph.add(one)))
        self.kept.spill(victim, near, changes)


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
