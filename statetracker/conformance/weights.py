"""Weights of random cases: targets, kinds of format, values, and how often each comes.

The weights lean towards what rules look at: borders of every kind, filters that formats forbid, values on the edge of
what is accepted, wrong values now and then.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from statetracker.gl.enums import CompareFunc, MinFilter


class TargetForm(NamedTuple):
    """A texture target: its share, the dimensions of its images, GLSL's sampler, and what it can hold."""

    weight: int
    dims: int
    glsl: str
    layers: bool = False
    mipmaps: bool = True
    depth: bool = True
    fixed_function: bool = False


# fmt: off
TARGETS: Final = {
    #                                         weight dims  GLSL
    "GL_TEXTURE_2D":             TargetForm(8, 2, "sampler2D", fixed_function=True),
    "GL_TEXTURE_CUBE_MAP":       TargetForm(3, 2, "samplerCube", fixed_function=True),
    "GL_TEXTURE_2D_ARRAY":       TargetForm(2, 3, "sampler2DArray", layers=True),
    "GL_TEXTURE_RECTANGLE":      TargetForm(2, 2, "sampler2DRect", mipmaps=False, fixed_function=True),
    "GL_TEXTURE_CUBE_MAP_ARRAY": TargetForm(2, 3, "samplerCubeArray", layers=True),
    "GL_TEXTURE_1D":             TargetForm(2, 1, "sampler1D", fixed_function=True),
    "GL_TEXTURE_1D_ARRAY":       TargetForm(1, 2, "sampler1DArray", layers=True),
    "GL_TEXTURE_3D":             TargetForm(1, 3, "sampler3D", depth=False, fixed_function=True),
}
# fmt: on


class Kind(NamedTuple):
    """A kind of format: its share, the prefix of GLSL's samplers, and what glTexImage is given with it."""

    weight: int
    prefix: str
    pixel_format: str
    pixel_type: str


# fmt: off
KINDS: Final = {
    "unorm":   Kind(5, "",  "GL_RGBA",            "GL_UNSIGNED_BYTE"),
    "snorm":   Kind(2, "",  "GL_RGBA",            "GL_BYTE"),
    "float":   Kind(3, "",  "GL_RGBA",            "GL_FLOAT"),
    "srgb":    Kind(2, "",  "GL_RGBA",            "GL_UNSIGNED_BYTE"),
    "int":     Kind(3, "i", "GL_RGBA_INTEGER",    "GL_INT"),
    "uint":    Kind(3, "u", "GL_RGBA_INTEGER",    "GL_UNSIGNED_INT"),
    "depth":   Kind(3, "",  "GL_DEPTH_COMPONENT", "GL_FLOAT"),
    "ds":      Kind(3, "",  "GL_DEPTH_STENCIL",   "GL_UNSIGNED_INT_24_8"),
    "stencil": Kind(1, "u", "GL_STENCIL_INDEX",   "GL_UNSIGNED_BYTE"),
}
# fmt: on

WRAPS: Final = (
    *("GL_CLAMP_TO_BORDER", "GL_CLAMP_TO_BORDER", "GL_CLAMP", "GL_CLAMP", "GL_REPEAT", "GL_CLAMP_TO_EDGE"),
    *("GL_MIRRORED_REPEAT", "GL_MIRROR_CLAMP_EXT", "GL_MIRROR_CLAMP_TO_EDGE", "GL_MIRROR_CLAMP_TO_BORDER_EXT"),
)
MIN_FILTERS: Final = tuple(f"GL_{one.name}" for one in MinFilter)
FUNCS: Final = tuple(f"GL_{one.name}" for one in CompareFunc)
LODS: Final = (0.0, -0.0, 0.5, 1.0, 1.25, 2.0, 3.0, 14.0, 0.001, -0.5, -1.0, -1000.0, 1000.0, 255.0, 1e30, -1e30)
BIASES: Final = (
    *(0.0, -0.0, 0.5, -1.0, 1 / 256, 1 / 512, 3 / 512, -1 / 512, 0.00196, 15.999, 16.0, 17.0, -16.0, -17.0, 20.0),
    *(-3.3, 0.1, 0.0009, 7.999, 1e30),
)
ANISOTROPIES: Final = (1.0, 1.5, 1.99, 2.0, 3.0, 4.0, 8.0, 15.9, 16.0, 17.0, 100.0, 0.5, -1.0, 0.0)
BORDERS: Final = (0.0, 0.5, 1.0, -1.0, 2.0, 0.25, -0.0, "inf", "-inf", "nan", 1e-40, 255.0)
WRONG: Final = ("GL_NONE", "GL_TEXTURE_2D", "GL_LINEAR_MIPMAP_LINEAR", "GL_REPEAT", "GL_LEQUAL")
FORMS: Final = ("i", "f", "iv", "fv", "Iiv", "Iuiv")
SWIZZLES: Final = ("GL_RED", "GL_GREEN", "GL_BLUE", "GL_ALPHA", "GL_ZERO", "GL_ONE")
UNITS: Final = (0, 0, 0, 0, 1, 2, 3, 7)

