"""One sample written anew, with its level of detail, and the border mixed into it. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.shader.coverage import reduced, total, weighted
from statetracker.shader.cube import face_alone, face_edges, face_levels
from statetracker.shader.filtering import filtered, filtered_level
from statetracker.spirv import Kind
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from statetracker.shader.work import SampleLowering
    from statetracker.spirv import Word

    Operands: TypeAlias = dict[int, list[int]]

_SCALED: Final = "its LOD bias scales gradients: within the device's precision of levels"


def lod_operands(work: SampleLowering) -> tuple[Operands, bool, bool]:
    """The image operands that give the level of detail, whether it is explicit, whether anything changed."""
    site, lowering, levels = work.site, work.lowering, work.levels
    operands = dict(site.operands)
    snapped = work.normalized and levels.mixed
    if work.limits and work.probes:
        work.remarks.append("anisotropy is lost: the limits of its level of detail are no whole levels")
    if ImageOperands.Grad in operands:
        return _given_gradients(work, operands)
    if ImageOperands.Lod in operands:
        if work.limits:
            operands[ImageOperands.Lod] = [(levels.limited - work.values.lod_bias).id]
        elif lowering.add_lod_bias:
            operands[ImageOperands.Lod] = [(site.emit.word(operands[ImageOperands.Lod][0]) + work.values.rest).id]
        return operands, True, work.limits or lowering.add_lod_bias
    if not site.implicit or not (work.moved or snapped or lowering.add_lod_bias or work.limits):
        return operands, False, False
    keeps = (lowering.anisotropic or not work.has_values) and not work.limits
    if keeps or not (levels.query or work.limits):
        return _kept_gradients(work, operands)
    operands.pop(ImageOperands.Bias, None)
    least = operands.pop(ImageOperands.MinLod, None)
    lod = levels.limited if work.limits or least else levels.unlimited
    operands[ImageOperands.Lod] = [(lod - work.values.lod_bias).id]
    return operands, True, True


def _given_gradients(work: SampleLowering, operands: Operands) -> tuple[Operands, bool, bool]:
    """For given gradients."""
    lowering = work.lowering
    if work.limits:
        del operands[ImageOperands.Grad]
        operands.pop(ImageOperands.MinLod, None)
        operands[ImageOperands.Lod] = [(work.levels.limited - work.values.lod_bias).id]
        return operands, True, True
    if not (work.normalized or lowering.add_lod_bias):
        return operands, True, False
    factor = work.values.rest.exp2() if lowering.add_lod_bias else None
    if factor is not None:
        work.remarks.append(_SCALED)
    operands[ImageOperands.Grad] = _scaled(work, factor)
    return operands, True, True


def _kept_gradients(work: SampleLowering, operands: Operands) -> tuple[Operands, bool, bool]:
    """For derivatives of the coordinate as it was, scaled by two to the power of the bias."""
    bias = work.site.scalar(ImageOperands.Bias)
    operands.pop(ImageOperands.Bias, None)
    if work.lowering.add_lod_bias:
        bias = work.values.rest if bias is None else bias + work.values.rest
    operands[ImageOperands.Grad] = _scaled(work, None if bias is None else bias.exp2())
    if bias is not None:
        work.remarks.append(_SCALED)
    return operands, True, True


def _scaled(work: SampleLowering, factor: Word | None) -> list[int]:
    made = []
    for given in work.levels.gradients():
        scaled = given if factor is None else given.scaled(factor)
        made.append((scaled / work.site.sizes.whole(0) if work.normalized else scaled).id)
    return made


def blended(work: SampleLowering) -> tuple[int, Word]:
    """Write it: the residency code and the texel."""
    if work.lowering.filter_texels:
        return filtered(work)
    if work.shifted() and not work.levels.single:
        return _folded_levels(work)
    if work.face is not None and face_alone(work):
        return 0, face_levels(work, work.face)
    operands, explicit, anew = lod_operands(work)
    if not (anew or work.moved or work.normalized or work.third != work.site.third):
        code, ident = work.site.opened(work.site.again())
        work.untouched = not (work.covered or work.face)
        return code, _mixed(work, work.site.texel(ident), work.point)
    point = work.coordinates(work.site.sizes.whole(0) if work.shifted() else work.point)
    operands |= work.site.offset_without(work.moved)
    code, ident = work.site.opened(work.site.sample(point, operands, work.third, explicit=explicit))
    return code, _mixed(work, work.site.texel(ident), point)


def _folded_levels(work: SampleLowering) -> tuple[int, Word]:
    """An offset on a folded axis is another share of each level: sample both, without it.

    Between levels a sample of level 0 has the mag filter, whatever the filter in force: then by its texels.
    """
    levels, code = work.levels, 0
    if work.probes:
        work.remarks.append("anisotropy is lost: the offset is folded at whole levels")
    whole = work.emit.number(Kind.FLOAT, 1.0)
    terms: list[tuple[Word, Word]] = []
    outside: list[Word] = []
    lod = levels.low
    if levels.mixed:  # a quarter is minified and still level 0, without a mipmap filter of LINEAR
        lod = levels.magnified.select(lod, lod.max(0.25))
    steps = [(levels.low, lod, whole - levels.weight if levels.two else whole, levels.linear)]
    if levels.two:
        steps.append((levels.high, levels.high, levels.weight, levels.minifies_linear))
    if levels.two and levels.mixed:
        _, _, weight, linear = steps.pop(0)
        code, texel = filtered_level(work, levels.low, linear)
        terms.append((weight, texel))
    for level, lod, weight, linear in steps:
        size = levels.size(level)
        own, texel = work.explicit(lod, work.coordinates(size), work.site.offset_without(work.moved))
        code = work.site.with_code(code, own, weight.differs(0.0) if code else None)
        if work.covered:
            share = work.coverage(size, linear)
            outside.append(weight * (whole - share))
            terms.append((weight if work.lowering.route == "predefined" else weight * share, texel))
        else:
            terms.append((weight, texel))
    if work.integer:
        return code, outside[0].equals(0.0).select(terms[0][1], work.border) if outside else terms[0][1]
    return code, _bordered(work, weighted(terms), total(outside)) if outside else reduced(
        terms, work.lowering.reduction
    )


def _bordered(work: SampleLowering, texel: Word, outside: Word) -> Word:
    """Add the border by its weight, to texels that are weighted; on the predefined route in place of black."""
    border, outside = work.border, outside.named("outside")
    if work.lowering.route == "predefined" and work.predefined is not None:
        border = border - work.predefined
    return outside.equals(0.0).select(texel, texel + border.scaled(outside))


def _mixed(work: SampleLowering, texel: Word, point: Word) -> Word:
    """Mix the border into what was sampled at some coordinates."""
    if work.face is not None:
        return face_edges(work, texel, work.face)
    if not work.covered:
        return texel
    levels, route = work.levels, work.lowering.route
    near = work.coverage(levels.size(), levels.linear)
    if work.integer:
        return near.equals(0.0).select(work.border, texel)
    outside = near.like(1.0) - near
    if not levels.two:
        kept = texel if route == "predefined" else _kept(work, near, texel)
        return _bordered(work, kept, outside)
    far = work.coverage(levels.size(levels.high), levels.minifies_linear)
    outside = outside * (near.like(1.0) - levels.weight) + levels.weight * (near.like(1.0) - far)
    if route == "predefined":
        return _bordered(work, texel, outside)
    _, coarse = work.explicit(levels.high, point, work.site.offset_without(work.moved))
    coarse.named("coarse_texel")
    return _bordered(work, weighted([(near, texel), (levels.weight * (far - near), coarse)]), outside)


def _kept(work: SampleLowering, weight: Word, texel: Word) -> Word:
    """The part of a texel that counts; where GL_CLAMP is the only border some of it always does."""
    some = not work.by_data and all(work.share(axis) for axis in work.covered)
    return texel.scaled(weight) if some else weighted([(weight, texel)])
