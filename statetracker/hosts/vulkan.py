"""`Renderer` for a program with its own Vulkan device: modules, layouts, views, samplers and descriptor writes.

Samplers are made on the device; all else is plain data, or structs of the program's cffi, for its own calls. Nothing of
the program's is made, waited for or destroyed here. Source: Vulkan 1.3. The page is docs/host_vulkan.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from statetracker.errors import ArgumentError
from statetracker.frontend.lifetime import budget as most_states
from statetracker.frontend.policy import Policy
from statetracker.hosts import renderer
from statetracker.hosts.modules import Modules, draw_key
from statetracker.vulkan import VulkanDriver, facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.hosts.modules import Variant
    from statetracker.hosts.texture_set import DrawSlot, Shader, Stage
    from statetracker.vulkan import ImageViewInfo

__all__ = ["Draw", "Renderer", "SampledImage"]

_Place: TypeAlias = tuple[int, int]
_Row: TypeAlias = dict[str, Any]

_COMBINED: Final = "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER"
_UNIFORM: Final = "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER"
_WRITE: Final = "VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET"
_LAYOUT_INFO: Final = "VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO"
_LAYOUT: Final = "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL"
#: Limits of one stage, in combined image samplers, and of a pipeline's sets together.
_OF_STAGE: Final = ("maxPerStageDescriptorSamplers", "maxPerStageDescriptorSampledImages")
_OF_SETS: Final = "maxDescriptorSetSamplers"
_SETS: Final = "maxBoundDescriptorSets"


class SampledImage(NamedTuple):
    """The image of a combined image sampler, or of one element of an array of them.

    Attributes:
        place: Its (set, binding).
        name: Of the variable.
        image: The host's, as it was bound, or its black one.
        view: The VkImageViewCreateInfo without its image.
        sampler: The VkSampler, an integer.
    """

    place: _Place
    name: str
    image: Any
    view: ImageViewInfo
    sampler: int


class Draw(NamedTuple):
    """The bindings of a draw on Vulkan.

    Attributes:
        fragment: The fragment stage's SPIR-V, entry point ``main``.
        vertex: The vertex stage's; None: the host has its own.
        layouts: Number of the set -> its VkDescriptorSetLayoutBindings as plain data; they are the same in every draw
            of a shader.
        images: What is sampled, in the order of places and elements.
        blocks: (set, binding) -> the bytes of a uniform block; a place of the layouts that is not in it is not read.
        key: A word for what of a pipeline the renderer decides, the same in every run.
        unsupported: What neither sampler, view nor shader can do, in words.
    """

    fragment: bytes
    vertex: bytes | None
    layouts: dict[int, tuple[_Row, ...]]
    images: tuple[SampledImage, ...]
    blocks: dict[_Place, bytes]
    key: str
    unsupported: tuple[str, ...]

    def __repr__(self) -> str:
        """Say all but the modules and layouts."""
        shown = f"images={self.images}, blocks={self.blocks}, unsupported={self.unsupported}"
        return f"Draw(key={self.key!r}, {shown})"

    def layout_infos(self, ffi: Any = None) -> dict[int, Any]:
        """Return the VkDescriptorSetLayoutCreateInfo of each set, by its number.

        Args:
            ffi: The host's cffi, which declares Vulkan's structs: of the `vulkan` package ``vulkan.ffi``; None: plain
                data.
        """
        from statetracker.bindings.vulkan_calls import CStruct, copied

        infos = {
            number: {"sType": _LAYOUT_INFO, "bindingCount": len(rows), "pBindings": rows}
            for number, rows in self.layouts.items()
        }
        return {number: info if ffi is None else copied(ffi, CStruct(info)) for number, info in infos.items()}

    def writes(
        self, sets: Mapping[int, Any], buffers: Mapping[_Place, Any] | None = None, *,
        view: Callable[[SampledImage], Any] | None = None, ffi: Any = None,
    ) -> Any:  # fmt: skip
        """Return a VkWriteDescriptorSet for each binding that the draw reads but the host's own: a list, or C's array.

        Handles are integers, pointers of any cffi or objects of ctypes. Images are read in SHADER_READ_ONLY_OPTIMAL.

        Args:
            sets: Number -> the VkDescriptorSet to write.
            buffers: (set, binding) -> the VkBuffer with the bytes of ``blocks``, or (VkBuffer, offset in bytes).
            view: Gives the VkImageView of a `SampledImage`; None: its image is one.
            ffi: As for `layout_infos`.

        Raises:
            ArgumentError: A set, a buffer or a view that is missing, or no mapping of them.
        """
        from statetracker.bindings.vulkan_calls import CStruct, copied_array
        from statetracker.bindings.vulkan_host import address_of

        infos: dict[_Place, tuple[str, str, list[_Row]]] = {}
        for one in self.images:
            handle = address_of(f"view of {one.name}", one.image if view is None else view(one))
            info = {"sampler": one.sampler, "imageView": handle, "imageLayout": _LAYOUT}
            infos.setdefault(one.place, (_COMBINED, "pImageInfo", []))[2].append(info)
        for name, known in (("sets", sets), ("buffers", buffers or {})):
            if not hasattr(known, "get"):
                raise ArgumentError(name, known, accepted="a mapping: number -> set; (set, binding) -> buffer")
        for place, content in self.blocks.items():
            given = (buffers or {}).get(place)
            buffer, offset = given if isinstance(given, tuple) and len(given) == 2 else (given, 0)
            if not hasattr(offset, "__index__") or offset < 0:
                raise ArgumentError(f"offset of {place}", offset, accepted="a number of bytes")
            info = {"buffer": address_of(f"buffer of {place}", buffer), "offset": offset, "range": len(content)}
            infos[place] = (_UNIFORM, "pBufferInfo", [info])
        rows = []
        for (number, binding), (kind, member, each) in infos.items():
            there = {"dstSet": address_of(f"set {number}", sets.get(number)), "dstBinding": binding}
            rows.append({"sType": _WRITE, **there, "descriptorCount": len(each), "descriptorType": kind, member: each})
        return rows if ffi is None else copied_array(ffi, "VkWriteDescriptorSet", [CStruct(row) for row in rows])


class _Layout(NamedTuple):
    """A shader's sets: its slots by place, the set of uniform blocks, the bindings of all, and what stands for them."""

    slots: dict[_Place, tuple[int, ...]]
    blocks: int
    rows: dict[int, tuple[_Row, ...]]
    key: str


