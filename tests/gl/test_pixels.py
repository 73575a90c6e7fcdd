"""`statetracker.gl.pixels`: which formats and types go together, and what they fill, as recorded of Mesa 22.3.6."""

from __future__ import annotations

import pytest

from statetracker.gl import internal_format_named
from statetracker.gl.names import glenum
from statetracker.gl.pixels import PIXEL_FORMATS, misfit, mismatch

WHOLE = "BYTE UNSIGNED_BYTE SHORT UNSIGNED_SHORT INT UNSIGNED_INT"
#: Pixel format -> the types that go with it in desktop GL.
PAIRS = {
    "COLOR_INDEX": "whole FLOAT HALF_FLOAT BITMAP",
    "STENCIL_INDEX": "whole FLOAT HALF_FLOAT BITMAP",
    "DEPTH_COMPONENT": "whole FLOAT HALF_FLOAT",
    "RED": "whole FLOAT HALF_FLOAT HALF_FLOAT_OES",
    "GREEN": "whole FLOAT HALF_FLOAT",
    "BLUE": "whole FLOAT HALF_FLOAT",
    "ALPHA": "whole FLOAT HALF_FLOAT HALF_FLOAT_OES",
    "RGB": (
        "whole FLOAT HALF_FLOAT UNSIGNED_BYTE_3_3_2 UNSIGNED_BYTE_2_3_3_REV UNSIGNED_SHORT_5_6_5 "
        "UNSIGNED_SHORT_5_6_5_REV UNSIGNED_INT_10F_11F_11F_REV UNSIGNED_INT_5_9_9_9_REV HALF_FLOAT_OES"
    ),
    "RGBA": (
        "whole FLOAT HALF_FLOAT UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_8_8_8_8 "
        "UNSIGNED_INT_10_10_10_2 UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_SHORT_1_5_5_5_REV "
        "UNSIGNED_INT_8_8_8_8_REV UNSIGNED_INT_2_10_10_10_REV HALF_FLOAT_OES"
    ),
    "LUMINANCE": "whole FLOAT HALF_FLOAT HALF_FLOAT_OES",
    "LUMINANCE_ALPHA": "whole FLOAT HALF_FLOAT HALF_FLOAT_OES",
    "ABGR_EXT": (
        "whole FLOAT HALF_FLOAT UNSIGNED_SHORT_4_4_4_4 UNSIGNED_INT_8_8_8_8 UNSIGNED_SHORT_4_4_4_4_REV "
        "UNSIGNED_INT_8_8_8_8_REV"
    ),
    "BGR": "whole FLOAT HALF_FLOAT",
    "BGRA": (
        "whole FLOAT HALF_FLOAT UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_8_8_8_8 "
        "UNSIGNED_INT_10_10_10_2 UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_SHORT_1_5_5_5_REV "
        "UNSIGNED_INT_8_8_8_8_REV UNSIGNED_INT_2_10_10_10_REV"
    ),
    "RG": "whole FLOAT HALF_FLOAT HALF_FLOAT_OES",
    "RG_INTEGER": "whole",
    "DEPTH_STENCIL": "UNSIGNED_INT_24_8 FLOAT_32_UNSIGNED_INT_24_8_REV",
    "YCBCR_MESA": "UNSIGNED_SHORT_8_8_MESA UNSIGNED_SHORT_8_8_REV_MESA",
    "RED_INTEGER": "whole",
    "GREEN_INTEGER": "whole",
    "BLUE_INTEGER": "whole",
    "ALPHA_INTEGER": "whole",
    "RGB_INTEGER": ("whole UNSIGNED_BYTE_3_3_2 UNSIGNED_BYTE_2_3_3_REV UNSIGNED_SHORT_5_6_5 UNSIGNED_SHORT_5_6_5_REV"),
    "RGBA_INTEGER": (
        "whole UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_8_8_8_8 "
        "UNSIGNED_INT_10_10_10_2 UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_SHORT_1_5_5_5_REV "
        "UNSIGNED_INT_8_8_8_8_REV UNSIGNED_INT_2_10_10_10_REV"
    ),
    "BGR_INTEGER": "whole",
    "BGRA_INTEGER": (
        "whole UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_8_8_8_8 "
        "UNSIGNED_INT_10_10_10_2 UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_SHORT_1_5_5_5_REV "
        "UNSIGNED_INT_8_8_8_8_REV UNSIGNED_INT_2_10_10_10_REV"
    ),
    "LUMINANCE_INTEGER_EXT": "whole",
    "LUMINANCE_ALPHA_INTEGER_EXT": "whole",
}
#: Types that are an INVALID_OPERATION where they do not go with a format; BITMAP, FLOAT, 5_9_9_9_REV ... are not.
OPERATIONS = (
    "UNSIGNED_BYTE_3_3_2 UNSIGNED_BYTE_2_3_3_REV UNSIGNED_SHORT_5_6_5 UNSIGNED_SHORT_5_6_5_REV UNSIGNED_SHORT_4_4_4_4 "
    "UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_SHORT_5_5_5_1 UNSIGNED_SHORT_1_5_5_5_REV UNSIGNED_INT_8_8_8_8 "
    "UNSIGNED_INT_8_8_8_8_REV UNSIGNED_INT_10_10_10_2 UNSIGNED_INT_2_10_10_10_REV UNSIGNED_INT_24_8 "
    "FLOAT_32_UNSIGNED_INT_24_8_REV UNSIGNED_INT_10F_11F_11F_REV HALF_FLOAT_OES"
)
OPERATION = {glenum(f"GL_{word}") for word in OPERATIONS.split()}
ACCEPTED = {
    glenum(f"GL_{fmt}"): {glenum(f"GL_{word}") for word in types.replace("whole", WHOLE).split()}
    for fmt, types in PAIRS.items()
}
TYPES = sorted({0x1234, 0x13FF}.union(*ACCEPTED.values()))
FILLS = {
    "RGBA8": {"color"},
    "RGBA16F": {"color"},
    "RGBA8I": {"integer"},
    "RGBA8UI": {"integer"},
    "DEPTH_COMPONENT16": {"depth", "ds"},
    "DEPTH24_STENCIL8": {"depth", "ds"},
    "STENCIL_INDEX8": {"stencil", "color"},
    "YCBCR_MESA": {"ycbcr"},
}
ENUM, INVALID = "GL_INVALID_ENUM", "GL_INVALID_OPERATION"


