"""`Renderer` for wgpu-py: modules, layouts, bind groups, views and samplers, for every sampler state of GL.

wgpu is not imported here: the device is the host's. Source: W3C WebGPU. The page is docs/host_wgpu.md.
"""

from __future__ import annotations

from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError, CallFailed, DeviceLost, StateTrackerError
from statetracker.frontend import convert
from statetracker.hosts import renderer
from statetracker.hosts.modules import Modules, draw_key
from statetracker.hosts.wgpu_textures import described, texture_descriptor
from statetracker.shader.split_plan import BoundSampler
from statetracker.shader.wgsl import LEVEL_0
from statetracker.webgpu import WgpuDriver
from statetracker.webgpu.conversion import of_info
from statetracker.webgpu.driver import WgpuHandle, lost_as_such

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.frontend import Policy
    from statetracker.frontend.slot_lowering import BoundSlot
    from statetracker.gl import Sampler, Texture
    from statetracker.hosts.modules import Variant
    from statetracker.hosts.texture_set import DrawSlot, Shader, Stage
    from statetracker.shader.split import SplitSampler
    from statetracker.vulkan import SamplerCreateInfo, View
    from statetracker.webgpu import TextureViewDescriptor

__all__ = ["Draw", "Renderer"]

#: Binding, visibility, kind, members: of a GPUBindGroupLayoutEntry.
_Entry: TypeAlias = tuple[int, int, str, tuple[tuple[str, Any], ...]]

#: GPUShaderStage.
_VISIBLE: Final = {"vertex": 1, "fragment": 2}
_TEXTURE_BINDING: Final = 4
_COPY_DST: Final = 2
_UNIFORM: Final = 0x40
_NEAREST: Final = {
    "compare": None, "mag_filter": "nearest", "min_filter": "nearest", "mipmap_filter": "nearest", "max_anisotropy": 1,
}  # fmt: skip
#: GL's texel of an incomplete texture, by GPUTextureFormat.
_BLACK: Final = {"rgba8unorm": b"\0\0\0\xff", "rgba8sint": b"\0\0\0\1", "rgba8uint": b"\0\0\0\1"}


class Draw(NamedTuple):
    """The bindings of a draw on wgpu.

    Attributes:
        module: The fragment stage's GPUShaderModule, entry point ``main``.
        vertex: The vertex stage's; None: the host has its own.
        pipeline_layout: GPUPipelineLayout: the host's layouts, then the renderer's.
        bind_groups: Number of the group -> GPUBindGroup, for ``set_bind_group``; the host's own are not in it.
        key: A word for what of a pipeline the renderer decides, the same in every run.
        unsupported: What neither sampler, view nor shader can do, in words.
    """

    module: Any
    vertex: Any
    pipeline_layout: Any
    bind_groups: dict[int, Any]
    key: str
    unsupported: tuple[str, ...]


class _Row(NamedTuple):
    """A binding of the renderer's group, as far as the modules decide it.

    Attributes:
        number: Of the binding.
        visible: Stages that see it.
        kind: ``texture``, ``sampler`` or ``buffer``.
        slots: The slot that is sampled; of a buffer those of its elements.
        part: What is sampled; None: a buffer.
    """

    number: int
    visible: int
    kind: str
    slots: tuple[int, ...]
    part: SplitSampler | None


class _Plan(NamedTuple):
    """The part of a draw that follows from its modules.

    Attributes:
        modules: Stage -> its GPUShaderModule.
        names: Of the variants.
        rows: The bindings in order; those of several stages are alike.
        fetched: Slots whose texels are fetched, not sampled.
        notes: Stage, place and reason of what the device does otherwise.
    """

    modules: dict[str, Any]
    names: tuple[str, ...]
    rows: list[_Row]
    fetched: set[int]
    notes: list[tuple[Stage, Any, str]]


