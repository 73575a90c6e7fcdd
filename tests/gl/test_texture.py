"""`statetracker.gl.texture`: what a texture object keeps."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import Sampler, Texture, fallback_texture
from statetracker.gl import enums as e
from statetracker.gl.formats import given_format
from statetracker.gl.targets import Image
from statetracker.gl.texture import own_sampler

EDGE = 0x812F


@pytest.mark.parametrize("target", e.Target)
@pytest.mark.parametrize("by_bind", [True, False])
def test_a_new_textures_sampler_depends_on_target_and_creation(target: e.Target, by_bind: bool) -> None:
    """Rectangle and external: edge and LINEAR. Multisample, if bound first: edge and NEAREST. Others: GL's defaults."""
    sampler = own_sampler(target, by_bind=by_bind)
    single = target in (e.Target.TEXTURE_RECTANGLE, e.Target.TEXTURE_EXTERNAL_OES)
    nearest = target.is_multisample and by_bind
    expected = (EDGE, 0x2601, 0x2601) if single else (EDGE, 0x2600, 0x2600) if nearest else (0x2901, 0x2702, 0x2601)
    assert (sampler.wrap_s, sampler.min_filter, sampler.mag_filter) == expected
    assert sampler.wrap_s == sampler.wrap_t == sampler.wrap_r


@pytest.mark.parametrize("target", [t for t in e.Target if t != e.Target.TEXTURE_BUFFER])
def test_the_fallback_is_one_opaque_black_texel(target: e.Target) -> None:
    """RGBA, unsigned normalised, NEAREST without mipmaps, complete."""
    texture = fallback_texture(target)
    facts = texture.facts()
    assert (facts.target, facts.base_format, facts.is_integer, facts.stencil_sampling) == (target, "RGBA", False, False)
    assert (texture.sampler.min_filter, texture.sampler.mag_filter) == (0x2600, 0x2600)
    assert texture.sampler.wrap_s == own_sampler(target, by_bind=False).wrap_s
    assert texture.missing() == ""


# fmt: off
MISFITS = [
    ({"target": "4d"},                                     "target",          UnknownName),
    ({"internal_format": "RGBA9"},                         "internal_format", UnknownName),
    ({"internal_format": 0x2900},                          "internal_format", ArgumentError),
    ({"internal_format": "RGBA8", "size": (4, -1)},        "size",            ArgumentError),
    ({"internal_format": "RGBA8", "size": (1, 1, 1, 1)},   "size",            ArgumentError),
    ({"internal_format": "RGBA8", "size": (4, 4), "levels": 9}, "levels",     ArgumentError),
    ({"base_level": -1},                                   "base_level",      ArgumentError),
    ({"max_level": 1.5},                                   "max_level",       ArgumentError),
    ({"swizzle": ("red", "red", "red")},                   "swizzle",         ArgumentError),
    ({"swizzle": ("red", "red", "red", "purple")},         "swizzle",         UnknownName),
    ({"swizzle": 7},                                       "swizzle",         ArgumentError),
    ({"depth_mode": "green"},                              "depth_mode",      UnknownName),
    ({"storage_format": []},                               "storage_format",  ArgumentError),
    ({"surface_format": 7},                                "surface_format",  ArgumentError),
    ({"view_swizzle": 7},                                  "view_swizzle",    ArgumentError),
    ({"view_swizzle": (0, 1, 2)},                          "view_swizzle",    ArgumentError),
    ({"view_swizzle": (0, 1, 2, 6)},                       "view_swizzle",    ArgumentError),
    ({"view_swizzle": (0, -1, 2, 3)},                      "view_swizzle",    ArgumentError),
    ({"view_swizzle": (0, 1, 2, "x")},                     "view_swizzle",    ArgumentError),
]
# fmt: on


@pytest.mark.parametrize(("facts", "field", "error"), MISFITS)
def test_what_does_not_fit_is_an_argument_error(facts: dict[str, Any], field: str, error: type[ArgumentError]) -> None:
    with pytest.raises(error) as caught:
        Texture(**facts)
    assert caught.value.field == field


def test_facts_follow_parameters() -> None:
    texture = Texture("2d", "DEPTH24_STENCIL8", (4, 4), swizzle=("one", "zero", "green", "alpha"))
    facts = texture.facts()
    assert (facts.base_format, facts.swizzle, facts.depth_mode) == ("DEPTH_STENCIL", (5, 4, 1, 3), 0x1909)
    assert Texture("2d", "DEPTH24_STENCIL8", (9, 9), swizzle=("one", "zero", "green", "alpha")).facts() is facts
    texture.store("stencil_mode", 0x1901)
    assert texture.facts().stencil_sampling


# fmt: off
CHANGES: list[tuple[str, Any, Any]] = [
    ("base_level",     1,                               1),
    ("max_level",      0,                               0),
    ("depth_mode",     "intensity",                     0x8049),
    ("stencil_mode",   "stencil-index",                 0x1901),
    ("swizzle",        ("one", "red", "zero", "alpha"), (1, 0x1903, 0, 0x1906)),
    ("sampler",        Sampler(),                       None),
    ("is_float",       True,                            True),
    ("is_half_float",  True,                            True),
    ("storage_format", "R8G8B8A8_UNORM",                "R8G8B8A8_UNORM"),
    ("view_swizzle",   [3, 2, 1, 0],                    (3, 2, 1, 0)),
    ("surface_format", "B8G8R8X8_UNORM",                "B8G8R8X8_UNORM"),
    ("immutable_levels", 1,                             1),
]
# fmt: on


