"""GL values to pipe values, and what each base format makes of a border colour. Tables only.

Source: docs/rules/tables.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl import enums as gl

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Four of X .. W (a component), ZERO, ONE.
Selectors: TypeAlias = tuple[int, int, int, int]

X, Y, Z, W, ZERO, ONE = range(6)

# fmt: off
#: GL wrap -> PIPE_TEX_WRAP; `statetracker.pipe.wraps` says what each does.
WRAP: Final[Mapping[int, int]] = {
    gl.Wrap.REPEAT:                     0,
    gl.Wrap.CLAMP:                      1,
    gl.Wrap.CLAMP_TO_EDGE:              2,
    gl.Wrap.CLAMP_TO_BORDER:            3,
    gl.Wrap.MIRRORED_REPEAT:            4,
    gl.Wrap.MIRROR_CLAMP_EXT:           5,
    gl.Wrap.MIRROR_CLAMP_TO_EDGE:       6,
    gl.Wrap.MIRROR_CLAMP_TO_BORDER_EXT: 7,
}

#: GL min filter -> (PIPE_TEX_FILTER, PIPE_TEX_MIPFILTER). NONE is 2: 0 would switch nearest mipmapping on.
MIN_FILTER: Final[Mapping[int, tuple[int, int]]] = {
    gl.MinFilter.NEAREST:                (0, 2),
    gl.MinFilter.LINEAR:                 (1, 2),
    gl.MinFilter.NEAREST_MIPMAP_NEAREST: (0, 0),
    gl.MinFilter.LINEAR_MIPMAP_NEAREST:  (1, 0),
    gl.MinFilter.NEAREST_MIPMAP_LINEAR:  (0, 1),
    gl.MinFilter.LINEAR_MIPMAP_LINEAR:   (1, 1),
}

#: GL reduction mode -> PIPE_TEX_REDUCTION.
REDUCTION: Final[Mapping[int, int]] = {
    gl.ReductionMode.WEIGHTED_AVERAGE: 0,
    gl.ReductionMode.MIN:              1,
    gl.ReductionMode.MAX:              2,
}

#: Base format -> the swizzle of a view of it. Depth and stencil follow DEPTH_TEXTURE_MODE instead.
FORMAT_SWIZZLE: Final[Mapping[str, Selectors]] = {
    "RED":             (X,    ZERO, ZERO, ONE),
    "RG":              (X,    Y,    ZERO, ONE),
    "RGB":             (X,    Y,    Z,    ONE),
    "RGBA":            (X,    Y,    Z,    W),
    "ALPHA":           (ZERO, ZERO, ZERO, W),
    "LUMINANCE":       (X,    X,    X,    ONE),
    "LUMINANCE_ALPHA": (X,    X,    X,    W),
    "INTENSITY":       (X,    X,    X,    X),
    "YCBCR":           (X,    Y,    Z,    W),
}

#: Base format -> which components of the border colour the sampler sees: what a view shows, and depth and stencil.
BORDER_TRANSLATION: Final[Mapping[str, Selectors]] = {
    **FORMAT_SWIZZLE,
    "DEPTH_COMPONENT": (X,    Y,    Z,    W),
    "DEPTH_STENCIL":   (X,    Y,    Z,    W),
    "STENCIL_INDEX":   (X,    Y,    Z,    W),       # but see STENCIL_REPLICATED
}

#: STENCIL_INDEX where the dialect replicates: floats in old releases, integers in new ones.
STENCIL_REPLICATED: Final[Selectors] = (X, X, X, X)

#: DEPTH_TEXTURE_MODE -> the swizzle of a depth or stencil view: (GLSL before 1.30, GLSL 1.30 and later).
DEPTH_SWIZZLE: Final[Mapping[int, tuple[Selectors, Selectors]]] = {
    gl.DepthTextureMode.LUMINANCE: ((X,    X,    X,    ONE), (X, X,    X,    ONE)),
    gl.DepthTextureMode.INTENSITY: ((X,    X,    X,    X),   (X, X,    X,    X)),
    gl.DepthTextureMode.RED:       ((X,    ZERO, ZERO, ONE), (X, ZERO, ZERO, ONE)),
    gl.DepthTextureMode.ALPHA:     ((ZERO, ZERO, ZERO, X),   (X, X,    X,    X)),
}
# fmt: on
