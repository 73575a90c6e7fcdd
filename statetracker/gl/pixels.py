"""Pixel formats and types: which go together, and which internal format they may fill.

Desktop GL converts; GLES has pairs of format and type for each internal format. Source: docs/textures.md (GL 4.6
compatibility profile, tables 8.2, 8.3, 8.5; GLES 3.2, tables 8.2, 8.3, and its extensions; every pair tried by
``make gl-calls`` on Mesa 22.3.6, which looks so closely only at the pixel formats of GLES).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.formats import internal_format_named
from statetracker.gl.names import gl_name, glenum
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.formats import InternalFormat


_UNSIGNED_BYTE: Final = 0x1401
_RGB: Final = (0x1907, 0x1908)
#: BGR and BGRA -> internal formats that they fill, in unsigned bytes.
_REVERSED: Final[Mapping[int, tuple[str, ...]]] = {
    0x80E0: ("RGB8", "SRGB8"),
    0x80E1: ("RGBA", "RGBA8", "SRGB8_ALPHA8", "BGRA"),
}


def gles_misfit(known: InternalFormat, fmt: int, kind: int) -> tuple[str, str] | None:
    """Say why a pair of pixel format and type does not fill an internal format in GLES; None where it may.

    INVALID_VALUE where no pixels fill it, INVALID_OPERATION where others do; and a message. Pixel formats that GLES
    lacks fill what has a size, as far as the kind of values goes.
    """
    if known.gles_types == ("none",):
        error = INVALID_OPERATION
    elif known.gles_types or known.name == "BGRA" or "_S3TC_" in known.name:
        if _fills(known, fmt, kind):
            return None
        types = ", ".join(f"GL_{name}" for name in known.gles_types)
        return INVALID_OPERATION, (
            f"format={gl_name(fmt)} with type={gl_name(kind)} does not fill internalformat=GL_{known.name} in GLES; "
            f"accepted: its own pixels of {types or 'unsigned bytes'}"
        )
    else:
        error = INVALID_VALUE
    return error, f"internalformat={known.name} is filled by no pixels in GLES; accepted: GL_RGBA8, GL_R8 ..."


def _fills(known: InternalFormat, fmt: int, kind: int) -> bool:
    if "_S3TC_" in known.name and known.kind != "srgb":
        return fmt in _RGB
    if kind == _UNSIGNED_BYTE and known.name in _REVERSED.get(fmt, ()):
        return True
    base = PIXEL_FORMATS[fmt].base
    if not base:
        return known.sized and fmt not in _REVERSED
    if known.name == "BGRA":  # filled like any format without a size
        known = internal_format_named(base)
    return base == known.base_format and kind in map(glenum, known.gles_types)


class Pixels(NamedTuple):
    """A pixel format.

    Attributes:
        holds: What its values are.
        types: The pixel types that go with it.
        base: The base format whose own it is; those of whole numbers beside the others.
    """

    holds: str
    types: frozenset[int]
    base: str = ""


_WHOLE: Final = frozenset(range(0x1400, 0x1406))  # BYTE .. UNSIGNED_INT
_PLAIN: Final = _WHOLE | {0x1406, 0x140B}  # FLOAT, HALF_FLOAT
_OES: Final = _PLAIN | {0x8D61}  # HALF_FLOAT_OES
_BITS: Final = _PLAIN | {0x1A00}  # BITMAP
_THREE: Final = frozenset({0x8032, 0x8362, 0x8363, 0x8364})  # 3_3_2, 2_3_3_REV, 5_6_5 and reversed
_ALIKE: Final = frozenset({0x8033, 0x8365, 0x8035, 0x8367})  # 4_4_4_4, 8_8_8_8 and reversed
_FOUR: Final = _ALIKE | {0x8034, 0x8366, 0x8036, 0x8368}  # 5_5_5_1, 10_10_10_2 and reversed
_SHARED: Final = frozenset({0x8C3B, 0x8C3E})  # 10F_11F_11F_REV, 5_9_9_9_REV
_DEPTHS: Final = frozenset({0x84FA, 0x8DAD})  # 24_8, FLOAT_32_UNSIGNED_INT_24_8_REV
_YCBCR: Final = frozenset({0x85BA, 0x85BB})  # SHORT_8_8_MESA and reversed

# fmt: off
PIXEL_FORMATS: Final[Mapping[int, Pixels]] = {
    0x1900: Pixels("color",   _BITS,                   ""),             # COLOR_INDEX
    0x1901: Pixels("stencil", _BITS,                   "STENCIL_INDEX"),# STENCIL_INDEX
    0x1902: Pixels("depth",   _PLAIN,                  "DEPTH_COMPONENT"),# DEPTH_COMPONENT
    0x84F9: Pixels("ds",      _DEPTHS,                 "DEPTH_STENCIL"),# DEPTH_STENCIL
    0x1903: Pixels("color",   _OES,                    "RED"),          # RED
    0x1904: Pixels("color",   _PLAIN,                  ""),             # GREEN
    0x1905: Pixels("color",   _PLAIN,                  ""),             # BLUE
    0x1906: Pixels("color",   _OES,                    "ALPHA"),        # ALPHA
    0x1907: Pixels("color",   _OES | _THREE | _SHARED, "RGB"),          # RGB
    0x1908: Pixels("color",   _OES | _FOUR,            "RGBA"),         # RGBA
    0x1909: Pixels("color",   _OES,                    "LUMINANCE"),    # LUMINANCE
    0x190A: Pixels("color",   _OES,                    "LUMINANCE_ALPHA"),# LUMINANCE_ALPHA
    0x8000: Pixels("color",   _PLAIN | _ALIKE,         ""),             # ABGR_EXT
    0x80E0: Pixels("color",   _PLAIN,                  ""),             # BGR
    0x80E1: Pixels("color",   _PLAIN | _FOUR,          ""),             # BGRA
    0x8227: Pixels("color",   _OES,                    "RG"),           # RG
    0x8757: Pixels("ycbcr",   _YCBCR,                  ""),             # YCBCR_MESA
    0x8228: Pixels("integer", _WHOLE,                  "RG"),           # RG_INTEGER
    0x8D94: Pixels("integer", _WHOLE,                  "RED"),          # RED_INTEGER
    0x8D95: Pixels("integer", _WHOLE,                  ""),             # GREEN_INTEGER
    0x8D96: Pixels("integer", _WHOLE,                  ""),             # BLUE_INTEGER
    0x8D97: Pixels("integer", _WHOLE,                  ""),             # ALPHA_INTEGER
    0x8D98: Pixels("integer", _WHOLE | _THREE,         "RGB"),          # RGB_INTEGER
    0x8D99: Pixels("integer", _WHOLE | _FOUR,          "RGBA"),         # RGBA_INTEGER
    0x8D9A: Pixels("integer", _WHOLE,                  ""),             # BGR_INTEGER
    0x8D9B: Pixels("integer", _WHOLE | _FOUR,          ""),             # BGRA_INTEGER
    0x8D9C: Pixels("integer", _WHOLE,                  ""),             # LUMINANCE_INTEGER_EXT
    0x8D9D: Pixels("integer", _WHOLE,                  ""),             # LUMINANCE_ALPHA_INTEGER_EXT
}

#: Pixel format -> types that only GLES has for it: 24_8 for depth, 2_10_10_10_REV for RGB.
_GLES_TOO: Final[Mapping[int, frozenset[int]]] = {0x1902: frozenset({0x84FA}), 0x1907: frozenset({0x8368})}
#: Pixel formats that GLES lacks.
_NOT_GLES: Final = frozenset({0x8757})
#: Types that are an INVALID_OPERATION where they do not go with a format; any other number is an INVALID_ENUM.
_PACKED: Final = (_THREE | _FOUR | _DEPTHS | {0x8C3B, 0x8D61})
#: Pixel formats of desktop GL with one error for every type.
_ONE_ERROR: Final[Mapping[int, str]] = {0x84F9: "GL_INVALID_ENUM", 0x8757: "GL_INVALID_OPERATION"}

#: Kind of internal format, or its base format -> what may fill it; every other kind takes colours.
_FILLED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "depth":   ("depth", "ds"),
    "ds":      ("depth", "ds"),
    "stencil": ("stencil", "color"),  # as Mesa does; GL has no colours there
    "int":     ("integer",),
    "uint":    ("integer",),
    "YCBCR":   ("ycbcr",),
}
# fmt: on

_BITMAP: Final = 0x1A00


def mismatch(fmt: int, kind: int, *, gles: bool) -> tuple[str, str] | None:
    """Say why a call's ``format`` and ``type`` do not go together, as error and message; None where they do."""
    row = PIXEL_FORMATS.get(fmt) if not (gles and fmt in _NOT_GLES) else None
    if row is not None and (kind in row.types or (gles and kind in _GLES_TOO.get(fmt, ()))):
        return None
    error = INVALID_OPERATION if kind in _PACKED else INVALID_ENUM
    if not gles and kind != _BITMAP:
        error = _ONE_ERROR.get(fmt, error)
    if row is None:
        return error, f"format={gl_name(fmt)} is no pixel format; accepted: {_words('color')}"
    types = ", ".join(gl_name(one) for one in sorted(row.types))
    return error, f"type={gl_name(kind)} does not go with format={gl_name(fmt)}; accepted: {types}"


def misfit(known: InternalFormat, fmt: int, kind: int, *, gles: bool) -> tuple[str, str] | None:
    """Say why pixels that are some cannot fill an internal format, as error and message; None where they can.

    ``fmt`` and ``kind`` are the call's ``format`` and ``type``. In ``gles`` a table says what fills what.
    """
    problem = gles_misfit(known, fmt, kind) if gles else None
    if problem is not None:
        return problem
    accepted = _FILLED_BY.get(known.base_format, _FILLED_BY.get(known.kind, ("color",)))
    if PIXEL_FORMATS[fmt].holds in accepted:
        return None
    words = ", ".join(_words(one) for one in accepted)
    return INVALID_OPERATION, f"format={gl_name(fmt)} cannot fill internalformat=GL_{known.name}; accepted: {words}"


def _words(holds: str) -> str:
    some = [gl_name(number) for number, row in PIXEL_FORMATS.items() if row.holds == holds and number != 0x1900]
    return f"{', '.join(some[:4])} ..." if len(some) > 4 else ", ".join(some)
