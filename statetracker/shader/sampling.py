"""One sampling instruction, rewritten: projection, offset, derivatives, clamp. Source: docs/shader_clamp.md."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from statetracker.shader import forms
from statetracker.shader.constants import is_zero, parts_of
from statetracker.shader.emitter import EXP2, FABS, FCLAMP, FLOOR, FMAX, FMIN, FMIX, SMAX, SMIN, Emitter
from statetracker.shader.modes import dynamic_index, selected
from statetracker.shader.relaxed import RELAXED_PRECISION, relax

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.shader.modes import AxisModes
    from statetracker.shader.origin import Origin
    from statetracker.spirv import Editor, Instruction

__all__ = ["Site", "rewrite"]

_RECT = 4
_EXACT_FOR = "exact for an LOD bias of 0, within LOD limits"
_TWO_LEVELS = f"its offset is folded at both levels: {_EXACT_FOR}, without anisotropy"
_ONE_LEVEL = f"its offset is folded at the nearest level: {_EXACT_FOR}, without anisotropy"
_IMAGE_QUERY = 50
_NON_UNIFORM = 5300
_FLOAT, _VECTOR = 22, 23


class Site(NamedTuple):
    """An instruction to rewrite, its image type, its spatial axes' modes (as many as it has) and its sampler.

    decorations   the module's: id -> decoration -> literals
    """

    one: Instruction
    image: Instruction
    modes: tuple[AxisModes, ...]
    source: Origin
    decorations: Mapping[int, Mapping[int, tuple[int, ...]]]


class CannotRewrite(Exception):
    """Why an instruction stays as it is."""


def rewrite(editor: Editor, site: Site) -> tuple[list[Instruction], list[str]]:
    """The instructions that stand in its place, the last with its result id, and remarks on what is not exact."""
    work = _Work(editor, site)
    work.run()
    relaxed = [RELAXED_PRECISION in site.decorations.get(ident, {}) for ident in (work.coordinate, site.one.result)]
    relax(editor, work.emit.out, site.one.result, coordinate=relaxed[0], texel=relaxed[1])
    return work.emit.out, work.remarks


class _Work:
    """The steps, in the order in which they run."""

    def __init__(self, editor: Editor, site: Site) -> None:
        self.editor, self.site = editor, site
        self.emit = Emitter(editor)
        self.remarks: list[str] = []
        words = site.one.words
        self.form = forms.FORMS[site.one.opcode]
        self.sampled, self.coordinate = words[2], words[3]
        self.third = [words[4]] if self.form.third else []
        self.operands = forms.split(words[5 if self.form.third else 4 :])
        self.count = len(site.modes)
        self.arrayed = bool(site.image.words[4])
        self.rect = site.image.words[2] == _RECT
        self.sizes: dict[int, list[int]] = {}
        self.wholes: list[int] = []
        self.image_id = 0
        self.index: int | None = None

    def run(self) -> None:
        """Write the whole replacement."""
        emit = self.emit
        parts = emit.parts(emit.as_float32(self.coordinate))
        needed = self.count + (self.arrayed or self.form.project)
        if len(parts) < needed:
            raise CannotRewrite(f"its coordinate has {len(parts)} components, {needed} are needed")
        spatial, layer = parts[: self.count], parts[self.count : self.count + self.arrayed]
        if self.form.project:
            q = parts[self.count]
            spatial = [emit.fop("OpFDiv", one, q) for one in spatial]
            if self.form.third == "dref":
                self.third = [emit.fop("OpFDiv", emit.as_float32(self.third[0]), q)]
        if any(one.each for one in self.site.modes):
            self.index = dynamic_index(emit, self.site.source)
            if self.index is None:
                raise CannotRewrite("its array index is no 32-bit integer")
        for bit in (forms.BIAS, forms.LOD, forms.GRAD, forms.MIN_LOD):
            if bit in self.operands:
                self.operands[bit] = [emit.as_float32(one) for one in self.operands[bit]]
        for bit in (forms.CONST_OFFSETS, forms.OFFSETS):
            if bit in self.operands:
                self.four(spatial, layer, bit)
                return
        self.one_offset(spatial, layer)

    def four(self, spatial: list[int], layer: list[int], bit: int) -> None:
        """A gather with four offsets: four gathers, component 3 (the base texel) of each."""
        offsets = parts_of(self.editor, self.operands.pop(bit)[0])
        if offsets is None or len(offsets) != 4:
            raise CannotRewrite("its four offsets are no constants of this module")
        emit, rest, parts = self.emit, dict(self.operands), []
        vector, structure = self.texel_type()
        component = self.editor.definitions[vector].words[1]
        code = 0
        for offset in offsets:
            folded, kept = self.fold(spatial, offset, level=0)
            self.operands = rest | self.offset_operand(kept)
            made = self.place(self.editor.new_id(), structure or vector, folded, layer)
            if structure:
                code = code or emit.op("OpCompositeExtract", self.editor.definitions[structure].words[1], made, 0)
                made = emit.op("OpCompositeExtract", vector, made, 1)
            parts.append(emit.op("OpCompositeExtract", component, made, 3))
        if structure:
            self.remarks.append("the residency code is the first offset's")
            texel = emit.vector(parts, component)
            self.final("OpCompositeConstruct", code, texel)
        else:
            self.final("OpCompositeConstruct", *parts)

    def final(self, name: str, *operands: int) -> None:
        """The last instruction: it keeps the original's type and id."""
        one = self.editor.build(name, self.site.one.words[0], *operands)
        one.words[1] = self.site.one.words[1]
        self.emit.out.append(one)

    def texel_type(self) -> tuple[int, int]:
        """The type of what is sampled, and the structure around it where there is one (sparse)."""
        kind = self.site.one.words[0]
        if not self.form.sparse:
            return kind, 0
        return self.editor.definitions[kind].words[2], kind

    def one_offset(self, spatial: list[int], layer: list[int]) -> None:
        """With one offset or none: fold it, at the levels that are sampled where these are not known."""
        one = self.site.one
        offset = next(
            (self.operands.pop(bit)[0] for bit in (forms.CONST_OFFSET, forms.OFFSET) if bit in self.operands), 0
        )
        if not offset or not self.folds(offset):
            self.operands |= self.offset_operand(offset)
            self.place(one.words[1], one.words[0], spatial, layer)
            return
        level = self.constant_level()
        if level:
            filters = "for a mipmap filter of LINEAR or NEAREST"
            self.remarks.append(f"its offset is folded by the size of level {level}: {_EXACT_FOR}, {filters}")
        if level is None and not self.form.sparse and not self.form.gather and forms.GRAD not in self.operands:
            self.two_levels(spatial, layer, offset)
            return
        if level is None and not self.rect and not self.form.gather:
            self.remarks.append("its offset is folded by the size of level 0: exact for textures of one level")
        folded, kept = self.fold(spatial, offset, level=level or 0)
        self.operands |= self.offset_operand(kept)
        self.place(one.words[1], one.words[0], folded, layer)

    def offset_operand(self, offset: int) -> dict[int, list[int]]:
        """An offset as an image operand, constant where it is a constant; none for 0."""
        if not offset:
            return {}
        return {forms.OFFSET if parts_of(self.editor, offset) is None else forms.CONST_OFFSET: [offset]}

    def folds(self, offset: int) -> bool:
        """Whether some clamped axis has an offset that is not known to be 0."""
        parts = parts_of(self.editor, offset)
        if parts is None:
            return True
        return any(
            mode.any and not is_zero(self.editor, one) for mode, one in zip(self.site.modes, parts, strict=False)
        )

    def constant_level(self) -> int | None:
        """The level of an explicit LOD that is a whole constant; 0 for rectangles and gathers."""
        if self.rect or self.form.gather:
            return 0
        if forms.LOD not in self.operands:
            return None
        one = self.editor.definitions[self.operands[forms.LOD][0]]
        if one.opcode != 43:
            return 0 if one.opcode == 46 else None
        value = struct.unpack("<f", struct.pack("<I", one.words[2]))[0]
        return int(value) if 0 <= value < 32 and value == int(value) else None

    def fold(self, spatial: list[int], offset: int, level: int, level_id: int = 0) -> tuple[list[int], int]:
        """Add an offset to the clamped axes; the offset that is left for the others, 0 for none."""
        emit, members = self.emit, parts_of(self.editor, offset)
        parts = members if members is not None else emit.parts(offset)
        component = emit.type_of(parts[0])
        zero = self.editor.constant(component, 0)
        folded, kept = [], []
        for axis, (one, part) in enumerate(zip(spatial, parts, strict=True)):
            if not self.site.modes[axis].any:
                folded.append(one)
                kept.append(part)
                continue
            step = emit.fop("OpConvertSToF", part)
            if not self.rect:
                step = emit.fop("OpFDiv", step, self.size(level, level_id)[axis])
            folded.append(emit.fop("OpFAdd", one, step))
            kept.append(zero)
        if all(is_zero(self.editor, one) for one in kept):
            return folded, 0
        if members is None:
            return folded, emit.vector(kept, component)
        return folded, self.editor.composite(emit.type_of(offset), kept)

    def image_of(self) -> int:
        """The image of the sampled image."""
        if not self.image_id:
            self.image_id = self.emit.op("OpImage", self.site.image.words[0], self.sampled)
            if _NON_UNIFORM in self.site.decorations.get(self.sampled, {}):
                self.editor.decorate(self.image_id, _NON_UNIFORM)
            self.editor.capability(_IMAGE_QUERY)
        return self.image_id

    def size(self, level: int, level_id: int = 0) -> list[int]:
        """The size of a level, each axis as a float; a level beyond the last is the last.

        Halved from the size of level 0: a driver may answer a query of one level for many fragments (llvmpipe does).
        """
        key = level_id or -1 - level
        if key not in self.sizes:
            emit, signed = self.emit, self.editor.type_int(signed=True)
            whole = self.whole_size()
            if level or level_id:
                at = level_id or emit.glsl(SMIN, signed, self.editor.constant(signed, level), self.last_level())
                one = self.editor.constant(signed, 1)
                whole = [
                    emit.glsl(SMAX, signed, emit.op("OpShiftRightArithmetic", signed, part, at), one) for part in whole
                ]
            self.sizes[key] = [emit.fop("OpConvertSToF", part) for part in whole]
        return self.sizes[key]

    def whole_size(self) -> list[int]:
        """The size of level 0, each axis as an integer."""
        if not self.wholes:
            emit, signed = self.emit, self.editor.type_int(signed=True)
            image = self.image_of()
            kind = self.editor.type_vector(signed, self.count + self.arrayed)
            if self.rect:
                found = emit.op("OpImageQuerySize", kind, image)
            else:
                found = emit.op("OpImageQuerySizeLod", kind, image, self.editor.constant(signed, 0))
            self.wholes = emit.parts(found)[: self.count]
        return self.wholes

    def last_level(self) -> int:
        """The number of the last level, an integer."""
        emit, signed = self.emit, self.editor.type_int(signed=True)
        levels = emit.op("OpImageQueryLevels", signed, self.image_of())
        return emit.op("OpISub", signed, levels, self.editor.constant(signed, 1))

    def two_levels(self, spatial: list[int], layer: list[int], offset: int) -> None:
        """An offset shrinks with the level: sample both levels, each with its own, and mix as the hardware does."""
        emit, signed = self.emit, self.editor.type_int(signed=True)
        zero, one = self.editor.float_constant(0.0), self.editor.float_constant(1.0)
        kind = self.site.one.words[0]
        self.remarks.append(self.level_remark(mixed=self.floats(kind)))
        if self.form.implicit:
            pair = self.editor.type_vector(emit.float, 2)
            # Component 0 is the level that is sampled, after the sampler's own limits; a bias comes before these.
            which = int(forms.BIAS in self.operands)
            asked = emit.op("OpImageQueryLod", pair, self.sampled, emit.vector(spatial))
            lod = emit.fop("OpCompositeExtract", asked, which)
            if which:
                lod = emit.fop("OpFAdd", lod, self.operands.pop(forms.BIAS)[0])
        else:
            lod = self.operands.pop(forms.LOD)[0]
        if forms.MIN_LOD in self.operands:
            lod = emit.glsl(FMAX, emit.float, lod, self.operands.pop(forms.MIN_LOD)[0])
        last = emit.fop("OpConvertSToF", self.last_level())
        inside = emit.glsl(FMIN, emit.float, emit.glsl(FMAX, emit.float, lod, zero), last)
        low = emit.glsl(FLOOR, emit.float, inside)
        high = emit.glsl(FMIN, emit.float, emit.fop("OpFAdd", low, one), last)
        rest = dict(self.operands)
        if not self.floats(kind):
            low = high = emit.glsl(FLOOR, emit.float, emit.fop("OpFAdd", inside, self.editor.float_constant(0.5)))
        texels = []
        for level in (low, high):
            folded, kept = self.fold(spatial, offset, 0, emit.op("OpConvertFToS", signed, level))
            self.operands = rest | {forms.LOD: [level]} | self.offset_operand(kept)
            texels.append(self.place(self.editor.new_id(), kind, folded, layer, explicit=True))
        part = emit.fop("OpFSub", inside, low)
        scalar = self.editor.definitions[kind].opcode != _VECTOR
        if not self.floats(kind):
            self.final("OpCopyObject", texels[0])
            return
        count = 1 if scalar else self.editor.definitions[kind].words[2]
        mixer = part if scalar else emit.vector([part] * count)
        self.final("OpExtInst", self.editor.glsl(), FMIX, texels[0], texels[1], mixer)

    def level_remark(self, *, mixed: bool) -> str:
        """For which filters between levels a level that the shader computes gives what the sampler would.

        The level of an implicit LOD is asked of the sampler, whose filter has rounded it already.
        """
        asked = self.form.implicit and not {forms.BIAS, forms.MIN_LOD} & self.operands.keys()
        if mixed:
            return _TWO_LEVELS if asked else f"{_TWO_LEVELS}, for a mipmap filter of LINEAR"
        return f"{_ONE_LEVEL}, for a mipmap filter of NEAREST{' or NONE' * asked}"

    def floats(self, kind: int) -> bool:
        """Whether a type is made of 32-bit floats."""
        one = self.editor.definitions[kind]
        one = self.editor.definitions[one.words[1]] if one.opcode == _VECTOR else one
        return one.opcode == _FLOAT and one.words[1] == 32

    def place(self, ident: int, kind: int, spatial: list[int], layer: list[int], *, explicit: bool = False) -> int:
        """Derivatives of what is not yet clamped, the clamp, the instruction itself."""
        operands = dict(self.operands)
        if self.form.implicit and not explicit:
            operands[forms.GRAD] = self.gradients(spatial, operands.pop(forms.BIAS, []))
        coordinate = self.emit.vector([*self.clamped(spatial), *layer])
        code = self.form.explicit
        words = [kind, ident, self.sampled, coordinate, *self.third, *forms.joined(operands)]
        one = self.site.one.copy(words)
        one.opcode = code
        self.emit.out.append(one)
        self.editor.definitions[ident] = one
        if forms.MIN_LOD in operands:
            self.editor.capability(42)
        return ident

    def gradients(self, spatial: list[int], bias: list[int]) -> list[int]:
        """Both derivatives of the coordinate, scaled by two to the power of the bias."""
        emit, vector = self.emit, self.emit.vector(spatial)
        kind = emit.type_of(vector)
        both = [emit.op("OpDPdx", kind, vector), emit.op("OpDPdy", kind, vector)]
        if bias:
            factor = emit.glsl(EXP2, emit.float, bias[0])
            both = [emit.scaled(one, factor, self.count) for one in both]
        return both

    def clamped(self, spatial: list[int]) -> list[int]:
        """The coordinate's components, each clamped as its axis asks."""
        return [self.clamp(one, axis) for axis, one in enumerate(spatial)]

    def clamp(self, value: int, axis: int) -> int:
        """One component: clamped, folded, or selected by the array index."""
        modes = self.site.modes[axis]
        if not modes.each:
            return self.apply(value, axis, modes.mode)
        result = value
        for mode in sorted({one for one in modes.each if one}):
            assert self.index is not None  # noqa: S101 (run() refuses such a site)
            condition = selected(self.emit, self.index, modes.each, mode)
            result = self.emit.fop("OpSelect", condition, self.apply(value, axis, mode), result)
        return result

    def apply(self, value: int, axis: int, mode: str) -> int:
        """One component by one mode."""
        emit = self.emit
        if not mode:
            return value
        top = self.size(0)[axis] if self.rect else self.editor.float_constant(1.0)
        if mode == "mirror":
            return emit.glsl(FMIN, emit.float, emit.glsl(FABS, emit.float, value), top)
        return emit.glsl(FCLAMP, emit.float, value, self.editor.float_constant(0.0), top)
