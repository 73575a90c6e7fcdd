"""From the lowerings of a stage's slots to what `statetracker.shader.lower` takes: by descriptor set and binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.pipe.lowering import NO_LOWERING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.pipe.lowering import Lowering

    Descriptor: TypeAlias = tuple[int, int]
    Request: TypeAlias = dict[Descriptor, Lowering | tuple[Lowering, ...]]


def clamp_request(
    lowerings: Mapping[int, Lowering], places: Mapping[Descriptor, int | Sequence[int]] | None = None
) -> Request:
    """The descriptors of a module whose samplers need work, from the lowerings of its stage's slots.

    lowerings   slot -> its lowering, such as `BoundStage.lowerings`; slots that are missing need nothing
    places      (set, binding) -> the slot of that sampler, or the slots of an array's elements in order; a descriptor
                in several places is written in each. None: slot n is binding n of set 0
    return      what `statetracker.shader.lower` takes: a lowering, for an array one an element; descriptors that need
                nothing are left out

    Raises `ArgumentError` for a slot that is no whole number of 0 or more.
    """
    if places is None:
        places = {(0, slot): slot for slot in lowerings}
    request: Request = {}
    for descriptor, slots in places.items():
        one = isinstance(slots, int)
        elements = tuple(_of(lowerings, slot) for slot in ([slots] if isinstance(slots, int) else slots))
        if any(element.needed for element in elements):
            request[descriptor] = elements[0] if one else elements
    return request


def _of(lowerings: Mapping[int, Lowering], slot: int) -> Lowering:
    if slot.__class__ is not int or slot < 0:
        raise ArgumentError("slot", slot, accepted="0 or more")
    return lowerings.get(slot, NO_LOWERING)
