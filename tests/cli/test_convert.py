"""`statetracker convert`, `explain`, `portability` and `preview`: text, JSON, pages and pictures of a state."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from PIL import Image

from statetracker.caps import Screen
from tests.cli.conftest import Run

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
CLAMP: Final = EXAMPLES / "clamp.toml"
SHADOW: Final = EXAMPLES / "shadow.toml"
DEVICE: Final = ("--device", "Apple A12 GPU", "-q")


def test_convert_json_has_state_fields_steps_and_lowering(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"sampler": {"wrap_s": "clamp", "max_lod": "nan"}, "texture": {"internal_format": "R8"}})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    data = run("convert", "-", "--json", "--screen", "zink-lavapipe").data
    assert {"state", "fields", "steps", "notes", "lowering", "incomplete"} <= data.keys()
    assert (data["fields"]["wrap_s"], data["fields"]["max_lod"]) == ("CLAMP_TO_EDGE", "nan")
    assert (data["lowering"]["clamp"], "webgpu" in data) == ("s", False)


def test_convert_gives_the_descriptor_of_a_webgpu_screen(run: Run) -> None:
    out = run("convert", SHADOW, "--screen", "webgpu").out
    assert "GPUSamplerDescriptor for WebGPU\n\nmember " in out
    assert "VkSamplerCreateInfo" not in out
    assert "\nmin_img_filter" not in out
    out = run("convert", SHADOW, "--screen", "webgpu", "--gallium").out
    assert out.index("GPUSamplerDescriptor") < out.index("Gallium's record") < out.index("\nmin_img_filter")
    made = run("convert", SHADOW, "--screen", "webgpu", "--json").data["webgpu"]
    assert (made["sampler_type"], made["sample_type"]) == ("comparison", "depth")
    assert made["descriptor"]["addressModeU"] == "clamp-to-edge"


def test_on_a_device_it_says_what_came_in_what_fired_what_went_out_and_what_the_shader_adds(run: Run) -> None:
    out = run("explain", CLAMP, *DEVICE).out
    assert out.startswith("clamp.toml: Apple A12 GPU, rules of mesa22\n\nwhat came in\n  sampler wrap_s")
    assert "\nrules that fired\n  wrap_s: CLAMP -> CLAMP_TO_BORDER\n      the hardware has no GL_CLAMP; " in out
    assert "\n  fold t: takes the coordinate's absolute value on these axes" in out
    assert "\nwhat went out\n  3bda0000" in out
    assert "\nVkSamplerCreateInfo" in out
    assert "\naddress_mode_v            CLAMP_TO_EDGE            mirror-edge" in out


@pytest.mark.parametrize("command", ["explain", "portability"])
def test_a_page_of_a_file_whose_name_is_no_text_is_written(run: Run, tmp_path: Path, command: str) -> None:
    odd, page = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.toml")), tmp_path / "page.html"
    odd.write_bytes(CLAMP.read_bytes())
    assert run(command, odd, "--html", page).code == 0
    assert "\\udcff.toml" in page.read_text(encoding="utf-8")


def test_as_json_it_is_one_line_with_the_same(run: Run) -> None:
    line = run("explain", CLAMP, *DEVICE, "--json").data
    assert line["came_in"]["sampler wrap_s"] == "GL_CLAMP"
    assert {one["rule"] for one in line["fired"]} >= {"clamp-lowering", "mirror-edge"}
    assert line["out"]["VkSamplerCreateInfo"]["address_mode_v"] == "CLAMP_TO_EDGE"
    assert [one["work"] for one in line["shader"]] == ["fold", "half_border"]
    assert len(line["record"]) == 72


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize(
    ("command", "begins", "has"),
    [("explain", "<!doctype html>", "clamp.toml"), ("portability", "<!doctype html>", "sampler wrap_s = clamp\n")],
)
def test_a_page_is_written_beside_what_is_asked_for(
    command: str, begins: str, has: str, more: tuple[str, ...], tmp_path: Path, run: Run
) -> None:
    page = tmp_path / "clamp.html"
    code, out, err = run(command, CLAMP, "--html", page, *more)
    assert (code, bool(out), err.endswith(f"statetracker: wrote {page}\n")) == (0, bool(more), True)
    text = page.read_text(encoding="utf-8")
    assert (text.startswith(begins), has in text) == (True, True)


def test_at_80_columns_no_line_is_longer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("clamp", "border", "mirror", "shadow", "unfiltered"):
        assert max(map(len, run("explain", EXAMPLES / f"{name}.toml", "-q").out.splitlines())) <= 80


def test_json_has_every_row_by_its_report(run: Run) -> None:
    data = run("portability", SHADOW, "--json").data
    assert sum(len(group["rows"]) for group in data["groups"]) == data["all"]["devices"] == 7003
    assert data["exact"]["members"] == {"max_anisotropy": 1.0}


@pytest.mark.parametrize("name", ["clamp", "shadow"])
def test_a_picture_is_written_and_its_figures_printed(name: str, tmp_path: Path, run: Run) -> None:
    """With the shader's share nothing is off; the answers of a comparison are grey."""
    output = tmp_path / "a.png"
    printed = run("preview", EXAMPLES / f"{name}.toml", "-o", output, "--size", "30", "--json").data
    assert printed["largest_difference_shaded"] == 0 < printed["largest_difference_alone"]
    assert printed["state"] != printed["asked"]
    with Image.open(output) as image:
        assert image.size == (4 * 38 + 8, 30 + 40)
        pixels = np.asarray(image)[26:56, 8:38]
    assert len(np.unique(pixels)) > 2
    assert (pixels == pixels[:, :, :1]).all() == (name == "shadow")


def test_hardware_with_gl_clamp_needs_nothing(tmp_path: Path, run: Run) -> None:
    shown = run("preview", CLAMP, "-o", tmp_path / "a.png", "--screen", "llvmpipe", "--size", "9").out
    assert "hardware alone (off by up to 0)" in shown


def test_a_device_that_cannot_compare_is_drawn_with_the_depth_that_it_gives(tmp_path: Path, run: Run) -> None:
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    masks = {name: mask._replace(optimal=mask.optimal & ~(1 << 33)) for name, mask in (facts.formats or {}).items()}
    Screen.from_vulkan(facts._replace(formats=masks)).save(tmp_path / "poor.json")
    shown = run("preview", SHADOW, "-o", tmp_path / "a.png", "--screen", tmp_path / "poor.json").out
    assert "with the shader (off by up to 0)" not in shown