class Renderer(renderer.Renderer[Draw]):
    """Draws with GL's samplers on a Vulkan device.

    An image of a bind is a VkImageView, or whatever of the host's stands for one: it is handed on. The ``layouts`` of a
    shader are the host's own bindings in sets that have samplers: (set, VkDescriptorSetLayoutBinding as plain data).
    Raises what `VulkanDriver` does.

    Args:
        device: A `statetracker.bindings.vulkan.HostDevice`, or a ``Device``.
        black: Makes the host's image for a VkImageViewCreateInfo of one texel, (0, 0, 0, 1) or depth 0, which GL sees
            in place of an incomplete texture; asked once for each. None: such a texture is an error.
        block_set: Number of the set that uniform blocks go to; None: the one after all that a shader uses.
        policy: The user's overrides; ``max_states`` is kept within the device's samplers.
        **options: ``screen``, ``dialect``, ``budget`` and ``deferred`` of `VulkanDriver`; with the last one half of the
            budget is left for samplers that wait for `retire`.
    """

    def __init__(
        self, device: Any, *, black: Callable[[ImageViewInfo], Any] | None = None, block_set: int | None = None,
        policy: Policy | None = None, **options: Any,
    ) -> None:  # fmt: skip
        if block_set is not None and (
            isinstance(block_set, bool) or not hasattr(block_set, "__index__") or block_set < 0
        ):
            raise ArgumentError("block_set", block_set, accepted="the number of a set, or None")
        self._black, self._block_set, self._options = black, block_set, options
        self._layouts: WeakKeyDictionary[Shader, _Layout] = WeakKeyDictionary()
        self._policy = policy or Policy()
        self.driver = self._opened(device)
        super().__init__(self.driver, Modules(split=False, lod_query=True), policy=self._within(self._policy))

    def _opened(self, device: Any) -> VulkanDriver:
        driver = VulkanDriver(device, **self._options)
        self._limits = dict(facts_of(driver.screen).limits)
        if device.physical is not None:
            self._limits |= device.physical.properties()["VkPhysicalDeviceProperties"]["limits"]
        return driver

    def _within(self, policy: Policy) -> Policy:
        if not isinstance(policy, Policy):
            raise ArgumentError("policy", policy, accepted="a Policy; the usual one is Policy()")
        most = self.driver.max_states // (2 if self._options.get("deferred") else 1)
        return policy.replace(max_states=max(1, min(most_states(policy), most)))

    @property
    def policy(self) -> Policy:
        """The user's overrides; a new one applies from the next bind. Anything else raises `ArgumentError`."""
        return self._policy

    @policy.setter
    def policy(self, policy: Policy) -> None:
        self.tracker.policy = self._within(policy)
        self._policy = policy

    def retire(self) -> int:
        """Destroy samplers that were given up, when no command reads them any more; see `VulkanDriver.retire`."""
        return self.driver.retire()

    def lost(self, device: Any) -> None:
        """Go on with another device, after the old one was lost; the host makes its own objects anew.

        Close the old `statetracker.bindings.vulkan.HostDevice` before its device is destroyed: that destroys samplers.
        """
        driver = self._opened(device)
        self._lost(driver)
        self.driver = driver
        self.policy = self._policy

    def destroy(self) -> None:
        """Destroy every sampler, when no command reads one any more; nothing is to be bound afterwards."""
        super().destroy()
        self.driver.retire()

    def _check(self, shader: Shader) -> None:
        """Lay the shader's sets out."""
        rows: dict[_Place, _Row] = {}
        slots: dict[_Place, tuple[int, ...]] = {}
        try:
            others = {(number, row["binding"]): row for number, row in shader.layouts}
        except (TypeError, ValueError, KeyError):
            accepted = "one pair for each binding: (set, VkDescriptorSetLayoutBinding as a dict)"
            raise ArgumentError("layouts", shader.layouts, accepted=accepted) from None
        for stage in shader.stages:
            for name in _OF_STAGE:
                self._refuse_beyond(f"samplers of the {stage.name} stage", len(stage.slots), name)
            for place in stage.places:
                here = stage.slots_of(place)
                if slots.setdefault(place, here) != here or place in shader.taken | others.keys():
                    raise ArgumentError("set, binding", place, accepted="one thing in a place, in all stages")
                rows.setdefault(place, _row(place[1], _COMBINED, len(here)))["stageFlags"].append(_bit(stage))
        self._refuse_beyond("samplers", sum(row["descriptorCount"] for row in rows.values()), _OF_SETS)
        sampled = {number for number, _ in rows}
        if lacks := [place for place in sorted(shader.taken - others.keys()) if place[0] in sampled]:
            hint = "Samplers share a set with it: renderer.shader(..., layouts=((set, VkDescriptorSetLayoutBinding),))."
            raise ArgumentError("layouts", None, accepted=f"what the shader has in {lacks[0]}", hint=hint)
        used = {number for number, _ in (*rows, *others, *shader.taken)}
        block = max(used, default=-1) + 1 if self._block_set is None else self._block_set
        if sampled:
            if block in used:
                raise ArgumentError("block_set", block, accepted="a set that the shader does not use")
            self._refuse_beyond("descriptor sets, with that of uniform blocks", block + 1, _SETS)
            rows |= {(block, at): _row(at, _UNIFORM, 1, _bit(one)) for at, one in enumerate(shader.stages)}
        rows |= others
        whole = {number: tuple(rows[at] for at in sorted(rows) if at[0] == number) for number, _ in sorted(rows)}
        self._layouts[shader] = _Layout(slots, block, whole, repr(whole))

    def _refuse_beyond(self, what: str, wanted: int, limit: str) -> None:
        most = self._limits.get(limit)
        if most is not None and wanted > most:
            raise ArgumentError(what, wanted, accepted=f"up to {int(most)}, the device's {limit}")

    def _places(self, shader: Shader, stage: Stage) -> tuple[_Place, Mapping[Any, Any]]:
        return (self._layouts[shader].blocks, shader.stages.index(stage)), {}

    def _draw(self, shader: Shader, slots: list[DrawSlot], plan: list[Variant]) -> Draw:
        layout, blocks, modules = self._layouts[shader], dict[_Place, bytes](), dict[str, bytes]()
        lost = [reason for variant in plan for _, reason in variant.unresolved]
        lost += [str(one) for slot in slots for one in slot.bound.unsupported]
        for stage, variant in zip(shader.stages, plan, strict=True):
            modules[stage.name] = variant.module
            if numbers := self.numbers(stage, variant, slots):
                blocks[self._placed(shader, stage)[0]] = numbers
        images = tuple(self._image(place, slots[at]) for place, each in sorted(layout.slots.items()) for at in each)
        return Draw(
            modules["fragment"], modules.get("vertex"), layout.rows, images, blocks,
            draw_key(*(one.name for one in plan), layout.key), tuple(dict.fromkeys(lost)),
        )  # fmt: skip

    def _image(self, place: _Place, slot: DrawSlot) -> SampledImage:
        handle, view, name = slot.bound.handle, slot.bound.view(slot.texture).vulkan, slot.variable.name
        image = slot.image
        if image is None:
            image = self._once("black", (view["viewType"], view["format"]), lambda: self._black_of(slot, view))
        there, wanted = (_kind(view), bool(handle.info.compare_enable)), (slot.variable.kind, slot.variable.compares)
        if there != wanted:
            given, accepted = (f"{kind} texels, compare_mode {'on' if on else 'off'}" for kind, on in (there, wanted))
            raise ArgumentError(f"sampler and texture of {name}", given, accepted=f"{accepted}, as the shader has them")
        second = slot.bound.lowering.second_sampler
        return SampledImage(place, name, image, view, handle.depth_sampler if second else handle.sampler)

    def _black_of(self, slot: DrawSlot, view: ImageViewInfo) -> Any:
        if self._black is None:
            hint = "GL draws black: Renderer(device, black=...) takes what makes such an image."
            accepted = f"a complete one; {slot.missing}; GL's default filter reads all mipmaps"
            raise ArgumentError(f"texture of {slot.variable.name}", "incomplete", accepted=accepted, hint=hint)
        return self._black(view)


def _kind(view: ImageViewInfo) -> str:
    """Return what a view's texels are to a shader."""
    aspect = view["subresourceRange"]["aspectMask"]
    if "VK_IMAGE_ASPECT_COLOR_BIT" not in aspect:
        return "uint" if "VK_IMAGE_ASPECT_STENCIL_BIT" in aspect else "float"
    kind = view["format"].rpartition("_")[2].lower()
    return kind if kind in {"sint", "uint"} else "float"


def _bit(stage: Stage) -> str:
    return f"VK_SHADER_STAGE_{stage.name.upper()}_BIT"


def _row(binding: int, kind: str, elements: int, *stages: str) -> _Row:
    return {"binding": binding, "descriptorType": kind, "descriptorCount": elements, "stageFlags": [*stages]}
