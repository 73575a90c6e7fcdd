"""The create infos that zink makes of a record, as plain data that recordings keep and comparisons read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from statetracker.sampler.dialects import dialect as dialect_named

if TYPE_CHECKING:
    from statetracker.caps import Screen


def vulkan_dialect_of(dialect: str) -> str:
    """Return zink's dialect of the same release as a dialect of the GL side; the newest known where there is none."""
    return "zink21" if dialect_named(dialect).name.startswith("21.") else "zink22"


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """Spell a create info from `SamplerCreateInfo.to_dict` so that JSON can hold it and equal bits are equal text.

    Of a colour only the words are kept; a float that is no number becomes text.
    """
    made: dict[str, Any] = {}
    for name, value in info.items():
        if name == "customBorderColor":
            made[name] = {"uint32": list(value["uint32"])}
        elif isinstance(value, dict):
            made[name] = plain(value)
        else:
            made[name] = str(value) if isinstance(value, float) and not math.isfinite(value) else value
    return made


def our_infos(record: bytes, screen: Screen, dialect: str) -> list[dict[str, Any]]:
    """Return the create infos of a record, as `plain` spells them: the sampler's, then the second's if any."""
    from statetracker.vulkan import create_info

    info = create_info(record, screen, dialect=dialect)
    both = [info] if info.depth_border_sampler is None else [info, info.depth_border_sampler]
    return [plain(one.to_dict()) for one in both]
