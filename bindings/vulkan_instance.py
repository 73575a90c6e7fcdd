"""`Instance` and `PhysicalDevice`: what this machine's Vulkan offers, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from statetracker.bindings.definitions import definitions
from statetracker.bindings.vulkan_calls import DRIVER_HINT, TITLE, Calls, open_vulkan, structs
from statetracker.errors import LibraryMissing, NoDevice, OutOfOrder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.bindings.vulkan_messages import Messages

__all__ = ["VALIDATION", "Instance", "PhysicalDevice", "version"]

VALIDATION: Final = "VK_LAYER_KHRONOS_validation"
_DEBUG: Final = "VK_EXT_debug_utils"
_PORTABILITY: Final = "VK_KHR_portability_enumeration"

# fmt: off
#: Structs that a device can be asked for, and when: from a version of its API on, or where it lists the extension.
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


class Instance:
    """A connection to Vulkan; use it with ``with``, or `close` it.

    library      the library's file; default STATETRACKER_VULKAN_LIB, then the system's names
    validation   load the Khronos validation layer
    messages     a `Messages` that hears what layers and drivers say, from the first call to the last
    layers       other layers to load
    api          the version of Vulkan the program is written for; never above what the library has

    Raises `LibraryMissing`, `WrongLibrary`, `NoDevice` where no driver can be loaded, `CallFailed`.
    """

    def __init__(
        self,
        *,
        library: str | None = None,
        validation: bool = False,
        messages: Messages | None = None,
        layers: Sequence[str] = (),
        api: tuple[int, int] = (1, 3),
    ) -> None:
        """Open the library and make the instance."""
        self._handle: Any = None
        loose = open_vulkan(library)
        self.api = min(api, _library_version(loose)[:2])
        wanted = [*([VALIDATION] if validation else []), *layers]
        _require_layers(loose, wanted)
        offered = _extensions(loose, wanted)
        enabled = [name for name in (_PORTABILITY,) if name in offered] + ([_DEBUG] if messages else [])
        keep: list[Any] = []
        info = {
            "flags": int(_PORTABILITY in enabled),
            "pNext": messages.info() if messages else None,
            "pApplicationInfo": {
                "pApplicationName": "statetracker",
                "apiVersion": self.api[0] << 22 | self.api[1] << 12,
            },
            "enabledLayerCount": len(wanted),
            "ppEnabledLayerNames": wanted,
            "enabledExtensionCount": len(enabled),
            "ppEnabledExtensionNames": enabled,
        }
        made = structs().new("VkInstanceCreateInfo", info, keep)
        out = loose.ffi.new("VkInstance *")
        loose.check("vkCreateInstance", loose.vkCreateInstance(made, loose.ffi.NULL, out))
        self._handle = out[0]
        self._validated = validation
        self.calls = Calls(lambda function: loose.library.vkGetInstanceProcAddr(self.handle, function), loose.library)
        self._messages = messages  # its callback is called while this is open
        self._messenger = None
        self._objects = 0  # devices that are still open
        if messages:
            messenger = structs().new("VkDebugUtilsMessengerCreateInfoEXT", messages.info(), keep)
            self._messenger = messages.register(self.calls, self._handle, messenger)

    @property
    def handle(self) -> Any:
        """The handle as cffi has it; raises `OutOfOrder` after `close`."""
        if self._handle is None:
            raise OutOfOrder("the instance", "it is closed", hint="Make a new Instance")
        return self._handle

    @property
    def validated(self) -> bool:
        """Whether the Khronos validation layer is loaded."""
        return self._validated

    def devices(self) -> list[PhysicalDevice]:
        """List the physical devices, in Vulkan's order; raises `NoDevice` if there are none."""
        call, handle = "vkEnumeratePhysicalDevices", self.handle
        ask = getattr(self.calls, call)
        found, _ = self.calls.several(call, lambda n, out: ask(handle, n, out), "VkPhysicalDevice")
        if not found:
            raise NoDevice(TITLE, "drivers are installed, but none of them has a device", hint=DRIVER_HINT)
        return [PhysicalDevice(self, device) for device in found]

    def device(self, choice: int | str = 0) -> PhysicalDevice:
        """Choose a physical device by its number, or by a part of its name; raises `NoDevice` with what there is."""
        devices = self.devices()
        if isinstance(choice, int):
            if 0 <= choice < len(devices):
                return devices[choice]
        else:
            fitting = [device for device in devices if choice.lower() in device.name.lower()]
            if fitting:
                return fitting[0]
        there = ", ".join(f"{n}: {device.name}" for n, device in enumerate(devices))
        raise NoDevice(TITLE, f"no device {choice!r}", value=choice, hint=f"There are {there}")

    def opened(self, change: int) -> None:
        """Count the devices that are open on this instance."""
        self._objects += change

    def close(self) -> None:
        """Destroy the instance; a second time does nothing. Raises `OutOfOrder` while a device is open."""
        if self._handle is None:
            return
        if self._objects:
            raise OutOfOrder("Instance.close", f"{self._objects} devices are open", hint="Close them first")
        null = self.calls.ffi.NULL
        if self._messenger is not None:
            self.calls.vkDestroyDebugUtilsMessengerEXT(self._handle, self._messenger, null)
        self.calls.vkDestroyInstance(self._handle, null)
        self._handle = None

    def __enter__(self) -> Self:
        """Give the instance."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close it."""
        self.close()


