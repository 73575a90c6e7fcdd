"""``statetracker geometry``: exit codes, bad lines, the explanation and the chart."""

from __future__ import annotations

import gzip
import json
from array import array
from functools import partial
from pathlib import Path

import pytest

from tests.cli.conftest import Run

RECORDING = Path(__file__).parents[1] / "data" / "isl" / "gs_dispatch.jsonl.gz"


SHADERS = Path(__file__).parents[1] / "data" / "geometry" / "shaders"


@pytest.fixture
def geometry(run: Run) -> Run:
    return partial(run, "geometry")


def test_a_difference_is_exit_code_1_and_a_bad_line_2_with_the_others_answered(geometry: Run, tmp_path: Path) -> None:
    with gzip.open(RECORDING, "rt") as stream:
        record = json.loads(next(stream))
    path = tmp_path / "some.jsonl"
    question = {"id": 7, "in": record["in"]}
    path.write_text(json.dumps({**record, "out": {**record["out"], "total_grf": 5}}) + "\n")
    code, _, err = geometry(path, "--check")
    assert (code, "out.total_grf: 71, recorded 5" in err) == (1, True)
    path.write_text("\n".join([json.dumps(question), "no json", "[1]", '{"in": {}}', "", json.dumps(question)]))
    shown = geometry(path, "--json")
    assert (shown.code, shown.lines) == (2, [{**question, "out": record["out"]}] * 2)
    assert [f"some.jsonl:{n}:" in shown.err for n in range(1, 7)] == [False, True, True, True, False, False]


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_a_program_or_a_shader_is_explained_and_drawn(ending: str, start: bytes, geometry: Run, tmp_path: Path) -> None:
    picture = tmp_path / f"chart.{ending}"
    for argv in ((RECORDING, "--explain", 16), (SHADERS / "ambient_probe.spv",)):
        shown = geometry(*argv, "-o", picture)
        assert (shown.code, "DUAL_OBJECT" in shown.out, "alive at once, of 112" in shown.out) == (0, True, True)
        assert picture.read_bytes().startswith(start)
        picture.unlink()


def test_shaders_as_json_are_records_that_check(geometry: Run, tmp_path: Path) -> None:
    shown = geometry(SHADERS / "wireframe.spv", SHADERS / "histogram.spv", "--json")
    wireframe, histogram = shown.lines
    assert [Path(one["file"]).name for one in (wireframe, histogram)] == ["wireframe.spv", "histogram.spv"]
    assert {step["field"] for step in wireframe["reasons"]} >= {"mode", "pressure", "spills"}
    assert histogram["remarks"][0]["instruction"] == "OpVariable"
    path = tmp_path / "shaders.jsonl"
    path.write_text(shown.out)
    code, out, err = geometry(path, "--check")
    assert (code, "2 of 2" in out, err) == (0, True, "")


def test_a_shader_that_cannot_be_read_is_one_line_and_the_others_go_on(geometry: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.spv"
    broken.write_bytes((SHADERS / "wireframe.spv").read_bytes()[:400])
    code, out, err = geometry(broken, tmp_path / "none.spv", SHADERS / "passthrough.spv")
    assert (code, len(err.splitlines()), "passthrough.spv: triangles in" in out) == (2, 2, True)
    assert "broken.spv: word " in err
    assert "none.spv: cannot be opened" in err


def test_more_invocations_than_hardware_counts_are_reported_with_the_file(geometry: Run, tmp_path: Path) -> None:
    words = array("I", (SHADERS / "cube_layers.spv").read_bytes())
    at = next(n for n in range(5, len(words) - 3) if words[n] == _EXECUTION_MODE and words[n + 2] == _INVOCATIONS)
    words[at + 3] = 33
    path = tmp_path / "many.spv"
    path.write_bytes(words.tobytes())
    code, _, err = geometry(path, SHADERS / "cube_layers.spv")
    assert (code, err) == (2, f"statetracker: {path}: invocations=33 cannot be used; accepted: 0 to 32\n")


_EXECUTION_MODE, _INVOCATIONS = 4 << 16 | 16, 0  # OpExecutionMode of four words, and its mode Invocations


def test_text_without_a_compiler_says_what_to_install(
    geometry: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = geometry(SHADERS / "wireframe.geom")
    assert code == 2
    assert "glslang-tools" in err


@pytest.mark.live("glslangValidator")
def test_text_is_compiled_for_vulkan_or_opengl_and_a_mistake_is_reported(geometry: Run, tmp_path: Path) -> None:
    for name in ("wireframe.geom", "billboard_gl.gl.geom"):
        assert geometry(SHADERS / name)[0] == 0
    wrong = tmp_path / "wrong.geom"
    wrong.write_text("#version 450\nvoid main() { x = 1; }\n")
    code, _, err = geometry(wrong)
    assert code == 2
    assert "wrong.geom: glslangValidator: ERROR" in err
