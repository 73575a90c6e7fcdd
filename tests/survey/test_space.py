"""`statetracker.survey.space`: the columns are the whole space, each state once; shares of every class as kept."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps.devices import DeviceRow, corpus
from statetracker.gl import Sampler
from statetracker.jobs import run_jobs
from statetracker.survey.space import SPACE, TEXTURES, columns
from tests.kept import assert_kept
from tests.survey import whole_space
from tests.survey.whole_space import KEPT, Row, faults_of_pair, folded, judged, kept, shares, space_classes, state


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


def test_no_class_breaks_a_rule_and_shares_are_the_kept_ones(whole: bool) -> None:
    """Of one column in 500 of each class, shares are near; with `make space` of all columns."""
    every, jobs = (1, None) if whole else (500, 1)
    classes = [(name, number) for name in TEXTURES for number in range(len(space_classes(name)))]
    parts = {f"{name}, class {number}": (name, number, every) for name, number in classes}
    done = dict(zip(classes, (one for _, one in run_jobs(judged, parts, jobs=jobs)), strict=True))
    assert [fault for one in done.values() for fault in one.wrong] == []
    if whole:
        assert_kept(KEPT, Row._fields, shares(done))
    near = {(row.texture, row.kind): pytest.approx(row.share_vectors, abs=0.05) for row in kept()}
    assert {(row.texture, row.kind): row.share_vectors for row in shares(done)} == near


def test_kept_shares_are_of_every_state_and_vector() -> None:
    for name in TEXTURES:
        rows = [row for row in kept() if row.texture == name]
        assert abs(sum(row.share_reports for row in rows) - 1) < 1e-5
        assert sum(row.states for row in rows) >= SPACE * 754


def test_classes_are_of_all_rows() -> None:
    for name in TEXTURES:
        rows = [row for one in space_classes(name) for row in one.rows]
        assert sorted(rows) == sorted(corpus())


@given(some.sampled_from(sorted(TEXTURES)), some.sampled_from(corpus()), some.integers(0, SPACE - 1))
def test_a_state_on_its_own_device_is_as_its_column(name: str, row: DeviceRow, number: int) -> None:
    """With `make space` of 40,000 pairs."""
    assert faults_of_pair(name, row, number) == []


def test_a_state_that_is_not_as_its_column_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the check can find something: columns that leave the wraps out."""
    monkeypatch.setattr(whole_space, "folded", lambda sampler: folded(sampler.copy(wrap="repeat")))
    faults = [
        fault for number in range(0, SPACE, SPACE // 20) for fault in faults_of_pair("RGBA8, 2D", corpus()[0], number)
    ]
    assert any(fault.startswith("not as its column") for fault in faults)
