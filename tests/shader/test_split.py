"""Combined image samplers apart: the shaders of tests/data, places, depth, layers, what cannot be split."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.errors import ArgumentError, ModuleError
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter, TexReduction
from statetracker.shader import Split
from statetracker.shader.origin import leaf, resources
from statetracker.spirv import Module, opcode, renamed
from statetracker.spirv.names import Op, StorageClass
from tests.shader.compiled import MODULES, glsl
from tests.shader.modules import Sample, samples
from tests.shader.modules import module as generated
from tests.shader.validator import assert_valid

NAMES = sorted(MODULES)
#: Shaders with half images, which Vulkan 1.1 has not, in or out.
HALF = ("half_2d.frag",)
#: Shaders without a combined sampler.
NONE = {"separate.frag", "separate_shadow.frag"}
LINEAR: dict[str, Any] = {
    "min_img_filter": TexFilter.LINEAR,
    "mag_img_filter": TexFilter.LINEAR,
    "min_mip_filter": TexMipfilter.LINEAR,
    "compare_func": Func.LEQUAL,
}
LOWERINGS = {
    "a border": Lowering(border="st", route="edge", add_lod_bias=True, **LINEAR),
    "a fold": Lowering(fold="st", limit_lod=True, **LINEAR),
    "filtering": Lowering(filter_texels=True, normalize=True, **LINEAR),
    "the least texel": Lowering(filter_texels=True, reduction=TexReduction.MIN, **LINEAR),
    "the greatest texel": Lowering(filter_texels=True, reduction=TexReduction.MAX, **LINEAR),
    "faces": Lowering(cube_edges=True, **LINEAR),
}


@cache
def split(name: str, module: bytes = b"") -> Split:
    """Of a test's shader, or of what was made of it."""
    lengths = {(0, 1): 4} if name == "array_runtime.frag" else None
    return st.split_samplers(module or MODULES[name], lengths=lengths)


def all_of(module: bytes, name: str) -> list[list[int]]:
    return [one.words for one in Module.read(module).instructions if one.opcode == opcode(name)]


def combined(module: bytes) -> bool:
    """Whether a variable's type has combined samplers."""
    read = Module.read(module)
    return any(leaf(read, one).opcode == Op.TypeSampledImage for one in read.variables)


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("name", NAMES)
def test_every_shader_is_split_and_valid(name: str) -> None:
    made = split(name)
    assert not combined(made.module)
    assert bool(made.samplers) == (not name.startswith("separate"))
    if name not in HALF:
        assert_valid(made.module, "opengl4.5" if ".gl." in name else "vulkan1.1")


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("work", LOWERINGS)
def test_every_lowered_shader_is_split_and_valid(work: str) -> None:
    for name in NAMES:
        module = MODULES[name]
        places = {one.descriptor for one in split(name).samplers}
        lowered = st.lower(module, dict.fromkeys(places, LOWERINGS[work]), values=(3, 0), lod_query=False)
        made = split(name, lowered.module)
        assert not combined(made.module)
        if name not in HALF:
            assert_valid(made.module, "opengl4.5" if ".gl." in name else "vulkan1.1")


@pytest.mark.parametrize("name", sorted(NONE))
def test_a_module_without_combined_samplers_is_given_back(name: str) -> None:
    module = MODULES[name]
    assert st.split_samplers(module) == Split(module, (), (), ())


def test_splitting_twice_is_splitting_once() -> None:
    for name in NAMES:
        once = split(name)
        assert st.split_samplers(once.module).module == once.module


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        ("1d float", "implicit_1d"),
        ("2d float", "implicit_2d shadow_2d gather_shadow_2d rect.gl"),
        ("2d float", "fetch_2d fetch_multisample query_size_2d fetch_buffer"),
        ("3d float", "implicit_3d"),
        ("2d-array float", "implicit_2d_array implicit_1d_array"),
        ("cube float", "implicit_cube shadow_cube"),
        ("cube-array float", "implicit_cube_array"),
        ("2d sint", "implicit_int"),
        ("3d uint", "implicit_uint"),
    ],
)
def test_a_layouts_facts_are_those_of_the_shader(facts: str, names: str) -> None:
    for name in names.split():
        (one,) = split(f"{name}.frag").samplers
        assert (f"{one.view_dimension} {one.kind}", one.compares, one.elements) == (facts, "shadow" in name, 1)
        assert (one.sampler is None) is name.startswith(("fetch", "query"))
        assert one.multisampled is ("multisample" in name)


