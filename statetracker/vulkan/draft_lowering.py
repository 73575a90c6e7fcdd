"""The shader's share of a draft: its `Lowering` and the numbers, and what a view changes in it later.

A cache keys samplers by record, so that one serves many textures; what the shader must do depends on the texture too.
`with_view` adds that to a create info that was made without a view. Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.pipe.enums import TexMipfilter, TexReduction, TexWrap
from statetracker.pipe.formats import shown_border
from statetracker.pipe.lowering import AXES, Lowering, LoweringValues
from statetracker.vulkan.device import facts_of
from statetracker.vulkan.enums import SamplerAddressMode
from statetracker.vulkan.shader_rules import NON_SEAMLESS, clamps_depth
from statetracker.vulkan.views import channels_of_one, shader_swizzle

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.vulkan.draft import Draft
    from statetracker.vulkan.info import SamplerCreateInfo
    from statetracker.vulkan.views import View


def with_view(info: SamplerCreateInfo, view: View, screen: Screen) -> Lowering:
    """Return ``info.lowering`` with what the shader must know of the view, and without what is for other views.

    What depends on the view and is not the shader's stays as the info has it: filters, and a border colour that the
    device may or may not put through the view's swizzle.

    Args:
        info: Made without a view.
        view: The view that will be sampled.
        screen: The device it was made for.
    """
    work = info.lowering
    if "Z24" not in view.format:
        work = work._replace(second_sampler=False)
    if info.dialect.clamp == "coordinate":
        return work if view.cube is not False else work._replace(cube_edges=False)
    facts = facts_of(screen)
    if view.cube is False:
        work = work._replace(cube_edges=False, repeat="")
    elif view.cube:
        work = _on_cube(work, info)
    if work.route == "predefined" and not info.compare_enable:
        work = work._replace(ones=channels_of_one(view.format, view.swizzle, facts))
    mixed = bool(work.covered) or work.filter_texels
    swizzle = shader_swizzle(view.format, view.swizzle, facts, compares=info.compare_enable)
    fixed_depth = info.compare_enable and clamps_depth(view.format, facts, mixed=mixed)
    return work._replace(fixed_depth=fixed_depth, swizzle=swizzle)


def _on_cube(work: Lowering, info: SamplerCreateInfo) -> Lowering:
    """Sample a cube's faces one by one, borders too, also where the sampler has the seams but not all the border."""
    if not (work.cube_edges or (info.flags & NON_SEAMLESS and work.covered)):
        return work
    axes = dict(zip("str", (info.address_mode_u, info.address_mode_v, info.address_mode_w), strict=True))
    border = "".join(a for a, mode in axes.items() if a in work.border or mode == SamplerAddressMode.CLAMP_TO_BORDER)
    repeat = "".join(a for a in "st" if axes[a] == SamplerAddressMode.REPEAT)
    route = work.route or ("predefined" if border else "")
    return work._replace(cube_edges=True, border=border, repeat=repeat, route=route)


#: Beyond every level of every texture.
MOST_LEVELS: Final = 1000.0


def lowering_of(draft: Draft, *, second_sampler: bool) -> Lowering:
    """Return what is left to the shader."""
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
        return work._replace(swizzle=draft.swizzle)
    minify, magnify, mips, func = draft.asked
    repeats = sum(1 << axis for axis, wrap in enumerate(draft.wraps[:2]) if wrap == TexWrap.REPEAT)
    return work._replace(
        swizzle=draft.swizzle,
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
    """Return the lowering's numbers; a border that the shader mixes in as the view shows it, where that is known."""
    shares = (0.0, 0.5, 1.0)
    k = [shares[0] if draft.border_bits >> n & 1 else shares[1] if draft.half >> n & 1 else 1.0 for n in range(3)]
    limits = draft.limits if draft.limits[0] == draft.limits[0] else (0.0, draft.limits[1])
    rest = max(-MOST_LEVELS, min(MOST_LEVELS, draft.lod_bias_rest))  # of an infinite one as much as there can be
    border = draft.color
    if draft.view is not None and (draft.border_bits or draft.half):
        compares = draft.asked[3] is not None
        border = shown_border(border, draft.view.format, "XXXX" if compares else draft.view.swizzle)
    return LoweringValues(border, (k[0], k[1], k[2]), draft.mip_lod_bias, rest, *limits)
