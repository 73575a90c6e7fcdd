"""``statetracker preview``: the picture, the figures, and what cannot be drawn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from statetracker.caps import Screen
from statetracker.cli import main

CLAMP = Path(__file__).parents[2] / "examples" / "clamp.toml"


def test_picture_is_written_and_its_figures_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the shader's share nothing is off."""
    output = tmp_path / "clamp.png"
    assert main(["preview", str(CLAMP), "-o", str(output), "--size", "30", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["largest_difference_shaded"] == 0 < printed["largest_difference_alone"]
    assert printed["state"] != printed["asked"]
    with Image.open(output) as image:
        assert image.size == (4 * 38 + 8, 30 + 40)


def test_hardware_with_gl_clamp_needs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", str(CLAMP), "-o", str(tmp_path / "a.png"), "--screen", "llvmpipe", "--size", "9"]) == 0
    assert "hardware alone (off by up to 0)" in capsys.readouterr().out


@pytest.mark.parametrize("output", ["nowhere/a.png", "a.nonsense"])
def test_picture_that_cannot_be_written_is_one_line(
    output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No folder; no such kind of file."""
    assert main(["preview", str(CLAMP), "-o", str(tmp_path / output)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_shadow_map_is_compared_in_every_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answers of the comparison are grey, in front of hardware without GL_CLAMP too."""
    output = tmp_path / "shadow.png"
    assert main(["preview", str(CLAMP.with_name("shadow.toml")), "-o", str(output), "--size", "30", "--json"]) == 0
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
    shadow, output = CLAMP.with_name("shadow.toml"), tmp_path / "a.png"
    assert main(["preview", str(shadow), "-o", str(output), "--screen", str(tmp_path / "poor.json")]) == 0
    assert "with the shader (off by up to 0)" not in capsys.readouterr().out
