"""`record_of`: the way back, from a create info to the pipe record of what its sampler does."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.pipe.enums import TexCompare, TexMipfilter
from statetracker.pipe.state import SamplerState
from statetracker.vulkan.enums import BorderColor, SamplerCreateFlag
from statetracker.vulkan.rules import ADDRESS_MODE, LEVEL_0_MAX_LOD

if TYPE_CHECKING:
    from statetracker.vulkan.info import SamplerCreateInfo

__all__ = ["record_of"]

_FLOATS: Final = Struct("<4f")
_WORDS: Final = Struct("<4I")
_WRAPS: Final = {mode: wrap for wrap, mode in ADDRESS_MODE.items()}
#: The end of a predefined colour's name -> its channels.
_PREDEFINED: Final = {"TRANSPARENT_BLACK": (0, 0, 0, 0), "OPAQUE_BLACK": (0, 0, 0, 1), "OPAQUE_WHITE": (1, 1, 1, 1)}


def record_of(info: SamplerCreateInfo) -> SamplerState:
    """Give the record whose sampler a create info's is, without what the shader adds: hardware alone.

    Wraps are those that Vulkan has; the border colour is in ``border_color`` as words of its type, and a border read
    through a component mapping is not put through it.
    """
    levels = info.mipmap_mode or (info.min_lod, info.max_lod) != (0.0, LEVEL_0_MAX_LOD)
    words, integer = _border(info)
    return SamplerState(
        wrap_s=_WRAPS[info.address_mode_u],
        wrap_t=_WRAPS[info.address_mode_v],
        wrap_r=_WRAPS[info.address_mode_w],
        min_img_filter=int(info.min_filter),
        mag_img_filter=int(info.mag_filter),
        min_mip_filter=TexMipfilter(int(info.mipmap_mode)) if levels else TexMipfilter.NONE,
        compare_mode=TexCompare.R_TO_TEXTURE if info.compare_enable else TexCompare.NONE,
        compare_func=int(info.compare_op),
        unnormalized_coords=info.unnormalized_coordinates,
        max_anisotropy=int(info.max_anisotropy) if info.anisotropy_enable else 0,
        seamless_cube_map=not info.flags & SamplerCreateFlag.NON_SEAMLESS_CUBE_MAP_BIT_EXT,
        reduction_mode=int(info.reduction_mode or 0),
        lod_bias=info.mip_lod_bias,
        min_lod=info.min_lod,
        max_lod=info.max_lod,
        border_color=words,
        border_color_is_integer=integer,
    )


def _border(info: SamplerCreateInfo) -> tuple[tuple[int, ...], bool]:
    """The border's four words, and whether they are integers."""
    kind, _, colour = BorderColor(info.border_color).name.partition("_")
    integer = kind == "INT"
    if info.custom_border_color is not None:
        return info.custom_border_color.words, integer
    channels = _PREDEFINED[colour]
    return (channels if integer else _WORDS.unpack(_FLOATS.pack(*channels))), integer
