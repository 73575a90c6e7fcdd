"""Which image filters a state without mipmaps can use.

Source: OpenGL 4.6, 8.14.3 and 8.15: the level of detail is limited before it chooses between magnification (0 or less)
and minification. With mipmaps the limits themselves say so to a device. Without them they are replaced, so that
level 0 alone is sampled; a device that is given 0 and 0.25 then magnifies where the program's limits never do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.pipe.enums import TexMipfilter

if TYPE_CHECKING:
    from statetracker.pipe.state import SamplerState


def image_filters(minify: int, magnify: int, mips: int, min_lod: float, max_lod: float) -> tuple[int, int]:
    """Give the filters for minification and magnification: one of them twice, where the limits leave out the other.

    mips       the mip filter; with mipmaps nothing changes
    max_lod    the lower limit decides where it is above; NaN limits nothing
    """
    if mips < TexMipfilter.NONE:
        return minify, magnify
    if min_lod > 0:
        return minify, minify
    return (magnify, magnify) if max_lod <= 0 else (minify, magnify)


def with_image_filters(state: SamplerState) -> SamplerState:
    """Give the state with `image_filters`."""
    minify, magnify = image_filters(
        state.min_img_filter, state.mag_img_filter, state.min_mip_filter, state.min_lod, state.max_lod
    )
    return state.replace(min_img_filter=minify, mag_img_filter=magnify)
