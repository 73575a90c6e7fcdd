"""Rewritten shaders with ``VkSampler`` on this machine's Vulkan, against the reference unit, within its bounds.

The reference unit samples with native GL_CLAMP: it has the state that GL's calls make, the device the rewritten
module and the state that `st.convert` chose. Places are explicit, a level too: what derivatives make of a picture is
compared on GL (`clamp_run`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.caps import Screen
from statetracker.reference import EXACT, Texels, TextureUnit, bounds
from statetracker.shader import lower
from statetracker.vulkan import create_info
from tools.proofs.pixels.clamp_forms import Form
from tools.proofs.pixels.clamp_run import compiled, sides
from tools.proofs.pixels.lowered_vulkan import facts_of_device, random_levels, random_texture
from tools.proofs.pixels.unit_cases import places
from tools.proofs.pixels.vulkan_draw import combined, draw, storage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.bindings.vulkan_device import Device
    from statetracker.vulkan import SamplerCreateInfo

__all__ = ["PLACED", "Placed", "Verdict", "place"]

_SIDE: Final = 32
_SHADER: Final = """\
#version 450
layout(set = 0, binding = 0) uniform {kind} s;
layout(set = 0, binding = 1, std430) readonly buffer Places {{ vec4 places[]; }};
layout(location = 0) out vec4 texel;
void main() {{
    vec4 c = places[int(gl_FragCoord.y) * {side} + int(gl_FragCoord.x)];
    texel = {expression};
}}
"""
#: Target -> (GLSL sampler, coordinate, size).
_TARGETS: Final = {
    "1d": ("sampler1D", "c.x", (7,)),
    "1d-array": ("sampler1DArray", "c.xy", (8, 3)),
    "2d": ("sampler2D", "c.xy", (5, 8)),
    "2d-array": ("sampler2DArray", "c.xyz", (4, 3, 3)),
    "3d": ("sampler3D", "c.xyz", (4, 3, 5)),
}
_PRECISION: Final = EXACT._replace(lod_bits=8, lod_absolute=2.0**-9)


class Placed(NamedTuple):
    """One form at given places: a target, an expression, the wraps, and further arguments of the reference unit."""

    name: str
    target: str
    expression: str
    wraps: str = "ccc"
    offset: tuple[int, ...] = ()
    lod: float = 0.0
    levels: int = 1
    gather: int | None = None
    nearest: bool = False


def _placed() -> list[Placed]:
    forms = []
    for target in _TARGETS:
        forms += [
            Placed(f"{target} {wraps}", target, "textureLod(s, AT, 0.0)", wraps)
            for wraps in ("ccc", "crc", "mmm", "mcr")
        ]
        forms.append(Placed(f"{target} nearest", target, "textureLod(s, AT, 0.0)", nearest=True))
    two: dict[str, Any] = {"target": "2d", "offset": (2, -3)}
    return [
        *forms,
        Placed("projection", "2d", "textureProjLod(s, vec3(c.xy, 1.0) * 1.75, 0.0)"),
        Placed("gather", "2d", "textureGather(s, AT, 1)", gather=1),
        Placed("offset", expression="textureLodOffset(s, AT, 0.0, ivec2(2, -3))", **two),
        Placed("offset, one axis", expression="textureLodOffset(s, AT, 0.0, ivec2(2, -3))", wraps="crr", **two),
        Placed("offset, level 1", expression="textureLodOffset(s, AT, 1.0, ivec2(2, -3))", lod=1.0, levels=3, **two),
        Placed("offset, between levels", expression="textureLodOffset(s, AT, 0.75, ivec2(2, -3))", lod=0.75, levels=3,
               **two),
        Placed("between levels", "2d", "textureLod(s, AT, 1.25)", lod=1.25, levels=3),
    ]  # fmt: skip


#: Name -> form.
PLACED: Final = {one.name: one for one in _placed()}


class Verdict(NamedTuple):
    """Samples that lay outside, rewritten and not, and the largest difference from the exact value."""

    samples: int
    outside: int
    outside_alone: int
    largest: float


def place(device: Device, one: Placed) -> Verdict:
    """Draw a form at random places, rewritten and not, and compare."""
    kind, at, size = _TARGETS[one.target]
    image_filter = "nearest" if one.nearest else "linear"
    minify = f"{image_filter}-mipmap-{image_filter}" if one.levels > 1 else image_filter
    form = Form(one.name, one.target, "", (one.wraps,), levels=one.levels, size=size)
    ((native, other),) = sides(form, min_filter=minify, mag_filter=image_filter)
    module = compiled(_SHADER.format(kind=kind, side=_SIDE, expression=one.expression.replace("AT", at)), target="-V")
    lowered = lower(module, {(0, 0): other.lowering})
    points = places(one.target, size, _SIDE)
    # A mirrored clamp to the border is a clamp to it here: the rewrite has mirrored the coordinate already.
    info = create_info(other.pipe, Screen.from_vulkan(facts_of_device(device)))
    pictures = [_picture(device, code, info, form, points) for code in (lowered.module, module)]
    unit = TextureUnit(native.pipe, Texels(one.target, random_levels(form, 7)))
    if one.gather is not None:
        exact = unit.gather(points, one.gather)
        inside = [(np.abs(picture - exact) <= 1e-6).all(axis=1) for picture in pictures]
        # A rounding away from a texel's centre is another footprint.
        inside = [part if part.mean() < 0.995 else np.ones_like(part) for part in inside]
    else:
        exact = unit.sample(points, lod=one.lod, offset=one.offset)
        limits = bounds(unit, points, _PRECISION, lod=one.lod, offset=one.offset)
        inside = [limits.hold(picture) for picture in pictures]
    ours, alone = (int((~part).sum()) for part in inside)
    return Verdict(len(points), ours, alone, float(np.abs(pictures[0] - exact).max()))


def _picture(device: Device, module: bytes, info: SamplerCreateInfo, form: Form, points: NDArray[Any]) -> NDArray[Any]:
    wide = np.zeros((_SIDE * _SIDE, 4), np.float32)
    wide[:, : points.shape[1]] = points
    handle = device.create_sampler(info)
    with random_texture(device, form, 7) as view:
        resources = {(0, 0): combined((view, handle)), (0, 1): storage(wide.tobytes())}
        texels = draw(device, module, (_SIDE, _SIDE), resources)
    device.destroy_sampler(handle)
    return np.frombuffer(texels, np.float32).reshape(-1, 4)
