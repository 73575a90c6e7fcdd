"""Steps of `split_samplers` before it splits: whatever WebGPU lacks is written with what it has.

The rows of `statetracker.shader.wgsl.RULES` that are found in a module say which steps run; a module without any
stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.pipe.enums import TexFilter, TexMipfilter
from statetracker.pipe.lowering import Lowering
from statetracker.shader.by_hand import at_levels, by_hand
from statetracker.shader.elements import apart, swept
from statetracker.shader.flat_images import as_2d, flat, rectangles, without_halves
from statetracker.shader.lower import lower_read
from statetracker.shader.origin import ARRAYS
from statetracker.shader.sample_ops import SAMPLES, operands_of
from statetracker.shader.seen import BOUND
from statetracker.shader.split_plan import Uses
from statetracker.shader.stages import staged
from statetracker.shader.switches import separated
from statetracker.shader.wgsl import MANY, Row, found
from statetracker.spirv import Editor, Emitter, Instruction, Module, opcode, text_of
from statetracker.spirv.grammar import shapes
from statetracker.spirv.names import Capability, Dim, ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from statetracker.shader.block_values import Descriptor
    from statetracker.shader.request import Note
    from statetracker.shader.split_plan import Wanted


class Portable(NamedTuple):
    """A module that is written with what WebGPU has, and what became of it.

    Attributes:
        uses: Of its combined samplers; it has the module, new or the one given.
        rows: What it still lacks, with where that is.
        rewritten: What was written otherwise.
        elements: Id of the variable of an array's element -> the element.
        places: (descriptor, element) of an array of separate images or samplers -> its place.
        by_hand: Descriptors whose comparisons the shader carries out.
        blocks: ``flip`` or ``push constants`` -> where the block is.
    """

    uses: Uses
    rows: list[tuple[Row, Note]]
    rewritten: tuple[Note, ...] = ()
    elements: Mapping[int, int] = {}
    places: Mapping[tuple[Descriptor, int], Descriptor] = {}
    by_hand: frozenset[Descriptor] = frozenset()
    blocks: Mapping[str, Descriptor] = {}


def portable(module: Module, want: Wanted) -> Portable:
    """Run the steps that the rows found in a module ask for; it stays as it is where they write nothing."""
    given = Uses(module)
    rows = list(found(module, given.moved, want.judges))
    made = _written(given, rows, want)
    if made.uses is given:
        return made
    left = list(found(made.uses.module, made.uses.moved, want.judges))
    same = {(row.lacks, note.offset) for row, note in left}
    written = [(row, note) for row, note in rows if (row.lacks, note.offset) not in same]
    said = (note._replace(reason=f"{row.lacks}: {row.rewrite} ({row.pixels})") for row, note in written if row.rewrite)
    return made._replace(rows=left, rewritten=tuple(said)) if written else Portable(given, rows)


def _written(uses: Uses, rows: list[tuple[Row, Note]], want: Wanted) -> Portable:
    module, steps = uses.module, {row.step for row, _ in rows} - {""}
    if not steps:
        return Portable(uses, rows)
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
    uses = uses if module is uses.module else Uses(module)
    return Portable(uses, rows, (), elements, places, frozenset(hand), blocks)


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
    dims = {dim for dim, word in ((Dim.Dim1D, "1D"), (Dim.Buffer, "buffer")) if any(word in one for one in lacks)}
    return flat(module, dims, samples) if dims or samples else module


def _trimmed(module: Module) -> Module:
    """Take away the capabilities of what is no longer there: naga refuses those that it does not know."""
    codes, operands, dims, extended, widths, arrays = set[int](), 0, set[int](), set[int](), set[int](), False
    for one in module.instructions:
        codes.add(one.opcode)
        if one.opcode in SAMPLES:
            operands |= sum(operands_of(one))
        elif one.opcode == Op.TypeImage and one.words[6] == 1:
            dims.add(one.words[2])
        elif one.opcode == Op.ExtInst:
            extended.add(one.words[3])
        elif one.opcode == Op.TypeFloat:
            widths.add(one.words[1])
        elif one.opcode == Op.Variable and one.words[2] in BOUND:
            arrays |= module.held(one).opcode in ARRAYS
    known = {
        Capability.SparseResidency: not codes.isdisjoint(_PLAIN.keys() - {Op.ImageSparseFetch}),
        Capability.MinLod: operands & ImageOperands.MinLod or Op.ImageSampleFootprintNV in codes,
        Capability.ImageGatherExtended: operands & _GATHERED,
        Capability.SampledRect: Dim.Rect in dims,
        Capability.SampledBuffer: Dim.Buffer in dims,
        Capability.Sampled1D: Dim.Dim1D in dims,
        Capability.InterpolationFunction: not extended.isdisjoint(range(76, 79)),
        **dict.fromkeys((Capability.Float16, Capability.Float16ImageAMD), 16 in widths),
        **dict.fromkeys(_OF_ARRAYS, arrays),
    }
    gone = {capability for capability, needed in known.items() if not needed} | {-1}
    texts = {one.words[0]: text_of(one.words[1:])[0] for one in module.instructions if one.opcode == Op.ExtInstImport}
    silent = {ident for ident, text in texts.items() if text.startswith("NonSemantic.")}  # such as a debugger's
    goes: dict[int, Callable[[list[int]], bool]] = {
        Op.Capability: lambda words: words[0] in gone,
        Op.Extension: lambda words: _EXTENSIONS.get(text_of(words)[0]) in gone,
        Op.ExtInstImport: lambda words: words[0] in silent,
        Op.ExtInst: lambda words: words[2] in silent,
        **dict.fromkeys((Op.DecorateString, Op.MemberDecorateString), lambda _: True),
    }
    kept = [one for one in module.instructions if one.opcode not in goes or not goes[one.opcode](one.words)]
    return module if len(kept) == len(module.instructions) else module.having(kept)


#: Extension -> a capability of it, without which it goes; -1 for one that means nothing.
_EXTENSIONS: Final = {
    "SPV_GOOGLE_hlsl_functionality1": -1,
    "SPV_GOOGLE_user_type": -1,
    "SPV_GOOGLE_decorate_string": -1,
    "SPV_AMD_gpu_shader_half_float_fetch": Capability.Float16ImageAMD,
    "SPV_AMD_gpu_shader_half_float": Capability.Float16,
    "SPV_EXT_descriptor_indexing": Capability.ShaderNonUniform,
}
_GATHERED: Final = ImageOperands.Offset | ImageOperands.ConstOffsets | ImageOperands.Offsets
_OF_ARRAYS: Final = (
    *(Capability.ShaderNonUniform, Capability.RuntimeDescriptorArray, Capability.SampledImageArrayDynamicIndexing),
    *(Capability.SampledImageArrayNonUniformIndexing, Capability.UniformTexelBufferArrayDynamicIndexing),
    Capability.UniformTexelBufferArrayNonUniformIndexing,
)


#: Sparse instruction -> the plain one.
_PLAIN: Final = {
    code: opcode(shape.name.replace("Sparse", ""))
    for code in (*SAMPLES, Op.ImageSparseFetch)
    if (shape := shapes()[code]).name.startswith("OpImageSparse")
}


def _resident(module: Module) -> Module:
    """Sparse samples as plain ones, whose texels are resident."""
    editor = Editor(module)
    body: list[Instruction] = []
    for one in module.instructions:
        emit = Emitter(editor)
        if one.opcode in _PLAIN:
            code, texel = editor.definitions[one.words[0]].words[1:3]
            made = emit.again(one, texel, *one.words[2:], code=_PLAIN[one.opcode])
            emit.result(one, "OpCompositeConstruct", editor.null(code), made)
        elif one.opcode == Op.ImageSparseTexelsResident:
            emit.result(one, "OpIEqual", emit.uint(0).id, emit.uint(0).id)
        body += emit.out or [one]
    return editor.finish(body, check=False)


#: Steps of a whole module, in order.
_STEPS: Final[dict[str, Callable[[Module], Module]]] = {
    "resident": _resident,
    "halves": without_halves,
    "switches": separated,
}
