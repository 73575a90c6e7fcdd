"""Cases drawn on WebGPU: the reference unit's that it can draw, and random samplers."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from statetracker.pipe import Func, SamplerState, TexWrap
from statetracker.reference import Precision
from tools.proofs.pixels.unit_cases import COMPARED, Case, cases

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["WEBGPU_FORMATS", "WEBGPU_GROUPS", "WEBGPU_TARGETS", "drawn_cases", "random_cases"]

#: Groups of the reference unit's cases that WebGPU can draw some of.
WEBGPU_GROUPS: Final = ("wraps", "compares", "levels", "offsets", "gathers")
#: Texels -> (GPUTextureFormat, pipe format); depth of 16 bits is the only one that WebGPU can upload.
WEBGPU_FORMATS: Final = {
    "RGBA32F": ("rgba32float", "R32G32B32A32_FLOAT"),
    "RGBA16F": ("rgba16float", "R16G16B16A16_FLOAT"),
    "RGBA8": ("rgba8unorm", "R8G8B8A8_UNORM"),
    "RGBA8_SNORM": ("rgba8snorm", "R8G8B8A8_SNORM"),
    "DEPTH16": ("depth16unorm", "Z16_UNORM"),
}
#: Target -> (GLSL's end of the sampler's name, coordinate, GPUTextureViewDimension).
WEBGPU_TARGETS: Final = {
    "1d": ("1D", "c.x", "1d"),
    "2d": ("2D", "c.xy", "2d"),
    "2d-array": ("2DArray", "c.xyz", "2d-array"),
    "3d": ("3D", "c.xyz", "3d"),
}
#: What every Vulkan device keeps at least of a coordinate, a level of detail and, as NVIDIA's do, of a texel's weight.
_DEVICE: Final = Precision(texel_bits=8, lod_bits=8, lod_absolute=2.0**-8, weight_bits=8)
#: Formats of bytes: devices filter them in 8 bits.
_BYTES: Final = {"RGBA8": 2 / 255, "RGBA8_SNORM": 2 / 127}
#: Targets whose comparisons are drawn.
_COMPARED: Final = ("2d", "2d-array")


def drawn_cases(groups: Sequence[str] = ()) -> list[Case]:
    """Cases of the reference unit that WebGPU can draw: its targets, and formats that it can upload."""
    every = cases("llvmpipe", tuple(groups) or WEBGPU_GROUPS)
    formats = {"RGBA32F", "DEPTH16"}
    return [case for case in every if case.target in WEBGPU_TARGETS.keys() - {"1d"} and case.texel_format in formats]


def random_cases(count: int = 200, seed: int = 21) -> list[Case]:
    """Random samplers: every wrap and filter on each axis, borders, limits, biases, comparisons.

    Targets follow each other, so that each comes equally often; 1D textures have one level and are not compared, as
    WebGPU has them. The same for the same seed.
    """
    chance = np.random.default_rng(seed)
    return [_random(chance, target) for target in islice(cycle(WEBGPU_TARGETS), count)]


def _random(chance: np.random.Generator, target: str) -> Case:
    compares = target in _COMPARED and chance.random() < 0.25
    texel_format = "DEPTH16" if compares else str(chance.choice([one for one in WEBGPU_FORMATS if one != "DEPTH16"]))
    levels = 1 if target == "1d" or compares else int(chance.integers(1, 4))
    members: dict[str, Any] = {f"wrap_{axis}": TexWrap(int(chance.integers(len(TexWrap)))) for axis in "str"} | {
        "min_img_filter": int(chance.integers(2)),
        "mag_img_filter": int(chance.integers(2)),
        "min_mip_filter": int(chance.integers(3)),
        "lod_bias": float(chance.choice([0.0, 0.0, -1.5, 0.375, 0.75, 2.0])),
        "min_lod": float(chance.choice([-1000.0, -1000.0, 0.0, 0.375, 1.0])),
        "max_lod": float(chance.choice([1000.0, 1000.0, 0.25, 1.0, 1.625])),
    }
    members["max_lod"] = max(members["min_lod"], members["max_lod"])
    if compares:
        members |= {"compare_mode": 1, "compare_func": Func(int(chance.integers(len(Func))))}
    return Case(
        "random", "llvmpipe", target, SamplerState(**members),
        COMPARED[target] if compares else "textureLod(image, AT, d.y)",
        texel_format, levels,
        border=tuple(float(one) for one in chance.uniform(-0.5, 1.5, 4).round(3)),
        lod=0.0 if compares else None,
        precision=_DEVICE._replace(value_absolute=_BYTES.get(texel_format, 2.0**-20)),
    )  # fmt: skip
