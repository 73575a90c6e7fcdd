"""Cubes without seams on a device that always looks across edges: each face by itself.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from statetracker.shader.coverage import SECOND, coverage, is_inside, weighted
from statetracker.shader.site import CannotRewrite
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.shader.faces import Face
    from statetracker.shader.work import SampleLowering


def face_alone(work: SampleLowering) -> bool:
    """Whether the face by itself is right everywhere, so that nothing else is sampled.

    Not where only the device knows the level of detail or its samples along a gradient: away from edges it has them.
    """
    levels, site = work.levels, work.site
    known = levels.single or ImageOperands.Lod in site.operands
    return known and levels.linear is True and not work.probes and not site.op.sparse


def face_levels(work: SampleLowering, face: Face) -> Word:
    """The levels of a face, linearly filtered."""
    levels = work.levels
    minified = levels.mixed and levels.minifies_linear
    if not levels.two:  # a quarter is minified and still level 0
        return _level(work, face, levels.low, levels.low.max(0.25) if minified else levels.low)
    if levels.mixed and not minified:  # linear where it is magnified: of level 0 alone
        return _level(work, face, levels.low, levels.low)
    fine = _level(work, face, levels.low, levels.low, apart=minified)
    coarse = _level(work, face, levels.high, levels.high)
    return weighted([(levels.weight.like(1.0) - levels.weight, fine), (levels.weight, coarse)])


def face_edges(work: SampleLowering, texel: Word, face: Face) -> Word:
    """What was sampled, but where linear filtering reaches across an edge: there the face by itself."""
    levels = work.levels
    if levels.nearest:
        return texel
    if work.site.op.sparse:
        work.remarks.append("the residency code is that of the texels across the face's edge")
    own = face_levels(work, face)
    size = levels.sizes(levels.high if levels.two else levels.low)[0]
    crosses = None
    for place in face.place:
        here = size - 1.0 < (place * size * 2.0 - size).abs()
        crosses = here if crosses is None else crosses | here
    assert crosses is not None  # noqa: S101 (a face has two axes)
    linear = levels.linear
    if not isinstance(linear, bool):
        crosses = crosses & linear
    return crosses.select(own, texel)


def _level(work: SampleLowering, face: Face, level: Word, lod: Word, *, apart: bool = False) -> Word:
    """One level of a face, linearly filtered, sampled at an explicit LOD.

    apart   texel by texel: a sample of level 0 between levels has the mag filter, whatever the filter in force
    """
    size = work.levels.sizes(level)[0]
    places = [one * size for one in face.place]
    terms = []
    one = size.like(1.0)
    taps = (_taps(work, axis, place, size, apart=apart) for axis, place in enumerate(places))
    for (s, by_s), (t, by_t) in product(*taps):
        direction = work.emit.join(face.back(s * 2.0 / size - 1.0, t * 2.0 / size - 1.0))
        _, texel = work.explicit(lod, direction, {})
        weight = by_s if by_t is None else by_t if by_s is None else by_s * by_t
        terms.append((one if weight is None else weight, texel))
    texel = terms[0][1] if len(terms) == 1 else weighted(terms)
    covered = [axis for axis, letter in enumerate("st") if letter in work.lowering.covered]
    if not covered:
        return texel
    near = coverage(work.emit, work.emit.join(places), size.spread(2), work.shares, linear=True, axes=covered)
    return weighted([(near, texel), (one - near, work.border)])


def _taps(work: SampleLowering, axis: int, place: Word, size: Word, *, apart: bool) -> list[tuple[Word, Word | None]]:
    """Where an axis is sampled, in texels, with weights: one place within the face, or two texels' centres.

    Two where it repeats, and ``apart``.
    """
    if "st"[axis] not in work.lowering.repeat and not apart:
        return [(place.max(0.5).min(size - 0.5), None)]
    start = place - 0.5
    first = start.floor()
    weight = start - first
    low, high = (turned(work, axis, index, size) + 0.5 for index in (first, first + 1.0))
    return [(low, weight.like(1.0) - weight), (high, weight)]


def face_gather(work: SampleLowering, face: Face, border: Callable[[SampleLowering], Word]) -> tuple[int, list[Word]]:
    """The four texels of a gather on a face, each sampled at its centre; ``border`` gives the channel of a border.

    return   the residency code of the gather as it stands (0 without one), and the four
    """
    site, code = work.site, 0
    if site.four:
        raise CannotRewrite("it gathers by offsets from a cube")
    if site.op.sparse:
        code, _ = site.opened(site.again())
        work.remarks.append("the residency code is that of the texels across the face's edge")
    work.remarks.append("its four texels are sampled at level 0: exact where the state's least level of detail is 0")
    size = site.sizes.at(0)[0]
    firsts = [(one * size - 0.5).floor() for one in face.place]
    parts = []
    for picks in SECOND:
        indices = [first + float(pick) for first, pick in zip(firsts, picks, strict=True)]
        s, t = (turned(work, axis, index, size) for axis, index in enumerate(indices))
        part = _texel(work, face.back((s * 2.0 + 1.0) / size - 1.0, (t * 2.0 + 1.0) / size - 1.0))
        for axis, index in enumerate(indices):
            if "st"[axis] in work.lowering.covered:
                part = is_inside(work.share(axis), index, size, linear=True).select(part, border(work))
        parts.append(part)
    return code, parts


def turned(work: SampleLowering, axis: int, index: Word, size: Word) -> Word:
    """A texel's index on its face: repeated, or the edge's."""
    if "st"[axis] not in work.lowering.repeat:
        return index.max(0.0).min(size - 1.0)
    low = (index < index.like(0.0)).select(index + size, index)
    return (low < size).select(low, low - size)


def _texel(work: SampleLowering, direction: list[Word]) -> Word:
    """The channel that is gathered, of level 0 in one direction; of a comparison the answer."""
    site, emit = work.site, work.emit
    coordinate = emit.joined([*direction, *site.layer])
    level = (emit.number(Kind.FLOAT, 0.0) - work.values.lod_bias).id
    kind, lod = site.texel_type, ImageOperands.Lod
    if site.op.third == "dref":
        answer = emit.type_id(Kind.FLOAT)
        ident = emit.op("OpImageSampleDrefExplicitLod", answer, site.sampled, coordinate, *work.third, lod, level)
        return Word(emit, ident, Kind.FLOAT)
    whole = site.texel(emit.op("OpImageSampleExplicitLod", kind, site.sampled, coordinate, lod, level))
    return emit.make(whole.kind, "OpVectorExtractDynamic", whole.id, site.third[0])
