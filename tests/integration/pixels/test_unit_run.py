"""The reference texture unit against Mesa's llvmpipe and softpipe; wider with ``make pixels``."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

from statetracker.pipe import TexWrap
from statetracker.reference import Texels, TextureUnit
from statetracker.reference.wraps import nearest_tap
from tools.proofs.pixels.deviations import DEVIATIONS
from tools.proofs.pixels.unit_cases import GROUPS, cases, half_steps
from tools.proofs.pixels.unit_run import Judgement, unit_judgements

#: Samples along each edge of a draw.
SIDE = 96 if settings.get_current_profile_name() == "pixels" else 24
DRIVERS = [pytest.param(name, marks=pytest.mark.live(f"egl:{name}")) for name in ("llvmpipe", "softpipe")]


def judged(driver: str) -> dict[str, list[Judgement]]:
    judgements: dict[str, list[Judgement]] = {group: [] for group in GROUPS}
    for one in unit_judgements(driver, side=SIDE):
        judgements[one.group].append(one)
    return judgements


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_sample_lies_within_its_bounds_and_every_named_deviation_is_needed(driver: str) -> None:
    departing: list[Judgement] = []
    for group, judgements in judged(driver).items():
        assert len(judgements) == len(cases(driver, (group,))) > 0
        outside = [one for one in judgements if one.outside]
        assert not outside, (len(outside), outside[:3])
        assert all(one.samples > 20 for one in judgements)
        departing += [one for one in judgements if one.departs]
    assert len(departing) >= 10, "a wrong unit would be noticed"
    assert {name for one in departing for name in one.deviations} == {
        row.name for row in DEVIATIONS if row.driver == driver
    }


@pytest.mark.parametrize("wrap", [TexWrap.MIRROR_CLAMP_TO_EDGE, TexWrap.MIRROR_REPEAT])
def test_a_texel_border_left_of_zero_belongs_to_the_texel_above_it(wrap: TexWrap) -> None:
    """GL mirrors the index floor(u): at u = -1 that is texel 0. Both drivers mirror u first and read texel 1."""
    assert nearest_tap(wrap, np.array([-1.0, -2.0, -0.5]), 8).tolist() == [0, 1, 0]


def test_half_steps_meet_every_border_and_centre() -> None:
    assert half_steps(2)[:, 0].tolist() == [part / 4 for part in range(-4, 9)]


def test_a_fixed_point_border_is_limited_to_its_format() -> None:
    from statetracker.pipe import SamplerState

    border = (2.0, -3.0, 0.5, -0.5)
    state = SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=border)
    for kind, limited in (("float", border), ("unorm", (1, 0, 0.5, 0)), ("snorm", (1, -1, 0.5, -0.5))):
        unit = TextureUnit(state, Texels("1d", [np.zeros((4, 4))], kind=kind))
        assert unit.sample([[-1.0]])[0].tolist() == list(limited)
