"""`statetracker.survey.comparison`: device against device, by the rule at which they part."""

from __future__ import annotations

import json
from random import Random

import statetracker as st
from statetracker.caps.devices import corpus, device_facts
from statetracker.survey import SPACE, compare, compare_space
from statetracker.vulkan.rules import RULES

ADRENO, APPLE = st.Screen.device(report=38434), st.Screen.device("#38162")
STATE = st.Sampler(wrap="mirror-clamp-to-edge", min_filter="linear", lod_bias=3.0)
DEPTH = st.Texture("2d", "DEPTH_COMPONENT24")


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
