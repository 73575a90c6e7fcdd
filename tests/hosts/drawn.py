"""Sampler states as a host draws them, and what GL allows of the picture.

Every fragment samples at a place and a level of detail of its own, out of two storage buffers or images of the host.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.reference import Precision, Texels, TextureUnit, bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.pipe import SamplerState

WRAPS: Final = (
    *("repeat", "mirrored-repeat", "clamp-to-edge", "clamp-to-border", "clamp"),
    *("mirror-clamp-to-edge", "mirror-clamp-to-border-ext", "mirror-clamp-ext"),
)
MIN_FILTERS: Final = (
    *("nearest", "linear", "nearest-mipmap-nearest"),
    *("linear-mipmap-nearest", "nearest-mipmap-linear", "linear-mipmap-linear"),
)
#: Side of a picture.
SIDE: Final = 16
#: Texels of level 0: width, height, depth of a volume.
SIZE: Final = (8, 4, 4)
LEVELS: Final = 3


class Kind(NamedTuple):
    """What is sampled.

    Attributes:
        target: Of GL's texture.
        internal_format: Of GL's texture.
        image: GPUTextureFormat, which the image has.
        channels: Of a texel in memory.
        dtype: Of a texel in memory.
        divisor: Numbers in memory divided by this are what is sampled.
        seen: Red, green, blue, alpha of channels in memory; 4 is zero, 5 is one.
        shader: The type of the variable.
        expression: That samples it.
    """

    target: str
    internal_format: str
    image: str
    channels: int
    dtype: str
    divisor: int
    seen: tuple[int, ...]
    shader: str
    expression: str = "textureLod(image, c.xy, d.y)"
    reference: str = "unorm"


# fmt: off
#: Kinds of textures, by name.
KINDS: Final = {
    "colour": Kind("2d", "RGBA8", "rgba8unorm", 4, "u1", 255, (0, 1, 2, 3), "sampler2D"),
    "volume": Kind(
        "3d", "RGBA8", "rgba8unorm", 4, "u1", 255, (0, 1, 2, 3), "sampler3D", "textureLod(image, c.xyz, d.y)"
    ),
    "line": Kind("1d", "RGBA8", "rgba8unorm", 4, "u1", 255, (0, 1, 2, 3), "sampler1D", "textureLod(image, c.x, d.y)"),
    "line at implicit levels": Kind(
        "1d", "RGBA8", "rgba8unorm", 4, "u1", 255, (0, 1, 2, 3), "sampler1D", "texture(image, c.x)"
    ),
    "luminance": Kind("2d", "LUMINANCE8", "r8unorm", 1, "u1", 255, (0, 0, 0, 5), "sampler2D"),
    "alpha": Kind("2d", "ALPHA8", "rgba8unorm", 4, "u1", 255, (4, 4, 4, 3), "sampler2D"),
    "depth compared": Kind(
        "2d", "DEPTH_COMPONENT16", "depth16unorm", 1, "u2", 65535, (0, 4, 4, 5), "sampler2DShadow",
        "texture(image, vec3(c.xy, d.x))", "unorm-depth",
    ),
    "depth compared at a level": Kind(
        "2d", "DEPTH_COMPONENT16", "depth16unorm", 1, "u2", 65535, (0, 4, 4, 5), "sampler2DShadow",
        "textureLod(image, vec3(c.xy, d.x), d.y)", "unorm-depth",
    ),
    "depth not compared": Kind(
        "2d", "DEPTH_COMPONENT16", "depth16unorm", 1, "u2", 65535, (0, 0, 0, 5), "sampler2D"
    ),
    "integer": Kind("2d", "RGBA8UI", "rgba8uint", 4, "u1", 0, (0, 1, 2, 3), "usampler2D", reference="uint"),
}
# fmt: on
#: Of these, those that are sampled without a level.
IMPLICIT: Final = ("depth compared", "line at implicit levels")


class Case(NamedTuple):
    """A sampler and a texture."""

    kind: Kind
    sampler: st.Sampler
    texture: st.Texture
    levels: list[NDArray[Any]]

    @property
    def name(self) -> str:
        return f"{self.kind.internal_format}: {self.sampler}"


#: How many states there are: wraps on each axis, filters, with a bias or without.
STATES: Final = len(WRAPS) ** 3 * len(MIN_FILTERS) * 4


def numbered(kind: str, number: int) -> dict[str, Any]:
    """Return a state by its number."""
    state: dict[str, Any] = {}
    for axis in "str":
        number, wrap = divmod(number, len(WRAPS))
        state[f"wrap_{axis}"] = WRAPS[wrap]
    number, low = divmod(number, len(MIN_FILTERS))
    number, high = divmod(number, 2)
    state |= {
        "min_filter": MIN_FILTERS[low],
        "mag_filter": ("nearest", "linear")[high],
        "lod_bias": (0.0, 0.75)[number % 2],
    }
    if KINDS[kind].reference == "uint":  # with linear filters GL calls it incomplete, and it is black
        state |= {"min_filter": MIN_FILTERS[low & ~1 if low < 2 else 2], "mag_filter": "nearest"}
    if kind in IMPLICIT:  # at levels that nobody knows: one filter
        state["mag_filter"] = MIN_FILTERS[low].partition("-")[0]
    if kind.startswith("depth compared"):
        state |= {"compare_mode": "compare-ref-to-texture", "compare_func": "lequal"}
    return state


def cases(kind: str, count: int, seed: int = 1) -> Iterator[Case]:
    """Yield random states of a kind; the same for a seed."""
    chance = Random(f"{kind} {seed}")  # noqa: S311 (no secret)
    for _ in range(count):
        yield case(kind, chance.randrange(STATES), tuple(chance.random() for _ in range(4)))


def case(kind: str, number: int, border: tuple[float, ...] = (0.9, 0.1, 0.6, 0.3)) -> Case:
    """Return a state of a kind by its number."""
    row = KINDS[kind]
    state = numbered(kind, number)
    sampler = st.Sampler(**state, border_color=border)
    if row.reference == "uint":
        sampler.update(border_color_i=tuple(int(part * 255) for part in border))
    shape = SIZE[: int(row.target[0])]
    levels = 1 if kind in IMPLICIT else LEVELS
    texture = st.Texture(row.target, row.internal_format, shape, levels=levels, max_level=levels - 1)
    chance = np.random.default_rng(7)
    texels = [
        chance.integers(
            0,
            np.iinfo(row.dtype).max,
            (*(max(1, part >> at) for part in shape[::-1]), row.channels),
            row.dtype,
            endpoint=True,
        )
        for at in range(levels)
    ]
    return Case(row, sampler, texture, texels)


def places() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return where each fragment samples, (n, 4), and its reference and level of detail, (n, 4)."""
    chance = np.random.default_rng(11)
    at, details = np.zeros((2, SIDE * SIDE, 4), np.float32)
    at[:, :3] = chance.uniform(-2.2, 3.2, (SIDE * SIDE, 3))
    details[:, 0] = chance.uniform(-0.2, 1.2, SIDE * SIDE)
    details[:, 1] = chance.uniform(-1.0, LEVELS, SIDE * SIDE)
    return at, details


