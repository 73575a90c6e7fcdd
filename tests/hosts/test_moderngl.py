"""`Renderer` for moderngl: random states in a core context beside GL itself in a compatibility one; its promises."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pytest

import statetracker as st
from statetracker.bindings.egl import Context
from statetracker.bindings.gl import build
from statetracker.errors import ArgumentError, CallFailed
from statetracker.gl import enums as e
from statetracker.reference import Precision, Texels, TextureUnit, bounds
from tests.hosts.promises import CLAMPED, assert_kept, assert_warm
from tools.proofs.pixels.gl_draw import Image, draw, sampler, texture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.hosts.moderngl import Draw, Renderer

pytestmark = pytest.mark.live("moderngl", "egl", "glslangValidator")

SIDE: Final = 32
SIZE: Final = 8
LEVELS: Final = 4
NEAR: Final = 2 / 255 + 1e-6
#: Seeds of states in which the shader's level of detail and GL's own, each rounded to 1/256, are two steps apart.
LEVELS_APART: Final = (774, 1976)
PRECISION: Final = Precision(texel_bits=8, lod_bits=8, lod_absolute=2.0**-6, value_absolute=1 / 255)


class Kind(NamedTuple):
    """What is sampled: GL's internal format, the core context's in its place with a swizzle, and how it is uploaded."""

    internal_format: int
    core_format: int
    swizzle: tuple[int, ...]
    pixels: tuple[int, int]
    channels: int
    name: str
    sampler: str = "sampler2D"
    sample: str = "texture(wall, uv)"


_FLOAT, _BYTE, _UINT = 0x1406, 0x1401, 0x1405
#: Formats, by name.
KINDS: Final = {
    "colour": Kind(0x8058, 0x8058, (), (0x1908, _BYTE), 4, "RGBA8"),
    "luminance": Kind(0x8040, 0x8229, (0x1903, 0x1903, 0x1903, 1), (0x1909, _BYTE), 1, "LUMINANCE8"),
    "alpha": Kind(0x803C, 0x8229, (0, 0, 0, 0x1903), (0x1906, _BYTE), 1, "ALPHA8"),
    "compared": Kind(
        *(0x8CAC, 0x8CAC, (), (0x1902, _FLOAT), 1, "DEPTH_COMPONENT32F", "sampler2DShadow"),
        "vec4(texture(wall, vec3(uv, 0.5)), 0.0, 0.0, 1.0)",
    ),
    "depth": Kind(0x8CAC, 0x8CAC, (), (0x1902, _FLOAT), 1, "DEPTH_COMPONENT32F"),
    "integer": Kind(
        *(0x8D7C, 0x8D7C, (), (0x8D99, _BYTE), 4, "RGBA8UI", "usampler2D"), "vec4(texture(wall, uv)) / 255.0"
    ),
}
#: ``other`` goes first and nowhere: the two stages agree on places by names.
VERTEX: Final = """\
#version 330
in vec2 corner, place;
out vec2 other, uv;
void main() { other = corner.yx; uv = place; gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0); }
"""
FRAGMENT: Final = """\
#version 330
uniform SAMPLER wall;
in vec2 uv;
out vec4 colour;
void main() { colour = SAMPLE; }
"""
NATIVE: Final = """\
#version 330
uniform vec4 square;
out vec2 uv;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    uv = corner * square.xy + square.zw;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
"""
#: Fields of a sampler -> GL's parameters.
FIELDS: Final = {
    "wrap_s": 0x2802,
    "wrap_t": 0x2803,
    "min_filter": 0x2801,
    "mag_filter": 0x2800,
    "lod_bias": 0x8501,
    "border_color": 0x1004,
    "compare_mode": 0x884C,
    "compare_func": 0x884D,
}
#: ... where a shader cannot ask for its level of detail.
LEVELS_OF_GRADIENTS: Final = PRECISION._replace(lod_absolute=0.15)
STRIP: Final = 5


def current(ctx: Any) -> None:
    """Make a context of moderngl current."""
    ctx.__enter__()


def standalone() -> Any:
    import moderngl

    options: dict[str, Any] = {"standalone": True, "backend": "egl"}  # its types know one word less than it does
    return moderngl.create_context(**options)


def fragment(kind: Kind) -> str:
    return FRAGMENT.replace("SAMPLER", kind.sampler).replace("SAMPLE", kind.sample)


def as_es(text: str) -> str:
    """The same in GLSL ES 3.10."""
    return f"#version 310 es\nprecision highp float; precision highp int;\n{_PRECISE}{text.partition(chr(10))[2]}"


_PRECISE: Final = "precision highp sampler2D; precision highp usampler2D; precision highp sampler2DShadow;\n"


class Case(NamedTuple):
    """One picture: a sampler's fields, what is sampled, and the square of coordinates: size, then first corner."""

    kind: Kind
    fields: dict[str, Any]
    square: tuple[float, float, float, float]
    levels: list[NDArray[Any]]

    @classmethod
    def drawn(cls, seed: int) -> Case:
        random = Random(seed)  # noqa: S311 (cases, not secrets)
        name = random.choice([*KINDS])
        kind = KINDS[name]
        fields = {
            "wrap_s": random.choice([*e.Wrap]),
            "wrap_t": random.choice([*e.Wrap]),
            "min_filter": random.choice([*e.MinFilter]),
            "mag_filter": random.choice([*e.MagFilter]),
            "lod_bias": random.choice([0.0, 0.0, 0.75, -0.5, 1.5]),
            "border_color": tuple(random.choice([0.0, 0.25, 0.5, 1.0]) for _ in range(4)),
        }
        if name == "compared":
            fields |= {"compare_mode": 0x884E, "compare_func": random.choice([*e.CompareFunc])}
        size = random.choice([0.7, 2.2, 3.1, 9.3])
        square = (size, size, random.uniform(-1.6, 0.3), random.uniform(-1.6, 0.3))
        texels = np.random.default_rng(seed)
        shapes = [(SIZE >> n, SIZE >> n, kind.channels) for n in range(LEVELS)]
        if kind.pixels[1] == _FLOAT:
            return cls(kind, fields, square, [texels.random(shape, np.float32) for shape in shapes])
        return cls(kind, fields, square, [texels.integers(0, 256, shape, np.uint8) for shape in shapes])

    def image(self, gl: Any, *, core: bool) -> int:
        """The texture's name, in the context that is current."""
        images = [Image((SIZE >> n, SIZE >> n), level.tobytes()) for n, level in enumerate(self.levels)]
        kind = self.kind
        pixels = (0x1903, _BYTE) if core and kind.swizzle else kind.pixels
        name = texture(
            gl, 0x0DE1, kind.core_format if core else kind.internal_format, images,
            pixel_format=pixels[0], pixel_type=pixels[1],
        )  # fmt: skip
        if not core and pixels[1] == _FLOAT:
            gl.call("glTexParameteri", 0x0DE1, 0x884B, 0x1903)  # a core context has no other DEPTH_TEXTURE_MODE
        for pname, value in zip(range(0x8E42, 0x8E46), kind.swizzle if core else (), strict=False):
            gl.call("glTexParameteri", 0x0DE1, pname, value)
        return name

    def described(self) -> tuple[st.Sampler, st.Texture]:
        """As GL knows them."""
        made = st.Texture(internal_format=self.kind.name, size=(SIZE, SIZE), levels=LEVELS, depth_mode="red")
        made.max_level = LEVELS - 1
        colour = {"border_color": self.fields["border_color"]}
        if self.kind.name == "RGBA8UI":
            colour = {"border_color_i": [int(4 * one) for one in self.fields["border_color"]]}
        rest = {name: value for name, value in self.fields.items() if name != "border_color"}
        return st.Sampler(**rest, **colour), made

    def native(self, gl: Any) -> NDArray[Any]:
        """GL's own picture, in a compatibility context that is current."""
        name = self.image(gl, core=False)
        parameters = {FIELDS[field]: value for field, value in self.fields.items() if field != "border_color"}
        made = sampler(gl, {**parameters, FIELDS["border_color"]: self.fields["border_color"]})
        if self.kind.name == "RGBA8UI":
            gl.call("glSamplerParameterIuiv", made, 0x1004, [int(4 * one) for one in self.fields["border_color"]])
        program = build(gl, {"vertex": NATIVE, "fragment": fragment(self.kind)})
        gl.call("glUseProgram", program)
        gl.call("glUniform4f", gl.call("glGetUniformLocation", program, "square"), *self.square)
        texels = draw(gl, program, (SIDE, SIDE), textures={0: (0x0DE1, name, made)})
        gl.call("glDeleteProgram", program)
        gl.call("glDeleteSamplers", 1, [made])
        gl.call("glDeleteTextures", 1, [name])
        return np.frombuffer(texels, np.float32).reshape(-1, 4)

    def inside(self, seen: NDArray[Any], precision: Precision = PRECISION) -> NDArray[Any]:
        """Which texels the reference allows: black where the texture is incomplete, whose alpha is Mesa's affair."""
        asked, known = self.described()
        if known.missing(asked):
            return np.asarray((seen[:, :3] == 0).all(axis=1))
        state = st.convert(asked, known, st.Screen.named("llvmpipe")).pipe
        kind = "uint" if self.kind.name == "RGBA8UI" else "float"
        unit = TextureUnit(state, Texels("2d", [self._shown(level) for level in self.levels], kind=kind))
        middles = (np.stack(np.meshgrid(*[np.arange(SIDE) + 0.5] * 2), axis=-1) / SIDE).reshape(-1, 2)
        step = np.array([[self.square[0] / SIDE, 0.0], [0.0, self.square[1] / SIDE]])
        slopes = tuple(np.broadcast_to(one, (len(middles), 2)) for one in step)
        reference: dict[str, Any] = {"reference": 0.5} if unit.compares else {}
        whole = bounds(
            unit,
            middles * self.square[:2] + self.square[2:],
            precision,
            derivatives=(slopes[0], slopes[1]),
            **reference,
        )
        low, high = (edge / (255 if kind == "uint" else 1) for edge in whole)
        within = (seen >= low - NEAR) & (seen <= high + NEAR)
        return np.asarray((within[:, :1] if self.kind.name.startswith("DEPTH") else within).all(axis=1))

    def _shown(self, level: NDArray[Any]) -> NDArray[Any]:
        """A level as a program sees it."""
        whole = level if level.dtype == np.float32 or self.kind.name == "RGBA8UI" else level / 255
        if self.kind.channels == 4:
            return whole
        one, none = np.ones_like(whole), np.zeros_like(whole)
        parts = {"LUMINANCE8": (whole, whole, whole, one), "ALPHA8": (none, none, none, whole)}
        return np.concatenate(parts.get(self.kind.name, (whole, none, none, one)), axis=-1)


