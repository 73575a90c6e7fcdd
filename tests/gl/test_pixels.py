"""`statetracker.gl.pixels`: which formats and types go together, and what they fill, as recorded of Mesa 22.3.6."""

from __future__ import annotations

import pytest

from statetracker.gl.formats import internal_format_named, internal_formats
from statetracker.gl.names import glenum
from statetracker.gl.pixels import PIXEL_FORMATS, gles_misfit, misfit, mismatch

WHOLE = "BYTE UNSIGNED_BYTE SHORT UNSIGNED_SHORT INT UNSIGNED_INT"
FLOATS = f"{WHOLE} FLOAT HALF_FLOAT"
THREE = "UNSIGNED_BYTE_3_3_2 UNSIGNED_BYTE_2_3_3_REV UNSIGNED_SHORT_5_6_5 UNSIGNED_SHORT_5_6_5_REV"
ALIKE = "UNSIGNED_SHORT_4_4_4_4 UNSIGNED_INT_8_8_8_8 UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_INT_8_8_8_8_REV"
FOUR = f"{ALIKE} UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_10_10_10_2 UNSIGNED_SHORT_1_5_5_5_REV UNSIGNED_INT_2_10_10_10_REV"
#: Pixel formats -> the types that go with them in desktop GL.
GROUPS = {
    "COLOR_INDEX STENCIL_INDEX": f"{FLOATS} BITMAP",
    "DEPTH_COMPONENT GREEN BLUE BGR": FLOATS,
    "RED RG ALPHA LUMINANCE LUMINANCE_ALPHA": f"{FLOATS} HALF_FLOAT_OES",
    "RGB": f"{FLOATS} HALF_FLOAT_OES {THREE} UNSIGNED_INT_10F_11F_11F_REV UNSIGNED_INT_5_9_9_9_REV",
    "RGBA": f"{FLOATS} HALF_FLOAT_OES {FOUR}",
    "BGRA": f"{FLOATS} {FOUR}",
    "ABGR_EXT": f"{FLOATS} {ALIKE}",
    "DEPTH_STENCIL": "UNSIGNED_INT_24_8 FLOAT_32_UNSIGNED_INT_24_8_REV",
    "YCBCR_MESA": "UNSIGNED_SHORT_8_8_MESA UNSIGNED_SHORT_8_8_REV_MESA",
    "RED_INTEGER GREEN_INTEGER BLUE_INTEGER ALPHA_INTEGER RG_INTEGER BGR_INTEGER": WHOLE,
    "LUMINANCE_INTEGER_EXT LUMINANCE_ALPHA_INTEGER_EXT": WHOLE,
    "RGB_INTEGER": f"{WHOLE} {THREE}",
    "RGBA_INTEGER BGRA_INTEGER": f"{WHOLE} {FOUR}",
}
PAIRS = {fmt: types for formats, types in GROUPS.items() for fmt in formats.split()}
#: Types that are an INVALID_OPERATION where they do not go with a format; BITMAP, FLOAT, 5_9_9_9_REV ... are not.
OPERATIONS = f"{THREE} {FOUR} {PAIRS['DEPTH_STENCIL']} UNSIGNED_INT_10F_11F_11F_REV HALF_FLOAT_OES"
OPERATION = {glenum(f"GL_{word}") for word in OPERATIONS.split()}
ACCEPTED = {glenum(f"GL_{fmt}"): {glenum(f"GL_{word}") for word in types.split()} for fmt, types in PAIRS.items()}
TYPES = sorted({0x1234, 0x13FF}.union(*ACCEPTED.values()))
FILLS = {
    "RGBA8": {"color"}, "RGBA16F": {"color"}, "RGBA8I": {"integer"}, "RGBA8UI": {"integer"},
    "DEPTH_COMPONENT16": {"depth", "ds"}, "DEPTH24_STENCIL8": {"depth", "ds"}, "STENCIL_INDEX8": {"stencil", "color"},
    "YCBCR_MESA": {"ycbcr"},
}  # fmt: skip
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


