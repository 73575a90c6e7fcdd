"""`statetracker.sampler.memo`: what is remembered changes nothing, and is not worked out again."""

from __future__ import annotations

import gc
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker import events
from statetracker.caps import FormatFeatures, Screen
from statetracker.gl import Sampler, Texture, TextureFacts, UnitFacts, Wrap
from statetracker.pipe.layout import MASKS
from statetracker.sampler import DIALECTS, Dialect, converter, memo, sampler_state
from statetracker.sampler.conversion import Converter
from statetracker.sampler.gl_side import (
    BORDER_NONZERO,
    BORDER_USED,
    CONTEXT_SEAMLESS,
    SKIPS_DECODE,
    WORD_MASK,
    sampler_key,
)
from statetracker.sampler.memo import OTHERS_SET, WRAPS_SET, PackedSampler

SAMPLERS = some.from_type(Sampler)
FACTS = some.from_type(TextureFacts)
SCREENS = some.from_type(Screen)
DIALECT = some.from_type(Dialect)
UNITS = some.builds(UnitFacts, some.floats(width=32), some.booleans(), some.booleans(), some.booleans())
NAMED: Final = [Screen.named(name) for name in ("llvmpipe", "softpipe", "zink-lavapipe", "seed", "nv50")]
LLVMPIPE: Final = Screen.named("llvmpipe")
PLAIN: Final = DIALECTS["mesa22"]


@pytest.mark.parametrize("dialect", [*DIALECTS, None])
@given(SAMPLERS, FACTS, some.sampled_from(NAMED) | SCREENS, DIALECT, UNITS)
def test_the_quick_way_gives_the_bytes_of_the_rules(
    dialect: str | None, sampler: Sampler, facts: TextureFacts, where: Screen, drawn: Dialect, unit: UnitFacts
) -> None:
    """Each rule in its turn is the reference; on screens and dialects of ours, and on any others."""
    rules = DIALECTS[dialect] if dialect else drawn
    plain = Converter(where, rules, fast=False)
    for chosen in (Converter(where, rules), converter(where, rules)):
        assert chosen.record(sampler, facts, unit) == plain.record(sampler, facts, unit)
        assert chosen.record(sampler, facts) == plain.record(sampler, facts)


@given(SAMPLERS, FACTS, SCREENS, DIALECT, UNITS)
def test_two_parts_are_what_the_rules_make_of_the_whole(
    sampler: Sampler, facts: TextureFacts, screen: Screen, dialect: Dialect, unit: UnitFacts
) -> None:
    """Every rule in its place, over the whole word, as the explanation runs them; nothing is left out of the parts."""
    plan = Converter(screen, dialect).memo.plan(facts, unit)
    key = sampler_key(sampler) | CONTEXT_SEAMLESS * unit.seamless
    whole = key
    for function in plan.functions:
        whole = function(whole)
    counts = WORD_MASK if plan.untouched else WORD_MASK | BORDER_USED
    assert plan.word(key) == whole & counts
    assert not WRAPS_SET & OTHERS_SET
    assert WRAPS_SET | OTHERS_SET == WORD_MASK | BORDER_USED


def test_what_no_rule_looks_at_is_no_part() -> None:
    """A border colour makes no other members, a switch for decoding neither part."""
    plan = Converter(LLVMPIPE, PLAIN).memo.plan(Texture("2d", "R8").facts())
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
    chosen.memo.plan(facts).functions = ()
    assert chosen.record(new, facts) == expected


def test_memory_of_plans_and_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts afresh when it is full, and the records stay right."""
    monkeypatch.setattr(memo, "_MOST", 2)
    chosen = Converter(LLVMPIPE, DIALECTS["mesa22"])
    for target, wrap in product(("1d", "2d", "3d"), Wrap):
        facts, sampler = Texture(target, "R8").facts(), Sampler(wrap=wrap)
        assert chosen.record(sampler, facts) == bytes(sampler_state(sampler, facts, LLVMPIPE))
        assert len(chosen.memo.plan(facts).wraps) <= 2
        assert len(chosen.memo.plan(facts).others) <= 2
    assert len(chosen.memo._usual) <= 2


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
    plan = Converter(LLVMPIPE, dialect).memo.plan(Texture().facts())
    assert plan.long is not short


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
    assert converter(screen).memo.plan(Texture("2d", name).facts()).untouched is untouched


@pytest.mark.parametrize("dialect", ["mesa22", "seed"])
def test_what_was_worked_out_is_not_worked_out_again(dialect: str) -> None:
    """A sampler's terms, a texture's plan, a key's word."""
    chosen = Converter(LLVMPIPE, DIALECTS[dialect])
    facts = [Texture(target, "R8I").facts() for target in ("2d", "3d")]
    sampler, other = Sampler(wrap="clamp", mag_filter="linear"), Sampler()
    record = chosen.record
    first = record(sampler, facts[0])
    record(other, facts[0])
    record(other, facts[1])
    derived, plan = sampler.derived, chosen.memo.plan(facts[0])
    assert (len(plan.wraps), len(plan.others)) == (2, 2)
    plan.functions = ()
    assert record(sampler, facts[0]) == first
    assert sampler.derived is derived
    assert chosen.memo.plan(facts[0]) is plan
    assert chosen.memo.plan(facts[1]) is not plan


def test_format_that_cannot_be_filtered_is_an_event() -> None:
    """One a plan, with the format and the screen; none where the format can be."""
    heard: list[object] = []
    events.listen(lambda *event: heard.append(event))
    try:
        screen = LLVMPIPE.replace(linear_filtering=FormatFeatures({"R8G8B8A8_UNORM": False}))
        for name in ("RGBA8", "R8"):
            Converter(screen, PLAIN).memo.plan(Texture("2d", name).facts())
    finally:
        events.quiet()
    assert heard == [("sampler", "demotion", {"format": "R8G8B8A8_UNORM", "screen": screen.name})]


def test_what_is_derived_is_kept_until_the_next_change() -> None:
    """One object for each state of a sampler."""
    sampler = Sampler()
    record, facts = converter(LLVMPIPE).record, Texture().facts()
    record(sampler, facts)
    first = sampler.derived
    record(sampler, facts)
    assert sampler.derived is first is not None
    sampler.update(wrap="clamp")
    record(sampler, facts)
    assert sampler.derived is not first


def test_a_samplers_embedding_is_freed_without_the_garbage_collector() -> None:
    """It does not refer to itself."""
    embedded = PackedSampler(Sampler(lod_bias=1.0))
    assert embedded not in gc.get_referents(embedded)
    assert embedded.wide is None
    assert PackedSampler(Sampler(lod_bias=20.0)).wide is not None
