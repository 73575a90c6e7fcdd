"""`statetracker.gl.completeness`: whether a texture can be sampled, rule by rule."""

from __future__ import annotations

import pytest

from statetracker.gl import Image, Limits, Sampler, Texture, internal_format_named

RGBA8, RGBA16F, R8UI = (internal_format_named(name) for name in ("RGBA8", "RGBA16F", "R8UI"))
LINEAR = Sampler(min_filter="linear")
NEAREST = Sampler(min_filter="nearest", mag_filter="nearest")
MIPMAPPED = Sampler(min_filter="linear-mipmap-linear")


def missing(texture: Texture, sampler: Sampler, limits: Limits | None = None) -> bool:
    return bool(texture.missing(sampler, limits))


def test_a_texture_without_images_is_incomplete() -> None:
    """Whatever the filter, and also where stencil is to be sampled."""
    for texture in (Texture("2d"), Texture("2d", stencil_sampling=True)):
        assert texture.missing(NEAREST) == texture.missing(LINEAR) == "there is no image at BASE_LEVEL 0"


def test_one_level_is_complete_unless_mipmaps_are_read() -> None:
    texture = Texture("2d", "RGBA8", (4, 4), levels=1)
    assert not missing(texture, LINEAR)
    assert texture.missing() == "level 1 is missing (of 0..2)"


@pytest.mark.parametrize("size", [(0, 4, 4), (4, 0, 4), (4, 4, 0)])
def test_a_zero_dimension_is_incomplete(size: tuple[int, int, int]) -> None:
    assert missing(Texture("3d", "RGBA8", size, levels=1), LINEAR)


def test_max_level_below_base_level_is_complete_without_mipmaps() -> None:
    """Nothing else is looked at, not even whether there is an image."""
    texture = Texture("2d", base_level=2, max_level=1)
    assert not missing(texture, LINEAR)
    assert texture.missing(MIPMAPPED) == "MAX_LEVEL 1 is below BASE_LEVEL 2"


def test_max_level_below_base_level_hides_that_texels_are_integers() -> None:
    """The first completeness test never looks at the format, and a later one may."""
    texture = Texture("2d", base_level=1, max_level=0)
    texture.put_image(0, 1, Image(R8UI, 4, 4, 1))
    assert not missing(texture, LINEAR)
    assert not texture.facts().is_integer
    texture.store("max_level", 1)
    assert missing(texture, LINEAR)
    assert texture.facts().is_integer


def test_what_was_seen_once_stays_seen() -> None:
    """MAX_LEVEL below BASE_LEVEL does not refresh the integer fact in either direction."""
    texture = Texture("2d", "R8UI", (4, 4))
    texture.store("base_level", 1)
    texture.store("max_level", 0)
    assert missing(texture, LINEAR)


def test_integers_stay_known_while_there_is_no_base_image() -> None:
    """Observed live: the fallback is drawn with linear filters, the texture itself with nearest ones."""
    texture = Texture("2d", "R8UI", (4, 4), levels=1)
    texture.store("base_level", 3)
    texture.store("max_level", 1)
    assert texture.base_image() is None
    assert texture.missing(LINEAR).startswith("the texture holds integers")
    assert not missing(texture, NEAREST)
    unseen = Texture("2d", base_level=3, max_level=1)
    unseen.put_image(0, 0, Image(R8UI, 4, 4, 1))
    assert not missing(unseen, LINEAR)
    stencil = Texture("2d", "DEPTH24_STENCIL8", (4, 4), levels=1, base_level=3, max_level=1, stencil_sampling=True)
    assert not missing(stencil, LINEAR)


@pytest.mark.parametrize("wrong", [Image(RGBA16F, 2, 2, 1), Image(RGBA8, 2, 1, 1), Image(RGBA8, 4, 4, 1)])
def test_a_level_of_another_size_or_format_breaks_the_chain(wrong: Image) -> None:
    """Each level is half the one before, in one internal format."""
    texture = Texture("2d", "RGBA8", (4, 4))
    texture.put_image(0, 1, wrong)
    assert missing(texture, MIPMAPPED)
    assert not missing(texture, LINEAR)


