"""Samples that WGSL has not, written with those that it has.

What a sampler would do with them is done by the shader, by what is bound: `BoundSampler`.
Source: docs/webgpu.md, "Splitting combined samplers".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.shader.constants import is_zero, offset_operand, parts_of
from statetracker.shader.faces import Face
from statetracker.shader.levels import longer
from statetracker.shader.origin import Unknown, image_type, origin
from statetracker.shader.sample_ops import SAMPLES, compares, joined, split
from statetracker.shader.site import SampleInstruction, SamplerUse
from statetracker.shader.sizes import Sizes
from statetracker.shader.work import compared
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Word, text_of
from statetracker.spirv.names import Dim, ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from statetracker.shader.block_values import Descriptor
    from statetracker.shader.bound_sampler import BoundSampler
    from statetracker.spirv import Module

_AXES: Final = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Dim3D: 3, Dim.Cube: 3}
#: Dimensions whose texels a fetch reads.
_FETCHED: Final = frozenset({Dim.Dim1D, Dim.Dim2D, Dim.Dim3D})
_LEVELS: Final = (ImageOperands.Bias, ImageOperands.Lod, ImageOperands.Grad)
_OFFSETS: Final = (ImageOperands.ConstOffset, ImageOperands.Offset)


#: Of GLSL.std.450.
_TRUNC, _MODF, _AT_CENTROID, _AT_OFFSET = 3, 35, 76, 78


def at_levels(module: Module, samplers: Collection[Descriptor]) -> set[Descriptor]:
    """Those of some samplers of which a comparison has a level of its own: all of theirs are by hand."""
    places = set()
    for one in module.instructions:
        if compares(one):
            operands = split(one.words[5:])
            level = operands.get(ImageOperands.Lod)
            zero = level is not None and is_zero(module, level[0])
            if not zero and not {*_LEVELS, ImageOperands.MinLod}.isdisjoint(operands):
                source = origin(one.words[2], module.definitions, module)
                if not isinstance(source, Unknown) and source.descriptor in samplers:
                    places.add(source.descriptor)
    return places


def by_hand(module: Module, samplers: Mapping[Descriptor, BoundSampler], compared_at: Collection[Descriptor]) -> Module:
    """Write samples, fetches and queries otherwise, where WGSL lacks them.

    samplers      what will be bound
    compared_at   descriptors whose comparisons the shader carries out
    """
    work = _ByHand(module, samplers, compared_at)
    work.editor.body = [new for one in module.instructions for new in work.read(one)]
    for signed in (True, False):  # without these naga ends the program at a fetch of a layer
        work.editor.type_vector(work.editor.type_int(signed=signed), 2)
    return work.editor.finish()


class _ByHand:
    """One walk; what is written is looked at again."""

    def __init__(
        self, module: Module, samplers: Mapping[Descriptor, BoundSampler], compared_at: Collection[Descriptor]
    ) -> None:
        self.module, self.editor, self.samplers, self.compared_at = module, Editor(module), samplers, compared_at
        imports = (one for one in module.instructions if one.opcode == Op.ExtInstImport)
        self.glsl = next((one.words[0] for one in imports if text_of(one.words[1:])[0] == "GLSL.std.450"), 0)

    def read(self, one: Instruction) -> list[Instruction]:
        """The instructions in place of one."""
        if one.opcode == Op.ImageFetch:
            return self.fetched(one)
        if one.opcode == Op.ImageQueryLod:
            return self.asked(one)
        if one.opcode == Op.ExtInst and one.words[2] == self.glsl:
            return self.extended(one)
        if one.opcode in {Op.SMod, Op.SRem} and self.editor.definitions[one.words[0]].opcode == Op.TypeVector:
            return self.remainders(one)
        if one.opcode not in SAMPLES:
            return [one]
        made = self.sampled(one)
        return [one] if made is None else [new for each in made for new in self.read(each)]

    def remainders(self, one: Instruction) -> list[Instruction]:
        """The remainders of two vectors, component by component."""
        emit, kind = Emitter(self.editor), self.editor.definitions[one.words[0]].words[1]
        each = zip(emit.part_ids(one.words[2]), emit.part_ids(one.words[3]), strict=True)
        emit.result(one, "OpCompositeConstruct", *[emit.op(one.name, kind, *pair) for pair in each])
        return emit.out

    def extended(self, one: Instruction) -> list[Instruction]:
        """Interpolation at another place, by derivatives; modf, whose whole part goes to a pointer."""
        emit, (kind, _, _, number, first, *rest) = Emitter(self.editor), one.words
        if number in {_AT_CENTROID, _AT_OFFSET}:
            value = emit.word(emit.op("OpLoad", kind, first))
            if number == _AT_CENTROID:
                emit.result(one, "OpCopyObject", value.id)
                return emit.out
            across, up = self.derivatives(emit, value)
            x, y = emit.parts(rest[0])
            emit.result(one, "OpFAdd", (value + across.scaled(x)).id, up.scaled(y).id)
            return emit.out
        if number != _MODF:
            return [one]
        whole = emit.op("OpExtInst", kind, self.glsl, _TRUNC, first)
        emit.out.append(Instruction(Op.Store, [rest[0], whole]))
        emit.result(one, "OpFSub", first, whole)
        return emit.out

    def fetched(self, one: Instruction) -> list[Instruction]:
        """A fetch without an offset, at a level."""
        operands, emit, point = split(one.words[4:]), Emitter(self.editor), one.words[3]
        image = self.editor.definitions[self.editor.definitions[one.words[2]].words[0]]
        offset = next((operands.pop(bit)[0] for bit in _OFFSETS if bit in operands), 0)
        if offset:
            where, step = emit.word(point), emit.word(offset)
            layer = [emit.component(where, n).bits(where.kind) for n in range(step.count, where.count)]
            point = emit.joined([emit.head(where, step.count) + step.bits(where.kind), *layer])
        if not image.words[5] and image.words[2] != Dim.Buffer:
            operands.setdefault(ImageOperands.Lod, [emit.number(Kind.INT, 0).id])
        return [*emit.out, one.copy([*one.words[:3], point, *joined(operands)])]

    def sampler_of(self, one: Instruction) -> BoundSampler | None:
        """What is bound of the sampler of an instruction, where that is known."""
        source = origin(one.words[2], self.editor.definitions, self.module)
        return None if isinstance(source, Unknown) else self.samplers.get(source.descriptor)

    def asked(self, one: Instruction) -> list[Instruction]:
        """The level of detail, of derivatives: what is sampled of it, and what it is before the limits."""
        bound, image = self.sampler_of(one), image_type(one.words[2], self.editor.definitions)
        if bound is None or image is None or image.words[2] not in _AXES:
            return [one]
        emit, axes = Emitter(self.editor), _AXES[image.words[2]]
        point = emit.head(emit.word(emit.as_float32(one.words[3])), axes)
        sizes = Sizes(emit, one.words[2], image, 2 if image.words[2] == Dim.Cube else axes, self.module.decorations)
        lod = self.level(emit, point, self.derivatives(emit, point), sizes, cube=image.words[2] == Dim.Cube)
        emit.result(one, "OpCompositeConstruct", self.whole(lod, bound, sizes, between=True).id, lod.id)
        return emit.out

    @staticmethod
    def derivatives(emit: Emitter, point: Word) -> list[Word]:
        """Those of a coordinate."""
        return [emit.make(Kind.FLOAT, name, point.id, count=point.count) for name in ("OpDPdx", "OpDPdy")]

    @staticmethod
    def level(emit: Emitter, point: Word, gradients: Sequence[Word], sizes: Sizes, *, cube: bool) -> Word:
        """The level of detail that gradients ask for."""
        if cube:
            face = Face(emit.parts(point.id))
            gradients = [emit.join(face.gradient(emit.parts(one.id))) for one in gradients]
        return longer(gradients, sizes.whole(0))

    @staticmethod
    def whole(lod: Word, bound: BoundSampler, sizes: Sizes, *, between: bool) -> Word:
        """The level that is sampled, between two where the sampler mixes them."""
        lod, last = lod.finite_clamp(*bound.limits), sizes.last_level().to(Kind.FLOAT)
        if not (between and bound.filters[2]):
            lod = (lod + 0.5).ceil() - 1.0
        return lod.clamp(0.0, last)

    def sampled(self, one: Instruction) -> list[Instruction] | None:
        """A sample otherwise, one thing at a time; None where there is nothing to do, or nothing that can be done."""
        image = image_type(one.words[2], self.editor.definitions)
        operands = split(one.words[4 + bool(SAMPLES[one.opcode].third) :])
        source = origin(one.words[2], self.editor.definitions, self.module)
        if image is None or image.words[2] not in _AXES or isinstance(source, Unknown) or SAMPLES[one.opcode].sparse:
            return None
        axes = 0 if image.words[2] == Dim.Cube else _AXES[image.words[2]]
        bound = self.samplers.get(source.descriptor)
        step = None
        integers = self.editor.definitions[image.words[1]].opcode == Op.TypeInt
        if SAMPLES[one.opcode].gather:
            if ImageOperands.Offset in operands:
                step = self.gather_moved
            elif not {ImageOperands.ConstOffsets, ImageOperands.Offsets}.isdisjoint(operands):
                step = self.gather_four
        elif ImageOperands.MinLod in operands:
            step = self.least_level
        elif integers and bound is not None and image.words[2] in _FETCHED:
            return self.indexed(SampleInstruction(self.editor, self.use(one, image, axes, source)), bound)
        if step is None and compares(one) and source.descriptor in self.compared_at and bound is not None:
            return self.compared(SampleInstruction(self.editor, self.use(one, image, axes, source)), bound)
        return step and step(SampleInstruction(self.editor, self.use(one, image, axes, source)))

    def use(self, one: Instruction, image: Instruction, axes: int, source: Any) -> SamplerUse:  # noqa: ANN401
        """An instruction, as `SampleInstruction` takes it apart."""
        return SamplerUse(one, image, axes, source, self.module.decorations)

    def gather_four(self, site: SampleInstruction) -> list[Instruction] | None:
        """A gather with four offsets: of four gathers the texel that each is about."""
        parts = parts_of(self.editor, site.four)
        emit, one = site.emit, site.one
        constant = parts is not None
        if parts is None:
            array = self.editor.definitions[emit.type_of(site.four)]
            parts = [emit.op("OpCompositeExtract", array.words[1], site.four, n) for n in range(4)]
        component = self.editor.definitions[one.words[0]].words[1]
        texels = []
        for offset in parts:
            own = {ImageOperands.ConstOffset if constant else ImageOperands.Offset: [offset]}
            words = [one.words[0], self.editor.new_id(), *one.words[2:5], *joined(site.operands | own)]
            self.editor.definitions[words[1]] = one.copy(words)
            emit.out.append(one.copy(words))
            texels.append(emit.op("OpCompositeExtract", component, words[1], 3))
        emit.result(one, "OpCompositeConstruct", *texels)
        return emit.out

    def gather_moved(self, site: SampleInstruction) -> list[Instruction] | None:
        """A gather with an offset that is no constant: at the corner that the four texels share, moved."""
        size, shift = site.sizes.whole(0), site.shift(site.offset)
        corner = (site.point * size - 0.5).floor() + 1.0
        point = (corner if shift is None else corner + shift) / size
        coordinate = site.emit.joined([point, *site.layer])
        return [*site.emit.out, site.one.copy([*site.one.words[:3], coordinate, *site.third, *joined(site.operands)])]

    def least_level(self, site: SampleInstruction) -> list[Instruction] | None:
        """A sample with a least level of detail: at an explicit level."""
        emit, operands = site.emit, dict(site.operands)
        least = emit.word(operands.pop(ImageOperands.MinLod)[0])
        given = [emit.word(one) for one in operands.pop(ImageOperands.Grad, [])]
        bias = operands.pop(ImageOperands.Bias, None)
        gradients = given or self.derivatives(emit, site.point)
        lod = self.level(emit, site.point, gradients, site.sizes, cube=site.cube)
        lod = (lod if bias is None else lod + emit.word(bias[0])).max(least)
        operands |= {ImageOperands.Lod: [lod.id]} | offset_operand(self.editor, site.offset)
        made = site.one.copy(
            [*site.one.words[:3], site.coordinate([site.point, *site.layer]), *site.third, *joined(operands)]
        )
        made.opcode = site.op.explicit
        return [*emit.out, made]

    def compared(self, site: SampleInstruction, bound: BoundSampler) -> list[Instruction] | None:
        """A comparison of a texel of depth, or of the four of a gather."""
        emit, one = site.emit, site.one
        if bound.compare is None:
            return None
        plain = Op.ImageSampleImplicitLod if site.implicit else Op.ImageSampleExplicitLod
        vector = emit.type_id(Kind.FLOAT, 4)
        operands = site.operands | offset_operand(self.editor, site.offset)
        third = [emit.number(Kind.INT, 0).id] if site.op.gather else []
        point = emit.joined([site.point, *site.layer])
        texel = self.editor.new_id()
        made = one.copy([vector, texel, site.sampled, point, *third, *joined(operands)])
        made.opcode = Op.ImageGather if site.op.gather else plain
        self.editor.definitions[texel] = made
        emit.out.append(made)
        reference = site.reference.clamp(0.0, 1.0) if bound.fixed else site.reference
        depth = emit.word(texel)
        depth = depth if site.op.gather else emit.component(depth, 0)
        answer = compared(bound.compare, reference.spread(depth.count), depth)
        emit.result(one, "OpCopyObject", answer.id)
        return emit.out

    def indexed(self, site: SampleInstruction, bound: BoundSampler) -> list[Instruction] | None:
        """The texel of an integer image: its level, its index, wrapped, and a fetch."""
        emit, operands, sizes = site.emit, site.operands, site.sizes
        lod = site.scalar(ImageOperands.Lod)
        if lod is None:
            given = [emit.word(one) for one in operands.get(ImageOperands.Grad, [])]
            lod = self.level(emit, site.point, given or self.derivatives(emit, site.point), sizes, cube=False)
            bias = site.scalar(ImageOperands.Bias)
            lod = lod if bias is None else lod + bias
        level = self.whole(lod, bound, sizes, between=False).to(Kind.INT)
        size = sizes.whole(level)
        index = (site.point * size).floor()
        shift = site.shift(site.offset)
        index = index if shift is None else index + shift
        parts = zip(emit.parts(index.id), emit.parts(size.id), bound.wraps, strict=False)
        where = [self.wrapped(one, length, wrap).to(Kind.INT) for one, length, wrap in parts]
        layer = [one.round_even().max(0.0).to(Kind.INT) for one in site.layer]
        image = emit.op("OpImage", site.image.words[0], site.sampled)
        emit.result(site.one, "OpImageFetch", image, emit.joined([*where, *layer]), ImageOperands.Lod, level.id)
        return emit.out

    @staticmethod
    def wrapped(index: Word, size: Word, wrap: str) -> Word:
        """The index of a texel on one axis, a whole float."""
        if wrap == "clamp-to-edge":
            return index.clamp(0.0, size - 1.0)
        period = size if wrap == "repeat" else size * 2.0
        inside = (index - (index / period).floor() * period).clamp(0.0, period - 1.0)
        return inside if wrap == "repeat" else inside.min(-inside + (period - 1.0))
