"""``statetracker inspect`` and ``budget``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from statetracker.cso import POLICIES
from statetracker.pipe import SamplerState
from tests.cli.conftest import Run

DATA = Path(__file__).parents[1] / "data"


def fault(name: str) -> Path:
    return DATA / "faults" / f"{name}.dump.txt.gz"


def program(name: str) -> Path:
    return DATA / "programs" / f"{name}.dump.txt.gz"


def test_json_has_findings_states_and_devices(run: Run) -> None:
    data = run("inspect", fault("border"), "--webgpu", "--all-devices", "--json").data
    assert [(one["rule"], one["severity"], one["object"], one["call"]) for one in data["findings"]] == [
        ("no-effect", "wasted", "texture 1", 313),
        ("seamless", "note", "glEnable", 248),
    ]
    assert [(one["draws"], one["format"]) for one in data["states"]] == [(3, "RGBA8")]
    assert [one["kind"] for one in data["on"]["outcomes"]] == ["native"]
    assert data["everywhere"]["right"] > 0.999 * data["everywhere"]["reports"]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("incomplete", "Not counted: 1 texture sampled while incomplete, which is black on every device."),
        ("comparing", ""),
    ],
)
def test_a_program_with_a_fault_looks_right_on_no_device(name: str, others: str, run: Run) -> None:
    shown = " ".join(run("inspect", fault(name), "--webgpu", "--all-devices").out.split())
    assert "It looks right on none: 1 finding wrong or undefined." in shown
    assert "it looks right on" not in shown
    assert others in shown
    data = run("inspect", fault(name), "--all-devices", "--json").data["everywhere"]
    assert (data["faults"], data["right"] > 0.9 * data["reports"]) == (1, True)


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("sampler-incomplete", 2),  # the black texture of an incomplete one is sampled with a state of its own
        ("draw-pixel-with-texture", 1),  # Mesa's own state for the pixels is not the program's
        ("lodbias", 16),  # one sampler, on units of 16 biases
        ("sampler-tour", 31),
    ],
)
def test_commands_count_the_sampler_states_of_a_program_alike(name: str, states: int, run: Run) -> None:
    assert run("inspect", program(name), "--json").data["sampler_states"] == states
    words = f", {states} different sampler state{'s' * (states > 1)};"
    assert words in " ".join(run("inspect", program(name)).out.split())
    assert words in run("replay", program(name)).err


def test_another_file_is_told_once_what_it_is_not(run: Run) -> None:
    code, out, err = run("inspect", __file__)
    assert (code, out) == (2, "")
    assert err.count("no call of an apitrace dump is in it") == err.count("begin like a call") == 1


def test_a_page_is_written(tmp_path: Path, run: Run) -> None:
    page = tmp_path / "page.html"
    assert run("inspect", fault("right"), "--html", page).code == 0
    assert "Seamless cubes without a cube" in page.read_text()


def test_a_damaged_dump_is_inspected_as_far_as_it_can_be(tmp_path: Path, run: Run) -> None:
    damaged = tmp_path / "damaged.dump.txt"
    damaged.write_text("0 glBindTexture(target = GL_TEXTURE_2D, texture = 1)\n1 glTexParameteri(target = {1}, pna\n")
    code, out, err = run("inspect", damaged)
    assert (code, "nothing was found" in out, "damaged.dump.txt:2" in err) == (2, True, True)


def log(path: Path, states: list[SamplerState], binds: list[list[int]]) -> Path:
    lines: list[list[object]] = [["create", n, bytes(state).hex()] for n, state in enumerate(states)]
    lines += [["bind", "MESA_SHADER_FRAGMENT", 0, ids] for ids in binds]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def biases(tmp_path: Path) -> Path:
    """A run of the loop with 257 biases, each bound twice."""
    count = 257
    return log(
        tmp_path / "log", [SamplerState(lod_bias=n / 256) for n in range(count)], [[n] for n in range(count)] * 2
    )


def test_json_has_what_the_tables_of_a_budget_have(biases: Path, run: Run) -> None:
    data = run("budget", biases, "--limit", "64", "--json").data
    assert (data["limit"], data["distinct"]["records"], data["live"]) == (64, 257, [257])
    assert data["border_color_limit"] is None
    assert [row["peak"] for row in data["quanta"]][:3] == [257, 65, 33]
    assert [row["lod_quantum"] for row in data["quanta"]][:2] == [None, 1 / 64]
    assert {row["eviction"] for row in data["caches"]} == {*POLICIES}
    assert data["advice"]["policy"] == "Policy(lod_quantum=0.03125, max_states=64)"
    assert (data["advice"]["fits"], data["advice"]["loss"]["lod"]) == (True, 1 / 64)


def test_what_cannot_fit_exits_with_1(tmp_path: Path, run: Run) -> None:
    wraps = log(tmp_path / "log", [SamplerState(wrap_s=n) for n in (0, 1, 2)], [[0, 1, 2]])
    code, out, _ = run("budget", wraps, "--limit", "2")
    assert (code, out.endswith("it does not fit\n")) == (1, True)


def test_a_budget_of_a_damaged_file_says_so_and_exits_with_2(tmp_path: Path, run: Run) -> None:
    whole = gzip.decompress(Path(program("sampler-tour")).read_bytes())
    damaged = tmp_path / "damaged.dump.txt"
    damaged.write_bytes(whole.replace(b" glTexParameteri(", b" glTexParameteri(("))
    code, out, err = run("budget", damaged)
    assert (code, "live states" in out, err.count("damaged.dump.txt:")) == (2, True, 10)


def test_the_chart_has_a_line_for_what_is_and_one_for_what_is_advised(biases: Path, tmp_path: Path, run: Run) -> None:
    chart = tmp_path / "chart.html"
    assert run("budget", biases, "--limit", "64", "--chart", chart).code == 0
    text = chart.read_text(encoding="utf-8")
    assert [text.count(words) for words in ("<polyline", "at most 257", "at most 33")] == [2, 1, 1]
    assert "stroke-dasharray" in text  # the limit
    assert "http" not in text  # nothing is fetched


def test_a_stage_that_keeps_too_many_samplers_exits_with_1(run: Run) -> None:
    shown = run("budget", program("sampler-tour"), "--webgpu", "--limit", "1", "--json")
    first = shown.data["stages"][0]
    assert (shown.code, shown.data["limit"], shown.data["fits"], len(shown.data["stages"])) == (1, 1, False, 24)
    assert first["samplers"] == {"equal": 5, "limits": 5, "wraps": 5, "filters": 2}
    assert (first["planned"], first["fits"], first["textures"]) == (2, False, 5)
    assert first["left_over"][-1] == "a comparison is the sampler's: GREATER_OR_EQUAL"


def test_replay_says_who_reads_a_run(biases: Path, run: Run) -> None:
    code, _, err = run("replay", biases)
    assert (code, "statetracker budget reads it" in err) == (2, True)
