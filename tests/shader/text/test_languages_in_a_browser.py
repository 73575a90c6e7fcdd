"""Printed GLSL ES and WGSL in headless Chromium: drawn by WebGL 2, and by WebGPU (Dawn on SwiftShader)."""

from __future__ import annotations

import json
import struct
from base64 import b64decode
from typing import Final

import numpy as np
import pytest

import statetracker as st
from statetracker.pipe import SamplerState, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels, TextureUnit
from tests.shader.in_a_browser import javascript, shown
from tests.shader.text.cases import SIDE, printed, within
from tests.shader.text.on_webgpu import WebGpuStage, drops_levels, webgpu_cases
from tools.proofs.pixels.webgpu_run import DEVICE, VERTEX

STATES: Final = {
    "clamp-to-border": TexWrap.CLAMP_TO_BORDER,
    "clamp": TexWrap.CLAMP,
    "mirror-clamp-to-edge": TexWrap.MIRROR_CLAMP_TO_EDGE,
    "mirror-clamp-to-border-ext": TexWrap.MIRROR_CLAMP_TO_BORDER,
}
WIDTH: Final = 16
BORDER: Final = (1.0, 0.0, 0.6, 1.0)
SAY: Final = """<script>
const say = what => fetch('/', {method: 'POST', body: JSON.stringify(what)});
onerror = say;
onunhandledrejection = event => say(String(event.reason));
</script>"""
PAGE: Final = """<canvas id=c width=16 height=16></canvas><script>
const gl = document.getElementById('c').getContext('webgl2', {preserveDrawingBuffer: true}), read = [];
gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(TEXELS));
for (const p of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, p, gl.CLAMP_TO_EDGE);
for (const p of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, p, gl.LINEAR);
for (const text of TEXTS) {
    const program = gl.createProgram();
    const add = (kind, source) => {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, '#version 300 es\\nprecision highp float;\\n' + source);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    };
    add(gl.VERTEX_SHADER, `void main() {
        gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`);
    add(gl.FRAGMENT_SHADER, text + `uniform highp sampler2D map; out vec4 color;
        void main() { color = sample_state(map, gl_FragCoord.xy / 16.0 * 2.0 - 0.5); }`);
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    const pixels = new Uint8Array(1024);
    gl.readPixels(0, 0, 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    read.push(Array.from(pixels));
}
say({error: gl.getError(), read: read});
</script>"""

REFUSED: Final = "WGSL samples 1D textures at an implicit level: wgpu takes others"
WEBGPU: Final = """<script type=module>
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)), read = [];
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice({requiredFeatures: ['float32-filterable']}), queue = device.queue;
const vertex = device.createShaderModule({code: VERTEX});
for (const job of JOBS) {
    device.pushErrorScope('validation');
    const views = job.images.map(([made, levels], n) => {
        const texture = device.createTexture(made);
        levels.forEach(([texels, place, size], mipLevel) =>
            queue.writeTexture({texture, mipLevel}, bytes(texels), place, size));
        return texture.createView(n ? {} : {dimension: job.dimension});
    });
    const bound = [views[0], device.createSampler(job.sampler), ...views.slice(1)];
    if (job.block) {
        const buffer = device.createBuffer({size: 48, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST});
        queue.writeBuffer(buffer, 0, bytes(job.block));
        bound.push({buffer});
    }
    const layout = device.createBindGroupLayout({entries: job.layout}), module = device.createShaderModule(job);
    const pipeline = device.createRenderPipeline({
        layout: device.createPipelineLayout({bindGroupLayouts: [layout]}), vertex: {module: vertex},
        fragment: {module, targets: [{format: 'rgba32float'}]}});
    const texture = device.createTexture({size: [SIDE, SIDE], format: 'rgba32float', usage: 17});
    const buffer = device.createBuffer({size: SIDE * 512, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
        colorAttachments: [{view: texture.createView(), loadOp: 'clear', storeOp: 'store'}]});
    pass.setPipeline(pipeline);
    const entries = bound.map((resource, binding) => ({binding, resource}));
    pass.setBindGroup(0, device.createBindGroup({layout, entries}));
    pass.draw(3);
    pass.end();
    encoder.copyTextureToBuffer({texture}, {buffer, bytesPerRow: 512}, [SIDE, SIDE]);
    queue.submit([encoder.finish()]);
    const error = await device.popErrorScope();
    if (!error) await buffer.mapAsync(GPUMapMode.READ);
    read.push(error ? error.message : btoa(String.fromCharCode(...new Uint8Array(buffer.getMappedRange()))));
}
say(read);
</script>"""
WEBGL_FLAGS: Final = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WEBGPU_FLAGS: Final = ("--enable-unsafe-webgpu", "--enable-unsafe-swiftshader", "--use-webgpu-adapter=swiftshader")


@pytest.mark.live("chromium", "vulkan")
def test_wgsl_in_a_browser_lies_within_the_bounds_of_the_reference_unit(whole: bool) -> None:
    texts = [(case, printed(case, "wgsl")) for case in webgpu_cases("wgsl", 2 if whole else 200)]
    texts = [each for each in texts if not drops_levels(*each) and REFUSED not in each[1].remarks]
    jobs = [WebGpuStage(None, case).job(function) for case, function in texts]
    page = WEBGPU.replace("JOBS", json.dumps(javascript(jobs))).replace("VERTEX", json.dumps(VERTEX))
    read = shown(SAY + page.replace("SIDE", str(SIDE)), *WEBGPU_FLAGS)
    assert isinstance(read, list), read
    for (case, _), answer in zip(texts, read, strict=True):
        assert len(answer) > 10_000, answer
        picture = np.frombuffer(b64decode(answer), np.float32).reshape(SIDE, 32, 4)[:, :SIDE].reshape(-1, 4)
        assert within(case, picture, DEVICE).all(), case.name


@pytest.mark.live("chromium", "vulkan")
def test_four_states_are_drawn_in_a_browser_as_the_reference_unit_samples() -> None:
    texels = np.random.default_rng(4).integers(0, 256, (4, 4, 4))
    texels[..., 3] = 255
    texts = []
    for wrap in STATES:
        sampler = st.Sampler(wrap=wrap, min_filter="linear", mag_filter="linear", border_color=BORDER)
        texture = st.Texture("2d", "RGBA8", size=(4, 4), levels=1)
        result = st.convert(sampler, texture, st.Screen.named("webgpu"))
        texts.append(st.sample_function(result, "glsl-es", constants=result).text)
    made = PAGE.replace("TEXELS", json.dumps(texels.ravel().tolist())).replace("TEXTS", json.dumps(texts))
    seen = shown(SAY + made, *WEBGL_FLAGS)
    assert seen["error"] == 0
    at = (np.stack(np.meshgrid(np.arange(WIDTH), np.arange(WIDTH)), axis=-1).reshape(-1, 2) + 0.5) / 8 - 0.5
    border = struct.unpack("<4I", struct.pack("<4f", *BORDER))
    for mode, pixels in zip(STATES.values(), seen["read"], strict=True):
        state = SamplerState(
            wrap_s=mode, wrap_t=mode, min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR,
            min_mip_filter=TexMipfilter.NONE, border_color=border,
        )  # fmt: skip
        exact = TextureUnit(state, Texels("2d", [texels / 255.0])).sample(at) * 255
        assert np.abs(np.array(pixels).reshape(-1, 4) - exact).max() < 2.5
