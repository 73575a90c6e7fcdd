"""Borders of every kind of format: what `statetracker.convert` gives for a lesser device, against this process's GL.

The border that a program sees depends on the format, its base format, the texture's swizzle and the depth mode. Native
GL_CLAMP_TO_BORDER and GL_CLAMP are what is right; the lowered module has the sampler, the lowering and the values of a
conversion for a Vulkan device that has no custom border colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.bindings.gl import build
from statetracker.caps import Screen
from statetracker.frontend import convert
from statetracker.gl import Sampler, Texture
from statetracker.shader import border_values, lower
from statetracker.vulkan import record_of
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.gl_draw import COVERING, Image, draw, sampler, texture
from tools.proofs.pixels.scene import gl_parameters, set_border

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
#: Kind of texels -> (format and type that are uploaded, NumPy type, GLSL prefix, the border).
_KINDS: Final[dict[str, tuple[int, int, str, str, tuple[float, ...]]]] = {
    "float": (0x1908, 0x1406, "f4", "", (2.0, -1.5, 0.25, 0.5)),
    "int": (0x8D99, 0x1404, "i4", "i", (300, -7, -200, 5)),
    "uint": (0x8D99, 0x1405, "u4", "u", (300, 7, 70000, 5)),
    "depth": (0x1902, 0x1406, "f4", "", (1.75, 0.0, 0.0, 0.0)),
}
_DEPTH_MODES: Final = {"luminance": 0x1909, "intensity": 0x8049, "alpha": 0x1906, "red": 0x1903}
_SWIZZLES: Final = {"red": 0x1903, "green": 0x1904, "blue": 0x1905, "alpha": 0x1906, "zero": 0, "one": 1}


class Look(NamedTuple):
    """A texture's format, as it is looked at.

    Attributes:
        number: GL's internal format.
        name: Of that.
        kind: Float, int, uint or depth.
        step: How exact texels of it are filtered.
    """

    number: int
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
    Look(0x8814, "RGBA32F"), Look(0x822E, "R32F"), Look(0x8230, "RG32F"), Look(0x8815, "RGB32F"),
    Look(0x8058, "RGBA8", step=_BYTE), Look(0x8229, "R8", step=_BYTE), Look(0x822B, "RG8", step=_BYTE),
    Look(0x8051, "RGB8", step=_BYTE), Look(0x803C, "ALPHA8", step=_BYTE), Look(0x8040, "LUMINANCE8", step=_BYTE),
    Look(0x8045, "LUMINANCE8_ALPHA8", step=_BYTE), Look(0x804B, "INTENSITY8", step=_BYTE),
    Look(0x8C43, "SRGB8_ALPHA8", step=2 * _BYTE), Look(0x8F97, "RGBA8_SNORM", step=2 * _BYTE),
    Look(0x805B, "RGBA16", step=1e-4), Look(0x881A, "RGBA16F", step=1e-3),
    Look(0x8058, "RGBA8", swizzle=("alpha", "zero", "one", "red"), step=_BYTE),
    Look(0x8229, "R8", swizzle=("one", "red", "green", "alpha"), step=_BYTE),
    Look(0x8D8E, "RGBA8I", "int"), Look(0x8D7C, "RGBA8UI", "uint"), Look(0x8D82, "RGBA32I", "int"),
    Look(0x8D70, "RGBA32UI", "uint"), Look(0x8D88, "RGBA16I", "int"), Look(0x8231, "R8I", "int"),
    Look(0x8238, "RG8UI", "uint"),
    *(
        Look(number, name, "depth", depth_mode=mode, compares=compares, step=1e-4)
        for number, name in ((0x81A5, "DEPTH_COMPONENT16"), (0x81A6, "DEPTH_COMPONENT24"),
                             (0x8CAC, "DEPTH_COMPONENT32F"))
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
    border = _KINDS[look.kind][4]
    linear = "nearest" if look.kind in {"int", "uint"} else "linear"
    colour = "border_color_i" if linear == "nearest" else "border_color"
    more: dict[str, Any] = {colour: border}
    if look.kind == "depth":
        more |= {"compare_mode": look.compares, "compare_func": "lequal"}
    asked = Sampler(wrap=wrap, min_filter=linear, mag_filter=linear, **more)
    view: dict[str, Any] = {"swizzle": look.swizzle} if look.swizzle else {}
    if look.depth_mode:
        view["depth_mode"] = look.depth_mode
    described = Texture(internal_format=look.name, size=_SIZE, levels=1, **view)
    native = convert(asked, described, Screen.named("llvmpipe"), glsl130=False)
    result = convert(asked, described, screen, glsl130=False)
    expression = "texture(s, vec3(at, 0.5))" if look.compares else "texture(s, at)"
    module = compiled(
        _FRAGMENT.format(
            prefix=_KINDS[look.kind][3], shadow="Shadow" * look.compares, side=_SIDE, expression=expression
        )
    )
    lowered = lower(module, {(0, 0): result.lowering}, values=_BLOCK)
    block = {_BLOCK[1]: border_values([result])} if lowered.values else {}
    name = _texture(gl, look)
    right = _picture(gl, module, name, gl_parameters(native.pipe), look, border, {})
    alone_state = gl_parameters(record_of(result.vulkan))
    ours, alone = (
        _picture(gl, code, name, alone_state, look, (0, 0, 0, 0), block) for code in (lowered.module, module)
    )
    gl.call("glDeleteTextures", 1, [name])
    return float(np.abs(ours - right).max()), float(np.abs(alone - right).max())


def _texture(gl: GL, look: Look) -> int:
    pixel_format, pixel_type, dtype, _, _ = _KINDS[look.kind]
    chance = np.random.default_rng(7)
    shape = (_SIZE[1], _SIZE[0], 1 if look.kind == "depth" else 4)
    values = chance.random(shape) if dtype == "f4" else chance.integers(0, 100, shape)
    parameters = {0x8E42 + at: _SWIZZLES[one] for at, one in enumerate(look.swizzle)}
    if look.depth_mode:
        parameters[0x884B] = _DEPTH_MODES[look.depth_mode]
    image = Image(_SIZE, values.astype(dtype).tobytes())
    return texture(
        gl, 0x0DE1, look.number, [image], pixel_format=pixel_format, pixel_type=pixel_type, parameters=parameters
    )


def _picture(  # noqa: PLR0917 (a draw's own order)
    gl: GL,
    module: bytes,
    name: int,
    parameters: dict[int, Any],
    look: Look,
    border: tuple[float, ...],
    block: dict[int, bytes],
) -> NDArray[Any]:
    """Draw over the target; integers as such, in double precision."""
    program = build(gl, {"vertex": compiled(COVERING, "vert"), "fragment": module})
    bound = sampler(gl, parameters)
    set_border(gl, bound, look.kind, border)
    kind = look.kind if look.kind in {"int", "uint"} else "float"
    texels = draw(gl, program, (_SIDE, _SIDE), kind=kind, textures={0: (0x0DE1, name, bound)}, uniform=block)
    gl.call("glDeleteProgram", program)
    gl.call("glDeleteSamplers", 1, [bound])
    return np.frombuffer(texels, {"int": "i4", "uint": "u4"}.get(kind, "f4")).astype(np.float64)
