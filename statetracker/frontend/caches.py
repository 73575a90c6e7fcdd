"""The caches of a tracker, one after another: how large each is, and what all of them have done.

A screen with another key rule, a policy with another hard limit and a new driver each start a new cache; counts go on.
"""

from __future__ import annotations

from operator import add, sub
from typing import TYPE_CHECKING, Any, Final

from statetracker.cso import GOVERNORS, CsoContext
from statetracker.frontend.bound_stage import FrameCounts
from statetracker.sampler.dialects import key_rule

if TYPE_CHECKING:
    from typing import TypeAlias

    from statetracker.caps import Screen
    from statetracker.cso import Driver, StateCache
    from statetracker.cso.driver import Gate, Handle
    from statetracker.frontend.policy import Policy
    from statetracker.pipe.layout import KeyRule
    from statetracker.sampler import Dialect

    #: Which bytes of a record count, and the policy of eviction.
    Kind: TypeAlias = tuple[KeyRule, str | type[StateCache[Any]]]

_DEFAULT_STATES: Final = 4096

#: Counts of no cache: binds, unchanged, slots changed, creates, deletes, merged.
NO_COUNTS: Final[tuple[int, ...]] = (0,) * 6


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


def new_cache(driver: Driver[Handle], kind: Kind, max_size: int, gate: Gate) -> CsoContext[Handle]:
    """Build an empty cache of this kind; the driver is not called. ``gate`` is shut while a callback runs."""
    rule, eviction = kind
    return CsoContext(driver, policy=eviction, max_size=max_size, key=rule, gate=gate)


def counts_of(cso: CsoContext[Any], past: tuple[int, ...]) -> tuple[int, ...]:
    """Return the counts of a cache, on top of those of the caches before it; see `NO_COUNTS`."""
    done, binds = cso.statistics(), cso.counts
    all_binds = binds.changed + binds.unchanged
    return tuple(
        map(add, past, (all_binds, binds.unchanged, binds.slots_changed, done.creates, done.deletes, done.merged))
    )


class FrameCounter:
    """Counts what happens from frame to frame.

    frame   number of the last frame
    """

    def __init__(self) -> None:
        self.frame = 0
        self._before: tuple[int, ...] = (0,) * 7

    def end(self, cso: CsoContext[Any], past: tuple[int, ...], conversions: int) -> FrameCounts:
        """End a frame; ``past`` and ``conversions`` are the counts since the beginning."""
        now = *counts_of(cso, past), conversions
        binds, unchanged, changed, creates, deletes, merged, converted = map(sub, now, self._before)
        self._before, self.frame = now, self.frame + 1
        live = cso.statistics().live
        return FrameCounts(self.frame, binds, unchanged, changed, converted, creates, deletes, live, merged)
