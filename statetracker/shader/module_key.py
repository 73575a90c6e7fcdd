"""`ModuleKey`: what decides what `lower` makes of a module, in one form: requests that mean the same have one key.

See docs/tracker.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from statetracker.shader.request import Elements, not_a_request, wanted

if TYPE_CHECKING:
    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.block_values import Descriptor
    from statetracker.shader.request import Request

    Share: TypeAlias = Lowering | Elements

__all__ = ["ModuleKey", "shares"]

_DESCRIPTOR = itemgetter(0)


class ModuleKey(NamedTuple):
    """What decides a variant of a module: hashable, and the same in every run.

    module     the module's SHA-256, as `ModuleVariants.add` gives it
    request    (descriptor, what it needs) of each that needs something, in order: a `Lowering`, or those of an array
    values     the (set, binding) of the uniform block, or None
    lod_query  as for `lower`
    """

    module: str
    request: tuple[tuple[Descriptor, Share], ...]
    values: Descriptor | None
    lod_query: bool

    def asked(self) -> Request:
        """The request for `lower`."""
        return {place: share.rows if isinstance(share, Elements) else share for place, share in self.request}


def shares(request: Request) -> tuple[tuple[Descriptor, Share], ...]:
    """A request's descriptors that need something, in order. Raises `ArgumentError` for a malformed one."""
    if not isinstance(request, Mapping):
        raise not_a_request(request)
    asked: list[tuple[Descriptor, Share]] = []
    for place, value in request.items():
        try:
            share = _share(place, value)
        except TypeError:  # a list
            share = _share.__wrapped__(place, value)
        if share is not None:
            asked.append((place, share))
    if len(asked) > 1:
        asked.sort(key=_DESCRIPTOR)
    return tuple(asked)


@lru_cache(maxsize=4096, typed=True)
def _share(place: Descriptor, value: Any) -> Share | None:  # noqa: ANN401 (`wanted` checks it)
    """One descriptor's share: checked once, letters as a `Lowering`. None: there is nothing to do."""
    elements = wanted({place: value}).get(place)
    return elements.rows[0] if elements is not None and elements.all else elements
