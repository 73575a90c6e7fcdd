"""``statetracker screens --compare``: two devices, by rule; ``statetracker probe``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from statetracker import survey
from statetracker.bindings import vulkan
from statetracker.caps import Screen
from statetracker.caps.derivation import EMULATIONS
from statetracker.cli import main
from statetracker.survey import TEXTURES, compare_space

if TYPE_CHECKING:
    from statetracker.survey import SpaceDifference

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTH = ("screens", "--compare", "#38434", "#38162")


def test_json_is_one_line_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTH, "--state", str(EXAMPLES / "unfiltered.toml"), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"rule": "filtering", "member": "mag_filter", "one": "LINEAR", "other": "NEAREST"}.items() <= rows[0].items()


def test_the_whole_space_is_a_table_by_texture_and_rule(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = (Screen.device("#38434"), Screen.device("#38162"))
    first = next(iter(TEXTURES))
    rows = list(compare_space(*both, textures=[first]))

    def answer(*screens: Screen, textures: tuple[str, ...]) -> list[SpaceDifference]:
        return rows if (screens, textures) == (both, (first,)) else []

    monkeypatch.setattr(survey, "compare_space", answer)
    assert main([*BOTH]) == 0
    printed, said = capsys.readouterr()
    assert "RGBA8, 2D  mirror-edge  191,808  57.8%" in printed
    assert said == "statetracker: comparing 331,776 states of 4 textures, some seconds\n"
    assert main([*BOTH, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["states"] == 191_808


@pytest.mark.live("vulkan")
def test_a_person_reads_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(Screen.probe().name)
    assert [row.want for row in EMULATIONS if row.want not in printed] == []
    assert "maxSamplerAllocationCount" in printed


@pytest.mark.live("vulkan")
def test_a_machine_reads_the_screen_and_the_wants(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["probe", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["want"] for row in data["emulations"]] == [row.want for row in EMULATIONS]
    path = tmp_path / "screen.json"
    path.write_text(json.dumps(data["screen"]), encoding="ascii")
    assert Screen.load(path) == Screen.probe()


@pytest.mark.live("vulkan")
def test_a_saved_probe_is_a_screen_for_other_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "screen.json.gz"
    assert main(["probe", "--device", "0", "--save", str(file)]) == 0
    assert str(file) in capsys.readouterr().err
    assert main(["screens", str(file)]) == 0
    assert Screen.load(file).name in capsys.readouterr().out


def test_no_vulkan_is_one_line_that_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(vulkan.VULKAN.variable, "/nowhere/libvulkan.so.1")
    assert main(["probe", "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "apt-get install libvulkan1" in printed.err
