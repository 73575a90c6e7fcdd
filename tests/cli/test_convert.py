"""`statetracker explain`, `portability` and `preview`: text, JSON, pages and pictures of a described state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from PIL import Image

from statetracker.caps import Screen
from statetracker.cli import main

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
CLAMP: Final = str(EXAMPLES / "clamp.toml")
DEVICE: Final = ("--device", "Apple A12 GPU", "-q")


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["explain", *argv]) == 0
    return capsys.readouterr().out


def test_on_a_device_it_says_what_came_in_what_fired_what_went_out_and_what_the_shader_adds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = said(capsys, CLAMP, *DEVICE)
    assert out.startswith("clamp.toml: Apple A12 GPU, rules of mesa22\n\nwhat came in\n  sampler wrap_s")
    assert "\nrules that fired\n  wrap_s: CLAMP -> CLAMP_TO_BORDER\n      the hardware has no GL_CLAMP; " in out
    assert "\n  fold t: takes the coordinate's absolute value on these axes" in out
    assert "\nwhat went out\n  3bda0000" in out
    assert "\nVkSamplerCreateInfo" in out
    assert "\naddress_mode_v            CLAMP_TO_EDGE            mirror-edge" in out


def test_as_json_it_is_one_line_with_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    line = json.loads(said(capsys, CLAMP, *DEVICE, "--json"))
    assert line["came_in"]["sampler wrap_s"] == "GL_CLAMP"
    assert {one["rule"] for one in line["fired"]} >= {"clamp-lowering", "mirror-edge"}
    assert line["out"]["VkSamplerCreateInfo"]["address_mode_v"] == "CLAMP_TO_EDGE"
    assert [one["work"] for one in line["shader"]] == ["fold", "half_border"]
    assert len(line["record"]) == 72


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_page_is_written_beside_what_is_asked_for(
    more: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "clamp.html"
    assert main(["explain", CLAMP, "--html", str(page), *more]) == 0
    out, err = capsys.readouterr()
    assert err.endswith(f"statetracker: wrote {page}\n")
    assert bool(out) == bool(more)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_at_80_columns_no_line_is_longer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("clamp", "border", "mirror", "shadow", "unfiltered"):
        assert max(map(len, said(capsys, str(EXAMPLES / f"{name}.toml"), "-q").splitlines())) <= 80


SHADOW = str(Path(__file__).parents[2] / "examples" / "shadow.toml")


def test_json_has_every_row_by_its_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["portability", SHADOW, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert sum(len(group["rows"]) for group in data["groups"]) == data["all"]["devices"] == 7003
    assert data["exact"]["members"] == {"max_anisotropy": 1.0}


def test_a_page_is_written_with_the_state_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert main(["portability", SHADOW, "--html", str(file)]) == 0
    assert capsys.readouterr() == ("", f"statetracker: wrote {file}\n")
    page = file.read_text(encoding="utf-8")
    assert "shadow.toml: portability" in page
    assert "sampler wrap = clamp\n" in page


DESCRIBED = Path(__file__).parents[2] / "examples" / "clamp.toml"


def test_picture_is_written_and_its_figures_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the shader's share nothing is off."""
    output = tmp_path / "clamp.png"
    assert main(["preview", str(DESCRIBED), "-o", str(output), "--size", "30", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["largest_difference_shaded"] == 0 < printed["largest_difference_alone"]
    assert printed["state"] != printed["asked"]
    with Image.open(output) as image:
        assert image.size == (4 * 38 + 8, 30 + 40)


def test_hardware_with_gl_clamp_needs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", str(DESCRIBED), "-o", str(tmp_path / "a.png"), "--screen", "llvmpipe", "--size", "9"]) == 0
    assert "hardware alone (off by up to 0)" in capsys.readouterr().out


def test_a_shadow_map_is_compared_in_every_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answers of the comparison are grey, in front of hardware without GL_CLAMP too."""
    output = tmp_path / "shadow.png"
    assert main(["preview", str(DESCRIBED.with_name("shadow.toml")), "-o", str(output), "--size", "30", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["largest_difference_shaded"] == 0 < printed["largest_difference_alone"]
    with Image.open(output) as image:
        pixels = np.asarray(image)[26:56, 8:38]
    assert len(np.unique(pixels)) > 2
    assert (pixels == pixels[:, :, :1]).all()


def test_a_device_that_cannot_compare_is_drawn_with_the_depth_that_it_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    masks = {name: mask._replace(optimal=mask.optimal & ~(1 << 33)) for name, mask in (facts.formats or {}).items()}
    Screen.from_vulkan(facts._replace(formats=masks)).save(tmp_path / "poor.json")
    shadow, output = DESCRIBED.with_name("shadow.toml"), tmp_path / "a.png"
    assert main(["preview", str(shadow), "-o", str(output), "--screen", str(tmp_path / "poor.json")]) == 0
    assert "with the shader (off by up to 0)" not in capsys.readouterr().out
