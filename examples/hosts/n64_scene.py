"""A small scene as an N64 would draw it: two texture units, GL_CLAMP, mirrors, mixed filters, a LOD bias, a border.

Nothing here needs a GPU or a package of one: positions, texels and samplers, for `n64_compare.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import statetracker as st

WIDTH, HEIGHT = 320, 240
SKY = (0.36, 0.55, 0.82, 1.0)

#: Without the lines that name the places: GL and Vulkan spell those otherwise.
FRAGMENT = """
void main() {
    vec4 base = texture(unit0, place.xy);
    vec4 detail = texture(unit1, place.zw);
    colour = vec4(base.rgb * (0.4 + 0.6 * detail.rgb), base.a * detail.a);
}
"""


class Material(NamedTuple):
    """What one draw samples, and where.

    Attributes:
        name: For pictures and messages.
        samplers: Of unit 0 and unit 1.
        texels: Of unit 0 and unit 1: levels, each uint8 of shape (height, width, 4), row 0 at t = 0.
        corners: 4 vertices of a strip, float32 of shape (4, 8): position in clip space, then (s, t) of both units.
    """

    name: str
    samplers: tuple[st.Sampler, st.Sampler]
    texels: tuple[list[np.ndarray], list[np.ndarray]]
    corners: np.ndarray

    def textures(self) -> list[st.Texture]:
        """Both textures as the tracker sees them."""
        return [
            st.Texture("2d", "RGBA8", size=(levels[0].shape[1], levels[0].shape[0]), levels=len(levels))
            for levels in self.texels
        ]


def scene() -> list[Material]:
    """Give the materials in the order in which they are drawn."""
    smooth = st.Sampler(wrap="clamp-to-edge", min_filter="linear", mag_filter="linear")
    ground = Material(
        "ground",
        (
            st.Sampler(
                wrap="mirrored-repeat", min_filter="linear-mipmap-nearest", mag_filter="nearest", lod_bias=-0.75
            ),
            st.Sampler(wrap="repeat", min_filter="linear-mipmap-linear", mag_filter="linear", lod_bias=0.5),
        ),
        (mipmaps(bricks(32, (86, 140, 60), (58, 104, 44))), mipmaps(noise(64))),
        floor((-9.0, 9.0), (1.2, 30.0), ((-6.0, 6.0), (0.0, 12.0)), ((-3.0, 3.0), (0.0, 9.0))),
    )
    wall = Material(
        "wall",
        (
            st.Sampler(
                wrap_s="mirrored-repeat", wrap_t="clamp", min_filter="linear", border_color=(0.1, 0.1, 0.2, 1.0)
            ),
            st.Sampler(wrap="clamp", min_filter="nearest", mag_filter="linear", border_color=(0.9, 0.7, 0.2, 1.0)),
        ),
        ([bricks(16, (150, 90, 70), (110, 62, 50))], [arrow(16)]),
        upright((-0.83, 0.27), (-0.12, 0.61), ((-1.3, 3.3), (-0.4, 1.4)), ((-0.6, 1.6), (-0.6, 1.6))),
    )
    sign = Material(
        "sign",
        (
            st.Sampler(wrap="clamp", min_filter="nearest", mag_filter="linear", border_color=(1.0, 1.0, 1.0, 0.0)),
            smooth,
        ),
        ([arrow(8)], [bricks(8, (255, 255, 255), (220, 220, 220))]),
        upright((0.37, 0.86), (-0.29, 0.44), ((-0.25, 1.25), (-0.25, 1.25)), ((0.0, 1.0), (0.0, 1.0))),
    )
    return [ground, wall, sign]


def bricks(side: int, light: tuple[int, int, int], dark: tuple[int, int, int]) -> np.ndarray:
    """Two colours in a bond of bricks, with one bright corner so that a mirror shows."""
    y, x = np.mgrid[:side, :side]
    joint = (y % 4 == 0) | ((x + 4 * (y // 4 % 2)) % 8 == 0)
    texels = np.where(joint[..., None], [*dark, 255], [*light, 255]).astype(np.uint8)
    texels[: side // 8 + 1, : side // 8 + 1] = (250, 220, 120, 255)
    return texels


def arrow(side: int) -> np.ndarray:
    """Return an arrow upwards on white."""
    y, x = np.mgrid[:side, :side]
    off = np.abs(x - (side - 1) / 2)
    head, shaft = (y >= side // 2) & (off <= side - 1 - y), (y < side // 2) & (off < side / 6)
    return np.where((head | shaft)[..., None], [200, 40, 40, 255], [245, 240, 225, 255]).astype(np.uint8)


def noise(side: int) -> np.ndarray:
    """Grey noise, the same in every run."""
    grey = np.random.default_rng(64).integers(120, 256, (side, side, 1))
    return np.concatenate([np.broadcast_to(grey, (side, side, 3)), np.full((side, side, 1), 255)], 2).astype(np.uint8)


def mipmaps(texels: np.ndarray) -> list[np.ndarray]:
    """Halve a square down to one texel, each the mean of four, tinted so that the level shows."""
    levels = [texels]
    while len(levels[-1]) > 1:
        half = levels[-1].reshape(len(levels[-1]) // 2, 2, len(levels[-1]) // 2, 2, 4).astype(float).mean((1, 3))
        levels.append((half * (0.97, 0.97, 1.0, 1.0)).round().clip(0, 255).astype(np.uint8))
    return levels


def floor(x: tuple[float, float], depth: tuple[float, float], *units: tuple[tuple[float, float], ...]) -> np.ndarray:
    """Give the corners of a plane below the eye, in perspective: ``depth`` in units of the eye's height."""
    return np.array(
        [
            (x[i], -1.0, 0.5 * depth[j], depth[j], units[0][0][i], units[0][1][j], units[1][0][i], units[1][1][j])
            for j in (0, 1)
            for i in (0, 1)
        ],
        np.float32,
    )


def upright(x: tuple[float, float], y: tuple[float, float], *units: tuple[tuple[float, float], ...]) -> np.ndarray:
    """Give the corners of a rectangle that faces the eye."""
    return np.array(
        [
            (x[i], y[j], 0.5, 1.0, units[0][0][i], units[0][1][j], units[1][0][i], units[1][1][j])
            for j in (0, 1)
            for i in (0, 1)
        ],
        np.float32,
    )
