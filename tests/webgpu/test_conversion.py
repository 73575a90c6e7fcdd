"""GL samplers as GPUSamplerDescriptors: every member, what the shader gets, what cannot be had."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps import WEBGPU_FEATURES
from statetracker.errors import ArgumentError
from statetracker.pipe import Func
from statetracker.vulkan import View
from statetracker.webgpu import SamplerDescriptor, descriptor, explain_descriptor, violations
from tests.vulkan.strategies import records, views

CORE = st.Screen.named("webgpu")
FLOATS = st.Screen.named("webgpu-float32-filterable")
COMPATIBILITY = st.Screen.named("webgpu-compatibility")
SCREENS = (CORE, FLOATS, COMPATIBILITY, st.Screen.webgpu(WEBGPU_FEATURES))
#: Member in WebGPU's names and in wgpu-py's -> its value of `made`.
MEMBERS = {
    **{(f"addressMode{axis.upper()}", f"address_mode_{axis}"): "repeat" for axis in "uvw"},
    **{(f"{part}Filter", f"{part}_filter"): "nearest" for part in ("mag", "min", "mipmap")},
    ("lodMinClamp", "lod_min_clamp"): 0.0,
    ("lodMaxClamp", "lod_max_clamp"): 0.25,
    ("compare", "compare"): None,
    ("maxAnisotropy", "max_anisotropy"): 1,
}
DEFAULTS = {key: value for (_, key), value in MEMBERS.items()}
LINEAR: dict[str, Any] = {"min_img_filter": "LINEAR", "mag_img_filter": "LINEAR"}


def made(screen: st.Screen = CORE, view: View | None = None, **members: Any) -> SamplerDescriptor:
    state: dict[str, Any] = {"min_mip_filter": "NONE", "min_lod": -1000.0, "max_lod": 1000.0, "seamless_cube_map": True}
    state |= members
    return descriptor(st.SamplerState(**state), screen, view=view)


def test_every_member_is_there_in_either_spelling_and_no_compare_of_none() -> None:
    assert dict(**made()) == DEFAULTS
    assert list(made()) == list(DEFAULTS)
    with pytest.raises(KeyError):
        made()["magFilter"]
    assert made().to_dict() == {name: value for (name, _), value in MEMBERS.items() if value is not None}
    assert made(compare_mode="R_TO_TEXTURE", compare_func="GREATER").to_dict()["compare"] == "greater"


@pytest.mark.parametrize(
    ("wrap", "mode", "work"),
    [
        ("REPEAT", "repeat", {}),
        ("MIRROR_REPEAT", "mirror-repeat", {}),
        ("CLAMP_TO_EDGE", "clamp-to-edge", {}),
        ("CLAMP_TO_BORDER", "clamp-to-edge", {"border": "s"}),
        ("CLAMP", "clamp-to-edge", {"half_border": "s"}),
        ("MIRROR_CLAMP", "clamp-to-edge", {"fold": "s", "half_border": "s"}),
        ("MIRROR_CLAMP_TO_EDGE", "clamp-to-edge", {"fold": "s"}),
        ("MIRROR_CLAMP_TO_BORDER", "clamp-to-edge", {"fold": "s", "border": "s"}),
    ],
)
def test_a_wrap_is_one_of_three_modes_and_the_shader_does_the_rest(wrap: str, mode: str, work: dict[str, str]) -> None:
    one = made(wrap_s=wrap, border_color=(0.0,) * 4)  # transparent black is the shader's too
    assert one["address_mode_u"] == mode
    assert one.lowering.work == work
    assert one.lowering.route == ("edge" if "order" in "".join(work) else "")


def test_a_comparison_has_webgpus_name() -> None:
    words = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always")
    for func, word in zip(Func, words, strict=True):
        one = made(compare_mode="R_TO_TEXTURE", compare_func=func)
        assert (one["compare"], one.sampler_type) == (word, "comparison")


@pytest.mark.parametrize(
    ("low", "high", "kept"),
    [
        (-1000.0, 1000.0, (0.0, 1000.0)),
        (-3.0, -1.0, (0.0, 0.0)),
        (2.5, 1.0, (2.5, 2.5)),
        (float("-inf"), float("inf"), (0.0, 1000.0)),
        (float("nan"), 4.0, (0.0, 4.0)),
        (1.0, float("nan"), (1.0, 1.0)),
    ],
)
def test_levels_of_detail_are_finite_and_not_negative(low: float, high: float, kept: tuple[float, float]) -> None:
    one = made(min_mip_filter="NEAREST", min_lod=low, max_lod=high)
    assert (one["lod_min_clamp"], one["lod_max_clamp"]) == kept


def test_an_lod_bias_is_the_shaders_as_a_whole() -> None:
    one = made(lod_bias=-1.5)
    assert one.lowering.work == {"add_lod_bias": True}
    assert (one.lowering_values.lod_bias, one.lowering_values.rest) == (0.0, -1.5)


def test_anisotropy_stays_with_linear_filters_and_without_mipmaps_on_level_0() -> None:
    assert made(**LINEAR, max_anisotropy=8, min_mip_filter="LINEAR")["max_anisotropy"] == 8
    one = made(**LINEAR, max_anisotropy=8)
    assert (one["mipmap_filter"], one["lod_min_clamp"], one["lod_max_clamp"]) == ("linear", 0.0, 0.0)
    assert (one["max_anisotropy"], one.unsupported) == (8, ())


@pytest.mark.parametrize("other", [{"min_mip_filter": "NEAREST"}, {"mag_img_filter": "NEAREST"}])
def test_anisotropy_without_three_linear_filters_is_lost_and_said(other: dict[str, str]) -> None:
    one = made(**(LINEAR | {"max_anisotropy": 8, "min_mip_filter": "LINEAR"} | other))
    assert one["max_anisotropy"] == 1
    assert [(lost.name, lost.size) for lost in one.unsupported] == [("anisotropy", 7.0)]


def test_what_has_no_member_is_the_shaders() -> None:
    """Coordinates of texels, cubes with seams, minima."""
    assert made(unnormalized_coords=True).lowering.normalize
    cube = View("R8G8B8A8_UNORM", cube=True)
    assert made(view=cube, seamless_cube_map=False).lowering.cube_edges
    assert not made(view=cube, seamless_cube_map=True).lowering.needed
    one = made(view=cube._replace(cube=False), reduction_mode="MIN", **LINEAR)
    assert (one.lowering.filter_texels, one.sampler_type, one.unsupported) == (True, "non-filtering", ())


# What the texture decides


@pytest.mark.parametrize(
    ("screen", "name", "compares", "filters", "types"),
    [
        (CORE, "R8G8B8A8_UNORM", False, False, ("filtering", "float")),
        (CORE, "R32G32B32A32_FLOAT", False, True, ("non-filtering", "unfilterable-float")),
        (FLOATS, "R32G32B32A32_FLOAT", False, False, ("filtering", "float")),
        (FLOATS, "Z32_FLOAT", False, True, ("non-filtering", "unfilterable-float")),
        (CORE, "Z32_FLOAT", True, False, ("comparison", "depth")),
        (COMPATIBILITY, "Z24X8_UNORM", False, True, ("non-filtering", "unfilterable-float")),
    ],
)
def test_who_filters_and_how_it_is_bound(
    screen: st.Screen, name: str, compares: bool, filters: bool, types: tuple[str, str]
) -> None:
    one = made(screen, View(name, cube=False), **LINEAR, **{"compare_mode": "R_TO_TEXTURE"} if compares else {})
    assert one.lowering.filter_texels is filters
    assert (one.sampler_type, one.sample_type) == types
    assert one["min_filter"] == ("nearest" if filters else "linear")


def test_integers_are_not_sampled() -> None:
    one = made(view=View("R8G8B8A8_UINT", cube=False))
    assert [lost.name for lost in one.unsupported] == ["integers"]
    assert one.sample_type == "uint"


@pytest.mark.parametrize(
    ("name", "letters", "work"),
    [
        ("R8G8B8A8_UNORM", "XYZW", {}),
        ("R8G8B8A8_UNORM", "XYZ1", {"swizzle": "RGB1"}),
        ("R8G8B8A8_UNORM", "WZYX", {"swizzle": "ABGR"}),
        ("R8G8B8A8_UINT", "1XY0", {"swizzle": "1RG0"}),
        ("L8_UNORM", "XXX1", {"swizzle": "RRR1"}),
        ("R8_UNORM", "X001", {}),
        ("R8_UNORM", "XYZW", {}),
        ("R8_UNORM", "YZ0W", {"swizzle": "GB0A"}),
        ("R8G8_UNORM", "XY01", {}),
        ("R8G8_UNORM", "XY0X", {"swizzle": "RG0R"}),
        ("Z24X8_UNORM", "X001", {"swizzle": "R001"}),
    ],
)
def test_a_swizzle_is_the_shaders_where_views_have_none(name: str, letters: str, work: dict[str, str]) -> None:
    """Not one that reads as the format does by itself; of depth nothing but red is sure."""
    view = View(name, letters, cube=False)
    assert made(view=view).lowering.work == work
    assert "swizzle" not in {one.name for one in made(view=view).unsupported}
    features = ("core-features-and-limits", "texture-component-swizzle")
    assert made(st.Screen.webgpu(features), view).lowering.work == {}


def test_a_swizzle_alone_is_one_variant_whatever_the_filters() -> None:
    view = View("L8_UNORM", "XXX1", cube=False)
    plain = made(view=view).lowering
    assert made(view=view, min_img_filter="LINEAR", min_mip_filter="LINEAR", lod_bias=0.0).lowering == plain
    bordered = made(view=view, wrap_s="CLAMP_TO_BORDER", min_img_filter="LINEAR").lowering
    assert (bordered.work, bordered.min_img_filter.name) == ({"border": "s", "swizzle": "RRR1"}, "LINEAR")


@pytest.mark.parametrize(("letters", "swizzle"), [("XXX1", ""), ("0001", "0001")])
def test_what_is_compared_is_red_whatever_else_the_swizzle_says(letters: str, swizzle: str) -> None:
    view = View("Z24X8_UNORM", letters, cube=False)
    assert made(view=view, compare_mode="R_TO_TEXTURE").lowering.swizzle == swizzle
    assert made(view=view).lowering.swizzle == (swizzle or "RRR1")


def test_a_format_of_a_feature_is_unsupported_without_it() -> None:
    view = View("DXT5_RGBA", cube=False)
    one = made(view=view)
    assert (one.texture, one.sample_type) == (None, None)
    assert [lost.name for lost in one.unsupported] == ["format"]
    features = ("core-features-and-limits", "texture-compression-bc")
    known = made(st.Screen.webgpu(features), view)
    assert known.texture is not None
    assert known.texture.format == "bc3-rgba-unorm"
    assert known.unsupported == ()


def test_convert_gives_the_descriptor_its_lowering_and_its_reasons() -> None:
    """Whatever the Vulkan dialect: Zink's say nothing of WebGPU."""
    sampler = st.Sampler(wrap="clamp-to-border", border_color=(1.0, 0.5, 0.0, 1.0), lod_bias=1.5)
    result = st.convert(sampler, st.Texture("2d", "RGBA8"), CORE)
    assert result.webgpu["address_mode_u"] == "clamp-to-edge"
    assert str(result.lowering) == "add lod bias, border str, by edge"
    assert result.lowering == result.webgpu.lowering
    assert result.violations == []
    text = result.explain_webgpu().splitlines()
    assert text[0].split() == ["member", "value", "rule", "because"]
    assert text[1].split()[:3] == ["addressModeU", "clamp-to-edge", "in-shader"]
    assert "shader: border str" in text
    zink = st.convert(sampler, st.Texture("2d", "RGBA8"), CORE, vulkan_dialect="zink22")
    assert (zink.webgpu, zink.lowering, zink.vulkan_dialect) == (result.webgpu, result.lowering, "native")


