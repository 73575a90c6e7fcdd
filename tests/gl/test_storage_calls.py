"""`statetracker.gl.storage_calls`: all images at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from statetracker.gl import Context
from statetracker.gl import enums as e
from statetracker.gl.targets import TARGETS

Make = Callable[..., Context]
NONE, ENUM, VALUE, OPERATION = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"
TWO_D = "GL_TEXTURE_2D"


@pytest.mark.parametrize("target", [t for t in e.Target if t != e.Target.TEXTURE_EXTERNAL_OES])
def test_each_target_has_one_dimension_of_storage(gl: Context, target: e.Target) -> None:
    """By target INVALID_ENUM otherwise, by name INVALID_OPERATION."""
    for dims in (1, 2, 3):
        fits = TARGETS[target].image == dims
        gl.glBindTexture(int(target), gl.glGenTextures(1)[0])
        gl.call(f"glTexStorage{dims}D", int(target), 1, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else ENUM)
        gl.call(f"glTextureStorage{dims}D", gl.glCreateTextures(int(target), 1)[0], 1, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else OPERATION)


@pytest.mark.parametrize("target", [t for t in e.Target if t != e.Target.TEXTURE_EXTERNAL_OES])
def test_multisample_calls_take_multisample_targets(gl: Context, target: e.Target) -> None:
    for dims in (2, 3):
        fits = TARGETS[target].multisample == dims
        gl.glBindTexture(int(target), gl.glGenTextures(1)[0])
        gl.call(f"glTexImage{dims}DMultisample", int(target), 4, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else ENUM)
        gl.call(f"glTexStorage{dims}DMultisample", int(target), 4, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else ENUM)
        (name,) = gl.glCreateTextures(int(target), 1)
        gl.call(f"glTextureStorage{dims}DMultisample", name, 4, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else OPERATION)


# Observed live on Mesa 22.3.6.
# fmt: off
PROXY_STORAGE = [
    #  proxy           levels  format                   size                  error
    ("RECTANGLE",      1,      "GL_RGBA8",              (8, 8),               "GL_NO_ERROR"),
    ("RECTANGLE",      2,      "GL_RGBA8",              (8, 8),               "GL_INVALID_OPERATION"),
    ("RECTANGLE",      6,      "GL_RGBA8",              (1 << 20, 1 << 20),   "GL_INVALID_OPERATION"),
    ("2D",             6,      "GL_RGBA8",              (1 << 20, 1 << 20),   "GL_NO_ERROR"),
    ("2D",             15,     "GL_RGBA8",              (1 << 20, 1 << 20),   "GL_NO_ERROR"),
    ("2D",             16,     "GL_RGBA8",              (1 << 20, 1 << 20),   "GL_INVALID_OPERATION"),
    ("2D",             0,      "GL_RGBA8",              (8, 8),               "GL_INVALID_VALUE"),
    ("2D",             1,      "GL_RGBA8",              (8, 0),               "GL_INVALID_VALUE"),
    ("2D",             1,      "GL_RGBA",               (8, 8),               "GL_INVALID_ENUM"),
    ("1D",             4,      "GL_RGBA8",              (8,),                 "GL_NO_ERROR"),
    ("1D",             5,      "GL_RGBA8",              (8,),                 "GL_INVALID_OPERATION"),
    ("1D_ARRAY",       4,      "GL_RGBA8",              (8, 32),              "GL_NO_ERROR"),
    ("1D_ARRAY",       5,      "GL_RGBA8",              (8, 32),              "GL_INVALID_OPERATION"),
    ("CUBE_MAP",       4,      "GL_RGBA8",              (8, 7),               "GL_NO_ERROR"),
    ("CUBE_MAP",       6,      "GL_RGBA8",              (8, 32),              "GL_INVALID_OPERATION"),
    ("CUBE_MAP_ARRAY", 6,      "GL_RGBA8",              (8, 32, 6),           "GL_INVALID_OPERATION"),
    ("3D",             1,      "GL_DEPTH_COMPONENT24",  (8, 8, 8),            "GL_INVALID_OPERATION"),
    ("3D",             13,     "GL_RGBA8",              (4096, 8, 8),         "GL_INVALID_OPERATION"),
]
# fmt: on


@pytest.mark.parametrize(("proxy", "levels", "fmt", "size", "error"), PROXY_STORAGE)
def test_proxies_refuse_all_but_a_size_they_have_no_room_for(
    gl: Context, proxy: str, levels: int, fmt: str, size: tuple[int, ...], error: str
) -> None:
    gl.call(f"glTexStorage{len(size)}D", f"GL_PROXY_TEXTURE_{proxy}", levels, fmt, *size)
    assert gl.glGetError() == error


# fmt: off
STORAGES = [
    (1, "GL_RGBA8", (4, 4), NONE),     (3, "GL_RGBA8", (4, 4), NONE),       (4, "GL_RGBA8", (4, 4), OPERATION),
    (0, "GL_RGBA8", (4, 4), VALUE),    (-1, "GL_RGBA8", (4, 4), VALUE),     (1, "GL_RGBA8", (0, 4), VALUE),
    (16, "GL_RGBA8", (1 << 20,) * 2, OPERATION), (15, "GL_RGBA8", (1 << 20,) * 2, VALUE),
    (1, "GL_RGBA", (4, 4), ENUM),      (1, "GL_CLAMP", (4, 4), ENUM),       (1, "GL_RGBA8", (16385, 1), VALUE),
]
# fmt: on


@pytest.mark.parametrize(("levels", "fmt", "size", "error"), STORAGES)
def test_storage_wants_whole_numbers_of_levels_and_sized_formats(
    gl: Context, tex: int, levels: int, fmt: str, size: tuple[int, int], error: str
) -> None:
    gl.glTexStorage2D(TWO_D, levels, fmt, *size)
    assert gl.glGetError() == error
    texture = gl.textures[tex]
    assert texture is not None
    assert texture.immutable_levels == (levels if error == NONE else 0)


def test_storage_is_given_once(gl: Context, tex: int) -> None:
    for expected in (NONE, OPERATION):
        gl.glTexStorage2D(TWO_D, 2, "GL_RGBA8", 4, 4)
        assert gl.glGetError() == expected
    texture = gl.textures[tex]
    assert texture is not None
    assert (len(texture.images), texture.max_level) == (2, 1000)


def widths(gl: Context, target: object = "GL_TEXTURE_2D") -> list[object]:
    """Of levels 0 to 3; 0 where there is no image."""
    return [gl.glGetTexLevelParameteriv(target, level, "GL_TEXTURE_WIDTH")[0] for level in range(4)]  # type: ignore[index]


def give(gl: Context, target: object = "GL_TEXTURE_2D", fmt: str = "GL_RGBA8", pixels: str = "GL_RGBA") -> None:
    """Levels 0 to 3 of 16 texels."""
    for level in range(4):
        gl.glTexImage2D(target, level, fmt, 16 >> level, 16 >> level, 0, pixels, "GL_UNSIGNED_BYTE")


@pytest.mark.parametrize("by_name", [False, True])
def test_storage_leaves_images_of_levels_above_its_own(gl: Context, tex: int, by_name: bool) -> None:
    """Observed on Mesa 22.3.6."""
    give(gl)
    if by_name:
        gl.glTextureStorage2D(tex, 2, "GL_RGBA8", 8, 8)
    else:
        gl.glTexStorage2D("GL_TEXTURE_2D", 2, "GL_RGBA8", 8, 8)
    assert widths(gl) == [8, 4, 4, 2]
    texture = gl.bound(e.Target.TEXTURE_2D)
    assert (texture.immutable_levels, texture.missing()) == (2, "")
    (view,) = gl.glGenTextures(1)
    gl.glTextureView(view, "GL_TEXTURE_2D", tex, "GL_RGBA8", 0, 3, 0, 1)
    gl.glBindTexture("GL_TEXTURE_2D", view)
    assert widths(gl) == [8, 4, 0, 0]


def test_storage_leaves_images_of_each_face(gl: Context) -> None:
    gl.glBindTexture("GL_TEXTURE_CUBE_MAP", 1)
    gl.glTexImage2D("GL_TEXTURE_CUBE_MAP_NEGATIVE_X", 3, "GL_RGBA8", 2, 2, 0, "GL_RGBA", "GL_UNSIGNED_BYTE")
    gl.glTexStorage2D("GL_TEXTURE_CUBE_MAP", 1, "GL_RGBA8", 8, 8)
    assert widths(gl, "GL_TEXTURE_CUBE_MAP_POSITIVE_X") == [8, 0, 0, 0]
    assert widths(gl, "GL_TEXTURE_CUBE_MAP_NEGATIVE_X") == [8, 0, 0, 2]


def test_an_image_that_storage_left_can_be_the_base_image(gl: Context, tex: int) -> None:
    """Where BASE_LEVEL was set before; set afterwards it stays within the storage. Drawn so by Mesa 22.3.6."""
    give(gl, fmt="GL_RGBA8UI", pixels="GL_RGBA_INTEGER")
    gl.glTexParameteri("GL_TEXTURE_2D", "GL_TEXTURE_BASE_LEVEL", 2)
    gl.glTexStorage2D("GL_TEXTURE_2D", 2, "GL_RGBA8", 8, 8)
    texture = gl.bound(e.Target.TEXTURE_2D)
    assert gl.textures[tex] is texture
    assert "RGBA8UI holds integers" in texture.missing()
    gl.glGenerateMipmap("GL_TEXTURE_2D")
    assert gl.glGetError() == OPERATION
    gl.glTexParameteri("GL_TEXTURE_2D", "GL_TEXTURE_BASE_LEVEL", 3)
    assert (texture.base_level, texture.missing()) == (1, "")


def test_proxies_keep_higher_levels_until_the_storage_is_too_large(gl: Context) -> None:
    """Then they answer 0 for all. Observed on Mesa 22.3.6."""
    proxy = "GL_PROXY_TEXTURE_2D"
    give(gl, proxy)
    gl.glTexStorage2D(proxy, 2, "GL_RGBA8", 8, 8)
    assert widths(gl, proxy) == [8, 4, 4, 2]
    gl.glTexStorage2D(proxy, 2, "GL_RGBA8", 1 << 17, 8)
    assert widths(gl, proxy) == [0, 0, 0, 0]


STORED = [
    #  why                           levels size target             error
    ("size",                     0, 0, "GL_TEXTURE_3D",       "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", VALUE),
    ("target before level",      0, 4, "GL_TEXTURE_3D",       "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", ENUM),
    ("target before the chain",  9, 4, "GL_TEXTURE_3D",       "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", ENUM),
    ("target before storage",    1, 4, "GL_TEXTURE_3D",       "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", ENUM),
    ("level",                    0, 4, "GL_TEXTURE_2D_ARRAY", "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", VALUE),
    ("level before depth",       0, 4, "GL_TEXTURE_3D",       "GL_DEPTH_COMPONENT24",             VALUE),
    ("depth",                    1, 4, "GL_TEXTURE_3D",       "GL_DEPTH_COMPONENT24",             OPERATION),
]  # fmt: skip


@pytest.mark.parametrize(
    ("levels", "size", "target", "fmt", "error"), [row[1:] for row in STORED], ids=[r[0] for r in STORED]
)
def test_of_several_errors_of_storage_the_first_is_given(
    gl: Context, levels: int, size: int, target: str, fmt: str, error: str
) -> None:
    """Whether a target has compressed images comes between size and levels. Observed on Mesa 22.3.6."""
    gl.glTexStorage3D(target, levels, fmt, size, size, size)
    assert gl.glGetError() == error


def test_samples_are_kept_up_to_the_limit(make: Make) -> None:
    """A driver may give more. INVALID_OPERATION above; a proxy answers with nothing."""
    target, proxy = "GL_TEXTURE_2D_MULTISAMPLE", "GL_PROXY_TEXTURE_2D_MULTISAMPLE"
    gl = make(max_samples=4)
    gl.glTexImage2DMultisample(target, 2, "GL_RGBA8", 4, 4, 0)
    asked = ("GL_TEXTURE_SAMPLES", "GL_TEXTURE_FIXED_SAMPLE_LOCATIONS")
    assert [gl.glGetTexLevelParameteriv(target, 0, name) for name in asked] == [[2], [0]]
    gl.glTexImage2DMultisample(target, 5, "GL_RGBA8", 4, 4, 0)
    assert gl.glGetError() == OPERATION
    gl.glTexImage2DMultisample(proxy, 4, "GL_RGBA8", 4, 4)
    assert gl.glGetTexLevelParameteriv(proxy, 0, "GL_TEXTURE_SAMPLES") == [4]
    gl.glTexImage2DMultisample(proxy, 5, "GL_RGBA8", 4, 4)
    assert (gl.glGetTexLevelParameteriv(proxy, 0, "GL_TEXTURE_SAMPLES"), gl.glGetError()) == ([0], NONE)
    assert make().limits.max_samples == 64


def test_a_name_that_was_not_generated_gives_multisample_textures_the_usual_sampler(gl: Context) -> None:
    """Observed on Mesa 22.3.6: only a generated name takes CLAMP_TO_EDGE and NEAREST at its first bind."""
    wraps = []
    for name in (gl.glGenTextures(1)[0], 77):
        gl.glBindTexture("GL_TEXTURE_2D_MULTISAMPLE", name)
        wraps.append(gl.glGetTexParameteriv("GL_TEXTURE_2D_MULTISAMPLE", "GL_TEXTURE_WRAP_S"))
    assert wraps == [[0x812F], [0x2901]]


def test_a_buffer_texture_has_one_texel(gl: Context) -> None:
    """Before its first buffer none, of the context's smallest format."""

    def ask(name: str) -> object:
        return gl.glGetTexLevelParameteriv("GL_TEXTURE_BUFFER", 0, f"GL_TEXTURE_{name}")

    assert (ask("WIDTH"), ask("INTERNAL_FORMAT")) == ([0], [0x8040])
    gl.glTexBuffer("GL_TEXTURE_BUFFER", "GL_R32F", 1)
    assert (ask("WIDTH"), ask("INTERNAL_FORMAT")) == ([1], [0x822E])
