"""`statetracker.gl.formats`: the internal formats of textures."""

from __future__ import annotations

import pytest

from statetracker.errors import UnknownName
from statetracker.gl.formats import (
    BASE_FORMATS,
    KINDS,
    InternalFormat,
    has_copies,
    has_mipmaps,
    has_samples,
    internal_format,
    internal_format_named,
    internal_formats,
)
from statetracker.gl.names import gl_names, glenum

ALL = tuple(internal_formats())
NAMED = [fmt for fmt in ALL if fmt.number > 4]

# fmt: off
BASES = {
    "RED":             ("R8", "R32UI", "RED", "SR8_EXT", "COMPRESSED_RED", "COMPRESSED_R11_EAC",
                        "COMPRESSED_SIGNED_RED_RGTC1"),
    "RG":              ("RG16F", "SRG8_EXT", "COMPRESSED_RG_RGTC2", "COMPRESSED_SIGNED_RG11_EAC", "RG_SNORM"),
    "RGB":             ("R3_G3_B2", "SRGB", "SRGB8", "R11F_G11F_B10F", "RGB9_E5", "RGB565", "ETC1_RGB8_OES",
                        "COMPRESSED_RGB_S3TC_DXT1_EXT", "COMPRESSED_RGB8_ETC2", "RGB16I", "3",
                        "COMPRESSED_RGB_BPTC_SIGNED_FLOAT"),
    "RGBA":            ("SRGB_ALPHA", "SRGB8_ALPHA8", "RGB5_A1", "RGB10_A2", "RGB10_A2UI", "BGRA", "RGBA32F", "4",
                        "COMPRESSED_RGBA_S3TC_DXT1_EXT", "COMPRESSED_SRGB_ALPHA_BPTC_UNORM",
                        "COMPRESSED_RGBA8_ETC2_EAC", "COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2",
                        "COMPRESSED_SRGB8_ALPHA8_ASTC_8x5"),
    "ALPHA":           ("ALPHA4", "ALPHA16_SNORM", "ALPHA32F_ARB", "ALPHA8UI_EXT"),
    "LUMINANCE":       ("LUMINANCE12", "SLUMINANCE8", "COMPRESSED_LUMINANCE_LATC1_EXT", "LUMINANCE32I_EXT", "1"),
    "LUMINANCE_ALPHA": ("LUMINANCE6_ALPHA2", "SLUMINANCE8_ALPHA8", "COMPRESSED_SIGNED_LUMINANCE_ALPHA_LATC2_EXT", "2",
                        "COMPRESSED_LUMINANCE_ALPHA_3DC_ATI"),
    "INTENSITY":       ("INTENSITY", "INTENSITY16F_ARB", "INTENSITY8I_EXT"),
    "DEPTH_COMPONENT": ("DEPTH_COMPONENT", "DEPTH_COMPONENT32F"),
    "DEPTH_STENCIL":   ("DEPTH_STENCIL", "DEPTH24_STENCIL8", "DEPTH32F_STENCIL8"),
    "STENCIL_INDEX":   ("STENCIL_INDEX", "STENCIL_INDEX8"),
    "YCBCR":           ("YCBCR_MESA",),
}
# fmt: on


@pytest.mark.parametrize("fmt", NAMED, ids=lambda fmt: fmt.name)
def test_name_and_number_are_the_registrys(fmt: InternalFormat) -> None:
    """A format goes by the first name that the Khronos registry has for its number."""
    assert (glenum(fmt.name), gl_names(fmt.number)[0]) == (fmt.number, f"GL_{fmt.name}")


@pytest.mark.parametrize(("base", "name"), [(base, name) for base, row in BASES.items() for name in row])
def test_base_format(base: str, name: str) -> None:
    """The base format is the one that translates the border colour."""
    assert internal_format_named(name).base_format == base


# fmt: off
FACTS: list[tuple[str, bool, str]] = [
    ("is_integer", True,  "RGBA8I RGB10_A2UI ALPHA16UI_EXT STENCIL_INDEX8"),
    ("is_integer", False, "DEPTH24_STENCIL8 DEPTH_STENCIL RGBA16 RGBA8_SNORM"),  # sampled as depth
    ("sized",      True,  "LUMINANCE8 DEPTH_COMPONENT32 STENCIL_INDEX8 SR8_EXT RGB9_E5"),
    ("sized",      False, "RGBA LUMINANCE_ALPHA DEPTH_COMPONENT DEPTH_STENCIL COMPRESSED_RGB"),
    ("compressed", True,  "COMPRESSED_RED RGBA_S3TC ETC1_RGB8_OES COMPRESSED_RGBA_ASTC_6x6"),
    ("compressed", False, "RGBA8 3"),
]
# fmt: on


