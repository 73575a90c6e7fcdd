"""Devices and reports on the command line: chosen, searched, refused in one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Final

import pytest

from statetracker.caps import Screen
from statetracker.cli.descriptions import screen_named
from tests.cli.conftest import Run

DATA: Final = Path(__file__).parents[1] / "data"
REPORT: Final = DATA / "reports" / "vulkaninfo-1.3.239-lavapipe.json.gz"
DEPTH: Final = {"texture": {"internal_format": "DEPTH_COMPONENT24"}, "sampler": {"min_filter": "linear"}}


@pytest.fixture
def depth(tmp_path: Path) -> Path:
    """A description of a depth texture sampled linearly."""
    path = tmp_path / "depth.json"
    path.write_text(json.dumps(DEPTH))
    return path


def test_convert_on_a_report_demotes_depth_that_it_cannot_filter(run: Run, depth: Path) -> None:
    """Lavapipe says it cannot filter depth; the recorded driver on top of it does not ask."""
    _, report, _ = run("convert", depth, "--screen", REPORT, "--gallium")
    _, embedded, _ = run("convert", depth, "--screen", "zink-lavapipe")
    assert "min_img_filter           NEAREST" in report
    assert "min_img_filter           LINEAR" in embedded


def test_convert_on_a_device_says_which_of_its_rows_was_taken(run: Run, depth: Path) -> None:
    code, by_name, err = run("convert", depth, "--device", "adreno 640")
    assert code == 0
    assert err.startswith("statetracker: Adreno (TM) 640 [5143:6040001], Vulkan 1.1.276, report 35402")
    assert "newest Vulkan and driver of 14 rows" in err
    code, by_report, err = run("convert", depth, "--device", "#35402")
    assert (code, by_report, err) == (0, by_name, "")
    depth.write_text(json.dumps({**DEPTH, "screen": "device:#35402"}))
    assert run("convert", depth) == (0, by_name, "")


def test_replay_takes_a_device(run: Run, tmp_path: Path) -> None:
    """As it takes the same screen saved as a file."""
    few = tmp_path / "few.jsonl"
    with gzip.open(DATA / "mesa" / "zink.jsonl.gz", "rt") as stream:
        few.write_text("".join(next(stream) for _ in range(21)))
    Screen.device(report=38434).save(tmp_path / "adreno.json")
    by_device = run("replay", few, "--json", "--device", "#38434")
    assert by_device == run("replay", few, "--json", "--screen", tmp_path / "adreno.json")
    assert (by_device[0], len(by_device[1].splitlines())) == (0, 20)


def test_a_screen_in_a_description_is_named_by_the_file(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"screen": {"caps": {"NONSENSE": 1}}}')
    for argv in (("convert", bad), ("preview", bad, "-o", "x.png"), ("lower", "a", "-o", "x", "--state", f"0:0={bad}")):
        code, _, err = run(*argv)
        assert (code, err.startswith(f"statetracker: {bad}: not a screen: ")) == (2, True)


def test_a_name_takes_the_same_row_here_and_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("Adreno (TM) 640", "adreno 640", "5143:6040001", "#33479"):
        here, there = screen_named(f"device:{name}").corpus, Screen.device(name).corpus
        assert here is not None
        assert here == there
    assert "#33479 differs in maxCustomBorderColorSamplers" in capsys.readouterr().err
