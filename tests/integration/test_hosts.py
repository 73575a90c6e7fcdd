"""The examples that draw on other people's packages, run as a user runs them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import statetracker as st
from statetracker.replay import DumpReplay, RecordedStates, compare_states
from statetracker.sampler import converter
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
HOSTS = ROOT / "examples" / "hosts"
DIFFERENCE = re.compile(r"(.*): largest difference (\d+) of 255, ([\d,]+) of ([\d,]+) pixels above 2")


def run(program: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, HOSTS / program, *arguments], check=False, capture_output=True, text=True, timeout=300,
        env=os.environ | {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"} | environment,
    )  # fmt: skip


def compared(tmp_path: Path, adapter: str, environment: Mapping[str, str]) -> dict[str, float]:
    """Run the N64 scene; how large a share of the pixels is off, with the shader's share and without."""
    from PIL import Image

    picture = tmp_path / "n64.png"
    done = run("n64_compare.py", picture, adapter, **environment)
    assert done.returncode == 0, done.stderr
    with Image.open(picture) as page:
        assert page.width == 960
        colours = page.getcolors(1 << 20)
        assert colours is not None
        assert len(colours) > 1000
    shares = [seen for line in done.stdout.splitlines() if (seen := DIFFERENCE.fullmatch(line))]
    return {seen[1].strip(): float(seen[3].replace(",", "")) / float(seen[4].replace(",", "")) for seen in shares}


@pytest.mark.live("wgpu", "moderngl", "glslangValidator")
@pytest.mark.parametrize("adapter", ["llvmpipe", pytest.param("swiftshader", marks=pytest.mark.live("swiftshader"))])
def test_the_scene_is_opengls_on_webgpu_and_is_not_without_the_shader(adapter: str, tmp_path: Path) -> None:
    driver = dict.fromkeys(("VK_DRIVER_FILES", "VK_ICD_FILENAMES"), str(SWIFTSHADER))
    shares = compared(tmp_path, adapter, driver if adapter == "swiftshader" else {})
    assert shares["with the shader's share"] < 0.005
    assert shares["WebGPU's samplers alone"] > 0.2


@pytest.mark.live("libretro", "apitrace", "wgpu", "glslangValidator")
@pytest.mark.parametrize("core", ["gl_shaders", "gl_fixedfunction"])
def test_a_libretro_core_gets_mesas_states_and_its_frame_is_drawn_again(core: str, tmp_path: Path) -> None:
    done = run("libretro_frame.py", tmp_path / "frame.png", core)
    assert done.returncode == 0, done.stderr
    assert f"{core}: same set, same order: 1 recorded state" in done.stdout
    assert (tmp_path / "frame.png").stat().st_size > 2000


def test_without_cores_the_libretro_example_says_what_it_needs(tmp_path: Path) -> None:
    done = run("libretro_frame.py", tmp_path / "frame.png", PATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("libretro_frame: ")
    assert len(done.stderr.splitlines()) == 1
    done = run("libretro_frame.py")
    assert (done.returncode, done.stderr.partition(":")[0]) == (2, "A libretro core, live")


def test_the_recorded_run_of_a_libretro_core_gives_mesas_states() -> None:
    replay = DumpReplay(str(HOSTS / "libretro.dump.txt.gz"), converter(st.Screen.named("llvmpipe"), "25.0"))
    assert len(list(replay)) == 4
    states = [made.state for made in replay.created]
    assert compare_states(states, RecordedStates(str(HOSTS / "libretro.states.jsonl.gz")).states).same
    assert not replay.problems
