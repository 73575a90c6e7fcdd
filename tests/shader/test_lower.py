"""`st.lower`, run on the reference unit: rewritten, a module samples on a lesser device as it does on a whole one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from time import process_time
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.pipe import (
    Func,
    Lowering,
    LoweringValues,
    SamplerState,
    TexCompare,
    TexFilter,
    TexMipfilter,
    TexReduction,
    TexWrap,
)
from statetracker.reference import Texels
from statetracker.spirv import Module
from statetracker.spirv.names import Dim, Op
from tests.shader.compiled import MODULES
from tests.shader.machine import Bound, Machine
from tests.shader.modules import SIMPLE, Numbers, Sample, module, samples
from tests.shader.sampled import BLOCK, Both, bits, both, points, texels, through
from tools.proofs.pixels.lacking import Device, lacking, seamed

Lacking: TypeAlias = Callable[[SamplerState, Device], tuple[SamplerState, Lowering, LoweringValues]]

CUBE = 3
LINEAR: Any = {"min_img_filter": TexFilter.LINEAR, "mag_img_filter": TexFilter.LINEAR}


@some.composite
def states(draw: some.DrawFn) -> SamplerState:
    """Draw a state as GL asks for it."""
    quarter = some.integers(-8, 16).map(lambda n: n / 4)
    low = draw(quarter)
    border = draw(some.tuples(*[some.sampled_from([-1.0, 0.0, 0.5, 2.0, 5.0])] * 4))
    return SamplerState(
        wrap_s=draw(some.sampled_from(TexWrap)),
        wrap_t=draw(some.sampled_from(TexWrap)),
        wrap_r=draw(some.sampled_from(TexWrap)),
        min_img_filter=draw(some.sampled_from(TexFilter)),
        mag_img_filter=draw(some.sampled_from(TexFilter)),
        min_mip_filter=draw(some.sampled_from(TexMipfilter)),
        lod_bias=draw(quarter),
        min_lod=low,
        max_lod=low + draw(some.integers(0, 16)) / 4,
        compare_func=draw(some.sampled_from(Func)),
        reduction_mode=draw(some.sampled_from([TexReduction.WEIGHTED_AVERAGE, *TexReduction])),
        border_color=bits(*border),
    )


def devices() -> some.SearchStrategy[Device]:
    """Draw what a device has."""
    routes, limits = some.sampled_from(["edge", "predefined"]), some.sampled_from([0.0, 0.5, 2.0, 16.0])
    return some.builds(Device, routes, some.booleans(), limits, some.booleans(), some.booleans())


@some.composite
def cubes(draw: some.DrawFn) -> Sample:
    """Draw a sample of a cube, at a level that the reference unit knows: it takes no gradients of directions."""
    level, via = draw(some.sampled_from(["lod", "gather"])), draw(some.sampled_from(["load", "separate"]))
    flags: Any = {name: draw(some.booleans()) for name in ("arrayed", "dref", "dynamic", "sparse")}
    return SIMPLE._replace(dim=3, level=level, via=via, elements=draw(some.sampled_from([0, 3])), **flags)


def outcome(value: Any) -> np.ndarray[Any, Any]:
    """The texel of a result, sparse or not."""
    return np.asarray(value[1] if isinstance(value, list) else value)


def at_a_corner(directions: np.ndarray[Any, Any]) -> Any:
    """Where three faces of a cube of 6 x 6 texels meet: the unit compares with the mean of their texels."""
    parts = np.sort(np.abs(directions[:, :3]), axis=1)
    return parts[:, 0] > parts[:, 2] * (5 / 6)


def answered(native: Machine, form: Sample, ident: int, answers: Any, swizzles: Sequence[str]) -> Any:
    """Answers of a comparison, which come first, through the swizzles: the first channel of (answer, 0, 0, 1)."""
    letters = [(one or "R")[0] for one in swizzles[: form.elements or 1]]
    _, index = native._bound(native.module.definitions[ident].words[2])
    first = np.array([{"R": np.nan, "A": 1.0, "1": 1.0}.get(one, 0.0) for one in letters])[index][:, None]
    return np.where(np.isnan(first), answers, first)


def compare(
    form: Sample,
    asked: list[SamplerState],
    device: Device,
    seed: int,
    levels: int,
    less_of: Lacking = lacking,
    swizzles: Sequence[str] = ("", "", ""),
) -> None:
    """Sample natively and rewritten; natively through views with swizzles, rewritten through views without."""
    made, (ident,) = module([form])
    if form.min_lod:  # a minimum beyond the sampler's greatest level is the device's to resolve
        asked = [one.replace(max_lod=max(one.max_lod, 1.0)) for one in asked]
    mode = TexCompare.R_TO_TEXTURE if form.dref else TexCompare.NONE
    asked = [one.replace(compare_mode=mode) for one in asked]
    images = [texels(form, seed + n, levels) for n in range(len(asked))]
    lowered_states, rows, values = zip(*(less_of(one, device) for one in asked), strict=True)
    each = [
        row._replace(swizzle=swizzle, ones="".join(to for to, one in zip("rgba", swizzle, strict=False) if one == "1"))
        for row, swizzle in zip(rows, swizzles, strict=False)
    ]
    request = {(0, 0): each if form.elements else each[0]}
    result = st.lower(made, request, values=BLOCK)
    assert not result.unresolved
    block = st.border_values([values[element] for _, element in result.values])
    viewed = images if form.dref else [through(*pair) for pair in zip(images, swizzles, strict=False)]
    given_points = points(seed)
    if form.dynamic:  # the index is a component, 0 to 2
        given_points = np.abs(given_points) * (1.0, 0.6, 1.0, 1.0)
    native, less = (
        Machine(code, given_points, {(0, 0): bound, (1, 0): bound}, data)
        for code, bound, data in (
            (made, [Bound(*pair) for pair in zip(asked, viewed, strict=True)], b""),
            (result.module, [Bound(*pair) for pair in zip(lowered_states, images, strict=True)], block),
        )
    )
    wanted, got = outcome(native.values[ident]), outcome(less.values[ident])
    if form.dref and any(swizzles):
        wanted = answered(native, form, ident, wanted, swizzles)
    off = np.abs(wanted - got)
    if form.dref and asked[0].seamless_cube_map:
        off = off[~at_a_corner(given_points)]
    assert np.nanmax(off) < 1e-6, (form, asked, rows, given_points[np.argmax(off.max(axis=1))], off.max())


#: Swizzles of the elements' views, mostly none; seldom two with the same letters.
SWIZZLES = some.one_of(
    some.sampled_from(["", "RRR1", "000R", "RRRR", "RRRG", "R001", "RGB1"]),
    some.lists(some.sampled_from("RGBA01"), min_size=4, max_size=4).map("".join),
)
THREE = some.one_of(some.just(("", "", "")), some.lists(SWIZZLES, min_size=3, max_size=3))
#: States of the elements of an array, a device, a seed and how many levels.
ASKED = (some.lists(states(), min_size=3, max_size=3), devices(), some.integers(0, 2**30), some.integers(1, 3))
MANY = settings(max_examples=200, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@given(samples().filter(lambda one: one.dim != CUBE), some.integers(0, 3), *ASKED, THREE)
@MANY
def test_a_rewritten_sample_is_the_native_one(
    form: Sample,
    component: int,
    asked: list[SamplerState],
    device: Device,
    seed: int,
    levels: int,
    swizzles: Sequence[str],
) -> None:
    """With a view's swizzle, too; elements of an array each have their own."""
    form = form._replace(elements=min(form.elements, 3), via=form.via.replace("function", "load"))
    form = form._replace(numbers=Numbers(component=component))
    compare(form, asked[: form.elements or 1], device, seed, levels, swizzles=swizzles)


