"""`statetracker.gl.image_calls`: one image of a texture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from statetracker.gl import Context, Limits
from statetracker.gl import enums as e
from statetracker.gl.targets import PROXIES, TARGETS

Make = Callable[..., Context]
TWO_D, RGBA, BYTES = "GL_TEXTURE_2D", "GL_RGBA", "GL_UNSIGNED_BYTE"
NONE, ENUM, VALUE, OPERATION = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"
T = e.Target
FACE = 0x8515


def specify(gl: Context, fmt: object = "GL_RGBA8", width: int = 4, height: int = 4, **other: object) -> str:
    call = {"target": TWO_D, "level": 0, "border": 0, "format": RGBA, "type": BYTES, **other}
    place, pixels = (call["target"], call["level"]), (call["border"], call["format"], call["type"])
    gl.call("glTexImage2D", *place, fmt, width, height, *pixels, None)
    return gl.glGetError()


@pytest.mark.parametrize("target", T)
def test_each_target_has_one_dimension_of_images(gl: Context, target: e.Target) -> None:
    """Cubes by face; buffer, external and multisample textures none."""
    place = FACE if target == T.TEXTURE_CUBE_MAP else int(target)
    errors = []
    for dims in (1, 2, 3):
        size = (6,) * dims
        gl.call(f"glTexImage{dims}D", place, 0, "GL_RGBA8", *size, 0, RGBA, BYTES, None)
        errors.append(gl.glGetError())
    assert errors == [NONE if TARGETS[target].image == dims else ENUM for dims in (1, 2, 3)]


# Observed live on Mesa 22.3.6.
# fmt: off
PROXY_IMAGES = [
    #  proxy              level  size        border  error
    ("RECTANGLE",         1,     (8, 8),     0,      "GL_INVALID_VALUE"),
    ("RECTANGLE",         -1,    (8, 8),     0,      "GL_INVALID_VALUE"),
    ("RECTANGLE",         0,     (8, 8),     1,      "GL_INVALID_VALUE"),
    ("RECTANGLE",         0,     (8, 8),     0,      "GL_NO_ERROR"),
    ("2D",                14,    (8, 8),     0,      "GL_NO_ERROR"),
    ("2D",                15,    (8, 8),     0,      "GL_INVALID_VALUE"),
    ("2D",                0,     (8, -1),    0,      "GL_INVALID_VALUE"),
    ("2D",                0,     (0, 0),     0,      "GL_NO_ERROR"),
    ("2D",                0,     (8, 8),     1,      "GL_NO_ERROR"),
    ("2D",                0,     (8, 8),     2,      "GL_INVALID_VALUE"),
    ("2D",                0,     (1 << 20, 1 << 20), 0, "GL_NO_ERROR"),
    ("CUBE_MAP",          0,     (8, 7),     0,      "GL_NO_ERROR"),
    ("CUBE_MAP",          15,    (8, 8),     0,      "GL_INVALID_VALUE"),
    ("1D_ARRAY",          0,     (-1, 8),    0,      "GL_INVALID_VALUE"),
    ("CUBE_MAP_ARRAY",    0,     (8, 8, 5),  0,      "GL_NO_ERROR"),
    ("CUBE_MAP_ARRAY",    0,     (8, 8, -1), 0,      "GL_INVALID_VALUE"),
]
# fmt: on


@pytest.mark.parametrize(("proxy", "level", "size", "border", "error"), PROXY_IMAGES)
def test_proxies_refuse_all_but_a_size_they_have_no_room_for(
    gl: Context, proxy: str, level: int, size: tuple[int, ...], border: int, error: str
) -> None:
    """What is too large is answered by an empty proxy, not by an error."""
    name = f"GL_PROXY_TEXTURE_{proxy}"
    gl.call(f"glTexImage{len(size)}D", name, level, "GL_RGBA8", *size, border, RGBA, BYTES, None)
    assert gl.glGetError() == error


def test_proxy_of_a_3d_texture_takes_no_compression_that_the_texture_takes() -> None:
    gl = Context(Limits(extensions=frozenset({"GL_ARB_texture_compression_bptc"})))
    fmt = "GL_COMPRESSED_RGBA_BPTC_UNORM"
    for target, error in (("3D", ENUM), ("2D_ARRAY", NONE)):
        proxy = f"GL_PROXY_TEXTURE_{target}"
        gl.glTexImage3D(proxy, 0, fmt, 8, 8, 8, 0, RGBA, BYTES)
        assert gl.glGetError() == error
        gl.glCompressedTexImage3D(proxy, 0, fmt, 8, 8, 8, 0, 512)
        assert gl.glGetError() == error
        gl.glTexStorage3D(proxy, 1, fmt, 8, 8, 8)
        assert gl.glGetError() == error
    gl.glTexImage3D("GL_TEXTURE_3D", 0, fmt, 8, 8, 8, 0, RGBA, BYTES)
    assert gl.glGetError() == NONE


@pytest.mark.parametrize(("proxy", "target"), PROXIES.items())
def test_proxies_take_the_call_of_their_target_and_change_nothing(gl: Context, proxy: int, target: int) -> None:
    for dims in (1, 2, 3):
        gl.call(f"glTexImage{dims}D", proxy, 0, "GL_RGBA8", *(1 << 20,) * dims, 0, RGBA, BYTES, None)
        assert gl.glGetError() == (NONE if TARGETS[target].image == dims else ENUM)
    assert not gl.bound(target).images


def test_borders_are_stripped_as_mesa_does(gl: Context) -> None:
    for height, inner in ((2, 2), (6, 4)):
        specify(gl, width=6, height=height, border=1)
        size = [gl.glGetTexLevelParameteriv(TWO_D, 0, f"GL_TEXTURE_{axis}") for axis in ("WIDTH", "HEIGHT")]
        assert size == [[4], [inner]]


def test_a_proxy_keeps_its_answer(gl: Context) -> None:
    """Each level for itself; a size that is too large has none."""
    proxy = "GL_PROXY_TEXTURE_2D"

    def widths() -> list[object]:
        return [gl.glGetTexLevelParameteriv(proxy, level, "GL_TEXTURE_WIDTH") for level in (0, 1)]

    assert widths() == [[0], [0]]
    specify(gl, width=8, height=8, target=proxy)
    specify(gl, width=16, height=16, target=proxy, level=1)
    assert widths() == [[8], [16]]
    assert specify(gl, width=16385, target=proxy) == NONE
    assert widths() == [[0], [16]]
    gl.glTexStorage2D(proxy, 2, "GL_RGBA8", 4, 4)
    assert widths() == [[4], [2]]


@pytest.mark.parametrize(
    ("kind", "fact"),
    [("GL_FLOAT", "is_float"), ("GL_HALF_FLOAT", "is_half_float"), ("GL_HALF_FLOAT_OES", "is_half_float")],
)
def test_unsized_floats_are_remembered_by_gles_alone(make: Make, kind: str, fact: str) -> None:
    seen = []
    for profile in ("gles2", "compatibility"):
        gl = make(profile)
        specify(gl, "GL_RED", type=kind, format="GL_RED")
        specify(gl, RGBA)
        seen.append(getattr(gl.bound(T.TEXTURE_2D), fact))
    assert seen == [True, False]


def test_a_format_without_its_extension_is_answered_with_the_extension(make: Make) -> None:
    gl = make(lacking=("GL_EXT_texture_integer",))
    assert specify(gl, "GL_RGBA8I", format="GL_RGBA_INTEGER") == VALUE
    assert str(gl.messages[-1]) == (
        "GL_INVALID_VALUE in glTexImage2D: internalformat=RGBA8I does not exist in this context; "
        "it needs GL_EXT_texture_integer"
    )


# Observed on Mesa 22.3.6. Each call has the errors that come later, too.
# fmt: off
PROXY, CUBE, RECTANGLE = "GL_PROXY_TEXTURE_2D", FACE, "GL_TEXTURE_RECTANGLE"
S3TC, ETC2, YCBCR = "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", "GL_COMPRESSED_RGB8_ETC2", "GL_YCBCR_MESA"
FLAT = {"target": RECTANGLE}
SWAPPED = {"format": YCBCR, "type": "GL_UNSIGNED_SHORT_8_8_MESA"}
ORDER = [
    #  why                             format        width  other                                            error
    ("size below 0",                   0x1234,       -1,    {"format": 0x1234},                              VALUE),
    ("pixels are none",                0x1234,       99999, {"format": 0x1234},                              ENUM),
    ("no such format",                 0x1234,       99999, {"type": "GL_FLOAT"},                            VALUE),
    ("kinds that never mix",           S3TC,         4,     {"format": "GL_DEPTH_COMPONENT", **FLAT},        OPERATION),
    ("the target has no compression",  S3TC,         99999, {"format": "GL_RGBA_INTEGER", **FLAT},           ENUM),
    ("so before texels",               ETC2,         4,     {"format": "GL_RGB", "target": RECTANGLE},       ENUM),
    ("integers fill integers",         S3TC,         99999, {"format": "GL_RGBA_INTEGER"},                   OPERATION),
    ("compressed ones lack borders",   S3TC,         99999, {"border": 1},                                   OPERATION),
    ("on proxies too",                 S3TC,         6,     {"border": 1, "target": PROXY},                  OPERATION),
    ("YCbCr in a cube",                YCBCR,        6,     {"target": CUBE, "border": 1, **SWAPPED},        ENUM),
    ("YCbCr with a border",            YCBCR,        6,     {"border": 1, **SWAPPED},                        VALUE),
    ("YCbCr in a rectangle",           YCBCR,        6,     {"target": RECTANGLE, **SWAPPED},                NONE),
    ("YCbCr out of colours",           YCBCR,        6,     {"target": CUBE},                                OPERATION),
    ("colours in stencil",             "GL_STENCIL_INDEX8", 4, {},                                           NONE),
    ("generic ones have borders",      "GL_COMPRESSED_RGBA", 6, {"border": 1},                               NONE),
]
# fmt: on
EVERY = Limits(
    extensions=frozenset(
        {
            "GL_EXT_texture_compression_s3tc",
            "GL_ARB_ES3_compatibility",
            "GL_MESA_ycbcr_texture",
            "GL_ARB_texture_stencil8",
            "GL_ARB_texture_compression",
        }
    )
)  # fmt: skip


@pytest.mark.parametrize(("fmt", "width", "other", "error"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER])
def test_of_several_errors_of_an_image_the_first_is_given(
    fmt: object, width: int, other: dict[str, object], error: str
) -> None:
    assert specify(Context(EVERY), fmt, width, 4, **other) == error


COMPRESSED = [
    #  why                            call  target           level format       width border error
    ("format before all",             2, TWO_D,              -1, 0x1234,        -1,   2,     ENUM),
    ("target before level",           2, RECTANGLE,          -1, S3TC,          -1,   2,     ENUM),
    ("volumes too",                   3, "GL_TEXTURE_3D",    -1, ETC2,          -1,   2,     ENUM),
    ("level before border",           2, TWO_D,              -1, S3TC,          -1,   2,     VALUE),
    ("border before size",            2, TWO_D,              0,  S3TC,          -1,   2,     OPERATION),
    ("size",                          2, TWO_D,              0,  S3TC,          -1,   0,     VALUE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dims", "target", "level", "fmt", "width", "border", "error"),
    [row[1:] for row in COMPRESSED], ids=[row[0] for row in COMPRESSED],
)  # fmt: skip
@pytest.mark.parametrize("profile", ["compatibility", "core"])
def test_of_several_errors_of_a_compressed_image_the_first_is_given(
    profile: str, dims: int, target: str, level: int, fmt: object, width: int, border: int, error: str
) -> None:
    """The format is looked at first. Observed on Mesa 22.3.6."""
    gl = Context(Limits(profile=profile, extensions=EVERY.extensions))
    gl.call(f"glCompressedTexImage{dims}D", target, level, fmt, *[width] * dims, border, 8, None)
    assert gl.glGetError() == error


@pytest.mark.parametrize(
    ("target", "size", "inner"),
    [
        (TWO_D, (6, 2), (4, 0)), (TWO_D, (3, 3), (1, 1)), (FACE, (2, 2), (0, 0)), (FACE, (6, 6), (4, 4)),
        ("GL_TEXTURE_1D_ARRAY", (6, 6), (4, 4)), ("GL_TEXTURE_1D_ARRAY", (4, 2), (2, 0)),
        ("GL_TEXTURE_1D_ARRAY", (4, 1), (2, 0)),
    ],
)  # fmt: skip
def test_copies_have_a_border_on_every_axis(
    gl: Context, target: object, size: tuple[int, int], inner: tuple[int, int]
) -> None:
    """Layers too. Observed on Mesa 22.3.6, which answers -1 for the last."""
    gl.glCopyTexImage2D(target, 0, "GL_RGBA8", 0, 0, *size, 1)
    answers = [gl.glGetTexLevelParameteriv(target, 0, f"GL_TEXTURE_{axis}") for axis in ("WIDTH", "HEIGHT")]
    assert answers == [[n] for n in inner]


def test_generate_mipmap_fills_the_chain_when_the_base_level_is_given(gl: Context) -> None:
    gl.glTexParameteri(TWO_D, "GL_GENERATE_MIPMAP", 1)
    specify(gl, level=3)
    assert len(gl.bound(T.TEXTURE_2D).images) == 1
    specify(gl, "GL_RGBA8", 8, 8)
    assert [gl.bound(T.TEXTURE_2D).images[0, n].width for n in range(4)] == [8, 4, 2, 1]


def test_generate_mipmap_works_face_by_face(gl: Context) -> None:
    gl.glTexParameteri("GL_TEXTURE_CUBE_MAP", "GL_GENERATE_MIPMAP", 1)
    specify(gl, target=FACE + 2)
    assert set(gl.bound(T.TEXTURE_CUBE_MAP).images) == {(2, 0), (2, 1), (2, 2)}


@pytest.mark.parametrize(
    ("profile", "gone"),
    [("gles2", "GL_TEXTURE_RECTANGLE"), ("gles3", "GL_TEXTURE_1D_ARRAY"), ("compatibility", "GL_TEXTURE_EXTERNAL_OES")],
)
def test_a_target_that_the_profile_lacks_is_an_invalid_enum(make: Make, profile: str, gone: str) -> None:
    gl = make(profile)
    gl.glBindTexture(gone, 1)
    assert gl.glGetError() == ENUM
    assert gone not in gl.messages[-1].message.partition("accepted")[2]
