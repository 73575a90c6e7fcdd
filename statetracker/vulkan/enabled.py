"""`screen_of`: the screen of a Vulkan device as it was made, which may be less than the physical device offers.

Limits, formats and what there is can be asked of Vulkan; what was enabled cannot. A device of our own knows it, a
host says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from statetracker.caps import Screen

_UNKNOWN: Final = (
    "Vulkan cannot be asked what a device was made with. Give HostDevice enabled=(...) by name, () for nothing, "
    "or enabled=enabled_by(the VkDeviceCreateInfo); docs/host_vulkan.md lists what samplers read."
)


def screen_of(device: Any) -> Screen:  # noqa: ANN401 (of bindings, whose types this package does not import)
    """Give the screen of a device: its physical device's facts, without the features and extensions that are off.

    device   a `statetracker.bindings.vulkan.Device` or `statetracker.bindings.vulkan.HostDevice`

    Raises `ArgumentError` where the host gave no physical device to ask, or did not say what is enabled.
    """
    from statetracker.bindings.vulkan import report_of
    from statetracker.caps import Screen
    from statetracker.caps.reports import read_report

    if device.physical is None:
        hint = (
            "With vkGetDeviceProcAddr alone nothing can be asked: give instance, physical and get_instance_proc_addr."
        )
        raise ArgumentError("screen", None, accepted="a Screen of the device", hint=hint)
    if device.enabled is None:
        raise ArgumentError("enabled", None, accepted="names of features and extensions", hint=_UNKNOWN)
    facts = read_report(report_of(device.physical), file="this machine's Vulkan").facts
    on = facts._replace(
        api=min(facts.api, (*device.physical.usable_api, facts.api[2])),
        features=facts.features & device.enabled,
        extensions=facts.extensions & device.enabled,
    )
    return Screen.from_vulkan(on)
