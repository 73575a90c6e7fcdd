"""Cases that fall through, with the blocks of the next one copied: drawn, and nested in loops and in each other."""

from __future__ import annotations

import numpy as np
import pytest

import statetracker as st
from statetracker.errors import ModuleError
from statetracker.shader.switches import switches
from statetracker.spirv import Module
from tests.shader.beside import Texture, devices, fragment, native, places, state, webgpu
from tests.shader.validator import assert_valid

ONE = Texture("2d", (8, 8), state("LLL"), levels=2)
BODIES = {
    "one": "switch (n) { case 1: t += a; break; case 2: t += b; default: t *= 2.0; }",
    "three in a row": "switch (n) { case 0: t += a; case 1: t += b; case 2: t *= 3.0; break; default: t = c; }",
    "all": "switch (n) { case 0: t += a; case 1: t += b; case 2: t *= 3.0; default: t -= c; }",
    "values": """vec4 u = a;
        switch (n) { case 0: u = b; case 1: u = u * 2.0 + (c.x > 0.5 ? a : b); break; default: u = c; } t = u;""",
    "in a loop": """for (int k = 0; k < 5; k++) {
        switch ((n + k) % 4) {
            case 0: t += a; if (k == 3) continue;
            case 1: t += b; if (k == 2) break;
            case 2: t *= 1.5;
        }
        if (t.x > 9.0) break;
        t += 0.25; }""",
    "a loop in it": """switch (n) {
        case 0: t += a;
        case 1: for (int k = 0; k < n + 2; k++) { t += b; if (t.y > 2.0) break; }
        case 2: t *= 1.5; }""",
    "one in another": """switch (n) {
        case 0: t += a;
        case 1: switch (int(c.y + 2)) { case 1: t += b; case 2: t *= 2.0; }
        case 2: t -= 0.5; break;
        default: t = c; }""",
    "returned": "switch (n) { case 0: t += a; case 1: t += b; return t + 5.0; default: t = c; }",
}
DECLARED = """layout(binding = 0) uniform sampler2D s;
vec4 through(vec4 c, int n) { vec4 t = c, a = textureLod(s, c.xy, 0), b = textureLod(s, c.yx, 1); """


def shader(body: str) -> bytes:
    return fragment(f"{DECLARED}{body} return t; }}", "through(c, int(c.w + 2) % 4)")


@pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
@pytest.mark.parametrize("name", BODIES)
def test_what_fell_through_goes_on_in_a_copy(name: str) -> None:
    device, beside = devices()
    module = shader(BODIES[name])
    assert any(one.falls for one in switches(Module.read(module)))
    split = st.split_samplers(module)
    assert split.unresolved == ()
    assert not any(one.falls for one in switches(Module.read(split.module)))
    assert_valid(split.module)
    drawn = webgpu(device, split, {(0, 0): (ONE,)}, places())
    assert np.abs(drawn - native(beside, module, {(0, 0): (ONE,)}, places())).max() <= 2.0**-5


@pytest.mark.live("glslangValidator")
def test_a_switch_whose_cases_end_stays() -> None:
    body = "switch (n) { case 0: case 3: t += a; break; case 1: t += b; break; default: t *= 2.0; }"
    assert st.split_samplers(shader(body)).rewritten == ()


@pytest.mark.live("glslangValidator")
def test_all_copies_together_are_no_larger_than_a_module_may_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was by itself: of 12 kB became 13 MB."""
    module = shader(f"switch (n) {{ {''.join(f'case {at}: t += a;' for at in range(20))} }}")
    gained = len(st.split_samplers(module).module) - len(module)
    monkeypatch.setattr("statetracker.spirv.editor.MAX_WRITTEN", gained // 8)
    with pytest.raises(ModuleError, match="what is written to it would be larger"):
        st.split_samplers(module)
