"""The rules of what else is left to the shader: filters, limits of the level of detail, references.

Each does nothing in a dialect that leaves the shader no more than coordinates. Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from math import floor, isfinite
from typing import TYPE_CHECKING

from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.pipe.enums import TexMipfilter
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan.border import choose_border
from statetracker.vulkan.border_choice import BorderFallback
from statetracker.vulkan.draft import NO_MIPS
from statetracker.vulkan.enums import Filter, SamplerMipmapMode
from statetracker.vulkan.views import can_filter

if TYPE_CHECKING:
    from statetracker.caps import VulkanFacts
    from statetracker.vulkan.draft import Draft

__all__ = ["clamps_depth", "counts_texels", "filtering", "fixed_depth", "whole_limits"]


def filtering(d: Draft) -> None:
    """A format that the device does not filter: by the shader, or not at all.

    Of a comparison that the shader does not filter the device's own filter stays: Vulkan allows it, without saying how
    it filters.
    """
    if d.dialect.filtering == "as-is" or d.view is None or can_filter(d.device.facts, d.view.format):
        return
    if Filter.LINEAR not in (d.min_filter, d.mag_filter) and d.mipmap_mode != SamplerMipmapMode.LINEAR:
        return
    d.filter_texels = d.filter_in_shader and d.view.cube is False and not pipe_format(d.view.format).is_pure_integer
    if not d.filter_texels and d.compare_enable:
        return
    d.min_filter = d.mag_filter = Filter.NEAREST
    d.mipmap_mode = SamplerMipmapMode.NEAREST
    because = f"the device does not filter {d.view.format}"
    if not d.filter_texels:
        d.refuse("filtering", "min_filter", "LINEAR", "NEAREST", because=because)
        return
    if d.anisotropy_enable:
        d.turn_down(0.0, because)
    if d.reduction_mode is not None:
        d.average(because)


def counts_texels(d: Draft) -> bool:
    """Whether the shader has work that counts texels, for which it must have normalised coordinates."""
    return bool(d.half or d.filter_texels) or choose_border(d).fallback is BorderFallback.IN_SHADER


def whole_limits(d: Draft) -> None:
    """Where the shader samples whole levels by itself the sampler's limits must not be between two."""
    d.limits = d.min_lod, d.max_lod
    if d.dialect.clamp == "coordinate" or d.min_mip_filter >= NO_MIPS:
        return
    linear = d.asked[2] == TexMipfilter.LINEAR
    alone = linear and (d.route == "edge" or d.fold or d.cube_edges)
    if not (alone or d.filter_texels) or (_whole(d.min_lod) and _whole(d.max_lod)):
        return
    d.min_lod, d.max_lod, d.limit_lod = _down(d.min_lod), -_down(-d.max_lod), True


def _whole(level: float) -> bool:
    return level == _down(level)


def _down(level: float) -> float:
    return float(floor(level)) if isfinite(level) else level


def fixed_depth(d: Draft) -> None:
    """References are clamped by a fixed-point format, but not where the device keeps 24 bits in floats."""
    if d.dialect.clamp == "coordinate" or not d.compare_enable or d.view is None:
        return
    d.fixed_depth = clamps_depth(d.view.format, d.device.facts, mixed=bool(d.border_bits or d.half or d.filter_texels))


def clamps_depth(name: str, facts: VulkanFacts, *, mixed: bool) -> bool:
    """Whether the shader clamps references for a format; ``mixed``: it compares by itself, too."""
    fixed = pipe_format(name).has_depth and "Z32_FLOAT" not in name
    return fixed and (mixed or "SFLOAT" in (vulkan_format(name, facts) or ""))
