"""SPIR-V modules rewritten to do what samplers of a device lack: borders, GL_CLAMP, mirrors, LOD bias, filtering.

`lower` takes a module and, for each descriptor, a `statetracker.pipe.Lowering`; see docs/shader_lowering.md.
`border_values` packs the numbers that it reads. `VariantKeys` makes and compares the keys of a front end's variants.
`sample_function` prints it as text. `ModuleVariants` holds what was rewritten, for a front end's loop.
"""

from __future__ import annotations

from statetracker.shader.block_values import border_values
from statetracker.shader.lower import lower
from statetracker.shader.module_variants import ModuleKey, ModuleVariants, VariantStatistics
from statetracker.shader.request import Lowered, Note
from statetracker.shader.split import Split, SplitSampler, split_samplers
from statetracker.shader.text import SampleFunction, sample_function
from statetracker.shader.variants import KEY_KINDS, VariantKeys, VariantList

__all__ = [
    "KEY_KINDS",
    "Lowered",
    "ModuleKey",
    "ModuleVariants",
    "Note",
    "SampleFunction",
    "Split",
    "SplitSampler",
    "VariantKeys",
    "VariantList",
    "VariantStatistics",
    "border_values",
    "lower",
    "sample_function",
    "split_samplers",
]
