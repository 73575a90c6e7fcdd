"""What each ``PIPE_TEX_WRAP_*`` does: the one table that every rule about wrap modes reads.

Source: docs/sampler_state.md (Mesa 22.3); OpenGL 4.6 compatibility profile, 8.14.2; GL_EXT_texture_mirror_clamp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.pipe.enums import TexWrap
from statetracker.pipe.layout import SHIFTS

if TYPE_CHECKING:
    from collections.abc import Mapping


class WrapFacts(NamedTuple):
    """One wrap mode.

    reads_border   it may read the border colour
    clamps         GL_CLAMP or GL_MIRROR_CLAMP_EXT, which current hardware lacks
    border         the mode that reads the border wherever this one may
    edge           the mode that reads the texel at the edge instead of the border
    folded         for a mirrored clamp: the mode that does the same to the coordinate's absolute value; else None
    """

    reads_border: bool
    clamps: bool
    border: TexWrap
    edge: TexWrap
    folded: TexWrap | None

    @property
    def mirrors(self) -> bool:
        """Whether it is a mirrored clamp."""
        return self.folded is not None


_REPEAT, _CLAMP, _EDGE, _BORDER, _MIRROR, _MIRROR_CLAMP, _MIRROR_EDGE, _MIRROR_BORDER = TexWrap

# fmt: off
WRAPS: Final[Mapping[int, WrapFacts]] = {
    #                         reads border  clamps  border          edge          folded
    _REPEAT:        WrapFacts(False,        False,  _REPEAT,        _REPEAT,      None),
    _CLAMP:         WrapFacts(True,         True,   _BORDER,        _EDGE,        None),
    _EDGE:          WrapFacts(False,        False,  _EDGE,          _EDGE,        None),
    _BORDER:        WrapFacts(True,         False,  _BORDER,        _EDGE,        None),
    _MIRROR:        WrapFacts(False,        False,  _MIRROR,        _MIRROR,      None),
    _MIRROR_CLAMP:  WrapFacts(True,         True,   _MIRROR_BORDER, _MIRROR_EDGE, _CLAMP),
    _MIRROR_EDGE:   WrapFacts(False,        False,  _MIRROR_EDGE,   _MIRROR_EDGE, _EDGE),
    _MIRROR_BORDER: WrapFacts(True,         False,  _MIRROR_BORDER, _MIRROR_EDGE, _BORDER),
}
# fmt: on

#: The bits of word 0 that are set where a wrap reads the border: the lowest bit of each axis.
READS_BORDER: Final = sum(1 << SHIFTS[axis] for axis in ("wrap_s", "wrap_t", "wrap_r"))
