"""GL_CLAMP as a clamped coordinate: projection, offset, derivatives, clamp. Source: docs/shader_clamp.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.shader.levels import derivatives
from statetracker.shader.origin import dynamic_index, selected
from statetracker.shader.sample_ops import (
    EXACT_FOR,
    is_zero,
    joined,
    level_remark,
    offset_operand,
    parts_of,
    relax,
    whole_float,
)
from statetracker.shader.site import CannotRewrite, SampleInstruction, SamplerUse
from statetracker.spirv import Editor, Instruction, Kind, Word
from statetracker.spirv.names import Capability, ImageOperands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.pipe.lowering import Lowering

_GLSL_MIX = 46


class AxisModes(NamedTuple):
    """One axis: ``mode`` where every element that can be meant agrees, else one mode an element in ``each``."""

    mode: str
    each: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """True where some element is clamped."""
        return bool(self.mode) or any(self.each)


def axis_modes(rows: list[Lowering]) -> tuple[AxisModes, ...]:
    """Return how s, t and r are clamped: ``clamp``, ``mirror`` or nothing, by element where that differs."""
    columns = ([_mode(row, letter) for row in rows] for letter in "str")
    return tuple(AxisModes(column[0]) if len(set(column)) == 1 else AxisModes("", tuple(column)) for column in columns)


def _mode(row: Lowering, letter: str) -> str:
    return "clamp" if letter in row.clamp else "mirror" if letter in row.mirror else ""


def clamped(value: Word, modes: AxisModes, top: Word | float, index: Word | None) -> Word:
    """Write one component of a coordinate: clamped to 0 to ``top``, folded, or selected by the array index."""
    if not modes.each or index is None:
        return _apply(value, modes.mode, top)
    result = value
    for mode in sorted({one for one in modes.each if one}):
        result = selected(index, modes.each, mode).select(_apply(value, mode, top), result)
    return result


def _apply(value: Word, mode: str, top: Word | float) -> Word:
    if not mode:
        return value
    top = value.like(top)
    return value.abs().min(top) if mode == "mirror" else value.clamp(0.0, top)


def rewrite(editor: Editor, use: SamplerUse, modes: tuple[AxisModes, ...]) -> tuple[list[Instruction], list[str]]:
    """Return the instructions that stand in its place, the last with its result id, and remarks on what is not exact.

    ``modes`` are those of the spatial axes, as many as the image has.
    """
    work = _Work(SampleInstruction(editor, use), modes)
    work.run()
    result = use.one.result
    coordinate = use.relaxed(use.one.words[3])
    relax(editor, work.emit.out, result, coordinate=coordinate, texel=use.relaxed(result))
    return work.emit.out, work.remarks


class _Work:
    """The steps, in the order in which they run."""

    def __init__(self, site: SampleInstruction, modes: tuple[AxisModes, ...]) -> None:
        self.site, self.modes, self.editor, self.emit = site, modes, site.editor, site.emit
        self.remarks: list[str] = []
        self.op, self.sampled, self.count, self.rect = site.op, site.sampled, site.count, site.rect
        self.sizes, self.third, self.operands = site.sizes, site.third, dict(site.operands)
        self.index: Word | None = None

    def run(self) -> None:
        if any(one.each for one in self.modes):
            self.index = dynamic_index(self.emit, self.site.use.source)
            if self.index is None:
                raise CannotRewrite("its array index is no 32-bit integer")
        self.spatial, self.layer = self.site.spatial, self.site.layer
        if self.site.four:
            self.four()
        else:
            self.one_offset()

    def four(self) -> None:
        """Write a gather with four offsets as four gathers, component 3 (the base texel) of each."""
        offsets = self.site.four_offsets()
        emit, rest, texels = self.emit, dict(self.operands), []
        kind = self.site.one.words[0]
        code_type, vector = self.editor.definitions[kind].words[1:3] if self.op.sparse else (0, kind)
        component = self.editor.definitions[vector].words[1]
        code = 0
        for offset in offsets:
            folded, kept = self.fold(offset, 0)
            self.operands = rest | offset_operand(self.editor, kept)
            made = self.place(self.editor.new_id(), kind, folded)
            if self.op.sparse:
                code = code or emit.op("OpCompositeExtract", code_type, made, 0)
                made = emit.op("OpCompositeExtract", vector, made, 1)
            texels.append(emit.op("OpCompositeExtract", component, made, 3))
        if self.op.sparse:
            self.remarks.append("the residency code is the first offset's")
            texels = [code, emit.vector(texels, component)]
        emit.result(self.site.one, "OpCompositeConstruct", *texels)

    def one_offset(self) -> None:
        """With one offset or none: fold it, at the levels that are sampled where these are not known."""
        one, spatial, offset = self.site.one, self.spatial, self.site.offset
        if offset and self.folds(offset):
            level = self.constant_level()
            if level is not None and ImageOperands.Lod in self.operands and not self.rect:
                filters = ", for a mipmap filter of LINEAR or NEAREST" if level else ""
                self.remarks.append(f"its offset is folded by the size of level {level}: {EXACT_FOR}{filters}")
            if level is None and not self.op.sparse and ImageOperands.Grad not in self.operands:
                self.two_levels(offset)
                return
            if level is None:
                self.remarks.append("its offset is folded by the size of level 0: exact for textures of one level")
            spatial, offset = self.fold(offset, level or 0)
        self.operands |= offset_operand(self.editor, offset)
        self.place(one.words[1], one.words[0], spatial)

    def folds(self, offset: int) -> bool:
        parts = parts_of(self.editor, offset)
        return parts is None or any(
            mode.any and not is_zero(self.editor, one) for mode, one in zip(self.modes, parts, strict=False)
        )

    def constant_level(self) -> int | None:
        """Return the level of an explicit LOD that is a whole constant; 0 for rectangles and gathers."""
        if self.rect or self.op.gather:
            return 0
        if ImageOperands.Lod not in self.operands:
            return None
        return whole_float(self.editor, self.operands[ImageOperands.Lod][0])

    def fold(self, offset: int, level: int | Word) -> tuple[list[Word], int]:
        """Add an offset to the clamped axes; the offset that is left for the others, 0 for none."""
        emit, members = self.emit, parts_of(self.editor, offset)
        parts = members if members is not None else emit.part_ids(offset)
        component = emit.type_of(parts[0])
        zero = self.editor.constant(component, 0)
        folded, kept = [], []
        for axis, (one, part) in enumerate(zip(self.spatial, parts, strict=True)):
            if not self.modes[axis].any:
                folded.append(one)
                kept.append(part)
                continue
            step = emit.make(Kind.FLOAT, "OpConvertSToF", part)
            folded.append(one + (step if self.rect else step / self.sizes.at(level)[axis]))
            kept.append(zero)
        if all(is_zero(self.editor, one) for one in kept):
            return folded, 0
        if members is None:
            return folded, emit.vector(kept, component)
        return folded, self.editor.composite(emit.type_of(offset), kept)

    def two_levels(self, offset: int) -> None:
        """Sample both levels, each with its offset, which shrinks with the level, and mix as the hardware does."""
        emit, kind = self.emit, self.site.one.words[0]
        mixed = self.editor.is_float32(kind)
        self.remarks.append(level_remark(self.op, self.operands, mixed=mixed))
        lod = self.asked_level()
        if ImageOperands.MinLod in self.operands:
            lod = lod.max(emit.word(self.operands.pop(ImageOperands.MinLod)[0]))
        last = self.sizes.last_level().to(Kind.FLOAT)
        inside = lod.max(0.0).min(last)
        low = inside.floor() if mixed else (inside + 0.5).floor()
        rest = dict(self.operands)
        texels = []
        for level in (low, (low + 1.0).min(last)) if mixed else (low,):
            folded, kept = self.fold(offset, level.to(Kind.INT))
            self.operands = rest | {ImageOperands.Lod: [level.id]} | offset_operand(self.editor, kept)
            texels.append(self.place(self.editor.new_id(), kind, folded, explicit=True))
        if not mixed:
            emit.result(self.site.one, "OpCopyObject", texels[0])
            return
        mixer = emit.joined([inside - low] * self.editor.components(kind)[1])
        emit.result(self.site.one, "OpExtInst", self.editor.glsl(), _GLSL_MIX, *texels, mixer)

    def asked_level(self) -> Word:
        """Return the level of detail, before the limit that the instruction itself may have."""
        if not self.op.implicit:
            return self.emit.word(self.operands.pop(ImageOperands.Lod)[0])
        pair = self.editor.type_vector(self.editor.type_float(), 2)
        asked = self.emit.op("OpImageQueryLod", pair, self.sampled, self.emit.joined(self.spatial))
        # Component 0 is the level that is sampled, after the sampler's limits; a bias comes before these.
        bias = self.operands.pop(ImageOperands.Bias, [])
        lod = self.emit.make(Kind.FLOAT, "OpCompositeExtract", asked, len(bias))
        return lod + self.emit.word(bias[0]) if bias else lod

    def place(self, ident: int, kind: int, spatial: list[Word], *, explicit: bool = False) -> int:
        """Write derivatives of what is not yet clamped, the clamp, the instruction itself."""
        operands = dict(self.operands)
        if self.op.implicit and not explicit:
            operands[ImageOperands.Grad] = self.gradients(spatial, operands.pop(ImageOperands.Bias, []))
        tops: Sequence[Word | float]
        tops = self.sizes.at(0) if self.rect and any(mode.any for mode in self.modes) else [1.0] * self.count
        inside = [
            clamped(one, modes, top, self.index) for one, modes, top in zip(spatial, self.modes, tops, strict=True)
        ]
        coordinate = self.site.coordinate([*inside, *self.layer])
        words = [kind, ident, self.sampled, coordinate, *self.third, *joined(operands)]
        one = self.site.one.copy(words, self.op.explicit)
        self.emit.out.append(one)
        self.editor.definitions[ident] = one
        if ImageOperands.MinLod in operands:
            self.editor.capability(Capability.MinLod)
        return ident

    def gradients(self, spatial: list[Word], bias: list[int]) -> list[int]:
        both = derivatives(self.emit, self.emit.join(spatial))
        if bias:
            factor = self.emit.word(bias[0]).exp2()
            both = [one.scaled(factor) for one in both]
        return [one.id for one in both]
