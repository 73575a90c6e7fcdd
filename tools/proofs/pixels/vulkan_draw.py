"""Draw once on a Vulkan device: a fragment shader, textures, samplers and buffers in, texels out.

The target has four 32-bit floats a texel and is covered by one triangle with one sample a texel, so texel (x, y) is the
fragment whose gl_FragCoord is (x + 0.5, y + 0.5); row 0 comes first. What the shader reads is given by (set, binding)::

    with texture(device, "2d", "VK_FORMAT_R8G8B8A8_UNORM", (8, 8), [texels]) as view:
        resources = {(0, 0): combined((view, sampler)), (0, 1): storage(bytes(64))}
        drawn = draw(device, module, (4, 4), resources)

Sizes are not checked: what a shader reads beyond the end of a buffer is undefined.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_calls import TITLE, structs
from statetracker.errors import NoDevice
from tools.proofs.pixels.gl_draw import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from statetracker.bindings.vulkan_device import Device

    Create = Callable[[str, Mapping[str, Any]], int]

_ALIGN: Final = 16  # of texels in a buffer: a multiple of 4 and of a texel's size, as copies want their offsets
_VISIBLE: Final = ("VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT", "VK_MEMORY_PROPERTY_HOST_COHERENT_BIT")
_IGNORED: Final = 0xFFFF_FFFF  # VK_QUEUE_FAMILY_IGNORED
_FORMAT: Final = "VK_FORMAT_R32G32B32A32_SFLOAT"
_TEXEL: Final = 16  # bytes

#: A vertex shader whose three vertices cover the target.
_COVERING: Final = """\
#version 450
void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""


#: A fragment shader that samples `image` at given places ``c``, with further numbers ``d``.
_PLACED: Final = """\
#version 450
layout(set = 0, binding = 0) uniform {kind} image;
layout(set = 0, binding = 1, std430) readonly buffer Places {{ vec4 places[]; }};
layout(set = 0, binding = 2, std430) readonly buffer Details {{ vec4 details[]; }};
layout(location = 0) out vec4 texel;
void main() {{
    int n = int(gl_FragCoord.y) * {side} + int(gl_FragCoord.x);
    vec4 c = places[n], d = details[n];
    texel = vec4({expression});
}}
"""


def placed_module(kind: str, side: int, expression: str) -> bytes:
    """Compile a shader that samples at places: in buffers 0:1 and 0:2, a vec4 for each texel of the target."""
    return compiled(_PLACED.format(kind=kind, side=side, expression=expression), target="-V")


def wide(numbers: NDArray[Any], side: int) -> bytes:
    """Return (n, k) numbers as the content of such a buffer."""
    every = np.zeros((side * side, 4), np.float32)
    every[: len(numbers), : numbers.shape[1]] = numbers
    return every.tobytes()


class Resource(NamedTuple):
    """The resource at one (set, binding): ``VK_DESCRIPTOR_TYPE_*``, and pairs of view and sampler or a content."""

    kind: str
    pairs: tuple[tuple[int, int], ...] = ()
    content: bytes = b""

    @property
    def elements(self) -> int:
        """Of the array."""
        return len(self.pairs) or 1


def combined(*pairs: tuple[int, int]) -> Resource:
    """Return views of textures, each with its ``VkSampler``; several are an array."""
    return Resource("VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER", pairs)


def storage(content: bytes) -> Resource:
    """Return a storage buffer."""
    return Resource("VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", content=content)


def uniform(content: bytes) -> Resource:
    """Return a uniform buffer."""
    return Resource("VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER", content=content)


