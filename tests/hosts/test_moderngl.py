"""`Renderer` for moderngl: random states, drawn in a core context within what GL allows; its promises."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

import statetracker as st
from statetracker.bindings.egl import Context
from statetracker.errors import ArgumentError
from tests.hosts.drawn import KINDS, SIDE, SIZE, Case, cases, places, wrong
from tools.proofs.pixels.gl_draw import Image, texture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.hosts.moderngl import Draw, Renderer

pytestmark = pytest.mark.live("moderngl", "egl", "glslangValidator")

#: What a core context keeps of a kind in place of the format that GL has, and the channel of memory: with a swizzle.
CORE: Final = {"luminance": (0, (0x1903, 0x1903, 0x1903, 1)), "alpha": (3, (0, 0, 0, 0x1903))}
#: Internal format, pixel format and type of the others.
PLAIN: Final = {
    "RGBA8": (0x8058, 0x1908, 0x1401),
    "DEPTH_COMPONENT16": (0x81A5, 0x1902, 0x1403),
    "RGBA8UI": (0x8D7C, 0x8D99, 0x1401),
}
#: A core context has no mode of depth but red, moderngl's volumes no levels of their own.
DRAWN: Final = [name for name in KINDS if name != "volume"]
#: ``other`` goes first and nowhere: the two stages agree on places by names.
VERTEX: Final = """\
#version 330
in vec2 corner, place;
out vec2 other, uv;
void main() { other = corner.yx; uv = place; gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0); }
"""
FRAGMENT: Final = """\
#version 330
uniform sampler2D wall;
in vec2 uv;
out vec4 colour;
void main() { colour = texture(wall, uv); }
"""
#: A point for each fragment of a state's picture, with its place and details.
POINTS: Final = """\
#version 330
in vec2 corner;
in vec4 place, detail;
flat out vec4 other, c, d;
void main() { other = vec4(1.0); c = place; d = detail; gl_Position = vec4(corner, 0.0, 1.0); }
"""
PLACED: Final = """\
#version 330
uniform SAMPLER image;
flat in vec4 c, d;
out vec4 texel;
void main() { texel = vec4(SAMPLE); }
"""
POINT, STRIP = 0, 5


def current(ctx: Any) -> None:
    """Make a context of moderngl current."""
    ctx.__enter__()


class Pictures:
    """A renderer in a core context of moderngl, and another context beside it."""

    def __init__(self) -> None:
        import moderngl

        from statetracker.hosts.moderngl import Renderer

        self.native = Context()
        options: dict[str, Any] = {"standalone": True, "backend": "egl"}
        self.ctx = moderngl.create_context(**options)
        self.renderer: Renderer = Renderer(self.ctx)
        self.shaders: dict[str, Any] = {}
        self.target = self.ctx.simple_framebuffer((SIDE, SIDE), 4, dtype="f4")

    def image(self, kind: str, case: Case) -> Any:
        """The texture as moderngl has it."""
        channel, swizzle = CORE.get(kind, (None, ()))
        numbers = (0x8229, 0x1903, 0x1401) if swizzle else PLAIN[case.kind.internal_format]
        levels = [level if channel is None else level[..., channel : channel + 1] for level in case.levels]
        images = [Image((level.shape[1], level.shape[0]), level.tobytes()) for level in levels]
        name = texture(
            self.native.gl, 0x0DE1, numbers[0], images, pixel_format=numbers[1], pixel_type=numbers[2],
            parameters=dict(zip(range(0x8E42, 0x8E46), swizzle, strict=False)),
        )  # fmt: skip
        return self.ctx.external_texture(name, SIZE[:2], 4, 0, "f1")

    def state(self, kind: str, case: Case) -> NDArray[Any]:
        """The renderer's picture of a state."""
        current(self.ctx)
        row = case.kind
        if kind not in self.shaders:
            text = PLACED.replace("SAMPLER", row.shader).replace("SAMPLE", row.expression)
            self.shaders[kind] = self.renderer.shader(text, POINTS)
        image = self.image(kind, case)
        bound = self.renderer.bind(self.shaders[kind], {"image": (case.sampler, case.texture, image)})
        assert not bound.unsupported
        middles = np.stack(np.meshgrid(*[(np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1] * 2), axis=-1)
        points = np.concatenate([middles.reshape(-1, 2), *places()], axis=1).astype(np.float32)
        seen = self.shown(bound, points, "2f 4f 4f", ("corner", "place", "detail"), POINT)
        assert self.ctx.error == "GL_NO_ERROR"
        image.release()
        return seen

    def picture(self, bound: Draw, square: tuple[float, ...]) -> NDArray[Any]:
        """A picture of `FRAGMENT` over a square of coordinates: size, then first corner."""
        corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], np.float32)
        vertices = np.concatenate([corners, corners * square[:2] + square[2:]], axis=1).astype(np.float32)
        return self.shown(bound, vertices, "2f 2f", ("corner", "place"), STRIP)

    def shown(self, bound: Draw, vertices: NDArray[Any], form: str, names: tuple[str, ...], mode: int) -> NDArray[Any]:
        buffer = self.ctx.buffer(vertices.tobytes())
        self.target.use()
        self.target.clear()
        bound.use()
        array = self.ctx.vertex_array(bound.program, [(buffer, form, *names)])
        array.render(mode)
        array.release()
        buffer.release()
        return np.frombuffer(self.target.read(components=4, dtype="f4"), np.float32).reshape(-1, 4)


