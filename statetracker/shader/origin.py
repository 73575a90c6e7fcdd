"""The sampler of an instruction: the walk from a sampled image back to its variable and the element."""

from __future__ import annotations

from itertools import count
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.spirv import Emitter, Instruction, Kind, Module, Word
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.request import Elements

ACCESS_CHAINS: Final = (Op.AccessChain, Op.InBoundsAccessChain)
_SAME: Final = frozenset({Op.Load, Op.CopyObject, Op.Image})
ARRAYS: Final = frozenset({Op.TypeArray, Op.TypeRuntimeArray})
_BLOCKS: Final = frozenset({StorageClass.Uniform, StorageClass.StorageBuffer})
_WORD_BITS: Final = 32
_MANY: Final = 65537  # elements that are not looked at one by one; a length that is not known may be any number
STEPS: Final = 64  # no module of a compiler is deeper; a damaged one may go round in circles


class Origin(NamedTuple):
    """A sampler's variable: descriptor, index ids and the lengths they index (None: not known), outermost first."""

    descriptor: tuple[int, int]
    indexes: tuple[int, ...]
    lengths: tuple[int | None, ...]

    @property
    def open(self) -> bool:
        """True where its array has elements that are not looked at one by one: they are as the last one looked at."""
        return prod(one or _MANY for one in self.lengths) >= _MANY


class Unknown(NamedTuple):
    """A reason why a sampler is not known."""

    reason: str


def origin(ident: int, definitions: Mapping[int, Instruction], module: Module) -> Origin | Unknown:
    """Walk from a sampled image, a sampler or a pointer to its variable."""
    indexes: tuple[int, ...] = ()
    for _ in range(STEPS):
        one = definitions[ident]
        if one.opcode == Op.Variable:
            return _at_variable(one, indexes, module)
        if one.opcode == Op.SampledImage:
            ident = one.words[3]
        elif one.opcode in _SAME:
            ident = one.words[2]
        elif one.opcode in ACCESS_CHAINS:
            ident, indexes = one.words[2], (*one.words[3:], *indexes)
        else:
            what = "a parameter of its function" if one.opcode == Op.FunctionParameter else f"made by {one.name}"
            return Unknown(f"the sampler is {what}")
    return Unknown("the sampler's definition goes round in a circle")


def _at_variable(one: Instruction, indexes: tuple[int, ...], module: Module) -> Origin | Unknown:
    if one.words[2] != StorageClass.UniformConstant:
        return Unknown(f"the sampler is a variable of storage class {one.words[2]}")
    kind = module.held(one)
    lengths: list[int | None] = []
    for _ in indexes:
        if kind.opcode not in ARRAYS:
            return Unknown(f"the sampler is part of a {kind.name}")
        lengths.append(module.constant_value(kind.words[2]) if kind.opcode == Op.TypeArray else None)
        kind = module.definitions[kind.words[1]]
    return Origin(descriptor_of(module, one), indexes, tuple(lengths))


def place_of(ident: int, definitions: Mapping[int, Instruction], module: Module) -> tuple[int, int] | None:
    """Return the (set, binding) that `origin` finds; None where it finds none."""
    return getattr(origin(ident, definitions, module), "descriptor", None)


def free_place(taken: Collection[tuple[int, int]], group: int = 0, first: int = 0) -> tuple[int, int]:
    """Return the first (set, binding) of a set that is not taken."""
    return next((group, at) for at in count(first) if (group, at) not in taken)


def descriptor_of(module: Module, variable: Instruction) -> tuple[int, int]:
    """Return the (set, binding) of a variable; 0 where it is decorated with none."""
    said = module.decorations.get(variable.words[1], {})
    return said.get(Decoration.DescriptorSet, (0,))[0], said.get(Decoration.Binding, (0,))[0]


