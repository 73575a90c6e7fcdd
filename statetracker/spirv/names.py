"""Numbers of opcodes and enumerants by their names in the specification: those that are used here.

Written by tools/codegen/make_spirv_grammar.py; do not edit. `opcode` gives any opcode by its name.
"""

from __future__ import annotations


class Op:
    """Op*: the names are without that prefix."""

    Undef, Name, Line, Extension, ExtInstImport, ExtInst, MemoryModel, EntryPoint = 1, 5, 8, 10, 11, 12, 14, 15
    ExecutionMode, Capability, TypeBool, TypeInt, TypeFloat, TypeVector, TypeMatrix = 16, 17, 20, 21, 22, 23, 24
    TypeImage, TypeSampler, TypeSampledImage, TypeArray, TypeRuntimeArray, TypeStruct = 25, 26, 27, 28, 29, 30
    TypePointer, TypeFunction, TypeForwardPointer, Constant, ConstantComposite, ConstantNull = 32, 33, 39, 43, 44, 46
    SpecConstantTrue, SpecConstantFalse, SpecConstant, SpecConstantComposite, SpecConstantOp = 48, 49, 50, 51, 52
    Function, FunctionParameter, FunctionEnd, FunctionCall, Variable, ImageTexelPointer = 54, 55, 56, 57, 59, 60
    Load, Store, AccessChain, InBoundsAccessChain, Decorate, MemberDecorate, GroupDecorate = 61, 62, 65, 66, 71, 72, 74
    GroupMemberDecorate, VectorShuffle, CompositeConstruct, CompositeExtract, CopyObject = 75, 79, 80, 81, 83
    SampledImage, ImageSampleImplicitLod, ImageSampleExplicitLod, ImageSampleDrefImplicitLod = 86, 87, 88, 89
    ImageSampleDrefExplicitLod, ImageSampleProjImplicitLod, ImageSampleProjExplicitLod = 90, 91, 92
    ImageSampleProjDrefImplicitLod, ImageSampleProjDrefExplicitLod, ImageFetch, ImageGather = 93, 94, 95, 96
    ImageDrefGather, ImageRead, ImageWrite, Image, ImageQuerySizeLod, ImageQuerySize = 97, 98, 99, 100, 103, 104
    ImageQueryLod, ImageQueryLevels, ImageQuerySamples, FConvert, Bitcast, SNegate = 105, 106, 107, 115, 124, 126
    FAdd, ISub, FSub, FMul, FDiv, SRem, SMod, VectorTimesScalar = 129, 130, 131, 133, 136, 138, 139, 142
    OuterProduct, IAddCarry, ISubBorrow, UMulExtended, SMulExtended, IsNan, IsInf = 147, 149, 150, 151, 152, 156, 157
    LogicalOr, LogicalAnd, Select, ShiftRightLogical, ShiftRightArithmetic = 166, 167, 169, 194, 195
    ShiftLeftLogical, DPdx, DPdy, DPdyFine, DPdyCoarse, ControlBarrier = 196, 207, 208, 211, 214, 224
    MemoryBarrier, Phi, LoopMerge, SelectionMerge, Label, Branch, BranchConditional = 225, 245, 246, 247, 248, 249, 250
    Switch, Kill, Return, ReturnValue, Unreachable, ImageSparseSampleImplicitLod = 251, 252, 253, 254, 255, 305
    ImageSparseSampleExplicitLod, ImageSparseSampleDrefImplicitLod, ImageSparseSampleDrefExplicitLod = 306, 307, 308
    ImageSparseFetch, ImageSparseGather, ImageSparseDrefGather, ImageSparseTexelsResident = 313, 314, 315, 316
    NoLine, DecorateId, TerminateInvocation, IgnoreIntersectionKHR, TerminateRayKHR = 317, 332, 4416, 4448, 4449
    ImageSampleFootprintNV, EmitMeshTasksEXT, DecorateString, MemberDecorateString = 5283, 5294, 5632, 5633


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
