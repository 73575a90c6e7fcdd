"""The scene on OpenGL and on WebGPU, side by side: ``python examples/hosts/n64_compare.py PICTURE.png [ADAPTER]``.

It needs ``pip install wgpu moderngl pillow`` and Debian's glslang-tools; Mesa is a GPU enough.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from n64_gl import drawn
from n64_scene import FRAGMENT, HEIGHT, SKY, WIDTH, Material, scene
from PIL import Image, ImageDraw
from wgpu_host import VERTEX, WgpuHost, open_device

_FRAGMENT = (
    """#version 450
layout(set = 0, binding = 0) uniform sampler2D unit0; layout(set = 0, binding = 1) uniform sampler2D unit1;
layout(location = 0) in vec4 place; layout(location = 0) out vec4 colour;
"""
    + FRAGMENT
)
#: The share of pixels that may be off: those where a level of detail lies on the edge between two mipmaps.
MOST = 0.005
#: Differences are drawn this many times as large.
SHOWN = 16
_CAPTION = 18


def main(output: str, adapter: str = "") -> int:
    """Draw both, write the picture and print how far apart they are; 1 where more pixels than `MOST` are off."""
    device = open_device(adapter)  # before GL, whose context wgpu's own search would change
    native = drawn(scene())
    ours = on_wgpu(scene(), device)
    alone = on_wgpu(scene(), device, lower=False)
    print(f"OpenGL, and WebGPU on {device.adapter.info['device']}")
    off = report("with the shader's share", native, ours)
    report("WebGPU's samplers alone", native, alone)
    side_by_side(native, ours, alone).save(output)
    print(f"{output}: both, and the difference times {SHOWN}")
    return int(off > MOST * WIDTH * HEIGHT)


class _AsGiven:
    """Modules without the shader's share."""

    def __init__(self, modules: Any) -> None:
        self.modules, self.add, self.compiled = modules, modules.add, modules.compiled

    def variant(self, name: str, _: Any, values: Any, places: Any) -> Any:
        return self.modules.variant(name, {}, values, places)


def on_wgpu(materials: list[Material], device: Any, *, lower: bool = True) -> np.ndarray:
    """Draw the scene by the tracker, on a device of wgpu-py."""
    host = WgpuHost(device, (WIDTH, HEIGHT), SKY)
    if not lower:
        host.renderer.modules = _AsGiven(host.renderer.modules)
    shader = host.renderer.shader(_FRAGMENT, VERTEX)
    for material in materials:
        each = zip(material.samplers, material.textures(), material.texels, strict=True)
        names = {
            f"unit{unit}": (sampler, texture, host.upload(texture, levels))
            for unit, (sampler, texture, levels) in enumerate(each)
        }
        host.draw(shader, names, material.corners)
    return host.finish()


def report(what: str, native: np.ndarray, other: np.ndarray) -> int:
    """Print how far apart they are, and give how many pixels are off by more than two steps of 255."""
    apart = difference(native, other).max(axis=2)
    off = int((apart > 2).sum())
    print(f"{what:>24}: largest difference {apart.max()} of 255, {off:,} of {apart.size:,} pixels above 2")
    return off


def difference(native: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How far each colour is off."""
    return np.abs(native[..., :3].astype(int) - other[..., :3])


def side_by_side(native: np.ndarray, ours: np.ndarray, alone: np.ndarray) -> Image.Image:
    """Two rows of three pictures, each with its name above it."""
    page = Image.new("RGB", (3 * WIDTH, 2 * (HEIGHT + _CAPTION)), "white")
    names = ImageDraw.Draw(page)
    for row, (name, other) in enumerate((("WebGPU, by statetracker", ours), ("WebGPU's samplers alone", alone))):
        apart = (difference(native, other) * SHOWN).clip(0, 255).astype(np.uint8)
        pictures = (("OpenGL", native[..., :3]), (name, other[..., :3]), (f"the difference, times {SHOWN}", apart))
        for column, (title, picture) in enumerate(pictures):
            x, y = column * WIDTH, row * (HEIGHT + _CAPTION)
            names.text((x + 4, y + 3), title, fill="black")
            page.paste(Image.fromarray(np.ascontiguousarray(picture)), (x, y + _CAPTION))
    return page


if __name__ == "__main__":
    if not any(word.endswith(".png") for word in sys.argv[1:2]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
