"""A user's overrides, and canonical records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.frontend.policy import Policy
from statetracker.frontend.result import convert
from statetracker.gl import Sampler, Texture
from statetracker.pipe import SamplerState, TexWrap
from statetracker.sampler import Explanation

records = st.builds(
    SamplerState,
    wrap_s=st.integers(0, 7),
    wrap_t=st.integers(0, 7),
    wrap_r=st.integers(0, 7),
    min_img_filter=st.integers(0, 1),
    mag_img_filter=st.integers(0, 1),
    min_mip_filter=st.integers(0, 2),
    compare_mode=st.integers(0, 1),
    compare_func=st.integers(0, 7),
    max_anisotropy=st.integers(0, 16),
    lod_bias=st.floats(-32, 32, width=32),
    min_lod=st.floats(0, 1000, width=32),
    max_lod=st.floats(width=32),
    border_color=st.tuples(*[st.integers(0, 2**32 - 1)] * 4),
    border_color_is_integer=st.integers(0, 1),
)
OFF = Policy(canonical=False)


def applied(policy: Policy, **fields: Any) -> SamplerState:
    return SamplerState.from_bytes(policy.apply(bytes(SamplerState(**fields))))


@given(records, records)
def test_the_canonical_form_is_of_what_matters_and_of_nothing_else(state: SamplerState, other: SamplerState) -> None:
    """Without it nothing changes, twice is once; what a wrap or a comparison reads stays."""
    changed = SamplerState.from_bytes(OFF.apply(bytes(state)))
    assert {n: repr(v) for n, v in changed.to_dict().items()} == {n: repr(v) for n, v in state.to_dict().items()}
    once = Policy().apply(bytes(state))
    assert Policy().apply(once) == once
    even: dict[str, Any] = dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), 2)
    base = state.replace(**even, compare_mode=0)
    noisy = base.replace(border_color=other.border_color, compare_func=other.compare_func)
    assert Policy().apply(bytes(base)) == Policy().apply(bytes(noisy))
    used = state.replace(wrap_r=1, compare_mode=1)
    kept = SamplerState.from_bytes(Policy().apply(bytes(used)))
    assert (kept.border_color, kept.compare_func) == (used.border_color, used.compare_func)


@pytest.mark.parametrize("wrap", ["REPEAT", "CLAMP_TO_EDGE", "MIRROR_REPEAT"])
def test_a_border_that_is_not_read_leaves_no_format_behind(wrap: str) -> None:
    """Where it counts, it would make two states of one."""
    wraps: Any = dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), TexWrap[wrap])
    noisy = SamplerState(border_color=(1, 2, 3, 4), border_color_format=28, border_color_is_integer=True, **wraps)
    assert Policy().apply(bytes(noisy.replace(lod_bias=-0.0, max_lod=-0.0))) == bytes(SamplerState(**wraps))


@pytest.mark.parametrize(("limit", "asked", "expected"), [(4, 16, 4), (16, 8, 8), (1, 16, 0), (0, 2, 0), (2, 2, 2)])
def test_max_anisotropy_is_the_largest_passed(limit: float, asked: int, expected: int) -> None:
    assert applied(Policy(max_anisotropy=limit), max_anisotropy=asked).max_anisotropy == expected


@pytest.mark.parametrize("low", [0, 1])
@pytest.mark.parametrize("high", [0, 1])
@pytest.mark.parametrize("mip", [0, 1, 2])
def test_anisotropy_goes_with_two_nearest_filters_where_a_policy_says_so(low: int, high: int, mip: int) -> None:
    """And only then; whatever the mip filter is."""
    state = {"min_img_filter": low, "mag_img_filter": high, "min_mip_filter": mip, "max_anisotropy": 8}
    drops = Policy(drop_nearest_anisotropy=True)
    assert applied(drops, **state).max_anisotropy == (8 if low or high else 0)
    assert applied(Policy(), **state).max_anisotropy == 8


@given(records)
def test_what_drops_anisotropy_changes_nothing_else(state: SamplerState) -> None:
    record = bytes(state.replace(max_anisotropy=0))
    assert OFF.replace(drop_nearest_anisotropy=True).apply(record) == record
    dropped = SamplerState.from_bytes(OFF.replace(drop_nearest_anisotropy=True).apply(bytes(state)))
    assert bytes(dropped.replace(max_anisotropy=0)) == record


policies = st.builds(
    Policy,
    max_anisotropy=st.none() | st.integers(0, 16),
    drop_nearest_anisotropy=st.booleans(),
    lod_offset=st.floats(-16, 16, width=32),
    lod_quantum=st.none() | st.sampled_from([1 / 256, 0.25, 1]),
    canonical=st.booleans(),
)


@given(records, policies)
def test_an_explanation_names_every_override_that_changed_something(state: SamplerState, policy: Policy) -> None:
    """One after the other they make the record that all make at once; each member's last step has its value."""
    first = Explanation(state, [])
    seen = policy.explain(first)
    assert bytes(seen.state) == policy.apply(bytes(state))
    changed = {step.field for step in seen.steps}
    for name, value in seen.state.to_dict().items():
        assert name in changed or repr(value) == repr(state.to_dict()[name])
    assert {step.rule for step in seen.steps} <= {f"policy-{n.replace('_', '-')}" for n in Policy.__slots__}
    assert first.steps == []


