"""`PhysicalDevice`: what one device of this machine offers, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_calls import structs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.bindings.vulkan_calls import Calls

# fmt: off
#: Structs that a device can be queried for, and when: from a version of its API on, or where it lists the extension.
CHAINS: Final[Mapping[str, Mapping[str, tuple[tuple[int, int] | None, str | None]]]] = {
    #                                                     core from  extension
    "VkPhysicalDeviceFeatures2": {
        "VkPhysicalDevice4444FormatsFeaturesEXT":         (None,     "VK_EXT_4444_formats"),
        "VkPhysicalDeviceBorderColorSwizzleFeaturesEXT":  (None,     "VK_EXT_border_color_swizzle"),
        "VkPhysicalDeviceCustomBorderColorFeaturesEXT":   (None,     "VK_EXT_custom_border_color"),
        "VkPhysicalDeviceImage2DViewOf3DFeaturesEXT":     (None,     "VK_EXT_image_2d_view_of_3d"),
        "VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT":  (None,     "VK_EXT_non_seamless_cube_map"),
        "VkPhysicalDevicePortabilitySubsetFeaturesKHR":   (None,     "VK_KHR_portability_subset"),
        "VkPhysicalDeviceRobustness2FeaturesEXT":         (None,     "VK_EXT_robustness2"),
        "VkPhysicalDeviceSamplerYcbcrConversionFeatures": ((1, 1),   "VK_KHR_sampler_ycbcr_conversion"),
        "VkPhysicalDeviceSynchronization2Features":       ((1, 3),   "VK_KHR_synchronization2"),
        "VkPhysicalDeviceTextureCompressionASTCHDRFeatures": ((1, 3), "VK_EXT_texture_compression_astc_hdr"),
        "VkPhysicalDeviceVulkan11Features":               ((1, 2),   None),
        "VkPhysicalDeviceVulkan12Features":               ((1, 2),   None),
        "VkPhysicalDeviceVulkan13Features":               ((1, 3),   None),
    },
    "VkPhysicalDeviceProperties2": {
        "VkPhysicalDeviceCustomBorderColorPropertiesEXT": (None,     "VK_EXT_custom_border_color"),
        "VkPhysicalDeviceDriverProperties":               ((1, 2),   "VK_KHR_driver_properties"),
        "VkPhysicalDeviceSamplerFilterMinmaxProperties":  ((1, 2),   "VK_EXT_sampler_filter_minmax"),
        "VkPhysicalDeviceVulkan11Properties":             ((1, 2),   None),
        "VkPhysicalDeviceVulkan12Properties":             ((1, 2),   None),
        "VkPhysicalDeviceVulkan13Properties":             ((1, 3),   None),
    },
}

#: Formats by the extension that brought them, as numbers: (first, last, core from, extension).
FORMATS: Final = (
    (1,          184,        (1, 0), None),
    (1000054000, 1000054007, None,   "VK_IMG_format_pvrtc"),
    (1000066000, 1000066013, (1, 3), "VK_EXT_texture_compression_astc_hdr"),
    (1000156000, 1000156033, (1, 1), "VK_KHR_sampler_ycbcr_conversion"),
    (1000330000, 1000330003, (1, 3), "VK_EXT_ycbcr_2plane_444_formats"),
    (1000340000, 1000340001, (1, 3), "VK_EXT_4444_formats"),
    (1000464000, 1000464000, None,   "VK_NV_optical_flow"),
)
# fmt: on


_MASKS: Final = ("linearTilingFeatures", "optimalTilingFeatures", "bufferFeatures")


def version(number: int) -> tuple[int, int, int]:
    """Take a version number of Vulkan apart: major, minor, patch."""
    return number >> 22 & 0x7F, number >> 12 & 0x3FF, number & 0xFFF


class PhysicalDevice:
    """One device as Vulkan describes it; queries Vulkan at every call.

    ``instance`` is the `Instance` that lists it, or a host's, with its ``api``, ``calls`` and ``handle``.

    ``name`` and ``api`` (major, minor, patch; no more than the instance's) are known from the start.
    """

    def __init__(self, instance: Any, handle: Any) -> None:
        self.instance = instance
        self._api: tuple[int, int] = instance.api
        self.handle = handle
        self.calls: Calls = instance.calls
        self._ffi = self.calls.ffi
        core = self._asked("vkGetPhysicalDeviceProperties", "VkPhysicalDeviceProperties")
        self.name: str = core["deviceName"]
        self.api = version(core["apiVersion"])
        self._listed: dict[str, int] | None = None

    @property
    def usable_api(self) -> tuple[int, int]:
        """The version that both the instance and the device have."""
        return min(self._api, self.api[:2])

    def extensions(self) -> dict[str, int]:
        """List the device extensions with their revisions."""
        if self._listed is None:
            before = self._alive(), self._ffi.NULL
            self._listed = named(self.calls, "vkEnumerateDeviceExtensionProperties", "VkExtensionProperties", *before)
        return dict(self._listed)

    def features(self) -> dict[str, dict[str, bool]]:
        """Return the features, by struct: ``VkPhysicalDeviceFeatures`` and what hangs on its chain."""
        return self._chained("vkGetPhysicalDeviceFeatures", "VkPhysicalDeviceFeatures", "features")

    def properties(self) -> dict[str, dict[str, Any]]:
        """Return the properties and limits, by the struct that holds them."""
        return self._chained("vkGetPhysicalDeviceProperties", "VkPhysicalDeviceProperties", "properties")

    def formats(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return what each format can do: name -> struct -> member -> mask; formats that can do nothing are left out.

        ``VkFormatProperties3`` with its 64-bit masks is there where the device has it.
        """
        names = definitions().names("VkFormat")
        formats = {}
        for first, last, core, extension in FORMATS:
            if self.has(core, extension):
                for number in range(first, last + 1):
                    if number in names and (masks := self._format(number)):
                        formats[names[number]] = masks
        return formats

    def queue_families(self) -> list[dict[str, Any]]:
        """List the queue families."""
        kind = "VkQueueFamilyProperties"
        families, _ = self.calls.several("vkGetPhysicalDeviceQueueFamilyProperties", kind, self._alive())
        return [structs().plain(kind, family) for family in families]

    def memory(self) -> dict[str, Any]:
        """Return the memory types and heaps, as many as there are."""
        data = self._asked("vkGetPhysicalDeviceMemoryProperties", "VkPhysicalDeviceMemoryProperties")
        return {
            "memoryTypes": data["memoryTypes"][: data["memoryTypeCount"]],
            "memoryHeaps": data["memoryHeaps"][: data["memoryHeapCount"]],
        }

    def has(self, core: tuple[int, int] | None, extension: str | None) -> bool:
        """Return whether something is there: from a version of the API on, or with an extension."""
        return (core is not None and self.usable_api >= core) or extension in self.extensions()

    def _alive(self) -> Any:
        """Return the handle; raises `InvalidCallOrder` after the instance's close."""
        return self.instance.handle and self.handle

    def _asked(self, call: str, struct: str) -> dict[str, Any]:
        out = self._ffi.new(f"{struct} *")
        getattr(self.calls, call)(self._alive(), out)
        return structs().plain(struct, out)

    def _chained(self, call: str, core: str, member: str) -> dict[str, Any]:
        """Query a struct and everything on its chain; of a device of Vulkan 1.0 the struct alone."""
        if self.usable_api < (1, 1):
            return {core: self._asked(call, core)}
        head = f"{core}2"
        wanted = [struct for struct, needs in CHAINS[head].items() if self.has(*needs)]
        parts = {struct: self._ffi.new(f"{struct} *") for struct in wanted}
        out = self._ffi.new(f"{head} *")
        types = definitions().values("VkStructureType")
        last = self._ffi.NULL
        for struct, made in reversed([(head, out), *parts.items()]):
            made.sType = types[structs().structure_type(struct) or ""]
            made.pNext = last
            last = made
        getattr(self.calls, f"{call}2")(self._alive(), out)
        described = {core: structs().plain(core, getattr(out, member))}
        return described | {struct: structs().plain(struct, made) for struct, made in parts.items()}

    def _format(self, number: int) -> dict[str, dict[str, int]]:
        simple = self._ffi.new("VkFormatProperties2 *")
        parts = {"VkFormatProperties": simple.formatProperties}
        if self.usable_api < (1, 1):
            self.calls.vkGetPhysicalDeviceFormatProperties(
                self._alive(), number, self._ffi.addressof(simple, "formatProperties")
            )
        else:
            types = definitions().values("VkStructureType")
            wide = parts["VkFormatProperties3"] = self._ffi.new("VkFormatProperties3 *")
            simple.sType = types["VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2"]
            wide.sType = types["VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3"]
            if self.has((1, 3), "VK_KHR_format_feature_flags2"):
                simple.pNext = wide
            self.calls.vkGetPhysicalDeviceFormatProperties2(self._alive(), number, simple)
        masks = {struct: {name: int(getattr(made, name)) for name in _MASKS} for struct, made in parts.items()}
        return masks if any(any(part.values()) for part in masks.values()) else {}


def named(calls: Calls, call: str, struct: str, *before: Any) -> dict[str, int]:
    """List extensions with their revisions, or layers with their versions; ``before`` is as in `Calls.several`."""
    items, _ = calls.several(call, struct, *before)
    plain = [structs().plain(struct, item) for item in items]
    name, revision = ("layerName", "implementationVersion") if "Layer" in struct else ("extensionName", "specVersion")
    return {item[name]: item[revision] for item in plain}
