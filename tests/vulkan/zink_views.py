"""Textures that are drawn on zink while Vulkan's calls are captured; run as a program it draws them.

Each texture has a width of its own, by which its image is known again in the capture.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import statetracker as st
from statetracker.gl.enums import Target
from statetracker.gl.formats import internal_format_named

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CASES", "Case", "main", "width_of"]

_SHAPES: Final = {
    "2d": "2D",
    "1d": "1D",
    "3d": "3D",
    "rectangle": "2DRect",
    "cube-map": "Cube",
    "1d-array": "1DArray",
    "2d-array": "2DArray",
    "cube-map-array": "CubeArray",
}
_COORDINATE: Final = {"1D": "at.x", "2D": "at", "2DRect": "at", "1DArray": "at", "CubeArray": "vec4(at, 1.0, 0.0)"}
_LEVELS: Final = {"base_level": 0x813C, "max_level": 0x813D}
_DEPTH_MODES: Final = {"red": 0x1903, "alpha": 0x1906, "intensity": 0x8049}
_SELECTORS: Final = {"red": 0x1903, "green": 0x1904, "blue": 0x1905, "alpha": 0x1906, "zero": 0, "one": 1}


_NONE: Final[Mapping[str, Any]] = {}


class Case(NamedTuple):
    """One texture, immutable, and how it is sampled."""

    format: str
    target: str = "2d"
    levels: int = 1
    parameters: Mapping[str, Any] = _NONE
    sampler: Mapping[str, Any] = _NONE
    view: tuple[str, int, int, int, int] | None = None  # format, first level, levels, first layer, layers

    def size(self, width: int) -> tuple[int, ...]:
        """Give the texture's size; cubes are square."""
        sizes = {"1d": (width,), "3d": (width, 8, 4), "1d-array": (width, 5), "2d-array": (width, 8, 5)}
        square = {"cube-map": (width, width), "cube-map-array": (width, width, 12)}
        return (sizes | square).get(self.target, (width, 8))

    def texture(self, width: int) -> st.Texture:
        """Give the texture as this library has it; a view by GL calls of a context."""
        size = self.size(width)
        if self.view is None:
            return st.Texture(self.target, self.format, size, levels=self.levels, immutable=True, **self.parameters)
        context, target = st.Context(st.Screen.named("zink-lavapipe").gl_limits(), strict=True), _target(self)
        name, shown = context.glGenTextures(2)
        context.glBindTexture(target, name)
        getattr(context, f"glTexStorage{len(size)}D")(target, self.levels, _number(self.format), *size)
        fmt, *part = self.view
        context.glTextureView(shown, target, name, _number(fmt), *part)
        context.glBindTexture(target, shown)
        for parameter, value in self.parameters.items():
            context.glTexParameteri(target, _LEVELS[parameter], value)
        made: st.Texture = context.bound(target)
        return made


def width_of(number: int) -> int:
    """Give the width of the case of a number."""
    return 16 + number


_COLOURS: Final = (
    *("RGBA8", "RGB8", "RG8", "R8", "RGB565", "RGBA4", "RGB5_A1", "RGB10_A2", "R11F_G11F_B10F", "RGB9_E5"),
    *("RGBA16", "RGBA16F", "RGB16F", "R16F", "RGBA32F", "RGB32F", "R32F", "RG32F", "RGBA8_SNORM", "R16_SNORM"),
    *("SRGB8", "SRGB8_ALPHA8", "RGBA8UI", "RGB8I", "R32UI", "RG16I", "RGB10_A2UI"),
    *("ALPHA8", "LUMINANCE8", "LUMINANCE8_ALPHA8", "INTENSITY8", "ALPHA16", "LUMINANCE16F_ARB", "ALPHA32F_ARB"),
    *("INTENSITY16F_ARB", "LUMINANCE_ALPHA32F_ARB", "SLUMINANCE8", "SLUMINANCE8_ALPHA8"),
    *("COMPRESSED_RGBA_S3TC_DXT5_EXT", "COMPRESSED_RED_RGTC1", "COMPRESSED_RGBA_BPTC_UNORM"),
)
_DEPTHS: Final = (
    "DEPTH_COMPONENT16",
    "DEPTH_COMPONENT24",
    "DEPTH_COMPONENT32F",
    "DEPTH24_STENCIL8",
    "DEPTH32F_STENCIL8",
)
_SKIP: Final = {"srgb_decode": "skip-decode"}
_MIXED: Final = ("alpha", "one", "red", "green")

