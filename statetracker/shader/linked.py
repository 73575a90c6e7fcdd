"""Questions of front ends about modules: which samplers there are; and `linked`, which numbers stages by names.

glslang numbers each stage by itself, so what one stage gives would not be what the next one takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError, ModuleError
from statetracker.shader.origin import ARRAYS, array_length, leaf, resources, texel_kind
from statetracker.spirv import Editor, Module
from statetracker.spirv.names import Decoration, Dim, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.shader.block_values import Descriptor
    from statetracker.spirv import Instruction


class SampledVariable(NamedTuple):
    """A combined image sampler.

    Attributes:
        name: As the shader calls it; ``set:binding`` where the module has no names.
        place: Its (set, binding).
        elements: Of an array of samplers, nested ones multiplied; 1: no array.
        kind: ``float``, ``sint`` or ``uint``: what its texels are.
        compares: It is a shadow sampler.
        shape: Of what it samples: VkImageViewType without prefix, RECT or BUFFER; with _MS for several samples.
    """

    name: str
    place: Descriptor
    elements: int
    kind: str
    compares: bool
    shape: str


_SHOWN: Final = (
    *(StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer),
    *(StorageClass.Input, StorageClass.Output),
)
#: OpTypeImage's Dim -> what begins the name of its views' shape.
_SHAPES: Final = {
    Dim.Dim1D: "1D", Dim.Dim2D: "2D", Dim.Dim3D: "3D", Dim.Cube: "CUBE", Dim.Rect: "RECT", Dim.Buffer: "BUFFER",
}  # fmt: skip


def sampled_variables(module: bytes) -> tuple[tuple[SampledVariable, ...], frozenset[Descriptor]]:
    """Return a module's combined image samplers, and the places of everything else that is bound to it.

    Args:
        module: Its bytes.

    Raises:
        ModuleError: A broken module.
        ArgumentError: Two samplers in one place, which only a program with names of uniforms could tell apart, or an
            array whose length is not known.
    """
    read, found = Module.read(module), list[SampledVariable]()
    others: set[Descriptor] = set()
    try:
        for place, one in resources(read):
            kind = leaf(read, one)
            if kind.opcode != Op.TypeSampledImage:
                others.add(place)
                continue
            image = read.definitions[kind.words[1]]
            name = read.names.get(one.result) or "{}:{}".format(*place)
            if place in {known.place for known in found}:
                hint = "Give each sampler a layout(binding = ...) of its own."
                raise ArgumentError(name, place, accepted="one sampler in a place", hint=hint)
            shape = _SHAPES[image.words[2]] + "_ARRAY" * image.words[4] + "_MS" * image.words[5]
            kinds = texel_kind(read, image), image.words[3] == 1, shape
            found.append(SampledVariable(name, place, array_length(read, one), *kinds))
    except (KeyError, IndexError) as error:
        raise ModuleError(5, "its samplers' types do not fit together") from error
    for variable in found:
        if not variable.elements:
            raise ArgumentError(variable.name, "no length", accepted="samplers, and arrays of them with a length")
    return tuple(found), frozenset(others)


def separate_samplers(module: bytes) -> list[str]:
    """Return the names of a module's samplers without a texture, of which a shader makes a pair itself."""
    read = Module.read(module)
    apart = [one for _, one in resources(read) if leaf(read, one).opcode == Op.TypeSampler]
    return [read.names.get(one.result) or f"%{one.result}" for one in apart]


def names_of(module: bytes) -> list[str]:
    """Return the names of a module's uniforms, blocks, inputs and outputs, as a program asks for them."""
    read, found = Module.read(module), list[str]()
    for one in read.variables:
        if one.words[2] in _SHOWN:
            kind = leaf(read, one)
            block = kind.opcode == Op.TypeStruct and one.words[2] != StorageClass.UniformConstant
            found.append(read.names.get(kind.result if block else one.result, ""))
    return [name for name in found if name and not name.startswith("gl_")]


def linked(modules: Mapping[str, bytes], *, units: bool = True) -> tuple[dict[str, bytes], str]:
    """Return the modules of a program's GLSL, and why they cannot be rewritten for OpenGL; empty: they can.

    Args:
        modules: ``vertex`` and ``fragment``: inputs of the latter get the locations of the former's outputs.
        units: Samplers get units from 0 on as bindings, the same in both stages; so do the locations of uniforms, of
            which NVIDIA's linker wants one of each name, and of one name alone.
    """
    read = {stage: Module.read(module) for stage, module in modules.items()}
    why, made = "", dict[str, bytes]()
    bindings, locations = dict[str, range](), dict[str, range]()
    sent = {name: location for name, _, location in _interface(read["vertex"], StorageClass.Output)}
    for stage in ("fragment", "vertex"):
        module, wanted = read[stage], dict[tuple[int, int], int]()
        for _, one in resources(module) if units else ():
            name, kind = module.names.get(one.result, ""), leaf(module, one).opcode
            if kind == Op.TypeSampledImage:
                wanted[one.result, Decoration.Binding] = _number(bindings, name, array_length(module, one))
            if one.words[2] != StorageClass.UniformConstant:
                continue
            wanted[one.result, Decoration.Location] = _number(locations, name, _locations(module, module.held(one)))
            if kind not in {Op.TypeSampledImage, Op.TypeImage}:
                why = f"uniform {name} is in no block with a layout(binding = ...), and SPIR-V has no names of uniforms"
        if stage == "fragment":
            inputs = _interface(module, StorageClass.Input)
            wanted |= {(ident, Decoration.Location): sent[name] for name, ident, _ in inputs if name in sent}
        editor = Editor(module)
        for (ident, decoration), number in wanted.items():
            editor.decorate(ident, decoration, number)
        kept = [one for one in editor.body if one.opcode != Op.Decorate or (*one.words[:2],) not in wanted]
        made[stage] = editor.finish(kept).to_bytes() if wanted else modules[stage]
    return made, why


def _locations(module: Module, kind: Instruction) -> int:
    """Return how many locations a uniform takes: one for each member of a structure, and element of an array."""
    if kind.opcode in ARRAYS:
        length = module.constant_value(kind.words[2]) or 1 if kind.opcode == Op.TypeArray else 1
        return length * _locations(module, module.definitions[kind.words[1]])
    members = kind.words[1:] if kind.opcode == Op.TypeStruct else ()
    return sum(_locations(module, module.definitions[member]) for member in members) or 1


def _number(numbers: dict[str, range], name: str, length: int) -> int:
    """Return the first of a name's numbers, which are the next free ones where it has none yet."""
    free = next(reversed(numbers.values())).stop if numbers else 0
    return numbers.setdefault(name, range(free, free + length)).start


def _interface(module: Module, storage: int) -> Iterator[tuple[str, int, int]]:
    """Yield name, id and location of what a stage takes or gives; a block is known by the name of its type."""
    for one in module.variables:
        said = module.decorations.get(one.result, {})
        if one.words[2] == storage and Decoration.Location in said:
            kind = leaf(module, one)
            block = kind.opcode == Op.TypeStruct and Decoration.Block in module.decorations.get(kind.result, {})
            if name := module.names.get(kind.result if block else one.result):
                yield name, one.result, said[Decoration.Location][0]
