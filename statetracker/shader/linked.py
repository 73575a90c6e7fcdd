"""`linked`: the modules of a program's stages numbered by names, as GL links GLSL.

glslang numbers each stage by itself, so what one stage gives would not be what the next one takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.origin import leaf, resources
from statetracker.shader.sampled_variables import elements
from statetracker.spirv import Editor, Module
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LOCATION: Final = 30


def linked(modules: Mapping[str, bytes], *, units: bool = True) -> tuple[dict[str, bytes], str]:
    """Return the modules of a program's GLSL, and why they cannot be rewritten for OpenGL; empty: they can.

    modules   ``vertex`` and ``fragment``: inputs of the latter get the locations of the former's outputs
    units     samplers get units from 0 on as bindings, the same in both stages
    """
    read = {stage: Module.read(module) for stage, module in modules.items()}
    why, numbers, made, free = "", dict[str, int](), dict[str, bytes](), 0
    sent = {name: location for name, _, location in _interface(read["vertex"], StorageClass.Output)}
    for stage in ("fragment", "vertex"):
        module, wanted = read[stage], dict[tuple[int, int], int]()
        for _, one in resources(module) if units else ():
            name, kind = module.names.get(one.result, ""), leaf(module, one).opcode
            if kind == Op.TypeSampledImage:
                if name not in numbers:
                    numbers[name], free = free, free + elements(module, one.words[0])
                wanted[one.result, Decoration.Binding] = numbers[name]
            elif one.words[2] == StorageClass.UniformConstant and kind != Op.TypeImage:
                why = f"uniform {name} is in no block with a layout(binding = ...), and SPIR-V has no names of uniforms"
        if stage == "fragment":
            inputs = _interface(module, StorageClass.Input)
            wanted |= {(ident, _LOCATION): sent[name] for name, ident, _ in inputs if name in sent}
        editor = Editor(module)
        editor.body = [one for one in editor.body if one.opcode != Op.Decorate or (*one.words[:2],) not in wanted]
        for (ident, decoration), number in wanted.items():
            editor.decorate(ident, decoration, number)
        made[stage] = editor.finish().to_bytes() if wanted else modules[stage]
    return made, why


def _interface(module: Module, storage: int) -> Iterator[tuple[str, int, int]]:
    """Yield name, id and location of what a stage takes or gives; a block is known by the name of its type."""
    for one in module.instructions:
        said = module.decorations.get(one.result, {}) if one.opcode == Op.Variable else {}
        if one.opcode == Op.Variable and one.words[2] == storage and _LOCATION in said:
            kind = leaf(module, one)
            block = kind.opcode == Op.TypeStruct and Decoration.Block in module.decorations.get(kind.result, {})
            if name := module.names.get(kind.result if block else one.result):
                yield name, one.result, said[_LOCATION][0]
