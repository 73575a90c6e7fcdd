"""Split modules and what takes them: places of their own, layers, and what WebGPU refuses by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

import statetracker as st
from statetracker.errors import NotLowered
from statetracker.shader.split_plan import JUDGES
from statetracker.spirv import Editor, Module, opcode
from statetracker.spirv.names import Decoration, Op, StorageClass
from tests.shader.compiled import MODULES, glsl

HEAD = "#version 450\n#extension GL_EXT_samplerless_texture_functions : enable\n"
ONE = "layout(set = 0, binding = 0) uniform sampler2D one;"


def compiled(body: str, *declared: str, stage: str = "frag", opengl: bool = False) -> bytes:
    """A shader for Vulkan, or for OpenGL."""
    out = "layout(location = 0) out vec4 c;" if stage == "frag" else ""
    text = "\n".join((HEAD, *declared, out, f"void main() {{ {body} }}"))
    return glsl(text, stage, *(("-G",) if opengl else ()))


def reasons(module: bytes) -> list[str]:
    return [note.reason for note in st.split_samplers(module).unresolved]


def rewritten(module: bytes) -> list[str]:
    """What is written otherwise, of a module of which nothing is unresolved then."""
    made = st.split_samplers(module)
    assert made.unresolved == ()
    return [note.reason for note in made.rewritten]


def bound(module: bytes) -> list[tuple[int, int]]:
    """Every (set, binding) that a variable has."""
    read = Module.read(module)
    return sorted((said[34][0], said[33][0]) for said in read.decorations.values() if 33 in said)


def together(name: str) -> bytes:
    """A module with every combined sampler and buffer at (0, 1)."""
    read = Module.read(MODULES[name])
    for one in read.instructions:
        if one.opcode == Op.Decorate and one.words[1] == Decoration.Binding:
            one.words[2] = 1
    return read.to_bytes()


# Places


def test_two_samplers_of_one_place_get_places_of_their_own() -> None:
    """They got one, and no note; the first has what the caller says."""
    made = st.split_samplers(together("two_samplers.frag"))
    assert bound(made.module) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert [one.descriptor for one in made.samplers] == [(0, 1), (0, 1)]
    said = [place for one in made.samplers for place in (one.image, one.sampler) if place]
    assert sorted(said) == bound(made.module)
    made = st.split_samplers(together("two_samplers.frag"), places={(0, 1): ((0, 2), (0, 0))})
    assert [(one.image, one.sampler) for one in made.samplers] == [((0, 2), (0, 0)), ((0, 1), (0, 3))]


@pytest.mark.parametrize("storage", ["Uniform", "StorageBuffer", "UniformConstant"])
def test_an_image_leaves_its_place_to_what_stays_there(storage: str) -> None:
    """GL numbers samplers, buffers and images apart, WebGPU does not."""
    editor = Editor(Module.read(MODULES["implicit_2d.frag"]))
    image = [editor.type_float(), 1, 0, 0, 0, 2, 1]
    name, words = ("OpTypeImage", image) if storage == "UniformConstant" else ("OpTypeStruct", image[:1])
    kind = editor.declare(name, *words)
    number = getattr(StorageClass, storage)
    other = editor.variable(editor.declare("OpTypePointer", number, kind), number)
    editor.bind(other, (0, 1))
    made = st.split_samplers(editor.finish().to_bytes())
    (one,) = made.samplers
    assert (one.descriptor, one.image, one.sampler) == ((0, 1), (0, 0), (0, 2))
    assert bound(made.module) == [(0, 0), (0, 1), (0, 2)]
    assert made.unresolved == ()


def test_samplers_without_a_place_are_both_at_0_and_get_places() -> None:
    read = Module.read(MODULES["two_samplers.frag"])
    kept = [one for one in read.instructions if one.opcode != Op.Decorate or one.words[1] not in {33, 34}]
    made = st.split_samplers(Module(kept, version=read.version, bound=read.bound).to_bytes())
    assert bound(made.module) == [(0, 0), (0, 1), (0, 2), (0, 3)]


@pytest.mark.live("glslangValidator")
def test_two_others_of_one_place_are_named() -> None:
    """A buffer and an image, which nothing here may move."""
    both = ("layout(binding = 3) uniform b { vec4 x; };", "layout(binding = 3, rgba8) uniform writeonly image2D i;")
    for sampler in ([], [ONE]):
        notes = st.split_samplers(compiled("imageStore(i, ivec2(0), x); c = x;", *sampler, *both)).unresolved
        assert [(note.instruction, note.descriptor) for note in notes] == [("OpVariable", (0, 3))] * 2
        assert "a place for each" in notes[0].reason


@pytest.mark.live("glslangValidator", "wgpu")
def test_wgpu_takes_a_module_for_opengl_whose_bindings_were_shared() -> None:
    declared = "layout(binding = 1) uniform sampler2D t; layout(binding = 1) uniform b { vec4 x; };"
    made = st.split_samplers(compiled("c = texture(t, v) + x;", IN + "vec2 v;", declared, opengl=True))
    assert made.unresolved == ()
    assert taken_by_wgpu(made.module) == ""


@pytest.mark.live("glslangValidator", "wgpu")
@pytest.mark.parametrize("kind", ["sampler2DArray", "isampler2DArray", "texture2DArray"])
def test_wgpu_takes_a_fetch_of_a_layer(kind: str) -> None:
    """Without a type of two integers in the module naga ended the program."""
    module = compiled(
        "c = vec4(texelFetch(t, ivec3(0), 0));", f"layout(binding = 0) uniform {kind} t;", ONE.replace("0)", "1)")
    )
    assert taken_by_wgpu(st.split_samplers(module).module) == ""


def taken_by_wgpu(module: bytes) -> str:
    """What wgpu says of a module, in a process of its own; nothing: it takes it."""
    program = (
        "import sys, wgpu; device = wgpu.gpu.request_adapter_sync().request_device_sync(); "
        "device.create_shader_module(code=sys.stdin.buffer.read())"
    )
    done = subprocess.run([sys.executable, "-c", program], input=module, capture_output=True, check=False)
    return "" if done.returncode == 0 else done.stderr.decode()[-400:]


# What is written otherwise, and what is refused


LOD = "fetches at a level"
FLAT = "hands on scalars and vectors"
IN = "layout(location = 0) in "
FLAT_IN = "layout(location = 0) flat in "
BUFFER = "layout(binding = 1) buffer B "
UNIFORM = "layout(binding = 1) uniform "
CONSTANT = "layout(constant_id = 0) const int k = 1;"
SAMPLED = "c = texture(one, vec2(0));"
#: What a fragment shader does, what it declares beside a sampler, and what is said of the rewrite.
# fmt: off
WRITTEN = (
    ("c = texture(one, vec2(p));", "layout(push_constant) uniform P { float p; };", "no push constants"),
    ("c = texture(one, v[1]);", IN + "vec2 v[2];", FLAT),
    ("c = texture(one, v[1]);", IN + "mat2 v;", FLAT),
    ("c = texture(one, v.a);", IN + "V { vec2 a; } v;", FLAT),
    ("c = texture(one, v.a);", "struct V { vec2 a; };" + IN + "V v;", FLAT),
    ("c = texelFetch(one, i.xy % i.zw, 0);", FLAT_IN + "ivec4 i;", "remainder of integer vectors"),
    ("vec2 w; c = texture(one, modf(v, w)) + w.xyxy;", IN + "vec2 v;", "modf has no pointer"),
    ("c = texture(one, interpolateAtOffset(v, vec2(0.25)));", IN + "vec2 v;", "at an offset"),
    ("c = texture(one, gl_PointCoord);", "", "coordinate within a point"),
    ("c = one_of(texture(one, vec2(0)));", "vec4 one_of(vec4 v) { if (v.x > 0) return v; }", "undefined values"),
    (SAMPLED + "gl_FragDepth = c.x;", "layout(depth_less) out float gl_FragDepth;", "depth_greater"),
    ("imageStore(i, ivec3(0), texture(one, vec2(0))); c = vec4(1);",
     "layout(binding = 1, rgba8) uniform writeonly image2DArray i;", "storage texture with layers"),
    ("c = texture(one, vec2(-m));", FLAT_IN + "uvec2 m;", "negates no unsigned"),
    ("c = texture(one, outerProduct(v, v.xyz)[0].xy);", IN + "vec4 v;", "of two sizes"),
    ("gl_Position = v[0] = textureLod(one, vec2(0), 0);", "layout(location = 0) out vec4 v[2];", FLAT),
    ("gl_Position = v[0] = textureLod(one, vec2(0), 0);", "layout(location = 0) out mat4 v;", FLAT),
)
#: The same of what no rewrite gives.
LACKED = (
    ("c = vec4(textureSize(t, 0), 0);", UNIFORM + "sampler2DArray t;", "a size without layers"),
    ("c = vec4(textureSize(t, 0), 0);", UNIFORM + "texture2DArray t;", "a size without layers"),
    ("c = vec4(textureSize(t, 0), 0);", UNIFORM + "samplerCubeArray t;", "a size without layers"),
    ("c = vec4(v, u);", IN + "vec2 v; layout(location = 0, component = 2) in vec2 u;", "one value at a location"),
    ("c = texture(one, vec2(0)) * gl_PrimitiveID;", "", "no such built-in variable"),
    ("c = texture(one, gl_SamplePosition);", "", "no such built-in variable"),
    (SAMPLED + "gl_SampleMask[0] = 1;", "", "sample mask is one number"),
    ("c = texture(one, vec2(dvec2(c.xy) * 2.0lf));", "", "numbers of 32 bits alone"),
    ("ivec2 w; c = texture(one, frexp(c.xy, w));", "", "no frexp"),
    ("c = texture(one, vec2(k * 2));", CONSTANT, "computed from others"),
    ("float a[k]; c = texture(one, vec2(a[0]));", CONSTANT, "length is"),
    (SAMPLED, "layout(early_fragment_tests) in;", "no such execution mode"),
    ("c = texture(one, m * vec2(0));", "layout(binding = 1, std140) uniform B { mat2 m; };", "two rows"),
    ("c = texture(one, vec2(f));", "layout(binding = 1) coherent buffer B { float f; };", "nor volatile memory"),
    ("c = texture(one, f[1].x.xy);", UNIFORM + "B { vec4 x; } f[2];", "arrays of buffers"),
    ("c = texture(one, vec2(imageAtomicAdd(i, ivec2(0), 1)));", "layout(binding = 1, r32i) uniform iimage2D i;",
     "atomic operations"),
    ("imageStore(i, ivec2(0), texture(one, vec2(0)));", "layout(binding = 1, rg8) uniform writeonly image2D i;",
     "textures of this format"),
    ("uint h, l; umulExtended(2u + uint(c.x), 3u, h, l); c = texture(one, vec2(h, l));", "", "umulExtended"),
    ("c = texture(one, asinh(c.xy)); ", "", "hyperbolic"),
    (SAMPLED + "memoryBarrier();", "", "only workgroup barriers"),
    (SAMPLED + "memoryBarrier();", "", "those of compute stages"),
    ("for (;;) c += texture(one, c.xy);", "", "no loop that nothing leaves"),
    ("c = texture(one, vec2(a, b));", UNIFORM + "B { layout(offset = 16) float a; layout(offset = 0) float b; };",
     "order of their offsets"),
    ("gl_Position = textureLod(one, vec2(0), 0); gl_ClipDistance[0] = 1;", "", "no such built-in"),
    ("gl_Position = textureLod(one, f, 0);", BUFFER + "{ vec2 f; };", "declare them readonly"),
)
# fmt: on


def stage_of(body: str) -> str:
    return "vert" if "gl_Position" in body else "frag"


@pytest.mark.live("glslangValidator", "wgpu")
@pytest.mark.parametrize(("body", "declared", "said"), WRITTEN)
def test_what_webgpu_has_not_is_written_with_what_it_has(body: str, declared: str, said: str) -> None:
    module = compiled(body, ONE, declared, stage=stage_of(body))
    assert [said in reason for reason in rewritten(module)] == [True]
    assert taken_by_wgpu(st.split_samplers(module).module) == ""


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize(("body", "declared", "said"), LACKED)
def test_each_thing_without_a_rewrite_is_named(body: str, declared: str, said: str) -> None:
    assert [said in reason for reason in reasons(compiled(body, ONE, declared, stage=stage_of(body)))].count(True) == 1


@pytest.mark.live("glslangValidator")
def test_a_loop_that_is_left_by_a_return_is_no_loop_without_an_end() -> None:
    assert reasons(compiled("for (;;) { c += texture(one, c.xy); if (c.x > 2.0) return; }", ONE)) == []


@pytest.mark.live("glslangValidator", "wgpu")
@pytest.mark.parametrize("name", ["OpShiftLeftLogical", "OpShiftRightLogical", "OpShiftRightArithmetic"])
def test_a_shift_of_the_other_sign_is_a_shift_of_a_bitcast(name: str) -> None:
    """Of naga's the result was the sign of what is shifted: it refused what reads it."""
    read = Module.read(compiled("c = texture(one, vec2(m << 1));", ONE, "layout(location = 0) flat in ivec2 m;"))
    editor = Editor(read)
    whole = editor.type_vector(editor.type_int(signed=False), 2)
    at = next(n for n, one in enumerate(editor.body) if one.name == "OpShiftLeftLogical")
    shift, converted = editor.body[at], editor.body[at + 1]
    editor.body[at] = shift.copy([whole, *shift.words[1:]], opcode(name))
    editor.body[at + 1] = converted.copy(converted.words, opcode("OpConvertUToF"))
    module = editor.finish().to_bytes()
    assert ["sign of what is shifted" in reason for reason in rewritten(module)] == [True]
    assert taken_by_wgpu(module) != ""
    assert taken_by_wgpu(st.split_samplers(module).module) == ""


