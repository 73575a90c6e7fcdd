"""GL's samplers by WebGPU, lowered and split, within the reference unit's bounds; wider with ``make webgpu``."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tools.proofs.pixels.webgpu_run import WEBGPU_GROUPS, drawn_cases, random_cases, webgpu_judgements

GROUPS = WEBGPU_GROUPS if settings.get_current_profile_name() == "webgpu" else ("wraps", "compares")
LIVE = pytest.mark.live("wgpu", "egl:llvmpipe", "glslangValidator")


@LIVE
@pytest.mark.parametrize("group", GROUPS)
def test_every_sample_lies_within_its_bounds_natively_and_by_webgpu(group: str) -> None:
    judgements = list(webgpu_judgements([group]))
    assert len(judgements) == 2 * len(drawn_cases([group])) > 0
    assert [one for one in judgements if one.outside or one.native] == []
    assert all(one.samples == 576 for one in judgements)


@LIVE
def test_without_the_shader_pictures_would_be_wrong() -> None:
    judgements = list(webgpu_judgements(["offsets"]))
    needed = [one for one in judgements if one.work != "nothing"]
    assert len(needed) > 20
    assert sum(one.alone > one.samples / 10 for one in needed) > 20


@LIVE
@pytest.mark.parametrize("device", ["llvmpipe", pytest.param("SwiftShader", marks=pytest.mark.live("swiftshader"))])
def test_random_samplers_lie_within_their_bounds_but_where_a_remark_says_otherwise(device: str, whole: bool) -> None:
    count = 200 if whole else 10
    judgements = list(webgpu_judgements(["random", "5", str(count)], device=device))
    assert len(judgements) == 2 * count
    assert [one for one in judgements if one.outside and not one.remarks] == []
    assert sum(one.alone > one.samples / 10 for one in judgements) > 10


@LIVE
@pytest.mark.parametrize(("way", "count", "work"), [("shared", 16, "filter texels"), ("dynamic", 12, "sample by data")])
def test_random_states_that_share_a_sampler_lie_within_their_bounds(way: str, count: int, work: str) -> None:
    """And a state that is read of the block has the bits of a known one, but for comparisons.

    Of a known state one gather reads their four texels, and their sum rounds otherwise.
    """
    judgements = list(webgpu_judgements(["random", "8", str(count), way]))
    assert len(judgements) == 2 * count
    assert [one for one in judgements if one.outside > one.native] == []
    assert all(work in one.work for one in judgements)
    if way == "dynamic":
        plain = [one for one in judgements if "fixed depth" not in one.work]
        assert [one for one in plain if one.apart] == []
        assert len({one.module for one in plain}) == 4  # 1D, 2D, layers, 3D


def test_random_samplers_are_of_every_kind_and_the_same_for_a_seed() -> None:
    cases = random_cases(200, 21)
    assert cases == random_cases(200, 21) != random_cases(200, 22)
    assert {case.target for case in cases} == {"1d", "2d", "2d-array", "3d"}
    for member in ("wrap_s", "wrap_t", "wrap_r"):
        assert len({getattr(case.state, member) for case in cases}) == 8
    assert 15 < sum(bool(case.state.compare_mode) for case in cases) < 60
