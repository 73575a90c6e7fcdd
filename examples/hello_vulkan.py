"""A textured quad on Vulkan with GL's samplers: ``python hello_vulkan.py [PICTURE.png]``. See docs/host_vulkan.md."""

import sys

import statetracker as st
from statetracker.bindings.vulkan import HostDevice, available, enabled_by
from statetracker.errors import LibraryMissing
from statetracker.hosts.vulkan import Renderer, SampledImage
from statetracker.vulkan import pyvulkan_struct

try:
    import vulkan as vk
except (ImportError, OSError) as error:
    sys.exit(print(f"{error}: pip install vulkan"))
if not (there := available()):
    sys.exit(print(there.reason))

VERTEX = """#version 450
layout(location = 0) out vec2 place;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    place = corner * 3.0 - 1.0;  // the texture and as much again on every side
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}"""
FRAGMENT = """#version 450
layout(set = 0, binding = 0) uniform sampler2D wall;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
void main() { colour = texture(wall, place); }"""
SIDE, RGBA8, ALL, READ_WRITE, GRAPHICS = 256, vk.VK_FORMAT_R8G8B8A8_UNORM, 0x10000, 0x18000, 0

# A device of this program, made with nothing that samplers read.
app = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 3, 0))
instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=app), None)
physical = vk.vkEnumeratePhysicalDevices(instance)[0]
queues = [vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])]
features = vk.VkPhysicalDeviceDynamicRenderingFeatures(dynamicRendering=1)
info = vk.VkDeviceCreateInfo(pNext=features, pQueueCreateInfos=queues)
device = vk.vkCreateDevice(physical, info, None)
memories = vk.vkGetPhysicalDeviceMemoryProperties(physical)


def create(kind: str, **members: object) -> object:
    """Create an object of the device."""
    return getattr(vk, f"vkCreate{kind}")(device, getattr(vk, f"Vk{kind}CreateInfo")(**members), None)


def allocate(kind: str, made: object, flags: int) -> object:
    """Give an image or a buffer its memory."""
    needs = getattr(vk, f"vkGet{kind}MemoryRequirements")(device, made)
    fits = [
        n for n in range(32) if needs.memoryTypeBits >> n & 1 and memories.memoryTypes[n].propertyFlags & flags == flags
    ]
    wanted = vk.VkMemoryAllocateInfo(allocationSize=needs.size, memoryTypeIndex=fits[0])
    memory = vk.vkAllocateMemory(device, wanted, None)
    getattr(vk, f"vkBind{kind}Memory")(device, made, memory, 0)
    return memory


def buffer(content: bytes, usage: int) -> tuple[object, memoryview]:
    """Create a buffer; returns it and its bytes."""
    made = create("Buffer", size=len(content), usage=usage)
    there = vk.vkMapMemory(device, allocate("Buffer", made, 6), 0, len(content), 0)  # 6: visible and coherent
    there[:] = content
    return made, there


def image(side: int, usage: int) -> object:
    """Create a square image."""
    size = {"extent": vk.VkExtent3D(side, side, 1), "mipLevels": 1, "arrayLayers": 1, "samples": 1}
    made = create("Image", imageType=vk.VK_IMAGE_TYPE_2D, format=RGBA8, usage=usage, **size)
    allocate("Image", made, 0)
    return made


# GL's sampler and texture, as the program set them; this device has neither the wrap nor a border.
loader = {"instance": instance, "physical": physical, "get_instance_proc_addr": vk.lib.vkGetInstanceProcAddr}
renderer = Renderer(HostDevice(device, **loader, enabled=enabled_by(info), api=(1, 3)))
sampler = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1, 0.5, 0, 1))
texture = st.Texture("2d", "RGBA8", size=(4, 4), levels=1)
try:
    shader = renderer.shader(FRAGMENT, VERTEX)
except LibraryMissing as error:
    sys.exit(print(error))
wall = image(4, vk.VK_IMAGE_USAGE_SAMPLED_BIT | vk.VK_IMAGE_USAGE_TRANSFER_DST_BIT)
draw = renderer.bind(shader, {"wall": (sampler, texture, wall)})  # for each draw


def view(one: SampledImage) -> object:
    """Create the view that a draw samples."""
    info = {**one.view, "image": int(vk.ffi.cast("uintptr_t", one.image))}
    return vk.vkCreateImageView(device, pyvulkan_struct(info), None)


infos = draw.layout_infos(vk.ffi).values()  # the same for each draw of a shader
layouts = [vk.vkCreateDescriptorSetLayout(device, one, None) for one in infos]
kinds = [getattr(vk, row["descriptorType"]) for rows in draw.layouts.values() for row in rows]
sizes = [vk.VkDescriptorPoolSize(type=kind, descriptorCount=1) for kind in kinds]
pool = create("DescriptorPool", maxSets=len(layouts), pPoolSizes=sizes)
wanted = vk.VkDescriptorSetAllocateInfo(descriptorPool=pool, pSetLayouts=layouts)
sets = vk.vkAllocateDescriptorSets(device, wanted)
blocks = {place: buffer(numbers, vk.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)[0] for place, numbers in draw.blocks.items()}
writes = draw.writes(dict(zip(draw.layouts, sets, strict=True)), blocks, view=view, ffi=vk.ffi)
vk.vkUpdateDescriptorSets(device, len(writes), writes, 0, None)

