"""`HostDevice`: a Vulkan device that another program made, as far as samplers need it.

A host gives what it has: handles and one of Vulkan's loader functions, as numbers or as pointers of any cffi. Nothing
of the host's is ever destroyed here. What a device was made with cannot be asked of Vulkan: ``enabled`` says it, and
`enabled_by` reads it out of the VkDeviceCreateInfo that the device was made of.
"""

from __future__ import annotations

from difflib import get_close_matches
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_calls import Calls, structs
from statetracker.bindings.vulkan_device import DeviceObjects
from statetracker.bindings.vulkan_physical import CHAINS, PhysicalDevice
from statetracker.errors import ArgumentError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable

_CORE: Final = "VkPhysicalDeviceFeatures"
_BOOL: Final = "VkBool32"


def address_of(field: str, value: object) -> int:
    """Return a handle or a function of a host as a number.

    Args:
        field: What it is called in the error.
        value: An integer, a pointer or a struct of any cffi, or an object of ctypes with a ``value``.

    Raises:
        ArgumentError: Null, or anything else.
    """
    ffi = definitions().ffi
    number: object
    if isinstance(value, ffi.CData):
        kind = ffi.typeof(value).kind
        number = int(ffi.cast("uintptr_t", ffi.addressof(value) if kind in ("struct", "union") else value))
    else:
        number = getattr(value, "value", value)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 < number < 1 << 64:
        accepted = "an address that is not null: an integer, or a pointer of cffi or ctypes"
        raise ArgumentError(field, value, accepted=accepted)
    return number


class HostDevice(DeviceObjects):
    """A device of a host: objects are made on it and destroyed, the device itself never.

    Handles and functions are integers or pointers, as `address_of` takes them. `close` it before the host destroys its
    device: what was made here and is left is destroyed then, and no command may still read it. Once the host's device
    is gone nothing may be called here, destroying neither. One thread at a time.

    Args:
        device: VkDevice.
        instance: VkInstance.
        physical: VkPhysicalDevice.
        get_instance_proc_addr: The host's vkGetInstanceProcAddr; with it and ``physical`` the limits and formats of the
            device can be read.
        get_device_proc_addr: Its vkGetDeviceProcAddr, where it has no more; ``physical`` is None then.
        enabled: Features and extensions that the device was made with, by name, those that samplers read at least:
            docs/host_vulkan.md lists them.
        api: The apiVersion of the host's VkApplicationInfo, major and minor; without one it is 1.0.

    Raises:
        ArgumentError: Null, a missing function, or what the device cannot have been made with.
    """

    def __init__(
        self,
        device: object,
        *,
        instance: object = None,
        physical: object = None,
        get_instance_proc_addr: object = None,
        get_device_proc_addr: object = None,
        enabled: Iterable[str] | None = None,
        api: tuple[int, int] = (1, 0),
    ) -> None:
        super().__init__()
        if not isinstance(api, tuple) or len(api) < 2 or not all(isinstance(part, int) for part in api):
            raise ArgumentError("api", api, accepted="major and minor, such as (1, 1)")
        ffi = definitions().ffi
        self._handle = ffi.cast("VkDevice", address_of("device", device))
        self.physical: PhysicalDevice | None = None
        if get_instance_proc_addr is not None:
            loose = _calls_of("Instance", get_instance_proc_addr, instance)
            find = loose.vkGetDeviceProcAddr
            if physical is not None:
                owner = ffi.cast("VkInstance", address_of("instance", instance))
                handle = ffi.cast("VkPhysicalDevice", address_of("physical", physical))
                # devices are not counted: the host knows when to destroy its instance
                connected = SimpleNamespace(handle=owner, calls=loose, api=api, opened=lambda _: None)
                self.physical = PhysicalDevice(connected, handle)
            self.calls = Calls(lambda name: find(self._handle, name), None)
        else:
            self.calls = _calls_of("Device", get_device_proc_addr, device)
        self.enabled = None if enabled is None else _checked(enabled, self.physical)

    def close(self) -> None:
        """Destroy what is left of what was made here, and let the device go; a second time does nothing."""
        if self._handle is not None:
            self.destroy_all()
            self._handle = None


def _calls_of(kind: str, function: object, handle: object) -> Calls:
    """Look functions up with a host's loader function."""
    if function is None:
        accepted = "get_instance_proc_addr with instance, or get_device_proc_addr"
        hint = "SDL_Vulkan_GetVkGetInstanceProcAddr gives one, glfwGetInstanceProcAddress is one"
        raise ArgumentError("get_instance_proc_addr", None, accepted=accepted, hint=hint)
    ffi = definitions().ffi
    find = ffi.cast(f"PFN_vkGet{kind}ProcAddr", address_of(f"get_{kind.lower()}_proc_addr", function))
    owner = ffi.cast(f"Vk{kind}", address_of(kind.lower(), handle))
    return Calls(lambda wanted: find(owner, wanted), None)


def _checked(enabled: Iterable[str], physical: PhysicalDevice | None) -> frozenset[str]:
    """Refuse what the device cannot have been made with."""
    names = frozenset(enabled)
    if physical is None:
        return names
    listed, features = physical.extensions(), physical.features()
    offered = {name: value for members in features.values() for name, value in members.items()} | listed
    for name in sorted(names):
        if name not in offered:
            old = physical.usable_api < (1, 1)
            hint = "With api=(1, 0) Vulkan says nothing of extensions' features: give the api of the host's instance."
            accepted = "features and extensions of the device that samplers may need; leave others out"
            near = get_close_matches(name, offered, n=1, cutoff=0.8)
            hint = hint if old else f"Did you mean {near[0]!r}?" if near else ""
            raise UnknownName("enabled", name, accepted=accepted, hint=hint)
        if offered[name] is False:
            raise ArgumentError("enabled", name, accepted=f"features that {physical.name} has: it lacks this one")
    return names


def enabled_by(create_info: object) -> frozenset[str]:
    """Read what a VkDeviceCreateInfo enables, by name: its extensions, and the features that samplers may need.

    It is given as an address, a pointer or a struct of any cffi, with its chain still in memory.
    """
    ffi, types = definitions().ffi, definitions().values("VkStructureType")
    info = ffi.cast("VkDeviceCreateInfo *", address_of("create_info", create_info))
    names = {ffi.string(info.ppEnabledExtensionNames[n]).decode() for n in range(info.enabledExtensionCount)}
    if info.pEnabledFeatures != ffi.NULL:
        names |= _on(_CORE, info.pEnabledFeatures)
    known = {types[structs().structure_type(name) or ""]: name for name in CHAINS["VkPhysicalDeviceFeatures2"]}
    both = types["VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2"]
    part = ffi.cast("VkPhysicalDeviceFeatures2 *", info.pNext)
    while part != ffi.NULL:  # every struct of a chain begins with sType and pNext
        if part.sType == both:
            names |= _on(_CORE, part.features)
        elif part.sType in known:
            struct = known[part.sType]
            names |= _on(struct, ffi.cast(f"{struct} *", part))
        part = ffi.cast("VkPhysicalDeviceFeatures2 *", part.pNext)
    return frozenset(names)


def _on(struct: str, made: Any) -> set[str]:
    members = definitions().members[struct]
    return {name for name, declared in members.items() if declared == _BOOL and getattr(made, name)}