@pytest.mark.parametrize("face", range(1, 6))
def test_a_cube_needs_all_six_faces_alike(face: int) -> None:
    """A missing or different one is incomplete for every filter."""
    texture = Texture("cube-map", "RGBA8", (4, 4))
    texture.put_image(face, 0, Image(RGBA16F, 4, 4, 1))
    assert missing(texture, LINEAR)
    del texture.images[face, 0]
    texture.changed()
    assert missing(texture, LINEAR)


def test_a_cubes_chain_counts_on_every_face() -> None:
    texture = Texture("cube-map", "RGBA8", (4, 4))
    assert not missing(texture, MIPMAPPED)
    del texture.images[5, 2]
    texture.changed()
    assert missing(texture, MIPMAPPED)


def test_buffer_textures_are_always_complete() -> None:
    """They have no image of their own, and nothing filters them."""
    assert not missing(Texture("buffer"), MIPMAPPED)
    assert (Texture("buffer").examine().base, Texture("buffer").examine().mipmap) == ("", "")
    assert not missing(Texture("buffer", is_float=True), LINEAR, Limits(profile="gles2"))


# fmt: off
FILTERS = [
    ("nearest", "nearest",                False), ("nearest", "nearest-mipmap-nearest", False),
    ("linear",  "nearest",                True),  ("nearest", "linear",                 True),
    ("nearest", "nearest-mipmap-linear",  True),  ("nearest", "linear-mipmap-nearest",  True),
]
# fmt: on


@pytest.mark.parametrize(("mag", "min_", "incomplete"), FILTERS)
@pytest.mark.parametrize(
    "texture",
    [
        Texture("2d", "R8UI", (4, 4)),
        Texture("2d", "STENCIL_INDEX8", (4, 4)),
        Texture("2d", "DEPTH24_STENCIL8", (4, 4), stencil_sampling=True),
    ],
    ids=str,
)
def test_integers_and_stencil_are_read_by_nearest_filters_only(
    mag: str, min_: str, incomplete: bool, texture: Texture
) -> None:
    assert missing(texture, Sampler(mag_filter=mag, min_filter=min_)) is incomplete


def test_depth_stencil_that_samples_depth_may_be_filtered() -> None:
    """So may a colour texture whose stencil mode is set."""
    assert not missing(Texture("2d", "DEPTH24_STENCIL8", (4, 4)), LINEAR)
    assert not missing(Texture("2d", "RGBA8", (4, 4), stencil_sampling=True), LINEAR)


def test_reduction_excuses_integers_from_21_2_on() -> None:
    reduced = Sampler(min_filter="linear", reduction_mode="min")
    texture = Texture("2d", "R8UI", (4, 4))
    seen = [missing(texture, reduced, Limits(release=release)) for release in ("21.0", "21.2", "22.3", "24.1")]
    assert seen == [True, False, False, False]


def test_the_driver_option_excuses_integers_but_not_stencil() -> None:
    forced = Limits(force_integer_nearest=True)
    assert not missing(Texture("2d", "R8UI", (4, 4)), LINEAR, forced)
    assert missing(Texture("2d", "DEPTH24_STENCIL8", (4, 4), stencil_sampling=True), LINEAR, forced)


def test_gles_float_textures_are_filtered_with_an_extension_only() -> None:
    """What counts is the texture's own sampler; desktop GL has no such rule."""
    texture = Texture("2d", "RGBA32F", (4, 4), is_float=True, sampler=Sampler(min_filter="linear"))
    gles, capable = (
        Limits(profile="gles2"),
        Limits(profile="gles2", extensions=frozenset({"GL_OES_texture_float_linear"})),
    )
    for sampler in (NEAREST, MIPMAPPED):
        assert [missing(texture, sampler, limits) for limits in (gles, capable, Limits())] == [True, False, False]
    texture.sampler.update(min_filter="nearest-mipmap-nearest", mag_filter="nearest")
    assert not missing(texture, LINEAR, gles)


