"""`statetracker.frontend.explained`: what came in, each rule that fired, what went out, what the shader adds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import statetracker as st
from statetracker.frontend.explained import WORDS, explained
from statetracker.pipe.lowering import WORK
from statetracker.pipe.state import FIELD_NAMES

if TYPE_CHECKING:
    from statetracker.frontend.explained import Explained

CLAMPED = st.Sampler(wrap_s="clamp", min_filter="linear", mag_filter="linear", border_color=(1, 0, 0.5, 1))


def on(screen: str, sampler: st.Sampler = CLAMPED, **options: object) -> Explained:
    texture = st.Texture(internal_format="RGBA8", size=(8, 8), levels=1)
    where = st.Screen.device(screen) if " " in screen else st.Screen.named(screen)
    return explained(st.convert(sampler, texture, where, **options))  # type: ignore[arg-type]  # as a caller has them


def test_every_work_of_a_shader_has_its_words() -> None:
    assert WORDS.keys() == set(WORK)


def test_what_came_in_is_what_differs_from_gls_defaults() -> None:
    assert on("nv50").came_in == [
        ("sampler wrap_s", "GL_CLAMP"),
        ("sampler min_filter", "GL_LINEAR"),
        ("sampler border_color", "(1, 0, 0.5, 1)"),
        ("texture target", "GL_TEXTURE_2D"),
        ("texture internal_format", "GL_RGBA8"),
    ]
    assert on("nv50", st.Sampler()).came_in[0] == ("sampler", "as GL makes one")
    unit = on("nv50", unit_lod_bias=0.5, seamless=True, glsl130=False).came_in[-3:]
    assert unit == [("unit lod_bias", "0.5"), ("unit seamless", "true"), ("unit glsl130", "false")]
    assert on("nv50", bindless=True).came_in[-1] == ("unit bindless", "true")


def test_a_texture_says_what_it_is_more_than_a_format() -> None:
    texture = st.Texture(internal_format="DEPTH24_STENCIL8", swizzle=("r", "r", "0", "1"), stencil_sampling=True)
    rows = explained(st.convert(st.Sampler(), texture, st.Screen.named("nv50"))).came_in
    assert ("texture swizzle", "rr01") in rows
    assert ("texture depth_stencil_mode", "GL_STENCIL_INDEX") in rows


def test_every_rule_that_changed_a_member_is_there_with_before_and_after() -> None:
    result = st.convert(CLAMPED, st.Texture(), st.Screen.device("Apple A12 GPU"))
    shown = explained(result)
    steps = [step for step in result.explain().steps if step.before is not None]
    steps += [step for step in result.explain_vulkan().steps if step.rule != "from-pipe"]  # type: ignore[misc]
    assert [(one.field, one.rule, one.because) for one in shown.fired] == [
        (step.field, step.rule, step.because) for step in steps
    ]
    first = shown.fired[0]
    assert (first.made, first.field, first.before, first.after) == (
        "pipe_sampler_state", "wrap_s", "CLAMP", "CLAMP_TO_BORDER",
    )  # fmt: skip
    assert first.page == "docs/rules/conversion.md#clamp-lowering"


@pytest.mark.parametrize(
    ("screen", "out"),
    [
        ("llvmpipe", ["pipe_sampler_state"]),
        ("zink-lavapipe", ["pipe_sampler_state", "VkSamplerCreateInfo"]),
        ("Apple A12 GPU", ["pipe_sampler_state", "VkSamplerCreateInfo"]),
        ("webgpu", ["pipe_sampler_state", "GPUSamplerDescriptor"]),
    ],
)
def test_what_went_out_is_what_the_screen_takes(screen: str, out: list[str]) -> None:
    shown = on(screen)
    assert list(shown.out) == out
    assert [name for name, _, _ in shown.out["pipe_sampler_state"]] == list(FIELD_NAMES)
    assert re.fullmatch("[0-9a-f]{72}", shown.record)
    assert screen in shown.where


def test_the_shaders_work_has_its_axes_and_words() -> None:
    assert on("nv50").shader == []
    assert on("Apple A12 GPU").shader == [("half_border", "s", WORDS["half_border"])]


def test_what_cannot_be_done_is_a_remark() -> None:
    texture = st.Texture(internal_format="DEPTH_COMPONENT24", size=(8, 8), levels=1)
    shown = explained(st.convert(st.Sampler(max_anisotropy=4), texture, st.Screen.device("Apple A12 GPU")))
    assert any(remark.startswith("not possible: anisotropy: ") for remark in shown.remarks)


def test_it_is_ready_for_json() -> None:
    data = on("Apple A12 GPU").to_dict()
    assert data["came_in"]["sampler wrap_s"] == "GL_CLAMP"
    assert data["out"]["VkSamplerCreateInfo"]["address_mode_u"] == "CLAMP_TO_EDGE"
    assert data["fired"][0]["rule"] == "clamp-lowering"
    assert data["shader"][0]["work"] == "half_border"