def test_the_explanation_says_what_is_lost() -> None:
    text = explain_descriptor(st.SamplerState(max_anisotropy=4), CORE)
    assert text.splitlines()[-1].startswith("unsupported: anisotropy: 4 samples became 1; WebGPU wants all three")


@pytest.mark.parametrize("make", [descriptor, explain_descriptor])
def test_another_screen_has_no_descriptor(make: object) -> None:
    with pytest.raises(ArgumentError, match="accepted: a WebGPU screen") as caught:
        make(st.SamplerState(), st.Screen.named("llvmpipe"))  # type: ignore[operator]
    assert "Screen.named" in caught.value.hint


def test_descriptors_are_equal_where_their_members_are() -> None:
    assert made() == made() == DEFAULTS
    assert len({made(), made(lod_bias=1.0), made(wrap_s="MIRROR_REPEAT")}) == 2
    assert repr(made()).startswith("SamplerDescriptor(address_mode_u='repeat', ")


@given(records(), views(), some.sampled_from(SCREENS), some.booleans())
def test_no_descriptor_breaks_a_rule(state: bytes, view: View | None, screen: st.Screen, shader: bool) -> None:
    one = descriptor(state, screen, view=view, filter_in_shader=shader)
    assert violations(one, screen) == []
    if one.texture is not None and one.sample_type not in {"sint", "uint"}:
        types = {"sampler_type": one.sampler_type, "sample_type": one.sample_type}
        assert violations(one, screen, texture_format=one.texture.format, **types) == []


@given(records(), views())
def test_the_shader_makes_up_for_every_wrap_that_is_changed(state: bytes, view: View | None) -> None:
    one, record = descriptor(state, CORE, view=view), st.SamplerState.from_bytes(state)
    if view is not None and view.cube:
        return
    named = {"REPEAT": "repeat", "MIRROR_REPEAT": "mirror-repeat", "CLAMP_TO_EDGE": "clamp-to-edge"}
    for axis, wrap, member in zip("str", (record.wrap_s, record.wrap_t, record.wrap_r), ("u", "v", "w"), strict=True):
        work = {name for name in ("fold", "border", "half_border") if axis in getattr(one.lowering, name)}
        assert one[f"address_mode_{member}"] == named.get(wrap.name, "clamp-to-edge")
        assert bool(work) == (wrap.name not in named)
