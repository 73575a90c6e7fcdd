"""A gather written anew: four texels, each the border where its index is outside. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.coverage import SECOND, inside, is_inside, product
from statetracker.shader.filtering import Tap, taps_by_data, turned
from statetracker.shader.site import CannotRewrite
from statetracker.spirv import Kind, Word
from statetracker.spirv.names import ImageOperands, Op

if TYPE_CHECKING:
    from statetracker.shader.sizes import Face
    from statetracker.shader.work import SampleLowering

#: Component that has the other texel along s, and along t.
_ACROSS: Final = ((1, 0, 3, 2), (3, 2, 1, 0))


def gathered(work: SampleLowering) -> tuple[int, Word]:
    """Write a gather: its residency code and its texel. Raises `CannotRewrite`."""
    site = work.site
    if work.face is not None:
        code, parts = _on_face(work, work.face)
        return code, site.emit.join(parts)
    work.untouched = not (work.covered or work.moved or work.wrapped or work.normalized or work.third != site.third)
    if site.cube:
        return work.sample(site.point, site.operands)
    if not site.four:
        return _one(work, site.offset)
    code, parts = 0, []
    for offset in site.four_offsets():
        own, texel = _one(work, offset)
        code = code or own
        parts.append(site.emit.component(texel, 3))
    if site.op.sparse:
        work.remarks.append("the residency code is the first offset's")
    return code, site.emit.join(parts)


def _one(work: SampleLowering, offset: int) -> tuple[int, Word]:
    if work.wrapped:
        return _four_texels(work, offset)
    site, emit = work.site, work.emit
    point, folded, exchanges, both = _footprint(work, offset)
    code, texel = work.sample(point, site.operands | site.offset_without(offset, folded))
    for axis, exchanged in exchanges.items():
        across = emit.make(texel.kind, "OpVectorShuffle", texel.id, texel.id, *_ACROSS[axis], count=4)
        texel = exchanged.select(across, texel)
    if both is None:
        return code, texel
    flags = {(axis, pick): emit.component(both[pick], axis) for axis in work.covered for pick in range(2)}
    each = [product([flags[axis, picks[axis]] for axis in work.covered]) for picks in SECOND]
    return code, emit.join(each).select(texel, texel.like(_border_channel(work)))


def _four_texels(work: SampleLowering, offset: int) -> tuple[int, Word]:
    """Return a gather whose texels lie apart, for the shader wraps their indices: the base texel of four gathers."""
    site, emit, code, parts = work.site, work.emit, 0, []
    size = site.sizes.whole(0)
    axes: list[list[Tap]] = []
    if work.lowering.dynamic:
        axes = taps_by_data(work, size, work.place_inside(size, site.shift(offset)), linear=True, beyond=0.5)
    else:
        sizes = emit.parts(size.id)
        firsts = emit.parts((work.place_inside(size, site.shift(offset)) - 0.5).floor().id)
    for picks in SECOND:
        if axes:
            taps = [axis[pick] for axis, pick in zip(axes, picks, strict=False)]
            corners = [tap.place for tap in taps]
        else:
            indices = [first + float(pick) for first, pick in zip(firsts, picks, strict=True)]
            corners = []
            for axis, index in enumerate(indices):
                own = work.texel(axis, index, sizes[axis])
                corner = ((own + 0.5).abs() if axis in work.moved - work.reflected else own + 0.5) + 0.5
                corners.append(corner if site.rect else corner / sizes[axis])
        other, ident = site.sample(emit.join(corners), site.operands, work.third)
        code = site.with_code(code, other)
        texel = emit.component(site.texel(ident), 3)
        if axes:
            flags = [tap.inside for tap in taps if tap.inside is not None]
        else:
            flags = [is_inside(work.share(axis), indices[axis], sizes[axis], linear=True) for axis in work.covered]
        parts.append(product(flags).select(texel, _border_channel(work)) if flags else texel)
    return code, emit.join(parts)


def _footprint(work: SampleLowering, offset: int) -> tuple[Word, set[int], dict[int, Word], tuple[Word, Word] | None]:
    """Return where a gather with an offset is, and of which texels.

    These are the coordinate; axes whose offset is in it; axis -> whether its two texels come in the other order;
    whether the first and the second texel of each axis are inside, a component an axis.
    """
    site = work.site
    size, shift = site.sizes.whole(0), site.shift(offset)
    clamped = work.clamped
    mirrored = {axis for axis in work.reflected if axis in work.covered or axis in work.moved} - clamped
    turned = work.moved - clamped - mirrored
    snapped = {*work.covered, *mirrored, *turned, *((0, 1) if work.normalized else ())} - clamped
    point = work.coordinates(size) if clamped else work.point
    place = work.place(size, shift)
    exchanged = {}
    if snapped:
        middle = (place - 0.5).floor() + 1.0
        if turned:
            below = place < place.like(0.0)
            exchanged = {axis: work.emit.component(below, axis) for axis in turned}
            middle = middle.lanes(below.select((place.abs() - 0.5).ceil(), middle), turned)
        kept = {axis for axis in snapped if axis not in mirrored | turned}
        if shift is not None and kept:
            middle = middle.lanes(middle - shift, kept)
        point = point.lanes(middle if site.rect else middle / size, snapped)
    both = _both_inside(work, place, size) if work.covered else None
    return point, mirrored | turned | clamped, exchanged, both


def _both_inside(work: SampleLowering, place: Word, size: Word) -> tuple[Word, Word]:
    """Return whether the two texels are inside: GL_CLAMP clamps the place first, an edge has no outside."""
    limited = place
    if work.by_data:
        limited = place.like(0.0).differs(work.shares).select(place.clamp(0.0, size), place)
    elif work.lowering.half_border:
        half = {axis for axis in work.covered if work.share(axis)}
        limited = place.lanes(place.clamp(0.0, size), half)
    first = (limited - 0.5).floor()
    flags = inside(first, size), inside(first + 1.0, size)
    if not work.by_data:
        return flags
    edge = work.shares.equals(1.0)
    return flags[0] | edge, flags[1] | edge


def _border_channel(work: SampleLowering) -> Word:
    """Return the channel of the border that is gathered; of a comparison its answer."""
    emit, site, border = work.emit, work.site, work.border
    if site.op.third == "dref":
        return border
    component = site.editor.definitions[site.third[0]]
    if component.opcode == Op.Constant:
        return emit.component(border, component.words[2] & 3)
    return emit.make(border.kind, "OpVectorExtractDynamic", border.id, site.third[0])


def _on_face(work: SampleLowering, face: Face) -> tuple[int, list[Word]]:
    """Return the residency code of the gather as it stands, and its texels, each sampled at its centre on a face."""
    site, code = work.site, 0
    if site.four:
        raise CannotRewrite("it gathers by offsets from a cube")
    if site.op.sparse:
        code, _ = site.again()
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
                part = is_inside(work.share(axis), index, size, linear=True).select(part, _border_channel(work))
        parts.append(part)
    return code, parts


def _texel(work: SampleLowering, direction: list[Word]) -> Word:
    """Return the channel that is gathered, of level 0 in one direction; of a comparison the answer."""
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
