"""The shader's share of a bound slot: of GL's state, of what the handle's sampler lacks, of the texture's view.

`clamp_request` makes of it what `statetracker.shader.lower` takes: by descriptor set and binding.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.frontend.bound_view import bound_view, losses
from statetracker.frontend.vulkan_view import (
    as_device_filters,
    is_native,
    is_vulkan,
    is_webgpu,
    state_values,
    vulkan_view,
)
from statetracker.gl.completeness import ViewRange
from statetracker.pipe.enums import TexMipfilter, TexReduction
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.lowering import NO_LOWERING, Lowering, LoweringValues
from statetracker.pipe.state import SamplerState
from statetracker.sampler.tables import MIN_FILTER
from statetracker.sampler.unsupported import clamp_halves

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.caps import Screen
    from statetracker.frontend.bound_view import BoundView, Loss
    from statetracker.frontend.states import SlotState
    from statetracker.gl import Texture
    from statetracker.vulkan import SamplerCreateInfo, View

    Descriptor: TypeAlias = tuple[int, int]
    Request: TypeAlias = dict[Descriptor, Lowering | tuple[Lowering, ...]]


class SlotView(NamedTuple):
    """The view of a slot's texture.

    Attributes:
        format: Pipe format, without prefix.
        swizzle: Four letters of ``XYZW01``.
        sample_type: GPUTextureSampleType of its binding; None: not a WebGPU screen, or a format that WebGPU has not.
    """

    format: str
    swizzle: str
    sample_type: str | None


class BoundSlot:
    """All that a host asks of a slot that it draws with; made by `bound_slot`, each part when it is asked for.

    ``handle`` is the driver's; None where GL binds no sampler: a buffer texture.
    """

    def __init__(self, state: SlotState, handle: object) -> None:
        self.handle: Any = handle
        self._state = state
        self._views: dict[ViewRange, BoundView] = {}
        self._by_data: BoundSlot | None = None
        self._by_view: BoundSlot | None = None

    def __repr__(self) -> str:
        return f"BoundSlot(handle={self.handle!r}, lowering={self.lowering})"

    @cached_property
    def _seen(self) -> View:
        return _view(self._state)

    @cached_property
    def lowering(self) -> Lowering:
        """The shader's share of the work."""
        return slot_lowering(self._state, self.handle)

    @cached_property
    def values(self) -> LoweringValues | None:
        """The numbers that the shader reads for that; None where it has nothing to do."""
        state = self._state
        if not self.lowering.needed or state.record is None:
            return None
        seen = state_values(SamplerState.from_bytes(state.record), state.facts, state.screen, glsl130=state.glsl130)
        own: LoweringValues | None = getattr(self.handle, "lowering_values", None)
        return seen if own is None else own._replace(border=seen.border)

    @cached_property
    def numbers(self) -> bytes:
        """The bytes of those numbers: an element of the uniform block, also where they are None."""
        return (self.values or LoweringValues()).to_bytes()

    def by_data(self, handle_of: Callable[[SamplerCreateInfo, View], object]) -> BoundSlot:
        """Return the slot with the sampler of all states, and this one's in its values; itself where that cannot be.

        Args:
            handle_of: Makes the handle of such a sampler, for the view.
        """
        from statetracker.vulkan.conversion import by_data
        from statetracker.vulkan.draft import Draft

        def info_of(record: SamplerState, view: View) -> SamplerCreateInfo | None:
            info = by_data(Draft(record, self._state.screen, dialect="native", view=view))
            return None if isinstance(info, str) else info

        if self._by_data is None:
            self._by_data = self._sampled_by(info_of, handle_of)
        return self._by_data

    def by_view(self, handle_of: Callable[[SamplerCreateInfo, View], object]) -> BoundSlot:
        """Return the slot with a sampler made for its view, where the shader can filter beside that alone; else itself.

        So for a MIN or MAX that the device lacks: a driver makes samplers before the view is known.

        Args:
            handle_of: As for `by_data`.
        """
        from statetracker.vulkan import create_info

        def info_of(record: SamplerState, view: View) -> SamplerCreateInfo | None:
            info = create_info(record, self._state.screen, view=view)
            return info if info.lowering.filter_texels else None

        if self._by_view is None:
            lost = any(getattr(one, "name", "") == "reduction" for one in self.unsupported)
            self._by_view = self._sampled_by(info_of, handle_of) if lost else self
        return self._by_view

    def _sampled_by(
        self,
        info_of: Callable[[SamplerState, View], SamplerCreateInfo | None],
        handle_of: Callable[[SamplerCreateInfo, View], object],
    ) -> BoundSlot:
        """Return the slot with the sampler of an info for GL's own record and the view; itself where there is none."""
        if self._state.record is None:
            return self
        info = info_of(_as_gl_asks(self._state, SamplerState.from_bytes(self._state.record)), self._seen)
        return self if info is None else _SharedSlot(self._state, handle_of(info, self._seen))

    @cached_property
    def sampled(self) -> SlotView:
        """Format and swizzle of the view, and on WebGPU the sample type."""
        from statetracker.vulkan import SamplerCreateInfo, create_info

        state = self._state
        view, kind = self._seen, None
        if state.record is not None and is_webgpu(state.screen):
            from statetracker.webgpu.conversion import of_info

            info = getattr(self.handle, "info", self.handle)
            made = info if isinstance(info, SamplerCreateInfo) else create_info(state.record, state.screen, view=view)
            kind = of_info(made, state.screen, view).sample_type
        return SlotView(view.format, view.swizzle, kind)

    @cached_property
    def unsupported(self) -> tuple[Loss, ...]:
        """Losses that neither sampler, view nor shader makes good; those of the handle's ``unsupported`` come last."""
        from statetracker.vulkan import SamplerCreateInfo, create_info

        state = self._state
        if state.record is None:
            return ()
        screen, record = state.screen, SamplerState.from_bytes(state.record)
        info = getattr(self.handle, "info", self.handle)
        halves, own = clamp_halves(state.lowering, state.facts, record), getattr(info, "unsupported", ())
        if not is_vulkan(screen):
            return (*halves, *own)
        dialect = info.dialect if isinstance(info, SamplerCreateInfo) else "native"
        view = self._seen
        if pipe_format(view.format).is_pure_integer:  # of one texel nothing is lost
            own = tuple(one for one in own if one.name not in {"anisotropy", "reduction"})
        elif is_native(screen, dialect):
            record = _as_gl_asks(state, record)
        made = create_info(record, screen, dialect=dialect, view=view)
        return losses(self.view(), *halves, *made.unsupported, *own)

    def view(self, texture: Texture | None = None) -> BoundView:
        """Return the view to bind beside the sampler, of the levels and layers that a texture shows; None: of all."""
        shown = ViewRange() if texture is None else texture.part()
        made = self._views.get(shown)
        if made is None:
            state = self._state
            compares = state.record is not None and bool(SamplerState.from_bytes(state.record).compare_mode)
            made = self._views[shown] = bound_view(
                self._seen, state.facts, state.screen, shown, skip_decode=state.skip_decode, compares=compares
            )
        return made


