"""Programs with one fault each, and one without any, in a core context by EGL: what `statetracker inspect` must find.

    statetracker record --egl -o incomplete.dump.txt.gz -- python faults.py incomplete

README.md beside this file says how all of them were recorded. GL is called through ctypes, as moderngl would set more
than these programs ask for.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence

import moderngl

TRIANGLE = """#version 330
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }"""
PLAIN = """#version 330
uniform sampler2D wall; out vec4 colour;
void main() { colour = texture(wall, gl_FragCoord.xy / 8.0); }"""
SHADOW = """#version 330
uniform sampler2DShadow wall; out vec4 colour;
void main() { colour = vec4(texture(wall, vec3(gl_FragCoord.xy / 8.0, 0.5))); }"""
TWO = """#version 330
uniform sampler2D wall; uniform samplerCube sky; out vec4 colour;
void main() { colour = texture(wall, gl_FragCoord.xy / 8.0) + texture(sky, vec3(1.0)); }"""

TEXTURE_2D, RGBA8, RGBA, UNSIGNED_BYTE, FLOAT = 0x0DE1, 0x8058, 0x1908, 0x1401, 0x1406
DEPTH24, DEPTH, R8UI, RED_INTEGER = 0x81A6, 0x1902, 0x8232, 0x8D94
WRAP_S, WRAP_R, MIN, MAG, BORDER, ANISOTROPY = 0x2802, 0x8072, 0x2801, 0x2800, 0x1004, 0x84FE
MIN_LOD, COMPARE_MODE, COMPARE_FUNC, MAX_LEVEL = 0x813A, 0x884C, 0x884D, 0x813D
NEAREST, LINEAR, TRILINEAR, EDGE, COMPARE = 0x2600, 0x2601, 0x2703, 0x812F, 0x884E

gl = ctypes.CDLL("libGL.so.1")
gl.glTexParameterf.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_float]
gl.glSamplerParameterf.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_float]


class Scene:
    """A context, a target and a program; `draw` draws a triangle."""

    def __init__(self, fragment: str = PLAIN) -> None:
        self.context = moderngl.create_context(standalone=True, backend="egl")  # type: ignore[arg-type]
        self.context.simple_framebuffer((16, 16)).use()
        self.program = self.context.program(vertex_shader=TRIANGLE, fragment_shader=fragment)
        self.vertices = self.context.vertex_array(self.program, [])

    def texture(self, *, inner: int = RGBA8, form: int = RGBA, kind: int = UNSIGNED_BYTE, **parameters: int) -> None:
        """Bind a texture of one level that is complete; more parameters by the names above."""
        name = ctypes.c_uint()
        gl.glGenTextures(1, ctypes.byref(name))
        gl.glBindTexture(TEXTURE_2D, name)
        gl.glTexImage2D(TEXTURE_2D, 0, inner, 8, 8, 0, form, kind, ctypes.create_string_buffer(8 * 8 * 4))
        gl.glTexParameteri(TEXTURE_2D, MIN, parameters.pop("min", LINEAR))
        for pname, value in parameters.items():
            gl.glTexParameteri(TEXTURE_2D, globals()[pname], value)

    def draw(self, times: int = 3) -> None:
        """Draw; the last call is glFinish, which counts for nothing."""
        for _ in range(times):
            self.vertices.render(moderngl.TRIANGLES, vertices=3)
        self.context.finish()


def right() -> None:
    """Nothing is wrong."""
    scene = Scene()
    scene.texture()
    scene.draw()


def incomplete() -> None:
    """A mipmap filter, and one level of four."""
    scene = Scene()
    scene.texture(min=TRILINEAR)
    scene.draw()


def integers() -> None:
    """A format of integers with a linear filter: incomplete, too, and of another type than the sampler."""
    scene = Scene()
    scene.texture(inner=R8UI, form=RED_INTEGER)
    scene.draw()


def other_type() -> None:
    """Integers that are complete, read by a sampler of floats."""
    scene = Scene()
    scene.texture(inner=R8UI, form=RED_INTEGER, min=NEAREST, MAG=NEAREST)
    scene.draw()


def not_comparing() -> None:
    """A shadow sampler, and no compare mode."""
    scene = Scene(SHADOW)
    scene.texture(inner=DEPTH24, form=DEPTH, kind=FLOAT)
    scene.draw()


def comparing() -> None:
    """A compare mode, and no shadow sampler."""
    scene = Scene()
    scene.texture(inner=DEPTH24, form=DEPTH, kind=FLOAT, COMPARE_MODE=COMPARE)
    scene.draw()


def no_depth() -> None:
    """A shadow sampler on colours."""
    scene = Scene(SHADOW)
    scene.texture(COMPARE_MODE=COMPARE)
    scene.draw()


def one_unit() -> None:
    """Two types of samplers on unit 0."""
    scene = Scene(TWO)
    scene.texture()
    scene.draw()


def error() -> None:
    """A wrap mode that core contexts have not."""
    scene = Scene()
    scene.texture()
    gl.glTexParameteri(TEXTURE_2D, WRAP_S, 0x2900)
    scene.draw()


def border() -> None:
    """A border colour that no wrap mode reads."""
    scene = Scene()
    scene.texture()
    gl.glTexParameterfv(TEXTURE_2D, BORDER, (ctypes.c_float * 4)(1.0, 0.5, 0.25, 1.0))
    scene.draw()


def wrap_r() -> None:
    """Wrap R on a 2D texture."""
    scene = Scene()
    scene.texture(WRAP_R=EDGE)
    scene.draw()


def one_level() -> None:
    """LOD limits, and one level with one filter."""
    scene = Scene()
    scene.texture()
    gl.glTexParameterf(TEXTURE_2D, MIN_LOD, 1.0)
    scene.draw()


def in_vain() -> None:
    """What is bound is bound again, and what is set is set again, before every draw."""
    scene = Scene()
    scene.texture()
    for _ in range(10):
        gl.glBindTexture(TEXTURE_2D, 1)
        gl.glTexParameteri(TEXTURE_2D, MIN, LINEAR)
        scene.draw(1)


def under() -> None:
    """A texture's own wrap mode under a sampler object."""
    scene = Scene()
    scene.texture(WRAP_S=EDGE)
    gl.glBindSampler(0, _samplers(1)[0])
    scene.draw()


def equal() -> None:
    """Two sampler objects with the same parameters."""
    scene = Scene()
    scene.texture()
    for name in _samplers(2):
        gl.glBindSampler(0, name)
        scene.draw()


def anisotropy() -> None:
    """Anisotropy with nearest filters."""
    scene = Scene()
    scene.texture(min=NEAREST, MAG=NEAREST)
    gl.glTexParameterf(TEXTURE_2D, ANISOTROPY, 4.0)
    scene.draw()


def _samplers(count: int) -> Sequence[int]:
    names = (ctypes.c_uint * count)()
    gl.glGenSamplers(count, names)
    for name in names:
        gl.glSamplerParameteri(name, MIN, NEAREST)
    return list(names)


if __name__ == "__main__":
    program: Callable[[], None] = globals()[sys.argv[1]]
    program()
