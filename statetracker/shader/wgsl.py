"""One table of what WebGPU lacks of a module's samples, variables and stages, with what is written instead.

naga, wgpu's reader of SPIR-V, refuses most of them; a level of a comparison and the offset of a fetch it drops. Tint is
Dawn's reader. Source: WGSL, "Texture Built-in Functions"; measured with wgpu-py 0.32 and Dawn 133 (docs/webgpu.md).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader import known
from statetracker.shader.origin import ACCESS_CHAINS, ARRAYS, leaf
from statetracker.shader.request import Note
from statetracker.shader.sample_ops import SAMPLES, compares
from statetracker.shader.seen import BOUND, SIZES, VARYING, Seen
from statetracker.spirv.names import (
    BuiltIn,
    Decoration,
    Dim,
    ExecutionMode,
    ExecutionModel,
    ImageOperands,
    Op,
    StorageClass,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from statetracker.spirv import Module


class Row(NamedTuple):
    """Something that WebGPU lacks.

    Attributes:
        on: Opcodes of the instructions that may have it; of those in `_KIND`, with the word that says the kind.
        found: Whether one has it.
        lacks: What is said of it where it stays.
        step: The step of `statetracker.shader.portable` that writes something else; empty: nothing does.
        rewrite: What that is.
        pixels: How near the pixels are.
        judges: Who lacks it.
        ends: Those whose process it ends, or for whom no valid module is left: where one is asked, it is an error.
    """

    on: Collection[int | tuple[int, int]]
    found: Callable[[Seen], bool]
    lacks: str
    step: str = ""
    rewrite: str = ""
    pixels: str = "exact"
    judges: Collection[str] = ("wgpu", "dawn", "browser")
    ends: Collection[str] = ()


_FOUR: Final = (ImageOperands.ConstOffsets, ImageOperands.Offsets)
_LEVELS: Final = (ImageOperands.Lod, ImageOperands.Grad)
_CONSTANT: Final = ((Op.Variable, StorageClass.UniformConstant),)
_BUFFERS: Final = tuple((Op.Variable, kind) for kind in BOUND[1:])
_VARIES: Final = tuple((Op.Variable, kind) for kind in VARYING)
_BUILT_IN: Final = ((Op.Decorate, Decoration.BuiltIn),)
_SAMPLE: Final = SAMPLES.keys()
_TINT: Final = ("dawn", "browser")
_NAGA: Final = ("wgpu", "browser")
_SIZED: Final = (Op.TypeFloat, Op.TypeInt, Op.TypeBool, Op.TypeVector, Op.TypeMatrix, Op.TypeStruct)
#: Dimensions of storage textures, with layers or not.
_STORED: Final = {(Dim.Dim1D, 0, 0), (Dim.Dim2D, 0, 0), (Dim.Dim2D, 1, 0), (Dim.Dim3D, 0, 0)}
#: Capabilities at which Tint ends the program.
_ENDING: Final = {"MultiView", "PhysicalStorageBufferAddresses"}
_LEVEL: Final = "within the device's precision of levels"

# Of GLSL.std.450
_INTERPOLATED: Final = ((Op.ExtInst, 76), (Op.ExtInst, 78))  # InterpolateAtCentroid, InterpolateAtOffset
_MODF: Final = ((Op.ExtInst, 35),)
_HYPERBOLIC: Final = tuple((Op.ExtInst, number) for number in (22, 23, 24))  # Asinh, Acosh, Atanh
_UNKNOWN: Final = tuple((Op.ExtInst, number) for number in (51, 52, 77))  # Frexp, FrexpStruct, InterpolateAtSample
#: It does not matter to a texture of one level whose filters are the same.
LEVEL_0: Final = "WGSL compares at level 0 where the level is explicit: naga drops the level; give samplers"
#: Steps of rows that are said only where nothing else is; what nothing needs is left out.
UNUSED: Final = "unused"
OTHER: Final = "WebGPU has nothing for this {}, or naga or Tint does not know it"
MANY: Final = "WebGPU has no layers of several samples, and naga ends the program: give lengths, the samples of a texel"

# fmt: off
#: Opcode -> the word of an instruction that says which kind it is of; rows name both.
_KIND: Final = {Op.Decorate: 1, Op.TypeInt: 1, Op.TypeFloat: 1, Op.Variable: 2, Op.MemberDecorate: 2, Op.ExtInst: 3, Op.TypeImage: 6}
#: What WebGPU lacks, in the order in which it is said.
RULES: Final = (
    Row({Op.ImageQueryLod}, lambda _: True, "WGSL asks for no level of detail: lower with lod_query=False, or give samplers", "samples",
        "derivatives, with the sampler's limits", _LEVEL),
    Row({Op.ImageSampleFootprintNV}, lambda _: True, "WGSL has no footprint of a sample", ends=(*_NAGA, "dawn")),
    Row({Op.ImageSparseFetch, *(code for code in SAMPLES if SAMPLES[code].sparse)}, lambda _: True, "WGSL has no sparse samples", "resident",
        "the plain form, resident"),
    Row({Op.ImageFetch}, lambda u: not (u.has(ImageOperands.Lod) or u.samples or u.dim in {Dim.Rect, Dim.Buffer}),
        "WGSL fetches at a level: naga refuses a fetch without the operand Lod", "samples", "level 0"),
    Row({Op.ImageFetch}, lambda u: u.layered and not u.moved and not u.pairs, "naga ends the program at a fetch of a layer without types of two integers", "samples",
        "the types"),
    Row({Op.ImageRead, Op.ImageWrite}, lambda u: not u.pairs, "naga ends the program at a storage texture with layers without types of two integers", "samples",
        "the types", judges=_NAGA),
    Row(SIZES, lambda u: u.layered and u.one.words[1] in u.layers_read, "WGSL asks for a size without layers: naga refuses to read their number there", judges=_NAGA),
    Row(_SAMPLE, lambda u: u.has(ImageOperands.MinLod), "WGSL has no least level of detail for a sample", "samples",
        "an explicit level, of derivatives", _LEVEL),
    Row(_SAMPLE, lambda u: compares(u.one) and u.has(ImageOperands.Bias), "WGSL compares without an LOD bias: give samplers", "samples",
        "nearest texels at the level, compared by the shader, which filters", _LEVEL),
    Row(_SAMPLE, lambda u: compares(u.one) and u.off_level_0, LEVEL_0,
        "samples", "nearest texels at the level, compared by the shader, which filters", "exact at a level, of gradients " + _LEVEL),
    Row({Op.ImageFetch}, lambda u: u.has(ImageOperands.ConstOffset, ImageOperands.Offset), "WGSL fetches without an offset: naga drops it", "samples",
        "the offset, added to the index"),
    Row(_SAMPLE, lambda u: u.has(ImageOperands.Offset, *_FOUR), "WGSL has one constant offset for a sample", "samples",
        "of gathers: four gathers; the middle of the texels plus the offset"),
    Row(_SAMPLE, lambda u: u.line and u.has(ImageOperands.Bias), "WGSL samples 1D images without an LOD bias", "flat",
        "2D, at t = 1/2"),
    Row(_SAMPLE, lambda u: u.line and u.has(*_LEVELS, ImageOperands.ConstOffset),
        "WGSL samples 1D images at an implicit level, without an offset: naga takes both", "flat", "2D, at t = 1/2"),
    Row({Op.ImageFetch}, lambda u: u.dim == Dim.Dim1D and u.off_level_0, "WebGPU's 1D images have one level", "flat", "2D, at t = 1/2"),
    Row(_SAMPLE, lambda u: u.line and compares(u.one), "WGSL compares no 1D images: naga takes them", "flat", "2D, at t = 1/2"),
    Row(_SAMPLE, lambda u: u.integers and not SAMPLES[u.one.opcode].gather, "WGSL samples no integers: give samplers", "samples",
        "the index, wrapped as the sampler wraps, and a fetch", "exact at a level, else " + _LEVEL),
    Row({(Op.Variable, StorageClass.PushConstant)}, lambda _: True, "WebGPU has no push constants, and wgpu has them as a feature", "stages",
        "a storage buffer that is read only"),
    Row(_VARIES, Seen.varies, "WGSL hands on scalars and vectors from stage to stage: naga refuses arrays and matrices, and structures that come in",
        "stages", "a variable a scalar or vector"),
    Row(_VARIES, lambda u: Decoration.Component in u.module.decorations.get(u.one.result, {}), "WGSL has one value at a location, without components"),
    Row(_CONSTANT + _BUFFERS, Seen.shares_its_place, "other variables have its (set, binding): WebGPU wants a place for each"),
    Row(_CONSTANT, lambda u: u.module.held(u.one).opcode == Op.TypeArray, "WebGPU has no arrays of bindings: wgpu has texture-binding-array", "elements",
        "a variable an element; a dynamic index samples all and chooses"),
    Row(_CONSTANT, lambda u: u.module.held(u.one).opcode == Op.TypeRuntimeArray, "WebGPU has no arrays of bindings, and Tint ends the program at one without a length: give lengths", "elements",
        "a variable an element; a dynamic index samples all and chooses", ends=("dawn",)),
    Row(_CONSTANT, lambda u: u.dim == Dim.Rect, "WebGPU has no rectangles", "flat", "normalised coordinates of a 2D image", "as `st.lower` normalises"),
    Row(_CONSTANT, lambda u: u.dim == Dim.Buffer, "WebGPU has no buffer textures", "flat", "2D, by (i % width, i / width); the size is width times height"),
    Row(_CONSTANT, lambda u: u.dim == Dim.Dim1D and u.layered, "WebGPU has no 1D images with layers", "flat", "2D, at t = 1/2"),
    Row(_CONSTANT, lambda u: u.samples and u.layered, MANY, "flat", "2D with layers, one for each sample of each layer: layer * samples + sample", ends=_NAGA),
    Row(_CONSTANT, lambda u: u.stored is not None and (*u.stored.words[2:3], *u.stored.words[4:6]) not in _STORED, "WGSL's storage textures are 1D, 2D, 2D with layers or 3D: Tint ends the program",
        ends=("dawn",)),
    Row(_CONSTANT, lambda u: leaf(u.module, u.one).opcode in _SIZED, "WebGPU has no uniforms outside of blocks"),
    Row(_BUFFERS, lambda u: u.module.held(u.one).opcode in ARRAYS, "WebGPU has no arrays of buffers", judges=_TINT),
    Row({(Op.Variable, StorageClass.StorageBuffer)}, Seen.written_by_vertices, "WebGPU's vertex stage only reads storage buffers: declare them readonly", judges=_TINT),
    Row({(Op.Variable, StorageClass.Workgroup)}, lambda u: len(u.one.words) > 3, "WGSL's workgroup variables have no initial value", "stages", "left out: it is 0 as theirs"),
    Row({(Op.TypeImage, 2)}, lambda u: known.named(u.one) not in known.FORMATS, "WGSL has no storage textures of this format"),
    Row({(Op.TypeImage, sampled) for sampled in range(3)}, Seen.half, "WGSL has no images of 16-bit floats", "halves", "floats of 32 bits, all over", "finer"),
    Row({Op.ExecutionMode}, lambda u: u.one.words[1] == ExecutionMode.OriginLowerLeft, "WebGPU's origin is the upper left", "stages",
        "the upper left; gl_FragCoord.y and dFdy by the block"),
    Row({Op.ExecutionMode}, lambda u: known.named(u.one) in known.PROMISES, "naga does not know depth_greater, depth_less and depth_unchanged", "stages", "left out: they only promise", judges=_NAGA),
    Row({Op.ExecutionMode}, lambda u: known.named(u.one) not in known.MODES | known.PROMISES, "WGSL has no such execution mode"),
    Row({Op.EntryPoint}, lambda u: u.one.words[0] not in known.STAGES, "WebGPU has vertex, fragment and compute stages alone"),
    Row({Op.EntryPoint}, lambda u: u.one.words[0] == ExecutionModel.Vertex and all(number != BuiltIn.Position for _, number in u.built_ins), "WGSL's vertex stage has a position", "stages",
        "a position of 0"),
    Row(_BUILT_IN, lambda u: u.built in {"VertexId", "InstanceId"}, "WGSL counts vertices and instances from the first one drawn",
        "stages", "gl_VertexIndex and gl_InstanceIndex", "exact for a first instance of 0"),
    Row(_BUILT_IN, lambda u: u.built == "PointCoord", "WGSL has no coordinate within a point", "stages", "1/2: points have one pixel"),
    Row({Op.Store}, Seen.sizes_point, "WGSL does not set the size of a point", "stages", "1.0: points have one pixel", judges=_TINT),
    Row({*_BUILT_IN, *ACCESS_CHAINS}, lambda u: u.built not in known.BUILT_INS, "WGSL has no such built-in variable"),
    Row(_BUILT_IN, lambda u: u.built == "SampleMask", "WGSL's sample mask is one number: naga refuses an array of one", judges=_NAGA),
    Row({(code, width) for code in (Op.TypeFloat, Op.TypeInt) for width in (8, 16, 64)}, lambda _: True, "WGSL has numbers of 32 bits alone, and floats of 16 as a feature"),
    Row({Op.Constant}, Seen.endless, "WGSL has no infinite or NaN constants: Tint ends the program", ends=("dawn",)),
    Row({Op.SpecConstantOp, Op.SpecConstantComposite}, lambda _: True, "naga and Tint refuse specialisation constants computed from others"),
    Row({Op.TypeArray}, lambda u: u.module.constant_value(u.one.words[2]) is None, "naga and Tint refuse arrays whose length is a specialisation constant"),
    Row({(code, said) for code in (Op.MemberDecorate, Op.Decorate) for said in (Decoration.Volatile, Decoration.Coherent)}, lambda _: True, "WGSL has neither coherent nor volatile memory"),
    Row({(Op.MemberDecorate, Decoration.Offset)}, Seen.back, "WGSL has the members of a structure in the order of their offsets"),
    Row({(Op.Decorate, said) for said in (Decoration.NoPerspective, Decoration.Centroid, Decoration.Sample)}, lambda u: u.one.words[0] in dict(u.built_ins),
        "WGSL interpolates no built-in variable otherwise", "stages", "left out", judges=_TINT),
    Row({(Op.MemberDecorate, Decoration.MatrixStride)}, Seen.narrow, "naga refuses matrices of two rows in uniform blocks of std140", judges=_NAGA),
    Row({Op.Undef}, lambda u: u.definitions[u.one.words[0]].opcode != Op.TypePointer, "naga refuses undefined values in a function", "samples",
        "0", judges=_NAGA),
    Row(_INTERPOLATED, lambda _: True, "WGSL interpolates where a variable says: neither at an offset nor at the centroid", "samples",
        "derivatives; at the centroid what is in the middle", "exact for planes, with one sample"),
    Row(_MODF, lambda _: True, "WGSL's modf has no pointer", "samples", "what trunc cuts off"),
    Row(_UNKNOWN, lambda _: True, "naga and Tint know no interpolation at a sample and no frexp"),
    Row(_HYPERBOLIC, lambda _: True, "Tint knows no inverse hyperbolic functions", judges=("dawn",)),
    Row({Op.IsNan, Op.IsInf}, lambda _: True, "WGSL has neither isnan nor isinf", "samples", "a test of the bits", judges=_TINT),
    Row({Op.UMulExtended, Op.SMulExtended, Op.IAddCarry, Op.ISubBorrow}, lambda _: True, "WGSL has no umulExtended, uaddCarry and their like"),
    Row({Op.ImageTexelPointer}, lambda _: True, "WGSL has no atomic operations on textures"),
    Row({Op.MemoryBarrier}, lambda _: True, "WGSL has only workgroup barriers", judges=_TINT),
    Row({Op.MemoryBarrier, Op.ControlBarrier}, lambda u: all(one.model != ExecutionModel.GLCompute for one in u.module.entry_points), "WGSL's barriers are those of compute stages"),
    Row({Op.SMod, Op.SRem, Op.LogicalAnd, Op.LogicalOr}, lambda u: u.definitions[u.one.words[0]].opcode == Op.TypeVector, "naga has neither the remainder of integer vectors nor && and || of bool vectors", "samples",
        "component by component", judges=_NAGA),
    Row({Op.ShiftLeftLogical, Op.ShiftRightLogical, Op.ShiftRightArithmetic}, lambda u: u.one.words[0] != u.definitions[u.one.words[2]].type_id,
        "naga's shifts have the sign of what is shifted", "samples", "a bitcast first", judges=_NAGA),
    Row({Op.SNegate}, Seen.unsigned, "naga negates no unsigned integers", "samples", "0 minus it", judges=_NAGA),
    Row({Op.OuterProduct}, Seen.oblong, "naga has no outer product of vectors of two sizes", "samples", "column by column", judges=_NAGA),
    Row({Op.LoopMerge}, Seen.never_left, "WGSL has no loop that nothing leaves", judges=_TINT),
    Row({Op.Switch}, lambda u: id(u.one) in u.fallen, "WGSL's switch does not fall through", "switches", "the blocks of the next case, copied",
        judges=_TINT),
    Row({Op.Capability}, lambda u: known.named(u.one) in _ENDING, "WebGPU has neither multiview nor buffer addresses: Tint ends the program", ends=("dawn",)),
    Row({Op.Capability}, lambda u: known.named(u.one) not in known.CAPABILITIES | _ENDING, OTHER.format("capability"), UNUSED),
    Row({Op.Extension}, lambda u: known.named(u.one) not in known.EXTENSIONS, OTHER.format("extension"), UNUSED, judges=_NAGA),
    Row({Op.ExtInstImport}, lambda u: u.one.words[0] != u.module.glsl, OTHER.format("set of instructions"), UNUSED, judges=_NAGA),
)
# fmt: on
_ROWS: Final[dict[int | tuple[int, int], list[Row]]] = defaultdict(list)
for _row in RULES:
    for _on in _row.on:
        _ROWS[_on].append(_row)


def found(module: Module, moved: Collection[int], judges: frozenset[str]) -> Iterator[tuple[Row, Note]]:
    """Yield what a WebGPU device lacks of a module, a row of `RULES` each, with where it is.

    ``moved`` are ids of the variables that get places of their own, ``judges`` those who are asked.
    """
    seen = Seen(module, moved)
    for one in module.instructions:
        at = _KIND.get(one.opcode)
        rows = _ROWS.get(one.opcode if at is None else (one.opcode, one.words[at]), [])
        if not rows or (one.opcode == Op.ExtInst and one.words[2] != module.glsl):
            continue
        seen.take(one)
        for row in rows:
            if row.found(seen) and not judges.isdisjoint(row.judges):
                yield row, Note(one.offset, seen.title, seen.place, row.lacks)
