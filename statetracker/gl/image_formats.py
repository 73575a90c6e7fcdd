"""What images of an internal format can be: compressed, of which targets; copied, multisampled, with generated mipmaps.

Multisample images ask for a format that can be drawn to, in GLES copies and mipmaps too. Source: GL 4.6 compatibility,
8.5 and 8.7; GLES 3.2, table 8.10 and section 8.14.4; KHR_texture_compression_astc_sliced_3d; every internal format
tried on Mesa 22.3.6, llvmpipe.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.formats import internal_format_named
from statetracker.gl.targets import PROXIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.gl.formats import InternalFormat

T = e.Target

#: Formats that name no compression though they are sized; the others of their like are unsized to Mesa.
GENERIC: Final = ("COMPRESSED_RED", "COMPRESSED_RG")
_LINES: Final = frozenset({T.TEXTURE_1D, T.TEXTURE_1D_ARRAY})
_FLAT: Final = _LINES | {T.TEXTURE_RECTANGLE}


class Family:
    """What the formats of one kind of compression have in common.

    volumes   whether 3D textures have images in it
    online    whether GL compresses texels to it: glTexImage and glCopyTexImage take it
    gles      GLES 3 has it of itself: a 3D texture's is another error there
    """

    __slots__ = ("gles", "online", "volumes")

    def __init__(self, *, volumes: bool, online: bool, gles: bool = False) -> None:
        self.volumes = volumes
        self.online = online
        self.gles = gles

    def has(self, where: int) -> bool:
        """Whether textures of a target, a face of a cube, or a proxy have images in it; PROXY_TEXTURE_3D never does."""
        target = PROXIES.get(where, where)
        return target not in _FLAT and (target != T.TEXTURE_3D or (self.volumes and where == target))


# fmt: off
#: A part of a format's name -> its family; no name has two of them but ETC2_EAC, whose two are alike.
FAMILIES: Final[Mapping[str, Family]] = {
    #               3D               from texels
    "_S3TC":  Family(volumes=False, online=True),
    "_FXT1":  Family(volumes=False, online=True),
    "_RGTC":  Family(volumes=False, online=True),
    "_LATC":  Family(volumes=False, online=True),
    "_3DC_":  Family(volumes=False, online=True),
    "_BPTC_": Family(volumes=True,  online=True),
    "ETC1_":  Family(volumes=False, online=False),
    "_ETC2":  Family(volumes=False, online=False, gles=True),
    "_EAC":   Family(volumes=False, online=False, gles=True),
    "_ASTC_": Family(volumes=True,  online=False),
}
#: Format -> the one that an image made in it has; generic formats that are not here are plain ones.
CHOSEN: Final[Mapping[str, str]] = {
    "COMPRESSED_RED":                     "COMPRESSED_RED_RGTC1",
    "COMPRESSED_RG":                      "COMPRESSED_RG_RGTC2",
    "COMPRESSED_RGB":                     "COMPRESSED_RGB_S3TC_DXT1_EXT",
    "COMPRESSED_RGBA":                    "COMPRESSED_RGBA_S3TC_DXT5_EXT",
    "COMPRESSED_SRGB":                    "COMPRESSED_SRGB_S3TC_DXT1_EXT",
    "COMPRESSED_SRGB_ALPHA":              "COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT",
    "COMPRESSED_LUMINANCE":               "COMPRESSED_LUMINANCE_LATC1_EXT",
    "COMPRESSED_LUMINANCE_ALPHA":         "COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT",
    "COMPRESSED_LUMINANCE_ALPHA_3DC_ATI": "COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT",
    "RGB_S3TC":                           "COMPRESSED_RGB_S3TC_DXT1_EXT",
    "RGB4_S3TC":                          "COMPRESSED_RGB_S3TC_DXT1_EXT",
    "RGBA_S3TC":                          "COMPRESSED_RGBA_S3TC_DXT3_EXT",
    "RGBA4_S3TC":                         "COMPRESSED_RGBA_S3TC_DXT3_EXT",
}
# fmt: on


def chosen(known: InternalFormat, where: int, has: Callable[[InternalFormat], bool]) -> InternalFormat:
    """The internal format that an image made in one has: of a generic compressed format a specific one, or a plain one.

    where   the target or proxy, a GLenum: one-dimensional images are never compressed
    has     whether a context has a format
    """
    if not known.compressed:
        return known
    other = internal_format_named(CHOSEN.get(known.name, known.name))
    if family_of(other) is not None and has(other) and PROXIES.get(where, where) not in _LINES:
        return other
    return known if family_of(known) is not None else internal_format_named(known.base_format)


def family_of(known: InternalFormat) -> Family | None:
    """The family of a specific compressed format; None for every other format."""
    if not known.compressed or not known.sized or known.name in GENERIC:
        return None
    return next((family for part, family in FAMILIES.items() if part in known.name), None)


#: Names of formats that GLES draws to and filters.
_GLES: Final = re.compile(
    r"(R|RG|RGBA)(8|16|16F|32F|8_SNORM|16_SNORM)|RGB8|RGB565|RGBA4|RGB5_A1|RGB10_A2|R11F_G11F_B10F|SRGB8_ALPHA8"
)
#: Names without a size of which GLES generates mipmaps.
_GLES_UNSIZED: Final = re.compile(r"RGBA?|BGRA|ALPHA|LUMINANCE(_ALPHA)?")
#: Those that it only draws to.
_GLES_UNFILTERED: Final = re.compile(
    r"(R|RG|RGBA)(8|16|32)U?I|RGB16F|RGB10_A2UI|DEPTH_COMPONENT(16|24|32F)|DEPTH(24|32F)_STENCIL8|STENCIL_INDEX8"
)
#: Names of formats without compression that desktop GL does not draw to.
_DESKTOP_NEVER: Final = re.compile(r"[1-4]|YCBCR_MESA|SRGB|SRGB_ALPHA|SLUMINANCE.*|SR8_EXT|SRG8_EXT")
#: Names of colours that GLES copies from no framebuffer.
_GLES_NOT_COPIED: Final = re.compile(
    r"R3_G3_B2|RGB9_E5|(SRGB|SLUMINANCE)(_ALPHA)?|COMPRESSED_S?RGB(A|_ALPHA)?(_S3TC_\w+)?"
)


def has_copies(known: InternalFormat, *, gles: bool) -> bool:
    """Whether there is a framebuffer from which images of a format can be copied."""
    if gles:
        return known.kind not in ("depth", "ds", "stencil") and not _GLES_NOT_COPIED.fullmatch(known.name)
    return known.base_format != "YCBCR"


def has_samples(known: InternalFormat, *, gles: bool) -> bool:
    """Whether multisample images can have a format."""
    if gles:
        return bool(_GLES.fullmatch(known.name) or _GLES_UNFILTERED.fullmatch(known.name))
    return not known.compressed and not _DESKTOP_NEVER.fullmatch(known.name)


def has_mipmaps(known: InternalFormat, *, gles: bool) -> bool:
    """Whether mipmaps of a format can be generated."""
    if gles:
        return bool(_GLES.fullmatch(known.name) or _GLES_UNSIZED.fullmatch(known.name))
    if known.kind == "stencil":
        return known.name != "STENCIL_INDEX"  # as Mesa does
    return not known.is_integer and known.kind != "ds" and "_ASTC_" not in known.name
