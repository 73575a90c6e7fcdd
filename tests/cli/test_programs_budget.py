"""``statetracker budget``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from statetracker.cli import main
from statetracker.cso import POLICIES
from statetracker.pipe import SamplerState

DATA = Path(__file__).parents[1] / "data"
PROGRAM = str(DATA / "programs" / "sampler-tour.dump.txt.gz")
CASES = DATA / "mesa" / "llvmpipe+minimal.jsonl.gz"


def log(path: Path, count: int) -> str:
    lines = [["create", n, bytes(SamplerState(lod_bias=n / 256)).hex()] for n in range(count)]
    lines += [["bind", "MESA_SHADER_FRAGMENT", 0, [n]] for n in range(count)] * 2
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_json_has_what_the_tables_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", log(tmp_path / "log", 257), "--limit", "64", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["limit"], data["distinct"]["records"], data["live"], data["border_color_limit"]) == (
        64,
        257,
        [257],
        None,
    )
    assert [row["peak"] for row in data["quanta"]][:3] == [257, 65, 33]
    assert [row["lod_quantum"] for row in data["quanta"]][:2] == [None, 1 / 64]
    assert {row["eviction"] for row in data["caches"]} == {*POLICIES}
    assert data["advice"]["policy"] == "Policy(lod_quantum=0.03125, max_states=64)"
    assert (data["advice"]["fits"], data["advice"]["loss"]["lod"]) == (True, 1 / 64)


def test_what_cannot_fit_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[list[object]] = [["create", n, bytes(SamplerState(wrap_s=n)).hex()] for n in (0, 1, 2)]
    lines.append(["bind", "MESA_SHADER_FRAGMENT", 0, [0, 1, 2]])
    (tmp_path / "log").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["budget", str(tmp_path / "log"), "--limit", "2"]) == 1
    assert capsys.readouterr().out.endswith("it does not fit\n")


def test_the_chart_has_a_line_for_what_is_and_one_for_what_is_advised(tmp_path: Path) -> None:
    chart = tmp_path / "chart.html"
    assert main(["budget", log(tmp_path / "log", 257), "--limit", "64", "--chart", str(chart)]) == 0
    text = chart.read_text(encoding="utf-8")
    assert text.count("<polyline") == 2
    assert "at most 257" in text
    assert "at most 33" in text
    assert "stroke-dasharray" in text  # the limit
    assert "http" not in text  # nothing is fetched


def test_a_stage_that_keeps_too_many_samplers_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", PROGRAM, "--webgpu", "--limit", "1", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["limit"], data["fits"], len(data["stages"])) == (1, False, 24)
    first = data["stages"][0]
    assert first["samplers"] == {"equal": 5, "limits": 5, "wraps": 5, "filters": 2}
    assert (first["planned"], first["fits"], first["textures"]) == (2, False, 5)
    assert first["left_over"][-1] == "a comparison is the sampler's: GREATER_OR_EQUAL"


def test_replay_says_who_reads_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", log(tmp_path / "log", 2)]) == 2
    assert "statetracker budget reads it" in capsys.readouterr().err