# The rest is any program's: a pipeline for each draw.key, texels, a pass.
layout = create("PipelineLayout", pSetLayouts=layouts)
codes = {vk.VK_SHADER_STAGE_VERTEX_BIT: draw.vertex, vk.VK_SHADER_STAGE_FRAGMENT_BIT: draw.fragment}
modules = {stage: create("ShaderModule", codeSize=len(code), pCode=code) for stage, code in codes.items()}
area, viewport = vk.VkRect2D(extent=vk.VkExtent2D(SIDE, SIDE)), vk.VkViewport(width=SIDE, height=SIDE, maxDepth=1)
blend = vk.VkPipelineColorBlendAttachmentState(colorWriteMask=15)
stages = [vk.VkPipelineShaderStageCreateInfo(stage=one, module=modules[one], pName="main") for one in modules]
wanted = vk.VkGraphicsPipelineCreateInfo(
    pNext=vk.VkPipelineRenderingCreateInfo(pColorAttachmentFormats=[RGBA8]),
    pStages=stages,
    pVertexInputState=vk.VkPipelineVertexInputStateCreateInfo(),
    pInputAssemblyState=vk.VkPipelineInputAssemblyStateCreateInfo(topology=vk.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP),
    pViewportState=vk.VkPipelineViewportStateCreateInfo(pViewports=[viewport], pScissors=[area]),
    pRasterizationState=vk.VkPipelineRasterizationStateCreateInfo(lineWidth=1),
    pMultisampleState=vk.VkPipelineMultisampleStateCreateInfo(rasterizationSamples=1),
    pColorBlendState=vk.VkPipelineColorBlendStateCreateInfo(pAttachments=[blend]),
    layout=layout,
)
pipeline = vk.vkCreateGraphicsPipelines(device, None, 1, [wanted], None)[0]
texels = b"".join(bytes((255, 255, 255, 255) if (n + n // 4) % 2 else (40, 90, 160, 255)) for n in range(16))
source, _ = buffer(texels, vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT)
pixels, picture = buffer(bytes(SIDE * SIDE * 4), vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT)
target = image(SIDE, vk.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | vk.VK_IMAGE_USAGE_TRANSFER_SRC_BIT)
whole = vk.VkImageSubresourceRange(vk.VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1)
seen = create("ImageView", image=target, viewType=vk.VK_IMAGE_VIEW_TYPE_2D, format=RGBA8, subresourceRange=whole)
pool = create("CommandPool")
commands = vk.vkAllocateCommandBuffers(device, vk.VkCommandBufferAllocateInfo(commandPool=pool, commandBufferCount=1))
run = commands[0]


def change(image: object, old: int, new: int) -> None:
    """Change an image's layout, after all commands before."""
    layouts = {"oldLayout": old, "newLayout": new, "image": image, "subresourceRange": whole}
    one = vk.VkImageMemoryBarrier(srcAccessMask=READ_WRITE, dstAccessMask=READ_WRITE, **layouts)
    vk.vkCmdPipelineBarrier(run, ALL, ALL, 0, 0, None, 0, None, 1, [one])


def region(side: int) -> list[object]:
    """Return all of a square image, tightly packed in a buffer."""
    layers = vk.VkImageSubresourceLayers(vk.VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1)
    return [vk.VkBufferImageCopy(imageSubresource=layers, imageExtent=vk.VkExtent3D(side, side, 1))]


NEW, DRAWN = vk.VK_IMAGE_LAYOUT_UNDEFINED, vk.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
FILLED, COPIED = vk.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, vk.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
vk.vkBeginCommandBuffer(run, vk.VkCommandBufferBeginInfo())
change(wall, NEW, FILLED)
vk.vkCmdCopyBufferToImage(run, source, wall, FILLED, 1, region(4))
change(wall, FILLED, vk.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
change(target, NEW, DRAWN)
colour = vk.VkRenderingAttachmentInfo(imageView=seen, imageLayout=DRAWN, loadOp=vk.VK_ATTACHMENT_LOAD_OP_CLEAR)
vk.vkCmdBeginRendering(run, vk.VkRenderingInfo(renderArea=area, layerCount=1, pColorAttachments=[colour]))
vk.vkCmdBindPipeline(run, GRAPHICS, pipeline)
vk.vkCmdBindDescriptorSets(run, GRAPHICS, layout, 0, len(sets), sets, 0, None)
vk.vkCmdDraw(run, 4, 1, 0, 0)
vk.vkCmdEndRendering(run)
change(target, DRAWN, COPIED)
vk.vkCmdCopyImageToBuffer(run, target, COPIED, pixels, 1, region(SIDE))
vk.vkEndCommandBuffer(run)
queue = vk.vkGetDeviceQueue(device, 0, 0)
vk.vkQueueSubmit(queue, 1, [vk.VkSubmitInfo(pCommandBuffers=[run])], None)
vk.vkQueueWaitIdle(queue)
renderer.destroy()
print(renderer.driver.screen.name, [*picture[8 * 257 * 4 :][:4]], [*picture[128 * 257 * 4 :][:4]])
if len(sys.argv) > 1:
    from PIL import Image

    Image.frombytes("RGBA", (SIDE, SIDE), bytes(picture)).save(sys.argv[1])