@pytest.mark.parametrize(("bias", "offset"), [(-4.26e-13, 1.5), (1e-9, -0.5), (2.0**-30, 2.5), (0.0, -1e-50)])
def test_each_override_works_on_the_float32_that_the_one_before_it_left(bias: float, offset: float) -> None:
    """In the record as in its explanation."""
    policy, state = Policy(lod_offset=offset, lod_quantum=1), SamplerState(lod_bias=bias)
    assert bytes(policy.explain(Explanation(state, [])).state) == policy.apply(bytes(state))
    policy = policy.replace(lod_quantum=None)
    assert bytes(policy.explain(Explanation(state, [])).state) == policy.apply(bytes(state))


def test_dropped_anisotropy_is_named_in_the_explanation() -> None:
    """With what it was and why; without the switch nothing is said."""
    sampler = Sampler(min_filter="nearest", mag_filter="nearest", max_anisotropy=16)
    why = convert(sampler, Texture(internal_format="RGBA8"), Screen.named("iris")).explain()
    dropped = Policy(drop_nearest_anisotropy=True).explain(why)
    step = dropped.last("max_anisotropy")
    assert (step.before, step.after, step.rule) == (16, 0, "policy-drop-nearest-anisotropy")
    assert step.because == "both image filters are NEAREST"
    assert Policy().explain(why).last("max_anisotropy").rule == "from-gl"
    assert "policy-drop-nearest-anisotropy" in str(dropped)


def test_lod_offset_is_added_and_lod_quantum_rounds() -> None:
    assert applied(Policy(lod_offset=-0.5), lod_bias=1.25).lod_bias == 0.75
    assert applied(Policy(lod_quantum=0.25), lod_bias=0.3, max_lod=1000.1).lod_bias == 0.25
    assert applied(Policy(lod_quantum=0.25), max_lod=float("inf")).max_lod == float("inf")


@pytest.mark.parametrize("value", [-0.0, -0.1, 0.1])
def test_lod_quantum_rounds_to_one_zero_in_every_form(value: float) -> None:
    """A step below or above it: -0.0 would be one more state that looks the same."""
    rounding = OFF.replace(lod_quantum=1)
    assert rounding.apply(bytes(SamplerState(lod_bias=value, max_lod=value))) == bytes(SamplerState())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"force_nearest": 1}, "True or False"),
        ({"max_anisotropy": -1}, "0 to 31"),
        ({"lod_offset": float("nan")}, "-16 to 16"),
        ({"lod_quantum": 0}, "0.00390625 to 16"),
        ({"max_states": 0}, "1 to 1e"),
        ({"speed": 1}, "force_nearest"),
        ({"force_linear": True, "force_nearest": True}, "beside force_nearest"),
        ({"force_mip_filter": "liner"}, "Did you mean .linear"),
        ({"force_anisotropy": 0}, "1 to 16"),
        ({"force_lod_bias": "low"}, "a number"),
        ({"override": {"wrap": "clamp"}}, "a function of a sampler"),
        ({"unique_limit": 0}, r"1 to 1e\+09"),
        ({"unique_limit": 1.5}, "a whole number"),
        ({"when_full": "drop"}, "merge, nearest, raise"),
        ({"when_full": None}, "merge, nearest, raise"),
    ],
)
def test_a_bad_override_says_what_is_accepted(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        Policy(**fields)


@pytest.mark.parametrize("record", [b"", bytes(37), None, SamplerState()])
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(ArgumentError, match="36 bytes"):
        Policy().apply(record)


@pytest.mark.parametrize("pair", [(None, Texture()), (Sampler(), None)])
def test_what_is_no_sampler_of_a_texture_is_not_overridden(pair: Any) -> None:
    with pytest.raises(ArgumentError, match="a Sampler, and its Texture"):
        Policy(force_linear=True).overridden(*pair)


def test_a_policy_never_changes_but_makes_others() -> None:
    policy = Policy(max_anisotropy=8)
    with pytest.raises(AttributeError, match=r"policy.replace"):
        policy.max_anisotropy = 4
    assert policy.replace(lod_offset=1.0) == Policy(max_anisotropy=8, lod_offset=1.0)
    assert repr(policy) == "Policy(max_anisotropy=8)"
