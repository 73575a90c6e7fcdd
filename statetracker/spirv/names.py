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
    SpecConstantOp, Function, FunctionParameter, FunctionEnd, FunctionCall, Variable = 52, 54, 55, 56, 57, 59
    ImageTexelPointer, Load, Store, AccessChain, InBoundsAccessChain, Decorate = 60, 61, 62, 65, 66, 71
    MemberDecorate, GroupDecorate, GroupMemberDecorate, VectorShuffle, CompositeConstruct = 72, 74, 75, 79, 80
    CompositeExtract, CopyObject, SampledImage, ImageSampleImplicitLod, ImageSampleExplicitLod = 81, 83, 86, 87, 88
    ImageSampleDrefImplicitLod, ImageSampleDrefExplicitLod, ImageSampleProjImplicitLod = 89, 90, 91
    ImageSampleProjExplicitLod, ImageSampleProjDrefImplicitLod, ImageSampleProjDrefExplicitLod = 92, 93, 94
    ImageFetch, ImageGather, ImageDrefGather, ImageRead, ImageWrite, Image = 95, 96, 97, 98, 99, 100
    ImageQuerySizeLod, ImageQuerySize, ImageQueryLod, ImageQueryLevels, ImageQuerySamples = 103, 104, 105, 106, 107
    FConvert, Bitcast, SNegate, FAdd, ISub, FSub, FMul, FDiv, SRem = 115, 124, 126, 129, 130, 131, 133, 136, 138
    SMod, VectorTimesScalar, OuterProduct, IAddCarry, ISubBorrow, UMulExtended = 139, 142, 147, 149, 150, 151
    SMulExtended, IsNan, IsInf, LogicalOr, LogicalAnd, Select, ShiftRightLogical = 152, 156, 157, 166, 167, 169, 194
    ShiftRightArithmetic, ShiftLeftLogical, DPdx, DPdy, DPdyFine, DPdyCoarse = 195, 196, 207, 208, 211, 214
    ControlBarrier, MemoryBarrier, Phi, LoopMerge, SelectionMerge, Label, Branch = 224, 225, 245, 246, 247, 248, 249
    BranchConditional, Switch, Kill, Return, ReturnValue, Unreachable = 250, 251, 252, 253, 254, 255
    ImageSparseSampleImplicitLod, ImageSparseSampleExplicitLod, ImageSparseSampleDrefImplicitLod = 305, 306, 307
    ImageSparseSampleDrefExplicitLod, ImageSparseFetch, ImageSparseGather, ImageSparseDrefGather = 308, 313, 314, 315
    ImageSparseTexelsResident, NoLine, DecorateId, TerminateInvocation = 316, 317, 332, 4416
    IgnoreIntersectionKHR, TerminateRayKHR, ImageSampleFootprintNV, EmitMeshTasksEXT = 4448, 4449, 5283, 5294
    DecorateString, MemberDecorateString = 5632, 5633


class BuiltIn:
    """BuiltIn*: the names are without that prefix."""

    Position, PointSize, VertexId, InstanceId, FragCoord, PointCoord, VertexIndex = 0, 1, 5, 6, 15, 16, 42
    InstanceIndex = 43


class Capability:
    """Capability*: the names are without that prefix."""

    Float16, ImageGatherExtended, SampledImageArrayDynamicIndexing, SampledRect, SparseResidency = 9, 25, 29, 37, 41
    MinLod, Sampled1D, SampledBuffer, ImageQuery, InterpolationFunction = 42, 43, 46, 50, 52
    StorageBuffer16BitAccess, UniformAndStorageBuffer16BitAccess, StoragePushConstant16 = 4433, 4434, 4435
    StorageInputOutput16, Float16ImageAMD, ShaderNonUniform, RuntimeDescriptorArray = 4436, 5008, 5301, 5302
    UniformTexelBufferArrayDynamicIndexing, SampledImageArrayNonUniformIndexing = 5304, 5307
    UniformTexelBufferArrayNonUniformIndexing = 5311


class Decoration:
    """Decoration*: the names are without that prefix."""

    RelaxedPrecision, Block, ArrayStride, MatrixStride, BuiltIn, NoPerspective, Flat = 0, 2, 6, 7, 11, 13, 14
    Centroid, Sample, Invariant, Volatile, Coherent, NonWritable, Location, Component = 16, 17, 18, 21, 23, 24, 30, 31
    Binding, DescriptorSet, Offset, LinkageAttributes, PerVertexKHR, NonUniform = 33, 34, 35, 41, 5285, 5300


class Dim:
    """Dim*: the names are without that prefix."""

    Dim1D, Dim2D, Dim3D, Cube, Rect, Buffer = 0, 1, 2, 3, 4, 5


class ExecutionMode:
    """ExecutionMode*: the names are without that prefix."""

    OriginUpperLeft, OriginLowerLeft, DerivativeGroupQuadsNV, DerivativeGroupLinearNV = 7, 8, 5289, 5290


class ExecutionModel:
    """ExecutionModel*: the names are without that prefix."""

    Vertex, Fragment, GLCompute = 0, 4, 5


class ImageOperands:
    """ImageOperands*: the names are without that prefix."""

    Bias, Lod, Grad, ConstOffset, Offset, ConstOffsets, Sample, MinLod, Offsets = 1, 2, 4, 8, 16, 32, 64, 128, 65536


class StorageClass:
    """StorageClass*: the names are without that prefix."""

    UniformConstant, Input, Uniform, Output, Workgroup, Private, PushConstant, StorageBuffer = 0, 1, 2, 3, 4, 6, 9, 12
