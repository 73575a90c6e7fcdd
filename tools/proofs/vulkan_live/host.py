"""A host that draws with the `vulkan` package: its instance and device, made without this library, and binds over them.

The validation layer listens to every call, the host's and the driver's; on each Vulkan driver of this machine.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import statetracker as st
from statetracker.bindings.vulkan import VALIDATION, HostDevice, Messages, enabled_by
from statetracker.bindings.vulkan_calls import structs
from statetracker.conformance.states import sampler, texture
from statetracker.vulkan import VulkanDriver

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["WHAT", "Bound", "Host", "bound", "host"]

_CUSTOM: Final = "VK_EXT_custom_border_color"
_MIRROR: Final = "VK_KHR_sampler_mirror_clamp_to_edge"
_DEBUG: Final = "VK_EXT_debug_utils"
#: What a host's device is made with: everything that samplers read, anisotropy alone, or nothing.
WHAT: Final = ("everything", "anisotropy", "nothing")
_STAGES: Final = ("fragment", "vertex")


class Host(NamedTuple):
    """A host: the package's handles, the info that the device was made of, and what the layer said."""

    package: Any
    instance: Any
    physical: Any
    device: Any
    info: Any
    messages: Messages

    def given(self, **others: Any) -> HostDevice:  # noqa: ANN401 (as a host has them)
        """Return what it has to this library."""
        values = {
            "instance": self.instance,
            "physical": self.physical,
            "get_instance_proc_addr": self.package.lib.vkGetInstanceProcAddr,
            "enabled": enabled_by(self.info),
            "api": (1, 3),
        }
        return HostDevice(self.device, **(values | others))


@contextmanager
def host(what: str = "everything", *, validation: bool = True) -> Iterator[Host]:
    """Make an instance and a device with the `vulkan` package, and destroy them; the layer is heard through both."""
    import vulkan as vk

    layers, extensions = ([VALIDATION], [_DEBUG]) if validation else ([], [])
    app = vk.VkApplicationInfo(pApplicationName="host", apiVersion=vk.VK_MAKE_VERSION(1, 3, 0))
    made = vk.VkInstanceCreateInfo(pApplicationInfo=app, ppEnabledLayerNames=layers, ppEnabledExtensionNames=extensions)
    with ExitStack() as stack:
        instance = vk.vkCreateInstance(made, None)
        stack.callback(vk.vkDestroyInstance, instance, None)
        physical = vk.vkEnumeratePhysicalDevices(instance)[0]
        info = _device_info(vk, physical, what)
        device = vk.vkCreateDevice(physical, info, None)
        stack.callback(vk.vkDestroyDevice, device, None)
        one = Host(vk, instance, physical, device, info, Messages(stop_errors=False))
        if validation:
            ours, keep = one.given().physical, list[Any]()
            assert ours is not None  # noqa: S101 (the host gave one)
            heard = structs().new("VkDebugUtilsMessengerCreateInfoEXT", one.messages.info(), keep)
            calls, handle = ours.calls, ours.instance.handle
            messenger = one.messages.register(calls, handle, heard)
            stack.callback(calls.vkDestroyDebugUtilsMessengerEXT, handle, messenger, calls.ffi.NULL)
        yield one


def _device_info(vk: Any, physical: Any, what: str) -> Any:  # noqa: ANN401 (the package's)
    listed = {one.extensionName for one in vk.vkEnumerateDeviceExtensionProperties(physical, None)}
    queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])
    names = [name for name in (_CUSTOM, _MIRROR) if name in listed and what == "everything"]
    chain = None
    if _CUSTOM in names:
        chain = vk.VkPhysicalDeviceCustomBorderColorFeaturesEXT(customBorderColors=1, customBorderColorWithoutFormat=1)
    offered = vk.vkGetPhysicalDeviceFeatures(physical)
    features = vk.VkPhysicalDeviceFeatures(samplerAnisotropy=int(offered.samplerAnisotropy and what != "nothing"))
    return vk.VkDeviceCreateInfo(
        pNext=chain, pQueueCreateInfos=[queue], ppEnabledExtensionNames=names, pEnabledFeatures=features
    )


class Bound(NamedTuple):
    """The counts of a run: samplers made and destroyed, the most at one moment, and the layer's messages."""

    made: int
    destroyed: int
    peak: int
    messages: list[str]


def bound(one: Host, binds: int, *, seed: int, budget: int = 256) -> Bound:
    """Bind random samplers and textures through a `StateTracker` over a host's device, then close what is ours."""
    rng = Random(seed)  # noqa: S311 (no secret)
    driver = VulkanDriver(one.given(), budget=budget)
    samplers = [sampler(rng) for _ in range(2 * budget)]
    textures = [texture(rng) for _ in range(64)]
    policy = st.Policy(max_states=driver.max_states)
    with st.StateTracker(driver.screen, driver, policy=policy) as tracker:
        for _ in range(binds):
            slots = {slot: (rng.choice(samplers), rng.choice(textures)) for slot in range(rng.randrange(1, 5))}
            tracker.bind(rng.choice(_STAGES), slots)
    device = driver.device
    driver.close()
    said = [message.text for message in one.messages.take()]
    return Bound(device.created["VkSampler"], device.destroyed["VkSampler"], driver.peak, said)
