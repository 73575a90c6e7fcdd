"""`statetracker.sampler.rules`: each rule does what its row says, and nothing else."""

from __future__ import annotations

from itertools import product
from math import inf, nan
from pathlib import Path
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import UNFILTERABLE_DEPTH, FormatFeatures, Screen
from statetracker.gl import MagFilter, MinFilter, Sampler, Texture, TextureFacts, UnitFacts, Wrap
from statetracker.gl.floats import f32
from statetracker.pipe import TexMipfilter, TexWrap
from statetracker.pipe.layout import MASKS
from statetracker.pipe.state import FIELD_NAMES
from statetracker.sampler import DIALECTS, RULES, Dialect, Rule, explain, sampler_state
from statetracker.sampler.conversion import Converter, applied
from statetracker.sampler.gl_side import BORDER_USED, CONTEXT_SEAMLESS, RecordDraft, sampler_key
from statetracker.sampler.rules import WORD_RULES, steps
from statetracker.sampler.situation import ConversionKey

if TYPE_CHECKING:
    from statetracker.pipe import SamplerState

LLVMPIPE: Final = Screen.named("llvmpipe")
REFUSES: Final = LLVMPIPE.replace(linear_filtering=FormatFeatures({}, default=False))
LINEAR: Final[dict[str, Any]] = {"min_filter": "linear-mipmap-linear", "mag_filter": "linear"}
AXES: Final = ("wrap_s", "wrap_t", "wrap_r")
B = (0.125, 0.25, 0.5, 0.75)
BORDERED: Final = {"wrap": "clamp-to-border", "border_color": B}

# fmt: off
#: Rule: how to make it fire (sampler, texture, screen, unit).
FIRES: Final[dict[str, tuple[dict[str, Any], dict[str, Any], Screen, dict[str, Any]]]] = {
    "anisotropy-limit": ({"max_anisotropy": 16.0},  {}, LLVMPIPE.replace(max_anisotropy=8.0),  {}),
    "clamp-lowering":   ({"wrap": "clamp"},         {}, LLVMPIPE.replace(emulate_gl_clamp=True),  {}),
    "context-seamless": ({},                        {}, LLVMPIPE,  {"seamless": True}),
    "integer-nearest":  (LINEAR,                    {"internal_format": "RGBA8I"}, LLVMPIPE,  {}),
    "float-nearest":    (LINEAR,                    {"is_float": True}, LLVMPIPE.replace(float_linear=False),  {}),
    "unfilterable":     (LINEAR,                    {}, REFUSES,  {}),
    "rectangle":        ({},                        {"target": "rectangle"}, LLVMPIPE,  {}),
    "seamless-edge":    ({},                        {"target": "cube-map"}, LLVMPIPE,
                         {"seamless": True, "dialect": "mesa24"}),
    "border-used":      ({"wrap": "clamp", "border_color": B}, {"internal_format": "R8I"}, LLVMPIPE,  {}),
    "compare":          ({"compare_mode": True},    {"internal_format": "DEPTH_COMPONENT16"}, LLVMPIPE,  {}),
    "inactive-func":    ({},                        {}, LLVMPIPE,  {"dialect": "seed"}),
    "always-compare":   (LINEAR,                    {"internal_format": "DEPTH_COMPONENT16"},
                         REFUSES.replace(unfilterable_depth="always-compare"),  {}),
    "depth-demoted":    (LINEAR,                    {"internal_format": "DEPTH_COMPONENT16"},
                         REFUSES.replace(unfilterable_depth="when-comparing"),  {}),
    "missing-members":  ({"reduction_mode": "min"}, {}, LLVMPIPE,  {"dialect": "21.0"}),
    "quantise":           ({"lod_bias": 0.1},       {}, LLVMPIPE,  {}),
    "unit-bias":          ({},                      {}, LLVMPIPE,  {"unit_lod_bias": 0.1}),
    "sum-then-quantise":  ({"lod_bias": 0.1},       {}, LLVMPIPE,  {"dialect": "seed"}),
    "min-lod-floor":      ({},                      {}, LLVMPIPE,  {}),
    "swap-lods":          ({"min_lod": 2.0, "max_lod": 1.0}, {}, LLVMPIPE,  {"dialect": "seed"}),
    "drop-unused-border": ({"border_color": B},     {}, LLVMPIPE,  {"dialect": "seed"}),
    "border-swizzle":     (BORDERED,                {"internal_format": "R8"}, Screen.named("nv50"),  {}),
    "border-alpha-not-w": (BORDERED,                {"internal_format": "LUMINANCE8_ALPHA8"},
                           Screen.named("zink-lavapipe"),  {}),
    "border-translation": (BORDERED,                {"internal_format": "R8"}, LLVMPIPE,  {}),
    "border-format":      (BORDERED,                {}, LLVMPIPE.replace(use_format_with_border_color=True),  {}),
}
# fmt: on

