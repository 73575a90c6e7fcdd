"""One instruction, written anew for each lowering that its sampler can have. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.pipe.lowering import NO_LOWERING, Lowering
from statetracker.shader.blend import blended
from statetracker.shader.gather import gathered
from statetracker.shader.modes import dynamic_index, selected
from statetracker.shader.sample_ops import relax
from statetracker.shader.site import CannotRewrite, SampleInstruction
from statetracker.shader.work import SampleLowering
from statetracker.spirv.names import Decoration

if TYPE_CHECKING:
    from statetracker.shader.block_values import BlockElements
    from statetracker.shader.site import SamplerUse
    from statetracker.spirv import Editor, Instruction, Word


class _Group(NamedTuple):
    """Array elements that are written alike; ``by_data``: the axes' shares are read of the values."""

    lowering: Lowering
    elements: tuple[int, ...]
    by_data: bool = False


def rewrite(
    editor: Editor, block: BlockElements, use: SamplerUse, index: int | None, rows: list[Lowering], *, lod_query: bool
) -> tuple[list[Instruction], list[str], str]:
    """The instructions that stand in its place, remarks on what is not exact, and what was done.

    index   the array element that is meant, where that is known
    rows    the lowerings of all elements that can be meant

    No instructions where there is nothing to do. Raises `CannotRewrite`.
    """
    site = SampleInstruction(editor, use)
    groups = _groups(rows, block.counts.get(use.source.descriptor, len(rows)))
    dynamic = dynamic_index(site.emit, use.source) if index is None and len(rows) > 1 else None
    if index is None and len(rows) > 1 and dynamic is None:
        raise CannotRewrite("its array index is no 32-bit integer")
    remarks: list[str] = []
    results: list[tuple[int, Word]] = []
    untouched = True
    for group in groups:
        work = _work(site, block, group, index if dynamic is None else dynamic, lod_query=lod_query)
        results.append(gathered(work) if site.op.gather else blended(work))
        remarks += work.remarks
        if work.levels.inexact:
            remarks.append("its level of detail comes of gradients: within the device's precision of levels")
        untouched &= work.untouched
    if untouched:
        return [], [], "with this state it is right as it stands"
    code, texel = results[0]
    numbers = tuple(next(str(n) for n, one in enumerate(groups) if at in one.elements) for at in range(len(rows)))
    for number, (own, other) in enumerate(results[1:], 1):
        assert dynamic is not None  # noqa: S101 (else there is one group)
        meant = selected(dynamic, numbers, str(number))
        texel = meant.select(other, texel)
        code = site.emit.op("OpSelect", site.emit.type_of(code), meant.id, own, code) if code else 0
    site.finish(code, texel.id)
    result = use.one.result
    relaxed = Decoration.RelaxedPrecision in use.decorations.get(result, {})
    relax(editor, site.emit.out, result, coordinate=False, texel=relaxed)
    done = "; ".join(dict.fromkeys(str(group.lowering) for group in groups if group.lowering.needed))
    return site.emit.out, list(dict.fromkeys(remarks)), done


def _work(
    site: SampleInstruction, block: BlockElements, group: _Group, element: int | Word | None, *, lod_query: bool
) -> SampleLowering:
    """One group's work."""
    place = site.use.source.descriptor
    values = block.of(site.emit, place, 0 if element is None else element) if place in block.counts else None
    if values is None and group.lowering.needed and place in block.counts:
        raise CannotRewrite("its values are constants, and its array index is none")
    return SampleLowering(site, group.lowering, values, by_data=group.by_data, lod_query=lod_query)


def _groups(rows: list[Lowering], count: int) -> list[_Group]:
    """Rows that differ only by the axes with a border are one group, and so are those without work beside them.

    count   of elements that have values
    """
    kinds: dict[Lowering, list[int]] = {}
    for at, row in enumerate(rows):
        kinds.setdefault(row._replace(border="", half_border="") if _bordered(row) else row, []).append(at)
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


def _bordered(row: Lowering) -> bool:
    """Whether a border is all the work."""
    return bool(row.covered) and not row._replace(border="", half_border="").needed
