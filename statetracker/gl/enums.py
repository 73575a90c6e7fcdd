"""GL's numbers, by family: each class is one family of GLenum values, each member the GL name without ``GL_``.

Only what sampler translation reads has a member here. `statetracker.gl.names` turns anything a caller
may write into one of these numbers, every vendor's spelling too.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class GLEnum(IntEnum):
    """A number of GL that shows itself by its name: ``GL_CLAMP``."""

    __hash__ = int.__hash__  # that of Enum is written in Python, and slow

    def __repr__(self) -> str:
        return f"GL_{self.name}"


class Wrap(GLEnum):
    """Values of TEXTURE_WRAP_S, _T and _R."""

    CLAMP = 0x2900
    REPEAT = 0x2901
    CLAMP_TO_BORDER = 0x812D
    CLAMP_TO_EDGE = 0x812F
    MIRRORED_REPEAT = 0x8370
    MIRROR_CLAMP_EXT = 0x8742
    MIRROR_CLAMP_TO_EDGE = 0x8743
    MIRROR_CLAMP_TO_BORDER_EXT = 0x8912


class MagFilter(GLEnum):
    """Values of TEXTURE_MAG_FILTER."""

    NEAREST = 0x2600
    LINEAR = 0x2601


class MinFilter(GLEnum):
    """Values of TEXTURE_MIN_FILTER: bit 0 is the image filter, bit 8 says that mipmaps are used."""

    NEAREST = 0x2600
    LINEAR = 0x2601
    NEAREST_MIPMAP_NEAREST = 0x2700
    LINEAR_MIPMAP_NEAREST = 0x2701
    NEAREST_MIPMAP_LINEAR = 0x2702
    LINEAR_MIPMAP_LINEAR = 0x2703


class CompareMode(GLEnum):
    """Values of TEXTURE_COMPARE_MODE."""

    NONE = 0
    COMPARE_REF_TO_TEXTURE = 0x884E


class CompareFunc(GLEnum):
    """Values of TEXTURE_COMPARE_FUNC."""

    NEVER = 0x0200
    LESS = 0x0201
    EQUAL = 0x0202
    LEQUAL = 0x0203
    GREATER = 0x0204
    NOTEQUAL = 0x0205
    GEQUAL = 0x0206
    ALWAYS = 0x0207


class SrgbDecode(GLEnum):
    """Values of TEXTURE_SRGB_DECODE_EXT."""

    DECODE_EXT = 0x8A49
    SKIP_DECODE_EXT = 0x8A4A


class ReductionMode(GLEnum):
    """Values of TEXTURE_REDUCTION_MODE."""

    MIN = 0x8007
    MAX = 0x8008
    WEIGHTED_AVERAGE = 0x9367


class DepthTextureMode(GLEnum):
    """Values of DEPTH_TEXTURE_MODE."""

    RED = 0x1903
    ALPHA = 0x1906
    LUMINANCE = 0x1909
    INTENSITY = 0x8049


class DepthStencilMode(GLEnum):
    """Values of DEPTH_STENCIL_TEXTURE_MODE."""

    STENCIL_INDEX = 0x1901
    DEPTH_COMPONENT = 0x1902


class Swizzle(GLEnum):
    """Values of TEXTURE_SWIZZLE_R .. _A."""

    ZERO = 0
    ONE = 1
    RED = 0x1903
    GREEN = 0x1904
    BLUE = 0x1905
    ALPHA = 0x1906


class Target(GLEnum):
    """Texture targets that a texture unit has a binding for."""

    TEXTURE_1D = 0x0DE0
    TEXTURE_2D = 0x0DE1
    TEXTURE_3D = 0x806F
    TEXTURE_RECTANGLE = 0x84F5
    TEXTURE_CUBE_MAP = 0x8513
    TEXTURE_1D_ARRAY = 0x8C18
    TEXTURE_2D_ARRAY = 0x8C1A
    TEXTURE_BUFFER = 0x8C2A
    TEXTURE_EXTERNAL_OES = 0x8D65
    TEXTURE_CUBE_MAP_ARRAY = 0x9009
    TEXTURE_2D_MULTISAMPLE = 0x9100
    TEXTURE_2D_MULTISAMPLE_ARRAY = 0x9102

    @property
    def is_multisample(self) -> bool:
        """True where texels have several samples, so that no filter applies."""
        return self in (0x9100, 0x9102)

    @property
    def is_cube(self) -> bool:
        """True where the texture is a cube or an array of cubes."""
        return self in (0x8513, 0x9009)

    @property
    def mip_dimensions(self) -> int:
        """As in `MIP_DIMENSIONS`."""
        return MIP_DIMENSIONS[self]


# fmt: off
#: How many numbers a size has: width, height, depth, and how many layers where there are any; and how many of width,
#: height and depth shrink from level to level, which array layers do not.
_AXES: Final = {
    #                                     numbers  shrinking
    Target.TEXTURE_1D:                   (1,       1),
    Target.TEXTURE_2D:                   (2,       2),
    Target.TEXTURE_3D:                   (3,       3),
    Target.TEXTURE_RECTANGLE:            (2,       0),
    Target.TEXTURE_CUBE_MAP:             (2,       2),
    Target.TEXTURE_1D_ARRAY:             (2,       1),
    Target.TEXTURE_2D_ARRAY:             (3,       2),
    Target.TEXTURE_BUFFER:               (1,       0),
    Target.TEXTURE_EXTERNAL_OES:         (2,       0),
    Target.TEXTURE_CUBE_MAP_ARRAY:       (3,       2),
    Target.TEXTURE_2D_MULTISAMPLE:       (2,       0),
    Target.TEXTURE_2D_MULTISAMPLE_ARRAY: (3,       0),
}
# fmt: on
SIZE_NUMBERS: Final[dict[int, int]] = {target: numbers for target, (numbers, _) in _AXES.items()}
MIP_DIMENSIONS: Final[dict[int, int]] = {target: shrinking for target, (_, shrinking) in _AXES.items()}


class TextureParameter(IntEnum):
    """Parameter names of textures and samplers, ``TEXTURE_`` left out as libraries for GL do."""

    BORDER_COLOR = 0x1004
    MAG_FILTER = 0x2800
    MIN_FILTER = 0x2801
    WRAP_S = 0x2802
    WRAP_T = 0x2803
    WRAP_R = 0x8072
    PRIORITY = 0x8066
    MIN_LOD = 0x813A
    MAX_LOD = 0x813B
    BASE_LEVEL = 0x813C
    MAX_LEVEL = 0x813D
    GENERATE_MIPMAP = 0x8191
    MAX_ANISOTROPY = 0x84FE
    LOD_BIAS = 0x8501
    DEPTH_TEXTURE_MODE = 0x884B
    COMPARE_MODE = 0x884C
    COMPARE_FUNC = 0x884D
    CUBE_MAP_SEAMLESS = 0x884F
    SRGB_DECODE = 0x8A48
    SWIZZLE_R = 0x8E42
    SWIZZLE_G = 0x8E43
    SWIZZLE_B = 0x8E44
    SWIZZLE_A = 0x8E45
    SWIZZLE_RGBA = 0x8E46
    DEPTH_STENCIL_TEXTURE_MODE = 0x90EA
    REDUCTION_MODE = 0x9366


class TextureQuery(IntEnum):
    """Names that can be asked of a texture but not set, ``TEXTURE_`` left out."""

    TARGET = 0x1006
    RESIDENT = 0x8067
    VIEW_MIN_LEVEL = 0x82DB
    VIEW_NUM_LEVELS = 0x82DC
    VIEW_MIN_LAYER = 0x82DD
    VIEW_NUM_LAYERS = 0x82DE
    IMMUTABLE_LEVELS = 0x82DF
    IMMUTABLE_FORMAT = 0x912F
    REQUIRED_TEXTURE_IMAGE_UNITS_OES = 0x8D68
    IMAGE_FORMAT_COMPATIBILITY_TYPE = 0x90C7


class LevelQuery(IntEnum):
    """Names that can be asked of one image of a texture, ``TEXTURE_`` left out."""

    WIDTH = 0x1000
    HEIGHT = 0x1001
    INTERNAL_FORMAT = 0x1003
    DEPTH = 0x8071
    COMPRESSED = 0x86A1
    SAMPLES = 0x9106
    FIXED_SAMPLE_LOCATIONS = 0x9107


#: Every family, those whose members leave ``TEXTURE_`` out last.
FAMILIES: Final[tuple[type[IntEnum], ...]] = (*GLEnum.__subclasses__(), TextureParameter, TextureQuery, LevelQuery)
#: Family -> its members by number; enum classes are too slow to ask each time.
MEMBERS: Final[dict[type[IntEnum] | None, dict[int, IntEnum]]] = {
    None: {},
    **{family: {int(member): member for member in family} for family in FAMILIES},
}
