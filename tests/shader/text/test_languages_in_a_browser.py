"""Printed GLSL ES in headless Chromium: four states drawn by WebGL 2, and read back."""

from __future__ import annotations

import json
import re
import struct
import subprocess
from pathlib import Path
from shutil import which
from typing import Any, Final

import numpy as np
import pytest

import statetracker as st
from statetracker.pipe import SamplerState, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels, TextureUnit

STATES: Final = {
    "clamp-to-border": TexWrap.CLAMP_TO_BORDER,
    "clamp": TexWrap.CLAMP,
    "mirror-clamp-to-edge": TexWrap.MIRROR_CLAMP_TO_EDGE,
    "mirror-clamp-to-border-ext": TexWrap.MIRROR_CLAMP_TO_BORDER,
}
SIDE: Final = 16
BORDER: Final = (1.0, 0.0, 0.6, 1.0)
PAGE: Final = """<canvas id=c width=16 height=16></canvas><pre id=o></pre><script>
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
document.getElementById('o').textContent = JSON.stringify({error: gl.getError(), read: read});
</script>"""


@pytest.mark.live("chromium", "vulkan")
def test_four_states_are_drawn_in_a_browser_as_the_reference_unit_samples(tmp_path: Path) -> None:
    texels = np.random.default_rng(4).integers(0, 256, (4, 4, 4))
    texels[..., 3] = 255
    texts = []
    for wrap in STATES:
        sampler = st.Sampler(wrap=wrap, min_filter="linear", mag_filter="linear", border_color=BORDER)
        texture = st.Texture("2d", "RGBA8", size=(4, 4), levels=1)
        result = st.convert(sampler, texture, st.Screen.named("webgpu"))
        texts.append(st.sample_function(result, "glsl-es", constants=result).text)
    page = tmp_path / "page.html"
    made = PAGE.replace("TEXELS", json.dumps(texels.ravel().tolist())).replace("TEXTS", json.dumps(texts))
    page.write_text(made, encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    command = [str(which("chromium")), *flags, f"--user-data-dir={tmp_path}", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    (found,) = re.findall(r"<pre id=\"o\">(.*)</pre>", done.stdout)
    seen: dict[str, Any] = json.loads(found)
    assert seen["error"] == 0
    at = (np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2) + 0.5) / 8 - 0.5
    border = struct.unpack("<4I", struct.pack("<4f", *BORDER))
    for mode, pixels in zip(STATES.values(), seen["read"], strict=True):
        state = SamplerState(
            wrap_s=mode, wrap_t=mode, min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR,
            min_mip_filter=TexMipfilter.NONE, border_color=border,
        )  # fmt: skip
        exact = TextureUnit(state, Texels("2d", [texels / 255.0])).sample(at) * 255
        assert np.abs(np.array(pixels).reshape(-1, 4) - exact).max() < 2.5
