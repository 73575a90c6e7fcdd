"""What a split of combined image samplers starts from: their uses, and the places that their parts get.

`Uses` goes from the variables to the instructions that sample; `chosen_places` takes what the caller says, else places
that are free.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.shader.origin import ACCESS_CHAINS, descriptor_of, leaf, resources
from statetracker.shader.request import Note, descriptor
from statetracker.shader.sample_ops import SAMPLING, compares
from statetracker.spirv import id_positions, literal_words_in
from statetracker.spirv.names import Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Collection

    from statetracker.shader.block_values import Descriptor
    from statetracker.spirv import Instruction, Module

    Pair = tuple[Descriptor, Descriptor]
    Place = tuple[int, ...]
    Places = Mapping[Place, Pair]


def chosen_places(
    module: Module, uses: Uses, places: object, elements: Mapping[int, int] = MappingProxyType({})
) -> dict[int, Pair]:
    """Variable's id -> the places of its image and its sampler; see `statetracker.split_samplers`.

    elements   variable's id -> the element of an array that it was; of those but the first the place has it as a third

    Of several variables at one place the first has what the caller says. An image whose place something else has, such
    as a buffer, which OpenGL numbers apart, gets a free one.
    """
    own: dict[int, Place] = {
        ident: (*descriptor_of(module, one), *filter(None, [elements.get(ident)]))
        for ident, one in uses.combined.items()
        if ident not in uses.refused
    }
    chosen = _checked(places, dict.fromkeys(one for place in own.values() for one in (place[:2], place)))
    taken = {place for place, one in resources(module) if one.result not in own}
    kept = set(own.values()) - chosen.keys()  # a place that is given up is free
    compares = {place: ident in uses.depth for ident, place in own.items()}
    shared: dict[Descriptor, bool] = {}  # a sampler's place -> whether its samples compare
    for place, pair in chosen.items():
        for part, one in enumerate(pair):
            if (one in taken or one in kept) and not (part and one in shared):
                raise ArgumentError(_field(place), one, accepted="a place that nothing else has")
            taken.add(one)
        if shared.setdefault(pair[1], compares[place]) != compares[place]:
            raise ArgumentError(_field(place), pair[1], accepted="samplers at one place that all compare, or none")
    pairs = {ident: chosen.pop(place) for ident, place in own.items() if place in chosen}
    images: dict[int, Descriptor] = {}
    for ident in sorted(own.keys() - pairs, key=lambda ident: ident not in uses.wanted["image"]):
        group, binding, *element = own[ident]
        if (group, binding) not in taken and not element:
            images[ident] = group, binding
            taken.add(images[ident])
    free = {group: ((group, at) for at in count() if (group, at) not in taken) for group, *_ in own.values()}
    for ident, (group, *_) in own.items():
        if ident not in pairs:
            pairs[ident] = images.get(ident) or next(free[group]), next(free[group])
    return pairs


def _field(place: Place) -> str:
    return f"places of {':'.join(map(str, place))}"


def _is_element(place: object) -> bool:
    """Whether a key is of an element of an array: three numbers."""
    return isinstance(place, tuple) and len(place) == 3 and all(isinstance(part, int) for part in place)


def _checked(places: object, combined: Collection[Place]) -> dict[Place, Pair]:
    """Descriptors of the module, the elements of arrays too, and two places for each."""
    if places is not None and not isinstance(places, Mapping):
        raise ArgumentError("places", places, accepted="(set, binding) -> (image's place, sampler's place), or None")
    checked = {}
    for place, pair in (places or {}).items():
        if (place if _is_element(place) else descriptor("places", place)) not in combined:
            have = ", ".join(":".join(map(str, one)) for one in combined) or "none"
            raise ArgumentError(
                "places", ":".join(map(str, place)), accepted=f"combined samplers of the module: {have}"
            )
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(_field(place), pair, accepted="two places: the image's and the sampler's")
        checked[place] = descriptor(_field(place), pair[0]), descriptor(_field(place), pair[1])
        if max(map(max, checked[place])) >= 1 << 32:
            raise ArgumentError(_field(place), pair, accepted="numbers of 32 bits")
    return checked


#: Instructions that speak of ids, and use none.
ABOUT: Final = (Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString, Op.GroupDecorate, Op.EntryPoint)
_WALKS: Final = (*ACCESS_CHAINS, Op.Load, Op.CopyObject)
_ONE: Final = (Op.TypePointer, Op.TypeSampledImage)  # but not a whole array
#: Where an image may not go: only variables say which one it is.
_ELSEWHERE: Final = (Op.FunctionCall, Op.Phi, Op.Select, Op.ReturnValue)
_LOST: Final = "the sampler goes where its variable is not known: to a function, a choice or a whole array"


class Uses:
    """Every use of the combined samplers of a module whose functions take none.

    combined   variable's id -> the variable
    root       id of a variable, a pointer, a loaded sampler or an image taken out of one -> its variable's id
    images     id of an image taken out -> the sampler's
    samples    (instruction that samples, its variable's id)
    depth      ids of variables that some sample compares
    wanted     part -> ids of which that part is read
    refused    variable's id -> why it stays combined
    """

    def __init__(self, module: Module) -> None:
        """Follow them; blocks stand in an order in which what is read was made before."""
        self.module = module
        self.combined = {
            one.result: one
            for one in module.instructions
            if one.opcode == Op.Variable
            and one.words[2] == StorageClass.UniformConstant
            and leaf(module, one).opcode == Op.TypeSampledImage
        }
        self.root = {ident: ident for ident in self.combined}
        self.images: dict[int, int] = {}
        self.samples: list[tuple[Instruction, int]] = []
        self.depth: set[int] = set()
        self.wanted: dict[str, set[int]] = {"image": set(), "sampler": set()}
        self.refused: dict[int, Note] = {}
        for one in module.instructions:
            if one.opcode not in ABOUT and one.opcode != Op.Variable and not self.root.keys().isdisjoint(one.words):
                self._follow(one)

    @property
    def gone(self) -> set[int]:
        """Ids that the parts take the place of."""
        return {ident for ident, variable in self.root.items() if variable not in self.refused}

    @property
    def moved(self) -> set[int]:
        """Ids of the variables that get places of their own."""
        return self.combined.keys() - self.refused.keys()

    def _follow(self, one: Instruction) -> None:
        first = one.words[2] if len(one.words) > 2 else 0
        if first not in self.root:
            self._others(one)
        elif one.opcode in _WALKS and self.module.definitions[one.words[0]].opcode in _ONE:
            self.root[one.result] = self.root[first]
        elif one.opcode == Op.Image:
            self.root[one.result], self.images[one.result] = self.root[first], first
            self._want("image", first)
        elif one.opcode in SAMPLING:
            self.samples.append((one, self.root[first]))
            self.depth.update([self.root[first]] * compares(one))
            self._want("image", first)
            self._want("sampler", first)
        else:
            self._others(one)

    def _others(self, one: Instruction) -> None:
        """Any other instruction: it may read an image that was taken out, but not pass samplers on."""
        for at in id_positions(one, lambda value: literal_words_in(self.module.definitions, one, value)):
            ident = one.words[at]
            if ident in self.root and (ident not in self.images or one.opcode in _ELSEWHERE):
                place = descriptor_of(self.module, self.combined[self.root[ident]])
                self.refused[self.root[ident]] = Note(one.offset, one.name, place, _LOST)

    def _want(self, part: str, ident: int) -> None:
        """A part of an id is read, and so of all that it comes of."""
        while ident not in self.wanted[part]:
            self.wanted[part].add(ident)
            if ident not in self.combined:
                ident = self.module.definitions[ident].words[2]
