"""`statetracker.sampler.rules`: each rule does what its row says, and nothing else."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import FormatFeatures, Screen
from statetracker.gl import Sampler, Texture, TextureFacts, Wrap
from statetracker.pipe.layout import MASKS, SHIFTS
from statetracker.sampler import DIALECTS, RULES, Dialect, Rule, convert, explain
from statetracker.sampler.gl_side import BORDER_USED, CONTEXT_SEAMLESS, WORD_MASK, embedded
from statetracker.sampler.rules import lower_wraps
from statetracker.sampler.situation import BINDLESS, Situation
from statetracker.sampler.tables import WRAP

LLVMPIPE: Final = Screen.named("llvmpipe")
REFUSES: Final = LLVMPIPE.replace(linear_filtering=FormatFeatures({}, default=False))
LINEAR: Final = {"min_filter": "linear-mipmap-linear", "mag_filter": "linear"}
AXES: Final = ("wrap_s", "wrap_t", "wrap_r")
B = (0.125, 0.25, 0.5, 0.75)

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
    "missing-members":  ({"reduction_mode": "min"}, {}, LLVMPIPE,  {"dialect": "seed"}),
}
# fmt: on

SITUATIONS = some.builds(
    Situation,
    some.from_type(Screen),
    some.from_type(Dialect),
    some.from_type(TextureFacts),
    some.integers(0, BINDLESS),
)


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
@given(SITUATIONS, some.from_type(Sampler), some.booleans())
def test_rule_changes_only_the_members_of_its_row(rule: Rule, s: Situation, sampler: Sampler, seamless: bool) -> None:
    """The inputs above the word stay; the border rule alone adds its answer there."""
    function = rule.build(s)
    if function is not None:
        word = embedded(sampler).key | (CONTEXT_SEAMLESS if seamless else 0)
        may = BORDER_USED if rule.name == "border-used" else 0
        for name in rule.sets:
            may |= MASKS[name]
        assert (word ^ function(word)) & ~may == 0


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
@given(SITUATIONS, some.from_type(Sampler))
def test_rule_has_no_second_effect(rule: Rule, s: Situation, sampler: Sampler) -> None:
    """What it did once it need not do again."""
    function = rule.build(s)
    if function is not None:
        once = function(embedded(sampler).key)
        assert function(once) == once


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_rule_can_fire_and_says_why(rule: Rule) -> None:
    """There is an input that it answers to, and a reason in words."""
    sampler, texture, screen, unit = FIRES[rule.name]
    image = Texture(**({"internal_format": "RGBA8"} | texture))
    steps = [step for step in explain(Sampler(**sampler), image, screen, **unit).steps if step.rule == rule.name]
    assert steps
    assert all(step.because and step.field in rule.sets for step in steps)


def test_rules_have_names_of_their_own() -> None:
    """A step names its rule."""
    assert len({rule.name for rule in RULES}) == len(RULES) == len(FIRES)


def test_rules_run_in_the_order_of_the_specification() -> None:
    """Wraps are settled before the border is looked at, filters before the depth trick."""
    place = {rule.name: number for number, rule in enumerate(RULES)}
    for first, second in (
        ("clamp-lowering", "integer-nearest"),
        ("clamp-lowering", "border-used"),
        ("context-seamless", "seamless-edge"),
        ("seamless-edge", "border-used"),
        ("integer-nearest", "unfilterable"),
        ("unfilterable", "always-compare"),
        ("compare", "inactive-func"),
        ("inactive-func", "always-compare"),
        ("compare", "depth-demoted"),
    ):
        assert place[first] < place[second]


@pytest.mark.parametrize(
    ("most", "told"), [(0.0, 2), (1.0, 2), (2.0, 2), (4.5, 4), (16.0, 16), (64.0, 31), (float("inf"), 31)]
)
def test_drivers_maximum_of_anisotropy_is_at_least_two_and_fits_five_bits(most: float, told: int) -> None:
    """A sampler made without a context may ask for more."""
    step = explain(Sampler(max_anisotropy=100.0), Texture(), LLVMPIPE.replace(max_anisotropy=most)).last(
        "max_anisotropy"
    )
    assert step.after == told


@pytest.mark.parametrize(("column", "lowered"), [(0, {1: 3, 5: 7}), (1, {1: 2, 5: 6})])
def test_lowering_is_made_for_each_axis_alone(column: int, lowered: dict[int, int]) -> None:
    """All 512 words: CLAMP and MIRROR_CLAMP change, the others stay."""
    for wraps in range(512):
        axes = [lowered.get(wraps >> shift & 7, wraps >> shift & 7) for shift in (0, 3, 6)]
        assert lower_wraps(wraps, column) == axes[0] | axes[1] << 3 | axes[2] << 6


@pytest.mark.parametrize("name", DIALECTS)
def test_plain_texture_on_a_capable_screen_leaves_few_rules(name: str) -> None:
    """No rule stands in the way of a texture that it has nothing to do with."""
    facts = Texture("2d", "RGBA8").facts()
    left = [rule.name for rule in RULES if rule.build(Situation(LLVMPIPE, DIALECTS[name], facts, 1)) is not None]
    always = ["anisotropy-limit", "context-seamless", "border-used"]
    assert left == always + (["inactive-func", "missing-members"] if name == "seed" else [])


def test_word_has_no_member_outside_its_mask() -> None:
    """Input bits lie above."""
    assert max(SHIFTS.values()) + 2 == WORD_MASK.bit_length()
    assert sum(MASKS.values()) == WORD_MASK


@pytest.mark.parametrize("target", ["cube-map", "cube-map-array"])
@pytest.mark.parametrize("wrap", Wrap)
def test_24_1_clamps_every_wrap_of_a_seamless_cube_to_the_edge(wrap: Wrap, target: str) -> None:
    """Mirrored and bordered ones too, on all three axes; other targets and releases keep them."""
    sampler, kept = Sampler(wrap=wrap), WRAP[wrap]
    found = [
        [getattr(convert(sampler, Texture(name), LLVMPIPE, dialect=dialect, seamless=True), axis) for axis in AXES]
        for name, dialect in ((target, "mesa24"), ("2d", "mesa24"), (target, "mesa22"))
    ]
    assert found == [[2, 2, 2], [kept] * 3, [kept] * 3]
