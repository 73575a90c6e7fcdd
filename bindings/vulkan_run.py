"""One draw or dispatch of Vulkan: SPIR-V modules, textures and buffers in, texels out.

A draw covers a target of w x h texels with one triangle, one sample each, so that texel (x, y) is the fragment whose
gl_FragCoord is (x + 0.5, y + 0.5); row 0 comes first. What a shader reads is given by (set, binding) as one of
`vulkan_descriptors`'s resources::

    resources = {(0, 0): combined((texture, sampler)), (0, 1): storage(bytes(64))}
    texels = draw(device, {"vertex": covering(), "fragment": module}, (4, 4), resources).texels

Sizes are not checked: what a shader reads beyond the end of a buffer is undefined.
"""

from __future__ import annotations

from base64 import b85decode
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import decompress

from statetracker.bindings.vulkan_calls import structs
from statetracker.bindings.vulkan_commands import Commands, layers_of
from statetracker.bindings.vulkan_descriptors import STAGES, Bound
from statetracker.bindings.vulkan_memory import Buffer, Target
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.bindings.vulkan_descriptors import Create, Place, Resource
    from statetracker.bindings.vulkan_device import Device


#: What a draw's target holds -> its format, four channels of 32 bits each.
KINDS: Final = {
    "float": "VK_FORMAT_R32G32B32A32_SFLOAT",
    "int": "VK_FORMAT_R32G32B32A32_SINT",
    "uint": "VK_FORMAT_R32G32B32A32_UINT",
}

#: A vertex shader whose three vertices cover the target; ``at`` runs from (0, 0) to (1, 1) over it.
COVERING: Final = """\
#version 450
layout(location = 0) out vec2 at;
void main() {
    at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
"""


#: `COVERING` as glslangValidator 12 makes it (``-V``), compressed.
_COVERING_SPIRV: Final = (
    "c-l>qT}uK{5Qfk0>aMAMm}OaNmStHGT~q|o7X=k~Q3&0J<Pr<EhHfBT1>N_f>Y~5YP0-"
    "AockQf<XXlxB=FHC7b?lm_l%+B%r8bqma>^#6h`F*}He1c@LDbpa-P_^#gmOg3u}R9~D?#?u4nn>kBg>MN$sGFGw0@E}Nh(v9q!?"
    "@45#PI#^Vq$=^ZSuMybe45Q1eC2Z~VRvajpxl5bF(sDCmVmJ>gc&gD`3ZufERFF<ZyZyTS8CFo@dWgFlKnh`n^XqZs#D#$K271l)"
    "7Q@Ut>2CG)!?b=+45Ys@S#%V0K`V=xCSA@!Y+E>HiwF3VIkE6|-wYn5z{GCX-"
    "s9jlU`LOte(@W;Sr$xkEKf<Epq4Sfb@$!rVy3Bz}#j$Eg_{~Y#Dp#D7SE9luTBELlb0`x_hsXo)V#sZA{Dxv2^^i>+YU;lkojD1|"
    "06JKv9vA>Eq*V{lY@3l{Jx6!i#{~?m3^$4}cF^6xWX?gE8<5~1je+oR#$sy+pIn!WfP9FS*G<-"
    "%gsKfjNtN_k)KE^jwz&;#b!kNbUD%h-1cLnocdk3pQ%duPe(v(^QR|cztSyIoFnXN-x$6UGY8R>bh4V+B{{WhTgr3wdRe;*)3MF"
)


@cache
def covering() -> bytes:
    """Give the SPIR-V of `COVERING`."""
    return decompress(b85decode(_COVERING_SPIRV))


class Drawn(NamedTuple):
    """What a draw left: the target's texels, rows from the first, 16 bytes a texel; and the storage buffers."""

    texels: bytes
    storage: dict[Place, bytes]


def draw(
    device: Device,
    modules: Mapping[str, bytes],
    size: tuple[int, int],
    resources: Mapping[Place, Resource] | None = None,
    *,
    kind: str = "float",
    push: bytes = b"",
    vertices: int = 3,
) -> Drawn:
    """Draw once over a target of ``size`` (width, height).

    modules    stage (`STAGES`) -> SPIR-V; `covering` gives a vertex shader
    resources  (set, binding) -> what the shaders read
    kind       what output 0 is: ``float``, ``int`` or ``uint``; not written is 0
    push       push constants, from offset 0
    vertices   how many to draw, as triangles

    Raises `DeviceLost` or `CallFailed`.
    """
    if kind not in KINDS:
        raise ArgumentError("kind", kind, accepted=", ".join(KINDS))
    width, height = size
    with ExitStack() as stack:
        create = stack.enter_context(device.scope())
        bound = stack.enter_context(Bound(device, resources or {}, list(modules), push))
        target = stack.enter_context(Target(device, KINDS[kind], size))
        render_pass = create("VkRenderPass", _render_pass(KINDS[kind]))
        frame = {"renderPass": render_pass, "attachmentCount": 1, "pAttachments": [target.view]}
        framebuffer = create("VkFramebuffer", frame | {"width": width, "height": height, "layers": 1})
        info = _graphics(_stages(create, modules), bound.layout, render_pass, size)
        pipeline = device.create_pipeline("Graphics", info)
        stack.callback(device.destroy, "VkPipeline", pipeline)
        texels = Buffer(device, bytes(16 * width * height), ["VK_BUFFER_USAGE_TRANSFER_DST_BIT"])
        stack.enter_context(texels)
        with Commands(device) as record:
            _begin_pass(record, render_pass, framebuffer, size)
            bound.record(record, "GRAPHICS", pipeline, push)
            record.calls.vkCmdDraw(record.handle, vertices, 1, 0, 0)
            record.calls.vkCmdEndRenderPass(record.handle)
            record.barrier()
            extent = {"width": width, "height": height, "depth": 1}
            region = {"imageSubresource": layers_of(["color"], 0, 1), "imageExtent": extent}
            record.copy_to_buffer(target.image, texels.handle, [region])
        return Drawn(texels.read(), bound.contents())


