"""What changed between two recordings, and the rule that explains it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.cli import main
from statetracker.conformance.diff import compare_recordings
from statetracker.trace.recording_file import MOST_KEPT

DATA = Path(__file__).parents[1] / "data" / "mesa"
LLVMPIPE, NO_CLAMP, ZINK = (DATA / f"{name}.jsonl.gz" for name in ("llvmpipe", "llvmpipe+no_gl_clamp", "zink"))


def head(path: Path, count: int, folder: Path) -> Path:
    """The header and first cases of a recording."""
    head_file = folder / path.name.removesuffix(".gz")
    with gzip.open(path, "rt") as stream:
        head_file.write_text("".join(next(stream) for _ in range(count + 1)))
    return head_file


def test_a_recording_equals_itself() -> None:
    comparison = compare_recordings(str(NO_CLAMP), str(NO_CLAMP))
    assert (comparison.changes, comparison.only) == ([], (0, 0))
    assert comparison.matched == comparison.same == 500


def test_clamp_lowering_is_the_rule_behind_changed_clamps(tmp_path: Path) -> None:
    """Mesa on Vulkan has no GL_CLAMP: wherever llvmpipe has CLAMP and zink border or edge, that rule is named."""
    comparison = compare_recordings(str(head(LLVMPIPE, 300, tmp_path)), str(head(ZINK, 300, tmp_path)))
    clamps = [change for change in comparison.changes if change.what.startswith("wrap") and change.first == "CLAMP"]
    assert len(clamps) > 50
    assert {change.reason for change in clamps if change.second != "REPEAT"} == {"clamp-lowering"}


def test_every_difference_between_two_drivers_is_explained(tmp_path: Path) -> None:
    """Llvmpipe and zink: what their contexts offer, and rules."""
    comparison = compare_recordings(str(head(LLVMPIPE, 300, tmp_path)), str(head(ZINK, 300, tmp_path)))
    assert [change for change in comparison.changes if not change.reason] == []
    assert len(comparison.changes) > 300


def test_change_that_no_rule_explains_is_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = head(LLVMPIPE, 20, tmp_path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    broken: dict[str, Any] = next(line for line in lines if line.get("raw"))
    broken["raw"]["mag_img_filter"] ^= 1
    other = tmp_path / "broken.jsonl"
    other.write_text("\n".join(map(json.dumps, lines)) + "\n")
    assert main(["diff", str(path), str(other)]) == 1
    said = capsys.readouterr().out
    assert "mag_img_filter" in said
    assert "not explained by a rule" in said
    assert main(["diff", str(path), str(other), "--json"]) == 1
    change, totals = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (change["what"], change["reason"]) == ("mag_img_filter", "")
    assert totals["matched"] == 20


def test_damaged_recording_is_reported_and_the_rest_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2."""
    path = head(LLVMPIPE, 5, tmp_path)
    other = tmp_path / "cut.jsonl"
    other.write_text(path.read_text()[:-40])
    assert main(["diff", str(path), str(other)]) == 2
    out, err = capsys.readouterr()
    assert "4 cases in both" in out
    assert "cut.jsonl:6" in err


def test_of_many_damaged_lines_the_first_are_named_and_the_others_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = head(LLVMPIPE, 5, tmp_path)
    other = tmp_path / "bad.jsonl"
    other.write_text(path.read_text() + "{\n" * (MOST_KEPT + 5))
    assert main(["diff", str(path), str(other)]) == 2
    out, err = capsys.readouterr()
    assert "5 cases in both" in out
    assert err.splitlines()[MOST_KEPT:] == ["statetracker: 5 more lines cannot be read"]
