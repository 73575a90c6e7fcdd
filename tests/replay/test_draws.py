"""What of a stream draws, and with what: rules that live Mesa showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.replay.conftest import TRIANGLE, program, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

TEXTURED = texture(1), "glEnable(cap = GL_TEXTURE_2D)"
VERTEX = "void main() { gl_Position = gl_Vertex; }"
FRAGMENT = "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }"
RASTER = "glRasterPos2f(x = 0, y = 0)"
ASSEMBLY = (
    "glGenProgramsARB(n = 1, programs = &1)\n"
    "glBindProgramARB(target = GL_VERTEX_PROGRAM_ARB, program = 1)\n"
    "glProgramStringARB(target = GL_VERTEX_PROGRAM_ARB, format = GL_PROGRAM_FORMAT_ASCII_ARB, len = 60, "
    'string = "!!ARBvp1.0 MOV result.position, vertex.position; END")\n'
    "glEnable(cap = GL_VERTEX_PROGRAM_ARB)"
)


@pytest.mark.parametrize(
    ("before", "call", "made"),
    [
        (program(1, vertex=VERTEX, fragment=FRAGMENT), RASTER, [1]),
        (program(1, vertex=VERTEX, fragment=FRAGMENT), "glRasterPos4dv(v = {0, 0, 0, 1})", [1]),
        (program(1, vertex=VERTEX, fragment=FRAGMENT), "glWindowPos2f(x = 0, y = 0)", []),
        (program(1, fragment=FRAGMENT), RASTER, []),
        (ASSEMBLY, RASTER, [1]),
        ("glUseProgram(program = 0)", RASTER, []),
    ],
)
def test_a_raster_position_draws_where_a_vertex_program_is_in_force(
    sampled: Sampled, before: str, call: str, made: list[int]
) -> None:
    assert sampled(*TEXTURED, before, call) == made


SUB = "xoffset = 0, yoffset = 0, width = {width}, height = 2"
MIPMAPPED = (
    texture(1),
    "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR_MIPMAP_LINEAR)",
    "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_GENERATE_MIPMAP, param = GL_TRUE)",
    "glEnable(cap = GL_TEXTURE_2D)",
)
ON_2D = "target = GL_TEXTURE_2D"
TEXELS = "format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = blob(16)"


@pytest.mark.parametrize(
    ("call", "made"),
    [
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 0, {SUB.format(width=2)}, {TEXELS})", [1]),
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 1, {SUB.format(width=2)}, {TEXELS})", []),
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 0, {SUB.format(width=0)}, {TEXELS})", []),
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 0, {SUB.format(width=20)}, {TEXELS})", []),
        ("glCopyTexSubImage2D(target = GL_TEXTURE_2D, level = 0, x = 0, y = 0, " + SUB.format(width=2) + ")", [1]),
        (f"glTextureSubImage2D(texture = 1, level = 0, {SUB.format(width=2)}, {TEXELS})", [1]),
        (f"glTextureSubImage2D(texture = 9, level = 0, {SUB.format(width=2)}, {TEXELS})", []),
        (
            f"glTextureSubImage2DEXT(texture = 1, target = GL_TEXTURE_2D, level = 0, {SUB.format(width=2)}, {TEXELS})",
            [1],
        ),
        (
            f"glMultiTexSubImage2DEXT(texunit = GL_TEXTURE0, {ON_2D}, level = 0, {SUB.format(width=2)}, {TEXELS})",
            [1],
        ),
    ],
)
def test_texels_put_into_the_base_level_fill_the_chain_where_mipmaps_are_generated(
    sampled: Sampled, call: str, made: list[int]
) -> None:
    assert sampled(*MIPMAPPED, call, TRIANGLE) == made


def test_texels_put_into_one_face_fill_the_chain_of_that_face(sampled: Sampled) -> None:
    faces = ("POSITIVE_X", "NEGATIVE_X", "POSITIVE_Y", "NEGATIVE_Y", "POSITIVE_Z", "NEGATIVE_Z")
    cube = [line.replace("TEXTURE_2D", "TEXTURE_CUBE_MAP") for line in "\n".join(MIPMAPPED).splitlines()]
    (image,) = (line for line in cube if line.startswith("glTexImage2D"))
    cube.remove(image)
    last = cube.index(next(line for line in cube if "GENERATE" in line))
    cube[last:last] = [image.replace("_CUBE_MAP", f"_CUBE_MAP_{face}") for face in faces]
    sub = f"target = GL_TEXTURE_CUBE_MAP_{{}}, level = 0, {SUB.format(width=2)}, {TEXELS}"
    calls = [f"glTexSubImage2D({sub.format(face)})" for face in faces]
    assert sampled(*cube, *calls, TRIANGLE) == [1]
    assert sampled(*cube, *calls[:-1], TRIANGLE) == []


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


def test_with_a_compute_shader_alone_nothing_is_drawn(sampled: Sampled) -> None:
    compute = program(1, compute="layout(local_size_x = 1) in; void main() {}")
    assert sampled(*TEXTURED, compute, TRIANGLE) == []
    assert sampled(*TEXTURED, compute, "glUseProgram(program = 0)", TRIANGLE) == [1]
