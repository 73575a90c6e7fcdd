"""Arrays of images and samplers as variables, drawn split on WebGPU and as they stand on Vulkan."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, NotLowered
from statetracker.shader.origin import ACCESS_CHAINS
from statetracker.spirv import Editor, Module
from statetracker.spirv.names import Op
from tests.shader.beside import Texture, apart, fragment, state
from tests.shader.compiled import MODULES
from tests.shader.validator import assert_valid

EACH = [
    Texture("2d", (8, 8), state(filters), levels=2, seed=n) for n, filters in enumerate(("LLL", "NNN", "LNN", "NNL"))
]


def chosen(expression: str, index: str) -> str:
    """The same by constant indexes: lavapipe takes an index to be the same in all fragments."""
    each = [expression.replace(f"[{index}]", f"[{n}]") for n in range(4)]
    return (
        f"(int({index}) == 0 ? {each[0]} : int({index}) == 1 ? {each[1]} : int({index}) == 2 ? {each[2]} : {each[3]})"
    )


SIGNED, UNSIGNED, OF_QUADS = "int(c.x + 2) % 4", "uint(c.x + 2) % 4u", "int(gl_FragCoord.x / 2) % 4"


@pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
@pytest.mark.parametrize(
    ("expression", "index"),
    [
        ("textureLod(s[AT], c.xy, d.y)", SIGNED),
        ("texture(s[AT], c.xy)", OF_QUADS),
        ("(textureLod(s[2], c.xy, 1) + textureLod(s[AT], c.xy, 0))", UNSIGNED),
        ("(texelFetch(s[AT], ivec2(3), 1) + textureSize(s[AT], 1).xyxy)", SIGNED),
        ("textureGatherOffset(s[AT], c.xy, ivec2(c.zw), 1)", SIGNED),
        ("(textureQueryLevels(s[AT]) + c)", SIGNED),
        ("all(s, AT, c.xy)", SIGNED),
    ],
)
def test_an_index_that_varies_samples_the_element(expression: str, index: str) -> None:
    """In functions too; derivatives are those of the whole quad, whatever the index."""
    declared = "sampler2D s[4]"
    text, right = expression.replace("AT", index), chosen(expression.replace("AT", index), index)
    if "all" in expression:
        declared += """;
vec4 one(sampler2D t, vec2 p) { return textureLod(t, p, 0.0); }
vec4 all(sampler2D t[4], int n, vec2 p) { return one(t[n], p) + one(t[1], p); }
const int unused = 0"""
        right = chosen(f"textureLod(s[{index}], c.xy, 0)", index) + " + textureLod(s[1], c.xy, 0)"
    wrong = apart(declared, text, *EACH, smooth=index == OF_QUADS, right=right)
    assert wrong.max() <= 2.0**-7


@pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
def test_separate_arrays_get_a_place_an_element() -> None:
    """An image and a sampler that are chosen each by an index of its own."""
    declared = "layout(binding = 0) uniform texture2D t[2]; layout(binding = 1) uniform sampler p[2];"
    module = fragment(declared, "textureLod(sampler2D(t[int(c.x + 2) % 2], p[int(c.y + 2) % 2]), c.xy, 0)")
    split = st.split_samplers(module)
    assert split.unresolved == ()
    assert_valid(split.module)
    assert split.places == {((0, 0), 0): (0, 0), ((0, 0), 1): (0, 2), ((0, 1), 0): (0, 1), ((0, 1), 1): (0, 3)}


def test_elements_are_named_and_only_those_that_are_read_are_there() -> None:
    each = st.split_samplers(MODULES["array_constant.frag"]).samplers
    assert [(one.descriptor, one.element, one.elements) for one in each] == [((0, 1), 2, 1), ((0, 1), 0, 1)]
    each = st.split_samplers(MODULES["array_dynamic.frag"]).samplers
    assert [one.element for one in each] == [0, 1, 2, 3]
    assert len({one.image for one in each} | {one.sampler for one in each}) == 8
    assert each[0].image == (0, 1)


def test_no_type_of_an_array_of_images_stays() -> None:
    """Dawn ended the program at one."""
    for name in ("array_dynamic.frag", "function_whole_array.frag", "array_nested.gl.frag", "separate_array.frag"):
        module = Module.read(st.split_samplers(MODULES[name]).module)
        resources = {
            one.result
            for one in module.instructions
            if one.opcode in {Op.TypeImage, Op.TypeSampledImage, Op.TypeSampler}
        }
        arrays = [one for one in module.instructions if one.opcode == Op.TypeArray and one.words[1] in resources]
        assert arrays == []


def test_an_array_without_a_length_is_refused_until_the_caller_says_one() -> None:
    """It ends Dawn's process; wgpu has arrays."""
    with pytest.raises(NotLowered, match="Tint ends the program at one without a length: give lengths"):
        st.split_samplers(MODULES["array_runtime.frag"])
    (note,) = st.split_samplers(MODULES["array_runtime.frag"], for_="wgpu").unresolved
    assert "give lengths" in note.reason
    made = st.split_samplers(MODULES["array_runtime.frag"], lengths={(0, 1): 3})
    assert [one.element for one in made.samplers] == [0, 1, 2]
    assert made.unresolved == ()
    with pytest.raises(ArgumentError, match="accepted: a whole number from 1 to 1024"):
        st.split_samplers(MODULES["array_runtime.frag"], lengths={(0, 1): 0})


def test_places_of_elements_are_the_callers() -> None:
    places: dict[tuple[int, ...], Any] = {(0, 1): ((0, 7), (0, 8)), (0, 1, 2): ((1, 0), (1, 1))}
    each = st.split_samplers(MODULES["array_dynamic.frag"], places=places).samplers
    assert [(one.image, one.sampler) for one in each][::2] == [((0, 7), (0, 8)), ((1, 0), (1, 1))]
    with pytest.raises(ArgumentError, match=r"combined samplers of the module: 0:1, 0:1:1, 0:1:2, 0:1:3"):
        st.split_samplers(MODULES["array_dynamic.frag"], places=places | {(0, 1, 4): ((1, 2), (1, 3))})


def test_a_read_takes_no_longer_for_each_read_before_it() -> None:
    """Twenty thousand reads took seven seconds."""
    editor = Editor(Module.read(MODULES["array_constant.frag"]))
    at = next(
        n for n, one in enumerate(editor.body) if one.opcode == Op.Load and editor.body[n - 1].opcode in ACCESS_CHAINS
    )
    pair = editor.body[at - 1 : at + 1]
    for _ in range(20_000):
        chain, load = ([one.words[0], editor.new_id(), *one.words[2:]] for one in pair)
        load[2] = chain[1]
        editor.body[at + 1 : at + 1] = [pair[0].copy(chain), pair[1].copy(load)]
    module = editor.finish()
    begun = process_time()
    assert len(st.split_samplers(module).samplers) == len(st.split_samplers(MODULES["array_constant.frag"]).samplers)
    assert process_time() - begun < 2.0
