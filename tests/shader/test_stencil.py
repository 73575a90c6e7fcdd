"""Stencil fetched through the rewritten shader on the machine's GL: every texel of every level, layer and sample.

The W-tiled bytes are seen as Y-tiled by the tilings' table, not by the formula that the shader has, and uploaded as the
plain image that a sampler would read.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from statetracker.bindings import egl
from statetracker.bindings.gl import build
from statetracker.caps import generation
from statetracker.conformance.drivers import driver, environment
from statetracker.errors import ArgumentError, ModuleError
from statetracker.shader.stencil import WRAPS, StencilKey, lower_stencil, uniform_bytes
from statetracker.surface import address
from statetracker.surface.batch import detile_surface
from statetracker.surface.override import override
from statetracker.surface.stencil import StencilTree, stencil_tree
from tests.shader.compiled import glsl
from tests.shader.validator import assert_valid
from tools.proofs.pixels.gl_draw import Image, draw, texture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.bindings.gl import GL

pytestmark = pytest.mark.live("glslangValidator", "egl")

COVERING = """\
#version 450
void main() {
    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
"""
FRAGMENT = """\
#version 450
#extension GL_ARB_shader_texture_image_samples : enable
layout(binding = 3) uniform {kind} tex;
layout(binding = 0, std430) readonly buffer Questions {{ {vector} questions[]; }};
layout(location = 0) out uvec4 texel;
{declared}
void main() {{
    {vector} q = questions[int(gl_FragCoord.y) * 256 + int(gl_FragCoord.x)];
    texel = {expression};
}}
"""
FETCH = {
    (False, False): ("usampler2D", "texelFetch(tex, q.xy, q.w)"),
    (False, True): ("usampler2DArray", "texelFetch(tex, q.xyz, q.w)"),
    (True, False): ("usampler2DMS", "texelFetch(tex, q.xy, q.w)"),
    (True, True): ("usampler2DMSArray", "texelFetch(tex, q.xyz, q.w)"),
}
#: Generation, size, levels, layers, samples, layout: the usual mistakes' favourites.
TREES = [
    (7, (1, 1), 1, 1, 1, "plain"),
    (7, (33, 17), 6, 1, 1, "plain"),
    (7, (300, 200), 9, 1, 1, "plain"),
    (6, (65, 47), 7, 3, 1, "plain"),
    (6, (65, 47), 7, 3, 1, "isl"),
    (7.5, (127, 66), 7, 3, 1, "isl"),
    (7, (13, 9), 4, 3, 1, "plain"),
    (6, (35, 21), 1, 2, 4, "plain"),
    (8, (33, 17), 1, 2, 2, "plain"),
    (7, (33, 17), 1, 1, 8, "plain"),
    (7, (21, 35), 1, 3, 8, "plain"),
]


#: One for each fetch of a gather.
FOUR_OFFSETS = ((0, 0), (1, 0), (-2, 1), (3, -4))


@pytest.fixture(scope="module")
def gl() -> Iterator[GL]:
    """A context of the machine's GL that takes SPIR-V."""
    with egl.Context() as context:
        yield context.gl


def fragment(kind: str, expression: str, vector: str = "vec4", declared: str = "") -> bytes:
    """A fragment shader that answers one question a fragment."""
    text = FRAGMENT.format(kind=kind, expression=expression, vector=vector, declared=declared)
    return glsl(text, "frag", "-G")


class Scene:
    """A tree full of random stencil, and the image that the sampler would see."""

    def __init__(self, tree: StencilTree, seed: int = 1) -> None:
        self.tree = tree
        self.values: dict[tuple[int, int, int], Any] = {}
        random = np.random.default_rng(seed)
        memory = np.zeros(tree.row_pitch_B * tree.rows // 2, np.uint8)
        for level in range(tree.levels):
            width, height = tree.level_size(level)
            y, x = np.mgrid[0:height, 0:width]
            for layer in range(tree.layers):
                for sample in range(tree.samples):
                    value = random.integers(0, 256, (height, width), dtype=np.uint8)
                    at = tree.place(x, y, level=level, layer=layer, sample=sample)
                    memory[address("W", *at, tree.row_pitch_B)] = value
                    self.values[level, layer, sample] = value
        self.linear = detile_surface(memory, "Y", tree.row_pitch_B)

    def ask(
        self, gl: GL, kind: str, expression: str, questions: Any, base_level: int = 0, view: str = "byte", **key: Any
    ) -> Any:
        """Draw an expression, with the sampler's uses rewritten; (n, 4) answers.

        ``**key``: members of the key, and ``declared`` of `fragment`.
        """
        described = override(self.tree, mode="dynamic", view=view)
        vector = "ivec4" if questions.dtype == np.int32 else "vec4"
        module = fragment(kind, expression, vector, key.pop("declared", ""))
        lowered = lower_stencil(module, {(0, 3): StencilKey.of(described, self.tree.samples, **key)})
        assert lowered.unresolved == ()
        rows = -(-len(questions) // 256)
        padded = np.zeros((rows * 256, 4), questions.dtype)
        padded[: len(questions)] = questions
        width = self.linear.shape[1]
        forms = {"byte": (0x8232, 0x8D94, width), "block": (0x8D7C, 0x8D99, width // 4)}
        internal, pixel, wide = forms[view]
        images = [Image((wide, self.linear.shape[0]), self.linear.tobytes())]
        nearest = {0x2801: 0x2600, 0x2800: 0x2600}
        name = texture(gl, 0x0DE1, internal, images, pixel_format=pixel, pixel_type=0x1401, parameters=nearest)
        program = build(gl, {"vertex": glsl(COVERING, "vert", "-G"), "fragment": lowered.module})
        seen = draw(
            gl,
            program,
            (256, rows),
            kind="uint",
            textures={3: (0x0DE1, name, 0)},
            storage={0: padded.tobytes()},
            uniform={15: uniform_bytes(described, base_level=base_level)},
        )
        gl.call("glDeleteTextures", 1, [name])
        gl.call("glDeleteProgram", program)
        return np.frombuffer(seen, np.uint32).reshape(-1, 4)[: len(questions)]

    def everything(self) -> tuple[Any, Any]:
        """A question for every texel there is, and the answers."""
        questions, answers = [], []
        for (level, layer, sample), value in self.values.items():
            y, x = np.mgrid[0 : value.shape[0], 0 : value.shape[1]]
            last = sample if self.tree.samples > 1 else level
            asked = np.stack([x, y, np.full_like(x, layer), np.full_like(x, last)], axis=-1)
            questions.append(asked.reshape(-1, 4))
            answers.append(value.reshape(-1))
        return np.concatenate(questions).astype(np.int32), np.concatenate(answers)


def fetched(gl: GL, scene: Scene, view: str) -> tuple[Any, Any]:
    """Every texel through the rewritten fetch, and what it should be."""
    questions, answers = scene.everything()
    return scene.ask(gl, *FETCH[scene.tree.samples > 1, scene.tree.layers > 1], questions, view=view), answers


@pytest.mark.parametrize("view", ["byte", "block"])
@pytest.mark.parametrize("form", TREES, ids=str)
def test_every_texel_comes_out_right(gl: GL, form: tuple[Any, ...], view: str) -> None:
    """All levels, layers and samples: 0 differences; (s, 0, 0, 1)."""
    gen, size, levels, layers, samples, layout_of = form
    tree = stencil_tree(gen, size, levels=levels, layers=layers, samples=samples, layout_of=layout_of)
    if gen == 8:  # two samples came with generation 8, whose sampler needs no override: described as if it did
        tree = tree._replace(generation=generation(7))
    seen, answers = fetched(gl, Scene(tree), view)
    assert np.array_equal(seen[:, 0], answers)
    assert (seen[:, 1:] == (0, 0, 1)).all()


def wrapped(texel: Any, extent: Any, wrap: str) -> Any:
    """What a wrap makes of a texel, plainly."""
    if wrap == "repeat":
        return texel % extent
    if wrap == "mirrored-repeat":
        turned = texel % (2 * extent)
        return np.where(turned < extent, turned, 2 * extent - 1 - turned)
    if wrap == "mirror-clamp-to-edge":
        texel = np.where(texel < 0, -1 - texel, texel)
    return np.clip(texel, 0, extent - 1)


def outside(texel: Any, extent: Any, wrap: str) -> Any:
    """Where the border is read."""
    return (wrap == "clamp-to-border") & ((texel < 0) | (texel >= extent))


@pytest.mark.parametrize("wraps", [(wrap, WRAPS[(place * 2 + 1) % 5]) for place, wrap in enumerate(WRAPS)])
@pytest.mark.parametrize(
    "expression",
    [
        "textureLod(tex, q.xyz, q.w)",
        "textureLodOffset(tex, q.xyz, q.w, ivec2(3, -2))",
        "textureGather(tex, q.xyz)",
        f"textureGatherOffsets(tex, q.xyz, ivec2[4]({', '.join(f'ivec2{by}' for by in FOUR_OFFSETS)}))",
    ],
)
def test_samples_wrap_and_choose_levels(gl: GL, wraps: tuple[str, str], expression: str) -> None:
    """Normalised coordinates far outside, every level, layers rounded and limited, offsets, gathers, a border."""
    scene = Scene(stencil_tree(7, (29, 43), levels=6, layers=3))
    random = np.random.default_rng(2)
    count = 2048
    at = np.float32(random.uniform(-2.3, 3.3, (count, 2)))
    layer, lod = random.integers(-1, 5, count), np.float32(random.integers(-2, 14, count) / 2 + 0.125)
    questions = np.column_stack([at, layer, lod]).astype(np.float32)
    seen = scene.ask(gl, "usampler2DArray", expression, questions, wrap_s=wraps[0], wrap_t=wraps[1], border=77)
    gather = "Gather" in expression
    level = np.zeros(count, int) if gather else np.clip(np.ceil(np.clip(lod, 0, 5) + 0.5) - 1, 0, 5).astype(int)
    sizes = np.array([scene.tree.level_size(one) for one in range(6)])[level]

    def texel(x: Any, y: Any) -> Any:
        columns, rows = wrapped(x, sizes[:, 0], wraps[0]), wrapped(y, sizes[:, 1], wraps[1])
        values = [
            scene.values[one, a, 0][row, column]
            for one, a, row, column in zip(level, np.clip(layer, 0, 2), rows, columns, strict=True)
        ]
        return np.where(outside(x, sizes[:, 0], wraps[0]) | outside(y, sizes[:, 1], wraps[1]), 77, values)

    scaled = at * sizes.astype(np.float32)
    if gather:
        x, y = np.floor(scaled - np.float32(0.5)).astype(int).T
        around = ((0, 1), (1, 1), (1, 0), (0, 0))
        offsets = FOUR_OFFSETS if "Offsets" in expression else around
        assert np.array_equal(seen, np.column_stack([texel(x + a, y + b) for a, b in offsets]))
        return
    x, y = np.floor(scaled).astype(int).T
    by = (3, -2) if "Offset" in expression else (0, 0)
    assert np.array_equal(seen[:, 0], texel(x + by[0], y + by[1]))


@pytest.mark.parametrize("base_level", [0, 2])
def test_a_fetch_of_a_level_that_is_not_there_reads_the_nearest_one(gl: GL, base_level: int) -> None:
    """A negative level is level 0, one beyond the last the last; at the ends of the integers, too. So is a query's."""
    scene = Scene(stencil_tree(7, (29, 43), levels=6))
    levels = [-(2**31), -100, -3, -1, 0, 3, 5, 6, 100, 2**31 - 1]
    questions = np.array([[4, 7, 0, level] for level in levels], np.int32)
    wanted = [min(max(level + base_level, 0), 5) for level in levels]
    expression = "uvec4(texelFetch(tex, q.xy, q.w).r, textureSize(tex, q.w), 1u)"
    seen = scene.ask(gl, "usampler2D", expression, questions, base_level)
    sizes = [scene.tree.level_size(level) for level in wanted]
    texels = [
        scene.values[level, 0, 0][min(7, h - 1), min(4, w - 1)] for level, (w, h) in zip(wanted, sizes, strict=True)
    ]
    assert seen.tolist() == [[texel, *size, 1] for texel, size in zip(texels, sizes, strict=True)]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("expression", ["texture(tex, q.xy)", "textureOffset(tex, q.xy, ivec2(5, -4))"])
def test_a_rectangle_wraps_its_texels(gl: GL, wrap: str, expression: str) -> None:
    """Its coordinates are texels; a wrap or a border acts on them as on others, but a fetch is clamped."""
    scene, other = Scene(stencil_tree(7, (29, 43))), WRAPS[(WRAPS.index(wrap) + 2) % 5]
    at = np.float32(np.random.default_rng(3).uniform(-90, 120, (1024, 2)))
    questions = np.column_stack([at, at * 0]).astype(np.float32)
    key: Any = {"wrap_s": wrap, "wrap_t": other, "border": 99}
    seen = scene.ask(gl, "usampler2DRect", expression, questions, **key)[:, 0]
    x, y = np.floor(at).astype(int).T + ([[5], [-4]] if "Offset" in expression else [[0], [0]])
    expected = scene.values[0, 0, 0][wrapped(y, 43, other), wrapped(x, 29, wrap)]
    assert np.array_equal(seen, np.where(outside(x, 29, wrap) | outside(y, 43, other), 99, expected))
    seen = scene.ask(gl, "usampler2DRect", "texelFetch(tex, ivec2(floor(q.xy)))", questions, **key)[:, 0]
    x, y = np.clip(np.floor(at).astype(int), 0, (28, 42)).T
    assert np.array_equal(seen, scene.values[0, 0, 0][y, x])


def test_queries_answer_from_the_uniforms(gl: GL) -> None:
    """Sizes of levels, layers, the number of levels and of samples: never those of the described surface."""
    scene = Scene(stencil_tree(7, (29, 43), levels=6, layers=3))
    questions = np.array([[0, 0, 0, level] for level in range(6)], np.float32)
    expression = "uvec4(textureSize(tex, int(q.w)), textureQueryLevels(tex))"
    seen = scene.ask(gl, "usampler2DArray", expression, questions)
    assert seen.tolist() == [[*scene.tree.level_size(level), 3, 6] for level in range(6)]
    many = Scene(stencil_tree(7, (9, 5), samples=4))
    expression = "uvec4(textureSize(tex), textureSamples(tex), 0u)"
    assert many.ask(gl, "usampler2DMS", expression, questions[:1]).tolist() == [[9, 5, 4, 0]]


def test_implicit_level_follows_the_footprint(gl: GL) -> None:
    """One texel a fragment is level 0, four are level 2; a bias adds."""
    scene = Scene(stencil_tree(7, (64, 64), levels=7))
    wraps: Any = {"wrap_s": "repeat", "wrap_t": "repeat"}
    for step, bias, level in ((1, "", 0), (4, "", 2), (2, ", 2.0", 3)):
        expression = f"texture(tex, (gl_FragCoord.xy * {step}.0 + 0.5) / 64.0{bias})"
        seen = scene.ask(gl, "usampler2D", expression, np.zeros((256, 4), np.float32), **wraps)[:, 0]
        size = 64 >> level
        x = np.floor((np.arange(256) + 0.5) * step + 0.5) / 64 * size
        y = int((0.5 * step + 0.5) / 64 * size)
        assert np.array_equal(seen, scene.values[level, 0, 0][y % size, x.astype(int) % size])


def test_functions_that_take_the_image_are_followed(gl: GL) -> None:
    """And two uses of it share the uniform block."""
    scene, question = Scene(stencil_tree(7, (29, 43))), np.array([[5, 9, 0, 0]], np.float32)
    declared = "uint at(usampler2D image, ivec2 p) { return texelFetch(image, p, 0).r; }"
    expression = "uvec4(at(tex, ivec2(q.xy)), at(tex, ivec2(q.yx)), 0u, 1u)"
    seen = scene.ask(gl, "usampler2D", expression, question, declared=declared)
    values = scene.values[0, 0, 0]
    assert seen[0, :2].tolist() == [values[9, 5], values[5, 9]]


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("kind", ["usampler2D", "usampler2DArray", "usampler2DMS"])
@pytest.mark.parametrize("target", ["opengl4.5", "vulkan1.1"])
def test_rewritten_modules_are_valid(gl: GL, kind: str, target: str) -> None:
    del gl
    flag = "-V" if target.startswith("vulkan") else "-G"
    place = "ivec3(1)" if kind.endswith("Array") else "ivec2(1)"
    source = f"#version 450\nlayout(set = 0, binding = 3) uniform {kind} tex;\nlayout(location = 0) out uvec4 texel;\n"
    source = source if flag == "-V" else source.replace("set = 0, ", "")
    module = glsl(f"{source}void main() {{ texel = texelFetch(tex, {place}, 1); }}\n", "frag", flag)
    lowered = lower_stencil(module, {(0, 3): StencilKey(samples=4 if kind.endswith("MS") else 1)})
    assert_valid(lowered.module, target)


def test_what_cannot_be_rewritten_is_named(gl: GL) -> None:
    """A query of the level; an array of samplers; an image that holds no integers."""
    del gl
    for kind, expression, said in (
        ("usampler2D", "uvec4(textureQueryLod(tex, q.xy), 0, 0)", "not computed"),
        ("sampler2D", "uvec4(texture(tex, q.xy))", "no 2D image of integers"),
        (
            "usampler2D tex2[2]; layout(binding = 9) uniform usampler2D",
            "texelFetch(tex2[1], ivec2(q.xy), 0)",
            "element of an array",
        ),
    ):
        module = fragment(kind, expression)
        lowered = lower_stencil(module, {(0, 3): StencilKey()})
        assert said in " ".join(note.said for note in lowered.unresolved)
        assert lowered.module == module


def test_module_without_the_image_comes_back_as_it_is(gl: GL) -> None:
    del gl
    module = fragment("usampler2D", "texelFetch(tex, ivec2(q.xy), 0)")
    assert lower_stencil(module, {(4, 4): StencilKey()}).module == module
    assert lower_stencil(module, {}).module == module
    with pytest.raises(ModuleError):
        lower_stencil(module[:-2], {(0, 3): StencilKey()})
    for key in (StencilKey(samples=3), StencilKey(wrap_s="clamp")):
        with pytest.raises(ArgumentError):
            lower_stencil(module, {(0, 3): key})


@pytest.mark.live("egl:zink")
def test_every_texel_comes_out_right_on_lavapipe_too(gl: GL) -> None:
    """The same tests in a process whose GL is zink, which draws through the Vulkan of lavapipe."""
    del gl
    chosen_tests = ("-n", "0", __file__, "-k", "comes_out_right and plain")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen_tests]
    chosen = environment(driver("zink"), "")
    done = subprocess.run(command, env=chosen, capture_output=True, text=True, check=False)
    assert re.search(r"(\d+) passed", done.stdout), done.stdout[-2000:]
    assert "failed" not in done.stdout
    assert "skipped" not in done.stdout
