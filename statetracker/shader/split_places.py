"""Where an image and a sampler go that were one: as the caller says, or to places that are free."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING

from statetracker.errors import ArgumentError
from statetracker.shader.origin import descriptor_of
from statetracker.shader.request import descriptor
from statetracker.spirv.names import Decoration, Op

if TYPE_CHECKING:
    from collections.abc import Collection

    from statetracker.shader.block_values import Descriptor
    from statetracker.spirv import Module

    Places = Mapping[Descriptor, tuple[Descriptor, Descriptor]]

__all__ = ["chosen_places"]


def chosen_places(module: Module, combined: Collection[Descriptor], places: object) -> Places:
    """Place of each combined sampler -> the image's and the sampler's; see `statetracker.split_samplers`."""
    bound = {
        descriptor_of(module, one)
        for one in module.instructions
        if one.opcode == Op.Variable and Decoration.Binding in module.decorations.get(one.words[1], {})
    }
    chosen = _checked(places, combined)
    taken = bound - set(chosen)  # a place that is given up is free
    for place, pair in chosen.items():
        for one in pair:
            if one in taken:
                raise ArgumentError(_field(place), one, accepted="a place that nothing else has")
            taken.add(one)
    for place in combined:
        if place not in chosen:
            free = next(one for one in count() if (place[0], one) not in taken)
            chosen[place] = place, (place[0], free)
            taken.add((place[0], free))
    return chosen


def _field(place: Descriptor) -> str:
    return f"places of {place[0]}:{place[1]}"


def _checked(places: object, combined: Collection[Descriptor]) -> dict[Descriptor, tuple[Descriptor, Descriptor]]:
    """Descriptors of the module, and two places for each."""
    if places is not None and not isinstance(places, Mapping):
        raise ArgumentError("places", places, accepted="(set, binding) -> (image's place, sampler's place), or None")
    checked = {}
    for place, pair in (places or {}).items():
        if descriptor("places", place) not in combined:
            have = ", ".join(f"{one[0]}:{one[1]}" for one in combined) or "none"
            raise ArgumentError("places", "{}:{}".format(*place), accepted=f"combined samplers of the module: {have}")
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(_field(place), pair, accepted="two places: the image's and the sampler's")
        checked[place] = descriptor(_field(place), pair[0]), descriptor(_field(place), pair[1])
        if max(map(max, checked[place])) >= 1 << 32:
            raise ArgumentError(_field(place), pair, accepted="numbers of 32 bits")
    return checked
