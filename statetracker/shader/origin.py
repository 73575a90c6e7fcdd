"""Which sampler an instruction samples with: the walk from a sampled image back to its variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.spirv import Instruction, Module

ACCESS_CHAINS: Final = (Op.AccessChain, Op.InBoundsAccessChain)
_SAME: Final = frozenset({Op.Load, Op.CopyObject, Op.Image})
_ARRAYS: Final = frozenset({Op.TypeArray, Op.TypeRuntimeArray})
_BLOCKS: Final = frozenset({StorageClass.Uniform, StorageClass.StorageBuffer})
_STEPS: Final = 64  # no module of a compiler is deeper; a damaged one may go round in circles


class Origin(NamedTuple):
    """A sampler's variable: descriptor, index ids and the lengths they index (None: not known), outermost first."""

    descriptor: tuple[int, int]
    indexes: tuple[int, ...]
    lengths: tuple[int | None, ...]


class Unknown(NamedTuple):
    """Why a sampler is not known."""

    reason: str


def origin(ident: int, definitions: Mapping[int, Instruction], module: Module) -> Origin | Unknown:
    """Walk from a sampled image, a sampler or a pointer to its variable."""
    indexes: tuple[int, ...] = ()
    for _ in range(_STEPS):
        one = definitions[ident]
        if one.opcode == Op.Variable:
            return _at_variable(one, indexes, definitions, module)
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


def _at_variable(
    one: Instruction, indexes: tuple[int, ...], definitions: Mapping[int, Instruction], module: Module
) -> Origin | Unknown:
    if one.words[2] != StorageClass.UniformConstant:
        return Unknown(f"the sampler is a variable of storage class {one.words[2]}")
    kind = definitions[definitions[one.words[0]].words[2]]
    lengths: list[int | None] = []
    for _ in indexes:
        if kind.opcode not in _ARRAYS:
            return Unknown(f"the sampler is part of a {kind.name}")
        lengths.append(module.constant_value(kind.words[2]) if kind.opcode == Op.TypeArray else None)
        kind = definitions[kind.words[1]]
    return Origin(descriptor_of(module, one), indexes, tuple(lengths))


def descriptor_of(module: Module, variable: Instruction) -> tuple[int, int]:
    """The (set, binding) of a variable; 0 where it is decorated with none."""
    said = module.decorations.get(variable.words[1], {})
    return said.get(Decoration.DescriptorSet, (0,))[0], said.get(Decoration.Binding, (0,))[0]


def resources(module: Module) -> Iterator[tuple[tuple[int, int], Instruction]]:
    """The (set, binding) of each variable that something is bound to, and the variable; OpenGL numbers kinds apart."""
    for one in module.instructions:
        bound = one.opcode == Op.Variable and Decoration.Binding in module.decorations.get(one.words[1], {})
        if (bound and one.words[2] in _BLOCKS) or (one.opcode == Op.Variable and not one.words[2]):
            yield descriptor_of(module, one), one


def leaf(module: Module, variable: Instruction) -> Instruction:
    """The type of a variable, of one element where it is an array."""
    kind = module.definitions[module.definitions[variable.words[0]].words[2]]
    while kind.opcode in _ARRAYS:
        kind = module.definitions[kind.words[1]]
    return kind


def image_type(sampled_image: int, definitions: Mapping[int, Instruction]) -> Instruction | None:
    """The OpTypeImage of a sampled image; None where the id is something else."""
    kind = definitions.get(definitions[sampled_image].type_id)
    if kind is None or kind.opcode != Op.TypeSampledImage:
        return None
    return definitions[kind.words[1]]