class Glue:
    """A context of `statetracker.bindings.egl`, as moderngl wants contexts."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def load_opengl_function(self, name: str) -> int:
        ours = self.context
        return int(ours.gl._ffi.cast("uintptr_t", ours._egl.lib.eglGetProcAddress(name.encode())))

    def __enter__(self) -> Any:
        self.context.make_current()
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def release(self) -> None:
        self.context.close()


def on_context(own: Context) -> Any:
    import moderngl

    options: dict[str, Any] = {"context": Glue(own)}
    return moderngl.create_context(310, **options)


#: The most that GLES lacks: it cannot ask for the number of a texture's levels.
NO_LEVELS: Final = "textureQueryLevels not supported in ES profile"


class Pictures:
    """A renderer in a context of moderngl, and a compatibility context beside it.

    The former is ``core``, ``3.30`` (the same, but it takes no SPIR-V) or ``es3``.
    """

    def __init__(self, kind: str = "core") -> None:
        from statetracker.hosts.moderngl import Renderer

        self.native = Context()
        self.gl = self.native.gl
        if kind == "es3":
            own = Context(kind)
            self.ctx, self.gl = on_context(own), own.gl
        else:
            self.ctx = standalone()
        self.renderer: Renderer = Renderer(self.ctx)
        self.renderer._driver.spirv &= kind == "core"
        texts = {row: (fragment(row), VERTEX) for row in KINDS.values()}
        if kind == "es3":
            texts = {row: (as_es(one), as_es(other)) for row, (one, other) in texts.items()}
        self.shaders = {row: self.renderer.shader(*both) for row, both in texts.items()}
        self.target = self.ctx.simple_framebuffer((SIDE, SIDE), 4, dtype="f4")

    def close(self) -> None:
        current(self.ctx)
        self.renderer.destroy()
        self.ctx.release()
        self.native.close()

    def core(self, case: Case) -> NDArray[Any]:
        """The renderer's picture; nothing where GLES lacks something, and says so."""
        current(self.ctx)
        image = self.ctx.external_texture(case.image(self.gl, core=True), (SIZE, SIZE), 4, 0, "f1")
        asked, known = case.described()
        bound = self.renderer.bind(self.shaders[case.kind], {"wall": (asked, known, image)})
        if self.gl is not self.native.gl and bound.unsupported:
            (line,) = bound.unsupported
            assert NO_LEVELS in line
            return np.zeros((0, 4), np.float32)
        assert not bound.unsupported
        seen = self.picture(bound, case.square)
        assert self.ctx.error == "GL_NO_ERROR"
        image.release()
        return seen

    def picture(self, bound: Draw, square: tuple[float, ...]) -> NDArray[Any]:
        corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], np.float32)
        vertices = np.concatenate([corners, corners * square[:2] + square[2:]], axis=1).astype(np.float32)
        buffer = self.ctx.buffer(vertices.tobytes())
        self.target.use()
        bound.use()
        array = self.ctx.vertex_array(bound.program, [(buffer, "2f 2f", "corner", "place")])
        array.render(STRIP)
        array.release()
        buffer.release()
        texels = self.gl._ffi.new("float[]", SIDE * SIDE * 4)
        self.gl.call("glReadPixels", 0, 0, SIDE, SIDE, 0x1908, _FLOAT, texels)
        return np.frombuffer(bytes(self.gl._ffi.buffer(texels)), np.float32).reshape(-1, 4)

    def judged(self, seed: int) -> tuple[Case, float, float]:
        """A case, the largest difference from GL, and the share of texels that neither it nor the bounds allow."""
        case = Case.drawn(seed)
        seen = self.core(case)
        if not len(seen):
            return case, 0.0, -1.0
        self.native.make_current()
        right = case.native(self.native.gl)
        apart = np.abs(seen - right).max(axis=1)
        far = apart > NEAR
        if far.any():
            far &= ~case.inside(seen, PRECISION if self.gl is self.native.gl else LEVELS_OF_GRADIENTS)
        return case, float(apart.max()), float(far.mean())


