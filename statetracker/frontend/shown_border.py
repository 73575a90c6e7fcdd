"""The border colour as a program sees it through a texture: clamped to the format, then by base format and swizzle.

Source: OpenGL 4.6 compatibility profile, 8.14.2 ("the border colour is clamped"), 15.2.1 (base formats, swizzle).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.frontend.vulkan_view import vulkan_view
from statetracker.pipe.enums import TexCompare
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.lowering_values import LoweringValues
from statetracker.sampler.situation import composed_swizzle
from statetracker.sampler.tables import ONE, ZERO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.pipe import SamplerState

    Words = tuple[int, int, int, int]

__all__ = ["shown_border", "state_values"]

_ONE_BITS: Final = 0x3F800000


def shown_border(words: Sequence[int], facts: TextureFacts, screen: Screen, *, glsl130: bool, compares: bool) -> Words:
    """The four words that a sample of the border gives.

    words     the border colour, bits of floats or integers
    facts     of the texture that is sampled
    glsl130   the program is GLSL 1.30 or later, which changes one depth mode
    compares  depth is compared: all words are the border's depth
    return    words of the texture's type; floats of float formats as they are, NaN and infinities too
    """
    view = vulkan_view(facts, screen, glsl130)
    held = _clamped(words, view.format, screen)
    if compares:
        return (held[0],) * 4
    one = 1 if pipe_format(view.format).is_pure_integer else _ONE_BITS
    swizzle = composed_swizzle(facts, glsl130=glsl130)
    r, g, b, a = (0 if part == ZERO else one if part == ONE else held[part] for part in swizzle)
    return r, g, b, a


def _clamped(words: Sequence[int], name: str, screen: Screen) -> Words:
    """What the format holds of a colour; of depth and stencil the first word counts."""
    from statetracker.caps.vulkan_names import vulkan_formats
    from statetracker.caps.vulkan_pipe import vulkan_format
    from statetracker.vulkan import facts_of
    from statetracker.vulkan.ranges import ColorRange, color_range, into_range

    r, g, b, a = words
    fmt = pipe_format(name)
    if fmt.has_depth:
        fixed = ColorRange("float", ((0.0, 1.0),) * 4)
        return (r, g, b, a) if "Z32_FLOAT" in name else into_range(fixed, words)
    if fmt.has_stencil:
        return into_range(ColorRange("uint", ((0, 255),) * 4), words)
    vulkan = vulkan_format(name, facts_of(screen)) or ""
    span, row = color_range(vulkan), vulkan_formats().get(vulkan)
    if span is None or row is None or row.kind in {"SFLOAT", "UFLOAT"}:
        return r, g, b, a
    return into_range(span, words)


def state_values(state: SamplerState, facts: TextureFacts, screen: Screen, *, glsl130: bool) -> LoweringValues:
    """The numbers of a record whose sampler has all of it: the border as it is seen, nothing left to add."""
    border = state.border_color[:4]
    if not screen.apply_texture_swizzle_to_border_color:
        compares = state.compare_mode == TexCompare.R_TO_TEXTURE
        border = shown_border(border, facts, screen, glsl130=glsl130, compares=compares)
    return LoweringValues(border, lod_bias=state.lod_bias, min_lod=state.min_lod, max_lod=state.max_lod)
