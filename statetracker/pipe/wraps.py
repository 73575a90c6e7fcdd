"""The one table of what each ``PIPE_TEX_WRAP_*`` does, which every rule about wrap modes reads.

`image_filters` says which filters a state without mipmaps can use: the level of detail is limited before it chooses
between magnification (0 or less) and minification, and without mipmaps a device's limits are others than the program's.
Source: docs/sampler_state.md (Mesa 22.3); OpenGL 4.6 compatibility, 8.14.2, 8.14.3, 8.15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.pipe.enums import TexMipfilter, TexWrap
from statetracker.pipe.layout import SHIFTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.pipe.state import SamplerState


class WrapFacts(NamedTuple):
    """One wrap mode.

    Attributes:
        reads_border: It may read the border colour.
        clamps: GL_CLAMP or GL_MIRROR_CLAMP_EXT, which current hardware lacks.
        border: The mode that reads the border wherever this one may.
        edge: The mode that reads the texel at the edge instead of the border.
        folded: For a mirrored clamp: the mode that does the same to the coordinate's absolute value; else None.
    """

    reads_border: bool
    clamps: bool
    border: TexWrap
    edge: TexWrap
    folded: TexWrap | None

    @property
    def mirrors(self) -> bool:
        """True where it is a mirrored clamp."""
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


def image_filters(minify: int, magnify: int, mips: int, min_lod: float, max_lod: float) -> tuple[int, int]:
    """Return the filters for minification and magnification: one of them twice, where the limits leave out the other.

    ``mips`` is the mip filter; with mipmaps nothing changes. Where ``min_lod`` is above ``max_lod`` it decides; NaN
    limits nothing.
    """
    if mips < TexMipfilter.NONE:
        return minify, magnify
    if min_lod > 0:
        return minify, minify
    return (magnify, magnify) if max_lod <= 0 else (minify, magnify)


def with_image_filters(state: SamplerState) -> SamplerState:
    """Return the state with `image_filters`."""
    asked = state.min_img_filter, state.mag_img_filter
    minify, magnify = image_filters(*asked, state.min_mip_filter, state.min_lod, state.max_lod)
    return state if (minify, magnify) == asked else state.replace(min_img_filter=minify, mag_img_filter=magnify)
