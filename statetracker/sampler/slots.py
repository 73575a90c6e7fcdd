"""A whole shader stage: which slots get a record, which get NULL, and which extra slots multi-plane images need.

Source: docs/rules/slots.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.enums import Target
from statetracker.sampler.situation import GLSL130

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.sampler import Sampler
    from statetracker.sampler.conversion import Converter

__all__ = ["MOST_SAMPLERS", "SlotInput", "external_slots", "stage_records"]

#: PIPE_MAX_SAMPLERS.
MOST_SAMPLERS: Final = 32

#: Multi-plane view format -> (extra slots, resource formats that need none). From 24.1 on there are more.
_EXTRA: Final = {
    "NV12": (1, ("R8_G8B8_420_UNORM",)),
    "P010": (1, ()),
    "P012": (1, ()),
    "P016": (1, ()),
    "Y210": (1, ()),
    "Y212": (1, ()),
    "Y216": (1, ()),
    "YUYV": (1, ("R8G8_R8B8_UNORM", "G8R8_B8R8_UNORM")),
    "UYVY": (1, ("R8G8_R8B8_UNORM", "G8R8_B8R8_UNORM")),
    "IYUV": (2, ()),
}
_EXTRA_24: Final = {"NV21": (1, ()), "P030": (1, ()), "YVYU": (1, ()), "VYUY": (1, ())}


class SlotInput(NamedTuple):
    """What one used slot converts.

    slot           the program's sampler index, 0 to 31
    sampler        the sampler that applies
    facts          the current texture's facts
    unit_lod_bias  of its unit
    kind           of unit, as `Converter.plan` takes it
    """

    slot: int
    sampler: Sampler
    facts: TextureFacts
    unit_lod_bias: float = 0.0
    kind: int = GLSL130


def stage_records(chosen: Converter, used: Sequence[SlotInput], *, seamless: bool = False) -> list[bytes | None]:
    """Convert a stage's slots: one entry for each slot up to the last, None where the driver gets NULL.

    An empty list means that no sampler is used: nothing is emitted, and what was bound stays bound.
    """
    if not used:
        return []
    records: list[bytes | None] = [None] * (max(item.slot for item in used) + 1)
    buffers = chosen.screen.texture_buffer_sampler and not chosen.dialect.seamless_edge
    for item in used:
        if item.facts.target != Target.TEXTURE_BUFFER:
            records[item.slot] = chosen.record(item.sampler, item.facts, item.unit_lod_bias, seamless, item.kind)
        elif buffers:
            records[item.slot] = bytes(36)
    for primary, extras in external_slots(used, newer=chosen.dialect.seamless_edge).items():
        for extra in extras:
            records += [None] * (extra + 1 - len(records))
            records[extra] = records[primary]
    return records


def external_slots(used: Sequence[SlotInput], *, newer: bool = False) -> dict[int, list[int]]:
    """Give the extra slots of multi-plane external images: primary slot -> slots that repeat its record.

    Extra slots are the lowest numbers that no sampler uses, handed out in ascending order of the primary slot.
    ``newer`` adds the formats of Mesa 24.1.
    """
    table = _EXTRA | _EXTRA_24 if newer else _EXTRA
    taken = {item.slot for item in used}
    free = (slot for slot in range(MOST_SAMPLERS) if slot not in taken)
    found: dict[int, list[int]] = {}
    for item in sorted(used, key=lambda item: item.slot):
        facts = item.facts
        if facts.target != Target.TEXTURE_EXTERNAL_OES or facts.surface_format in (None, facts.storage_format):
            continue
        count, native = table.get(str(facts.surface_format), (0, ()))
        if count and facts.storage_format not in native:
            found[item.slot] = [next(free) for _ in range(count)]
    return found
