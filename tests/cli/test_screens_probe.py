"""``statetracker probe``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from statetracker.bindings import vulkan
from statetracker.caps import Screen
from statetracker.caps.derivation import EMULATIONS
from statetracker.cli import main

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.live("vulkan")
def test_a_device_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--device", "nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_no_vulkan_is_one_line_that_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(vulkan.VULKAN.variable, "/nowhere/libvulkan.so.1")
    assert main(["probe", "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "apt-get install libvulkan1" in printed.err
