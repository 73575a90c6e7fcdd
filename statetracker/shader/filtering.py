"""Filtering in the shader, for formats that the device reads but does not filter. Source: docs/shader_lowering.md."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from statetracker.shader.coverage import SECOND, inside
from statetracker.shader.texel import Texel, chosen, weighted
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import Dim, ImageOperands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.work import Work

__all__ = ["filtered", "is_inside"]


class _Tap(NamedTuple):
    """One texel of an axis: its centre as a coordinate, its weight (None: 1), whether it is inside (None: it is)."""

    coordinate: Word
    weight: Word | None
    inside: Word | None


def filtered(work: Work) -> tuple[int, Texel]:
    """Sample the texels of the footprint one by one, and weigh them: the residency code and the texel."""
    levels, site = work.levels, work.site
    if work.lowering.anisotropic:
        work.remarks.append("anisotropy is lost: the shader filters")
    if levels.single and levels.linear is True and _gathers(work):
        return 0, _by_gather(work)
    if not levels.two:
        return _level(work, levels.low, levels.linear)
    code, fine = _level(work, levels.low, levels.linear)
    _, coarse = _level(work, levels.high, levels.minifies_linear)
    whole = site.emit.number(Kind.FLOAT, 1.0)
    return code, weighted([(whole - levels.weight, fine), (levels.weight, coarse)])


def _gathers(work: Work) -> bool:
    """Whether one gather reads all texels: a comparison on level 0 of a 2D image, no coordinate moved."""
    site = work.site
    plane = site.image.words[2] in {Dim.Dim2D, Dim.Rect}
    return site.op.third == "dref" and plane and not site.op.sparse and not work.moved


def _level(work: Work, level: Word, linear: Word | bool) -> tuple[int, Texel]:  # noqa: FBT001 (it may be known)
    """One level, filtered."""
    site, emit, code = work.site, work.emit, 0
    sizes = work.levels.sizes(level)
    axes = [_taps(work, axis, sizes[axis], linear) for axis in range(site.count)]
    if site.rect:
        still = site.editor.null(site.editor.type_vector(emit.type_id(Kind.FLOAT), 2))
        operands = {ImageOperands.Grad: [still, still]}
    else:
        operands = {ImageOperands.Lod: [(level - work.values.lod_bias).id]}
    terms = []
    for taps in product(*axes):
        spatial = [tap.coordinate for tap in taps]
        own, ident = site.opened(site.sample(spatial, operands, work.third, explicit=True))
        code = code or own
        texel = Texel(emit, ident)
        flags = [tap.inside for tap in taps if tap.inside is not None]
        if flags:
            texel = chosen(_all(flags), texel, work.border)
        terms.append((_product([tap.weight for tap in taps if tap.weight is not None]), texel))
    if len(terms) == 1:
        return code, terms[0][1]
    return code, weighted([(weight, texel) for weight, texel in terms if weight is not None])


def _place(work: Work, axis: int, size: Word) -> Word:
    """Where the sample is on an axis, in texels; GL_CLAMP's inside the texture."""
    place, share = work.place(axis, size, work.shifts[axis]), work.share(axis)
    if isinstance(share, Word):
        return share.equals(0.5).select(place.clamp(0.0, size), place)
    return place.clamp(0.0, size) if share == 0.5 else place


def _taps(work: Work, axis: int, size: Word, linear: Word | bool) -> list[_Tap]:  # noqa: FBT001
    """The one or two texels of an axis."""
    place = _place(work, axis, size)
    if linear is False:
        return [_tap(work, axis, place.floor(), size, None, linear)]
    half = place.like(0.5) if linear is True else linear.select(place.like(0.5), 0.0)
    start = place - half
    first = start.floor()
    weight = start - first if linear is True else linear.select(start - first, 0.0)
    return [
        _tap(work, axis, first, size, weight.like(1.0) - weight, linear),
        _tap(work, axis, first + 1.0, size, weight, linear),
    ]


def _tap(  # noqa: PLR0917 (one step of `_taps`)
    work: Work,
    axis: int,
    index: Word,
    size: Word,
    weight: Word | None,
    linear: Word | bool,  # noqa: FBT001
) -> _Tap:
    middle = index + 0.5
    coordinate = middle if work.site.rect else middle / size
    if axis in work.moved:
        coordinate = work.moved_coordinate(axis, coordinate, None, None)
    bordered = axis in work.covered and not (linear is False and work.share(axis) == 0.5)
    return _Tap(coordinate, weight, is_inside(work, axis, index, size, linear) if bordered else None)


def is_inside(
    work: Work,
    axis: int,
    index: Word,
    size: Word,
    linear: Word | bool,  # noqa: FBT001
) -> Word:
    """Whether a texel is inside; GL_CLAMP has no outside with NEAREST, an edge has none."""
    flag, share = inside(index, size), work.share(axis)
    if isinstance(share, Word):
        least = share if linear is True else share.ceil() if linear is False else linear.select(share, share.ceil())
        return flag | least.equals(1.0)
    return flag | ~linear if share and isinstance(linear, Word) else flag


def _by_gather(work: Work) -> Texel:
    """The four answers of level 0 by one gather, and their mean by weight."""
    site, emit = work.site, work.emit
    sizes = site.sizes.at(0)
    places = [_place(work, axis, sizes[axis]) for axis in range(2)]
    starts = [place - 0.5 for place in places]
    firsts = [start.floor() for start in starts]
    middles = [first + 1.0 for first in firsts]
    spatial = middles if site.rect else [middle / size for middle, size in zip(middles, sizes, strict=True)]
    vector = site.editor.type_vector(emit.type_id(Kind.FLOAT), 4)
    coordinate = emit.joined([*spatial, *site.layer])
    ident = emit.op("OpImageDrefGather", vector, site.sampled, coordinate, *work.third)
    answers = emit.parts(ident)
    if work.covered:
        flags = {
            (axis, second): is_inside(work, axis, firsts[axis] + float(second), sizes[axis], linear=True)
            for axis, second in product(work.covered, range(2))
        }
        for at, picks in enumerate(SECOND):
            each = [flags[axis, pick] for axis, pick in enumerate(picks) if axis in work.covered]
            answers[at] = _all(each).select(answers[at], Word(emit, work.border.id, Kind.FLOAT))
    across, up = (start - first for start, first in zip(starts, firsts, strict=True))
    x, y, z, w = answers
    low, high = w + (z - w) * across, x + (y - x) * across
    return Texel.of([low + (high - low) * up])


def _all(flags: Sequence[Word]) -> Word:
    whole = flags[0]
    for one in flags[1:]:
        whole = whole & one
    return whole


def _product(weights: Sequence[Word]) -> Word | None:
    whole: Word | None = None
    for one in weights:
        whole = one if whole is None else whole * one
    return whole
