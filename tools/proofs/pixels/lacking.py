"""Sampler states as a device without some features has them, with the lowering and the values for the difference."""

from __future__ import annotations

from math import ceil, floor
from typing import Any, NamedTuple

from statetracker.pipe import (
    Lowering,
    LoweringValues,
    SamplerState,
    TexCompare,
    TexFilter,
    TexMipfilter,
    TexReduction,
    TexWrap,
)

__all__ = ["Device", "lacking", "seamed"]

AXES = ("wrap_s", "wrap_t", "wrap_r")


class Device(NamedTuple):
    """A device; the defaults have next to nothing.

    Attributes:
        route: ``edge`` or ``predefined``: what border axes become.
        mirror_edge: It has MIRROR_CLAMP_TO_EDGE.
        bias: The greatest LOD bias.
        filters: It filters the format linearly.
        reduces: It has the least and the greatest texel.
    """

    route: str = "edge"
    mirror_edge: bool = False
    bias: float = 0.0
    filters: bool = True
    reduces: bool = True


def lacking(asked: SamplerState, device: Device) -> tuple[SamplerState, Lowering, LoweringValues]:
    """Return the state of the device's sampler, and what the shader makes up for."""
    wraps = [TexWrap(getattr(asked, axis)) for axis in AXES]
    route = "edge" if {TexWrap.CLAMP, TexWrap.MIRROR_CLAMP} & {*wraps} else device.route
    letters: dict[str, Any] = dict.fromkeys(("fold", "border", "half_border", "reflect"), "")
    for axis, (letter, wrap) in enumerate(zip("str", wraps, strict=True)):
        wraps[axis], marks = _axis(wrap, route, device)
        for mark in marks:
            letters[mark] += letter
    bias = min(max(asked.lod_bias, -device.bias), device.bias)
    covered = letters["border"] + letters["half_border"]
    averages = asked.reduction_mode == TexReduction.WEIGHTED_AVERAGE
    filters = device.filters and (averages or (device.reduces and not covered))
    limits = asked.min_lod, max(asked.min_lod, asked.max_lod)
    opened = limits
    linear = asked.min_mip_filter == TexMipfilter.LINEAR
    alone = (linear and ((covered and route == "edge") or letters["fold"])) or not filters
    if alone and asked.min_mip_filter != TexMipfilter.NONE:  # the shader samples whole levels by itself
        opened = float(floor(limits[0])), float(ceil(limits[1]))
    compares = asked.compare_mode == TexCompare.R_TO_TEXTURE
    lowering = Lowering(
        **letters,
        route=route if covered else "",
        add_lod_bias=bias != asked.lod_bias,
        limit_lod=opened != limits,
        filter_texels=not filters,
        min_img_filter=TexFilter(asked.min_img_filter),
        mag_img_filter=TexFilter(asked.mag_img_filter),
        min_mip_filter=TexMipfilter(asked.min_mip_filter),
        compare_func=asked.compare_func if compares else None,
        reduction=TexReduction.WEIGHTED_AVERAGE if filters else TexReduction(asked.reduction_mode),
    )
    state = asked.replace(
        **dict(zip(AXES, wraps, strict=True)), lod_bias=bias, min_lod=opened[0], max_lod=opened[1],
        border_color=(0, 0, 0, 0),
    )  # fmt: skip
    if not filters:
        mips = TexMipfilter.NEAREST if asked.min_mip_filter != TexMipfilter.NONE else TexMipfilter.NONE
        state = state.replace(min_img_filter=TexFilter.NEAREST, mag_img_filter=TexFilter.NEAREST, min_mip_filter=mips)
    shares = tuple(0.0 if one in letters["border"] else 0.5 if one in letters["half_border"] else 1.0 for one in "str")
    words = asked.border_color[:4]
    values = LoweringValues(words, shares, bias, asked.lod_bias - bias, *limits)  # type: ignore[arg-type]
    return state, lowering, values


def _axis(wrap: TexWrap, route: str, device: Device) -> tuple[TexWrap, tuple[str, ...]]:
    """Return a wrap as the device has it, and the members of the lowering that name the axis."""
    mirrored = TexWrap.MIRROR_CLAMP_TO_EDGE if device.mirror_edge else TexWrap.CLAMP_TO_EDGE
    fold = () if device.mirror_edge else ("fold",)
    predefined = route == "predefined"
    return {
        TexWrap.CLAMP: (TexWrap.CLAMP_TO_EDGE, ("half_border",)),
        TexWrap.CLAMP_TO_BORDER: (TexWrap.CLAMP_TO_BORDER if predefined else TexWrap.CLAMP_TO_EDGE, ("border",)),
        TexWrap.MIRROR_CLAMP: (mirrored, ("half_border", "reflect", *fold)),
        TexWrap.MIRROR_CLAMP_TO_BORDER: (
            (TexWrap.CLAMP_TO_BORDER, ("border", "reflect", "fold"))
            if predefined
            else (mirrored, ("border", "reflect", *fold))
        ),
        TexWrap.MIRROR_CLAMP_TO_EDGE: (mirrored, fold),
    }.get(wrap, (wrap, ()))


def seamed(asked: SamplerState, device: Device) -> tuple[SamplerState, Lowering, LoweringValues]:
    """Return the state of a sampler that always looks across a cube's edges, and what the shader makes up for."""
    state, lowering, values = lacking(asked, device._replace(route="edge", mirror_edge=True, reduces=False))
    repeat = "".join(letter for letter, axis in zip("st", AXES, strict=False) if getattr(asked, axis) == TexWrap.REPEAT)
    low, high = float(floor(values.min_lod)), float(ceil(values.max_lod))
    opened = asked.min_mip_filter == TexMipfilter.LINEAR and (low, high) != (values.min_lod, values.max_lod)
    if opened:
        state = state.replace(min_lod=low, max_lod=high)
    edges: dict[str, Any] = dict.fromkeys(AXES, TexWrap.CLAMP_TO_EDGE)
    whole = state.replace(seamless_cube_map=True, **edges)
    return (
        whole,
        lowering._replace(cube_edges=True, repeat=repeat, reflect="", limit_lod=lowering.limit_lod or opened),
        values,
    )
