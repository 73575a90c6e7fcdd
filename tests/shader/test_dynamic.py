"""Lowerings that read wraps, filters and limits of the block: the pixels of one that knows them, of one module."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.pipe import Func, SamplerState, TexCompare, TexFilter, TexMipfilter, TexReduction, TexWrap
from statetracker.vulkan import SamplerCreateInfo, View, record_of
from statetracker.vulkan.conversion import by_data, by_texels
from statetracker.vulkan.draft import Draft
from tests.shader.beside import Texture, devices, fragment, places, webgpu
from tests.shader.compiled import MODULES
from tests.shader.machine import Bound, Machine
from tests.shader.modules import SIMPLE, Sample, module, samples
from tests.shader.sampled import BLOCK, points, texels
from tests.shader.test_lower import CUBE, colours, outcome, states
from tests.shader.validator import assert_valid

WEBGPU = st.Screen.named("webgpu")


def infos(form: Sample, state: SamplerState) -> list[SamplerCreateInfo]:
    """A state's info with what it samples in the lowering, and in the values."""
    view = View("Z32_FLOAT" if form.dref else "R32G32B32A32_FLOAT", cube=form.dim == CUBE)
    made = [make(Draft(state, WEBGPU, dialect="native", view=view)) for make in (by_texels, by_data)]
    assert all(isinstance(one, SamplerCreateInfo) for one in made)
    return made  # type: ignore[return-value]


@some.composite
def sampled(draw: some.DrawFn) -> tuple[Sample, SamplerState, int, int]:
    """Draw a form, a state, a seed and levels."""
    form = draw(samples())._replace(elements=0, dynamic=False)
    form = form._replace(via=form.via.replace("function", "load"))
    compares = TexCompare.R_TO_TEXTURE if form.dref else TexCompare.NONE
    state = draw(states()).replace(compare_mode=compares, unnormalized_coords=False, max_anisotropy=0)
    if form.min_lod:
        state = state.replace(max_lod=max(state.max_lod, 1.0))
    return form, state, draw(some.integers(0, 2**30)), draw(some.integers(1, 3))


@given(sampled(), some.booleans())
@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_what_is_read_is_sampled_as_what_is_known(asked: Any, lod_query: bool) -> None:
    form, state, seed, levels = asked
    made, (ident,) = module([form])
    pixels = []
    for info in infos(form, state):
        result = st.lower(made, {(0, 0): info.lowering}, values=BLOCK, lod_query=lod_query)
        assert not result.unresolved
        block = st.border_values([info] * len(result.values))
        bound = Bound(record_of(info), texels(form, seed, levels))
        machine = Machine(result.module, points(seed), {(0, 0): bound, (1, 0): bound}, block)
        pixels.append(outcome(machine.values[ident]))
    np.testing.assert_array_equal(pixels[0], pixels[1])


def random_state(chance: Random, **members: Any) -> SamplerState:
    low = chance.choice((-1000.0, 0.0, 0.5))
    made = {f"wrap_{axis}": chance.choice([*TexWrap]) for axis in "str"}
    made |= {name: chance.choice([*TexFilter]) for name in ("min_img_filter", "mag_img_filter")}
    made |= {"min_mip_filter": chance.choice([*TexMipfilter]), "lod_bias": chance.choice((0.0, 0.75, -3.0))}
    made |= {"min_lod": low, "max_lod": chance.choice((1000.0, 0.5, 2.25)), "seamless_cube_map": 1}
    return SamplerState(**made | members)


FORMS = {
    "1D": SIMPLE._replace(dim=0),
    "2D": SIMPLE,
    "3D": SIMPLE._replace(dim=2),
    "cube": SIMPLE._replace(dim=CUBE),
    "array": SIMPLE._replace(arrayed=True),
    "level": SIMPLE._replace(level="lod"),
    "gather": SIMPLE._replace(level="gather"),
    "offset": SIMPLE._replace(offset="const"),
    "comparison": SIMPLE._replace(dref=True, level="lod"),
}


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_all_states_of_a_view_are_one_module(form: Sample) -> None:
    made, _ = module([form])
    chance, modules, blocks = Random(5), set(), set()  # noqa: S311 (no secret)
    for _ in range(60):
        _, info = infos(form, random_state(chance, compare_mode=int(form.dref), compare_func=Func.LEQUAL))
        result = st.lower(made, {(0, 0): info.lowering}, values=BLOCK)
        modules.add(result.module)
        blocks.add(st.border_values([info]))
    (one,) = modules
    assert_valid(one)
    assert len(blocks) > 30


