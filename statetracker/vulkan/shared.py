"""Create infos that serve several states: with limits opened, or one nearest sampler that filters and wraps no more.

Each takes a draft before its first rule. Source: docs/webgpu.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.pipe.lowering import AXES
from statetracker.vulkan.conversion import finished
from statetracker.vulkan.draft import NO_MIPS
from statetracker.vulkan.draft_lowering import MOST_LEVELS
from statetracker.vulkan.enums import BorderColor, SamplerAddressMode
from statetracker.vulkan.rules import RULES
from statetracker.vulkan.shader_rules import texels

if TYPE_CHECKING:
    from statetracker.vulkan.draft import Draft
    from statetracker.vulkan.info import SamplerCreateInfo

_WRAPPED: Final = (
    SamplerAddressMode.REPEAT,
    SamplerAddressMode.MIRRORED_REPEAT,
    SamplerAddressMode.MIRROR_CLAMP_TO_EDGE,
)


def with_open_limits(draft: Draft) -> SamplerCreateInfo | None:
    """The info with no limits of the level of detail, which the shader clamps; None: the limits must be the sampler's.

    So they must with anisotropy, which an explicit level would lose, and without mip filter, where they choose level 0.
    """
    for rule in RULES:
        rule.apply(draft)
    second = finished(draft).depth_border_sampler
    if draft.anisotropy_enable or draft.min_mip_filter >= NO_MIPS or second or draft.unnormalized_coordinates:
        return None
    draft.min_lod, draft.max_lod, draft.limit_lod = 0.0, MOST_LEVELS, True
    return finished(draft)


def by_texels(draft: Draft) -> SamplerCreateInfo | str:
    """The info of a nearest sampler that clamps to the edge and limits nothing; or why there is none.

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
        if SamplerAddressMode.CLAMP_TO_BORDER in modes:
            return "the device's sampler has its border"
        repeat, mirrored, once = (
            AXES[sum((mode == key) << axis for axis, mode in enumerate(modes))] for key in _WRAPPED
        )
        fold = info.lowering.fold + once  # no axis is in both: what is folded clamps to the edge
        info.lowering = info.lowering._replace(fold="".join(sorted(fold, key="str".index)))
        info.lowering = info.lowering._replace(repeat=repeat, mirror_repeat=mirrored)
    info.address_mode_u = info.address_mode_v = info.address_mode_w = SamplerAddressMode.CLAMP_TO_EDGE
    rest = info.lowering_values.rest + info.mip_lod_bias
    info.lowering = info.lowering._replace(limit_lod=draft.min_mip_filter < NO_MIPS, add_lod_bias=bool(rest))
    info.lowering_values = info.lowering_values._replace(rest=rest, lod_bias=0.0)
    info.mip_lod_bias, info.lod_bias_rest, info.flags = 0.0, rest, 0
    info.min_lod, info.max_lod, info.max_anisotropy, info.reduction_mode = 0.0, MOST_LEVELS, 1.0, None
    info.border_color, info.custom_border_color = BorderColor.FLOAT_TRANSPARENT_BLACK, None
    info.component_mapping = None
    return info
