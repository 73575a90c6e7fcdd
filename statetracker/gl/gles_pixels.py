"""Which pixels fill which internal format in GLES: pairs of format and type, where desktop GL converts.

Source: docs/textures.md (GLES 3.2, tables 8.2 and 8.3, and its extensions; every pair tried with every internal format
on Mesa 22.3.6, which looks only at the pixel formats of GLES so closely).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.names import gl_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.formats import InternalFormat

__all__ = ["OWN_TYPES", "gles_misfit"]


def _set(*names: str) -> frozenset[str]:
    return frozenset(" ".join(names).split())


# fmt: off
_UNSIZED: Final = "RED RG RGB RGBA ALPHA LUMINANCE LUMINANCE_ALPHA"
#: Pixel type -> the internal formats that it fills, in pixels of their own base format.
OWN_TYPES: Final[Mapping[int, frozenset[str]]] = {
    0x1400: _set(                                                                       # BYTE
        "R8_SNORM RG8_SNORM RGB8_SNORM RGBA8_SNORM R8I RG8I RGB8I RGBA8I",
        "COMPRESSED_SIGNED_RED_RGTC1 COMPRESSED_SIGNED_RG_RGTC2"),
    0x1401: _set(                                                                       # UNSIGNED_BYTE
        _UNSIZED, "R8 RG8 RGB8 RGBA8 RGB565 RGBA4 RGB5_A1 R8UI RG8UI RGB8UI RGBA8UI SR8_EXT SRG8_EXT SRGB8",
        "SRGB8_ALPHA8 ALPHA8 LUMINANCE8 LUMINANCE4_ALPHA4 LUMINANCE8_ALPHA8 STENCIL_INDEX8 COMPRESSED_RED_RGTC1",
        "COMPRESSED_RG_RGTC2 COMPRESSED_RGBA_BPTC_UNORM COMPRESSED_SRGB_ALPHA_BPTC_UNORM"),
    0x1402: _set("R16_SNORM RG16_SNORM RGB16_SNORM RGBA16_SNORM R16I RG16I RGB16I RGBA16I"),                # SHORT
    0x1403: _set("R16 RG16 RGB16 RGBA16 R16UI RG16UI RGB16UI RGBA16UI DEPTH_COMPONENT DEPTH_COMPONENT16"),  # USHORT
    0x1404: _set("R32I RG32I RGB32I RGBA32I"),                                                              # INT
    0x1405: _set("R32UI RG32UI RGB32UI RGBA32UI DEPTH_COMPONENT DEPTH_COMPONENT16 DEPTH_COMPONENT24"),      # UINT
    0x1406: _set(                                                                       # FLOAT
        _UNSIZED, "R16F RG16F RGB16F RGBA16F R32F RG32F RGB32F RGBA32F R11F_G11F_B10F RGB9_E5 DEPTH_COMPONENT",
        "DEPTH_COMPONENT32F COMPRESSED_RGB_BPTC_SIGNED_FLOAT COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT"),
    0x140B: _set("RED RG R16F RG16F RGB16F RGBA16F R11F_G11F_B10F RGB9_E5"),            # HALF_FLOAT
    0x8D61: _set(_UNSIZED, "R16F RG16F"),                                               # HALF_FLOAT_OES
    0x8033: _set("RGBA RGBA4"),                                                         # 4_4_4_4
    0x8034: _set("RGBA RGB5_A1"),                                                       # 5_5_5_1
    0x8363: _set("RGB RGB565"),                                                         # 5_6_5
    0x8368: _set("RGB RGBA RGB8 RGB10 RGB565 RGB5_A1 RGB10_A2 RGB10_A2UI"),             # 2_10_10_10_REV
    0x8C3B: _set("R11F_G11F_B10F"),                                                     # 10F_11F_11F_REV
    0x8C3E: _set("RGB9_E5"),                                                            # 5_9_9_9_REV
    0x84FA: _set("DEPTH_STENCIL DEPTH24_STENCIL8"),                                     # 24_8
    0x8DAD: _set("DEPTH_STENCIL DEPTH32F_STENCIL8"),                                    # FLOAT_32_..._24_8_REV
}
_UNSIGNED_BYTE: Final = 0x1401
_RGB: Final = (0x1907, 0x1908)
#: BGR and BGRA -> internal formats that they fill, in unsigned bytes.
_REVERSED: Final[Mapping[int, frozenset[str]]] = {
    0x80E0: _set("RGB8 SRGB8"),
    0x80E1: _set("RGBA RGBA8 SRGB8_ALPHA8 BGRA"),
}
#: Internal formats that nothing fills, though GLES knows them.
_NOTHING: Final = _set(
    "STENCIL_INDEX DEPTH_COMPONENT32 SRGB SRGB_ALPHA SLUMINANCE SLUMINANCE_ALPHA RED_SNORM RG_SNORM RGB_SNORM",
    "RGBA_SNORM ALPHA_SNORM LUMINANCE_SNORM LUMINANCE_ALPHA_SNORM INTENSITY_SNORM INTENSITY",
)
#: Pixel format -> the base format whose own it is; those of whole numbers beside the others.
_BASE: Final[Mapping[int, str]] = {
    0x1903: "RED",   0x8D94: "RED",
    0x8227: "RG",    0x8228: "RG",
    0x1907: "RGB",   0x8D98: "RGB",
    0x1908: "RGBA",  0x8D99: "RGBA",
    0x1906: "ALPHA",
    0x1909: "LUMINANCE",
    0x190A: "LUMINANCE_ALPHA",
    0x1902: "DEPTH_COMPONENT",
    0x84F9: "DEPTH_STENCIL",
    0x1901: "STENCIL_INDEX",
}
# fmt: on
_KNOWN: Final = frozenset[str]().union(*OWN_TYPES.values(), *_REVERSED.values())


def gles_misfit(known: InternalFormat, fmt: int, kind: int) -> tuple[str, str] | None:
    """Say why a pair of pixel format and type does not fill an internal format in GLES; None where it may.

    fmt    the call's ``format``; those that GLES lacks fill what has a size, as far as the kind of values goes
    kind   the call's ``type``
    return INVALID_VALUE where no pixels fill it, INVALID_OPERATION where others do; and a message
    """
    if known.name in _KNOWN or "_S3TC_" in known.name:
        if _fills(known, fmt, kind):
            return None
        types = ", ".join(gl_name(one) for one, names in OWN_TYPES.items() if known.name in names)
        return "GL_INVALID_OPERATION", (
            f"format={gl_name(fmt)} with type={gl_name(kind)} does not fill internalformat=GL_{known.name} in GLES; "
            f"accepted: its own pixels of {types or 'unsigned bytes'}"
        )
    error = "GL_INVALID_OPERATION" if known.name in _NOTHING else "GL_INVALID_VALUE"
    return error, f"internalformat={known.name} is filled by no pixels in GLES; accepted: GL_RGBA8, GL_R8 ..."


def _fills(known: InternalFormat, fmt: int, kind: int) -> bool:
    if "_S3TC_" in known.name and known.kind != "srgb":
        return fmt in _RGB
    if kind == _UNSIGNED_BYTE and known.name in _REVERSED.get(fmt, ()):
        return True
    base = _BASE.get(fmt)
    if base is None:
        return known.sized and fmt not in _REVERSED
    if known.name == "BGRA":  # filled like any format without a size
        return base in OWN_TYPES.get(kind, ())
    return base == known.base_format and known.name in OWN_TYPES.get(kind, ())
