"""Textures of random texels, and what the machine's GL samples of them at given places.

GLSL 3.30 and float textures for the places: Mesa's softpipe knows no more than that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.bindings.gl import build
from statetracker.reference import Texels
from statetracker.sampler.tables import MIN_FILTER, WRAP
from tools.proofs.pixels.formats import FORMATS, random_levels
from tools.proofs.pixels.gl_draw import KINDS, Image, draw, sampler, texture

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from statetracker.bindings.gl import GL
    from statetracker.pipe import SamplerState
    from tools.proofs.pixels.formats import Format

__all__ = ["GL_TARGETS", "Canvas", "GlTarget", "Scene", "gl_parameters", "with_border"]

#: PIPE_TEX_WRAP_* -> GL's number; (min image filter, mip filter) -> GL_TEXTURE_MIN_FILTER.
_WRAPS: Final = {to: number for number, to in WRAP.items()}
_MIN_FILTERS: Final = {filters: number for number, filters in MIN_FILTER.items()}
_VERTEX: Final = """\
#version 330
void main() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
"""
_FRAGMENT: Final = """\
#version 330
{extension}
uniform highp {kind} image;
uniform sampler2D places;
uniform sampler2D details;
out {result} texel;
void main() {{
    vec4 c = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
    vec4 d = texelFetch(details, ivec2(gl_FragCoord.xy), 0);
    texel = {result}({expression});
}}
"""
_EXTENSIONS: Final = {
    "Gather": "#extension GL_ARB_texture_gather : require",
    "CubeArray": "#extension GL_ARB_texture_cube_map_array : require",
}


class GlTarget(NamedTuple):
    """A target: GL's number, the end of the GLSL sampler's name, its coordinate of a vec4, and a base size."""

    number: int
    suffix: str
    taken: str
    size: tuple[int, ...]


# fmt: off
GL_TARGETS: Final = {
    "1d":         GlTarget(0x0DE0, "1D",        "c.x",   (7,)),
    "1d-array":   GlTarget(0x8C18, "1DArray",   "c.xy",  (8, 3)),
    "2d":         GlTarget(0x0DE1, "2D",        "c.xy",  (5, 8)),
    "2d-array":   GlTarget(0x8C1A, "2DArray",   "c.xyz", (4, 3, 3)),
    "rect":       GlTarget(0x84F5, "2DRect",    "c.xy",  (5, 6)),
    "3d":         GlTarget(0x806F, "3D",        "c.xyz", (4, 3, 5)),
    "cube":       GlTarget(0x8513, "Cube",      "c.xyz", (4, 4)),
    "cube-array": GlTarget(0x9009, "CubeArray", "c",     (4, 4, 12)),
}
# fmt: on


def gl_parameters(state: SamplerState) -> dict[int, Any]:
    """Say a state as glSamplerParameter calls: wraps, filters, limits, bias, comparison. The border is set apart."""
    return {
        0x2802: _WRAPS[state.wrap_s],
        0x2803: _WRAPS[state.wrap_t],
        0x8072: _WRAPS[state.wrap_r],
        0x2801: _MIN_FILTERS[state.min_img_filter, state.min_mip_filter],
        0x2800: 0x2600 + state.mag_img_filter,
        0x813A: float(state.min_lod),
        0x813B: float(state.max_lod),
        0x8501: float(state.lod_bias),
        0x884C: 0x884E if state.compare_mode else 0,
        0x884D: 0x0200 + state.compare_func,
    }


def with_border(state: SamplerState, numbers: tuple[float, ...], texels: Format) -> SamplerState:
    """Return the state with a border colour of the texels' kind."""
    if texels.kind in {"int", "uint"}:
        words = np.array([int(one) for one in numbers], "i4" if texels.kind == "int" else "u4").view("u4")
    else:
        words = np.array((*numbers[:1] * 3, 1.0) if texels.depth else numbers, "f4").view("u4")
    return state.replace(border_color=tuple(int(word) for word in words))


