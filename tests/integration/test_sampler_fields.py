"""A field of a sampler reaches every place that would lose it in silence; a failure names the file to write in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import find, settings

import statetracker as st
from statetracker.conformance import strategies
from statetracker.conformance.states import states
from statetracker.gl.sampler import DEFAULTS, FIELDS
from statetracker.hosts.moderngl_fields import attributes
from statetracker.survey.changes import cheapest
from tests.batch.random_rows import random_rows

#: Samplers of random states, as the conformance tests draw them.
DRAWN = [state.sampler for state in states(1, 300, ())]


def differs(sampler: st.Sampler, field: str) -> bool:
    return bool(getattr(sampler, field) != DEFAULTS[field])


@pytest.mark.parametrize("field", FIELDS)
def test_whatever_draws_samplers_has_other_values_of_it(field: str) -> None:
    assert any(differs(one, field) for one in DRAWN), "draw it in conformance/states.py"
    few = settings(max_examples=500, database=None)
    assert find(strategies.samplers(), lambda one: differs(one, field), settings=few), "conformance/strategies.py"
    rows = random_rows(np.random.default_rng(1), 200)
    assert np.unique(rows[field]).size > 1, "draw it in tests/batch/random_rows.py"


@pytest.mark.parametrize("field", FIELDS)
def test_moderngl_gets_it_or_is_said_to_lack_it(field: str) -> None:
    plains = [st.Sampler(wrap="clamp-to-border", compare_mode=compares).state() for compares in (False, True)]
    others = ((plain, plain | {field: getattr(one, field)}) for plain in plains for one in DRAWN)
    seen = (attributes(other, DEFAULTS) != attributes(plain, DEFAULTS) for plain, other in others)
    assert any(seen), "hosts/moderngl_fields.py keeps it, and does not set it"


def test_changes_of_a_state_that_help_are_of_its_fields() -> None:
    """A field that is no number and has no row in survey/changes.py is never changed: name it here with the reason."""
    never = {"compare_mode", "compare_func", "srgb_decode"}  # without these a sample is another thing
    changed = set[str]()

    def missed(sampler: st.Sampler, _stop: int) -> int:
        changed.update(field for field in FIELDS if getattr(sampler, field) != getattr(given, field))
        return 1

    for given in DRAWN[:100]:
        cheapest(given, missed, aim="exact", integer=False)
    assert changed == set(FIELDS) - never
