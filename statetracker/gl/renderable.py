"""Which internal formats can be drawn to: GL asks for it in multisample images, GLES in copies and mipmaps too.

Source: GLES 3.2, table 8.10 and section 8.14.4; every internal format tried on Mesa 22.3.6, llvmpipe.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat

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
