"""Enumerants of SPIR-V that naga and Tint both know, by their names; WGSL's for formats and built-in variables.

Each was declared in a module by itself and given to wgpu-py 0.32 and Dawn 133.
"""

from __future__ import annotations

from typing import Final

from statetracker.shader.origin import ACCESS_CHAINS
from statetracker.spirv import Instruction, Module, text_of
from statetracker.spirv.grammar import enumerants
from statetracker.spirv.names import BuiltIn, Decoration, ExecutionModel, Op

# fmt: off
CAPABILITIES: Final = {
    "Matrix", "Shader", "Float16", "Float64", "Int64", "Int64Atomics", "Int16", "Int8", "Geometry", "ClipDistance",
    "CullDistance", "StorageImageMultisample", "UniformBufferArrayDynamicIndexing", "StorageBufferArrayDynamicIndexing",
    "ImageCubeArray", "SampleRateShading", "Sampled1D", "Image1D", "SampledCubeArray", "StorageImageExtendedFormats",
    "ImageQuery", "DerivativeControl", "GroupNonUniform", "GroupNonUniformVote", "GroupNonUniformArithmetic",
    "GroupNonUniformBallot", "GroupNonUniformShuffle", "GroupNonUniformShuffleRelative", "StorageBuffer16BitAccess",
    "UniformAndStorageBuffer16BitAccess",
}
EXTENSIONS: Final = {
    "SPV_EXT_descriptor_indexing", "SPV_EXT_shader_atomic_float_add", "SPV_KHR_16bit_storage",
    "SPV_KHR_fragment_shader_barycentric", "SPV_KHR_multiview", "SPV_KHR_non_semantic_info",
    "SPV_KHR_storage_buffer_storage_class", "SPV_KHR_vulkan_memory_model",
}
FORMATS: Final = {
    "Rgba8", "Rgba8Snorm", "Rgba8ui", "Rgba8i", "Rgba16ui", "Rgba16i", "Rgba16f", "R32ui", "R32i", "R32f", "Rg32ui",
    "Rg32i", "Rg32f", "Rgba32ui", "Rgba32i", "Rgba32f",
}
BUILT_INS: Final = {
    "Position", "PointSize", "VertexId", "InstanceId", "VertexIndex", "InstanceIndex", "FragCoord", "PointCoord",
    "FrontFacing", "SampleId", "SampleMask", "FragDepth", "NumWorkgroups", "WorkgroupSize", "WorkgroupId",
    "LocalInvocationId", "GlobalInvocationId", "LocalInvocationIndex",
}
# fmt: on
MODES: Final = {"OriginUpperLeft", "OriginLowerLeft", "DepthReplacing", "LocalSize"}
#: Modes that promise something of a depth that is written, and change nothing.
PROMISES: Final = {"DepthGreater", "DepthLess", "DepthUnchanged"}
STAGES: Final = (ExecutionModel.Vertex, ExecutionModel.Fragment, ExecutionModel.GLCompute)
#: The bits of 1.0.
ONE: Final = 0x3F800000
#: Opcode -> the kind of what it declares, and that operand.
_DECLARED: Final = {
    Op.Capability: ("Capability", 0),
    Op.ExecutionMode: ("ExecutionMode", 1),
    Op.Decorate: ("BuiltIn", 2),
    Op.TypeImage: ("ImageFormat", 7),
}


def named(one: Instruction) -> str:
    """Return the name of the capability, extension, mode, built-in or image format that an instruction declares."""
    if one.opcode == Op.Extension:
        return text_of(one.words)[0]
    kind, at = _DECLARED[one.opcode]
    return name_of(kind, one.words[at])


def name_of(kind: str, number: int) -> str:
    """Return an enumerant's name; its number where the grammar does not know it."""
    row = enumerants()[kind].get(number)
    return row.name if row else str(number)


def built_ins(module: Module) -> set[tuple[int, int]]:
    """Variables that are built in and structures with such members, each with the number."""
    members = ((ident, said) for (ident, _), said in module.member_decorations.items())
    every = (*module.decorations.items(), *members)
    return {(ident, number) for ident, said in every for number in said.get(Decoration.BuiltIn, ())}


def pointers(module: Module) -> dict[int, int]:
    """Id of a pointer to a built-in variable, a member of a block too -> its number; of other members, Position's."""
    led = {at: said[Decoration.BuiltIn][0] for at, said in module.decorations.items() if Decoration.BuiltIn in said}
    members = module.member_decorations
    for one in module.instructions if any(Decoration.BuiltIn in said for said in members.values()) else ():
        if one.opcode in ACCESS_CHAINS and len(one.words) > 3:
            member = module.held(module.definitions[one.words[2]]).result, module.constant_value(one.words[3]) or 0
            led[one.result] = members.get(member, {}).get(Decoration.BuiltIn, (BuiltIn.Position,))[0]
    return led
