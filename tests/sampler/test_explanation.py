"""`statetracker.sampler.explanation`: the conversion watched, so that it cannot say anything else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import Screen
from statetracker.errors import UnknownName
from statetracker.gl import Sampler, Texture, TextureFacts, UnitFacts
from statetracker.pipe.state import FIELD_NAMES, SamplerState
from statetracker.sampler import RULES, Dialect, explain, sampler_state
from statetracker.sampler.explanation import text

SAMPLERS = some.from_type(Sampler)
FACTS = some.from_type(TextureFacts)
SCREENS = some.from_type(Screen)
DIALECT = some.from_type(Dialect)
LLVMPIPE = Screen.named("llvmpipe")
B = (0.125, 0.25, 0.5, 0.75)
UNITS = some.builds(UnitFacts, some.floats(width=32), some.booleans(), some.booleans(), some.booleans())


def value_of(state: SamplerState, field: str) -> object:
    """One member of a record as plain data."""
    value = getattr(state, field)
    if field == "border_color":
        return list(state.border_color_i if state.border_color_is_integer else state.border_color_f)
    return getattr(value, "name", value)


@given(SAMPLERS, FACTS, SCREENS, DIALECT, UNITS)
def test_last_step_of_every_member_gives_its_value(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, unit: UnitFacts
) -> None:
    """The record explained is the record converted, member by member."""
    explanation = explain(sampler, facts, screen, dialect=dialect, unit=unit)
    assert explanation.state == sampler_state(sampler, facts, screen, dialect=dialect, unit=unit)
    assert repr(explanation.to_dict()["fields"]) == repr(
        {name: value_of(explanation.state, name) for name in FIELD_NAMES}
    )
    for name in FIELD_NAMES:
        assert repr(explanation.last(name).after) == repr(value_of(explanation.state, name))


@given(SAMPLERS, FACTS, SCREENS, DIALECT, UNITS)
def test_steps_of_a_member_form_a_chain(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, unit: UnitFacts
) -> None:
    """The first comes from GL; each next starts where the one before ended, and changes something."""
    explanation = explain(sampler, facts, screen, dialect=dialect, unit=unit)
    for name in FIELD_NAMES:
        first, *others = explanation.of(name)
        assert first.before is None
        for step, following in zip([first, *others], others, strict=False):
            assert repr(following.before) == repr(step.after)
            assert same_words(following.before) != same_words(following.after)
            assert following.because


def same_words(value: object) -> str:
    """Print a value; NaN has bits that text does not show."""
    return str(id(value)) if "nan" in repr(value) else repr(value)


@given(SAMPLERS, FACTS, SCREENS, DIALECT)
def test_every_rule_named_is_a_rule(sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect) -> None:
    """Steps of word 0 name rows of the rule table, with their sections."""
    sections = {rule.name: rule.section for rule in RULES}
    for step in explain(sampler, facts, screen, dialect=dialect).steps:
        if step.rule in sections:
            assert step.section == sections[step.rule]
            assert step.field in next(rule.sets for rule in RULES if rule.name == step.rule)


@given(SAMPLERS, FACTS, SCREENS, DIALECT)
def test_explanation_is_ready_for_json_and_for_people(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect
) -> None:
    """One line a member under a heading; the dict survives JSON."""
    explanation = explain(sampler, facts, screen, dialect=dialect, notes=("a remark",))
    lines = str(explanation).splitlines()
    assert [line.split()[0] for line in lines] == ["field", *FIELD_NAMES, "note:"]
    assert json.loads(json.dumps(explanation.to_dict()))["state"] == explanation.state.hex()


def test_untouched_member_names_the_gl_parameter_it_came_from() -> None:
    """With the value in GL's words."""
    step = explain(Sampler(wrap_t="mirrored-repeat"), Texture(), LLVMPIPE).last("wrap_t")
    assert (step.rule, step.because) == ("from-gl", "GL_TEXTURE_WRAP_T is GL_MIRRORED_REPEAT")


def test_border_format_is_explained_with_decoding_skipped() -> None:
    screen = LLVMPIPE.replace(use_format_with_border_color=True)
    sampler = Sampler(wrap="clamp-to-border", border_color=B, srgb_decode="skip-decode")
    for bindless in (False, True):
        step = explain(sampler, Texture("2d", "SRGB8_ALPHA8"), screen, unit=UnitFacts(bindless=bindless)).last(
            "border_color_format"
        )
        assert step.rule == "border-format"
        assert ("skipped" in step.because) is bindless


def test_seed_explains_both_sides_of_a_swap() -> None:
    """min_lod went through its floor first."""
    explanation = explain(Sampler(min_lod=-5.0, max_lod=-2.0), Texture(), LLVMPIPE, dialect="seed")
    assert [(step.rule, step.after) for step in explanation.of("min_lod")] == [
        ("from-gl", -5.0),
        ("min-lod-floor", 0.0),
        ("swap-lods", -2.0),
    ]
    assert explanation.last("max_lod").rule == "swap-lods"


def test_handle_of_a_buffer_texture_is_explained() -> None:
    explanation = explain(Sampler(), Texture("buffer"), LLVMPIPE, unit=UnitFacts(bindless=True))
    assert {step.rule for step in explanation.steps} == {"buffer"}
    assert [step.field for step in explanation.steps] == list(FIELD_NAMES)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.1015625, "0.1015625"), ([0.5, 1.0], "(0.5, 1)"), (True, "true"), (16, "16"), ("LINEAR", "LINEAR")],
)
def test_values_are_shown_short(value: object, shown: str) -> None:
    assert text(value) == shown


def test_a_word_that_is_no_member_is_refused_with_the_members() -> None:
    explanation = explain(Sampler(), Texture().facts(), Screen.named("llvmpipe"))
    with pytest.raises(UnknownName, match="member: 'lodbias' is not known; accepted: wrap_s"):
        explanation.last("lodbias")