class PhysicalDevice:
    """One device as Vulkan describes it; asks Vulkan at every call.

    ``name`` and ``api`` (major, minor, patch; no more than the instance's) are known from the start.
    """

    def __init__(self, instance: Instance, handle: Any) -> None:
        """Ask for the name and the version."""
        self.instance = instance
        self.handle = handle
        self.calls = instance.calls
        self._ffi = self.calls.ffi
        core = self._asked("vkGetPhysicalDeviceProperties", "VkPhysicalDeviceProperties")
        self.name: str = core["deviceName"]
        self.api = version(core["apiVersion"])
        self._core = core
        self._listed: dict[str, int] | None = None

    @property
    def usable_api(self) -> tuple[int, int]:
        """The version that both the instance and the device have."""
        return min(self.instance.api, self.api[:2])

    def extensions(self) -> dict[str, int]:
        """List the device extensions with their revisions."""
        if self._listed is None:
            call, null = "vkEnumerateDeviceExtensionProperties", self._ffi.NULL
            function = getattr(self.calls, call)
            self._listed = _named(
                self.calls, call, lambda n, out: function(self._alive(), null, n, out), "VkExtensionProperties"
            )
        return dict(self._listed)

    def features(self) -> dict[str, dict[str, bool]]:
        """Give the features, by struct: ``VkPhysicalDeviceFeatures`` and what hangs on its chain."""
        return self._chained("vkGetPhysicalDeviceFeatures", "VkPhysicalDeviceFeatures", "features")

    def properties(self) -> dict[str, dict[str, Any]]:
        """Give the properties and limits, by the struct that holds them."""
        return self._chained("vkGetPhysicalDeviceProperties", "VkPhysicalDeviceProperties", "properties")

    def formats(self) -> dict[str, dict[str, dict[str, int]]]:
        """Give what each format can do: name -> struct -> member -> mask; formats that can do nothing are left out.

        ``VkFormatProperties3`` with its 64-bit masks is there where the device has it.
        """
        names = definitions("vulkan").names("VkFormat")
        listed = self.extensions()
        found = {}
        for first, last, core, extension in FORMATS:
            if (core is not None and self.usable_api >= core) or extension in listed:
                for number in range(first, last + 1):
                    if number in names and (masks := self._format(number)):
                        found[names[number]] = masks
        return found

    def queue_families(self) -> list[dict[str, Any]]:
        """List the queue families."""
        call = "vkGetPhysicalDeviceQueueFamilyProperties"
        function = getattr(self.calls, call)
        found, _ = self.calls.several(call, lambda n, out: function(self._alive(), n, out), "VkQueueFamilyProperties")
        return [structs().plain("VkQueueFamilyProperties", family) for family in found]

    def memory(self) -> dict[str, Any]:
        """Give the memory types and heaps, as many as there are."""
        data = self._asked("vkGetPhysicalDeviceMemoryProperties", "VkPhysicalDeviceMemoryProperties")
        return {
            "memoryTypes": data["memoryTypes"][: data["memoryTypeCount"]],
            "memoryHeaps": data["memoryHeaps"][: data["memoryHeapCount"]],
        }

    def has(self, core: tuple[int, int] | None, extension: str | None) -> bool:
        """Whether something is there: from a version of the API on, or with an extension."""
        return (core is not None and self.usable_api >= core) or extension in self.extensions()

    def _alive(self) -> Any:
        """Give the handle; raises `OutOfOrder` after the instance's close."""
        return self.instance.handle and self.handle

    def _asked(self, call: str, struct: str) -> dict[str, Any]:
        out = self._ffi.new(f"{struct} *")
        getattr(self.calls, call)(self._alive(), out)
        return structs().plain(struct, out)

    def _chained(self, call: str, core: str, member: str) -> dict[str, Any]:
        """Ask for a struct and everything on its chain; a device of Vulkan 1.0 is asked for the struct alone."""
        if self.usable_api < (1, 1):
            return {core: self._asked(call, core)}
        head = f"{core}2"
        wanted = [struct for struct, needs in CHAINS[head].items() if self.has(*needs)]
        parts = {struct: self._ffi.new(f"{struct} *") for struct in wanted}
        out = self._ffi.new(f"{head} *")
        types = definitions("vulkan").values("VkStructureType")
        last = self._ffi.NULL
        for struct, made in reversed([(head, out), *parts.items()]):
            made.sType = types[structs().structure_type(struct) or ""]
            made.pNext = last
            last = made
        getattr(self.calls, f"{call}2")(self._alive(), out)
        found = {core: structs().plain(core, getattr(out, member))}
        return found | {struct: structs().plain(struct, made) for struct, made in parts.items()}

    def _format(self, number: int) -> dict[str, dict[str, int]]:
        simple, wide = self._format_out()
        if wide is None:
            self.calls.vkGetPhysicalDeviceFormatProperties(
                self._alive(), number, self._ffi.addressof(simple, "formatProperties")
            )
        else:
            self.calls.vkGetPhysicalDeviceFormatProperties2(self._alive(), number, simple)
        parts = {"VkFormatProperties": simple.formatProperties, "VkFormatProperties3": wide}
        masks = {
            struct: {member: int(getattr(made, member)) for member in _MASKS}
            for struct, made in parts.items()
            if made is not None
        }
        return masks if any(any(part.values()) for part in masks.values()) else {}

    def _format_out(self) -> tuple[Any, Any]:
        types = definitions("vulkan").values("VkStructureType")
        simple = self._ffi.new("VkFormatProperties2 *")
        if self.usable_api < (1, 1):
            return simple, None
        simple.sType = types["VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2"]
        wide = self._ffi.new("VkFormatProperties3 *")
        wide.sType = types["VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3"]
        if self.has((1, 3), "VK_KHR_format_feature_flags2"):
            simple.pNext = wide
        return simple, wide


