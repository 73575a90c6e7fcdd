"""Filtering in the shader: of formats that the device reads but does not filter, and of each face of a cube by itself.

The latter is for cubes that are not seamless, on a device that always looks across edges.
Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from statetracker.pipe.enums import TexReduction
from statetracker.shader.coverage import SECOND, coverage, is_inside, reduced, texels_of_axis, total, weighted
from statetracker.shader.coverage import product as mul
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import Dim, ImageOperands

if TYPE_CHECKING:
    from statetracker.shader.sizes import Face
    from statetracker.shader.work import SampleLowering

    #: A texel of an axis that is read: its index, and its weight (None: 1).
    _Read = tuple[Word, Word | None]


class Tap(NamedTuple):
    """One texel of an axis.

    Attributes:
        place: Its centre as a coordinate; on a face from -1 to 1.
        weight: None: 1.
        inside: Whether it is inside, where a border is beside it; None where none is.
        outside: Whether it is beyond the face, where it is a neighbour's: the centre is then on the edge.
    """

    place: Word
    weight: Word | None
    inside: Word | None = None
    outside: Word | None = None


def face_texels(work: SampleLowering, level: Word, linear: Word | bool) -> tuple[int, Word]:  # noqa: FBT001 (it may be known)
    """One level, filtered: the residency code and the texel."""
    size = work.levels.sizes(level)[0]
    axes = [
        [_face_tap(work, axis, read, size, linear) for read in texels_of_axis(place * size, linear)]
        for axis, place in enumerate(work.met.place)
    ]
    terms, corners, code = [], [], 0
    for taps in product(*axes):
        own, texel = _face_sampled(work, taps, level, size)
        code = work.site.with_code(code, own)
        flags = [tap.inside for tap in taps if tap.inside is not None]
        weights = [tap.weight for tap in taps if tap.weight is not None]
        if not weights:
            return code, texel
        terms.append((mul(weights), mul(flags).select(texel, work.border) if flags else texel))
        corners.append([tap.outside for tap in taps if tap.outside is not None])
    if work.face is None:
        terms = [(weight, _cornered(terms, at, corners[at])) for at, (weight, _) in enumerate(terms)]
    return code, reduced(terms, work.lowering.reduction)


def _cornered(terms: list[tuple[Word, Word]], at: int, outside: list[Word]) -> Word:
    """Return a texel; where three faces meet there is no fourth one: the mean of the others."""
    others = [texel for place, (_, texel) in enumerate(terms) if place != at]
    mean = total(others).scaled(terms[at][0].like(1 / 3))
    return mul(outside).select(mean, terms[at][1])


def _face_sampled(work: SampleLowering, taps: tuple[Tap, ...], level: Word, size: Word) -> tuple[int, Word]:
    """Return a texel by the direction of its centre: the residency code and the texel."""
    beyond = [tap.outside for tap in taps if tap.outside is not None]
    along = None
    if beyond:
        one = size.like(1.0)
        along = (beyond[0] | beyond[1]).select(one - one / size, one)  # half a texel beyond the edge
    direction = work.emit.join(work.met.back(taps[0].place, taps[1].place, along))
    return work.explicit(level, direction, {})


def _face_tap(work: SampleLowering, axis: int, read: _Read, size: Word, linear: Word | bool) -> Tap:  # noqa: FBT001
    index, weight = read
    if weight is None:
        index = index.min(size - 1.0)  # at the far edge of a face
    elif work.lowering.dynamic and isinstance(linear, Word):
        index = linear.select(index, index.min(size - 1.0))
    if work.face is not None:
        centre = (turned(work, axis, index, size) * 2.0 + 1.0) / size - 1.0
        bordered = linear is not False and "st"[axis] in work.lowering.covered
        return Tap(centre, weight, is_inside(work.share(axis), index, size, linear) if bordered else None)
    centre = (index * 2.0 + 1.0) / size - 1.0
    if weight is None:
        return Tap(centre, weight)
    one = size.like(1.0)
    return Tap(centre.max(-one).min(one), weight, outside=one < centre.abs())


def filtered(work: SampleLowering) -> tuple[int, Word]:
    """Sample the texels of the footprint one by one, and weigh them: the residency code and the texel."""
    levels, site = work.levels, work.site
    if work.probes:
        work.remarks.append("anisotropy is lost: the shader filters")
    if levels.single and levels.linear is True and _gathers(work):
        return 0, _by_gather(work)
    level = face_texels if site.cube else filtered_level
    if not levels.two:
        return level(work, levels.low, levels.linear)
    code, fine = level(work, levels.low, levels.linear)
    other, coarse = level(work, levels.high, levels.minifies_linear)
    code = site.with_code(code, other, levels.weight.differs(0.0)) if code else 0
    whole = site.emit.number(Kind.FLOAT, 1.0)
    return code, reduced([(whole - levels.weight, fine), (levels.weight, coarse)], work.lowering.reduction)


def _gathers(work: SampleLowering) -> bool:
    """Return whether one gather reads all texels: a comparison on level 0 of a 2D image, no coordinate moved."""
    site = work.site
    plane = site.image.words[2] in {Dim.Dim2D, Dim.Rect}
    averages = work.lowering.reduction == TexReduction.WEIGHTED_AVERAGE
    return site.op.third == "dref" and plane and averages and not site.op.sparse and not (work.moved or work.wrapped)


def filtered_level(work: SampleLowering, level: Word, linear: Word | bool) -> tuple[int, Word]:  # noqa: FBT001 (it may be known)
    """One level, filtered: the residency code and the texel."""
    site, emit, code = work.site, work.emit, 0
    whole = work.levels.size(level)
    if work.lowering.dynamic:
        axes = taps_by_data(work, whole, work.place_inside(whole, work.shift), linear=linear)
    else:
        sizes, places = emit.parts(whole.id), emit.parts(work.place_inside(whole, work.shift).id)
        axes = [
            [_tap(work, axis, read, sizes[axis], linear) for read in texels_of_axis(places[axis], linear)]
            for axis in range(site.count)
        ]
    if site.rect:
        still = site.editor.null(site.editor.type_vector(emit.type_id(Kind.FLOAT), 2))
        operands = {ImageOperands.Grad: [still, still]}
    else:
        operands = work.lod(level)
    terms = []
    for taps in product(*axes):
        point = emit.join([tap.place for tap in taps])
        own, ident = site.sample(point, operands, work.third)
        code = site.with_code(code, own)
        texel = site.texel(ident)
        flags = [tap.inside for tap in taps if tap.inside is not None]
        if flags:
            texel = mul(flags).select(texel, work.border)
        weights = [tap.weight for tap in taps if tap.weight is not None]
        if not weights:
            return code, texel
        terms.append((mul(weights), texel))
    return code, reduced(terms, work.lowering.reduction)


def _tap(work: SampleLowering, axis: int, read: _Read, size: Word, linear: Word | bool) -> Tap:  # noqa: FBT001
    index, weight = read
    middle = work.texel(axis, index, size) + 0.5
    coordinate = middle if work.site.rect else middle / size
    if axis in work.moved - work.reflected:
        coordinate = coordinate.abs()
    bordered = axis in work.covered and not (linear is False and work.share(axis) == 0.5)
    return Tap(coordinate, weight, is_inside(work.share(axis), index, size, linear) if bordered else None)


def taps_by_data(
    work: SampleLowering, size: Word, place: Word, *, linear: Word | bool, beyond: float = 0.0
) -> list[list[Tap]]:
    """Return the texels of each axis, wrapped as the values say; their places are ``beyond`` texels further."""
    repeats, mirrors, folds = (work.values.says(name, size.count) for name in ("repeat", "mirror_repeat", "fold"))
    period = mirrors.select(size * 2.0, size)
    taps = []
    for index, weight in texels_of_axis(place, linear):
        within = index - period * ((index + 0.5) / period).floor()
        within = mirrors.select(within.min(period - 1.0 - within), within)
        middle = (repeats | mirrors).select(within, index) + 0.5
        middle = folds.select(middle.abs(), middle)
        middle = middle + beyond if beyond else middle
        coordinate = middle if work.site.rect else middle / size
        taps.append((coordinate, weight, is_inside(work.shares, index, size, linear)))
    pick = work.emit.component
    return [
        [Tap(pick(at, axis), weight and pick(weight, axis), pick(inside, axis)) for at, weight, inside in taps]
        for axis in range(size.count)
    ]


def _by_gather(work: SampleLowering) -> Word:
    """Return the four answers of level 0 by one gather, and their mean by weight."""
    site, emit = work.site, work.emit
    size = site.sizes.whole(0)
    start = work.place_inside(size, work.shift) - 0.5
    first = start.floor()
    middle = first + 1.0
    coordinate = emit.joined([middle if site.rect else middle / size, *site.layer])
    vector = emit.type_id(Kind.FLOAT, 4)
    answers = emit.parts(emit.op("OpImageDrefGather", vector, site.sampled, coordinate, *work.third))
    if work.covered:
        sizes, firsts = emit.parts(size.id), emit.parts(first.id)
        flags = {
            (axis, second): is_inside(work.share(axis), firsts[axis] + float(second), sizes[axis], linear=True)
            for axis in work.covered
            for second in range(2)
        }
        for at, picks in enumerate(SECOND):
            answers[at] = mul([flags[axis, picks[axis]] for axis in work.covered]).select(answers[at], work.border)
    across, up = emit.parts((start - first).id)
    x, y, z, w = answers
    low, high = w + (z - w) * across, x + (y - x) * across
    return low + (high - low) * up


def face_alone(work: SampleLowering) -> bool:
    """Return whether the face by itself is right everywhere, so that nothing else is sampled.

    Not where only the device knows the level of detail or its samples along a gradient: away from edges it has them.
    """
    levels, site = work.levels, work.site
    known = levels.single or ImageOperands.Lod in site.operands
    return known and levels.linear is True and not work.probes and not site.op.sparse


def face_levels(work: SampleLowering, face: Face) -> Word:
    """Return the levels of a face, linearly filtered."""
    levels = work.levels
    minified = levels.mixed and levels.minifies_linear is True
    if not levels.two:  # a quarter is minified and still level 0
        return _level(work, face, levels.low, levels.low.max(0.25) if minified else levels.low)
    if levels.mixed and not minified:  # linear where it is magnified: of level 0 alone
        return _level(work, face, levels.low, levels.low)
    fine = _level(work, face, levels.low, levels.low, apart=minified)
    coarse = _level(work, face, levels.high, levels.high)
    return weighted([(levels.weight.like(1.0) - levels.weight, fine), (levels.weight, coarse)])


def face_edges(work: SampleLowering, texel: Word, face: Face) -> Word:
    """Return what was sampled, but where linear filtering reaches across an edge: there the face by itself."""
    levels = work.levels
    if levels.nearest:
        return texel
    if work.site.op.sparse:
        work.remarks.append("the residency code is that of the texels across the face's edge")
    own = face_levels(work, face)
    size = levels.sizes(levels.high if levels.two else levels.low)[0]
    s, t = (size - 1.0 < (place * size * 2.0 - size).abs() for place in face.place)
    crosses, linear = s | t, levels.linear
    if not isinstance(linear, bool):
        crosses = crosses & linear
    return crosses.select(own, texel)


def _level(work: SampleLowering, face: Face, level: Word, lod: Word, *, apart: bool = False) -> Word:
    """One level of a face, linearly filtered, sampled at an explicit LOD.

    ``apart`` samples texel by texel: a sample of level 0 between levels has the mag filter, whatever the filter in
    force.
    """
    size = work.levels.sizes(level)[0]
    places = [one * size for one in face.place]
    terms = []
    one = size.like(1.0)
    taps = (_taps(work, axis, place, size, apart=apart) for axis, place in enumerate(places))
    for (s, by_s), (t, by_t) in product(*taps):
        direction = work.emit.join(face.back(s * 2.0 / size - 1.0, t * 2.0 / size - 1.0))
        _, texel = work.explicit(lod, direction, {})
        weights = [weight for weight in (by_s, by_t) if weight is not None]
        terms.append((mul(weights) if weights else one, texel))
    texel = terms[0][1] if len(terms) == 1 else weighted(terms)
    covered = [axis for axis, letter in enumerate("st") if letter in work.lowering.covered]
    if not covered:
        return texel
    near = coverage(work.emit.join(places), size.spread(2), work.shares, linear=True, axes=covered)
    return weighted([(near, texel), (one - near, work.border)])


def _taps(work: SampleLowering, axis: int, place: Word, size: Word, *, apart: bool) -> list[tuple[Word, Word | None]]:
    """Return where an axis is sampled, in texels, with weights: a place within the face, or two texels' centres.

    Two where it repeats, and ``apart``.
    """
    if "st"[axis] not in work.lowering.repeat and not apart:
        return [(place.max(0.5).min(size - 0.5), None)]
    start = place - 0.5
    first = start.floor()
    weight = start - first
    low, high = (turned(work, axis, index, size) + 0.5 for index in (first, first + 1.0))
    return [(low, weight.like(1.0) - weight), (high, weight)]


def turned(work: SampleLowering, axis: int, index: Word, size: Word) -> Word:
    """Return a texel's index on its face: repeated, or the edge's."""
    dynamic = work.lowering.dynamic
    if not dynamic and "st"[axis] not in work.lowering.repeat:
        return index.max(0.0).min(size - 1.0)
    low = (index < index.like(0.0)).select(index + size, index)
    within = (low < size).select(low, low - size)
    if not dynamic:
        return within
    return work.emit.component(work.values.says("repeat", 2), axis).select(within, index.max(0.0).min(size - 1.0))