SITUATIONS = some.builds(
    ConversionKey,
    some.from_type(Screen),
    some.from_type(Dialect),
    some.from_type(TextureFacts),
    some.builds(UnitFacts, glsl130=some.booleans(), bindless=some.booleans()),
)


@given(SITUATIONS, some.from_type(Sampler), some.booleans())
def test_rule_changes_only_the_members_of_its_row(s: ConversionKey, sampler: Sampler, seamless: bool) -> None:
    """The inputs above the word stay; the border rule alone adds its answer there."""
    word = sampler_key(sampler) | (CONTEXT_SEAMLESS if seamless else 0)
    for rule, step in steps(WORD_RULES, s):
        may = BORDER_USED if rule.name == "border-used" else 0
        for name in rule.sets:
            may |= MASKS[name]
        assert (word ^ step(word)) & ~may == 0, rule.name


@given(SITUATIONS, some.from_type(Sampler))
def test_rule_has_no_second_effect(s: ConversionKey, sampler: Sampler) -> None:
    """What it did once it need not do again."""
    word = sampler_key(sampler)
    for rule, step in steps(WORD_RULES, s):
        once = step(word)
        assert step(once) == once, rule.name


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_rule_can_fire_and_says_why(rule: Rule[Any]) -> None:
    """There is an input that it answers to, and a reason in words."""
    sampler, texture, screen, unit = FIRES[rule.name]
    image = Texture(**({"internal_format": "RGBA8"} | texture))
    dialect, facts = unit.get("dialect", "mesa22"), UnitFacts.of(**{k: v for k, v in unit.items() if k != "dialect"})
    steps = explain(Sampler(**sampler), image, screen, dialect=dialect, unit=facts).steps
    fired = [step for step in steps if step.rule == rule.name]
    assert fired
    assert all(step.because and step.field in rule.sets for step in fired)


@pytest.mark.parametrize("rule", WORD_RULES, ids=[rule.name for rule in WORD_RULES])
def test_rule_can_change_every_member_of_its_row(rule: Rule[int]) -> None:
    """And no other: over all wraps and filters, compared or not, seamless or not."""
    _, texture, screen, unit = FIRES[rule.name]
    facts = Texture(**({"internal_format": "RGBA8"} | texture)).facts()
    step = rule.build(ConversionKey(screen, DIALECTS[unit.get("dialect", "mesa22")], facts))
    assert step is not None
    common: dict[str, Any] = {
        "max_anisotropy": 16.0,
        "border_color": B,
        "compare_func": "less",
        "reduction_mode": "min",
    }
    changed = 0
    for wrap, low, high, compares, seamless in product(Wrap, MinFilter, MagFilter, (False, True), (False, True)):
        word = sampler_key(
            Sampler(wrap=wrap, filter=(low, high), compare_mode=compares, cube_map_seamless=seamless, **common)
        )
        flagged = word | MASKS["border_color_is_integer"]
        changed |= word ^ step(word) | word ^ step(word | CONTEXT_SEAMLESS)
        changed |= flagged ^ step(flagged)
    assert {name for name, mask in MASKS.items() if changed & mask} == set(rule.sets)


