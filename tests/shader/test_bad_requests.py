"""Requests that are no requests, and modules and states that do not fit together: each has its answer."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.pipe import Func, Lowering, LoweringValues, TexCompare, TexFilter, TexMipfilter, TexReduction, TexWrap
from statetracker.reference import Texels
from statetracker.spirv import Editor, Instruction, Module
from statetracker.spirv.names import Decoration, Op, StorageClass
from tests.shader.compiled import MODULES
from tests.shader.modules import SIMPLE
from tests.shader.sampled import BLOCK, bits, both, grey, quads, state
from tools.proofs.pixels.lacking import Device

LINEAR: Any = {"min_img_filter": TexFilter.LINEAR, "mag_img_filter": TexFilter.LINEAR}
ENUMS = (*LINEAR, "min_mip_filter", "compare_func", "reduction")
VERTEX, COMPUTE = 0, 5  # execution models
SHADOWS = ("shadow_2d", "sparse_shadow_2d", "gather_shadow_2d")
EDGE = Lowering(border="st", route="edge", min_mip_filter=TexMipfilter.NONE, **LINEAR)


@pytest.mark.parametrize(
    ("request_", "given_values", "message"),
    [
        ({(0, 1): EDGE}, None, "values of 0:1"),
        ({(0, 1): EDGE}, (0, 1), "does not use"),
        ({(0, 1): EDGE}, (0, -1), "values"),
        ({(0, 1): EDGE}, (0, 1 << 32), "values"),
        ({(0, 1): EDGE}, {}, "values of 0:1"),
        ({(0, 1): EDGE}, {(0, 1): [1]}, "values of 0:1"),
        ({(5, 1): EDGE}, BLOCK, "samplers of the module: 0:1"),
        ({(0, 1): EDGE._replace(route="")}, BLOCK, "route of 0:1"),
        ({(0, 1): EDGE._replace(route="else")}, BLOCK, "route of 0:1"),
        ({(0, 1): Lowering(route="edge", fold="s")}, BLOCK, "route of 0:1"),
        ({(0, 1): EDGE._replace(border="s", half_border="t", route="predefined")}, BLOCK, "edge with GL_CLAMP"),
        ({(0, 1): EDGE._replace(half_border="t")}, BLOCK, "axes of 0:1"),
        ({(0, 1): EDGE._replace(reflect="ss")}, BLOCK, "axes of 0:1"),
        ({(0, 1): EDGE._replace(fold="q")}, BLOCK, "axes of 0:1"),
        *(({(0, 1): EDGE._replace(**{name: "less"})}, BLOCK, f"{name} of 0:1") for name in ENUMS),  # type: ignore[arg-type]
        *(({(0, 1): EDGE._replace(**{name: [1]})}, BLOCK, f"{name} of 0:1") for name in ENUMS),  # type: ignore[arg-type]
        ({(0, 1): EDGE}, {(0, 1): LoweringValues(lod_bias=nan)}, "lod_bias=nan"),
        ({(0, 1): EDGE}, {(0, 1): LoweringValues(k=(0.0, 0.3, 1.0))}, "k="),
    ],
)
def test_bad_requests_name_the_descriptor(request_: Any, given_values: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        st.lower(MODULES["implicit_2d.frag"], request_, values=given_values)


def test_letters_in_any_order_and_numbers_of_enums_mean_the_same() -> None:
    """Letters out of order of a border were a damaged module, the number of a reduction an AttributeError."""
    other = EDGE._replace(border="ts", reduction=1)  # type: ignore[arg-type]
    meant = EDGE._replace(reduction=TexReduction.MIN)
    module = MODULES["implicit_2d.frag"]
    assert st.lower(module, {(0, 1): other}, values=BLOCK) == st.lower(module, {(0, 1): meant}, values=BLOCK)
    variants = st.ModuleVariants()
    name = variants.add(module)
    assert variants.key(name, {(0, 1): "ts"}) == variants.key(name, {(0, 1): "st"})


def test_what_the_module_lacks_is_listed_where_that_is_wanted() -> None:
    result = st.lower(MODULES["implicit_2d.frag"], {(0, 1): EDGE, (5, 1): EDGE}, values=BLOCK, keep_going=True)
    assert (result.unmatched, result.values, len(result.rewritten)) == (((5, 1),), (((0, 1), 0),), 1)
    nothing = st.lower(MODULES["implicit_2d.frag"], {(5, 1): EDGE}, values=BLOCK, keep_going=True)
    assert (nothing.module, nothing.unmatched) == (MODULES["implicit_2d.frag"], ((5, 1),))


@pytest.mark.parametrize("elements", [None, LoweringValues(), [1], [None], 5])
def test_values_of_nothing_are_refused(elements: Any) -> None:
    with pytest.raises(ArgumentError):
        st.border_values(elements)


@pytest.mark.parametrize(
    ("name", "lowering", "reason"),
    [
        ("implicit_cube.frag", EDGE, "a cube wraps within a face"),
        ("implicit_2d.frag", EDGE._replace(border="r"), "right as it stands"),
        ("query_lod_2d.frag", EDGE, "asks for the level"),
        ("gather_2d.frag", EDGE._replace(border="", route="", add_lod_bias=True), "right as it stands"),
    ],
)
def test_what_needs_no_work_is_left(name: str, lowering: Lowering, reason: str) -> None:
    result = st.lower(MODULES[name], {(0, 1): lowering}, values=BLOCK)
    assert result.module == MODULES[name]
    assert [reason in note.reason for note in result.left].count(True) == 1


def test_a_block_where_the_module_has_a_buffer_is_refused() -> None:
    with pytest.raises(ArgumentError, match="does not use"):
        st.lower(MODULES["compute.comp"], {(0, 1): EDGE}, values=(0, 3))


MIPS = EDGE._replace(min_img_filter=TexFilter.NEAREST, mag_img_filter=TexFilter.NEAREST)


@pytest.mark.parametrize(
    ("name", "lowering", "reason"),
    [
        *((f"{name}.frag", EDGE, "the request has no comparison") for name in SHADOWS),
        ("implicit_int.frag", MIPS._replace(min_img_filter=TexFilter.LINEAR), "incomplete"),
        ("implicit_int.frag", MIPS._replace(mag_img_filter=TexFilter.LINEAR), "incomplete"),
        ("implicit_int.frag", MIPS._replace(min_mip_filter=TexMipfilter.LINEAR), "incomplete"),
    ],
)
def test_what_no_state_of_such_texels_asks_for_is_unresolved(name: str, lowering: Lowering, reason: str) -> None:
    result = st.lower(MODULES[name], {(0, 1): lowering}, values=BLOCK)
    assert (result.module, result.rewritten) == (MODULES[name], ())
    assert [reason in note.reason for note in result.unresolved] == [True]


@pytest.mark.parametrize("mode", [7, 5289, 5290], ids=["none", "quads", "linear"])
@pytest.mark.parametrize("model", [VERTEX, COMPUTE, 5267, 5268, 5364, 5365], ids=str)
def test_invocations_in_groups_of_four_alone_have_an_implicit_level_outside_a_fragment_stage(
    model: int, mode: int
) -> None:
    """Of SPV_NV_compute_shader_derivatives, and of KHR's with the same numbers, which has tasks and meshes too."""
    read = Module.read(MODULES["implicit_2d.frag"])
    entry = next(one for one in read.instructions if one.opcode == Op.EntryPoint)
    entry.words[0] = model
    at = next(n for n, one in enumerate(read.instructions) if one.opcode == Op.ExecutionMode)
    read.instructions[at] = read.instructions[at].copy([entry.words[1], mode])
    result = st.lower(read.to_bytes(), {(0, 1): EDGE._replace(min_mip_filter=TexMipfilter.LINEAR)}, values=BLOCK)
    assert len(result.rewritten) == (mode != 7)
    assert ["fragment stage" in note.reason for note in result.unresolved] == [True] * (mode == 7)


