"""What changed between two recordings, and the rule that explains it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from statetracker.conformance.diff import compare_recordings
from statetracker.trace.recording_file import MOST_KEPT
from tests.cli.conftest import Run, run

__all__ = ["run"]

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


def test_cases_with_the_same_calls_are_matched_in_their_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    header, case = head(LLVMPIPE, 1, tmp_path).read_text().splitlines()
    one.write_text(f"{header}\n{case}\n{case}\n")
    two.write_text(f"{header}\n{case}\n{case}\n{case}\n")
    for first, second, only in ((one, one, (0, 0)), (one, two, (0, 1)), (two, one, (1, 0))):
        comparison = compare_recordings(str(first), str(second))
        assert (comparison.matched, comparison.same, comparison.only) == (2, 2, only)


def test_every_difference_between_two_drivers_is_explained(tmp_path: Path) -> None:
    """Llvmpipe and zink: what their contexts offer, and rules; Mesa on Vulkan has no GL_CLAMP."""
    comparison = compare_recordings(str(head(LLVMPIPE, 300, tmp_path)), str(head(ZINK, 300, tmp_path)))
    assert [change for change in comparison.changes if not change.reason] == []
    assert len(comparison.changes) > 300
    clamps = [change for change in comparison.changes if change.what.startswith("wrap") and change.first == "CLAMP"]
    assert len(clamps) > 50
    assert {change.reason for change in clamps if change.second != "REPEAT"} == {"clamp-lowering"}


def test_change_that_no_rule_explains_is_called_so(tmp_path: Path, run: Run) -> None:
    path, other = head(LLVMPIPE, 20, tmp_path), tmp_path / "broken.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    broken: dict[str, Any] = next(line for line in lines if line.get("raw"))
    broken["raw"]["mag_img_filter"] ^= 1
    other.write_text("\n".join(map(json.dumps, lines)) + "\n")
    code, said, _ = run("diff", path, other)
    assert (code, "mag_img_filter" in said, "not explained by a rule" in said) == (1, True, True)
    change, totals = run("diff", path, other, "--json").lines
    assert (change["what"], change["reason"], totals["matched"]) == ("mag_img_filter", "", 20)


def test_damaged_lines_are_reported_the_first_by_name_and_the_rest_compared(tmp_path: Path, run: Run) -> None:
    path, other = head(LLVMPIPE, 5, tmp_path), tmp_path / "bad.jsonl"
    other.write_text(path.read_text()[:-40])
    code, out, err = run("diff", path, other)
    assert (code, "4 cases in both" in out, "bad.jsonl:6" in err) == (2, True, True)
    other.write_text(path.read_text() + "{\n" * (MOST_KEPT + 5))
    code, out, err = run("diff", path, other)
    assert (code, "5 cases in both" in out) == (2, True)
    assert err.splitlines()[MOST_KEPT:] == ["statetracker: 5 more lines cannot be read"]
