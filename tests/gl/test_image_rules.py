"""`statetracker.gl.image_rules`: formats of a profile, and limits and one beyond. Observed on Mesa 22.3.6."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Context, Limits
from statetracker.gl import enums as e
from statetracker.gl.formats import internal_format_named

Make = Callable[..., Context]
NONE, ENUM, VALUE = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_VALUE"
EVERYWHERE = {"compatibility", "core", "gles32"}
SAMPLES, SAMPLES_ARRAY = "GL_TEXTURE_2D_MULTISAMPLE", "GL_TEXTURE_2D_MULTISAMPLE_ARRAY"
LUMINANCE_3DC = "COMPRESSED_LUMINANCE_ALPHA_3DC_ATI"


def specify(
    gl: Context, target: str, size: tuple[int, ...], *, level: int = 0, border: int = 0, fmt: object = "GL_RGBA8",
    pixels: tuple[str, str] = ("GL_RGBA", "GL_UNSIGNED_BYTE"),
) -> str:  # fmt: skip
    """Specify an image; the error."""
    gl.call(f"glTexImage{len(size)}D", f"GL_{target}", level, fmt, *size, border, *pixels, None)
    return gl.glGetError()


# fmt: off
FORMATS = [
    #  format                  pixels                                          profiles that have it
    ("1",                    "RGBA UNSIGNED_BYTE",                           {"compatibility"}),
    ("4",                    "RGBA UNSIGNED_BYTE",                           {"compatibility"}),
    ("INTENSITY8",           "RGBA UNSIGNED_BYTE",                           {"compatibility"}),
    ("COMPRESSED_INTENSITY", "RGBA UNSIGNED_BYTE",                           {"compatibility"}),
    ("ALPHA",                "ALPHA UNSIGNED_BYTE",                          {"compatibility", "gles32"}),
    ("LUMINANCE",            "LUMINANCE UNSIGNED_BYTE",                      {"compatibility", "gles32"}),
    ("LUMINANCE_ALPHA",      "LUMINANCE_ALPHA UNSIGNED_BYTE",                {"compatibility", "gles32"}),
    ("YCBCR_MESA",           "YCBCR_MESA UNSIGNED_SHORT_8_8_MESA",           {"compatibility", "core"}),
    ("RGBA8",                "RGBA UNSIGNED_BYTE",                           EVERYWHERE),
    ("RED",                  "RED UNSIGNED_BYTE",                            EVERYWHERE),
]
# fmt: on


@pytest.mark.parametrize("profile", sorted(EVERYWHERE))
@pytest.mark.parametrize(("fmt", "pixels", "profiles"), FORMATS)
def test_profiles_have_formats(fmt: str, pixels: str, profiles: set[str], profile: str) -> None:
    known = internal_format_named(fmt)
    gl = Context(Limits(profile=profile, extensions=frozenset(known.extensions)))
    layout, kind = (f"GL_{word}" for word in pixels.split())
    error = specify(gl, "TEXTURE_2D", (4, 4), fmt=known.number, pixels=(layout, kind))
    missing = ENUM if fmt == "YCBCR_MESA" else VALUE  # its pixels are none in GLES either
    assert error == (NONE if profile in profiles else missing)


@pytest.mark.parametrize(
    "fmt", ["RGB_S3TC", "COMPRESSED_RGB_FXT1_3DFX", "COMPRESSED_LUMINANCE_LATC1_EXT", "YCBCR_MESA", LUMINANCE_3DC]
)
def test_gles_lacks_formats_of_desktop_extensions_in_storage_too(fmt: str) -> None:
    """But it has component counts and INTENSITY there. Observed on Mesa 22.3.6."""
    gl = Context(Limits(profile="gles32"))
    for name, taken, error in ((1, fmt, ENUM), (2, 3, NONE), (3, "GL_INTENSITY8", NONE)):
        gl.glBindTexture("GL_TEXTURE_2D", name)
        gl.glTexStorage2D("GL_TEXTURE_2D", 1, internal_format_named(fmt).number if taken == fmt else taken, 4, 4)
        assert gl.glGetError() == error


@pytest.mark.parametrize("profile", ["compatibility", "core"])
@pytest.mark.parametrize(("release", "error"), [("24.1", VALUE), ("25.0", NONE)])
def test_newer_releases_have_bgra_images(release: str, error: str, profile: str) -> None:
    """And no other format because of that. Observed on Mesa 22.3.6, 25.0.7 and 26.2.6."""
    gl = Context(Limits(profile=profile, release=release))
    assert specify(gl, "TEXTURE_2D", (4, 4), fmt="GL_BGRA", pixels=("GL_BGRA", "GL_UNSIGNED_BYTE")) == error
    assert specify(gl, "TEXTURE_2D", (4, 4), fmt="GL_R8", pixels=("GL_RED", "GL_UNSIGNED_BYTE")) == VALUE


def test_what_is_no_format_is_said_with_what_is_accepted(make: Make) -> None:
    gl = make("core")
    for fmt, problem in (
        ("GL_CLAMP", "internalformat=GL_CLAMP is unknown; accepted: an internal format"),
        ("GL_ALPHA8", "internalformat=ALPHA8 does not exist with profile=core; accepted: compatibility"),
    ):
        assert specify(gl, "TEXTURE_2D", (4, 4), fmt=fmt) == VALUE
        assert gl.messages[-1].message == problem


# fmt: off
EDGES = [
    #  target                        level border least          most
    ("TEXTURE_1D",                   0,    0,     (0,),          (16384,)),
    ("TEXTURE_1D",                   3,    1,     (2,),          (2050,)),
    ("TEXTURE_2D",                   3,    0,     (0, 0),        (2048, 2048)),
    ("TEXTURE_2D",                   3,    1,     (2, 2),        (2050, 2050)),
    ("TEXTURE_RECTANGLE",            0,    0,     (0, 0),        (16384, 16384)),
    ("TEXTURE_1D_ARRAY",             3,    0,     (0, 0),        (2048, 2048)),
    ("TEXTURE_1D_ARRAY",             2,    1,     (2, 0),        (4098, 2048)),
    ("TEXTURE_3D",                   3,    0,     (0, 0, 0),     (256, 256, 256)),
    ("TEXTURE_3D",                   3,    1,     (2, 2, 2),     (258, 258, 258)),
    ("TEXTURE_2D_ARRAY",             2,    0,     (0, 0, 0),     (4096, 4096, 2048)),
    ("TEXTURE_2D_ARRAY",             2,    1,     (2, 2, 0),     (4098, 4098, 2048)),
]
CUBE_EDGES = [
    ("TEXTURE_CUBE_MAP_POSITIVE_X",  3,    0,     0,             2048,     ()),
    ("TEXTURE_CUBE_MAP_POSITIVE_X",  3,    1,     2,             2050,     ()),
    ("TEXTURE_CUBE_MAP_NEGATIVE_Z",  3,    1,     2,             2050,     ()),
    ("TEXTURE_CUBE_MAP_ARRAY",       3,    0,     0,             16384,    (0,)),
    ("TEXTURE_CUBE_MAP_ARRAY",       3,    1,     2,             16386,    (2046,)),
]
# fmt: on


@pytest.mark.parametrize(("target", "level", "border", "least", "most"), EDGES)
def test_every_axis_ends_at_its_least_and_its_most(
    gl: Context, target: str, level: int, border: int, least: tuple[int, ...], most: tuple[int, ...]
) -> None:
    """Layers have no border and are alike on every level. The message has the axis and both ends."""
    for axis, (low, high) in enumerate(zip(least, most, strict=True)):
        for n, error in ((low, NONE), (high, NONE), (low - 1, VALUE), (high + 1, VALUE)):
            size = (*least[:axis], n, *least[axis + 1 :])
            assert specify(gl, target, size, level=level, border=border) == error, size
            if error != NONE:
                name = ("width", "height", "depth")[axis]
                assert gl.messages[-1].message == f"{name}={n} is out of range; accepted: {low} to {high}"


@pytest.mark.parametrize(("target", "level", "border", "least", "most", "layers"), CUBE_EDGES)
def test_cubes_end_at_their_least_and_their_most(
    gl: Context, target: str, level: int, border: int, least: int, most: int, layers: tuple[int, ...]
) -> None:
    """Both axes alike. Mesa takes the first level's size on every level of an array of cubes."""
    for n, error in ((least, NONE), (most, NONE), (least - 1, VALUE), (most + 1, VALUE)):
        assert specify(gl, target, (n, n, *layers), level=level, border=border) == error, n


