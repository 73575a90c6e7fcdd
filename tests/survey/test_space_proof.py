"""``make space``, short: some columns on every class of devices, random pairs, and that a run goes on where it was."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from statetracker.caps.devices import corpus
from statetracker.survey.space import SPACE, TEXTURES, folded
from tools.proofs.vulkan_space import judge, shares
from tools.proofs.vulkan_space.__main__ import main
from tools.proofs.vulkan_space.judge import sample

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_no_class_breaks_a_rule_and_shares_are_near_the_stored_ones() -> None:
    """One column in 500 of each class."""
    done = {
        judge.part_id(name, number): judge.judged(name, number, 500)
        for name in TEXTURES
        for number in range(len(judge.space_classes(name)))
    }
    assert [fault for one in done.values() for fault in one.wrong] == []
    assert all(one.unsupported.keys() <= {"format"} for one in done.values())
    stored = {(row.texture, row.kind): row.share_vectors for row in shares.stored()}
    for row in shares.shares(done):
        assert abs(row.share_vectors - stored[row.texture, row.kind]) < 0.05


def test_stored_shares_are_of_every_state_and_vector() -> None:
    for name in TEXTURES:
        rows = [row for row in shares.stored() if row.texture == name]
        assert abs(sum(row.share_reports for row in rows) - 1) < 1e-5
        assert sum(row.states for row in rows) >= SPACE * 754


def test_classes_are_of_all_rows() -> None:
    for name in TEXTURES:
        rows = [row for one in judge.space_classes(name) for row in one.rows]
        assert sorted(rows) == sorted(corpus())


def test_random_states_on_their_own_devices_are_as_their_columns() -> None:
    assert sample(12, 400) == []


def test_a_state_that_is_not_as_its_column_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the check can find something: columns that leave the wraps out."""
    monkeypatch.setattr(judge, "folded", lambda sampler: folded(sampler.copy(wrap="repeat")))
    assert any(fault.startswith("not as its column") for fault in sample(12, 20))


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "_KEPT", tmp_path / "build" / "space.jsonl")
    first = shares.Kept.opened(again=False, to_file=True)
    first["RGBA8, class 3"] = judge.Judged(Counter(native=5), Counter(), Counter(border=2), Counter())
    with shares._KEPT.open("a", encoding="utf-8") as file:
        file.write('["a line that the run was killed in')
    assert shares.Kept.opened(again=False, to_file=True) == shares.Kept.opened(again=False, to_file=True) == first
    assert shares.Kept.opened(again=True, to_file=True) == {}
    first["RGBA8, class 3"] = judge.Judged(Counter(native=5), Counter(), Counter(), Counter())
    monkeypatch.setattr(shares, "_fingerprint", lambda: "other sources")
    assert shares.Kept.opened(again=False, to_file=True) == {}


def test_a_short_run_says_that_nothing_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--every", "5000", "--pairs", "20", "--workers", "1"]) == 0
    printed = capsys.readouterr().out
    assert "7,003 rows of devices: 0 wrong" in printed
    assert "20 random pairs, seed 0: 0 wrong" in printed
