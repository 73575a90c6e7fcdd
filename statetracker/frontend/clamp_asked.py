"""From what slots need to what `statetracker.shader.lower` is asked for: by descriptor set and binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.sampler.shader_needs import Lowering
from statetracker.shader.request import WrapAxes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Descriptor: TypeAlias = tuple[int, int]
    Request: TypeAlias = dict[Descriptor, WrapAxes | tuple[WrapAxes, ...]]

__all__ = ["clamp_request", "wrap_axes"]

_NOTHING = Lowering()


def wrap_axes(needs: Lowering) -> WrapAxes:
    """Give a slot's axes by wrap, as the rewrite takes them."""
    return WrapAxes(needs.clamp, needs.mirror)


def clamp_request(
    lowerings: Mapping[int, Lowering], places: Mapping[Descriptor, int | Sequence[int]] | None = None
) -> Request:
    """Say which descriptors of a module to clamp, from what the slots of its stage need.

    lowerings   slot -> what it needs, such as `BoundStage.lowerings`; slots that are missing need nothing
    places      (set, binding) -> the slot of that sampler, or the slots of an array's elements in order; a descriptor
                in several places is clamped in each. None: slot n is binding n of set 0
    return      what `statetracker.shader.lower` takes: `WrapAxes`, for an array one an element; descriptors of which
                nothing is clamped are left out

    Rectangle coordinates need no word here: the rewrite sees them in the module. Dividing them by the size
    (``normalize_rect``) is no part of it. Raises `ArgumentError` for a slot that is no whole number of 0 or more.
    """
    if places is None:
        places = {(0, slot): slot for slot in lowerings}
    found: Request = {}
    for descriptor, slots in places.items():
        if isinstance(slots, int):
            axes = _axes(lowerings, slots)
            if any(axes):
                found[descriptor] = axes
        else:
            elements = tuple(_axes(lowerings, slot) for slot in slots)
            if any(map(any, elements)):
                found[descriptor] = elements
    return found


def _axes(lowerings: Mapping[int, Lowering], slot: int) -> WrapAxes:
    if slot.__class__ is not int or slot < 0:
        raise ArgumentError("slot", slot, accepted="0 or more")
    return wrap_axes(lowerings.get(slot, _NOTHING))