@pytest.fixture(scope="module")
def pictures() -> Iterator[Pictures]:
    made = Pictures()
    yield made
    made.close()


def test_every_state_is_drawn_as_gl_itself_draws_it(pictures: Pictures, whole: bool) -> None:
    """GL_CLAMP, which the core context lacks, in the shader."""
    for seed in range(2_000) if whole else (*range(60), *LEVELS_APART):
        case, _, wrong = pictures.judged(seed)
        assert wrong == 0.0, case.fields


@pytest.mark.live("spirv-cross")
@pytest.mark.parametrize(("kind", "most"), [("3.30", 0.0), ("es3", 0.3)])
def test_every_state_is_drawn_where_the_context_takes_no_spirv(kind: str, most: float, whole: bool) -> None:
    """By GLSL that is written of the rewritten modules; ``most`` of the states may be named as impossible."""
    pictures, seeds, named = Pictures(kind), range(2_000 if whole else 60), 0
    for seed in seeds:
        case, _, wrong = pictures.judged(seed)
        assert wrong <= 0.0, case.fields
        named += wrong < 0.0
    assert named <= most * len(seeds)
    pictures.close()


COLOUR: Final = KINDS["colour"]


@pytest.fixture
def own(pictures: Pictures) -> Iterator[tuple[Renderer, Any, Any]]:
    """A renderer of the test's own, with a shader and an image."""
    from statetracker.hosts.moderngl import Renderer

    current(pictures.ctx)
    made = Renderer(pictures.ctx)
    image = pictures.ctx.texture((4, 4), 4, bytes(range(64)))
    yield made, made.shader(fragment(COLOUR), VERTEX), image
    assert pictures.ctx.error == "GL_NO_ERROR"
    made.destroy()
    image.release()


