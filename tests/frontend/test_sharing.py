"""`statetracker.plan_samplers`: states that share samplers are sampled as before, and no step is taken too many."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.pipe import SamplerState, TexCompare
from statetracker.vulkan import View, record_of
from statetracker.vulkan.conversion import by_texels, with_open_limits
from statetracker.vulkan.draft import Draft
from statetracker.vulkan.info import SamplerCreateInfo
from tests.shader.machine import Bound, Machine
from tests.shader.modules import Sample, module, samples
from tests.shader.sampled import BLOCK, points, texels
from tests.shader.test_lower import CUBE, outcome, states

WEBGPU = st.Screen.named("webgpu")
VIEWS = (View("R32G32B32A32_FLOAT", cube=False), View("Z32_FLOAT", cube=False))
WRAPS = ("repeat", "mirrored-repeat", "clamp-to-edge", "clamp-to-border", "clamp")


def drawn(form: Sample, state: SamplerState, info: SamplerCreateInfo, seed: int, levels: int) -> float:
    """How far a state's pixels are from those through another sampler and the shader."""
    made, (ident,) = module([form])
    image, given_points = texels(form, seed, levels), points(seed)
    result = st.lower(made, {(0, 0): info.lowering}, values=BLOCK)
    assert not result.unresolved
    block = st.border_values([info] * len(result.values))
    native = Machine(made, given_points, {(0, 0): Bound(state, image), (1, 0): Bound(state, image)})
    less = Bound(record_of(info), image)
    lowered = Machine(result.module, given_points, {(0, 0): less, (1, 0): less}, block)
    return float(np.abs(outcome(native.values[ident]) - outcome(lowered.values[ident])).max())


@some.composite
def flat(draw: some.DrawFn) -> tuple[Sample, SamplerState, int, int]:
    """Draw a form, a state, a seed and levels."""
    form = draw(samples().filter(lambda one: one.dim != CUBE))
    form = form._replace(elements=0, dynamic=False, via=form.via.replace("function", "load"))
    compares = TexCompare.R_TO_TEXTURE if form.dref else TexCompare.NONE
    state = draw(states()).replace(compare_mode=compares, unnormalized_coords=False, max_anisotropy=0)
    if form.min_lod:
        state = state.replace(max_lod=max(state.max_lod, 1.0))
    return form, state, draw(some.integers(0, 2**30)), draw(some.integers(1, 3))


