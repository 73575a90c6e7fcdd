"""Textures and buffers on a Vulkan device, and commands that are run at once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_calls import TITLE, structs
from statetracker.errors import NoDevice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from statetracker.bindings.vulkan_device import Device

    Create = Callable[[str, Mapping[str, Any]], int]

_ALIGN: Final = 16  # of texels in a buffer: a multiple of 4 and of a texel's size, as copies want their offsets
_VISIBLE: Final = ("VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT", "VK_MEMORY_PROPERTY_HOST_COHERENT_BIT")
_IGNORED: Final = 0xFFFF_FFFF  # VK_QUEUE_FAMILY_IGNORED


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
    whole = {
        "aspectMask": [f"VK_IMAGE_ASPECT_{'DEPTH' if depth else 'COLOR'}_BIT"],
        "levelCount": len(levels),
        "layerCount": layers,
    }
    with scope(device) as create:
        usage = ["VK_IMAGE_USAGE_SAMPLED_BIT", "VK_IMAGE_USAGE_TRANSFER_DST_BIT"]
        image, made = image_of(
            device, create, shape=shape, format_name=format, size=size, whole=whole, usage=usage, view=view
        )
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
    made: list[tuple[str, int]] = []

    def create(kind: str, info: Mapping[str, Any]) -> int:
        made.append((kind, device.create(kind, info)))
        return made[-1][1]

    try:
        yield create
    finally:
        for kind, handle in reversed(made):
            device.destroy(kind, handle)


def image_of(
    device: Device,
    create: Create,
    *,
    shape: str,
    format_name: str,
    size: Sequence[int],
    whole: Mapping[str, Any],
    usage: Sequence[str],
    view: Mapping[str, Any] | None = None,
) -> tuple[int, int]:
    """Create an image with its memory, and a view of it; ``view`` as for `texture`."""
    kind = shape.upper().replace("-", "_")
    info = {
        "imageType": f"VK_IMAGE_TYPE_{kind[:2]}",
        "format": format_name,
        "extent": _extent(size),
        "mipLevels": whole["levelCount"],
        "arrayLayers": whole["layerCount"],
        "samples": "VK_SAMPLE_COUNT_1_BIT",
        "usage": usage,
    }
    image = create("VkImage", info)
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
    calls, out = device.calls, device.calls.ffi.new("void **")
    device.check("vkMapMemory", calls.vkMapMemory(device.handle, memory, 0, size, 0, out))
    try:
        yield calls.ffi.buffer(out[0], size)
    finally:
        calls.vkUnmapMemory(device.handle, memory)


@contextmanager
def commands(device: Device) -> Iterator[tuple[Callable[..., None], list[Any]]]:
    """Yield a caller of ``vkCmd*`` and a list that keeps its structs; at the end of the block all is run."""
    calls, ffi = device.calls, device.calls.ffi
    keep: list[Any] = []
    with scope(device) as create:
        wanted = {"commandBufferCount": 1}
        wanted["commandPool"] = create("VkCommandPool", {"queueFamilyIndex": device.queue_family})
        buffers = ffi.new("VkCommandBuffer[1]")
        info = structs().new("VkCommandBufferAllocateInfo", wanted, keep)
        device.check("vkAllocateCommandBuffers", calls.vkAllocateCommandBuffers(device.handle, info, buffers))
        begin = structs().new("VkCommandBufferBeginInfo", {"flags": 1}, keep)
        device.check("vkBeginCommandBuffer", calls.vkBeginCommandBuffer(buffers[0], begin))

        def call(name: str, *arguments: Any) -> None:
            getattr(calls, f"vkCmd{name}")(buffers[0], *arguments)

        yield call, keep
        barrier(call, keep)
        device.check("vkEndCommandBuffer", calls.vkEndCommandBuffer(buffers[0]))
        queue = ffi.new("VkQueue *")
        calls.vkGetDeviceQueue(device.handle, device.queue_family, 0, queue)
        submit = structs().new("VkSubmitInfo", {"commandBufferCount": 1}, keep)
        submit.pCommandBuffers = buffers
        device.check("vkQueueSubmit", calls.vkQueueSubmit(queue[0], 1, submit, 0))
        device.check("vkQueueWaitIdle", calls.vkQueueWaitIdle(queue[0]))


def barrier(call: Callable[..., None], keep: list[Any], *changes: Mapping[str, Any]) -> None:
    """Make everything before visible to everything after, the processor too, and change images' layouts."""
    null = definitions("vulkan").ffi.NULL
    every, read_write, host, host_read = 0x10000, 0x18000, 0x4000, 0x2000  # stages and accesses
    access = {"srcAccessMask": read_write, "dstAccessMask": read_write | host_read}
    memory = structs().new("VkMemoryBarrier", access, keep)
    families = {"srcQueueFamilyIndex": _IGNORED, "dstQueueFamilyIndex": _IGNORED}
    images = structs().array("VkImageMemoryBarrier", [{**access, **families, **change} for change in changes], keep)
    call("PipelineBarrier", every, every | host, 0, 1, memory, 0, null, len(changes), images)


def _allocate(device: Device, create: Create, kind: str, handle: int, wanted: Sequence[str] = ()) -> int:
    """Return an image or a buffer its memory; returns the memory."""
    calls = device.calls
    needs = calls.ffi.new("VkMemoryRequirements *")
    getattr(calls, f"vkGet{kind}MemoryRequirements")(device.handle, handle, needs)
    types = device.physical.memory()["memoryTypes"]
    for number, one in enumerate(types):
        if needs.memoryTypeBits >> number & 1 and set(wanted) <= set(one["propertyFlags"]):
            memory = create("VkDeviceMemory", {"allocationSize": needs.size, "memoryTypeIndex": number})
            bind = f"vkBind{kind}Memory"
            device.check(bind, getattr(calls, bind)(device.handle, handle, memory, 0))
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