def draw(
    device: Device,
    fragment: bytes,
    size: tuple[int, int],
    resources: Mapping[tuple[int, int], Resource],
    bound: Callable[[Device, Create, Mapping[tuple[int, int], Resource]], tuple[int, Any]] | None = None,
) -> bytes:
    """Draw over a target of ``size`` (width, height) and return its texels, 16 bytes each, rows from the first.

    Args:
        device: That draws.
        fragment: SPIR-V that writes a vec4 to location 0.
        size: Width and height.
        resources: (set, binding) -> what it reads; at least one.
        bound: Makes a pipeline layout and descriptor sets in place of this module.

    Raises:
        DeviceLost: The device is gone.
        CallFailed: Vulkan refuses.
    """
    whole = {"aspectMask": ["VK_IMAGE_ASPECT_COLOR_BIT"], "levelCount": 1, "layerCount": 1}
    area = {"width": size[0], "height": size[1]}
    length = _TEXEL * size[0] * size[1]
    with scope(device) as create:
        usage = ["VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", "VK_IMAGE_USAGE_TRANSFER_SRC_BIT"]
        target, view = image_of(device, create, "2d", _FORMAT, size, whole, usage)
        texels, memory = buffer_of(device, create, bytes(length), "VK_BUFFER_USAGE_TRANSFER_DST_BIT")
        render_pass = create("VkRenderPass", _RENDER_PASS)
        frame = {"renderPass": render_pass, "attachmentCount": 1, "pAttachments": [view], "layers": 1}
        framebuffer = create("VkFramebuffer", frame | area)
        layout, sets = (bound or _bound)(device, create, resources)
        modules = {"VERTEX": compiled(_COVERING, "vert", "-V"), "FRAGMENT": fragment}
        made = {
            f"VK_SHADER_STAGE_{stage}_BIT": create("VkShaderModule", {"codeSize": len(code), "pCode": code})
            for stage, code in modules.items()
        }
        stages = [{"stage": stage, "module": module, "pName": "main"} for stage, module in made.items()]
        info = {"stageCount": 2, "pStages": stages, "layout": layout, "renderPass": render_pass} | _fixed(area)
        begin = {"renderPass": render_pass, "framebuffer": framebuffer, "renderArea": {"extent": area}}
        begin |= {"clearValueCount": 1, "pClearValues": [{"color": {"uint32": [0, 0, 0, 0]}}]}
        with _pipeline(device, info) as pipeline, commands(device) as (call, keep):
            call("BeginRenderPass", structs().new("VkRenderPassBeginInfo", begin, keep), 0)
            call("BindPipeline", 0, pipeline)
            call("BindDescriptorSets", 0, layout, 0, len(sets), sets, 0, device.calls.ffi.NULL)
            call("Draw", 3, 1, 0, 0)
            call("EndRenderPass")
            barrier(call, keep)
            copy = structs().new("VkBufferImageCopy", region(size, whole), keep)
            call("CopyImageToBuffer", target, 6, texels, 1, copy)  # 6: TRANSFER_SRC_OPTIMAL
        with mapped(device, memory, length) as content:
            return bytes(content)