@given(
    samples().filter(lambda one: one.dim == 3 and one.via != "function" and not (one.sparse and one.level == "gather")),
    *ASKED,
    THREE,
)
@MANY
def test_a_rewritten_cube_has_seams(
    form: Sample, asked: list[SamplerState], device: Device, seed: int, levels: int, swizzles: Sequence[str]
) -> None:
    form = form._replace(elements=min(form.elements, 3))
    if form.level == "gather":  # its texels are sampled, which the limits of the level of detail concern
        asked = [one.replace(min_lod=min(one.min_lod, 0.0)) for one in asked]
    compare(form, asked[: form.elements or 1], device, seed, levels, seamed, swizzles)


@given(cubes(), *ASKED, THREE)
@MANY
def test_a_seamless_cube_is_filtered_across_its_edges(
    form: Sample, asked: list[SamplerState], device: Device, seed: int, levels: int, swizzles: Sequence[str]
) -> None:
    asked = [one.replace(seamless_cube_map=True) for one in asked[: form.elements or 1]]
    compare(form, asked, device._replace(reduces=False), seed, 1 if form.dref else levels, swizzles=swizzles)


def by_coordinates(asked: SamplerState, _: Device) -> tuple[SamplerState, Lowering, LoweringValues]:
    """As a Gallium driver without GL_CLAMP has the state: its border, read at a clamped coordinate."""
    wraps = {letter: getattr(asked, f"wrap_{letter}") for letter in "str"}
    clamp, mirror = (
        "".join(letter for letter, wrap in wraps.items() if wrap == of) for of in (TexWrap.CLAMP, TexWrap.MIRROR_CLAMP)
    )
    lesser: dict[str, Any] = {f"wrap_{letter}": TexWrap.CLAMP_TO_BORDER for letter in clamp + mirror}
    return asked.replace(**lesser), Lowering(clamp, mirror), LoweringValues()