class Renderer(renderer.Renderer[Draw]):
    """Draws with GL's samplers on a device of wgpu-py.

    An image of a bind is a ``GPUTexture``, of which views are made, or a ``GPUTextureView``. The ``layouts`` of a
    shader are the host's bind group layouts, of groups 0 and on: the renderer's own group is the next one.

    Args:
        device: A ``wgpu.GPUDevice``.
        policy: The user's overrides.
        rewrites: See `rewrites`.

    Raises:
        ArgumentError: Another kind of device, or of ``rewrites``.
    """

    flavour = "webgpu"
    passing = frozenset({"view", "bind group", "buffer"})

    def __init__(self, device: Any, *, policy: Policy | None = None, rewrites: int | None = None) -> None:
        super().__init__(WgpuDriver(device), Modules(split=True, lod_query=False), policy=policy)
        self.device, self.rewrites = device, rewrites

    @property
    def rewrites(self) -> int | None:
        """The most modules that a frame makes for states, 0 or more; None: all that are new.

        A draw beyond them has a module that reads any state of its block, until a later frame makes its own.
        """
        return self._rewrites

    @rewrites.setter
    def rewrites(self, most: int | None) -> None:
        if most is not None and (most.__class__ is not int or most < 0):
            raise ArgumentError("rewrites", most, accepted="a number of modules, 0 or more, or None")
        self._rewrites = most
        self._turns += 1
        self._waiting.clear()
        for shader in self._shaders:
            shader.sets.clear()

    def texture(self, image: Any, internal_format: str | None = None, **parameters: Any) -> Texture:
        """Describe a ``GPUTexture`` as GL knows it: its size, levels, dimension and format.

        Args:
            image: A ``GPUTexture``.
            internal_format: GL's, where another one is kept in that format: ``LUMINANCE8`` in r8unorm.
            **parameters: GL's, as for `Texture`: ``swizzle``, ``max_level`` and so on; ``target`` too, for cubes.

        Raises:
            ArgumentError: A format of which GL has none.
        """
        return described(image, internal_format, **parameters)

    def texture_descriptor(self, texture: Texture) -> dict[str, Any]:
        """Return what to make the image of a texture with: ``device.create_texture(**this, usage=...)``.

        Its format is the one that the device keeps GL's internal format in; texels are uploaded in that.

        Args:
            texture: What GL knows of it.

        Raises:
            ArgumentError: A format that this device lacks.
        """
        return texture_descriptor(texture, self.tracker.screen)

    def view(self, image: Any, texture: Texture, sampler: Sampler | None = None) -> Any:
        """Return the view that a sampler (None: the texture's own) samples a texture's image through, made once.

        A bind does it by itself; a view may stand in it for the image.

        Args:
            image: A ``GPUTexture``.
            texture: What GL knows of it.
            sampler: None: the texture's own.

        Raises:
            ArgumentError: An image with fewer levels than the texture shows, or a format that this device lacks.
        """
        return self._view_of(image, convert(sampler, texture, self.tracker.screen).view.webgpu, "texture")

    def lost(self, device: Any | None = None) -> None:
        """Go on with another device, after the old one was lost; the host makes its images and pipelines anew.

        Args:
            device: A ``wgpu.GPUDevice``; None: the old one, of which everything is made again.

        Raises:
            ArgumentError: Another kind of device.
        """
        driver = WgpuDriver(self.device if device is None else device)
        self._lost(driver)
        self.device = driver.device

    def _check(self, shader: Shader) -> None:
        group = len(shader.layouts)
        if any(place[0] >= group for place in shader.taken):
            most = max(shader.taken)[0]
            hint = "The shader binds something there: renderer.shader(..., layouts=(layout of group 0, ...))."
            raise ArgumentError("layouts", f"{group} of them", accepted=f"the host's, of groups 0 to {most}", hint=hint)

    def _places(self, shader: Shader, stage: Stage) -> tuple[tuple[int, int], Mapping[Any, Any]]:
        group = len(shader.layouts)
        taken = {place[1] for one in shader.stages for place in one.places if place[0] == group}
        free = (at for at in count(2 * shader.count) if at not in taken)
        blocks = dict(zip((one.name for one in shader.stages), free, strict=False))
        places: dict[Any, Any] = {}
        for place in stage.places:
            for at, slot in enumerate(stage.slots_of(place)):
                places[(*place, at) if at else place] = (group, 2 * slot), (group, 2 * slot + 1)
        return (group, blocks[stage.name]), places

    def _merged(self, places: Mapping[Any, Any], stage: Stage, slots: list[DrawSlot]) -> Mapping[Any, Any]:
        shared = [at for at, slot in enumerate(slots) if slot.bound.lowering.dynamic and not slot.variable.compares]
        if not shared:
            return places
        each = zip(places.items(), (slot for place in stage.places for slot in stage.slots_of(place)), strict=True)
        return {
            place: (image, (image[0], 2 * shared[0] + 1) if slot in shared else sampler)
            for (place, (image, sampler)), slot in each
        }

    def _by_view(self, slot: BoundSlot) -> BoundSlot:
        return slot.by_view(self._shared)

    def _by_data(self, slot: BoundSlot) -> BoundSlot:
        return slot.by_data(self._shared)

    def _shared(self, info: SamplerCreateInfo, view: View) -> WgpuHandle:
        made_of = of_info(info, self.tracker.screen, view)
        sampler = self._once("sampler", tuple(made_of.items()), lambda: self.device.create_sampler(**made_of))
        return WgpuHandle(made_of, sampler)

    def _planned(self, shader: Shader, variants: list[Variant]) -> _Plan:
        modules: dict[str, Any] = {}
        rows: list[_Row] = []
        notes: list[tuple[Stage, Any, str]] = []
        for stage, variant in zip(shader.stages, variants, strict=True):
            modules[stage.name], visible = self._module(variant), _VISIBLE[stage.name]
            for part in variant.samplers:
                slots = (stage.slots_of(part.descriptor)[part.element],)
                rows.append(_Row(part.image[1], visible, "texture", slots, part))
                if part.sampler is not None:
                    rows.append(_Row(part.sampler[1], visible, "sampler", slots, part))
            if variant.values:
                (_, number), _ = self._placed(shader, stage)
                rows.append(_Row(number, visible, "buffer", stage.elements(variant.values), None))
            notes += [(stage, place, why) for place, why in variant.unresolved]
        seen: dict[int, int] = {}
        for row in rows:
            seen[row.number] = seen.get(row.number, 0) | row.visible
        rows = sorted((row._replace(visible=seen[row.number]) for row in rows), key=attrgetter("number"))
        fetched = {row.slots[0] for row in rows if row.part is not None and row.part.sampler is None}
        return _Plan(modules, tuple(one.name for one in variants), rows, fetched, notes)

    def _draw(self, shader: Shader, slots: list[DrawSlot], plan: _Plan) -> Draw:
        lost = [why for stage, place, why in plan.notes if not self._at_level_0(stage, place, why, slots)]
        for at, slot in enumerate(slots):
            lost += [str(one) for one in slot.bound.unsupported if at not in plan.fetched or one.name != "integers"]
        bindings = {row.number: self._bound(row, slots) for row in plan.rows}
        layouts, groups = shader.layouts, {}
        entries = tuple([entry for entry, _ in bindings.values()])
        if entries:
            own = self._once("bind group layout", entries, lambda: self._layout(entries))
            layouts, resources = (*layouts, own), tuple([resource for _, resource in bindings.values()])
            made = self._once("bind group", (own, *resources), lambda: self._group(own, entries, resources))
            groups[len(layouts) - 1] = made
        every = {"bind_group_layouts": list(layouts)}
        whole = self._once("pipeline layout", layouts, lambda: self.device.create_pipeline_layout(**every))
        key = draw_key(*plan.names, entries)
        return Draw(
            plan.modules["fragment"], plan.modules.get("vertex"), whole, groups, key, tuple(dict.fromkeys(lost))
        )

    def _samplers(self, stage: Stage, variant: Variant, slots: list[DrawSlot]) -> dict[Any, BoundSampler]:
        given: dict[Any, BoundSampler] = {}
        for place, why in variant.unresolved:
            if place is not None and place in stage.places and not self._at_level_0(stage, place, why, slots):
                handles = [slots[at].bound.handle for at in stage.slots_of(place)]
                bound = {BoundSampler.of(place, one.descriptor) for one in handles if one is not None}
                if len(bound) == 1:
                    given[place] = bound.pop()
        return given

    @staticmethod
    def _at_level_0(stage: Stage, place: Any, why: str, slots: list[DrawSlot]) -> bool:
        """Return whether level 0 alone can be compared: its texture has one level, and its filters are the same."""
        own = stage.slots_of(place) if place in stage.places and why == LEVEL_0 else ()
        if len(own) != 1:
            return False
        slot = slots[own[0]]
        made = slot.bound.handle.descriptor
        return (
            slot.bound.view(slot.texture).webgpu.get("mip_level_count") == 1
            and made["mag_filter"] == made["min_filter"]
        )

    def _bound(self, row: _Row, slots: list[DrawSlot]) -> tuple[_Entry, Any]:
        """Return the entry of the layout for a binding, and its resource: a view, a sampler or a buffer."""
        number, visible, kind, own, part = row
        if part is None:
            numbers = b"".join([slots[at].bound.numbers for at in own])
            made = {"data": numbers, "usage": _UNIFORM}
            buffer = self._once("buffer", numbers, lambda: self.device.create_buffer_with_data(**made))
            return (number, visible, kind, (("type", "uniform"),)), buffer
        slot = slots[own[0]]
        if kind == "texture":
            sampled = _checked(part, slot)
            members = (
                ("multisampled", part.multisampled),
                ("sample_type", sampled),
                ("view_dimension", part.view_dimension),
            )
            return (number, visible, kind, members), self._view(slot)
        if part.by_hand:
            return (number, visible, kind, (("type", "non-filtering"),)), self._nearest(slot)
        handle = slot.bound.handle
        return (number, visible, kind, (("type", handle.descriptor.sampler_type),)), handle.sampler

    def _nearest(self, slot: DrawSlot) -> Any:
        """Return the sampler of a comparison that the shader carries out: its own but for filters and comparison."""
        made = {**slot.bound.handle.descriptor, **_NEAREST}
        return self._once("sampler", tuple(made.items()), lambda: self.device.create_sampler(**made))

    def _view(self, slot: DrawSlot) -> Any:
        image, asked = slot.image, slot.bound.view(slot.texture).webgpu
        if image is None:
            members = {"dimension": asked["dimension"], "format": asked["format"]}
            image = self._once("texture", tuple(members.items()), lambda: self._black(**members))
        elif not hasattr(image, "create_view"):
            return image
        return self._view_of(image, asked, f"texture of {slot.variable.name}")

    def _view_of(self, image: Any, asked: TextureViewDescriptor, name: str) -> Any:
        key = image, asked.image_format, *asked.items()
        return self._once("view", key, lambda: self._viewed(image, asked, name))

    @staticmethod
    def _viewed(image: Any, asked: TextureViewDescriptor, name: str) -> Any:
        kept = asked.image_format
        hint = "renderer.texture_descriptor(texture) says what to make the image with."
        if image.dimension == "1d":
            raise ArgumentError(name, "1d", accepted="a 2d image of one row", hint=hint)
        if kept is not None and image.format != kept:
            raise ArgumentError(name, image.format, accepted=kept, hint=hint)
        levels = asked.get("base_mip_level", 0) + (asked.get("mip_level_count") or 1)
        if levels > image.mip_level_count:
            accepted = f"the {image.mip_level_count} of its image"
            hint = "renderer.texture(image) describes it with the levels that it has."
            raise ArgumentError(name, f"{levels} levels", accepted=accepted, hint=hint)
        return image.create_view(**asked)

    def _black(self, dimension: str, format: str) -> Any:  # noqa: A002 (wgpu's word)
        layers = {"cube": 6, "cube-array": 6}.get(dimension, 1)
        made = self.device.create_texture(
            size=(1, 1, layers),
            format=format,
            dimension="3d" if dimension == "3d" else "2d",
            usage=_TEXTURE_BINDING | _COPY_DST,
        )
        if format in _BLACK:
            self.device.queue.write_texture(
                {"texture": made}, _BLACK[format] * layers, {"bytes_per_row": 4, "rows_per_image": 1}, (1, 1, layers)
            )
        return made

    def _layout(self, entries: tuple[_Entry, ...]) -> Any:
        made = [
            {"binding": number, "visibility": visible, kind: dict(members)}
            for number, visible, kind, members in entries
        ]
        return self.device.create_bind_group_layout(entries=made)

    def _group(self, layout: Any, entries: tuple[_Entry, ...], resources: tuple[Any, ...]) -> Any:
        made = [
            {"binding": number, "resource": {"buffer": one} if kind == "buffer" else one}
            for (number, _, kind, _), one in zip(entries, resources, strict=True)
        ]
        return self.device.create_bind_group(layout=layout, entries=made)

    def _module(self, variant: Variant) -> Any:
        try:
            return self._once("module", variant.module, lambda: self.device.create_shader_module(code=variant.module))
        except CallFailed as error:
            if not variant.unresolved or isinstance(error, DeviceLost):
                raise
            hint = "; ".join(why for _, why in variant.unresolved)
            raise CallFailed("WebGPU", "createShaderModule", error.code, hint=hint) from error

    def _made_by(self, make: Callable[[], Any], kind: str) -> Any:
        try:
            with lost_as_such(f"create {kind}"):
                return make()
        except StateTrackerError:
            raise
        except Exception as error:
            why = str(error).split("\n")[-1].strip()
            hint = "After lost() images, and shaders with layouts, are those of the new device."
            raise CallFailed("WebGPU", f"create {kind}", why, hint=hint if "doesn't match" in why else "") from error

    def _warmed(self, variants: list[Variant]) -> None:
        for one in variants:
            try:
                self._module(one)
            except DeviceLost:
                raise
            except CallFailed:  # refused then as now: its bind says so
                continue


def _checked(part: SplitSampler, slot: DrawSlot) -> str:
    """Return GPUTextureSampleType of an image; raises `ArgumentError` for what the shader does not sample."""
    name, handle, kind = slot.variable.name, slot.bound.handle, slot.bound.sampled.sample_type
    compares = part.compares or part.by_hand
    if compares and not slot.texture.facts().base_format.startswith("DEPTH"):
        given = slot.texture.facts().internal_format
        raise ArgumentError(f"texture of {name}", given, accepted="a depth format: the shader has a shadow sampler")
    if part.sampler is not None and compares != (handle.descriptor["compare"] is not None):
        wanted, given, has = ("on", "off", "a") if compares else ("off", "on", "no")
        accepted = f"compare_mode {wanted}: the shader has {has} shadow sampler"
        raise ArgumentError(f"sampler of {name}", f"compare_mode {given}", accepted=accepted)
    if (kind if kind in {"sint", "uint"} else "float") != part.kind:
        raise ArgumentError(f"texture of {name}", kind, accepted=f"texels that are {part.kind}, as the shader's are")
    if part.by_hand or (part.multisampled and kind == "float") or (kind == "depth" and not part.compares):
        return "unfilterable-float"
    return "depth" if part.compares else str(kind)
