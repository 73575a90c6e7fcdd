"""Images that WebGPU lacks as 2D ones: lines, with layers too, and buffers; and floats of 16 bits as ones of 32.

A line is row 1/2 of an image of one row: its texels are those of the line, whatever wraps and filters. A buffer is as
wide as the host likes, row after row. Rectangles are normalised by `statetracker.shader.lower`.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Final

from statetracker.shader.origin import Origin, image_of, image_type, place_of, resources
from statetracker.shader.sample_ops import IMPLICIT, SAMPLES, joined, operands_of
from statetracker.shader.site import SampleInstruction, SamplerUse
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Module, Word, renamed, without
from statetracker.spirv.names import Capability, Dim, ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from statetracker.shader.block_values import Descriptor

#: Types of which a module has one each.
_ONCE: Final = (
    *(Op.TypeFloat, Op.TypeVector, Op.TypeMatrix, Op.TypeImage, Op.TypeSampledImage, Op.TypePointer, Op.TypeFunction),
)
#: Capabilities of halves in buffers, and between stages.
_IN_MEMORY: Final = (
    *(Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess),
    *(Capability.StoragePushConstant16, Capability.StorageInputOutput16),
)
_OFFSETS: Final = (ImageOperands.ConstOffset, ImageOperands.Offset)
_CONSTANTS: Final = (Op.Constant, Op.ConstantNull, Op.SpecConstant, Op.SpecConstantOp)
_NOWHERE: Final = Origin((0, 0), (), ())


def flat(module: Module, dims: Collection[int], samples: Mapping[Descriptor, int]) -> Module:
    """Return sampled images of some dimensions, lines or buffers, two; layers of several samples a layer a sample.

    ``samples`` says by descriptor how many samples a texel has; other images of several samples with layers stay.
    """
    types = [one for one in module.instructions if one.opcode == Op.TypeImage and one.words[6] == 1]
    images = {one.result for one in types if one.words[2] in dims}
    many = {one.result for one in types if one.words[4] and one.words[5]} if samples else set()
    editor = Editor(module)
    body = [new for one in module.instructions for new in _Reader(editor, images | many, samples).read(one)]
    for at, one in enumerate(body):
        if one.opcode == Op.TypeImage and one.result in many:
            body[at] = one.copy([*one.words[:5], 0, *one.words[6:]])
    return as_2d(editor.finish(body, check=False), images | many)


class _Reader:
    """The instructions in place of one."""

    def __init__(self, editor: Editor, images: set[int], samples: Mapping[Descriptor, int]) -> None:
        self.editor, self.images, self.samples, self.emit = editor, images, samples, Emitter(editor)

    def read(self, one: Instruction) -> list[Instruction]:
        if one.opcode in SAMPLES or one.opcode == Op.ImageQueryLod:
            image = image_type(one.words[2], self.editor.definitions)
            if image is None or image.result not in self.images:
                return [one]
            return self.sampled(one, image) if one.opcode in SAMPLES else self.asked(one)
        if one.opcode in {Op.ImageFetch, Op.ImageQuerySize, Op.ImageQuerySizeLod, Op.ImageQuerySamples}:
            image = self.editor.definitions[self.editor.definitions[one.words[2]].words[0]]
            if image.result in self.images and image.words[5]:
                return self.of_samples(one)
            if image.result in self.images:
                return self.fetched(one, image) if one.opcode == Op.ImageFetch else self.measured(one, image)
        return [one]

    def asked(self, one: Instruction) -> list[Instruction]:
        coordinate = self.emit.join([self.emit.float32(one.words[3]), self.emit.number(Kind.FLOAT, 0.5)])
        return [*self.emit.out, one.copy([*one.words[:3], coordinate.id])]

    def sampled(self, one: Instruction, image: Instruction) -> list[Instruction]:
        """Return a sample of a line: at t = 1/2, without projection."""
        site = SampleInstruction(self.editor, SamplerUse(one, image, 1, _NOWHERE, {}))
        emit, operands = site.emit, dict(site.operands)
        if ImageOperands.Grad in operands:
            still = emit.number(Kind.FLOAT, 0.0)
            operands[ImageOperands.Grad] = [emit.joined([emit.word(at), still]) for at in operands[ImageOperands.Grad]]
        if site.offset:
            bit = next(bit for bit in _OFFSETS if bit in operands_of(one))
            operands[bit] = [self.pair(emit, site.offset)]
        point = emit.joined([site.point, emit.number(Kind.FLOAT, 0.5), *site.layer])
        code = IMPLICIT[site.op.explicit] if site.op.implicit else site.op.explicit
        return [*emit.out, one.copy([*one.words[:3], point, *site.third, *joined(operands)], code)]

    def pair(self, emit: Emitter, offset: int) -> int:
        kind = emit.type_of(offset)
        parts = [offset, self.editor.constant(kind, 0)]
        vector = self.editor.type_vector(kind, 2)
        if self.editor.definitions[offset].opcode in _CONSTANTS:
            return self.editor.composite(vector, parts)
        return emit.op("OpCompositeConstruct", vector, *parts)

    def fetched(self, one: Instruction, image: Instruction) -> list[Instruction]:
        """Return a fetch: of a line in row 0, of a buffer by quotient and remainder."""
        emit = self.emit
        where, operands = emit.word(one.words[3]), operands_of(one)
        if image.words[2] == Dim.Buffer:
            wide = self.size(one.words[2], layered=False)[0].to(Kind.UINT)
            flat = where.to(Kind.UINT)
            whole = emit.join([flat % wide, flat // wide]).to(Kind.INT)
        else:
            parts = emit.parts(where.id)
            whole = emit.join([parts[0], where.like(0) if where.count == 1 else parts[0].like(0), *parts[1:]])
            for bit in _OFFSETS:
                if bit in operands:
                    operands[bit] = [self.pair(emit, operands[bit][0])]
        operands.setdefault(ImageOperands.Lod, [emit.number(Kind.INT, 0).id])
        return [*emit.out, one.copy([*one.words[:3], whole.id, *joined(operands)])]

    def of_samples(self, one: Instruction) -> list[Instruction]:
        """Return what is read of layers of several samples: a layer is one sample of one of them."""
        emit, place = self.emit, place_of(one.words[2], self.editor.definitions, self.editor.module)
        count = 1 if place is None else self.samples.get(place, 1)
        if one.opcode == Op.ImageQuerySamples:
            emit.result(one, "OpCopyObject", self.editor.constant(one.words[0], count))
        elif one.opcode == Op.ImageFetch:
            where, operands = emit.parts(one.words[3]), operands_of(one)
            sample = emit.word(operands.pop(ImageOperands.Sample)[0]).bits(where[2].kind)
            operands[ImageOperands.Lod] = [emit.number(Kind.INT, 0).id]
            point = emit.joined([*where[:2], where[2] * count + sample])
            return [*emit.out, one.copy([*one.words[:3], point, *joined(operands)])]
        else:
            width, height, layers = self.size(one.words[2], layered=True)
            layers = (layers.to(Kind.UINT) // count).to(Kind.INT)
            emit.result(one, "OpCompositeConstruct", width.id, height.id, layers.id)
        return emit.out

    def size(self, image: int, level: int = 0, *, layered: bool) -> list[Word]:
        emit, level = self.emit, level or self.emit.number(Kind.INT, 0).id
        size = emit.make(Kind.INT, "OpImageQuerySizeLod", image, level, count=2 + layered)
        return emit.parts(size.id)

    def measured(self, one: Instruction, image: Instruction) -> list[Instruction]:
        """Return a size: of a line its width, and the layers; of a buffer all texels."""
        emit, layered = self.emit, bool(image.words[4])
        level = one.words[3] if one.opcode == Op.ImageQuerySizeLod else 0
        width, height, *layers = self.size(one.words[2], level, layered=layered)
        whole = width * height if image.words[2] == Dim.Buffer else emit.join([width, *layers])
        kind, _ = self.editor.components(one.words[0])
        emit.result(one, "OpCopyObject" if kind.words[2] else "OpBitcast", whole.id)
        return emit.out


def without_halves(module: Module) -> Module:
    """Floats of 32 bits in place of those of 16, everywhere; as it stands where memory or a bit pattern has some."""
    editor = Editor(module)
    if any(_kept_halves(editor, one) for one in module.instructions):
        return module
    half = next(one for one in module.instructions if one.opcode == Op.TypeFloat and one.words[1] == 16)
    body = []
    for one in module.instructions:
        made = one
        if one is half:
            made = one.copy([half.result, 32])
        elif one.opcode in {Op.Constant, Op.SpecConstant} and one.words[0] == half.result:
            value = unpack("<e", pack("<H", one.words[2] & 0xFFFF))[0]
            made = one.copy([*one.words[:2], unpack("<I", pack("<f", value))[0]])
        elif one.opcode == Op.FConvert and _floats(editor, one) <= {16, 32}:
            made = one.copy(opcode=Op.CopyObject)
        body.append(made)
    return editor.finish(merged(body, editor), check=False)


def _kept_halves(editor: Editor, one: Instruction) -> bool:
    bits = one.opcode == Op.Bitcast and 16 in _floats(editor, one)
    return bits or (one.opcode == Op.Capability and one.words[0] in _IN_MEMORY)


def _floats(editor: Editor, one: Instruction) -> set[int]:
    kinds = one.words[0], editor.definitions[one.words[2]].words[0]
    return {editor.components(kind)[0].words[1] for kind in kinds}


def rectangles(module: Module) -> dict[tuple[int, int], int]:
    """Descriptor -> the id of its image type, of the module's rectangle images."""
    images = ((place, image_of(module, one)) for place, one in resources(module))
    return {place: one.result for place, one in images if one is not None and one.words[2] == Dim.Rect}


