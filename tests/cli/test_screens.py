"""``statetracker screens``: devices searched and compared, by rule; ``statetracker probe``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from statetracker import survey
from statetracker.bindings import vulkan
from statetracker.caps import PROFILES, Screen, searching
from statetracker.caps.derivation import EMULATIONS
from statetracker.survey import TEXTURES, compare_space
from tests.cli.conftest import Run

if TYPE_CHECKING:
    from statetracker.survey import SpaceDifference

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "tests" / "data" / "reports" / "vulkaninfo-1.3.239-lavapipe.json.gz"
BOTH = ("screens", "--compare", "#38434", "#38162")


def test_json_is_one_line_a_difference(run: Run) -> None:
    rows = run(*BOTH, "--state", ROOT / "examples" / "unfiltered.toml", "--json").lines
    assert {"rule": "filtering", "member": "mag_filter", "one": "LINEAR", "other": "NEAREST"}.items() <= rows[0].items()


def test_the_whole_space_is_a_table_by_texture_and_rule(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    both = (Screen.device("#38434"), Screen.device("#38162"))
    first = next(iter(TEXTURES))
    rows = list(compare_space(*both, textures=[first]))

    def answer(*screens: Screen, textures: tuple[str, ...]) -> list[SpaceDifference]:
        return rows if (screens, textures) == (both, (first,)) else []

    monkeypatch.setattr(survey, "compare_space", answer)
    code, printed, said = run(*BOTH)
    assert (code, said) == (0, "statetracker: comparing 331,776 states of 4 textures, some seconds\n")
    assert "RGBA8, 2D  mirror-edge  191,808  57.8%" in printed
    assert run(*BOTH, "--json").lines[0]["states"] == 191_808
    rows.clear()
    assert run(*BOTH).out.endswith("no difference\n")


def test_search_lists_rows_with_what_they_offer(run: Run) -> None:
    rows = searching("turnip 640")
    code, out, err = run("screens", "--device", "turnip 640")
    assert (code, len(out.splitlines())) == (0, len(rows) + 1)
    assert f"{len(rows)} rows; --device '#REPORT' takes one (vulkan.gpuinfo.org, CC BY 4.0)" in err
    lines = run("screens", "--device", "turnip 640", "--json").lines
    assert [line["newest_report"] for line in lines] == [row.newest_report for row in rows]
    assert {"limits", "features", "extensions", "formats"} <= lines[0].keys()


def test_long_search_is_cut_for_people_and_whole_for_machines(run: Run) -> None:
    total = len(searching("geforce"))
    _, out, err = run("screens", "--device", "geforce")
    assert len(re.findall(r" [0-9a-f]{4,8}:[0-9a-f]{4,8} ", out)) == 40
    assert f"{total} rows, {total - 40} more not shown" in err
    assert len(run("screens", "--device", "geforce", "--json").lines) == total


def test_json_is_a_screen_a_line(run: Run) -> None:
    assert [line["name"] for line in run("screens", "--json").lines] == list(PROFILES)
    lavapipe, adreno = run("screens", REPORT, "device:#38434", "--json").lines
    assert "Z16_UNORM" in lavapipe["linear_filtering"]["refused"]
    assert lavapipe["vulkan"]["capabilities"]["device"]["extensions"]["VK_EXT_custom_border_color"] == 1
    assert adreno["corpus"][0]["newest_report"] == 38434


@pytest.mark.live("vulkan")
def test_a_person_reads_a_table(run: Run) -> None:
    code, printed, _ = run("probe")
    assert (code, printed.startswith(Screen.probe().name)) == (0, True)
    assert [row.want for row in EMULATIONS if row.want not in printed] == []
    assert "maxSamplerAllocationCount" in printed


@pytest.mark.live("vulkan")
def test_a_machine_reads_the_screen_and_the_wants(run: Run, tmp_path: Path) -> None:
    data = run("probe", "--json").data
    assert [row["want"] for row in data["emulations"]] == [row.want for row in EMULATIONS]
    path = tmp_path / "screen.json"
    path.write_text(json.dumps(data["screen"]), encoding="ascii")
    assert Screen.load(path) == Screen.probe()


@pytest.mark.live("vulkan")
def test_a_saved_probe_is_a_screen_for_other_commands(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "screen.json.gz"
    assert str(file) in run("probe", "--device", "0", "--save", file).err
    assert Screen.load(file).name in run("screens", file).out
    code, _, err = run("probe", "--device", "nothing")
    assert (code, err.count("\n")) == (2, 1)


def test_no_vulkan_is_one_line_that_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(vulkan.VULKAN.variable, "/nowhere/libvulkan.so.1")
    code, out, err = run("probe", "--json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "apt-get install libvulkan1" in err
