"""`statetracker.sampler.conversion`: total, pure, and the same whichever way it is asked."""

from __future__ import annotations

from itertools import product
from math import copysign, nan
from struct import pack
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker import events
from statetracker.caps import FormatFeatures, Screen
from statetracker.errors import UnknownName
from statetracker.gl import DepthTextureMode, MagFilter, MinFilter, Sampler, Target, Texture, TextureFacts, Wrap
from statetracker.gl.floats import f32
from statetracker.pipe import SamplerState, TexFilter, TexMipfilter, TexWrap
from statetracker.pipe.layout import MASKS, RECORD_BYTES, SHIFTS
from statetracker.sampler import DIALECTS, Dialect, conversion, convert, converter
from statetracker.sampler.conversion import Converter, Plan, unit_kind
from statetracker.sampler.gl_side import (
    BORDER_NONZERO,
    BORDER_USED,
    CLAMPISH,
    COMPARES,
    CONTEXT_SEAMLESS,
    OTHERS_SET,
    SKIPS_DECODE,
    WORD_MASK,
    WRAPS_SET,
    embedded,
    quantize_lod_bias,
)
from statetracker.sampler.situation import BINDLESS, GLSL120, GLSL130

SAMPLERS = some.from_type(Sampler)
FACTS = some.from_type(TextureFacts)
SCREENS = some.from_type(Screen)
DIALECT = some.from_type(Dialect)
KINDS = some.sampled_from([GLSL120, GLSL130, BINDLESS])
BIASES = some.floats(width=32)
LLVMPIPE: Final = Screen.named("llvmpipe")
REFUSES: Final = FormatFeatures({}, default=False)


@given(SAMPLERS, FACTS, SCREENS, DIALECT, BIASES, some.booleans(), KINDS)
def test_every_state_converts_and_always_to_the_same_record(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, bias: float, seamless: bool, kind: int
) -> None:
    """Total and deterministic: a second call, a new converter and a copy of the sampler give the same bytes."""
    first = converter(screen, dialect).record(sampler, facts, bias, seamless, kind)
    assert len(first) == RECORD_BYTES
    assert converter(screen, dialect).record(sampler, facts, bias, seamless, kind) == first
    assert Converter(screen.replace(), dialect).record(sampler.copy(), facts, bias, seamless, kind) == first


@given(SAMPLERS, FACTS, SCREENS, DIALECT, BIASES, some.booleans(), KINDS)
def test_short_form_of_the_hot_path_agrees_with_the_general_one(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, bias: float, seamless: bool, kind: int
) -> None:
    """The general form is the reference; the short one is taken where a dialect asks for nothing else."""
    chosen = Converter(screen, dialect)
    assert chosen.record(sampler, facts, bias, seamless, kind) == chosen._record_general(
        sampler, facts, bias, seamless, kind
    )


@given(SAMPLERS, FACTS, SCREENS, DIALECT, KINDS, some.booleans())
def test_two_parts_are_what_the_rules_make_of_the_whole(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, kind: int, seamless: bool
) -> None:
    """Every rule in its place, over the whole word, as the explanation runs them; nothing is left out of the parts."""
    plan = Converter(screen, dialect).plan(facts, kind)
    key = embedded(sampler).key | CONTEXT_SEAMLESS * seamless
    whole = key
    for _, function in plan.steps:
        whole = function(whole)
    told = WORD_MASK if plan.untouched else WORD_MASK | BORDER_USED
    assert plan.word(key) == whole & told
    assert not WRAPS_SET & OTHERS_SET
    assert WRAPS_SET | OTHERS_SET == WORD_MASK | BORDER_USED


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("target", [Target.TEXTURE_2D, Target.TEXTURE_CUBE_MAP])
@pytest.mark.parametrize("emulates", [False, True])
def test_two_parts_are_the_whole_for_every_wrap_and_filter(dialect: str, target: Target, emulates: bool) -> None:
    """All 512 wraps, 12 pairs of filters, compared or not, on screens that treat unfilterable depth in each way."""
    for treatment, name in product(("nearest", "when-comparing", "always-compare"), ("DEPTH_COMPONENT32F", "R32F")):
        screen = LLVMPIPE.replace(linear_filtering=REFUSES, emulate_gl_clamp=emulates, unfilterable_depth=treatment)
        plan = Converter(screen, DIALECTS[dialect]).plan(Texture(target, name).facts())
        told = WORD_MASK if plan.untouched else WORD_MASK | BORDER_USED
        for wraps, filters in product(range(512), range(12)):
            s, t, r = (wraps >> 3 * axis & 7 for axis in range(3))
            clamps = any(wrap in (TexWrap.CLAMP, TexWrap.MIRROR_CLAMP) for wrap in (s, t, r))
            bits = BORDER_NONZERO * (wraps & 1) | COMPARES * (wraps >> 1 & 1) | CONTEXT_SEAMLESS * (wraps >> 2 & 1)
            low, mip, high = filters & 1, filters >> 1 & 1, filters >> 2
            key = wraps | bits | CLAMPISH * clamps | _filters(low, mip, high % 2)
            whole = key
            for function in plan.functions:
                whole = function(whole)
            assert plan.word(key) == whole & told


