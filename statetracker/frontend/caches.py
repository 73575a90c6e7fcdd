"""`Caches`: the caches of a tracker, one after another, and what all of them have done.

A screen with another key rule wants a new cache, and so does a new driver. Counts go on.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, Any, Final, Generic

from statetracker.cso import GOVERNORS, CsoContext
from statetracker.cso.driver import Handle
from statetracker.errors import DriverError
from statetracker.frontend.bound_stage import FrameCounts
from statetracker.sampler.dialects import key_rule

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.cso import Driver
    from statetracker.cso.gate import Gate
    from statetracker.cso.governor import GovernedCache
    from statetracker.frontend.policy import Policy
    from statetracker.pipe.layout import KeyRule
    from statetracker.sampler import Dialect

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

    cso   the one in use
    """

    def __init__(
        self, driver: Driver[Handle], eviction: str, screen: Screen, policy: Policy, dialect: Dialect, *, gate: Gate
    ) -> None:
        """Make the first, empty; the driver is not called.

        eviction   what each gives up at the budget; a policy with a hard limit has a governor in its place
        gate       shut while a callback runs
        """
        self._driver = driver
        self._eviction = eviction
        self._dialect = dialect
        self._gate = gate
        self._frame = 0
        self._past: tuple[int, ...] = (0,) * 6
        self._counted: tuple[int, ...] = (0,) * 7
        self._kind = self._kind_for(screen, policy)
        self.cso = self._made(budget(policy))

    def replace(self, driver: Driver[Handle]) -> CsoContext[Handle]:
        """Go on with an empty one, for another driver."""
        self._driver = driver
        self._past = self._totals()
        self.cso = self._made(self.cso.max_size)
        return self.cso

    def follow(self, screen: Screen, policy: Policy) -> DriverError | None:
        """Go on for another screen or policy: with an empty cache, if its key rule or its hard limit is another one.

        Gives what deletes raised; they are done. Raises `DriverError`, and has changed nothing, if unbinding fails.
        The cache that stays has its limit set by the caller, who has taken the policy by then.
        """
        problem, kind = None, self._kind_for(screen, policy)
        if kind == self._kind:
            return None
        try:
            self.cso.destroy()
        except DriverError as error:
            if error.call != "delete_sampler_state":
                raise
            problem = error
        self._past, self._kind = self._totals(), kind
        self.cso = self._made(budget(policy))
        return problem

    def frame(self, conversions: int) -> FrameCounts:
        """Count what happened since the last frame; ``conversions`` is how many there were in all."""
        binds, unchanged, slots_changed, creates, deletes, merged = self._totals()
        totals = (binds, unchanged, slots_changed, conversions, creates, deletes, merged)
        new = [now - before for now, before in zip(totals, self._counted, strict=True)]
        self._counted = totals
        self._frame += 1
        return FrameCounts._make((self._frame, *new[:-1], self.cso.statistics().live, new[-1]))

    def _kind_for(self, screen: Screen, policy: Policy) -> tuple[KeyRule, str | type[GovernedCache[Any]]]:
        """Which bytes of a record count, and what is given up at the budget."""
        return key_rule(screen, self._dialect), governor(policy) or self._eviction

    def _made(self, max_size: int) -> CsoContext[Handle]:
        rule, given_up = self._kind
        return CsoContext(self._driver, policy=given_up, max_size=max_size, key=rule, gate=self._gate)

    def _totals(self) -> tuple[int, ...]:
        done, binds = self.cso.statistics(), self.cso.counts
        now = (binds.binds, binds.unchanged, binds.slots_changed, done.creates, done.deletes, done.merged)
        return tuple(map(add, self._past, now))
