"""`statetracker.sampler.conversion`: total, pure, and the same whichever way it is asked."""

from __future__ import annotations

from itertools import product
from math import nan
from struct import pack
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import FormatFeatures, Screen
from statetracker.errors import UnknownName
from statetracker.gl import (
    MagFilter,
    MinFilter,
    Sampler,
    Texture,
    TextureFacts,
    UnitFacts,
    Wrap,
)
from statetracker.gl.floats import f32
from statetracker.pipe import Lowering, TexMipfilter, TexWrap
from statetracker.pipe.layout import MASKS, RECORD_BYTES
from statetracker.sampler import DIALECTS, Dialect, converter, lowering, sampler_state
from statetracker.sampler.conversion import Converter
from statetracker.sampler.gl_side import BORDER_USED, WORD_MASK, quantize_lod_bias, sampler_key

SAMPLERS = some.from_type(Sampler)
FACTS = some.from_type(TextureFacts)
SCREENS = some.from_type(Screen)
DIALECT = some.from_type(Dialect)
BIASES = some.floats(width=32)
LLVMPIPE: Final = Screen.named("llvmpipe")
REFUSES: Final = FormatFeatures({}, default=False)


@pytest.mark.parametrize("dialect", ["mesa22", "seed"])
@pytest.mark.parametrize(("own", "unit"), list(product((0.0, -0.0, 1.0, -1e-9), (0.0, -0.0, 0.5))))
def test_signs_of_zero_biases_add_up(own: float, unit: float, dialect: str) -> None:
    """Only -0.0 and -0.0 are -0.0 where each part is rounded; the seed rounds the sum."""
    seen = converter(LLVMPIPE, dialect).record(Sampler(lod_bias=own), Texture().facts(), UnitFacts(unit))[4:8]
    parts = quantize_lod_bias(f32(own)) + quantize_lod_bias(unit)
    wanted = parts if dialect == "mesa22" else quantize_lod_bias(f32(f32(own) + unit))
    assert seen == pack("<f", wanted)


@given(SAMPLERS, FACTS, SCREENS, DIALECT)
def test_every_member_has_a_value_that_its_enum_names(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect
) -> None:
    """No padding, no filter 3, no wrap left that the hardware lacks."""
    state = sampler_state(sampler, facts, screen, dialect=dialect)
    assert int.from_bytes(bytes(state)[:4], "little") & ~WORD_MASK == 0
    assert isinstance(state.min_mip_filter, TexMipfilter)
    if screen.emulate_gl_clamp and dialect.clamp_filter != "never":
        assert not {TexWrap.CLAMP, TexWrap.MIRROR_CLAMP} & {state.wrap_s, state.wrap_t, state.wrap_r}


@given(SAMPLERS, FACTS, DIALECT, some.sampled_from(["nearest", "when-comparing"]))
def test_refused_format_is_filtered_linearly_only_while_it_is_compared(
    sampler: Sampler, facts: TextureFacts, dialect: Dialect, treatment: str
) -> None:
    """And on ``nearest`` screens never."""
    screen = LLVMPIPE.replace(linear_filtering=REFUSES, unfilterable_depth=treatment)
    state = sampler_state(sampler, facts, screen, dialect=dialect)
    linear = state.min_img_filter or state.mag_img_filter or state.min_mip_filter == TexMipfilter.LINEAR
    assert not linear or (treatment == "when-comparing" and state.compare_mode)


@given(SAMPLERS, FACTS, SCREENS, DIALECT, BIASES, some.booleans())
def test_handles_ignore_bias_and_context_switch(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, bias: float, seamless: bool
) -> None:
    plain = sampler_state(sampler, facts, screen, dialect=dialect, unit=UnitFacts(bindless=True))
    unit = UnitFacts.of(bias, seamless=seamless, glsl130=False, bindless=True)
    asked = sampler_state(sampler, facts, screen, dialect=dialect, unit=unit)
    assert asked == plain


def test_handle_of_a_buffer_texture_is_all_zeros() -> None:
    texture, sampler = Texture("buffer"), Sampler(wrap="clamp")
    assert bytes(sampler_state(sampler, texture, LLVMPIPE, unit=UnitFacts(bindless=True))) == bytes(RECORD_BYTES)
    assert sampler_state(sampler, texture, LLVMPIPE).wrap_s == TexWrap.CLAMP


