"""Texel formats that pictures are compared in: how texels are made, uploaded, and what a shader sees of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.reference import TARGETS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FORMATS", "Format", "random_levels"]


class Format(NamedTuple):
    """A format.

    Attributes:
        internal: GL's number.
        pixel_format: GL's number.
        pixel_type: GL's number.
        dtype: Type of what is uploaded.
        channels: How many are uploaded.
        kind: What the reference unit calls it.
        prefix: Of the GLSL sampler's name.
        divisor: Uploaded numbers divided by this are what a shader sees; 0: as they are.
        least: The least value a shader can see of a fixed-point format.
    """

    internal: int
    pixel_format: int
    pixel_type: int
    dtype: str
    channels: int
    kind: str
    prefix: str = ""
    divisor: float = 0.0
    least: float = 0.0

    @property
    def depth(self) -> bool:
        """True for a depth format."""
        return self.pixel_format == 0x1902

    def random(self, shape: tuple[int, ...], seed: int) -> NDArray[Any]:
        """Texels to upload: (*shape, channels)."""
        chance = np.random.default_rng(seed)
        full = (*shape, self.channels)
        if self.dtype.startswith("f"):
            return chance.random(full).astype(self.dtype)
        info = np.iinfo(self.dtype)
        bits = chance.integers(info.min, info.max, full, self.dtype, endpoint=True)
        # Of 32 bits that become 24, the lowest eight repeat the highest: both mean the same number.
        return bits & ~np.uint32(255) | bits >> np.uint32(24) if self.dtype == "u4" and self.depth else bits

    def seen(self, uploaded: NDArray[Any]) -> NDArray[Any]:
        """Return what a shader sees: four channels, in double precision (integers stay so); depth as luminance."""
        if self.kind in {"int", "uint"}:
            return uploaded.astype(np.int64)
        values = uploaded.astype(np.float64)
        if self.divisor:
            values = np.maximum(values / self.divisor, self.least)
        if self.channels == 4:
            return values
        return np.concatenate([values.repeat(3, -1), np.ones_like(values)], axis=-1)


# fmt: off
FORMATS: Final = {
    #                    internal pixels  type    dtype channels kind         prefix divisor    least
    "RGBA32F":     Format(0x8814, 0x1908, 0x1406, "f4", 4,       "float"),
    "RGBA16F":     Format(0x881A, 0x1908, 0x140B, "f2", 4,       "float"),
    "RGBA8":       Format(0x8058, 0x1908, 0x1401, "u1", 4,       "unorm",       "",   255.0),
    "RGBA16":      Format(0x805B, 0x1908, 0x1403, "u2", 4,       "unorm",       "",   65535.0),
    "RGBA8_SNORM": Format(0x8F97, 0x1908, 0x1400, "i1", 4,       "snorm",       "",   127.0,     -1.0),
    "RGBA32I":     Format(0x8D82, 0x8D99, 0x1404, "i4", 4,       "int",         "i"),
    "RGBA32UI":    Format(0x8D70, 0x8D99, 0x1405, "u4", 4,       "uint",        "u"),
    "RGBA8I":      Format(0x8D8E, 0x8D99, 0x1400, "i1", 4,       "int",         "i"),
    "DEPTH32F":    Format(0x8CAC, 0x1902, 0x1406, "f4", 1,       "float"),
    "DEPTH16":     Format(0x81A5, 0x1902, 0x1403, "u2", 1,       "unorm-depth", "",   65535.0),
    "DEPTH24":     Format(0x81A6, 0x1902, 0x1405, "u4", 1,       "unorm-depth", "",   4294967295.0),
}
# fmt: on


def random_levels(
    target: str, size: tuple[int, ...], levels: int = 1, texel_format: str = "RGBA32F", seed: int = 7
) -> list[NDArray[Any]]:
    """Return the texels of each level: of layers, faces or slices, rows and columns as far as the target has them."""
    layered = TARGETS[target].layered
    outer = size[-1:] if layered else (6,) if target == "cube" else ()
    inner = size[-2::-1] if layered else size[::-1]
    return [
        FORMATS[texel_format].random((*outer, *(max(1, part >> level) for part in inner)), seed + level)
        for level in range(levels)
    ]
