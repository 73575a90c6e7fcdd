"""Which sampler an instruction samples with: the walk from a sampled image back to its variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.spirv import Instruction, Module

__all__ = ["Origin", "Unknown", "image_type", "origin"]

LOAD, ACCESS_CHAINS, COPY, VARIABLE, SAMPLED_IMAGE = 61, (65, 66), 83, 59, 86
PARAMETER = 55
_ARRAY, _RUNTIME_ARRAY, _POINTER = 28, 29, 32
_SET, _BINDING = 34, 33
_UNIFORM_CONSTANT = 0
_STEPS: Final = 64  # no module of a compiler is deeper; a damaged one may go round in circles


class Origin(NamedTuple):
    """A sampler's variable: descriptor, index ids and the lengths they index (None: not known), outermost first."""

    descriptor: tuple[int, int]
    indexes: tuple[int, ...]
    lengths: tuple[int | None, ...]


class Unknown(NamedTuple):
    """Why a sampler could not be found."""

    reason: str


def origin(ident: int, definitions: Mapping[int, Instruction], module: Module) -> Origin | Unknown:
    """Walk from a sampled image, a sampler or a pointer to its variable."""
    indexes: tuple[int, ...] = ()
    for _ in range(_STEPS):
        one = definitions[ident]
        if one.opcode == VARIABLE:
            return _at_variable(one, indexes, definitions, module)
        if one.opcode == SAMPLED_IMAGE:
            ident = one.words[3]
        elif one.opcode in {LOAD, COPY}:
            ident = one.words[2]
        elif one.opcode in ACCESS_CHAINS:
            ident, indexes = one.words[2], (*one.words[3:], *indexes)
        else:
            what = "a parameter of its function" if one.opcode == PARAMETER else f"made by {one.name}"
            return Unknown(f"the sampler is {what}")
    return Unknown("the sampler's definition goes round in a circle")


def _at_variable(
    one: Instruction, indexes: tuple[int, ...], definitions: Mapping[int, Instruction], module: Module
) -> Origin | Unknown:
    if one.words[2] != _UNIFORM_CONSTANT:
        return Unknown(f"the sampler is a variable of storage class {one.words[2]}")
    pointer = definitions[one.words[0]]
    kind = definitions[pointer.words[2]] if pointer.opcode == _POINTER else pointer
    lengths: list[int | None] = []
    for _ in indexes:
        if kind.opcode not in {_ARRAY, _RUNTIME_ARRAY}:
            return Unknown(f"the sampler is part of a {kind.name}")
        lengths.append(module.constant_value(kind.words[2]) if kind.opcode == _ARRAY else None)
        kind = definitions[kind.words[1]]
    said = module.decorations.get(one.result, {})
    descriptor = (said.get(_SET, (0,))[0], said.get(_BINDING, (0,))[0])
    return Origin(descriptor, indexes, tuple(lengths))


def image_type(sampled_image: int, definitions: Mapping[int, Instruction]) -> Instruction | None:
    """The OpTypeImage of a sampled image; None where the id is something else."""
    kind = definitions.get(definitions[sampled_image].type_id)
    if kind is None or kind.opcode != 27:
        return None
    return definitions[kind.words[1]]
