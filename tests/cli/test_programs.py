"""``statetracker inspect``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from statetracker.cli import main

DATA = Path(__file__).parents[1] / "data"


def fault(name: str) -> str:
    return str(DATA / "faults" / f"{name}.dump.txt.gz")


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


def test_a_program_with_a_fault_looks_right_on_no_device(capsys: pytest.CaptureFixture[str]) -> None:
    for name, others in (
        ("incomplete", "Not counted: 1 texture sampled while incomplete, which is black on every device."),
        ("comparing", ""),
    ):
        main(["inspect", fault(name), "--webgpu", "--all-devices"])
        shown = " ".join(capsys.readouterr().out.split())
        assert "It looks right on none: 1 finding wrong or undefined." in shown
        assert "it looks right on" not in shown
        assert others in shown
        assert main(["inspect", fault(name), "--all-devices", "--json"]) == 1
        data = json.loads(capsys.readouterr().out)["everywhere"]
        assert data["faults"] == 1
        assert data["right"] > 0.9 * data["reports"]


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("sampler-incomplete", 2),  # the black texture of an incomplete one is sampled with a state of its own
        ("draw-pixel-with-texture", 1),  # Mesa's own state for the pixels is not the program's
        ("lodbias", 16),  # one sampler, on units of 16 biases
        ("sampler-tour", 31),
    ],
)
def test_commands_count_the_sampler_states_of_a_program_alike(
    name: str, states: int, capsys: pytest.CaptureFixture[str]
) -> None:
    program = str(DATA / "programs" / f"{name}.dump.txt.gz")
    main(["inspect", program, "--json"])
    assert json.loads(capsys.readouterr().out)["sampler_states"] == states
    main(["inspect", program])
    words = f", {states} different sampler state{'s' * (states > 1)};"
    assert words in " ".join(capsys.readouterr().out.split())
    main(["replay", program])
    assert words in capsys.readouterr().err


def test_another_file_is_told_once_what_it_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", __file__]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("no call of an apitrace dump is in it") == shown.err.count("begin like a call") == 1


def test_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["inspect", fault("right"), "--html", str(page)]) == 0
    assert "Seamless cubes without a cube" in page.read_text()


def test_a_damaged_dump_is_inspected_as_far_as_it_can_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.dump.txt"
    damaged.write_text("0 glBindTexture(target = GL_TEXTURE_2D, texture = 1)\n1 glTexParameteri(target = {1}, pna\n")
    assert main(["inspect", str(damaged)]) == 2
    captured = capsys.readouterr()
    assert "nothing was found" in captured.out
    assert "damaged.dump.txt:2" in captured.err
