"""`statetracker.survey.comparison`: two devices differ by rule; the columns are the whole space, each state once."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps.devices import DeviceRow, corpus, device_facts
from statetracker.errors import UnknownName
from statetracker.jobs import run_jobs
from statetracker.survey import compare, compare_space
from statetracker.survey.comparison import SPACE, TEXTURES, columns
from statetracker.vulkan.rules import RULES
from tests.kept import assert_kept
from tests.survey import whole_space
from tests.survey.whole_space import KEPT, Row, faults_of_pair, folded, judged, kept, shares, space_classes, state

ADRENO, APPLE = st.Screen.device(report=38434), st.Screen.device("#38162")
STATE = st.Sampler(wrap="mirror-clamp-to-edge", min_filter="linear", lod_bias=3.0)
DEPTH = st.Texture("2d", "DEPTH_COMPONENT24")


def test_an_unknown_texture_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="texture: 'RGBA8' is not known; accepted: RGBA8, 2D; RGBA8, cube; "):
        list(compare_space(ADRENO, APPLE, textures=["RGBA8"]))


def test_each_difference_is_put_down_to_the_rule_that_made_it() -> None:
    seen = {(one.rule, one.member): (one.one, one.other) for one in compare(STATE, DEPTH, ADRENO, APPLE)}
    assert seen["mirror-edge", "fold"] == ("", "str")
    assert seen["bias-limit", "lod_bias_rest"] == (0.0, 3.0)
    assert seen["filtering", "filter_texels"] == (False, True)
    words = [str(one) for one in compare(STATE, DEPTH, ADRENO, APPLE)]
    assert "bias-limit: mip_lod_bias 3.0 | 0.0; the device cannot bias; the shader adds it" in words


def test_a_device_differs_from_itself_in_nothing() -> None:
    assert compare(STATE, DEPTH, APPLE, APPLE) == []
    assert list(compare_space(APPLE, st.Screen.device(report=38162))) == []


def test_the_texture_s_swizzle_is_put_into_the_colour_before_the_first_rule() -> None:
    """On a device that wants it there."""
    sampler = st.Sampler(wrap="clamp-to-border", border_color=(0.1, 0.2, 0.3, 0.4))
    texture = st.Texture("2d", "RGBA8", swizzle=("blue", "green", "red", "alpha"))
    other = next(
        screen
        for row in corpus()
        for screen in [st.Screen.from_vulkan(device_facts(row))]
        if screen.apply_texture_swizzle_to_border_color != APPLE.apply_texture_swizzle_to_border_color
    )
    assert {one.rule for one in compare(sampler, texture, APPLE, other)} <= {"from-pipe", "border", "in-shader"}


def test_no_difference_of_two_infos_is_left_out() -> None:
    """Random states on random rows: what differs in the end is what is listed."""
    rng = Random(3)  # noqa: S311 (the same in every run)
    rows = rng.sample(corpus(), 40)
    rules = {rule.name for rule in RULES} | {"from-pipe"}
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        screens = [st.Screen.from_vulkan(device_facts(row)) for row in (one, other)]
        infos = [st.convert(STATE, DEPTH, screen).vulkan for screen in screens]
        seen = compare(STATE, DEPTH, screens[0], screens[1])
        same = infos[0] == infos[1] and infos[0].lowering.work == infos[1].lowering.work
        assert same or seen
        assert {difference.rule for difference in seen} <= rules


def test_the_whole_space_is_grouped_by_rule() -> None:
    seen = {(one.texture, one.rule): one for one in compare_space(ADRENO, APPLE, textures=["RGBA8, 2D"])}
    row = seen["RGBA8, 2D", "mirror-edge"]
    assert row.states == sum(row.kinds.values()) == 191_808 < SPACE
    assert row.kinds == {("shader", "shader"): 167_832, ("native", "shader"): 23_976}
    assert {rule for _, rule in seen} == {"mirror-edge", "reduction", "in-shader", "filtering"}
    assert json.loads(json.dumps(row.to_dict()))["kinds"] == {"shader -> shader": 167_832, "native -> shader": 23_976}
    assert all(
        difference in compare(row.sampler, st.Texture("2d", "RGBA8"), ADRENO, APPLE) for difference in row.example
    )


@pytest.mark.parametrize("name", TEXTURES)
def test_columns_hold_every_state_once(name: str) -> None:
    assert SPACE == 8**3 * 6 * 2 * 9 * 2 * 3 == 331_776
    assert sum(column.states for column in columns(name)) == SPACE
    assert len(columns(name)) == 92 * 6 * 2 * 2 * 3 * (2 if "DEPTH" in name else 1)


def test_every_number_is_another_state() -> None:
    assert len({state(number).content() for number in range(0, SPACE, 7)}) == len(range(0, SPACE, 7))


def test_no_class_breaks_a_rule_and_shares_are_the_kept_ones(whole: bool) -> None:
    """Of one column in 500 of each class, shares are near; with `make space` of all columns."""
    every, jobs = (1, None) if whole else (500, 1)
    classes = [(name, number) for name in TEXTURES for number in range(len(space_classes(name)))]
    parts = {f"{name}, class {number}": (name, number, every) for name, number in classes}
    done = dict(zip(classes, (one for _, one in run_jobs(judged, parts, jobs=jobs)), strict=True))
    assert [fault for one in done.values() for fault in one.wrong] == []
    if whole:
        assert_kept(KEPT, Row._fields, shares(done))
    near = {(row.texture, row.kind): pytest.approx(row.share_vectors, abs=0.05) for row in kept()}
    assert {(row.texture, row.kind): row.share_vectors for row in shares(done)} == near


def test_kept_shares_are_of_every_state_and_vector() -> None:
    for name in TEXTURES:
        rows = [row for row in kept() if row.texture == name]
        assert abs(sum(row.share_reports for row in rows) - 1) < 1e-5
        assert sum(row.states for row in rows) >= SPACE * 754


def test_classes_are_of_all_rows() -> None:
    for name in TEXTURES:
        rows = [row for one in space_classes(name) for row in one.rows]
        assert sorted(rows) == sorted(corpus())


@given(some.sampled_from(sorted(TEXTURES)), some.sampled_from(corpus()), some.integers(0, SPACE - 1))
def test_a_state_on_its_own_device_is_as_its_column(name: str, row: DeviceRow, number: int) -> None:
    """With `make space` of 40,000 pairs."""
    assert faults_of_pair(name, row, number) == []


def test_a_state_that_is_not_as_its_column_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the check can find something: columns that leave the wraps out."""
    monkeypatch.setattr(whole_space, "folded", lambda sampler: folded(sampler.copy(wrap="repeat")))
    faults = [
        fault for number in range(0, SPACE, SPACE // 20) for fault in faults_of_pair("RGBA8, 2D", corpus()[0], number)
    ]
    assert any(fault.startswith("not as its column") for fault in faults)
