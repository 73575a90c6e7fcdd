"""One sample written anew, and the border mixed into it. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.shader.cube import face_edges
from statetracker.shader.filtering import filtered
from statetracker.shader.lod_operands import lod_operands
from statetracker.shader.texel import Texel, chosen, weighted
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.work import Work
    from statetracker.spirv import Word

__all__ = ["blended"]


def blended(work: Work) -> tuple[int, Texel]:
    """Write it: the residency code and the texel."""
    if not work.by_data and work.levels.linear is False and not work.levels.minifies_linear:
        work.covered = [axis for axis in work.covered if work.share(axis) == 0.0]
    if work.lowering.filter_texels:
        return filtered(work)
    if work.shifted() and not work.levels.single:
        return _folded_levels(work)
    operands, explicit, anew = lod_operands(work)
    if not (anew or work.moved or work.normalized or work.third != work.site.third):
        code, ident = work.site.opened(work.site.again())
        work.untouched = not (work.covered or work.face)
        return code, _mixed(work, Texel(work.emit, ident), work.spatial)
    spatial = work.coordinates(work.site.sizes.at(0) if work.shifted() else None)
    operands |= work.site.offset_without(work.moved)
    code, ident = work.site.opened(work.site.sample(spatial, operands, work.third, explicit=explicit))
    return code, _mixed(work, Texel(work.emit, ident), spatial)


def _folded_levels(work: Work) -> tuple[int, Texel]:
    """An offset on a folded axis is another share of each level: sample both, without it."""
    levels, code = work.levels, 0
    if levels.mixed:
        work.remarks.append("its offset is folded at both levels: with mixed filters off between levels 0 and 1")
    whole = work.emit.number(Kind.FLOAT, 1.0)
    steps = [(levels.low, whole - levels.weight if levels.two else whole, levels.linear)]
    if levels.two:
        steps.append((levels.high, levels.weight, levels.minifies_linear))
    terms: list[tuple[Word, Texel]] = []
    outside: list[Word] = []
    for level, weight, linear in steps:
        sizes = levels.sizes(level)
        own, texel = work.explicit(level, work.coordinates(sizes), work.site.offset_without(work.moved))
        code = code or own
        if work.covered:
            share = work.coverage(sizes, linear)
            outside.append(weight * (whole - share))
            terms.append((weight if work.lowering.route == "predefined" else weight * share, texel))
        else:
            terms.append((weight, texel))
    if work.integer:
        return code, chosen(outside[0].equals(0.0), terms[0][1], work.border) if outside else terms[0][1]
    return code, _bordered(work, weighted(terms), _sum(outside)) if outside else weighted(terms)


def _bordered(work: Work, texel: Texel, outside: Word) -> Texel:
    """Add the border by its weight, to texels that are weighted; on the predefined route in place of black."""
    border = work.border - work.predefined if work.lowering.route == "predefined" else work.border
    return chosen(outside.equals(0.0), texel, texel + border.scaled(outside))


def _mixed(work: Work, texel: Texel, spatial: list[Word]) -> Texel:
    """Mix the border into what was sampled at some coordinates."""
    if work.face is not None:
        return face_edges(work, texel, work.face)
    if not work.covered:
        return texel
    levels, route = work.levels, work.lowering.route
    near = work.coverage(levels.sizes(), levels.linear)
    if work.integer:
        return chosen(near.equals(0.0), work.border, texel)
    outside = near.like(1.0) - near
    if not levels.two:
        return _bordered(work, texel if route == "predefined" else weighted([(near, texel)]), outside)
    far = work.coverage(levels.sizes(levels.high), levels.minifies_linear)
    outside = outside * (near.like(1.0) - levels.weight) + levels.weight * (near.like(1.0) - far)
    if route == "predefined":
        return _bordered(work, texel, outside)
    _, coarse = work.explicit(levels.high, spatial, work.site.offset_without(work.moved))
    return _bordered(work, weighted([(near, texel), (levels.weight * (far - near), coarse)]), outside)


def _sum(words: Sequence[Word]) -> Word:
    total = words[0]
    for one in words[1:]:
        total = total + one
    return total
