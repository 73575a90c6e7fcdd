"""Draw once on a Vulkan device: a fragment shader, textures, samplers and buffers in, texels out.

The target has four 32-bit floats a texel and is covered by one triangle with one sample a texel, so texel (x, y) is the
fragment whose gl_FragCoord is (x + 0.5, y + 0.5); row 0 comes first. What the shader reads is given by (set, binding)::

    with texture(device, "2d", "VK_FORMAT_R8G8B8A8_UNORM", (8, 8), [texels]) as view:
        resources = {(0, 0): combined((view, sampler)), (0, 1): storage(bytes(64))}
        drawn = draw(device, module, (4, 4), resources)

Sizes are not checked: what a shader reads beyond the end of a buffer is undefined.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.bindings.vulkan_calls import structs
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.vulkan_memory import barrier, buffer_of, commands, image_of, mapped, region, scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from statetracker.bindings.vulkan_device import Device
    from tools.proofs.pixels.vulkan_memory import Create

_FORMAT: Final = "VK_FORMAT_R32G32B32A32_SFLOAT"
_TEXEL: Final = 16  # bytes
_COLOR: Final = "VK_IMAGE_ASPECT_COLOR_BIT"

#: A vertex shader whose three vertices cover the target.
_COVERING: Final = """\
#version 450
void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""


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
    whole = {"aspectMask": [_COLOR], "levelCount": 1, "layerCount": 1}
    area = {"width": size[0], "height": size[1]}
    length = _TEXEL * size[0] * size[1]
    with scope(device) as create:
        usage = ["VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", "VK_IMAGE_USAGE_TRANSFER_SRC_BIT"]
        target, view = image_of(device, create, shape="2d", format_name=_FORMAT, size=size, whole=whole, usage=usage)
        texels, memory = buffer_of(device, create, bytes(length), "VK_BUFFER_USAGE_TRANSFER_DST_BIT")
        render_pass = create("VkRenderPass", _render_pass())
        frame = {"renderPass": render_pass, "attachmentCount": 1, "pAttachments": [view], "layers": 1}
        framebuffer = create("VkFramebuffer", frame | area)
        layout, sets = (bound or _bound)(device, create, resources)
        modules = {"VERTEX": compiled(_COVERING, "vert", "-V"), "FRAGMENT": fragment}
        stages = [
            {
                "stage": f"VK_SHADER_STAGE_{stage}_BIT",
                "module": create("VkShaderModule", {"codeSize": len(code), "pCode": code}),
                "pName": "main",
            }
            for stage, code in modules.items()
        ]
        pipeline_info = {"stageCount": 2, "pStages": stages, "layout": layout, "renderPass": render_pass}
        begin_info = {"renderPass": render_pass, "framebuffer": framebuffer, "renderArea": {"extent": area}}
        begin_info |= {"clearValueCount": 1, "pClearValues": [{"color": {"uint32": [0, 0, 0, 0]}}]}
        with _pipeline(device, pipeline_info | _fixed(size)) as pipeline, commands(device) as (call, keep):
            call("BeginRenderPass", structs().new("VkRenderPassBeginInfo", begin_info, keep), 0)
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
    layouts = []
    for number in range(count):
        rows = [
            {
                "binding": binding,
                "descriptorType": resource.kind,
                "descriptorCount": resource.elements,
                "stageFlags": ["VK_SHADER_STAGE_FRAGMENT_BIT"],
            }
            for (of, binding), resource in resources.items()
            if of == number
        ]
        layouts.append(create("VkDescriptorSetLayout", {"bindingCount": len(rows), "pBindings": rows}))
    layout = create("VkPipelineLayout", {"setLayoutCount": count, "pSetLayouts": layouts})
    sizes = [{"type": resource.kind, "descriptorCount": resource.elements} for resource in resources.values()]
    pool = create("VkDescriptorPool", {"maxSets": count, "poolSizeCount": len(sizes), "pPoolSizes": sizes})
    calls = device.calls
    keep: list[Any] = []
    sets = calls.ffi.new("VkDescriptorSet[]", count)
    wanted = {"descriptorPool": pool, "descriptorSetCount": count, "pSetLayouts": layouts}
    info = structs().new("VkDescriptorSetAllocateInfo", wanted, keep)
    device.check("vkAllocateDescriptorSets", calls.vkAllocateDescriptorSets(device.handle, info, sets))
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
    calls.vkUpdateDescriptorSets(device.handle, len(writes), made, 0, calls.ffi.NULL)
    return layout, sets


def _render_pass() -> dict[str, Any]:
    color = {
        "format": _FORMAT,
        "samples": "VK_SAMPLE_COUNT_1_BIT",
        "loadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR",
        "storeOp": "VK_ATTACHMENT_STORE_OP_STORE",
        "stencilLoadOp": "VK_ATTACHMENT_LOAD_OP_DONT_CARE",
        "stencilStoreOp": "VK_ATTACHMENT_STORE_OP_DONT_CARE",
        "initialLayout": "VK_IMAGE_LAYOUT_UNDEFINED",
        "finalLayout": "VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL",
    }
    subpass = {
        "pipelineBindPoint": "VK_PIPELINE_BIND_POINT_GRAPHICS",
        "colorAttachmentCount": 1,
        "pColorAttachments": [{"attachment": 0, "layout": "VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"}],
    }
    return {"attachmentCount": 1, "pAttachments": [color], "subpassCount": 1, "pSubpasses": [subpass]}


def _fixed(size: tuple[int, int]) -> dict[str, Any]:
    """Return a graphics pipeline's states for triangles over the whole target, written as they are."""
    area = {"width": size[0], "height": size[1]}
    viewport = {"width": float(size[0]), "height": float(size[1]), "maxDepth": 1.0}
    return {
        "pVertexInputState": {},
        "pInputAssemblyState": {"topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST"},
        "pViewportState": {
            "viewportCount": 1,
            "pViewports": [viewport],
            "scissorCount": 1,
            "pScissors": [{"extent": area}],
        },
        "pRasterizationState": {"lineWidth": 1.0},
        "pMultisampleState": {"rasterizationSamples": "VK_SAMPLE_COUNT_1_BIT"},
        "pColorBlendState": {"attachmentCount": 1, "pAttachments": [{"colorWriteMask": 15}]},
    }


@contextmanager
def _pipeline(device: Device, info: Mapping[str, Any]) -> Iterator[int]:
    calls, out = device.calls, device.calls.ffi.new("VkPipeline *")
    keep: list[Any] = []
    made = structs().new("VkGraphicsPipelineCreateInfo", info, keep)
    null = calls.ffi.NULL
    device.check("vkCreateGraphicsPipelines", calls.vkCreateGraphicsPipelines(device.handle, 0, 1, made, null, out))
    try:
        yield out[0]
    finally:
        calls.vkDestroyPipeline(device.handle, out[0], null)
