"""`statetracker.gl.pixels`: pixel formats by what their names say, pixel types by what they pack."""

from __future__ import annotations

import pytest

from statetracker.gl import internal_format_named
from statetracker.gl.names import gl_name, number
from statetracker.gl.pixels import PIXEL_FORMATS, PIXEL_TYPES, misfit

COLORS = "RED GREEN BLUE ALPHA RG RGB RGBA BGR BGRA LUMINANCE LUMINANCE_ALPHA"
OTHERS = "COLOR_INDEX STENCIL_INDEX DEPTH_COMPONENT DEPTH_STENCIL ABGR_EXT SRGB SRGB_ALPHA YCBCR_MESA"
#: Whole numbers and floats; packed ones, and how their fields lie from high to low, reversed or not.
PLAIN = "BYTE UNSIGNED_BYTE SHORT UNSIGNED_SHORT INT UNSIGNED_INT FLOAT HALF_FLOAT HALF_FLOAT_OES BITMAP"
PACKED = {
    "UNSIGNED_BYTE": "3_3_2 2_3_3_REV",
    "UNSIGNED_SHORT": "5_6_5 5_6_5_REV 4_4_4_4 4_4_4_4_REV 5_5_5_1 1_5_5_5_REV 8_8_APPLE 8_8_REV_APPLE",
    "UNSIGNED_INT": "8_8_8_8 8_8_8_8_REV 10_10_10_2 2_10_10_10_REV 24_8 10F_11F_11F_REV 5_9_9_9_REV",
    "FLOAT": "32_UNSIGNED_INT_24_8_REV",
}
KINDS = ("color", "integer", "depth", "stencil", "ds")
FILLS = {
    "RGBA8": {"color"},
    "RGBA16F": {"color"},
    "RGBA8I": {"integer"},
    "RGBA8UI": {"integer"},
    "DEPTH_COMPONENT16": {"depth", "ds"},
    "DEPTH24_STENCIL8": {"depth", "ds"},
    "STENCIL_INDEX8": {"stencil", "ds"},
}


def test_pixel_formats_are_those_of_the_specification() -> None:
    """Each colour but SRGB has integers of its own; two have them by an extension."""
    integers = [f"{c}_INTEGER{'_EXT' if c.startswith('LUMINANCE') else ''}" for c in COLORS.split()]
    wanted = {f"GL_{name}" for name in (*COLORS.split(), *OTHERS.split(), *integers)}
    assert {gl_name(fmt) for fmt in PIXEL_FORMATS} == wanted


def test_pixel_format_holds_what_its_name_says() -> None:
    """All others are colours, also those by index."""
    said = {"INTEGER": "integer", "STENCIL_INDEX": "stencil", "DEPTH_COMPONENT": "depth", "DEPTH_STENCIL": "ds"}
    for fmt, holds in PIXEL_FORMATS.items():
        assert holds == next((kind for word, kind in said.items() if word in gl_name(fmt)), "color")


def test_pixel_types_are_those_of_the_specification() -> None:
    """Plain ones and packed ones, with an extension's two."""
    packed = {f"GL_{word}_{fields}" for word, rows in PACKED.items() for fields in rows.split()}
    assert {gl_name(kind) for kind in PIXEL_TYPES} == {f"GL_{name}" for name in PLAIN.split()} | packed


@pytest.mark.parametrize("name", FILLS)
def test_format_is_filled_by_pixels_of_its_kind(name: str) -> None:
    """Depth-stencil pixels fill each half; nothing else mixes."""
    known, byte = internal_format_named(name), number("GL_UNSIGNED_BYTE")
    filling = {holds for fmt, holds in PIXEL_FORMATS.items() if misfit(known, fmt, byte, gles=False) is None}
    assert filling == FILLS[name]
    refused = {misfit(known, fmt, byte, gles=False) for fmt, holds in PIXEL_FORMATS.items() if holds not in filling}
    assert {error for error, _ in filter(None, refused)} == {"GL_INVALID_OPERATION"}


@pytest.mark.parametrize("gles", [True, False])
@pytest.mark.parametrize(
    ("name", "fmt", "same"), [("RGB", "GL_RGB", True), ("RGB", "GL_RGBA", False), ("RGB8", "GL_RGBA", True)]
)
def test_gles_wants_unsized_formats_to_be_the_pixels_own(name: str, fmt: str, same: bool, gles: bool) -> None:
    """Sized ones, and desktop GL, convert."""
    found = misfit(internal_format_named(name), number(fmt), number("GL_UNSIGNED_BYTE"), gles=gles)
    assert (found is None) == (same or not gles)


@pytest.mark.parametrize(
    ("fmt", "kind", "gles", "error"),
    [
        ("GL_CLAMP", "GL_UNSIGNED_BYTE", False, "GL_INVALID_ENUM"),
        ("GL_RGB", "GL_CLAMP", False, "GL_INVALID_ENUM"),
        ("GL_DEPTH_COMPONENT", "GL_CLAMP", False, "GL_INVALID_ENUM"),
        ("GL_DEPTH_COMPONENT", "GL_UNSIGNED_BYTE", False, "GL_INVALID_OPERATION"),
        ("GL_RGBA", "GL_UNSIGNED_BYTE", True, "GL_INVALID_OPERATION"),
    ],
)
def test_misfit_has_its_error(fmt: str, kind: str, gles: bool, error: str) -> None:
    """What is no format or type at all comes before what does not fit."""
    found = misfit(internal_format_named("RGB"), number(fmt), number(kind), gles=gles)
    assert found is not None
    assert found[0] == error
