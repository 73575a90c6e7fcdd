"""A whole shader stage: which slots get a record, which get NULL, and which extra slots multi-plane images need.

Source: docs/rules/slots.md.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.enums import Target
from statetracker.gl.facts import UNIT
from statetracker.pipe.layout import RECORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.gl.facts import TextureFacts, UnitFacts
    from statetracker.gl.sampler import Sampler
    from statetracker.sampler.conversion import Converter

#: PIPE_MAX_SAMPLERS.
MOST_SAMPLERS: Final = 32

# fmt: off
#: Multi-plane view format -> (extra slots, resource formats that need none). Later releases add some.
_EXTRA: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = {
    "NV12": (1, ("R8_G8B8_420_UNORM",)),
    **dict.fromkeys(("P010", "P012", "P016", "Y210", "Y212", "Y216"), (1, ())),
    **dict.fromkeys(("YUYV", "UYVY"), (1, ("R8G8_R8B8_UNORM", "G8R8_B8R8_UNORM"))),
    "IYUV": (2, ()),
}
_EXTRA_24: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = dict.fromkeys(("NV21", "P030", "YVYU", "VYUY"), (1, ()))
_EXTRA_25: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = {"NV16": (1, ("R8_G8B8_422_UNORM",))}
#: Release from which on -> the whole list.
EXTRA_SLOTS: Final = {
    "22.3": _EXTRA,
    "24.1": {**_EXTRA, **_EXTRA_24},
    "25.0": {**_EXTRA, **_EXTRA_24, **_EXTRA_25},
}
# fmt: on


class SlotInput(NamedTuple):
    """The input of one used slot.

    Attributes:
        slot: The program's sampler index, 0 to 31.
        sampler: The sampler that applies.
        facts: The current texture's facts.
        unit: Its unit's facts.
        bindless: A bindless uniform bound to a unit: it converts as others do, but a buffer texture gives zeros.
    """

    slot: int
    sampler: Sampler
    facts: TextureFacts
    unit: UnitFacts = UNIT
    bindless: bool = False


def stage_records(chosen: Converter, used: Sequence[SlotInput]) -> list[bytes | None]:
    """Convert a stage's slots: one entry for each slot up to the last, None where the driver gets NULL.

    An empty list means that no sampler is used: nothing is emitted, and what was bound stays bound.

    Args:
        chosen: The converter; its screen and dialect decide whether buffer textures get a record.
        used: The slots in use, in any order.

    Returns:
        36 bytes or None for each slot; an extra slot of a multi-plane image repeats its primary's record.
    """
    if not used:
        return []
    records: list[bytes | None] = [None] * (max(item.slot for item in used) + 1)
    buffers = chosen.screen.texture_buffer_sampler and chosen.dialect.buffer_samplers
    for item in used:
        if item.facts.target != Target.TEXTURE_BUFFER or (buffers and not item.bindless):
            records[item.slot] = chosen.record(item.sampler, item.facts, item.unit)
        elif item.bindless:
            records[item.slot] = bytes(RECORD_BYTES)
    for primary, extras in external_slots(used, release=chosen.dialect.extra_slots).items():
        for extra in extras:
            records += [None] * (extra + 1 - len(records))
            records[extra] = records[primary]
    return records


def external_slots(used: Sequence[SlotInput], *, release: str = "22.3") -> dict[int, list[int]]:
    """Return the extra slots of multi-plane external images: primary slot -> slots that repeat its record.

    Extra slots are the lowest numbers that no sampler uses, handed out in ascending order of the primary slot. Where
    all 32 are taken, none is left to hand out.

    Args:
        used: The slots in use, in any order.
        release: Whose list of formats counts: 22.3, 24.1, 25.0.
    """
    table = EXTRA_SLOTS[release]
    taken = {item.slot for item in used}
    free = (slot for slot in range(MOST_SAMPLERS) if slot not in taken)
    extras: dict[int, list[int]] = {}
    for item in sorted(used, key=lambda item: item.slot):
        facts = item.facts
        if facts.target != Target.TEXTURE_EXTERNAL_OES or facts.surface_format == facts.storage_format:
            continue
        count, native = table.get(str(facts.surface_format), (0, ()))
        if count and facts.storage_format not in native:
            extras[item.slot] = list(islice(free, count))
    return extras
