"""One table of what WebGPU lacks of a module's samples, variables and stages, with what is written instead.

naga, wgpu's reader of SPIR-V, refuses most of them; a level of a comparison and the offset of a fetch it drops. Tint is
Dawn's reader. Source: WGSL, "Texture Built-in Functions"; measured with wgpu-py 0.32 and Dawn 133 (docs/webgpu.md).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.known import (
    BUILT_INS,
    CAPABILITIES,
    EXTENSIONS,
    FORMATS,
    MODES,
    ONE,
    PROMISES,
    STAGES,
    name_of,
    named,
    pointers,
)
from statetracker.shader.origin import ACCESS_CHAINS, ARRAYS, descriptor_of, image_of, leaf, place_of, resources
from statetracker.shader.request import Note
from statetracker.shader.sample_ops import SAMPLES, SAMPLING, compares, is_zero, operands_of
from statetracker.shader.switches import switches
from statetracker.spirv import Instruction, Module, ids_in
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

    from statetracker.shader.block_values import Descriptor


class _Seen:
    """A module, and one of its instructions.

    Args:
        module: The module.
        moved: Ids of the variables that get places of their own.

    Attributes:
        dim: The dimension of its image, -1 without one; ``layered``, ``samples`` and ``integers`` say what that has.
        operands: Its image operands.
        stored: The type of its storage image; None without one.
    """

    one: Instruction
    dim: int
    layered: bool
    samples: bool
    integers: bool
    stored: Instruction | None

    def __init__(self, module: Module, moved: Collection[int]) -> None:
        self.module, self.definitions, self.moved = module, module.definitions, moved
        self.bound = {one.result: place for place, one in resources(module) if one.result not in moved}
        self.count = Counter(self.bound.values())
        said = [*module.decorations.items(), *((ident, one) for (ident, _), one in module.member_decorations.items())]
        self.built_in = {ident for ident, one in said if Decoration.BuiltIn in one}
        self.vertices = any(one.model == ExecutionModel.Vertex for one in module.entry_points)
        self.positions = any(one.get(Decoration.BuiltIn) == (BuiltIn.Position,) for _, one in said)

    def take(self, one: Instruction) -> None:
        self.one, self.operands, image = one, dict[int, list[int]](), None
        if one.opcode in _READS:
            kind = self.definitions[self.definitions[one.words[2]].type_id]
            image = self.definitions[kind.words[1]] if kind.opcode == Op.TypeSampledImage else kind
            if one.opcode in SAMPLES or one.opcode in _FETCHES:
                self.operands = operands_of(one)
        elif one.opcode == Op.Variable:
            image = image_of(self.module, one)
        self.stored = image if image is not None and image.words[6] == 2 else None
        image = None if self.stored else image
        self.dim, self.layered, self.samples, self.integers = -1, False, False, False
        if image is not None:
            self.dim, self.layered, self.samples = image.words[2], bool(image.words[4]), bool(image.words[5])
            self.integers = self.definitions[image.words[1]].opcode == Op.TypeInt

    def has(self, *bits: int) -> bool:
        return any(bit in self.operands for bit in bits)

    @property
    def off_level_0(self) -> bool:
        """True where its level of detail is explicit and not 0."""
        levels = self.operands.get(ImageOperands.Lod)
        return self.has(ImageOperands.Grad) or (levels is not None and not is_zero(self.module, levels[0]))

    @property
    def line(self) -> bool:
        return self.dim == Dim.Dim1D and self.one.opcode in SAMPLES

    @cached_property
    def pairs(self) -> bool:
        """True where the module has vectors of two integers, signed and not."""
        kinds = (one for one in self.module.instructions if one.opcode == Op.TypeVector and one.words[2] == 2)
        return {(32, 0), (32, 1)} <= {tuple(self.definitions[one.words[1]].words[1:]) for one in kinds}

    @property
    def narrow(self) -> bool:
        """True where a member has matrices of two rows, 16 bytes apart."""
        ident, member, _, stride = self.one.words
        kind = self.definitions[self.definitions[ident].words[1 + member]]
        while kind.opcode in ARRAYS:
            kind = self.definitions[kind.words[1]]
        return self.definitions[kind.words[1]].words[2] == 2 and stride != 8

    @cached_property
    def layers_read(self) -> set[int]:
        """Ids of sizes of which more is read than a width, a height and a depth without layers."""
        sizes = {one.words[1]: one.words[0] for one in self.module.instructions if one.opcode in _SIZES}
        read = set()
        for one in self.module.instructions:
            if one.opcode in {Op.Name, Op.Decorate} or sizes.keys().isdisjoint(one.words):
                continue
            for ident in sizes.keys() & {one.words[at] for at in ids_in(self.definitions, one)} - {one.result}:
                kind = self.definitions[sizes[ident]]
                last = kind.words[2] - 1 if kind.opcode == Op.TypeVector else 0
                parts = one.words[3:4] if one.opcode == Op.CompositeExtract else one.words[4:]
                if one.opcode not in {Op.CompositeExtract, Op.VectorShuffle} or max(parts, default=last) >= last:
                    read.add(ident)
        return read

    @property
    def varies(self) -> bool:
        """True where a variable is handed on, of a type that is refused there; what is built in is not."""
        if self.module.held(self.one).opcode not in _VARYING.get(self.one.words[2], ()):
            return False
        return self.built_in.isdisjoint((self.one.result, leaf(self.module, self.one).result))

    @property
    def resource_array(self) -> bool:
        return self.one.words[2] == StorageClass.UniformConstant and self.module.held(self.one).opcode in ARRAYS

    @property
    def written_by_vertices(self) -> bool:
        """True for a storage buffer without readonly of a module with a vertex stage."""
        if self.one.words[2] != StorageClass.StorageBuffer or not self.vertices:
            return False
        kind, said = self.module.held(self.one), self.module.member_decorations
        every = all(Decoration.NonWritable in said.get((kind.result, n), ()) for n in range(len(kind.words) - 1))
        return not every and Decoration.NonWritable not in self.module.decorations.get(self.one.result, ())

    @property
    def shares_its_place(self) -> bool:
        return self.count[self.bound.get(self.one.result, (-1, -1))] > 1

    @property
    def half(self) -> bool:
        texel = self.definitions[self.one.words[1]]
        return texel.opcode == Op.TypeFloat and texel.words[1] == 16

    @cached_property
    def fallen(self) -> set[int]:
        """Switches of which a case goes on in another."""
        return {id(one.switch) for one in switches(self.module) if one.falls}

    @property
    def extended(self) -> int:
        """The number of an instruction of GLSL.std.450; -1 for another one's."""
        return self.one.words[3] if self.one.words[2] == self.module.glsl else -1

    @cached_property
    def pointers(self) -> dict[int, int]:
        return pointers(self.module)

    @property
    def built(self) -> str:
        """The name of the built-in variable that it decorates, or that it leads to as a member."""
        if self.one.opcode != Op.Decorate:
            return name_of("BuiltIn", self.pointers.get(self.one.result, BuiltIn.Position))
        return named(self.one) if self.one.words[1] == Decoration.BuiltIn else "Position"

    @property
    def sizes_point(self) -> bool:
        """True where it stores the size of a point, other than 1."""
        pointer, value = self.one.words[:2]
        return self.pointers.get(pointer) == BuiltIn.PointSize and self.module.constant_value(value) != ONE

    @property
    def endless(self) -> bool:
        kind, _, bits, *_ = self.one.words
        return self.definitions[kind].words[1:] == [32] and bits & _ENDLESS == _ENDLESS

    @property
    def title(self) -> str:
        """Its name, with that of what it declares."""
        if self.one.opcode in {Op.Capability, Op.Extension, Op.ExecutionMode}:
            return f"{self.one.name} {named(self.one)}"
        return f"{self.one.name} {self.built}" if self.one.opcode == Op.Decorate else self.one.name

    @property
    def place(self) -> Descriptor | None:
        """The descriptor of what is read, or of a variable."""
        if self.one.opcode == Op.Variable and self.one.words[2] in BOUND:
            return descriptor_of(self.module, self.one)
        if self.one.opcode in _READS:
            return place_of(self.one.words[2], self.definitions, self.module)
        return None