def _filters(low: int, mip: int, high: int) -> int:
    names = {"min_img_filter": low, "min_mip_filter": mip, "mag_img_filter": high}
    return sum(value << SHIFTS[name] for name, value in names.items())


@given(SAMPLERS, FACTS, SCREENS, DIALECT, KINDS)
def test_remembered_word_is_the_one_a_fresh_plan_gives(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, kind: int
) -> None:
    """Memory changes nothing."""
    chosen, key = Converter(screen, dialect), embedded(sampler).key
    chosen.record(sampler, facts, 0.0, False, kind)
    plan = chosen.plan(facts, kind)
    assert plan.word(key) == Plan(plan.situation).word(key)


def test_what_no_rule_looks_at_is_no_part() -> None:
    """A border colour makes no other members, a switch for decoding neither part."""
    plan = Converter(LLVMPIPE, PLAIN).plan(Texture("2d", "R8").facts())
    for key in (0, BORDER_NONZERO, SKIPS_DECODE, MASKS["wrap_t"], MASKS["compare_func"]):
        plan.word(key)
    assert set(plan.wraps) == {0, BORDER_NONZERO, MASKS["wrap_t"]}
    assert set(plan.others) == {0, MASKS["compare_func"]}


def test_new_combination_of_known_parts_is_known() -> None:
    """No rule runs for it: the wraps of one sampler, the anisotropy of another."""
    chosen, facts = Converter(LLVMPIPE, PLAIN), Texture("2d", "R8").facts()
    new = Sampler(wrap="clamp", max_anisotropy=4.0)
    expected = chosen.record(new, facts)
    chosen = Converter(LLVMPIPE, PLAIN)
    for known in (Sampler(wrap="clamp"), Sampler(max_anisotropy=4.0)):
        chosen.record(known, facts)
    chosen.plan(facts).functions = ()
    assert chosen.record(new, facts) == expected


@pytest.mark.parametrize("dialect", ["mesa22", "seed"])
@pytest.mark.parametrize(("own", "unit"), list(product((0.0, -0.0, 1.0, -1e-9), (0.0, -0.0, 0.5))))
def test_signs_of_zero_biases_add_up(own: float, unit: float, dialect: str) -> None:
    """Only -0.0 and -0.0 are -0.0 where each part is rounded; the seed rounds the sum."""
    found = converter(LLVMPIPE, dialect).record(Sampler(lod_bias=own), Texture().facts(), unit)[4:8]
    parts = quantize_lod_bias(f32(own)) + quantize_lod_bias(unit)
    wanted = parts if dialect == "mesa22" else quantize_lod_bias(f32(f32(own) + unit))
    assert found == pack("<f", wanted)


@given(SAMPLERS, FACTS, SCREENS, DIALECT)
def test_every_member_has_a_value_that_its_enum_names(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect
) -> None:
    """No padding, no filter 3, no wrap left that the hardware lacks."""
    state = convert(sampler, facts, screen, dialect=dialect)
    assert int.from_bytes(bytes(state)[:4], "little") & ~WORD_MASK == 0
    assert isinstance(state.min_mip_filter, TexMipfilter)
    if screen.emulate_gl_clamp:
        assert not {TexWrap.CLAMP, TexWrap.MIRROR_CLAMP} & {state.wrap_s, state.wrap_t, state.wrap_r}


@given(SAMPLERS, FACTS, DIALECT, some.sampled_from(["nearest", "when-comparing"]))
def test_refused_format_is_filtered_linearly_only_while_it_is_compared(
    sampler: Sampler, facts: TextureFacts, dialect: Dialect, treatment: str
) -> None:
    """And on ``nearest`` screens never."""
    screen = LLVMPIPE.replace(linear_filtering=REFUSES, unfilterable_depth=treatment)
    state = convert(sampler, facts, screen, dialect=dialect)
    linear = state.min_img_filter or state.mag_img_filter or state.min_mip_filter == TexMipfilter.LINEAR
    assert not linear or (treatment == "when-comparing" and state.compare_mode)


