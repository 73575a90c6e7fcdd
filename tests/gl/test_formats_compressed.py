"""Compressed formats: their targets, and where they come from."""

from __future__ import annotations

import pytest

from statetracker.gl import Context, Limits
from statetracker.gl.formats import FAMILIES, GENERIC, family_of, internal_format, internal_formats

S3TC, RGTC, BPTC = "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", "GL_COMPRESSED_RED_RGTC1", "GL_COMPRESSED_RGBA_BPTC_UNORM"
ETC2, ASTC = "GL_COMPRESSED_RGBA8_ETC2_EAC", "GL_COMPRESSED_RGBA_ASTC_4x4"
FXT1, LATC = "GL_COMPRESSED_RGB_FXT1_3DFX", "GL_COMPRESSED_LUMINANCE_LATC1_EXT"
SIZES = {
    "1D": (12,), "1D_ARRAY": (12, 12), "2D": (12, 12), "RECTANGLE": (12, 12), "3D": (12,) * 3, "2D_ARRAY": (12,) * 3,
}  # fmt: skip
SIZES["CUBE_MAP_ARRAY"] = (12,) * 3


@pytest.fixture
def limits() -> Limits:
    """A context with every internal format, and arrays."""
    formats = {name for known in internal_formats() for name in known.extensions}
    return Limits(extensions=frozenset(formats | {"GL_EXT_texture_array", "GL_ARB_texture_cube_map_array"}))


def stored(limits: Limits, target: str, internal: str) -> bool:
    gl = Context(limits)
    gl.glBindTexture(f"GL_TEXTURE_{target}", 1)
    size = SIZES[target]
    gl.call(f"glTexStorage{len(size)}D", f"GL_TEXTURE_{target}", 1, internal, *size)
    return gl.glGetError() == "GL_NO_ERROR"


def specified(limits: Limits, target: str, internal: str) -> bool:
    gl = Context(limits)
    size = SIZES[target]
    gl.call(
        f"glTexImage{len(size)}D", f"GL_TEXTURE_{target}", 0, internal, *size, 0, "GL_RGBA", "GL_UNSIGNED_BYTE", None
    )
    return gl.glGetError() == "GL_NO_ERROR"


@pytest.mark.parametrize("internal", [S3TC, RGTC, BPTC, ETC2, ASTC, FXT1, LATC])
def test_flat_targets_have_no_compressed_images(limits: Limits, internal: str) -> None:
    for target in ("1D", "1D_ARRAY", "RECTANGLE"):
        assert not stored(limits, target, internal)
        assert not specified(limits, target, internal)
    for target in ("2D", "2D_ARRAY", "CUBE_MAP_ARRAY"):
        assert stored(limits, target, internal)


def test_volumes_have_bptc_and_astc_only(limits: Limits) -> None:
    kept = [name for name in (S3TC, RGTC, BPTC, ETC2, ASTC, FXT1, LATC) if stored(limits, "3D", name)]
    assert kept == [BPTC, ASTC]


def test_etc2_and_astc_are_never_made_from_texels(limits: Limits) -> None:
    made = [name for name in (S3TC, RGTC, BPTC, ETC2, ASTC, FXT1, LATC) if specified(limits, "2D", name)]
    assert made == [S3TC, RGTC, BPTC, FXT1, LATC]
    gl = Context(limits)
    gl.glCopyTexImage2D("GL_TEXTURE_2D", 0, ETC2, 0, 0, 8, 8)
    assert gl.glGetError() == "GL_INVALID_OPERATION"
    gl.glCompressedTexImage2D("GL_TEXTURE_2D", 0, ETC2, 8, 8)
    assert gl.glGetError() == "GL_NO_ERROR"


def test_every_specific_format_has_a_family() -> None:
    specific = [f for f in internal_formats() if f.compressed and f.sized and f.name not in GENERIC]
    assert specific
    for known in specific:
        assert family_of(known) is not None, known.name
        assert len({id(FAMILIES[part]) for part in FAMILIES if part in known.name}) <= 1 + ("_ETC2_EAC" in known.name)