def gl_calls(renderer: Renderer) -> list[str]:
    """The renderer's own calls of GL from now on."""
    calls: list[str] = []

    def counted(method: Any, name: str, *arguments: Any, **named: Any) -> Any:
        calls.append(name)
        return method(name, *arguments, **named)

    for name in ("write", "read", "call"):
        setattr(renderer._driver.gl, name, partial(counted, getattr(renderer._driver.gl, name)))
    return calls


def wall(shader: Any, image: Any, renderer: Any, **state: Any) -> Draw:
    """A draw of one clamped sampler, with other members."""
    made: Draw = renderer.bind(shader, {"wall": (st.Sampler(**CLAMPED | state), renderer.texture(image), image)})
    return made


def test_equal_requests_get_equal_objects_and_nothing_is_made_twice(own: Any) -> None:
    renderer, shader, image = own
    known = renderer.texture(image)
    policy = st.Policy(max_anisotropy=4, force_lod_bias=-0.5)
    assert_kept(renderer, lambda one: renderer.bind(shader, {"wall": (one, known, image)}), policy)
    draw = renderer.bind(shader, {"wall": (st.Sampler(**CLAMPED), known, image)})
    assert (list(draw.samplers), list(draw.textures.values()), list(draw.blocks)) == ([0], [image], [35])
    calls = gl_calls(renderer)
    renderer.bind(shader, {"wall": (st.Sampler(**CLAMPED), known, image)}).use()
    assert calls == ["glBindSampler"]