CASES: Final = (
    *(Case(name) for name in _COLOURS),
    *(Case(name) for name in _DEPTHS),
    *(Case(name, parameters={"depth_mode": "red"}) for name in _DEPTHS[:3]),
    Case("DEPTH24_STENCIL8", parameters={"depth_mode": "alpha"}),
    Case("DEPTH_COMPONENT24", parameters={"depth_mode": "intensity"}),
    *(Case(name, parameters={"stencil_sampling": True}) for name in _DEPTHS[3:]),
    Case("STENCIL_INDEX8"),
    *(
        Case(name, parameters={"swizzle": _MIXED})
        for name in ("RGBA8", "RGB8", "RG8", "ALPHA8", "LUMINANCE8", "DEPTH_COMPONENT24")
    ),
    Case("INTENSITY8", parameters={"swizzle": ("zero", "alpha", "one", "red")}),
    Case("DEPTH24_STENCIL8", parameters={"swizzle": _MIXED, "stencil_sampling": True}),
    Case("SRGB8_ALPHA8", sampler=_SKIP, parameters={"swizzle": _MIXED}),
    *(
        Case(name, sampler=_SKIP)
        for name in ("SRGB8_ALPHA8", "SRGB8", "SLUMINANCE8", "COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT")
    ),
    *(Case("RGBA8", target) for target in _SHAPES),
    Case("RGBA8", "2d", 4, {"base_level": 1}),
    Case("RGBA8", "2d", 4, {"max_level": 2}),
    Case("RGBA8", "2d", 4, {"base_level": 1, "max_level": 2}),
    Case("RGBA8", "2d", 4, {"base_level": 2, "max_level": 2}),
    Case("RGBA8", "2d-array", 3, {"base_level": 1}),
    Case("RGBA8", "cube-map", 3, {"max_level": 1}),
    Case("DEPTH_COMPONENT16", "cube-map-array", 2),
    Case("RGBA8", "2d-array", 4, {}, {}, ("RGBA8", 1, 2, 2, 3)),
    Case("RGBA8", "2d-array", 4, {"base_level": 1}, {}, ("SRGB8_ALPHA8", 1, 3, 2, 2)),
)


def _number(name: str) -> int:
    return internal_format_named(name).number


def _target(case: Case) -> int:
    return int(Target[f"TEXTURE_{case.target.upper().replace('-', '_')}"])


def _glsl(case: Case) -> str:
    shape = _SHAPES[case.target]
    stencil = case.parameters.get("stencil_sampling") or case.format.startswith("STENCIL")
    integer = "i" if internal_format_named(case.format).is_integer else ""
    letter = "u" if stencil or case.format.endswith("UI") else integer
    place = _COORDINATE.get(shape, "vec3(at, 0.0)")
    return f"""\
#version 450 compatibility
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform {letter}sampler{shape} s;
void main() {{ colour = vec4(texture(s, {place})); }}
"""


def _set(gl: Any, target: int, parameters: Mapping[str, Any]) -> None:
    for parameter, value in parameters.items():
        if parameter == "swizzle":
            for n, word in enumerate(value):
                gl.call("glTexParameteri", target, 0x8E42 + n, _SELECTORS[word])
        elif parameter == "stencil_sampling":
            gl.call("glTexParameteri", target, 0x90EA, 0x1901)
        elif parameter == "depth_mode":
            gl.call("glTexParameteri", target, 0x884B, _DEPTH_MODES[value])
        else:
            gl.call("glTexParameteri", target, _LEVELS[parameter], value)


def _draw(gl: Any, case: Case, width: int) -> None:
    from statetracker.bindings.gl import build
    from tools.proofs.pixels import gl_draw

    target, size = _target(case), case.size(width)
    (name,) = gl.names("glGenTextures")
    gl.call("glBindTexture", target, name)
    gl.call(f"glTexStorage{len(size)}D", target, case.levels, _number(case.format), *size)
    if case.view is not None:
        fmt, *part = case.view
        (shown,) = gl.names("glGenTextures")
        gl.call("glTextureView", shown, target, name, _number(fmt), *part)
        gl.call("glBindTexture", target, shown)
        name = shown
    _set(gl, target, case.parameters)
    nearest = {0x2801: 0x2700 if case.levels > 1 else 0x2600, 0x2800: 0x2600}
    made = gl_draw.sampler(gl, nearest | ({0x8A48: 0x8A4A} if case.sampler else {}))
    program = build(gl, {"vertex": gl_draw.COVERING, "fragment": _glsl(case)})
    gl_draw.draw(gl, program, (4, 4), textures={0: (target, name, made)})


def main() -> int:
    """Draw every case."""
    from statetracker.bindings import egl

    with egl.Context() as context:
        for number, case in enumerate(CASES):
            _draw(context.gl, case, width_of(number))
    return 0


if __name__ == "__main__":
    sys.exit(main())
