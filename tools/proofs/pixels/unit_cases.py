"""Cases for the reference unit and a driver: each a state, a target, a format and an expression."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.pipe import WRAPS, Func, SamplerState, TexWrap
from statetracker.reference import EXACT, TARGETS, Precision
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.scene import GL_TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.reference import TextureUnit

__all__ = ["AXES", "COMPARED", "GROUPS", "Case", "cases", "half_steps", "places"]

AXES: Final = ("wrap_s", "wrap_t", "wrap_r")
_MIPS: Final = tuple(product(("NEAREST", "LINEAR"), ("NONE", "NEAREST", "LINEAR")))
_RECT: Final = (TexWrap.CLAMP, TexWrap.CLAMP_TO_EDGE, TexWrap.CLAMP_TO_BORDER)
_BORDERED: Final = tuple(wrap for wrap in TexWrap if WRAPS[wrap].reads_border)
#: Beyond what fixed-point formats hold: GL limits the border colour to the format's range.
_BORDER: Final = (2.0, 3.0, -5.0, 0.25)
_INTEGER_BORDERS: Final = {"int": (-2147483648.0, 7.0, -3.0, 2147483647.0), "uint": (4294967295.0, 7.0, 0.0, 1.0)}


class Case(NamedTuple):
    """One draw and its judgement.

    Attributes:
        state: All but the border colour's words.
        border: As numbers of the texels' kind.
        expression: GLSL: ``AT`` the place, ``d.x`` the value to compare with, ``d.y`` the level of detail.
        lod: The level of detail of all samples; None: each its own, ``d.y``.
        half_steps: The places are exactly the texels' borders and centres.
        gather: The component that is gathered; None for sampling.
        group: A key of `GROUPS`.
        driver: That draws it.
    """

    target: str
    state: SamplerState
    expression: str
    texel_format: str = "RGBA32F"
    levels: int = 1
    border: tuple[float, ...] = _BORDER
    seamless: bool = False
    lod: float | None = 0.0
    half_steps: bool = False
    offset: tuple[int, ...] = ()
    gather: int | None = None
    precision: Precision = EXACT
    group: str = "random"
    driver: str = "llvmpipe"

    @property
    def name(self) -> str:
        """A readable name, without the group."""
        wraps = "/".join(TexWrap(one).name for one in (self.state.wrap_s, self.state.wrap_t, self.state.wrap_r))
        filters = f"{self.state.min_img_filter.name}-{self.state.mag_img_filter.name}-{self.state.min_mip_filter.name}"
        compare = f" {Func(self.state.compare_func).name}" if self.state.compare_mode else ""
        return f"{self.target} {self.texel_format} {wraps} {filters}{compare}"

    def arguments(self, unit: TextureUnit, details: NDArray[Any]) -> dict[str, Any]:
        """Return what the reference unit takes beside places: of each ``details``, a reference and a level."""
        given: dict[str, Any] = {"offset": self.offset, "lod": details[:, 1] if self.lod is None else self.lod}
        return given | ({"reference": details[:, 0]} if unit.compares else {})


def _state(wraps: tuple[TexWrap, ...], minify: str, mag: str = "", mip: str = "NONE", **members: Any) -> SamplerState:
    s, t, r = (*wraps, *(wraps[0],) * 2)[:3]
    return SamplerState(
        wrap_s=s, wrap_t=t, wrap_r=r, min_img_filter=minify, mag_img_filter=mag or minify, min_mip_filter=mip,
        **({"min_lod": -1000.0, "max_lod": 1000.0} | members),
    )  # fmt: skip


def _plain(target: str) -> str:
    return "texture(image, AT)" if target == "rect" else "textureLod(image, AT, 0.0)"


def _every_wrap() -> Iterator[Case]:
    for target, image_filter in product(GL_TARGETS, ("NEAREST", "LINEAR")):
        for wrap in _RECT if target == "rect" else TexWrap:
            yield Case(target, _state((wrap,), image_filter), _plain(target))


def _pairs() -> Iterator[Case]:
    for target in ("2d", "3d", "rect"):
        allowed = _RECT if target == "rect" else tuple(TexWrap)
        for first, second in product(allowed, repeat=2):
            if first != second:
                yield Case(target, _state((first, second, first), "LINEAR"), _plain(target))


def _seamless() -> Iterator[Case]:
    for target, image_filter in product(("cube", "cube-array"), ("NEAREST", "LINEAR")):
        state = _state((TexWrap.CLAMP_TO_BORDER,), image_filter)
        yield Case(target, state, _plain(target), seamless=True)


def _borders() -> Iterator[Case]:
    for texel_format, row in FORMATS.items():
        integer = row.kind in {"int", "uint"}
        filters = ("NEAREST",) if integer else ("NEAREST", "LINEAR")
        border = _INTEGER_BORDERS.get(row.kind, (-5.0, 3.0, 0.25, 2.0) if texel_format == "DEPTH16" else _BORDER)
        if texel_format == "RGBA8I":
            border = (-128.0, 127.0, -3.0, 5.0)
        for wrap, image_filter in product(TexWrap, filters):
            state = _state((wrap,), image_filter)
            yield Case("2d", state, _plain("2d"), texel_format, border=border)


def _compares() -> Iterator[Case]:
    for texel_format, target in product(("DEPTH32F", "DEPTH16", "DEPTH24"), ("1d", "1d-array", "2d", "2d-array")):
        for wrap, func in product(_BORDERED, (Func.LEQUAL, Func.GREATER)):
            expression = COMPARED[target]
            state = _state((wrap,), "LINEAR", compare_mode=1, compare_func=func)
            border = (0.5, 0.0, 0.0, 0.0)
            yield Case(target, state, expression, texel_format, border=border)
    for func, image_filter in product(Func, ("NEAREST", "LINEAR")):
        state = _state((TexWrap.CLAMP,), image_filter, compare_mode=1, compare_func=func)
        yield Case("2d", state, COMPARED["2d"], "DEPTH32F", border=(2.0, 0.0, 0.0, 0.0))


#: Target -> GLSL that compares.
COMPARED: Final = {
    "1d": "textureLod(image, vec3(c.x, 0.0, d.x), 0.0), 0, 0, 1",
    "1d-array": "textureLod(image, vec3(c.xy, d.x), 0.0), 0, 0, 1",
    "2d": "textureLod(image, vec3(c.xy, d.x), 0.0), 0, 0, 1",
    "2d-array": "textureGrad(image, vec4(c.xyz, d.x), vec2(0), vec2(0)), 0, 0, 1",
}


def _levels() -> Iterator[Case]:
    precision = EXACT._replace(lod_bits=8, lod_absolute=2.0**-9)
    rest: dict[str, Any] = {"lod": None, "precision": precision}
    expression = "textureLod(image, AT, d.y)"
    for (minify, mip), mag in product(_MIPS, ("NEAREST", "LINEAR")):
        state = _state((TexWrap.MIRROR_REPEAT, TexWrap.CLAMP), minify, mag, mip)
        yield Case("2d", state, expression, levels=4, **rest)
    for target in ("1d", "2d-array", "3d"):
        state = _state((TexWrap.CLAMP,), "LINEAR", "", "LINEAR")
        yield Case(target, state, expression, levels=3, **rest)
    for limits in ({"min_lod": 0.75}, {"max_lod": 1.25}, {"lod_bias": 0.75}, {"lod_bias": -1.5, "min_lod": -0.25}):
        state = _state((TexWrap.CLAMP,), "LINEAR", "NEAREST", "LINEAR", **limits)
        yield Case("2d", state, expression, levels=4, **rest)


def _offsets() -> Iterator[Case]:
    for wrap, lod, mip in product(TexWrap, (0.0, 1.0), ("NEAREST",)):
        state = _state((wrap, TexWrap.CLAMP), "LINEAR", "", mip)
        expression = f"textureLodOffset(image, AT, {lod}, ivec2(3, -2))"
        yield Case("2d", state, expression, levels=2, lod=lod, offset=(3, -2))


def _gathers() -> Iterator[Case]:
    for wrap in TexWrap:
        yield Case("2d", _state((wrap,), "LINEAR"), "textureGather(image, AT)", gather=0)


def _zero() -> Iterator[Case]:
    for wrap, image_filter in product(TexWrap, ("NEAREST", "LINEAR")):
        yield Case("1d", _state((wrap,), image_filter), _plain("1d"), half_steps=True)


#: Group of cases -> how they are made.
GROUPS: Final = {
    "wraps": _every_wrap,
    "pairs": _pairs,
    "seamless": _seamless,
    "borders": _borders,
    "compares": _compares,
    "levels": _levels,
    "offsets": _offsets,
    "gathers": _gathers,
    "mirrored zero": _zero,
}


def cases(driver: str, groups: tuple[str, ...] = ()) -> list[Case]:
    """All cases of some groups; of all of them, where none is named."""
    return [case._replace(group=group, driver=driver) for group in groups or GROUPS for case in GROUPS[group]()]


def half_steps(size: int) -> NDArray[np.float32]:
    """Every texel's border and centre from one texture below to one above: (n, 1)."""
    return (np.arange(-2 * size, 4 * size + 1)[:, None] / (2 * size)).astype(np.float32)


def places(target: str, size: tuple[int, ...], side: int, seed: int = 11) -> NDArray[np.float32]:
    """Coordinates from well below to well above a texture, or directions of any length: (side * side, k).

    The four fragments of a 2 x 2 quad get the same direction: llvmpipe chooses a cube's face once a quad.
    """
    count, chance = side * side, np.random.default_rng(seed)
    shape = TARGETS[target]
    if shape.cube:
        coordinates = chance.normal(size=(count, 3))
        layer = chance.integers(-1, 4, (count, 1))
        both = np.hstack([coordinates, layer]) if shape.layered else coordinates
        return both.reshape(side, side, -1)[::2, ::2].repeat(2, 0).repeat(2, 1).reshape(count, -1).astype(np.float32)
    scale = size[:2] if target == "rect" else (1.0,) * shape.axes
    coordinates = chance.uniform(-2.2, 3.2, (count, shape.axes)) * scale
    if shape.layered:
        coordinates = np.hstack([coordinates, chance.uniform(-1, size[-1] + 1, (count, 1))])
    return coordinates.astype(np.float32)
