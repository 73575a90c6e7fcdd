"""`st.sample_function`: what it takes, what it says, what it refuses."""

from __future__ import annotations

import struct
from typing import Any, Final

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe import Func, Lowering, LoweringValues, TexFilter, TexMipfilter
from statetracker.shader.text import FORMS, LANGUAGES, TARGETS

WEBGPU: Final = st.Screen.named("webgpu")
EDGE: Final = Lowering(border="st", route="edge", min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR)


def converted(wrap: str = "clamp-to-border", target: str = "2d", internal: str = "RGBA8", **members: Any) -> st.Result:
    size = {"2d-array": (8, 8, 3), "3d": (8, 8, 8)}.get(target, (8, 8))
    return st.convert(st.Sampler(wrap=wrap, min_filter="linear", **members), st.Texture(target, internal, size), WEBGPU)


def test_a_result_says_its_target_and_the_kind_of_its_texels() -> None:
    assert "texture_2d_array<f32>" in st.sample_function(converted(target="2d-array"), "wgsl").text
    assert "texture_3d<f32>" in st.sample_function(converted(target="3d"), "wgsl").text
    nearest: dict[str, Any] = {"min_filter": "nearest", "mag_filter": "nearest"}
    for internal, kind in (("RGBA8I", "isampler2D"), ("RGBA8UI", "usampler2D")):
        result = st.convert(st.Sampler(**nearest), st.Texture("2d", internal), WEBGPU)
        assert kind in st.sample_function(result, "glsl", forms=["fetch"]).text
    assert "usampler2D" in st.sample_function(result.lowering, "glsl", texels="uint").text


def test_a_state_that_compares_has_the_forms_that_compare() -> None:
    shadow = converted(internal="DEPTH_COMPONENT24", compare_mode="compare-ref-to-texture")
    made = st.sample_function(shadow, "wgsl")
    assert list(made.functions) == ["sample_state"]
    assert "Compare" in made.text
    with pytest.raises(ArgumentError, match=r"forms='implicit' cannot be used.*compare_level"):
        st.sample_function(shadow, "wgsl", forms=["implicit"])
    with pytest.raises(ArgumentError, match="forms='compare'"):
        st.sample_function(converted(), "wgsl", forms=["compare"])


def test_a_state_without_work_is_one_call() -> None:
    made = st.sample_function(converted("repeat"), "wgsl")
    assert "return textureSample(image, image_sampler, place);" in made.text
    assert (made.values, made.declarations) == ((), ())


def test_functions_have_the_name_and_the_form_behind_it() -> None:
    made = st.sample_function(EDGE, "glsl", name="water", forms=["implicit", "level", "gather"])
    assert list(made.functions) == ["water", "water_level", "water_gather"]
    assert made.text.count("struct SamplerValues") == 1
    assert made.text.endswith(made.functions["water_gather"])


def test_the_block_is_what_border_values_fills() -> None:
    made = st.sample_function(EDGE, "glsl")
    block = st.border_values([LoweringValues((1, 2, 3, 4), (0.0, 0.5, 1.0), 0.25, 0.5, -2.0, 7.0)])
    given = {"share": (0.0, 0.5, 1.0), "lod_bias": (0.25,), "rest": (0.5,), "min_lod": (-2.0,), "max_lod": (7.0,)}
    places = {name: (f"<{count}f", at) for name, count, at in made.values}
    assert {name: struct.unpack_from(form, block, at) for name, (form, at) in places.items() if name in given} == given
    assert len(block) == made.values[-1][2] + 4


def test_constants_leave_no_block_and_no_number_out() -> None:
    row = EDGE._replace(min_mip_filter=TexMipfilter.LINEAR)
    values = LoweringValues((0x3F000000,) * 4, (0.0,) * 3, 0.0, 0.0, 0.0, float("inf"))
    for language in LANGUAGES.keys() - {"glsl-es"}:
        made = st.sample_function(row, language, forms=["grad"], constants=values)
        assert not made.values
        assert "values" not in made.text
        assert "0.5" in made.text
    with pytest.raises(ArgumentError, match="the block has the number of levels"):
        st.sample_function(row, "glsl-es", forms=["grad"], constants=values)


def test_one_text_of_data_is_that_of_every_wrap() -> None:
    wraps = ("repeat", "clamp-to-edge", "clamp-to-border", "clamp", "mirrored-repeat")
    texts = {st.sample_function(converted(wrap), "wgsl", wraps="data").text for wrap in wraps}
    assert len(texts) == 1
    assert any("CLAMP_TO_EDGE" in one for one in st.sample_function(converted(), "wgsl", wraps="data").remarks)