def as_2d(module: Module, images: Collection[int], *, check: bool = False) -> Module:
    """Return image types the dimension 2D; types that become equal to others are replaced by those.

    A size that is asked of such an image is that of level 0.
    """
    editor = Editor(module)
    editor.capability(Capability.ImageQuery)
    body: list[Instruction] = []
    for one in module.instructions:
        made = one
        if one.opcode == Op.TypeImage and one.result in images:
            made = one.copy([*one.words[:2], Dim.Dim2D, *one.words[3:]])
        elif one.opcode == Op.ImageQuerySize and module.definitions[one.words[2]].type_id in images:
            level = editor.constant(editor.type_int(signed=True), 0)
            made = one.copy([*one.words, level], Op.ImageQuerySizeLod)
        body.append(made)
    return editor.finish(merged(body, editor), check=check)


def merged(body: list[Instruction], editor: Editor) -> list[Instruction]:
    """Replace types that are equal by the first of them."""
    names, known, kept = dict[int, int](), dict[tuple[int, ...], int](), list[Instruction]()
    for one in body:
        made = one if names.keys().isdisjoint(one.words) else renamed(editor.definitions, one, names)
        if one.opcode in _ONCE:
            first = known.setdefault((one.opcode, *made.words[1:]), one.result)
            if first != one.result:
                names[one.result] = first
                continue
        kept.append(made)
    return without(kept, names)