@given(SAMPLERS, FACTS, SCREENS, some.sampled_from(["mesa21", "mesa22", "mesa24"]))
def test_min_lod_is_never_negative_nor_minus_zero(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: str
) -> None:
    """NaN, too, becomes 0.0; the seed's swap is the one exception."""
    low = convert(sampler, facts, screen, dialect=dialect).min_lod
    assert low >= 0.0
    assert copysign(1, low) == 1


@given(SAMPLERS, FACTS, SCREENS, DIALECT, BIASES, some.booleans())
def test_handles_ignore_bias_and_context_switch(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, bias: float, seamless: bool
) -> None:
    """Both belong to a unit."""
    plain = convert(sampler, facts, screen, dialect=dialect, bindless=True)
    asked = convert(
        sampler, facts, screen, dialect=dialect, bindless=True, unit_lod_bias=bias, seamless=seamless, glsl130=False
    )
    assert asked == plain


def test_handle_of_a_buffer_texture_is_all_zeros() -> None:
    """A unit's is not."""
    texture, sampler = Texture("buffer"), Sampler(wrap="clamp")
    assert bytes(convert(sampler, texture, LLVMPIPE, bindless=True)) == bytes(RECORD_BYTES)
    assert convert(sampler, texture, LLVMPIPE).wrap_s == TexWrap.CLAMP


def test_unit_bias_is_rounded_to_float32_before_it_is_quantised() -> None:
    """This one is half a step only as float32, and halves go up."""
    below_half = 0.5 / 256 - 1e-12
    assert convert(Sampler(), Texture(), LLVMPIPE, unit_lod_bias=below_half).lod_bias == 1 / 256
    assert convert(Sampler(), Texture(), LLVMPIPE, unit_lod_bias=1e300).lod_bias == 16.0
    assert convert(Sampler(), Texture(), LLVMPIPE, unit_lod_bias=nan).lod_bias == -16.0


def test_texture_and_its_facts_convert_alike() -> None:
    """A Texture is asked for its facts."""
    texture = Texture("2d", "R8")
    assert convert(Sampler(), texture, LLVMPIPE) == convert(Sampler(), texture.facts(), LLVMPIPE)


def test_change_of_a_sampler_changes_its_record() -> None:
    """What was derived is forgotten with every change."""
    sampler = Sampler(wrap="repeat")
    before = convert(sampler, Texture(), LLVMPIPE)
    sampler.update(wrap_s="clamp")
    assert convert(sampler, Texture(), LLVMPIPE) == before.replace(wrap_s="clamp")


def test_converter_is_made_once_for_a_screen_and_dialect() -> None:
    """By name or by value."""
    assert converter(LLVMPIPE, "mesa22") is converter(LLVMPIPE, DIALECTS["mesa22"])
    assert converter(LLVMPIPE, "seed") is not converter(LLVMPIPE)
    assert converter(LLVMPIPE.replace()) is not converter(LLVMPIPE)


def test_unknown_dialect_is_named_with_the_known_ones() -> None:
    """The error is also a ValueError."""
    with pytest.raises(UnknownName) as caught:
        convert(Sampler(), Texture(), LLVMPIPE, dialect="mesa23")
    assert str(caught.value) == "dialect: 'mesa23' is not known; accepted: seed, mesa21, mesa22, mesa24"


@pytest.mark.parametrize("word", [[], ["mesa22"], {}, 22, None])
def test_what_is_no_word_is_no_dialect(word: Any) -> None:
    """Not even what cannot be a key."""
    with pytest.raises(UnknownName, match="dialect"):
        converter(LLVMPIPE, word)


