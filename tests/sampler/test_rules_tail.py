"""`statetracker.sampler.rules`: what becomes of floats and border colours."""

from __future__ import annotations

from math import inf, nan
from struct import pack, unpack
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import Screen
from statetracker.gl import Sampler, Texture, TextureFacts, UnitFacts
from statetracker.gl.floats import f32
from statetracker.pipe.state import FIELD_NAMES
from statetracker.sampler import DIALECTS, RULES, Dialect
from statetracker.sampler.conversion import Converter, applied
from statetracker.sampler.gl_side import RecordDraft
from statetracker.sampler.rules import WORD_RULES
from statetracker.sampler.situation import ConversionKey

LLVMPIPE: Final = Screen.named("llvmpipe")
UNITS = some.builds(UnitFacts, some.floats(width=32), some.booleans(), some.booleans(), some.booleans())


def floats(sampler: Sampler, unit: float = 0.0, dialect: str = "mesa22") -> tuple[float, ...]:
    """The bias and both LODs of a record."""
    record = Converter(LLVMPIPE, DIALECTS[dialect], fast=False).record(sampler, Texture().facts(), UnitFacts(unit))
    return unpack("<3f", record[4:16])


@given(some.from_type(Sampler), some.from_type(TextureFacts), some.from_type(Screen), some.from_type(Dialect), UNITS)
def test_rule_changes_only_the_members_of_its_row(
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
