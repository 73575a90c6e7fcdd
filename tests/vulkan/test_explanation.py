"""Why a create info is what it is: steps, border fallbacks, and the rules that the recorded driver breaks."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps import VulkanFacts
from statetracker.vulkan import DIALECTS, View, create_info, explain_info
from statetracker.vulkan.draft import TRACKED
from statetracker.vulkan.rules import RULES
from tests.vulkan.devices import WHOLE, screen_without
from tests.vulkan.strategies import devices, records, views

ZINK: Final = st.Screen.named("zink-lavapipe")


def explained(screen: st.Screen = WHOLE, view: View | None = None, **members: Any) -> Any:
    return explain_info(st.SamplerState(**members), screen, view=view)


@given(records(), devices(), some.none() | views(), some.sampled_from(list(DIALECTS)), some.booleans())
def test_an_explanation_ends_at_the_info_that_the_translation_makes(
    record: bytes, facts: VulkanFacts, view: View | None, dialect: str, fits: bool
) -> None:
    screen = st.Screen.from_vulkan(facts)
    asked: dict[str, Any] = {"dialect": dialect, "view": view, "unnormalized_fits": fits}
    why, info = explain_info(record, screen, **asked), create_info(record, screen, **asked)
    assert why.info == info
    assert [repr(rung) for rung in why.border_fallbacks if rung.possible][:1] == [repr(info.border)]
    for name in TRACKED:
        steps = why.of(name)
        assert steps[0].rule == "from-pipe"
        assert [step.rule for step in steps] == sorted((step.rule for step in steps), key=_ORDER.index)
        assert all(step.because and step.section for step in steps)
    for loss in info.unsupported:
        assert f"unsupported: {loss}" in str(why)


_ORDER: Final = ["from-pipe", *(rule.name for rule in RULES)]


@pytest.mark.parametrize(
    ("wrap", "steps"),
    [
        ("CLAMP", ["from-pipe", "clamp", "address-mode"]),
        ("MIRROR_CLAMP", ["from-pipe", "clamp", "mirror-edge", "address-mode"]),
        ("MIRROR_CLAMP_TO_BORDER", ["from-pipe", "mirror-border", "address-mode"]),
        ("MIRROR_CLAMP_TO_EDGE", ["from-pipe", "mirror-edge", "address-mode"]),
        ("REPEAT", ["from-pipe", "address-mode"]),
    ],
)
def test_a_wrap_goes_step_by_step_to_what_the_device_has(wrap: str, steps: list[str]) -> None:
    screen = screen_without("samplerMirrorClampToEdge", "VK_KHR_sampler_mirror_clamp_to_edge")
    seen = [step.rule for step in explained(screen, wrap_s=wrap).of("address_mode_u")]
    assert [rule for rule in seen if rule != "address-mode"] == [rule for rule in steps if rule != "address-mode"]


def test_a_border_in_the_shader_is_shown_with_all_that_was_tried_before() -> None:
    screen = screen_without(maxCustomBorderColorSamplers=0)
    why = explained(screen, wrap_s="CLAMP_TO_BORDER", wrap_t="CLAMP", border_color=(0.5, 0.25, 0.0, 1.0))
    assert [step.rule for step in why.of("address_mode_u")] == ["from-pipe", "in-shader"]
    text = str(why)
    for words in (
        "border custom: no, none of the device's 0 custom colours is free",
        "border in-shader: yes, the shader mixes it in, largest channel error 0",
        "shader: border s",
        "shader: half_border t",
    ):
        assert words in text, words
    assert why.to_dict()["lowering"] == {"border": "s", "half_border": "t"}


def test_a_swizzle_that_no_one_reports_is_why_a_colour_is_the_shaders() -> None:
    """All that a sampler could give would be as uncertain."""
    screen = screen_without("VK_EXT_border_color_swizzle", "borderColorSwizzle", "borderColorSwizzleFromImage")
    why = explained(screen, View("R8G8B8A8_UNORM", "WZYX"), wrap_s="CLAMP_TO_BORDER", border_color=(0.5, 0.25, 0.0, 1))
    unknown = "the view's swizzle is ABGR, and whether the border goes through it is not reported"
    assert [choice.because for choice in why.border_fallbacks[1:3]] == [unknown] * 2
    assert [choice.fallback.label for choice in why.border_fallbacks if choice.possible] == ["in-shader", "nearest"]


def test_the_table_is_for_people_and_the_dictionary_for_json() -> None:
    why = explained(wrap_s="CLAMP_TO_BORDER", border_color=(0.5, 0.25, 0.0, 1.0), lod_bias=20.0, max_anisotropy=20)
    text = str(why)
    for words in (
        "member",
        "maxSamplerLodBias is 16 (was 20)",
        "border predefined: no, no predefined colour is that colour",
        "border custom: yes, bit for bit, largest channel error 0",
        "shader: add_lod_bias 4",
        "unsupported: anisotropy: 20 samples became 16; the device allows no more",
    ):
        assert words in text, words
    plain = json.loads(json.dumps(why.to_dict()))
    assert plain["info"]["borderColor"] == "VK_BORDER_COLOR_FLOAT_CUSTOM_EXT"
    assert (plain["lowering"], plain["lod_bias_rest"]) == ({"add_lod_bias": True}, 4.0)
    assert [tried["fallback"] for tried in plain["border_fallbacks"]][:2] == ["predefined", "custom"]


# The recorded driver


def test_the_recorded_driver_breaks_two_rules_with_filters_that_depth_has_not() -> None:
    """Zink has no linear-filtering hook, and lavapipe's depth formats cannot be filtered: seen under the layer."""
    depth = st.Texture("2d", "DEPTH_COMPONENT16")
    drawn = ["VUID-vkCmdDraw-magFilter-04553", "VUID-vkCmdDraw-mipmapMode-04770"]
    for sampler, broken in (
        (st.Sampler(min_filter="linear-mipmap-linear", mag_filter="linear"), drawn),
        (st.Sampler(min_filter="nearest", mag_filter="linear"), drawn[:1]),
        (st.Sampler(min_filter="nearest-mipmap-linear", mag_filter="nearest"), drawn[1:]),
        (st.Sampler(min_filter="linear", mag_filter="nearest"), drawn[:1]),
        (st.Sampler(min_filter="linear-mipmap-linear", mag_filter="linear", compare_mode=True), []),
    ):
        zink = st.convert(sampler, depth, ZINK, vulkan_dialect="zink22")
        assert [one.rule for one in zink.violations] == broken
        native = st.convert(sampler, depth, ZINK)
        assert native.violations == []
        assert native.lowering.filter_texels


def test_a_screen_made_of_the_same_facts_breaks_neither_rule() -> None:
    """Its hook takes the filters out of the record; natively they are the shader's."""
    sampler = st.Sampler(min_filter="linear-mipmap-linear", mag_filter="linear")
    for name in ("DEPTH_COMPONENT16", "DEPTH_COMPONENT24", "DEPTH24_STENCIL8", "DEPTH_COMPONENT32F"):
        texture = st.Texture("2d", name)
        assert st.convert(sampler, texture, WHOLE).violations == []
        assert st.convert(sampler, texture, WHOLE).lowering.filter_texels
        assert st.convert(sampler, texture, WHOLE, vulkan_dialect="zink22").violations == []
        assert len(st.convert(sampler, texture, ZINK, vulkan_dialect="zink22").violations) == 2