MIPMAPPED: Final[dict[str, Any]] = {"min_filter": "linear-mipmap-linear"}


IMAGE: Final[tuple[Any, ...]] = ("texture", (4, 4), 1)


@pytest.mark.parametrize(
    ("image", "internal_format", "words"),
    [
        (("buffer", b"0" * 64), "RGBA8", "image of wall=<.*Buffer"),
        (("texture_array", (4, 4, 2), 4), "RGBA8", "whose target is TEXTURE_2D"),
        (("texture_cube", (4, 4), 4), "RGBA8", "whose target is TEXTURE_2D"),
        ((*IMAGE, None, 0, 1, "u1"), "R8", "unsigned integers as in R8UI"),
        (IMAGE, "DEPTH_COMPONENT24", "colours as in R8,"),
        (("depth_texture", (4, 4)), "R8", "depths as in DEPTH_COMPONENT"),
        (IMAGE, "LUMINANCE8_ALPHA8", "colours as in R8"),
        (IMAGE, "ALPHA8", "swizzle.*'RGBA'.*000R.*ALPHA8 is kept in R8"),
        (("texture", (4, 4), 2), "LUMINANCE8_ALPHA8", "swizzle.*accepted: RRRG"),
        ((), "RGBA8", "image of wall=Texture"),
    ],
)
def test_an_image_that_is_not_what_its_texture_says_is_refused(
    own: Any, image: tuple[Any, ...], internal_format: str, words: str
) -> None:
    renderer, shader, bound = own
    made = getattr(renderer.ctx, image[0])(*image[1:]) if image else st.Texture()
    known, nearest = st.Texture("2d", internal_format, (4, 4), levels=1), st.Sampler(filter="nearest")
    bound.use(0)
    with pytest.raises(ArgumentError, match=words):
        renderer.bind(shader, {"wall": (nearest, known, made)})
    left = [renderer._driver.gl.read("glGetIntegerv", binding)[0] for binding in (0x8069, 0x8C1D, 0x8514)]
    assert left == [bound.glo, 0, 0]
    assert renderer.bind(shader, {"wall": (nearest, renderer.texture(bound), bound)}).textures


def test_levels_that_nothing_reads_need_not_be_there(own: Any) -> None:
    """A released image is refused."""
    renderer, shader, _ = own
    image, known = renderer.ctx.texture((4, 4), 4), st.Texture("2d", "RGBA8", (4, 4))
    assert renderer.bind(shader, {"wall": (st.Sampler(min_filter="linear"), known, image)}).textures == {0: image}
    with pytest.raises(ArgumentError, match=r"3 levels' cannot be used; accepted: the 1 of its image.*build_mipmaps"):
        renderer.bind(shader, {"wall": (st.Sampler(**MIPMAPPED), known, image)})
    image.build_mipmaps()
    assert renderer.bind(shader, {"wall": (st.Sampler(**MIPMAPPED), known, image)}).textures == {0: image}
    known = renderer.texture(image)
    image.release()
    with pytest.raises(ArgumentError, match=r"in this context"):
        renderer.bind(shader, {"wall": (None, known, image)})


