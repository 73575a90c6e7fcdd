"""The rules of what is left to the shader (filters, levels of detail, references), and of the border colour.

In a dialect that leaves the shader no more than coordinates the former do nothing. The ways to give a border colour are
in `statetracker.vulkan.border`. Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from math import floor, isfinite
from typing import TYPE_CHECKING, Final

from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.pipe.enums import TexMipfilter, TexWrap
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan import enums as vk
from statetracker.vulkan.border import border_fallbacks, choose_border, unknown_swizzle
from statetracker.vulkan.draft import ADDRESSES, NO_MIPS
from statetracker.vulkan.ranges import values
from statetracker.vulkan.views import can_filter, is_ycbcr, shader_swizzle, view_swizzle

if TYPE_CHECKING:
    from statetracker.caps import VulkanFacts
    from statetracker.vulkan.draft import Draft

NON_SEAMLESS: Final = int(vk.SamplerCreateFlag.NON_SEAMLESS_CUBE_MAP_BIT_EXT)


def cube(d: Draft) -> None:
    """Clear the wraps of a cube that is sampled across its edges."""
    if d.on_cube and d.seamless_cube_map:
        for axis in ADDRESSES:
            setattr(d, axis, TexWrap.CLAMP_TO_EDGE)


def seams(d: Draft) -> None:
    """Filter a cube that is not seamless: by the device, or its faces one by one by the shader.

    So too where the shader filters, or mixes in a border: it must know the face.
    """
    if d.seamless_cube_map:
        return
    whole = not (d.on_cube and (d.filter_texels or d.half))
    if whole and d.dialect.seams != "never" and getattr(d.device, f"seams_{d.dialect.seams}"):
        d.flags |= NON_SEAMLESS
    elif d.view is None or d.view.cube is not False:
        d.cube_edges = True
        if d.on_cube and d.reduction_mode is not None and d.mixes and d.shader_filters:
            texels(d, "the shader samples the faces of a cube")


def conversion(d: Draft) -> None:
    """Report a view of YCbCr: the create info has no conversion, for that is an object, made before, for one format."""
    if d.seen is not None and is_ycbcr(d.seen.format):
        because = f"Vulkan samples {d.seen.format} only so; keep its planes apart, and let the shader convert"
        d.note_unsupported("conversion", "pNext", "VkSamplerYcbcrConversionInfo", None, because=because)


def sampled(d: Draft) -> None:
    """Report what WebGPU does not sample as GL does: integers, a format that it lacks, a swizzle."""
    if not d.device.webgpu or d.seen is None:
        return
    name = vulkan_format(d.seen.format, d.device.facts)
    if name not in (d.device.facts.formats or {}):
        d.note_unsupported(
            "format", "format", d.seen.format, None, because="WebGPU has no such format, or a feature is missing"
        )
    if d.integers:
        because = "WGSL samples no integers: fetch texels, or gather"
        d.note_unsupported("integers", "format", d.seen.format, None, because=because)
    d.swizzle = shader_swizzle(d.seen.format, d.seen.swizzle, d.device.facts, compares=d.compare_enable)


def filtering(d: Draft) -> None:
    """Filter a format that the device does not filter: by the shader, or not at all.

    Of a comparison that the shader does not filter the device's own filter stays: Vulkan allows it, without saying how
    it filters.
    """
    linear = vk.Filter.LINEAR in (d.min_filter, d.mag_filter) or d.mipmap_mode == vk.SamplerMipmapMode.LINEAR
    if d.dialect.filtering == "as-is" or d.view is None or not linear:
        return
    if (can_filter(d.device.facts, d.view.format) or (d.device.webgpu and d.compare_enable)) and not d.reduced:
        return
    because = d.because if d.reduced else f"the device does not filter {d.view.format}"
    if d.shader_filters:
        texels(d, because)
        d.because = because if d.reduced else f"{because}; the shader does"
    elif not d.compare_enable:
        nearest(d)
        d.note_unsupported("filtering", "min_filter", "LINEAR", "NEAREST", because=because)


def texels(d: Draft, because: str) -> None:
    """Filter in the shader, which reads texel by texel: no anisotropy, and the reduction is the shader's too."""
    nearest(d)
    d.filter_texels = True
    if d.anisotropy_enable:
        d.limit_anisotropy(0.0, because)
    if d.reduction_mode is not None:
        d.drop_reduction(because)


def nearest(d: Draft) -> None:
    """Filter nothing."""
    d.min_filter = d.mag_filter = vk.Filter.NEAREST
    d.mipmap_mode = vk.SamplerMipmapMode.NEAREST


def counts_texels(d: Draft) -> bool:
    """Return whether the shader has work that counts texels, for which it must have normalised coordinates."""
    return bool(d.half or d.filter_texels) or choose_border(d).fallback is vk.BorderFallback.IN_SHADER


