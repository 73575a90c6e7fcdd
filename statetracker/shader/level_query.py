"""OpImageQueryLod of a module: what the state asks for, where the device's sampler has less of it.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.pipe.enums import TexMipfilter
from statetracker.shader.modes import dynamic_index, selected
from statetracker.shader.site import CannotRewrite
from statetracker.shader.sizes import Sizes
from statetracker.spirv import Emitter, Kind, Word
from statetracker.spirv.names import Capability

if TYPE_CHECKING:
    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.block_values import BlockElements
    from statetracker.shader.site import SamplerUse
    from statetracker.spirv import Editor, Instruction


def rewrite_query(
    editor: Editor, block: BlockElements, use: SamplerUse, index: int | None, rows: list[Lowering]
) -> list[Instruction]:
    """The instructions in place of a query: the rest of the LOD bias added, the state's own limits applied.

    index, rows   the array element that is meant, where that is known, and the lowerings of all that can be meant

    Raises `CannotRewrite`.
    """
    emit = Emitter(editor)
    filters = {row.min_mip_filter for row in rows if row.changes_levels}
    place = use.source.descriptor
    element = dynamic_index(emit, use.source) if index is None and len(rows) > 1 else index or 0
    if len(filters) > 1 or element is None:
        raise CannotRewrite("it asks for levels of an array whose elements have other mipmap filters, or a wide index")
    values = block.of(emit, place, element)
    if values is None:
        raise CannotRewrite("its values are constants, and its array index is none")
    kind, _result, sampled, coordinate = use.one.words[:4]
    asked = emit.parts(emit.op("OpImageQueryLod", kind, sampled, coordinate))
    lod = asked[1] + values.rest
    limited = lod.finite_clamp(*values.limits)
    last = Sizes(emit, sampled, use.image, use.axes or 2, use.decorations).last_level().to(Kind.FLOAT)
    sampled_level = {
        TexMipfilter.NONE: lambda: lod.like(0.0),
        TexMipfilter.NEAREST: lambda: ((limited + 0.5).ceil() - 1.0).clamp(0.0, last),
        TexMipfilter.LINEAR: lambda: limited.clamp(0.0, last),
    }[filters.pop()]()
    if isinstance(element, Word):  # whatever the mipmap filter of the others: the device answers for them
        changes = tuple("1" if row.changes_levels else "" for row in rows)
        sampled_level = selected(element, changes, "1").select(sampled_level, asked[0])
    editor.capability(Capability.ImageQuery)
    emit.result(use.one, "OpCompositeConstruct", sampled_level.id, lod.id)
    return emit.out
