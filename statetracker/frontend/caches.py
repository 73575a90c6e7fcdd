"""`Caches`: the caches of a tracker, one after another, and what all of them have done.

A screen with another key rule wants a new cache, and so does a new driver. Counts go on.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, Any, Final, Generic

from statetracker.cso import GOVERNORS, CsoContext
from statetracker.cso.driver import Handle
from statetracker.frontend.bound_stage import FrameCounts
from statetracker.sampler.dialects import key_rule

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.cso import Driver
    from statetracker.cso.gate import Gate
    from statetracker.cso.governor import GovernedCache
    from statetracker.frontend.policy import Policy
    from statetracker.sampler import Dialect

__all__ = ["Caches", "budget", "governor", "remembered"]

_DEFAULT_STATES: Final = 4096


def budget(policy: Policy) -> int:
    """How many live states a policy allows: the smaller of its limits."""
    most = policy.max_states or _DEFAULT_STATES
    return most if policy.unique_limit is None else min(policy.unique_limit, policy.max_states or policy.unique_limit)


def governor(policy: Policy) -> type[GovernedCache[Any]] | None:
    """The cache that keeps a policy's hard limit; None: it has none."""
    return None if policy.unique_limit is None else GOVERNORS[policy.when_full]


def remembered(policy: Policy) -> int:
    """How many combinations of objects to remember in a generation: there are more of them than states."""
    return max(4 * budget(policy), 4096)


class Caches(Generic[Handle]):
    """Makes caches for one tracker.

    driver     the callbacks of the next one
    gate       shut while a callback runs
    eviction   what each gives up at the budget; a policy with a hard limit has a governor in its place
    """

    __slots__ = ("_counted", "_eviction", "_frame", "_past", "cso", "driver", "gate")

    def __init__(
        self, driver: Driver[Handle], eviction: str, screen: Screen, policy: Policy, dialect: Dialect, *, gate: Gate
    ) -> None:
        """Make the first, empty; the driver is not called."""
        self.driver = driver
        self.gate = gate
        self._eviction = eviction
        self._frame = 0
        self._past: tuple[int, ...] = (0,) * 6
        self._counted: tuple[int, ...] = (0,) * 7
        self.cso = self._made(screen, policy, dialect)

    def replace(self, screen: Screen, policy: Policy, dialect: Dialect) -> CsoContext[Handle]:
        """Go on with an empty one."""
        self._past = self._totals()
        self.cso = self._made(screen, policy, dialect)
        return self.cso

    def frame(self, conversions: int) -> FrameCounts:
        """Count what happened since the last frame; ``conversions`` is how many there were in all."""
        binds, unchanged, slots_changed, creates, deletes, merged = self._totals()
        totals = (binds, unchanged, slots_changed, conversions, creates, deletes, merged)
        new = [now - before for now, before in zip(totals, self._counted, strict=True)]
        self._counted = totals
        self._frame += 1
        return FrameCounts._make((self._frame, *new[:-1], self.cso.statistics().live, new[-1]))

    def _made(self, screen: Screen, policy: Policy, dialect: Dialect) -> CsoContext[Handle]:
        rule = key_rule(screen, dialect)
        chosen = governor(policy) or self._eviction
        return CsoContext(self.driver, policy=chosen, max_size=budget(policy), key=rule, gate=self.gate)

    def _totals(self) -> tuple[int, ...]:
        done, binds = self.cso.statistics(), self.cso.counts
        now = (binds.binds, binds.unchanged, binds.slots_changed, done.creates, done.deletes, done.merged)
        return tuple(map(add, self._past, now))