_STENCIL: Final = ("GL_STENCIL_INDEX",)
_COMPARES: Final = ("GL_COMPARE_REF_TO_TEXTURE",)
MISTAKES: Final = 0.03
#: Parameters that samplers and textures share -> accepted values.
ENUMS: Final = {
    "GL_TEXTURE_WRAP_S": WRAPS,
    "GL_TEXTURE_WRAP_T": WRAPS,
    "GL_TEXTURE_WRAP_R": WRAPS,
    "GL_TEXTURE_MIN_FILTER": MIN_FILTERS,
    "GL_TEXTURE_MAG_FILTER": ("GL_NEAREST", "GL_LINEAR"),
    "GL_TEXTURE_COMPARE_MODE": ("GL_COMPARE_REF_TO_TEXTURE", "GL_NONE"),
    "GL_TEXTURE_COMPARE_FUNC": FUNCS,
    "GL_TEXTURE_REDUCTION_MODE_EXT": ("GL_WEIGHTED_AVERAGE_EXT", "GL_MIN", "GL_MAX"),
    "GL_TEXTURE_SRGB_DECODE_EXT": ("GL_DECODE_EXT", "GL_SKIP_DECODE_EXT"),
    "GL_TEXTURE_CUBE_MAP_SEAMLESS": (0, 1, 1, 1),
}
#: What most rules read.
OFTEN: Final = (
    *("GL_TEXTURE_BORDER_COLOR",) * 3,
    *("GL_TEXTURE_WRAP_S", "GL_TEXTURE_WRAP_T", "GL_TEXTURE_WRAP_R") * 2,
    *("GL_TEXTURE_MIN_FILTER", "GL_TEXTURE_MAG_FILTER", "GL_TEXTURE_COMPARE_MODE"),
)
FLOATS: Final = {
    "GL_TEXTURE_MIN_LOD": LODS,
    "GL_TEXTURE_MAX_LOD": LODS,
    "GL_TEXTURE_LOD_BIAS": BIASES,
    "GL_TEXTURE_MAX_ANISOTROPY_EXT": ANISOTROPIES,
}
SHARED: Final = (*ENUMS, *FLOATS, *OFTEN)
#: Parameters that a rule reads together, with accepted values: how often a case sets them, on which kinds of format.
TOGETHER: Final = (
    (0.35, {"ds"}, {"GL_DEPTH_STENCIL_TEXTURE_MODE": _STENCIL, "GL_TEXTURE_COMPARE_MODE": _COMPARES}),
    (0.08, set(KINDS), {"GL_TEXTURE_BASE_LEVEL": (0, 1, 2), "GL_TEXTURE_MAX_LEVEL": (0, 1)}),
)
#: Parameters that only textures have.
OF_TEXTURE: Final = {
    "GL_TEXTURE_BASE_LEVEL": (0, 0, 1, 2),
    "GL_TEXTURE_MAX_LEVEL": (0, 1, 3, 1000),
    "GL_DEPTH_STENCIL_TEXTURE_MODE": ("GL_STENCIL_INDEX", "GL_STENCIL_INDEX", "GL_DEPTH_COMPONENT"),
    "GL_DEPTH_TEXTURE_MODE": ("GL_LUMINANCE", "GL_RED", "GL_INTENSITY", "GL_ALPHA"),
    **{f"GL_TEXTURE_SWIZZLE_{channel}": SWIZZLES for channel in "RGBA"},
    "GL_GENERATE_MIPMAP": (0, 1),
    "GL_TEXTURE_PRIORITY": (0, 1, 2),
}
