"""`SampleInstruction`: one sampling instruction taken apart, and instructions that sample the same image otherwise."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.shader.origin import dynamic_index
from statetracker.shader.sample_ops import IMPLICIT, SAMPLES, is_zero, joined, offset_operand, operands_of, parts_of
from statetracker.shader.sizes import Sizes
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Word
from statetracker.spirv.names import Capability, Decoration, Dim, ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from statetracker.shader.origin import Origin

#: Image operands: bit -> its ids.
Operands: TypeAlias = dict[int, list[int]]
_EXPLICIT: Final = (ImageOperands.Lod, ImageOperands.Grad)
#: Those that have a say in the level of detail: floats.
_LEVELS: Final = (ImageOperands.Bias, ImageOperands.Lod, ImageOperands.Grad, ImageOperands.MinLod)
_OFFSETS: Final = (ImageOperands.ConstOffset, ImageOperands.Offset)
_FOUR_OFFSETS: Final = (ImageOperands.ConstOffsets, ImageOperands.Offsets)


class CannotRewrite(Exception):
    """A reason why an instruction stays as it is."""


def element_index(emit: Emitter, source: Origin) -> Word:
    """Write the index of an array's element that only the shader knows; raises `CannotRewrite`."""
    index = dynamic_index(emit, source)
    if index is None:
        raise CannotRewrite("its array index is no 32-bit integer")
    return index


class SamplerUse(NamedTuple):
    """An instruction, its image type, how many spatial axes that has, and its sampler.

    Attributes:
        decorations: The module's: id -> decoration -> literals.
    """

    one: Instruction
    image: Instruction
    axes: int
    source: Origin
    decorations: Mapping[int, Mapping[int, tuple[int, ...]]]

    def relaxed(self, ident: int) -> bool:
        """Return whether less precision will do for an id."""
        return Decoration.RelaxedPrecision in self.decorations.get(ident, {})