def _bound(device: Device, create: Create, resources: Mapping[tuple[int, int], Resource]) -> tuple[int, Any]:
    """Create a pipeline layout and descriptor sets with the resources."""
    count = max(number for number, _ in resources) + 1
    rows: list[list[dict[str, Any]]] = [[] for _ in range(count)]
    for (number, binding), resource in resources.items():
        row = {"binding": binding, "stageFlags": ["VK_SHADER_STAGE_FRAGMENT_BIT"]}
        rows[number].append(row | {"descriptorType": resource.kind, "descriptorCount": resource.elements})
    layouts = [create("VkDescriptorSetLayout", {"bindingCount": len(row), "pBindings": row}) for row in rows]
    layout = create("VkPipelineLayout", {"setLayoutCount": count, "pSetLayouts": layouts})
    sizes = [{"type": resource.kind, "descriptorCount": resource.elements} for resource in resources.values()]
    pool = create("VkDescriptorPool", {"maxSets": count, "poolSizeCount": len(sizes), "pPoolSizes": sizes})
    keep: list[Any] = []
    sets = device.calls.ffi.new("VkDescriptorSet[]", count)
    wanted = {"descriptorPool": pool, "descriptorSetCount": count, "pSetLayouts": layouts}
    _checked(device, "vkAllocateDescriptorSets", structs().new("VkDescriptorSetAllocateInfo", wanted, keep), sets)
    writes = []
    for (number, binding), resource in resources.items():
        write: dict[str, Any] = {"dstSet": sets[number], "dstBinding": binding, "descriptorType": resource.kind}
        write["descriptorCount"] = resource.elements
        if resource.pairs:
            read = "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL"
            write["pImageInfo"] = [{"sampler": s, "imageView": v, "imageLayout": read} for v, s in resource.pairs]
        else:
            usage = resource.kind.replace("DESCRIPTOR_TYPE", "BUFFER_USAGE") + "_BIT"
            buffer, _ = buffer_of(device, create, resource.content, usage)
            write["pBufferInfo"] = [{"buffer": buffer, "range": len(resource.content)}]
        writes.append(write)
    made = structs().array("VkWriteDescriptorSet", writes, keep)
    device.calls.vkUpdateDescriptorSets(device.handle, len(writes), made, 0, device.calls.ffi.NULL)
    return layout, sets


#: Create infos as far as they are not zeros.
_RENDER_PASS: Final = {
    "attachmentCount": 1,
    "pAttachments": [
        {
            "format": _FORMAT,
            "samples": "VK_SAMPLE_COUNT_1_BIT",
            "loadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR",
            "finalLayout": "VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL",
        }
    ],
    "subpassCount": 1,
    "pSubpasses": [
        {
            "colorAttachmentCount": 1,
            "pColorAttachments": [{"attachment": 0, "layout": "VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"}],
        }
    ],
}


def _fixed(area: Mapping[str, int]) -> dict[str, Any]:
    """Return a graphics pipeline's states for triangles over the whole target, written as they are."""
    viewports = {"viewportCount": 1, "pViewports": [{**area, "maxDepth": 1.0}]}
    return {
        "pVertexInputState": {},
        "pInputAssemblyState": {"topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST"},
        "pViewportState": viewports | {"scissorCount": 1, "pScissors": [{"extent": area}]},
        "pRasterizationState": {"lineWidth": 1.0},
        "pMultisampleState": {"rasterizationSamples": "VK_SAMPLE_COUNT_1_BIT"},
        "pColorBlendState": {"attachmentCount": 1, "pAttachments": [{"colorWriteMask": 15}]},
    }


def _checked(device: Device, name: str, *arguments: Any) -> None:
    """Call a function of the device."""
    device.check(name, getattr(device.calls, name)(device.handle, *arguments))


@contextmanager
def _pipeline(device: Device, info: Mapping[str, Any]) -> Iterator[int]:
    keep: list[Any] = []
    out, null = device.calls.ffi.new("VkPipeline *"), device.calls.ffi.NULL
    made = structs().new("VkGraphicsPipelineCreateInfo", info, keep)
    _checked(device, "vkCreateGraphicsPipelines", 0, 1, made, null, out)
    try:
        yield out[0]
    finally:
        device.calls.vkDestroyPipeline(device.handle, out[0], null)


