"""What a driver on Vulkan was seen to pass to vkCreateSampler, against what our translation of the record passes.

A recorded case may have ``vk``: the create info that was made from the record, then the second sampler's where there
is one (docs/case_files.md). Comparing is by the bits: of floats, and of the border colour's words.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError
from statetracker.frontend.replay import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps import Screen

__all__ = ["CHECKED_BY_INFOS", "info_differences", "our_infos", "plain", "vulkan_dialect_of"]

#: Members of the record that Mesa's trace does not print and a create info shows: the border colour's kind, the chain.
CHECKED_BY_INFOS: Final = ("border_color_is_integer", "reduction_mode")

_TYPE: Final = "VK_STRUCTURE_TYPE_SAMPLER_"
#: What a chained structure is called, by its type without prefix; the create info itself comes first.
_STRUCTS: Final = {
    "CREATE_INFO": "VkSamplerCreateInfo",
    "CUSTOM_BORDER_COLOR_CREATE_INFO_EXT": "VkSamplerCustomBorderColorCreateInfoEXT",
    "REDUCTION_MODE_CREATE_INFO": "VkSamplerReductionModeCreateInfo",
    "BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT": "VkSamplerBorderColorComponentMappingCreateInfoEXT",
}


def vulkan_dialect_of(dialect: str) -> str:
    """Give zink's dialect of the same release as a dialect of the GL side; the newest known where there is none."""
    return "zink21" if dialect == "mesa21" else "zink22"


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """Spell a create info from `SamplerCreateInfo.to_dict` so that JSON can hold it and equal bits are equal text.

    Of a colour only the words are kept; a float that is no number becomes text.
    """
    found: dict[str, Any] = {}
    for name, value in info.items():
        if name == "customBorderColor":
            found[name] = {"uint32": list(value["uint32"])}
        elif isinstance(value, dict):
            found[name] = plain(value)
        else:
            found[name] = str(value) if isinstance(value, float) and not math.isfinite(value) else value
    return found


def our_infos(record: bytes, screen: Screen, dialect: str) -> list[dict[str, Any]]:
    """Give the create infos that a record becomes, as `plain` spells them: the sampler's, then the second's if any."""
    from statetracker.vulkan import create_info

    info = create_info(record, screen, dialect=dialect)
    both = [info] if info.depth_border_sampler is None else [info, info.depth_border_sampler]
    return [plain(one.to_dict()) for one in both]


def info_differences(
    data: dict[str, Any], record: bytes | None, screen: Screen, dialect: str
) -> list[Difference] | None:
    """Compare a case's ``vk`` with ours, member by member; None where it has none, or we have no record.

    data      the recorded case
    record    the 36 bytes that we made of its calls
    screen    where it ran; its Vulkan facts count
    dialect   zink21 or zink22

    Raises `ArgumentError` for a ``vk`` that is no list of objects.
    """
    recorded = data.get("vk")
    if not recorded or record is None:
        return None
    if not isinstance(recorded, list) or not all(isinstance(one, dict) for one in recorded):
        raise ArgumentError("vk", recorded, accepted="a list of create infos, each as SamplerCreateInfo.to_dict has it")
    ours = our_infos(record, screen, dialect)
    found = []
    for place, (old, new) in enumerate(zip(recorded, ours, strict=False)):
        second = "second sampler's " if place else ""
        before, after = dict(_members(old)), dict(_members(new))
        for name in dict.fromkeys((*before, *after)):
            was, made = before.get(name, "(absent)"), after.get(name, "(absent)")
            if repr(was) != repr(made):  # tells -0.0 from 0.0
                found.append(Difference(f"{second}{name}", was, made))
    if len(recorded) != len(ours):
        found.append(Difference("samplers made", len(recorded), len(ours)))
    return found


def _members(info: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Name every member of an info and its chain, in order: (struct.member, value)."""
    part: object = info
    while isinstance(part, dict):
        kind = str(part.get("sType"))
        struct = _STRUCTS.get(kind.removeprefix(_TYPE), kind)
        for name, value in part.items():
            if name not in {"sType", "pNext"}:
                yield f"{struct}.{name}", value
        part = part.get("pNext")