class SampleInstruction:
    """An instruction's parts, as 32-bit floats.

    Args:
        editor: Of the module.
        use: The instruction and its sampler.

    Attributes:
        given: The coordinate.
        point: Its spatial components, divided where it projects; ``spatial`` one by one; ``layer`` none or one.
        third: Ids of the operand after the coordinate: a reference (divided too), a component, or none.
        offset: The id of its one offset, or 0; ``four`` of its four offsets, or 0.
        operands: The image operands but for offsets.

    Raises:
        CannotRewrite: A coordinate is too short.
    """

    def __init__(self, editor: Editor, use: SamplerUse) -> None:
        self.editor, self.use, self.one, self.emit = editor, use, use.one, Emitter(editor)
        self.image, self.count = use.image, use.axes
        words, self.op = self.one.words, SAMPLES[self.one.opcode]
        self.sampled = words[2]
        self.arrayed, self.rect = bool(self.image.words[4]), self.image.words[2] == Dim.Rect
        self.cube = self.image.words[2] == Dim.Cube
        self.sizes = Sizes(self.emit, self.sampled, self.image, self.count or 2, use.decorations)
        self.third = [words[4]] if self.op.third else []
        self.operands = operands_of(self.one)
        self.offset = self._taken(_OFFSETS)
        self.four = self._taken(_FOUR_OFFSETS)
        emit = self.emit
        self.given = emit.word(emit.as_float32(words[3]))
        spatial = 3 if self.cube else self.count
        needed = spatial + (self.arrayed or self.op.project)
        if self.given.count < needed:
            raise CannotRewrite(f"its coordinate has {self.given.count} components, {needed} are needed")
        self.point = emit.head(self.given, spatial)
        if self.op.project:
            q = emit.component(self.given, spatial)
            self.point = self.point / q
            if self.op.third == "dref":
                self.third = [(emit.float32(self.third[0]) / q).id]
        for bit in _LEVELS:
            if bit in self.operands:
                self.operands[bit] = [emit.as_float32(one) for one in self.operands[bit]]

    def _taken(self, bits: Sequence[int]) -> int:
        return next((self.operands.pop(bit)[0] for bit in bits if bit in self.operands), 0)

    @cached_property
    def spatial(self) -> list[Word]:
        """The spatial components."""
        return [self.emit.component(self.point, axis) for axis in range(self.point.count)]

    @cached_property
    def layer(self) -> list[Word]:
        """The layer of an array."""
        return [self.emit.component(self.given, self.point.count)] if self.arrayed else []

    def at_level(self, level: Word) -> Operands:
        """Return the image operands with an explicit level in place of what had a say in the level."""
        return {bit: ids for bit, ids in self.operands.items() if bit not in _LEVELS} | {ImageOperands.Lod: [level.id]}

    def at_gradients(self, gradients: Sequence[Word]) -> Operands:
        """Return the image operands with gradients, which have the bias in them."""
        others = {bit: ids for bit, ids in self.operands.items() if bit != ImageOperands.Bias}
        return others | {ImageOperands.Grad: [one.id for one in gradients]}

    def scalar(self, bit: int) -> Word | None:
        """Return a scalar image operand; None where there is none."""
        return self.emit.word(self.operands[bit][0]) if bit in self.operands else None

    @property
    def reference(self) -> Word:
        """The reference value of a comparison."""
        return self.emit.float32(self.third[0])

    def shift(self, offset: int) -> Word | None:
        """Return an offset as floats; None where it is 0 on every axis."""
        if not self.shifted(offset):
            return None
        return self.emit.make(Kind.FLOAT, "OpConvertSToF", offset, count=self.count)

    def shifted(self, offset: int) -> set[int]:
        """Return the axes on which an offset is not known to be 0."""
        known = parts_of(self.editor, offset) if offset else []
        if known is None:
            return set(range(self.count))
        return {axis for axis, part in enumerate(known) if not is_zero(self.editor, part)}

    def offset_without(self, offset: int, axes: Collection[int]) -> Operands:
        """Return an offset as an image operand, 0 on some axes; none where nothing is left of it."""
        if not offset or not axes:
            return offset_operand(self.editor, offset)
        known = parts_of(self.editor, offset)
        parts = self.emit.part_ids(offset) if known is None else known
        component = self.emit.type_of(parts[0])
        kept = [self.editor.constant(component, 0) if axis in axes else part for axis, part in enumerate(parts)]
        if all(is_zero(self.editor, one) for one in kept):
            return {}
        if known is None:
            return offset_operand(self.editor, self.emit.vector(kept, component))
        whole = self.editor.composite(self.emit.type_of(offset), kept) if len(kept) > 1 else kept[0]
        return offset_operand(self.editor, whole)

    def four_offsets(self) -> list[int]:
        """Return the ids of its four offsets; raises `CannotRewrite` where they are no constants."""
        offsets = parts_of(self.editor, self.four)
        if offsets is None or len(offsets) != 4:
            raise CannotRewrite("its four offsets are no constants of this module")
        return offsets

    def coordinate(self, parts: Sequence[Word]) -> int:
        """Return a new coordinate's id. Of a comparison it is a vector, as in GLSL: a compiler crashed on a scalar."""
        if self.op.third == "dref" and len(parts) == parts[0].count == 1:
            parts = [*parts, self.emit.number(Kind.FLOAT, 0.0)]
        return self.emit.joined(parts)

    def again(self) -> tuple[int, int]:
        """Write the instruction once more as it stands: its residency code (0 without one) and texel."""
        return self._opened(self.emit.again(self.one, self.one.words[0], *self.one.words[2:]))

    def sample(self, point: Word, operands: Operands, third: list[int]) -> tuple[int, int]:
        """Sample at other coordinates, without projection: the residency code (0 without one) and the texel."""
        whole = point is self.point and not self.op.project
        coordinate = self.given.id if whole else self.coordinate([point, *self.layer])
        return self._opened(self.written(coordinate, operands, third))

    def written(self, coordinate: int, operands: Operands, third: list[int], ident: int = 0) -> int:
        """Write the instruction with other operands, without projection; the id of its result, a new one for 0."""
        if ImageOperands.MinLod in operands:
            self.editor.capability(Capability.MinLod)
        implicit = self.op.implicit and operands.keys().isdisjoint(_EXPLICIT)
        code = IMPLICIT[self.op.explicit] if implicit else self.op.explicit
        words = self.one.words[0], self.sampled, coordinate, *third, *joined(operands)
        return self.emit.again(self.one, *words, code=code, ident=ident)

    def _opened(self, ident: int) -> tuple[int, int]:
        if not self.op.sparse:
            return 0, ident
        kinds = self.editor.definitions[self.one.words[0]].words[1:3]
        code, texel = (self.emit.op("OpCompositeExtract", kind, ident, at) for at, kind in enumerate(kinds))
        return code, texel

    def with_code(self, code: int, other: int, counts: Word | None = None) -> int:
        """Return the residency code of one more sample beside those before it: of one that is not resident, if any is.

        ``code`` is that of those before, 0 for none; without residency codes it stays 0. ``counts`` says whether the
        other is read at all.
        """
        if not (code and other):
            return code or other
        emit = self.emit
        flag = emit.make(Kind.BOOL, "OpImageSparseTexelsResident", code)
        flag = flag if counts is None else flag & counts
        return emit.op("OpSelect", emit.type_of(code), flag.id, other, code)

    @property
    def texel_type(self) -> int:
        """The type of the texel in the result."""
        kind = self.one.words[0]
        return self.editor.definitions[kind].words[2] if self.op.sparse else kind

    def texel(self, ident: int) -> Word:
        """Return a result's texel as floats of 32 bits, or integers."""
        return self.emit.word(self.emit.as_float32(ident))

    def finish(self, code: int, texel: int) -> None:
        """Convert a texel to the type of the result, and give it the id of the result."""
        emit = self.emit
        wanted = self.texel_type
        if emit.type_of(texel) != wanted:
            texel = emit.op("OpFConvert", wanted, texel)
        if self.op.sparse:
            emit.result(self.one, "OpCompositeConstruct", code, texel)
        elif emit.out[-1].result == texel and emit.out[-1].opcode != Op.Phi:
            last = emit.out[-1]
            last.words[1] = self.one.result
            self.editor.definitions[self.one.result] = last
        else:
            emit.result(self.one, "OpCopyObject", texel)