def dispatch(
    device: Device,
    module: bytes,
    groups: tuple[int, int, int],
    resources: Mapping[Place, Resource] | None = None,
    *,
    push: bytes = b"",
) -> dict[Place, bytes]:
    """Dispatch work groups once and give what the storage buffers hold afterwards; inputs as for `draw`."""
    with ExitStack() as stack:
        create = stack.enter_context(device.scope())
        bound = stack.enter_context(Bound(device, resources or {}, ["compute"], push))
        (stage,) = _stages(create, {"compute": module})
        pipeline = device.create_pipeline("Compute", {"stage": stage, "layout": bound.layout})
        stack.callback(device.destroy, "VkPipeline", pipeline)
        with Commands(device) as record:
            bound.record(record, "COMPUTE", pipeline, push)
            record.calls.vkCmdDispatch(record.handle, *groups)
        return bound.contents()


def _stages(create: Create, modules: Mapping[str, bytes]) -> list[dict[str, Any]]:
    return [
        {
            "stage": STAGES[stage],
            "module": create("VkShaderModule", {"codeSize": len(code), "pCode": code}),
            "pName": "main",
        }
        for stage, code in modules.items()
    ]


def _render_pass(format_name: str) -> dict[str, Any]:
    color = {
        "format": format_name,
        "samples": "VK_SAMPLE_COUNT_1_BIT",
        "loadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR",
        "storeOp": "VK_ATTACHMENT_STORE_OP_STORE",
        "stencilLoadOp": "VK_ATTACHMENT_LOAD_OP_DONT_CARE",
        "stencilStoreOp": "VK_ATTACHMENT_STORE_OP_DONT_CARE",
        "initialLayout": "VK_IMAGE_LAYOUT_UNDEFINED",
        "finalLayout": "VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL",
    }
    drawn = [{"attachment": 0, "layout": "VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"}]
    subpass = {
        "pipelineBindPoint": "VK_PIPELINE_BIND_POINT_GRAPHICS",
        "colorAttachmentCount": 1,
        "pColorAttachments": drawn,
    }
    return {"attachmentCount": 1, "pAttachments": [color], "subpassCount": 1, "pSubpasses": [subpass]}


def _graphics(
    stages: Sequence[Mapping[str, Any]], layout: int, render_pass: int, size: tuple[int, int]
) -> dict[str, Any]:
    """A pipeline of triangles that writes output 0 as it is."""
    width, height = size
    viewport = {"width": float(width), "height": float(height), "maxDepth": 1.0}
    scissor = {"extent": {"width": width, "height": height}}
    return {
        "stageCount": len(stages),
        "pStages": stages,
        "pVertexInputState": {},
        "pInputAssemblyState": {"topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST"},
        "pViewportState": {
            "viewportCount": 1,
            "pViewports": [viewport],
            "scissorCount": 1,
            "pScissors": [scissor],
        },
        "pRasterizationState": {"lineWidth": 1.0},
        "pMultisampleState": {"rasterizationSamples": "VK_SAMPLE_COUNT_1_BIT"},
        "pColorBlendState": {"attachmentCount": 1, "pAttachments": [{"colorWriteMask": 15}]},
        "layout": layout,
        "renderPass": render_pass,
    }


def _begin_pass(record: Commands, render_pass: int, framebuffer: int, size: tuple[int, int]) -> None:
    keep: list[Any] = []
    area = {"extent": {"width": size[0], "height": size[1]}}
    info = {"renderPass": render_pass, "framebuffer": framebuffer, "renderArea": area}
    info |= {"clearValueCount": 1, "pClearValues": [{"color": {"uint32": [0, 0, 0, 0]}}]}
    made = structs().new("VkRenderPassBeginInfo", info, keep)
    record.calls.vkCmdBeginRenderPass(record.handle, made, 0)
