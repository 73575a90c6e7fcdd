"""Rectangle images of a module made 2D images, for a device without rectangles. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.origin import leaf, resources
from statetracker.spirv import Editor, Instruction, id_positions, literal_words_in, without
from statetracker.spirv.names import Capability, Dim, Op

if TYPE_CHECKING:
    from collections.abc import Collection

    from statetracker.spirv import Module

#: Types of which a module has one each, that an image's dimension may make equal.
_ONCE: Final = (Op.TypeImage, Op.TypeSampledImage, Op.TypePointer, Op.TypeFunction)


def rectangles(module: Module) -> dict[tuple[int, int], int]:
    """Descriptor -> the id of its image type, of the module's rectangle images."""
    kinds = {}
    for place, one in resources(module):
        kind = leaf(module, one)
        kind = module.definitions[kind.words[1]] if kind.opcode == Op.TypeSampledImage else kind
        if kind.opcode == Op.TypeImage and kind.words[2] == Dim.Rect:
            kinds[place] = kind.result
    return kinds


def as_2d(module: Module, images: Collection[int]) -> Module:
    """Give image types the dimension 2D; types that become equal to others are replaced by those.

    A size that is asked of such an image is that of level 0.
    """
    editor = Editor(module)
    editor.capability(Capability.ImageQuery)
    renamed: dict[int, int] = {}
    known: dict[tuple[int, ...], int] = {}
    body: list[Instruction] = []
    for one in module.instructions:
        words = list(one.words)
        if one.opcode == Op.TypeImage and one.result in images:
            words[2] = Dim.Dim2D
        for at in id_positions(one, lambda value: literal_words_in(editor.definitions, one, value)):  # noqa: B023
            words[at] = renamed.get(words[at], words[at])
        if one.opcode in _ONCE:
            key = (one.opcode, *words[1:])
            if key in known:
                renamed[one.result] = known[key]
                continue
            known[key] = one.result
        made = one.copy(words)
        if one.opcode == Op.ImageQuerySize and module.definitions[one.words[2]].type_id in images:
            made = one.copy([*words, editor.constant(editor.type_int(signed=True), 0)])
            made.opcode = Op.ImageQuerySizeLod
        body.append(made)
    editor.body = without(body, set(renamed))
    return editor.finish()
