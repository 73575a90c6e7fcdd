"""One instruction of a module, as the rows of `statetracker.shader.wgsl.RULES` ask about it."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from statetracker.shader.known import ONE, built_ins, name_of, named, pointers
from statetracker.shader.origin import ARRAYS, descriptor_of, image_of, leaf, place_of, resources
from statetracker.shader.sample_ops import SAMPLES, SAMPLING, is_zero, operands_of
from statetracker.shader.switches import switches
from statetracker.spirv import Instruction, Module, ids_in
from statetracker.spirv.names import BuiltIn, Decoration, Dim, ExecutionModel, ImageOperands, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Collection

    from statetracker.shader.block_values import Descriptor

__all__ = ["BOUND", "SIZES", "VARYING", "Seen"]

_FETCHES: Final = (Op.ImageFetch, Op.ImageSparseFetch)
SIZES: Final = (Op.ImageQuerySize, Op.ImageQuerySizeLod)
#: What is handed on -> types that are refused there, but for what is built in.
VARYING: Final = {
    StorageClass.Input: (Op.TypeArray, Op.TypeMatrix, Op.TypeStruct),
    StorageClass.Output: (Op.TypeArray, Op.TypeMatrix),
}
_READS: Final = SAMPLING | {*_FETCHES, *SIZES}
#: Storage classes of what is bound.
BOUND: Final = (StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer)
_ENDLESS: Final = 0x7F800000
_BRANCHES: Final = (Op.Branch, Op.BranchConditional, Op.Switch)


class Seen:
    """A module, and one of its instructions.

    Args:
        module: The module.
        moved: Ids of the variables that get places of their own.

    Attributes:
        dim: The dimension of its image, -1 without one; ``layered``, ``samples`` and ``integers`` say what that has.
        operands: Its image operands.
        stored: The type of its storage image; None without one.
    """

    one: Instruction
    dim: int
    layered: bool
    samples: bool
    integers: bool
    stored: Instruction | None

    def __init__(self, module: Module, moved: Collection[int]) -> None:
        self.module, self.definitions, self.moved = module, module.definitions, moved
        self.built_ins = built_ins(module)

    def take(self, one: Instruction) -> None:
        """Look at an instruction; what is said of an image is that of a variable, or of what reads one."""
        self.one = one
        image: Instruction | None
        if one.opcode in _READS:
            self.operands = dict[int, list[int]]()
            kind = self.definitions[self.definitions[one.words[2]].type_id]
            image = self.definitions[kind.words[1]] if kind.opcode == Op.TypeSampledImage else kind
            if one.opcode in SAMPLES or one.opcode in _FETCHES:
                self.operands = operands_of(one)
        elif one.opcode == Op.Variable:
            image = image_of(self.module, one)
        else:
            return
        self.stored = image if image is not None and image.words[6] == 2 else None
        image = None if self.stored else image
        self.dim, self.layered, self.samples, self.integers = -1, False, False, False
        if image is not None:
            self.dim, self.layered, self.samples = image.words[2], bool(image.words[4]), bool(image.words[5])
            self.integers = self.definitions[image.words[1]].opcode == Op.TypeInt

    @cached_property
    def count(self) -> Counter[Descriptor]:
        """The number of variables that keep a place."""
        return Counter(place for place, one in resources(self.module) if one.result not in self.moved)

    def has(self, *bits: int) -> bool:
        """Return whether it has one of some image operands."""
        return any(bit in self.operands for bit in bits)

    @property
    def off_level_0(self) -> bool:
        """True where its level of detail is explicit and not 0."""
        levels = self.operands.get(ImageOperands.Lod)
        return self.has(ImageOperands.Grad) or (levels is not None and not is_zero(self.module, levels[0]))

    @property
    def line(self) -> bool:
        """True where it samples a 1D image."""
        return self.dim == Dim.Dim1D and self.one.opcode in SAMPLES

    @cached_property
    def pairs(self) -> bool:
        """True where the module has vectors of two integers, signed and not."""
        kinds = (one for one in self.module.instructions if one.opcode == Op.TypeVector and one.words[2] == 2)
        return {(32, 0), (32, 1)} <= {tuple(self.definitions[one.words[1]].words[1:]) for one in kinds}

    def narrow(self) -> bool:
        """Return whether a member has matrices of two rows, 16 bytes apart."""
        ident, member, _, stride = self.one.words
        kind = self.definitions[self.definitions[ident].words[1 + member]]
        while kind.opcode in ARRAYS:
            kind = self.definitions[kind.words[1]]
        return self.definitions[kind.words[1]].words[2] == 2 and stride != 8

    @cached_property
    def layers_read(self) -> set[int]:
        """Ids of sizes of which more is read than a width, a height and a depth without layers."""
        sizes = {one.words[1]: one.words[0] for one in self.module.instructions if one.opcode in SIZES}
        read = set()
        for one in self.module.instructions:
            if one.opcode in {Op.Name, Op.Decorate} or sizes.keys().isdisjoint(one.words):
                continue
            for ident in sizes.keys() & {one.words[at] for at in ids_in(self.definitions, one)} - {one.result}:
                kind = self.definitions[sizes[ident]]
                last = kind.words[2] - 1 if kind.opcode == Op.TypeVector else 0
                parts = one.words[3:4] if one.opcode == Op.CompositeExtract else one.words[4:]
                if one.opcode not in {Op.CompositeExtract, Op.VectorShuffle} or max(parts, default=last) >= last:
                    read.add(ident)
        return read

    def varies(self) -> bool:
        """Return whether a variable is handed on, of a type that is refused there; what is built in is not."""
        own = {self.one.result, leaf(self.module, self.one).result}
        refused = self.module.held(self.one).opcode in VARYING[self.one.words[2]]
        return refused and own.isdisjoint(ident for ident, _ in self.built_ins)

    def written_by_vertices(self) -> bool:
        """Return whether it is a storage buffer without readonly, of a module with a vertex stage."""
        kind, members = self.module.held(self.one), self.module.member_decorations
        each = [members.get((kind.result, n), {}) for n in range(len(kind.words) - 1)]
        read_only = all(Decoration.NonWritable in said for said in each)
        read_only |= Decoration.NonWritable in self.module.decorations.get(self.one.result, {})
        return not read_only and any(one.model == ExecutionModel.Vertex for one in self.module.entry_points)

    def shares_its_place(self) -> bool:
        """Return whether it is a variable whose place another one has."""
        return self.one.result not in self.moved and self.count[descriptor_of(self.module, self.one)] > 1

    def back(self) -> bool:
        """Return whether it is the offset of a member that is not behind the one before it."""
        ident, member, _, offset = self.one.words
        before = self.module.member_decorations.get((ident, member - 1), {}).get(Decoration.Offset)
        return before is not None and before[0] >= offset

    def unsigned(self) -> bool:
        """Return whether it gives unsigned integers."""
        kind = self.definitions[self.one.words[0]]
        return not (self.definitions[kind.words[1]] if kind.opcode == Op.TypeVector else kind).words[2]

    def oblong(self) -> bool:
        """Return whether it gives a matrix that is not square."""
        kind = self.definitions[self.one.words[0]]
        return self.definitions[kind.words[1]].words[2] != kind.words[2]

    @cached_property
    def targets(self) -> set[int]:
        """Words of branches: the labels that they lead to are among them."""
        return {word for one in self.module.instructions if one.opcode in _BRANCHES for word in one.words}

    def never_left(self) -> bool:
        """Return whether it is a loop that nothing leaves: no branch reaches its end, and no return stands in it."""
        end = self.one.words[0]
        if end in self.targets:
            return False
        rest = self.module.instructions[self.module.instructions.index(self.one) :]
        inside = takewhile(lambda one: one.opcode != Op.Label or one.words[0] != end, rest)
        return all(one.opcode not in {Op.Return, Op.ReturnValue} for one in inside)

    def half(self) -> bool:
        """Return whether it is an image of 16-bit floats."""
        texel = self.definitions[self.one.words[1]]
        return texel.opcode == Op.TypeFloat and texel.words[1] == 16

    @cached_property
    def fallen(self) -> set[int]:
        """Switches of which a case goes on in another."""
        return {id(one.switch) for one in switches(self.module) if one.falls}

    @cached_property
    def pointers(self) -> dict[int, int]:
        """Pointers to built-in variables."""
        return pointers(self.module)

    @property
    def built(self) -> str:
        """The name of the built-in variable that it decorates, or that it leads to as a member."""
        if self.one.opcode != Op.Decorate:
            return name_of("BuiltIn", self.pointers.get(self.one.result, BuiltIn.Position))
        return named(self.one) if self.one.words[1] == Decoration.BuiltIn else "Position"

    def sizes_point(self) -> bool:
        """Return whether it stores the size of a point, other than 1."""
        pointer, value = self.one.words[:2]
        return self.pointers.get(pointer) == BuiltIn.PointSize and self.module.constant_value(value) != ONE

    def endless(self) -> bool:
        """Return whether it is a constant that is infinite or no number."""
        kind, _, bits, *_ = self.one.words
        return self.definitions[kind].words[1:] == [32] and bits & _ENDLESS == _ENDLESS

    @property
    def title(self) -> str:
        """Its name, with that of what it declares."""
        if self.one.opcode in {Op.Capability, Op.Extension, Op.ExecutionMode}:
            return f"{self.one.name} {named(self.one)}"
        return f"{self.one.name} {self.built}" if self.one.opcode == Op.Decorate else self.one.name

    @property
    def place(self) -> Descriptor | None:
        """The descriptor of what is read, or of a variable."""
        if self.one.opcode == Op.Variable and self.one.words[2] in BOUND:
            return descriptor_of(self.module, self.one)
        if self.one.opcode in _READS:
            return place_of(self.one.words[2], self.definitions, self.module)
        return None