@given(samples().filter(lambda one: one.dim != CUBE), *ASKED)
@MANY
def test_a_clamped_coordinate_is_gl_clamp(
    form: Sample, asked: list[SamplerState], device: Device, seed: int, levels: int
) -> None:
    """With linear filters, where no remark says otherwise: an offset of gradients is folded by the size of level 0."""
    form = form._replace(elements=min(form.elements, 3), via=form.via.replace("function", "load"))
    levels = 1 if form.offset and (form.level == "grad" or form.sparse) else levels
    mip = TexMipfilter.NONE if levels == 1 else TexMipfilter.LINEAR
    plain: Any = {**LINEAR, "min_mip_filter": mip, "lod_bias": 0.0, "reduction_mode": 0, "max_lod": 1000.0}
    asked = [one.replace(**plain, min_lod=0.0) for one in asked[: form.elements or 1]]
    compare(form, asked, device, seed, levels, by_coordinates)


@pytest.mark.parametrize("limits", [(0.25, 0.25), (0.0, 0.5)])
def test_the_limits_of_a_seamless_cubes_levels_are_kept(limits: tuple[float, float]) -> None:
    """The sampler's are opened for the sake of a border, which such a cube has not."""
    low, high = limits
    mips: Any = {"seamless_cube_map": True, "min_mip_filter": TexMipfilter.LINEAR, "min_lod": low, "max_lod": high}
    state = SamplerState(wrap_r=TexWrap.CLAMP, **mips)
    compare(SIMPLE._replace(dim=3, level="lod"), [state], Device("edge", filters=True), seed=0, levels=2)


@pytest.mark.parametrize("wrap", [TexWrap.CLAMP, TexWrap.MIRROR_CLAMP])
@pytest.mark.parametrize("more", [{}, {"bias": True}, {"offset": "const"}, {"offset": "const", "bias": True}], ids=str)
def test_levels_are_those_of_the_coordinate_before_the_clamp(more: dict[str, Any], wrap: TexWrap) -> None:
    state = SamplerState(wrap_s=wrap, wrap_t=wrap, **LINEAR, min_mip_filter=TexMipfilter.LINEAR, max_lod=1000.0)
    compare(SIMPLE._replace(**more), [state.replace(border_color=(5.0, 2.0, 1.0, 1.0))], Device(), 0, 3, by_coordinates)


EDGE = Lowering(border="st", route="edge", min_mip_filter=TexMipfilter.NONE, **LINEAR)
COLOUR = bits(2, 3, 5, 1)
RECTANGLES = ["rect.gl.frag", "rect_gather.gl.frag", "rect_offset.gl.frag", "rect_proj.gl.frag"]


