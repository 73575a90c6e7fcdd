"""What a texture view may look like: classes of internal formats, targets, layers.

Source: docs/textures.md (GL 4.6, tables 8.20 and 8.22, section 8.18).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.targets import TARGETS
from statetracker.gl.texture import FACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

__all__ = ["VIEW_CLASSES", "compatible", "layers_problem", "targets_for", "view_size"]

T = e.Target

# fmt: off
#: Class -> internal formats whose texels may be read as one another. A format in no class is only like itself.
VIEW_CLASSES: Final[Mapping[str, str]] = {
    "128 bits":       "RGBA32F RGBA32UI RGBA32I",
    "96 bits":        "RGB32F RGB32UI RGB32I",
    "64 bits":        "RGBA16F RG32F RGBA16UI RG32UI RGBA16I RG32I RGBA16 RGBA16_SNORM",
    "48 bits":        "RGB16 RGB16_SNORM RGB16F RGB16UI RGB16I",
    "32 bits":        "RG16F R11F_G11F_B10F R32F RGB10_A2UI RGBA8UI RG16UI R32UI RGBA8I RG16I R32I RGB10_A2 RGBA8 "
                      "RG16 RGBA8_SNORM RG16_SNORM SRGB8_ALPHA8 RGB9_E5",
    "24 bits":        "RGB8 RGB8_SNORM SRGB8 RGB8UI RGB8I",
    "16 bits":        "R16F RG8UI R16UI RG8I R16I RG8 R16 RG8_SNORM R16_SNORM",
    "8 bits":         "R8UI R8I R8 R8_SNORM",
    "RGTC1 RED":      "COMPRESSED_RED_RGTC1 COMPRESSED_SIGNED_RED_RGTC1",
    "RGTC2 RG":       "COMPRESSED_RG_RGTC2 COMPRESSED_SIGNED_RG_RGTC2",
    "BPTC UNORM":     "COMPRESSED_RGBA_BPTC_UNORM COMPRESSED_SRGB_ALPHA_BPTC_UNORM",
    "BPTC FLOAT":     "COMPRESSED_RGB_BPTC_SIGNED_FLOAT COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT",
    "S3TC DXT1 RGB":  "COMPRESSED_RGB_S3TC_DXT1_EXT COMPRESSED_SRGB_S3TC_DXT1_EXT",
    "S3TC DXT1 RGBA": "COMPRESSED_RGBA_S3TC_DXT1_EXT COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT",
    "S3TC DXT3 RGBA": "COMPRESSED_RGBA_S3TC_DXT3_EXT COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT",
    "S3TC DXT5 RGBA": "COMPRESSED_RGBA_S3TC_DXT5_EXT COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT",
}
# fmt: on

_CLASS_OF: Final = {name: label for label, names in VIEW_CLASSES.items() for name in names.split()}
_ONE_LAYER: Final = (T.TEXTURE_1D, T.TEXTURE_2D, T.TEXTURE_3D, T.TEXTURE_RECTANGLE, T.TEXTURE_2D_MULTISAMPLE)


def compatible(one: InternalFormat, other: InternalFormat) -> bool:
    """Whether texels of one format may be viewed as the other."""
    return _CLASS_OF.get(one.name, one.name) == _CLASS_OF.get(other.name, other.name)


def targets_for(parent: Texture) -> frozenset[int]:
    """Give the targets that views of a texture can have."""
    return frozenset(int(target) for target in TARGETS[parent.target].views)


def layers_problem(target: int, asked: int, layers: int, size: tuple[int, int]) -> tuple[str, str] | None:
    """Say what is wrong with the layers of a view, as error and message.

    asked    how many the call names
    layers   how many of them the parent has
    size     width and height of a layer
    """
    error = "GL_INVALID_VALUE"
    if target in _ONE_LAYER and asked != 1:
        return error, f"numlayers={asked}; accepted: 1, for a GL_{T(target).name}"
    if target == T.TEXTURE_CUBE_MAP and layers != FACES:
        return error, f"numlayers={layers}; accepted: {FACES}, for a GL_TEXTURE_CUBE_MAP"
    if target == T.TEXTURE_CUBE_MAP_ARRAY and layers % FACES:
        return error, f"numlayers={layers}; accepted: a multiple of {FACES}, for a GL_TEXTURE_CUBE_MAP_ARRAY"
    if T(target).is_cube and size[0] != size[1]:
        return (
            "GL_INVALID_OPERATION",
            f"target=GL_{T(target).name} of {size[0]}x{size[1]} layers; accepted: square ones",
        )
    return None


def view_size(target: int, parent: Texture, level: int, layers: int) -> tuple[int, int, int]:
    """Give the size of a view's base image."""
    source = parent.images[0, level]
    if target == T.TEXTURE_3D:
        return source.width, source.height, source.depth
    if target == T.TEXTURE_1D_ARRAY:
        return source.width, layers, 1
    height = 1 if parent.target == T.TEXTURE_1D_ARRAY else source.height
    depth = 1 if target == T.TEXTURE_CUBE_MAP else layers
    return source.width, height, depth
