"""`statetracker.gl.targets`: which calls take a target, who has it, how it can be viewed."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.gl import Context, Limits
from statetracker.gl import enums as e
from statetracker.gl.formats import internal_formats
from statetracker.gl.limits import PROFILES
from statetracker.gl.names import gl_name
from statetracker.gl.targets import FACE_TARGETS, PROXIES, TARGETS, layers_problem, taking

T = e.Target

# fmt: off
#: Call family and dimension -> the targets that it takes.
TAKEN: Final[dict[tuple[str, int], set[int]]] = {
    ("image", 1):       {T.TEXTURE_1D},
    ("image", 2):       {T.TEXTURE_2D, T.TEXTURE_RECTANGLE, T.TEXTURE_1D_ARRAY, *FACE_TARGETS},
    ("image", 3):       {T.TEXTURE_3D, T.TEXTURE_2D_ARRAY, T.TEXTURE_CUBE_MAP_ARRAY},
    ("storage", 1):     {T.TEXTURE_1D},
    ("storage", 2):     {T.TEXTURE_2D, T.TEXTURE_RECTANGLE, T.TEXTURE_1D_ARRAY, T.TEXTURE_CUBE_MAP},
    ("storage", 3):     {T.TEXTURE_3D, T.TEXTURE_2D_ARRAY, T.TEXTURE_CUBE_MAP_ARRAY},
    ("multisample", 2): {T.TEXTURE_2D_MULTISAMPLE},
    ("multisample", 3): {T.TEXTURE_2D_MULTISAMPLE_ARRAY},
}
#: Target -> the first GLES that has it, or the extensions that bring it to others; nothing: desktop GL alone.
GLES: Final[dict[e.Target, tuple[int, tuple[str, ...]]]] = {
    T.TEXTURE_2D:                   (10, ()),
    T.TEXTURE_CUBE_MAP:             (20, ("GL_OES_texture_cube_map",)),
    T.TEXTURE_3D:                   (30, ("GL_OES_texture_3D",)),
    T.TEXTURE_2D_ARRAY:             (30, ()),
    T.TEXTURE_2D_MULTISAMPLE:       (31, ()),
    T.TEXTURE_2D_MULTISAMPLE_ARRAY: (32, ("GL_OES_texture_storage_multisample_2d_array",)),
    T.TEXTURE_BUFFER:               (32, ("GL_OES_texture_buffer", "GL_EXT_texture_buffer")),
    T.TEXTURE_CUBE_MAP_ARRAY:       (32, ("GL_OES_texture_cube_map_array", "GL_EXT_texture_cube_map_array")),
    T.TEXTURE_EXTERNAL_OES:         (99, ("GL_OES_EGL_image_external", "GL_OES_EGL_image_external_essl3")),
}
# fmt: on
GLES_PROFILES = {profile: gles for profile, gles in PROFILES.items() if gles}
#: Groups whose members can all be viewed as one another.
ALIKE = (
    {T.TEXTURE_1D, T.TEXTURE_1D_ARRAY},
    {T.TEXTURE_2D, T.TEXTURE_2D_ARRAY},
    {T.TEXTURE_3D},
    {T.TEXTURE_RECTANGLE},
    {T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY},
)
LAYERED = {T.TEXTURE_2D_ARRAY, T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY}
NO_STORE = {T.TEXTURE_BUFFER, T.TEXTURE_EXTERNAL_OES}


@pytest.mark.parametrize(("family", "dims"), TAKEN)
def test_calls_take_the_targets_of_the_specification(family: str, dims: int) -> None:
    assert taking(family, dims) == {int(target) for target in TAKEN[family, dims]}


def test_proxy_is_named_after_its_target() -> None:
    """Buffers and external images have none, nor are they set by name."""
    assert {gl_name(proxy): gl_name(target) for proxy, target in PROXIES.items()} == {
        f"GL_PROXY_{target.name}": f"GL_{target.name}" for target in T if target not in NO_STORE
    }
    assert {target for target, rule in TARGETS.items() if not rule.named} == NO_STORE
    assert {target for target, rule in TARGETS.items() if not rule.proxy} == NO_STORE


@pytest.mark.parametrize("target", T)
def test_texture_is_viewed_as_what_has_images_of_its_shape(target: e.Target) -> None:
    """Layers of two dimensions are layers of an array or faces of a cube; what has no images has no views."""
    alike = {one for group in ALIKE if target in group for one in group}
    assert set(TARGETS[target].views) == alike | ({T.TEXTURE_2D} | LAYERED if target in LAYERED else set())


@pytest.mark.parametrize("target", T)
def test_target_comes_with_a_release_of_gles_or_an_extension(target: e.Target) -> None:
    first, extensions = GLES.get(target, (99, ()))
    gate = TARGETS[target].gate
    for profile in ("compatibility", "core"):
        assert gate.allows(Limits(profile=profile)) == (target != T.TEXTURE_EXTERNAL_OES)
    for profile, version in GLES_PROFILES.items():
        assert gate.allows(Limits(profile=profile, extensions=frozenset())) == (version >= first)
        for name in extensions:
            assert gate.allows(Limits(profile=profile, extensions=frozenset({name})))


#: Bits of a channel -> what numbers such channels hold, as internal formats end.
ENDINGS = {32: ("F", "UI", "I"), 16: ("", "_SNORM", "F", "UI", "I"), 8: ("", "_SNORM", "UI", "I")}
CHANNELS = ("R", "RG", "RGB", "RGBA")
#: What packs its channels unevenly, or has a curve.
ODD = {32: {"R11F_G11F_B10F", "RGB10_A2", "RGB10_A2UI", "RGB9_E5", "SRGB8_ALPHA8"}, 24: {"SRGB8"}}


def members(label: str) -> set[str]:
    """The formats of a class."""
    return {known.name for known in internal_formats() if known.view_class == label}


@pytest.mark.parametrize("bits", [8, 16, 24, 32, 48, 64, 96, 128])
def test_formats_of_a_class_have_texels_of_one_size(bits: int) -> None:
    """Every number of channels of every width that come to it."""
    even = {
        f"{channels}{width}{ending}"
        for width, endings in ENDINGS.items()
        for channels in CHANNELS
        if len(channels) * width == bits
        for ending in endings
    }
    assert members(f"{bits} bits") == even | ODD.get(bits, set())


ONE = {1}
ANY = set(range(14))
#: Target -> which numbers of layers, of 0 to 13, a view has.
LAYERS = {
    T.TEXTURE_1D: ONE, T.TEXTURE_2D: ONE, T.TEXTURE_3D: ONE, T.TEXTURE_RECTANGLE: ONE, T.TEXTURE_2D_MULTISAMPLE: ONE,
    T.TEXTURE_1D_ARRAY: ANY, T.TEXTURE_2D_ARRAY: ANY, T.TEXTURE_2D_MULTISAMPLE_ARRAY: ANY, T.TEXTURE_CUBE_MAP: {6},
    T.TEXTURE_CUBE_MAP_ARRAY: {0, 6, 12},
}  # fmt: skip


@pytest.mark.parametrize("target", LAYERS)
def test_views_have_as_many_layers_as_their_target_allows(target: e.Target) -> None:
    """INVALID_VALUE otherwise."""
    problems = {layers: layers_problem(target, layers, layers, (4, 4)) for layers in range(14)}
    assert {layers for layers, problem in problems.items() if problem is None} == LAYERS[target]
    assert {problem[0] for problem in problems.values() if problem} <= {"GL_INVALID_VALUE"}


@pytest.mark.parametrize("target", LAYERS)
@pytest.mark.parametrize("size", [(4, 4), (4, 8), (8, 4)])
def test_views_of_cubes_are_square(target: e.Target, size: tuple[int, int]) -> None:
    """INVALID_OPERATION, after the layers have been looked at."""
    cube = target in (T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY)
    layers = max(n for n in LAYERS[target] if n < 7)
    problem = layers_problem(target, layers, layers, size)
    assert (problem and problem[0]) == ("GL_INVALID_OPERATION" if cube and size[0] != size[1] else None)


# fmt: off
#: Parent target, its size; target of the view -> size of the view's base image, of level 1 and 6 layers from the first.
SIZES = [
    ("GL_TEXTURE_1D",       (8,),       {"GL_TEXTURE_1D": (4, 1, 1), "GL_TEXTURE_1D_ARRAY": (4, 1, 1)}),
    ("GL_TEXTURE_1D_ARRAY", (8, 12),    {"GL_TEXTURE_1D": (4, 1, 1), "GL_TEXTURE_1D_ARRAY": (4, 6, 1)}),
    ("GL_TEXTURE_2D",       (8, 16),    {"GL_TEXTURE_2D": (4, 8, 1), "GL_TEXTURE_2D_ARRAY": (4, 8, 1)}),
    ("GL_TEXTURE_3D",       (8, 16, 4), {"GL_TEXTURE_3D": (4, 8, 2)}),
    ("GL_TEXTURE_2D_ARRAY", (8, 8, 12), {"GL_TEXTURE_2D": (4, 4, 1), "GL_TEXTURE_2D_ARRAY": (4, 4, 6),
                                         "GL_TEXTURE_CUBE_MAP": (4, 4, 1), "GL_TEXTURE_CUBE_MAP_ARRAY": (4, 4, 6)}),
]
# fmt: on
VIEWS = [(parent, size, target, seen) for parent, size, views in SIZES for target, seen in views.items()]


@pytest.mark.parametrize(("parent", "size", "target", "seen"), VIEWS)
def test_view_of_level_1_starts_with_half_the_size(
    gl: Context, parent: str, size: tuple[int, ...], target: str, seen: tuple[int, int, int]
) -> None:
    (name,) = gl.glCreateTextures(parent, 1)
    gl.call(f"glTextureStorage{len(size)}D", name, 3, "GL_RGBA8", *size)
    layered = "ARRAY" in parent and ("ARRAY" in target or "CUBE" in target)
    (made,) = gl.glGenTextures(1)
    gl.glTextureView(made, target, name, "GL_RGBA8", 1, 1, 0, 6 if layered else 1)
    texture = gl.textures[made]
    assert texture is not None
    base = texture.images[0, 0]
    assert (base.width, base.height, base.depth) == seen