def test_cubes_that_are_not_square_or_not_whole_are_said_so(gl: Context) -> None:
    for target, size, problem in (
        ("TEXTURE_CUBE_MAP_POSITIVE_X", (4, 3), "width=4, height=3; accepted: equal ones, for a cube"),
        ("TEXTURE_CUBE_MAP_ARRAY", (4, 3, 6), "width=4, height=3; accepted: equal ones, for a cube"),
        ("TEXTURE_CUBE_MAP_ARRAY", (4, 4, 7), "depth=7; accepted: a multiple of 6, for an array of cubes"),
        ("TEXTURE_CUBE_MAP_ARRAY", (4, 4, 2052), "depth=2052 is out of range; accepted: 0 to 2048"),
    ):
        assert specify(gl, target, size) == VALUE
        assert gl.messages[-1].message == problem


# fmt: off
#: Proxy, size, border -> the width it answers with.
PROXY_ANSWERS = [
    ("2D",             (8, 4),         0, 8),
    ("2D",             (16385, 4),     0, 0),
    ("2D",             (1, 2),         1, 0),
    ("2D",             (0, 16385),     0, 0),
    ("CUBE_MAP",       (4, 4),         0, 4),
    ("CUBE_MAP",       (4, 3),         0, 0),
    ("CUBE_MAP_ARRAY", (4, 4, 6),      0, 4),
    ("CUBE_MAP_ARRAY", (4, 4, 7),      0, 0),
    ("CUBE_MAP_ARRAY", (4, 3, 6),      0, 0),
]
# fmt: on