@pytest.mark.parametrize(("field", "value", "kept"), CHANGES)
def test_a_field_set_like_an_attribute_is_checked_and_is_a_change(field: str, value: object, kept: object) -> None:
    """As through `store`, and as the constructor takes it."""
    texture = Texture("2d", "DEPTH24_STENCIL8", (4, 4))
    before = texture.token
    texture.examine()
    facts = texture.facts()
    setattr(texture, field, value)
    assert getattr(texture, field) == (value if kept is None else kept)
    assert texture.token > before
    assert texture.examined is None
    assert texture.known_facts is None
    in_facts = {"stencil_mode", "depth_mode", "swizzle", "is_float", "storage_format", "view_swizzle", "surface_format"}
    assert (texture.facts() is facts) == (field not in in_facts)


@pytest.mark.parametrize(("facts", "field", "error"), [row for row in MISFITS if row[1] in Texture.__slots__])
def test_a_bad_value_changes_nothing(facts: dict[str, Any], field: str, error: type[ArgumentError]) -> None:
    """The error is the constructor's; the token stays."""
    texture = Texture("2d", "RGBA8", (4, 4))
    kept, token = getattr(texture, field), texture.token
    with pytest.raises(error):
        setattr(texture, field, facts[field])
    assert (getattr(texture, field), texture.token) == (kept, token)


@pytest.mark.parametrize("field", ["label", "priority", "handles", "generate_mipmap"])
def test_what_nobody_remembers_is_no_change(field: str) -> None:
    texture = Texture("2d", "RGBA8", (4, 4))
    token = texture.token
    setattr(texture, field, 1)
    assert texture.token == token


def test_repr_shows_target_and_base_image() -> None:
    assert repr(Texture("2d", "RGBA8", (4, 2))) == "Texture(TEXTURE_2D, RGBA8, 4x2x1, 3 images)"
    assert repr(Texture("buffer")) == "Texture(TEXTURE_BUFFER, no base image, 0 images)"


def test_content_is_the_facts_after_the_test_of_completeness_and_whose_the_own_sampler_is() -> None:
    texture = Texture("2d", "RGBA8", (4, 4))
    content = texture.content()
    texture.allocate(given_format("RGBA8"), (2, 2, 1), 1)
    texture.sampler.max_lod = 2.0
    assert texture.content() == content
    texture.allocate(given_format("RGBA8UI"), (2, 2, 1), 1)
    facts, _ = texture.content()
    assert facts.is_integer
    texture.allocate(given_format("RGBA8"), (2, 2, 1), 1)
    assert texture.content() == content
    texture.sampler = texture.sampler.copy()
    assert texture.content() != content


@pytest.mark.parametrize("way", [Texture.copy, copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301 (made here)
def test_a_copy_of_any_kind_has_the_state_and_shares_nothing(way: Callable[[Texture], Texture]) -> None:
    """Nor its name and handles; formats stay the one object they are."""
    one = Texture("cube-map", "RGBA8UI", (4, 4), swizzle=("one", "zero", "red", "alpha"), max_level=1, immutable=True)
    one.sampler.update(border_color=(1, 0.5, 0, 1))
    one.handles, one.label = 1, 7
    other = way(one)
    assert other.facts() is one.facts()
    assert other.images == one.images
    assert other.images is not one.images
    assert other.images[0, 0].format is one.images[0, 0].format
    assert (other.examine(), other.immutable_levels, other.max_level) == (one.examine(), one.immutable_levels, 1)
    assert other.sampler is not one.sampler
    assert other.sampler.content() == one.sampler.content()
    assert other.token != one.token
    assert (other.handles, other.label) == (0, None)


def test_textures_of_one_shape_share_images_and_nothing_else() -> None:
    one, other = Texture("cube-map", "RGBA8", 8), Texture("cube-map", "RGBA8", 8)
    assert all(one.images[at] is other.images[at] for at in one.images)
    other.put_image(0, 1, Image(given_format("R8"), 4, 4, 1))
    assert (one.examine().mipmap, one.images.keys()) == ("", other.images.keys())
    assert other.examine().mipmap


@pytest.mark.parametrize(
    ("field", "value"), [("size", 4.0), ("size", None), ("size", (4.0, 4)), ("samples", "4"), ("samples", -1)]
)
def test_a_size_or_a_count_that_is_no_whole_number_is_an_argument_error(field: str, value: Any) -> None:
    with pytest.raises(ArgumentError, match=field):
        Texture("2d-multisample", "RGBA8", **{"size": (4, 4), field: value})


class Interrupted(dict[tuple[int, int], Image]):
    """Images, and an interrupt right after a change of them."""

    def __setitem__(self, place: tuple[int, int], image: Image) -> None:
        super().__setitem__(place, image)
        raise KeyboardInterrupt

    def update(self, *images: Any, **_none: Any) -> None:
        super().update(*images)
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "change",
    [
        lambda texture: texture.generate(0),
        lambda texture: texture.allocate(given_format("R8UI"), (8, 8, 1), 2),
        lambda texture: texture.put_image(0, 1, texture.images[0, 0]),
    ],
)
def test_an_interrupted_change_has_a_new_token_and_nothing_derived(change: Callable[[Texture], None]) -> None:
    """Memos of the loop that are kept with the token before would be wrong for the images there are now."""
    texture = Texture("2d", "RGBA8", (8, 8), levels=1)
    texture.images = Interrupted(texture.images)
    before = texture.examine(), texture.token, len(texture.images)
    with pytest.raises(KeyboardInterrupt):
        change(texture)
    assert len(texture.images) == before[2] + 1
    assert texture.token != before[1]
    assert texture.examine() != before[0]