@pytest.fixture(scope="module")
def pictures() -> Iterator[Pictures]:
    made = Pictures()
    yield made
    current(made.ctx)
    made.renderer.destroy()
    made.ctx.release()
    made.native.close()


@pytest.mark.parametrize("kind", DRAWN)
def test_every_state_is_drawn_as_gl_draws_it(pictures: Pictures, kind: str, whole: bool) -> None:
    """GL_CLAMP, which the core context lacks, in the shader."""
    for one in cases(kind, 2_000 if whole else 24):
        case = one
        if kind == "depth not compared":
            case = one._replace(kind=one.kind._replace(seen=(0, 4, 4, 5)))
            case.texture.depth_mode = "red"
        assert wrong(case, pictures.state(kind, case)) == 0, case.name


CLAMPED: Final[dict[str, Any]] = {"wrap": "clamp", "filter": ("linear", "linear"), "border_color": (1, 0, 0, 1)}


@pytest.fixture
def own(pictures: Pictures) -> Iterator[tuple[Renderer, Any, Any]]:
    """A renderer of the test's own, with a shader and an image."""
    from statetracker.hosts.moderngl import Renderer

    current(pictures.ctx)
    made = Renderer(pictures.ctx)
    image = pictures.ctx.texture((4, 4), 4, bytes(range(64)))
    yield made, made.shader(FRAGMENT, VERTEX), image
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


def test_equal_requests_get_equal_objects_and_nothing_is_made_twice(own: Any) -> None:
    renderer, shader, image = own
    known = renderer.texture(image)
    first = renderer.bind(shader, {"wall": (st.Sampler(**CLAMPED), known, image)})
    assert (list(first.samplers), list(first.textures.values()), list(first.blocks)) == ([0], [image], [35])
    made, calls = dict(renderer.created), gl_calls(renderer)
    for _ in range(3):
        again = renderer.bind(shader, {"wall": (st.Sampler(**CLAMPED), known, image)})
        assert again._replace(bind=first.bind) == first
    assert renderer.created == made
    assert not calls
    again.use()
    assert calls == ["glBindSampler"]


MIPMAPPED: Final[dict[str, Any]] = {"min_filter": "linear-mipmap-linear"}