def error(fmt: int, kind: int, *, gles: bool = False) -> str:
    seen = mismatch(fmt, kind, gles=gles)
    return seen[0] if seen else ""


def test_pixel_formats_are_those_that_mesa_knows() -> None:
    """SRGB and SRGB_ALPHA go with no type, so they are none."""
    assert set(PIXEL_FORMATS) == set(ACCEPTED)


@pytest.mark.parametrize("fmt", PAIRS)
@pytest.mark.parametrize("gles", [False, True])
def test_a_format_goes_with_its_types(fmt: str, gles: bool) -> None:
    """In GLES, with two more; YCbCr with none there."""
    taken = ACCEPTED[glenum(f"GL_{fmt}")]
    if gles:
        more = {"DEPTH_COMPONENT": {0x84FA}, "RGB": {0x8368}}.get(fmt, set())
        taken = set() if fmt == "YCBCR_MESA" else taken | more
    assert {kind for kind in TYPES if not error(glenum(f"GL_{fmt}"), kind, gles=gles)} == taken


@pytest.mark.parametrize("gles", [False, True])
@pytest.mark.parametrize("fmt", ["RGBA", "RED_INTEGER", "DEPTH_STENCIL", "YCBCR_MESA", "STENCIL_INDEX", "SRGB"])
def test_a_type_that_does_not_go_with_a_format_has_its_error(fmt: str, gles: bool) -> None:
    """By type, except for two formats of desktop GL."""
    value = glenum(f"GL_{fmt}")
    for kind in TYPES:
        wanted = INVALID if kind in OPERATION else ENUM
        if not gles and fmt == "DEPTH_STENCIL":
            wanted = ENUM
        if not gles and fmt == "YCBCR_MESA" and kind != 0x1A00:
            wanted = INVALID
        assert error(value, kind, gles=gles) in ("", wanted), hex(kind)


def test_what_is_accepted_is_said() -> None:
    """Types of a format, and formats."""
    wrong, unknown = mismatch(0x84F9, 0x1401, gles=False), mismatch(0x1234, 0x1401, gles=False)
    assert wrong is not None
    assert unknown is not None
    assert wrong[1] == (
        "type=GL_UNSIGNED_BYTE does not go with format=GL_DEPTH_STENCIL; "
        "accepted: GL_UNSIGNED_INT_24_8, GL_FLOAT_32_UNSIGNED_INT_24_8_REV"
    )
    assert unknown[1].startswith("format=0x1234 is no pixel format; accepted: GL_RED, ")


@pytest.mark.parametrize("name", FILLS)
def test_format_is_filled_by_pixels_of_its_kind(name: str) -> None:
    """Stencil by colours too, as Mesa does; nothing else mixes."""
    known, byte = internal_format_named(name), glenum("GL_UNSIGNED_BYTE")
    seen = {fmt: misfit(known, fmt, byte, gles=False) for fmt in PIXEL_FORMATS}
    assert {PIXEL_FORMATS[fmt].holds for fmt, problem in seen.items() if problem is None} == FILLS[name]
    assert {problem[0] for problem in seen.values() if problem} == {INVALID}


@pytest.mark.parametrize("gles", [True, False])
@pytest.mark.parametrize(
    ("name", "fmt", "same"), [("RGB", "GL_RGB", True), ("RGB", "GL_RGBA", False), ("RGB8", "GL_RGB", True)]
)
def test_gles_wants_formats_to_be_the_pixels_own(name: str, fmt: str, same: bool, gles: bool) -> None:
    seen = misfit(internal_format_named(name), glenum(fmt), glenum("GL_UNSIGNED_BYTE"), gles=gles)
    assert (seen is None) == (same or not gles)


def test_kinds_are_those_of_the_names() -> None:
    """All others are colours, also those by index."""
    said = {"INTEGER": "integer", "STENCIL_INDEX": "stencil", "DEPTH_COMPONENT": "depth", "DEPTH_STENCIL": "ds"}
    for name in PAIRS:
        holds = next((kind for word, kind in (said | {"YCBCR": "ycbcr"}).items() if word in name), "color")
        assert PIXEL_FORMATS[glenum(f"GL_{name}")].holds == holds
