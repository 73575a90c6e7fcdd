"""Pixel formats and types: which of the application's pixels may fill which internal format.

Source: docs/textures.md (GL 4.6 compatibility profile, tables 8.2, 8.3 and section 8.5; GLES 2.0, section 3.7.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.names import gl_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.formats import InternalFormat

__all__ = ["PACKED", "PIXEL_FORMATS", "PIXEL_TYPES", "misfit"]

# fmt: off
#: Pixel format -> what its values are.
PIXEL_FORMATS: Final[Mapping[int, str]] = {
    0x1900: "color",    # COLOR_INDEX
    0x1901: "stencil",  # STENCIL_INDEX
    0x1902: "depth",    # DEPTH_COMPONENT
    0x84F9: "ds",       # DEPTH_STENCIL
    0x1903: "color",    # RED
    0x1904: "color",    # GREEN
    0x1905: "color",    # BLUE
    0x1906: "color",    # ALPHA
    0x1907: "color",    # RGB
    0x1908: "color",    # RGBA
    0x1909: "color",    # LUMINANCE
    0x190A: "color",    # LUMINANCE_ALPHA
    0x8000: "color",    # ABGR_EXT
    0x80E0: "color",    # BGR
    0x80E1: "color",    # BGRA
    0x8227: "color",    # RG
    0x8C40: "color",    # SRGB
    0x8C42: "color",    # SRGB_ALPHA
    0x8757: "color",    # YCBCR_MESA
    0x8228: "integer",  # RG_INTEGER
    0x8D94: "integer",  # RED_INTEGER
    0x8D95: "integer",  # GREEN_INTEGER
    0x8D96: "integer",  # BLUE_INTEGER
    0x8D97: "integer",  # ALPHA_INTEGER
    0x8D98: "integer",  # RGB_INTEGER
    0x8D99: "integer",  # RGBA_INTEGER
    0x8D9A: "integer",  # BGR_INTEGER
    0x8D9B: "integer",  # BGRA_INTEGER
    0x8D9C: "integer",  # LUMINANCE_INTEGER_EXT
    0x8D9D: "integer",  # LUMINANCE_ALPHA_INTEGER_EXT
}

#: Pixel types.
PIXEL_TYPES: Final = frozenset({
    0x1400, 0x1401, 0x1402, 0x1403, 0x1404, 0x1405, 0x1406,  # BYTE .. FLOAT
    0x140B, 0x8D61,                                          # HALF_FLOAT, HALF_FLOAT_OES
    0x1A00,                                                  # BITMAP
    0x8032, 0x8362,                                          # 3_3_2, 2_3_3_REV
    0x8363, 0x8364,                                          # 5_6_5 and reversed
    0x8033, 0x8365, 0x8034, 0x8366,                          # 4_4_4_4, 5_5_5_1 and reversed
    0x8035, 0x8367, 0x8036, 0x8368,                          # 8_8_8_8, 10_10_10_2 and reversed
    0x84FA, 0x8DAD,                                          # 24_8, FLOAT_32_UNSIGNED_INT_24_8_REV
    0x8C3B, 0x8C3E,                                          # 10F_11F_11F_REV, 5_9_9_9_REV
    0x85BA, 0x85BB,                                          # SHORT_8_8_MESA and reversed
})

#: Pixel types that go with some formats only. Source: GL 4.6 compatibility, tables 8.5 and 18.3.
PACKED: Final[Mapping[int, frozenset[int]]] = {
    0x1A00: frozenset({0x1900, 0x1901}),
    **dict.fromkeys((0x8032, 0x8362, 0x8363, 0x8364, 0x8C3B, 0x8C3E), frozenset({0x1907, 0x8D98})),
    **dict.fromkeys(
        (0x8033, 0x8365, 0x8034, 0x8366, 0x8035, 0x8367, 0x8036),
        frozenset({0x1908, 0x80E1, 0x8000, 0x8D99, 0x8D9B}),
    ),
    0x8368: frozenset({0x1907, 0x1908, 0x80E1, 0x8000, 0x8D99, 0x8D9B}),
    **dict.fromkeys((0x84FA, 0x8DAD), frozenset({0x84F9})),
    **dict.fromkeys((0x85BA, 0x85BB), frozenset({0x8757})),
}

#: Kind of internal format -> what may fill it; every other kind takes colours.
_FILLED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "depth":   ("depth", "ds"),
    "ds":      ("depth", "ds"),
    "stencil": ("stencil", "ds"),
    "int":     ("integer",),
    "uint":    ("integer",),
}
# fmt: on

INVALID_ENUM: Final = "GL_INVALID_ENUM"
INVALID_OPERATION: Final = "GL_INVALID_OPERATION"


def misfit(known: InternalFormat, fmt: int, kind: int, *, gles: bool) -> tuple[str, str] | None:
    """Say why pixels cannot fill an internal format, as error and message; None where they can.

    fmt    the call's ``format``
    kind   the call's ``type``
    gles   GLES wants an unsized internal format to be the pixels' own
    """
    holds = PIXEL_FORMATS.get(fmt)
    if holds is None:
        return INVALID_ENUM, f"format={gl_name(fmt)} is no pixel format; accepted: {_words('color')}"
    if kind not in PIXEL_TYPES:
        return INVALID_ENUM, f"type={gl_name(kind)} is no pixel type; accepted: GL_UNSIGNED_BYTE, GL_FLOAT ..."
    accepted = _FILLED_BY.get(known.kind, ("color",))
    if holds not in accepted:
        words = ", ".join(_words(one) for one in accepted)
        message = f"format={gl_name(fmt)} cannot fill internalformat=GL_{known.name}; accepted: {words}"
        return INVALID_OPERATION, message
    if gles and not known.sized and known.number != fmt:
        message = f"internalformat=GL_{known.name} is unsized, so format={gl_name(fmt)} must be the same in GLES"
        return INVALID_OPERATION, message
    return None


def _words(holds: str) -> str:
    some = [gl_name(number) for number, what in PIXEL_FORMATS.items() if what == holds and number != 0x1900]
    return f"{', '.join(some[:4])} ..." if len(some) > 4 else ", ".join(some)