@pytest.mark.parametrize(
    ("image", "texture", "words"),
    [
        (lambda ctx: ctx.buffer(reserve=64), {}, "image of wall=<.*Buffer"),
        (lambda _: st.Texture(), {}, "image of wall=Texture"),
        (lambda ctx: ctx.texture_array((4, 4, 2), 4), {}, "whose target is TEXTURE_2D"),
        (lambda ctx: ctx.texture_cube((4, 4), 4), {}, "whose target is TEXTURE_2D"),
        (lambda ctx: ctx.texture((4, 4), 4), {"levels": 3}, "3 levels' cannot be used; accepted: the 1 of its image"),
        (lambda ctx: ctx.texture((4, 4), 1, dtype="u1"), {"internal_format": "R8"}, "unsigned integers as in R8UI"),
        (lambda ctx: ctx.texture((4, 4), 1), {"internal_format": "DEPTH_COMPONENT24"}, "colours as in R8,"),
        (lambda ctx: ctx.depth_texture((4, 4)), {"internal_format": "R8"}, "depths as in DEPTH_COMPONENT"),
        (lambda ctx: ctx.texture((4, 4), 1), {"internal_format": "LUMINANCE8_ALPHA8"}, "colours as in R8"),
    ],
)
def test_an_image_that_is_not_what_its_texture_says_is_refused(own: Any, image: Any, texture: Any, words: str) -> None:
    renderer, shader, bound = own
    made, known = image(renderer.ctx), st.Texture(**{"internal_format": "RGBA8", "size": (4, 4), "levels": 1} | texture)
    bound.use(0)
    sampler = st.Sampler(**MIPMAPPED) if "levels" in texture else st.Sampler(filter="nearest")
    with pytest.raises(ArgumentError, match=words):
        renderer.bind(shader, {"wall": (sampler, known, made)})
    left = [renderer._driver.gl.read("glGetIntegerv", binding)[0] for binding in (0x8069, 0x8C1D, 0x8514)]
    assert left == [bound.glo, 0, 0]
    assert renderer.bind(shader, {"wall": (st.Sampler(filter="nearest"), renderer.texture(bound), bound)}).textures


def test_levels_that_nothing_reads_need_not_be_there(own: Any) -> None:
    renderer, shader, image = own
    known = st.Texture("2d", "RGBA8", (4, 4))
    assert renderer.bind(shader, {"wall": (st.Sampler(min_filter="linear"), known, image)}).textures == {0: image}
    with pytest.raises(ArgumentError, match=r"build_mipmaps"):
        renderer.bind(shader, {"wall": (st.Sampler(**MIPMAPPED), known, image)})
    image.build_mipmaps()
    assert renderer.bind(shader, {"wall": (st.Sampler(**MIPMAPPED), known, image)}).textures == {0: image}


def test_a_released_image_is_refused(own: Any) -> None:
    renderer, shader, _ = own
    image = renderer.ctx.texture((4, 4), 4)
    known = renderer.texture(image)
    image.release()
    with pytest.raises(ArgumentError, match=r"in this context"):
        renderer.bind(shader, {"wall": (None, known, image)})


def test_a_policy_and_back_finds_the_old_key(own: Any) -> None:
    renderer, shader, image = own
    sampler, known = st.Sampler(**CLAMPED | {"min_filter": "linear-mipmap-linear"}), renderer.texture(image)
    first = renderer.bind(shader, {"wall": (sampler, known, image)})
    renderer.policy = st.Policy(max_anisotropy=4, force_lod_bias=-0.5)
    other = renderer.bind(shader, {"wall": (sampler, known, image)})
    assert other.samplers != first.samplers
    renderer.policy = st.Policy()
    again = renderer.bind(shader, {"wall": (sampler, known, image)})
    assert (again.key, again.program) == (first.key, first.program)


def test_a_second_start_rewrites_no_module(own: Any, tmp_path: Path) -> None:
    from statetracker.hosts.moderngl import Renderer

    renderer, shader, image = own
    bound = renderer.bind(shader, {"wall": (st.Sampler(**CLAMPED), renderer.texture(image), image)})
    assert renderer.save(tmp_path / "warm") == 3  # a sampler, and a module of each stage
    second = Renderer(renderer.ctx)
    assert second.warm(tmp_path / "warm") == 3
    shader = second.shader(FRAGMENT, VERTEX)
    again = second.bind(shader, {"wall": (st.Sampler(**CLAMPED), second.texture(image), image)})
    assert (again.key, second.modules.made, second.tracker.end_frame().creates) == (bound.key, 0, 1)
    second.destroy()