def test_the_descriptor_of_the_sampler_decides() -> None:
    """Not that of its image, which is an error that names the samplers; it was passed over."""
    module = MODULES["separate.frag"]
    of_sampler = st.lower(module, {(0, 2): EDGE}, values=BLOCK)
    assert [note.descriptor for note in of_sampler.rewritten] == [(0, 2)]
    with pytest.raises(ArgumentError, match="request='0:1' cannot be used; accepted: samplers of the module: 0:2"):
        st.lower(module, {(0, 1): EDGE}, values=BLOCK)
    passed_over = st.lower(module, {(0, 1): EDGE}, values=BLOCK, keep_going=True)
    assert (passed_over.module, passed_over.unmatched) == (module, ((0, 1),))


@pytest.mark.parametrize("storage", ["Uniform", "StorageBuffer", "UniformConstant"])
def test_a_buffer_or_an_image_with_the_binding_of_a_sampler_hides_it_not(storage: str) -> None:
    """GL numbers samplers, buffers and images apart. It was refused: no samplers in the module."""
    module = beside(storage)
    result = st.lower(module, {(0, 1): EDGE}, values=BLOCK)
    assert [note.descriptor for note in result.rewritten] == [(0, 1)]
    with pytest.raises(ArgumentError, match="samplers of the module: 0:1"):
        st.lower(module, {(0, 0): EDGE}, values=BLOCK)


