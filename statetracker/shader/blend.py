"""One sample written anew, and the border mixed into it. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.shader.cube import face_alone, face_edges, face_levels
from statetracker.shader.filtering import filtered, filtered_level
from statetracker.shader.lod_operands import lod_operands
from statetracker.shader.mix import reduced, total, weighted
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from statetracker.shader.work import Work
    from statetracker.spirv import Word

__all__ = ["blended"]


def blended(work: Work) -> tuple[int, Word]:
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


def _folded_levels(work: Work) -> tuple[int, Word]:
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


def _bordered(work: Work, texel: Word, outside: Word) -> Word:
    """Add the border by its weight, to texels that are weighted; on the predefined route in place of black."""
    border = work.border
    if work.lowering.route == "predefined" and work.predefined is not None:
        border = border - work.predefined
    return outside.equals(0.0).select(texel, texel + border.scaled(outside))


def _mixed(work: Work, texel: Word, point: Word) -> Word:
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
    return _bordered(work, weighted([(near, texel), (levels.weight * (far - near), coarse)]), outside)


def _kept(work: Work, weight: Word, texel: Word) -> Word:
    """The part of a texel that counts; where GL_CLAMP is the only border some of it always does."""
    some = not work.by_data and all(work.share(axis) for axis in work.covered)
    return texel.scaled(weight) if some else weighted([(weight, texel)])
