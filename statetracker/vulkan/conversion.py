"""`create_info`: the pipe record becomes a VkSamplerCreateInfo with its chain; `record_of`: the way back.

`with_open_limits`, `by_texels` and `by_data` take a draft before its first rule, and give an info that serves several
states: with limits opened, or one nearest sampler that filters and wraps no more. Source: docs/webgpu.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.pipe.enums import TexCompare, TexMipfilter
from statetracker.pipe.lowering import AXES
from statetracker.pipe.state import SamplerState
from statetracker.vulkan import enums as vk
from statetracker.vulkan.border import PREDEFINED
from statetracker.vulkan.draft import NO_MIPS, Draft
from statetracker.vulkan.draft_lowering import MOST_LEVELS, lowering_of, values_of
from statetracker.vulkan.ranges import values, words_of
from statetracker.vulkan.rules import ADDRESS_MODE, LEVEL_0_MAX_LOD, RULES
from statetracker.vulkan.shader_rules import border, texels

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.vulkan.dialects import VulkanDialect
    from statetracker.vulkan.info import SamplerCreateInfo
    from statetracker.vulkan.views import View

_WRAPS: Final = {mode: wrap for wrap, mode in ADDRESS_MODE.items()}


def record_of(info: SamplerCreateInfo) -> SamplerState:
    """Return the record whose sampler a create info's is, without what the shader adds: hardware alone.

    Wraps are those that Vulkan has; the border colour is in ``border_color`` as words of its type, and a border read
    through a component mapping is not put through it.
    """
    levels = info.mipmap_mode or (info.min_lod, info.max_lod) != (0.0, LEVEL_0_MAX_LOD)
    words, integer = _border(info)
    return SamplerState(
        wrap_s=_WRAPS[info.address_mode_u],
        wrap_t=_WRAPS[info.address_mode_v],
        wrap_r=_WRAPS[info.address_mode_w],
        min_img_filter=int(info.min_filter),
        mag_img_filter=int(info.mag_filter),
        min_mip_filter=TexMipfilter(int(info.mipmap_mode)) if levels else TexMipfilter.NONE,
        compare_mode=TexCompare.R_TO_TEXTURE if info.compare_enable else TexCompare.NONE,
        compare_func=int(info.compare_op),
        unnormalized_coords=info.unnormalized_coordinates,
        max_anisotropy=int(info.max_anisotropy) if info.anisotropy_enable else 0,
        seamless_cube_map=not info.flags & vk.SamplerCreateFlag.NON_SEAMLESS_CUBE_MAP_BIT_EXT,
        reduction_mode=int(info.reduction_mode or 0),
        lod_bias=info.mip_lod_bias,
        min_lod=info.min_lod,
        max_lod=info.max_lod,
        border_color=words,
        border_color_is_integer=integer,
    )


def _border(info: SamplerCreateInfo) -> tuple[tuple[int, ...], bool]:
    """Return the border's four words, and whether they are integers."""
    integer = info.border_color in vk.INTEGER_COLORS
    if info.custom_border_color is not None:
        return info.custom_border_color.words, integer
    channels = next(channels for channels, colours in PREDEFINED if info.border_color in colours)
    return words_of(channels, "int" if integer else "float"), integer


def create_info(
    state: SamplerState | bytes,
    screen: Screen,
    *,
    dialect: str | VulkanDialect = "native",
    view: View | None = None,
    free_slots: int | None = None,
    unnormalized_fits: bool = False,
    filter_in_shader: bool = True,
) -> SamplerCreateInfo:
    """Translate a pipe record for Vulkan.

    Under ``native`` the info breaks no valid-usage rule on any device; what it cannot express is in
    `SamplerCreateInfo.lowering` and `SamplerCreateInfo.unsupported`. The zink dialects rely on their front end as zink
    does.

    A pure function.

    Source: docs/vulkan_samplers.md (Mesa 22.3.6, recorded live).

    Args:
        state: The record, a `SamplerState` or its 36 bytes.
        screen: The device; see `statetracker.vulkan.device` for screens that were not made from one.
        dialect: zink21, zink22 or native, or a `VulkanDialect`.
        view: What is known of the view that will be sampled; an info made with one is for that view, so keep handles by
            the info, not by the record.
        free_slots: Custom border colours that may still be made on the device; None: as many as its limit; 0 where a
            queue family without graphics reads them: a custom colour's value is undefined there.
        unnormalized_fits: A record with unnormalised coordinates is only sampled with an explicit LOD, on 1D and 2D
            views; otherwise the shader must normalise them.
        filter_in_shader: A format of the view that the device does not filter is filtered in the shader; otherwise the
            sampler is NEAREST, and that is in `SamplerCreateInfo.unsupported`.

    Raises:
        ArgumentError: A malformed record.
        UnknownName: An unknown dialect.
    """
    draft = Draft(
        state,
        screen,
        dialect=dialect,
        view=view,
        free_slots=free_slots,
        unnormalized_fits=unnormalized_fits,
        filter_in_shader=filter_in_shader,
    )
    return finished(_ruled(draft))


def _ruled(draft: Draft) -> Draft:
    for rule in RULES:
        rule.apply(draft)
    return draft


