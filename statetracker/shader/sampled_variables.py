"""`sampled_variables`: what a module samples, by name and place."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from statetracker.errors import ArgumentError, ModuleError
from statetracker.shader.origin import leaf, resources
from statetracker.spirv import Module
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from statetracker.shader.block_values import Descriptor


class SampledVariable(NamedTuple):
    """A combined image sampler.

    name       as the shader calls it; ``set:binding`` where the module has no names
    place      its (set, binding)
    elements   of an array of samplers, nested ones multiplied; 1: no array
    kind       ``float``, ``sint`` or ``uint``: what its texels are
    compares   it is a shadow sampler
    """

    name: str
    place: Descriptor
    elements: int
    kind: str
    compares: bool


def sampled_variables(module: bytes) -> tuple[tuple[SampledVariable, ...], frozenset[Descriptor]]:
    """Return a module's combined image samplers, and the places of everything else that is bound to it.

    Raises `ModuleError` for a broken module; `ArgumentError` for two samplers in one place, which only a program with
    names of uniforms could tell apart, and for an array whose length is not known.
    """
    read, found = Module.read(module), list[SampledVariable]()
    others: set[Descriptor] = set()
    try:
        for place, one in resources(read):
            kind = leaf(read, one)
            if kind.opcode != Op.TypeSampledImage:
                others.add(place)
                continue
            image = read.definitions[kind.words[1]].words
            texel = read.definitions[image[1]]
            texels = "float" if texel.opcode == Op.TypeFloat else "sint" if texel.words[2] else "uint"
            name = read.names.get(one.result) or "{}:{}".format(*place)
            if place in {known.place for known in found}:
                hint = "Give each sampler a layout(binding = ...) of its own."
                raise ArgumentError(name, place, accepted="one sampler in a place", hint=hint)
            found.append(SampledVariable(name, place, elements(read, one.words[0]), texels, image[3] == 1))
    except (KeyError, IndexError) as error:
        raise ModuleError(5, "its samplers' types do not fit together") from error
    for variable in found:
        if not variable.elements:
            raise ArgumentError(variable.name, "no length", accepted="samplers, and arrays of them with a length")
    return tuple(found), frozenset(others)


def elements(module: Module, pointer: int) -> int:
    """Return the length of the array that a pointer's type points to, nested ones multiplied; 1: it is none."""
    kind, counts = module.definitions[module.definitions[pointer].words[2]], []
    while kind.opcode in {Op.TypeArray, Op.TypeRuntimeArray}:
        counts.append((module.constant_value(kind.words[2]) or 0) if kind.opcode == Op.TypeArray else 0)
        kind = module.definitions[kind.words[1]]
    return prod(counts)
