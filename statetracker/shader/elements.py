"""Arrays of images and samplers become variables, one an element that may be read: WebGPU has no arrays of bindings.

An element whose index is a constant is its variable. For an index that varies each instruction that reads the array is
carried out for every element, and one result is chosen: so levels of detail that are implicit stay as they were.
"""

from __future__ import annotations

from itertools import count, product
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.modes import dynamic_index
from statetracker.shader.origin import ACCESS_CHAINS, Origin, descriptor_of, leaf, resources
from statetracker.shader.sample_ops import SAMPLING
from statetracker.spirv import Editor, Emitter, id_positions, literal_words_in, text_of, without
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.shader.block_values import Descriptor
    from statetracker.spirv import Instruction, Module

_ARRAYS: Final = (Op.TypeArray, Op.TypeRuntimeArray)
#: What makes another image or sampler of one, or of two.
_PASSED: Final = frozenset({Op.CopyObject, Op.Image, Op.SampledImage})
#: What reads an image or a sampler: the result can be chosen.
_READS: Final = SAMPLING | {
    *(Op.ImageFetch, Op.ImageQuerySize, Op.ImageQuerySizeLod, Op.ImageQueryLevels, Op.ImageQuerySamples)
}
#: What speaks of a variable, and does not read it.
_ABOUT: Final = frozenset({Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString, Op.GroupDecorate, Op.EntryPoint})
#: Elements of an array that are variables at most; GL has a few dozen units.
_MOST: Final = 1024


class Apart(NamedTuple):
    """The module without arrays, and what its new variables are.

    module     the new one
    elements   id of a new variable -> the element that it is
    places     (descriptor, element) of an image or sampler that was separate -> its place
    """

    module: Module
    elements: dict[int, int]
    places: dict[tuple[Descriptor, int], Descriptor]


def apart(module: Module, lengths: Mapping[Descriptor, int]) -> Apart:
    """Write variables in place of arrays whose length is known.

    lengths   descriptor -> the length of an array that has none
    """
    return _Arrays(module, lengths).run()


class _Choice(NamedTuple):
    """One of several images or samplers: its id, and when it is the one: pairs of an index's id and a value."""

    conditions: tuple[tuple[int, int], ...]
    ident: int