@given(flat())
@settings(max_examples=120, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_one_nearest_sampler_that_clamps_to_the_edge_serves_every_state(asked: Any) -> None:
    form, state, seed, levels = asked
    info = by_texels(Draft(state, WEBGPU, dialect="native", view=VIEWS[form.dref]))
    assert isinstance(info, SamplerCreateInfo)
    plain = by_texels(Draft(SamplerState(), WEBGPU, dialect="native", view=VIEWS[form.dref]))
    assert isinstance(plain, SamplerCreateInfo)
    info_key = dict(info) | {"compareEnable": 0, "compareOp": plain["compareOp"]}
    assert info_key == plain.to_dict()
    assert drawn(form, state, info, seed, levels) < 1e-5, (info.lowering, info.lowering_values)


@given(flat())
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_limits_in_the_shader_are_those_of_the_sampler(asked: Any) -> None:
    form, state, seed, levels = asked
    info = with_open_limits(Draft(state, WEBGPU, dialect="native", view=VIEWS[form.dref]))
    if info is not None:
        assert (info.min_lod, info.max_lod) == (0.0, 1000.0)
        assert drawn(form, state, info, seed, levels) < 1e-5, (info.lowering, info.lowering_values)


def results(count: int, seed: int) -> dict[tuple[int, int], st.Result]:
    """Random states on four textures, some of them shadow maps."""
    random = Random(seed)  # noqa: S311 (states, no secrets)
    textures = [st.Texture("2d", "RGBA8", size=(16, 16)) for _ in range(4)]
    filters = ("nearest", "linear", "linear-mipmap-linear", "nearest-mipmap-linear", "nearest-mipmap-nearest")
    made = {}
    for at in range(count):
        sampler = st.Sampler(
            wrap_s=random.choice(WRAPS),
            wrap_t=random.choice(WRAPS),
            min_filter=random.choice(filters),
            mag_filter=random.choice(filters[:2]),
            min_lod=random.choice((-1000.0, 0.5, 1.0, 2.0)),
            max_lod=random.choice((1000.0, 3.0, 2.5)),
        )
        made[0, at] = st.convert(sampler, textures[at % 4], WEBGPU)
    return made


@pytest.mark.parametrize("seed", range(4))
def test_no_step_is_taken_that_the_limit_does_not_ask_for(seed: int) -> None:
    asked = results(32, seed)
    whole = st.plan_samplers(asked, 32)
    assert [one.name for one in whole.cost] == ["equal"]
    assert all(whole.results[at] is one for at, one in asked.items())
    previous = len(whole.samplers)
    for limit in (16, 12, 8, 4, 2, 1):
        plan = st.plan_samplers(asked, limit)
        assert plan.fits
        assert len(plan.samplers) <= previous
        assert len({place for _, place in plan.places.values()}) == len(plan.samplers)
        assert [one.samplers for one in plan.cost] == sorted((one.samplers for one in plan.cost), reverse=True)
        previous = len(plan.samplers)
        for at, one in plan.results.items():
            sampler = plan.samplers[plan.places[at][1]]
            assert dict(one.webgpu) == dict(sampler)
    names = ["equal", "limits", "wraps", "filters"]
    assert [one.name for one in plan.cost] == [name for name in names if name in {one.name for one in plan.cost}]
    assert str(plan).endswith("1 samplers for 32 bindings, of at most 1")


def test_comparisons_stay_the_samplers_and_that_is_said() -> None:
    texture = st.Texture("2d", "DEPTH_COMPONENT16", size=(16, 16))
    funcs = ("less", "lequal", "greater")
    samplers = [st.Sampler(compare_mode="compare-ref-to-texture", compare_func=func) for func in funcs]
    plan = st.plan_samplers({(0, at): st.convert(one, texture, WEBGPU) for at, one in enumerate(samplers)}, 1)
    assert not plan.fits
    assert len(plan.samplers) == 3
    assert "comparison" in str(plan)
    assert {at for at, _ in plan.left_over} == {(0, 0), (0, 1), (0, 2)}


def test_lost_anisotropy_is_named() -> None:
    texture = st.Texture("2d", "RGBA8", size=(16, 16))
    plain = st.Sampler(min_filter="linear-mipmap-linear", mag_filter="linear", wrap="clamp-to-edge")
    other = plain.copy()
    other.max_anisotropy = 8.0
    plan = st.plan_samplers({(0, 0): st.convert(plain, texture, WEBGPU), (0, 1): st.convert(other, texture, WEBGPU)}, 1)
    assert plan.fits
    assert [at for at, why in plan.left_over if "anisotropy" in why] == [(0, 1)]
    assert any(one.name == "anisotropy" for one in plan.results[0, 1].unsupported)


# Bindings whose states are read of the block ##########################################################################


def test_dynamic_bindings_have_one_sampler_and_one_lowering_whatever_their_states() -> None:
    values, lowerings = set(), set()
    for seed in range(30):
        asked = results(32, seed)
        plan = st.plan_samplers(asked, dynamic=tuple(asked))
        assert (len(plan.samplers), plan.fits, plan.left_over) == (1, True, ())
        assert [(one.name, len(one.bindings), one.taps) for one in plan.cost] == [
            ("dynamic", 32, 32 * 7),
            ("equal", 0, 0),
        ]
        values |= set(plan.values.values())
        lowerings |= set(plan.lowerings.values())
    assert len(lowerings) == 1
    assert len(values) > 500


def test_other_bindings_take_the_steps_as_before() -> None:
    asked = results(32, 1)
    few = dict([*asked.items()][:3])
    plan = st.plan_samplers(asked, 16, dynamic=tuple(few))
    assert plan.fits
    assert {at for at, one in plan.lowerings.items() if one.dynamic} == few.keys()
    assert [one.name for one in plan.cost] == ["dynamic", "equal", "limits", "wraps"]
    assert len({plan.places[at][1] for at in few}) == 1


def test_what_dynamic_bindings_lose_and_which_cannot_be_is_said() -> None:
    soft = st.Sampler(filter="linear", min_filter="linear-mipmap-linear", max_anisotropy=8.0)
    textures = [st.Texture("2d", name, size=(16, 16)) for name in ("RGBA8", "RGBA8UI", "DEPTH_COMPONENT16")]
    samplers = [soft, st.Sampler(filter="nearest"), st.Sampler(compare_mode="compare-ref-to-texture")]
    pairs = zip(samplers, textures, strict=True)
    asked = {(0, at): st.convert(sampler, texture, WEBGPU) for at, (sampler, texture) in enumerate(pairs)}
    plan = st.plan_samplers(asked, dynamic=tuple(asked))
    words = dict(plan.left_over)
    assert "anisotropy" in words[0, 0]
    assert "integers" in words[0, 1]
    assert [plan.lowerings[at].dynamic for at in asked] == [True, False, True]
    assert plan.lowerings[0, 2].compare_func is not None
    assert len(plan.samplers) == 3


def test_no_sampler_comes_to_the_place_of_an_image() -> None:
    asked = results(3, 1)
    assert st.plan_samplers(asked, first=(0, 3)).samplers.keys() >= {(0, 3)}
    with pytest.raises(ArgumentError, match=r"first=\(0, 2\).*\(0, 2\)"):
        st.plan_samplers(asked, first=(0, 2))


@pytest.mark.parametrize("given", [[(0, 9)], (0, 0), [[0, 0]], ["wall"], iter([(0, 0)]), None])
def test_what_is_no_binding_is_not_dynamic(given: Any) -> None:
    with pytest.raises(ArgumentError, match="dynamic="):
        st.plan_samplers(results(2, 0), dynamic=given)


@pytest.mark.parametrize(
    ("given", "limit", "said"),
    [([], 16, "results="), ({(0, 0): 1}, 16, "result of (0, 0)=1"), ({}, 0, "limit=0"), ({}, True, "limit=True")],
)
def test_what_cannot_be_planned_is_refused(given: Any, limit: Any, said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        st.plan_samplers(given, limit)
    assert str(caught.value).startswith(said)