#: Internal format, pixel format, types: all pairs of GLES's pixel formats that Mesa takes, for some of each kind.
RECORDED = """
DEPTH_COMPONENT DEPTH_COMPONENT UNSIGNED_SHORT UNSIGNED_INT FLOAT
RED RED UNSIGNED_BYTE FLOAT HALF_FLOAT HALF_FLOAT_OES
RGBA RGBA UNSIGNED_BYTE FLOAT UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_2_10_10_10_REV HALF_FLOAT_OES
RGBA BGRA UNSIGNED_BYTE
LUMINANCE8 LUMINANCE UNSIGNED_BYTE
RGB8 RGB UNSIGNED_BYTE UNSIGNED_INT_2_10_10_10_REV
RGB8 BGR UNSIGNED_BYTE
RGBA4 RGBA UNSIGNED_BYTE UNSIGNED_SHORT_4_4_4_4
RGB10_A2 RGBA UNSIGNED_INT_2_10_10_10_REV
BGRA RED UNSIGNED_BYTE FLOAT HALF_FLOAT HALF_FLOAT_OES
BGRA ALPHA UNSIGNED_BYTE FLOAT HALF_FLOAT_OES
BGRA RGB UNSIGNED_BYTE FLOAT UNSIGNED_SHORT_5_6_5 UNSIGNED_INT_2_10_10_10_REV HALF_FLOAT_OES
BGRA RGBA UNSIGNED_BYTE FLOAT UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_2_10_10_10_REV HALF_FLOAT_OES
BGRA LUMINANCE UNSIGNED_BYTE FLOAT HALF_FLOAT_OES
BGRA LUMINANCE_ALPHA UNSIGNED_BYTE FLOAT HALF_FLOAT_OES
BGRA BGRA UNSIGNED_BYTE
BGRA RG UNSIGNED_BYTE FLOAT HALF_FLOAT HALF_FLOAT_OES
DEPTH_COMPONENT24 DEPTH_COMPONENT UNSIGNED_INT
R16F RED FLOAT HALF_FLOAT HALF_FLOAT_OES
R8I RED_INTEGER BYTE
RG16UI RG_INTEGER UNSIGNED_SHORT
RGBA32F RGBA FLOAT
RGB16F RGB FLOAT HALF_FLOAT
DEPTH24_STENCIL8 DEPTH_STENCIL UNSIGNED_INT_24_8
R11F_G11F_B10F RGB FLOAT HALF_FLOAT UNSIGNED_INT_10F_11F_11F_REV
RGB9_E5 RGB FLOAT HALF_FLOAT UNSIGNED_INT_5_9_9_9_REV
SRGB8_ALPHA8 RGBA UNSIGNED_BYTE
SRGB8_ALPHA8 BGRA UNSIGNED_BYTE
DEPTH32F_STENCIL8 DEPTH_STENCIL FLOAT_32_UNSIGNED_INT_24_8_REV
STENCIL_INDEX8 STENCIL_INDEX UNSIGNED_BYTE
RGB565 RGB UNSIGNED_BYTE UNSIGNED_SHORT_5_6_5 UNSIGNED_INT_2_10_10_10_REV
RGBA8UI RGBA_INTEGER UNSIGNED_BYTE
COMPRESSED_RED_RGTC1 RED UNSIGNED_BYTE
COMPRESSED_RGB_BPTC_SIGNED_FLOAT RGB FLOAT
R8_SNORM RED BYTE
SR8_EXT RED UNSIGNED_BYTE
RGB10_A2UI RGBA_INTEGER UNSIGNED_INT_2_10_10_10_REV
"""
ROWS = [row.split() for row in RECORDED.strip().splitlines()]
TAKEN = {(name, glenum(f"GL_{fmt}"), glenum(f"GL_{kind}")) for name, fmt, *kinds in ROWS for kind in kinds}
FORMATS = sorted({glenum(f"GL_{row[1]}") for row in ROWS})
EVERY_TYPE = sorted(frozenset[int]().union(*(row.types for row in PIXEL_FORMATS.values())))
NAMES = sorted({row[0] for row in ROWS})
NOTHING = ("INTENSITY", "SRGB", "SLUMINANCE_ALPHA", "RED_SNORM", "STENCIL_INDEX", "DEPTH_COMPONENT32")


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_filled_by_its_pairs_and_no_others(name: str) -> None:
    """INVALID_OPERATION for others."""
    known = internal_format_named(name)
    for fmt in FORMATS:
        for kind in EVERY_TYPE:
            problem = misfit(known, fmt, kind, gles=True)
            assert (problem is None) == ((name, fmt, kind) in TAKEN), (fmt, kind)
            assert problem is None or problem[0] == "GL_INVALID_OPERATION"


def test_every_other_format_is_filled_by_nothing() -> None:
    """INVALID_VALUE, but for names without a size, which are an INVALID_OPERATION."""
    filled = {known.name for known in internal_formats() if {*known.gles_types} - {"none"}} | {"BGRA"}
    others = [known for known in internal_formats() if known.name not in filled and "_S3TC_" not in known.name]
    errors = {known.name: (gles_misfit(known, 0x1908, 0x1401) or ("none",))[0] for known in others}
    assert set(errors.values()) == {"GL_INVALID_VALUE", "GL_INVALID_OPERATION"}
    operations = {name for name, error in errors.items() if error == "GL_INVALID_OPERATION"}
    assert operations > set(NOTHING)
    assert all(not any(c.isdigit() for c in name) for name in operations - {"DEPTH_COMPONENT32"})
    assert len(operations) == 15


def test_s3tc_is_filled_by_any_rgb_and_by_nothing_of_srgb() -> None:
    plain, srgb = (internal_format_named(f"COMPRESSED_{word}_S3TC_DXT1_EXT") for word in ("RGB", "SRGB"))
    assert [fmt for fmt in FORMATS if gles_misfit(plain, fmt, 0x8362) is None] == [0x1907, 0x1908]
    assert all(gles_misfit(srgb, fmt, kind) is not None for fmt in FORMATS for kind in EVERY_TYPE)


@pytest.mark.parametrize(
    ("name", "taken"),
    [("R8", True), ("COMPRESSED_SRGB_S3TC_DXT1_EXT", True), ("RED", False), ("BGRA", False), ("R8UI", False),
     ("COMPRESSED_RGB_S3TC_DXT1_EXT", False), ("STENCIL_INDEX8", True), ("DEPTH_COMPONENT16", False)],
)  # fmt: skip
def test_pixel_formats_that_gles_lacks_fill_what_has_a_size(name: str, taken: bool) -> None:
    """GREEN, BLUE, ABGR and COLOR_INDEX: Mesa looks at them as desktop GL does."""
    for fmt in (0x1904, 0x1905, 0x8000, 0x1900):
        assert (misfit(internal_format_named(name), fmt, 0x1401, gles=True) is None) == taken


def test_what_gles_accepts_is_said() -> None:
    problem = gles_misfit(internal_format_named("RGB565"), 0x1908, 0x1401)
    assert problem is not None
    assert problem[1].endswith(
        "accepted: its own pixels of GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT_5_6_5, GL_UNSIGNED_INT_2_10_10_10_REV"
    )
    named = {glenum(name) for known in internal_formats() for name in known.gles_types if name != "none"}
    assert named <= set(EVERY_TYPE)
