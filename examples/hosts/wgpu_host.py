"""A host on wgpu-py: it draws strips of textured vertices into a picture, with GL's samplers by `Renderer`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import wgpu
from wgpu.backends.wgpu_native import extras

from statetracker.hosts.wgpu import Renderer

if TYPE_CHECKING:
    import statetracker as st

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


class WgpuHost:
    """One picture being drawn.

    Args:
        device: A ``wgpu.GPUDevice``.
        size: Width and height in pixels.
        clear: The colour before the first draw.
    """

    def __init__(self, device: Any, size: tuple[int, int], clear: tuple[float, ...] = (0, 0, 0, 1)) -> None:
        self.device, self.size, self.renderer = device, size, Renderer(device)
        self.pipelines: dict[object, Any] = {}
        self.target = device.create_texture(size=(*size, 1), format="rgba8unorm", usage="RENDER_ATTACHMENT|COPY_SRC")
        self.encoder = device.create_command_encoder()
        attachment = {"view": self.target.create_view(), "load_op": "clear", "store_op": "store", "clear_value": clear}
        self.drawing = self.encoder.begin_render_pass(color_attachments=[attachment])

    def upload(self, texture: st.Texture, levels: list[np.ndarray]) -> Any:
        """Make the image of a texture: its levels, each uint8 of shape (height, width, 4), row 0 at t = 0."""
        made = self.renderer.texture_descriptor(texture)
        image = self.device.create_texture(**made, usage="TEXTURE_BINDING|COPY_DST")
        for level, texels in enumerate(levels):
            rows, columns = texels.shape[:2]
            layout = {"bytes_per_row": columns * 4, "rows_per_image": rows}
            place = {"texture": image, "mip_level": level}
            self.device.queue.write_texture(place, texels.tobytes(), layout, (columns, rows, 1))
        return image

    def draw(self, shader: Any, textures: dict[str, tuple], corners: np.ndarray) -> None:
        """Draw a strip.

        Args:
            shader: Of ``renderer.shader(fragment, VERTEX)``.
            textures: Name in the shader -> (sampler, texture, image).
            corners: float32 of shape (count, 8): position, and four numbers that the fragment shader reads.
        """
        draw = self.renderer.bind(shader, textures)
        if draw.key not in self.pipelines:
            self.pipelines[draw.key] = self._pipeline(draw)
        self.drawing.set_pipeline(self.pipelines[draw.key])
        for number, group in draw.bind_groups.items():
            self.drawing.set_bind_group(number, group)
        self.drawing.set_vertex_buffer(0, self.device.create_buffer_with_data(data=corners, usage="VERTEX"))
        self.drawing.draw(len(corners))

    def finish(self) -> np.ndarray:
        """Give the picture, uint8 of shape (height, width, 4), top row first; the samplers are deleted."""
        self.drawing.end()
        self.device.queue.submit([self.encoder.finish()])
        width, height = self.size
        rows = {"bytes_per_row": width * 4}
        texels = self.device.queue.read_texture({"texture": self.target}, rows, (width, height, 1))
        self.renderer.destroy()
        return np.frombuffer(texels, np.uint8).reshape(height, width, 4)

    def _pipeline(self, draw: Any) -> Any:
        inputs = [{"format": "float32x4", "offset": 16 * place, "shader_location": place} for place in (0, 1)]
        buffers = [{"array_stride": 32, "attributes": inputs}]
        return self.device.create_render_pipeline(
            layout=draw.pipeline_layout,
            vertex={"module": draw.vertex, "entry_point": "main", "buffers": buffers},
            primitive={"topology": "triangle-strip"},
            fragment={"module": draw.module, "entry_point": "main", "targets": [{"format": "rgba8unorm"}]},
        )
