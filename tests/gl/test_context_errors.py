"""`statetracker.gl.context`: calls one after another, and the error of each. Observed on Mesa 22.3.6."""

from __future__ import annotations

import pytest

from statetracker.gl import Context, Limits
from statetracker.gl.formats import internal_formats
from tests.gl.conftest import EXTENSIONS

_, E, V, O = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"  # noqa: E741 (operation)
TWO_D, ARRAY, CUBES, RECTANGLE, SAMPLES = 0x0DE1, 0x8C1A, "GL_PROXY_TEXTURE_CUBE_MAP_ARRAY", 0x84F5, 0x9100
PROXY, FACE, BUFFER, VOLUME, FIRST = "GL_PROXY_TEXTURE_2D", 0x8515, 0x8C2A, 0x806F, 0x84C0
S3TC, ETC2, BYTES = "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", "GL_COMPRESSED_RGB8_ETC2", ("GL_RGBA", "GL_UNSIGNED_BYTE", None)
ALL = frozenset(name for known in internal_formats() for name in known.extensions) | EXTENSIONS
GEN, BIND, STORED = ("glGenTextures", 2), ("glBindTexture", TWO_D, 1), ("glTexStorage2D", TWO_D, 1, "GL_RGBA8", 4, 4)
MIPMAPS = ("glGenerateMipmap", TWO_D)
Call = tuple[object, ...]


def image(fmt: object, width: int = 4, level: int = 0, target: object = TWO_D, border: int = 0, **other: Call) -> Call:
    return ("glTexImage2D", target, level, fmt, width, 4, border, *other.get("pixels", BYTES))


