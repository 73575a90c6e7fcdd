"""`Device`: a logical device of our own; what is left on it is destroyed when it is closed, and so is the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.vulkan_calls import TITLE, Calls, structs
from statetracker.bindings.vulkan_objects import DeviceObjects
from statetracker.bindings.vulkan_physical import CHAINS
from statetracker.errors import NoDevice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.bindings.vulkan_physical import PhysicalDevice

#: Extensions that change what a sampler may be, or which formats it samples.
SAMPLER_EXTENSIONS: Final = (
    "VK_EXT_4444_formats",
    "VK_EXT_border_color_swizzle",
    "VK_EXT_custom_border_color",
    "VK_EXT_non_seamless_cube_map",
    "VK_EXT_sampler_filter_minmax",
    "VK_EXT_texture_compression_astc_hdr",
    "VK_KHR_portability_subset",
    "VK_KHR_sampler_mirror_clamp_to_edge",
)
_FEATURES: Final = "VkPhysicalDeviceFeatures"
_GRAPHICS: Final = "VK_QUEUE_GRAPHICS_BIT"

#: Features that cost speed and that no sampler needs.
_UNWANTED: Final = ("robustBufferAccess", "robustBufferAccess2", "robustImageAccess2", "robustImageAccess")


class Device(DeviceObjects):
    """A logical device with one queue; use it with ``with``, or `close` it.

    physical     the physical device
    extensions   device extensions to enable; None: those of `SAMPLER_EXTENSIONS` that there are
    features     struct -> member -> bool, what to enable; None: everything the device has, but robust access

    ``lost`` is True once a call returned VK_ERROR_DEVICE_LOST; then objects can only be destroyed.
    One thread at a time. Raises `NoDevice` without a graphics queue, `CallFailed` if Vulkan refuses.
    """

    def __init__(
        self,
        physical: PhysicalDevice,
        *,
        extensions: Sequence[str] | None = None,
        features: Mapping[str, Mapping[str, object]] | None = None,
    ) -> None:
        super().__init__()
        self.physical = physical
        instance, listed = physical.instance, physical.extensions()
        self.extensions = tuple(
            [name for name in SAMPLER_EXTENSIONS if name in listed] if extensions is None else extensions
        )
        self.queue_family = _graphics_family(physical)
        self._features = _enabled(physical, self.extensions) if features is None else dict(features)
        keep: list[Any] = []
        made = structs().new("VkDeviceCreateInfo", self._info(), keep)
        loose = instance.calls
        out = loose.ffi.new("VkDevice *")
        loose.check("vkCreateDevice", loose.vkCreateDevice(physical.handle, made, loose.ffi.NULL, out))
        self._handle = out[0]
        instance.opened(1)
        self.calls = Calls(lambda function: loose.vkGetDeviceProcAddr(self.handle, function), loose.library)

    @property
    def features(self) -> dict[str, dict[str, object]]:
        """What is enabled: struct -> member -> bool."""
        return {struct: dict(members) for struct, members in self._features.items()}

    @property
    def enabled(self) -> frozenset[str]:
        """What is enabled, by name: features and extensions."""
        on = {name for members in self._features.values() for name, value in members.items() if value}
        return frozenset(on.union(self.extensions))

    def close(self) -> None:
        """Destroy what is left on the device, then the device; a second time does nothing."""
        if self._handle is None:
            return
        self.calls.vkDeviceWaitIdle(self._handle)  # a lost device answers so, and may be destroyed all the same
        self.destroy_all()
        self.calls.vkDestroyDevice(self._handle, self._ffi.NULL)
        self._handle = None
        self.physical.instance.opened(-1)

    def _info(self) -> dict[str, Any]:
        chain: dict[str, Any] | None = None
        for struct, members in self._features.items():
            if struct != _FEATURES:
                chain = {"sType": structs().structure_type(struct), "pNext": chain, **members}
        return {
            "pNext": chain,
            "queueCreateInfoCount": 1,
            "pQueueCreateInfos": [
                {"queueFamilyIndex": self.queue_family, "queueCount": 1, "pQueuePriorities": [1.0]},
            ],
            "enabledExtensionCount": len(self.extensions),
            "ppEnabledExtensionNames": self.extensions,
            "pEnabledFeatures": self._features.get(_FEATURES, {}),
        }


def _graphics_family(physical: PhysicalDevice) -> int:
    families = physical.queue_families()
    fitting = [n for n, family in enumerate(families) if _GRAPHICS in family["queueFlags"]]
    if not fitting:
        raise NoDevice(TITLE, f"{physical.name} has no graphics queue", hint="Choose another device")
    return fitting[0]


def _enabled(physical: PhysicalDevice, extensions: Sequence[str]) -> dict[str, dict[str, object]]:
    """Everything the device has of the structs that its version and the enabled extensions allow.

    Where VkPhysicalDeviceVulkan1xFeatures says the same as a struct of its own, only the former may hang on the chain.
    """
    collected = physical.usable_api >= (1, 2)
    features: dict[str, dict[str, object]] = {}
    for struct, members in physical.features().items():
        core, extension = CHAINS["VkPhysicalDeviceFeatures2"].get(struct, ((1, 0), None))
        there = core is not None and physical.usable_api >= core
        if (there and not (collected and extension)) or (extension in extensions and not (there and collected)):
            features[struct] = {name: value and name not in _UNWANTED for name, value in members.items()}
    return features