@pytest.mark.live("glslangValidator")
def test_uniforms_of_opengl_outside_of_blocks_are_named() -> None:
    said = reasons(compiled("c = texture(one, p);", ONE, "layout(location = 0) uniform vec2 p;", opengl=True))
    assert ["outside of blocks" in reason for reason in said] == [True]


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize(
    ("body", "declared", "said"),
    [
        ("c = texture(one, vec2(0)) / 0.0 * 0.0 + vec4(0.0 / 0.0);", "", "infinite or NaN"),
        ("imageStore(i, ivec3(0), texture(one, vec2(0)));", "layout(binding = 1, rgba8) uniform writeonly imageCube i;",
         "storage textures are 1D"),
        ("c = texture(one, vec2(gl_ViewIndex));", "#extension GL_EXT_multiview : enable", "neither multiview"),
    ],
)  # fmt: skip
def test_what_ends_the_program_that_reads_it_is_an_error(body: str, declared: str, said: str) -> None:
    """Of Dawn's, so not where wgpu alone reads it."""
    module = compiled(body, *([declared, ONE] if declared[:1] == "#" else [ONE, declared]))
    with pytest.raises(NotLowered, match=said):
        st.split_samplers(module)
    assert True in [said in note.reason for note in st.split_samplers(module, for_="wgpu").unresolved]


