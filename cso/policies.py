"""The policies by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.cso.lru import LruCache
from statetracker.cso.mesa import MesaCache
from statetracker.cso.second_chance import SecondChanceCache
from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.cso.cache import StateCache
    from statetracker.cso.driver import Handle

#: A class of your own may be given in place of a name.
POLICIES: Final[Mapping[str, type[StateCache[Any]]]] = {
    cache.name: cache for cache in (SecondChanceCache, MesaCache, LruCache)
}


def policy_named(policy: str | type[StateCache[Handle]]) -> type[StateCache[Handle]]:
    """Give the policy of a name, or the class itself; raises `UnknownName`."""
    if not isinstance(policy, str):
        return policy
    try:
        return POLICIES[policy]
    except KeyError:
        raise UnknownName("policy", policy, accepted=", ".join(POLICIES)) from None