def colours(module_bytes: bytes, bound: Bound, given_points: np.ndarray[Any, Any], block: bytes = b"") -> Any:
    """What a compiled module's last sampling instruction gives."""
    run = Machine(module_bytes, given_points, {(0, 1): bound}, block)
    stored = [one for one in run.module.instructions if one.name == "OpStore"]
    return run.values[stored[-1].words[1]]


def rectangle(name: str, wrap: TexWrap, filters: dict[str, Any], **more: Any) -> Both:
    """Sample a rectangle, and a 2D texture in its place: at whole coordinates too, with divisors."""
    given_points = points(5) * (4.0, 4.0, 1.0, 1.0)
    given_points[:40] = np.round(given_points[:40])
    given_points[:, 2:] = np.abs(given_points[:, 2:]) + 1.0
    image = np.random.default_rng(3).random((5, 7, 4))
    asked = SamplerState(
        wrap_s=wrap, wrap_t=wrap, **filters, min_mip_filter=TexMipfilter.NONE, min_lod=-1000.0, max_lod=1000.0,
        border_color=COLOUR,
    )  # fmt: skip
    images = Texels("rect", [image]), Texels("2d", [image])
    got = both(name, asked, Device(), images, given_points, normalize=True, texel_coords=True, **more)
    assert np.abs(got.native - got.lowered).max() < 1e-6
    return got


@pytest.mark.parametrize("filters", list(product(TexFilter, TexFilter)))
@pytest.mark.parametrize("wrap", [TexWrap.CLAMP, TexWrap.CLAMP_TO_EDGE, TexWrap.CLAMP_TO_BORDER])
@pytest.mark.parametrize("name", RECTANGLES)
def test_a_rectangle_is_sampled_as_a_2d_texture(name: str, wrap: TexWrap, filters: tuple[TexFilter, TexFilter]) -> None:
    """Its type, its sizes, its coordinates."""
    got = rectangle(name, wrap, dict(zip(LINEAR, filters, strict=True)))
    kinds = [one for one in got.machine.module.instructions if one.opcode == Op.TypeImage]
    assert [one.words[2] for one in kinds] == [Dim.Dim2D]


@pytest.mark.parametrize("name", RECTANGLES)
@pytest.mark.parametrize("wrap", [TexWrap.CLAMP, TexWrap.MIRROR_CLAMP])
@pytest.mark.parametrize("lod_query", [True, False])
def test_a_rectangle_that_is_clamped_and_divided_needs_no_numbers(name: str, wrap: TexWrap, *, lod_query: bool) -> None:
    """As of a Gallium driver with neither GL_CLAMP nor rectangles; it was refused by an assertion."""
    letters = {"mirror" if wrap == TexWrap.MIRROR_CLAMP else "clamp": "st", **dict.fromkeys(("fold", "reflect"), "")}
    beyond: Any = {"wrap_s": TexWrap.CLAMP_TO_BORDER, "wrap_t": TexWrap.CLAMP_TO_BORDER, "border_color": COLOUR}
    less = SamplerState(**beyond, **LINEAR, min_mip_filter=TexMipfilter.NONE)
    more: Any = {"half_border": "", "route": "", "min_mip_filter": TexMipfilter.NEAREST}  # which counts for nothing
    got = rectangle(name, wrap, LINEAR, less=less, values=None, lod_query=lod_query, **letters, **more)
    assert got.result.values == ()


def test_a_clamped_coordinate_and_reference_read_numbers_for_the_offset_of_each_level() -> None:
    """They were refused by an assertion."""
    work = Lowering(clamp="st", fixed_depth=True, compare_func=Func.LESS, min_mip_filter=TexMipfilter.LINEAR)
    with pytest.raises(ArgumentError, match="values of 0:1"):
        st.lower(MODULES["shadow_offset_2d.frag"], {(0, 1): work})
    assert st.lower(MODULES["shadow_offset_2d.frag"], {(0, 1): work}, values=BLOCK).rewritten


