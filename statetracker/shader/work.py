"""`SampleLowering`: what one lowering means at one sampling instruction. Source: docs/shader_lowering.md."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from statetracker.pipe.enums import Func, TexFilter, TexMipfilter
from statetracker.shader.block_values import ElementValues
from statetracker.shader.coverage import coverage, either
from statetracker.shader.levels import Levels
from statetracker.shader.site import CannotRewrite, SampleInstruction
from statetracker.shader.sizes import Face
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.site import Operands

_LETTERS = "str"


def compared(func: Func, reference: Word, depth: Word) -> Word:
    """Return the answer of a comparison with a depth, 0.0 or 1.0."""
    one = reference.like(1.0)
    if func in {Func.NEVER, Func.ALWAYS}:
        return one if func == Func.ALWAYS else one.like(0.0)
    passes = {
        Func.LESS: lambda: reference < depth,
        Func.EQUAL: lambda: reference.equals(depth),
        Func.LEQUAL: lambda: reference <= depth,
        Func.GREATER: lambda: depth < reference,
        Func.NOTEQUAL: lambda: reference.differs(depth),
        Func.GEQUAL: lambda: depth <= reference,
    }[func]()
    return passes.select(one, 0.0)


class SampleLowering:
    """The work of one lowering at one site.

    Args:
        site: The instruction's parts.
        lowering: What the shader must do.
        values: The numbers that it reads.
        by_data: Borders are read of the values; of a ``dynamic`` lowering all else too.
        lod_query: OpImageQueryLod may be written.

    Attributes:
        covered: Axes on which the border is mixed in; ``reflected`` mirror the coordinate at zero; ``clamped`` have
            letters of GL_CLAMP; ``moved`` are folded or clamped; ``wrapped`` repeat by the texel's index, ``mirrored``
            of them mirrored.
        remarks: What is not exact, and why.
        untouched: Nothing had to change, once it was written.

    Raises:
        CannotRewrite: No state that samples this image asks for the work.
    """

    def __init__(
        self,
        site: SampleInstruction,
        lowering: Lowering,
        values: ElementValues | None,
        *,
        by_data: bool = False,
        lod_query: bool = True,
    ) -> None:
        self.site, self.lowering, self.emit = site, lowering, site.emit
        self.values, self.has_values = values or ElementValues(self.emit, ()), values is not None
        self.remarks: list[str] = []
        self.untouched = False
        self.covered = self._axes(lowering.covered)
        self.reflected = {*self._axes(lowering.reflect + lowering.mirror)}
        self.clamped = {*self._axes(lowering.clamp + lowering.mirror)}
        self.moved = self.clamped.union(self._axes(lowering.fold))
        self.mirrored = {*self._axes(lowering.mirror_repeat if lowering.filter_texels else "")}
        repeated = _LETTERS if lowering.dynamic else lowering.repeat if lowering.filter_texels else ""
        self.wrapped = self.mirrored.union(self._axes(repeated))
        self.by_data = by_data or lowering.dynamic
        if lowering.normalize and site.rect:
            raise CannotRewrite("its image type is also that of a rectangle that is not divided by its size")
        self.normalized = lowering.normalize and site.count == 2 and not site.arrayed
        self.in_texels = site.rect or self.normalized
        self.third = self._reference()
        self.integer = self._null().kind is not Kind.FLOAT
        filters = {lowering.min_img_filter, lowering.mag_img_filter}
        if self.integer and (lowering.dynamic or TexFilter.LINEAR in filters):
            raise CannotRewrite("its texels are integers, and GL calls them incomplete with linear filters")
        if self.integer and lowering.min_mip_filter == TexMipfilter.LINEAR:
            raise CannotRewrite("its texels are integers, and GL calls them incomplete with linear mipmapping")
        self.point = site.point / site.sizes.whole(0) if self.normalized else site.point
        self.levels = Levels(site, lowering, self.values, self.point, lod_query=lod_query)
        if self.levels.nearest and not (self.by_data or site.op.gather):  # GL_CLAMP has no border with nearest filters
            self.covered = [axis for axis in self.covered if self.share(axis) == 0.0]
        if self.covered and self.probes:
            self.remarks.append("anisotropy at a border: the device chooses its own samples there")
        if self.covered and site.op.sparse and lowering.route == "edge":
            self.remarks.append("the residency code is that of the texels at the edge")
        if site.cube:
            self.levels.on_face = lambda gradient: self.emit.join(self.met.gradient(self.emit.parts(gradient.id)))
        #: The face of a cube that is sampled by itself; None for any other image, and for a seamless cube.
        self.face = self.met if site.cube and lowering.cube_edges else None
        if self.face is not None and self.probes and not self.levels.nearest:
            self.remarks.append("anisotropy is lost at the edges of a cube's faces")
        self.limits = lowering.limit_lod and not self.levels.single
        self.shift = site.shift(site.offset)

    @property
    def probes(self) -> bool:
        """True if the device may sample several times along a gradient: not at explicit levels nor in gathers."""
        return self.lowering.anisotropic and (self.site.op.implicit or ImageOperands.Grad in self.site.operands)

    @cached_property
    def met(self) -> Face:
        """The face that the coordinate meets; of a cube."""
        return Face(self.site.spatial)

    def _null(self) -> Word:
        return self.site.texel(self.site.editor.null(self.site.texel_type))

    def _reference(self) -> list[int]:
        """Return the operand after the coordinate: of fixed-point depth clamped to [0, 1]."""
        if self.site.op.third != "dref":
            return self.site.third
        if self.lowering.compare_func is None and (self.lowering.covered or self.lowering.filter_texels):
            raise CannotRewrite("it compares, and the request has no comparison")
        return [self.site.reference.clamp(0.0, 1.0).id] if self.lowering.fixed_depth else self.site.third

    def share(self, axis: int) -> Word | float:
        """Return the least weight of the edge texel on an axis."""
        if self.by_data:
            return self.emit.component(self.values.shares(self.site.count or 2), axis)
        letter = _LETTERS[axis]
        return 0.0 if letter in self.lowering.border else 0.5 if letter in self.lowering.half_border else 1.0

    @cached_property
    def shares(self) -> Word:
        """The same of every axis, a vector."""
        if self.by_data:
            return self.values.shares(self.site.count or 2)
        editor, count = self.site.editor, self.site.count or 2
        each = [editor.float_constant(float(self.share(axis))) for axis in range(count)]  # type: ignore[arg-type]
        whole = editor.composite(self.emit.type_id(Kind.FLOAT, count), each) if count > 1 else each[0]
        return Word(self.emit, whole, Kind.FLOAT, count)

    @cached_property
    def border(self) -> Word:
        """The border as the instruction shows it: a colour, or a comparison with its depth."""
        if self.site.op.third == "dref":
            return self.answer(self.emit.component(self.values.border(Kind.FLOAT), 0))
        null = self._null()
        return self.emit.head(self.values.border(null.kind), null.count)

    @cached_property
    def predefined(self) -> Word | None:
        """Transparent black as the instruction shows it; None for zeros."""
        if self.site.op.third == "dref":
            return self.answer(self.emit.number(Kind.FLOAT, 0.0))
        if not self.lowering.ones:
            return None
        ones = (float(letter in self.lowering.ones) for letter in "rgba"[: self.border.count])
        return self.emit.join([self.emit.number(Kind.FLOAT, one) for one in ones])

    def answer(self, depth: Word) -> Word:
        """Return the comparison's answer for a depth."""
        func = self.lowering.compare_func
        assert func is not None  # noqa: S101 (looked at first)
        if self.lowering.fixed_depth:
            depth = depth.clamp(0.0, 1.0)
        return compared(func, self.emit.float32(self.third[0]), depth)

    def place(self, size: Word, shift: Word | None) -> Word:
        """Return the coordinate in texels of a level."""
        place = self.site.point if self.in_texels else self.site.point * size
        place = place if shift is None else place + shift
        if self.lowering.dynamic:
            return self.values.says("reflect", place.count).select(place.abs(), place).named("in_texels")
        mirrored = place.abs() if self.reflected else place
        return place.lanes(mirrored, self.reflected).named("in_texels")

    def place_inside(self, size: Word, shift: Word | None) -> Word:
        """Return the same, GL_CLAMP's inside the texture."""
        place = self.place(size, shift)
        if self.by_data:
            return self.shares.equals(0.5).select(place.clamp(0.0, size), place)
        half = {axis for axis in self.covered if self.share(axis)} | self.clamped
        return place.lanes(place.clamp(0.0, size), half) if half else place

    def texel(self, axis: int, index: Word, size: Word) -> Word:
        """Return a texel's index on an axis, wrapped where that is asked for; quotients keep off whole numbers."""
        if axis not in self.wrapped:
            return index
        period = size * 2.0 if axis in self.mirrored else size
        within = index - period * ((index + 0.5) / period).floor()
        return within.min(period - 1.0 - within) if axis in self.mirrored else within

    def coverage(self, size: Word, linear: Word | bool) -> Word:  # noqa: FBT001 (it may be known)
        """Return the share of texels inside, of a level of some size."""
        return coverage(self.place(size, self.shift), size, self.shares, linear, self.covered)

    def shifted(self) -> bool:
        """Return whether an axis that is folded or clamped has an offset."""
        return not self.moved.isdisjoint(self.site.shifted(self.site.offset))

    def coordinates(self, size: Word) -> Word:
        """Return coordinates to sample at; offsets on axes that are folded or clamped are of a level of that size."""
        point = self._snapped() if self.normalized else self.point
        if self.shifted() and self.shift is not None:
            point = point.lanes(point + (self.shift if self.site.rect else self.shift / size), self.moved)
        return self.turned(point)

    def turned(self, point: Word) -> Word:
        """Return a coordinate folded or clamped, where that is asked for."""
        lowering = self.lowering
        moves = lowering.fold + lowering.mirror, lowering.clamp, lowering.mirror
        folded, clamped, limited = (self._axes(letters) for letters in moves)
        if folded:
            point = point.lanes(point.abs(), folded)
        if not (clamped or limited):
            return point
        top = self.site.sizes.whole(0) if self.site.rect else point.like(1.0)
        point = point.lanes(point.min(top), limited) if limited else point
        return point.lanes(point.clamp(0.0, top), clamped) if clamped else point

    def _axes(self, letters: str) -> list[int]:
        return [axis for axis, letter in enumerate(_LETTERS[: self.site.count]) if letter in letters]

    def _snapped(self) -> Word:
        """Coordinates of a rectangle as a 2D texture: for nearest filters the middle of a texel."""
        site = self.site
        return either(self.levels.linear, lambda: self.point, lambda: (site.point.floor() + 0.5) / site.sizes.whole(0))

    def lod(self, level: Word) -> Operands:
        """Return the operand that has the sampler choose a level of detail, its own LOD bias in mind."""
        return {ImageOperands.Lod: [(level - self.values.lod_bias).id]}

    def sample(self, point: Word, operands: Operands) -> tuple[int, Word]:
        """Return a sample at other coordinates: the residency code and the texel."""
        code, ident = self.site.sample(point, operands, self.third)
        return code, self.site.texel(ident)

    def explicit(self, level: Word, point: Word, offset: Operands) -> tuple[int, Word]:
        """Return a whole level, sampled: the residency code and the texel."""
        return self.sample(point, self.lod(level) | offset)

    def remains(self) -> Operands:
        """Return what is left of the offset: on axes that are folded or clamped it is in the coordinate."""
        return self.site.offset_without(self.site.offset, self.moved)
