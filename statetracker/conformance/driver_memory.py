"""A driver's own copy of the 36 bytes, in this process's memory, where a sampler's handle points at it.

Some drivers (llvmpipe, softpipe) keep the record that they were given. It is believed only where its bytes say what the
trace printed of it; a driver that keeps none, or something else, is compared by the printed members.
"""

from __future__ import annotations

from typing import Any

from statetracker.pipe import SamplerState
from statetracker.pipe.layout import RECORD_BYTES, WORD0

__all__ = ["raw_members", "record_at"]


def record_at(handle: int, printed: dict[str, Any]) -> bytes | None:
    """Read the driver's copy of a state, if its handle points at one: its members must be those of the trace."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:  # noqa: PTH123 (no buffering)
            memory.seek(handle)
            record = memory.read(RECORD_BYTES)
    except (OSError, ValueError, OverflowError):
        return None
    if len(record) != RECORD_BYTES:
        return None
    members = SamplerState.from_bytes(record).to_trace()
    return record if all(members.get(name) == value for name, value in printed.items()) else None


def raw_members(record: bytes) -> dict[str, Any]:
    """Spell a record as the ``raw`` member of a recorded case."""
    words = [int.from_bytes(record[place : place + 4], "little") for place in range(0, RECORD_BYTES, 4)]
    first, members = 0, {}
    for field in WORD0:
        members[field.name] = words[0] >> first & (1 << field.bits) - 1
        first += field.bits
    floats = {name: f"{word:#010x}" for name, word in zip(("lod_bias", "min_lod", "max_lod"), words[1:4], strict=True)}
    border = [f"{word:#010x}" for word in words[4:8]]
    return {**members, "pad": words[0] >> first, **floats, "border_color": border, "border_color_format": words[8]}
