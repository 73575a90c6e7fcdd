"""`statetracker.frontend.explained`: what came in, each rule that fired, what went out, what the shader adds."""

from __future__ import annotations

import html
import re
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from PIL import Image

import statetracker as st
from statetracker.cli.descriptions import result_of
from statetracker.errors import MissingExtra
from statetracker.frontend.explained import WORDS, explained, preview_of
from statetracker.pipe.lowering import WORK
from statetracker.pipe.state import FIELD_NAMES
from statetracker.reference.picture import titled
from tests.conformance import browser

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
    policy = st.Policy(force_linear=True, force_lod_bias=1.0)
    assert on("nv50", st.Sampler(lod_bias=0.5), policy=policy).came_in[0] == ("sampler lod_bias", "0.5")
    assert "policy-force-linear" in {step.rule for step in on("nv50", st.Sampler(), policy=policy).fired}
    texture = st.Texture(internal_format="DEPTH24_STENCIL8", swizzle=("r", "r", "0", "1"), stencil_sampling=True)
    rows = explained(st.convert(st.Sampler(), texture, st.Screen.named("nv50"))).came_in
    assert {("texture swizzle", "rr01"), ("texture depth_stencil_mode", "GL_STENCIL_INDEX")} <= {*rows}


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


def test_it_is_ready_for_json_with_the_shaders_work_and_remarks() -> None:
    """Work has its axes and words; what cannot be done is a remark."""
    assert on("nv50").shader == []
    assert on("Apple A12 GPU").shader == [("half_border", "s", WORDS["half_border"])]
    data = on("Apple A12 GPU").to_dict()
    assert data["came_in"]["sampler wrap_s"] == "GL_CLAMP"
    assert data["out"]["VkSamplerCreateInfo"]["address_mode_u"] == "CLAMP_TO_EDGE"
    assert data["fired"][0]["rule"] == "clamp-lowering"
    assert data["shader"][0]["work"] == "half_border"
    texture = st.Texture(internal_format="DEPTH_COMPONENT24", size=(8, 8), levels=1)
    shown = explained(st.convert(st.Sampler(max_anisotropy=4), texture, st.Screen.device("Apple A12 GPU")))
    assert any(remark.startswith("not possible: anisotropy: ") for remark in shown.remarks)


EXAMPLES: Final = Path(__file__).parents[2] / "examples"
NAMES: Final = ("border", "clamp", "mirror", "shadow", "unfiltered")


def result(name: str) -> st.Result:
    return result_of(str(EXAMPLES / f"{name}.toml"))


def words(page: str) -> str:
    return " ".join(html.unescape(page.replace("<wbr>", "")).split())


@pytest.mark.parametrize("name", NAMES)
def test_it_has_every_part(name: str) -> None:
    made = result(name)
    page, shown = words(made.explain_html(title=name)), explained(made)
    texts = [shown.where, shown.record, *(text for _, text in shown.came_in), *(text for _, _, text in shown.shader)]
    texts += [one.rule for one in shown.fired]
    assert [text for text in texts if text not in page] == []
    for heading in ("What came in", "Rules that fired", "What the shader adds", "What went out"):
        assert f"<h2>{heading}</h2>" in page


def test_its_pictures_are_those_of_the_preview() -> None:
    made = result("clamp")
    page = made.explain_html()
    pictures = [Image.open(BytesIO(b64decode(data))) for data in re.findall(r'base64,([^"]+)"', page)]
    preview = preview_of(made)
    wanted = titled(preview).values()
    assert [one.tobytes() for one in pictures] == [one.tobytes() for one in wanted]
    assert f"Off by at most {preview.largest_alone:.4g} without the shader, 0 with it" in words(page)


def test_a_title_is_no_markup_and_a_state_that_no_rule_changes_says_so() -> None:
    plain = st.convert(st.Sampler(min_lod=0), st.Texture(), st.Screen.named("llvmpipe"))
    page = words(plain.explain_html(title="<b>&"))
    assert "<h1>&lt;b&gt;&amp;</h1>" in plain.explain_html(title="<b>&")
    assert "None: every member is as OpenGL has it." in page
    assert "<p>Nothing.</p>" in page


@pytest.mark.parametrize("module", ["jinja2", "PIL"])
def test_without_what_draws_it_the_error_names_the_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install (jinja2|pillow)$"):
        result("border").explain_html()


@pytest.mark.live("chromium")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["clamp", "shadow"])
def test_it_needs_no_network_and_is_no_wider_than_the_screen(name: str, width: int, tmp_path: Path) -> None:
    seen = browser.look(result(name).explain_html(title=f"{name}.toml"), tmp_path, width=width)
    assert [name for name in seen["fetched"] if not name.startswith("data:")] == []
    assert seen["refused"] == []
    assert (seen["errors"], seen["wide_open"]) == ([], [])
    assert seen["open"] <= width