# fmt: off
#: Fact, profile, errors, calls.
ROWS: list[tuple[str, str, tuple[str, ...], tuple[Call, ...]]] = [
    ("the target comes before the format", "core", (E, V, O), (
        image(0x1234, target=ARRAY, level=-1), image(0x1234, level=-1, pixels=(0x1234, 0, None)),
        image("GL_DEPTH_COMPONENT24"))),
    ("storage comes before sizes that are too large, after those below 0", "core", (_, _, _, O, V), (
        GEN, BIND, STORED, image("GL_RGBA8", 16385), image("GL_RGBA8", -1))),
    ("GLES has no proxies, but for images of cubes in an array", "gles32", (E, E, _, V, E, E), (
        image("GL_RGBA8", target=PROXY), ("glGetTexLevelParameteriv", PROXY, 0, "GL_TEXTURE_WIDTH"),
        *(("glTexImage3D", CUBES, level, "GL_RGBA8", 8, 8, 6, 0, *BYTES) for level in (0, 15)),
        ("glTexStorage3D", CUBES, 1, "GL_RGBA8", 8, 8, 6), ("glGetTexLevelParameteriv", CUBES, 0, "GL_TEXTURE_WIDTH"))),
    ("older GLES not even those", "gles3", (E,), (("glTexImage3D", CUBES, 0, "GL_RGBA8", 8, 8, 6, 0, *BYTES),)),
    *((f"{fmt} belongs to the compatibility profile", profile, (error,), (image(fmt),))
      for fmt in ("GL_ALPHA8", "GL_LUMINANCE", "GL_LUMINANCE8_ALPHA8", "GL_INTENSITY8", 1, 4)
      for profile, error in (("compatibility", _), ("core", V))),
    ("and to no storage of core contexts", "core", (_, _, E, E), (
        GEN, BIND, *(("glTexStorage2D", TWO_D, 1, fmt, 4, 4) for fmt in ("GL_ALPHA8", 4)))),
    *((f"{fmt} is no internal format", "core", (V, E), (image(fmt), ("glCopyTexImage2D", TWO_D, 0, fmt, 0, 0, 4, 4)))
      for fmt in ("GL_CLAMP", 0, 5, 0x9999)),
    ("compressed images want a specific format, of some dimensions", "compatibility", (_, E, E, E, E, _), (
        *(("glCompressedTexImage2D", TWO_D, 0, fmt, 4, 4)
          for fmt in (S3TC, "GL_COMPRESSED_RGBA", "GL_COMPRESSED_RED", "GL_RGBA8")),
        ("glCompressedTexImage1D", 0x0DE0, 0, S3TC, 4), ("glCompressedTexImage3D", ARRAY, 0, S3TC, 4, 4, 2))),
    ("the size of compressed data does not count", "core", (_, _, _), tuple(
        ("glCompressedTexImage2D", TWO_D, 0, S3TC, 4, 4, 0, length, None) for length in (0, 3, 8))),
    ("in GLES a border is a bad value, ETC2 a bad operation in volumes", "gles32", (V, O, E, E, O), (
        ("glCompressedTexImage2D", TWO_D, 0, S3TC, 4, 4, 1, 8, None),
        *(("glCompressedTexImage3D", VOLUME, 0, fmt, 4, 4, 4, 0, 8, None)
          for fmt in (ETC2, S3TC, "GL_ETC1_RGB8_OES", "GL_COMPRESSED_R11_EAC")))),
    ("copies look at storage before sizes, and take neither proxies nor counts", "compatibility", (E, E, _, _, _, O), (
        ("glCopyTexImage2D", PROXY, 0, "GL_RGBA8", 0, 0, 4, 4), ("glCopyTexImage2D", TWO_D, 0, 3, 0, 0, 4, 4),
        GEN, BIND, STORED, ("glCopyTexImage2D", TWO_D, 0, "GL_RGBA8", 0, 0, -1, 4))),
    ("an image that fits in no memory is taken, where Mesa is out of it", "core", (_,), (
        ("glTexImage2D", FACE, 0, "GL_RGBA8", 16384, 16384, 0, *BYTES),)),
    ("what some framebuffer holds is copied, though no RGBA8 one", "core", (_, _, _), tuple(
        ("glCopyTexImage2D", TWO_D, 0, fmt, 0, 0, 4, 4)
        for fmt in ("GL_DEPTH_COMPONENT24", "GL_RGBA8UI", "GL_RGBA16F"))),
    ("what no framebuffer holds is not copied", "core", (O, _), (
        ("glCopyTexImage2D", TWO_D, 0, "GL_YCBCR_MESA", 0, 0, 4, 4),
        ("glCopyTexImage2D", TWO_D, 0, "GL_DEPTH_COMPONENT24", 0, 0, 4, 4))),
    ("nor in GLES, which draws to less", "gles32", (O, _), tuple(
        ("glCopyTexImage2D", TWO_D, 0, fmt, 0, 0, 4, 4) for fmt in ("GL_DEPTH_COMPONENT24", "GL_INTENSITY8"))),
    ("mipmaps want a target that has them", "core", (E, _, E, _, E, O), (
        ("glGenerateMipmap", RECTANGLE), ("glCreateTextures", RECTANGLE, 1), ("glGenerateTextureMipmap", 1),
        ("glGenTextures", 1), ("glGenerateTextureMipmap", 2), ("glGenerateTextureMipmap", 77))),
    ("mipmaps want a base level that can be filtered", "core", (O, _, O, _, O, _, O), (
        MIPMAPS, image("GL_RGBA8I", pixels=("GL_RGBA_INTEGER", "GL_BYTE", None)),
        MIPMAPS,
        image("GL_DEPTH24_STENCIL8", pixels=("GL_DEPTH_STENCIL", "GL_UNSIGNED_INT_24_8", None)),
        MIPMAPS, image("GL_RGBA8", target=FACE), ("glGenerateMipmap", 0x8513))),
    *((f"of levels {base} to {most} mipmaps look at the image or not", "core", (_, _, error), (
        ("glTexParameteri", TWO_D, 0x813C, base), ("glTexParameteri", TWO_D, 0x813D, most), MIPMAPS))
      for base, most, error in ((0, 0, _), (2, 2, _), (2, 1, _), (0, 1, O))),
    *((f"mipmaps of an empty {fmt} in {profile}", profile, (_, error), (
        image(f"GL_{fmt}", 0, pixels=pixels), MIPMAPS))
      for profile, fmt, error, pixels in (
          ("gles32", "DEPTH_COMPONENT24", O, ("GL_DEPTH_COMPONENT", "GL_UNSIGNED_INT", None)),
          ("core", "DEPTH_COMPONENT24", _, ("GL_DEPTH_COMPONENT", "GL_UNSIGNED_INT", None)),
          ("core", "RGBA8UI", O, ("GL_RGBA_INTEGER", "GL_UNSIGNED_BYTE", None)))),
    ("a view needs a new name and an immutable parent", "core", (_, _, _, V, O, O, V, O), (
        GEN, BIND, STORED, *(("glTextureView", name, TWO_D, parent, "GL_RGBA8", 0, 1, 0, 1)
                             for name, parent in ((0, 1), (999, 1), (1, 1), (2, 999), (2, 2))))),
    *((f"storage of {dims} dimensions looks at the format before the name", "core", (_, E, E, O, E, E), (
        ("glCreateTextures", TWO_D if dims == 3 else VOLUME, 1),
        *((f"glTextureStorage{dims}D", name, 1, fmt, *(8,) * dims) for name, fmt in (
            (0, "GL_RGBA"), (4242, "GL_CLAMP"), (0, "GL_RGBA8"), (1, "GL_RGBA"), (1, "GL_CLAMP")))))
      for dims in (1, 2, 3)),
    ("levels come before what is stored already", "core", (_, _, _, *(V, O) * 3), (
        GEN, BIND, STORED, *((name, *place, levels, "GL_RGBA8", 4, 4) for name, place in (
            ("glTexStorage2D", (TWO_D,)), ("glTextureStorage2D", (1,)), ("glTextureStorage2DEXT", (1, TWO_D)))
            for levels in (0, 1)))),
    ("several samples want samples and a plain format", "core", (V, E, _, V), (
        ("glTexImage2DMultisample", SAMPLES, 0, "GL_RGBA8", 4, 4), ("glTexImage2DMultisample", SAMPLES, 4, S3TC, 4, 4),
        ("glTexImage2DMultisample", SAMPLES, 4, "GL_RGBA8", 0, 4),
        ("glTexStorage2DMultisample", SAMPLES, 4, "GL_RGBA8", 0, 4))),
    ("legacy formats have no samples in core contexts", "core", (E,) * 4, tuple(
        ("glTexImage2DMultisample", SAMPLES, 4, fmt, 4, 4)
        for fmt in ("GL_LUMINANCE_SNORM", "GL_INTENSITY16_SNORM", "GL_ALPHA8_SNORM", "GL_LUMINANCE8"))),
    ("direct access has wrong targets of its own", "compatibility", (O, E, O, O, O, E), (
        *(("glTextureStorage2DEXT", 5, VOLUME, 1, fmt, 4, 4) for fmt in ("GL_RGBA8", "GL_RGBA")),
        ("glTextureStorage2DEXT", 0, TWO_D, 1, "GL_RGBA8", 0, 4), ("glTextureBufferEXT", 5, TWO_D, "GL_RGBA8", 0),
        *(("glTextureImage2DEXT", 6, target, 0, "GL_RGBA8", 4, 4, 0, *BYTES) for target in (PROXY, VOLUME)))),
    ("formats that lie in buffers", "compatibility", (_,) * 5, tuple(("glTexBuffer", BUFFER, fmt, 1) for fmt in (
        "GL_RGBA8", "GL_RG16F", "GL_RGB32UI", "GL_LUMINANCE8", "GL_INTENSITY32F_ARB"))),
    ("formats that lie in none", "compatibility", (E,) * 5, tuple(("glTexBuffer", BUFFER, fmt, 1) for fmt in (
        "GL_RGB8", "GL_SRGB8_ALPHA8", "GL_R8_SNORM", "GL_DEPTH_COMPONENT24", "GL_RED"))),
    ("buffers are of one target, by name too", "core", (_, _, E), (
        ("glCreateTextures", BUFFER, 1), ("glTextureBuffer", 1, "GL_R32F", 1), ("glTexBuffer", TWO_D, "GL_R32F", 1))),
    ("environments that say nothing, and unknown ones", "compatibility", (_, E, E, _, _), (
        ("glTexEnvi", "GL_TEXTURE_ENV", "GL_TEXTURE_ENV_MODE", "GL_REPLACE"), ("glTexEnvi", TWO_D, 0x8501, 1),
        ("glTexEnvi", "GL_TEXTURE_ENV", 0x8501, 1), ("glActiveTexture", FIRST + 8),
        ("glTexEnvi", "GL_TEXTURE_ENV", 0x8501, 1))),
    ("fixed function is not in core contexts", "core", (O, O, O, E), (
        ("glTexEnvf", 0x8500, 0x8501, 1.0), ("glPushAttrib", 0x40000), ("glPopAttrib",), ("glEnable", TWO_D))),
    ("units are named by enum or number", "core", (_, _, _, E, E, E), tuple(
        ("glActiveTexture", unit) for unit in (0, 191, "GL_TEXTURE31", 192, FIRST + 192, -1))),
    ("samplers and textures are bound to every unit and no further", "core", (_, _, V, O, _, _, V, O, O), (
        ("glGenSamplers", 1), *(("glBindSampler", unit, name) for unit, name in ((191, 1), (192, 1), (0, 99), (0, 0))),
        ("glCreateTextures", TWO_D, 1), ("glBindTextureUnit", 192, 1), ("glBindTextures", 192, 1, [1]),
        ("glBindTextures", 0xFFFFFFFF, 1, [0]))),
    *(("switches by index are fixed function's; units come first", profile, (E, E, V), tuple(
        ("glEnablei", TWO_D, index) for index in (0, 8, 192))) for profile in ("core", "gles32")),
    *((f"{cap} is no switch", "compatibility", (E,) * 4, (
        ("glEnable", cap), ("glIsEnabled", cap), ("glDisable", cap), ("glEnablei", cap, 0)))
      for cap in ("GL_TEXTURE_2D_ARRAY", "GL_TEXTURE_BUFFER", "GL_TEXTURE_2D_MULTISAMPLE")),
    ("names are not counted below 0, with NULL or without", "core", (V,) * 6, (
        ("glGenSamplers", -1), ("glGenTextures", -1, None), ("glCreateSamplers", -1),
        ("glCreateTextures", TWO_D, -1), ("glDeleteSamplers", -1, []), ("glDeleteTextures", -1, None))),
]
# fmt: on


@pytest.mark.parametrize(("profile", "errors", "calls"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_each_call_has_its_error(profile: str, errors: tuple[str, ...], calls: tuple[Call, ...]) -> None:
    gl = Context(Limits(profile=profile, extensions=ALL))
    seen = []
    for name, *arguments in calls:
        gl.call(str(name), *arguments)
        seen.append(gl.glGetError())
    assert seen == [*errors]