@contextmanager
def texture(
    device: Device,
    shape: str,
    format: str,  # noqa: A002 (Vulkan's own name)
    size: Sequence[int],
    levels: Sequence[bytes],
    *,
    layers: int = 1,
    depth: bool = False,
    view: Mapping[str, Any] | None = None,
) -> Iterator[int]:
    """Yield a view of an image that holds these texels, ready to be sampled.

    ``shape``: ``1d``, ``2d``, ``3d``, ``1d-array`` or ``2d-array``. ``format``: ``VK_FORMAT_*`` of colour, or with
    ``depth`` of depth, with 1, 2, 4, 8 or 16 bytes a texel. ``size``: width; width and height; or width, height and
    depth, in texels. ``levels``: the texels of each level from 0 on: of each layer its slices, of each its rows,
    tightly packed. ``view``: the view's create info without its image; None: of all of it, as it is.
    """
    aspect = f"VK_IMAGE_ASPECT_{'DEPTH' if depth else 'COLOR'}_BIT"
    whole = {"aspectMask": [aspect], "levelCount": len(levels), "layerCount": layers}
    with scope(device) as create:
        usage = ["VK_IMAGE_USAGE_SAMPLED_BIT", "VK_IMAGE_USAGE_TRANSFER_DST_BIT"]
        image, made = image_of(device, create, shape, format, size, whole, usage, view)
        staged, regions = bytearray(), []
        for level, texels in enumerate(levels):
            regions.append(region([max(1, n >> level) for n in size], whole, level) | {"bufferOffset": len(staged)})
            staged += texels + bytes(-len(texels) % _ALIGN)
        source, _ = buffer_of(device, create, bytes(staged), "VK_BUFFER_USAGE_TRANSFER_SRC_BIT")
        change = {"image": image, "subresourceRange": whole}
        with commands(device) as (call, keep):
            barrier(call, keep, change | _layouts("UNDEFINED", "TRANSFER_DST_OPTIMAL"))
            copies = structs().array("VkBufferImageCopy", regions, keep)
            call("CopyBufferToImage", source, image, 7, len(regions), copies)  # 7: TRANSFER_DST_OPTIMAL
            barrier(call, keep, change | _layouts("TRANSFER_DST_OPTIMAL", "SHADER_READ_ONLY_OPTIMAL"))
        yield made


@contextmanager
def scope(device: Device) -> Iterator[Create]:
    """Yield a `create` whose objects are destroyed at the end of the block, the youngest first."""
    with ExitStack() as stack:

        def create(kind: str, info: Mapping[str, Any]) -> int:
            handle = device.create(kind, info)
            stack.callback(device.destroy, kind, handle)
            return handle

        yield create


def image_of(  # noqa: PLR0917 (an image's own order)
    device: Device,
    create: Create,
    shape: str,
    format_name: str,
    size: Sequence[int],
    whole: Mapping[str, Any],
    usage: Sequence[str],
    view: Mapping[str, Any] | None = None,
) -> tuple[int, int]:
    """Create an image with its memory, and a view of it; ``view`` as for `texture`."""
    kind = shape.upper().replace("-", "_")
    counts = {"mipLevels": whole["levelCount"], "arrayLayers": whole["layerCount"]}
    info = {"imageType": f"VK_IMAGE_TYPE_{kind[:2]}", "format": format_name, "extent": _extent(size), "usage": usage}
    image = create("VkImage", info | counts | {"samples": "VK_SAMPLE_COUNT_1_BIT"})
    _allocate(device, create, "Image", image)
    own = {"viewType": f"VK_IMAGE_VIEW_TYPE_{kind}", "format": format_name, "subresourceRange": whole}
    return image, create("VkImageView", {**(own if view is None else view), "image": image})


def buffer_of(device: Device, create: Create, content: bytes, usage: str) -> tuple[int, int]:
    """Create a buffer with a content; returns it and its memory."""
    handle = create("VkBuffer", {"size": len(content), "usage": [usage]})
    memory = _allocate(device, create, "Buffer", handle, _VISIBLE)
    with mapped(device, memory, len(content)) as there:
        there[:] = content
    return handle, memory


@contextmanager
def mapped(device: Device, memory: int, size: int) -> Iterator[Any]:
    """Yield a buffer's bytes, to read and to write."""
    ffi = device.calls.ffi
    out = ffi.new("void **")
    _checked(device, "vkMapMemory", memory, 0, size, 0, out)
    try:
        yield ffi.buffer(out[0], size)
    finally:
        device.calls.vkUnmapMemory(device.handle, memory)


