"""Arrays of images and samplers become variables, one an element that may be read: WebGPU has no arrays of bindings.

An element whose index is a constant is its variable. For an index that varies each instruction that reads the array is
carried out for every element, and one result is chosen: so levels of detail that are implicit stay as they were.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.shader.coverage import product as all_of
from statetracker.shader.origin import (
    ACCESS_CHAINS,
    ARRAYS,
    Origin,
    descriptor_of,
    dynamic_index,
    free_place,
    leaf,
    resources,
)
from statetracker.shader.sample_ops import SAMPLING
from statetracker.shader.split_plan import ABOUT
from statetracker.spirv import Editor, Emitter, Instruction, Module, ids_in, without
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.shader.block_values import Descriptor

#: What makes another image or sampler of one, or of two.
_PASSED: Final = frozenset({Op.CopyObject, Op.Image, Op.SampledImage})
#: What reads an image or a sampler: the result can be chosen.
_READS: Final = SAMPLING | {
    *(Op.ImageFetch, Op.ImageQuerySize, Op.ImageQuerySizeLod, Op.ImageQueryLevels, Op.ImageQuerySamples)
}
#: Elements of an array that are variables at most; GL has a few dozen units.
_MOST: Final = 1024


#: The module without arrays, the element that a new variable is by its id, the place of each separate element.
Apart: TypeAlias = "tuple[Module, dict[int, int], dict[tuple[Descriptor, int], Descriptor]]"


def apart(module: Module, lengths: Mapping[Descriptor, int]) -> Apart:
    """Write variables in place of arrays whose length is known.

    ``lengths`` has the length of each array that has none, by descriptor.
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
            for one in module.variables
            if one.words[2] == StorageClass.UniformConstant and self.is_array(one)
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
        """Return whether a variable is an array of sampled images, images that are sampled, or samplers."""
        end = leaf(self.module, one)
        sampled = end.opcode in {Op.TypeSampledImage, Op.TypeSampler}
        sampled |= end.opcode == Op.TypeImage and end.words[6] == 1
        return sampled and self.module.held(one).opcode in ARRAYS

    def lengths(self, one: Instruction) -> list[int]:
        """Return the lengths of an array, the outermost first; 0 for one that is not known."""
        kind, found = self.module.held(one), list[int]()
        while kind.opcode in ARRAYS:
            length = self.definitions[kind.words[2]] if kind.opcode == Op.TypeArray else None
            known = length is not None and length.opcode in {Op.Constant, Op.SpecConstant}
            found.append(length.words[2] if known and length else self.given.get(descriptor_of(self.module, one), 0))
            kind = self.definitions[kind.words[1]]
        return found

    def refused(self) -> set[int]:
        """Variables that something reads that no element can stand for: a whole array, an index too wide, no length."""
        refused, known = set[int](), set(self.arrays)
        for one in self.module.instructions:
            if one.opcode in ABOUT or known.isdisjoint(one.words):
                continue
            for ident in {one.words[at] for at in ids_in(self.definitions, one)} & known:
                root, indexes = self.pointers.get(ident, (ident, ()))
                if one.opcode in ACCESS_CHAINS and one.words[2] == ident:
                    self.pointers[one.result] = root, (*indexes, *one.words[3:])
                    known.add(one.result)
                elif one.opcode != Op.Variable and not self.readable(one, root, indexes):
                    refused.add(root)
        return refused

    def readable(self, one: Instruction, root: int, indexes: tuple[int, ...]) -> bool:
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
        if not self.arrays:
            return self.module, {}, {}
        body: list[Instruction] = []
        for one in self.module.instructions:
            if one.opcode == Op.Load and one.words[2] in self.pointers:
                body += self.loaded(one)
            elif one.opcode in _PASSED | _READS and not self.choices.keys().isdisjoint(one.words[2:4]):
                body += self.chosen(one)
            elif one.result not in self.arrays and one.result not in self.pointers:
                body.append(one)
        gone = {*self.arrays, *self.pointers, *self.choices} - {one.result for one in body}
        kept = [
            one for one in without(body, gone) if one.opcode != Op.Decorate or one.words[1] != Decoration.NonUniform
        ]
        made = swept(self.editor.finish(kept, check=False))
        return made, {new: at for (_, at), new in self.variables.items()}, self.places

    def variable(self, array: int, at: int) -> int:
        if (array, at) not in self.variables:
            one, end = self.definitions[array], leaf(self.module, self.definitions[array])
            kind = self.editor.declare("OpTypePointer", StorageClass.UniformConstant, end.result)
            made = self.variables[array, at] = self.editor.variable(kind, StorageClass.UniformConstant)
            place, said = descriptor_of(self.module, one), self.module.decorations.get(array, {})
            if end.opcode != Op.TypeSampledImage:  # what is separate: the array's place for the first, then free ones
                free = free_place(self.taken, place[0]) if at else place
                self.taken.add(free)
                self.places[place, at] = free
                place = free
            own = {Decoration.DescriptorSet: place[:1], Decoration.Binding: place[1:]}
            for decoration, literals in (said | own).items():
                self.editor.decorate(made, decoration, *literals)
        return self.variables[array, at]

    def loaded(self, one: Instruction) -> list[Instruction]:
        array, indexes = self.pointers[one.words[2]]
        lengths, emit = self.arrays[array], Emitter(self.editor)
        flat = [0]
        for ident, length in zip(indexes, lengths, strict=True):
            value = self.module.constant_value(ident)
            each = range(length) if value is None else (min(value, length - 1) if length else value,)
            flat = [number * length + at for number in flat for at in each]
        if len(flat) == 1:
            return [one.copy([*one.words[:2], self.variable(array, flat[0]), *one.words[3:]])]
        index = dynamic_index(emit, Origin((0, 0), indexes, tuple(lengths)))
        assert index is not None  # noqa: S101 (looked at first)
        made = self.choices[one.result] = []
        for at in flat:
            ident = self.editor.new_id()
            emit.out.append(one.copy([one.words[0], ident, self.variable(array, at), *one.words[3:]]))
            self.editor.definitions[ident] = emit.out[-1]
            made.append(_Choice(((index.id, at),), ident))
        return emit.out

    def chosen(self, one: Instruction) -> list[Instruction]:
        """Return an instruction for each of the images that it may read, and the choice."""
        emit, results, places = Emitter(self.editor), list[_Choice](), (2, 3)[: 1 + (one.opcode == Op.SampledImage)]
        each = [self.choices.get(one.words[at], [_Choice((), one.words[at])]) for at in places]
        self.editor.spend(len(one.words) * prod(map(len, each)), one.offset)
        for parts in product(*each):
            words = list(one.words)
            for at, part in zip(places, parts, strict=True):
                words[at] = part.ident
            ident = emit.again(one, words[0], *words[2:])
            results.append(_Choice(tuple(dict.fromkeys(pair for part in parts for pair in part.conditions)), ident))
        if one.opcode in _PASSED:
            self.choices[one.result] = results
            return emit.out
        whole, kind = results[0].ident, one.words[0]
        _, size = self.editor.components(kind)
        for conditions, ident in results[1:]:
            flag = all_of([emit.word(index).equals(at) for index, at in conditions])
            whole = emit.op("OpSelect", kind, flag.spread(size).id, ident, whole)
        emit.out[-1].words[1] = one.result
        return emit.out


def swept(module: Module) -> Module:
    """Take away types and constants that nothing has any more: Dawn ends the program at one of an array of images."""
    unused = {one.result for one in module.instructions if one.opcode in _SWEPT}
    gone: set[int] = set()
    for one in reversed(module.instructions):
        if unused.isdisjoint(one.words) or (one.opcode in ABOUT and one.opcode != Op.EntryPoint):
            continue
        if one.opcode in _SWEPT and one.result in unused:
            gone.add(one.result)
        else:
            unused.difference_update([one.words[at] for at in ids_in(module.definitions, one)])
    if not gone or any(one.opcode == Op.TypeForwardPointer for one in module.instructions):
        return module
    return module.having([one for one in without(module.instructions, gone) if one.result not in gone])


_SWEPT: Final = frozenset(
    {
        *(Op.TypePointer, Op.TypeArray, Op.TypeRuntimeArray, Op.TypeFunction, Op.TypeImage, Op.TypeSampledImage),
        *(Op.Constant, Op.ConstantComposite, Op.TypeSampler),
    }
)
