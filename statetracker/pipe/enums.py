"""Gallium's sampler enums: the C names without their prefixes, with the C values.

Source: docs/sampler_state.md (Mesa 22.3, recorded live).
"""

from __future__ import annotations

from enum import IntEnum, IntFlag


class TexWrap(IntEnum):
    """``PIPE_TEX_WRAP_*``; `statetracker.pipe.wraps` says what each does."""

    REPEAT = 0
    CLAMP = 1
    CLAMP_TO_EDGE = 2
    CLAMP_TO_BORDER = 3
    MIRROR_REPEAT = 4
    MIRROR_CLAMP = 5
    MIRROR_CLAMP_TO_EDGE = 6
    MIRROR_CLAMP_TO_BORDER = 7


class TexFilter(IntEnum):
    """``PIPE_TEX_FILTER_*``: how the four nearest texels become one."""

    NEAREST = 0
    LINEAR = 1


class TexMipfilter(IntEnum):
    """``PIPE_TEX_MIPFILTER_*``. NONE is 2: a zeroed record means *nearest mipmapping*, not none."""

    NEAREST = 0
    LINEAR = 1
    NONE = 2


class TexCompare(IntEnum):
    """``PIPE_TEX_COMPARE_*``: whether depth is compared with the reference coordinate."""

    NONE = 0
    R_TO_TEXTURE = 1


class Func(IntEnum):
    """``PIPE_FUNC_*``: comparison functions."""

    NEVER = 0
    LESS = 1
    EQUAL = 2
    LEQUAL = 3
    GREATER = 4
    NOTEQUAL = 5
    GEQUAL = 6
    ALWAYS = 7


class TexReduction(IntEnum):
    """``PIPE_TEX_REDUCTION_*``: how filtered texels are combined."""

    WEIGHTED_AVERAGE = 0
    MIN = 1
    MAX = 2


class SwizzleSelector(IntEnum):
    """``PIPE_SWIZZLE_*``: where a component comes from."""

    X = 0
    Y = 1
    Z = 2
    W = 3
    ZERO = 4
    ONE = 5


class BorderColorQuirk(IntFlag):
    """Bits of ``PIPE_CAP_TEXTURE_BORDER_COLOR_QUIRK``: how a driver needs the border colour changed."""

    NV50 = 1
    R600 = 2
    FREEDRENO = 4
    ALPHA_NOT_W = 8
