"""The shader's share: `lowering` makes the `Lowering` of a sampler and its texture.

Source: docs/rules/lowering.md.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from statetracker.gl.enums import Target
from statetracker.pipe.lowering import AXES, Lowering
from statetracker.pipe.wraps import WRAPS
from statetracker.sampler.tables import WRAP

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.sampler import Sampler

_RECTANGLE: Final = int(Target.TEXTURE_RECTANGLE)
_BUFFER: Final = int(Target.TEXTURE_BUFFER)


def lowering(sampler: Sampler, facts: TextureFacts, screen: Screen) -> Lowering:
    """Say what the shader must do; the clamped axes follow GL's wrap modes, whatever they became in the record.

    Of the sampler its wraps count alone, of the texture its target: the rewrite ignores surplus axes. The screen says
    whether it emulates GL_CLAMP, and what it lowers; a buffer texture has no sampler unless it says so.
    """
    rectangle = facts.target == _RECTANGLE
    normalize = rectangle and screen.lower_rect_tex
    if not screen.emulate_gl_clamp or (facts.target == _BUFFER and not screen.texture_buffer_sampler):
        return _lowering(rectangle, normalize)
    return _lowering(rectangle, normalize, sampler.wrap_s, sampler.wrap_t, sampler.wrap_r)


@cache
def _lowering(rectangle: bool, normalize: bool, *wraps: int) -> Lowering:  # noqa: FBT001 (a cache's key)
    """Return the work for three GL wraps: the axes that are GL_CLAMP, and those that mirror it; or no such work."""
    clamp = mirror = 0
    for axis, wrap in enumerate(wraps):
        facts = WRAPS[WRAP[wrap]]
        clamp |= (facts.clamps and not facts.mirrors) << axis
        mirror |= (facts.clamps and facts.mirrors) << axis
    return Lowering(AXES[clamp], AXES[mirror], texel_coords=rectangle, normalize=normalize)
