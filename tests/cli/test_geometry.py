"""``statetracker geometry``: exit codes, bad lines, the explanation and the chart."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.cli import main

RECORDING = Path(__file__).parents[1] / "data" / "isl" / "gs_dispatch.jsonl.gz"


def run(capsys: Any, *argv: object) -> tuple[int, str, str]:
    code = main(["geometry", *map(str, argv)])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_recording_agrees(capsys: Any) -> None:
    code, out, err = run(capsys, RECORDING, "--check")
    assert (code, err) == (0, "")
    assert "66 of 66" in out


def test_a_difference_is_exit_code_1_and_a_bad_line_2_with_the_others_answered(capsys: Any, tmp_path: Path) -> None:
    with gzip.open(RECORDING, "rt") as stream:
        record = json.loads(next(stream))
    path = tmp_path / "some.jsonl"
    question = {"id": 7, "in": record["in"]}
    path.write_text(json.dumps({**record, "out": {**record["out"], "total_grf": 5}}) + "\n")
    code, _, err = run(capsys, path, "--check")
    assert (code, "out.total_grf: 71, recorded 5" in err) == (1, True)
    path.write_text("\n".join([json.dumps(question), "no json", "[1]", '{"in": {}}', "", json.dumps(question)]))
    code, out, err = run(capsys, path, "--json")
    assert code == 2
    assert [json.loads(line) for line in out.splitlines()] == [{**question, "out": record["out"]}] * 2
    assert [f"some.jsonl:{n}:" in err for n in range(1, 7)] == [False, True, True, True, False, False]


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_a_program_is_explained_and_drawn(ending: str, start: bytes, capsys: Any, tmp_path: Path) -> None:
    picture = tmp_path / f"chart.{ending}"
    code, out, _ = run(capsys, RECORDING, "--explain", 16, "-o", picture)
    assert code == 0
    assert "DUAL_OBJECT" in out
    assert "alive at once, of 112" in out
    assert picture.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["/nowhere.jsonl"], "/nowhere.jsonl"),
        ([RECORDING, "--explain", 99], "--explain=99"),
        ([RECORDING, "--explain", 1, "-o", "chart.gif"], "chart.gif"),
        ([RECORDING, "--explain", 1, "-o", "/nowhere/chart.svg"], "cannot be written"),
        ([RECORDING, "--explain", 1, "--policy", "newest"], "newest"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(argv: list[object], said: str, capsys: Any) -> None:
    code, _, err = run(capsys, *argv)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1
