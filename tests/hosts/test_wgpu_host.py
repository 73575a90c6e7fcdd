"""``examples/hosts/wgpu_host.py`` draws with every sampler of GL: wgpu finds no bind group that does not fit."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import statetracker as st
from tools.proofs.pixels.webgpu_run import open_device

HOSTS: Final = Path(__file__).resolve().parents[2] / "examples" / "hosts"
WRAPS: Final = (
    *("repeat", "mirrored-repeat", "clamp-to-edge", "clamp-to-border", "clamp"),
    *("mirror-clamp-to-edge", "mirror-clamp-to-border-ext", "mirror-clamp-ext"),
)
MIN_FILTERS: Final = (
    *("nearest", "linear", "nearest-mipmap-nearest"),
    *("linear-mipmap-nearest", "nearest-mipmap-linear", "linear-mipmap-linear"),
)
FRAGMENT: Final = """#version 450
layout(set = 0, binding = 0) uniform {kind} unit0;
layout(location = 0) in vec4 place;
layout(location = 0) out vec4 colour;
void main() {{ colour = vec4(texture(unit0, place.{part})); }}
"""
CORNERS: Final = np.array([(x, y, 0.5, 1, 3 * x, 3 * y, 0.5, 0) for y in (-1, 1) for x in (-1, 1)], np.float32)


@pytest.fixture(scope="module")
def device() -> Any:
    return open_device()


@pytest.fixture(scope="module")
def example() -> Any:
    sys.path.insert(0, str(HOSTS))
    try:
        return import_module("wgpu_host")
    finally:
        sys.path.remove(str(HOSTS))


@pytest.mark.live("wgpu", "glslangValidator")
@pytest.mark.parametrize("compares", [False, True], ids=["colours", "depth"])
@pytest.mark.parametrize("wrap", WRAPS)
def test_the_host_draws_every_filter_bias_and_comparison(device: Any, example: Any, wrap: str, compares: bool) -> None:
    host = example.WgpuHost(device, (8, 8))
    kind, part = ("sampler2DShadow", "xyz") if compares else ("sampler2D", "xy")
    shader = host.variants.add(example.compiled(FRAGMENT.format(kind=kind, part=part), "frag"))
    texture = st.Texture("2d", "DEPTH_COMPONENT24" if compares else "RGBA8", size=(4, 4))
    image = device.create_texture(size=(4, 4, 1), mip_level_count=3, usage="TEXTURE_BINDING", format="depth24plus")
    levels = [np.full((4 >> level, 4 >> level, 4), 255, np.uint8) for level in range(3)]
    view = image.create_view() if compares else host.view(levels)
    mode = "compare-ref-to-texture" if compares else "none"
    for low, high, bias in product(MIN_FILTERS, ("nearest", "linear"), (0.0, 1.5)):
        sampler = st.Sampler(wrap=wrap, min_filter=low, mag_filter=high, lod_bias=bias, compare_mode=mode)
        slots = ((sampler, texture),)
        host.draw(shader, {(0, 0): 0}, {0: view}, CORNERS, lambda tracker, slots=slots: tracker.bind("fragment", slots))
    assert host.finish().shape == (8, 8, 4)
