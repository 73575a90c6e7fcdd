"""A physical device's report: the form that ``vulkaninfo --json`` writes.

One document in Vulkan's own names, ``capabilities.device`` with ``extensions``, ``features``, ``properties`` and
``formats``. Of features and properties it holds the structs that samplers and their formats care about, whole; of
formats, all that can do something. Masks are lists of names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.vulkan_calls import structs
from statetracker.bindings.vulkan_instance import Instance

if TYPE_CHECKING:
    from statetracker.bindings.vulkan_physical import PhysicalDevice

_SCHEMA: Final = "https://schema.khronos.org/vulkan/profiles-0.8-latest.json"
_BITS: Final = {
    "VkFormatProperties": "VkFormatFeatureFlagBits",
    "VkFormatProperties3": "VkFormatFeatureFlagBits2",
}


def report_of(physical: PhysicalDevice) -> dict[str, Any]:
    """Give the report of a device."""
    name = f"VP_STATETRACKER_{physical.name.replace(' ', '_')}"
    api = ".".join(map(str, physical.api))
    profile = {"version": 1, "api-version": api, "label": physical.name, "capabilities": ["device"]}
    device = {
        "extensions": physical.extensions(),
        "features": physical.features(),
        "properties": physical.properties(),
        "formats": _formats(physical),
        "queueFamiliesProperties": [{"VkQueueFamilyProperties": family} for family in physical.queue_families()],
    }
    return {"$schema": _SCHEMA, "capabilities": {"device": device}, "profiles": {name: profile}}


def report(choice: int | str = 0, *, library: str | None = None) -> dict[str, Any]:
    """Open Vulkan, read a device's report, and close Vulkan.

    choice    the device's number, or a part of its name
    library   overrides STATETRACKER_VULKAN_LIB

    Raises as `Instance` does, and `NoDevice` for a device that is not there.
    """
    with Instance(library=library) as instance:
        return report_of(instance.device(choice))


def _formats(physical: PhysicalDevice) -> dict[str, dict[str, dict[str, list[str]]]]:
    return {
        name: {
            struct: {member: structs().names_of(mask, _BITS[struct]) for member, mask in members.items()}
            for struct, members in parts.items()
        }
        for name, parts in physical.formats().items()
    }