def test_a_comparison_a_reduction_and_seams_are_in_the_key() -> None:
    chance = Random(6)  # noqa: S311 (no secret)
    compared, cube = FORMS["comparison"], FORMS["cube"]
    linear = {"min_img_filter": TexFilter.LINEAR}
    for form, members in (
        (compared, [{"compare_mode": 1, "compare_func": func} for func in Func]),
        (SIMPLE, [{"reduction_mode": mode, **linear} for mode in TexReduction]),
        (cube, [{"seamless_cube_map": on} for on in (0, 1)]),
    ):
        keys = {infos(form, random_state(chance, **members[n % len(members)]))[1].lowering for n in range(64)}
        assert len(keys) == len(members)


def test_a_query_of_levels_answers_by_the_filter_that_is_read() -> None:
    query, chance, modules = MODULES["query_lod_2d.frag"], Random(7), set()  # noqa: S311 (no secret)
    image = texels(SIMPLE, 3, 3)
    for _ in range(20):
        answers = []
        for info in infos(SIMPLE, random_state(chance)):
            result = st.lower(query, {(0, 1): info.lowering}, values=BLOCK)
            block = st.border_values([info] * len(result.values))
            answers.append(colours(result.module, Bound(record_of(info), image), points(5), block))
        np.testing.assert_array_equal(answers[0], answers[1])
        modules.add(result.module)
    assert len(modules) == 1


def test_integers_are_left_to_a_module_of_their_own() -> None:
    _, info = infos(SIMPLE, SamplerState())
    made, _ = module([SIMPLE._replace(integer=True)])
    result = st.lower(made, {(0, 0): info.lowering}, values=BLOCK)
    assert result.unresolved
    view = View("R8G8B8A8_UINT", cube=False)
    refused = by_data(Draft(SamplerState(), WEBGPU, dialect="native", view=view))
    assert "integers" in str(refused)


@pytest.mark.parametrize("name", ["rect.gl.frag", "rect_gather.gl.frag", "rect_offset.gl.frag"])
def test_a_rectangle_is_read_likewise(name: str) -> None:
    texture, image = st.Texture("rectangle", "RGBA32F", size=(7, 5)), texels(SIMPLE, 3, 1)
    modules, given_points = set(), points(5) * 6
    for wrap, low, high in product(("clamp", "clamp-to-edge", "clamp-to-border"), *[("nearest", "linear")] * 2):
        sampler = st.Sampler(wrap=wrap, min_filter=low, mag_filter=high, border_color=(1, 0.5, 0, 1))
        asked, colour = st.convert(sampler, texture, WEBGPU), []
        known, read = (st.plan_samplers({(0, 1): asked}, 1, dynamic=way).results[0, 1] for way in ([], [(0, 1)]))
        for one in (known.with_info(by_texels(known.draft())), read):  # type: ignore[arg-type]
            result = st.lower(MODULES[name], {(0, 1): one.lowering}, values=BLOCK, lod_query=False)
            bound = Bound(record_of(one.vulkan), image)
            colour.append(colours(result.module, bound, given_points, st.border_values([one] * len(result.values))))
        np.testing.assert_array_equal(colour[0], colour[1])
        modules.add(result.module)
    assert len(modules) == 1


@pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
@pytest.mark.parametrize("seamless", [0, 1])
def test_cubes_are_drawn_by_one_module_and_as_by_one_for_each_state(seamless: int) -> None:
    device, _ = devices()
    text = fragment("layout(set = 0, binding = 0) uniform samplerCube s;", "textureLod(s, c.xyz - 0.5, d.y)")
    form, chance, modules = FORMS["cube"], Random(9), set()  # noqa: S311 (no secret)
    for _ in range(12):
        state, pictures = random_state(chance, seamless_cube_map=seamless), []
        for info in infos(form, state):
            result = st.lower(text, {(0, 0): info.lowering}, values=(0, 29), lod_query=False)
            split = st.split_samplers(result.module)
            assert_valid(split.module)
            image = Texture("cube", (8, 8), record_of(info), levels=3, layers=6)
            block = {(0, 29): st.border_values([info] * len(result.values))} if result.values else {}
            pictures.append(webgpu(device, split, {(0, 0): [image]}, places(), block))
        np.testing.assert_array_equal(pictures[0].view(np.uint32), pictures[1].view(np.uint32))
        modules.add(split.module)
    assert len(modules) == 1
