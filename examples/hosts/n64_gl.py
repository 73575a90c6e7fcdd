"""The scene drawn by OpenGL itself, through moderngl: no statetracker between the samplers and the driver."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np
from n64_scene import FRAGMENT, HEIGHT, SKY, WIDTH, Material

_HEAD = "#version 330\n"
_VERTEX = """
in vec4 position; in vec4 coordinates; out vec4 place;
void main() { gl_Position = position; place = coordinates; }
"""
_FRAGMENT = _HEAD + "uniform sampler2D unit0, unit1; in vec4 place; out vec4 colour;\n" + FRAGMENT

GL_TEXTURE_2D = 0x0DE1
#: Members of a sampler -> what glTexParameter calls them.
INTEGERS = {"wrap_s": 0x2802, "wrap_t": 0x2803, "min_filter": 0x2801, "mag_filter": 0x2800}
GL_TEXTURE_LOD_BIAS, GL_TEXTURE_BORDER_COLOR = 0x8501, 0x1004


def drawn(materials: list[Material]) -> np.ndarray:
    """Give the picture, uint8 of shape (HEIGHT, WIDTH, 4), top row first."""
    os.environ.setdefault("MESA_GL_VERSION_OVERRIDE", "4.5COMPAT")  # GL_CLAMP is in no core context
    import moderngl

    context = moderngl.create_context(standalone=True, backend="egl")
    target = context.framebuffer(context.texture((WIDTH, HEIGHT), 4))
    target.use()
    context.clear(*SKY)
    program = context.program(vertex_shader=_HEAD + _VERTEX, fragment_shader=_FRAGMENT)
    program["unit0"], program["unit1"] = 0, 1
    for material in materials:
        for unit, levels in enumerate(material.texels):
            texture = context.texture(levels[0].shape[1::-1], 4, levels[0].tobytes())
            if len(levels) > 1:
                texture.build_mipmaps(0, len(levels) - 1)
            for level, texels in enumerate(levels):
                texture.write(texels.tobytes(), level=level)
            texture.use(unit)
            _set_parameters(material.samplers[unit])
        buffer = context.buffer(material.corners.tobytes())
        context.vertex_array(program, buffer, "position", "coordinates").render(moderngl.TRIANGLE_STRIP)
    if context.error != "GL_NO_ERROR":
        raise SystemExit("this GL has no compatibility profile, so no GL_CLAMP: run it on Mesa")
    picture = np.frombuffer(target.read(components=4), np.uint8).reshape(HEIGHT, WIDTH, 4)[::-1]
    context.release()
    return picture


def _set_parameters(sampler: Any) -> None:
    """Set the bound texture's own parameters; moderngl has names for two wraps only."""
    for member, name in INTEGERS.items():
        _call(b"glTexParameteri", ctypes.c_uint(GL_TEXTURE_2D), ctypes.c_uint(name), int(getattr(sampler, member)))
    _call(
        b"glTexParameterf",
        ctypes.c_uint(GL_TEXTURE_2D),
        ctypes.c_uint(GL_TEXTURE_LOD_BIAS),
        ctypes.c_float(sampler.lod_bias),
    )
    colour = (ctypes.c_uint * 4)(*sampler.border_color)  # the floats' bits
    _call(b"glTexParameterfv", ctypes.c_uint(GL_TEXTURE_2D), ctypes.c_uint(GL_TEXTURE_BORDER_COLOR), colour)


def _call(name: bytes, *arguments: Any) -> None:
    library = ctypes.CDLL("libEGL.so.1")
    library.eglGetProcAddress.restype = ctypes.c_void_p
    ctypes.CFUNCTYPE(None)(library.eglGetProcAddress(name))(*arguments)
