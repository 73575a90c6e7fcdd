"""`statetracker.hosts.wgpu.Renderer` draws what GL does, and makes nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

import statetracker as st
from statetracker.hosts.wgpu import Draw, Renderer
from tests.hosts.drawn import KINDS, LEVELS, SIDE, Case, case, cases, places, wrong
from tools.proofs.pixels.webgpu_run import open_device

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.live("wgpu", "glslangValidator")

VERTEX: Final = """#version 450
void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""
FRAGMENT: Final = """#version 450
layout(set = 0, binding = 0, std430) readonly buffer Places {{ vec4 places[]; }};
layout(set = 0, binding = 1, std430) readonly buffer Details {{ vec4 details[]; }};
layout(set = 1, binding = 0) uniform {shader} image;
layout(location = 0) out vec4 texel;
void main() {{
    int n = int(gl_FragCoord.y) * {side} + int(gl_FragCoord.x);
    vec4 c = places[n], d = details[n];
    texel = vec4({expression});
}}
"""

#: What is drawn otherwise than GL does, and said so: kind -> the words of `Draw.unsupported`.
EXCEPTIONS: Final = {
    "depth compared": "WGSL compares at level 0 where the level is explicit: naga drops the level",
    "integer": "WGSL samples no integers: fetch texels, or gather",
}


class Canvas:
    """A host: two buffers of its own, a pipeline for each key, a picture of floats."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.renderer = Renderer(device)
        entries = [{"binding": n, "visibility": "FRAGMENT", "buffer": {"type": "read-only-storage"}} for n in range(2)]
        self.layout = device.create_bind_group_layout(entries=entries)
        buffers = [device.create_buffer_with_data(data=one, usage="STORAGE") for one in places()]
        resources = [{"binding": n, "resource": {"buffer": one}} for n, one in enumerate(buffers)]
        self.own = device.create_bind_group(layout=self.layout, entries=resources)
        self.target = device.create_texture(
            size=(SIDE, SIDE, 1), format="rgba32float", usage="RENDER_ATTACHMENT|COPY_SRC"
        )
        self.shaders: dict[str, Any] = {}
        self.pipelines: dict[object, Any] = {}
        self.images: dict[str, Any] = {}

    def shader(self, kind: Any) -> Any:
        if kind.shader + kind.expression not in self.shaders:
            source = FRAGMENT.format(shader=kind.shader, expression=kind.expression, side=SIDE)
            self.shaders[kind.shader + kind.expression] = self.renderer.shader(source, VERTEX, layouts=(self.layout,))
        return self.shaders[kind.shader + kind.expression]

    def image(self, one: Case) -> Any:
        kind = one.kind
        if kind.internal_format + kind.shader not in self.images:
            made = self.renderer.texture_descriptor(one.texture)
            assert made["format"] == kind.image
            image = self.device.create_texture(**made, usage="TEXTURE_BINDING|COPY_DST")
            for at, texels in enumerate(one.levels):
                width, height, depth = (*texels.shape[-2::-1], 1)[:3]
                rows = {"bytes_per_row": texels.strides[-3], "rows_per_image": height}
                place = {"texture": image, "mip_level": at}
                self.device.queue.write_texture(place, texels.tobytes(), rows, (width, height, depth))
            self.images[kind.internal_format + kind.shader] = image
        return self.images[kind.internal_format + kind.shader]

    def bound(self, one: Case) -> Draw:
        return self.renderer.bind(self.shader(one.kind), {"image": (one.sampler, one.texture, self.image(one))})

    def drawn(self, one: Case) -> NDArray[np.float32]:
        draw = self.bound(one)
        if draw.key not in self.pipelines:
            self.pipelines[draw.key] = self.device.create_render_pipeline(
                layout=draw.pipeline_layout,
                vertex={"module": draw.vertex, "entry_point": "main"},
                primitive={"topology": "triangle-list"},
                fragment={"module": draw.module, "entry_point": "main", "targets": [{"format": "rgba32float"}]},
            )
        encoder = self.device.create_command_encoder()
        attachment = {"view": self.target.create_view(), "load_op": "clear", "store_op": "store"}
        drawing = encoder.begin_render_pass(color_attachments=[attachment])
        drawing.set_pipeline(self.pipelines[draw.key])
        drawing.set_bind_group(0, self.own)
        for number, group in draw.bind_groups.items():
            drawing.set_bind_group(number, group)
        drawing.draw(3)
        drawing.end()
        self.device.queue.submit([encoder.finish()])
        texels = self.device.queue.read_texture({"texture": self.target}, {"bytes_per_row": SIDE * 16}, (SIDE, SIDE, 1))
        return np.frombuffer(texels, np.float32).reshape(-1, 4)


@pytest.fixture(scope="module")
def canvas() -> Canvas:
    return Canvas(open_device())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "integer"])
def test_every_state_is_drawn_as_gl_draws_it_or_is_said_not_to_be(canvas: Canvas, kind: str, whole: bool) -> None:
    judged = 0
    for one in cases(kind, 2_000 if whole else 24):
        said = canvas.bound(one).unsupported
        assert all(EXCEPTIONS.get(kind, "nothing") in word for word in said)
        if not said:
            assert wrong(one, canvas.drawn(one)) == 0, one.name
            judged += 1
    assert judged >= (12 if kind in EXCEPTIONS else 24)
