"""Vulkan: instance, physical devices, device, samplers. Plain data in and out, in Vulkan's own names.

``with Instance() as instance, Device(instance.device()) as device: device.create_sampler(info)``. Every result is
checked, every object is destroyed, handles are numbers. What is not here: drawing, memory, images. See
docs/vulkan_live.md.

`report_of` gives a device's report as ``vulkaninfo --json`` writes it: ``capabilities.device`` with ``extensions``,
``features``, ``properties`` and ``formats``, of which it has the structs that samplers and their formats care about.
Masks are lists of names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.bindings.libraries import Availability, Closing, definitions, probe
from statetracker.bindings.vulkan_calls import DRIVER_HINT, TITLE, VULKAN, Calls, open_vulkan, structs
from statetracker.bindings.vulkan_device import SAMPLER_EXTENSIONS, Device
from statetracker.bindings.vulkan_host import HostDevice, enabled_by
from statetracker.bindings.vulkan_physical import PhysicalDevice, named, version
from statetracker.errors import InvalidCallOrder, LibraryMissing, NoDevice
from statetracker.spellings import looked_up

if TYPE_CHECKING:
    from collections.abc import Sequence

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

#: Kinds of message, worst first, and Vulkan's bit for each.
SEVERITIES: Final = {
    word: f"VK_DEBUG_UTILS_MESSAGE_SEVERITY_{word.upper()}_BIT_EXT" for word in ("error", "warning", "info", "verbose")
}
_TYPES: Final = [f"VK_DEBUG_UTILS_MESSAGE_TYPE_{word}_BIT_EXT" for word in ("GENERAL", "VALIDATION", "PERFORMANCE")]


class Message(NamedTuple):
    """One message: severity, the rule or the source (``VUID-VkSamplerCreateInfo-maxLod-01973``), and the text."""

    severity: str
    name: str
    text: str


class Messages:
    """Collects messages while an instance is open; give it to `Instance`.

    ``heard`` holds the messages; `take` gives and forgets them. The callback lives as long as this object.

    Args:
        severities: Which kinds to hear.
        stop_errors: Answer an error with VK_TRUE: the layer then fails the call with VK_ERROR_VALIDATION_FAILED_EXT and
            does not pass it to the driver.
        keep_text: Keep the text too, not only severity and name.
    """

    def __init__(
        self, severities: Sequence[str] = ("error", "warning"), *, stop_errors: bool = True, keep_text: bool = True
    ) -> None:
        self.heard: list[Message] = []
        self.stop_errors = stop_errors
        self._keep_text = keep_text
        known = definitions()
        self._ffi = known.ffi
        bits = known.values("VkDebugUtilsMessageSeverityFlagBitsEXT")
        self._words = {bits[bit]: word for word, bit in SEVERITIES.items()}
        self._severities = [looked_up("severities", word, SEVERITIES) for word in severities]
        self._callback = self._ffi.callback("PFN_vkDebugUtilsMessengerCallbackEXT", self._hear)

    def info(self) -> dict[str, Any]:
        """Return a ``VkDebugUtilsMessengerCreateInfoEXT`` as plain data, with the callback."""
        return {
            "sType": "VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT",
            "messageSeverity": self._severities,
            "messageType": _TYPES,
            "pfnUserCallback": self._callback,
        }

    def take(self) -> list[Message]:
        """Return what was heard since the last time."""
        heard, self.heard = self.heard, []
        return heard

    def register(self, calls: Calls, instance: Any, made: Any) -> Any:
        """Make the messenger of an instance."""
        out = self._ffi.new("VkDebugUtilsMessengerEXT *")
        call = "vkCreateDebugUtilsMessengerEXT"
        calls.check(call, getattr(calls, call)(instance, made, self._ffi.NULL, out))
        return out[0]

    def _hear(self, severity: int, _types: int, data: Any, _user: Any) -> int:
        name = data.pMessageIdName
        rule = self._ffi.string(name).decode("utf-8", "replace") if name else ""
        text = ""
        if self._keep_text and data.pMessage:
            text = self._ffi.string(data.pMessage).decode("utf-8", "replace")
        word = self._words.get(severity, str(severity))
        self.heard.append(Message(word, rule, text))
        return int(self.stop_errors and word == "error")


#: The validation layer of Khronos.
VALIDATION: Final = "VK_LAYER_KHRONOS_validation"
_DEBUG: Final = "VK_EXT_debug_utils"
_PORTABILITY: Final = "VK_KHR_portability_enumeration"


class Instance(Closing):
    """A connection to Vulkan; use it with ``with``, or `close` it.

    Args:
        library: The library's file; default STATETRACKER_VULKAN_LIB, then the system's names.
        validation: Load the Khronos validation layer.
        messages: A `Messages` that takes the messages of layers and drivers, from the first call to the last.
        layers: Other layers to load.
        api: The version of Vulkan the program is written for; never above what the library has.

    Raises:
        LibraryMissing: There is no Vulkan, or no such layer.
        WrongLibrary: What was found is another library.
        NoDevice: No driver can be loaded.
        CallFailed: Vulkan refuses.
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
        self.calls = Calls(lambda function: loose.library.vkGetInstanceProcAddr(self.handle, function), loose.library)
        self._messages = messages  # its callback is called while this is open
        self._messenger = None
        self._objects = 0  # devices that are still open
        if messages:
            messenger = structs().new("VkDebugUtilsMessengerCreateInfoEXT", messages.info(), keep)
            self._messenger = messages.register(self.calls, self._handle, messenger)

    @property
    def handle(self) -> Any:
        """The handle as cffi has it; raises `InvalidCallOrder` after `close`."""
        if self._handle is None:
            raise InvalidCallOrder("the instance", "it is closed", hint="Make a new Instance")
        return self._handle

    def devices(self) -> list[PhysicalDevice]:
        """List the physical devices, in Vulkan's order; raises `NoDevice` if there are none."""
        devices, _ = self.calls.several("vkEnumeratePhysicalDevices", "VkPhysicalDevice", self.handle)
        if not devices:
            raise NoDevice(TITLE, "drivers are installed, but none of them has a device", hint=DRIVER_HINT)
        return [PhysicalDevice(self, device) for device in devices]

    def device(self, choice: int | str = 0) -> PhysicalDevice:
        """Choose a physical device by its number, or by a part of its name; raises `NoDevice` with what there is."""
        devices = self.devices()
        if isinstance(choice, int):
            if 0 <= choice < len(devices):
                return devices[choice]
        elif isinstance(choice, str):
            fitting = [device for device in devices if choice.lower() in device.name.lower()]
            if fitting:
                return fitting[0]
        there = ", ".join(f"{n}: {device.name}" for n, device in enumerate(devices))
        raise NoDevice(TITLE, f"no device {choice!r}", value=choice, hint=f"There are {there}")

    def opened(self, change: int) -> None:
        """Count the devices that are open on this instance."""
        self._objects += change

    def close(self) -> None:
        """Destroy the instance; a second time does nothing. Raises `InvalidCallOrder` while a device is open."""
        if self._handle is None:
            return
        if self._objects:
            raise InvalidCallOrder("Instance.close", f"{self._objects} devices are open", hint="Close them first")
        null = self.calls.ffi.NULL
        if self._messenger is not None:
            self.calls.vkDestroyDebugUtilsMessengerEXT(self._handle, self._messenger, null)
        self.calls.vkDestroyInstance(self._handle, null)
        self._handle = None


