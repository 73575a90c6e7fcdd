"""The shaders of ``tests/data/shaders`` drawn, each on llvmpipe's GL as it stands and on WebGPU as it is split.

A picture has 36 squares of 8 pixels, each with a plane of its own for ``c`` and a number of its own for ``ix``.
A `Job` is a draw, or a dispatch, in WebGPU's words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.bindings.gl import build
from statetracker.caps import Screen
from statetracker.vulkan import View
from statetracker.webgpu import descriptor
from tests.shader.beside import bound_of, buffer_entry, image_entry, sampler_entry, state
from tests.shader.compiled import MODULES, glsl
from tools.proofs.pixels.gl_draw import Image, dispatch, draw, sampler, texture
from tools.proofs.pixels.scene import gl_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from statetracker.pipe import SamplerState
    from statetracker.shader import Split

__all__ = ["FILL", "GROUPS", "NAMES", "PASSED", "SIDE", "VERTEX", "Job", "job", "on_gl"]

SIDE: Final = 48
CELL: Final = 8
GROUPS: Final = (SIDE * SIDE // 8, 1, 1)
#: The 97: the other is a tessellation stage.
NAMES: Final = tuple(sorted(MODULES.keys() - {"tess_control.tesc"}))
_FOLDER: Final = Path(__file__).resolve().parents[1] / "data" / "shaders"
#: GLSL's sampler -> view dimension, size, layers; GL's target.
_SHAPES: Final = {
    "1D": ("1d", (16,), 1, 0x0DE0),
    "2D": ("2d", (16, 16), 1, 0x0DE1),
    "3D": ("3d", (8, 8, 8), 1, 0x806F),
    "Cube": ("cube", (16, 16), 6, 0x8513),
    "1DArray": ("1d-array", (16,), 3, 0x8C18),
    "2DArray": ("2d-array", (16, 16), 3, 0x8C1A),
    "CubeArray": ("cube-array", (16, 16), 12, 0x9009),
    "2DRect": ("rect", (16, 12), 1, 0x84F5),
    "2DMS": ("ms", (8, 8), 4, 0),
    "Buffer": ("buffer", (64,), 1, 0),
}
#: Texels -> GPUTextureFormat, pipe format, NumPy's type, channels; GL's internal format, format and type.
_TEXELS: Final = {
    "": ("rgba8unorm", "R8G8B8A8_UNORM", "u1", 4, 0x8058, 0x1908, 0x1401),
    "shadow": ("depth16unorm", "Z16_UNORM", "u2", 1, 0x81A5, 0x1902, 0x1403),
    "i": ("rgba32sint", "R32G32B32A32_SINT", "i4", 4, 0x8D82, 0x8D99, 0x1404),
    "u": ("rgba32uint", "R32G32B32A32_UINT", "u4", 4, 0x8D70, 0x8D99, 0x1405),
}
VERTEX: Final = """
struct Out {
    @builtin(position) at: vec4f, @location(0) c: vec4f, @location(1) @interpolate(flat) ix: vec4i,
}
@vertex fn main(@location(0) c: vec4f, @location(1) ix: vec4i, @location(2) at: vec4f) -> Out {
    return Out(at, c, ix);
}
"""
PASSED: Final = "@fragment fn main(@location(0) color: vec4f) -> @location(0) vec4f { return color; }"
FILL: Final = """
struct Out { @builtin(position) at: vec4f, @location(0) @interpolate(flat) n: u32 }
@group(0) @binding(0) var texels: texture_2d_array<f32>;
@vertex fn vs(@builtin(vertex_index) v: u32, @builtin(instance_index) n: u32) -> Out {
    return Out(vec4f(vec2f(f32(v & 1), f32(v >> 1)) * 4.0 - 1.0, 0.0, 1.0), n);
}
@fragment fn fs(one: Out) -> @location(0) vec4f { return textureLoad(texels, vec2i(one.at.xy), one.n, 0); }
"""
_GL_VERTEX: Final = """#version 450
layout(std430, binding = 30) readonly buffer V {{ vec4 vertices[]; }};
{declared}
void main() {{
    c = vertices[gl_VertexID * 3]; ix = floatBitsToInt(vertices[gl_VertexID * 3 + 1]);
    gl_Position = vertices[gl_VertexID * 3 + 2];
    {rest}
}}
"""
_GL_PASSED: Final = "#version 450\nlayout(location = 0) in vec4 color;\nout vec4 o;\nvoid main() { o = color; }\n"
#: What GL lacks, with what is the same there.
_PLAIN: Final = (
    (r"#extension .*\n", ""),
    (r"set ?= ?0, ?", ""),
    (r"layout\(constant_id=3\) ", ""),
    (r"int code = sparseTexture(\w*)ARB\((.*), t\); color = (.*)t \* float\(code\)", r"t = texture\1(\2); color = \3t"),
    (r"textureClampARB\(s, c.xy, c.z\)", "textureLod(s, c.xy, max(textureQueryLod(s, c.xy).y, c.z))"),
    (r"f16(sampler2D|vec2)", r"\1"),
    (r"nonuniformEXT\((.*?)\)", r"\1"),
    (r"s\[(16)?\];", "s[4];"),  # of which four are read
    (r"uniform texture2D t;(?=[^;]*samplerShadow)", "uniform sampler2DShadow t;"),
    (r"uniform texture2D t;", "uniform sampler2D t;"),
    (r"uniform texture2D t\[3\];", "uniform sampler2D t[3];"),
    (r".*uniform sampler(Shadow)? p.*\n", ""),
    (r"sampler2D\(t, p\)", "t"),
    (r"sampler2DShadow\(t, p\)", "t"),
    (r"sampler2D\(t\[1\], p\[ix.x\]\)", "t[1]"),
)


class Sampled(NamedTuple):
    """A sampler of a shader: its binding, its kind, how many elements, and what of texels."""

    binding: int
    kind: str
    elements: int
    texels: str
    mipmapped: bool

    @property
    def levels(self) -> int:
        return _SHAPES[self.kind][1][0].bit_length() if self.mipmapped else 1

    @property
    def state(self) -> SamplerState:
        """Linear, but for integers."""
        wraps = "CLAMP_TO_EDGE" if self.kind == "2DRect" else "REPEAT"
        filters = "LL0" if self.kind == "2DRect" else "NNN" if self.texels in {"i", "u"} else "LLL"
        return state(filters, "LEQUAL" if self.texels == "shadow" else "", wraps)

    def content(self, element: int, level: int) -> NDArray[Any]:
        """Random texels: layers or slices, rows, columns, channels."""
        _, size, layers, _ = _SHAPES[self.kind]
        *_, dtype, channels, _, _, _ = _TEXELS[self.texels]
        chance = np.random.default_rng((self.binding, element, level))
        width, height, depth = (max(1, part >> level) for part in (*size, 1, 1)[:3])
        most = 9 if self.texels in {"i", "u"} else int(np.iinfo(dtype).max)
        shape = (layers if layers > 1 else depth, height, width, channels)
        return chance.integers(0, most, shape, endpoint=True).astype(dtype)


def text_of(name: str) -> str:
    """Its GLSL, but for what none draws: a code of residency, more textures than a stage has, and no position."""
    text = (_FOLDER / name).read_text(encoding="utf-8").replace("float(code)", "float(sparseTexelsResidentARB(code))")
    text = text.replace("s[40]", "s[16]")
    if name.endswith(".vert"):
        text = text.replace("void main() {", "layout(location=2) in vec4 at;\nvoid main() { gl_Position = at;")
    return text


def samplers_of(text: str, *, flat: bool) -> list[Sampled]:
    """The samplers, and images without one, that a shader declares.

    Their textures have one level with ``flat``, or where they stay 1D on WebGPU.
    """
    whole = not flat and not re.search(r"sampler1D s;[^#]*texture(Proj)?\(s, c(\.xy?)?\)", text)
    found = re.findall(
        r"binding ?= ?(\d).*?uniform (?:f16)?([iu]?)(?:sampler|texture)(\w+?)(Shadow)? \w((?:\[\d*\])*);", text
    )
    shadow = "samplerShadow" in text
    return [
        Sampled(
            int(at), kind, int(np.prod([int(one or 4) for one in re.findall(r"\[(\d*)\]", lengths)])),
            "shadow" if compared or shadow else prefix, whole and kind not in {"2DRect", "2DMS", "Buffer"},
        )
        for at, prefix, kind, compared, lengths in found if kind in _SHAPES
    ]  # fmt: skip


def vertices_of(name: str) -> NDArray[np.float32]:
    """Six vertices a square, 12 numbers each: c, ix (its bits), the position."""
    chance = np.random.default_rng(sum(name.encode()))
    corners = np.array([(0, 0), (1, 0), (0, 1), (0, 1), (1, 0), (1, 1)]) * CELL
    count = SIDE // CELL
    ranges = {
        "array_dynamic_offset": (3, 3, 2),
        "array_nested": (2, 3, 2),
        "separate_array": (2, 3, 2),
        "fetch_buffer": (64, 3, 2),
    }
    most = ranges.get(name.split(".", maxsplit=1)[0], (4, 3, 4 if "multisample" in name else 2))
    made = []
    for y, x in np.ndindex(count, count):
        base, steps = chance.uniform(-1.2, 2.2, 4), chance.uniform(-1, 1, (2, 4)) * 2.0 ** chance.uniform(-7, -2)
        if "proj" in name:
            base[2:], steps[:, 2:] = chance.uniform(0.6, 2, 2), 0.002
        if "rect" in name:
            base[:2], steps[:, :2] = base[:2] * 12, steps[:, :2] * 16
        ix = np.array([*map(chance.integers, most), 0], np.int32).view(np.float32)
        for corner in corners:
            at = ((x, y) + corner / CELL) / count * 2 - 1
            made.append([*(base + corner @ steps), *ix, *at, 0.5, 1])
    return np.array(made, np.float32)


# GL


def on_gl(gl: Any, name: str, *, flat: bool = False) -> NDArray[np.float32]:
    """Draw a shader as it stands on GL, or what it is by the texels where GL's way is long."""
    text = text_of(name)
    each, vertices = samplers_of(text, flat=flat), vertices_of(name)
    if name in _BY_TEXELS:
        fetched = _BY_TEXELS[name](each[0].content(0, 0), vertices[::6, 4:8].copy().view(np.int32))
        shown = (fetched / np.float32(255)).reshape(SIDE // CELL, -1, 4).astype(np.float32)
        return np.repeat(np.repeat(shown, CELL, 0), CELL, 1)
    for lacking, same in _PLAIN:
        text = re.sub(lacking, same, text.replace("float(sparseTexelsResidentARB(code))", "float(code)"))
    units, unit_names = {}, []
    for one in samplers_of(text, flat=flat):
        *_, target = _SHAPES[one.kind]
        for element in range(one.elements):
            name_of = _gl_texture(gl, one, element, target)
            parameters = gl_parameters(one.state)
            if one.kind == "2DRect":
                del parameters[0x8072]
            units[one.binding + element] = (target, name_of, sampler(gl, parameters))
            unit_names.append(name_of)
    gl.call("glEnable", 0x884F)  # GL_TEXTURE_CUBE_MAP_SEAMLESS
    declared, rest, fragment = "layout(location=0) out vec4 c;\nlayout(location=1) flat out ivec4 ix;", "", text
    if name.endswith(".vert"):
        declared, rest = "vec4 c; ivec4 ix;\nlayout(location=0) out vec4 color;", re.search(r"color = .*", text)[0]  # type: ignore[index]
        declared += "".join(re.findall(r"layout\(binding.*\n", text))
        fragment = _GL_PASSED
    if name.endswith(".comp"):
        program = build(gl, {"compute": text})
        (texels,) = dispatch(gl, program, GROUPS, textures=units, storage={3: bytes(SIDE * SIDE * 16)}).values()
    else:
        vertex = _GL_VERTEX.format(declared=declared, rest=rest)
        program = build(gl, {"vertex": vertex, "fragment": fragment})
        texels = draw(gl, program, (SIDE, SIDE), textures=units, storage={30: vertices.tobytes()}, count=len(vertices))
    gl.call("glDeleteProgram", program)
    gl.call("glDeleteTextures", len(unit_names), unit_names)
    return np.frombuffer(texels, np.float32).reshape(SIDE, SIDE, 4)


def _gl_texture(gl: Any, one: Sampled, element: int, target: int) -> int:
    _, size, layers, _ = _SHAPES[one.kind]
    *_, internal, pixel_format, pixel_type = _TEXELS[one.texels]
    images = []
    for level in range(one.levels):
        here = tuple(max(1, part >> level) for part in size)
        whole = (*here, layers) if layers > 1 and one.kind != "Cube" else here
        images.append(Image(whole, one.content(element, level).tobytes()))
    return texture(gl, target, internal, images, pixel_format=pixel_format, pixel_type=pixel_type)


#: Shader -> what it fetches, by ``ix`` of each square.
_BY_TEXELS: Final[dict[str, Callable[[NDArray[Any], NDArray[np.int32]], NDArray[Any]]]] = {
    "fetch_multisample.frag": lambda texels, ix: texels[ix[:, 2], ix[:, 1], ix[:, 0]],
    "fetch_buffer.frag": lambda texels, ix: texels.reshape(-1, 4)[ix[:, 0]],
}


# WebGPU


class Job(NamedTuple):
    """A draw, or the dispatch of a stage named ``compute``.

    Attributes:
        stage: ``fragment``, ``vertex`` or ``compute``: of the split module.
        module: It; a text is WGSL.
        entries: Of group 0, as `tests.shader.beside` makes them.
        vertices: 12 numbers each.
    """

    stage: str
    module: bytes | str
    entries: list[dict[str, Any]]
    vertices: bytes


def split_of(name: str, *, flat: bool = False) -> tuple[Split, list[Sampled]]:
    """A shader, split for whatever will be bound."""
    text = text_of(name)
    each = samplers_of(text, flat=flat)
    module = MODULES[name]
    if text != (_FOLDER / name).read_text(encoding="utf-8"):
        module = glsl(text, name.rpartition(".")[2], *(["-G"] if ".gl." in name else []))
    lengths = {(0, 1): 4} if name == "array_runtime.frag" else {}
    bound = {(0, one.binding): _bound(one) for one in each}
    return st.split_samplers(module, samplers=bound, lengths=lengths), each


def job(name: str, *, flat: bool = False) -> Job:
    """Return what a shader draws on WebGPU."""
    split, each = split_of(name, flat=flat)
    assert split.unresolved == ()
    stage = {"frag": "fragment", "vert": "vertex", "comp": "compute"}[name.rpartition(".")[2]]
    visible = {"fragment": "FRAGMENT", "vertex": "VERTEX", "compute": "COMPUTE"}[stage]
    entries = list(_entries(split, each, visible))
    if stage == "compute":
        entries.append(buffer_entry(3, "storage", bytes(SIDE * SIDE * 16), visible))
    if "flip" in split.blocks:  # rows stand as OpenGL's
        still = np.array([1, 0, 0, 0], np.float32).tobytes()
        entries.append(buffer_entry(split.blocks["flip"][1], "uniform", still, visible))
    return Job(stage, split.module, entries, vertices_of(name).tobytes())


def _entries(split: Split, each: list[Sampled], visible: str) -> Iterator[dict[str, Any]]:
    of = {(0, one.binding): one for one in each}
    for part in split.samplers:
        one = of[part.descriptor]
        kind = "unfilterable-float" if part.by_hand else "depth" if part.compares else part.kind
        yield _image(one, part.element, part.image[1], kind, part.view_dimension, visible)
        if part.sampler:
            yield sampler_entry(part.sampler[1], bound_of(part, _bound(one)), visible)
    if split.samplers:
        return
    for one in each:  # apart before
        at = 1 if one.elements > 1 else 0
        place = split.places.get(((0, one.binding), at), (0, one.binding))[1]
        yield _image(one, at, place, "depth" if one.texels == "shadow" else "float", "2d", visible)
    for _, binding in [place for (where, _), place in split.places.items() if where == (0, 2)] or [(0, 2)]:
        yield sampler_entry(binding, dict(_bound(each[0])), visible)


def _bound(one: Sampled) -> Any:
    return descriptor(one.state, Screen.named("webgpu"), view=View(_TEXELS[one.texels][1], cube=one.kind == "Cube"))


def _image(one: Sampled, element: int, at: int, kind: str, view: str, visible: str) -> dict[str, Any]:
    levels = [one.content(element, level) for level in range(one.levels)]
    if one.kind == "Buffer":
        levels = [levels[0].reshape(1, 8, 8, 4)]
    kind, samples = ("unfilterable-float", 4) if one.kind == "2DMS" else (kind, 1)
    return image_entry(at, view, kind, levels, _TEXELS[one.texels][0], visible, samples=samples)