def test_a_second_start_rewrites_no_module(own: Any, tmp_path: Path) -> None:
    """A sampler, and a module of each stage, are kept."""
    renderer, _, image = own
    second = type(renderer)(renderer.ctx)
    assert_warm(renderer, second, lambda one: wall(one.shader(fragment(COLOUR), VERTEX), image, one), tmp_path / "w", 3)
    second.destroy()


def test_a_program_that_gl_refuses_is_an_error_of_this_library(own: Any) -> None:
    renderer, _, image = own
    text = fragment(COLOUR).replace("in vec2 uv;", "in vec2 uv; uniform vec4 many[65536];")
    text = text.replace("colour =", "colour = many[int(uv.x * 65536.0)] *")
    for state in ({}, {"wrap": "repeat"}):
        with pytest.raises(CallFailed, match=r"GL: create program answered .*[Tt]oo many"):
            wall(renderer.shader(text, VERTEX), image, renderer, **state)


def test_a_lost_context_is_followed_by_another_one(own: Any) -> None:
    renderer, shader, image = own
    first = wall(shader, image, renderer)
    renderer.lost(renderer.ctx)
    again = wall(shader, image, renderer)
    assert again.key == first.key
    assert again.program is not first.program


def test_blocks_that_no_draw_has_are_let_go(own: Any) -> None:
    renderer, shader, image = own
    for red in range(200):
        wall(shader, image, renderer, border_color=(red / 256, 0, 0, 1))
        renderer.end_frame()
    assert len(renderer._objects["buffer"]) < 140
    assert renderer.created["program"] == 1


def test_an_incomplete_texture_is_black(own: Any, pictures: Pictures) -> None:
    renderer, shader, image = own
    bound = renderer.bind(shader, {"wall": (st.Sampler(), st.Texture(internal_format="RGBA8"), image)})
    assert np.unique(pictures.picture(bound, (1, 1, 0, 0)), axis=0).tolist() == [[0, 0, 0, 1]]


def test_srgb_stays_encoded_where_the_sampler_says_so(own: Any, pictures: Pictures) -> None:
    """By an object of its own: the record is the same."""
    renderer, shader, _ = own
    image = pictures.ctx.texture((1, 1), 4, b"\x80\x80\x80\xff", internal_format=0x8C43)
    known = st.Texture(internal_format="SRGB8_ALPHA8", size=(1, 1), levels=1)
    reds = []
    for decode in ("decode", "skip-decode"):
        own_sampler = st.Sampler(filter=("nearest", "nearest"), srgb_decode=decode)
        bound = renderer.bind(shader, {"wall": (own_sampler, known, image)})
        reds.append(round(float(pictures.picture(bound, (1, 1, 0, 0))[0, 0]), 2))
    assert reds == [0.22, 0.5]


def test_samplers_of_both_stages_and_arrays_have_units_of_their_own(own: Any) -> None:
    renderer, _, image = own
    shader = renderer.shader(
        "#version 400\nuniform sampler2D few[2], wall; in vec2 uv; out vec4 colour;"
        "void main() { colour = texture(few[0], uv) + texture(few[1], uv) + texture(wall, uv); }",
        "#version 400\nuniform sampler2D height, wall; in vec2 corner; out vec2 uv;"
        "void main() { uv = corner; gl_Position = textureLod(height, uv, 0.0) + textureLod(wall, uv, 0.0); }",
    )
    known = renderer.texture(image)
    pairs = [(st.Sampler(**CLAMPED | {"lod_bias": one}), known, image) for one in range(4)]
    textures = {"few": pairs[:2], "wall": pairs[2], "height": pairs[3]}
    rewritten = renderer.bind(shader, textures)
    plain = {name: [(None, known, image)] * 2 if name == "few" else (None, known, image) for name in textures}
    given = renderer.bind(shader, plain)
    assert list(rewritten.samplers) == list(given.samplers) == [0, 1, 2, 3]
    assert list(rewritten.blocks) == [35]
    (line, _) = rewritten.unsupported  # of both samplers of the vertex stage
    assert "moderngl takes no vertex stage with an array of structures; spirv-cross: " in line
    assert given.program["few"].value == [0, 1]
    assert {given.program["wall"].value, given.program["height"].value} == {2, 3}


