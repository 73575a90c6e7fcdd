"""`statetracker.gl.image_calls` (views) and the rules of views in `targets`: generated mipmaps and texture views."""

from __future__ import annotations

import pytest

from statetracker.gl import Context, Texture
from statetracker.gl import enums as e
from statetracker.gl.targets import TARGETS

VALUE, OPERATION = "GL_INVALID_VALUE", "GL_INVALID_OPERATION"
TWO_D, ARRAY = "GL_TEXTURE_2D", "GL_TEXTURE_2D_ARRAY"
T = e.Target


def stored(gl: Context, target: str = ARRAY, levels: int = 3, size: tuple[int, ...] = (8, 8, 12)) -> int:
    (name,) = gl.glCreateTextures(target, 1)
    gl.call(f"glTextureStorage{len(size)}D", name, levels, "GL_RGBA8", *size)
    return name


def view(gl: Context, parent: int, target: str = TWO_D, fmt: str = "GL_RGBA8", *part: int) -> Texture | None:
    (name,) = gl.glGenTextures(1)
    gl.glTextureView(name, target, parent, fmt, *(part or (0, 1, 0, 1)))
    return gl.textures[name]


def test_a_view_starts_with_a_new_objects_parameters(gl: Context) -> None:
    """It inherits neither sampler parameters nor swizzle nor stencil mode."""
    parent = stored(gl)
    gl.glTextureParameteri(parent, "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    gl.glTextureParameteri(parent, "GL_TEXTURE_SWIZZLE_R", "GL_ZERO")
    gl.glTextureParameteri(parent, "GL_DEPTH_STENCIL_TEXTURE_MODE", "GL_STENCIL_INDEX")
    made = view(gl, parent)
    assert made is not None
    assert (made.sampler.wrap_s, made.swizzle, made.stencil_sampling) == (
        0x2901,
        (0x1903, 0x1904, 0x1905, 0x1906),
        False,
    )


# fmt: off
VIEWS = [
    (TWO_D,                       (1, 2, 3, 1),   (4, 4, 1),  2),
    (ARRAY,                       (0, 9, 4, 99), (8, 8, 8), 3),
    ("GL_TEXTURE_CUBE_MAP",       (0, 1, 6, 6),   (8, 8, 1),  1),
    ("GL_TEXTURE_CUBE_MAP_ARRAY", (2, 1, 0, 12), (2, 2, 12), 1),
]
# fmt: on


@pytest.mark.parametrize(("target", "part", "size", "levels"), VIEWS)
def test_a_view_shows_part_of_its_parent(
    gl: Context, target: str, part: tuple[int, ...], size: tuple[int, int, int], levels: int
) -> None:
    made = view(gl, stored(gl), target, "GL_SRGB8_ALPHA8", *part)
    assert made is not None
    image = made.images[0, 0]
    assert (image.width, image.height, image.depth) == size
    assert (image.format.name, made.immutable_levels) == ("SRGB8_ALPHA8", levels)
    assert made.missing() == ""


def test_a_view_of_a_view_counts_from_the_first_parent(gl: Context) -> None:
    inner = view(gl, stored(gl), ARRAY, "GL_RGBA8", 1, 2, 2, 8)
    assert inner is not None and inner.label is not None  # noqa: PT018 (one question)
    outer = view(gl, inner.label, TWO_D, "GL_RGBA8", 1, 1, 3, 1)
    assert outer is not None and outer.label is not None  # noqa: PT018
    asked = ("VIEW_MIN_LEVEL", "VIEW_NUM_LEVELS", "VIEW_MIN_LAYER", "VIEW_NUM_LAYERS", "IMMUTABLE_LEVELS")
    answers = [gl.glGetTextureParameteriv(outer.label, f"GL_TEXTURE_{name}") for name in asked]
    assert answers == [[2], [1], [5], [1], [3]]


# fmt: off
MISFITS = [
    ("GL_TEXTURE_3D", "GL_RGBA8",   (0, 1, 0, 1),  OPERATION), (TWO_D, "GL_RGBA16F",          (0, 1, 0, 1),  OPERATION),
    (TWO_D,           "GL_CLAMP",   (0, 1, 0, 1),  OPERATION), (TWO_D, "GL_RGBA8",            (3, 1, 0, 1),  VALUE),
    (TWO_D,           "GL_RGBA8",   (0, 0, 0, 1),  VALUE),     (TWO_D, "GL_RGBA8",            (0, 1, 12, 1), VALUE),
    (TWO_D,           "GL_RGBA8",   (0, 1, -1, 1), VALUE),     (TWO_D, "GL_RGBA8",            (0, 1, 0, 2),  VALUE),
    (TWO_D,           "GL_RGBA8",   (0, 1, 11, 2), VALUE),     (ARRAY, "GL_RGBA8",            (0, 1, 0, 0),  VALUE),
    ("GL_TEXTURE_CUBE_MAP", "GL_RGBA8", (0, 1, 0, 5), VALUE),
    ("GL_TEXTURE_CUBE_MAP_ARRAY", "GL_RGBA8", (0, 1, 1, 11), VALUE),
]
# fmt: on


@pytest.mark.parametrize(("target", "fmt", "part", "error"), MISFITS)
def test_a_view_that_does_not_fit_is_refused(
    gl: Context, target: str, fmt: str, part: tuple[int, ...], error: str
) -> None:
    assert view(gl, stored(gl), target, fmt, *part) is None
    assert gl.glGetError() == error


TWO_FAULTS = [
    ("GL_TEXTURE_3D", "GL_RGBA8", (3, 1, 0, 1), OPERATION),
    ("GL_TEXTURE_3D", "GL_CLAMP", (0, 1, 12, 1), OPERATION),
    (TWO_D, "GL_RGBA16F", (3, 1, 0, 1), VALUE),
    (TWO_D, "GL_RGBA16F", (0, 1, 12, 1), VALUE),
    (TWO_D, "GL_CLAMP", (3, 1, 0, 1), VALUE),
    (TWO_D, "GL_RGBA16F", (0, 1, 0, 2), OPERATION),
    ("GL_TEXTURE_CUBE_MAP", "GL_CLAMP", (0, 1, 0, 5), OPERATION),
]


@pytest.mark.parametrize(("target", "fmt", "part", "error"), TWO_FAULTS)
def test_of_two_faults_of_a_view_the_first_is_named(
    gl: Context, target: str, fmt: str, part: tuple[int, ...], error: str
) -> None:
    """The target, then where the part begins, then the format, then how many layers. Observed on Mesa 22.3.6."""
    assert view(gl, stored(gl), target, fmt, *part) is None
    assert gl.glGetError() == error


@pytest.mark.parametrize("target", [TWO_D, "GL_TEXTURE_3D"])
def test_a_view_of_one_layer_is_asked_for_as_one(gl: Context, target: str) -> None:
    """Though its parent has no more to show; a cube's layers are cut first. Observed on Mesa 22.3.6."""
    parent = stored(gl, target, size=(8, 8, 4)[: 3 if target == "GL_TEXTURE_3D" else 2])
    assert view(gl, parent, target, "GL_RGBA8", 0, 1, 0, 2) is None
    assert gl.glGetError() == VALUE
    cube = view(gl, stored(gl, size=(8, 8, 7)), "GL_TEXTURE_CUBE_MAP", "GL_RGBA8", 0, 1, 1, 9)
    assert cube is not None
    assert cube.layers == 6


@pytest.mark.parametrize("pname", ["BASE_LEVEL", "MAX_LEVEL"])
def test_a_views_levels_are_clamped_to_those_of_the_first_parent(gl: Context, pname: str) -> None:
    """It may lack its base level then, and is incomplete. Observed on Mesa 22.3.6, with a draw."""
    made = view(gl, stored(gl, levels=4), TWO_D, "GL_RGBA8", 1, 2, 0, 1)
    assert made is not None and made.label is not None  # noqa: PT018 (one question)
    gl.glTextureParameteri(made.label, f"GL_TEXTURE_{pname}", 9)
    assert gl.glGetTextureParameteriv(made.label, f"GL_TEXTURE_{pname}") == [3]
    assert made.missing() == ("there is no image at BASE_LEVEL 3" if pname == "BASE_LEVEL" else "")


def test_storage_beyond_whose_levels_the_base_level_was_has_all_its_layers(gl: Context) -> None:
    """For questions, and for views. Observed on Mesa 22.3.6."""
    (name,) = gl.glCreateTextures(ARRAY, 1)
    gl.glTextureParameteri(name, "GL_TEXTURE_BASE_LEVEL", 5)
    gl.glTextureStorage3D(name, 2, "GL_RGBA8", 8, 8, 6)
    assert gl.glGetTextureParameteriv(name, "GL_TEXTURE_VIEW_NUM_LAYERS") == [6]
    made = view(gl, name, ARRAY, "GL_RGBA8", 0, 1, 2, 4)
    assert made is not None
    assert made.layers == 4


def test_view_targets_go_both_ways_but_for_cubes() -> None:
    """A 2D texture can be seen as an array, but a cube cannot come of it."""
    one_way = {(a, b) for a, rule in TARGETS.items() for b in rule.views if a not in TARGETS[b].views}
    assert {a for a, _ in one_way} == {T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY}


def test_generate_mipmap_fills_the_chain_from_base_to_max(gl: Context) -> None:
    gl.glTexImage2D(TWO_D, 1, "GL_RGBA8", 16, 4, 0, "GL_RGBA", "GL_UNSIGNED_BYTE")
    gl.glTexParameteri(TWO_D, "GL_TEXTURE_BASE_LEVEL", 1)
    gl.glTexParameteri(TWO_D, "GL_TEXTURE_MAX_LEVEL", 3)
    gl.glGenerateMipmap(TWO_D)
    images = gl.bound(T.TEXTURE_2D).images
    assert {level: (i.width, i.height) for (_, level), i in images.items()} == {1: (16, 4), 2: (8, 2), 3: (4, 1)}
    assert gl.bound(T.TEXTURE_2D).missing() == ""
