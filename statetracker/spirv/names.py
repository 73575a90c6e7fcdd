"""Numbers of opcodes and enumerants by their names in the specification: those that are used here.

Written by tools/codegen/make_spirv_grammar.py; do not edit. `opcode` gives any opcode by its name.
"""

from __future__ import annotations


class Op:
    """Op*: the names are without that prefix."""

    Name, Line, Extension, ExtInstImport, ExtInst, MemoryModel, EntryPoint, ExecutionMode = 5, 8, 10, 11, 12, 14, 15, 16
    Capability, TypeVoid, TypeBool, TypeInt, TypeFloat, TypeVector, TypeMatrix = 17, 19, 20, 21, 22, 23, 24
    TypeImage, TypeSampler, TypeSampledImage, TypeArray, TypeRuntimeArray, TypeStruct = 25, 26, 27, 28, 29, 30
    TypePointer, TypeFunction, TypeForwardPointer, Constant, ConstantComposite, ConstantNull = 32, 33, 39, 43, 44, 46
    SpecConstantTrue, SpecConstantFalse, SpecConstant, SpecConstantComposite, SpecConstantOp = 48, 49, 50, 51, 52
    Function, FunctionParameter, FunctionEnd, FunctionCall, Variable, Load, AccessChain = 54, 55, 56, 57, 59, 61, 65
    InBoundsAccessChain, Decorate, MemberDecorate, GroupDecorate, GroupMemberDecorate = 66, 71, 72, 74, 75
    CompositeConstruct, CompositeExtract, CopyObject, SampledImage, ImageSampleImplicitLod = 80, 81, 83, 86, 87
    ImageSampleExplicitLod, ImageSampleDrefImplicitLod, ImageSampleDrefExplicitLod = 88, 89, 90
    ImageSampleProjImplicitLod, ImageSampleProjExplicitLod, ImageSampleProjDrefImplicitLod = 91, 92, 93
    ImageSampleProjDrefExplicitLod, ImageFetch, ImageGather, ImageDrefGather, Image = 94, 95, 96, 97, 100
    ImageQuerySizeLod, ImageQuerySize, ImageQueryLod, ImageQueryLevels, ImageQuerySamples = 103, 104, 105, 106, 107
    FAdd, FSub, FMul, FDiv, VectorTimesScalar, Select, DPdx, DPdy, Phi = 129, 131, 133, 136, 142, 169, 207, 208, 245
    Label, Branch, BranchConditional, Switch, Kill, Return, ReturnValue = 248, 249, 250, 251, 252, 253, 254
    Unreachable, ImageSparseSampleImplicitLod, ImageSparseSampleExplicitLod = 255, 305, 306
    ImageSparseSampleDrefImplicitLod, ImageSparseSampleDrefExplicitLod, ImageSparseFetch = 307, 308, 313
    ImageSparseGather, ImageSparseDrefGather, NoLine, DecorateId, TerminateInvocation = 314, 315, 317, 332, 4416
    IgnoreIntersectionKHR, TerminateRayKHR, ImageSampleFootprintNV, EmitMeshTasksEXT = 4448, 4449, 5283, 5294
    DecorateString = 5632


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
