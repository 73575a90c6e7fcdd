"""What stages are given and hand on: the origin, push constants, arrays; drawn on WebGPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.spirv import Editor, Module
from statetracker.spirv.names import Decoration, Op, StorageClass
from tests.shader.beside import SIDE, Texture, devices, fragment, native, places, state, webgpu
from tests.shader.compiled import MODULES, glsl
from tests.shader.test_wgsl import ONE as SAMPLER
from tests.shader.test_wgsl import compiled
from tests.shader.validator import assert_valid

LIVE = pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
ONE = Texture("2d", (8, 8), state("LLL"), levels=2)


def picture(module: bytes, uniforms: dict[str, bytes] | None = None, **more: Any) -> Any:
    """Drawn split, with what blocks there are."""
    device, _ = devices()
    split = st.split_samplers(module, **more)
    assert split.unresolved == ()
    blocks = {split.blocks[name]: content for name, content in (uniforms or {}).items()}
    buffers = places() | {at: content for at, content in blocks.items() if at == split.blocks.get("push constants")}
    flips = {at: content for at, content in blocks.items() if at == split.blocks.get("flip")}
    return webgpu(device, split, {(0, 0): (ONE,)} if split.samplers else {}, buffers, flips)


def flip(scale: float, offset: float) -> dict[str, bytes]:
    return {"flip": np.array([scale, offset, 0, 0], np.float32).tobytes()}


@LIVE
def test_gl_frag_coord_counts_from_below_by_the_block() -> None:
    """And derivatives along y have the other sign."""
    text = "gl_FragCoord.xy, dFdy(gl_FragCoord.y * gl_FragCoord.y) - dFdy(gl_FragCoord.y), 1.0"
    module = fragment("layout(binding = 0) uniform sampler2D s;", text, opengl=True)
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    above, below = picture(module, flip(1, 0)), picture(module, flip(-1, SIDE))
    assert np.array_equal(above.reshape(SIDE, SIDE, 4)[..., :2], np.stack([x, y], axis=-1))
    assert np.array_equal(below.reshape(SIDE, SIDE, 4)[..., :2], np.stack([x, SIDE - y], axis=-1))
    assert np.array_equal(above.reshape(SIDE, SIDE, 4)[::-1, :, 2], below.reshape(SIDE, SIDE, 4)[..., 2])


@LIVE
def test_a_module_of_opengl_that_asks_for_no_y_needs_no_block() -> None:
    made = st.split_samplers(compiled("c = texture(one, v);", SAMPLER, "layout(location = 0) in vec2 v;", opengl=True))
    assert (made.blocks, made.unresolved) == ({}, ())
    assert [note.reason.split(":")[0] for note in made.rewritten] == ["WebGPU's origin is the upper left"]
    assert_valid(made.module, "opengl4.5")


@LIVE
def test_push_constants_are_a_storage_buffer() -> None:
    module = fragment("layout(push_constant) uniform P { float p[6]; };", "p[1], p[int(c.x + 3) % 4 + 2], 0, 1")
    drawn = picture(module, {"push constants": np.arange(6, dtype=np.float32).tobytes()})
    at = np.frombuffer(places()[0, 30], np.float32).reshape(-1, 4)[:, 0]
    assert np.array_equal(drawn[:, 0], np.ones(SIDE * SIDE))
    assert np.array_equal(drawn[:, 1], (at + 3).astype(int) % 4 + 2)
    assert st.split_samplers(module, blocks={"push constants": (0, 9)}).blocks == {"push constants": (0, 9)}
    assert_valid(st.split_samplers(module).module)
    with pytest.raises(ArgumentError, match=r"blocks of push constants=\(0, 30\) cannot .* that nothing else has"):
        st.split_samplers(module, blocks={"push constants": (0, 30)})


@LIVE
@pytest.mark.parametrize(
    "expression",
    [
        "texelFetch(s, (ivec2(c.xy) + 9) % ivec2(8, 3), 0)",  # remainders of vectors are those of their components
        "two(c.xy) + textureLod(s, c.xy, 0)",  # modf gives both parts
    ],
)
def test_arithmetic_that_webgpu_has_not_is_that_of_vulkan(expression: str) -> None:
    _, beside = devices()
    declared = """layout(binding = 0) uniform sampler2D s;
