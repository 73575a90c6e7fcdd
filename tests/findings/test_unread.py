"""A setting that nothing reads makes no difference: held against the reference unit, whatever its value is."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.findings.unread import ROWS, Sampled, unread
from statetracker.frontend.vulkan_view import whole_screen
from statetracker.gl import enums as e
from statetracker.reference import TARGETS, Texels, TextureUnit

SCREEN = whole_screen(st.Screen.named("llvmpipe"))
SIZES = {"1d": (8,), "2d": (8, 4), "3d": (4, 8, 2), "cube": (8, 8), "1d-array": (8, 3), "2d-array": (4, 8, 3)}
WRAPS = some.sampled_from(list(e.Wrap))
LODS = some.sampled_from([-1000.0, -2.0, -0.5, 0.0, 0.25, 1.0, 2.5, 1000.0])
FIELDS: dict[str, Any] = {
    **dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), WRAPS),
    "min_filter": some.sampled_from(list(e.MinFilter)),
    "mag_filter": some.sampled_from(list(e.MagFilter)),
    **dict.fromkeys(("min_lod", "max_lod", "lod_bias"), LODS),
    "compare_mode": some.sampled_from(list(e.CompareMode)),
    "compare_func": some.sampled_from(list(e.CompareFunc)),
    "cube_map_seamless": some.booleans(),
    "reduction_mode": some.sampled_from(list(e.ReductionMode)),
    "border_color": some.sampled_from([(0.0, 0.0, 0.0, 0.0), (1.0, 0.5, 0.25, 0.75), (0.0, 0.0, 0.0, 1.0)]),
}


@some.composite
def lookups(draw: some.DrawFn) -> tuple[st.Sampler, st.Texture, bool]:
    """A sampler, a complete texture, and the context's switch."""
    target = draw(some.sampled_from(sorted(SIZES)))
    depth = target != "3d" and draw(some.booleans())
    levels = draw(some.sampled_from([1, 2]))
    texture = st.Texture(target, "DEPTH_COMPONENT32F" if depth else "RGBA8", SIZES[target], levels=levels)
    texture.max_level = levels - 1
    return st.Sampler(**{name: draw(values) for name, values in FIELDS.items()}), texture, draw(some.booleans())


def texels(texture: st.Texture) -> Texels:
    name = next(n for n in SIZES if st.Texture(n).target == texture.target)
    shape = TARGETS[name]
    numbers = np.random.default_rng(5)
    sizes = SIZES[name]
    layers = 6 if shape.cube else sizes[-1] if shape.layered else 1
    axes = sizes[: shape.axes]
    levels = []
    for level in range(len(texture.images) // (6 if shape.cube else 1)):
        small = [max(1, size >> level) for size in axes]
        whole = ([layers] if shape.cube or shape.layered else []) + small[::-1] + [4]
        levels.append(numbers.random(whole))
    return Texels(name, levels)


def samples(sampler: st.Sampler, texture: st.Texture, *, seamless: bool) -> np.ndarray[Any, Any]:
    made = st.convert(sampler, texture, SCREEN, seamless=seamless).pipe
    content = texels(texture)
    unit = TextureUnit(made, content)
    numbers = np.random.default_rng(7)
    places = numbers.uniform(-2.5, 2.5, (200, content.shape.coordinates))
    lods = numbers.uniform(-2.0, 3.0, 200)
    return unit.sample(places, lod=lods, reference=np.full(200, 0.5) if unit.compares else None)


def changed(field: str, sampler: st.Sampler, value: Any) -> st.Sampler:
    """The sampler with another value of a field; of the mipmap filter only that part."""
    if field != "mipmap filter":
        return sampler.copy(**{field: value})
    return sampler.copy(min_filter=sampler.min_filter & ~0x102 if sampler.min_filter > 0x2601 else sampler.min_filter)


@given(lookup=lookups(), values=some.fixed_dictionaries(FIELDS))
def test_what_is_unread_makes_no_difference(
    lookup: tuple[st.Sampler, st.Texture, bool], values: dict[str, Any]
) -> None:
    sampler, texture, seamless = lookup
    facts, _ = texture.content()
    before = samples(sampler, texture, seamless=seamless)
    for field in unread(Sampled(sampler, facts, texture.part().levels or 1, seamless)):
        if field == "srgb_decode":
            continue
        after = changed(field, sampler, values.get(field))
        assert np.array_equal(before, samples(after, texture, seamless=seamless), equal_nan=True), field


def test_srgb_decoding_is_unread_but_of_srgb() -> None:
    for name in ("RGBA8", "SRGB8_ALPHA8", "SRGB8"):
        texture = st.Texture("2d", name, (4, 4))
        left = unread(Sampled(st.Sampler(), texture.content()[0], 1, seamless=False))
        assert ("srgb_decode" in left) == (name == "RGBA8")


@pytest.mark.parametrize("target", ["buffer", "2d-multisample"])
def test_nothing_of_a_sampler_is_read_where_texels_are_fetched(target: str) -> None:
    left = unread(Sampled(st.Sampler(), st.Texture(target).content()[0], 1, seamless=False))
    assert left.keys() >= ROWS.keys() | {"min_filter", "mag_filter", "max_anisotropy"}


@pytest.mark.parametrize(("wrap", "linear"), [*product(e.Wrap, (False, True))])
def test_a_border_is_read_where_a_change_of_it_shows(wrap: e.Wrap, linear: bool) -> None:
    """No setting is called unread only to be safe: where the border counts, another colour gives other samples."""
    texture = st.Texture("2d", "RGBA8", SIZES["2d"])
    texture.max_level = 0
    sampler = st.Sampler(wrap=wrap, filter=("linear", "linear") if linear else ("nearest", "nearest"))
    left = unread(Sampled(sampler, texture.content()[0], 1, seamless=False))
    one, other = (
        samples(sampler.copy(border_color=colour), texture, seamless=False) for colour in [(0, 0, 0, 0), (1, 1, 1, 1)]
    )
    assert ("border_color" in left) == np.array_equal(one, other)
