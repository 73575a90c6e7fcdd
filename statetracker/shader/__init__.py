"""GL_CLAMP and GL_MIRROR_CLAMP_EXT emulated in a shader: rewrites its SPIR-V module.

`lower` takes a module and, for each descriptor, the axes to clamp; see docs/shader_clamp.md. `VariantKeys` makes and
compares the keys of a front end's variants. `ModuleVariants` holds what was rewritten, for a front end's loop.
"""

from __future__ import annotations

from statetracker.shader.block_values import border_values
from statetracker.shader.lower import lower
from statetracker.shader.module_key import ModuleKey
from statetracker.shader.module_variants import ModuleVariants, VariantStatistics
from statetracker.shader.request import Lowered, Note
from statetracker.shader.variants import KEY_KINDS, VariantKeys, VariantList

__all__ = [
    "KEY_KINDS",
    "Lowered",
    "ModuleKey",
    "ModuleVariants",
    "Note",
    "VariantKeys",
    "VariantList",
    "VariantStatistics",
    "border_values",
    "lower",
]
