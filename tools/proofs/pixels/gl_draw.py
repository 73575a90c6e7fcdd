"""One draw or dispatch of GL: a program, textures and buffers in, texels out.

A draw covers a target of w x h texels with one triangle, one sample each, so that texel (x, y) is the fragment whose
gl_FragCoord is (x + 0.5, y + 0.5); row 0 comes first.

Enums are given by their numbers in the registry.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.bindings.gl import build
from statetracker.errors import CallFailed, LibraryMissing
from statetracker.gl.targets import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from statetracker.bindings.gl import GL

#: What a draw's target holds -> (internal format, format, type), four channels of 32 bits each; NumPy's type.
KINDS: Final = {
    "float": (0x8814, 0x1908, 0x1406, "f4"),
    "int": (0x8D82, 0x8D99, 0x1404, "i4"),
    "uint": (0x8D70, 0x8D99, 0x1405, "u4"),
}

#: A vertex shader whose three vertices cover the target; ``at`` runs from (0, 0) to (1, 1) over it.
COVERING: Final = """\
#version 450
layout(location = 0) out vec2 at;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
"""

_CUBE_MAP: Final = 0x8513


@cache
def compiled(source: str, stage: str = "frag", target: str = "-G") -> bytes:
    """Compile GLSL for OpenGL (``-G``) or Vulkan (``-V``); raises `LibraryMissing` and `CallFailed`."""
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        raise LibraryMissing("glslangValidator", ("PATH",), package="glslang-tools")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "out.spv"
        command = [compiler, target, "--stdin", "-S", stage, "-o", str(made)]
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CallFailed("glslangValidator", "compiling", done.stdout.strip())
        return made.read_bytes()


class Image(NamedTuple):
    """One level of a texture: its size (as many numbers as its target has dimensions) and its texels, tightly packed.

    A cube map's texels are its six faces, one after another.
    """

    size: tuple[int, ...]
    texels: bytes


def texture(
    gl: GL,
    target: int,
    internal_format: int,
    images: Sequence[Image],
    *,
    pixel_format: int,
    pixel_type: int,
    parameters: Mapping[int, int] = {},
) -> int:
    """Make a texture of the given levels, with GL_TEXTURE_MAX_LEVEL at the last of them.

    Args:
        gl: Makes the calls.
        target: GL's number.
        internal_format: GL's number.
        images: Levels from 0 on.
        pixel_format: GL's number.
        pixel_type: GL's number.
        parameters: glTexParameteri names -> values.

    Returns:
        The texture's name, bound to the active unit.

    Raises:
        CallFailed: GL refuses an image or a parameter.
    """
    (name,) = gl.names("glGenTextures")
    gl.call("glBindTexture", target, name)
    gl.call("glPixelStorei", 0x0CF5, 1)  # GL_UNPACK_ALIGNMENT
    call = f"glTexImage{TARGETS[target].image}D"
    faces = range(0x8515, 0x851B) if target == _CUBE_MAP else (target,)
    for level, image in enumerate(images):
        length = len(image.texels) // len(faces)
        for at, face in enumerate(faces):
            texels = image.texels[at * length : (at + 1) * length]
            gl.call(call, face, level, internal_format, *image.size, 0, pixel_format, pixel_type, texels)
    limits = {} if target == 0x84F5 else {0x813D: len(images) - 1}
    for parameter, value in {**limits, **parameters}.items():
        gl.call("glTexParameteri", target, parameter, value)
    _raise_error(gl, call)
    return name


def sampler(
    gl: GL,
    parameters: Mapping[int, float | Sequence[float]],
    border: Iterable[float] = (),
    kind: str = "float",
) -> int:
    """Make a sampler object: glSamplerParameter names -> an int, a float, or a colour of four floats.

    ``border``: a colour for a format of a kind: of ``int`` and ``uint`` integers as such.
    """
    (name,) = gl.names("glGenSamplers")
    for parameter, value in parameters.items():
        form = "i" if isinstance(value, int) else "f" if isinstance(value, float) else "fv"
        gl.call(f"glSamplerParameter{form}", name, parameter, list(value) if isinstance(value, Sequence) else value)
    if border:
        form, of = {"int": ("Iiv", int), "uint": ("Iuiv", int)}.get(kind, ("fv", float))
        gl.call(f"glSamplerParameter{form}", name, 0x1004, [of(one) for one in border])
    _raise_error(gl, "glSamplerParameter")
    return name


def picture(
    gl: GL,
    fragment: bytes,
    side: int,
    textures: Sequence[tuple[int, int, int]],
    *,
    kind: str = "float",
    uniform: Mapping[int, bytes] = {},
) -> NDArray[Any]:
    """Draw a module over a square: (side, side, 4) texels. Units from 0 on have the textures, as for `draw`.

    Their sampler objects are deleted afterwards.
    """
    program = build(gl, {"vertex": compiled(COVERING, "vert"), "fragment": fragment})
    texels = draw(gl, program, (side, side), kind=kind, textures=dict(enumerate(textures)), uniform=uniform)
    gl.call("glDeleteProgram", program)
    gl.call("glDeleteSamplers", len(textures), [name for _, _, name in textures])
    return np.frombuffer(texels, KINDS[kind][3]).reshape(side, side, 4)


def draw(
    gl: GL,
    program: int,
    size: tuple[int, int],
    *,
    kind: str = "float",
    textures: Mapping[int, tuple[int, int, int]] = {},
    storage: Mapping[int, bytes] = {},
    uniform: Mapping[int, bytes] = {},
    count: int = 3,
) -> bytes:
    """Draw once over a target of ``size`` (width, height) and give its texels: rows from the first, 16 bytes a texel.

    Args:
        gl: Makes the calls.
        program: Name of the program.
        size: Width and height.
        kind: What output 0 is: ``float``, ``int`` or ``uint``.
        textures: Unit -> (target, texture, sampler object or 0).
        storage: Binding -> content of a shader storage buffer.
        uniform: Binding -> content of a uniform buffer.
        count: How many vertices of triangles.

    Raises:
        CallFailed: A GL error on the way.
    """
    internal_format, pixel_format, pixel_type, _ = KINDS[kind]
    made = {of: gl.names(f"glGen{of}")[0] for of in ("Framebuffers", "Renderbuffers", "VertexArrays")}
    framebuffer, target, vertices = made.values()
    texels = bytearray(16 * size[0] * size[1])
    with _bound(gl, textures, storage, uniform):
        gl.call("glBindRenderbuffer", 0x8D41, target)
        gl.call("glRenderbufferStorage", 0x8D41, internal_format, *size)
        gl.call("glBindFramebuffer", 0x8D40, framebuffer)
        gl.call("glFramebufferRenderbuffer", 0x8D40, 0x8CE0, 0x8D41, target)
        gl.call("glViewport", 0, 0, *size)
        gl.call("glBindVertexArray", vertices)
        gl.call("glUseProgram", program)
        gl.call("glDrawArrays", 0x0004, 0, count)
        gl.call("glReadPixels", 0, 0, *size, pixel_format, pixel_type, texels)
        _raise_error(gl, "glDrawArrays")
    gl.call("glBindFramebuffer", 0x8D40, 0)
    for of, name in made.items():
        gl.call(f"glDelete{of}", 1, [name])
    return bytes(texels)


def dispatch(
    gl: GL,
    program: int,
    groups: tuple[int, int, int],
    *,
    textures: Mapping[int, tuple[int, int, int]] = {},
    storage: Mapping[int, bytes] = {},
) -> dict[int, bytes]:
    """Dispatch work groups once and give what the storage buffers hold afterwards, by binding; inputs as for `draw`."""
    contents = {binding: bytearray(len(content)) for binding, content in storage.items()}
    with _bound(gl, textures, storage, {}) as buffers:
        gl.call("glUseProgram", program)
        gl.call("glDispatchCompute", *groups)
        gl.call("glMemoryBarrier", 0xFFFFFFFF)
        for name, result in zip(buffers, contents.values(), strict=True):
            gl.call("glBindBuffer", 0x90D2, name)
            gl.call("glGetBufferSubData", 0x90D2, 0, len(result), result)
        _raise_error(gl, "glDispatchCompute")
    return {binding: bytes(result) for binding, result in contents.items()}


@contextmanager
def _bound(
    gl: GL, textures: Mapping[int, tuple[int, int, int]], storage: Mapping[int, bytes], uniform: Mapping[int, bytes]
) -> Iterator[list[int]]:
    """Bind what a draw reads, and yield the buffers; afterwards the units are empty again and the buffers gone."""
    buffers = []
    for target, contents in ((0x90D2, storage), (0x8A11, uniform)):
        for binding, content in contents.items():
            (name,) = gl.names("glGenBuffers")
            gl.call("glBindBuffer", target, name)
            gl.call("glBufferData", target, len(content), content, 0x88EA)
            gl.call("glBindBufferBase", target, binding, name)
            buffers.append(name)
    for unit, (target, name, sampler_name) in textures.items():
        gl.call("glActiveTexture", 0x84C0 + unit)
        gl.call("glBindTexture", target, name)
        gl.call("glBindSampler", unit, sampler_name)
    try:
        yield buffers
    finally:
        for unit, (target, _, _) in textures.items():
            gl.call("glActiveTexture", 0x84C0 + unit)
            gl.call("glBindTexture", target, 0)
            gl.call("glBindSampler", unit, 0)
        gl.call("glActiveTexture", 0x84C0)
        gl.call("glDeleteBuffers", len(buffers), buffers)


def _raise_error(gl: GL, call: str) -> None:
    error = gl.error()
    if error != "GL_NO_ERROR":
        raise CallFailed("GL", call, error)
