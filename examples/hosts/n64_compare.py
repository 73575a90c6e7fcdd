"""The scene on OpenGL and on WebGPU, side by side: ``python examples/n64/compare.py PICTURE.png [ADAPTER]``.

It needs ``pip install gallium-statetracker[webgpu] moderngl pillow`` and Debian's glslang-tools; Mesa is a GPU enough.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from n64_gl import drawn
from n64_scene import FRAGMENT, HEIGHT, SKY, WIDTH, Material, scene
from PIL import Image
from wgpu_host import WgpuHost, compiled, open_device

_FRAGMENT = (
    """#version 450
layout(set = 0, binding = 0) uniform sampler2D unit0; layout(set = 0, binding = 1) uniform sampler2D unit1;
layout(location = 0) in vec4 place; layout(location = 0) out vec4 colour;
"""
    + FRAGMENT
)
_UNITS = {(0, 0): 0, (0, 1): 1}
#: Differences are drawn this many times as large.
SHOWN = 16


def main(output: str, adapter: str = "") -> int:
    """Draw both, write the picture and print how far apart they are; 1 where any is more than two steps of 255."""
    device = open_device(adapter)  # before GL, whose context wgpu's own search would change
    native = drawn(scene())
    ours = on_wgpu(scene(), device)
    alone = on_wgpu(scene(), device, lower=False)
    print(f"OpenGL, and WebGPU on {device.adapter.info['device']}")
    largest = report("with the shader's share", native, ours)
    report("WebGPU's samplers alone", native, alone)
    side_by_side(native, ours, alone).save(output)
    print(f"{output}: OpenGL, WebGPU, the difference x {SHOWN}; below, WebGPU's samplers alone")
    return int(largest > 2)


def on_wgpu(materials: list[Material], device: Any, *, lower: bool = True) -> np.ndarray:
    """Draw the scene by the tracker, on a device of wgpu-py."""
    host = WgpuHost(device, (WIDTH, HEIGHT), SKY, lower=lower)
    fragment = host.variants.add(compiled(_FRAGMENT, "frag"))
    for material in materials:
        slots = tuple(zip(material.samplers, material.textures(), strict=True))
        views = {unit: host.view(levels) for unit, levels in enumerate(material.texels)}
        host.draw(fragment, _UNITS, views, material.corners, lambda tracker, slots=slots: tracker.bind("fragment", slots))
    return host.finish()


def report(what: str, native: np.ndarray, other: np.ndarray) -> int:
    """Print and give the largest difference."""
    apart = difference(native, other).max(axis=2)
    print(f"{what:>24}: largest difference {apart.max()} of 255, {(apart > 2).sum():,} of {apart.size:,} pixels above 2")
    return int(apart.max())


def difference(native: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How far each colour is off."""
    return np.abs(native[..., :3].astype(int) - other[..., :3])


def side_by_side(native: np.ndarray, ours: np.ndarray, alone: np.ndarray) -> Image.Image:
    """Two rows of three pictures."""
    page = Image.new("RGB", (3 * WIDTH, 2 * HEIGHT), "white")
    for row, other in enumerate((ours, alone)):
        apart = (difference(native, other) * SHOWN).clip(0, 255).astype(np.uint8)
        for column, picture in enumerate((native[..., :3], other[..., :3], apart)):
            page.paste(Image.fromarray(np.ascontiguousarray(picture)), (column * WIDTH, row * HEIGHT))
    return page


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
