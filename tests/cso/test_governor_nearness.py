"""How far one state is from another that stands in for it."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.cso.governor import Loss, apart, loss, traits
from statetracker.pipe import SamplerState

BASE = SamplerState(wrap_s="clamp-to-border", min_img_filter="linear", max_lod=8.0)


def record(**fields: Any) -> bytes:
    return bytes(BASE.replace(**fields))


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({}, Loss()),
        ({"lod_bias": 0.25}, Loss(lod=0.25)),
        ({"lod_bias": -0.25, "min_lod": 0.5}, Loss(lod=0.5)),
        ({"max_lod": 1000.0}, Loss(lod=7.0)),  # no texture has more than 15 levels
        ({"border_color": (0.0, 0.25, 0.5, 0.0)}, Loss(border=0.5)),
        ({"max_anisotropy": 8}, Loss(anisotropy=3.0)),
        ({"max_anisotropy": 1}, Loss()),  # as 0: off
        ({"compare_func": "less"}, Loss()),  # it does not compare
        ({"lod_bias": float("nan")}, Loss(lod=inf)),
    ],
)
def test_each_member_that_may_be_merged_has_its_size(fields: dict[str, object], lost: Loss) -> None:
    assert loss(record(), record(**fields)) == lost == loss(record(**fields), record())


COMPARES = {"compare_mode": "r-to-texture"}
INTEGER = {"border_color_is_integer": True}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({}, {"wrap_t": "clamp-to-edge"}),
        ({}, {"mag_img_filter": "linear"}),
        ({}, {"min_mip_filter": "none"}),
        ({}, COMPARES),
        ({}, {"reduction_mode": "min"}),
        ({}, {"seamless_cube_map": True}),
        ({}, {"unnormalized_coords": True}),
        ({}, INTEGER),
        ({}, {"border_color_format": "R8G8B8A8_UNORM"}),
        (COMPARES | {"compare_func": "less"}, COMPARES | {"compare_func": "lequal"}),
        (INTEGER | {"border_color": (1, 0, 0, 0)}, INTEGER | {"border_color": (2, 0, 0, 0)}),  # they are no colours
    ],
)
def test_nothing_else_may_be_merged(one: dict[str, object], two: dict[str, object]) -> None:
    assert loss(record(**one), record(**two)).distance == inf


def test_a_border_that_no_wrap_reads_is_none() -> None:
    one, two = (record(wrap_s="repeat", border_color=(n, 0.0, 0.0, 0.0)) for n in (0.0, 1.0))
    integer = record(
        wrap_s="repeat", border_color_is_integer=True, border_color=(1, 2, 3, 4), border_color_format="R8_UINT"
    )
    assert loss(one, two) == loss(one, integer) == Loss()
    other = record(wrap_s="repeat", mag_img_filter="linear")
    assert loss(one, other).distance == loss(one, record(wrap_s="mirror-repeat")).distance == inf


def test_a_distance_is_the_largest_part_in_its_own_unit() -> None:
    assert Loss(lod=0.5).distance == Loss(border=0.125).distance == Loss(anisotropy=1.0).distance == 1.0
    assert Loss(lod=0.25, border=0.25).distance == 2.0
    assert str(Loss(lod=0.25, anisotropy=2.0)) == "LOD 0.25 levels, anisotropy 2 doublings"
    assert str(Loss(border=0.5)) == "border 0.5"
    assert str(Loss()) == "nothing"
    assert Loss(lod=1.0).worst(Loss(border=0.5)) == Loss(lod=1.0, border=0.5)


FEW = some.builds(
    SamplerState,
    wrap_s=some.sampled_from(("repeat", "clamp-to-border")),
    compare_mode=some.integers(0, 1),
    compare_func=some.integers(0, 7),
    max_anisotropy=some.integers(0, 16),
    lod_bias=some.floats(width=32),
    max_lod=some.floats(width=32),
    border_color=some.tuples(*[some.floats(width=32)] * 4),
    border_color_is_integer=some.integers(0, 1),
)


@given(FEW, FEW)
def test_what_a_search_compares_is_the_distance_of_the_loss(one: SamplerState, two: SamplerState) -> None:
    (family, ours), (other, theirs) = traits(bytes(one)), traits(bytes(two))
    lost = loss(bytes(one), bytes(two)).distance
    if family != other:
        assert lost == inf
    elif lost < inf:
        assert apart(ours, theirs) == pytest.approx(lost)
    assert loss(bytes(one), bytes(one)) == Loss()
