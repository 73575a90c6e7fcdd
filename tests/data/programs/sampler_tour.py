#!/usr/bin/env python3
"""A GL program that binds what the piglit programs here do not: anisotropy, multi-bind, integer borders, reductions.

It draws triangles into a GLX pbuffer, with libX11 and libGL and nothing else.
Each function of `SCENES` is one lesson; after each, programs, textures and samplers are unbound.
"""

from __future__ import annotations

import ctypes
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

X = ctypes.CDLL("libX11.so.6")
GL = ctypes.CDLL("libGL.so.1")
for name in ("XOpenDisplay", "glXChooseFBConfig", "glXCreateNewContext"):
    getattr(X if name[0] == "X" else GL, name).restype = ctypes.c_void_p
GL.glXCreatePbuffer.restype = ctypes.c_ulong

TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, CUBE_MAP, ARRAY_2D, RECTANGLE = 0x0DE0, 0x0DE1, 0x806F, 0x8513, 0x8C1A, 0x84F5
MAG, MIN, WRAP_S, WRAP_T, WRAP_R, BORDER = 0x2800, 0x2801, 0x2802, 0x2803, 0x8072, 0x1004
MIN_LOD, MAX_LOD, LOD_BIAS, ANISOTROPY = 0x813A, 0x813B, 0x8501, 0x84FE
COMPARE_MODE, COMPARE_FUNC, SEAMLESS, SRGB_DECODE, REDUCTION = 0x884C, 0x884D, 0x884F, 0x8A48, 0x9366
NEAREST, LINEAR, NEAREST_MIPMAP_LINEAR, LINEAR_MIPMAP_LINEAR = 0x2600, 0x2601, 0x2702, 0x2703
CLAMP, REPEAT, TO_BORDER, TO_EDGE, MIRRORED, MIRROR_CLAMP_TO_EDGE = 0x2900, 0x2901, 0x812D, 0x812F, 0x8370, 0x8743
RGBA, UNSIGNED_BYTE, FLOAT, INT = 0x1908, 0x1401, 0x1406, 0x1404
RGBA8, SRGB8_ALPHA8, DEPTH24, R16I, RGBA32UI, ALPHA8 = 0x8058, 0x8C43, 0x81A6, 0x8233, 0x8D70, 0x803C

VERTEX = """\
#version 130
void main() { gl_Position = gl_Vertex; }
"""
SURFACES = """\
#version 130
#define LAYERS 2
uniform sampler2D floor_colour;      // unit 0, anisotropic
uniform samplerCube sky;             // unit 1
uniform sampler2DShadow shadow_map;  // unit 2
uniform sampler2DArray layers[LAYERS];
uniform float time;
void main()
{
    vec4 colour = texture(floor_colour, gl_FragCoord.xy) + texture(sky, gl_FragCoord.xyz);
    colour *= texture(shadow_map, vec3(0.5));
    gl_FragColor = colour + texture(layers[0], vec3(1.0)) + texture(layers[LAYERS - 1], vec3(gl_FragCoord.xy, time));
}
"""
INTEGERS = """\
#version 130
uniform isampler2D tiles;
uniform usampler2D palette;
void main() { gl_FragColor = vec4(texture(tiles, vec2(1.5))) + vec4(texture(palette, vec2(-0.5))); }
"""


def call(name: str, *arguments: object) -> int:
    """Call a GL function; Python floats go as 32-bit floats, lists as arrays of their first element's kind."""
    return int(getattr(GL, f"gl{name}")(*(_argument(argument) for argument in arguments)))


def _argument(argument: object) -> object:
    if isinstance(argument, float):
        return ctypes.c_float(argument)
    if isinstance(argument, list):
        return ((ctypes.c_float if isinstance(argument[0], float) else ctypes.c_int) * len(argument))(*argument)
    return argument


def main() -> None:
    """Make a context current and show every scene."""
    display = ctypes.c_void_p(X.XOpenDisplay(None))
    count = ctypes.c_int()
    attributes = (ctypes.c_int * 5)(0x8010, 4, 8, 8, 0)  # DRAWABLE_TYPE PBUFFER_BIT, RED_SIZE 8
    configs = GL.glXChooseFBConfig(display, 0, attributes, ctypes.byref(count))
    config = ctypes.c_void_p(ctypes.cast(configs, ctypes.POINTER(ctypes.c_void_p))[0])
    size = (ctypes.c_int * 5)(0x8041, 64, 0x8040, 64, 0)  # PBUFFER_WIDTH, PBUFFER_HEIGHT
    pbuffer = ctypes.c_ulong(GL.glXCreatePbuffer(display, config, size))
    context = ctypes.c_void_p(GL.glXCreateNewContext(display, config, 0x8014, None, 1))
    GL.glXMakeContextCurrent(display, pbuffer, pbuffer, context)
    for scene in SCENES:
        scene()
        call("Flush")
        call("UseProgram", 0)
        call("BindTextures", 0, 8, None)
        call("BindSamplers", 0, 8, None)
    call("Finish")
    GL.glXMakeContextCurrent(display, ctypes.c_ulong(0), ctypes.c_ulong(0), None)
    GL.glXDestroyContext(display, context)


