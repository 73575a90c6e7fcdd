"""Image views beside samplers: format, swizzle, aspect, levels, layers; held against those that zink makes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker.conformance import drivers
from tests.vulkan.zink_views import CASES, Case, width_of

ROOT = Path(__file__).parents[2]
ZINK = st.Screen.named("zink-lavapipe")
FLAGS = {"VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT": 8, "VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT": 16}


def ours(case: Case, width: int) -> dict[str, Any]:
    """The members of our view; of its image, the format where it is known, and the flags that it must have."""
    made = st.convert(st.Sampler(**case.sampler), case.texture(width), ZINK, vulkan_dialect="zink22").view.vulkan
    image = {} if made.image_format is None else {"imageFormat": made.image_format}
    flags = made.image_flags if image else ()
    return made.to_dict() | image | {"imageFlags": sum(FLAGS[flag] for flag in flags)}


def theirs(file: Path) -> dict[int, dict[str, Any]]:
    """Width -> the last view of an image of that width."""
    images, views = {}, {}
    numbers = re.compile(r"(?<=[:,\[])-?(?:nan|inf)\b")
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if '"vkCreateImage"' in line or '"vkCreateImageView"' in line:
                arguments = json.loads(numbers.sub("null", line))["vkFunc"]["args"]
                info = arguments["pCreateInfo"]
                if "pImage" in arguments:
                    images[arguments["pImage"]] = info
                elif (image := images[info["image"]])["extent"]["width"] >= 16:
                    of_image = {"imageFormat": image["format"], "imageFlags": image["flags"]}
                    views[image["extent"]["width"]] = info | of_image
    return views


@pytest.mark.live("egl:zink", "capture", "gfxrecon-convert")
def test_the_view_of_every_texture_is_that_of_zink(tmp_path: Path) -> None:
    """Format, swizzle, aspect, levels and layers; images are mutable and of cubes where ours must be."""
    capture, out = tmp_path / "vulkan.gfxr", tmp_path / "calls.jsonl"
    chosen = drivers.environment(drivers.driver("zink"), str(tmp_path / "trace.xml"), str(capture))
    subprocess.run([sys.executable, "-m", "tests.vulkan.zink_views"], cwd=ROOT, env=chosen, check=True, timeout=300)
    converter = shutil.which("gfxrecon-convert")
    assert converter is not None
    subprocess.run([converter, "--output", str(out), str(capture)], check=True, capture_output=True)
    made = theirs(out)
    differ = {}
    for number, case in enumerate(CASES):
        mine, zinks = ours(case, width_of(number)), made[width_of(number)]
        zinks["imageFlags"] &= mine["imageFlags"]  # zink has others for its own use
        names = [name for name in mine if name not in ("sType", "pNext")]
        wrong = {name: (mine[name], zinks[name]) for name in names if plain(mine[name]) != plain(zinks[name])}
        if wrong:
            differ[number] = (case, wrong)
    assert differ == {}
    assert len(CASES) > 80


def plain(value: Any) -> Any:
    """As the converter prints it: aspects as a number."""
    bits = {"VK_IMAGE_ASPECT_COLOR_BIT": 1, "VK_IMAGE_ASPECT_DEPTH_BIT": 2, "VK_IMAGE_ASPECT_STENCIL_BIT": 4}
    if isinstance(value, dict):
        return {name: bits.get(part, part) for name, part in value.items()}
    return value