def finished(draft: Draft) -> SamplerCreateInfo:
    """Return the info of a draft that has seen every rule, with the second sampler that it may need."""
    info = draft.info()
    info.depth_border_sampler = _depth_border_sampler(draft, info)
    second = info.depth_border_sampler is not None and (draft.view is None or "Z24" in draft.view.format)
    info.lowering = lowering_of(draft, second_sampler=second)
    info.lod_bias_rest = draft.lod_bias_rest
    info.lowering_values = values_of(draft)
    return info


def _depth_border_sampler(draft: Draft, info: SamplerCreateInfo) -> SamplerCreateInfo | None:
    """Return the second sampler: GL clamps the border depth of 24-bit formats, floats would not.

    zink makes it of a custom colour alone and loses the reduction mode. Natively it tries all fallbacks for itself.
    """
    when, red = draft.dialect.depth_border_sampler, values(draft.color, "float")[0]
    if when == "never" or draft.integer:
        return None
    clamped = min(max(red, 0.0), 1.0) if red == red else 0.0  # noqa: PLR0124 (not NaN)
    words = words_of([clamped] * 4, "float")
    if when == "colour":
        if not draft.device.lacks_d24s8 or info.custom_border_color is None or words == draft.color:
            return None
        second = draft.info()
        second.custom_border_color = vk.CustomBorderColor(words, info.custom_border_color.format)
        second.reduction_mode = None
        return second
    if clamped == red or not draft.reads_border or not draft.device.replaced:
        return None
    if draft.border_bits:
        return None  # the shader clamps the border's depth
    before = draft.color, draft.free_slots, draft.unsupported
    draft.color, draft.unsupported = words, ()
    if info.custom_border_color is not None:
        draft.free_slots = min(draft.free_slots, draft.device.custom_slots) - 1
    border(draft)
    second = draft.info()
    draft.color, draft.free_slots, draft.unsupported = before
    return second


_WRAPPED: Final = (
    vk.SamplerAddressMode.REPEAT,
    vk.SamplerAddressMode.MIRRORED_REPEAT,
    vk.SamplerAddressMode.MIRROR_CLAMP_TO_EDGE,
)


def with_open_limits(draft: Draft) -> SamplerCreateInfo | None:
    """Return the info without limits of the level of detail, for the shader; None: they must be the sampler's.

    So they must with anisotropy, which an explicit level would lose, and without mip filter, where they choose level 0.
    """
    second = finished(_ruled(draft)).depth_border_sampler
    if draft.anisotropy_enable or draft.min_mip_filter >= NO_MIPS or second or draft.unnormalized_coordinates:
        return None
    draft.min_lod, draft.max_lod, draft.limit_lod = 0.0, MOST_LEVELS, True
    return finished(draft)


def by_texels(draft: Draft) -> SamplerCreateInfo | str:
    """Return the info of a nearest sampler that clamps to the edge and limits nothing; or why there is none.

    The shader filters and wraps. Those of all states are equal, but for the comparison.
    """
    if not draft.shader_filters:
        return "the shader cannot filter its view: it is not known, or of integers"
    for rule in RULES:
        rule.apply(draft)
        if rule.name == "filtering" and not draft.filter_texels:
            texels(draft, "one sampler serves several states")
    info = finished(draft)
    if info.depth_border_sampler is not None or draft.unnormalized_coordinates:
        return "it has a second sampler, or coordinates in texels"
    modes = (draft.address_mode_u, draft.address_mode_v, draft.address_mode_w)
    if not draft.on_cube:
        if vk.SamplerAddressMode.CLAMP_TO_BORDER in modes:
            return "the device's sampler has its border"
        repeat, mirrored, once = (
            AXES[sum((mode == key) << axis for axis, mode in enumerate(modes))] for key in _WRAPPED
        )
        fold = info.lowering.fold + once  # no axis is in both: what is folded clamps to the edge
        info.lowering = info.lowering._replace(fold="".join(sorted(fold, key="str".index)))
        info.lowering = info.lowering._replace(repeat=repeat, mirror_repeat=mirrored)
    info.address_mode_u = info.address_mode_v = info.address_mode_w = vk.SamplerAddressMode.CLAMP_TO_EDGE
    rest = info.lowering_values.rest + info.mip_lod_bias
    info.lowering = info.lowering._replace(limit_lod=draft.min_mip_filter < NO_MIPS, add_lod_bias=bool(rest))
    info.lowering_values = info.lowering_values._replace(rest=rest, lod_bias=0.0)
    info.mip_lod_bias, info.lod_bias_rest, info.flags = 0.0, rest, 0
    info.min_lod, info.max_lod, info.max_anisotropy, info.reduction_mode = 0.0, MOST_LEVELS, 1.0, None
    info.border_color, info.custom_border_color = vk.BorderColor.FLOAT_TRANSPARENT_BLACK, None
    info.component_mapping = None
    return info


def by_data(draft: Draft) -> SamplerCreateInfo | str:
    """Return the same with a lowering that reads wraps, filters and limits: one module for the states of a view.

    But for the comparison, the reduction, and a cube's seams: each of these has a module of its own.
    """
    info = by_texels(draft)
    if isinstance(info, str):
        return info
    if info.lowering.clamp or info.lowering.mirror:
        return "its coordinates are clamped"
    info.lowering, said = info.lowering.as_values()
    info.lowering_values = info.lowering_values._replace(sampling=said)
    return info