def floor_with_growing_anisotropy() -> None:
    """Fixed function; the texture's own sampler changes between draws, and once nothing changes."""
    texture(1, TEXTURE_2D)
    call("Enable", TEXTURE_2D)
    parameters(TEXTURE_2D, {MIN: LINEAR_MIPMAP_LINEAR, MAG: LINEAR, WRAP_S: REPEAT, WRAP_T: MIRRORED})
    for anisotropy in (1.0, 2.0, 4.0, 4.0, 16.0, 3.5):
        call("TexParameterf", TEXTURE_2D, ANISOTROPY, anisotropy)
        triangle()
    call("TexEnvf", 0x8500, LOD_BIAS, -0.4)
    triangle()
    call("TexEnvf", 0x8500, LOD_BIAS, 0.0)


def attributes_pushed_and_popped() -> None:
    """GL_TEXTURE_BIT brings back the texture's parameters, the enables and the binding."""
    texture(2, TEXTURE_2D)
    parameters(TEXTURE_2D, {MIN: NEAREST, MAG: LINEAR, WRAP_S: CLAMP, WRAP_T: CLAMP})
    call("TexParameterfv", TEXTURE_2D, BORDER, [0.25, 0.5, 0.75, 1.0])
    call("PushAttrib", 0x00040000)
    parameters(TEXTURE_2D, {MAG: NEAREST, WRAP_S: TO_BORDER})
    triangle()
    call("PopAttrib")
    triangle()
    texture(3, TEXTURE_2D, ALPHA8)
    parameters(TEXTURE_2D, {MIN: NEAREST, MAG: NEAREST, WRAP_S: TO_BORDER, WRAP_T: TO_BORDER})
    call("TexParameterfv", TEXTURE_2D, BORDER, [0.1, 0.2, 0.3, 0.4])
    triangle()


def lists_and_a_shared_texture() -> None:
    """What a list holds happens when it is called; a parameter set inside reaches the texture bound then."""
    call("NewList", 1, 0x1300)
    parameters(TEXTURE_2D, {WRAP_S: TO_EDGE})
    triangle()
    call("EndList")
    call("NewList", 2, 0x1301)
    parameters(TEXTURE_2D, {WRAP_T: MIRROR_CLAMP_TO_EDGE})
    call("EndList")
    texture(4, TEXTURE_2D)
    parameters(TEXTURE_2D, {MIN: LINEAR, MAG: NEAREST})
    call("CallList", 1)
    call("CallLists", 2, UNSIGNED_BYTE, b"\x02\x01")


def several_units_in_one_call() -> None:
    """One program, five samplers of four kinds; textures and sampler objects by glBindTextures and glBindSamplers."""
    names = program(SURFACES, {"floor_colour": 0, "sky": 1, "shadow_map": 2, "layers[0]": 3, "layers[1]": 4})
    call("UseProgram", names)
    for number, target in ((10, TEXTURE_2D), (11, CUBE_MAP), (13, ARRAY_2D), (14, ARRAY_2D)):
        texture(number, target)
    texture(12, TEXTURE_2D, DEPTH24)
    samplers = (ctypes.c_int * 5)()
    call("GenSamplers", 5, samplers)
    trilinear = {MIN: LINEAR_MIPMAP_LINEAR, MAG: LINEAR}
    sampler(samplers[0], trilinear | {ANISOTROPY: 8.0, WRAP_S: MIRRORED, WRAP_T: TO_EDGE})
    sampler(samplers[1], trilinear | {SEAMLESS: 1, WRAP_S: TO_EDGE, WRAP_T: TO_EDGE, WRAP_R: TO_EDGE})
    sampler(samplers[2], {MIN: LINEAR, MAG: LINEAR, COMPARE_MODE: 0x884E, COMPARE_FUNC: 0x0206, WRAP_S: TO_BORDER})
    call("SamplerParameterfv", samplers[2], BORDER, [1.0, 1.0, 1.0, 1.0])
    sampler(samplers[3], {MIN: NEAREST_MIPMAP_LINEAR, MAG: NEAREST, MIN_LOD: 1.5, MAX_LOD: 4.25, LOD_BIAS: 0.3})
    sampler(samplers[4], trilinear | {REDUCTION: 0x8007, WRAP_S: TO_EDGE})
    call("BindTextures", 0, 5, [10, 11, 12, 13, 14])
    triangle()
    call("BindSamplers", 0, 5, samplers)
    triangle()
    call("Enable", SEAMLESS)
    call("BindSamplers", 1, 2, [0, samplers[2]])
    triangle()
    call("Disable", SEAMLESS)
    call("BindTextures", 2, 3, None)
    triangle()
    call("DeleteSamplers", 5, samplers)
    triangle()