def resources(module: Module) -> Iterator[tuple[tuple[int, int], Instruction]]:
    """Return (set, binding) and variable of all that is bound to a module; OpenGL numbers kinds apart."""
    for one in module.variables:
        bound = one.words[2] in _BLOCKS and Decoration.Binding in module.decorations.get(one.words[1], {})
        if bound or one.words[2] == StorageClass.UniformConstant:
            yield descriptor_of(module, one), one


def _unwound(module: Module, kind: Instruction) -> tuple[Instruction, list[int]]:
    """Return the type of an array's elements, nested or not, and the lengths, 0 where one is not known."""
    lengths = []
    while kind.opcode in ARRAYS:
        lengths.append((module.constant_value(kind.words[2]) or 0) if kind.opcode == Op.TypeArray else 0)
        kind = module.definitions[kind.words[1]]
    return kind, lengths


def leaf(module: Module, variable: Instruction) -> Instruction:
    """Return the type of a variable, of one element where it is an array."""
    return _unwound(module, module.held(variable))[0]


def image_of(module: Module, variable: Instruction) -> Instruction | None:
    """Return the OpTypeImage of a variable, combined or not; None where it is none."""
    kind = leaf(module, variable)
    kind = module.definitions[kind.words[1]] if kind.opcode == Op.TypeSampledImage else kind
    return kind if kind.opcode == Op.TypeImage else None


def texel_kind(module: Module, image: Instruction) -> str:
    """``float``, ``sint`` or ``uint``: what the texels of an OpTypeImage are."""
    texel = module.definitions[image.words[1]]
    return "float" if texel.opcode == Op.TypeFloat else "sint" if texel.words[2] else "uint"


def array_length(module: Module, variable: Instruction) -> int:
    """Return how many elements a variable has, nested ones multiplied; 1: it is no array, 0: a length is not known."""
    return prod(_unwound(module, module.held(variable))[1])


def image_type(sampled_image: int, definitions: Mapping[int, Instruction]) -> Instruction | None:
    """Return the OpTypeImage of a sampled image; None where the id is something else."""
    kind = definitions.get(definitions[sampled_image].type_id)
    return definitions[kind.words[1]] if kind is not None and kind.opcode == Op.TypeSampledImage else None


def rows_meant(source: Origin, elements: Elements, module: Module) -> tuple[int | None, list[Lowering]]:
    """Return the array element that is meant, where that is known, and the lowerings of all that can be meant."""
    index = _flat_index(source, module)
    if index is not None:
        return index, [elements.of(index)]
    if elements.all:
        return None, [elements.of(0)]
    length = len(elements.rows) + 1 if source.open else prod(one or 0 for one in source.lengths)
    return None, [elements.of(n) for n in range(length)]


def _flat_index(source: Origin, module: Module) -> int | None:
    flat = 0
    for at, (ident, length) in enumerate(zip(source.indexes, source.lengths, strict=True)):
        value = module.constant_value(ident)
        if value is None or (at and length is None):
            return None
        flat = flat * (length or 0) + value
    return flat


def dynamic_index(emit: Emitter, source: Origin) -> Word | None:
    """Write the flattened index as a 32-bit unsigned integer; None for indices of other widths."""
    flat: Word | None = None
    for ident, length in zip(source.indexes, source.lengths, strict=True):
        kind = emit.editor.definitions[emit.type_of(ident)]
        if kind.opcode != Op.TypeInt or kind.words[1] != _WORD_BITS or (flat is not None and length is None):
            return None
        one = emit.word(ident).to(Kind.UINT)
        flat = flat * length + one if flat is not None and length is not None else one
    return flat


def selected(index: Word, flags: Sequence[bool]) -> Word:
    """Write whether the element at ``index`` has its flag set, as a boolean; one mask word for every 32 elements."""
    which = index >> 5
    word = index.like(0)
    for at in range(0, len(flags), _WORD_BITS):
        mask = sum(flag << bit for bit, flag in enumerate(flags[at : at + _WORD_BITS]))
        if mask:
            word = which.equals(at // _WORD_BITS).select(index.like(mask), word)
    return (word >> (index & 31) & 1).differs(0)
