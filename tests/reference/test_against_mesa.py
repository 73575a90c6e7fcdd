"""The reference texture unit against the machine's own GL: every wrap on every target and filter."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from statetracker.bindings import egl
from statetracker.bindings.gl_run import COVERING, Image, build, draw, sampler, texture
from statetracker.pipe import SamplerState, TexFilter, TexWrap
from statetracker.reference import EXACT, Precision, Texels, TextureUnit, bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.bindings.gl import GL

pytestmark = pytest.mark.live

#: PIPE_TEX_WRAP_* -> GL's number.
GL_WRAPS: Final = (0x2901, 0x2900, 0x812F, 0x812D, 0x8370, 0x8742, 0x8743, 0x8912)
#: Target -> (GL's number, GLSL sampler, coordinate taken from a vec4, size of the base level).
TARGETS: Final = {
    "1d": (0x0DE0, "sampler1D", "c.x", (7,)),
    "1d-array": (0x8C18, "sampler1DArray", "c.xy", (8, 3)),
    "2d": (0x0DE1, "sampler2D", "c.xy", (5, 8)),
    "2d-array": (0x8C1A, "sampler2DArray", "c.xyz", (4, 3, 3)),
    "rect": (0x84F5, "sampler2DRect", "c.xy", (5, 6)),
    "3d": (0x806F, "sampler3D", "c.xyz", (4, 3, 5)),
    "cube": (0x8513, "samplerCube", "c.xyz", (4, 4)),
    "cube-array": (0x9009, "samplerCubeArray", "c", (4, 4, 12)),
}
SIDE: Final = 48
#: Where llvmpipe departs from GL: without seamless filtering it clamps a cube's faces to the edge, whatever the wrap.
LLVMPIPE_INSTEAD: Final = {
    target: dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), TexWrap.CLAMP_TO_EDGE) for target in ("cube", "cube-array")
}
SEAMLESS: Final = 0x884F
BORDER: Final = (2.0, 3.0, 5.0, 7.0)
#: (min image filter, mip filter) -> GL_TEXTURE_MIN_FILTER.
MIN_FILTERS: Final = {
    ("NEAREST", "NONE"): 0x2600,
    ("LINEAR", "NONE"): 0x2601,
    ("NEAREST", "NEAREST"): 0x2700,
    ("LINEAR", "NEAREST"): 0x2701,
    ("NEAREST", "LINEAR"): 0x2702,
    ("LINEAR", "LINEAR"): 0x2703,
}


@pytest.fixture(scope="module")
def gl() -> Iterator[GL]:
    """A context of the machine's GL; cubes with seams unless a test asks."""
    if not egl.available():
        pytest.skip(egl.available().reason)
    with egl.Context() as context:
        yield context.gl


class Scene:
    """One texture of random texels, in GL and for the reference unit."""

    def __init__(self, gl: GL, target: str, *, levels: int = 1) -> None:
        """Upload random texels."""
        self.gl, self.target = gl, target
        number, self.kind, self.taken, size = TARGETS[target]
        random = np.random.default_rng(7)
        arrays, images = [], []
        layered = target.endswith("array")
        for level in range(levels):
            spatial = tuple(max(1, part >> level) for part in (size[:-1] if layered else size))
            shape = (size[-1],) if layered else ((6,) if target == "cube" else ())
            array = random.random((*shape, *spatial[::-1], 4), np.float32)
            arrays.append(array)
            images.append(Image((*spatial, *shape) if layered else spatial, array.tobytes()))
        self.texels = Texels(target, arrays)
        self.number = number
        self.name = texture(gl, number, 0x8814, images, pixel_format=0x1908, pixel_type=0x1406)

    def sample(self, parameters: dict[int, Any], coordinates: np.ndarray[Any, Any], expression: str) -> Any:
        """Draw with a sampler object and give (n, 4) texels; ``expression`` says how ``image`` is sampled at ``c``."""
        coordinates = np.asarray(coordinates, np.float32)
        shader = f"""\
        #version 450
        layout(binding = 0) uniform {self.kind} image;
        layout(binding = 0, std430) readonly buffer Places {{ vec4 places[]; }};
        layout(location = 0) out vec4 found;
        void main() {{
            vec4 c = places[int(gl_FragCoord.y) * {SIDE} + int(gl_FragCoord.x)];
            found = {expression.replace("AT", self.taken)};
        }}
        """
        program = build(self.gl, {"vertex": COVERING, "fragment": shader})
        wide = np.zeros((SIDE * SIDE, 4), np.float32)
        wide[: len(coordinates), : coordinates.shape[1]] = coordinates
        bound = {0: (self.number, self.name, sampler(self.gl, parameters))}
        texels = draw(self.gl, program, (SIDE, SIDE), textures=bound, storage={0: wide.tobytes()})
        self.gl.call("glDeleteProgram", program)
        return np.frombuffer(texels, np.float32).reshape(-1, 4)[: len(coordinates)]