class Canvas:
    """Programs and the target that they draw, ``side`` texels along each edge."""

    def __init__(self, gl: GL, side: int = 48) -> None:
        self.gl, self.side = gl, side
        self._programs: dict[tuple[str, str, str], int] = {}

    def program(self, kind: str, result: str, expression: str) -> int:
        """Return a program that samples ``image`` at ``c``, made once; its samplers are units 0 to 2."""
        key = (kind, result, expression)
        if key not in self._programs:
            extension = "\n".join(line for word, line in _EXTENSIONS.items() if word in kind + expression)
            text = _FRAGMENT.format(kind=kind, result=result, expression=expression, extension=extension)
            name = self._programs[key] = build(self.gl, {"vertex": _VERTEX, "fragment": text})
            self.gl.call("glUseProgram", name)
            for unit, uniform in enumerate(("image", "places", "details")):
                self.gl.call("glUniform1i", self.gl.call("glGetUniformLocation", name, uniform), unit)
        return self._programs[key]

    def field(self, values: ArrayLike) -> int:
        """Return a float texture that holds (n, k) numbers, k to 4, a texel each."""
        given = np.asarray(values, np.float32)
        wide = np.zeros((self.side * self.side, 4), np.float32)
        wide[: len(given), : given.shape[1]] = given
        image = Image((self.side, self.side), wide.tobytes())
        nearest = {0x2801: 0x2600, 0x2800: 0x2600}
        return texture(self.gl, 0x0DE1, 0x8814, [image], pixel_format=0x1908, pixel_type=0x1406, parameters=nearest)


class Scene:
    """One texture of random texels, in GL and (``texels``) for the reference unit."""

    def __init__(  # noqa: PLR0917 (a texture's own order)
        self,
        canvas: Canvas,
        target: str,
        size: tuple[int, ...] = (),
        levels: int = 1,
        texel_format: str = "RGBA32F",
        seed: int = 7,
    ) -> None:
        self.canvas, self.target, self.format = canvas, target, FORMATS[texel_format]
        self.gl_target = GL_TARGETS[target]
        self.size = size or self.gl_target.size
        arrays = random_levels(target, self.size, levels, texel_format, seed)
        images = [Image(array.shape[-2::-1][: len(self.size)], array.tobytes()) for array in arrays]
        self.texels = Texels(target, [self.format.seen(array) for array in arrays], kind=self.format.kind)
        self.name = texture(
            canvas.gl, self.gl_target.number, self.format.internal, images,
            pixel_format=self.format.pixel_format, pixel_type=self.format.pixel_type,
        )  # fmt: skip

    def sample(
        self,
        state: SamplerState,
        border: tuple[float, ...],
        expression: str,
        places: NDArray[Any],
        details: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Draw: (n, 4) texels.

        ``expression``: GLSL; ``AT`` is the coordinate, ``d`` the four numbers of ``details``, ``image`` the sampler.
        """
        gl, canvas = self.canvas.gl, self.canvas
        shadow = "Shadow" if state.compare_mode else ""
        name = f"{self.format.prefix}sampler{self.gl_target.suffix}{shadow}"
        result = f"{self.format.prefix}vec4"
        program = canvas.program(name, result, expression.replace("AT", self.gl_target.taken))
        bound = sampler(gl, gl_parameters(state), border, self.texels.kind)
        fields = [canvas.field(places), canvas.field(places if details is None else details)]
        units = {unit: (0x0DE1, field, 0) for unit, field in enumerate(fields, 1)}
        units[0] = (self.gl_target.number, self.name, bound)
        kind = {"": "float", "i": "int", "u": "uint"}[self.format.prefix]
        drawn = draw(gl, program, (canvas.side, canvas.side), kind=kind, textures=units)
        gl.call("glDeleteTextures", len(fields), fields)
        gl.call("glDeleteSamplers", 1, [bound])
        return np.frombuffer(drawn, KINDS[kind][3]).reshape(-1, 4)[: len(places)]
