"""`Work`: what one lowering means at one sampling instruction.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from statetracker.pipe.enums import Func, TexFilter, TexMipfilter
from statetracker.shader.coverage import coverage, texel_place
from statetracker.shader.faces import Face
from statetracker.shader.levels import Levels
from statetracker.shader.site import CannotRewrite
from statetracker.shader.texel import Texel
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.block_values import ElementValues
    from statetracker.shader.site import Site

__all__ = ["Work", "compared"]

_LETTERS = "str"


def compared(func: Func, reference: Word, depth: Word) -> Word:
    """The answer of a comparison with a depth, 0.0 or 1.0."""
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


class Work:
    """The work of one lowering at one site.

    covered    axes on which the border is mixed in; ``reflected`` mirror the coordinate at zero; ``moved`` are folded
               or clamped
    remarks    what is not exact, and why
    untouched  nothing had to change, once it was written
    """

    def __init__(
        self,
        site: Site,
        lowering: Lowering,
        values: ElementValues | None,
        *,
        by_data: bool = False,
        lod_query: bool = True,
    ) -> None:
        """Take the work; raises `CannotRewrite` for what no state that samples this image asks for."""
        self.site, self.lowering, self.emit = site, lowering, site.emit
        self._values = values
        self.remarks: list[str] = []
        self.untouched = False
        axes = _LETTERS[: site.count]
        self.covered = [axis for axis, letter in enumerate(axes) if letter in lowering.covered]
        self.reflected = {axis for axis, letter in enumerate(axes) if letter in lowering.reflect}
        moved = lowering.fold + lowering.clamp + lowering.mirror
        self.moved = {axis for axis, letter in enumerate(axes) if letter in moved}
        self.by_data = by_data
        if lowering.normalize and site.rect:
            raise CannotRewrite("its image type is also that of a rectangle that is not divided by its size")
        self.normalized = lowering.normalize and site.count == 2 and not site.arrayed
        self.in_texels = site.rect or self.normalized
        self.third = self._reference()
        self.integer = Texel(self.emit, self._null()).kind is not Kind.FLOAT
        if self.integer and TexFilter.LINEAR in {lowering.min_img_filter, lowering.mag_img_filter}:
            raise CannotRewrite("its texels are integers, and GL calls them incomplete with linear filters")
        if self.integer and lowering.min_mip_filter == TexMipfilter.LINEAR:
            raise CannotRewrite("its texels are integers, and GL calls them incomplete with linear mipmapping")
        self.spatial = self._divided() if self.normalized else site.spatial
        self.levels = Levels(site, lowering, values, self.spatial, lod_query=lod_query)
        if self.covered and lowering.anisotropic:
            self.remarks.append("anisotropy at a border: the device chooses its own samples there")
        if self.covered and site.op.sparse and lowering.route == "edge":
            self.remarks.append("the residency code is that of the texels at the edge")
        self.face = self._face()
        self.limits = lowering.limit_lod and not self.levels.single
        self.shifts = site.shifts(site.offset)

    def _face(self) -> Face | None:
        """The face of a cube that is sampled by itself; None for any other image, and for a seamless cube."""
        if not self.site.cube:
            return None
        if self.lowering.filter_texels:
            raise CannotRewrite("its texels would be filtered across the faces of a cube")
        if not self.lowering.cube_edges:
            return None
        face = Face(self.site.spatial)
        self.levels.on_face = face.gradient
        return face

    @property
    def values(self) -> ElementValues:
        """The numbers; a lowering that reads some has them."""
        assert self._values is not None  # noqa: S101 (looked at first)
        return self._values

    def _null(self) -> int:
        return self.site.editor.null(self.site.texel_type)

    def _reference(self) -> list[int]:
        """The operand after the coordinate: of fixed-point depth clamped to [0, 1]."""
        if self.site.op.third != "dref":
            return self.site.third
        if self.lowering.compare_func is None and (self.lowering.covered or self.lowering.filter_texels):
            raise CannotRewrite("it compares, and the request has no comparison")
        return [self.site.reference.clamp(0.0, 1.0).id] if self.lowering.fixed_depth else self.site.third

    def _divided(self) -> list[Word]:
        return [one / size for one, size in zip(self.site.spatial, self.site.sizes.at(0), strict=True)]

    def share(self, axis: int) -> Word | float:
        """The least weight of the edge texel on an axis."""
        if self.by_data:
            return self.values.share(axis)
        letter = _LETTERS[axis]
        return 0.0 if letter in self.lowering.border else 0.5 if letter in self.lowering.half_border else 1.0

    @cached_property
    def border(self) -> Texel:
        """The border as the instruction shows it: a colour, or a comparison with its depth."""
        if self.site.op.third == "dref":
            return Texel.of([self.answer(self.values.border(Kind.FLOAT)[0])])
        null = Texel(self.emit, self._null())
        return Texel.of(self.values.border(null.kind)[: null.count])

    @cached_property
    def predefined(self) -> Texel:
        """Transparent black as the instruction shows it."""
        if self.site.op.third == "dref":
            return Texel.of([self.answer(self.emit.number(Kind.FLOAT, 0.0))])
        count = self.border.count
        ones = [float(letter in self.lowering.ones) for letter in "rgba"[:count]]
        return Texel.of([self.emit.number(Kind.FLOAT, one) for one in ones])

    def answer(self, depth: Word) -> Word:
        """The comparison's answer for a depth."""
        func = self.lowering.compare_func
        assert func is not None  # noqa: S101 (looked at first)
        if self.lowering.fixed_depth:
            depth = depth.clamp(0.0, 1.0)
        return compared(func, self.emit.float32(self.third[0]), depth)

    def place(self, axis: int, size: Word, shift: Word | None) -> Word:
        """An axis' coordinate in texels of a level."""
        whole = None if self.in_texels else size
        return texel_place(self.site.spatial[axis], whole, shift, reflect=axis in self.reflected)

    def coverage(self, sizes: Sequence[Word], linear: Word | bool) -> Word:  # noqa: FBT001 (it may be known)
        """The share of texels inside, of a level of some size."""
        return coverage(
            [self.place(axis, sizes[axis], self.shifts[axis]) for axis in self.covered],
            [sizes[axis] for axis in self.covered],
            [self.share(axis) for axis in self.covered],
            linear,
        )

    def shifted(self) -> bool:
        """Whether an axis that is folded or clamped has an offset."""
        return any(self.shifts[axis] is not None for axis in self.moved)

    def coordinates(self, sizes: Sequence[Word] | None) -> list[Word]:
        """The coordinates to sample at; ``sizes`` of the level that an offset on a moved axis is of."""
        spatial = self._snapped() if self.normalized else list(self.spatial)
        for axis in self.moved:
            size = None if sizes is None else sizes[axis]
            spatial[axis] = self.moved_coordinate(axis, spatial[axis], self.shifts[axis], size)
        return spatial

    def moved_coordinate(self, axis: int, coordinate: Word, shift: Word | None, size: Word | None) -> Word:
        """A coordinate with its offset of a level of some size, folded or clamped."""
        letter = _LETTERS[axis]
        if shift is not None and size is not None:
            coordinate = coordinate + (shift if self.site.rect else shift / size)
        if letter not in self.lowering.clamp:
            coordinate = coordinate.abs()
        if letter not in self.lowering.clamp + self.lowering.mirror:
            return coordinate
        top: Word | float = self.site.sizes.at(0)[axis] if self.site.rect else 1.0
        return coordinate.clamp(0.0, top) if letter in self.lowering.clamp else coordinate.min(top)

    def _snapped(self) -> list[Word]:
        """Coordinates of a rectangle as a 2D texture: for nearest filters the middle of a texel."""
        linear = self.levels.linear
        if linear is True:
            return list(self.spatial)
        made = []
        for one, whole, size in zip(self.spatial, self.site.spatial, self.site.sizes.at(0), strict=True):
            middle = (whole.floor() + 0.5) / size
            made.append(middle if linear is False else linear.select(one, middle))
        return made

    def explicit(self, level: Word, spatial: list[Word], offset: dict[int, list[int]]) -> tuple[int, Texel]:
        """A whole level, sampled."""
        lod = {ImageOperands.Lod: [(level - self.values.lod_bias).id]}
        code, ident = self.site.opened(self.site.sample(spatial, lod | offset, self.third, explicit=True))
        return code, Texel(self.emit, ident)
