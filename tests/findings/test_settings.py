"""A setting that nothing reads makes no difference, as the reference unit has it; names of objects in a finding."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.findings import inspect
from statetracker.findings.settings import ROWS, Use, joined, unread
from statetracker.frontend.vulkan_view import whole_screen
from statetracker.gl import enums as e
from statetracker.gl.facts import UNIT, TextureFacts, UnitFacts
from statetracker.gl.sampler import DEFAULTS
from statetracker.reference import TARGETS, Texels, TextureUnit


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["texture 3"], "texture 3"),
        (["sampler 1", "sampler 4"], "sampler 1, 4"),
        ([f"texture {n} of context 2" for n in range(9)], "texture 0, 1, 2, 3, 4, 5 and 3 more of context 2"),
        (["sampler 1", "sampler 2 of context 3"], "sampler 1, 2 of context 3"),
        (["the default texture of GL_TEXTURE_2D", "texture 4"], "the default texture of GL_TEXTURE_2D, texture 4"),
    ],
)
def test_the_first_objects_are_named_and_the_others_counted(names: list[str], said: str) -> None:
    assert joined(names) == said


SCREEN = whole_screen(st.Screen.named("llvmpipe"))
SIZES = {"1d": (8,), "2d": (8, 4), "3d": (4, 8, 4), "cube": (8, 8), "1d-array": (8, 3), "2d-array": (4, 8, 3)}
NAMES = {st.Texture(name).target: name for name in SIZES}
PROGRAMS = sorted((Path(__file__).parents[1] / "data" / "programs").glob("*.dump.txt.gz"))
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


def texels(target: int, levels: int) -> Texels:
    """Any texels, of a texture of `SIZES`."""
    name = NAMES[target]
    shape, sizes, numbers = TARGETS[name], SIZES[name], np.random.default_rng(5)
    layers = [6] if shape.cube else [sizes[-1]] if shape.layered else []
    return Texels(
        name,
        [numbers.random([*layers, *(max(1, size >> level) for size in sizes[: shape.axes][::-1]), 4])
         for level in range(levels)],
    )  # fmt: skip


def samples(sampler: st.Sampler, facts: TextureFacts, levels: int, *, seamless: bool) -> np.ndarray[Any, Any]:
    """What the reference unit samples at random places and levels of detail."""
    content = texels(facts.target, levels)
    unit = TextureUnit(st.convert(sampler, facts, SCREEN, seamless=seamless).pipe, content)
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
    facts, levels = texture.content()[0], texture.part().levels or 1
    before = samples(sampler, facts, levels, seamless=seamless)
    for field in unread(Use(sampler, facts, levels, UnitFacts(seamless=seamless), 0)):
        if field != "srgb_decode":  # which the view has
            after = samples(changed(field, sampler, values.get(field)), facts, levels, seamless=seamless)
            assert np.array_equal(before, after, equal_nan=True), field


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name.removesuffix(".dump.txt.gz"))
def test_recorded_programs_sample_the_same_without_what_is_unread(path: Path) -> None:
    for use in inspect(str(path)).uses:
        facts, levels = use.facts, min(use.levels, 3)
        if facts.target not in NAMES:
            continue
        left = unread(use).keys() - {"srgb_decode"}
        without = use.sampler
        for field in left:
            without = changed(field, without, DEFAULTS.get(field))
        before, after = (samples(one, facts, levels, seamless=use.unit.seamless) for one in (use.sampler, without))
        assert np.array_equal(before, after, equal_nan=True)


def test_srgb_decoding_is_unread_but_of_srgb() -> None:
    for name in ("RGBA8", "SRGB8_ALPHA8", "SRGB8"):
        left = unread(Use(st.Sampler(), st.Texture("2d", name, (4, 4)).content()[0], 1, UNIT, 0))
        assert ("srgb_decode" in left) == (name == "RGBA8")


@pytest.mark.parametrize("target", ["buffer", "2d-multisample"])
def test_nothing_of_a_sampler_is_read_where_texels_are_fetched(target: str) -> None:
    left = unread(Use(st.Sampler(), st.Texture(target).content()[0], 1, UNIT, 0))
    assert left.keys() >= ROWS.keys() | {"min_filter", "mag_filter", "max_anisotropy"}


@pytest.mark.parametrize(("wrap", "linear"), [*product(e.Wrap, (False, True))])
def test_a_border_is_read_where_a_change_of_it_shows(wrap: e.Wrap, linear: bool) -> None:
    """No setting is called unread only to be safe: where the border counts, another colour gives other samples."""
    texture = st.Texture("2d", "RGBA8", SIZES["2d"])
    texture.max_level = 0
    sampler = st.Sampler(wrap=wrap, filter=("linear", "linear") if linear else ("nearest", "nearest"))
    left = unread(Use(sampler, texture.content()[0], 1, UNIT, 0))
    one, other = (
        samples(sampler.copy(border_color=colour), texture.content()[0], 1, seamless=False)
        for colour in [(0, 0, 0, 0), (1, 1, 1, 1)]
    )
    assert ("border_color" in left) == np.array_equal(one, other)


@pytest.mark.parametrize(
    ("name", "stencil"), [("DEPTH_COMPONENT24", 0), ("STENCIL_INDEX8", 1), ("DEPTH24_STENCIL8", 1), ("RGBA8", 0)]
)
def test_only_of_a_format_with_both_does_the_mode_choose_stencil(name: str, stencil: int) -> None:
    use = Use(st.Sampler(), st.Texture("2d", name, (4, 4), stencil_sampling=True).content()[0], 1, UNIT, 0)
    assert use.stencil == stencil
    assert ("compare_mode" in unread(use)) == (name != "DEPTH_COMPONENT24")
