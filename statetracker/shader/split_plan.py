"""What a split of combined image samplers starts from: their uses, and the places that their parts get.

`Uses` goes from the variables to the instructions that sample; `chosen_places` takes what the caller says, else places
that are free.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.shader.origin import ACCESS_CHAINS, descriptor_of
from statetracker.shader.request import Note, descriptor
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Module, id_positions, literal_words_in
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Collection

    from statetracker.shader.block_values import Descriptor
    from statetracker.spirv import Instruction

    Places = Mapping[Descriptor, tuple[Descriptor, Descriptor]]


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


#: Instructions that speak of ids, and use none.
ABOUT: Final = (Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString, Op.GroupDecorate, Op.EntryPoint)
#: Instructions that need the pair.
SAMPLING: Final = frozenset({*SAMPLES, Op.ImageQueryLod})
_ARRAYS: Final = (Op.TypeArray, Op.TypeRuntimeArray)
_WALKS: Final = (*ACCESS_CHAINS, Op.Load, Op.CopyObject)
#: Where an image may not go: only variables say which one it is.
_ELSEWHERE: Final = (Op.FunctionCall, Op.Phi, Op.Select, Op.ReturnValue)
_LOST: Final = "the sampler goes where its variable is not known: to a function, a choice or a whole array"


def leaf(module: Module, variable: Instruction) -> Instruction:
    """The type of one element of a variable."""
    pointer = module.definitions[variable.words[0]]
    kind = module.definitions[pointer.words[2]] if pointer.opcode == Op.TypePointer else pointer
    while kind.opcode in _ARRAYS:
        kind = module.definitions[kind.words[1]]
    return kind


def compares(one: Instruction) -> bool:
    """Whether an instruction compares."""
    return one.opcode in SAMPLES and SAMPLES[one.opcode].third == "dref"


class Uses:
    """Every use of the combined samplers of a module whose functions take none.

    combined   variable's id -> the variable
    root       id of a variable, a pointer, a loaded sampler or an image taken out of one -> its variable's id
    images     id of an image taken out -> the sampler's
    reads      (instruction that samples or fetches, what it reads)
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
        self.reads: list[tuple[Instruction, int]] = []
        self.wanted: dict[str, set[int]] = {"image": set(), "sampler": set()}
        self.refused: dict[int, Note] = {}
        for one in module.instructions:
            if one.opcode not in ABOUT and one.opcode != Op.Variable and not self.root.keys().isdisjoint(one.words):
                self._follow(one)

    @property
    def gone(self) -> set[int]:
        """Ids that the parts take the place of."""
        return {ident for ident, variable in self.root.items() if variable not in self.refused}

    def depth(self, variable: int) -> bool:
        """Whether some sample of a variable compares."""
        return any(self.root[of] == variable and compares(one) for one, of in self.reads)

    def _follow(self, one: Instruction) -> None:
        first = one.words[2] if len(one.words) > 2 else 0
        if first not in self.root:
            self._others(one)
        elif one.opcode in _WALKS and self._is_walk(one):
            self.root[one.result] = self.root[first]
        elif one.opcode == Op.Image:
            self.root[one.result], self.images[one.result] = self.root[first], first
            self._want("image", first)
        elif one.opcode in SAMPLING:
            self.reads.append((one, first))
            self._want("image", first)
            self._want("sampler", first)
        elif one.opcode == Op.ImageFetch and first in self.images:
            self.reads.append((one, first))
        else:
            self._others(one)

    def _is_walk(self, one: Instruction) -> bool:
        """Whether it gives a pointer, or one combined sampler."""
        return self.module.definitions[one.words[0]].opcode in {Op.TypePointer, Op.TypeSampledImage}

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
