"""`statetracker.survey.space`: the columns are the whole space, each state once."""

from __future__ import annotations

from random import Random

import pytest

from statetracker.gl import Sampler
from statetracker.survey.space import SPACE, TEXTURES, columns
from tests.survey.whole_space import folded, state


@pytest.mark.parametrize("name", TEXTURES)
def test_columns_hold_every_state_once(name: str) -> None:
    assert SPACE == 8**3 * 6 * 2 * 9 * 2 * 3 == 331_776
    assert sum(column.states for column in columns(name)) == SPACE
    assert len(columns(name)) == 92 * 6 * 2 * 2 * 3 * (2 if "DEPTH" in name else 1)


def test_every_number_is_another_state() -> None:
    assert len({state(number).content() for number in range(0, SPACE, 7)}) == len(range(0, SPACE, 7))
    last = state(SPACE - 1)
    assert (last.wrap_s, last.cube_map_seamless) == (last.wrap_r, True)


def test_a_state_folds_to_one_with_the_same_wraps_and_filters() -> None:
    rng = Random(1)  # noqa: S311 (the same in every run)
    for _ in range(300):
        asked = state(rng.randrange(SPACE))
        stands = folded(asked)
        assert _wraps(asked) == _wraps(stands)
        assert (asked.min_filter, asked.compare_mode) == (stands.min_filter, stands.compare_mode)
        assert folded(stands).content() == stands.content()


def _wraps(sampler: Sampler) -> set[int]:
    return {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r}
