"""`statetracker surface`: records answered and compared, one surface described and drawn, and refusals."""

from __future__ import annotations

import gzip
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from statetracker.surface.override import override
from statetracker.surface.recorded import ANSWERS, kind_of_record
from statetracker.surface.stencil import stencil_tree
from tests.cli.conftest import Run

DATA = Path(__file__).parents[1] / "data" / "isl"
FILES = ["surf", "tiling", "depthstencil_alignment"]


@pytest.fixture
def surface(run: Run) -> Run:
    return partial(run, "surface")


@pytest.mark.parametrize("name", FILES)
def test_recorded_questions_are_completed_line_by_line(name: str, surface: Run, tmp_path: Path) -> None:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt") as stream:
        lines = [json.loads(next(stream)) for _ in range(60)]
    asked = [{"in": line["in"]} if "in" in line else line for line in lines]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in asked))
    assert surface(path, "--json").lines == lines


def first_line(name: str) -> dict[str, Any]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt") as stream:
        line: dict[str, Any] = json.loads(next(stream))
    return line


def test_check_shows_the_member_that_differs(surface: Run, tmp_path: Path) -> None:
    line, path = first_line("surf"), tmp_path / "one.jsonl"
    line["surf"]["size_B"] += 1
    path.write_text(json.dumps(line) + "\n")
    code, _, err = surface(path, "--check")
    assert (code, f"{path}:1: surf.size_B: 204800, recorded 204801" in err) == (1, True)


def test_a_file_that_is_not_there_fails_the_whole_summary(surface: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(first_line("surf")) + "\n")
    shown = surface(path, tmp_path / "none.jsonl", "--check", "--json")
    counts = {"files": 2, "compared": 1, "agree": 1, "differ": 0, "problems": 1}
    assert (shown.code, shown.lines[-1]) == (2, {"summary": {"verdict": "failed", **counts}})


def test_a_file_without_records_is_nothing_to_compare(surface: Run, tmp_path: Path) -> None:
    path = tmp_path / "blank.jsonl"
    path.write_text("\n\n")
    shown = surface(path, "--check", "--json")
    assert (shown.code, shown.data["summary"]["verdict"]) == (2, "failed")
    assert "nothing could be compared" in shown.err


def test_a_bad_line_is_reported_and_the_others_answered(surface: Run, tmp_path: Path) -> None:
    good = {"q": "ims_px_size", "samples": 8}
    path = tmp_path / "mixed.jsonl"
    bad = ("no json", "[1]", '{"q": "addr"}', '{"q": [1]}', '{"q": {}}')
    path.write_text("\n".join([json.dumps(good), *bad, json.dumps(good), ""]))
    shown = surface(path, "--json")
    assert (shown.code, shown.lines) == (2, [{**good, "w": 4, "h": 2}] * 2)
    assert [line.split(": ")[1] for line in shown.err.splitlines()] == [f"{path}:{n}" for n in range(2, 7)]


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_a_surface_is_described_with_a_reason_for_every_number_and_drawn(
    ending: str, start: bytes, surface: Run, tmp_path: Path
) -> None:
    picture = tmp_path / f"layout.{ending}"
    argv = ["--gen", "6", "--kind", "depth", "--size", "100x50", "--levels", "4", "--layers", "3", "-o", picture]
    code, out, err = surface(*argv)
    assert (code, "its HiZ" in err, picture.read_bytes().startswith(start)) == (0, False, True)
    words = ("row_pitch_B", "tiles of 128 bytes hold", "GFX6_STENCIL_HIZ", "depth is Y")
    assert [word for word in words if word not in out] == []


def test_the_older_tree_shows_what_to_copy_as_json_too(surface: Run) -> None:
    argv = ["--older", "--gen", "5", "--size", "8x8", "--format", "Z24X8", "--levels", "4", "--level", "3"]
    made = surface(*argv, "--json").data
    assert made.keys() == {"layout", "out", "steps"}
    assert made["out"]["moves"] == [{"rb": "depth", "copied": True}]


@pytest.mark.parametrize("name", ["surf", "depthstencil_alignment"])
def test_a_recorded_question_is_drawn(name: str, surface: Run, tmp_path: Path) -> None:
    picture = tmp_path / "first.svg"
    assert surface(DATA / f"{name}.jsonl.gz", "-o", picture).code == 0
    assert picture.read_bytes().startswith(b"<svg ")


