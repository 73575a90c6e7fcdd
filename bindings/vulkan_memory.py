"""`Buffer` and `Texture`: memory on the device, filled from bytes and read back as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import Closing
from statetracker.bindings.vulkan_calls import TITLE
from statetracker.bindings.vulkan_commands import ASPECTS, Commands, layers_of
from statetracker.errors import ArgumentError, NoDevice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.bindings.vulkan_device import Device

_HOST: Final = frozenset({"VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT", "VK_MEMORY_PROPERTY_HOST_COHERENT_BIT"})
_ALIGN: Final = 96  # a multiple of 4 and of every texel block's size, as copies want their offsets

# fmt: off
#: Shape of a texture -> dimensions of its size, kind of image and of view; whether layers are counted by six.
SHAPES: Final = {
    "1d":         (1, "1D", "1D",         1),
    "2d":         (2, "2D", "2D",         1),
    "3d":         (3, "3D", "3D",         1),
    "cube":       (2, "2D", "CUBE",       6),
    "1d-array":   (1, "1D", "1D_ARRAY",   1),
    "2d-array":   (2, "2D", "2D_ARRAY",   1),
    "cube-array": (2, "2D", "CUBE_ARRAY", 6),
}
_SWIZZLES: Final = {
    "0": "ZERO", "1": "ONE", "r": "R", "g": "G", "b": "B", "a": "A", "x": "R", "y": "G", "z": "B", "w": "A",
}
# fmt: on


class _Owner(Closing):
    """Objects on a device that go together; use it with ``with``, `close` it, or leave it to the device's close."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._made: list[tuple[str, int]] = []

    def _create(self, kind: str, info: dict[str, Any]) -> int:
        handle = self.device.create(kind, info)
        self._made.append((kind, handle))
        return handle

    def _allocate(self, kind: str, handle: int, wanted: frozenset[str]) -> int:
        """Give an image or buffer memory of a kind; gives the memory."""
        device, calls = self.device, self.device.calls
        needs = calls.ffi.new("VkMemoryRequirements *")
        getattr(calls, f"vkGet{kind}MemoryRequirements")(device.handle, handle, needs)
        types = device.physical.memory()["memoryTypes"]
        allowed = [n for n in range(len(types)) if needs.memoryTypeBits >> n & 1]
        fitting = [n for n in allowed if wanted <= set(types[n]["propertyFlags"])]
        if not fitting:
            raise NoDevice(TITLE, f"no memory for a {kind.lower()} that is {', '.join(sorted(wanted))}")
        info = {"allocationSize": needs.size, "memoryTypeIndex": fitting[0]}
        memory = self._create("VkDeviceMemory", info)
        call = f"vkBind{kind}Memory"
        device.check(call, getattr(calls, call)(device.handle, handle, memory, 0))
        return memory

    def close(self) -> None:
        """Destroy it; a second time does nothing."""
        while self._made:
            self.device.destroy(*self._made.pop())


class Buffer(_Owner):
    """Memory that the processor and the device both see.

    content   what it holds at first; its length is the buffer's
    usage     ``VK_BUFFER_USAGE_*_BIT`` names
    """

    def __init__(self, device: Device, content: bytes, usage: Sequence[str]) -> None:
        super().__init__(device)
        self.size = len(content)
        try:
            self.handle = self._create("VkBuffer", {"size": max(1, self.size), "usage": list(usage)})
            self._memory = self._allocate("Buffer", self.handle, _HOST)
            self._map()[: self.size] = content
            self._unmap()
        except BaseException:
            self.close()
            raise

    def read(self) -> bytes:
        """Give what it holds now."""
        try:
            return bytes(self._map()[: self.size])
        finally:
            self._unmap()

    def _map(self) -> Any:
        device, ffi = self.device, self.device.calls.ffi
        out = ffi.new("void **")
        call = "vkMapMemory"
        device.check(call, getattr(device.calls, call)(device.handle, self._memory, 0, max(1, self.size), 0, out))
        return ffi.buffer(out[0], max(1, self.size))

    def _unmap(self) -> None:
        self.device.calls.vkUnmapMemory(self.device.handle, self._memory)


