"""A textured quad on WebGPU with GL's samplers: ``python hello_wgpu.py [PICTURE.png]``. See docs/renderer.md."""

import sys

import numpy as np

import statetracker as st
from statetracker.hosts.wgpu import Renderer

try:
    import wgpu
except ImportError:
    raise SystemExit("no wgpu: pip install wgpu") from None

VERTEX = """#version 450
layout(location = 0) out vec2 place;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    place = corner * 3.0 - 1.0;  // from -1 to 2: beyond the texture on every side
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
"""
FRAGMENT = """#version 450
uniform sampler2D wall;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
void main() { colour = texture(wall, place); }
"""
SIZE = 256

try:
    device = wgpu.gpu.request_adapter_sync().request_device_sync()
except RuntimeError:
    raise SystemExit("wgpu finds no GPU: apt-get install mesa-vulkan-drivers") from None

# The texture, as the program's GL has it, and its image on the GPU.
texture = st.Texture("2d", "RGBA8", size=(4, 4), levels=1)
sampler = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1, 0.5, 0, 1))  # WebGPU has neither
renderer = Renderer(device)
image = device.create_texture(**renderer.texture_descriptor(texture), usage="TEXTURE_BINDING|COPY_DST")
texels = np.where(np.indices((4, 4)).sum(0)[..., None] % 2, [255, 255, 255, 255], [40, 90, 160, 255]).astype(np.uint8)
device.queue.write_texture({"texture": image}, texels, {"bytes_per_row": 16, "rows_per_image": 4}, (4, 4, 1))

# What statetracker does: once a shader, and once a draw.
shader = renderer.shader(FRAGMENT, VERTEX)
draw = renderer.bind(shader, {"wall": (sampler, texture, image)})

# The rest is any program's: a pipeline for each draw.key, a target, a pass.
pipeline = device.create_render_pipeline(
    layout=draw.pipeline_layout,
    vertex={"module": draw.vertex, "entry_point": "main"},
    primitive={"topology": "triangle-strip"},
    fragment={"module": draw.module, "entry_point": "main", "targets": [{"format": "rgba8unorm"}]},
)
target = device.create_texture(size=(SIZE, SIZE, 1), format="rgba8unorm", usage="RENDER_ATTACHMENT|COPY_SRC")
encoder = device.create_command_encoder()
drawing = encoder.begin_render_pass(
    color_attachments=[{"view": target.create_view(), "load_op": "clear", "store_op": "store"}]
)
drawing.set_pipeline(pipeline)
for number, group in draw.bind_groups.items():
    drawing.set_bind_group(number, group)
drawing.draw(4)
drawing.end()
device.queue.submit([encoder.finish()])
picture = device.queue.read_texture({"texture": target}, {"bytes_per_row": SIZE * 4}, (SIZE, SIZE, 1))
pixels = np.frombuffer(picture, np.uint8).reshape(SIZE, SIZE, 4)
print(pixels[SIZE // 2, 8])  # [255 191 128 255] where the border and white meet by halves
if len(sys.argv) > 1:
    from PIL import Image

    Image.fromarray(pixels).save(sys.argv[1])
