"""The border colour as a program sees it through a texture: clamped to the format, then by base format and swizzle.

Source: OpenGL 4.6 compatibility profile, 8.14.2 ("the border colour is clamped"), 15.2.1 (base formats, swizzle).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.frontend.vulkan_view import vulkan_view
from statetracker.pipe import shown_border as of_format
from statetracker.pipe.enums import TexCompare
from statetracker.pipe.lowering import LoweringValues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.pipe import SamplerState

    Words = tuple[int, int, int, int]


def shown_border(words: Sequence[int], facts: TextureFacts, screen: Screen, *, glsl130: bool, compares: bool) -> Words:
    """The four words that a sample of the border gives.

    words     the border colour, bits of floats or integers
    facts     of the texture that is sampled
    glsl130   the program is GLSL 1.30 or later, which changes one depth mode
    compares  depth is compared: all words are the border's depth
    return    words of the texture's type; floats of float formats as they are, NaN and infinities too
    """
    view = vulkan_view(facts, screen, glsl130)
    return of_format.shown_border(words, view.format, "XXXX" if compares else view.swizzle)


def state_values(state: SamplerState, facts: TextureFacts, screen: Screen, *, glsl130: bool) -> LoweringValues:
    """The numbers of a record whose sampler has all of it: the border as it is seen, nothing left to add."""
    words = state.border_color
    if screen.apply_texture_swizzle_to_border_color:
        words = _unswizzled(words, vulkan_view(facts, screen, glsl130).swizzle)
    compares = state.compare_mode == TexCompare.R_TO_TEXTURE
    border = shown_border(words, facts, screen, glsl130=glsl130, compares=compares)
    return LoweringValues(border, lod_bias=state.lod_bias, min_lod=state.min_lod, max_lod=state.max_lod)


def _unswizzled(words: Sequence[int], swizzle: str) -> Words:
    """A colour whose swizzle is that of a record; components that the swizzle leaves out are 0, for none shows them."""
    x, y, z, w = (next((words[at] for at, one in enumerate(swizzle) if one == part), 0) for part in "XYZW")
    return x, y, z, w