def test_a_lost_context_is_followed_by_another_one(own: Any) -> None:
    renderer, shader, image = own
    known, sampler = renderer.texture(image), st.Sampler(**CLAMPED)
    first = renderer.bind(shader, {"wall": (sampler, known, image)})
    renderer.lost(renderer.ctx)
    again = renderer.bind(shader, {"wall": (sampler, known, image)})
    assert again.key == first.key
    assert again.program is not first.program


def test_blocks_that_no_draw_has_are_let_go(own: Any) -> None:
    renderer, shader, image = own
    known = renderer.texture(image)
    for red in range(200):
        sampler = st.Sampler(**CLAMPED | {"border_color": (red / 256, 0, 0, 1)})
        renderer.bind(shader, {"wall": (sampler, known, image)})
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
    assert line.endswith("moderngl takes no vertex stage with an array of structures")
    assert given.program["few"].value == [0, 1]
    assert {given.program["wall"].value, given.program["height"].value} == {2, 3}


def test_what_cannot_be_rewritten_says_so_in_the_draw(own: Any) -> None:
    """Uniforms outside blocks; a context without SPIR-V. Drawn is with what GL has."""
    renderer, shader, image = own
    textures = {"wall": (st.Sampler(**CLAMPED), renderer.texture(image), image)}
    plain = renderer.shader(FRAGMENT.replace("out vec4", "uniform float k; out vec4").replace("uv)", "uv) * k"), VERTEX)
    (line,) = renderer.bind(plain, textures).unsupported
    assert line.startswith("wall: half_border, which is the shader's: uniform k is in no block")
    renderer._driver.spirv = False
    shader = renderer.shader(FRAGMENT, VERTEX)
    (line,) = renderer.bind(shader, textures).unsupported
    assert line.endswith("the context takes no SPIR-V, which needs GL 4.6 or GL_ARB_gl_spirv")


def test_shaders_that_gl_does_not_link_are_refused(own: Any) -> None:
    renderer, *_ = own
    for vertex in (None, b"\x03\x02\x23\x07"):
        with pytest.raises(ArgumentError, match="vertex"):
            renderer.shader(FRAGMENT, vertex)


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


@pytest.mark.parametrize("api", ["compatibility", "es3"])
def test_other_contexts_get_glsl_as_it_is(pictures: Pictures, api: str) -> None:
    """In a compatibility context GL_CLAMP is GL's own; GLES has no bias, nor SPIR-V to make up for it."""
    import moderngl

    from statetracker.hosts.moderngl import Renderer

    options: dict[str, Any] = {"context": Glue(Context(api))}
    ctx = moderngl.create_context(310, **options)
    renderer = Renderer(ctx)
    assert ctx.error == "GL_NO_ERROR"
    text: tuple[str, ...] = (FRAGMENT, VERTEX)
    if api == "es3":
        text = tuple(f"#version 310 es\nprecision highp float;\n{one.partition(chr(10))[2]}" for one in text)
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


def test_the_example_says_what_it_drew() -> None:
    """In at most 60 lines."""
    program = Path(__file__).parents[2] / "examples" / "hello_moderngl.py"
    assert len(program.read_text(encoding="utf-8").splitlines()) <= 60
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert ran.stdout == "corner (255, 64, 64), a quarter of it the texture; middle (255, 255, 255)\n"


def test_the_example_says_what_is_missing() -> None:
    program = Path(__file__).parents[2] / "examples" / "hello_moderngl.py"
    hidden = {**os.environ, "LIBGL_DRIVERS_PATH": "/nowhere", "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"}
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, env=hidden)
    assert ran.stdout.startswith("nothing is drawn: ")
    assert ran.stdout.count("\n") == 1