def whole_limits(d: Draft) -> None:
    """Open the sampler's limits to whole levels where the shader samples these by itself."""
    d.limits = d.min_lod, d.max_lod
    if d.dialect.clamp == "coordinate" or d.min_mip_filter >= NO_MIPS:
        return
    linear = d.asked[2] == TexMipfilter.LINEAR
    alone = linear and (d.route == "edge" or d.fold or d.cube_edges or _may_be_faces(d))
    if not (alone or d.filter_texels) or (is_whole(d.min_lod) and is_whole(d.max_lod)):
        return
    d.min_lod, d.max_lod, d.limit_lod = _down(d.min_lod), -_down(-d.max_lod), True


def _may_be_faces(d: Draft) -> bool:
    """Return whether the view may be a cube, whose faces the shader samples one by one for their border."""
    return bool(d.flags & NON_SEAMLESS) and d.route == "predefined" and (d.view is None or d.view.cube is not False)


def is_whole(level: float) -> bool:
    """Return whether a limit is a whole level, or none."""
    return level == _down(level)


def _down(level: float) -> float:
    return float(floor(level)) if isfinite(level) else level


def fixed_depth(d: Draft) -> None:
    """Clamp references as a fixed-point format does, which a device that keeps 24 bits in floats does not."""
    if d.dialect.clamp == "coordinate" or not d.compare_enable or d.view is None:
        return
    d.fixed_depth = clamps_depth(d.view.format, d.device.facts, mixed=bool(d.border_bits or d.half or d.filter_texels))


def clamps_depth(name: str, facts: VulkanFacts, *, mixed: bool) -> bool:
    """Return whether the shader clamps references for a format; ``mixed``: it compares by itself, too."""
    fixed = pipe_format(name).has_depth and "Z32_FLOAT" not in name
    return fixed and (mixed or "SFLOAT" in (vulkan_format(name, facts) or ""))


def border_type(d: Draft) -> None:
    """Read the colour as the view's format does.

    The record's word for it is GL's, which is not set for a colour of zeros, and is for any texture's stencil mode.
    """
    if d.seen is not None and d.reads_border and d.integers != d.integer:
        d.integer = d.integers
        d.retyped = f", {'integers' if d.integer else 'floats'} as in {d.seen.format}"


def border(d: Draft) -> None:
    """Take the first way that can carry the colour, and note what is lost."""
    choice = d.border = choose_border(d)
    d.border_color, d.custom_border_color, d.component_mapping = choice.border_color, choice.custom, choice.mapping
    if choice.error > 0:
        because = choice.because
        if choice.fallback is vk.BorderFallback.NEAREST:
            because = f"{because}: {_refused(d)}"
        wanted = list(values(d.color, d.kind))
        d.note_unsupported("border", "border_color", wanted, choice.border_color.name, choice.error, because=because)
    unknown = unknown_swizzle(d, choice)
    if unknown is not None:
        d.unsupported = (*d.unsupported, unknown)


def _refused(d: Draft) -> str:
    """Return why there is no custom colour."""
    return next(tried.because for tried in border_fallbacks(d) if tried.fallback is vk.BorderFallback.CUSTOM_FORMAT)


def _reduced(d: Draft) -> None:
    """Reduce the border with the texels: the shader reads them all, or blends it in."""
    because = "the shader mixes in the border"
    if d.shader_filters:
        texels(d, because)
    else:
        name = vk.SamplerReductionMode(d.reduction_mode or 0).name
        d.note_unsupported("reduction", "reduction_mode", name, "blended", because=because)


def in_shader(d: Draft) -> None:
    """Leave border axes to the shader: on transparent black, or on the edge where GL_CLAMP or a swizzle needs that."""
    mixed = d.border.fallback is vk.BorderFallback.IN_SHADER
    if not (mixed or d.half):
        return
    whole = d.view is not None and "1" not in view_swizzle(d.view.format, d.view.swizzle)
    unknown = not d.device.swizzle_known and not whole
    edge = d.device.webgpu or bool(d.half) or (unknown and not d.compare_enable)
    d.route = "edge" if edge else "predefined"
    if d.on_cube and d.flags & NON_SEAMLESS:
        d.flags, d.cube_edges = d.flags & ~NON_SEAMLESS, True
    if d.reduction_mode is not None and d.mixes and not d.integers:
        _reduced(d)
    for n, axis in enumerate(ADDRESSES):
        if not mixed or getattr(d, axis) != vk.SamplerAddressMode.CLAMP_TO_BORDER:
            continue
        d.border_bits |= 1 << n
        if not edge:
            continue
        setattr(d, axis, vk.SamplerAddressMode.CLAMP_TO_EDGE)
        if d.fold >> n & 1 and d.device.mirror_edge:
            d.fold &= ~(1 << n)
            setattr(d, axis, vk.SamplerAddressMode.MIRROR_CLAMP_TO_EDGE)
