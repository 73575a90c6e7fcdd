"""`Commands`: one command buffer, recorded in a ``with`` block, then submitted and waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from statetracker.bindings.vulkan_calls import structs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.bindings.vulkan_device import Device

ASPECTS: Final = {
    "color": "VK_IMAGE_ASPECT_COLOR_BIT",
    "depth": "VK_IMAGE_ASPECT_DEPTH_BIT",
    "stencil": "VK_IMAGE_ASPECT_STENCIL_BIT",
}
_ALL: Final = 0x10000  # VK_PIPELINE_STAGE_ALL_COMMANDS_BIT: speed does not matter here
_READ_WRITE: Final = 0x18000  # VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT
_HOST: Final = 0x4000  # VK_PIPELINE_STAGE_HOST_BIT
_HOST_READ: Final = 0x2000
_FOREVER: Final = 0xFFFF_FFFF_FFFF_FFFF
_IGNORED: Final = 0xFFFF_FFFF  # VK_QUEUE_FAMILY_IGNORED


def layers_of(aspects: Sequence[str], level: int, layers: int) -> dict[str, Any]:
    """Give a ``VkImageSubresourceLayers``: all layers of one level."""
    return {
        "aspectMask": [ASPECTS[aspect] for aspect in aspects],
        "mipLevel": level,
        "baseArrayLayer": 0,
        "layerCount": layers,
    }


class Commands:
    """Records commands; leaving the block without an error runs them and waits until they are done.

    ``handle`` is the command buffer for calls that have no method here. Raises `DeviceLost` or `CallFailed`.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.calls = device.calls
        self._ffi: Any = device.calls.ffi
        self._pool = 0
        self.handle: Any = None

    def __enter__(self) -> Self:
        device, calls = self.device, self.calls
        self._pool = device.create("VkCommandPool", {"queueFamilyIndex": device.queue_family})
        keep: list[Any] = []
        wanted = {"commandPool": self._pool, "commandBufferCount": 1}
        info = structs().new("VkCommandBufferAllocateInfo", wanted, keep)
        out = self._ffi.new("VkCommandBuffer *")
        device.check("vkAllocateCommandBuffers", calls.vkAllocateCommandBuffers(device.handle, info, out))
        self.handle = out[0]
        begin = structs().new("VkCommandBufferBeginInfo", {"flags": 1}, keep)
        device.check("vkBeginCommandBuffer", calls.vkBeginCommandBuffer(self.handle, begin))
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        """Run what was recorded; after an error only clean up."""
        try:
            if kind is None:
                self._run()
        finally:
            self.device.destroy("VkCommandPool", self._pool)

    def _run(self) -> None:
        device, calls = self.device, self.calls
        self.barrier(to_host=True)
        device.check("vkEndCommandBuffer", calls.vkEndCommandBuffer(self.handle))
        queue = self._ffi.new("VkQueue *")
        calls.vkGetDeviceQueue(device.handle, device.queue_family, 0, queue)
        buffers = self._ffi.new("VkCommandBuffer[]", [self.handle])
        keep: list[Any] = []
        info = structs().new("VkSubmitInfo", {"commandBufferCount": 1}, keep)
        info.pCommandBuffers = buffers
        with device.scope() as create:
            fence = create("VkFence", {})
            device.check("vkQueueSubmit", calls.vkQueueSubmit(queue[0], 1, info, fence))
            fences = self._ffi.new("VkFence[]", [fence])
            device.check("vkWaitForFences", calls.vkWaitForFences(device.handle, 1, fences, 1, _FOREVER))

    def barrier(self, *, to_host: bool = False) -> None:
        """Make everything before visible to everything after; with ``to_host`` to the processor too."""
        keep: list[Any] = []
        access = _READ_WRITE | (_HOST_READ if to_host else 0)
        memory = structs().new("VkMemoryBarrier", {"srcAccessMask": _READ_WRITE, "dstAccessMask": access}, keep)
        null = self._ffi.NULL
        stages = _ALL | (_HOST if to_host else 0)
        self.calls.vkCmdPipelineBarrier(self.handle, _ALL, stages, 0, 1, memory, 0, null, 0, null)

    def change_layout(self, image: int, aspects: Sequence[str], old: str, new: str) -> None:
        """Change the layout of a whole image: ``UNDEFINED``, ``GENERAL``, ``TRANSFER_DST_OPTIMAL`` ..."""
        keep: list[Any] = []
        change = {
            "srcAccessMask": _READ_WRITE,
            "dstAccessMask": _READ_WRITE,
            "oldLayout": f"VK_IMAGE_LAYOUT_{old}",
            "newLayout": f"VK_IMAGE_LAYOUT_{new}",
            "srcQueueFamilyIndex": _IGNORED,
            "dstQueueFamilyIndex": _IGNORED,
            "image": image,
            "subresourceRange": {
                "aspectMask": [ASPECTS[aspect] for aspect in aspects],
                "levelCount": _IGNORED,  # VK_REMAINING_MIP_LEVELS has the same bits
                "layerCount": _IGNORED,
            },
        }
        made = structs().new("VkImageMemoryBarrier", change, keep)
        null = self._ffi.NULL
        self.calls.vkCmdPipelineBarrier(self.handle, _ALL, _ALL, 0, 0, null, 0, null, 1, made)

    def copy_to_image(self, buffer: int, image: int, regions: Sequence[Mapping[str, Any]]) -> None:
        """Copy parts of a buffer (``VkBufferImageCopy``) into an image in TRANSFER_DST_OPTIMAL."""
        keep: list[Any] = []
        made = structs().array("VkBufferImageCopy", regions, keep)
        self.calls.vkCmdCopyBufferToImage(self.handle, buffer, image, 7, len(regions), made)

    def copy_to_buffer(self, image: int, buffer: int, regions: Sequence[Mapping[str, Any]]) -> None:
        """Copy parts of an image in TRANSFER_SRC_OPTIMAL into a buffer."""
        keep: list[Any] = []
        made = structs().array("VkBufferImageCopy", regions, keep)
        self.calls.vkCmdCopyImageToBuffer(self.handle, image, 6, buffer, len(regions), made)
