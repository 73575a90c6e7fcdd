"""What shaders read: textures, samplers and buffers by (set, binding), and the descriptor sets made of them."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from statetracker.bindings.vulkan_calls import structs
from statetracker.bindings.vulkan_memory import Buffer
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.bindings.vulkan_commands import Commands
    from statetracker.bindings.vulkan_device import Device
    from statetracker.bindings.vulkan_memory import Texture

    Create = Callable[[str, Mapping[str, Any]], int]
    Place = tuple[int, int]

STAGES: Final = {
    "vertex": "VK_SHADER_STAGE_VERTEX_BIT",
    "geometry": "VK_SHADER_STAGE_GEOMETRY_BIT",
    "fragment": "VK_SHADER_STAGE_FRAGMENT_BIT",
    "compute": "VK_SHADER_STAGE_COMPUTE_BIT",
}


class Resource(NamedTuple):
    """What is bound at one binding: its ``VK_DESCRIPTOR_TYPE_*``, and its elements (one, or those of an array)."""

    kind: str
    items: tuple[Any, ...]


def combined(*pairs: tuple[Texture, int]) -> Resource:
    """Textures, each with its ``VkSampler``."""
    return Resource("COMBINED_IMAGE_SAMPLER", pairs)


def images(*textures: Texture) -> Resource:
    """Textures without samplers."""
    return Resource("SAMPLED_IMAGE", tuple((texture, 0) for texture in textures))


def samplers(*handles: int) -> Resource:
    """``VkSampler`` handles without textures."""
    return Resource("SAMPLER", tuple((None, handle) for handle in handles))


def storage(content: bytes) -> Resource:
    """A storage buffer; what it holds afterwards is given back."""
    return Resource("STORAGE_BUFFER", (content,))


def uniform(content: bytes) -> Resource:
    """A uniform buffer."""
    return Resource("UNIFORM_BUFFER", (content,))


class Bound:
    """Descriptor sets and a pipeline layout for some resources, with the buffers among them."""

    def __init__(self, device: Device, resources: Mapping[Place, Resource], stages: Sequence[str], push: bytes) -> None:
        unknown = [stage for stage in stages if stage not in STAGES]
        if unknown:
            raise ArgumentError("stage", unknown[0], accepted=", ".join(STAGES))
        self._device = device
        self._resources = resources
        self._stages = [STAGES[stage] for stage in stages]
        self._push = push
        self._stack = ExitStack()
        self._buffers: dict[Place, Buffer] = {}
        self._sets: list[int] = []
        self.layout = 0

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            create = stack.enter_context(self._device.scope())
            count = max((place[0] for place in self._resources), default=-1) + 1
            layouts = [create("VkDescriptorSetLayout", self._set_layout(number)) for number in range(count)]
            ranges = [{"stageFlags": self._stages, "offset": 0, "size": len(self._push)}] if self._push else []
            info = {"setLayoutCount": count, "pSetLayouts": layouts}
            info |= {"pushConstantRangeCount": len(ranges), "pPushConstantRanges": ranges}
            self.layout = create("VkPipelineLayout", info)
            for place, resource in self._resources.items():
                if resource.kind.endswith("BUFFER"):
                    buffer = Buffer(self._device, resource.items[0], [f"VK_BUFFER_USAGE_{resource.kind}_BIT"])
                    self._buffers[place] = stack.enter_context(buffer)
            if count:
                self._allocate(create, layouts)
                self._write()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def contents(self) -> dict[Place, bytes]:
        """What the storage buffers hold."""
        kinds = {place: resource.kind for place, resource in self._resources.items()}
        return {p: buffer.read() for p, buffer in self._buffers.items() if kinds[p] == "STORAGE_BUFFER"}

    def record(self, record: Commands, point: str, pipeline: int, push: bytes) -> None:
        """Bind the pipeline, the sets and the push constants."""
        calls, ffi = record.calls, record.calls.ffi
        number = ("GRAPHICS", "COMPUTE").index(point)
        calls.vkCmdBindPipeline(record.handle, number, pipeline)
        if self._sets:
            sets = ffi.new("VkDescriptorSet[]", self._sets)
            calls.vkCmdBindDescriptorSets(record.handle, number, self.layout, 0, len(self._sets), sets, 0, ffi.NULL)
        if push:
            bits = {"vertex": 1, "geometry": 8, "fragment": 16, "compute": 32}
            flags = sum(bits[stage] for stage, name in STAGES.items() if name in self._stages)
            calls.vkCmdPushConstants(record.handle, self.layout, flags, 0, len(push), ffi.from_buffer(push))

    def _set_layout(self, number: int) -> dict[str, Any]:
        rows = [
            {
                "binding": place[1],
                "descriptorType": f"VK_DESCRIPTOR_TYPE_{resource.kind}",
                "descriptorCount": len(resource.items),
                "stageFlags": self._stages,
            }
            for place, resource in self._resources.items()
            if place[0] == number
        ]
        return {"bindingCount": len(rows), "pBindings": rows}

    def _allocate(self, create: Create, layouts: list[int]) -> None:
        sizes = [
            {"type": f"VK_DESCRIPTOR_TYPE_{resource.kind}", "descriptorCount": len(resource.items)}
            for resource in self._resources.values()
        ]
        pool_info = {"maxSets": len(layouts), "poolSizeCount": len(sizes), "pPoolSizes": sizes}
        pool = create("VkDescriptorPool", pool_info)
        device, calls = self._device, self._device.calls
        keep: list[Any] = []
        wanted = {"descriptorPool": pool, "descriptorSetCount": len(layouts), "pSetLayouts": layouts}
        out = calls.ffi.new("VkDescriptorSet[]", len(layouts))
        info = structs().new("VkDescriptorSetAllocateInfo", wanted, keep)
        device.check("vkAllocateDescriptorSets", calls.vkAllocateDescriptorSets(device.handle, info, out))
        self._sets = list(out)

    def _write(self) -> None:
        writes = []
        for place, resource in self._resources.items():
            write: dict[str, Any] = {
                "dstSet": self._sets[place[0]],
                "dstBinding": place[1],
                "descriptorCount": len(resource.items),
                "descriptorType": f"VK_DESCRIPTOR_TYPE_{resource.kind}",
            }
            if place in self._buffers:
                buffer = self._buffers[place]
                write["pBufferInfo"] = [{"buffer": buffer.handle, "offset": 0, "range": max(1, buffer.size)}]
            else:
                write["pImageInfo"] = [
                    {
                        "sampler": sampler,
                        "imageView": texture.view if texture else 0,
                        "imageLayout": "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL",
                    }
                    for texture, sampler in resource.items
                ]
            writes.append(write)
        keep: list[Any] = []
        made = structs().array("VkWriteDescriptorSet", writes, keep)
        calls = self._device.calls
        calls.vkUpdateDescriptorSets(self._device.handle, len(writes), made, 0, calls.ffi.NULL)
