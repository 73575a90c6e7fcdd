"""What Mesa 22.3 gets wrong when it emulates GL_CLAMP, form by form: ours is right, and upstream's shader is not.

Upstream's rewrite is written by hand in GLSL; it is drawn with the same textures and states as ours.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import statetracker as st
from statetracker.bindings.gl import GL, build
from statetracker.cso import RecordingDriver
from statetracker.frontend import clamp_request
from statetracker.pipe import SamplerState
from tools.proofs.pixels.clamp_forms import FORMS, Form, fragment
from tools.proofs.pixels.clamp_run import BORDER, Stage, compiled, sides
from tools.proofs.pixels.gl_draw import Image, dispatch, sampler, texture
from tools.proofs.pixels.scene import Canvas, Scene, gl_parameters

pytestmark = pytest.mark.live("egl", "glslangValidator")

_LONG: dict[str, Any] = {"levels": 5, "size": (32, 64)}


class Upstream(NamedTuple):
    """A form, and what upstream makes of its expression."""

    form: Form
    expression: str
    off_by: float = 0.25


#: Number in the list of upstream's deviations -> the form that shows it.
DEVIATIONS = {
    "2 and 10: a bias beside the sampler's own, counted twice": Upstream(
        Form("bias", "2d", "texture(s, AT, -1.0)", sampler_bias=1.0, **_LONG),
        "textureLod(s, clamp(AT, 0.0, 1.0), textureQueryLod(s, AT).y - 1.0)",
    ),
    "3: the level of a coordinate outside is asked of the clamped one": Upstream(
        Form("query", "2d", "vec4(textureQueryLod(s, AT), 0.0, 0.0)", **_LONG),
        "vec4(textureQueryLod(s, clamp(AT, 0.0, 1.0)), 0.0, 0.0)",
    ),
    "4: directions into cubes are clamped": Upstream(
        Form("cube", "cube", "texture(s, AT)"), "texture(s, clamp(AT, 0.0, 1.0))"
    ),
    "5: the first element's wrap for every dynamic index": Upstream(
        Form("dynamic", "2d", "texture(s[i], AT)", ("ccc", "rrr", "crc", "rcr"), array="[4]"),
        "texture(s[i], clamp(AT, 0.0, 1.0))",
    ),
    "8: mirror clamp loses its negative half": Upstream(
        Form("mirror", "2d", "texture(s, AT)", ("mmm",)), "texture(s, clamp(AT, 0.0, 1.0))"
    ),
    "9: offsets are scaled by the size of level 0": Upstream(
        Form("offset", "2d", "textureLodOffset(s, AT, 2.0, ivec2(2, -3))", **_LONG),
        "textureLod(s, clamp(AT + vec2(2.0, -3.0) / vec2(32.0, 64.0), 0.0, 1.0), 2.0)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", DEVIATIONS.values(), ids=DEVIATIONS)
def test_ours_is_right_where_upstreams_rewrite_is_not(gl: GL, row: Upstream) -> None:
    stage = Stage(gl, row.form)
    right, chosen = stage.picture(stage.original, stage.native), stage.chosen
    ours = stage.picture(stage.lowered.module, chosen)
    upstream = stage.picture(compiled(fragment(row.form._replace(expression=row.expression))), chosen)
    assert np.abs(ours - right).max() <= 1e-5
    assert np.abs(upstream - right).max() > row.off_by


def test_1_mixed_filters_keep_one_half_right(gl: GL) -> None:
    """No sampler is right for both halves: magnified by NEAREST is right here. More in test_pixels_clamp."""
    form = FORMS["lod 2d"]._replace(expression="textureLod(s, AT, -0.4)")
    stage = Stage(gl, form, min_filter="linear", mag_filter="nearest")
    right = stage.picture(stage.original, stage.native)
    assert (stage.picture(stage.lowered.module, stage.chosen) == right).all()


def test_6_binding_another_sampler_object_asks_for_another_shader(gl: GL) -> None:
    """From CLAMP_TO_BORDER to GL_CLAMP: upstream keeps the old shader, and reads the border alone."""
    form = FORMS["implicit 2d"]
    stage = Stage(gl, form)
    texture = st.Texture(internal_format="RGBA32F", size=(8, 4))
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), RecordingDriver())
    right, chosen = stage.picture(stage.original, stage.native), stage.chosen
    for wrap, correct in (("clamp-to-border", False), ("clamp", True)):
        sampler_object = st.Sampler(wrap=wrap, min_filter="linear", border_color=BORDER)
        bound = tracker.bind("fragment", {0: (sampler_object, texture)})
        module = st.lower(stage.original, clamp_request(bound.lowerings)).module
        assert (stage.picture(module, chosen) == right).all() == correct


COMPUTE = """\
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) uniform sampler2D s;
layout(binding = 0, std430) buffer Texels { vec4 texels[64]; };
void main() {
    vec2 at = vec2(gl_GlobalInvocationID.x % 8u, gl_GlobalInvocationID.x / 8u) / 2.0 - 1.5;
    texels[gl_GlobalInvocationID.x] = textureLod(s, at, 0.0);
}
"""


def test_7_compute_shaders_are_rewritten(gl: GL) -> None:
    """Upstream leaves them, and tess control shaders, as they are."""
    module = compiled(COMPUTE, "comp")
    lowered = st.lower(module, {(0, 0): "st"}).module
    ((native, other),) = sides(FORMS["lod 2d"])
    scene = Scene(Canvas(gl), "2d", (8, 4))
    pictures = []
    for code, result in ((module, native), (lowered, other), (module, other)):
        name = sampler(gl, gl_parameters(result.pipe) | {0x1004: BORDER})
        bound = {0: (0x0DE1, scene.name, name)}
        storage = dispatch(gl, build(gl, {"compute": code}), (8, 1, 1), textures=bound, storage={0: bytes(1024)})
        pictures.append(np.frombuffer(storage[0], np.float32))
    right, ours, upstream = pictures
    assert (ours == right).all()
    assert np.abs(upstream - right).max() > 0.25


# s; true GL_CLAMP, CLAMP_TO_EDGE, CLAMP_TO_BORDER; what the shader makes of s: with BORDER that is the first again.
# fmt: off
EXAMPLE = np.array([
    (-1.0, 105, 10, 200, 0), (-0.125, 105, 10, 200, 0), (-0.0625, 105, 10, 152.5, 0), (0, 105, 10, 105, 0),
    (0.03125, 81.25, 10, 81.25, 0.03125), (0.0625, 57.5, 10, 57.5, 0.0625), (0.125, 10, 10, 10, 0.125),
    (0.25, 15, 15, 15, 0.25), (0.5, 30, 30, 30, 0.5), (0.75, 60, 60, 60, 0.75), (0.875, 80, 80, 80, 0.875),
    (0.9375, 110, 80, 110, 0.9375), (0.96875, 125, 80, 125, 0.96875), (1.0, 140, 80, 140, 1),
    (1.0625, 140, 80, 170, 1), (1.125, 140, 80, 200, 1), (2.0, 140, 80, 200, 1),
])
# fmt: on


def test_the_numeric_example_as_the_machine_draws_it(gl: GL) -> None:
    """Four texels 10, 20, 40, 80 and a border of 200: native, edge, border, and the border at the saturated place."""
    scene = Scene(Canvas(gl), "1d", (4,))
    row = np.repeat(np.array([10, 20, 40, 80], np.float32)[:, None], 4, axis=1)
    scene.name = texture(gl, 0x0DE0, 0x8814, [Image((4,), row.tobytes())], pixel_format=0x1908, pixel_type=0x1406)
    rows = (("CLAMP", 0, 1), ("CLAMP_TO_EDGE", 0, 2), ("CLAMP_TO_BORDER", 0, 3), ("CLAMP_TO_BORDER", 4, 1))
    for wrap, places, column in rows:
        state = SamplerState(
            wrap_s=wrap, min_img_filter="LINEAR", mag_img_filter="LINEAR", min_mip_filter="NONE", max_lod=1000.0
        )
        at = EXAMPLE[:, [places]].astype(np.float32)
        texels = scene.sample(state, (200.0,) * 4, "textureLod(image, AT, 0.0)", at)
        assert texels[:, 0].tolist() == EXAMPLE[:, column].tolist()
    nearest = SamplerState(wrap_s="CLAMP", min_mip_filter="NONE")
    at = np.array([[-1], [0.2499], [0.25], [0.5], [0.75], [1], [2]], np.float32)
    texels = scene.sample(nearest, (200.0,) * 4, "textureLod(image, AT, 0.0)", at)
    assert texels[:, 0].tolist() == [10, 10, 20, 40, 80, 80, 80]
