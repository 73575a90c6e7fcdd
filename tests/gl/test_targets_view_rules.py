"""`statetracker.gl.targets`: formats of a class have texels of one size, and so on by the specification's tables."""

from __future__ import annotations

import pytest

from statetracker.gl import Context
from statetracker.gl import enums as e
from statetracker.gl.formats import internal_formats
from statetracker.gl.targets import layers_problem

T = e.Target
#: Bits of a channel -> what numbers such channels hold, as internal formats end.
ENDINGS = {32: ("F", "UI", "I"), 16: ("", "_SNORM", "F", "UI", "I"), 8: ("", "_SNORM", "UI", "I")}
CHANNELS = ("R", "RG", "RGB", "RGBA")
#: What packs its channels unevenly, or has a curve.
ODD = {32: {"R11F_G11F_B10F", "RGB10_A2", "RGB10_A2UI", "RGB9_E5", "SRGB8_ALPHA8"}, 24: {"SRGB8"}}
#: Compressed formats: the class, and its two members by what they differ in.
PAIRS = {
    "RGTC1 RED": ("COMPRESSED_{}RED_RGTC1", "", "SIGNED_"),
    "RGTC2 RG": ("COMPRESSED_{}RG_RGTC2", "", "SIGNED_"),
    "BPTC UNORM": ("COMPRESSED_{}_BPTC_UNORM", "RGBA", "SRGB_ALPHA"),
    "BPTC FLOAT": ("COMPRESSED_RGB_BPTC_{}_FLOAT", "SIGNED", "UNSIGNED"),
    "S3TC DXT1 RGB": ("COMPRESSED_{}_S3TC_DXT1_EXT", "RGB", "SRGB"),
    **{f"S3TC DXT{n} RGBA": (f"COMPRESSED_{{}}_S3TC_DXT{n}_EXT", "RGBA", "SRGB_ALPHA") for n in (1, 3, 5)},
}


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


@pytest.mark.parametrize("label", PAIRS)
def test_compressed_formats_differ_in_sign_or_curve_within_a_class(label: str) -> None:
    pattern, one, other = PAIRS[label]
    assert members(label) == {pattern.format(one), pattern.format(other)}


def test_there_are_no_other_classes() -> None:
    """Eight by size, eight by compression."""
    assert len({known.view_class for known in internal_formats()} - {""}) == 8 + len(PAIRS)


ONE = {1}
ANY = set(range(14))
#: Target -> which numbers of layers, of 0 to 13, a view has.
LAYERS = {
    T.TEXTURE_1D: ONE,
    T.TEXTURE_2D: ONE,
    T.TEXTURE_3D: ONE,
    T.TEXTURE_RECTANGLE: ONE,
    T.TEXTURE_2D_MULTISAMPLE: ONE,
    T.TEXTURE_1D_ARRAY: ANY,
    T.TEXTURE_2D_ARRAY: ANY,
    T.TEXTURE_2D_MULTISAMPLE_ARRAY: ANY,
    T.TEXTURE_CUBE_MAP: {6},
    T.TEXTURE_CUBE_MAP_ARRAY: {0, 6, 12},
}


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
