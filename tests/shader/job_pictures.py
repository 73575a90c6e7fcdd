"""Jobs of `tests.shader.drawn_whole` on a device of wgpu-py; every shader on one device, or on llvmpipe's GL."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from statetracker.bindings import egl
from statetracker.conformance.drivers import driver
from tests.shader.drawn_whole import FILL, GROUPS, NAMES, PASSED, SIDE, VERTEX, Job, job, on_gl
from tools.proofs.apart import apart
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file
from tools.proofs.pixels.unit_run import LIMIT_S
from tools.proofs.pixels.webgpu_run import bound_groups, buffer_of, open_device, texture_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

__all__ = ["pictures"]


def pictures(device: str, flat: Collection[str] = ()) -> dict[str, NDArray[np.float32]]:
    """Draw every shader in a process of its own: on ``GL`` (llvmpipe), or a device of wgpu.

    Args:
        device: A part of its name.
        flat: Names of shaders whose textures have one level.
    """
    chosen = driver_file(SWIFTSHADER if device == "SwiftShader" else None)
    with patch.dict(os.environ, driver("llvmpipe").environment), chosen:
        (made,) = apart(_pictures, {f"all shaders, {device}": (device, flat)}, limit_s=LIMIT_S)
    return made


def _pictures(at: Callable[[str], object], device: str, flat: Collection[str]) -> dict[str, NDArray[np.float32]]:
    made = {}
    with egl.Context() if device == "GL" else nullcontext() as context:
        there = OnWgpu(device) if context is None else context.gl
        for name in NAMES:
            at(name)
            level = name in flat
            if isinstance(there, OnWgpu):
                made[name] = there.picture(job(name, flat=level))
            else:
                made[name] = on_gl(there, name, flat=level)
    return made


class OnWgpu:
    """A device of wgpu-py.

    Args:
        name: A part of the device's name.
    """

    def __init__(self, name: str) -> None:
        import wgpu

        self.wgpu, self.device = wgpu, open_device(name)

    def picture(self, one: Job) -> NDArray[np.float32]:
        device, entries = self.device, []
        for entry in one.entries:
            given = entry["resource"]
            if "content" in given:
                bound = buffer_of(device, given["content"], uniform=entry["buffer"]["type"] == "uniform")
            else:
                bound = device.create_sampler(**given["sampler"]) if "sampler" in given else self.texture(given)
            entries.append(entry | {"resource": bound})
        whole, (group,) = bound_groups(device, [entries])
        module = {"module": device.create_shader_module(code=one.module), "entry_point": "main"}
        encoder = device.create_command_encoder()
        if one.stage == "compute":
            run = encoder.begin_compute_pass()
            run.set_pipeline(device.create_compute_pipeline(layout=whole, compute=module))
            run.set_bind_group(0, group)
            run.dispatch_workgroups(*GROUPS)
            run.end()
            device.queue.submit([encoder.finish()])
            (written,) = (entry["resource"]["buffer"] for entry in entries if entry["binding"] == 3)
            texels = device.queue.read_buffer(written)
            return np.frombuffer(texels, np.float32).reshape(SIDE, SIDE, 4)
        return self.drawn(one, whole, group, module)

    def drawn(self, one: Job, layout: Any, group: Any, module: dict[str, Any]) -> NDArray[np.float32]:
        device, wgpu = self.device, self.wgpu
        formats = ("float32x4", "sint32x4", "float32x4")
        attributes = [{"format": each, "offset": n * 16, "shader_location": n} for n, each in enumerate(formats)]
        other = {
            "module": device.create_shader_module(code=PASSED if one.stage == "vertex" else VERTEX),
            "entry_point": "main",
        }
        stages = (module, other) if one.stage == "vertex" else (other, module)
        pipeline = device.create_render_pipeline(
            layout=layout,
            vertex=stages[0] | {"buffers": [{"array_stride": 48, "attributes": attributes}]},
            primitive={"topology": "triangle-list"},
            fragment=stages[1] | {"targets": [{"format": "rgba32float"}]},
        )
        usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
        target = device.create_texture(size=(SIDE, SIDE, 1), format="rgba32float", usage=usage)
        encoder = device.create_command_encoder()
        attachment = {"view": target.create_view(), "load_op": "clear", "store_op": "store"}
        drawing = encoder.begin_render_pass(color_attachments=[attachment])
        drawing.set_pipeline(pipeline)
        drawing.set_bind_group(0, group)
        vertices = device.create_buffer_with_data(data=one.vertices, usage=wgpu.BufferUsage.VERTEX)
        drawing.set_vertex_buffer(0, vertices)
        drawing.draw(len(one.vertices) // 48)
        drawing.end()
        device.queue.submit([encoder.finish()])
        texels = device.queue.read_texture({"texture": target}, {"bytes_per_row": SIDE * 16}, (SIDE, SIDE, 1))
        return np.frombuffer(texels, np.float32).reshape(SIDE, SIDE, 4)[::-1]

    def texture(self, given: dict[str, Any]) -> Any:
        made = given["texture"]
        if made["sample_count"] == 1:
            return texture_of(self.device, given["levels"], given["view"], made["format"])
        texture = self.device.create_texture(**made, usage="TEXTURE_BINDING|RENDER_ATTACHMENT")
        self.fill(texture, given["levels"][0])
        return texture.create_view(dimension="2d")

    def fill(self, texture: Any, content: NDArray[Any]) -> None:
        """Draw each sample of a texture, by the sample mask, from a layer each."""
        device, (count, height, width, _) = self.device, content.shape
        usage = self.wgpu.TextureUsage
        source = device.create_texture(size=(width, height, count), format="rgba8unorm",
                                       usage=usage.TEXTURE_BINDING | usage.COPY_DST)  # fmt: skip
        rows = {"bytes_per_row": width * 4, "rows_per_image": height}
        device.queue.write_texture({"texture": source}, content.tobytes(), rows, (width, height, count))
        entries = [{"binding": 0, "resource": source.create_view(dimension="2d-array")}]
        module = device.create_shader_module(code=FILL)
        encoder = device.create_command_encoder()
        for sample in range(count):
            pipeline = device.create_render_pipeline(
                layout="auto", vertex={"module": module}, primitive={"topology": "triangle-list"},
                multisample={"count": count, "mask": 1 << sample},
                fragment={"module": module, "targets": [{"format": "rgba8unorm"}]},
            )  # fmt: skip
            group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)
            begin = {"view": texture.create_view(), "load_op": "load" if sample else "clear", "store_op": "store"}
            drawing = encoder.begin_render_pass(color_attachments=[begin])
            drawing.set_pipeline(pipeline)
            drawing.set_bind_group(0, group)
            drawing.draw(3, 1, 0, sample)
            drawing.end()
        device.queue.submit([encoder.finish()])
