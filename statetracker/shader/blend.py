"""One sample written anew for each lowering that its sampler can have: its level of detail, the border mixed into it.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.pipe.lowering import NO_LOWERING, Lowering
from statetracker.shader.coverage import reduced, total, weighted
from statetracker.shader.filtering import face_alone, face_edges, face_levels, filtered, filtered_level
from statetracker.shader.gather import gathered
from statetracker.shader.origin import selected
from statetracker.shader.sample_ops import relax
from statetracker.shader.site import CannotRewrite, SampleInstruction, SamplerUse, element_index
from statetracker.shader.work import SampleLowering
from statetracker.spirv import Editor, Instruction, Kind, Word
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from statetracker.shader.block_values import BlockElements
    from statetracker.shader.site import Operands


def lod_operands(work: SampleLowering) -> Operands:
    """Return the image operands that give the level of detail: the instruction's own where nothing changes it."""
    site, lowering, levels, values = work.site, work.lowering, work.levels, work.values
    if work.limits:
        if work.probes:
            work.remarks.append("anisotropy is lost: the limits of its level of detail are no whole levels")
        return site.at_level(levels.limited - values.lod_bias)
    lod = site.scalar(ImageOperands.Lod)
    if lod is not None:
        return site.at_level(lod + values.rest) if lowering.add_lod_bias else site.operands
    if ImageOperands.Grad in site.operands:
        return _by_gradients(work) if work.normalized or lowering.add_lod_bias else site.operands
    snapped = work.normalized and levels.mixed
    if not site.op.implicit or not (work.moved or snapped or lowering.add_lod_bias):
        return site.operands
    if lowering.anisotropic or not (work.has_values and levels.query):
        return _by_gradients(work)
    lod = levels.limited if ImageOperands.MinLod in site.operands else levels.unlimited
    return site.at_level(lod - values.lod_bias)


def _by_gradients(work: SampleLowering) -> Operands:
    """For derivatives of the coordinate as it was, or those given, scaled by two to the power of the bias."""
    bias = work.site.scalar(ImageOperands.Bias)
    if work.lowering.add_lod_bias:
        bias = work.values.rest if bias is None else bias + work.values.rest
    factor = bias and bias.exp2()
    if factor is not None:
        work.remarks.append("its LOD bias scales gradients: within the device's precision of levels")
    made = []
    for given in work.levels.gradients():
        scaled = given if factor is None else given.scaled(factor)
        made.append(scaled / work.site.sizes.whole(0) if work.normalized else scaled)
    return work.site.at_gradients(made)


def blended(work: SampleLowering) -> tuple[int, Word]:
    """Write it: the residency code and the texel."""
    if work.lowering.filter_texels:
        return filtered(work)
    if work.shifted() and not work.levels.single:
        return _folded_levels(work)
    if work.face is not None and face_alone(work):
        return 0, face_levels(work, work.face)
    operands, site = lod_operands(work), work.site
    if operands == site.operands and not (work.moved or work.normalized or work.third != site.third):
        code, ident = site.again()
        work.untouched = not (work.covered or work.face)
        return code, _mixed(work, site.texel(ident), work.point)
    point = work.coordinates(site.sizes.whole(0) if work.shifted() else work.point)
    code, texel = work.sample(point, operands | work.remains())
    return code, _mixed(work, texel, point)


def _folded_levels(work: SampleLowering) -> tuple[int, Word]:
    """Sample both levels without the offset, which on a folded axis is another share of each.

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
        own, texel = work.explicit(lod, work.coordinates(size), work.remains())
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
    _, coarse = work.explicit(levels.high, point, work.remains())
    coarse.named("coarse_texel")
    return _bordered(work, weighted([(near, texel), (levels.weight * (far - near), coarse)]), outside)


def _kept(work: SampleLowering, weight: Word, texel: Word) -> Word:
    """Return the part of a texel that counts; where GL_CLAMP is the only border some of it always does."""
    some = not work.by_data and all(work.share(axis) for axis in work.covered)
    return texel.scaled(weight) if some else weighted([(weight, texel)])


class _Group(NamedTuple):
    """Array elements that are written alike; ``by_data``: the axes' shares are read of the values."""

    lowering: Lowering
    elements: tuple[int, ...]
    by_data: bool = False


def rewrite(
    editor: Editor, block: BlockElements, use: SamplerUse, index: int | None, rows: list[Lowering], *, lod_query: bool
) -> tuple[list[Instruction], list[str], str]:
    """Return the instructions in its place, remarks on what is not exact, and what was done; may raise `CannotRewrite`.

    There are no instructions where there is nothing to do. ``index`` is the array element that is meant, where that is
    known; ``rows`` are the lowerings of all that can be meant.
    """
    site = SampleInstruction(editor, use)
    place = use.source.descriptor
    groups, has_values = _groups(rows, block.counts.get(place, len(rows))), place in block.counts
    if use.source.open:  # the first is chosen where no other is
        groups.sort(key=lambda group: len(rows) - 1 not in group.elements)
    dynamic = element_index(site.emit, use.source) if index is None and len(rows) > 1 else None
    remarks: list[str] = []
    results: list[tuple[int, Word]] = []
    untouched = True
    for group in groups:
        values = block.of(site.emit, place, (index or 0) if dynamic is None else dynamic) if has_values else None
        if values is None and group.lowering.needed and has_values:
            raise CannotRewrite("its values are constants, and its array index is none")
        work = SampleLowering(site, group.lowering, values, by_data=group.by_data, lod_query=lod_query)
        results.append(gathered(work) if site.op.gather else blended(work))
        remarks += work.remarks
        if work.levels.inexact:
            remarks.append("its level of detail comes of gradients: within the device's precision of levels")
        untouched &= work.untouched
    if untouched:
        return [], [], "with this state it is right as it stands"
    code, texel = results[0]
    for group, (own, other) in zip(groups[1:], results[1:], strict=True):
        assert dynamic is not None  # noqa: S101 (else there is one group)
        elements = set(group.elements)
        meant = selected(dynamic, [at in elements for at in range(len(rows))])
        texel = meant.select(other, texel)
        code = site.emit.op("OpSelect", site.emit.type_of(code), meant.id, own, code) if code else 0
    site.finish(code, texel.id)
    result = use.one.result
    relax(editor, site.emit.out, result, coordinate=False, texel=use.relaxed(result))
    done = "; ".join(dict.fromkeys(str(group.lowering) for group in groups if group.lowering.needed))
    return site.emit.out, list(dict.fromkeys(remarks)), done


def _groups(rows: list[Lowering], count: int) -> list[_Group]:
    """Rows that differ only by the axes with a border are one group, and so are those without work beside them.

    ``count`` is that of the elements that have values.
    """
    kinds: dict[Lowering, list[int]] = {}
    for at, row in enumerate(rows):
        kinds.setdefault(row._replace(border="", half_border="") if _only_border(row) else row, []).append(at)
    bordered = next((kind for kind in kinds if kind.route and not kind.needed), None)
    if bordered is not None and max(kinds.get(NO_LOWERING, [count])) < count:
        kinds[bordered] = sorted(kinds[bordered] + kinds.pop(NO_LOWERING))
    groups = []
    for kind, elements in kinds.items():
        each = {rows[at] for at in elements}
        if len(each) == 1:
            groups.append(_Group(each.pop(), tuple(elements)))
            continue
        axes = "".join(axis for axis in "str" if any(axis in row.covered for row in each))
        groups.append(_Group(kind._replace(border=axes), tuple(elements), by_data=True))
    return groups


def _only_border(row: Lowering) -> bool:
    return bool(row.covered) and not row._replace(border="", half_border="").needed
