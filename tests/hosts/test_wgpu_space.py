"""Every state of the discrete space, planned as a dynamic binding and drawn on WebGPU; widely with ``make hosts``."""

from __future__ import annotations

from collections import Counter

import pytest

from statetracker.survey.comparison import SPACE, TEXTURES
from tests.hosts.drawn_space import Drawn, Judge, drawn, drawn_space

pytestmark = pytest.mark.live("wgpu", "lavapipe", "glslangValidator")

#: A module for each reduction; of a cube with seams and without; of depth that is not compared, and by each function.
MODULES = {"RGBA8, 2D": 3, "RGBA8, cube": 6, "RGBA32F, 2D": 3, "DEPTH_COMPONENT24, 2D": 27}


@pytest.mark.parametrize(
    ("device", "shares"), [("llvmpipe", 1), pytest.param("SwiftShader", 11, marks=pytest.mark.live("swiftshader"))]
)
def test_every_state_of_the_space_is_drawn_through_one_sampler_within_its_bounds(
    device: str, shares: int, whole: bool
) -> None:
    """All of them on lavapipe, every eleventh on SwiftShader; without ``make hosts`` every 1,009th."""
    shares = shares if whole else 1_009
    parts = list(drawn_space(shares, device=device))
    assert [state for part in parts for state in part.outside] == []
    assert {(part.texture, part.samplers, part.modules) for part in parts} == {(at, 1, MODULES[at]) for at in TEXTURES}
    assert sum((part.lost for part in parts), Counter[str]()) == {}
    assert states(parts) == dict.fromkeys(TEXTURES, -(-SPACE // shares))


def test_of_every_state_anisotropy_is_lost_and_named(whole: bool) -> None:
    """The rest is drawn as without it."""
    for part in drawn_space(61 if whole else 4_001, max_anisotropy=8.0):
        assert part.outside == []
        assert part.samplers == 1
        assert {why.partition(":")[0] for why in part.lost} == {"anisotropy"}
        assert part.lost.total() == part.states > 80


def test_states_that_are_judged_as_others_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the judge can find something."""
    read = Judge.read
    monkeypatch.setattr(Judge, "read", lambda judge, sampler: read(judge, sampler.copy(wrap="repeat")))
    one = drawn(str, "RGBA8, 2D", "llvmpipe", range(0, SPACE, 4_001), {})
    assert len(one.outside) > one.states / 2


def states(parts: list[Drawn]) -> dict[str, int]:
    return {name: sum(part.states for part in parts if part.texture == name) for name in TEXTURES}
