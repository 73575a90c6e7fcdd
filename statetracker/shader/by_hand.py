"""Samples that WGSL has not, written with those that it has.

What a sampler would do with them is done by the shader, by what is bound: `BoundSampler`.
Source: docs/webgpu.md, "Splitting combined samplers".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from statetracker.shader.levels import derivatives, longer
from statetracker.shader.origin import Unknown, image_type, origin, place_of
from statetracker.shader.sample_ops import SAMPLES, compares, is_zero, joined, offset_operand, operands_of, parts_of
from statetracker.shader.site import SampleInstruction, SamplerUse
from statetracker.shader.sizes import Face, Sizes
from statetracker.shader.work import compared
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Module, Word
from statetracker.spirv.names import Dim, ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from statetracker.shader.block_values import Descriptor
    from statetracker.shader.split_plan import BoundSampler

_AXES: Final = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Dim3D: 3, Dim.Cube: 3}
#: Dimensions whose texels a fetch reads.
_FETCHED: Final = frozenset({Dim.Dim1D, Dim.Dim2D, Dim.Dim3D})
#: What a level of detail comes of; with a least one it becomes an explicit level.
_LEVELS: Final = frozenset({ImageOperands.Bias, ImageOperands.Lod, ImageOperands.Grad, ImageOperands.MinLod})
_OFFSETS: Final = (ImageOperands.ConstOffset, ImageOperands.Offset)
#: Of GLSL.std.450.
_TRUNC, _MODF, _AT_CENTROID, _AT_OFFSET = 3, 35, 76, 78


def at_levels(module: Module, samplers: Mapping[Descriptor, BoundSampler]) -> set[Descriptor]:
    """Those of some samplers of which a comparison has a level of its own: all of theirs are by hand."""
    places = set()
    for one in module.instructions:
        if compares(one):
            operands = operands_of(one)
            level = operands.get(ImageOperands.Lod)
            zero = level is not None and is_zero(module, level[0])
            if not zero and not _LEVELS.isdisjoint(operands):
                places.add(place_of(one.words[2], module.definitions, module))
    return {place for place in samplers if place in places}


def with_pairs(editor: Editor) -> None:
    """Declare vectors of two integers: without these naga ends the program at a fetch of a layer."""
    for signed in (True, False):
        editor.type_vector(editor.type_int(signed=signed), 2)


def by_hand(module: Module, samplers: Mapping[Descriptor, BoundSampler], compared_at: Collection[Descriptor]) -> Module:
    """Write samples, fetches and queries otherwise, where WGSL lacks them.

    ``samplers`` are those that will be bound, ``compared_at`` the descriptors whose comparisons the shader carries out.
    """
    work = _ByHand(module, samplers, compared_at)
    body = [new for one in module.instructions for new in work.read(one)]
    with_pairs(work.editor)
    return work.editor.finish(body, check=False)


class _ByHand:
    """One walk; what is written is looked at again."""

    def __init__(
        self, module: Module, samplers: Mapping[Descriptor, BoundSampler], compared_at: Collection[Descriptor]
    ) -> None:
        self.module, self.editor, self.samplers, self.compared_at = module, Editor(module), samplers, compared_at
        self.inside = False  # a function

    def read(self, one: Instruction) -> list[Instruction]:
        self.inside |= one.opcode == Op.Function
        step = _STEPS.get(one.opcode)
        if step is not None:
            return step(self, one)
        made = self.sampled(one) if one.opcode in SAMPLES else None
        return [one] if made is None else [new for each in made for new in self.read(each)]

    def undefined(self, one: Instruction) -> list[Instruction]:
        """Return 0 for what is undefined; a pointer stays."""
        if self.editor.definitions[one.words[0]].opcode == Op.TypePointer:
            return [one]
        if not self.inside:
            return [Instruction(Op.ConstantNull, one.words)]
        return [Instruction(Op.CopyObject, [*one.words, self.editor.null(one.words[0])])]

    def by_components(self, one: Instruction) -> list[Instruction]:
        if self.editor.definitions[one.words[0]].opcode != Op.TypeVector:
            return [one]
        emit, kind = Emitter(self.editor), self.editor.definitions[one.words[0]].words[1]
        each = zip(emit.part_ids(one.words[2]), emit.part_ids(one.words[3]), strict=True)
        emit.result(one, "OpCompositeConstruct", *[emit.op(one.name, kind, *pair) for pair in each])
        return emit.out

    def outer(self, one: Instruction) -> list[Instruction]:
        """Return an outer product: the first vector times each component of the second."""
        emit, kind = Emitter(self.editor), self.editor.definitions[one.words[0]].words[1]
        columns = [emit.op("OpVectorTimesScalar", kind, one.words[2], part) for part in emit.part_ids(one.words[3])]
        emit.result(one, "OpCompositeConstruct", *columns)
        return emit.out

    def shifted(self, one: Instruction) -> list[Instruction]:
        """Return a shift of what has the sign of the result."""
        if self.editor.definitions[one.words[2]].type_id == one.words[0]:
            return [one]
        emit = Emitter(self.editor)
        cast = emit.op("OpBitcast", one.words[0], one.words[2])
        return [*emit.out, one.copy([*one.words[:2], cast, one.words[3]])]

    def negated(self, one: Instruction) -> list[Instruction]:
        """Return 0 minus unsigned integers."""
        kind, _ = self.editor.components(one.words[0])
        zero = 0 if kind.words[2] else self.editor.null(one.words[0])
        return [one.copy([*one.words[:2], zero, one.words[2]], Op.ISub) if zero else one]

    def endless(self, one: Instruction) -> list[Instruction]:
        """Return what asks for an infinite value or one that is no number: by its bits, without the sign."""
        if not self.editor.is_float32(self.editor.definitions[one.words[2]].type_id):
            return [one]
        emit = Emitter(self.editor)
        bits = emit.word(one.words[2]).bits(Kind.UINT) << 1
        infinite = bits.like(0xFF000000)
        answer = bits.equals(infinite) if one.opcode == Op.IsInf else infinite < bits
        emit.result(one, "OpCopyObject", answer.id)
        return emit.out

    def extended(self, one: Instruction) -> list[Instruction]:
        """Interpolation at another place, by derivatives; modf, whose whole part goes to a pointer."""
        emit, (kind, _, glsl, number, first, *rest) = Emitter(self.editor), one.words
        if glsl == self.module.glsl and number == _MODF:
            whole = emit.op("OpExtInst", kind, glsl, _TRUNC, first)
            emit.out.append(Instruction(Op.Store, [rest[0], whole]))
            emit.result(one, "OpFSub", first, whole)
            return emit.out
        if glsl != self.module.glsl or number not in {_AT_CENTROID, _AT_OFFSET}:
            return [one]
        value = emit.word(emit.op("OpLoad", kind, first))
        if number == _AT_CENTROID:
            emit.result(one, "OpCopyObject", value.id)
            return emit.out
        across, up = derivatives(emit, value)
        x, y = emit.parts(rest[0])
        emit.result(one, "OpFAdd", (value + across.scaled(x)).id, up.scaled(y).id)
        return emit.out

    def fetched(self, one: Instruction) -> list[Instruction]:
        operands, emit, point = operands_of(one), Emitter(self.editor), one.words[3]
        image = self.editor.definitions[self.editor.definitions[one.words[2]].words[0]]
        offset = next((operands.pop(bit)[0] for bit in _OFFSETS if bit in operands), 0)
        if offset:
            where, step = emit.word(point), emit.word(offset)
            layer = [emit.component(where, n).bits(where.kind) for n in range(step.count, where.count)]
            point = emit.joined([emit.head(where, step.count) + step.bits(where.kind), *layer])
        if not image.words[5] and image.words[2] != Dim.Buffer:
            operands.setdefault(ImageOperands.Lod, [emit.number(Kind.INT, 0).id])
        return [*emit.out, one.copy([*one.words[:3], point, *joined(operands)])]

    def bound(self, one: Instruction) -> BoundSampler | None:
        """Return what is bound of the sampler of an instruction, where that is known."""
        place = place_of(one.words[2], self.editor.definitions, self.module)
        return self.samplers.get(place) if place is not None else None

    def asked(self, one: Instruction) -> list[Instruction]:
        """Return the level of detail, of derivatives: what is sampled of it, and what it is before the limits."""
        image, bound = image_type(one.words[2], self.editor.definitions), self.bound(one)
        if bound is None or image is None or image.words[2] not in _AXES:
            return [one]
        emit, axes, cube = Emitter(self.editor), _AXES[image.words[2]], image.words[2] == Dim.Cube
        point = emit.head(emit.word(emit.as_float32(one.words[3])), axes)
        sizes = Sizes(emit, one.words[2], image, 2 if cube else axes, self.module.decorations)
        lod = _level(emit, point, derivatives(emit, point), sizes, cube=cube)
        emit.result(one, "OpCompositeConstruct", _whole(lod, bound, sizes, between=True).id, lod.id)
        return emit.out

    def sampled(self, one: Instruction) -> list[Instruction] | None:
        """Write a sample otherwise, one thing at a time; None where nothing is to be done, or can be."""
        image, operands, op = image_type(one.words[2], self.editor.definitions), operands_of(one), SAMPLES[one.opcode]
        source = origin(one.words[2], self.editor.definitions, self.module)
        if image is None or image.words[2] not in _AXES or isinstance(source, Unknown) or op.sparse:
            return None
        axes = 0 if image.words[2] == Dim.Cube else _AXES[image.words[2]]
        bound, step = self.samplers.get(source.descriptor), None
        integers = self.editor.definitions[image.words[1]].opcode == Op.TypeInt
        if op.gather:
            if ImageOperands.Offset in operands:
                step = self.gather_moved
            elif not {ImageOperands.ConstOffsets, ImageOperands.Offsets}.isdisjoint(operands):
                step = self.gather_four
        elif ImageOperands.MinLod in operands:
            step = self.least_level
        elif integers and bound is not None and image.words[2] in _FETCHED:
            step = partial(self.indexed, bound)
        if step is None and compares(one) and source.descriptor in self.compared_at and bound is not None:
            step = partial(self.compared, bound)
        return step and step(
            SampleInstruction(self.editor, SamplerUse(one, image, axes, source, self.module.decorations))
        )

    def gather_four(self, site: SampleInstruction) -> list[Instruction]:
        """Return a gather with four offsets: of four gathers the texel that each is about."""
        emit, one, bit = site.emit, site.one, ImageOperands.ConstOffset
        parts = parts_of(self.editor, site.four)
        if parts is None:
            array, bit = self.editor.definitions[emit.type_of(site.four)], ImageOperands.Offset
            parts = [emit.op("OpCompositeExtract", array.words[1], site.four, n) for n in range(4)]
        component = self.editor.definitions[one.words[0]].words[1]
        texels = []
        for offset in parts:
            made = emit.again(one, one.words[0], *one.words[2:5], *joined(site.operands | {bit: [offset]}))
            texels.append(emit.op("OpCompositeExtract", component, made, 3))
        emit.result(one, "OpCompositeConstruct", *texels)
        return emit.out

    def gather_moved(self, site: SampleInstruction) -> list[Instruction]:
        """Return a gather with an offset that is no constant: at the corner that the four texels share, moved."""
        size, shift = site.sizes.whole(0), site.shift(site.offset)
        corner = (site.point * size - 0.5).floor() + 1.0
        point = (corner if shift is None else corner + shift) / size
        coordinate = site.emit.joined([point, *site.layer])
        return [*site.emit.out, site.one.copy([*site.one.words[:3], coordinate, *site.third, *joined(site.operands)])]

    def least_level(self, site: SampleInstruction) -> list[Instruction]:
        """Return a sample with a least level of detail: at an explicit level."""
        lod = _asked_level(site).max(site.emit.word(site.operands[ImageOperands.MinLod][0]))
        operands = {bit: words for bit, words in site.operands.items() if bit not in _LEVELS}
        operands |= {ImageOperands.Lod: [lod.id]} | offset_operand(self.editor, site.offset)
        coordinate = site.coordinate([site.point, *site.layer])
        words = [*site.one.words[:3], coordinate, *site.third, *joined(operands)]
        return [*site.emit.out, site.one.copy(words, site.op.explicit)]

    def compared(self, bound: BoundSampler, site: SampleInstruction) -> list[Instruction]:
        emit, one, code = site.emit, site.one, Op.ImageGather
        if not site.op.gather:
            code = Op.ImageSampleImplicitLod if site.op.implicit else Op.ImageSampleExplicitLod
        vector = emit.type_id(Kind.FLOAT, 4)
        operands = joined(site.operands | offset_operand(self.editor, site.offset))
        third = [emit.number(Kind.INT, 0).id] if site.op.gather else []
        point = emit.joined([site.point, *site.layer])
        depth = emit.word(emit.again(one, vector, site.sampled, point, *third, *operands, code=code))
        reference = site.reference.clamp(0.0, 1.0) if bound.fixed else site.reference
        depth = depth if site.op.gather else emit.component(depth, 0)
        assert bound.compare is not None  # noqa: S101 (`portable` looks at it)
        answer = compared(bound.compare, reference.spread(depth.count), depth)
        emit.result(one, "OpCopyObject", answer.id)
        return emit.out

    def indexed(self, bound: BoundSampler, site: SampleInstruction) -> list[Instruction]:
        """Return the texel of an integer image: its level, its index, wrapped, and a fetch."""
        emit, sizes, lod = site.emit, site.sizes, site.scalar(ImageOperands.Lod)
        lod = _asked_level(site) if lod is None else lod
        level = _whole(lod, bound, sizes, between=False).to(Kind.INT)
        size = sizes.whole(level)
        index = (site.point * size).floor()
        shift = site.shift(site.offset)
        index = index if shift is None else index + shift
        parts = zip(emit.parts(index.id), emit.parts(size.id), bound.wraps, strict=False)
        where = [_wrapped(one, length, wrap).to(Kind.INT) for one, length, wrap in parts]
        layer = [one.round_even().max(0.0).to(Kind.INT) for one in site.layer]
        image = emit.op("OpImage", site.image.words[0], site.sampled)
        emit.result(site.one, "OpImageFetch", image, emit.joined([*where, *layer]), ImageOperands.Lod, level.id)
        return emit.out


#: Opcode -> what is written in place of its instructions.
_STEPS: Final[dict[int, Callable[[_ByHand, Instruction], list[Instruction]]]] = {
    Op.ImageFetch: _ByHand.fetched,
    Op.ImageQueryLod: _ByHand.asked,
    Op.ExtInst: _ByHand.extended,
    **dict.fromkeys((Op.SMod, Op.SRem, Op.LogicalAnd, Op.LogicalOr), _ByHand.by_components),
    Op.OuterProduct: _ByHand.outer,
    Op.SNegate: _ByHand.negated,
    **dict.fromkeys((Op.ShiftLeftLogical, Op.ShiftRightLogical, Op.ShiftRightArithmetic), _ByHand.shifted),
    **dict.fromkeys((Op.IsNan, Op.IsInf), _ByHand.endless),
    Op.Undef: _ByHand.undefined,
}


def _level(emit: Emitter, point: Word, gradients: Sequence[Word], sizes: Sizes, *, cube: bool) -> Word:
    if cube:
        face = Face(emit.parts(point.id))
        gradients = [emit.join(face.gradient(emit.parts(one.id))) for one in gradients]
    return longer(gradients, sizes.whole(0))


def _asked_level(site: SampleInstruction) -> Word:
    """Return the level of detail that a sample asks for, by its gradients or derivatives, with its own bias."""
    given = [site.emit.word(one) for one in site.operands.get(ImageOperands.Grad, ())]
    lod = _level(site.emit, site.point, given or derivatives(site.emit, site.point), site.sizes, cube=site.cube)
    bias = site.scalar(ImageOperands.Bias)
    return lod if bias is None else lod + bias


def _whole(lod: Word, bound: BoundSampler, sizes: Sizes, *, between: bool) -> Word:
    """Return the level that is sampled, between two where the sampler mixes them."""
    lod, last = lod.finite_clamp(*bound.limits), sizes.last_level().to(Kind.FLOAT)
    if not (between and bound.filters[2]):
        lod = (lod + 0.5).ceil() - 1.0
    return lod.clamp(0.0, last)


def _wrapped(index: Word, size: Word, wrap: str) -> Word:
    if wrap == "clamp-to-edge":
        return index.clamp(0.0, size - 1.0)
    period = size if wrap == "repeat" else size * 2.0
    inside = (index - (index / period).floor() * period).clamp(0.0, period - 1.0)
    return inside if wrap == "repeat" else inside.min(-inside + (period - 1.0))