def test_what_is_inexact_and_where_a_form_may_be_called_is_said() -> None:
    mips = converted().lowering._replace(min_mip_filter=TexMipfilter.LINEAR)
    made = st.sample_function(mips, "wgsl")
    assert any("level of detail comes of gradients" in one for one in made.inexact)
    assert any("uniform control flow" in one for one in made.remarks)
    assert not any("uniform control flow" in one for one in st.sample_function(mips, "wgsl", forms=["level"]).remarks)
    lost = Lowering(border="st", route="edge", filter_texels=True, texel_coords=False)
    assert st.sample_function(lost, "glsl", forms=["compare"]).unresolved


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"name": "2d"}, "name"),
        ({"name": "a__b"}, "name"),
        ({"name": "gl_x"}, "name"),
        ({"name": 3}, "name"),
        ({"forms": ["none"]}, "forms"),
        ({"forms": ["level", "level"]}, "forms"),
        ({"forms": ["gather"], "target": "3d"}, "forms"),
        ({"forms": 5}, "forms"),
        ({"forms": [[]]}, "forms"),
        ({"component": 4}, "component"),
        ({"offset": (1,)}, "offset"),
        ({"offset": (1, 99)}, "offset"),
        ({"offset": 5}, "offset"),
        ({"offset": iter((1, 1))}, "offset"),
        ({"offset": (1, 1), "target": "cube"}, "offset"),
        ({"wraps": "none"}, "wraps"),
        ({"wraps": "data", "constants": LoweringValues()}, "wraps"),
        ({"target": "4d"}, "target"),
        ({"target": []}, "target"),
        ({"texels": "half"}, "texels"),
        ({"constants": 3}, "constants"),
    ],
)
def test_what_it_cannot_use_is_an_error_that_names_the_argument(given: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        st.sample_function(EDGE, "glsl", **given)
    assert caught.value.field == wrong
    assert caught.value.accepted


def test_an_unknown_language_or_state_is_an_error() -> None:
    with pytest.raises(UnknownName, match="glsl, glsl-es, wgsl, hlsl, slang, msl"):
        st.sample_function(EDGE, "cg")
    with pytest.raises(ArgumentError, match="a Lowering"):
        st.sample_function("st", "glsl")
    with pytest.raises(ArgumentError, match="clamped coordinate"):
        st.sample_function(Lowering("st"), "glsl", wraps="data")


@pytest.mark.parametrize(
    ("language", "form", "targets", "lacks"),
    [
        ("glsl", "compare_grad", "cube-array", "GLSL compares arrays of cubes without gradients"),
        *(("msl", form, "1d 1d-array", "1D textures have one level") for form in ("bias", "level", "grad")),
    ],
)
def test_a_form_that_a_language_lacks_is_refused(language: str, form: str, targets: str, lacks: str) -> None:
    for target in targets.split():
        with pytest.raises(ArgumentError, match=lacks):
            st.sample_function(Lowering(), language, forms=[form], target=target)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", TARGETS)
def test_every_form_is_printed_or_refused_with_what_the_language_lacks(language: str, target: str) -> None:
    """And nothing of what is printed names a thing of another language, or a hole."""
    row = EDGE._replace(border="str"[: TARGETS[target].axes], cube_edges=TARGETS[target].cube)
    printed = 0
    for form in FORMS:
        asked = row._replace(compare_func=Func.LEQUAL if form.startswith("compare") else None)
        try:
            made = st.sample_function(asked, language, forms=[form], target=target)
        except ArgumentError as error:
            assert "of this state" in error.accepted or error.hint  # noqa: PT017
            continue
        printed += 1
        assert "()" not in made.text.replace("get_num_mip_levels()", "").replace("get_width()", "")
    assert printed or (language == "glsl-es" and target in {"1d", "1d-array", "cube-array"}) or target == "1d-array"


def test_the_text_of_a_result_is_that_of_its_lowering() -> None:
    """Nothing that st.lower does not read decides on it."""
    screen = st.Screen.device(report=38162)
    for wrap in ("clamp-to-border", "clamp", "mirror-clamp-to-edge"):
        sampler = st.Sampler(wrap=wrap, min_filter="linear", mag_filter="linear", max_anisotropy=4.0)
        result = st.convert(sampler, st.Texture("2d", "RGBA8", size=(8, 8)), screen)
        for forms in (["implicit"], ["level", "gather"]):
            made = st.sample_function(result, "glsl", forms=forms)
            assert made == st.sample_function(result.lowering, "glsl", forms=forms)