@pytest.mark.parametrize("first", [EDGE, Lowering(clamp="st")])
def test_an_array_whose_values_are_constants_needs_a_constant_index(first: Lowering) -> None:
    """Of a clamped element it was refused by an assertion."""
    rows, values = [first, EDGE, EDGE, EDGE], {(0, 1): [LoweringValues()] * 4}
    assert "constants" in st.lower(MODULES["array_dynamic.frag"], {(0, 1): rows}, values=values).unresolved[0].reason


def test_a_clamped_reference_alone_needs_no_block_and_is_work_enough_for_a_gather() -> None:
    """With mixed filters either."""
    work = Lowering(fixed_depth=True, compare_func=Func.LESS, mag_img_filter=TexFilter.LINEAR)
    for name in ("shadow_2d.frag", "gather_shadow_2d.frag"):
        result = st.lower(MODULES[name], {(0, 1): work}, lod_query=False)
        assert (len(result.rewritten), *result[2:6]) == (1, (), (), (), ())
    assert len(st.lower(MODULES["gather_2d.frag"], {(0, 1): work}).left) == 1


@pytest.mark.parametrize(("name", "kind", "target"), [("int", "int", "2d"), ("uint", "uint", "3d")])
@pytest.mark.parametrize("route", ["edge", "predefined"])
def test_integer_texels_are_texels_or_the_border(name: str, kind: str, target: str, route: str) -> None:
    words = (2**32 - 7, 3, 2**31, 255)
    state = SamplerState(wrap_s=TexWrap.CLAMP_TO_BORDER, wrap_t=TexWrap.CLAMP, max_lod=1000.0, border_color=words)
    sizes = [(n,) * (2 if kind == "int" else 3) for n in (8, 4, 2)]
    levels = [np.random.default_rng(3).integers(-9 * (kind == "int"), 9, (*size, 4)) for size in sizes]
    images = Texels(target, levels, kind=kind)
    got = both(f"implicit_{name}.frag", state.replace(border_color_is_integer=True), Device(route), images, points(5))
    assert (got.native == got.lowered).all()


def test_values_may_be_constants() -> None:
    """Of a state that is known and fixed: the module gets no block."""
    values = LoweringValues(COLOUR, (0.0, 0.0, 1.0))
    by_block = st.lower(MODULES["implicit_2d.frag"], {(0, 1): EDGE}, values=BLOCK)
    fixed = st.lower(MODULES["implicit_2d.frag"], {(0, 1): EDGE}, values={(0, 1): values})
    assert (by_block.values, fixed.values) == ((((0, 1), 0),), ())
    image = Texels("2d", [np.random.default_rng(3).random((5, 7, 4))])
    bound = Bound(SamplerState(wrap_s=2, wrap_t=2, **LINEAR), image)
    one = colours(by_block.module, bound, points(5), st.border_values([values]))
    assert (one == colours(fixed.module, bound, points(5))).all()


def test_gl_clamp_with_nearest_filters_is_the_edge_but_for_gathers() -> None:
    lowering = Lowering(half_border="st", route="edge", min_mip_filter=TexMipfilter.NONE)
    assert not st.lower(MODULES["implicit_2d.frag"], {(0, 1): lowering}, values=BLOCK).rewritten
    assert st.lower(MODULES["gather_2d.frag"], {(0, 1): lowering}, values=BLOCK).rewritten


def test_a_level_query_answers_for_the_state() -> None:
    """Component 1 has the rest of the LOD bias, component 0 is within the limits that the state asked for."""
    lowering = Lowering(add_lod_bias=True, limit_lod=True, min_mip_filter=TexMipfilter.LINEAR)
    result = st.lower(MODULES["query_lod_2d.frag"], {(0, 1): lowering}, values=BLOCK)
    levels = [np.zeros((n, n, 4)) for n in (8, 4, 2, 1)]
    state = SamplerState(min_mip_filter=TexMipfilter.LINEAR, lod_bias=3.5, min_lod=0.75, max_lod=2.25)
    less = state.replace(lod_bias=2.0, min_lod=0.0, max_lod=3.0)
    values = LoweringValues(lod_bias=2.0, rest=1.5, min_lod=0.75, max_lod=2.25)
    wanted = colours(MODULES["query_lod_2d.frag"], Bound(state, Texels("2d", levels)), points(5))
    got = colours(result.module, Bound(less, Texels("2d", levels)), points(5), st.border_values([values]))
    assert np.abs(wanted - got).max() < 1e-6