def test_gles_half_float_textures_have_an_extension_of_their_own() -> None:
    texture = Texture("2d", "RGBA16F", (4, 4), sampler=Sampler(min_filter="linear"))
    texture.is_half_float = True
    helped = [
        Limits(profile="gles2", extensions=frozenset({f"GL_OES_texture_{kind}_linear"}))
        for kind in ("float", "half_float")
    ]
    assert [missing(texture, NEAREST, limits) for limits in helped] == [True, False]


def test_a_cubes_faces_are_square() -> None:
    texture = Texture("cube-map")
    for face in range(6):
        texture.put_image(face, 0, Image(RGBA8, 4, 2, 1))
    assert texture.missing(LINEAR) == "a cube's faces are 4x2, not square"
    texture = Texture("2d")
    texture.put_image(0, 0, Image(RGBA8, 4, 2, 1))
    assert not missing(texture, LINEAR)


def test_the_last_level_of_an_immutable_texture_counts() -> None:
    texture = Texture("2d", "RGBA8", (16, 16), levels=2, immutable=True)
    del texture.images[0, 1]
    texture.changed()
    assert texture.missing(MIPMAPPED) == "level 1 is missing (of 0..1)"


def test_multisample_textures_know_no_filter_rule() -> None:
    """Filters of a sampler object ask neither for a chain nor for texels that are no integers."""
    assert missing(Texture("2d-multisample"), NEAREST)
    texture = Texture("2d-multisample", "R8UI", (4, 4), samples=4, max_level=0)
    texture.store("base_level", 0)
    assert not missing(texture, MIPMAPPED)
    texture.store("max_level", -1)
    assert not missing(texture, MIPMAPPED)


@pytest.mark.parametrize(
    ("texture", "what"),
    [
        (Texture("2d", "R8UI", (4, 4)), "R8UI"),
        (Texture("2d", "R8UI", (4, 4), stencil_sampling=True), "R8UI"),
        (Texture("2d", "DEPTH24_STENCIL8", (4, 4), stencil_sampling=True), "the stencil part"),
    ],
    ids=str,
)
def test_what_holds_integers_is_named(texture: Texture, what: str) -> None:
    assert texture.missing(LINEAR).startswith(f"{what} holds integers")


@pytest.mark.parametrize(("mag", "min_", "incomplete"), FILTERS)
def test_gles_float_textures_count_as_filtered_as_integers_do(mag: str, min_: str, incomplete: bool) -> None:
    """By both filters of the texture's own sampler."""
    texture = Texture("2d", "RGBA32F", (4, 4), is_float=True, sampler=Sampler(mag_filter=mag, min_filter=min_))
    assert missing(texture, NEAREST, Limits(profile="gles2")) is incomplete


@pytest.mark.parametrize("size", [(5, 2, 12), (2, 12, 5), (12, 5, 2)])
@pytest.mark.parametrize(("target", "dimensions"), [("1d", 1), ("2d", 2), ("3d", 3), ("1d-array", 1), ("2d-array", 2)])
def test_each_side_of_each_level_counts(target: str, dimensions: int, size: tuple[int, int, int]) -> None:
    """The sides of GL's rule: floor(size / 2**level), at least 1; layers stay."""
    given = size[: 1 if target == "1d" else 2 if target in ("2d", "1d-array") else 3]
    texture = Texture(target, "RGBA8", given)
    assert not missing(texture, MIPMAPPED)
    full = (*given, 1, 1)[:3]
    levels = max(full[:dimensions]).bit_length()
    assert sorted(texture.images) == [(0, level) for level in range(levels)]
    for level in range(1, levels):
        sides = [max(1, side >> level) if at < dimensions else side for at, side in enumerate(full)]
        for at in range(3):
            for wrong in (sides[at] + 1, sides[at] - 1):
                changed = [*sides[:at], wrong, *sides[at + 1 :]]
                texture.put_image(0, level, Image(RGBA8, changed[0], changed[1], changed[2]))
                said = "x".join(map(str, changed)), "x".join(map(str, sides))
                assert texture.missing(MIPMAPPED) == f"level {level} is {said[0]}, not {said[1]}"
        texture.put_image(0, level, Image(RGBA8, sides[0], sides[1], sides[2]))
        assert not missing(texture, MIPMAPPED)
