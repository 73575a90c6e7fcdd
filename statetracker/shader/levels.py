"""The level that a sample reads: the level of detail, its limits, the levels beside it.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from statetracker.pipe.enums import TexFilter, TexMipfilter
from statetracker.spirv import Emitter, Kind, Word
from statetracker.spirv.names import Capability, ImageOperands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.block_values import ElementValues
    from statetracker.shader.site import SampleInstruction


def derivatives(emit: Emitter, point: Word) -> list[Word]:
    """Return the shader's own derivatives of a coordinate."""
    return [emit.make(Kind.FLOAT, name, point.id, count=point.count) for name in ("OpDPdx", "OpDPdy")]


def longer(gradients: Sequence[Word], size: Word | None) -> Word:
    """Return the logarithm to base 2 of the longer gradient in texels; without a size they are in texels already."""
    squares = [(one if size is None else one * size).dot() for one in gradients]
    return squares[0].max(squares[1]).log2() * 0.5


def sampled_level(limited: Word, last: Word, lowering: Lowering, values: ElementValues) -> Word:
    """Return the level that is sampled, a whole one but between levels; ``last`` is the last one."""
    if lowering.min_mip_filter == TexMipfilter.NONE:
        return limited.like(0.0)
    whole = limited if lowering.min_mip_filter == TexMipfilter.LINEAR else (limited + 0.5).ceil() - 1.0
    if lowering.dynamic:
        whole = values.says("between").select(limited, whole)
    return whole.clamp(0.0, last)


class Levels:
    """Levels of one site.

    Args:
        site: The instruction's parts.
        lowering: What the shader must do.
        values: The numbers that it reads.
        point: The coordinate that the level of detail is asked for: divided by the size where that is normalised.
        lod_query: The device can be asked for the level of detail.

    Attributes:
        on_face: A gradient of the coordinate -> one of the two coordinates of a cube's face; else itself.
        inexact: Set where the level comes of the shader's own derivatives.
    """

    def __init__(
        self, site: SampleInstruction, lowering: Lowering, values: ElementValues, point: Word, *, lod_query: bool
    ) -> None:
        self.site, self.lowering, self.values, self.point = site, lowering, values, point
        self.query = lod_query and not site.rect and not site.cube
        self.dynamic = lowering.dynamic
        self.single = lowering.min_mip_filter == TexMipfilter.NONE or site.rect or point is not site.point
        self.mixed = self.dynamic or lowering.min_img_filter != lowering.mag_img_filter
        self.inexact = False
        self.on_face: Callable[[Word], Word] = lambda gradient: gradient

    @cached_property
    def _asked(self) -> list[Word]:
        """OpImageQueryLod: the level that is sampled, and the level of detail before the sampler's limits."""
        emit = self.site.emit
        self.site.editor.capability(Capability.ImageQuery)
        pair = emit.editor.type_vector(emit.type_id(Kind.FLOAT), 2)
        return emit.parts(emit.op("OpImageQueryLod", pair, self.site.sampled, self.point.id))

    def gradients(self) -> list[Word]:
        """Return the two gradients of the coordinate: given, or the shader's own derivatives."""
        site = self.site
        given = [site.emit.word(one) for one in site.operands.get(ImageOperands.Grad, ())]
        return given or derivatives(site.emit, site.point)

    @cached_property
    def base(self) -> Word:
        """The level of detail with the device's LOD bias and the instruction's own, without the rest."""
        site = self.site
        given = site.scalar(ImageOperands.Lod)
        if given is not None:
            return given + self.values.lod_bias
        if site.op.implicit and self.query:
            base = self._asked[1]
        else:
            self.inexact = True
            size = None if site.rect or self.lowering.normalize else site.sizes.whole(0)
            base = longer([self.on_face(one) for one in self.gradients()], size) + self.values.lod_bias
        bias = site.scalar(ImageOperands.Bias)
        return (base if bias is None else base + bias).named("lod")

    @cached_property
    def unlimited(self) -> Word:
        """The level of detail before any limit."""
        return self.base + self.values.rest if self.lowering.add_lod_bias else self.base

    @cached_property
    def limited(self) -> Word:
        """The level of detail in force."""
        least = self.site.scalar(ImageOperands.MinLod)
        lod = self.unlimited.finite_clamp(*self.values.limits)
        return (lod if least is None else lod.max(least)).named("lod_in_limits")

    @cached_property
    def position(self) -> Word:
        """The level that is sampled, a whole one but between levels."""
        site, lowering = self.site, self.lowering
        if self.single:
            return site.emit.number(Kind.FLOAT, 0.0)
        last = site.sizes.last_level().to(Kind.FLOAT)
        position = sampled_level(self.limited, last, lowering, self.values)
        own = {ImageOperands.Bias, ImageOperands.MinLod} & site.operands.keys()
        if lowering.changes_levels or own or not (site.op.implicit and self.query):
            return position.named("sampled_level")
        # The device says it, as it rounds. But of equal limits llvmpipe says 0, of a greatest level of 0 it says what
        # would be sampled without; and SwiftShader goes beyond the last.
        least, greatest = self.values.limits
        return (greatest <= least.max(0.0)).select(position, self._asked[0].min(last)).named("sampled_level")

    @property
    def two(self) -> bool:
        """True where two levels may be mixed."""
        return not self.single and (self.dynamic or self.lowering.min_mip_filter == TexMipfilter.LINEAR)

    @cached_property
    def low(self) -> Word:
        """The finer level, a whole float."""
        return self.position.floor().named("fine_level") if self.two else self.position

    @cached_property
    def high(self) -> Word:
        """The coarser level; beyond the last where its weight is 0."""
        return (self.low + 1.0).named("coarse_level")

    @cached_property
    def weight(self) -> Word:
        """The weight of the coarser level."""
        return (self.position - self.low).named("coarse_weight")

    def size(self, level: Word | None = None) -> Word:
        """Return the size of a level, or of the finer one."""
        return self.site.sizes.whole(0 if self.single else level or self.low)

    def sizes(self, level: Word | None = None) -> list[Word]:
        """Return the same, axis by axis."""
        return self.site.emit.parts(self.size(level).id)

    @cached_property
    def linear(self) -> Word | bool:
        """True where the finer level is filtered linearly: known, or by the filter in force."""
        if self.dynamic:
            return self.magnified.select(self.values.says("mag"), self.values.says("min"))
        magnifies = self.lowering.mag_img_filter == TexFilter.LINEAR
        if not self.mixed:
            return magnifies
        return self.magnified if magnifies else ~self.magnified

    @cached_property
    def magnified(self) -> Word:
        """True where the mag filter is in force."""
        return (self.limited <= self.limited.like(0.0)).named("magnified")

    @property
    def nearest(self) -> bool:
        """True where nothing is filtered linearly."""
        return not self.mixed and not self.minifies_linear

    @property
    def minifies_linear(self) -> Word | bool:
        """True where coarser levels are filtered linearly: known, or read."""
        if self.dynamic:
            return self.values.says("min")
        return self.lowering.min_img_filter == TexFilter.LINEAR
