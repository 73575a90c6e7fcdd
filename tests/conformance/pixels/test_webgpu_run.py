"""GL's samplers by WebGPU, lowered and split, within the reference unit's bounds; wider with ``make webgpu``."""

from __future__ import annotations

import pytest

from statetracker.conformance.pixels.webgpu_run import drawn_cases, webgpu_judgements

pytestmark = pytest.mark.live("wgpu", "egl:llvmpipe", "glslangValidator")


@pytest.mark.parametrize("group", ["wraps", "compares"])
def test_every_sample_lies_within_its_bounds_natively_and_by_webgpu(group: str) -> None:
    judgements = list(webgpu_judgements([group]))
    assert len(judgements) == 2 * len(drawn_cases([group])) > 0
    assert [one for one in judgements if one.outside or one.native] == []
    assert all(one.samples == 576 for one in judgements)


def test_without_the_shader_pictures_would_be_wrong() -> None:
    judgements = list(webgpu_judgements(["offsets"]))
    needed = [one for one in judgements if one.work != "nothing"]
    assert len(needed) > 20
    assert sum(one.alone > one.samples / 10 for one in needed) > 20