def _named(calls: Calls, call: str, function: Any, struct: str) -> dict[str, int]:
    """List extensions with their revisions, or layers with their versions."""
    found, _ = calls.several(call, function, struct)
    plain = [structs().plain(struct, item) for item in found]
    name, revision = ("layerName", "implementationVersion") if "Layer" in struct else ("extensionName", "specVersion")
    return {item[name]: item[revision] for item in plain}


def _library_version(calls: Calls) -> tuple[int, int, int]:
    """Ask the library for its version; one without the function is 1.0."""
    if not calls.has("vkEnumerateInstanceVersion"):
        return (1, 0, 0)
    out = calls.ffi.new("uint32_t *")
    calls.check("vkEnumerateInstanceVersion", calls.vkEnumerateInstanceVersion(out))
    return version(out[0])


def _extensions(calls: Calls, layers: Sequence[str]) -> set[str]:
    """Name the instance extensions, those of layers too."""
    call = "vkEnumerateInstanceExtensionProperties"
    function = getattr(calls, call)
    found: set[str] = set()
    for layer in (None, *layers):
        name = calls.ffi.NULL if layer is None else calls.ffi.new("char[]", layer.encode())
        found |= set(_named(calls, call, lambda n, out, name=name: function(name, n, out), "VkExtensionProperties"))
    return found


def _require_layers(calls: Calls, wanted: Sequence[str]) -> None:
    if not wanted:
        return
    call = "vkEnumerateInstanceLayerProperties"
    offered = _named(calls, call, getattr(calls, call), "VkLayerProperties")
    for layer in wanted:
        if layer not in offered:
            package = "vulkan-validationlayers" if layer == VALIDATION else layer
            raise LibraryMissing(layer, ("the system's Vulkan layers", "VK_LAYER_PATH"), package=package)