@pytest.mark.parametrize(("proxy", "size", "border", "width"), PROXY_ANSWERS)
def test_a_proxy_answers_with_nothing_where_an_image_does_not_fit(
    gl: Context, proxy: str, size: tuple[int, ...], border: int, width: int
) -> None:
    assert specify(gl, f"PROXY_TEXTURE_{proxy}", size, border=border) == NONE
    assert gl.glGetTexLevelParameteriv(f"GL_PROXY_TEXTURE_{proxy}", 0, "GL_TEXTURE_WIDTH") == [width]


#: Target -> its last level where edges have 64 texels, 32 in cubes, 8 in 3D textures.
# fmt: off
LAST = {
    "TEXTURE_1D": 6, "TEXTURE_2D": 6, "TEXTURE_RECTANGLE": 0, "TEXTURE_1D_ARRAY": 6, "TEXTURE_2D_ARRAY": 6,
    "TEXTURE_3D": 3, "TEXTURE_CUBE_MAP_POSITIVE_X": 5, "TEXTURE_CUBE_MAP_NEGATIVE_Z": 5, "TEXTURE_CUBE_MAP_ARRAY": 5,
}
# fmt: on


@pytest.mark.parametrize(("target", "last"), LAST.items())
def test_levels_end_where_the_largest_image_of_the_target_does(make: Make, target: str, last: int) -> None:
    """At one texel. Each kind of target has its own limit."""
    gl = make(max_texture_size=64, max_cube_size=32, max_3d_size=8)
    dims = 1 if target == "TEXTURE_1D" else 3 if target.endswith(("3D", "2D_ARRAY", "MAP_ARRAY")) else 2
    size = (1, 1, 6 if target.endswith("MAP_ARRAY") else 1)[:dims]
    for level, error in ((last, NONE), (0, NONE), (last + 1, VALUE), (-1, VALUE)):
        assert specify(gl, target, size, level=level) == error
    assert gl.messages[-1].message == f"level=-1 is no mipmap level; accepted: 0 to {last}"


@pytest.mark.parametrize(
    ("profile", "target", "accepted"),
    [
        ("compatibility", "2D", "0 or 1"), ("compatibility", "RECTANGLE", "0"), ("core", "2D", "0"),
        ("gles32", "2D", "0"),
    ],
)  # fmt: skip
def test_borders_are_said_with_what_is_accepted(make: Make, profile: str, target: str, accepted: str) -> None:
    """2 is none anywhere, 1 none where 0 alone is accepted."""
    gl = make(profile)
    for border in (2, -1, 1)[: 2 + (accepted == "0")]:
        assert specify(gl, f"TEXTURE_{target}", (8, 8), border=border) == VALUE
        assert gl.messages[-1].message == f"border={border}; accepted: {accepted}"
    assert not gl.bound(e.Target[f"TEXTURE_{target}"]).images


