"""A textured quad on WebGPU, and its picture in hello_wgpu.png."""

import numpy as np
import wgpu
from PIL import Image

import statetracker as st
from statetracker.hosts.wgpu import Renderer

VERTEX = """#version 450
layout(location = 0) out vec2 place;
void main() {
    vec2 corner = 2.0 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    place = corner * 3.0 - 1.0;  // the texture, and as much all around
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}"""
FRAGMENT = """#version 450
uniform sampler2D wall;
layout(location = 0) in vec2 place; layout(location = 0) out vec4 colour;
void main() { colour = texture(wall, place); }"""
device = wgpu.gpu.request_adapter_sync().request_device_sync()

# GL's sampler and texture. WebGPU has neither this wrap nor a border.
orange = (1, 0.5, 0, 1)
sampler = st.Sampler(wrap="clamp", filter="linear", border_color=orange)
texture = st.Texture("2d", "RGBA8", size=(4, 4), levels=1)
renderer = Renderer(device)
shader = renderer.shader(FRAGMENT, VERTEX)
wanted = renderer.texture_descriptor(texture)
image = device.create_texture(**wanted, usage="TEXTURE_BINDING|COPY_DST")
# for each draw:
draw = renderer.bind(shader, {"wall": (sampler, texture, image)})

# The rest is any program's: texels, a pipeline for each draw.key, a pass.
texels = np.full((4, 4, 4), 255, np.uint8)
texels[::2, ::2] = texels[1::2, 1::2] = 40, 90, 160, 255
rows = {"bytes_per_row": 16}
device.queue.write_texture({"texture": image}, texels, rows, (4, 4, 1))
targets = [{"format": "rgba8unorm"}]
pipeline = device.create_render_pipeline(
    layout=draw.pipeline_layout,
    vertex={"module": draw.vertex},
    fragment={"module": draw.module, "targets": targets},
)
usage, size = "RENDER_ATTACHMENT|COPY_SRC", (256, 256, 1)
target = device.create_texture(size=size, format="rgba8unorm", usage=usage)
encoder = device.create_command_encoder()
view = target.create_view()
attachment = {"view": view, "load_op": "clear", "store_op": "store"}
drawing = encoder.begin_render_pass(color_attachments=[attachment])
drawing.set_pipeline(pipeline)
drawing.set_bind_group(0, draw.bind_groups[0])
drawing.draw(3)
drawing.end()
device.queue.submit([encoder.finish()])
rows = {"bytes_per_row": 1024}
picture = device.queue.read_texture({"texture": target}, rows, size)
pixels = np.frombuffer(picture, np.uint8).reshape(256, 256, 4)
print(pixels[8, 8], pixels[128, 128])
Image.fromarray(pixels).save("hello_wgpu.png")