def wrong(one: Case, picture: NDArray[np.float32]) -> int:
    """Return how many fragments of a picture, (n, 4), lie outside what GL allows."""
    kind = one.kind
    levels = [seen_texels(kind, level) for level in one.levels]
    state = gl_state(kind, one.sampler, one.texture)
    unit = TextureUnit(state, Texels(kind.target, levels, kind=kind.reference))
    at, details = places()
    given: dict[str, Any] = {"reference": details[:, 0]} if unit.compares else {}
    if len(one.levels) > 1:
        given["lod"] = details[:, 1]
    precision = Precision(lod_absolute=2.0**-8, value_absolute=2 / 255 if kind.dtype == "u1" else 2.0**-14)
    seen = picture.copy()
    if unit.compares:
        seen[:, 1:] = (0, 0, 1)
    return int((~bounds(unit, at[:, : unit.texels.shape.axes], precision, **given).hold(seen)).sum())


def gl_state(kind: Kind, sampler: st.Sampler, texture: st.Texture) -> SamplerState:
    """Return what the reference samples with: llvmpipe's state, its border as the swizzle shows it."""
    state = st.convert(sampler, texture, st.Screen.named("llvmpipe")).pipe
    if kind.divisor:  # the driver puts the border through the swizzle, as it does texels
        border = (*state.border_color_f, 0.0, 1.0)
        state = state.replace(border_color=tuple(border[at] for at in kind.seen))
    return state


def seen_texels(kind: Kind, level: NDArray[Any]) -> NDArray[Any]:
    """What is sampled of texels in memory."""
    values = level / kind.divisor if kind.divisor else level
    zero, one = np.zeros_like(values[..., :1]), np.ones_like(values[..., :1])
    every = np.concatenate([values, *[zero] * (4 - values.shape[-1]), zero, one], axis=-1)
    return every[..., list(kind.seen)]