def test_a_level_is_a_whole_number(gl: Context) -> None:
    with pytest.raises(ArgumentError, match="level"):
        gl.glTexImage2D("GL_TEXTURE_2D", 0.5, "GL_RGBA8", 4, 4, 0, "GL_RGBA", "GL_UNSIGNED_BYTE")  # type: ignore[arg-type]


@pytest.mark.parametrize(("size", "error"), [((16384, 1), NONE), ((16385, 1), VALUE), ((1, 16385), VALUE)])
def test_storage_and_samples_end_there_too(gl: Context, tex: int, size: tuple[int, int], error: str) -> None:
    gl.glTexStorage2D("GL_TEXTURE_2D", 1, "GL_RGBA8", *size)
    assert gl.glGetError() == error
    gl.glTexImage2DMultisample(SAMPLES, 4, "GL_RGBA8", *size)
    assert gl.glGetError() == error
    assert tex in gl.textures


@pytest.mark.parametrize(
    ("size", "error"),
    [
        ((1, 1, 2048), NONE), ((1, 1, 0), NONE), ((1, 1, 2049), VALUE), ((16385, 1, 1), VALUE), ((1, 16385, 1), VALUE),
        ((1, 16384, 1), NONE), ((1, -1, 1), VALUE),
    ],
)  # fmt: skip
def test_multisample_arrays_have_layers_in_their_depth(gl: Context, size: tuple[int, ...], error: str) -> None:
    gl.glTexImage3DMultisample(SAMPLES_ARRAY, 4, "GL_RGBA8", *size)
    assert gl.glGetError() == error


_EXTENSIONS = (
    "EXT_texture_compression_s3tc",
    "ARB_depth_texture",
    "ARB_texture_stencil8",
    "KHR_texture_compression_astc_ldr",
    "EXT_packed_depth_stencil",
)
WHOLE = Limits(profile="compatibility", extensions=frozenset(f"GL_{name}" for name in _EXTENSIONS))
REFUSED = [
    ("TEXTURE_3D", (4, 4, 4), 0, "GL_DEPTH_COMPONENT24", "GL_DEPTH_COMPONENT GL_UNSIGNED_INT", "GL_INVALID_OPERATION"),
    ("TEXTURE_3D", (4, 4, 4), 0, "GL_STENCIL_INDEX8", "GL_STENCIL_INDEX GL_UNSIGNED_BYTE", "GL_INVALID_OPERATION"),
    (
        "TEXTURE_3D",
        (4, 4, 4),
        0,
        "GL_DEPTH24_STENCIL8",
        "GL_DEPTH_STENCIL GL_UNSIGNED_INT_24_8",
        "GL_INVALID_OPERATION",
    ),
    ("TEXTURE_2D", (6, 6), 1, "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", "GL_RGBA GL_UNSIGNED_BYTE", "GL_INVALID_OPERATION"),
    ("TEXTURE_3D", (4, 4, 4), 0, "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", "GL_RGBA GL_UNSIGNED_BYTE", "GL_INVALID_ENUM"),
    ("TEXTURE_2D", (4, 4), 0, "GL_COMPRESSED_RGBA_ASTC_4x4_KHR", "GL_RGBA GL_UNSIGNED_BYTE", "GL_INVALID_OPERATION"),
]


@pytest.mark.parametrize(("target", "size", "border", "fmt", "pixels", "error"), REFUSED)
def test_an_image_that_is_refused_is_not_made(
    target: str, size: tuple[int, ...], border: int, fmt: str, pixels: str, error: str
) -> None:
    gl = Context(WHOLE)
    layout, kind = pixels.split()
    assert specify(gl, target, size, border=border, fmt=fmt, pixels=(layout, kind)) == error
    assert gl.bound(getattr(e.Target, target)).images == {}


@pytest.mark.parametrize(("target", "size"), [("TEXTURE_3D", (4, 4, 4)), ("TEXTURE_1D", (4,))])
def test_ycbcr_without_a_border_is_no_format_of_other_targets(target: str, size: tuple[int, ...]) -> None:
    gl = Context(Limits(extensions=frozenset({"GL_MESA_ycbcr_texture"})))
    pixels = ("GL_YCBCR_MESA", "GL_UNSIGNED_SHORT_8_8_MESA")
    assert specify(gl, target, size, fmt="GL_YCBCR_MESA", pixels=pixels) == ENUM
    assert gl.glGetTexLevelParameteriv(f"GL_{target}", 0, "GL_TEXTURE_WIDTH") == [0]
