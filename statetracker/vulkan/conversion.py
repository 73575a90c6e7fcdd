"""`create_info`: the pipe record becomes a VkSamplerCreateInfo with its chain."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.pipe.layout import RECORD_BYTES
from statetracker.pipe.state import SamplerState
from statetracker.vulkan import enums as vk
from statetracker.vulkan.border import border_ladder
from statetracker.vulkan.device import device_of
from statetracker.vulkan.dialects import vulkan_dialect
from statetracker.vulkan.draft import SELECTORS, Draft, Needs, View
from statetracker.vulkan.info import CustomBorderColor, SamplerCreateInfo
from statetracker.vulkan.rules import RULES

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.vulkan.border import BorderChoice
    from statetracker.vulkan.dialects import VulkanDialect

__all__ = ["create_info", "drafted", "finished", "ladder"]

_FLOAT: Final = Struct("<f")
_ENUMS: Final = (
    ("mag_filter", vk.Filter),
    ("min_filter", vk.Filter),
    ("mipmap_mode", vk.SamplerMipmapMode),
    ("address_mode_u", vk.SamplerAddressMode),
    ("address_mode_v", vk.SamplerAddressMode),
    ("address_mode_w", vk.SamplerAddressMode),
    ("compare_op", vk.CompareOp),
    ("border_color", vk.BorderColor),
)
_MEMBERS: Final = tuple((name, {int(m): m for m in enum}) for name, enum in _ENUMS)
_REDUCTIONS: Final[dict[int | None, vk.SamplerReductionMode | None]] = {
    None: None,
    **{int(m): m for m in vk.SamplerReductionMode},
}


def create_info(
    state: SamplerState | bytes,
    screen: Screen,
    *,
    dialect: str | VulkanDialect = "native",
    view: View | None = None,
    free_slots: int | None = None,
    unnormalized_fits: bool = False,
) -> SamplerCreateInfo:
    """Translate a pipe record for Vulkan.

    state               the record, a `SamplerState` or its 36 bytes
    screen              the device; see `statetracker.vulkan.device` for screens that were not made from one
    dialect             zink21, zink22 or native, or a `VulkanDialect`
    view                what is known of the view that will be sampled; an info made with one is for that view, so keep
                        handles by the info, not by the record
    free_slots          custom border colours that may still be made on the device; None: as many as its limit
    unnormalized_fits   a record with unnormalised coordinates is only sampled with an explicit LOD, on 1D and 2D views;
                        otherwise the shader must normalise them

    Under ``native`` the info breaks no valid-usage rule on any device; what had to give is in `SamplerCreateInfo.needs`
    and `SamplerCreateInfo.losses`. The zink dialects rely on their front end as zink does.

    A pure function. Raises `ArgumentError` for a record that is none, `UnknownName` for an unknown dialect.

    Source: docs/vulkan_samplers.md (Mesa 22.3.6, recorded live).
    """
    draft = drafted(
        state, screen, dialect=dialect, view=view, free_slots=free_slots, unnormalized_fits=unnormalized_fits
    )
    for rule in RULES:
        rule.apply(draft)
    return finished(draft)


def ladder(
    state: SamplerState | bytes,
    screen: Screen,
    *,
    dialect: str | VulkanDialect = "native",
    view: View | None = None,
    free_slots: int | None = None,
) -> tuple[BorderChoice, ...]:
    """Every rung of the border-colour ladder, tried: whether it is possible, why, and what it would cost.

    The arguments are those of `create_info`; the first possible rung is the one it takes.
    """
    draft = drafted(state, screen, dialect=dialect, view=view, free_slots=free_slots)
    for rule in RULES[:-1]:
        rule.apply(draft)
    return tuple(border_ladder(draft))


def drafted(
    state: SamplerState | bytes,
    screen: Screen,
    *,
    dialect: str | VulkanDialect,
    view: View | None = None,
    free_slots: int | None = None,
    unnormalized_fits: bool = False,
) -> Draft:
    """The draft before the first rule."""
    accepted = f"a SamplerState or its {RECORD_BYTES} bytes"
    if not isinstance(state, SamplerState | bytes | bytearray | memoryview):
        raise ArgumentError("state", state, accepted=accepted)
    record = bytes(state)
    if len(record) != RECORD_BYTES:
        raise ArgumentError("state", f"{len(record)} bytes", accepted=accepted)
    if view is not None and not isinstance(view, View):
        raise ArgumentError("view", view, accepted="a vulkan.View, or None")
    if view is not None and (len(view.swizzle) != 4 or not set(view.swizzle) <= set(SELECTORS)):
        raise ArgumentError("view.swizzle", view.swizzle, accepted=f"four letters of {SELECTORS}")
    if free_slots is not None and (not isinstance(free_slots, int) or free_slots < 0):
        raise ArgumentError("free_slots", free_slots, accepted="a number of colours, 0 or more, or None")
    chosen = vulkan_dialect(dialect)
    return Draft(
        record, device_of(screen), chosen, view=view, free_slots=free_slots, unnormalized_fits=unnormalized_fits
    )


def finished(draft: Draft) -> SamplerCreateInfo:
    """The info of a draft that has seen every rule, with the second sampler that it may need."""
    info = _info_of(draft)
    twin = _depth_border_sampler(draft, info)
    info.depth_border_sampler = twin
    if twin is not None and _kept_in_floats(draft):
        draft.needs["second_sampler"] = True
    info.needs = Needs(**draft.needs)
    return info


def _info_of(draft: Draft) -> SamplerCreateInfo:
    info = SamplerCreateInfo()
    for name, members in _MEMBERS:
        setattr(info, name, members[getattr(draft, name)])
    info.flags = int(draft.flags)
    info.mip_lod_bias = draft.mip_lod_bias
    info.anisotropy_enable = draft.anisotropy_enable
    info.max_anisotropy = draft.max_anisotropy
    info.compare_enable = draft.compare_enable
    info.min_lod = draft.min_lod
    info.max_lod = draft.max_lod
    info.unnormalized_coordinates = draft.unnormalized_coordinates
    info.custom_border_color = draft.custom_border_color
    info.component_mapping = draft.component_mapping
    info.reduction_mode = _REDUCTIONS[draft.reduction_mode]
    info.border = draft.border
    info.losses = tuple(draft.losses)
    info.needs = Needs()
    info.depth_border_sampler = None
    return info


def _depth_border_sampler(draft: Draft, info: SamplerCreateInfo) -> SamplerCreateInfo | None:
    """The second sampler: GL clamps the border depth of 24-bit formats, floats would not.

    zink makes it of a custom colour alone and loses the reduction mode. Natively it takes its own way down the ladder.
    """
    when, red = draft.dialect.depth_border_sampler, draft.floats[0]
    if when == "never" or draft.integer:
        return None
    clamped = min(max(red, 0.0), 1.0) if red == red else 0.0  # noqa: PLR0124 (not NaN)
    word = int.from_bytes(_FLOAT.pack(clamped), "little")
    words = (word, word, word, word)
    if when == "colour":
        if not draft.device.lacks_d24s8 or info.custom_border_color is None or words == draft.color:
            return None
        twin = _info_of(draft)
        twin.custom_border_color = CustomBorderColor(words, info.custom_border_color.format)
        twin.reduction_mode = None
        return twin
    if not draft.device.replaced or clamped == red or not draft.reads_border:
        return None
    before = draft.color, draft.free_slots, draft.losses
    draft.color, draft.losses = words, []
    draft.free_slots -= info.custom_border_color is not None
    RULES[-1].apply(draft)
    twin = _info_of(draft)
    draft.color, draft.free_slots, draft.losses = before
    return twin


def _kept_in_floats(draft: Draft) -> bool:
    """Whether the view is, or may be, 24-bit depth that this device keeps in floats."""
    if draft.view is None:
        return True
    return "Z24" in draft.view.format
