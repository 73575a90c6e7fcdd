"""Draws and dispatches on the machine's GL."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from statetracker.bindings.gl import build
from tools.proofs.pixels.gl_draw import COVERING, Image, dispatch, draw, sampler, texture

if TYPE_CHECKING:
    from statetracker.bindings.gl import GL

pytestmark = pytest.mark.live("egl")

TEXTURE_2D, CUBE_MAP, R32F, RED, FLOAT = 0x0DE1, 0x8513, 0x822E, 0x1903, 0x1406
NEAREST = {0x2800: 0x2600, 0x2801: 0x2600}
FETCH = """\
#version 450
layout(binding = 3) uniform sampler2D image;
layout(location = 0) out vec4 texel;
void main() { texel = vec4(texelFetch(image, ivec2(gl_FragCoord.xy), 0).r, gl_FragCoord.xy, 1.0); }
"""


def floats(texels: bytes) -> list[tuple[float, ...]]:
    """Texels of four floats."""
    return list(struct.iter_unpack("4f", texels))


def test_draw_gives_one_texel_a_fragment_first_row_first(gl: GL) -> None:
    program = build(gl, {"vertex": COVERING, "fragment": FETCH})
    image = Image((3, 2), struct.pack("6f", *range(6)))
    name = texture(gl, TEXTURE_2D, R32F, [image], pixel_format=RED, pixel_type=FLOAT)
    texels = floats(draw(gl, program, (3, 2), textures={3: (TEXTURE_2D, name, 0)}))
    assert texels == [(y * 3 + x, x + 0.5, y + 0.5, 1) for y in range(2) for x in range(3)]


def test_sampler_object_is_in_force_and_levels_are_read(gl: GL) -> None:
    """Border colour at level 1."""
    shader = """\
    #version 450
    layout(binding = 0) uniform sampler2D image;
    layout(location = 0) out vec4 texels;
    void main() { texels = textureLod(image, vec2(gl_FragCoord.x < 1.0 ? 0.5 : -1.0), 1.0); }
    """
    program = build(gl, {"vertex": COVERING, "fragment": shader})
    images = [Image((2, 2), struct.pack("4f", 1, 1, 1, 1)), Image((1, 1), struct.pack("f", 7))]
    name = texture(gl, TEXTURE_2D, R32F, images, pixel_format=RED, pixel_type=FLOAT)
    border = sampler(gl, {0x2801: 0x2700, 0x2800: 0x2600, 0x2802: 0x812D, 0x1004: (0.5, 0, 0, 0)})
    texels = floats(draw(gl, program, (2, 1), textures={0: (TEXTURE_2D, name, border)}))
    assert [texel[0] for texel in texels] == [7, 0.5]


def test_cube_map_has_six_faces(gl: GL) -> None:
    """In GL's order: +x, -x, +y, -y, +z, -z."""
    shader = """\
    #version 450
    layout(binding = 0) uniform samplerCube image;
    layout(location = 0) out vec4 texels;
    const vec3 to[6] = vec3[](vec3(1,0,0), vec3(-1,0,0), vec3(0,1,0), vec3(0,-1,0), vec3(0,0,1), vec3(0,0,-1));
    void main() { texels = texture(image, to[int(gl_FragCoord.x)]); }
    """
    program = build(gl, {"vertex": COVERING, "fragment": shader})
    image = Image((1, 1), struct.pack("6f", *range(6)))
    name = texture(gl, CUBE_MAP, R32F, [image], pixel_format=RED, pixel_type=FLOAT, parameters=NEAREST)
    texels = floats(draw(gl, program, (6, 1), textures={0: (CUBE_MAP, name, 0)}))
    assert [texel[0] for texel in texels] == [0, 1, 2, 3, 4, 5]


def test_dispatch_reads_uniforms_and_writes_storage(gl: GL) -> None:
    """Doubled by a factor from a uniform buffer."""
    shader = """\
    #version 450
    layout(local_size_x = 4) in;
    layout(binding = 1, std140) uniform Factor { uint factor; };
    layout(binding = 2, std430) buffer Data { uint data[]; };
    void main() { data[gl_GlobalInvocationID.x] *= factor; }
    """
    storage = {2: struct.pack("8I", *range(8))}
    contents = dispatch(
        gl, build(gl, {"compute": shader}), (2, 1, 1), storage=storage, uniform={1: struct.pack("4I", 3, 0, 0, 0)}
    )
    assert struct.unpack("8I", contents[2]) == tuple(range(0, 24, 3))


def test_integer_target_keeps_every_bit(gl: GL) -> None:
    shader = (
        "#version 450\nlayout(location = 0) out uvec4 texel;\nvoid main() { texel = uvec4(0xFFFFFFFFu, 1u, 2u, 3u); }"
    )
    program = build(gl, {"vertex": COVERING, "fragment": shader})
    assert struct.unpack("4I", draw(gl, program, (1, 1), kind="uint")) == (0xFFFFFFFF, 1, 2, 3)