@pytest.mark.live("spirv-val")
@settings(max_examples=40)
@given(some.lists(samples(), min_size=1, max_size=6), some.sampled_from(list(LOWERINGS)), some.booleans())
def test_any_mixture_of_forms_is_split_and_valid(forms: list[Sample], work: str, lowers: bool) -> None:
    made, results = generated(forms)
    if lowers:
        places = [one.descriptor for one in st.split_samplers(made).samplers]
        made = st.lower(made, dict.fromkeys(places, LOWERINGS[work]), values=(3, 0), lod_query=False).module
    apart = st.split_samplers(made)
    assert not combined(apart.module)
    stays = {result for result, form in zip(results, forms, strict=True) if form.via != "function"}
    assert stays <= {one.result for one in Module.read(apart.module).instructions}
    assert_valid(apart.module)
    assert {one.descriptor: one.compares for one in apart.samplers} == {
        (0, at): form.dref for at, form in enumerate(forms) if form.via != "separate"
    }


@pytest.mark.live("glslangValidator", "spirv-val")
def test_the_interface_of_newer_modules_lists_the_parts() -> None:
    module = compiled("c = texture(one, vec2(0));", ONE, environment="vulkan1.2")
    made = st.split_samplers(module)
    variables = {one.result for one in Module.read(made.module).instructions if one.name == "OpVariable"}
    (entry,) = Module.read(made.module).entry_points
    assert Module.read(made.module).version >= 0x10400
    assert set(entry.interface) == variables
    assert_valid(made.module, "vulkan1.2")


# Places


def places_of(module: bytes) -> dict[tuple[int, int], str]:
    """(set, binding) -> the type of what is bound there."""
    read = Module.read(module)
    return {place: read.held(variable).name for place, variable in resources(read)}


