"""A textured quad on WebGPU: ``python hello_wgpu.py [PICTURE.png]``."""

import sys

import numpy as np
import wgpu

import statetracker as st
from statetracker.hosts.wgpu import Renderer

VERTEX = """#version 450
layout(location = 0) out vec2 place;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    place = corner * 3.0 - 1.0;  // the texture, and as much all around
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}"""
FRAGMENT = """#version 450
uniform sampler2D wall;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
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
odd = np.indices((4, 4)).sum(0)[..., None] % 2
texels = np.where(odd, [255, 255, 255, 255], [40, 90, 160, 255])
rows = {"bytes_per_row": 16, "rows_per_image": 4}
data = texels.astype(np.uint8)
device.queue.write_texture({"texture": image}, data, rows, (4, 4, 1))
pipeline = device.create_render_pipeline(
    layout=draw.pipeline_layout,
    vertex={"module": draw.vertex},
    primitive={"topology": "triangle-strip"},
    fragment={
        "module": draw.module,
        "targets": [{"format": "rgba8unorm"}],
    },
)
usage, size = "RENDER_ATTACHMENT|COPY_SRC", (256, 256, 1)
target = device.create_texture(size=size, format="rgba8unorm", usage=usage)
encoder = device.create_command_encoder()
view = target.create_view()
attachment = {"view": view, "load_op": "clear", "store_op": "store"}
drawing = encoder.begin_render_pass(color_attachments=[attachment])
drawing.set_pipeline(pipeline)
for number, group in draw.bind_groups.items():
    drawing.set_bind_group(number, group)
drawing.draw(4)
drawing.end()
device.queue.submit([encoder.finish()])
rows = {"bytes_per_row": 1024}
picture = device.queue.read_texture({"texture": target}, rows, size)
pixels = np.frombuffer(picture, np.uint8).reshape(256, 256, 4)
print(pixels[8, 8], pixels[128, 128])
if len(sys.argv) > 1:
    from PIL import Image

    Image.fromarray(pixels).save(sys.argv[1])