def test_memory_of_plans_and_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts afresh when it is full, and the records stay right."""
    monkeypatch.setattr(conversion, "_MOST", 2)
    chosen = Converter(LLVMPIPE, DIALECTS["mesa22"])
    for target, wrap in product(("1d", "2d", "3d"), Wrap):
        facts, sampler = Texture(target, "R8").facts(), Sampler(wrap=wrap)
        assert chosen.record(sampler, facts) == bytes(convert(sampler, facts, LLVMPIPE))
        assert len(chosen.plan(facts).wraps) <= 2
        assert len(chosen.plan(facts).others) <= 2
    assert len(chosen._plans[GLSL130]) <= 2


def test_units_are_of_three_kinds() -> None:
    """A handle counts as GLSL 1.30."""
    kinds = [unit_kind(glsl130=new, bindless=handle) for handle, new in product((False, True), repeat=2)]
    assert kinds == [GLSL120, GLSL130, BINDLESS, BINDLESS]


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
    """All 512 triples: each axis for itself, by both filters or, in the seed, by the min filter."""
    screen, facts = Screen(emulate_gl_clamp=True), Texture().facts()
    border = bool(smallest & 1) and (dialect == "seed" or largest == MagFilter.LINEAR)
    expected = {wrap: lowered(wrap, border=border) for wrap in Wrap}
    record, sampler = converter(screen, dialect).record, Sampler(min_filter=smallest, mag_filter=largest)
    shifts = MASKS["wrap_s"] | MASKS["wrap_t"] | MASKS["wrap_r"]
    for triple in product(Wrap, repeat=3):
        sampler.wrap_s, sampler.wrap_t, sampler.wrap_r = triple
        sampler.derived = None
        s, t, r = (expected[wrap] for wrap in triple)
        assert int.from_bytes(record(sampler, facts)[:4], "little") & shifts == s | t << 3 | r << 6


@pytest.mark.parametrize(("wrap", "dialect"), list(product(Wrap, DIALECTS)))
def test_hardware_with_gl_clamp_gets_every_wrap_as_it_is(wrap: Wrap, dialect: str) -> None:
    """Nothing to lower."""
    state = convert(Sampler(wrap=wrap), Texture(), LLVMPIPE, dialect=dialect)
    assert state.wrap_s.name == wrap.name.removesuffix("_EXT").replace("MIRRORED", "MIRROR")


# Depth that cannot be filtered linearly: three behaviours of the screen.

LINEAR_MIP = {"min_filter": "linear-mipmap-linear", "mag_filter": "linear"}


def depth(
    treatment: str, sampler: Sampler, *, emulate: bool = False, texture: str = "DEPTH_COMPONENT24"
) -> SamplerState:
    """Convert for a screen that refuses every format."""
    screen = Screen(linear_filtering=REFUSES, unfilterable_depth=treatment, emulate_gl_clamp=emulate)
    return convert(sampler, Texture("2d", texture), screen)


@pytest.mark.parametrize("compares", [False, True])
def test_nearest_screen_forces_all_three_filters(compares: bool) -> None:
    """Whether it is compared or not."""
    state = depth("nearest", Sampler(**LINEAR_MIP, compare_mode=compares))
    assert (state.min_img_filter, state.mag_img_filter, state.min_mip_filter) == (0, 0, TexMipfilter.NEAREST)
    assert bool(state.compare_mode) is compares


def test_always_compare_screen_compares_with_always_where_linear_mips_are_left() -> None:
    """Image filters are nearest, the mip filter stays; an active comparison keeps its function."""
    off, on = (depth("always-compare", Sampler(**LINEAR_MIP, compare_mode=mode)) for mode in (False, True))
    assert (off.min_img_filter, off.min_mip_filter, off.compare_mode, off.compare_func) == (0, 1, 1, 7)
    assert (on.compare_mode, on.compare_func) == (1, 3)


def test_always_compare_screen_keeps_linear_filters_for_emulated_clamp() -> None:
    """Unless no axis is clamped."""
    clamped = depth("always-compare", Sampler(**LINEAR_MIP, wrap_t="clamp"), emulate=True)
    assert (clamped.min_img_filter, clamped.wrap_t, clamped.compare_func) == (1, TexWrap.CLAMP_TO_BORDER, 7)
    assert depth("always-compare", Sampler(**LINEAR_MIP), emulate=True).min_img_filter == TexFilter.NEAREST


def test_when_comparing_screen_keeps_gls_filters_while_comparing() -> None:
    """As Vulkan has it: linear filtering with comparison is supported."""
    state = depth("when-comparing", Sampler(**LINEAR_MIP, compare_mode=True))
    assert (state.min_img_filter, state.mag_img_filter, state.min_mip_filter) == (1, 1, TexMipfilter.LINEAR)


@pytest.mark.parametrize(("name", "mip"), [("linear-mipmap-linear", 0), ("linear-mipmap-nearest", 0), ("linear", 2)])
def test_when_comparing_screen_demotes_the_rest_and_leaves_mip_none(name: str, mip: int) -> None:
    """No mipmaps stay no mipmaps, and nothing is compared that was not."""
    state = depth("when-comparing", Sampler(min_filter=name, mag_filter="linear"))
    assert (state.min_img_filter, state.mag_img_filter, state.min_mip_filter, state.compare_mode) == (0, 0, mip, 0)


@pytest.mark.parametrize(("compares", "wrap"), [(True, TexWrap.CLAMP_TO_BORDER), (False, TexWrap.CLAMP_TO_EDGE)])
def test_when_comparing_screen_lowers_clamp_by_the_filters_that_are_left(compares: bool, wrap: TexWrap) -> None:
    """To the border only where linear filtering is really kept."""
    sampler = Sampler(min_filter="linear", mag_filter="linear", wrap="clamp", compare_mode=compares)
    assert depth("when-comparing", sampler, emulate=True).wrap_s == wrap


def test_stencil_of_refused_depth_is_clamped_to_the_edge() -> None:
    """It cannot be compared, so nothing stays linear."""
    screen = Screen(linear_filtering=REFUSES, unfilterable_depth="when-comparing", emulate_gl_clamp=True)
    sampler = Sampler(min_filter="linear", mag_filter="linear", wrap="clamp", compare_mode=True)
    texture = Texture("2d", "DEPTH24_STENCIL8", stencil_sampling=True)
    assert convert(sampler, texture, screen).wrap_s == TexWrap.CLAMP_TO_EDGE


def test_clamp_that_is_not_emulated_spares_no_filter() -> None:
    """On an ``always-compare`` screen with GL_CLAMP in hardware."""
    state = depth("always-compare", Sampler(min_filter="linear", mag_filter="linear", wrap="clamp"))
    assert (state.wrap_s, state.min_img_filter, state.mag_img_filter) == (TexWrap.CLAMP, 0, 0)


@pytest.mark.parametrize(("low", "high"), [(5.0, nan), (nan, nan), (2.0, 2.0), (0.0, -0.0)])
def test_seed_swaps_no_lods_that_are_not_the_wrong_way_round(low: float, high: float) -> None:
    """NaN is neither above nor below, and the two zeros are equal."""
    sampler = Sampler(min_lod=low, max_lod=high)
    told = convert(sampler, Texture(), LLVMPIPE, dialect="seed")
    assert bytes(told)[8:16] == bytes(convert(sampler, Texture(), LLVMPIPE))[8:16]


def test_when_comparing_screen_forces_colour_like_any_other() -> None:
    """All three filters, mip NEAREST, as the hook asks."""
    state = depth("when-comparing", Sampler(min_filter="linear", mag_filter="linear"), texture="RGBA8")
    assert (state.min_img_filter, state.mag_img_filter, state.min_mip_filter) == (0, 0, TexMipfilter.NEAREST)


def test_border_rule_runs_over_lowered_wraps() -> None:
    """A clamp that was lowered to the edge reads no border."""
    sampler = Sampler(wrap="clamp", min_filter="nearest", border_color=(0.5, 0, 0, 1))
    screen, facts = Screen(emulate_gl_clamp=True), Texture("2d", "R8").facts()
    assert not converter(screen).plan(facts).word(embedded(sampler).key) & BORDER_USED
    assert converter(LLVMPIPE).plan(facts).word(embedded(sampler).key) & BORDER_USED


@pytest.mark.parametrize("target", Target)
def test_texels_address_rectangles_alone(target: Target) -> None:
    """On every other target coordinates are normalised."""
    facts = Texture("2d", "RGBA8").facts().replace(target=int(target))
    assert convert(Sampler(), facts, LLVMPIPE).unnormalized_coords is (target == Target.TEXTURE_RECTANGLE)


PLAIN: Final = DIALECTS["mesa22"]


@pytest.mark.parametrize(
    ("dialect", "short"),
    [
        (DIALECTS["seed"], False),
        (DIALECTS["mesa21"], True),
        (DIALECTS["mesa22"], True),
        (DIALECTS["mesa24"], True),
        (PLAIN._replace(keep_unused_border=False), False),
        (PLAIN._replace(swap_lods=True), False),
        (PLAIN._replace(bias_rule="sum_then_quantise"), False),
    ],
)
def test_short_form_is_taken_where_a_dialect_asks_for_nothing_more(dialect: Dialect, short: bool) -> None:
    """Any of three things is more."""
    chosen = Converter(LLVMPIPE, dialect)
    assert chosen.record == (chosen._record_plain if short else chosen._record_general)


@pytest.mark.parametrize(
    ("name", "quirk", "untouched"),
    [
        ("RGBA8", "", True),
        ("R8", "", False),
        ("RGBA8", "use_format_with_border_color", False),
        ("RGBA8", "alpha_border_color_is_not_w", True),
        ("ALPHA8", "alpha_border_color_is_not_w", False),
    ],
)
def test_border_is_untouched_where_neither_words_nor_format_are_another(name: str, quirk: str, untouched: bool) -> None:
    """Then a record is packed as if no wrap read it."""
    screen = LLVMPIPE.replace(**{quirk: True}) if quirk else LLVMPIPE
    assert converter(screen).plan(Texture("2d", name).facts()).untouched is untouched


@pytest.mark.parametrize("form", ["_record_plain", "_record_general"])
def test_unit_is_plain_unless_it_is_said_otherwise(form: str) -> None:
    """No bias, no switch, GLSL 1.30, and no handle."""
    screen = LLVMPIPE.replace(use_format_with_border_color=True)
    sampler = Sampler(wrap="clamp-to-border", border_color=(1, 1, 1, 1), srgb_decode="skip-decode")
    facts = Texture("2d", "SRGB8_ALPHA8").facts()
    record = getattr(converter(screen), form)
    assert record(sampler, facts) == record(sampler, facts, 0.0, False, GLSL130)
    assert record(sampler, facts) != record(sampler, facts, 0.0, False, BINDLESS)
    assert converter(screen).plan(facts) is converter(screen).plan(facts, GLSL130)


@pytest.mark.parametrize("form", ["_record_plain", "_record_general"])
def test_what_was_worked_out_is_not_worked_out_again(form: str) -> None:
    """A sampler's terms, a texture's plan, a key's word."""
    chosen = Converter(LLVMPIPE, PLAIN)
    facts = [Texture(target, "R8I").facts() for target in ("2d", "3d")]
    sampler, other = Sampler(wrap="clamp", mag_filter="linear"), Sampler()
    record = getattr(chosen, form)
    first = record(sampler, facts[0])
    record(other, facts[0])
    record(other, facts[1])
    derived, plan = sampler.derived, chosen.plan(facts[0])
    assert (len(plan.wraps), len(plan.others)) == (2, 2)
    plan.functions = ()
    assert record(sampler, facts[0]) == first
    assert sampler.derived is derived
    assert chosen.plan(facts[0]) is plan
    assert chosen.plan(facts[1]) is not plan