class Row(NamedTuple):
    """Something that WebGPU lacks.

    Attributes:
        on: Opcodes of the instructions that may have it.
        found: Whether one has it.
        lacks: What is said of it where it stays.
        step: The step of `statetracker.shader.portable` that writes something else; empty: nothing does.
        rewrite: What that is.
        pixels: How near the pixels are.
        judges: Who lacks it.
        ends: Those whose process it ends: where one of them is asked, it is an error.
    """

    on: Collection[int]
    found: Callable[[_Seen], bool]
    lacks: str
    step: str = ""
    rewrite: str = ""
    pixels: str = "exact"
    judges: Collection[str] = ("wgpu", "dawn", "browser")
    ends: Collection[str] = ()


_FETCHES: Final = (Op.ImageFetch, Op.ImageSparseFetch)
_SIZES: Final = (Op.ImageQuerySize, Op.ImageQuerySizeLod)
_FOUR: Final = (ImageOperands.ConstOffsets, ImageOperands.Offsets)
_LEVELS: Final = (ImageOperands.Lod, ImageOperands.Grad)
#: What is handed on -> types that are refused there, but for what is built in.
_VARYING: Final = {
    StorageClass.Input: (Op.TypeArray, Op.TypeMatrix, Op.TypeStruct),
    StorageClass.Output: (Op.TypeArray, Op.TypeMatrix),
}
_READS: Final = SAMPLING | {*_FETCHES, *_SIZES}
_V: Final = (Op.Variable,)
#: Storage classes of what is bound.
BOUND: Final = (StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer)
_SAMPLE: Final = SAMPLES.keys()
_TINT: Final = ("dawn", "browser")
_NAGA: Final = ("wgpu", "browser")
_ENDLESS: Final = 0x7F800000
_SIZED: Final = (Op.TypeFloat, Op.TypeInt, Op.TypeBool, Op.TypeVector, Op.TypeMatrix, Op.TypeStruct)
#: Dimensions of storage textures, with layers or not.
_STORED: Final = {(Dim.Dim1D, 0, 0), (Dim.Dim2D, 0, 0), (Dim.Dim2D, 1, 0), (Dim.Dim3D, 0, 0)}
#: Capabilities at which Tint ends the program.
_ENDING: Final = {"MultiView", "PhysicalStorageBufferAddresses"}
_LEVEL: Final = "within the device's precision of levels"

