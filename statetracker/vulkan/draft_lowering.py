"""What a draft leaves to the shader: its `Lowering`, and the numbers. Source: docs/vulkan_samplers.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.pipe.enums import TexMipfilter, TexReduction, TexWrap
from statetracker.pipe.lowering import AXES, Lowering
from statetracker.pipe.lowering_values import LoweringValues
from statetracker.pipe.shown_border import shown_border
from statetracker.vulkan.formats import channels_of_one

if TYPE_CHECKING:
    from statetracker.vulkan.draft import Draft

__all__ = ["lowering_of", "values_of"]

#: Beyond every level of every texture.
MOST_LEVELS: Final = 1000.0


def lowering_of(draft: Draft, *, second_sampler: bool) -> Lowering:
    """What is left to the shader."""
    work = Lowering(
        AXES[draft.clamp],
        AXES[draft.mirror],
        AXES[draft.fold],
        normalize=draft.normalize,
        cube_edges=draft.cube_edges,
        add_lod_bias=bool(draft.lod_bias_rest),
        second_sampler=second_sampler,
        border=AXES[draft.border_bits],
        half_border=AXES[draft.half],
        limit_lod=draft.limit_lod,
        filter_texels=draft.filter_texels,
        fixed_depth=draft.fixed_depth,
    )
    if not work.needed or draft.dialect.clamp == "coordinate":
        return work
    minify, magnify, mips, func = draft.asked
    repeats = sum(1 << axis for axis, wrap in enumerate(draft.wraps[:2]) if wrap == TexWrap.REPEAT)
    return work._replace(
        reflect=AXES[draft.reflect],
        repeat=AXES[repeats] if draft.cube_edges else "",
        route=draft.route,
        ones=_ones(draft) if draft.route == "predefined" else "",
        min_img_filter=minify,
        mag_img_filter=magnify,
        min_mip_filter=mips,
        compare_func=func,
        anisotropic=draft.anisotropy_enable,
        reduction=_reduction(draft),
    )


def _reduction(draft: Draft) -> TexReduction:
    """Of texels that the shader filters; and of two levels, which it samples one by one where it folds an offset."""
    if draft.filter_texels:
        return TexReduction(draft.reduced)
    two = draft.fold and draft.asked[2] == TexMipfilter.LINEAR
    return TexReduction(draft.reduction_mode or 0) if two else TexReduction.WEIGHTED_AVERAGE


def _ones(draft: Draft) -> str:
    if draft.view is None or draft.compare_enable:
        return ""
    return channels_of_one(draft.view.format, draft.view.swizzle, draft.device.facts)


def values_of(draft: Draft) -> LoweringValues:
    """The numbers of the lowering; a border that the shader mixes in as the view shows it, where that is known."""
    shares = (0.0, 0.5, 1.0)
    k = [shares[0] if draft.border_bits >> n & 1 else shares[1] if draft.half >> n & 1 else 1.0 for n in range(3)]
    limits = draft.limits if draft.limits[0] == draft.limits[0] else (0.0, draft.limits[1])
    rest = max(-MOST_LEVELS, min(MOST_LEVELS, draft.lod_bias_rest))  # of an infinite one as much as there can be
    border = draft.color
    if draft.view is not None and (draft.border_bits or draft.half):
        compares = draft.asked[3] is not None
        border = shown_border(border, draft.view.format, "XXXX" if compares else draft.view.swizzle)
    return LoweringValues(border, (k[0], k[1], k[2]), draft.mip_lod_bias, rest, *limits)
