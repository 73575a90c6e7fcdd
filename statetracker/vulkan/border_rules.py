"""The rules of the border colour: its numeric type, which way of giving it is taken, and what the sampler then reads.

The ways themselves are in `statetracker.vulkan.border`. Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.pipe.formats import pipe_format
from statetracker.vulkan.border import border_fallbacks, choose_border, unknown_swizzle
from statetracker.vulkan.border_choice import BorderFallback
from statetracker.vulkan.draft import ADDRESSES
from statetracker.vulkan.enums import SamplerAddressMode, SamplerReductionMode
from statetracker.vulkan.formats import view_swizzle
from statetracker.vulkan.ranges import values
from statetracker.vulkan.shader_rules import NON_SEAMLESS, texels

if TYPE_CHECKING:
    from statetracker.vulkan.draft import Draft


def border_type(d: Draft) -> None:
    """Read the colour as the view's format does.

    The record's word for it is GL's, which is not set for a colour of zeros, and is for any texture's stencil mode.
    """
    if d.view is None or d.dialect.view != "yes" or not d.reads_border:
        return
    integer = pipe_format(d.view.format).is_pure_integer
    if integer != d.integer:
        d.integer = integer
        d.retyped = f", {'integers' if integer else 'floats'} as in {d.view.format}"


def border(d: Draft) -> None:
    """Take the first way that can carry the colour, and note what is lost."""
    choice = d.border = choose_border(d)
    d.border_color, d.custom_border_color, d.component_mapping = choice.border_color, choice.custom, choice.mapping
    if choice.error > 0:
        because = choice.because
        if choice.fallback is BorderFallback.NEAREST:
            because = f"{because}: {_refused(d)}"
        wanted = list(values(d.color, "int" if d.integer else "float"))
        d.note_unsupported("border", "border_color", wanted, choice.border_color.name, choice.error, because=because)
    unknown = unknown_swizzle(d, choice)
    if unknown is not None:
        d.unsupported = (*d.unsupported, unknown)


def _refused(d: Draft) -> str:
    """Why there is no custom colour."""
    return next(tried.because for tried in border_fallbacks(d) if tried.fallback is BorderFallback.CUSTOM_FORMAT)


def _reduced(d: Draft) -> None:
    """The border is one of the texels that are reduced: the shader reads them all, or it is blended in."""
    because = "the shader mixes in the border"
    if d.shader_filters:
        texels(d, because)
    else:
        name = SamplerReductionMode(d.reduction_mode or 0).name
        d.note_unsupported("reduction", "reduction_mode", name, "blended", because=because)


def in_shader(d: Draft) -> None:
    """The border axes are the shader's: on transparent black, or on the edge where GL_CLAMP or a swizzle needs that."""
    mixed = d.border.fallback is BorderFallback.IN_SHADER
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
        if not mixed or getattr(d, axis) != SamplerAddressMode.CLAMP_TO_BORDER:
            continue
        d.border_bits |= 1 << n
        if not edge:
            continue
        setattr(d, axis, SamplerAddressMode.CLAMP_TO_EDGE)
        if d.fold >> n & 1 and d.device.mirror_edge:
            d.fold &= ~(1 << n)
            setattr(d, axis, SamplerAddressMode.MIRROR_CLAMP_TO_EDGE)