def integers_with_a_border() -> None:
    """Integer textures: filters forced to nearest, border colours as integers."""
    call("UseProgram", program(INTEGERS, {"tiles": 6, "palette": 7}))
    for unit, number, internal, border in ((6, 20, R16I, "TexParameterIiv"), (7, 21, RGBA32UI, "TexParameterIuiv")):
        call("ActiveTexture", 0x84C0 + unit)
        texture(number, TEXTURE_2D, internal)
        parameters(TEXTURE_2D, {MIN: NEAREST, MAG: NEAREST, WRAP_S: TO_BORDER, WRAP_T: TO_BORDER})
        call(border, TEXTURE_2D, BORDER, [-3, 7, 11, 1] if internal == R16I else [1, 2, 3, 4])
    triangle()
    call("ActiveTexture", 0x84C0)


def other_targets_by_fixed_function() -> None:
    """The enabled target of highest priority that is complete is the one in use."""
    for number, target in ((30, TEXTURE_1D), (31, TEXTURE_2D), (32, RECTANGLE), (33, TEXTURE_3D), (34, CUBE_MAP)):
        texture(number, target, SRGB8_ALPHA8 if target == TEXTURE_1D else RGBA8)
        parameters(target, {MIN: NEAREST, MAG: LINEAR, WRAP_R: TO_EDGE if target == TEXTURE_3D else CLAMP})
        call("Enable", target)
        triangle()
    for target in (CUBE_MAP, TEXTURE_3D, RECTANGLE, TEXTURE_2D):
        call("Disable", target)
    parameters(TEXTURE_1D, {SRGB_DECODE: 0x8A4A, WRAP_S: TO_BORDER})
    triangle()
    call("Disable", TEXTURE_1D)


def unbinding_before_the_vertices_are_drawn() -> None:
    """Mesa holds the vertices of glBegin and glEnd back; glBindTextures with nothing does not make it draw them first.

    The first triangle is drawn without a texture, the second with it.
    """
    call("Enable", TEXTURE_2D)
    texture(40, TEXTURE_2D)
    for wrap in (TO_EDGE, MIRROR_CLAMP_TO_EDGE):
        call("BindTexture", TEXTURE_2D, 40)
        parameters(TEXTURE_2D, {MIN: NEAREST, WRAP_S: MIRRORED, WRAP_T: wrap})
        call("Flush")
        triangle()
        if wrap == TO_EDGE:
            call("BindTextures", 0, 1, None)
        else:
            call("BindTexture", TEXTURE_2D, 0)


SCENES = (
    floor_with_growing_anisotropy,
    attributes_pushed_and_popped,
    lists_and_a_shared_texture,
    several_units_in_one_call,
    integers_with_a_border,
    other_targets_by_fixed_function,
    unbinding_before_the_vertices_are_drawn,
)


def texture(number: int, target: int, internal: int = RGBA8) -> None:
    """Bind a texture and give it all levels of an 8x8 image, a rectangle one."""
    call("BindTexture", target, number)
    layout = {DEPTH24: (0x1902, FLOAT), R16I: (0x8D94, INT), RGBA32UI: (0x8D99, 0x1405)}
    layout_of = layout.get(internal, (RGBA, UNSIGNED_BYTE))
    faces = range(0x8515, 0x851B) if target == CUBE_MAP else (target,)
    for face, level in product(faces, range(1 if target == RECTANGLE else 4)):
        side = 8 >> level
        if target == TEXTURE_1D:
            call("TexImage1D", face, level, internal, side, 0, *layout_of, None)
        elif target in {TEXTURE_3D, ARRAY_2D}:
            depth = side if target == TEXTURE_3D else 2
            call("TexImage3D", face, level, internal, side, side, depth, 0, *layout_of, None)
        else:
            call("TexImage2D", face, level, internal, side, side, 0, *layout_of, None)


def parameters(target: int, values: dict[int, int]) -> None:
    """Set parameters of the bound texture."""
    for key, value in values.items():
        call("TexParameteri", target, key, value)


def sampler(number: int, values: Mapping[int, int | float]) -> None:
    """Set parameters of a sampler object."""
    for key, value in values.items():
        call("SamplerParameterf" if isinstance(value, float) else "SamplerParameteri", number, key, value)


def program(fragment: str, units: dict[str, int]) -> int:
    """Link a program and give its samplers their units."""
    result = call("CreateProgram")
    for kind, source in ((0x8B31, VERTEX), (0x8B30, fragment)):
        shader = call("CreateShader", kind)
        text = ctypes.c_char_p(source.encode())
        call("ShaderSource", shader, 1, ctypes.byref(text), None)
        call("CompileShader", shader)
        call("AttachShader", result, shader)
    call("LinkProgram", result)
    linked = ctypes.c_int()
    call("GetProgramiv", result, 0x8B82, ctypes.byref(linked))
    if not linked:
        raise SystemExit("the program does not link")
    call("UseProgram", result)
    for name, unit in units.items():
        call("Uniform1i", call("GetUniformLocation", result, name.encode()), unit)
    return result


def triangle() -> None:
    """Draw one triangle at once."""
    call("Begin", 4)
    for x, y in ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)):
        call("TexCoord2f", x, y)
        call("Vertex2f", x, y)
    call("End")


if __name__ == "__main__":
    main()
