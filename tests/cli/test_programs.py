"""``statetracker inspect`` and ``statetracker budget``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from statetracker.cli import main
from statetracker.cso import POLICIES
from statetracker.pipe import SamplerState

DATA = Path(__file__).parents[1] / "data"


def fault(name: str) -> str:
    return str(DATA / "faults" / f"{name}.dump.txt.gz")


@pytest.mark.parametrize(("name", "code"), [("right", 0), ("border", 0), ("incomplete", 1), ("comparing", 1)])
def test_it_exits_with_1_where_something_is_wrong_or_undefined(name: str, code: int) -> None:
    assert main(["inspect", fault(name)]) == code


def test_text_says_what_is_wrong_and_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    main(["inspect", fault("incomplete")])
    shown = " ".join(capsys.readouterr().out.split())
    assert "84 calls, 3 draws, 1 frame" in shown
    assert "WRONG: the picture is probably not the one that is wanted" in shown
    assert "texture 1: sampled while incomplete: level 1 is missing (of 0..3), and MIN_FILTER is GL_LINEAR" in shown
    assert "Give it every level that its filter reads" in shown


def test_json_has_findings_states_and_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", fault("border"), "--webgpu", "--all-devices", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(one["rule"], one["severity"], one["object"], one["call"]) for one in data["findings"]] == [
        ("no-effect", "wasted", "texture 1", 313),
        ("seamless", "note", "glEnable", 248),
    ]
    assert [(one["draws"], one["format"]) for one in data["states"]] == [(3, "RGBA8")]
    assert [one["kind"] for one in data["on"]["outcomes"]] == ["native"]
    assert data["everywhere"]["right"] > 0.999 * data["everywhere"]["reports"]


def test_a_device_shows_what_becomes_of_each_state(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(DATA / "programs" / "texwrap.dump.txt.gz")
    main(["inspect", program, "--webgpu"])
    assert "shader: fold st, border st" in capsys.readouterr().out


def test_incomplete_textures_are_said_not_to_count(capsys: pytest.CaptureFixture[str]) -> None:
    main(["inspect", fault("incomplete"), "--webgpu", "--all-devices"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "Not counted: 1 texture sampled while incomplete, which is black on every device." in shown


def test_another_file_is_told_once_what_it_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", __file__]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("no call of an apitrace dump is in it") == shown.err.count("begin like a call") == 1


def test_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["inspect", fault("right"), "--html", str(page)]) == 0
    assert "Seamless cubes without a cube" in page.read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.dump.txt"],
        [fault("right"), "--html", "page.txt"],
        [fault("right"), "--webgpu", "--screen", "seed"],
    ],
)
def test_what_cannot_be_done_exits_with_2_and_no_traceback(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_damaged_dump_is_inspected_as_far_as_it_can_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.dump.txt"
    damaged.write_text("0 glBindTexture(target = GL_TEXTURE_2D, texture = 1)\n1 glTexParameteri(target = {1}, pna\n")
    assert main(["inspect", str(damaged)]) == 2
    captured = capsys.readouterr()
    assert "nothing was found" in captured.out
    assert "damaged.dump.txt:2" in captured.err


PROGRAM = str(Path(__file__).parents[1] / "data" / "programs" / "sampler-tour.dump.txt.gz")


def log(path: Path, count: int) -> str:
    lines = [["create", n, bytes(SamplerState(lod_bias=n / 256)).hex()] for n in range(count)]
    lines += [["bind", "MESA_SHADER_FRAGMENT", 0, [n]] for n in range(count)] * 2
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_a_recorded_program_is_planned_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", PROGRAM, "--device", "SwiftShader"]) == 0
    shown = capsys.readouterr().out
    assert (
        "1 frame, on SwiftShader Device (Subzero)\ndifferent samplers: 30 as asked for, 30 in canonical form" in shown
    )
    assert re.search(r"with a custom border colour \d of [\d,]+\n", shown)
    assert "second-chance, 4,000" in shown
    assert shown.endswith("30 of 4,000 live states: nothing need change\n")


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([PROGRAM, "--chart", "chart.png"], "ends in .html"),
        (["no-such-file"], "cannot be opened"),
        ([PROGRAM, "--limit", "0"], "--limit"),
        ([PROGRAM, "--screen", "iris", "--device", "SwiftShader"], "not both"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", *arguments]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1


def test_replay_says_who_reads_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", log(tmp_path / "log", 2)]) == 2
    assert "statetracker budget reads it" in capsys.readouterr().err
