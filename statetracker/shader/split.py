"""`split_samplers`: combined image samplers become an image and a sampler each, as WebGPU has them.

Functions that take samplers are copied for each set of them first, so that every use leads back to a variable. The
pair is put together again right before each instruction that samples, and an image that is compared gets a type of its
own: depth. Source: SPIR-V, unified 1, 3.49.10 (OpSampledImage); W3C WebGPU, "GPUBindGroupLayout".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError, ModuleError, NotLowered
from statetracker.shader.by_hand import with_pairs
from statetracker.shader.origin import array_length, descriptor_of, image_type, leaf, texel_kind
from statetracker.shader.portable import portable
from statetracker.shader.request import Note
from statetracker.shader.sample_ops import SAMPLES, SAMPLING, compares
from statetracker.shader.site import CannotRewrite
from statetracker.shader.specialise import specialise
from statetracker.shader.split_plan import ABOUT, Pair, Places, chosen_places, wanted
from statetracker.shader.wgsl import UNUSED
from statetracker.spirv import Editor, Emitter, Instruction, Module, ids_in, without
from statetracker.spirv.names import Decoration, Dim, Op, StorageClass

if TYPE_CHECKING:
    from statetracker.shader.block_values import Descriptor
    from statetracker.shader.portable import Portable

#: Image dimension -> the component of a coordinate that is the layer.
_LAYERS: Final = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Cube: 3}
#: (Image dimension, whether it has layers, several samples) -> GPUTextureViewDimension.
_DIMENSIONS: Final = {
    (Dim.Dim1D, 0, 0): "1d",
    (Dim.Dim2D, 0, 0): "2d",
    (Dim.Dim2D, 0, 1): "2d",
    (Dim.Dim2D, 1, 0): "2d-array",
    (Dim.Dim3D, 0, 0): "3d",
    (Dim.Cube, 0, 0): "cube",
    (Dim.Cube, 1, 0): "cube-array",
}


_BOTH: Final = "other samples of this sampler compare: WebGPU wants a sampler of its own for each"


class SplitSampler(NamedTuple):
    """One combined sampler and what became of it: what a bind group layout needs.

    Attributes:
        descriptor: (set, binding) of the combined sampler.
        image: (set, binding) of the image.
        sampler: (set, binding) of the sampler; None: nothing samples it, only fetches and size queries do.
        view_dimension: GPUTextureViewDimension; empty for what WebGPU lacks: rectangles, buffers, layers of 1D images
            and of several samples.
        kind: ``float``, ``sint`` or ``uint``: what its texels are.
        compares: Its samples compare: the image is depth, the sampler a comparison sampler.
        multisampled: Its texels have several samples.
        elements: Of an array of samplers that stays one, nested ones multiplied; 1: no array, 0: the length is not
            known.
        element: Of an array of samplers whose elements are variables, the number of this one.
        by_hand: The shader compares: the sampler has no comparison and nearest filters, and the image's sample type is
            ``unfilterable-float``.
    """

    descriptor: Descriptor
    image: Descriptor
    sampler: Descriptor | None
    view_dimension: str
    kind: str
    compares: bool
    multisampled: bool
    elements: int
    element: int = 0
    by_hand: bool = False


class Split(NamedTuple):
    """The answer of `split_samplers`.

    Attributes:
        module: The new module's bytes; the bytes given, where there was nothing to split.
        samplers: What was split, in the order of the module.
        unused: Descriptors that nothing read: they are gone.
        unresolved: Uses that keep a sampler combined; what a WebGPU device refuses of the module, or does otherwise.
        rewritten: What WebGPU lacks and is written with what it has, and how near the pixels are.
        places: (descriptor, element) of an array of separate images or samplers -> the place of that element.
        blocks: Name -> (set, binding). ``flip``: a uniform block of four floats, the factor of y and what is added to
            it, which are -1.0 and the height of what is drawn to, or 1.0 and 0.0 where its rows stand as OpenGL's;
            ``push constants``: a storage buffer of their bytes.
    """

    module: bytes
    samplers: tuple[SplitSampler, ...]
    unused: tuple[Descriptor, ...]
    unresolved: tuple[Note, ...]
    rewritten: tuple[Note, ...] = ()
    places: Mapping[tuple[Descriptor, int], Descriptor] = MappingProxyType({})
    blocks: Mapping[str, Descriptor] = MappingProxyType({})


def split_samplers(
    module: bytes | bytearray | memoryview | Module,
    *,
    places: Mapping[Descriptor, Pair] | Places | None = None,
    for_: str | None = None,
    samplers: Mapping[Descriptor, object] | None = None,
    lengths: Mapping[Descriptor, int] | None = None,
    blocks: Mapping[str, Descriptor] | None = None,
) -> Split:
    """Rewrite a SPIR-V module so that it has images and samplers of their own in place of combined ones.

    What else WebGPU lacks of the module is written with what it has.

    What is not combined stays.

    Source: docs/webgpu.md.

    Args:
        module: A module's bytes, such as `Lowered.module`, or one that was read.
        places: (set, binding) of a combined sampler -> ((set, binding) of its image, of its sampler); for those that it
            leaves out the image keeps the place, unless another variable has it, and the sampler gets the set's first
            free binding; (set, binding, element) for the elements of an array but the first. Several may have one
            sampler's place, where all compare or none does: they share it.
        for_: Who will read the module: ``wgpu``, ``dawn`` or ``browser`` (WGSL that naga writes); None: all of them.
        samplers: (set, binding) -> the GPUSamplerDescriptor that will be bound, such as ``result.webgpu``, where the
            shader has to do its work: comparisons at levels, integers, queries of the level of detail.
        lengths: (set, binding) -> how many elements an array without a length has, or how many samples a texel where
            layers have several.
        blocks: Where the blocks go that `Split.blocks` names, by name; None: the first free bindings of set 0.

    Raises:
        ModuleError: A broken module.
        NotLowered: What would end the program that reads the module, such as layers of several samples without
            ``lengths``.
        ArgumentError: It is no module, a descriptor is no combined sampler of it, or a place is taken.
    """
    flat = specialise(Module.read(module))
    want = wanted(for_, samplers, lengths, blocks, _places(places))
    try:
        made = portable(flat, want)
        uses = made.uses
        pairs = chosen_places(uses, places, made.elements)
        for row, note in made.rows:
            if not want.judges.isdisjoint(row.ends):
                raise NotLowered(note.offset, row.lacks, instruction=note.instruction)
        notes = [*uses.refused.values(), *(note for row, note in made.rows if row.step != UNUSED)]
        notes = notes or [note for _, note in made.rows]
        if pairs:
            return _Splitter(pairs, made).written(notes)
        new = bytes(module)
        if uses.module is not flat:
            uses.module.check()
            new = uses.module.to_bytes()
        return Split(new, (), (), tuple(notes), made.rewritten, made.places, made.blocks)
    except (KeyError, IndexError, ValueError, CannotRewrite) as error:
        if isinstance(error, ArgumentError):
            raise
        raise ModuleError(5, "its samplers' types and uses do not fit together") from error


def _places(places: object) -> set[Descriptor]:
    """Return the places that a caller asks for, whatever else is wrong with them."""
    pairs = places.values() if isinstance(places, Mapping) else ()
    each = (place for pair in pairs if isinstance(pair, tuple) for place in pair if isinstance(place, tuple))
    return {place for place in each if all(isinstance(part, int) for part in place)}


class _Splitter:
    """Writes the new module."""

    def __init__(self, pairs: dict[int, Pair], made: Portable) -> None:
        self.module, self.uses, self.pairs, self.made = made.uses.module, made.uses, pairs, made
        self.editor = Editor(self.module)
        self.definitions, self.gone = self.editor.definitions, self.uses.gone
        self.parts: dict[tuple[str, int], int] = {}  # (part, id) -> the part's id
        self.shared: dict[Descriptor, int] = {}  # a sampler's place -> its variable
        self.types: dict[tuple[str, int, bool], int] = {}
        known = (one.result for one in self.module.instructions if one.opcode == Op.TypeSampler)
        self.sampler = next(known, 0) or self.editor.declare("OpTypeSampler")

    def written(self, notes: list[Note]) -> Split:
        """Declare the parts, rewrite what uses them, and say what became of each; with notes on the whole module."""
        made: list[SplitSampler] = []
        unused: list[Descriptor] = []
        for ident, variable in self.uses.combined.items():
            if ident in self.uses.wanted["image"] and ident in self.gone:
                made.append(self.declared(variable))
            elif ident in self.gone:
                unused.append(descriptor_of(self.module, variable))
        for one, root in self.uses.samples:
            if root in self.uses.depth and one.opcode in SAMPLES and not compares(one):
                place = descriptor_of(self.module, self.uses.combined[root])
                notes.append(Note(one.offset, one.name, place, _BOTH))
        if any(one.opcode == Op.ImageFetch for one in self.module.instructions):
            with_pairs(self.editor)
        kept = self.gone.isdisjoint
        body = [new for one in self.module.instructions for new in ((one,) if kept(one.words) else self.rewritten(one))]
        new = self.editor.finish(without(body, self.gone)).to_bytes()
        said = self.made.rewritten, self.made.places, self.made.blocks
        return Split(new, tuple(made), tuple(unused), tuple(notes), *said)

    def declared(self, variable: Instruction) -> SplitSampler:
        place, ident, editor = descriptor_of(self.module, variable), variable.result, self.editor
        where = dict(zip(("image", "sampler"), self.pairs[ident], strict=True))
        if ident not in self.uses.wanted["sampler"]:
            del where["sampler"]
        for part, at in where.items():
            kind = self.type_of(part, variable.words[0], depth=ident in self.uses.depth)
            if part == "sampler" and at in self.shared:
                made = self.shared[at]
                if editor.definitions[made].words[0] != kind:
                    accepted = "samplers at one place that are arrays of one length, or none"
                    raise ArgumentError("places of {}:{}".format(*place), at, accepted=accepted)
            else:
                made = editor.variable(kind, StorageClass.UniformConstant)
                editor.bind(made, at)
                if part == "sampler":
                    self.shared[at] = made
            self.parts[part, ident] = made
        image = self.definitions[leaf(self.module, variable).words[1]]
        _, _, dim, _, layered, samples, *_ = image.words
        return SplitSampler(
            descriptor=place,
            image=where["image"],
            sampler=where.get("sampler"),
            view_dimension=_DIMENSIONS.get((dim, layered, samples), ""),
            kind=texel_kind(self.module, image),
            compares=ident in self.uses.depth,
            multisampled=bool(samples),
            elements=array_length(self.module, variable),
            element=self.made.elements.get(ident, 0),
            by_hand=place in self.made.by_hand,
        )

    def type_of(self, part: str, ident: int, *, depth: bool) -> int:
        key = part, ident, depth
        if key not in self.types:
            one = self.definitions[ident]
            if one.opcode == Op.TypeSampledImage:
                image = self.definitions[one.words[1]].words
                words = [*image[1:3], int(depth), *image[4:]]
                made = self.sampler if part == "sampler" else self.editor.declare("OpTypeImage", *words)
            else:  # a pointer has its storage class first, an array its length last
                at = 2 if one.opcode == Op.TypePointer else 1
                words = [*one.words[1:at], self.type_of(part, one.words[at], depth=depth), *one.words[at + 1 :]]
                made = self.editor.declare(one.name, *words)
            self.types[key] = made
        return self.types[key]

    def rewritten(self, one: Instruction) -> list[Instruction]:
        if one.opcode == Op.Name and ("image", one.words[0]) in self.parts:
            return [one.copy([self.parts["image", one.words[0]], *one.words[1:]])]
        if one.opcode in ABOUT:
            return [one]
        if one.result in self.gone:
            return [] if one.opcode in {Op.Variable, Op.Image} else list(self.walked(one))
        if one.opcode in SAMPLING and one.words[2] in self.gone:
            return self.sampled(one)
        words = list(one.words)
        for at in ids_in(self.definitions, one):
            if words[at] in self.uses.images and words[at] in self.gone:
                words[at] = self.part("image", self.uses.images[words[at]])
        return [one.copy(words)]

    def part(self, part: str, ident: int) -> int:
        """Return the id of a part, which may be written later."""
        if (part, ident) not in self.parts:
            self.parts[part, ident] = self.editor.new_id()
        return self.parts[part, ident]

    def walked(self, one: Instruction) -> Iterator[Instruction]:
        """Yield a chain, load or copy, of each part that is read."""
        for part, read in self.uses.wanted.items():
            if one.result in read:
                kind = self.type_of(part, one.words[0], depth=self.uses.root[one.result] in self.uses.depth)
                made = one.copy([kind, self.part(part, one.result), self.part(part, one.words[2]), *one.words[3:]])
                self.nonuniform(one.result, made.result)
                yield made

    def sampled(self, one: Instruction) -> list[Instruction]:
        """Return the pair, put together in the block that reads it, and the instruction."""
        of = one.words[2]
        image = self.type_of("image", self.definitions[of].words[0], depth=self.uses.root[of] in self.uses.depth)
        kind = self.editor.declare("OpTypeSampledImage", image)
        pair = self.editor.build("OpSampledImage", kind, self.part("image", of), self.part("sampler", of))
        self.nonuniform(of, pair.words[1])
        rounded, point = self.whole_layer(one)
        return [*rounded, pair, one.copy([*one.words[:2], pair.words[1], point, *one.words[4:]])]

    def whole_layer(self, one: Instruction) -> tuple[list[Instruction], int]:
        """Return the coordinate, its layer rounded: WGSL's layers are integers, and naga cuts off fractions."""
        image = image_type(one.words[2], self.definitions)
        at = _LAYERS.get(image.words[2]) if image is not None and image.words[4] else None
        kind = self.definitions[one.words[3]].words[0]
        if at is None or one.opcode not in SAMPLES or not self.editor.is_float32(kind):
            return [], one.words[3]
        emit = Emitter(self.editor)
        layer = emit.component(emit.word(one.words[3]), at).round_even().max(0.0)
        return emit.out, emit.op("OpCompositeInsert", kind, layer.id, one.words[3], at)

    def nonuniform(self, old: int, new: int) -> None:
        """Decorate an id as one of a dynamic index, which it stays."""
        if Decoration.NonUniform in self.module.decorations.get(old, {}):
            self.editor.decorate(new, Decoration.NonUniform)
