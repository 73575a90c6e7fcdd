"""`DeviceObjects`: objects on a Vulkan device, counted and destroyed; `Device`: a logical device of our own.

Handles are numbers. Every object that was made here and not yet destroyed is known; anything else is refused.
``created`` and ``destroyed`` count by kind (``VkSampler``), for good.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import Closing
from statetracker.bindings.vulkan_calls import HINTS, TITLE, Calls, structs
from statetracker.bindings.vulkan_physical import CHAINS
from statetracker.errors import ArgumentError, DeviceLost, InvalidCallOrder, NoDevice

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


#: Kinds whose create function or info is not called after them.
_CREATE: Final[Mapping[str, tuple[str, str, str]]] = {
    "VkDeviceMemory": ("vkAllocateMemory", "VkMemoryAllocateInfo", "vkFreeMemory"),
}


class DeviceObjects(Closing):
    """The objects that can be made on a device. The classes over it say what becomes of the device itself.

    ``lost`` is True once a call returned VK_ERROR_DEVICE_LOST; then objects can only be destroyed.
    """

    calls: Calls

    def __init__(self) -> None:
        self._handle: Any = None
        self.lost = False
        self.created: Counter[str] = Counter()
        self.destroyed: Counter[str] = Counter()
        self._live: dict[tuple[str, int], None] = {}  # in the order of creation
        self._functions: dict[str, tuple[str, Any, Any, str]] = {}

    @property
    def _ffi(self) -> Any:
        return self.calls.ffi

    @property
    def handle(self) -> Any:
        """The device's handle as cffi has it; raises `InvalidCallOrder` after `close`."""
        if self._handle is None:
            raise InvalidCallOrder("the device", "it is closed", hint="Make a new one")
        return self._handle

    def live(self, kind: str) -> int:
        """Return how many objects of a kind exist now."""
        return self.created[kind] - self.destroyed[kind]

    def create(self, kind: str, info: Mapping[str, Any]) -> int:
        """Make an object of a kind, such as ``VkSampler``, of its create info in plain data; gives its handle.

        Raises `UnknownName` or `ArgumentError` for an info that makes no sense, `DeviceLost` or `CallFailed` where the
        call fails.
        """
        call, create, out, struct = self._functions.get(kind) or self._load(kind)
        device = self._handle or self.handle
        if self.lost:
            raise DeviceLost(TITLE, call, "VK_ERROR_DEVICE_LOST before", hint=HINTS["VK_ERROR_DEVICE_LOST"])
        keep: list[Any] = []  # everything the info points to, until the call returns
        made = structs().new(struct, info, keep)
        self.check(call, create(device, made, self._ffi.NULL, out))
        return self._born(kind, out[0])

    def destroy(self, kind: str, handle: int) -> None:
        """Destroy an object of this device; raises `ArgumentError` for one that is not, or not any more."""
        if (kind, handle) not in self._live:
            raise ArgumentError(kind, handle, accepted=f"one of the {self.live(kind)} that exist on this device")
        self._destroy(kind, handle)

    def create_sampler(self, info: Mapping[str, Any]) -> int:
        """Make a ``VkSampler`` of a ``VkSamplerCreateInfo`` with its chain; see `create`."""
        return self.create("VkSampler", info)

    def destroy_sampler(self, handle: int) -> None:
        """Destroy a ``VkSampler``; see `destroy`."""
        self.destroy("VkSampler", handle)

    def destroy_all(self) -> None:
        """Destroy what is left, the youngest first."""
        for kind, handle in reversed(list(self._live)):
            self._destroy(kind, handle)

    def check(self, call: str, result: int) -> None:
        """Do nothing for success; raises `DeviceLost` and remembers it, or `CallFailed`."""
        if result >= 0:
            return
        try:
            self.calls.check(call, result)
        except DeviceLost:
            self.lost = True
            raise

    def _born(self, kind: str, handle: int) -> int:
        self._live[kind, handle] = None
        self.created[kind] += 1
        return handle

    def _destroy(self, kind: str, handle: int) -> None:
        del self._live[kind, handle]
        self.destroyed[kind] += 1
        name = _CREATE[kind][2] if kind in _CREATE else f"vkDestroy{kind[2:]}"
        getattr(self.calls, name)(self.handle, handle, self._ffi.NULL)

    def _load(self, kind: str) -> tuple[str, Any, Any, str]:
        """Return the create function's name, the function, where it writes the handle, and the struct of its info."""
        call, struct, _ = _CREATE.get(kind, (f"vkCreate{kind[2:]}", f"{kind}CreateInfo", ""))
        entry = call, getattr(self.calls, call), self._ffi.new(f"{kind} *"), struct
        self._functions[kind] = entry
        return entry


class Device(DeviceObjects):
    """A logical device with one queue; use it with ``with``, or `close` it. One thread at a time.

    Args:
        physical: The physical device.
        extensions: Device extensions to enable; None: those of `SAMPLER_EXTENSIONS` that there are.
        features: Struct -> member -> bool, what to enable; None: everything the device has, but robust access.

    Raises:
        NoDevice: The device has no graphics queue.
        CallFailed: Vulkan refuses.
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
        """The enabled features: struct -> member -> bool."""
        return {struct: dict(members) for struct, members in self._features.items()}

    @property
    def enabled(self) -> frozenset[str]:
        """The names of what is enabled: features and extensions."""
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
