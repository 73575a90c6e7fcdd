"""`statetracker.gl.storage_calls`: all images at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from statetracker.gl import Context
from statetracker.gl import enums as e
from statetracker.gl.targets import PROXIES, TARGETS

Make = Callable[..., Context]
NONE, ENUM, VALUE, OPERATION = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"
TWO_D = "GL_TEXTURE_2D"


@pytest.mark.parametrize("target", [t for t in e.Target if t != e.Target.TEXTURE_EXTERNAL_OES])
def test_each_target_has_one_dimension_of_storage(gl: Context, target: e.Target) -> None:
    """By target INVALID_ENUM otherwise, by name INVALID_OPERATION."""
    for dims in (1, 2, 3):
        fits = TARGETS[target].storage == dims
        gl.glBindTexture(int(target), gl.glGenTextures(1)[0])
        gl.call(f"glTexStorage{dims}D", int(target), 1, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else ENUM)
        gl.call(f"glTextureStorage{dims}D", gl.glCreateTextures(int(target), 1)[0], 1, "GL_RGBA8", *(6,) * dims)
        assert gl.glGetError() == (NONE if fits else OPERATION)


@pytest.mark.parametrize("target", [t for t in e.Target if t != e.Target.TEXTURE_EXTERNAL_OES])
def test_multisample_calls_take_multisample_targets(gl: Context, target: e.Target) -> None:
    """As images, as storage, and by name."""
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
]
# fmt: on


@pytest.mark.parametrize(("proxy", "levels", "fmt", "size", "error"), PROXY_STORAGE)
def test_proxies_refuse_all_but_a_size_they_have_no_room_for(
    gl: Context, proxy: str, levels: int, fmt: str, size: tuple[int, ...], error: str
) -> None:
    """Levels are counted before."""
    gl.call(f"glTexStorage{len(size)}D", f"GL_PROXY_TEXTURE_{proxy}", levels, fmt, *size)
    assert gl.glGetError() == error


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("name", [0, 4242])
def test_storage_by_name_looks_at_the_format_before_the_name(gl: Context, dims: int, name: int) -> None:
    """An unsized one is INVALID_ENUM whatever the name, which is INVALID_OPERATION."""
    for fmt, error in (("GL_RGBA", "GL_INVALID_ENUM"), ("GL_CLAMP", "GL_INVALID_ENUM"), ("GL_RGBA8", OPERATION)):
        gl.call(f"glTextureStorage{dims}D", name, 1, fmt, *(8,) * dims)
        assert gl.glGetError() == error
    (other,) = gl.glCreateTextures("GL_TEXTURE_3D" if dims != 3 else "GL_TEXTURE_2D", 1)
    gl.call(f"glTextureStorage{dims}D", other, 1, "GL_RGBA", *(8,) * dims)
    assert gl.glGetError() == "GL_INVALID_ENUM"


@pytest.mark.parametrize(("proxy", "target"), PROXIES.items())
def test_proxies_change_nothing(gl: Context, proxy: int, target: int) -> None:
    """Whatever their arguments are. Storage of several samples wants a named texture."""
    rule = TARGETS[target]
    call = f"glTexStorage{rule.storage}D" if rule.storage else f"glTexStorage{rule.multisample}DMultisample"
    gl.call(call, proxy, 1, "GL_RGBA8", *(6,) * (rule.storage or rule.multisample))
    assert gl.glGetError() == (NONE if rule.storage else OPERATION)
    assert not gl.bound(target).images


# fmt: off
STORAGES = [
    (1, "GL_RGBA8", (4, 4), NONE),     (3, "GL_RGBA8", (4, 4), NONE),       (4, "GL_RGBA8", (4, 4), OPERATION),
    (0, "GL_RGBA8", (4, 4), VALUE),    (-1, "GL_RGBA8", (4, 4), VALUE),     (1, "GL_RGBA8", (0, 4), VALUE),
    (1, "GL_RGBA", (4, 4), ENUM),      (1, "GL_CLAMP", (4, 4), ENUM),       (1, "GL_RGBA8", (16385, 1), VALUE),
]
# fmt: on


@pytest.mark.parametrize(("levels", "fmt", "size", "error"), STORAGES)
def test_storage_wants_whole_numbers_of_levels_and_sized_formats(
    gl: Context, tex: int, levels: int, fmt: str, size: tuple[int, int], error: str
) -> None:
    """Four levels are more than 4x4 has."""
    gl.glTexStorage2D(TWO_D, levels, fmt, *size)
    assert gl.glGetError() == error
    texture = gl.textures[tex]
    assert texture is not None
    assert texture.immutable_levels == (levels if error == NONE else 0)


def test_default_textures_take_no_storage(gl: Context) -> None:
    """The whole message."""
    gl.glTexStorage2D(TWO_D, 1, "GL_RGBA8", 4, 4)
    assert str(gl.messages[-1]) == (
        "GL_INVALID_OPERATION in glTexStorage2D: texture=0, the default texture, takes no storage; "
        "accepted: a texture from glGenTextures"
    )


def test_storage_is_given_once(gl: Context, tex: int) -> None:
    """And keeps MAX_LEVEL at 1000."""
    for expected in (NONE, OPERATION):
        gl.glTexStorage2D(TWO_D, 2, "GL_RGBA8", 4, 4)
        assert gl.glGetError() == expected
    texture = gl.textures[tex]
    assert texture is not None
    assert (len(texture.images), texture.max_level) == (2, 1000)


def test_rectangles_are_stored_with_one_level(gl: Context) -> None:
    """They have no other."""
    gl.glBindTexture("GL_TEXTURE_RECTANGLE", 5)
    gl.glTexStorage2D("GL_TEXTURE_RECTANGLE", 2, "GL_RGBA8", 8, 8)
    assert gl.glGetError() == OPERATION


def test_multisample_images_want_samples_and_a_plain_format(gl: Context) -> None:
    """A size of 0 is an image still, but no storage."""
    gl.glBindTexture("GL_TEXTURE_2D_MULTISAMPLE", 5)
    errors = []
    for samples, fmt, width in ((0, "GL_RGBA8", 4), (4, "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", 4), (4, "GL_RGBA8", 0)):
        gl.glTexImage2DMultisample("GL_TEXTURE_2D_MULTISAMPLE", samples, fmt, width, 4)
        errors.append(gl.glGetError())
    gl.glTexStorage2DMultisample("GL_TEXTURE_2D_MULTISAMPLE", 4, "GL_RGBA8", 0, 4)
    assert [*errors, gl.glGetError()] == [VALUE, ENUM, NONE, VALUE]


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


# fmt: off
IN_BUFFERS = [
    ("GL_RGBA8", True), ("GL_RG16F", True), ("GL_RGB32UI", True), ("GL_LUMINANCE8", True),
    ("GL_INTENSITY32F_ARB", True),
    ("GL_RGB8", False), ("GL_SRGB8_ALPHA8", False), ("GL_R8_SNORM", False), ("GL_DEPTH_COMPONENT24", False),
]
# fmt: on


@pytest.mark.parametrize(("fmt", "taken"), IN_BUFFERS)
def test_formats_of_buffer_textures(gl: Context, fmt: str, taken: bool) -> None:
    """All were tried on Mesa 22.3.6."""
    gl.glTexBuffer("GL_TEXTURE_BUFFER", fmt, 1)
    assert gl.glGetError() == (NONE if taken else ENUM)


def test_buffer_textures_take_a_sized_format(gl: Context) -> None:
    """By target and by name; nothing else takes one."""
    gl.glTexBuffer("GL_TEXTURE_BUFFER", "GL_R32F", 1)
    (name,) = gl.glCreateTextures("GL_TEXTURE_BUFFER", 1)
    gl.glTextureBuffer(name, "GL_R32F", 1)
    assert gl.glGetError() == NONE
    gl.glTexBuffer("GL_TEXTURE_BUFFER", "GL_RED", 1)
    assert gl.glGetError() == ENUM
    gl.glTexBuffer(TWO_D, "GL_R32F", 1)
    assert gl.glGetError() == ENUM


def test_buffer_textures_have_no_parameters(gl: Context) -> None:
    """INVALID_ENUM by target, INVALID_OPERATION by name."""
    gl.glTexParameteri("GL_TEXTURE_BUFFER", "GL_TEXTURE_WRAP_S", "GL_REPEAT")
    assert gl.glGetError() == ENUM
    gl.glTextureParameteri(gl.glCreateTextures("GL_TEXTURE_BUFFER", 1)[0], "GL_TEXTURE_WRAP_S", "GL_REPEAT")
    assert gl.glGetError() == OPERATION