def state_and_parameters(
    wraps: tuple[TexWrap, ...], min_filter: str, mag: str, mip: str
) -> tuple[SamplerState, dict[int, Any]]:
    """Say the same to both sides."""
    s, t, r = (*wraps, *(TexWrap.REPEAT,) * (3 - len(wraps)))
    state = SamplerState(
        wrap_s=s, wrap_t=t, wrap_r=r, min_img_filter=min_filter, mag_img_filter=mag, min_mip_filter=mip,
        max_lod=1000.0, min_lod=-1000.0, border_color=BORDER,
    )  # fmt: skip
    return state, {
        0x2802: GL_WRAPS[s],
        0x2803: GL_WRAPS[t],
        0x8072: GL_WRAPS[r],
        0x2801: MIN_FILTERS[min_filter, mip],
        0x2800: 0x2600 + TexFilter[mag],
        0x1004: BORDER,
    }


def places(target: str, count: int = SIDE * SIDE) -> np.ndarray[Any, Any]:
    """Coordinates from well below to well above the texture, and directions of any length.

    The four fragments of a 2 x 2 quad get the same direction: llvmpipe chooses a cube's face once a quad.
    """
    random = np.random.default_rng(11)
    size = TARGETS[target][3]
    if target.startswith("cube"):
        found = random.normal(size=(count, 3))
        layer = random.integers(-1, 4, (count, 1))
        both = np.hstack([found, layer]) if target.endswith("array") else found
        quads = both.reshape(SIDE, SIDE, -1)[::2, ::2].repeat(2, 0).repeat(2, 1).reshape(count, -1)
        return quads.astype(np.float32)
    layered = target.endswith("array")
    axes = len(size) - layered
    found = random.uniform(-2.2, 3.2, (count, axes)) * (size if target == "rect" else (1.0,) * axes)
    layers = random.uniform(-1, size[-1] + 1, (count, 1))
    return (np.hstack([found, layers]) if layered else found).astype(np.float32)


def wraps_of(target: str) -> list[tuple[TexWrap, ...]]:
    """The same wrap on every axis; rectangles have three."""
    allowed = (TexWrap.CLAMP, TexWrap.CLAMP_TO_EDGE, TexWrap.CLAMP_TO_BORDER) if target == "rect" else tuple(TexWrap)
    return [(wrap,) * 3 for wrap in allowed]


CASES: Final = [
    (target, wraps, image_filter)
    for target in TARGETS
    for wraps in wraps_of(target)
    for image_filter in ("NEAREST", "LINEAR")
]


@pytest.mark.parametrize(("target", "wraps", "image_filter"), CASES)
def test_every_wrap_on_every_target(gl: GL, target: str, wraps: tuple[TexWrap, ...], image_filter: str) -> None:
    """One level, an explicit level of detail."""
    scene = Scene(gl, target)
    state, parameters = state_and_parameters(wraps, image_filter, image_filter, "NONE")
    at = places(target)
    expression = "texture(image, AT)" if target == "rect" else "textureLod(image, AT, 0.0)"
    found = scene.sample(parameters, at, expression)
    check(TextureUnit(state.replace(**LLVMPIPE_INSTEAD.get(target, {})), scene.texels), at, found)


