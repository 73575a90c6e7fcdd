"""The caches of a tracker, one after another: how large each is, and what happens from frame to frame.

A screen with another key rule, a policy with another hard limit and a new driver each start a new cache; counts go on.
"""

from __future__ import annotations

from operator import sub
from typing import TYPE_CHECKING, Any, Final

from statetracker.cso import GOVERNORS, CsoContext
from statetracker.frontend.bound_stage import FrameCounts
from statetracker.sampler.dialects import key_rule

if TYPE_CHECKING:
    from typing import TypeAlias

    from statetracker.caps import Screen
    from statetracker.cso import Driver, StateCache
    from statetracker.cso.driver import Handle, ReentrancyGuard
    from statetracker.cso.statistics import Counts
    from statetracker.frontend.policy import Policy
    from statetracker.pipe.layout import KeyRule
    from statetracker.sampler import Dialect

    #: Which bytes of a record count, and the policy of eviction.
    Kind: TypeAlias = tuple[KeyRule, str | type[StateCache[Any]]]

_DEFAULT_STATES: Final = 4096


def budget(policy: Policy) -> int:
    """Return how many live states a policy allows: the smaller of its limits."""
    most = policy.max_states or _DEFAULT_STATES
    return most if policy.unique_limit is None else min(policy.unique_limit, policy.max_states or policy.unique_limit)


def remembered(policy: Policy) -> int:
    """Return how many conversions to remember in a generation: more objects than states are met."""
    return max(4 * budget(policy), 4096)


def kind_of(screen: Screen, policy: Policy, dialect: Dialect, eviction: str) -> Kind:
    """Return the kind of cache that a tracker needs: a hard limit has a governor in the place of ``eviction``."""
    return key_rule(screen, dialect), eviction if policy.unique_limit is None else GOVERNORS[policy.when_full]


def new_cache(
    driver: Driver[Handle], kind: Kind, max_size: int, guard: ReentrancyGuard, counts: Counts | None = None
) -> CsoContext[Handle]:
    """Build an empty cache of this kind, which goes on with ``counts``; the driver is not called.

    guard   busy while a callback runs
    """
    rule, eviction = kind
    return CsoContext(driver, policy=eviction, max_size=max_size, key=rule, guard=guard, counts=counts)


class FrameCounter:
    """Counts what happens from frame to frame.

    frame   number of the last frame
    """

    def __init__(self) -> None:
        self.frame = 0
        self._before: tuple[int, ...] = (0,) * 7

    def end(self, cso: CsoContext[Any], conversions: int) -> FrameCounts:
        """End a frame; ``conversions`` were made since the beginning."""
        counts, cache = cso.counts, cso.cache
        made = conversions, cache.creates, counts.deletes, counts.merged
        now = counts.binds, counts.unchanged, counts.slots_changed, *made
        binds, unchanged, changed, converted, creates, deletes, merged = map(sub, now, self._before)
        self._before, self.frame = now, self.frame + 1
        return FrameCounts(self.frame, binds, unchanged, changed, converted, creates, deletes, cache.live, merged)
