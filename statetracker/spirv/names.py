"""Numbers of opcodes and enumerants by their names in the specification: those that are used here.

Written by tools/codegen/make_spirv_grammar.py; do not edit. `opcode` gives any opcode by its name.
"""

from __future__ import annotations


class Op:
    """Op*: the names are without that prefix."""

    Undef, Name, Line, Extension, ExtInstImport, ExtInst, MemoryModel, EntryPoint = 1, 5, 8, 10, 11, 12, 14, 15
    ExecutionMode, Capability, TypeVoid, TypeBool, TypeInt, TypeFloat, TypeVector = 16, 17, 19, 20, 21, 22, 23
    TypeMatrix, TypeImage, TypeSampler, TypeSampledImage, TypeArray, TypeRuntimeArray = 24, 25, 26, 27, 28, 29
    TypeStruct, TypePointer, TypeFunction, TypeForwardPointer, Constant, ConstantComposite = 30, 32, 33, 39, 43, 44
    ConstantNull, SpecConstantTrue, SpecConstantFalse, SpecConstant, SpecConstantComposite = 46, 48, 49, 50, 51
    SpecConstantOp, Function, FunctionParameter, FunctionEnd, FunctionCall, Variable, Load = 52, 54, 55, 56, 57, 59, 61
    AccessChain, InBoundsAccessChain, Decorate, MemberDecorate, GroupDecorate = 65, 66, 71, 72, 74
    GroupMemberDecorate, CompositeConstruct, CompositeExtract, CopyObject, SampledImage = 75, 80, 81, 83, 86
    ImageSampleImplicitLod, ImageSampleExplicitLod, ImageSampleDrefImplicitLod = 87, 88, 89
    ImageSampleDrefExplicitLod, ImageSampleProjImplicitLod, ImageSampleProjExplicitLod = 90, 91, 92
    ImageSampleProjDrefImplicitLod, ImageSampleProjDrefExplicitLod, ImageFetch, ImageGather = 93, 94, 95, 96
    ImageDrefGather, Image, ImageQuerySizeLod, ImageQuerySize, ImageQueryLod = 97, 100, 103, 104, 105
    ImageQueryLevels, ImageQuerySamples, FAdd, FSub, FMul, FDiv, VectorTimesScalar = 106, 107, 129, 131, 133, 136, 142
    Select, DPdx, DPdy, Phi, Label, Branch, BranchConditional, Switch = 169, 207, 208, 245, 248, 249, 250, 251
    Kill, Return, ReturnValue, Unreachable, ImageSparseSampleImplicitLod = 252, 253, 254, 255, 305
    ImageSparseSampleExplicitLod, ImageSparseSampleDrefImplicitLod, ImageSparseSampleDrefExplicitLod = 306, 307, 308
    ImageSparseFetch, ImageSparseGather, ImageSparseDrefGather, NoLine, DecorateId = 313, 314, 315, 317, 332
    TerminateInvocation, IgnoreIntersectionKHR, TerminateRayKHR, ImageSampleFootprintNV = 4416, 4448, 4449, 5283
    EmitMeshTasksEXT, DecorateString = 5294, 5632


class Capability:
    """Capability*: the names are without that prefix."""

    MinLod, ImageQuery = 42, 50


class Decoration:
    """Decoration*: the names are without that prefix."""

    RelaxedPrecision, Block, ArrayStride, BuiltIn, Component, Binding, DescriptorSet = 0, 2, 6, 11, 31, 33, 34
    Offset, LinkageAttributes, NonUniform = 35, 41, 5300


class Dim:
    """Dim*: the names are without that prefix."""

    Dim1D, Dim2D, Dim3D, Cube, Rect, Buffer = 0, 1, 2, 3, 4, 5


class ExecutionMode:
    """ExecutionMode*: the names are without that prefix."""

    DerivativeGroupQuadsNV, DerivativeGroupLinearNV = 5289, 5290


class ExecutionModel:
    """ExecutionModel*: the names are without that prefix."""

    Fragment = 4


class ImageOperands:
    """ImageOperands*: the names are without that prefix."""

    Bias, Lod, Grad, ConstOffset, Offset, ConstOffsets, Sample, MinLod, Offsets = 1, 2, 4, 8, 16, 32, 64, 128, 65536


class StorageClass:
    """StorageClass*: the names are without that prefix."""

    UniformConstant, Input, Uniform, Output, PushConstant, StorageBuffer = 0, 1, 2, 3, 9, 12
