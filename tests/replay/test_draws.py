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


def test_with_a_compute_shader_alone_nothing_is_drawn(sampled: Sampled) -> None:
    compute = program(1, compute="layout(local_size_x = 1) in; void main() {}")
    assert sampled(*TEXTURED, compute, TRIANGLE) == []
    assert sampled(*TEXTURED, compute, "glUseProgram(program = 0)", TRIANGLE) == [1]