@contextmanager
def commands(device: Device) -> Iterator[tuple[Callable[..., None], list[Any]]]:
    """Yield a caller of ``vkCmd*`` and a list that keeps its structs; at the end of the block all is run."""
    calls, ffi = device.calls, device.calls.ffi
    keep: list[Any] = []
    with scope(device) as create:
        pool = create("VkCommandPool", {"queueFamilyIndex": device.queue_family})
        buffers, queue = ffi.new("VkCommandBuffer[1]"), ffi.new("VkQueue *")
        info = structs().new("VkCommandBufferAllocateInfo", {"commandBufferCount": 1, "commandPool": pool}, keep)
        _checked(device, "vkAllocateCommandBuffers", info, buffers)
        begin = structs().new("VkCommandBufferBeginInfo", {"flags": 1}, keep)
        device.check("vkBeginCommandBuffer", calls.vkBeginCommandBuffer(buffers[0], begin))

        def call(name: str, *arguments: Any) -> None:
            getattr(calls, f"vkCmd{name}")(buffers[0], *arguments)

        yield call, keep
        barrier(call, keep)
        device.check("vkEndCommandBuffer", calls.vkEndCommandBuffer(buffers[0]))
        calls.vkGetDeviceQueue(device.handle, device.queue_family, 0, queue)
        submit = structs().new("VkSubmitInfo", {"commandBufferCount": 1}, keep)
        submit.pCommandBuffers = buffers
        device.check("vkQueueSubmit", calls.vkQueueSubmit(queue[0], 1, submit, 0))
        device.check("vkQueueWaitIdle", calls.vkQueueWaitIdle(queue[0]))


def barrier(call: Callable[..., None], keep: list[Any], *changes: Mapping[str, Any]) -> None:
    """Make everything before visible to everything after, the processor too, and change images' layouts."""
    null = definitions().ffi.NULL
    every, read_write, host, host_read = 0x10000, 0x18000, 0x4000, 0x2000  # stages and accesses
    access = {"srcAccessMask": read_write, "dstAccessMask": read_write | host_read}
    memory = structs().new("VkMemoryBarrier", access, keep)
    families = {"srcQueueFamilyIndex": _IGNORED, "dstQueueFamilyIndex": _IGNORED}
    images = structs().array("VkImageMemoryBarrier", [{**access, **families, **change} for change in changes], keep)
    call("PipelineBarrier", every, every | host, 0, 1, memory, 0, null, len(changes), images)


def _allocate(device: Device, create: Create, kind: str, handle: int, wanted: Sequence[str] = ()) -> int:
    """Give an image or a buffer its memory; returns the memory."""
    needs = device.calls.ffi.new("VkMemoryRequirements *")
    getattr(device.calls, f"vkGet{kind}MemoryRequirements")(device.handle, handle, needs)
    for number, one in enumerate(device.physical.memory()["memoryTypes"]):
        if needs.memoryTypeBits >> number & 1 and set(wanted) <= set(one["propertyFlags"]):
            memory = create("VkDeviceMemory", {"allocationSize": needs.size, "memoryTypeIndex": number})
            _checked(device, f"vkBind{kind}Memory", handle, memory, 0)
            return memory
    raise NoDevice(TITLE, f"no memory for a {kind.lower()} that is {', '.join(wanted)}")


def _extent(size: Sequence[int]) -> dict[str, int]:
    return dict(zip(("width", "height", "depth"), (*size, 1, 1), strict=False))


def region(size: Sequence[int], whole: Mapping[str, Any], level: int = 0) -> dict[str, Any]:
    """Return a ``VkBufferImageCopy`` of one level, at the start of a buffer."""
    layers = {"aspectMask": whole["aspectMask"], "mipLevel": level, "layerCount": whole["layerCount"]}
    return {"imageSubresource": layers, "imageExtent": _extent(size)}


def _layouts(old: str, new: str) -> dict[str, str]:
    return {"oldLayout": f"VK_IMAGE_LAYOUT_{old}", "newLayout": f"VK_IMAGE_LAYOUT_{new}"}
