"""Filtering the texels of a cube in the shader, on one face or across its edges. Source: docs/shader_lowering.md."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from statetracker.shader.coverage import is_inside, texels_of_axis
from statetracker.shader.cube import turned
from statetracker.shader.mix import product as mul
from statetracker.shader.mix import reduced, total

if TYPE_CHECKING:
    from statetracker.shader.work import Work
    from statetracker.spirv import Word

__all__ = ["face_texels"]


class _Tap(NamedTuple):
    """One texel of an axis of the face: its centre from -1 to 1, its weight (None: 1).

    outside   whether it is beyond the face, where it is a neighbour's: the centre is then on the edge
    inside    whether it is inside, where a border is beside the face; None where none is
    """

    centre: Word
    weight: Word | None
    outside: Word | None
    inside: Word | None


def face_texels(work: Work, level: Word, linear: Word | bool) -> tuple[int, Word]:  # noqa: FBT001 (it may be known)
    """One level, filtered: the residency code and the texel."""
    size = work.levels.sizes(level)[0]
    axes = [_taps(work, axis, place * size, size, linear) for axis, place in enumerate(work.met.place)]
    terms, corners, code = [], [], 0
    for taps in product(*axes):
        own, texel = _sampled(work, taps, level, size)
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
    """A texel; where three faces meet there is no fourth one: the mean of the others."""
    others = [texel for place, (_, texel) in enumerate(terms) if place != at]
    mean = total(others).scaled(terms[at][0].like(1 / 3))
    return mul(outside).select(mean, terms[at][1])


def _sampled(work: Work, taps: tuple[_Tap, ...], level: Word, size: Word) -> tuple[int, Word]:
    """A texel by the direction of its centre: the residency code and the texel."""
    beyond = [tap.outside for tap in taps if tap.outside is not None]
    along = None
    if beyond:
        one = size.like(1.0)
        along = (beyond[0] | beyond[1]).select(one - one / size, one)  # half a texel beyond the edge
    direction = work.emit.join(work.met.back(taps[0].centre, taps[1].centre, along))
    return work.explicit(level, direction, {})


def _taps(work: Work, axis: int, place: Word, size: Word, linear: Word | bool) -> list[_Tap]:  # noqa: FBT001
    """The one or two texels of an axis."""
    return [_tap(work, axis, index, size, weight, linear) for index, weight in texels_of_axis(place, linear)]


def _tap(  # noqa: PLR0917 (one step of `_taps`)
    work: Work,
    axis: int,
    index: Word,
    size: Word,
    weight: Word | None,
    linear: Word | bool,  # noqa: FBT001
) -> _Tap:
    if weight is None:
        index = index.min(size - 1.0)  # at the far edge of a face
    if work.face is not None:
        centre = (turned(work, axis, index, size) * 2.0 + 1.0) / size - 1.0
        bordered = linear is not False and "st"[axis] in work.lowering.covered
        return _Tap(centre, weight, None, is_inside(work.share(axis), index, size, linear) if bordered else None)
    centre = (index * 2.0 + 1.0) / size - 1.0
    if weight is None:
        return _Tap(centre, weight, None, None)
    one = size.like(1.0)
    return _Tap(centre.max(-one).min(one), weight, one < centre.abs(), None)
