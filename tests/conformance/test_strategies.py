"""What the strategies shrink to: a counterexample that shows what matters, and GL's defaults beside it."""

from __future__ import annotations

from collections import Counter
from math import isfinite
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings

from statetracker.conformance import strategies
from statetracker.gl import Sampler
from statetracker.gl.enums import Wrap
from statetracker.gl.sampler import DEFAULTS


def test_a_sampler_shrinks_to_the_defaults_of_gl() -> None:
    assert find(strategies.samplers(), lambda _: True).state() == Sampler().state()


@pytest.mark.parametrize(
    ("field", "value"),
    [("wrap_t", Wrap.CLAMP), ("compare_func", 0x0200), ("max_lod", 0.0), ("cube_map_seamless", True)],
)
def test_a_sampler_that_needs_one_value_has_the_defaults_elsewhere(field: str, value: object) -> None:
    seen = find(strategies.samplers(), lambda sampler: getattr(sampler, field) == value)
    assert seen.state() == DEFAULTS | {field: value}


def test_the_other_strategies_shrink_to_what_is_usual() -> None:
    texture = find(strategies.textures(), lambda _: True)
    assert repr(texture) == "Texture(TEXTURE_2D, RGBA8, 1x1x1, 1 images)"
    assert find(strategies.screens(), lambda _: True).name == "llvmpipe"
    draw = {"unit": 0, "seamless": False, "unit_lod_bias": 0.0, "glsl130": True, "stage": "fragment"}
    assert find(strategies.draws(), lambda _: True) == draw


@given(strategies.samplers(finite=True))
def test_a_finite_sampler_has_no_number_whose_result_gl_leaves_open(sampler: Any) -> None:
    assert all(isfinite(getattr(sampler, name)) for name in ("min_lod", "max_lod", "lod_bias", "max_anisotropy"))


def test_many_states_compare_depth() -> None:
    """A fault in one comparison of eight is met by most runs of 500 states."""
    comparing = Counter[bool]()

    @settings(max_examples=400, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @seed(7)
    @given(strategies.states())
    def count(state: Any) -> None:
        depth = state.texture.facts().base_format.startswith("DEPTH")
        comparing[depth and state.sampler.compare_mode != 0] += 1

    count()
    assert comparing[True] > 50
