"""`statetracker.survey.space` on every class of devices: nothing wrong, shares as kept, columns stand for states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps.devices import DeviceRow, corpus
from statetracker.jobs import run_jobs
from statetracker.survey.space import SPACE, TEXTURES
from tests.kept import assert_kept
from tests.survey import whole_space
from tests.survey.whole_space import KEPT, Row, faults_of_pair, folded, judged, kept, shares, space_classes


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