@pytest.mark.parametrize(
    ("name", "asked", "places"),
    [
        ("two_samplers.frag", None, {(0, 1): ((0, 1), (0, 0)), (0, 2): ((0, 2), (0, 3))}),  # the first that is free
        *(
            (name, places, places)
            for name, places in (
                ("implicit_2d.frag", {(0, 1): ((2, 5), (0, 1))}),
                ("two_samplers.frag", {(0, 1): ((0, 2), (1, 0)), (0, 2): ((0, 1), (1, 1))}),  # which change places
                ("two_samplers.frag", {(0, 1): ((0, 1), (0, 5)), (0, 2): ((0, 2), (0, 5))}),  # which share a sampler
            )
        ),
    ],
)
def test_an_image_keeps_its_place_unless_the_caller_chooses_another(name: str, asked: Any, places: Any) -> None:
    made = st.split_samplers(MODULES[name], places=asked)
    assert {one.descriptor: (one.image, one.sampler) for one in made.samplers} == places
    images, samplers = ({pair[at]: kind for pair in places.values()} for at, kind in enumerate(("Image", "Sampler")))
    assert places_of(made.module) == {place: f"OpType{kind}" for place, kind in (images | samplers).items()}
    variables = [one for one in Module.read(made.module).variables if one.words[2] == StorageClass.UniformConstant]
    assert len(variables) == len(images) + len(samplers)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (
            {(0, 9): ((0, 0), (0, 2))},
            "places='0:9' cannot be used; accepted: combined samplers of the module: 0:1, 0:2",
        ),
        ({(0, 1): (0, 2)}, "places of 0:1=0 cannot be used; accepted: (set, binding), two whole numbers from 0"),
        ({(0, 1): (([0], 2), (0, 3))}, "places of 0:1=([0], 2) cannot be used; accepted: (set, binding), two whole"),
        ({(0, 1): ((0, 1 << 32), (0, 3))}, "places of 0:1=(0, 4294967296) cannot be used; accepted: (set, binding)"),
        ({(0, 1): ((0, 5),)}, "places of 0:1=((0, 5),) cannot be used; accepted: two places: the image's and the"),
        ({(0, 1): ((0, 5), (0, 5))}, "places of 0:1=(0, 5) cannot be used; accepted: a place that nothing else has"),
        ({(0, 1): ((0, 2), (0, 5))}, "places of 0:1=(0, 2) cannot be used; accepted: a place that nothing else has"),
        (
            {(0, 1): ((0, 7), (0, 5)), (0, 2): ((0, 8), (0, 7))},
            "places of 0:2=(0, 7) cannot be used; accepted: a place that nothing else has",
        ),
        ({0: ((0, 2), (0, 5))}, "places=0 cannot be used; accepted: (set, binding), two whole numbers from 0"),
        ([], "places=[] cannot be used; accepted: (set, binding) -> (image's place, sampler's place), or None"),
    ],
)
def test_places_that_cannot_be_are_refused(places: Any, said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        st.split_samplers(MODULES["two_samplers.frag"], places=places)
    assert str(caught.value).startswith(said)
    with pytest.raises(ArgumentError, match="accepted: combined samplers of the module: none"):
        st.split_samplers(MODULES["separate.frag"], places={(0, 1): ((0, 2), (0, 3))})


@pytest.mark.live("glslangValidator")
def test_samplers_that_compare_and_others_share_no_place() -> None:
    both = compiled("c = texture(one, vec2(0)) + texture(shade, vec3(0));", ONE, SHADOW)
    first, second = (one.descriptor for one in st.split_samplers(both).samplers)
    with pytest.raises(ArgumentError, match="samplers at one place that all compare, or none"):
        st.split_samplers(both, places={first: (first, (0, 9)), second: (second, (0, 9))})


# Types


@pytest.mark.parametrize(("name", "depth"), [("shadow_2d.frag", 1), ("implicit_2d.frag", 0), ("separate.frag", 0)])
def test_an_image_is_depth_where_it_is_compared(name: str, depth: int) -> None:
    module = split(name).module
    read = Module.read(module)
    used = {read.definitions[one.words[0]].words[2] for one in read.instructions if one.name == "OpVariable"}
    images = [one for one in read.instructions if one.name == "OpTypeImage" and one.result in used]
    assert [one.words[3] for one in images] == [depth]


def test_a_comparison_makes_a_type_depth_that_says_it_is_not() -> None:
    module = Module.read(MODULES["shadow_2d.frag"])
    for one in module.instructions:
        if one.name == "OpTypeImage":
            one.words[3] = 2
    made = st.split_samplers(module.to_bytes())
    assert made.samplers[0].compares
    assert {words[3] for words in all_of(made.module, "OpTypeImage")} == {1, 2}


def test_names_of_images_stay() -> None:
    before, made = (Module.read(one) for one in (MODULES["two_samplers.frag"], split("two_samplers.frag").module))
    names, kept = ({one.names.get(of.result, "") for of in one.variables if not of.words[2]} for one in (before, made))
    assert names == kept - {""}


def test_layers_are_whole_numbers_rounded_half_to_even() -> None:
    """As devices do; layer 0.5 was layer 1."""
    rounded = {"implicit_2d_array", "shadow_2d_array", "implicit_cube_array", "gather_2d_array"}
    for name in rounded | {"implicit_2d", "implicit_3d", "implicit_cube"}:
        read = Module.read(split(f"{name}.frag").module)
        inserted = [one for one in read.instructions if one.name == "OpCompositeInsert"]
        layers = [read.definitions[one.words[2]] for one in inserted]
        said = [(one.words[3], read.definitions[one.words[4]].words[3]) for one in layers if one.name == "OpExtInst"]
        assert said == [(40, 2)] * (name in rounded)  # FMax of RoundEven


# What is left out, and what cannot be


def compiled(body: str, *declared: str, environment: str = "vulkan1.1") -> bytes:
    """A fragment shader for Vulkan."""
    lines = ("#version 450", *declared, "layout(location = 0) out vec4 c;", f"void main() {{ {body} }}")
    return glsl("\n".join(lines), "frag", "-V", "--target-env", environment)


ONE = "layout(set = 0, binding = 0) uniform sampler2D one;"
TWO = "layout(set = 0, binding = 1) uniform sampler2D two;"
SHADOW = "layout(set = 0, binding = 2) uniform sampler2DShadow shade;"


@pytest.mark.live("glslangValidator", "spirv-val")
def test_what_nothing_reads_is_left_out() -> None:
    module = compiled("c = texture(one, vec2(0));", ONE, TWO)
    read = Module.read(module)
    used = st.split_samplers(module)
    assert [one.descriptor for one in used.samplers] == [(0, 0)]
    assert used.unused == ((0, 1),) * ("two" in read.names.values())
    assert (0, 1) not in places_of(used.module)
    assert_valid(used.module)


@pytest.mark.live("glslangValidator", "spirv-val")
@pytest.mark.parametrize(
    ("body", "pairs", "compares"),
    [
        ("c = vec4(0); if (c.x > 0.5) c += texture(one, vec2(1)); else c -= texture(one, vec2(2));", 2, [False]),
        ("c = texture(one, vec2(0)) + texture(shade, vec3(0));", 2, [False, True]),  # of one type in the module
    ],
)
def test_a_pair_is_put_together_for_each_sample(body: str, pairs: int, compares: list[bool]) -> None:
    made = st.split_samplers(compiled(body, ONE, SHADOW))
    assert [one.compares for one in made.samplers] == compares
    assert [len(all_of(made.module, name)) for name in ("OpSampledImage", "OpTypeSampler")] == [pairs, 1]
    assert_valid(made.module)


@pytest.mark.live("glslangValidator", "spirv-val")
def test_a_separate_image_beside_a_combined_one_stays_as_it_is() -> None:
    apart = ("layout(set = 1, binding = 0) uniform texture2D t;", "layout(set = 1, binding = 1) uniform sampler s;")
    body = "c = textureOffset(one, vec2(0), ivec2(1)) + textureOffset(sampler2D(t, s), vec2(0), ivec2(1));"
    module = compiled(body, ONE, *apart)
    made = st.split_samplers(module)
    assert [one.descriptor for one in made.samplers] == [(0, 0)]
    assert len(all_of(made.module, "OpTypeSampler")) == 1
    assert_valid(made.module)
    for ident in range(1, Module.read(module).bound):  # a literal of a sample is no id
        assert st.split_samplers(renumbered(module, ident)).samplers == made.samplers


def renumbered(module: bytes, low: int) -> bytes:
    """The same module, with one id and id 8, which the operands of a sample with an offset begin with, exchanged."""
    read = Module.read(module)
    out = [renamed(read.definitions, one, {low: 8, 8: low}) for one in read.instructions]
    return Module(out, version=read.version, bound=read.bound, generator=read.generator).to_bytes()


#: Shader -> what WebGPU lacks of it, where it is told what will be bound and where it needs not be.
TOLD = {
    "query_lod_2d": "asks for no level of detail",
    "shadow_bias_2d": "compares without an LOD bias",
    "shadow_lod_2d": "compares at level 0",
    "shadow_grad_2d": "compares at level 0",
    "implicit_int": "samples no integers",
}
UNTOLD = {
    "sparse_2d": "has no sparse samples",
    "min_lod_2d": "no least level of detail",
    "fetch_offset_2d": "fetches without an offset",
    "gather_offset_dynamic_2d": "one constant offset",
    "gather_offsets_2d": "one constant offset",
    "bias_1d": "1D images without an LOD bias",
    "lod_1d": "1D images at an implicit level, without an offset",
    "offset_1d": "1D images at an implicit level, without an offset",
    "shadow_1d": "compares no 1D images",
    "array_constant": "no arrays of bindings",
    "rect.gl": "no rectangles",
    "fetch_buffer": "no buffer textures",
    "implicit_1d_array": "no 1D images with layers",
    "half_2d": "no images of 16-bit floats",
    "opengl_2d.gl": "origin is the upper left",
    "branches": "switch does not fall through",
    "vertex_lod.vert": "vertex stage has a position",
}


@pytest.mark.parametrize("name", [*TOLD, *UNTOLD])
def test_what_webgpu_lacks_is_written_with_what_it_has(name: str) -> None:
    """Some of it where the sampler is told, and is said else."""
    module = MODULES[name if name.endswith(".vert") else f"{name}.frag"]
    made = st.split_samplers(module, samplers={(0, 1): {"compare": "less" if "shadow" in name else None}})
    assert made.unresolved == ()
    assert any((TOLD | UNTOLD)[name] in note.reason for note in made.rewritten)
    untold = st.split_samplers(module)
    said = [(TOLD[name], one.descriptor) for one in untold.samplers] if name in TOLD else []
    assert [(TOLD.get(name, "") in note.reason and TOLD[name], note.descriptor) for note in untold.unresolved] == said


@pytest.mark.parametrize("name", ["shadow_2d.frag", "offset_2d.frag", "gather_2d.frag", "lod_2d.frag", "function.frag"])
def test_what_webgpu_does_is_not_remarked_on(name: str) -> None:
    assert split(name).unresolved == split(name).rewritten == ()


@pytest.mark.parametrize(("judge", "changes"), [("wgpu", False), ("dawn", True), ("browser", True), (None, True)])
def test_a_module_is_written_for_who_reads_it(judge: str | None, changes: bool) -> None:
    """Naga has cases that fall through, Tint has none."""
    assert bool(st.split_samplers(MODULES["branches.frag"], for_=judge).rewritten) is changes


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"for_": "safari"}, "for_='safari' cannot be used; accepted: wgpu, dawn, browser, or None"),
        ({"samplers": 3}, "samplers=3 cannot be used; accepted: a mapping, or None"),
        ({"samplers": {(0, 1): 3}}, "samplers of 0:1=3 cannot be used; accepted: a GPUSamplerDescriptor"),
        (
            {"samplers": {(0, 1): {"compare": "lequal"}}},
            "compare of samplers of 0:1='lequal' cannot be used; accepted: n",
        ),
        *(
            ({"samplers": {(0, 1): {"lod_max_clamp": many}}}, f"lod_max_clamp of samplers of 0:1={many} cannot be used")
            for many in (inf, 1e39, 10**99)
        ),
        ({"samplers": {0: {}}}, "samplers=0 cannot be used; accepted: (set, binding)"),
        ({"lengths": {(0, 1): True}}, "lengths of 0:1=True cannot be used; accepted: a whole number from 1 to 1024"),
        ({"blocks": {"height": (0, 0)}}, "blocks='height' cannot be used; accepted: flip, push constants"),
        ({"blocks": {"flip": 3}}, "blocks of flip=3 cannot be used; accepted: (set, binding)"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        st.split_samplers(MODULES["implicit_2d.frag"], **asked)
    assert str(caught.value).startswith(said)


def test_bytes_that_are_no_module_are_refused() -> None:
    for damaged in (b"", b"\0" * 40, MODULES["implicit_2d.frag"][:-4]):
        with pytest.raises(ModuleError):
            st.split_samplers(damaged)


@pytest.mark.parametrize("name", ["implicit_2d.frag", "function.frag", "array_dynamic.frag", "shadow_2d.frag"])
def test_damage_gives_an_error_of_ours_or_a_module(name: str) -> None:
    module = MODULES[name]
    for at in range(20, len(module), 4):
        for word in (b"\0\0\0\0", b"\x05\0\0\0", b"\x14\0\0\0", b"\xff\xff\xff\xff"):
            try:
                st.split_samplers(module[:at] + word + module[at + 4 :])
            except (ModuleError, ArgumentError):
                continue
