"""`lower_stencil`: what it is asked for, where its uniform block goes, and images that are used otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.shader.stencil import StencilKey, lower_stencil
from statetracker.spirv import Editor, Instruction, Module
from statetracker.spirv.names import Op
from statetracker.surface.override import View
from tests.shader.compiled import MODULES, glsl
from tests.shader.test_linkage import EXPORT, linked
from tests.shader.validator import assert_valid

OF_3D = Module.read(MODULES["implicit_uint.frag"])  # set 0, binding 1
SAMPLES = Module(
    [one.copy([*one.words[:2], 1, *one.words[3:]]) if one.name == "OpTypeImage" else one for one in OF_3D.instructions],
    version=OF_3D.version,
    bound=OF_3D.bound,
).to_bytes()
KEY = {(0, 1): StencilKey()}


def placed(data: bytes, binding: int) -> bytes:
    """The module with its image at another binding."""
    read = Module.read(data)
    changed = [
        one.copy([*one.words[:2], binding]) if one.name == "OpDecorate" and one.words[1] == 33 else one
        for one in read.instructions
    ]
    return Module(changed, version=read.version, bound=read.bound).to_bytes()


def test_the_block_goes_to_binding_15_where_it_is_free() -> None:
    assert lower_stencil(SAMPLES, KEY).block == (0, 15)


@pytest.mark.live("spirv-val")
def test_a_block_s_place_that_is_taken_is_not_chosen() -> None:
    lowered = lower_stencil(placed(SAMPLES, 15), {(0, 15): StencilKey()})
    assert lowered.block == (0, 16)
    places = [(of[34], of[33]) for of in Module.read(lowered.module).decorations.values() if {33, 34} <= of.keys()]
    assert sorted(places) == [((0,), (15,)), ((0,), (16,))]
    assert_valid(lowered.module)


def test_a_taken_place_that_is_asked_for_is_an_error() -> None:
    with pytest.raises(ArgumentError) as caught:
        lower_stencil(SAMPLES, KEY, block=(0, 1))
    assert caught.value.value == (0, 1)
    assert "no variable" in caught.value.accepted
    assert lower_stencil(SAMPLES, KEY, block=(1, 1)).block == (1, 1)


WRONG_KEYS: dict[str, Any] = {
    "name": "byte",
    "nothing": None,
    "view": StencilKey(view="x"),  # type: ignore[arg-type]
    "border below 0": StencilKey(border=-1),
    "border of 9 bits": StencilKey(border=256),
    "border of no number": StencilKey(border=None),  # type: ignore[arg-type]
    "samples": StencilKey(samples=3),
    "wrap": StencilKey(wrap_t=5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("key", WRONG_KEYS)
def test_keys_that_make_no_sense_are_refused_with_what_is_accepted(key: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        lower_stencil(SAMPLES, {(0, 1): WRONG_KEYS[key]})
    assert caught.value.accepted


@pytest.mark.parametrize(
    "images", [None, [KEY], 3, {1: StencilKey()}, {(0, -1): StencilKey()}, {("a", 1): StencilKey()}]
)
def test_requests_of_another_form_are_refused(images: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        lower_stencil(SAMPLES, images)
    assert caught.value.accepted


def test_bytes_of_any_kind_are_a_module() -> None:
    wanted = lower_stencil(SAMPLES, KEY)
    assert lower_stencil(bytearray(SAMPLES), KEY) == wanted
    assert lower_stencil(memoryview(SAMPLES), KEY) == wanted
    assert type(lower_stencil(bytearray(SAMPLES), {}).module) is bytes


def test_copies_that_go_round_in_a_circle_are_left() -> None:
    """Each of the other: it was walked for ever."""
    editor = Editor(Module.read(SAMPLES))
    at, load = next((n, one) for n, one in enumerate(editor.body) if one.opcode == Op.Load)
    first, second, *labels = (editor.new_id() for _ in range(4))
    copies = [Instruction(Op.CopyObject, [load.words[0], *pair]) for pair in ((first, second), (second, first))]
    between = [one for label in labels for one in (Instruction(Op.Branch, [label]), Instruction(Op.Label, [label]))]
    made = editor.finish([*editor.body[:at], copies[0], *between, copies[1], *editor.body[at:]]).to_bytes()
    assert len(lower_stencil(made, KEY).rewritten) == len(lower_stencil(SAMPLES, KEY).rewritten)


def test_a_view_may_be_given_by_its_name() -> None:
    by_name = lower_stencil(SAMPLES, {(0, 1): StencilKey(view="block")})  # type: ignore[arg-type]
    assert by_name == lower_stencil(SAMPLES, {(0, 1): StencilKey(view=View.BLOCK)})
    assert by_name.module != lower_stencil(SAMPLES, KEY).module


COMPUTE = """\
#version 450
layout(set = 0, binding = 1, r32ui) uniform uimage2D stored;
layout(set = 0, binding = 2) uniform usampler2D read;
void main() {{ {statement} }}
"""


@pytest.mark.live("glslangValidator", "spirv-val")
@pytest.mark.parametrize(
    "statement",
    [
        "imageStore(stored, ivec2(1), imageLoad(stored, ivec2(0)));",
        "imageAtomicAdd(stored, ivec2(0), 1u);",
        "imageStore(stored, imageSize(stored), texelFetch(read, ivec2(3), 0));",
    ],
)
def test_a_storage_image_is_named_and_the_module_left(statement: str) -> None:
    module = glsl(COMPUTE.format(statement=statement), "comp")
    lowered = lower_stencil(module, {(0, 1): StencilKey(), (0, 2): StencilKey()})
    assert lowered.module == module
    assert ["storage image" in note.said for note in lowered.unresolved] == [True]
    alone = lower_stencil(module, {(0, 2): StencilKey()})
    assert not alone.unresolved
    assert_valid(alone.module)


def test_an_image_that_is_used_in_a_way_that_is_not_known_is_named() -> None:
    """No rewrite follows it, and the module stays."""
    editor = Editor(Module.read(SAMPLES))
    image = editor.module.definitions[next(one for one in editor.body if one.name.startswith("OpImageSample")).words[2]]
    twice = editor.build("OpIAdd", editor.type_int(signed=False), image.result, image.result)
    editor.body.insert(editor.body.index(image) + 1, twice)
    made = editor.finish().to_bytes()
    lowered = lower_stencil(made, KEY)
    assert [(note.instruction, note.said) for note in lowered.unresolved] == [
        ("OpIAdd", "it uses the image in a way that is not known")
    ]
    assert lowered.module == made


@pytest.mark.live("glslangValidator")
def test_a_parameter_of_an_exported_function_is_named() -> None:
    made = glsl(
        "#version 450\nlayout(set = 0, binding = 1) uniform usampler2D one;\nlayout(location = 0) out uvec4 texel;\n"
        "uvec4 at(usampler2D image) { return texelFetch(image, ivec2(3), 0); }\nvoid main() { texel = at(one); }\n"
    )
    assert not lower_stencil(made, KEY).unresolved
    module = linked(made, EXPORT, lambda function: bool(function.parameters))
    lowered = lower_stencil(module, KEY)
    assert [note.said for note in lowered.unresolved] == ["the image is a parameter of an exported function"]
    assert lowered.module == module
