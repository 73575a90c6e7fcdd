"""A uniform block of vectors of four, at a (set, binding)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.spirv.names import Decoration, StorageClass

if TYPE_CHECKING:
    from statetracker.spirv import Editor

__all__ = ["uniform_block"]


def uniform_block(editor: Editor, vectors: int, place: tuple[int, int]) -> tuple[int, int]:
    """Declare a block at a (set, binding), an array of vectors of four: its variable, the type of a pointer to one."""
    uint = editor.type_int(signed=False)
    vector = editor.type_vector(uint, 4)
    array = editor.declare("OpTypeArray", vector, editor.constant(uint, vectors))
    editor.decorate(array, Decoration.ArrayStride, 16)
    block = editor.declare("OpTypeStruct", array)
    editor.decorate(block, Decoration.Block)
    editor.decorate_member(block, 0, Decoration.Offset, 0)
    variable = editor.variable(editor.declare("OpTypePointer", StorageClass.Uniform, block), StorageClass.Uniform)
    editor.decorate(variable, Decoration.DescriptorSet, place[0])
    editor.decorate(variable, Decoration.Binding, place[1])
    return variable, editor.declare("OpTypePointer", StorageClass.Uniform, vector)
