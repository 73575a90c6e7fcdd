"""What `split_samplers` does before it splits: whatever WebGPU lacks is written with what it has.

The rows of `statetracker.shader.wgsl.RULES` that are found in a module say which steps run; a module without any
stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError, NotLowered
from statetracker.pipe.enums import TexFilter, TexMipfilter
from statetracker.pipe.lowering import Lowering
from statetracker.shader.bound_sampler import BoundSampler
from statetracker.shader.by_hand import at_levels, by_hand
from statetracker.shader.elements import apart, swept
from statetracker.shader.flat_images import as_2d, flat, rectangles, without_halves
from statetracker.shader.lower import lower_read
from statetracker.shader.request import descriptor
from statetracker.shader.sample_ops import SAMPLES
from statetracker.shader.stages import staged
from statetracker.shader.switches import separated
from statetracker.shader.wgsl import MANY, found
from statetracker.spirv import Editor, Emitter, Module, text_of
from statetracker.spirv.names import Capability, Dim, ImageOperands, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from statetracker.shader.block_values import Descriptor
    from statetracker.shader.request import Note
    from statetracker.shader.wgsl import Row
    from statetracker.spirv import Instruction

#: Who reads SPIR-V: wgpu (naga), Dawn (Tint), a browser (WGSL that naga writes).
JUDGES: Final = ("wgpu", "dawn", "browser")


class Wanted(NamedTuple):
    """What a caller says of a module.

    judges     who will read it
    samplers   descriptor -> what will be bound
    lengths    descriptor -> the length of an array that has none; the samples of a texel where layers have several
    blocks     ``flip`` or ``push constants`` -> (set, binding)
    taken      places that are something else's
    """

    judges: frozenset[str]
    samplers: dict[Descriptor, BoundSampler]
    lengths: dict[Descriptor, int]
    blocks: dict[str, Descriptor]
    taken: set[Descriptor]


def wanted(for_: object, samplers: object, lengths: object, blocks: object, taken: set[Descriptor]) -> Wanted:
    """Check what a caller says; raises `ArgumentError`."""
    if for_ is not None and for_ not in JUDGES:
        raise ArgumentError("for_", for_, accepted=f"{', '.join(JUDGES)}, or None for all of them")
    bound = {descriptor("samplers", key): BoundSampler.of(key, value) for key, value in _items("samplers", samplers)}
    long = {descriptor("lengths", key): _length(key, value) for key, value in _items("lengths", lengths)}
    placed = {}
    for key, value in _items("blocks", blocks):
        if key not in {"flip", "push constants"}:
            raise ArgumentError("blocks", key, accepted="flip, push constants")
        placed[key] = descriptor(f"blocks of {key}", value)
    return Wanted(frozenset(JUDGES if for_ is None else (str(for_),)), bound, long, placed, taken)


def _items(name: str, value: object) -> Iterable[tuple[Any, Any]]:
    if value is not None and not isinstance(value, Mapping):
        raise ArgumentError(name, value, accepted="a mapping, or None")
    return value.items() if isinstance(value, Mapping) else ()


def _length(key: Descriptor, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= 1024:
        raise ArgumentError(f"lengths of {key[0]}:{key[1]}", value, accepted="a whole number from 1 to 1024")
    return value


class Portable(NamedTuple):
    """A module that is written with what WebGPU has, and what became of it.

    module     the new one, or the one given
    rewritten  what was written otherwise
    elements   id of the variable of an array's element -> the element
    places     (descriptor, element) of an array of separate images or samplers -> its place
    by_hand    descriptors whose comparisons the shader carries out
    blocks     ``flip`` or ``push constants`` -> where the block is
    """

    module: Module
    rewritten: tuple[Note, ...] = ()
    elements: Mapping[int, int] = {}
    places: Mapping[tuple[Descriptor, int], Descriptor] = {}
    by_hand: frozenset[Descriptor] = frozenset()
    blocks: Mapping[str, Descriptor] = {}


def portable(module: Module, want: Wanted, rows: Collection[tuple[Row, Note]]) -> Portable:
    """Run the steps that some rows ask for.

    rows   what was found in the module
    """
    steps = {row.step for row, _ in rows} - {""}
    if not steps:
        return Portable(module)
    elements: dict[int, int] = {}
    places: dict[tuple[Descriptor, int], Descriptor] = {}
    blocks: dict[str, Descriptor] = {}
    hand: set[Descriptor] = set()
    for name, step in _STEPS.items():
        if name in steps:
            module = step(module)
    if "elements" in steps:
        module, elements, places = apart(module, want.lengths)
    if "flat" in steps:
        many = {note.descriptor for row, note in rows if row.lacks == MANY}
        samples = {place: count for place, count in want.lengths.items() if place in many}
        for note in (note for row, note in rows if row.lacks == MANY and note.descriptor not in samples):
            raise NotLowered(note.offset, MANY, instruction=note.instruction)
        module = _flat(module, {row.lacks for row, _ in rows}, samples)
    if steps & {"flat", "samples"}:  # a fetch of a rectangle has no level
        hand = at_levels(module, want.samplers)
        hand = {place for place in hand if want.samplers[place].compare is not None}
        filtered = {place: low for place in hand if (low := want.samplers[place].lowering) is not None}
        if filtered:
            values = {place: want.samplers[place].values for place in filtered}
            module, _ = lower_read(module, filtered, values, keep_going=True, lod_query=False)
        module = by_hand(module, want.samplers, hand)
    if "stages" in steps:
        module, blocks = staged(module, want.blocks, want.taken)
    module = swept(_trimmed(module))
    left = {(row.lacks, note.offset) for row, note in found(module, (), want.judges)}
    rewritten = tuple(
        note._replace(reason=f"{row.lacks}: {row.rewrite} ({row.pixels})")
        for row, note in rows
        if row.step and (row.lacks, note.offset) not in left
    )
    return Portable(module, rewritten, elements, places, frozenset(hand), blocks)


def _flat(module: Module, lacks: Collection[str], samples: Mapping[Descriptor, int]) -> Module:
    """Lines and buffers as 2D images, rectangles normalised; of filters it matters that no texel is snapped to."""
    linear = Lowering(
        normalize=True,
        min_img_filter=TexFilter.LINEAR,
        mag_img_filter=TexFilter.LINEAR,
        min_mip_filter=TexMipfilter.NONE,
    )
    rects = dict.fromkeys(rectangles(module), linear)
    if rects:
        module, _ = lower_read(module, rects, None, keep_going=True, lod_query=True)
        left = set(rectangles(module).values())  # of images that are fetched alone
        module = as_2d(module, left) if left else module
    lines, buffers = any("1D" in one for one in lacks), any("buffer" in one for one in lacks)
    return flat(module, lines=lines, buffers=buffers, samples=samples) if lines or buffers or samples else module


def _trimmed(module: Module) -> Module:
    """Take away the capabilities of what is no longer there: naga refuses those that it does not know."""
    codes, operands = {one.opcode for one in module.instructions}, 0
    dims: set[tuple[int, bool]] = set()
    halves = arrays = interpolates = False
    for one in module.instructions:
        if one.opcode in SAMPLES:
            at = 4 + bool(SAMPLES[one.opcode].third)
            operands |= one.words[at] if len(one.words) > at else 0
        elif one.opcode == Op.TypeImage:
            dims.add((one.words[2], one.words[6] == 1))
        elif one.opcode == Op.ExtInst:
            interpolates |= 76 <= one.words[3] <= 78
        elif one.opcode == Op.TypeFloat:
            halves |= one.words[1] == 16
        elif one.opcode == Op.Variable and one.words[2] == StorageClass.UniformConstant:
            arrays |= module.definitions[module.definitions[one.words[0]].words[2]].opcode in _ARRAYS
    known = {
        Capability.SparseResidency: not codes.isdisjoint(code for code in SAMPLES if SAMPLES[code].sparse),
        Capability.MinLod: operands & ImageOperands.MinLod,
        Capability.ImageGatherExtended: operands & _GATHERED,
        Capability.SampledRect: (Dim.Rect, True) in dims,
        Capability.SampledBuffer: (Dim.Buffer, True) in dims,
        Capability.Sampled1D: (Dim.Dim1D, True) in dims,
        Capability.InterpolationFunction: interpolates,
        **dict.fromkeys((Capability.Float16, Capability.Float16ImageAMD), halves),
        **dict.fromkeys(_OF_ARRAYS, arrays),
    }
    gone = {capability for capability, needed in known.items() if not needed}
    editor = Editor(module)
    editor.body = [
        one
        for one in module.instructions
        if (one.opcode != Op.Capability or one.words[0] not in gone)
        and (one.opcode != Op.Extension or _EXTENSIONS.get(text_of(one.words)[0]) not in gone)
    ]
    return editor.finish()


#: Extension -> a capability of it, without which it goes.
_EXTENSIONS: Final = {
    "SPV_AMD_gpu_shader_half_float_fetch": Capability.Float16ImageAMD,
    "SPV_AMD_gpu_shader_half_float": Capability.Float16,
    "SPV_EXT_descriptor_indexing": Capability.ShaderNonUniform,
}
_ARRAYS: Final = (Op.TypeArray, Op.TypeRuntimeArray)
_GATHERED: Final = ImageOperands.Offset | ImageOperands.ConstOffsets | ImageOperands.Offsets
_OF_ARRAYS: Final = (
    *(Capability.ShaderNonUniform, Capability.RuntimeDescriptorArray, Capability.SampledImageArrayDynamicIndexing),
    *(Capability.SampledImageArrayNonUniformIndexing, Capability.UniformTexelBufferArrayDynamicIndexing),
    Capability.UniformTexelBufferArrayNonUniformIndexing,
)


def _resident(module: Module) -> Module:
    """Sparse samples as plain ones, whose texels are resident."""
    editor = Editor(module)
    plain = {code: other for code, row in SAMPLES.items() if row.sparse for other in [_PLAIN[code]]}
    plain[Op.ImageSparseFetch] = Op.ImageFetch
    body: list[Instruction] = []
    for one in module.instructions:
        if one.opcode in plain:
            emit, whole = Emitter(editor), editor.definitions[one.words[0]]
            made = one.copy([whole.words[2], editor.new_id(), *one.words[2:]])
            made.opcode = plain[one.opcode]
            editor.definitions[made.words[1]] = made
            emit.result(one, "OpCompositeConstruct", editor.null(whole.words[1]), made.words[1])
            body += [made, *emit.out]
        elif one.opcode == Op.ImageSparseTexelsResident:
            emit = Emitter(editor)
            emit.result(one, "OpIEqual", emit.uint(0).id, emit.uint(0).id)
            body += emit.out
        else:
            body.append(one)
    editor.body = body
    return editor.finish()


_PLAIN: Final = {
    Op.ImageSparseSampleImplicitLod: Op.ImageSampleImplicitLod,
    Op.ImageSparseSampleExplicitLod: Op.ImageSampleExplicitLod,
    Op.ImageSparseSampleDrefImplicitLod: Op.ImageSampleDrefImplicitLod,
    Op.ImageSparseSampleDrefExplicitLod: Op.ImageSampleDrefExplicitLod,
    Op.ImageSparseGather: Op.ImageGather,
    Op.ImageSparseDrefGather: Op.ImageDrefGather,
}
#: Steps of a whole module, in order.
_STEPS: Final[dict[str, Callable[[Module], Module]]] = {
    "resident": _resident,
    "halves": without_halves,
    "switches": separated,
}