def _library_version(calls: Calls) -> tuple[int, int, int]:
    """Return the library's version; one without the function is 1.0."""
    if not calls.has("vkEnumerateInstanceVersion"):
        return (1, 0, 0)
    out = calls.ffi.new("uint32_t *")
    calls.check("vkEnumerateInstanceVersion", calls.vkEnumerateInstanceVersion(out))
    return version(out[0])


def _extensions(calls: Calls, layers: Sequence[str]) -> set[str]:
    """Name the instance extensions, those of layers too."""
    of = [calls.ffi.NULL, *(calls.ffi.new("char[]", layer.encode()) for layer in layers)]
    listed = (named(calls, "vkEnumerateInstanceExtensionProperties", "VkExtensionProperties", one) for one in of)
    return set[str]().union(*listed)


def _require_layers(calls: Calls, wanted: Sequence[str]) -> None:
    if not wanted:
        return
    offered = named(calls, "vkEnumerateInstanceLayerProperties", "VkLayerProperties")
    for layer in wanted:
        if layer not in offered:
            package = "vulkan-validationlayers" if layer == VALIDATION else layer
            raise LibraryMissing(layer, ("the system's Vulkan layers", "VK_LAYER_PATH"), package=package)


_SCHEMA: Final = "https://schema.khronos.org/vulkan/profiles-0.8-latest.json"
_BITS: Final = {
    "VkFormatProperties": "VkFormatFeatureFlagBits",
    "VkFormatProperties3": "VkFormatFeatureFlagBits2",
}


def report_of(physical: PhysicalDevice) -> dict[str, Any]:
    """Return the report of a device."""
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
    """Open Vulkan, read a device's report, by its number or a part of its name, and close Vulkan.

    ``library`` overrides STATETRACKER_VULKAN_LIB. Raises as `Instance` does, and `NoDevice` for a device that is not
    there.
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


def available(*, library: str | None = None, validation: bool = False) -> Availability:
    """Return whether this machine has a Vulkan device, with the Khronos ``validation`` layer; the reason where not.

    ``library`` overrides STATETRACKER_VULKAN_LIB.
    """

    def attempt() -> None:
        with Instance(library=library, validation=validation) as instance:
            instance.devices()

    return probe(attempt)
