"""`statetracker surface stencil`: the surface state in a table and as JSON, its examples, and refusals in a line."""

from __future__ import annotations

import json
import re
import shlex
from functools import partial

import pytest

from statetracker.cli import main
from statetracker.surface.override import override
from statetracker.surface.stencil import stencil_tree
from tests.cli.conftest import Run


@pytest.fixture
def stencil(run: Run) -> Run:
    return partial(run, "surface", "stencil")


def test_the_examples_of_the_help_run(stencil: Run) -> None:
    code, out, _ = stencil("--help")
    examples = re.findall(r"^ +statetracker surface stencil (.*)$", out, re.MULTILINE)
    assert (code, len(examples)) == (0, 2)
    for example in examples:
        code, out, err = stencil(*shlex.split(example))
        assert (code, err) == (0, "")
        assert "base_offset_B" in out


def test_one_image_is_described_by_its_page_and_the_rest(stencil: Run) -> None:
    """Level 2 lies at (152, 200): row 100 and column 304 of Y tiles with a pitch of 640."""
    argv = ["--gen", "6", "--size", "300x200", "--levels", "4", "--level", "2", "--json"]
    code, out, _ = stencil(*argv)
    said = json.loads(out)
    assert (code, said["mode"], said["tiling"], said["row_pitch_B"]) == (0, "static", "Y", 640)
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
    _, out, _ = stencil(*argv.split(), "--json")
    assert json.loads(out) == json.loads(json.dumps(described.to_dict()))
    _, out, _ = stencil(*argv.split())
    for step in described.steps():
        assert re.search(rf"^{step.field} +{re.escape(str(step.value))}( |$)", out, re.MULTILINE), step


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ("", "--size"),
        ("--size big", "WIDTHxHEIGHT"),
        ("--size 0x4", "at least 1"),
        ("--size 4x4 --gen 5", "6 and later"),
        ("--size 4x4 --gen 6 --level 1", "level=1"),
        ("--size 4x4 --levels 2 --level 1", "--level=1"),
        ("--size 4x4 --gen 8 --layers 2 --layer 1", "--layer=1"),
        ("--size 4x4 --mode both", "dynamic, static"),
        ("--size 4x4 --view half", "byte, block"),
        ("--size 4x4 --layout own", "plain, isl"),
        ("--size 4x4 --samples 3", "samples=3"),
        ("--size 4x4 --pitch 100", "row_pitch_B=100"),
        ("--size 100x50 --gen 6 --layout isl --layers 3 --layer 1", "stencil_offset"),
        ("--size 16384x1 --view byte", "stencil_width"),
    ],
)
def test_what_cannot_be_described_is_refused_in_one_line(argv: str, said: str, stencil: Run) -> None:
    """With exit code 2, and nothing on standard output."""
    code, out, err = stencil(*argv.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_file_of_that_name_is_still_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """`./stencil` is no command."""
    assert main(["surface", "./stencil"]) == 2
    assert "stencil: " in capsys.readouterr().err
