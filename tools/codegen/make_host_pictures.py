"""Draw the pictures of the hosts' pages: ``python tools/codegen/make_host_pictures.py``, on llvmpipe and lavapipe.

``host_moderngl.png``: the scene of ``examples/hosts/n64_gl.py``. ``host_vulkan.png``: GL_CLAMP with a border on a
Vulkan device without border colours, by its sampler alone, and with the shader's share. The others are drawn by
`examples/hosts/n64_compare.py` and `libretro_frame.py`.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

import statetracker as st
from statetracker.bindings.vulkan import Device, Instance
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.lowered_vulkan import facts_lacking, facts_of_device
from tools.proofs.pixels.vulkan_draw import combined, draw, texture, uniform

_ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = _ROOT / "docs" / "images"
_SIDE: Final = 200
_CAPTION: Final = 18
_BLOCK: Final = (1, 0)
_FRAGMENT: Final = f"""#version 450
layout(set = 0, binding = 0) uniform sampler2D unit0;
layout(location = 0) out vec4 colour;
void main() {{ colour = textureLod(unit0, gl_FragCoord.xy / {_SIDE}.0 * 2.0 - 0.5, 0.0); }}
"""


def main() -> int:
    """Draw both."""
    sys.path.insert(0, str(_ROOT / "examples" / "hosts"))
    os.environ |= {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}
    from n64_gl import drawn  # type: ignore[import-not-found]
    from n64_scene import scene  # type: ignore[import-not-found]

    Image.fromarray(np.ascontiguousarray(drawn(scene())[..., :3])).quantize(64).save(FOLDER / "host_moderngl.png")
    on_vulkan().quantize(64).save(FOLDER / "host_vulkan.png")
    return 0


def on_vulkan() -> Image.Image:
    """Two pictures, each with its name."""
    sampler = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0))
    page = Image.new("RGB", (2 * _SIDE + 8, _SIDE + _CAPTION), "white")
    pen = ImageDraw.Draw(page)
    with Instance() as instance, Device(instance.device("llvmpipe")) as device, ExitStack() as stack:
        screen = st.Screen.from_vulkan(facts_lacking(facts_of_device(device), "custom borders"))
        result = st.convert(sampler, st.Texture("2d", "RGBA8", size=(8, 8)), screen)
        texels = np.full((8, 8, 4), 255, np.uint8)
        texels[::2, ::2, 1:3] = texels[1::2, 1::2, 1:3] = 90
        view = stack.enter_context(texture(device, "2d", "VK_FORMAT_R8G8B8A8_UNORM", (8, 8), [texels.tobytes()]))
        handle = device.create_sampler(result.vulkan)
        module = compiled(_FRAGMENT, target="-V")
        lowered = st.lower(module, {(0, 0): result.lowering}, values=_BLOCK)
        block = {_BLOCK: uniform(st.border_values([result for _ in lowered.values]))}
        for place, (name, code, more) in enumerate(
            (("the sampler alone", module, {}), ("with the shader's share", lowered.module, block))
        ):
            resources = {(0, 0): combined((view, handle)), **more}
            seen = draw(device, code, (_SIDE, _SIDE), resources)
            picture = np.frombuffer(seen, np.float32).reshape(_SIDE, _SIDE, 4)[..., :3]
            page.paste(Image.fromarray((picture * 255).round().astype(np.uint8)), (place * (_SIDE + 8), _CAPTION))
            pen.text((place * (_SIDE + 8) + 4, 3), name, fill="black")
        device.destroy("VkSampler", handle)
    return page


if __name__ == "__main__":
    sys.exit(main())