def both_stages(renderer: Renderer, image: Any) -> Draw:
    shader = renderer.shader(
        "#version 400\nuniform sampler2D wall; uniform float k; in vec2 uv; out vec4 colour;"
        "void main() { colour = texture(wall, uv) * k; }",
        "#version 400\nuniform sampler2D height; layout(std140) uniform Camera { vec4 by; };"
        "in vec2 corner; out vec2 uv; void main() { uv = corner; gl_Position = by + textureLod(height, uv, 0.0); }",
    )
    known = renderer.texture(image)
    pairs = [(st.Sampler(**CLAMPED | {"lod_bias": one}), known, image) for one in range(2)]
    return renderer.bind(shader, dict(zip(("wall", "height"), pairs, strict=True)))


@pytest.mark.live("spirv-cross")
def test_uniforms_keep_their_names_where_glsl_is_written(own: Any, tmp_path: Path) -> None:
    """Of both stages, each with a block of the renderer's; a second start writes nothing."""
    renderer, _, image = own
    draw = both_stages(renderer, image)
    assert draw.unsupported == ()
    assert {"k", "Camera", "wall", "height", "corner"} <= {*draw.program}
    assert draw.program["Camera"].binding == 0
    ours = {draw.program[f"statetracker_{stage}"].binding for stage in ("fragment", "vertex")}
    assert ours == {*draw.blocks}
    assert len(ours) == 2
    renderer.save(tmp_path / "kept")
    second = type(renderer)(renderer.ctx)
    second.warm(tmp_path / "kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "")
        assert both_stages(second, image).key == draw.key
    second.destroy()


PLAIN: Final = "#version 330\nuniform sampler2D wall; uniform float k; in vec2 uv; out vec4 colour;\n"
BOUND: Final = "layout(std140, binding = 2) uniform Mine { float by; };\n"
PACKED: Final = "330\n#extension GL_ARB_shading_language_420pack : require"
STRUCT: Final = "struct Light { float near; vec3 at; }; uniform Light light;\n"


@pytest.mark.live("spirv-cross")
@pytest.mark.parametrize(
    ("version", "more", "by"),
    [
        ("330", "", "k"),
        (PACKED, BOUND, "by * k"),
        ("330", "// a block without binding = here {\n", "k"),
        ("430", STRUCT, "light.near + light.at.x + k"),
        ("420", "layout(binding = 1) uniform sampler2D other;\n", "k + texture(other, uv).x"),
    ],
)
def test_glsl_that_is_written_keeps_names_and_places(own: Any, version: str, more: str, by: str) -> None:
    renderer, _, image = own
    known, text = renderer.texture(image), PLAIN.replace("330", version) + more
    shader = renderer.shader(f"{text}void main() {{ colour = texture(wall, uv) * ({by}); }}", VERTEX)
    for state in ({"filter": "linear"}, CLAMPED):
        draw = renderer.bind(shader, dict.fromkeys(shader.names, (st.Sampler(**state), known, image)))
        assert draw.unsupported == ()
        assert {"k", *shader.names} <= {*draw.program}
        assert "Mine" not in draw.program or draw.program["Mine"].binding == 2
        assert sorted(draw.program[name].value for name in shader.names) == sorted(draw.textures)


@pytest.mark.live("spirv-cross")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLAIN.replace("float k", "float buffer"), "another name to buffer"),
        (PLAIN.replace("wall", "sample"), "another name to sample"),
        (f"{PLAIN.replace('330', '420')}layout(std140) uniform A {{ float a; }}; {BOUND}", "every block"),
    ],
)
def test_glsl_that_cannot_be_written_is_drawn_as_it_is_and_says_so(own: Any, text: str, words: str) -> None:
    renderer, _, image = own
    name = "sample" if "sampler2D sample;" in text else "wall"
    factor = "buffer" if "buffer;" in text else "k"
    shader = renderer.shader(f"{text}void main() {{ colour = texture({name}, uv) * {factor}; }}", VERTEX)
    draw = renderer.bind(shader, {name: (st.Sampler(**CLAMPED), renderer.texture(image), image)})
    assert any(words in line for line in draw.unsupported)
    assert (draw.blocks, draw.program[factor].value) == ({}, 0.0)