@pytest.mark.parametrize("target", ["2d", "3d"])
@pytest.mark.parametrize("wraps", [(a, b, a) for a, b in product(TexWrap, repeat=2) if a != b])
def test_axes_wrap_on_their_own(gl: GL, target: str, wraps: tuple[TexWrap, ...]) -> None:
    """Every pair of different wraps."""
    scene = Scene(gl, target)
    state, parameters = state_and_parameters(wraps, "LINEAR", "LINEAR", "NONE")
    at = places(target, 1024)
    check(TextureUnit(state, scene.texels), at, scene.sample(parameters, at, "textureLod(image, AT, 0.0)"))


@pytest.mark.parametrize("image_filter", ["NEAREST", "LINEAR"])
@pytest.mark.parametrize("target", ["cube", "cube-array"])
def test_cubes_without_seams(gl: GL, target: str, image_filter: str) -> None:
    """Wraps do not matter; where three faces meet, the fourth texel is the average of the others."""
    scene = Scene(gl, target)
    state, parameters = state_and_parameters((TexWrap.CLAMP_TO_BORDER,) * 3, image_filter, image_filter, "NONE")
    at = places(target)
    gl.call("glEnable", SEAMLESS)
    try:
        found = scene.sample(parameters, at, "textureLod(image, AT, 0.0)")
    finally:
        gl.call("glDisable", SEAMLESS)
    check(TextureUnit(state.replace(seamless_cube_map=True), scene.texels), at, found)


@pytest.mark.parametrize("mag", ["NEAREST", "LINEAR"])
@pytest.mark.parametrize(("minify", "mip"), MIN_FILTERS)
def test_levels_and_filters_are_chosen_alike(gl: GL, minify: str, mip: str, mag: str) -> None:
    """Explicit levels of detail from -1 to 4, off the borders between two choices; llvmpipe takes one a quad."""
    scene = Scene(gl, "2d", levels=4)
    state, parameters = state_and_parameters((TexWrap.MIRROR_REPEAT, TexWrap.CLAMP), minify, mag, mip)
    at = places("2d")
    row, column = np.divmod(np.arange(len(at)), SIDE)
    lod = (row // 2 * (SIDE // 2) + column // 2) % 40 / 8 - 0.9375
    quad = f"((int(gl_FragCoord.y) / 2) * {SIDE // 2} + int(gl_FragCoord.x) / 2)"
    expression = f"textureLod(image, AT, float({quad} % 40) / 8.0 - 0.9375)"
    precision = EXACT._replace(lod_bits=8, lod_absolute=2.0**-9)
    check(TextureUnit(state, scene.texels), at, scene.sample(parameters, at, expression), precision, lod=lod)


def test_offsets_are_texels_of_the_level(gl: GL) -> None:
    """Added after scaling, before the wrap."""
    scene = Scene(gl, "2d", levels=2)
    state, parameters = state_and_parameters((TexWrap.CLAMP, TexWrap.REPEAT), "LINEAR", "LINEAR", "NEAREST")
    at = places("2d")
    for lod in (0.0, 1.0):
        found = scene.sample(parameters, at, f"textureLodOffset(image, AT, {lod}, ivec2(3, -2))")
        check(TextureUnit(state, scene.texels), at, found, lod=lod, offset=(3, -2))


@pytest.mark.parametrize("wrap", TexWrap)
def test_gathers_give_the_four_texels_in_order(gl: GL, wrap: TexWrap) -> None:
    """The footprint of linear filtering, whatever the filter."""
    scene = Scene(gl, "2d")
    state, parameters = state_and_parameters((wrap, wrap), "LINEAR", "LINEAR", "NONE")
    at = places("2d")
    found = scene.sample(parameters, at, "textureGather(image, AT, 2)")
    same = (found == np.float32(TextureUnit(state, scene.texels).gather(at, 2))).all(axis=1)
    assert same.mean() > 0.995  # a rounding away from a texel's centre is another footprint


def check(unit: TextureUnit, at: Any, found: Any, precision: Precision = EXACT, **arguments: Any) -> None:
    """Every sample lies within its bounds."""
    held = bounds(unit, at, precision, **arguments).hold(found)
    assert held.all(), (held.mean(), at[~held][:3], found[~held][:3], unit.sample(at, **arguments)[~held][:3])
