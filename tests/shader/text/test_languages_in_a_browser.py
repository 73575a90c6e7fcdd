"""Printed GLSL ES and WGSL in headless Chromium: drawn by WebGL 2, and by WebGPU (Dawn on SwiftShader)."""

from __future__ import annotations

import json
import struct
from typing import Final

import numpy as np
import pytest

import statetracker as st
from statetracker.pipe import SamplerState, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels, TextureUnit
from tests.shader.in_a_browser import in_a_browser, shown
from tests.shader.text.cases import SIDE, printed, within
from tests.shader.text.on_webgpu import WebGpuStage, drops_levels, webgpu_cases
from tools.proofs.pixels.webgpu_run import DEVICE

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
WEBGL_FLAGS: Final = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")


@pytest.mark.live("chromium", "vulkan", "naga-wasm")
def test_wgsl_in_a_browser_lies_within_the_bounds_of_the_reference_unit(whole: bool) -> None:
    texts = [(case, printed(case, "wgsl")) for case in webgpu_cases("wgsl", 2 if whole else 200)]
    texts = [each for each in texts if not drops_levels(*each) and REFUSED not in each[1].remarks]
    jobs = {str(at): WebGpuStage(None, case).job(function) for at, (case, function) in enumerate(texts)}
    pictures, errors = in_a_browser(jobs, side=32, features=("float32-filterable",))
    assert errors == {}
    for at, (case, _) in enumerate(texts):
        assert within(case, pictures[str(at)][::-1][:SIDE, :SIDE].reshape(-1, 4), DEVICE).all(), case.name


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
