"""A host on wgpu-py: it draws strips with GL's samplers, which statetracker makes, rewriting the shader as they need.

The tracker's bind gives the samplers, what the shader must do, and the numbers that it reads for it. The rest is a
host's own: pipelines, textures, bind groups.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import wgpu
from wgpu.backends.wgpu_native import extras

import statetracker as st
from statetracker.frontend import clamp_request
from statetracker.webgpu import WgpuDriver

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.frontend import BoundStage
    from statetracker.shader import SplitSampler

#: Where the numbers of borders and biases are read: group 1, binding 0.
BLOCK = (1, 0)
VERTEX = """#version 450
layout(location = 0) in vec4 position; layout(location = 1) in vec4 coordinates; layout(location = 0) out vec4 place;
void main() { gl_Position = position; place = coordinates; }
"""


def open_device(name: str = "") -> Any:
    """Open the first Vulkan adapter whose name has ``name`` in it; exits with a line where there is none."""
    extras.set_instance_extras(backends=["Vulkan"])
    for adapter in wgpu.gpu.enumerate_adapters_sync():
        if name.lower() in adapter.info["device"].lower():
            return adapter.request_device_sync()
    raise SystemExit(f"no Vulkan adapter has {name!r} in its name (Debian's lavapipe: mesa-vulkan-drivers)")


def compiled(source: str, stage: str) -> bytes:
    """Compile GLSL to SPIR-V by glslangValidator (Debian: glslang-tools), which gives places to what has none."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "out.spv"
        command = ["glslangValidator", "-V", "--amb", "--aml", "--stdin", "-S", stage, "-o", str(made)]
        subprocess.run(command, input=source, text=True, check=True, stdout=subprocess.PIPE)
        return made.read_bytes()


class WgpuHost:
    """One picture being drawn.

    device   a ``wgpu.GPUDevice``
    size     width and height in pixels
    clear    the colour before the first draw
    lower    False leaves out the shader's share: what WebGPU's samplers alone give
    """

    def __init__(
        self, device: Any, size: tuple[int, int], clear: tuple[float, ...] = (0, 0, 0, 1), *, lower: bool = True
    ) -> None:
        self.device, self.size, self.lower = device, size, lower
        self.driver, self.variants = WgpuDriver(device), st.ModuleVariants()
        self.tracker = st.StateTracker(self.driver.screen, self.driver)
        usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
        self.target = device.create_texture(size=(*size, 1), format="rgba8unorm", usage=usage)
        self.encoder = device.create_command_encoder()
        attachment = {"view": self.target.create_view(), "load_op": "clear", "store_op": "store", "clear_value": clear}
        self.drawing = self.encoder.begin_render_pass(color_attachments=[attachment])
        self.vertex = device.create_shader_module(code=compiled(VERTEX, "vert"))

    def draw(
        self, fragment: str, places: dict[tuple[int, int], int], textures: dict[int, Any], corners: np.ndarray,
        bind: Callable[[st.StateTracker], BoundStage],
    ) -> None:  # fmt: skip
        """Draw a strip.

        fragment   the name that ``variants.add`` gave the SPIR-V
        places     (set, binding) of each combined sampler -> its slot
        textures   slot -> the texture's view
        corners    float32 of shape (count, 8): position, and four numbers that the fragment shader reads
        bind       makes the tracker's bind of the draw
        """
        bound = bind(self.tracker)
        request = clamp_request(bound.lowerings, places) if self.lower else {}
        lowered = self.variants.lowered(fragment, request, values=BLOCK, lod_query=False)
        split = st.split_samplers(lowered.module, places={at: (at, (at[0], 64 + at[1])) for at in places})
        pipeline = self._pipeline(split.module)
        groups = [self._entries(split.samplers, places, textures, bound)]
        if lowered.values:
            numbers = st.border_values(bound.lowering_values[places[place]] for place, _ in lowered.values)
            block = self.device.create_buffer_with_data(data=numbers, usage=wgpu.BufferUsage.UNIFORM)
            groups.append([{"binding": BLOCK[1], "resource": {"buffer": block}}])
        self.drawing.set_pipeline(pipeline)
        for index, entries in enumerate(groups):
            layout = pipeline.get_bind_group_layout(index)
            self.drawing.set_bind_group(index, self.device.create_bind_group(layout=layout, entries=entries))
        corners_of_strip = self.device.create_buffer_with_data(data=corners, usage=wgpu.BufferUsage.VERTEX)
        self.drawing.set_vertex_buffer(0, corners_of_strip)
        self.drawing.draw(len(corners))

    def finish(self) -> np.ndarray:
        """Give the picture, uint8 of shape (height, width, 4), top row first; the samplers are deleted."""
        self.drawing.end()
        self.device.queue.submit([self.encoder.finish()])
        width, height = self.size
        texels = self.device.queue.read_texture(
            {"texture": self.target}, {"bytes_per_row": width * 4}, (width, height, 1)
        )
        self.tracker.destroy()
        return np.frombuffer(texels, np.uint8).reshape(height, width, 4)

    def view(self, levels: list[np.ndarray]) -> Any:
        """Upload a texture, RGBA8: its levels, each uint8 of shape (height, width, 4), row 0 at t = 0."""
        height, width = levels[0].shape[:2]
        texture = self.device.create_texture(
            size=(width, height, 1),
            format="rgba8unorm",
            mip_level_count=len(levels),
            usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
        )
        for level, texels in enumerate(levels):
            rows, columns = texels.shape[:2]
            layout = {"bytes_per_row": columns * 4, "rows_per_image": rows}
            self.device.queue.write_texture(
                {"texture": texture, "mip_level": level}, texels.tobytes(), layout, (columns, rows, 1)
            )
        return texture.create_view()

    def _pipeline(self, module: bytes) -> Any:
        inputs = [{"format": "float32x4", "offset": 16 * place, "shader_location": place} for place in (0, 1)]
        return self.device.create_render_pipeline(
            layout="auto",
            vertex={
                "module": self.vertex,
                "entry_point": "main",
                "buffers": [{"array_stride": 32, "attributes": inputs}],
            },
            primitive={"topology": "triangle-strip"},
            fragment={
                "module": self.device.create_shader_module(code=module),
                "entry_point": "main",
                "targets": [{"format": "rgba8unorm"}],
            },
        )

    @staticmethod
    def _entries(samplers: tuple[SplitSampler, ...], places: dict, textures: dict, bound: BoundStage) -> list[dict]:
        entries = []
        for one in samplers:
            slot = places[one.image]
            entries.append({"binding": one.image[1], "resource": textures[slot]})
            entries.append({"binding": one.sampler[1], "resource": bound.handles[slot].sampler})
        return entries