def test_unit_bias_is_rounded_to_float32_before_it_is_quantised() -> None:
    """This one is half a step only as float32, and halves go up."""
    below_half = 0.5 / 256 - 1e-12
    assert sampler_state(Sampler(), Texture(), LLVMPIPE, unit=UnitFacts.of(below_half)).lod_bias == 1 / 256
    assert sampler_state(Sampler(), Texture(), LLVMPIPE, unit=UnitFacts.of(1e300)).lod_bias == 16.0
    assert sampler_state(Sampler(), Texture(), LLVMPIPE, unit=UnitFacts.of(nan)).lod_bias == -16.0


def test_converter_is_made_once_for_a_screen_and_dialect() -> None:
    assert converter(LLVMPIPE, "mesa22") is converter(LLVMPIPE, DIALECTS["mesa22"])
    assert converter(LLVMPIPE, "seed") is not converter(LLVMPIPE)
    assert converter(LLVMPIPE.replace()) is not converter(LLVMPIPE)


@pytest.mark.parametrize("word", [[], ["mesa22"], {}, 22, None])
def test_what_is_no_word_is_no_dialect(word: Any) -> None:
    """Not even what cannot be a key."""
    with pytest.raises(UnknownName, match="dialect"):
        converter(LLVMPIPE, word)


# The clamp rule once more, as naively as can be.


def lowered(wrap: Wrap, *, border: bool) -> TexWrap:
    """Say what becomes of a GL wrap on hardware without GL_CLAMP."""
    if wrap == Wrap.CLAMP:
        return TexWrap.CLAMP_TO_BORDER if border else TexWrap.CLAMP_TO_EDGE
    if wrap == Wrap.MIRROR_CLAMP_EXT:
        return TexWrap.MIRROR_CLAMP_TO_BORDER if border else TexWrap.MIRROR_CLAMP_TO_EDGE
    return TexWrap[wrap.name.removesuffix("_EXT").replace("MIRRORED", "MIRROR")]


FILTERS: Final = tuple(product(MinFilter, MagFilter))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("smallest", "largest"), FILTERS)
def test_clamp_lowering_over_all_wraps(smallest: MinFilter, largest: MagFilter, dialect: str) -> None:
    """All 512 triples: each axis for itself, by both filters or, in the seed, by the min filter; not before 21.2."""
    screen, facts = Screen(emulate_gl_clamp=True), Texture().facts()
    border = bool(smallest & 1) and (dialect == "seed" or largest == MagFilter.LINEAR)
    expected = {wrap: lowered(wrap, border=border) for wrap in Wrap}
    if dialect in ("21.0", "21.1"):
        expected = {wrap: TexWrap[wrap.name.removesuffix("_EXT").replace("MIRRORED", "MIRROR")] for wrap in Wrap}
    record, sampler = converter(screen, dialect).record, Sampler(min_filter=smallest, mag_filter=largest)
    shifts = MASKS["wrap_s"] | MASKS["wrap_t"] | MASKS["wrap_r"]
    for triple in product(Wrap, repeat=3):
        sampler.wrap_s, sampler.wrap_t, sampler.wrap_r = triple
        sampler.derived = None
        s, t, r = (expected[wrap] for wrap in triple)
        assert int.from_bytes(record(sampler, facts)[:4], "little") & shifts == s | t << 3 | r << 6


@pytest.mark.parametrize(("wrap", "dialect"), list(product(Wrap, DIALECTS)))
def test_hardware_with_gl_clamp_gets_every_wrap_as_it_is(wrap: Wrap, dialect: str) -> None:
    state = sampler_state(Sampler(wrap=wrap), Texture(), LLVMPIPE, dialect=dialect)
    assert state.wrap_s.name == wrap.name.removesuffix("_EXT").replace("MIRRORED", "MIRROR")


# Depth that cannot be filtered linearly: three behaviours of the screen.


def test_stencil_of_refused_depth_is_clamped_to_the_edge() -> None:
    """It cannot be compared, so nothing stays linear."""
    screen = Screen(linear_filtering=REFUSES, unfilterable_depth="when-comparing", emulate_gl_clamp=True)
    sampler = Sampler(min_filter="linear", mag_filter="linear", wrap="clamp", compare_mode=True)
    texture = Texture("2d", "DEPTH24_STENCIL8", stencil_sampling=True)
    assert sampler_state(sampler, texture, screen).wrap_s == TexWrap.CLAMP_TO_EDGE


