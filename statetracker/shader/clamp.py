"""GL_CLAMP as a clamped coordinate: projection, offset, derivatives, clamp. Source: docs/shader_clamp.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.shader.levels import derivatives
from statetracker.shader.origin import selected
from statetracker.shader.sample_ops import (
    EXACT_FOR,
    is_zero,
    level_remark,
    offset_operand,
    parts_of,
    relax,
    whole_float,
)
from statetracker.shader.site import SampleInstruction, SamplerUse, element_index
from statetracker.spirv import Editor, Instruction, Kind, Word
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.site import Operands

_GLSL_MIX = 46


def axis_modes(rows: list[Lowering]) -> list[list[str]]:
    """Return how s, t and r are clamped: ``clamp``, ``mirror`` or nothing; by element where that differs."""
    columns = ([_mode(row, letter) for row in rows] for letter in "str")
    return [column if len(set(column)) > 1 else column[:1] for column in columns]


def _mode(row: Lowering, letter: str) -> str:
    return "clamp" if letter in row.clamp else "mirror" if letter in row.mirror else ""


def _clamped(value: Word, mode: str, top: Word | float) -> Word:
    """Write a component of a coordinate clamped to 0 to ``top``, or folded."""
    if not mode:
        return value
    top = value.like(top)
    return value.abs().min(top) if mode == "mirror" else value.clamp(0.0, top)


def rewrite(editor: Editor, use: SamplerUse, modes: Sequence[list[str]]) -> tuple[list[Instruction], list[str]]:
    """Return the instructions that stand in its place, the last with its result id, and remarks on what is not exact.

    ``modes`` are those of the spatial axes, as many as the image has.
    """
    work = _Clamp(SampleInstruction(editor, use), modes)
    if work.site.four:
        work.four()
    else:
        work.one_offset()
    result = use.one.result
    coordinate = use.relaxed(use.one.words[3])
    relax(editor, work.emit.out, result, coordinate=coordinate, texel=use.relaxed(result))
    return work.emit.out, work.remarks


class _Clamp:
    """The steps at one instruction."""

    def __init__(self, site: SampleInstruction, modes: Sequence[list[str]]) -> None:
        self.site, self.modes, self.editor, self.emit = site, modes, site.editor, site.emit
        self.remarks: list[str] = []
        self.axes = {axis for axis, each in enumerate(modes) if any(each)}
        varies = any(len(each) > 1 for each in modes)
        self.index = element_index(self.emit, site.use.source) if varies else None
        self.spatial, self.layer = site.spatial, site.layer

    def four(self) -> None:
        """Write a gather with four offsets as four gathers, component 3 (the base texel) of each."""
        site, emit, texels, code = self.site, self.emit, list[int](), 0
        code_type, vector = self.editor.definitions[site.one.words[0]].words[1], site.texel_type
        component = self.editor.definitions[vector].words[1]
        for offset in site.four_offsets():
            made = self.place(*self.fold(offset, 0), self.editor.new_id())
            if site.op.sparse:
                code = code or emit.op("OpCompositeExtract", code_type, made, 0)
                made = emit.op("OpCompositeExtract", vector, made, 1)
            texels.append(emit.op("OpCompositeExtract", component, made, 3))
        if site.op.sparse:
            self.remarks.append("the residency code is the first offset's")
        site.finish(code, emit.vector(texels, component))

    def one_offset(self) -> None:
        """With one offset or none: fold it, at the levels that are sampled where these are not known."""
        site, spatial = self.site, self.spatial
        if self.axes.isdisjoint(site.shifted(site.offset)):
            kept = offset_operand(self.editor, site.offset)
        else:
            level = self.constant_level()
            if level is None and not site.op.sparse and ImageOperands.Grad not in site.operands:
                self.two_levels()
                return
            if level is None:
                self.remarks.append("its offset is folded by the size of level 0: exact for textures of one level")
            elif ImageOperands.Lod in site.operands and not site.rect:
                filters = ", for a mipmap filter of LINEAR or NEAREST" if level else ""
                self.remarks.append(f"its offset is folded by the size of level {level}: {EXACT_FOR}{filters}")
            spatial, kept = self.fold(site.offset, level or 0)
        self.place(spatial, kept, site.one.result)

    def constant_level(self) -> int | None:
        """Return the level of an explicit LOD that is a whole constant; 0 for rectangles and gathers."""
        if self.site.rect or self.site.op.gather:
            return 0
        lod = self.site.scalar(ImageOperands.Lod)
        return None if lod is None else whole_float(self.editor, lod.id)

    def fold(self, offset: int, level: int | Word) -> tuple[list[Word], Operands]:
        """Add an offset to the clamped axes; the offset that is left for the others, as an image operand."""
        emit, members = self.emit, parts_of(self.editor, offset)
        parts = members if members is not None else emit.part_ids(offset)
        component = emit.type_of(parts[0])
        zero = self.editor.constant(component, 0)
        folded, kept = [*self.spatial], [*parts]
        for axis in sorted(self.axes):
            step = emit.make(Kind.FLOAT, "OpConvertSToF", parts[axis])
            folded[axis] += step if self.site.rect else step / self.site.sizes.at(level)[axis]
            kept[axis] = zero
        if all(is_zero(self.editor, one) for one in kept):
            return folded, {}
        whole = emit.vector(kept, component) if members is None else self.editor.composite(emit.type_of(offset), kept)
        return folded, offset_operand(self.editor, whole)

    def two_levels(self) -> None:
        """Sample both levels, each with its offset, which shrinks with the level, and mix as the hardware does."""
        site, emit, kind = self.site, self.emit, self.site.one.words[0]
        mixed = self.editor.is_float32(kind)
        self.remarks.append(level_remark(site.op, site.operands, mixed=mixed))
        lod, least = self.asked_level(), site.scalar(ImageOperands.MinLod)
        if least is not None:
            lod = lod.max(least)
        last = site.sizes.last_level().to(Kind.FLOAT)
        inside = lod.max(0.0).min(last)
        low = inside.floor() if mixed else (inside + 0.5).floor()
        texels = []
        for level in (low, (low + 1.0).min(last)) if mixed else (low,):
            folded, kept = self.fold(site.offset, level.to(Kind.INT))
            texels.append(self.place(folded, kept, self.editor.new_id(), level))
        if not mixed:
            emit.result(site.one, "OpCopyObject", texels[0])
            return
        mixer = emit.joined([inside - low] * self.editor.components(kind)[1])
        emit.result(site.one, "OpExtInst", self.editor.glsl(), _GLSL_MIX, *texels, mixer)

    def asked_level(self) -> Word:
        """Return the level of detail, before the limit that the instruction itself may have."""
        site, emit = self.site, self.emit
        given = site.scalar(ImageOperands.Lod)
        if given is not None:
            return given
        pair = self.editor.type_vector(self.editor.type_float(), 2)
        asked = emit.op("OpImageQueryLod", pair, site.sampled, emit.joined(self.spatial))
        # Component 0 is the level that is sampled, after the sampler's limits; a bias comes before these.
        bias = site.scalar(ImageOperands.Bias)
        lod = emit.make(Kind.FLOAT, "OpCompositeExtract", asked, int(bias is not None))
        return lod if bias is None else lod + bias

    def place(self, spatial: list[Word], offset: Operands, ident: int, level: Word | None = None) -> int:
        """Write derivatives of what is not yet clamped, the clamp, the instruction itself: the id of its result."""
        site, operands = self.site, self.site.operands
        if level is not None:
            operands = site.at_level(level)
        elif site.op.implicit:
            both, bias = derivatives(self.emit, self.emit.join(spatial)), site.scalar(ImageOperands.Bias)
            if bias is not None:
                factor = bias.exp2()
                both = [one.scaled(factor) for one in both]
            operands = site.at_gradients(both)
        tops: Sequence[Word | float] = site.sizes.at(0) if site.rect else [1.0] * site.count
        inside = [self.clamped(*one) for one in zip(spatial, self.modes, tops, strict=True)]
        return site.written(site.coordinate([*inside, *self.layer]), operands | offset, site.third, ident)

    def clamped(self, value: Word, modes: Sequence[str], top: Word | float) -> Word:
        """Write one component of a coordinate, clamped as the array's element asks for it."""
        if self.index is None or len(modes) == 1:
            return _clamped(value, modes[0], top)
        result = value
        for mode in sorted({*modes} - {""}):
            flag = selected(self.index, [one == mode for one in modes])
            result = flag.select(_clamped(value, mode, top), result)
        return result
