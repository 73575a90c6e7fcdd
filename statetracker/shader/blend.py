"""One sampling instruction written anew: coordinates, level of detail, and the border mixed in.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from statetracker.pipe.enums import Func, TexFilter
from statetracker.shader.coverage import coverage, texel_place
from statetracker.shader.levels import Levels
from statetracker.shader.site import CannotRewrite
from statetracker.shader.texel import Texel, chosen, weighted
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.block_values import ElementValues
    from statetracker.shader.site import Site

__all__ = ["Blend", "compared"]

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


class Blend:
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
        self.normalized = lowering.normalize and site.count == 2 and not site.arrayed
        self.in_texels = site.rect or self.normalized
        self.third = self._reference()
        self.integer = Texel(self.emit, self._null()).kind is not Kind.FLOAT
        if self.integer and TexFilter.LINEAR in {lowering.min_img_filter, lowering.mag_img_filter}:
            raise CannotRewrite("its texels are integers, and GL calls them incomplete with linear filters")
        self.spatial = self._divided() if self.normalized else site.spatial
        self.levels = Levels(site, lowering, values, self.spatial, lod_query=lod_query)
        if self.covered and lowering.anisotropic:
            self.remarks.append("anisotropy at a border: the device chooses its own samples there")
        if self.covered and site.op.sparse and lowering.route == "edge":
            self.remarks.append("the residency code is that of the texels at the edge")
        self.limits = lowering.limit_lod and not self.levels.single
        self.shifts = site.shifts(site.offset)

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
        if self.lowering.compare_func is None and (self.covered or self.lowering.filter_texels):
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

    def value(self) -> tuple[int, Texel]:
        """Write it: the residency code and the texel."""
        if not self.by_data and self.levels.linear is False and not self.levels.minifies_linear:
            self.covered = [axis for axis in self.covered if self.share(axis) == 0.0]
        if self._shifted() and not self.levels.single:
            return self._folded_levels()
        operands, explicit, anew = self._operands()
        if not (anew or self.moved or self.normalized or self.third != self.site.third):
            code, ident = self.site.opened(self.site.again())
            self.untouched = not self.covered
            return code, self._blended(Texel(self.emit, ident), self.spatial)
        spatial = self.coordinates(self.site.sizes.at(0) if self._shifted() else None)
        operands |= self.site.offset_without(self.moved)
        code, ident = self.site.opened(self.site.sample(spatial, operands, self.third, explicit=explicit))
        return code, self._blended(Texel(self.emit, ident), spatial)

    def _shifted(self) -> bool:
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

    def _operands(self) -> tuple[dict[int, list[int]], bool, bool]:
        """The image operands that give the level of detail, whether it is explicit, whether anything changed."""
        site, lowering, levels = self.site, self.lowering, self.levels
        operands = dict(site.operands)
        snapped = self.normalized and levels.mixed
        if ImageOperands.Grad in operands:
            return self._gradient_operands(operands)
        if ImageOperands.Lod in operands:
            if self.limits:
                operands[ImageOperands.Lod] = [(levels.limited - self.values.lod_bias).id]
            elif lowering.add_lod_bias:
                operands[ImageOperands.Lod] = [(site.emit.word(operands[ImageOperands.Lod][0]) + self.values.rest).id]
            return operands, True, self.limits or lowering.add_lod_bias
        if not site.implicit or not (self.moved or snapped or lowering.add_lod_bias or self.limits):
            return operands, False, False
        keeps = lowering.anisotropic and not self.limits
        if keeps or not (levels.query or self.limits):
            return self._kept_gradients(operands)
        if lowering.anisotropic:
            self.remarks.append("anisotropy is lost: the limits of its level of detail are no whole levels")
        operands.pop(ImageOperands.Bias, None)
        least = operands.pop(ImageOperands.MinLod, None)
        lod = levels.limited if self.limits or least else levels.unlimited
        operands[ImageOperands.Lod] = [(lod - self.values.lod_bias).id]
        return operands, True, True

    def _gradient_operands(self, operands: dict[int, list[int]]) -> tuple[dict[int, list[int]], bool, bool]:
        """For given gradients."""
        lowering = self.lowering
        if self.limits:
            del operands[ImageOperands.Grad]
            operands.pop(ImageOperands.MinLod, None)
            operands[ImageOperands.Lod] = [(self.levels.limited - self.values.lod_bias).id]
            return operands, True, True
        if not (self.normalized or lowering.add_lod_bias):
            return operands, True, False
        factor = self.values.rest.exp2() if lowering.add_lod_bias else None
        operands[ImageOperands.Grad] = self._scaled(factor)
        return operands, True, True

    def _kept_gradients(self, operands: dict[int, list[int]]) -> tuple[dict[int, list[int]], bool, bool]:
        """For derivatives of the coordinate as it was, scaled by two to the power of the bias."""
        bias = self.site.scalar(ImageOperands.Bias)
        operands.pop(ImageOperands.Bias, None)
        if self.lowering.add_lod_bias:
            bias = self.values.rest if bias is None else bias + self.values.rest
        operands[ImageOperands.Grad] = self._scaled(None if bias is None else bias.exp2())
        if bias is not None:
            self.remarks.append("its LOD bias scales gradients: within the device's precision of levels")
        return operands, True, True

    def _scaled(self, factor: Word | None) -> list[int]:
        made = []
        for given in self.levels.gradients():
            parts = given if factor is None else [part * factor for part in given]
            if self.normalized:
                parts = [part / size for part, size in zip(parts, self.site.sizes.at(0), strict=True)]
            made.append(self.emit.joined(parts))
        return made

    def _folded_levels(self) -> tuple[int, Texel]:
        """An offset on a folded axis is another share of each level: sample both, without it."""
        levels, code = self.levels, 0
        if levels.mixed:
            self.remarks.append("its offset is folded at both levels: with mixed filters off between levels 0 and 1")
        whole = self.emit.number(Kind.FLOAT, 1.0)
        steps = [(levels.low, whole - levels.weight if levels.two else whole, levels.linear)]
        if levels.two:
            steps.append((levels.high, levels.weight, levels.minifies_linear))
        terms: list[tuple[Word, Texel]] = []
        outside: list[Word] = []
        for level, weight, linear in steps:
            sizes = levels.sizes(level)
            own, texel = self._explicit(level, self.coordinates(sizes), self.site.offset_without(self.moved))
            code = code or own
            if self.covered:
                share = self.coverage(sizes, linear)
                outside.append(weight * (whole - share))
                terms.append((weight if self.lowering.route == "predefined" else weight * share, texel))
            else:
                terms.append((weight, texel))
        if self.integer:
            return code, chosen(outside[0].equals(0.0), terms[0][1], self.border) if outside else terms[0][1]
        return code, self._bordered(weighted(terms), _sum(outside)) if outside else weighted(terms)

    def _bordered(self, texel: Texel, outside: Word) -> Texel:
        """Add the border by its weight, to texels that are weighted; on the predefined route in place of black."""
        border = self.border - self.predefined if self.lowering.route == "predefined" else self.border
        return chosen(outside.equals(0.0), texel, texel + border.scaled(outside))

    def _blended(self, texel: Texel, spatial: list[Word]) -> Texel:
        """Mix the border into what was sampled at some coordinates."""
        if not self.covered:
            return texel
        levels, route = self.levels, self.lowering.route
        near = self.coverage(levels.sizes(), levels.linear)
        if self.integer:
            return chosen(near.equals(0.0), self.border, texel)
        outside = near.like(1.0) - near
        if not levels.two:
            return self._bordered(texel if route == "predefined" else weighted([(near, texel)]), outside)
        far = self.coverage(levels.sizes(levels.high), levels.minifies_linear)
        outside = outside * (near.like(1.0) - levels.weight) + levels.weight * (near.like(1.0) - far)
        if route == "predefined":
            return self._bordered(texel, outside)
        _, coarse = self._explicit(levels.high, spatial, self.site.offset_without(self.moved))
        return self._bordered(weighted([(near, texel), (levels.weight * (far - near), coarse)]), outside)

    def _explicit(self, level: Word, spatial: list[Word], offset: dict[int, list[int]]) -> tuple[int, Texel]:
        """A whole level, sampled."""
        lod = {ImageOperands.Lod: [(level - self.values.lod_bias).id]}
        code, ident = self.site.opened(self.site.sample(spatial, lod | offset, self.third, explicit=True))
        return code, Texel(self.emit, ident)


def _sum(words: Sequence[Word]) -> Word:
    total = words[0]
    for one in words[1:]:
        total = total + one
    return total