@pytest.mark.parametrize("form", ["_record_plain", "_record_general"])
def test_handle_that_decodes_is_told_the_format_that_a_unit_is_told(form: str) -> None:
    """Only one that skips decoding has another."""
    record = getattr(converter(LLVMPIPE.replace(use_format_with_border_color=True)), form)
    facts = Texture("2d", "SRGB8_ALPHA8").facts()
    decodes = Sampler(wrap="clamp-to-border", border_color=(1, 1, 1, 1), srgb_decode="decode")
    skips = decodes.copy(srgb_decode="skip-decode")
    handle = record(decodes, facts, 0.0, False, BINDLESS)
    assert handle == record(decodes, facts, 0.0, False, GLSL130) == record(skips, facts, 0.0, False, GLSL130)
    assert handle != record(skips, facts, 0.0, False, BINDLESS)


def test_format_that_cannot_be_filtered_is_an_event() -> None:
    """One a plan, with the format and the screen; none where the format can be."""
    heard: list[object] = []
    events.listen(lambda *event: heard.append(event))
    try:
        screen = LLVMPIPE.replace(linear_filtering=FormatFeatures({"R8G8B8A8_UNORM": False}))
        for name in ("RGBA8", "R8"):
            Converter(screen, PLAIN).plan(Texture("2d", name).facts())
    finally:
        events.quiet()
    assert heard == [("sampler", "demotion", {"format": "R8G8B8A8_UNORM", "screen": screen.name})]


def test_programs_are_of_glsl_130_unless_it_is_said_otherwise() -> None:
    """An older one sees depth as its depth mode says, and so does the border where it is swizzled."""
    screen = LLVMPIPE.replace(apply_texture_swizzle_to_border_color=True)
    sampler = Sampler(wrap="clamp-to-border", border_color=(0.5, 0, 0, 0))
    texture = Texture("2d", "DEPTH_COMPONENT16").facts()
    for mode in DepthTextureMode:
        facts = texture.replace(depth_mode=mode)
        new, old = (convert(sampler, facts, screen, glsl130=glsl130) for glsl130 in (True, False))
        assert convert(sampler, facts, screen) == new
        assert (new != old) == (mode == DepthTextureMode.ALPHA)