_INTERPOLATED: Final = (76, 78)  # InterpolateAtCentroid, InterpolateAtOffset of GLSL.std.450
_MODF: Final = 35
_HYPERBOLIC: Final = (22, 23, 24)  # Asinh, Acosh, Atanh
_UNKNOWN: Final = (51, 52, 77)  # Frexp, FrexpStruct, InterpolateAtSample
#: It does not matter to a texture of one level whose filters are the same.
LEVEL_0: Final = "WGSL compares at level 0 where the level is explicit: naga drops the level; give samplers"
#: Steps of rows that are said only where nothing else is; what nothing needs is left out.
UNUSED: Final = "unused"
OTHER: Final = "WebGPU has nothing for this {}, or naga or Tint does not know it"
MANY: Final = "WebGPU has no layers of several samples, and naga ends the program: give lengths, the samples of a texel"

# fmt: off
#: What WebGPU lacks, in the order in which it is said.
RULES: Final = (
    Row({Op.ImageQueryLod}, lambda _: True, "WGSL asks for no level of detail: lower with lod_query=False, or give samplers", "samples",
        "derivatives, with the sampler's limits", _LEVEL),
    Row({Op.ImageSampleFootprintNV}, lambda _: True, "WGSL has no footprint of a sample"),
    Row({Op.ImageSparseFetch, *(code for code in SAMPLES if SAMPLES[code].sparse)}, lambda _: True, "WGSL has no sparse samples", "resident",
        "the plain form, resident"),
    Row({Op.ImageFetch}, lambda u: not (u.has(ImageOperands.Lod) or u.samples or u.dim in {Dim.Rect, Dim.Buffer}),
        "WGSL fetches at a level: naga refuses a fetch without the operand Lod", "samples", "level 0"),
    Row({Op.ImageFetch}, lambda u: u.layered and not u.moved and not u.pairs, "naga ends the program at a fetch of a layer without types of two integers", "samples",
        "the types"),
    Row({Op.ImageRead, Op.ImageWrite}, lambda u: not u.pairs, "naga ends the program at a storage texture with layers without types of two integers", "samples",
        "the types", judges=_NAGA),
    Row(_SIZES, lambda u: u.layered and u.one.words[1] in u.layers_read, "WGSL asks for a size without layers: naga refuses to read their number there", judges=_NAGA),
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
    Row(_V, lambda u: u.one.words[2] == StorageClass.PushConstant, "WebGPU has no push constants, and wgpu has them as a feature", "stages",
        "a storage buffer that is read only"),
    Row(_V, lambda u: u.varies, "WGSL hands on scalars and vectors from stage to stage: naga refuses arrays and matrices, and structures that come in",
        "stages", "a variable a scalar or vector"),
    Row(_V, lambda u: u.one.words[2] in _VARYING and Decoration.Component in u.module.decorations.get(u.one.result, {}), "WGSL has one value at a location, without components"),
    Row(_V, lambda u: u.shares_its_place, "other variables have its (set, binding): WebGPU wants a place for each"),
    Row(_V, lambda u: u.resource_array, "WebGPU has no arrays of bindings: wgpu has texture-binding-array; of an array without a length give lengths", "elements",
        "a variable an element; a dynamic index samples all and chooses"),
    Row(_V, lambda u: u.dim == Dim.Rect, "WebGPU has no rectangles", "flat", "normalised coordinates of a 2D image", "as `st.lower` normalises"),
    Row(_V, lambda u: u.dim == Dim.Buffer, "WebGPU has no buffer textures", "flat", "2D, by (i % width, i / width); the size is width times height"),
    Row(_V, lambda u: u.dim == Dim.Dim1D and u.layered, "WebGPU has no 1D images with layers", "flat", "2D, at t = 1/2"),
    Row(_V, lambda u: u.samples and u.layered, MANY, "flat", "2D with layers, one for each sample of each layer: layer * samples + sample", ends=_NAGA),
    Row(_V, lambda u: u.stored is not None and (*u.stored.words[2:3], *u.stored.words[4:6]) not in _STORED, "WGSL has storage textures of 1D, 2D, layers and 3D: Tint ends the program",
        ends=("dawn",)),
    Row(_V, lambda u: u.one.words[2] == StorageClass.UniformConstant and leaf(u.module, u.one).opcode in _SIZED, "WebGPU has no uniforms outside of blocks"),
    Row(_V, lambda u: u.one.words[2] in BOUND[1:] and u.module.held(u.one).opcode in ARRAYS, "WebGPU has no arrays of buffers", judges=_TINT),
    Row(_V, lambda u: u.written_by_vertices, "WebGPU's vertex stage has no storage buffers that are not readonly", judges=_TINT),
    Row({Op.TypeImage}, lambda u: u.one.words[6] == 2 and named(u.one) not in FORMATS, "WGSL has no storage textures of this format"),
    Row({Op.TypeImage}, lambda u: u.half, "WGSL has no images of 16-bit floats", "halves", "floats of 32 bits, all over", "finer"),
    Row({Op.ExecutionMode}, lambda u: u.one.words[1] == ExecutionMode.OriginLowerLeft, "WebGPU's origin is the upper left", "stages",
        "the upper left; gl_FragCoord.y and dFdy by the block"),
    Row({Op.ExecutionMode}, lambda u: named(u.one) in PROMISES, "naga has no promises of depth", "stages", "nothing: it is a promise", judges=_NAGA),
    Row({Op.ExecutionMode}, lambda u: named(u.one) not in MODES | PROMISES, "WGSL has no such mode of a stage"),
    Row({Op.EntryPoint}, lambda u: u.one.words[0] not in STAGES, "WebGPU has vertex, fragment and compute stages alone"),
    Row({Op.EntryPoint}, lambda u: u.one.words[0] == ExecutionModel.Vertex and not u.positions, "WGSL's vertex stage has a position", "stages",
        "a position of 0"),
    Row({Op.Decorate}, lambda u: u.built in {"VertexId", "InstanceId"}, "WGSL counts vertices and instances from the first one drawn",
        "stages", "gl_VertexIndex and gl_InstanceIndex", "exact for a first instance of 0"),
    Row({Op.Decorate}, lambda u: u.built == "PointCoord", "WGSL has no coordinate within a point", "stages", "1/2: points have one pixel"),
    Row({Op.Store}, lambda u: u.sizes_point, "WGSL has no size of a point", "stages", "1: points have one pixel", judges=_TINT),
    Row({Op.Decorate, *ACCESS_CHAINS}, lambda u: u.built not in BUILT_INS, "WGSL has no such built-in variable"),
    Row({Op.Decorate}, lambda u: u.built == "SampleMask", "WGSL's sample mask is one number: naga refuses an array of one", judges=_NAGA),
    Row({Op.TypeFloat, Op.TypeInt}, lambda u: u.one.words[1] != 32, "WGSL has numbers of 32 bits alone, and floats of 16 as a feature"),
    Row({Op.Constant}, lambda u: u.endless, "WGSL has no constants that are infinite or no numbers: Tint ends the program", ends=("dawn",)),
    Row({Op.SpecConstantOp, Op.SpecConstantComposite}, lambda _: True, "naga and Tint have no specialisation constants that are made of others"),
    Row({Op.TypeArray}, lambda u: u.module.constant_value(u.one.words[2]) is None, "naga and Tint have no arrays whose length is a specialisation constant"),
    Row({Op.MemberDecorate, Op.Decorate}, lambda u: {Decoration.Volatile, Decoration.Coherent} & {*u.one.words[1:3][u.one.opcode == Op.MemberDecorate:][:1]}, "WGSL has memory that is neither coherent nor volatile"),
    Row({Op.MemberDecorate}, lambda u: u.one.words[2] == Decoration.MatrixStride and u.narrow, "naga refuses matrices of two rows in uniform blocks of std140", judges=_NAGA),
    Row({Op.Undef}, lambda u: u.definitions[u.one.words[0]].opcode != Op.TypePointer, "naga refuses what is undefined within a function", "samples",
        "0", judges=_NAGA),
    Row({Op.ExtInst}, lambda u: u.extended in _INTERPOLATED, "WGSL interpolates where a variable says: neither at an offset nor at the centroid", "samples",
        "derivatives; at the centroid what is in the middle", "exact for planes, with one sample"),
    Row({Op.ExtInst}, lambda u: u.extended == _MODF, "WGSL's modf has no pointer", "samples", "what trunc cuts off"),
    Row({Op.ExtInst}, lambda u: u.extended in _UNKNOWN, "naga and Tint know no interpolation at a sample and no frexp"),
    Row({Op.ExtInst}, lambda u: u.extended in _HYPERBOLIC, "Tint knows no inverse hyperbolic functions", judges=("dawn",)),
    Row({Op.IsNan, Op.IsInf}, lambda _: True, "WGSL does not ask for what is infinite or no number", "samples", "its bits", judges=_TINT),
    Row({Op.UMulExtended, Op.SMulExtended, Op.IAddCarry, Op.ISubBorrow}, lambda _: True, "WGSL has no arithmetic of two words"),
    Row({Op.ImageTexelPointer}, lambda _: True, "WGSL has no atomic operations on textures"),
    Row({Op.MemoryBarrier}, lambda _: True, "WGSL has barriers of a work group alone", judges=_TINT),
    Row({Op.SMod, Op.SRem, Op.LogicalAnd, Op.LogicalOr}, lambda u: u.definitions[u.one.words[0]].opcode == Op.TypeVector, "naga has no remainder of vectors of integers, nor and and or of vectors", "samples",
        "component by component", judges=_NAGA),
    Row({Op.Switch}, lambda u: id(u.one) in u.fallen, "WGSL's switch does not fall through", "switches", "the blocks of the next case, copied",
        judges=_TINT),
    Row({Op.Capability}, lambda u: named(u.one) in _ENDING, "WebGPU has neither several views nor addresses: Tint ends the program", ends=("dawn",)),
    Row({Op.Capability}, lambda u: named(u.one) not in CAPABILITIES | _ENDING, OTHER.format("capability"), UNUSED),
    Row({Op.Extension}, lambda u: named(u.one) not in EXTENSIONS, OTHER.format("extension"), UNUSED, judges=_NAGA),
    Row({Op.ExtInstImport}, lambda u: u.one.words[0] != u.module.glsl, OTHER.format("set of instructions"), UNUSED, judges=_NAGA),
)
# fmt: on
_BY_OPCODE: Final[dict[int, list[Row]]] = defaultdict(list)
for _row in RULES:
    for _code in _row.on:
        _BY_OPCODE[_code].append(_row)


def found(module: Module, moved: Collection[int], judges: frozenset[str]) -> Iterator[tuple[Row, Note]]:
    """Yield what a WebGPU device lacks of a module, a row of `RULES` each, with where it is.

    ``moved`` are ids of the variables that get places of their own, ``judges`` those who are asked.
    """
    seen, rows_of = _Seen(module, moved), _BY_OPCODE.get
    for one in module.instructions:
        rows = rows_of(one.opcode)
        if rows is None:
            continue
        seen.take(one)
        for row in rows:
            if row.found(seen) and not judges.isdisjoint(row.judges):
                yield row, Note(one.offset, seen.title, seen.place, row.lacks)