def test_a_file_of_something_else_shows_a_few_of_its_lines(surface: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("a line\n" * 50 + "[" * 100_000 + "\n")
    code, _, err = surface(path)
    assert (code, err.count("no JSON object")) == (2, 10)
    assert err.endswith(f"{path}: 41 more bad lines\n")


@pytest.mark.parametrize("name", FILES)
def test_extra_members_are_kept_and_are_no_difference(name: str, surface: Run, tmp_path: Path) -> None:
    line, path = {**first_line(name), "id": 77}, tmp_path / "extra.jsonl"
    if "in" in line:
        line["in"] = {**line["in"], "note": "x"}
    path.write_text(json.dumps(line) + "\n")
    shown = surface(path, "--check")
    assert (shown.code, shown.err) == (0, "")
    assert surface(path, "--json").data == line


@pytest.mark.parametrize("name", FILES)
def test_nothing_to_compare_with_is_no_agreement(name: str, surface: Run, tmp_path: Path) -> None:
    line, path = first_line(name), tmp_path / "only_in.jsonl"
    question = {key: value for key, value in line.items() if key not in ANSWERS[kind_of_record(line)]}
    path.write_text(f"{json.dumps(question)}\n{json.dumps(line)}\n")
    code, out, err = surface(path, "--check")
    assert (code, "1 of 1" in out) == (2, True)
    assert f"{path}:1: has no out to compare with" in err


_SURF = {"verx10": 60, "kind": "depth", "format": "R32_FLOAT", "width": 4, "height": 4}
_OLDER = {"gen": "6", "target": "2D_ARRAY", "format": "Z16", "width": 4, "height": 4}


@pytest.mark.parametrize(
    "asked",
    [
        {"verx10": 60, "kind": "depth"},
        {"gen": "6", "target": "2D"},
        {**_SURF, "array_len": 2.5},
        {**_SURF, "tilings": 5},
        {**_OLDER, "layers": "TRND"},
        {**_OLDER, "layers": 2.5},
    ],
)
def test_a_first_record_that_cannot_be_drawn_says_what_it_says_when_answered(
    asked: dict[str, Any], surface: Run, tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({"in": asked}) + "\n")
    _, _, said = surface(path, "--json")
    code, _, err = surface(path, "-o", tmp_path / "q.svg")
    assert (code, err) == (2, said)
    assert err.startswith(f"statetracker: {path}:1: ")


def test_a_first_record_with_a_member_unknown_is_drawn(surface: Run, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps({"in": {**_OLDER, "note": 1}}) + "\n")
    assert surface(path, "-o", tmp_path / "q.svg")[0] == 0


def test_very_many_layers_are_described_at_once(surface: Run) -> None:
    argv = ["--older", "--size", "4x4", "--gen", "6", "--layers", "4000000000", "--layer", "3999999999", "--json"]
    assert surface(*argv).data["layout"]["total"] == [4, 52 * 4_000_000_000]
    assert surface(*argv[:-1]).code == 0


def test_one_surface_or_hiz_refused_is_reported_as_json_too(surface: Run) -> None:
    shown = surface("--gen", "6", "--kind", "stencil", "--size", "70000x4", "--json")
    assert (shown.code, shown.data, "pitch_too_large" in shown.err) == (2, {"ok": False}, True)
    shown = surface(
        *["--gen", "6", "--format", "R32_FLOAT", "--size", "1x5000", "--levels", "10", "--layers", "500", "--json"]
    )
    assert (shown.code, shown.data["ok"], shown.data["hiz_ok"], "hiz" in shown.data) == (0, True, False, False)
    assert "a HiZ surface for each image instead" not in surface("--gen", "6", "--size", "300x200").out


@pytest.fixture
def stencil(run: Run) -> Run:
    return partial(run, "surface", "stencil")


def test_one_image_is_described_by_its_page_and_the_rest(stencil: Run) -> None:
    """Level 2 lies at (152, 200): row 100 and column 304 of Y tiles with a pitch of 640."""
    argv = ["--gen", "6", "--size", "300x200", "--levels", "4", "--level", "2", "--json"]
    shown = stencil(*argv)
    said = shown.data
    assert (shown.code, said["mode"], said["tiling"], said["row_pitch_B"]) == (0, "static", "Y", 640)
    assert said["base_offset_B"] == 96 * 640 + 2 * 4096
    assert (said["tile_x"], said["tile_y"], said["width"], said["height"]) == (304 & 127, 100 & 31, 160, 26)


@pytest.mark.parametrize(
    ("argv", "tree", "seen"),
    [
        ("--size 100x75 --levels 5 --layers 3", {"levels": 5, "layers": 3}, {}),
        ("--size 33x17 --samples 8 --view block --pitch 512", {"samples": 8, "row_pitch_B": 512}, {"view": "block"}),
        ("--size 64x64 --gen 6 --mode dynamic --layout isl", {"gen": 6, "layout_of": "isl"}, {"mode": "dynamic"}),
        ("--size 64x64 --layers 2 --mode static --layer 1", {"layers": 2}, {"mode": "static", "layer": 1}),
        ("--size 9x9 --gen 8", {"gen": 8}, {}),
    ],
)
def test_json_and_table_say_what_the_library_says(
    argv: str, tree: dict[str, object], seen: dict[str, object], stencil: Run
) -> None:
    """Every member, and every value for the shader."""
    width, height = argv.split()[1].split("x")
    laid_out = stencil_tree(**({"gen": 7, "size": (int(width), int(height))} | tree))  # type: ignore[arg-type]
    described = override(laid_out, **seen)  # type: ignore[arg-type]
    assert stencil(*argv.split(), "--json").data == json.loads(json.dumps(described.to_dict()))
    _, out, _ = stencil(*argv.split())
    for step in described.steps():
        assert re.search(rf"^{step.field} +{re.escape(str(step.value))}( |$)", out, re.MULTILINE), step
