"""Compressed formats: their targets, and where they come from."""

from __future__ import annotations

import pytest

from statetracker.gl import Context, Limits
from statetracker.gl.compressed import FAMILIES, GENERIC, family_of
from statetracker.gl.formats import internal_formats

S3TC, RGTC, BPTC = "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", "GL_COMPRESSED_RED_RGTC1", "GL_COMPRESSED_RGBA_BPTC_UNORM"
ETC2, ASTC = "GL_COMPRESSED_RGBA8_ETC2_EAC", "GL_COMPRESSED_RGBA_ASTC_4x4"
FXT1, LATC = "GL_COMPRESSED_RGB_FXT1_3DFX", "GL_COMPRESSED_LUMINANCE_LATC1_EXT"
SIZES = {
    "1D": (12,),
    "1D_ARRAY": (12, 12),
    "2D": (12, 12),
    "RECTANGLE": (12, 12),
    "3D": (12,) * 3,
    "2D_ARRAY": (12,) * 3,
}
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


@pytest.mark.parametrize("internal", ["GL_COMPRESSED_RGBA", "GL_COMPRESSED_RED", "GL_COMPRESSED_SRGB_ALPHA"])
def test_generic_formats_have_every_target(limits: Limits, internal: str) -> None:
    assert all(specified(limits, target, internal) for target in SIZES if target != "CUBE_MAP_ARRAY")


def test_every_specific_format_has_a_family() -> None:
    specific = [f for f in internal_formats() if f.compressed and f.sized and f.name not in GENERIC]
    assert specific
    for known in specific:
        assert family_of(known) is not None, known.name
        assert len({id(FAMILIES[part]) for part in FAMILIES if part in known.name}) <= 1 + ("_ETC2_EAC" in known.name)