@pytest.mark.parametrize("others", [[Lowering(), Lowering(border="s", route="edge")], []], ids=["three", "one"])
def test_a_level_query_of_an_array_is_the_devices_where_an_element_needs_nothing(others: list[Lowering]) -> None:
    """It was answered by the mipmap filter of the other elements: nothing is known of this one's.

    Of an element beyond the list the rest of the LOD bias was read behind the block's end.
    """
    made, (ident,) = module([SIMPLE._replace(elements=3, dynamic=True)])
    read = Module.read(made)
    query = read.definitions[ident]
    kind = next(one.result for one in read.instructions if one.name == "OpTypeVector" and one.words[2] == 2)
    at = read.instructions.index(query)
    read.instructions[at] = query.copy([kind, *query.words[1:]], Op.ImageQueryLod)
    biased = Lowering(add_lod_bias=True, min_mip_filter=TexMipfilter.NEAREST)
    result = st.lower(read.to_bytes(), {(0, 0): [biased, *others]}, values=BLOCK)
    assert len(result.rewritten) == 1
    given_points = np.abs(points(5)) * (1.0, 0.6, 1.0, 1.0)
    state = SamplerState(min_mip_filter=TexMipfilter.LINEAR, max_lod=1000.0)
    states = [state.replace(min_mip_filter=TexMipfilter.NEAREST, lod_bias=1.25), state, state]
    levels = Texels("2d", [np.zeros((n, n, 4)) for n in (64, 32, 16, 8, 4, 2, 1)])
    block = st.border_values([LoweringValues(rest=1.25), LoweringValues(), LoweringValues()][: len(result.values)])
    wanted, got = (
        Machine(code, given_points, {(0, 0): [Bound(one, levels) for one in each]}, data).values[ident]
        for code, each, data in (
            (read.to_bytes(), states, b""), (result.module, [states[0].replace(lod_bias=0.0), state, state], block)
        )
    )  # fmt: skip
    assert np.abs(wanted - got).max() < 1e-6
    assert (wanted[:, 0] % 1.0 != 0.0).any()


@pytest.mark.parametrize("work", [EDGE, Lowering(swizzle="BGRA")], ids=str)
def test_elements_beyond_the_list_are_the_devices_where_an_array_has_no_length(work: Lowering) -> None:
    """From the second one behind the list on they were as the first element."""
    made, (ident,) = module([SIMPLE._replace(elements=3, dynamic=True)])
    read = Module.read(made)
    at, array = next((n, one) for n, one in enumerate(read.instructions) if one.opcode == Op.TypeArray)
    read.instructions[at] = array.copy(array.words[:2], Op.TypeRuntimeArray)
    given_points = np.abs(points(5)) * (1.0, 4.0, 1.0, 1.0)  # the second is the index
    bound = [Bound(SamplerState(wrap_t=TexWrap.REPEAT), Texels("2d", [np.random.default_rng(5).random((8, 8, 4))]))] * 3
    result = st.lower(read.to_bytes(), {(0, 0): [work]}, values=BLOCK)
    block = st.border_values([LoweringValues(k=(0.0, 0.0, 0.0))] * len(result.values))
    codes = ((read.to_bytes(), b""), (result.module, block))
    wanted, got = (Machine(code, given_points, {(0, 0): bound}, data).values[ident] for code, data in codes)
    same = (wanted == got).all(axis=1)
    assert same[given_points[:, 1] >= 1.0].all()
    assert not same.all()


def test_a_long_array_takes_no_longer_for_each_element() -> None:
    """It took fifteen seconds: each element was looked for among all others."""
    read = Module.read(module([SIMPLE._replace(elements=60_000, dynamic=True)])[0])
    begun = process_time()
    assert st.lower(read.to_bytes(), {(0, 0): [EDGE, Lowering()]}, values=BLOCK).rewritten
    assert process_time() - begun < 3.0
