"""Vulkan: instance, physical devices, device, samplers. Plain data in and out, in Vulkan's own names.

``with Instance() as instance, Device(instance.device()) as device: device.create_sampler(info)``. Every result is
checked, every object is destroyed, handles are numbers. What is not here: drawing, memory, images. See
docs/vulkan_live.md.
"""

from __future__ import annotations

from statetracker.bindings.libraries import Availability, probe
from statetracker.bindings.vulkan_calls import VULKAN
from statetracker.bindings.vulkan_device import SAMPLER_EXTENSIONS, Device
from statetracker.bindings.vulkan_host import HostDevice, enabled_by
from statetracker.bindings.vulkan_instance import VALIDATION, Instance, Message, Messages, report, report_of
from statetracker.bindings.vulkan_physical import PhysicalDevice

__all__ = [
    "SAMPLER_EXTENSIONS",
    "VALIDATION",
    "VULKAN",
    "Device",
    "HostDevice",
    "Instance",
    "Message",
    "Messages",
    "PhysicalDevice",
    "available",
    "enabled_by",
    "report",
    "report_of",
]


def available(*, library: str | None = None, validation: bool = False) -> Availability:
    """Return whether this machine has a Vulkan device; the reason where not.

    Args:
        library: Overrides STATETRACKER_VULKAN_LIB.
        validation: With the Khronos validation layer.
    """

    def attempt() -> None:
        with Instance(library=library, validation=validation) as instance:
            instance.devices()

    return probe(attempt)