def test_rules_are_reported_in_the_order_in_which_they_run() -> None:
    """An explanation lists its steps so, also where two rules could change places; each has a name of its own."""
    assert [rule.name for rule in RULES] == list(FIRES)


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_rule_stands_in_the_section_it_names(rule: Rule[Any]) -> None:
    """Where an explanation sends its reader."""
    sections = (Path(__file__).parents[2] / "docs/rules/conversion.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert f"`{rule.name}`" in next(text for text in sections if text.startswith(f"{rule.section}\n"))


@pytest.mark.parametrize(
    ("most", "expected"), [(0.0, 2), (1.0, 2), (2.0, 2), (4.5, 4), (16.0, 16), (64.0, 31), (float("inf"), 31)]
)
def test_drivers_maximum_of_anisotropy_is_at_least_two_and_fits_five_bits(most: float, expected: int) -> None:
    """A sampler made without a context may ask for more."""
    step = explain(Sampler(max_anisotropy=100.0), Texture(), LLVMPIPE.replace(max_anisotropy=most)).last(
        "max_anisotropy"
    )
    assert step.after == expected


@pytest.mark.parametrize("name", DIALECTS)
def test_plain_texture_on_a_capable_screen_leaves_few_rules(name: str) -> None:
    """No rule stands in the way of a texture that it has nothing to do with."""
    facts = Texture("2d", "RGBA8").facts()
    left = [rule.name for rule in RULES if rule.build(ConversionKey(LLVMPIPE, DIALECTS[name], facts)) is not None]
    always = ["anisotropy-limit", "context-seamless", "border-used"]
    olds = ["inactive-func", "missing-members", "sum-then-quantise", "min-lod-floor", "swap-lods", "drop-unused-border"]
    assert left == always + (olds if name in ("seed", "21.0", "21.1") else ["quantise", "unit-bias", "min-lod-floor"])


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("wrap", Wrap)
def test_border_counts_as_read_when_a_single_axis_reads_it(axis: str, wrap: Wrap) -> None:
    """GL_CLAMP, CLAMP_TO_BORDER and their mirrored forms read it; a read colour is translated for a red texture."""
    axes: dict[str, Any] = dict.fromkeys(AXES, "repeat") | {axis: wrap}
    sampler = Sampler(**axes, border_color=B)
    reads = "CLAMP" in wrap.name and "EDGE" not in wrap.name
    seen = sampler_state(sampler, Texture("2d", "R8"), LLVMPIPE).border_color_f
    assert seen == ((B[0], 0.0, 0.0, 1.0) if reads else B)


@pytest.mark.parametrize("compares", [True, False])
@pytest.mark.parametrize("filters", [LINEAR, {"min_filter": "nearest", "mag_filter": "nearest"}])
def test_clamp_of_depth_that_is_filtered_while_comparing_is_a_border_then(
    filters: dict[str, Any], compares: bool
) -> None:
    """Without comparing, or with nearest filters, no texel is mixed with the border: the edge."""
    screen = REFUSES.replace(unfilterable_depth="when-comparing", emulate_gl_clamp=True)
    sampler = Sampler(wrap="clamp", compare_mode=compares, **filters)
    state = sampler_state(sampler, Texture("2d", "DEPTH_COMPONENT16"), screen)
    assert state.wrap_s == (3 if compares and filters is LINEAR else 2)


def filters(state: SamplerState) -> tuple[int, int, int]:
    """The three filters of a record."""
    return int(state.min_img_filter), int(state.mag_img_filter), int(state.min_mip_filter)


@pytest.mark.parametrize("emulated", [True, False])
@pytest.mark.parametrize("wrap", ["clamp", "clamp-to-edge"])
def test_depth_trick_spares_the_filters_of_a_lowered_clamp_alone(wrap: str, emulated: bool) -> None:
    """ALWAYS is compared either way; mipmaps stay linear."""
    screen = REFUSES.replace(unfilterable_depth="always-compare", emulate_gl_clamp=emulated)
    state = sampler_state(Sampler(wrap=wrap, **LINEAR), Texture("2d", "DEPTH_COMPONENT16"), screen)
    spared = emulated and wrap == "clamp"
    assert filters(state) == ((1, 1, 1) if spared else (0, 0, 1))
    assert (state.compare_mode, state.compare_func) == (1, 7)


def test_cube_with_seams_keeps_its_wraps_in_24_1() -> None:
    state = sampler_state(Sampler(wrap="repeat"), Texture("cube-map"), LLVMPIPE, dialect="mesa24")
    assert [getattr(state, axis) for axis in AXES] == [0, 0, 0]


@pytest.mark.parametrize("compares", [True, False])
@pytest.mark.parametrize("mag_filter", MagFilter)
@pytest.mark.parametrize("min_filter", MinFilter)
def test_depth_filtered_while_comparing_is_nearest_otherwise(
    min_filter: MinFilter, mag_filter: MagFilter, compares: bool
) -> None:
    """All three filters; no mipmapping stays none, and a wrap is what it was."""
    sampler = Sampler(wrap="clamp-to-border", filter=(min_filter, mag_filter), compare_mode=compares)
    screen = REFUSES.replace(unfilterable_depth="when-comparing")
    depth = Texture("2d", "DEPTH_COMPONENT16")
    plain = filters(sampler_state(sampler, depth, LLVMPIPE))
    none = plain[2] if plain[2] == TexMipfilter.NONE else 0
    state = sampler_state(sampler, depth, screen)
    assert filters(state) == (plain if compares else (0, 0, none))
    assert [getattr(state, axis) for axis in AXES] == [TexWrap.CLAMP_TO_BORDER] * 3


@pytest.mark.parametrize("mag_filter", MagFilter)
@pytest.mark.parametrize("min_filter", MinFilter)
@pytest.mark.parametrize("wrap", ["clamp", "repeat"])
def test_depth_trick_compares_with_always_while_a_filter_stays_linear(
    wrap: str, min_filter: MinFilter, mag_filter: MagFilter
) -> None:
    """Between texels only beside a lowered clamp, between levels always; a sampler's own comparing goes before."""
    sampler = Sampler(wrap=wrap, filter=(min_filter, mag_filter), compare_func="less")
    comparing = sampler.copy(compare_mode=True)
    screen = REFUSES.replace(unfilterable_depth="always-compare", emulate_gl_clamp=True)
    depth = Texture("2d", "DEPTH_COMPONENT16")
    state = sampler_state(sampler, depth, screen)
    linear = state.min_img_filter or state.mag_img_filter or state.min_mip_filter == TexMipfilter.LINEAR
    assert (state.compare_mode, state.compare_func) == ((1, 7) if linear else (0, 1))
    plain = filters(sampler_state(sampler, depth, LLVMPIPE))
    assert filters(state) == (plain if wrap == "clamp" else (0, 0, plain[2]))
    compared = sampler_state(comparing, depth, screen)
    assert (compared.compare_mode, compared.compare_func) == (1, 1)


def test_depth_that_the_screen_filters_needs_no_trick() -> None:
    """Whatever the screen does with the depth that it cannot filter."""
    for policy in UNFILTERABLE_DEPTH:
        screen = LLVMPIPE.replace(linear_filtering=FormatFeatures({}), unfilterable_depth=policy)
        state = sampler_state(Sampler(**LINEAR), Texture("2d", "DEPTH_COMPONENT16"), screen)
        assert (filters(state), state.compare_mode) == ((1, 1, 1), 0)


# What becomes of floats and border colours


UNITS = some.builds(UnitFacts, some.floats(width=32), some.booleans(), some.booleans(), some.booleans())


def floats(sampler: Sampler, unit: float = 0.0, dialect: str = "mesa22") -> tuple[float, ...]:
    """The bias and both LODs of a record."""
    record = Converter(LLVMPIPE, DIALECTS[dialect], fast=False).record(sampler, Texture().facts(), UnitFacts(unit))
    return unpack("<3f", record[4:16])


@given(some.from_type(Sampler), some.from_type(TextureFacts), some.from_type(Screen), some.from_type(Dialect), UNITS)
def test_rule_after_word_0_changes_only_the_members_of_its_row(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, unit: UnitFacts
) -> None:
    """Word 0 is settled before the first of them, and stays."""
    before = RecordDraft.of(sampler, unit)
    for rule, after in applied(ConversionKey(screen, dialect, facts, unit), before):
        changed = {name for name in before._fields if repr(getattr(before, name)) != repr(getattr(after, name))}
        assert changed <= ({"word"} if rule in WORD_RULES else set(rule.sets)), rule.name
        before = after
    assert {name for rule in RULES for name in rule.sets} == set(FIELD_NAMES)


@pytest.mark.parametrize(
    ("raw", "unit", "seen"), [(0.1, 0.1, 51), (16.0, 20.0, 4096), (nan, 0.0, -4096), (inf, -inf, -4096)]
)
def test_older_rule_adds_first(raw: float, unit: float, seen: int) -> None:
    """In float32, then clamps and rounds once."""
    assert floats(Sampler(lod_bias=raw), f32(unit), "seed")[0] * 256 == seen


@pytest.mark.parametrize(("low", "expected"), [(-5.0, 0.0), (-0.0, 0.0), (nan, 0.0), (5.0, 5.0), (inf, inf)])
def test_least_lod_is_at_least_zero(low: float, expected: float) -> None:
    """By bits: neither -0.0 nor NaN is left."""
    assert pack("<f", floats(Sampler(min_lod=low))[1]) == pack("<f", expected)
