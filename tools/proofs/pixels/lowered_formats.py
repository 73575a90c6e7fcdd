"""Borders of every kind of format: what `statetracker.convert` gives for a lesser device, against this process's GL.

The border that a program sees depends on the format, its base format, the texture's swizzle and the depth mode. Native
GL_CLAMP_TO_BORDER and GL_CLAMP are what is right; the lowered module has the sampler, the lowering and the values of a
conversion for a Vulkan device that has no custom border colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.caps import Screen
from statetracker.frontend import convert
from statetracker.gl import Sampler, Texture
from statetracker.gl.names import glenum
from statetracker.shader import border_values, lower
from statetracker.vulkan import record_of
from tools.proofs.pixels.clamp_run import Comparison
from tools.proofs.pixels.formats import FORMATS, Format
from tools.proofs.pixels.gl_draw import Image, compiled, picture, sampler, texture
from tools.proofs.pixels.scene import gl_parameters

if TYPE_CHECKING:
    from statetracker.bindings.gl import GL

__all__ = ["LOOKS", "Look", "compare_format"]

_SIDE: Final = 32
_SIZE: Final = (8, 4)
_BLOCK: Final = (0, 7)
_FRAGMENT: Final = """\
#version 450
layout(binding = 0) uniform {prefix}sampler2D{shadow} s;
layout(location = 0) out {prefix}vec4 texel;
void main() {{
    vec2 at = (gl_FragCoord.xy + 0.05) / {side}.0 * 4.0 - 1.5;
    texel = {prefix}vec4({expression});
}}
"""
#: Kind of texels -> (what is uploaded, the border).
_KINDS: Final[dict[str, tuple[Format, tuple[float, ...]]]] = {
    "float": (FORMATS["RGBA32F"], (2.0, -1.5, 0.25, 0.5)),
    "int": (FORMATS["RGBA32I"], (300, -7, -200, 5)),
    "uint": (FORMATS["RGBA32UI"], (300, 7, 70000, 5)),
    "depth": (FORMATS["DEPTH32F"], (1.75, 0.0, 0.0, 0.0)),
}
_DEPTH_MODES: Final = ("luminance", "intensity", "alpha", "red")


class Look(NamedTuple):
    """A texture's format, as it is looked at.

    Attributes:
        name: GL's internal format.
        kind: Float, int, uint or depth.
        step: How exact texels of it are filtered.
    """

    name: str
    kind: str = "float"
    swizzle: tuple[str, ...] = ()
    depth_mode: str = ""
    compares: bool = False
    step: float = 1e-6

    @property
    def title(self) -> str:
        """The format and how it is looked at."""
        return " ".join([self.name, *self.swizzle, self.depth_mode, *(["compared"] if self.compares else [])]).strip()


_BYTE: Final = 4.6e-3
_LOOKS: Final = (
    Look("RGBA32F"), Look("R32F"), Look("RG32F"), Look("RGB32F"),
    Look("RGBA8", step=_BYTE), Look("R8", step=_BYTE), Look("RG8", step=_BYTE),
    Look("RGB8", step=_BYTE), Look("ALPHA8", step=_BYTE), Look("LUMINANCE8", step=_BYTE),
    Look("LUMINANCE8_ALPHA8", step=_BYTE), Look("INTENSITY8", step=_BYTE),
    Look("SRGB8_ALPHA8", step=2 * _BYTE), Look("RGBA8_SNORM", step=2 * _BYTE),
    Look("RGBA16", step=1e-4), Look("RGBA16F", step=1e-3),
    Look("RGBA8", swizzle=("alpha", "zero", "one", "red"), step=_BYTE),
    Look("R8", swizzle=("one", "red", "green", "alpha"), step=_BYTE),
    Look("RGBA8I", "int"), Look("RGBA8UI", "uint"), Look("RGBA32I", "int"),
    Look("RGBA32UI", "uint"), Look("RGBA16I", "int"), Look("R8I", "int"),
    Look("RG8UI", "uint"),
    *(
        Look(f"DEPTH_COMPONENT{bits}", "depth", depth_mode=mode, compares=compares, step=1e-4)
        for bits in ("16", "24", "32F")
        for mode in _DEPTH_MODES
        # An answer in alpha alone is nothing that an instruction of SPIR-V could give.
        for compares in ((False,) if mode == "alpha" else (False, True))
    ),
)  # fmt: skip
#: Title -> how a texture is looked at.
LOOKS: Final = {look.title: look for look in _LOOKS}


def compare_format(gl: GL, look: Look, wrap: str, screen: Screen) -> tuple[float, float]:
    """Draw natively, lowered, and with the lesser sampler alone; the largest differences of the latter two.

    ``wrap``: ``clamp-to-border`` or ``clamp``. ``screen``: a Vulkan device.
    """
    row, border = _KINDS[look.kind]
    integer = row.kind in {"int", "uint"}
    linear = "nearest" if integer else "linear"
    more: dict[str, Any] = {"border_color_i" if integer else "border_color": border}
    if row.depth:
        more |= {"compare_mode": look.compares, "compare_func": "lequal"}
    asked = Sampler(wrap=wrap, min_filter=linear, mag_filter=linear, **more)
    view: dict[str, Any] = {"swizzle": look.swizzle} if look.swizzle else {}
    if look.depth_mode:
        view["depth_mode"] = look.depth_mode
    described = Texture(internal_format=look.name, size=_SIZE, levels=1, **view)
    native = convert(asked, described, Screen.named("llvmpipe"), glsl130=False)
    result = convert(asked, described, screen, glsl130=False)
    expression = "texture(s, vec3(at, 0.5))" if look.compares else "texture(s, at)"
    shadow = "Shadow" * look.compares
    module = compiled(_FRAGMENT.format(prefix=row.prefix, shadow=shadow, side=_SIDE, expression=expression))
    lowered = lower(module, {(0, 0): result.lowering}, values=_BLOCK)
    block = {_BLOCK[1]: border_values([result])} if lowered.values else {}
    name, kind = _texture(gl, look), row.kind
    state, zero = record_of(result.vulkan), (0,) * 4
    pictures = []
    for code, taken, colour, values in (
        (module, native.pipe, border, {}), (lowered.module, state, zero, block), (module, state, zero, {}),
    ):  # fmt: skip
        bound = sampler(gl, gl_parameters(taken), colour, kind)
        seen = picture(gl, code, _SIDE, [(0x0DE1, name, bound)], kind=kind, uniform=values)
        pictures.append(seen.astype(np.float64))  # integers too
    gl.call("glDeleteTextures", 1, [name])
    return Comparison.of(pictures, lowered)[:2]


def _texture(gl: GL, look: Look) -> int:
    row, _ = _KINDS[look.kind]
    chance, shape = np.random.default_rng(7), (*_SIZE[::-1], row.channels)
    values = chance.random(shape) if row.dtype == "f4" else chance.integers(0, 100, shape)
    parameters = {0x8E42 + at: glenum(f"GL_{one.upper()}") for at, one in enumerate(look.swizzle)}
    if look.depth_mode:
        parameters[0x884B] = glenum(f"GL_{look.depth_mode.upper()}")
    return texture(
        gl, 0x0DE1, glenum(f"GL_{look.name}"), [Image(_SIZE, values.astype(row.dtype).tobytes())],
        pixel_format=row.pixel_format, pixel_type=row.pixel_type, parameters=parameters,
    )  # fmt: skip
