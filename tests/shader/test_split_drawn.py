"""Each shader of ``tests/data/shaders`` but the tessellation stage, split, drawn, and beside llvmpipe's GL."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pytest

from statetracker.bindings import egl
from statetracker.conformance.drivers import driver
from tests.shader.beside import bound
from tests.shader.drawn_whole import FILL, GROUPS, NAMES, PASSED, SIDE, VERTEX, Job, job, on_gl, split_of
from tests.shader.in_a_browser import in_a_browser
from tests.webgpu.dawn import Dawn
from tools.proofs.apart import apart as in_processes
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file
from tools.proofs.pixels.unit_run import LIMIT_S
from tools.proofs.pixels.webgpu_run import bound_groups, open_device, texture_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

LIVE = pytest.mark.live("wgpu", "egl:llvmpipe", "glslangValidator")
#: What devices' levels of detail differ by, of texels from 0 to 1; and what filters of 8 bits do.
LEVELS, FILTERS = 0.06, 2.0**-6
#: Levels of detail come of derivatives in these.
DERIVED = {"query_lod_2d.frag", "min_lod_2d.frag", "shadow_bias_2d.frag", "shadow_grad_2d.frag"}
#: SwiftShader scales offsets on mipmaps, and has edges of cubes of its own there.
FLAT = frozenset(name for name in NAMES if ("offset" in name or "cube" in name) and "fetch" not in name)


def apart(seen: dict[str, NDArray[np.float32]], right: dict[str, NDArray[np.float32]], bound: float) -> set[str]:
    """Names of the shaders of which more than one fragment in a hundred is farther off."""
    assert seen.keys() == right.keys() == set(NAMES)
    far = {name: ~(np.abs(seen[name] - right[name]).max(axis=2) <= bound) for name in NAMES}
    return {name for name in NAMES if far[name].mean() > 0.01}


def pictures(device: str, flat: Collection[str] = ()) -> dict[str, NDArray[np.float32]]:
    """Draw every shader in a process of its own: on ``GL`` (llvmpipe), or a device of wgpu.

    Args:
        device: A part of its name.
        flat: Names of shaders whose textures have one level.
    """
    chosen = driver_file(SWIFTSHADER if device == "SwiftShader" else None)
    with patch.dict(os.environ, driver("llvmpipe").environment), chosen:
        (made,) = in_processes(_pictures, {f"all shaders, {device}": (device, flat)}, limit_s=LIMIT_S)
    return made


def _pictures(at: Callable[[str], object], device: str, flat: Collection[str]) -> dict[str, NDArray[np.float32]]:
    made = {}
    with egl.Context() if device == "GL" else nullcontext() as context:
        there = open_device(device) if context is None else None
        for name in NAMES:
            at(name)
            level = name in flat
            one = picture(there, job(name, flat=level)) if context is None else on_gl(context.gl, name, flat=level)
            made[name] = one
    return made


def picture(device: Any, one: Job) -> NDArray[np.float32]:
    """Draw a job on a device of wgpu-py."""
    entries = []
    for entry in one.entries:
        several = entry.get("texture", {}).get("multisampled")
        entries.append(entry | {"resource": of_samples(device, entry["resource"])} if several else entry)
    entries = bound(device, entries)
    layout, (group,) = bound_groups(device, [entries])
    module = {"module": device.create_shader_module(code=one.module), "entry_point": "main"}
    encoder = device.create_command_encoder()
    if one.stage == "compute":
        run = encoder.begin_compute_pass()
        run.set_pipeline(device.create_compute_pipeline(layout=layout, compute=module))
        run.set_bind_group(0, group)
        run.dispatch_workgroups(*GROUPS)
        run.end()
        device.queue.submit([encoder.finish()])
        (written,) = (entry["resource"]["buffer"] for entry in entries if entry["binding"] == 3)
        return np.frombuffer(device.queue.read_buffer(written), np.float32).reshape(SIDE, SIDE, 4)
    formats = ("float32x4", "sint32x4", "float32x4")
    attributes = [{"format": each, "offset": n * 16, "shader_location": n} for n, each in enumerate(formats)]
    other = {"module": device.create_shader_module(code=PASSED if one.stage == "vertex" else VERTEX)}
    vertex, fragment = (module, other) if one.stage == "vertex" else (other, module)
    pipeline = device.create_render_pipeline(
        layout=layout,
        vertex=vertex | {"buffers": [{"array_stride": 48, "attributes": attributes}]},
        primitive={"topology": "triangle-list"},
        fragment=fragment | {"targets": [{"format": "rgba32float"}]},
    )
    target = device.create_texture(size=(SIDE, SIDE, 1), format="rgba32float", usage="RENDER_ATTACHMENT|COPY_SRC")
    attachment = {"view": target.create_view(), "load_op": "clear", "store_op": "store"}
    drawing = encoder.begin_render_pass(color_attachments=[attachment])
    drawing.set_pipeline(pipeline)
    drawing.set_bind_group(0, group)
    drawing.set_vertex_buffer(0, device.create_buffer_with_data(data=one.vertices, usage="VERTEX"))
    drawing.draw(len(one.vertices) // 48)
    drawing.end()
    device.queue.submit([encoder.finish()])
    texels = device.queue.read_texture({"texture": target}, {"bytes_per_row": SIDE * 16}, (SIDE, SIDE, 1))
    return np.frombuffer(texels, np.float32).reshape(SIDE, SIDE, 4)[::-1]


def of_samples(device: Any, given: dict[str, Any]) -> Any:
    """A texture of several samples: each is drawn, by the sample mask, from a layer."""
    count = given["texture"]["sample_count"]
    texture = device.create_texture(**given["texture"], usage="TEXTURE_BINDING|RENDER_ATTACHMENT")
    layers = texture_of(device, given["levels"], "2d-array", "rgba8unorm")
    entries = [{"binding": 0, "resource": layers}]
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
    return texture.create_view(dimension="2d")


def test_there_are_97() -> None:
    assert len(NAMES) == 97
    assert [name.rpartition(".")[2] for name in NAMES].count("vert") == 2


@pytest.mark.live("dawn", "glslangValidator")
def test_dawn_takes_every_shader() -> None:
    (reasons,) = in_processes(_refused, {"Dawn": ()}, limit_s=60)
    assert reasons == {}


def _refused(at: Callable[[str], object]) -> dict[str, str]:
    dawn, reasons = Dawn(), {}
    for name in NAMES:
        at(name)
        try:
            dawn.create_shader_module(split_of(name)[0].module)
        except ValueError as error:
            reasons[name] = str(error)
    return reasons


@LIVE
def test_every_shader_is_drawn_as_by_gl() -> None:
    right = pictures("GL")
    assert {name for name in NAMES if len(np.unique(right[name].reshape(-1, 4), axis=0)) < 9} == {"query_size_2d.frag"}
    seen = pictures("llvmpipe")
    assert apart(seen, right, LEVELS) == set()
    assert apart(seen, right, FILTERS) <= DERIVED


@LIVE
@pytest.mark.live("swiftshader")
def test_every_shader_is_drawn_as_by_gl_on_swiftshader_too() -> None:
    assert apart(pictures("SwiftShader", FLAT), pictures("GL", FLAT), LEVELS) == set()


@LIVE
@pytest.mark.live("chromium", "naga-wasm")
def test_every_shader_is_drawn_as_by_gl_in_a_browser() -> None:
    seen, errors = in_a_browser({name: job(name, flat=name in FLAT) for name in NAMES})
    assert errors == {}
    assert apart(seen, pictures("GL", FLAT), LEVELS) == set()