def beside(storage: str) -> bytes:
    """A module whose sampler has the (set, binding) of another variable of a storage class, declared after it."""
    editor = Editor(Module.read(MODULES["implicit_2d.frag"]))
    if storage == "UniformConstant":
        kind = editor.declare("OpTypeImage", editor.type_float(), 1, 0, 0, 0, 2, 1)
    else:
        kind = editor.declare("OpTypeStruct", editor.type_float())
    number = getattr(StorageClass, storage)
    made = editor.variable(editor.declare("OpTypePointer", number, kind), number)
    editor.decorate(made, Decoration.DescriptorSet, 0)
    editor.decorate(made, Decoration.Binding, 1)
    return editor.finish().to_bytes()


def test_a_footprint_of_a_sample_is_left_by_name() -> None:
    """It asks which texels a sample would read. It was passed over."""
    result = st.lower(footprint(), {(0, 1): EDGE}, values=BLOCK)
    (note,) = result.left
    assert (note.instruction, note.descriptor) == ("OpImageSampleFootprintNV", (0, 1))
    assert not result.unresolved


def footprint() -> bytes:
    """A sample with the footprint of another before it; an implicit level makes neither valid."""
    editor = Editor(Module.read(MODULES["implicit_2d.frag"]))
    at = next(n for n, one in enumerate(editor.body) if one.opcode == Op.ImageSampleImplicitLod)
    _, _, sampled, coordinate = editor.body[at].words
    flag, number = editor.type_bool(), editor.type_int(signed=False)
    whole = editor.type_vector(number, 2)
    kind = editor.declare("OpTypeStruct", flag, whole, whole, number, number, number)
    coarse = editor.build("OpFOrdEqual", flag, editor.float_constant(0), editor.float_constant(1))
    asked = [kind, editor.new_id(), sampled, coordinate, editor.constant(number, 16), coarse.words[1]]
    editor.body[at:at] = [coarse, Instruction(Op.ImageSampleFootprintNV, asked)]
    return editor.finish().to_bytes()


@pytest.mark.parametrize("axis", ["border", "half_border", "fold", "reflect"])
@pytest.mark.parametrize("name", ["implicit_1d.frag", "implicit_1d_array.frag"])
def test_a_wrap_on_an_axis_that_the_image_has_not_is_ignored(name: str, axis: str) -> None:
    """GL keeps three; a layer is no axis."""
    one = Lowering(border="s", route="edge", **LINEAR)
    more = one._replace(**{axis: one.border * (axis == "border") + "t"})  # type: ignore[arg-type]
    alone, beside = (st.lower(MODULES[name], {(0, 1): lowering}, values=BLOCK) for lowering in (one, more))
    assert (beside.module, len(beside.rewritten)) == (alone.module, 1)


@pytest.mark.parametrize("route", ["edge", "predefined"])
def test_what_does_not_compare_samples_a_comparing_sampler_as_colour(route: str) -> None:
    """GL and Vulkan leave it undefined."""
    asked = state(TexWrap.CLAMP_TO_BORDER, compare_mode=TexCompare.R_TO_TEXTURE, compare_func=Func.LESS)
    image = Texels("2d", [grey([[10, 20], [30, 40]])])
    got = both(SIMPLE, asked, Device(route), image, quads([[0.0, 0.0]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == (152.5, 152.5)


@pytest.mark.parametrize("route", ["edge", "predefined"])
@pytest.mark.parametrize("filters", TexFilter)
def test_a_border_of_no_number_is_a_border(filters: TexFilter, route: str) -> None:
    """And does not touch what is inside."""
    words = (*bits(nan, inf, -inf, 1.0)[:3], 0x7FC01234)
    asked = state(TexWrap.CLAMP_TO_BORDER, filters, border_color=words)
    image = Texels("2d", [grey([[10, 20], [30, 40]])])
    got = both(SIMPLE, asked, Device(route), image, quads([[-2.0, 0.5], [0.5, 0.5]]))
    assert tuple(got.lowered[0].astype(np.float32).view(np.uint32)) == words
    assert list(got.lowered[1]) == [25 if filters == TexFilter.LINEAR else 40] * 4


@pytest.mark.parametrize("member", ["clamp", "mirror"])
def test_gl_clamp_as_a_coordinate_and_a_border_on_one_axis_names_the_screen(member: str) -> None:
    """As of a record that was lowered for the screen and a create info that leaves its border to the shader."""
    more: Any = {member: "rs"}
    twice, module = Lowering(border="st", route="edge", **more), MODULES["implicit_2d.frag"]
    with pytest.raises(ArgumentError, match=r"On s GL_CLAMP .* screen\.replace\(emulate_gl_clamp=False\)"):
        st.lower(module, {(0, 1): twice}, values=BLOCK)
    with pytest.raises(ArgumentError, match=r"An axis wraps one way"):
        st.lower(module, {(0, 1): "ss"})
