"""`split_samplers`: combined image samplers become an image and a sampler each, as WebGPU has them.

Functions that take samplers are copied for each set of them first, so that every use leads back to a variable. The
pair is put together again right before each instruction that samples, and an image that is compared gets a type of its
own: depth. Source: SPIR-V, unified 1, 3.49.10 (OpSampledImage); W3C WebGPU, "GPUBindGroupLayout".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.shader.lower import specialised
from statetracker.shader.origin import ACCESS_CHAINS, descriptor_of, image_type
from statetracker.shader.request import Note, descriptor
from statetracker.shader.sample_ops import SAMPLES
from statetracker.shader.wgsl import remarks
from statetracker.spirv import Editor, Emitter, Instruction, Module, id_positions, literal_words_in, text_of, without
from statetracker.spirv.names import Decoration, Dim, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.shader.block_values import Descriptor

    Places = Mapping[Descriptor, tuple[Descriptor, Descriptor]]

__all__ = ["Split", "SplitSampler", "split_samplers"]

_ARRAYS: Final = (Op.TypeArray, Op.TypeRuntimeArray)
_ABOUT: Final = (Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString, Op.GroupDecorate, Op.EntryPoint)
_WALKS: Final = (*ACCESS_CHAINS, Op.Load, Op.CopyObject)
#: Where an image may not go: only variables say which one it is.
_ELSEWHERE: Final = (Op.FunctionCall, Op.Phi, Op.Select, Op.ReturnValue)
#: Image dimension -> the component of a coordinate that is the layer.
_LAYERS: Final = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Cube: 3}
#: (Image dimension, whether it has layers) -> GPUTextureViewDimension.
_DIMENSIONS: Final = {
    (Dim.Dim1D, 0): "1d",
    (Dim.Dim2D, 0): "2d",
    (Dim.Dim2D, 1): "2d-array",
    (Dim.Dim3D, 0): "3d",
    (Dim.Cube, 0): "cube",
    (Dim.Cube, 1): "cube-array",
}


class SplitSampler(NamedTuple):
    """One combined sampler and what became of it: what a bind group layout needs.

    descriptor      (set, binding) of the combined sampler
    image           (set, binding) of the image
    sampler         (set, binding) of the sampler; None: nothing samples it, only fetches and size queries do
    view_dimension  GPUTextureViewDimension; empty for what WebGPU lacks: rectangles, buffers, 1D arrays
    kind            ``float``, ``sint`` or ``uint``: what its texels are
    compares        its samples compare: the image is depth, the sampler a comparison sampler
    multisampled    its texels have several samples
    count           elements of an array of samplers, nested ones multiplied; 1: no array, 0: the length is not known
    """

    descriptor: Descriptor
    image: Descriptor
    sampler: Descriptor | None
    view_dimension: str
    kind: str
    compares: bool
    multisampled: bool
    count: int


class Split(NamedTuple):
    """The answer of `split_samplers`.

    module      the new module's bytes; the bytes given, where there was nothing to split
    samplers    what was split, in the order of the module
    unused      descriptors that nothing read: they are gone
    unresolved  uses that keep a sampler combined; what a WebGPU device refuses, or does otherwise
    """

    module: bytes
    samplers: tuple[SplitSampler, ...]
    unused: tuple[Descriptor, ...]
    unresolved: tuple[Note, ...]


def split_samplers(module: bytes | bytearray | memoryview, *, places: Places | None = None) -> Split:
    """Rewrite a SPIR-V module so that it has images and samplers of their own in place of combined ones.

    module   a module's bytes, such as `Lowered.module`
    places   (set, binding) of a combined sampler -> ((set, binding) of its image, of its sampler); for those that it
             leaves out the image keeps the place, and the sampler gets the set's first binding above all others

    What is not combined stays. Raises `ModuleError` for a broken module; `ArgumentError` for what is no module, a
    descriptor that is no combined sampler of it, and a place that is taken.

    Source: docs/webgpu.md.
    """
    given = Module.read(module)
    work = _Splitter(specialised(given))
    if not work.combined:
        _checked_places(places or {}, {}, set())
        return Split(bytes(module), (), (), ())
    try:
        work.follow()
        work.choose(places)
        return work.written()
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, ArgumentError):
            raise
        raise given.instructions[-1].error("its samplers' types and uses do not fit together") from error


def _checked_places(places: object, combined: Mapping[Descriptor, object], taken: set[Descriptor]) -> None:
    """Descriptors of the module, and places that nothing else has."""
    if not isinstance(places, Mapping):
        raise ArgumentError("places", places, accepted="(set, binding) -> (image's place, sampler's place)")
    seen = set(taken)
    for place, pair in places.items():
        if descriptor("places", place) not in combined:
            have = ", ".join(f"{one[0]}:{one[1]}" for one in combined) or "none"
            raise ArgumentError("places", "{}:{}".format(*place), accepted=f"combined samplers of the module: {have}")
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(f"places of {place[0]}:{place[1]}", pair, accepted="two places: image's and sampler's")
        for one in pair:
            if descriptor(f"places of {place[0]}:{place[1]}", one) in seen:
                raise ArgumentError(f"places of {place[0]}:{place[1]}", one, accepted="a place that nothing else has")
            seen.add(one)


class _Splitter:
    """The steps: which ids come of which variable, where the parts go, the new module."""

    def __init__(self, module: Module) -> None:
        self.module, self.editor = module, Editor(module)
        self.definitions = self.editor.definitions
        self.combined = {
            one.result: one
            for one in module.instructions
            if one.opcode == Op.Variable and one.words[2] == StorageClass.UniformConstant and self.is_combined(one)
        }
        self.root = {
            ident: ident for ident in self.combined
        }  # variable, pointer, loaded or extracted image -> variable
        self.uses: list[tuple[Instruction, int]] = []  # an instruction that samples, and what
        self.images: dict[int, int] = {}  # OpImage's result -> what it is taken of
        self.refused: dict[int, Note] = {}  # variable -> why it stays
        self.wanted: dict[str, set[int]] = {"image": set(), "sampler": set()}
        self.parts: dict[tuple[str, int], int] = {}  # part of an id -> the new id
        self.types: dict[tuple[str, int, bool], int] = {}
        self.places: dict[Descriptor, tuple[Descriptor, Descriptor]] = {}

    def leaf(self, variable: Instruction) -> Instruction:
        """The type of one element of a variable."""
        kind = self.definitions[self.definitions[variable.words[0]].words[2]]
        while kind.opcode in _ARRAYS:
            kind = self.definitions[kind.words[1]]
        return kind

    def is_combined(self, variable: Instruction) -> bool:
        """Whether a variable is a combined image sampler or an array of them."""
        pointer = self.definitions[variable.words[0]]
        return pointer.opcode == Op.TypePointer and self.leaf(variable).opcode == Op.TypeSampledImage

    def follow(self) -> None:
        """Find what comes of each variable; blocks stand in an order in which what is read was made before."""
        for one in self.module.instructions:
            if one.opcode in _ABOUT:
                continue
            first = one.words[2] if len(one.words) > 2 else 0
            read = [ident for ident in one.words if ident in self.root] if one.opcode != Op.Variable else []
            if not read:
                continue
            if one.opcode in _WALKS and first in self.root and self.is_walk(one):
                self.root[one.result] = self.root[first]
            elif one.opcode == Op.Image and first in self.root:
                self.root[one.result], self.images[one.result] = self.root[first], first
                self.want("image", first)
            elif one.opcode in SAMPLES or one.opcode == Op.ImageQueryLod:
                self.uses.append((one, first))
                self.want("image", first)
                self.want("sampler", first)
            else:
                self.others(one)

    def is_walk(self, one: Instruction) -> bool:
        """Whether it gives a pointer, or one combined sampler."""
        return self.definitions[one.words[0]].opcode in {Op.TypePointer, Op.TypeSampledImage}

    def others(self, one: Instruction) -> None:
        """Any other instruction: it may read an image that was taken out, but not pass samplers on."""
        if one.opcode == Op.ImageFetch and one.words[2] in self.images:
            self.uses.append((one, one.words[2]))
            return
        for at in id_positions(one, lambda value: literal_words_in(self.definitions, one, value)):
            ident = one.words[at]
            if ident in self.root and (ident not in self.images or one.opcode in _ELSEWHERE):
                variable = self.combined[self.root[ident]]
                reason = "the sampler goes where its variable is not known: to a function, a choice or a whole array"
                self.refused[variable.result] = Note(one.offset, one.name, descriptor_of(self.module, variable), reason)

    def want(self, part: str, ident: int) -> None:
        """A part of an id is read, and so of all that it comes of."""
        while ident not in self.wanted[part]:
            self.wanted[part].add(ident)
            one = self.definitions[ident]
            if one.opcode == Op.Variable:
                return
            ident = one.words[2]

    def choose(self, places: Places | None) -> None:
        """Where the parts of each descriptor go."""
        mine = {
            descriptor_of(self.module, one): one for ident, one in self.combined.items() if ident not in self.refused
        }
        bound = {
            descriptor_of(self.module, one): one.result
            for one in self.module.instructions
            if one.opcode == Op.Variable and Decoration.Binding in self.module.decorations.get(one.words[1], {})
        }
        _checked_places(places or {}, mine, set(bound) - set(mine))
        chosen = dict(places or {})
        taken = set(bound) - set(chosen) | {place for pair in chosen.values() for place in pair}
        for place in mine.keys() - chosen.keys():
            if place in {one for pair in chosen.values() for one in pair}:
                raise ArgumentError("places", place, accepted="a place that nothing else has")
        for place in mine:
            if place not in chosen:
                above = max((binding for group, binding in taken | {place} if group == place[0]), default=-1) + 1
                chosen[place] = place, (place[0], above)
                taken.add(chosen[place][1])
        self.places = chosen

    def compares(self, variable: int) -> bool:
        """Whether some sample of a variable compares."""
        return any(
            self.root[of] == variable and one.opcode in SAMPLES and SAMPLES[one.opcode].third == "dref"
            for one, of in self.uses
        )

    def type_of(self, part: str, ident: int, *, depth: bool) -> int:
        """The type of a part of a type: of pointers and arrays likewise."""
        key = part, ident, depth
        if key in self.types:
            return self.types[key]
        one, editor = self.definitions[ident], self.editor
        if one.opcode == Op.TypePointer:
            made = editor.declare("OpTypePointer", one.words[1], self.type_of(part, one.words[2], depth=depth))
        elif one.opcode in _ARRAYS:
            made = editor.declare(one.name, self.type_of(part, one.words[1], depth=depth), *one.words[2:])
        elif part == "sampler":
            known = (kind.result for kind in self.module.instructions if kind.opcode == Op.TypeSampler)
            made = next(known, 0) or self.types.get(("", 0, False)) or editor.declare("OpTypeSampler")
            self.types["", 0, False] = made
        else:
            image = self.definitions[one.words[1]].words
            made = editor.declare("OpTypeImage", *image[1:3], int(depth), *image[4:])
        self.types[key] = made
        return made

    def written(self) -> Split:
        """Write the new module."""
        out: list[SplitSampler] = []
        unused: list[Descriptor] = []
        notes = list(self.refused.values())
        depth: dict[int, bool] = {}
        for ident, variable in self.combined.items():
            place = descriptor_of(self.module, variable)
            if ident in self.refused:
                continue
            if ident not in self.wanted["image"]:
                unused.append(place)
                continue
            depth[ident] = self.compares(ident)
            out.append(self.declared(variable, depth[ident]))
            notes += self.notes(variable, out[-1])
        body: list[Instruction] = []
        gone = {ident for ident, root in self.root.items() if root not in self.refused}
        for one in self.module.instructions:
            body += self.rewritten(one, gone, depth)
        self.editor.body = without(body, gone)
        return Split(self.editor.finish().to_bytes(), tuple(out), tuple(unused), tuple(notes))

    def notes(self, variable: Instruction, made: SplitSampler) -> Iterator[Note]:
        """What a WebGPU device refuses of a sampler, or does otherwise."""
        image = self.definitions[self.leaf(variable).words[1]]
        if not made.view_dimension:
            yield Note(
                variable.offset,
                variable.name,
                made.descriptor,
                "WebGPU has no such image: a rectangle, a buffer, or 1D with layers",
            )
        if made.count != 1:
            yield Note(
                variable.offset,
                variable.name,
                made.descriptor,
                "WebGPU has no arrays of bindings: wgpu has texture-binding-array",
            )
        for one, of in self.uses:
            if self.root[of] != variable.result:
                continue
            reasons = remarks(self.editor, one, image)
            if made.compares and one.opcode in SAMPLES and SAMPLES[one.opcode].third != "dref":
                reasons.append("other samples of this sampler compare: WebGPU wants a sampler of its own for each")
            yield from (Note(one.offset, one.name, made.descriptor, reason) for reason in reasons)

    def declared(self, variable: Instruction, depth: bool) -> SplitSampler:  # noqa: FBT001 (of its type)
        """Declare the variables of the parts."""
        place, ident, editor = descriptor_of(self.module, variable), variable.result, self.editor
        sampled = ident in self.wanted["sampler"]
        pair = self.places[place]
        for part, where in zip(("image", "sampler"), pair, strict=True):
            if part == "image" or sampled:
                kind = self.type_of(part, variable.words[0], depth=depth)
                made = self.parts[part, ident] = editor.variable(kind, StorageClass.UniformConstant)
                editor.decorate(made, Decoration.DescriptorSet, where[0])
                editor.decorate(made, Decoration.Binding, where[1])
        image = self.definitions[self.leaf(variable).words[1]]
        texel = self.definitions[image.words[1]]
        kind_name = "float" if texel.opcode == Op.TypeFloat else "sint" if texel.words[2] else "uint"
        view = _DIMENSIONS.get((image.words[2], image.words[4]), "")
        where_sampler = pair[1] if sampled else None
        count = self.count(self.definitions[self.definitions[variable.words[0]].words[2]])
        return SplitSampler(place, pair[0], where_sampler, view, kind_name, depth, bool(image.words[5]), count)

    def count(self, kind: Instruction) -> int:
        """How many samplers a type has."""
        if kind.opcode == Op.TypeArray:
            return (self.module.constant_value(kind.words[2]) or 0) * self.count(self.definitions[kind.words[1]])
        return 0 if kind.opcode == Op.TypeRuntimeArray else 1

    def rewritten(self, one: Instruction, gone: set[int], depth: Mapping[int, bool]) -> list[Instruction]:
        """What stands in place of an instruction."""
        if one.opcode == Op.EntryPoint:
            head = 2 + text_of(one.words[2:])[1]
            return [one.copy([*one.words[:head], *(ident for ident in one.words[head:] if ident not in gone)])]
        if one.opcode == Op.Name and one.words[0] in self.combined:
            return self.named(one)
        if one.result in gone:
            return [] if one.opcode in {Op.Variable, Op.Image} else self.walked(one, depth)
        if one.opcode in _ABOUT or not any(ident in gone for ident in one.words):
            return [one]
        if one.opcode in SAMPLES or one.opcode == Op.ImageQueryLod:
            joined = self.joined(one.words[2], depth[self.root[one.words[2]]])
            out, point = self.whole_layer(one)
            return [*out, joined, one.copy([*one.words[:2], joined.words[1], point, *one.words[4:]])]
        words = list(one.words)
        for at in id_positions(one, lambda value: literal_words_in(self.definitions, one, value)):
            if words[at] in self.images:
                words[at] = self.part("image", self.images[words[at]])
        return [one.copy(words)]

    def named(self, one: Instruction) -> list[Instruction]:
        """The image keeps the name."""
        made = self.parts.get(("image", one.words[0]))
        return [one] if one.words[0] in self.refused else [one.copy([made, *one.words[1:]])] if made else []

    def part(self, part: str, ident: int) -> int:
        """The id of a part, which may be written later."""
        if (part, ident) not in self.parts:
            self.parts[part, ident] = self.editor.new_id()
        return self.parts[part, ident]

    def walked(self, one: Instruction, depth: Mapping[int, bool]) -> list[Instruction]:
        """A chain, load or copy, of each part that is read."""
        out = []
        for part, wanted in self.wanted.items():
            if one.result not in wanted:
                continue
            kind = self.type_of(part, one.words[0], depth=depth[self.root[one.result]])
            made = one.copy([kind, self.part(part, one.result), self.part(part, one.words[2]), *one.words[3:]])
            self.definitions[made.result] = made
            self.nonuniform(one.result, made.result)
            out.append(made)
        return out

    def whole_layer(self, one: Instruction) -> tuple[list[Instruction], int]:
        """The coordinate, its layer rounded: WGSL's layers are integers, and naga cuts off what is behind the point."""
        image = image_type(one.words[2], self.definitions)
        at = _LAYERS.get(image.words[2]) if image is not None and image.words[4] else None
        if at is None or not self.editor.is_float32(self.definitions[one.words[3]].words[0]):
            return [], one.words[3]
        emit = Emitter(self.editor)
        layer = (emit.component(emit.word(one.words[3]), at) + 0.5).floor().max(0.0)
        point = emit.op("OpCompositeInsert", self.definitions[one.words[3]].words[0], layer.id, one.words[3], at)
        return emit.out, point

    def joined(self, ident: int, depth: bool) -> Instruction:  # noqa: FBT001 (of its type)
        """The pair, put together in the block that reads it."""
        image = self.type_of("image", self.definitions[ident].words[0], depth=depth)
        kind = self.editor.declare("OpTypeSampledImage", image)
        made = self.editor.build("OpSampledImage", kind, self.part("image", ident), self.part("sampler", ident))
        self.nonuniform(ident, made.words[1])
        return made

    def nonuniform(self, old: int, new: int) -> None:
        """An id of a dynamic index stays one."""
        if Decoration.NonUniform in self.module.decorations.get(old, {}):
            self.editor.decorate(new, Decoration.NonUniform)
