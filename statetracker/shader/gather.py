"""A gather written anew: four texels, each the border where its index is outside. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.constants import parts_of
from statetracker.shader.coverage import SECOND, inside
from statetracker.shader.cube import face_gather
from statetracker.shader.site import CannotRewrite
from statetracker.shader.texel import Texel
from statetracker.spirv import Word
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from statetracker.shader.work import Work

__all__ = ["gathered"]

#: Component that has the other texel along s, and along t.
_ACROSS: Final = ((1, 0, 3, 2), (3, 2, 1, 0))


class _Axis(NamedTuple):
    """One axis: the coordinate to gather at, whether its offset is in that, where the two texels are.

    inside     whether the first and the second texel are inside; None where no border is read
    exchanged  whether the two come in the other order; None: they do not
    """

    coordinate: Word
    folded: bool
    inside: tuple[Word, Word] | None = None
    exchanged: Word | None = None


def gathered(work: Work) -> tuple[int, Texel]:
    """Write a gather: its residency code and its texel. Raises `CannotRewrite`."""
    site = work.site
    if work.face is not None:
        return 0, Texel.of(face_gather(work, work.face, border_channel))
    work.untouched = not (work.covered or work.moved or work.normalized or work.third != site.third)
    if not site.four:
        return _one(work, site.offset)
    offsets = parts_of(site.editor, site.four)
    if offsets is None or len(offsets) != 4:
        raise CannotRewrite("its four offsets are no constants of this module")
    code, parts = 0, []
    for offset in offsets:
        own, texel = _one(work, offset)
        code = code or own
        parts.append(site.emit.parts(texel.id)[3])
    if site.op.sparse:
        work.remarks.append("the residency code is the first offset's")
    return code, Texel.of(parts)


def _one(work: Work, offset: int) -> tuple[int, Texel]:
    """One gather, with one offset or none (0)."""
    site = work.site
    site.offset = offset
    shifts = site.shifts(offset)
    axes = [_axis(work, axis, shifts[axis]) for axis in range(site.count)]
    operands = site.offset_without([number for number, one in enumerate(axes) if one.folded])
    made = site.sample([one.coordinate for one in axes], site.operands | operands, work.third, explicit=True)
    code, ident = site.opened(made)
    parts = site.emit.parts(site.emit.as_float32(ident) if not work.integer else ident)
    for axis, across in zip(axes, _ACROSS, strict=True):
        if axis.exchanged is not None:
            parts = [axis.exchanged.select(parts[across[n]], parts[n]) for n in range(4)]
    if any(axis.inside for axis in axes):
        border = border_channel(work)
        parts = [_inside(axes, second).select(part, border) for part, second in zip(parts, SECOND, strict=True)]
    return code, Texel.of(parts)


def _inside(axes: list[_Axis], second: tuple[int, int]) -> Word:
    """Whether a component's texel is inside on all axes."""
    flags = [axis.inside[at] for axis, at in zip(axes, second, strict=True) if axis.inside is not None]
    return flags[0] & flags[1] if len(flags) > 1 else flags[0]


def _axis(work: Work, axis: int, shift: Word | None) -> _Axis:
    site = work.site
    size = site.sizes.at(0)[axis]
    covered, moved, letter = axis in work.covered, axis in work.moved, "str"[axis]
    mirrors = axis in work.reflected and (covered or moved)
    if not (covered or moved or work.normalized):
        return _Axis(work.spatial[axis], folded=False)
    clamps = letter in work.lowering.clamp + work.lowering.mirror
    if clamps:
        return _Axis(work.moved_coordinate(axis, work.spatial[axis], shift, size), folded=True)
    place = work.place(axis, size, shift)
    middle = (place - 0.5).floor() + 1.0
    exchanged = None
    if moved and not mirrors:
        exchanged = place < place.like(0.0)
        middle = exchanged.select((place.abs() - 0.5).ceil(), middle)
    folded = mirrors or moved
    at = middle if folded or shift is None else middle - shift
    coordinate = at if site.rect else at / size
    return _Axis(coordinate, folded, _both_inside(work, axis, place, size) if covered else None, exchanged)


def _both_inside(work: Work, axis: int, place: Word, size: Word) -> tuple[Word, Word]:
    """Whether an axis' two texels are inside: GL_CLAMP clamps the place first, an edge has no outside."""
    share = work.share(axis)
    limited = place.clamp(0.0, size)
    if isinstance(share, Word):
        limited = place.like(0.0).differs(share).select(limited, place)
    elif not share:
        limited = place
    first = (limited - 0.5).floor()
    flags = inside(first, size), inside(first + 1.0, size)
    if not isinstance(share, Word):
        return flags
    edge = share.equals(1.0)
    return flags[0] | edge, flags[1] | edge


def border_channel(work: Work) -> Word:
    """The channel of the border that is gathered; of a comparison its answer."""
    emit, site = work.emit, work.site
    if site.op.third == "dref":
        return emit.parts(work.border.id)[0]
    component = site.editor.definitions[site.third[0]]
    if component.opcode == Op.Constant:
        return emit.parts(work.border.id)[component.words[2] & 3]
    return emit.make(work.border.kind, "OpVectorExtractDynamic", work.border.id, site.third[0])
