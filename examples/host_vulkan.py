"""Samplers on a Vulkan device that this program makes itself, with the `vulkan` package. See docs/host_vulkan.md."""

import statetracker as st
from statetracker.bindings.vulkan import HostDevice, available, enabled_by
from statetracker.vulkan import VulkanDriver

try:
    import vulkan as vk
except (ImportError, OSError) as error:
    print(f"{error}: pip install vulkan")
    vk = None
if vk and available():
    app = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 1, 0))
    instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=app), None)
    physical = vk.vkEnumeratePhysicalDevices(instance)[0]
    queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])
    info = vk.VkDeviceCreateInfo(pQueueCreateInfos=[queue], pEnabledFeatures=vk.VkPhysicalDeviceFeatures())
    device = vk.vkCreateDevice(physical, info, None)
    loader = {"instance": instance, "physical": physical, "get_instance_proc_addr": vk.lib.vkGetInstanceProcAddr}
    driver = VulkanDriver(HostDevice(device, **loader, enabled=enabled_by(info), api=(1, 1)))
    with st.StateTracker(driver.screen, driver) as tracker:
        texture = st.Texture("2d", "LUMINANCE8", (64, 64))
        bound = tracker.bind("fragment", {0: (st.Sampler(wrap="clamp", border_color=(1, 0.5, 0, 1)), texture)})
        sampler = vk.ffi.cast("VkSampler", bound.handles[0].sampler)  # for the host's descriptors
        print(driver.screen.name, driver.live, "sampler:", sampler, bound.handles[0].lowering)
    driver.close()
    vk.vkDestroyDevice(device, None)
    vk.vkDestroyInstance(instance, None)
else:
    print(available().reason)