class Texture(_Owner):
    """An image with its texels, and a view of all of it, ready to be sampled.

    shape      one of `SHAPES`
    format     ``VK_FORMAT_*``
    size       width; width and height; or width, height and depth, in texels
    levels     the texels of each level from 0 on: of each layer (or face) its slices, of each its rows, tightly packed
               as Vulkan copies them (24-bit depth in 32 bits)
    layers     of an array: how many; of a cube array, how many cubes
    aspects    what the texels are: ``("color",)``, ``("depth",)`` or ``("stencil",)``; for depth and stencil together
               both, with ``stencil`` levels
    view       which aspect the view reads; default the first
    swizzle    four of ``rgba01``, what the view's channels are

    Raises `ArgumentError` for a size or texels that do not fit, `CallFailed` where Vulkan refuses.
    """

    def __init__(
        self,
        device: Device,
        shape: str,
        format: str,  # noqa: A002 (Vulkan's own name)
        size: tuple[int, ...],
        levels: Sequence[bytes],
        *,
        layers: int = 1,
        aspects: Sequence[str] = ("color",),
        stencil: Sequence[bytes] = (),
        view: str | None = None,
        swizzle: str = "rgba",
    ) -> None:
        super().__init__(device)
        _, image_kind, view_kind, faces = _shape(shape)
        _check(shape, size, levels, aspects=aspects, swizzle=swizzle)
        self.extent = (*size, 1, 1)[:3]
        self.format = format
        self.aspects = tuple(aspects)
        self._layers = layers * faces
        self._levels = len(levels)
        try:
            self.image = self._create("VkImage", self._info(image_kind, cube=faces == 6))
            self._allocate("Image", self.image, frozenset())
            self._fill([levels, stencil] if stencil else [levels])
            self.view = self._create("VkImageView", self._view(view_kind, view or aspects[0], swizzle))
        except BaseException:
            self.close()
            raise

    def _info(self, kind: str, *, cube: bool) -> dict[str, Any]:
        return {
            "flags": ["VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT"] if cube else 0,
            "imageType": f"VK_IMAGE_TYPE_{kind}",
            "format": self.format,
            "extent": dict(zip(("width", "height", "depth"), self.extent, strict=True)),
            "mipLevels": self._levels,
            "arrayLayers": self._layers,
            "samples": "VK_SAMPLE_COUNT_1_BIT",
            "usage": ["VK_IMAGE_USAGE_SAMPLED_BIT", "VK_IMAGE_USAGE_TRANSFER_DST_BIT"],
        }

    def _view(self, kind: str, aspect: str, swizzle: str) -> dict[str, Any]:
        channels = [f"VK_COMPONENT_SWIZZLE_{_SWIZZLES[letter]}" for letter in swizzle]
        return {
            "image": self.image,
            "viewType": f"VK_IMAGE_VIEW_TYPE_{kind}",
            "format": self.format,
            "components": dict(zip("rgba", channels, strict=True)),
            "subresourceRange": {
                "aspectMask": [ASPECTS[aspect]],
                "levelCount": self._levels,
                "layerCount": self._layers,
            },
        }

    def _fill(self, contents: Sequence[Sequence[bytes]]) -> None:
        staged = bytearray()
        regions = []
        for aspect, levels in zip(self.aspects, contents, strict=True):
            for level, texels in enumerate(levels):
                extent = [max(1, n >> level) for n in self.extent]
                regions.append(
                    {
                        "bufferOffset": len(staged),
                        "imageSubresource": layers_of([aspect], level, self._layers),
                        "imageExtent": dict(zip(("width", "height", "depth"), extent, strict=True)),
                    }
                )
                staged += texels
                staged += bytes(-len(staged) % _ALIGN)
        source = Buffer(self.device, bytes(staged), ["VK_BUFFER_USAGE_TRANSFER_SRC_BIT"])
        with source, Commands(self.device) as record:
            record.change_layout(self.image, self.aspects, "UNDEFINED", "TRANSFER_DST_OPTIMAL")
            record.copy_to_image(source.handle, self.image, regions)
            record.change_layout(self.image, self.aspects, "TRANSFER_DST_OPTIMAL", "SHADER_READ_ONLY_OPTIMAL")


class Target(_Owner):
    """A colour image to draw to and copy from: width and height, one level, one sample."""

    def __init__(self, device: Device, format: str, size: tuple[int, int]) -> None:  # noqa: A002 (Vulkan's own name)
        super().__init__(device)
        info = {
            "imageType": "VK_IMAGE_TYPE_2D",
            "format": format,
            "extent": {"width": size[0], "height": size[1], "depth": 1},
            "mipLevels": 1,
            "arrayLayers": 1,
            "samples": "VK_SAMPLE_COUNT_1_BIT",
            "usage": ["VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", "VK_IMAGE_USAGE_TRANSFER_SRC_BIT"],
        }
        try:
            self.image = self._create("VkImage", info)
            self._allocate("Image", self.image, frozenset())
            whole = {"aspectMask": [ASPECTS["color"]], "levelCount": 1, "layerCount": 1}
            view = {"image": self.image, "viewType": "VK_IMAGE_VIEW_TYPE_2D", "format": format}
            self.view = self._create("VkImageView", view | {"subresourceRange": whole})
        except BaseException:
            self.close()
            raise


def _shape(shape: str) -> tuple[int, str, str, int]:
    if shape not in SHAPES:
        raise ArgumentError("shape", shape, accepted=", ".join(SHAPES))
    return SHAPES[shape]


def _check(shape: str, size: Sequence[int], levels: Sequence[bytes], *, aspects: Sequence[str], swizzle: str) -> None:
    dimensions = SHAPES[shape][0]
    if len(size) != dimensions or min(size) < 1:
        raise ArgumentError("size", size, accepted=f"{dimensions} numbers of texels, 1 or more, for shape {shape!r}")
    if not levels:
        raise ArgumentError("levels", levels, accepted="at least one level")
    if not aspects or any(aspect not in ASPECTS for aspect in aspects):
        raise ArgumentError("aspects", aspects, accepted=", ".join(ASPECTS))
    if len(swizzle) != 4 or any(letter not in _SWIZZLES for letter in swizzle):
        raise ArgumentError("swizzle", swizzle, accepted="four of rgba01")