@pytest.mark.live("glslangValidator")
def test_what_a_stage_has_of_its_own_accord_is_not() -> None:
    """gl_PerVertex is a structure, and scalars, vectors, and structures of a vertex stage are taken."""
    declared = "layout(location = 0) out V { vec4 a; } v; layout(location = 1) out vec2 b;"
    body = "gl_Position = v.a = textureLod(one, vec2(0), 0); b = vec2(1);"
    assert reasons(compiled(body, ONE, declared, stage="vert")) == []


@pytest.mark.parametrize("name", ["fetch_2d.frag", "fetch_multisample.frag", "fetch_buffer.frag"])
def test_a_fetch_without_a_level_gets_level_0(name: str) -> None:
    read = Module.read(MODULES[name])
    fetch = next(one for one in read.instructions if one.opcode == Op.ImageFetch)
    if name == "fetch_2d.frag":
        assert rewritten(read.to_bytes()) == []
        del fetch.words[4:]
    assert [LOD in reason for reason in rewritten(read.to_bytes())].count(True) == (name == "fetch_2d.frag")


@pytest.mark.live("glslangValidator")
def test_a_query_of_the_level_of_a_compared_sampler_is_a_query() -> None:
    """It was remarked on as if it sampled without comparing."""
    shade = "layout(binding = 0) uniform sampler2DShadow s;"
    module = compiled("c = vec4(texture(s, vec3(0))) + textureQueryLod(s, vec2(0)).xyxy;", shade)
    assert ["no level of detail" in reason for reason in reasons(module)] == [True]