@pytest.mark.parametrize(("low", "high"), [(5.0, nan), (nan, nan), (2.0, 2.0), (0.0, -0.0)])
def test_seed_swaps_no_lods_that_are_not_the_wrong_way_round(low: float, high: float) -> None:
    """NaN is neither above nor below, and the two zeros are equal."""
    sampler = Sampler(min_lod=low, max_lod=high)
    state = sampler_state(sampler, Texture(), LLVMPIPE, dialect="seed")
    assert bytes(state)[8:16] == bytes(sampler_state(sampler, Texture(), LLVMPIPE))[8:16]


@pytest.mark.parametrize("fast", [True, False])
def test_unit_is_plain_unless_it_is_said_otherwise(fast: bool) -> None:
    """No bias, no switch, GLSL 1.30, and no handle."""
    screen = LLVMPIPE.replace(use_format_with_border_color=True)
    sampler = Sampler(wrap="clamp-to-border", border_color=(1, 1, 1, 1), srgb_decode="skip-decode")
    facts = Texture("2d", "SRGB8_ALPHA8").facts()
    chosen = Converter(screen, DIALECTS["mesa22"], fast=fast)
    assert chosen.record(sampler, facts) == chosen.record(sampler, facts, UnitFacts())
    assert chosen.record(sampler, facts) != chosen.record(sampler, facts, UnitFacts(bindless=True))
    assert chosen.memo.plan(facts) is chosen.memo.plan(facts, UnitFacts(0.5, seamless=True))


def test_border_rule_runs_over_lowered_wraps() -> None:
    """A clamp that was lowered to the edge reads no border."""
    sampler = Sampler(wrap="clamp", min_filter="nearest", border_color=(0.5, 0, 0, 1))
    screen, facts = Screen(emulate_gl_clamp=True), Texture("2d", "R8").facts()
    assert not converter(screen).memo.plan(facts).word(sampler_key(sampler)) & BORDER_USED
    assert converter(LLVMPIPE).memo.plan(facts).word(sampler_key(sampler)) & BORDER_USED


# What GL asks for and the shader must do


PLAIN = Texture("2d", "RGBA8").facts()
RECTANGLE = Texture("rectangle", "RGBA8").facts()
CLAMPS = (Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT)
EMULATES = Screen(emulate_gl_clamp=True)


@pytest.mark.parametrize("wraps", list(product([Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT, Wrap.REPEAT], repeat=3)))
@pytest.mark.parametrize("emulates", [False, True])
def test_clamped_axes_are_clamped_where_clamp_is_emulated(wraps: tuple[Wrap, ...], emulates: bool) -> None:
    """Each axis for itself, CLAMP and its mirror."""
    s, t, r = wraps
    seen = lowering(Sampler(wrap_s=s, wrap_t=t, wrap_r=r), PLAIN, Screen(emulate_gl_clamp=emulates))
    letters = ["".join(x for x, w in zip("str", wraps, strict=True) if emulates and w == wrap) for wrap in CLAMPS]
    assert seen == Lowering(clamp=letters[0], mirror=letters[1])


@pytest.mark.parametrize("lowers", [False, True])
def test_rectangle_has_texel_coordinates_that_a_shader_may_have_to_normalise(lowers: bool) -> None:
    """Clamping is to its size either way."""
    seen = lowering(Sampler(), RECTANGLE, Screen(lower_rect_tex=lowers))
    assert (seen.texel_coords, seen.normalize, seen.needed) == (True, lowers, lowers)


@pytest.mark.parametrize("has_samplers", [False, True])
def test_a_buffer_texture_has_no_sampler_to_clamp_unless_the_driver_says_so(has_samplers: bool) -> None:
    """A sampler object may be bound to its unit nevertheless."""
    screen, buffer = EMULATES.replace(texture_buffer_sampler=has_samplers), Texture("buffer", "RGBA8").facts()
    assert lowering(Sampler(wrap="clamp"), buffer, screen).needed is has_samplers


def test_plain_texture_needs_no_normalisation_where_rectangles_do() -> None:
    """A driver without rectangle textures still has all others."""
    assert not lowering(Sampler(), PLAIN, Screen(lower_rect_tex=True)).needed