vec4 two(vec2 p) { vec2 w; vec2 f = modf(p * 3, w); return vec4(f, w); }"""
    module = fragment(declared, expression)
    assert np.abs(picture(module) - native(beside, module, {(0, 0): (ONE,)}, places())).max() <= 2.0**-7


@LIVE
def test_infinite_values_and_those_that_are_no_numbers_are_told_by_their_bits() -> None:
    _, beside = devices()
    declared = "layout(binding = 0) uniform sampler2D s;"
    odd = "uintBitsToFloat(0x7F7FFFF0u + uvec2(gl_FragCoord.xy) + uvec2(0, 1u << 31))"
    module = fragment(declared, f"vec4(isnan({odd}), isinf({odd})) + textureLod(s, c.xy, 0)")
    assert "isnan" in st.split_samplers(module).rewritten[0].reason
    assert np.abs(picture(module) - native(beside, module, {(0, 0): (ONE,)}, places())).max() <= 2.0**-7


@LIVE
def test_a_point_has_one_pixel() -> None:
    """A size that varies is 1; a stage that sets none, or 1, stays as it is."""
    for size, count in (("c.x", 1), ("1.0", 0)):
        body = f"vec4 c = textureLod(one, vec2(0), 0); gl_Position = c; gl_PointSize = {size};"
        made = st.split_samplers(compiled(body, SAMPLER, stage="vert"), for_="dawn")
        assert len(made.rewritten) == count
        assert_valid(made.module)


@pytest.mark.live("glslangValidator", "spirv-val")
def test_stages_that_webgpu_lacks_stay_as_they_are() -> None:
    """Arrays at their ends were taken apart, and overlapped."""
    declared = "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; layout(location = 0) in vec4 v[];"
    body = "layout(binding = 0) uniform sampler2D s; void main() { gl_Position = textureLod(s, v[0].xy, 0) + v[2]; }"
    module = glsl(
        "#version 450\n" + declared + "layout(location = 1) in vec4 w[];" + body.replace("v[2]", "w[1]"), "geom"
    )
    assert_valid(st.split_samplers(module).module)


@pytest.mark.live("glslangValidator", "spirv-val")
def test_an_invariant_member_is_not_of_a_private_variable() -> None:
    """SPIR-V has invariant members of inputs and outputs alone: what was written was invalid."""
    module = compiled(
        "gl_Position = vec4(0); s.a = vec4(1);",
        "struct S { vec4 a; }; layout(location = 0) out O { invariant vec4 a; } s;",
        stage="vert",
    )
    assert_valid(st.split_samplers(module).module)


@pytest.mark.live("glslangValidator")
def test_a_built_in_variable_is_not_interpolated_otherwise() -> None:
    """Tint refused it, and it changes nothing where texels have one sample."""
    editor = Editor(Module.read(compiled("c = gl_FragCoord;")))
    place = next(ident for ident, said in editor.module.decorations.items() if Decoration.BuiltIn in said)
    editor.decorate(place, Decoration.NoPerspective)
    made = st.split_samplers(editor.finish().to_bytes())
    assert ["no built-in variable otherwise" in note.reason for note in made.rewritten] == [True]
    assert Decoration.NoPerspective not in Module.read(made.module).decorations[place]


@pytest.mark.live("glslangValidator", "spirv-val")
def test_a_workgroup_variable_has_no_initial_value() -> None:
    """WGSL's are 0 as a workgroup begins."""
    module = glsl(
        "#version 450\n#extension GL_EXT_null_initializer : enable\nlayout(local_size_x = 1) in; shared vec4 f = {};"
        "layout(binding = 0) buffer B { vec4 b; }; void main() { b = f; }",
        "comp",
    )
    made = st.split_samplers(module)
    assert ["no initial value" in note.reason for note in made.rewritten] == [True]
    shared = [one for one in Module.read(made.module).variables if one.words[2] == StorageClass.Workgroup]
    assert [len(one.words) for one in shared] == [3]


@pytest.mark.parametrize("form", ["structures", "arrays"])
def test_types_of_very_many_parts_are_counted_once_and_stay(form: str) -> None:
    """Structures of two structures of two ...; arrays of arrays of nothing. A module of 2 kB took for ever."""
    editor = Editor(Module.read(MODULES["implicit_2d.frag"]))
    if form == "structures":
        kinds = [editor.declare("OpTypeStruct", editor.type_float()) for _ in range(2)]
        for _ in range(40):
            kinds = [editor.declare("OpTypeStruct", *kinds) for _ in range(2)]
    else:
        kinds = [editor.declare("OpTypeStruct")]
        for _ in range(40):
            kinds = [editor.declare("OpTypeArray", kinds[0], editor.constant(editor.type_int(signed=False), 200))]
    variable = editor.variable(editor.declare("OpTypePointer", StorageClass.Input, kinds[0]), StorageClass.Input)
    editor.decorate(variable, Decoration.Location, 5)
    at = next(n for n, one in enumerate(editor.body) if one.opcode == Op.EntryPoint)
    editor.body[at] = editor.body[at].copy([*editor.body[at].words, variable])
    made = st.split_samplers(editor.finish().to_bytes())
    assert any("from stage to stage" in note.reason for note in made.unresolved)
