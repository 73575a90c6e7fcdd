"""`statetracker explain`: the four parts as text, as JSON, and as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

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


def test_on_a_driver_there_is_no_create_info(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, CLAMP, "--screen", "llvmpipe")
    assert "the shader adds nothing" in out
    assert "VkSamplerCreateInfo" not in out


def test_on_webgpu_there_is_a_descriptor(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nGPUSamplerDescriptor" in said(capsys, CLAMP, "--screen", "webgpu")


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