class _SharedSlot(BoundSlot):
    """A slot whose handle was made for its view."""

    @cached_property
    def lowering(self) -> Lowering:
        return self._state.lowering.joined(self.handle.info.lowering)

    @cached_property
    def unsupported(self) -> tuple[Loss, ...]:
        return losses(self.view(), *self.handle.info.unsupported)


def bound_slot(state: SlotState, handle: object) -> BoundSlot:
    """Return what a host asks of a state with its handle: the same object as long as it has that handle."""
    known: BoundSlot | None = state.bound
    if known is None or known.handle is not handle:
        known = state.bound = BoundSlot(state, handle)
    return known


def slot_lowering(state: SlotState, handle: object) -> Lowering:
    """Return what the shader must do for a slot.

    ``handle`` is what the slot holds: a create info, or an object that has one as ``info``, adds what its sampler lacks
    for the texture's view; another object its ``lowering``, if it has one.
    """
    from statetracker.vulkan import SamplerCreateInfo

    info = getattr(handle, "info", handle)
    if isinstance(info, SamplerCreateInfo) and state.record is not None:
        return _of_info(state, info)
    own: Lowering = getattr(handle, "lowering", NO_LOWERING)
    return state.lowering.joined(own)


def _of_info(state: SlotState, info: SamplerCreateInfo) -> Lowering:
    from statetracker.vulkan import with_view

    view = _view(state)
    record = as_device_filters(SamplerState.from_bytes(state.record or b""), state.screen)
    own = with_view(info, view, state.screen)
    if info.dialect.filtering == "shader":
        asked = as_device_filters(_as_gl_asks(state, record), state.screen)
        if _filters(info, view, asked, state.screen):
            own = own._replace(filter_texels=True, reduction=TexReduction(record.reduction_mode))
            record = asked
    whole = state.lowering.joined(own)
    if whole.normalize or (whole.unswizzled.needed and info.dialect.clamp == "coverage"):
        return whole.sampled_as(record)._replace(anisotropic=info.anisotropy_enable)
    return whole