@pytest.mark.live("glslangValidator", "wgpu")
@pytest.mark.parametrize("kind", ["sampler2DMSArray", "texture2DMSArray"])
def test_layers_of_several_samples_are_layers_or_an_error(kind: str) -> None:
    """Naga ended the program at one."""
    module = compiled(
        "c = texelFetch(t, ivec3(0, 0, 2), 1) * textureSamples(t);", f"layout(binding = 0) uniform {kind} t;"
    )
    with pytest.raises(NotLowered, match="no layers of several samples"):
        st.split_samplers(module)
    made = st.split_samplers(module, lengths={(0, 0): 4})
    assert made.unresolved == ()
    assert taken_by_wgpu(made.module) == ""
    assert [(one.view_dimension, one.multisampled) for one in made.samplers] == [("2d-array", False)] * (kind[0] == "s")


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize("judge", [None, *JUDGES])
def test_a_footprint_is_an_error(judge: str | None) -> None:
    """None has it, and a pair put together is no valid operand of it: that was passed on with a note."""
    body = "gl_TextureFootprint2DNV f; textureFootprintNV(one, vec2(2), 16, true, f); c = vec4(f.lod);"
    with pytest.raises(NotLowered, match="no footprint"):
        st.split_samplers(compiled(body, "#extension GL_NV_shader_texture_footprint : enable", ONE), for_=judge)