class _Arrays:
    def __init__(self, module: Module, lengths: Mapping[Descriptor, int]) -> None:
        self.module, self.editor, self.given = module, Editor(module), lengths
        self.definitions = module.definitions
        self.arrays = {
            one.result: self.lengths(one)
            for one in module.instructions
            if one.opcode == Op.Variable and one.words[2] == StorageClass.UniformConstant and self.is_array(one)
        }
        self.pointers: dict[int, tuple[int, tuple[int, ...]]] = {}
        refused = self.refused()
        self.arrays = {ident: lengths for ident, lengths in self.arrays.items() if ident not in refused}
        self.pointers = {at: one for at, one in self.pointers.items() if one[0] in self.arrays}
        self.variables: dict[tuple[int, int], int] = {}
        self.choices: dict[int, list[_Choice]] = {}
        self.places: dict[tuple[Descriptor, int], Descriptor] = {}
        self.taken = {place for place, _ in resources(module)}

    def is_array(self, one: Instruction) -> bool:
        """Whether a variable is an array of sampled images, images that are sampled, or samplers."""
        kind = self.definitions[self.definitions[one.words[0]].words[2]]
        end = leaf(self.module, one)
        sampled = end.opcode in {Op.TypeSampledImage, Op.TypeSampler}
        return kind.opcode in _ARRAYS and (sampled or (end.opcode == Op.TypeImage and end.words[6] == 1))

    def lengths(self, one: Instruction) -> list[int]:
        """The lengths of an array, the outermost first; 0 for one that is not known."""
        kind, found = self.definitions[self.definitions[one.words[0]].words[2]], list[int]()
        while kind.opcode in _ARRAYS:
            length = self.definitions[kind.words[2]] if kind.opcode == Op.TypeArray else None
            known = length is not None and length.opcode in {Op.Constant, Op.SpecConstant}
            found.append(length.words[2] if known and length else self.given.get(descriptor_of(self.module, one), 0))
            kind = self.definitions[kind.words[1]]
        return found

    def refused(self) -> set[int]:
        """Variables that something reads that no element can stand for: a whole array, an index too wide, no length."""
        refused = set()
        for one in self.module.instructions:
            if one.opcode in _ABOUT:
                continue
            at = id_positions(one, lambda value: literal_words_in(self.definitions, one, value))  # noqa: B023
            for ident in {one.words[n] for n in at} & (self.arrays.keys() | self.pointers.keys()):
                root, indexes = self.pointers.get(ident, (ident, ()))
                if one.opcode in ACCESS_CHAINS and one.words[2] == ident:
                    self.pointers[one.result] = root, (*indexes, *one.words[3:])
                elif one.opcode != Op.Variable and not self.readable(one, root, indexes):
                    refused.add(root)
        return refused

    def readable(self, one: Instruction, root: int, indexes: tuple[int, ...]) -> bool:
        """Whether an instruction loads one element."""
        lengths = self.arrays[root]
        if one.opcode != Op.Load or len(indexes) != len(lengths):
            return False
        whole = 1
        for ident, length in zip(indexes, lengths, strict=True):
            whole *= length or 0
            kind = self.definitions[self.definitions[ident].words[0]]
            constant = self.module.constant_value(ident)
            if kind.opcode != Op.TypeInt or kind.words[1] != 32 or (constant is None and not length):
                return False
        return whole <= _MOST

    def run(self) -> Apart:
        """Write it."""
        if not self.arrays:
            return Apart(self.module, {}, {})
        body: list[Instruction] = []
        for one in self.module.instructions:
            if one.opcode == Op.EntryPoint:
                head = 2 + text_of(one.words[2:])[1]
                kept = [ident for ident in one.words[head:] if ident not in self.arrays]
                body.append(one.copy([*one.words[:head], *kept]))
            elif one.opcode == Op.Load and one.words[2] in self.pointers:
                body += self.loaded(one)
            elif one.opcode in _PASSED | _READS and not self.choices.keys().isdisjoint(one.words[2:4]):
                body += self.chosen(one)
            elif one.result not in self.arrays and one.result not in self.pointers:
                body.append(one)
        gone = {*self.arrays, *self.pointers, *self.choices} - {one.result for one in body}
        self.editor.body = [
            one for one in without(body, gone) if one.opcode != Op.Decorate or one.words[1] != Decoration.NonUniform
        ]
        return Apart(swept(self.editor.finish()), {new: at for (_, at), new in self.variables.items()}, self.places)

    def variable(self, array: int, at: int) -> int:
        """The variable of an element, which is made once."""
        if (array, at) not in self.variables:
            one, end = self.definitions[array], leaf(self.module, self.definitions[array])
            kind = self.editor.declare("OpTypePointer", StorageClass.UniformConstant, end.result)
            made = self.variables[array, at] = self.editor.variable(kind, StorageClass.UniformConstant)
            place, said = descriptor_of(self.module, one), self.module.decorations.get(array, {})
            if end.opcode != Op.TypeSampledImage:
                self.places[place, at] = self.place(place, at)
                place = self.places[place, at]
            own = {Decoration.DescriptorSet: place[:1], Decoration.Binding: place[1:]}
            for decoration, literals in (said | own).items():
                self.editor.decorate(made, decoration, *literals)
        return self.variables[array, at]

    def place(self, place: Descriptor, at: int) -> Descriptor:
        """The place of an element of what is separate: the array's for the first, then what is free in the set."""
        if at:
            place = next((place[0], n) for n in count() if (place[0], n) not in self.taken)
            self.taken.add(place)
        return place

    def loaded(self, one: Instruction) -> list[Instruction]:
        """A load of one element, or of each."""
        array, indexes = self.pointers[one.words[2]]
        lengths, emit = self.arrays[array], Emitter(self.editor)
        known = [self.module.constant_value(ident) for ident in indexes]
        each = [range(length) if value is None else (min(value, max(length - 1, 0)) if length else value,)
                for value, length in zip(known, lengths, strict=True)]  # fmt: skip
        flat = [self.flat(lengths, where) for where in product(*each)]
        if len(flat) == 1:
            return [one.copy([*one.words[:2], self.variable(array, flat[0]), *one.words[3:]])]
        index = dynamic_index(emit, Origin((0, 0), indexes, tuple(lengths)))
        assert index is not None  # noqa: S101 (looked at first)
        made = self.choices[one.result] = []
        for at in flat:
            emit.out.append(one.copy([one.words[0], self.editor.new_id(), self.variable(array, at), *one.words[3:]]))
            made.append(_Choice(((index.id, at),), emit.out[-1].words[1]))
            self.editor.definitions[emit.out[-1].words[1]] = emit.out[-1]
        return emit.out

    @staticmethod
    def flat(lengths: list[int], where: tuple[int, ...]) -> int:
        """The number of an element, as the index counts."""
        number = 0
        for length, at in zip(lengths, where, strict=True):
            number = number * length + at
        return number

    def chosen(self, one: Instruction) -> list[Instruction]:
        """An instruction for each of the images that it may read, and the choice."""
        emit, results, places = Emitter(self.editor), list[_Choice](), (2, 3)[: 1 + (one.opcode == Op.SampledImage)]
        each = [self.choices.get(one.words[at], [_Choice((), one.words[at])]) for at in places]
        self.editor.spend(len(one.words) * prod(map(len, each)), one.offset)
        for parts in product(*each):
            words = [one.words[0], self.editor.new_id(), *one.words[2:]]
            for at, part in zip(places, parts, strict=True):
                words[at] = part.ident
            emit.out.append(one.copy(words))
            self.editor.definitions[words[1]] = emit.out[-1]
            results.append(_Choice(tuple(dict.fromkeys(pair for part in parts for pair in part.conditions)), words[1]))
        if one.opcode in _PASSED:
            self.choices[one.result] = results
            return emit.out
        whole, kind = results[0].ident, one.words[0]
        of = self.definitions[kind]
        size = of.words[2] if of.opcode == Op.TypeVector else 1
        for conditions, ident in results[1:]:
            flags = [emit.word(index).equals(at) for index, at in conditions]
            flag = flags[0] if len(flags) == 1 else flags[0] & flags[1]
            whole = emit.op("OpSelect", kind, flag.spread(size).id, ident, whole)
        emit.out[-1].words[1] = one.result
        return emit.out


def swept(module: Module) -> Module:
    """Take away types and constants that nothing has any more: Dawn ends the program at one of an array of images."""
    used: set[int] = set()
    gone: set[int] = set()
    for one in reversed(module.instructions):
        if one.opcode in _ABOUT and one.opcode != Op.EntryPoint:
            continue
        if one.opcode in _SWEPT and one.result not in used:
            gone.add(one.result)
            continue
        at = id_positions(one, lambda value: literal_words_in(module.definitions, one, value))  # noqa: B023
        used.update(one.words[n] for n in at)
    if not gone or any(one.opcode == Op.TypeForwardPointer for one in module.instructions):
        return module
    editor = Editor(module)
    editor.body = [one for one in without(module.instructions, gone) if one.result not in gone]
    return editor.finish()


_SWEPT: Final = frozenset(
    {
        *(Op.TypePointer, Op.TypeArray, Op.TypeRuntimeArray, Op.TypeFunction, Op.TypeImage, Op.TypeSampledImage),
        *(Op.Constant, Op.ConstantComposite, Op.TypeSampler),
    }
)
