"""What a driver leaves to the shader: `lowering` makes the `Lowering` of a sampler and its texture.

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

__all__ = ["lowering"]

_RECTANGLE: Final = int(Target.TEXTURE_RECTANGLE)
_BUFFER: Final = int(Target.TEXTURE_BUFFER)


def lowering(sampler: Sampler, facts: TextureFacts, screen: Screen) -> Lowering:
    """Say what the shader must do; the clamped axes follow GL's wrap modes, whatever they became in the record.

    Filters and the texture's dimensions do not count: the rewrite ignores surplus axes. A buffer texture has no sampler
    unless the screen says so.
    """
    rectangle = facts.target == _RECTANGLE
    if not screen.emulate_gl_clamp or (facts.target == _BUFFER and not screen.texture_buffer_sampler):
        clamp = mirror = ""
    else:
        clamp, mirror = _clamped(sampler.wrap_s, sampler.wrap_t, sampler.wrap_r)
    return Lowering(clamp, mirror, "", rectangle, rectangle and screen.lower_rect_tex)


@cache
def _clamped(*wraps: int) -> tuple[str, str]:
    """The axes of three GL wraps that are GL_CLAMP, and those that are its mirror."""
    clamp = mirror = 0
    for axis, wrap in enumerate(wraps):
        facts = WRAPS[WRAP[wrap]]
        clamp |= (facts.clamps and not facts.mirrors) << axis
        mirror |= (facts.clamps and facts.mirrors) << axis
    return AXES[clamp], AXES[mirror]
