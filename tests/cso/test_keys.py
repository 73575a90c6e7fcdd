"""Which bytes count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.cso import DEFAULT_KEY, POLICIES, CsoContext, RecordingDriver
from statetracker.cso.keys import checked_rule, key_function, word_function
from statetracker.errors import ArgumentError
from statetracker.pipe import LAYOUTS, KeyRule, SamplerState, pack_as

RULES = [KeyRule(name, size) for name, layout in LAYOUTS.items() for size in (32, layout.size)]
RECORDS = st.binary(min_size=36, max_size=36)


INTEGER = {"border_color_is_integer": True}
LONG = KeyRule("22.3", 36)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("rule", "integer", "format_"),
    [
        (KeyRule("seed", 32), 1, 1),
        (KeyRule("21.0", 32), 1, 1),
        (KeyRule("seed", 36), 2, 1),
        (KeyRule("21.2", 32), 2, 1),
        (DEFAULT_KEY, 2, 1),
        (LONG, 2, 2),
    ],
)
def test_the_integer_border_flag_counts_where_the_release_has_it_and_the_format_with_the_long_key(
    rule: KeyRule, integer: int, format_: int, policy: str
) -> None:
    for fields, creates in ((INTEGER, integer), ({"border_color_format": 28}, format_)):
        context = CsoContext(RecordingDriver(), policy=policy, key=rule)
        for more in ({}, fields):
            context.set_samplers("fragment", [SamplerState(**more)])
        assert context.statistics().creates == creates


def test_the_driver_sees_the_whole_first_record_of_a_short_key() -> None:
    driver = RecordingDriver()
    context = CsoContext(driver)
    first = SamplerState(border_color_format=28)
    context.set_samplers("vertex", [first, SamplerState(border_color_format=1), SamplerState()])
    assert driver.events == [["create", 0, first.hex()], ["bind", "MESA_SHADER_VERTEX", 0, [0, 0, 0]]]


@given(RECORDS, RECORDS, st.sampled_from(RULES))
def test_keys_are_equal_exactly_where_the_leading_bytes_of_the_layout_are(a: bytes, b: bytes, rule: KeyRule) -> None:
    key = key_function(rule)
    # Differences that count are rare in random pairs: try b with a's beginning too.
    for other in (b, a[:24] + b[24:], a[:32] + b[32:], b[:4] + a[4:]):
        alike = pack_as(a, rule.layout)[: rule.leading_bytes] == pack_as(other, rule.layout)[: rule.leading_bytes]
        assert (key(a) == key(other)) == alike


@given(RECORDS, st.sampled_from(RULES))
def test_a_key_is_its_own_key(record: bytes, rule: KeyRule) -> None:
    key = key_function(rule)
    assert key(key(record)) == key(record)


def test_the_word_of_the_worked_example() -> None:
    state = SamplerState(min_mip_filter=2, compare_func=3, max_lod=1000.0)
    assert word_function(DEFAULT_KEY)(bytes(state)) == 0x447AC800


@pytest.mark.parametrize(
    "other",
    [
        SamplerState(lod_bias=2.0, max_lod=4.0),
        SamplerState(min_lod=2.0, max_lod=4.0, border_color=(7, 7, 7, 7)),
        SamplerState(min_lod=2.0, max_lod=4.0, border_color=(9, 0, 9, 0)),
    ],
)
def test_words_that_move_or_cancel_do_not_change_the_word(other: SamplerState) -> None:
    word = word_function(DEFAULT_KEY)
    assert word(bytes(other)) == word(bytes(SamplerState(min_lod=2.0, max_lod=4.0)))


def test_the_word_is_of_the_release_s_own_layout() -> None:
    assert word_function(KeyRule("21.2", 32))(bytes(36)) == 1 << 17


@pytest.mark.parametrize("rule", [KeyRule("9.9", 32), KeyRule("22.3", 40), KeyRule("21.2", 36), KeyRule("22.3", 6)])
def test_a_rule_that_no_release_could_have_is_refused(rule: KeyRule) -> None:
    with pytest.raises(ArgumentError, match="accepted: a "):
        checked_rule(rule)


def test_a_driver_may_say_what_its_cache_must_compare() -> None:
    """Without a key of the caller's own it is the driver's, and the shorter one for a driver that says none."""

    class Particular(RecordingDriver):
        key = KeyRule("22.3", 36)

    records = [bytes(SamplerState(border_color_format=name)) for name in ("NONE", "R8G8B8A8_UNORM")]
    for context, expected in (
        (CsoContext(RecordingDriver()), 1),
        (CsoContext(Particular()), 2),
        (CsoContext(Particular(), key=DEFAULT_KEY), 1),
    ):
        for record in records:
            context.sampler_state(record)
        assert context.statistics().creates == expected