@pytest.mark.live("spirv-cross")
def test_a_refusal_of_what_writes_glsl_is_remembered(own: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, shader, image = own
    renderer._driver.spirv, asked = False, list[object]()

    def refuse(*given_: object, **_options: object) -> bytes:
        asked.append(given_)
        raise CallFailed("spirv-cross", "GLSL 330", "no such query")

    monkeypatch.setattr("statetracker.hosts.modules.written", refuse)
    for red in (0.0, 0.25, 0.5):
        (line,) = wall(shader, image, renderer, border_color=(red, 0, 0, 1)).unsupported
        assert "no such query" in line
    assert len(asked) == 1


def test_what_cannot_be_rewritten_says_so_in_the_draw(own: Any) -> None:
    """Uniforms outside blocks, a block without a binding; a context without SPIR-V. Drawn is with what GL has."""
    renderer, _, image = own
    plain = fragment(COLOUR).replace("out vec4", "uniform float k; out vec4").replace("uv)", "uv) * k")
    (line,) = wall(renderer.shader(plain, VERTEX), image, renderer).unsupported
    assert line.startswith("wall: half_border, which is the shader's: uniform k is in no block")
    vertex = VERTEX.replace("void main", "layout(std140) uniform Camera { vec2 by; };\nvoid main")
    camera = renderer.shader(fragment(COLOUR), vertex.replace("place; gl_", "place + by; gl_"))
    draw = renderer.bind(camera, {"wall": (st.Sampler(filter="linear"), renderer.texture(image), image)})
    assert (draw.unsupported, draw.program["Camera"].binding) == ((), 0)
    (line,) = wall(camera, image, renderer).unsupported
    assert "a uniform block has no layout(binding = ...)" in line
    renderer._driver.spirv = False
    (line,) = wall(renderer.shader(fragment(COLOUR), VERTEX), image, renderer).unsupported
    assert "the context takes no SPIR-V, which needs GL 4.6 or GL_ARB_gl_spirv; spirv-cross: " in line
    assert "apt-get install spirv-cross" in line


def test_shaders_that_gl_or_spirv_cannot_have_and_a_released_context_are_refused(own: Any) -> None:
    renderer, *_ = own
    for version in ("130", "300 es"):
        with pytest.raises(ArgumentError, match=f"fragment='#version {version}'.*330 or more"):
            renderer.shader(fragment(COLOUR).replace("330", version), VERTEX)
    for vertex in (None, b"\x03\x02\x23\x07"):
        with pytest.raises(ArgumentError, match="vertex"):
            renderer.shader(fragment(COLOUR), vertex)
    ctx = standalone()
    ctx.release()
    current(renderer.ctx)
    with pytest.raises(ArgumentError, match="not a released one"):
        type(renderer)(ctx)


@pytest.mark.parametrize("api", ["compatibility", "es3"])
def test_other_contexts_get_glsl_as_it_is(pictures: Pictures, api: str) -> None:
    """In a compatibility context GL_CLAMP is GL's own; GLES has no bias, nor SPIR-V or a tool to make up for it."""
    ctx = on_context(Context(api))
    renderer = type(pictures.renderer)(ctx)
    assert ctx.error == "GL_NO_ERROR"
    text: tuple[str, ...] = (fragment(COLOUR), VERTEX)
    if api == "es3":
        text = tuple(map(as_es, text))
    image = ctx.texture((4, 4), 4, bytes(range(64)))
    textures = {"wall": (st.Sampler(**CLAMPED | {"lod_bias": 0.5}), renderer.texture(image), image)}
    bound = renderer.bind(renderer.shader(*text), textures)
    bound.use()
    assert ctx.error == "GL_NO_ERROR"
    assert not bound.blocks
    if api == "es3":
        (line,) = bound.unsupported
        assert line.startswith("wall: add_lod_bias, half_border, which is the shader's: the context takes no SPIR-V")
    else:
        assert not bound.unsupported
    renderer.destroy()
    ctx.release()
    current(pictures.ctx)


EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "hello_moderngl.py"


def example(**hidden: str) -> str:
    return subprocess.run(
        [sys.executable, EXAMPLE], capture_output=True, text=True, check=True, env={**os.environ, **hidden}
    ).stdout


def test_the_example_says_what_it_drew_or_what_is_missing() -> None:
    """In at most 60 lines."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 60
    assert example() == "corner (255, 64, 64), a quarter of it the texture; middle (255, 255, 255)\n"
    said = example(LIBGL_DRIVERS_PATH="/nowhere", __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere")
    assert said.startswith("nothing is drawn: ")
    assert said.count("\n") == 1
