"""Draws that GL refuses, and calls between glBegin and glEnd that it does not execute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statetracker.replay.draws import pixels_refused
from statetracker.replay.primitives import GEOMETRY_MODES
from tests.replay.conftest import TRIANGLE, program, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

TEXTURED = texture(1), "glEnable(cap = GL_TEXTURE_2D)"
VERTEX = "void main() { gl_Position = gl_Vertex; }"
FRAGMENT = "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }"
GEOMETRY = "layout({}) in; layout(points, max_vertices = 1) out; void main() {{ gl_Position = vec4(0); EmitVertex(); }}"
CONTROL = "layout(vertices = 3) out; void main() { gl_TessLevelOuter[0] = 1.0; }"
EVALUATION = "layout(triangles) in; void main() { gl_Position = vec4(0); }"
MAP = "glEnable(cap = GL_MAP1_VERTEX_3)"
ARRAYS = "glDrawArrays(mode = {}, first = 0, count = 3)"
ELEMENTS = "glDrawElements(mode = GL_TRIANGLES, count = 3, type = {}, indices = NULL)"
RANGE = (
    "glDrawRangeElements(mode = GL_TRIANGLES, start = {}, end = {}, count = 3, type = GL_UNSIGNED_INT, indices = NULL)"
)
SEVERAL = "glMultiDrawArrays(mode = GL_TRIANGLES, first = {{0, 0}}, count = {{{}, {}}}, drawcount = {})"
PIXELS = "glDrawPixels(width = 2, height = 2, format = {}, type = {}, pixels = blob(16))"
COPY = "glCopyPixels(x = 0, y = 0, width = 2, height = 2, type = {})"


def begun(*calls: str, mode: str = "GL_TRIANGLES") -> str:
    return "\n".join([f"glBegin(mode = {mode})", *calls, "glEnd()", "glFlush()"])


POINT = "glVertex2f(x = 0, y = 0)"


@pytest.mark.parametrize(
    ("calls", "made"),
    [
        (ARRAYS.format("GL_TRIANGLES"), [1]),
        (ARRAYS.format("GL_QUADS"), [1]),
        (ARRAYS.format("99"), []),
        (ARRAYS.format("GL_PATCHES"), []),
        (begun(POINT, mode="77"), []),
        (begun(POINT, mode="GL_PATCHES"), []),
        (ELEMENTS.format("GL_UNSIGNED_SHORT"), [1]),
        (ELEMENTS.format("GL_FLOAT"), []),
        (RANGE.format(2, 5), [1]),
        (RANGE.format(5, 2), []),
        (SEVERAL.format(0, 3, 2), [1]),
        (SEVERAL.format(0, 0, 2), [1]),
        (SEVERAL.format(3, -3, 2), []),
        (SEVERAL.format(3, 3, 0), []),
        (PIXELS.format("GL_RGBA", "GL_UNSIGNED_BYTE"), [1, 0]),
        (PIXELS.format("GL_RGBA", "GL_BITMAP"), []),
        (PIXELS.format("GL_RGB", "GL_UNSIGNED_SHORT_4_4_4_4"), []),
        (f"glRenderMode(mode = GL_FEEDBACK) = 0\n{PIXELS.format('GL_RGBA', 'GL_UNSIGNED_BYTE')}", []),
        (f"glRenderMode(mode = GL_FEEDBACK) = 0\n{TRIANGLE}\nglFlush()", [1]),
        (COPY.format("GL_DEPTH"), [1, 0]),
        (COPY.format("GL_RGBA"), []),
        ("glEvalMesh1(mode = GL_LINE, i1 = 0, i2 = 4)", []),
        (f"{MAP}\nglEvalMesh1(mode = GL_LINE, i1 = 0, i2 = 4)", [1]),
        (f"{MAP}\nglEvalMesh1(mode = GL_FILL, i1 = 0, i2 = 4)", []),
        (f"{MAP}\nglEvalMesh2(mode = GL_LINE, i1 = 0, i2 = 4, j1 = 0, j2 = 4)", []),
        (begun("glEvalCoord1f(u = 0)"), []),
        (f"{MAP}\n{begun('glEvalCoord1f(u = 0)')}", [1]),
        (begun("glEvalPoint1(i = 0)"), []),
        (begun("glArrayElement(i = 0)"), []),
        (f"glEnableClientState(array = GL_VERTEX_ARRAY)\n{begun('glArrayElement(i = 0)')}", [1]),
        (f"glEnableClientState(array = GL_COLOR_ARRAY)\n{begun('glArrayElement(i = 0)')}", []),
        (f"glInterleavedArrays(format = GL_V2F, stride = 0, pointer = NULL)\n{begun('glArrayElement(i = 0)')}", [1]),
        (begun("glVertexAttrib2f(index = 0, x = 0, y = 0)"), [1]),
        (begun("glVertexAttrib2f(index = 1, x = 0, y = 0)"), []),
    ],
)
def test_a_draw_that_gl_refuses_makes_nothing(sampled: Sampled, calls: str, made: list[int]) -> None:
    assert sampled(*TEXTURED, calls) == made


@pytest.mark.parametrize("taken", GEOMETRY_MODES)
def test_a_geometry_shader_takes_only_its_kind_of_primitives(sampled: Sampled, taken: str) -> None:
    made = program(1, vertex=VERTEX, geometry=f"/* layout(points) in; */ {GEOMETRY.format(taken)}", fragment=FRAGMENT)
    for mode in range(14):
        expected = [1] if mode in GEOMETRY_MODES[taken] else []
        assert sampled(*TEXTURED, made, ARRAYS.format(mode)) == expected


def test_tessellation_takes_patches_and_nothing_else(sampled: Sampled) -> None:
    sources = {"vertex": VERTEX, "tess_control": CONTROL, "tess_evaluation": EVALUATION, "fragment": FRAGMENT}
    made = program(1, **sources)
    assert sampled(*TEXTURED, made, ARRAYS.format("GL_PATCHES")) == [1]
    assert sampled(*TEXTURED, made, ARRAYS.format("GL_TRIANGLES")) == []


def test_core_contexts_have_neither_quads_nor_glbegin(sampled: Sampled) -> None:
    made = "glBindVertexArray(array = 1)", program(1, vertex=VERTEX, fragment=FRAGMENT)
    core = ("glGenTextures(n = 1, textures = &1)", texture(1), *made)
    assert sampled(*core, ARRAYS.format("GL_TRIANGLES"), profile="core") == [1]
    assert sampled(*core, ARRAYS.format("GL_QUADS"), profile="core") == []
    assert sampled(*core, TRIANGLE, profile="core") == []


def test_no_groups_are_no_dispatch(sampled: Sampled) -> None:
    compute = (
        "layout(local_size_x = 1) in; uniform sampler2D s; layout(rgba8) uniform writeonly image2D i; "
        "void main() { imageStore(i, ivec2(0), texelFetch(s, ivec2(0), 0)); }"
    )
    dispatch = "glDispatchCompute(num_groups_x = {}, num_groups_y = 1, num_groups_z = 1)"
    assert sampled(texture(1), program(1, compute=compute), dispatch.format(1)) == [1]
    assert sampled(texture(1), program(1, compute=compute), dispatch.format(0)) == []


OTHER = f"{texture(2)}\n{texture(1)}"


@pytest.mark.parametrize(
    "call",
    [
        "glTexParameterf(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_LOD, param = 5)",
        "glBindTexture(target = GL_TEXTURE_2D, texture = 2)",
        "glDisable(cap = GL_TEXTURE_2D)",
        "glTexEnvf(target = GL_TEXTURE_FILTER_CONTROL, pname = GL_TEXTURE_LOD_BIAS, param = 3)",
        "glDeleteTextures(n = 1, textures = &1)",
        "glUseProgram(program = 3)",
        "glBegin(mode = GL_POINTS)",
        "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)",
        "glCallList(list = 9)",
    ],
)
def test_between_begin_and_end_only_vertices_are_taken(sampled: Sampled, call: str) -> None:
    fixed = f"{program(3, fragment='void main() { gl_FragColor = vec4(1.0); }')}\nglUseProgram(program = 0)"
    kept = (
        "glNewList(list = 9, mode = GL_COMPILE)\n"
        "glTexParameterf(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_LOD, param = 5)\nglEndList()"
    )
    assert sampled(kept, fixed, OTHER, TEXTURED[1], begun(call, POINT), begun(POINT)) == [1]


def test_uniforms_are_not_set_between_begin_and_end(sampled: Sampled) -> None:
    second = f"glActiveTexture(texture = GL_TEXTURE1)\n{texture(2)}"
    made = program(3, fragment=FRAGMENT), 'glGetUniformLocation(program = 3, name = "s") = 0'
    assert sampled(texture(1), second, *made, begun("glUniform1i(location = 0, v0 = 1)", POINT)) == [1]
    assert sampled(texture(1), second, *made, "glUniform1i(location = 0, v0 = 1)", begun(POINT)) == [2]


def test_where_the_end_may_be_lost_calls_are_executed(sampled: Sampled) -> None:
    lost = "glBegin(mode = GL_TRIANGLES)\n50 glBindTexture(target = GL_TEXTURE_2D, texture = 2)"
    assert sampled(OTHER, TEXTURED[1], lost, f"60 {TRIANGLE}".replace("\n", "\n60 ", 1), "90 glFlush()") == [2]


def test_pixels_are_drawn_whose_format_and_type_go_together() -> None:
    assert not pixels_refused(0x84F9, 0x84FA)
    assert pixels_refused(0x84F9, 0x1401)
    assert pixels_refused(0x1908, 0x84FA)
    assert not pixels_refused(0x1900, 0x1A00)
    assert pixels_refused(0x8D99, 0x1401)


OFFSCREEN = (
    "glBindFramebuffer(target = GL_FRAMEBUFFER, framebuffer = 1)\n"
    "glFramebufferRenderbuffer(target = GL_FRAMEBUFFER, attachment = GL_DEPTH_ATTACHMENT, "
    "renderbuffertarget = GL_RENDERBUFFER, renderbuffer = 1)\n"
)


@pytest.mark.parametrize(
    ("calls", "made"),
    [
        ("glDrawBuffer(mode = GL_ZERO)", []),
        ("glDrawBuffers(n = 1, bufs = &GL_ZERO)", []),
        ("glDrawBuffers(n = 2, bufs = {GL_ZERO, GL_BACK_LEFT})", [1]),
        ("glDrawBuffer(mode = GL_ZERO)\nglDrawBuffer(mode = GL_BACK)", [1]),
        ("glDrawBuffer(mode = GL_ZERO)\nglDrawBuffer(mode = GL_COLOR_ATTACHMENT0)", []),
        ("glDrawBuffer(mode = GL_ZERO)\nglEnable(cap = GL_ALPHA_TEST)", [1]),
        (f"glDrawBuffer(mode = GL_ZERO)\n{TRIANGLE}\nglEnable(cap = GL_ALPHA_TEST)", [1]),
        (f"glDrawBuffer(mode = GL_ZERO)\n{OFFSCREEN}", [1]),
        (f"{OFFSCREEN}glDrawBuffer(mode = GL_ZERO)", []),
        (f"{OFFSCREEN}glNamedFramebufferDrawBuffer(framebuffer = 1, mode = GL_ZERO)", []),
        (f"{OFFSCREEN}glNamedFramebufferDrawBuffer(framebuffer = 2, mode = GL_ZERO)", [1]),
        (f"glDrawBuffer(mode = GL_ZERO)\n{program(1, fragment=FRAGMENT)}", [1]),
    ],
)
def test_without_a_draw_buffer_fixed_function_samples_for_the_alpha_test_only(
    sampled: Sampled, calls: str, made: list[int]
) -> None:
    assert sampled(*TEXTURED, calls, TRIANGLE) == made