@pytest.mark.parametrize(("fact", "holds", "names"), FACTS)
def test_what_a_format_is(fact: str, holds: bool, names: str) -> None:
    assert {getattr(internal_format_named(name), fact) for name in names.split()} == {holds}


def test_every_kind_and_base_format_is_used() -> None:
    """The closed sets hold no word without a format."""
    assert {fmt.kind for fmt in ALL} == set(KINDS)
    assert {fmt.base_format for fmt in ALL} == set(BASE_FORMATS)


@pytest.mark.parametrize("spelling", ["ALPHA16F_ARB", "GL_ALPHA16F_EXT", "GL_ALPHA_FLOAT16_ATI", "alpha16f-arb"])
def test_every_spelling_gives_the_same_object(spelling: str) -> None:
    """Vendor names, prefixes and kebab case are one format."""
    assert internal_format_named(spelling) is internal_format(0x881C)


@pytest.mark.parametrize("name", ["RGBA9", "CLAMP", "ONE", "TRIANGLES"])
def test_a_name_that_is_no_format_is_refused(name: str) -> None:
    """Not even where its number happens to be a component count."""
    with pytest.raises(UnknownName, match="an internal format of textures"):
        internal_format_named(name)


def test_a_refusal_names_what_was_meant() -> None:
    with pytest.raises(UnknownName) as caught:
        internal_format_named("RGBA_8")
    assert "RGBA8" in caught.value.hint
    assert internal_format(0x2900) is None  # GL_CLAMP
    assert internal_format(3) is internal_format_named("3")


# fmt: off
ANSWERS = [
    #  format                          samples: desktop GLES   mipmaps: desktop GLES
    ("RGBA8",                          True,    True,          True,    True),
    ("RGB9_E5",                        True,    False,         True,    False),
    ("RGBA8UI",                        True,    True,          False,   False),
    ("RGB8UI",                         True,    False,         False,   False),
    ("DEPTH_COMPONENT16",              True,    True,          True,    False),
    ("DEPTH24_STENCIL8",               True,    True,          False,   False),
    ("STENCIL_INDEX8",                 True,    True,          True,    False),
    ("LUMINANCE",                      True,    False,         True,    True),
    ("RGBA",                           True,    False,         True,    True),
    ("SLUMINANCE8",                    False,   False,         True,    False),
    ("SRGB8_ALPHA8",                   True,    True,          True,    True),
    ("SR8_EXT",                        False,   False,         True,    False),
    ("BGRA",                           True,    False,         True,    True),
    ("COMPRESSED_RGBA",                False,   False,         True,    False),
    ("COMPRESSED_RGBA8_ETC2_EAC",      False,   False,         True,    False),
]
# fmt: on


@pytest.mark.parametrize("row", ANSWERS, ids=lambda row: row[0])
def test_what_gl_draws_to(row: tuple[str, bool, bool, bool, bool]) -> None:
    """Samples in desktop GL and GLES, mipmaps in both."""
    known = internal_format_named(row[0])
    samples = has_samples(known, gles=False), has_samples(known, gles=True)
    assert (*samples, has_mipmaps(known, gles=False), has_mipmaps(known, gles=True)) == row[1:]


@pytest.mark.parametrize(
    ("name", "desktop", "gles"),
    [
        ("RGBA8", True, True), ("RGBA8UI", True, True), ("RGB9_E5", True, False), ("R3_G3_B2", True, False),
        ("DEPTH_COMPONENT24", True, False), ("DEPTH24_STENCIL8", True, False), ("STENCIL_INDEX8", True, False),
        ("SRGB", True, False), ("SRGB8", True, True), ("SLUMINANCE_ALPHA", True, False), ("SLUMINANCE8", True, True),
        ("SRGB_ALPHA", True, False), ("COMPRESSED_RGB", True, False), ("COMPRESSED_RGBA", True, False),
        ("COMPRESSED_SRGB_ALPHA", True, False), ("COMPRESSED_RED", True, True), ("COMPRESSED_SLUMINANCE", True, True),
        ("COMPRESSED_RGBA_S3TC_DXT1_EXT", True, False), ("COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT", True, False),
        ("COMPRESSED_RGBA_BPTC_UNORM", True, True), ("YCBCR_MESA", False, True),
    ],
)  # fmt: skip
def test_what_some_framebuffer_holds_is_copied(name: str, desktop: bool, gles: bool) -> None:
    """46 framebuffers tried in GLES, 50 in desktop GL."""
    known = internal_format_named(name)
    assert (has_copies(known, gles=False), has_copies(known, gles=True)) == (desktop, gles)
