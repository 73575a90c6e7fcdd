"""``statetracker portability``: text, JSON and page of a described state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli import main

if TYPE_CHECKING:
    import pytest

SHADOW = str(Path(__file__).parents[2] / "examples" / "shadow.toml")


def test_it_prints_shares_outcomes_and_the_cheapest_changes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["portability", SHADOW]) == 0
    printed, said = capsys.readouterr()
    assert "shader             522    5,712   32,047  87.89%" in printed
    assert "85.36%  shader: half_border str, fixed_depth" in printed
    assert printed.endswith("wherever Z24X8_UNORM can be sampled with max_anisotropy 1.0.\n")
    assert said == ""


def test_json_has_every_row_by_its_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["portability", SHADOW, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert sum(len(group["rows"]) for group in data["groups"]) == data["all"]["devices"] == 7003
    assert data["exact"]["members"] == {"max_anisotropy": 1.0}


def test_a_page_is_written_with_the_state_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert main(["portability", SHADOW, "--html", str(file)]) == 0
    assert capsys.readouterr() == ("", f"statetracker: wrote {file}\n")
    page = file.read_text(encoding="utf-8")
    assert "shadow.toml: portability" in page
    assert "sampler wrap = clamp\n" in page