def _view(state: SlotState) -> View:
    return vulkan_view(state.facts, state.screen, state.glsl130, skip_decode=state.skip_decode)


def _as_gl_asks(state: SlotState, record: SamplerState) -> SamplerState:
    """Return the record with GL's own filters and anisotropy."""
    (image, mip), magnify = MIN_FILTER[state.filters[0]], state.filters[1] & 1
    whole = max(record.max_anisotropy, state.anisotropy)
    return record.replace(min_img_filter=image, min_mip_filter=mip, mag_img_filter=magnify, max_anisotropy=whole)


def _filters(info: SamplerCreateInfo, view: View, asked: SamplerState, screen: Screen) -> bool:
    """Return whether the shader filters a format the device cannot, at levels that the sampler's limits leave whole.

    A comparison that the record leaves to the device is the device's.
    """
    from statetracker.vulkan import facts_of
    from statetracker.vulkan.shader_rules import is_whole
    from statetracker.vulkan.views import can_filter

    if pipe_format(view.format).is_pure_integer or can_filter(facts_of(screen), view.format):
        return False
    if view.cube and (info.flags or info.lowering.cube_edges):  # its sampler has the border of the faces
        return False
    linear = asked.mag_img_filter or asked.min_img_filter or asked.min_mip_filter == TexMipfilter.LINEAR
    if not linear or info.mag_filter or info.min_filter:
        return False
    if asked.min_mip_filter == TexMipfilter.NONE:  # the record's may be NEAREST
        return info.min_lod <= 0
    return is_whole(info.min_lod) and is_whole(info.max_lod)


def clamp_request(
    lowerings: Mapping[int, Lowering], places: Mapping[Descriptor, int | Sequence[int]] | None = None
) -> Request:
    """Return the descriptors of a module whose samplers need work, from the lowerings of its stage's slots.

    Args:
        lowerings: Slot -> its lowering, such as `BoundStage.lowerings`; slots that are missing need nothing.
        places: (set, binding) -> the slot of that sampler, or the slots of an array's elements in order; a descriptor
            in several places is written in each. None: slot n is binding n of set 0.

    Returns:
        What `statetracker.shader.lower` takes: a lowering, for an array one an element; descriptors that need nothing
        are left out.

    Raises:
        ArgumentError: A slot that is no whole number of 0 or more.
    """
    if places is None:
        places = {(0, slot): slot for slot in lowerings}
    request: Request = {}
    for descriptor, slots in places.items():
        one = isinstance(slots, int)
        if not (one or isinstance(slots, Iterable)):
            raise ArgumentError("slot", slots, accepted="0 or more, or a sequence of these")
        elements = tuple(_of(lowerings, slot) for slot in ([slots] if isinstance(slots, int) else slots))
        if any(element.needed for element in elements):
            request[descriptor] = elements[0] if one else elements
    return request


def _of(lowerings: Mapping[int, Lowering], slot: int) -> Lowering:
    if slot.__class__ is not int or slot < 0:
        raise ArgumentError("slot", slot, accepted="0 or more")
    return lowerings.get(slot, NO_LOWERING)