# fmt: off
#: Generic formats, and names of S3TC and 3DC before theirs -> what an image has, and what a flat one has.
CHOICES = {
    "COMPRESSED_RED":                     ("COMPRESSED_RED_RGTC1",                   "RED"),
    "COMPRESSED_RG":                      ("COMPRESSED_RG_RGTC2",                    "RG"),
    "COMPRESSED_RGB":                     ("COMPRESSED_RGB_S3TC_DXT1_EXT",           "RGB"),
    "COMPRESSED_RGBA":                    ("COMPRESSED_RGBA_S3TC_DXT5_EXT",          "RGBA"),
    "COMPRESSED_ALPHA":                   ("ALPHA",                                  "ALPHA"),
    "COMPRESSED_LUMINANCE":               ("COMPRESSED_LUMINANCE_LATC1_EXT",         "LUMINANCE"),
    "COMPRESSED_LUMINANCE_ALPHA":         ("COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT",   "LUMINANCE_ALPHA"),
    "COMPRESSED_INTENSITY":               ("INTENSITY",                              "INTENSITY"),
    "COMPRESSED_SRGB":                    ("COMPRESSED_SRGB_S3TC_DXT1_EXT",          "RGB"),
    "COMPRESSED_SRGB_ALPHA":              ("COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT",    "RGBA"),
    "COMPRESSED_SLUMINANCE":              ("LUMINANCE",                              "LUMINANCE"),
    "COMPRESSED_SLUMINANCE_ALPHA":        ("LUMINANCE_ALPHA",                        "LUMINANCE_ALPHA"),
    "RGB_S3TC":                           ("COMPRESSED_RGB_S3TC_DXT1_EXT",           None),
    "RGBA4_S3TC":                         ("COMPRESSED_RGBA_S3TC_DXT3_EXT",          None),
    "COMPRESSED_LUMINANCE_ALPHA_3DC_ATI": ("COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT",   None),
}
# fmt: on


def answered(gl: Context, target: str) -> list[str]:
    """The internal format of level 0, and whether it is compressed."""
    number, packed = (
        (gl.glGetTexLevelParameteriv(target, 0, f"GL_TEXTURE_{asked}") or [0])[0]
        for asked in ("INTERNAL_FORMAT", "COMPRESSED")
    )
    known = internal_format(int(number))
    return [known.name if known else "", "compressed" if packed else "plain"]


@pytest.mark.parametrize("internal", CHOICES)
def test_an_image_has_the_format_that_was_chosen_for_a_generic_one(limits: Limits, internal: str) -> None:
    """Observed on Mesa 22.3.6, by glTexImage, glTexStorage and glCopyTexImage."""
    wide, flat = CHOICES[internal]
    for target, chosen in (("2D", wide), ("1D", flat), ("1D_ARRAY", flat), ("RECTANGLE", wide if flat else None)):
        gl = Context(limits)
        size = SIZES[target]
        place = f"GL_TEXTURE_{target}"
        gl.call(f"glTexImage{len(size)}D", place, 0, f"GL_{internal}", *size, 0, "GL_RGBA", "GL_UNSIGNED_BYTE", None)
        if chosen is not None:
            assert answered(gl, place) == [chosen, "compressed" if chosen.startswith("COMPRESSED") else "plain"]


def test_storage_proxies_and_copies_of_a_generic_format_have_the_chosen_one(limits: Limits) -> None:
    """And a chain of a generic format and the chosen one is whole."""
    gl = Context(limits)
    gl.glTexImage2D("GL_PROXY_TEXTURE_2D", 0, "GL_COMPRESSED_RGBA", 8, 8, 0, "GL_RGBA", "GL_UNSIGNED_BYTE", None)
    assert answered(gl, "GL_PROXY_TEXTURE_2D") == ["COMPRESSED_RGBA_S3TC_DXT5_EXT", "compressed"]
    gl.glBindTexture("GL_TEXTURE_2D", 1)
    gl.glCopyTexImage2D("GL_TEXTURE_2D", 0, "GL_COMPRESSED_RGB", 0, 0, 2, 2)
    gl.glCopyTexImage2D("GL_TEXTURE_2D", 1, "GL_COMPRESSED_RGB_S3TC_DXT1_EXT", 0, 0, 1, 1)
    assert answered(gl, "GL_TEXTURE_2D") == ["COMPRESSED_RGB_S3TC_DXT1_EXT", "compressed"]
    assert gl.bound(0x0DE1).missing() == ""
    gl.glBindTexture("GL_TEXTURE_2D", 2)
    gl.glTexStorage2D("GL_TEXTURE_2D", 2, "GL_COMPRESSED_RED", 8, 8)
    assert answered(gl, "GL_TEXTURE_2D") == ["COMPRESSED_RED_RGTC1", "compressed"]


def test_without_a_compression_to_choose_a_generic_format_is_a_plain_one() -> None:
    gl = Context(Limits(extensions=frozenset({"GL_ARB_texture_compression"})))
    gl.glTexImage2D("GL_TEXTURE_2D", 0, "GL_COMPRESSED_RGBA", 8, 8, 0, "GL_RGBA", "GL_UNSIGNED_BYTE", None)
    assert answered(gl, "GL_TEXTURE_2D") == ["RGBA", "plain"]
