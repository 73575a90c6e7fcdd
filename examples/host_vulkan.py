"""Samplers on a Vulkan device of one's own: see docs/host_vulkan.md."""

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
    made = vk.VkInstanceCreateInfo(pApplicationInfo=app)
    instance = vk.vkCreateInstance(made, None)
    physical = vk.vkEnumeratePhysicalDevices(instance)[0]
    queue = vk.VkDeviceQueueCreateInfo(
        queueFamilyIndex=0,
        pQueuePriorities=[1.0],
    )
    info = vk.VkDeviceCreateInfo(
        pQueueCreateInfos=[queue],
        pEnabledFeatures=vk.VkPhysicalDeviceFeatures(),
    )
    device = vk.vkCreateDevice(physical, info, None)
    host = HostDevice(
        device,
        instance=instance,
        physical=physical,
        get_instance_proc_addr=vk.lib.vkGetInstanceProcAddr,
        enabled=enabled_by(info),
        api=(1, 1),
    )
    driver = VulkanDriver(host)
    with st.StateTracker(driver.screen, driver) as tracker:
        texture = st.Texture("2d", "LUMINANCE8", (64, 64))
        sampler = st.Sampler(wrap="clamp", border_color=(1, 0.5, 0, 1))
        bound = tracker.bind("fragment", {0: (sampler, texture)})
        handle = bound.handles[0]
        # for your descriptors
        made = vk.ffi.cast("VkSampler", handle.sampler)
        print(driver.screen.name, driver.live, "sampler:", made)
        print("the shader:", bound.lowerings[0])
    driver.close()
    vk.vkDestroyDevice(device, None)
    vk.vkDestroyInstance(instance, None)
else:
    print(available().reason)
