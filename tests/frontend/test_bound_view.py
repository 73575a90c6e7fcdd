"""`Result.view`: what is bound beside the sampler, member by member, for Vulkan and for WebGPU."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.frontend.bound_view import SHAPES
from statetracker.gl.enums import Target
from statetracker.sampler import UnsupportedClamp
from statetracker.vulkan import Unsupported, View, create_info

ZINK = st.Screen.named("zink-lavapipe")
WEBGPU = st.Screen.named("webgpu")
SWIZZLES = st.Screen.webgpu(("core-features-and-limits", "texture-component-swizzle"))
SKIP = st.Sampler(srgb_decode="skip-decode")


def view_of(screen: st.Screen, *texture: Any, sampler: st.Sampler | None = None, **options: Any) -> Any:
    return st.convert(sampler, st.Texture(*texture, **options), screen).view


def test_every_target_with_images_has_a_shape() -> None:
    assert set(Target) - set(SHAPES) == {Target.TEXTURE_BUFFER}


def test_it_is_the_view_that_the_create_info_is_made_for() -> None:
    result = st.convert(None, st.Texture("cube-map", "LUMINANCE8", (8, 8)), ZINK)
    assert isinstance(result.view, View)
    assert result.view == View("L8_UNORM", "XXX1", cube=True)
    assert create_info(result.pipe, ZINK, view=result.view)["magFilter"] == "VK_FILTER_LINEAR"


@pytest.mark.parametrize(
    ("format", "options", "letters"),
    [
        ("RGB8", {}, "RGBO"),
        ("ALPHA8", {}, "ZZZA"),
        ("LUMINANCE8", {}, "RRRO"),
        ("INTENSITY8", {}, "RRRR"),
        ("LUMINANCE8", {"swizzle": ("alpha", "one", "red", "zero")}, "OORZ"),
        ("DEPTH_COMPONENT24", {"depth_mode": "alpha"}, "RRRR"),
        ("DEPTH_COMPONENT24", {"depth_mode": "red"}, "RZZO"),
    ],
)
def test_components_are_gls_swizzle_of_the_formats_own(format: str, options: dict[str, Any], letters: str) -> None:  # noqa: A002 (GL's word)
    components = view_of(ZINK, "2d", format, (8, 8), **options).vulkan["components"]
    assert "".join(components[to].removeprefix("VK_COMPONENT_SWIZZLE_")[0] for to in "rgba") == letters


@pytest.mark.parametrize(("stencil", "aspect"), [(False, "DEPTH"), (True, "STENCIL")])
def test_the_aspect_follows_the_stencil_mode_and_the_format_stays(stencil: bool, aspect: str) -> None:
    made = view_of(ZINK, "2d", "DEPTH24_STENCIL8", (8, 8), stencil_sampling=stencil).vulkan
    assert made["format"] == made.image_format == "VK_FORMAT_D24_UNORM_S8_UINT"
    assert made["subresourceRange"]["aspectMask"] == f"VK_IMAGE_ASPECT_{aspect}_BIT"
    assert made.image_flags == ()


def test_srgb_that_is_not_decoded_is_linear_and_wants_a_mutable_image() -> None:
    made = view_of(ZINK, "2d", "SRGB8_ALPHA8", (8, 8), sampler=SKIP).vulkan
    assert (made["format"], made.image_format) == ("VK_FORMAT_R8G8B8A8_UNORM", "VK_FORMAT_A8B8G8R8_SRGB_PACK32")
    assert made.image_flags == ("VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT",)
    decoded = view_of(ZINK, "2d", "SRGB8_ALPHA8", (8, 8)).vulkan
    assert (decoded["format"], decoded.image_flags) == (decoded.image_format, ())


@pytest.mark.parametrize(
    ("target", "size", "shape", "layers"),
    [
        ("rectangle", (8, 8), "2D", 1),
        ("3d", (8, 8, 4), "3D", 1),
        ("cube-map", (8, 8), "CUBE", 6),
        ("1d-array", (8, 5), "1D_ARRAY", 5),
        ("2d-array", (8, 8, 5), "2D_ARRAY", 5),
        ("cube-map-array", (8, 8, 12), "CUBE_ARRAY", 12),
    ],
)
def test_shape_and_layers_are_the_targets(target: str, size: tuple[int, ...], shape: str, layers: int) -> None:
    made = view_of(ZINK, target, "RGBA8", size).vulkan
    assert made["viewType"] == f"VK_IMAGE_VIEW_TYPE_{shape}"
    assert made["subresourceRange"]["layerCount"] == layers
    assert made.image_flags == (("VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT",) if "CUBE" in shape else ())


def test_a_texture_view_counts_from_its_parent_and_its_image_has_a_format_of_its_own() -> None:
    context = st.Context(strict=True)
    parent, shown = context.glGenTextures(2)
    context.glBindTexture(0x8C1A, parent)
    context.glTexStorage3D(0x8C1A, 4, 0x8058, 32, 32, 7)
    context.glTextureView(shown, 0x8C1A, parent, 0x8058, 1, 3, 2, 4)
    context.glBindTexture(0x8C1A, shown)
    context.glTexParameteri(0x8C1A, 0x813C, 1)
    made = st.convert(None, context.bound(0x8C1A), ZINK).view.vulkan
    part = made["subresourceRange"]
    assert (part["baseMipLevel"], part["levelCount"], part["baseArrayLayer"], part["layerCount"]) == (2, 2, 2, 4)
    assert (made.image_format, made.image_flags) == (None, ("VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT",))
    webgpu = st.convert(None, context.bound(0x8C1A), WEBGPU).view.webgpu
    assert (webgpu.image.image_format, webgpu.view_formats) == (None, ())


def test_facts_alone_leave_levels_and_layers_to_the_image() -> None:
    facts = st.Texture("2d-array", "RGBA8", (8, 8, 3)).facts()
    made = st.convert(st.Sampler(), facts, ZINK).view.vulkan
    part = made["subresourceRange"]
    assert (part["baseMipLevel"], part["baseArrayLayer"]) == (0, 0)
    assert (part["levelCount"], part["layerCount"]) == (0xFFFFFFFF, 0xFFFFFFFF)
    assert made.image_format == made["format"], "no texture view"
    members = st.convert(st.Sampler(), facts, WEBGPU).view.webgpu.to_dict()
    assert "mipLevelCount" not in members
    assert "arrayLayerCount" not in members


def test_a_view_is_of_the_texture_as_it_was() -> None:
    texture = st.Texture("2d", "RGBA8", (32, 32))
    result = st.convert(None, texture, ZINK)
    texture.base_level = 3
    assert result.view.vulkan["subresourceRange"]["baseMipLevel"] == 0


def test_a_buffer_texture_has_no_image_view() -> None:
    with pytest.raises(ArgumentError, match="VkBufferView of its format, R8G8B8A8_UNORM"):
        _ = view_of(ZINK, "buffer", "RGBA8").vulkan


def test_the_explanation_has_a_line_for_each_member_and_what_the_image_must_be() -> None:
    text = view_of(ZINK, "2d", "SRGB8_ALPHA8", (8, 8), sampler=SKIP).explain()
    assert "sRGB is not decoded; the image has another format, A8B8G8R8_SRGB_PACK32" in text
    assert "components                       R G B A" in text
    assert text.splitlines()[1].endswith("target   GL_TEXTURE_2D")
    assert text.splitlines()[-1] == "image: VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT"


# WebGPU


def test_webgpu_has_the_same_view_in_its_own_words() -> None:
    made = view_of(WEBGPU, "cube-map", "DEPTH24_STENCIL8", (8, 8), stencil_sampling=True, base_level=1).webgpu
    assert made.to_dict() == {
        "format": "stencil8",
        "dimension": "cube",
        "aspect": "stencil-only",
        "baseMipLevel": 1,
        "mipLevelCount": 3,
        "baseArrayLayer": 0,
        "arrayLayerCount": 6,
    }
    assert dict(made)["base_mip_level"] == 1


def test_a_swizzle_is_there_with_the_feature_and_else_the_shaders() -> None:
    texture = ("2d", "LUMINANCE8", (8, 8))
    assert view_of(SWIZZLES, *texture).webgpu["swizzle"] == "rrr1"
    assert view_of(SWIZZLES, "2d", "RGBA8").webgpu.to_dict().keys() & {"swizzle"} == set()
    without = view_of(WEBGPU, *texture)
    assert "swizzle" not in without.webgpu
    assert without.webgpu.unsupported == ()
    assert "swizzle" not in without.webgpu.explain()


def test_depth_that_is_compared_needs_no_swizzle() -> None:
    sampler = st.Sampler(compare_mode="compare-ref-to-texture")
    portability, texture = st.Screen.device(report=38162), ("2d", "DEPTH_COMPONENT24", (8, 8))
    assert view_of(portability, *texture, sampler=sampler).vulkan.unsupported == ()
    assert view_of(portability, *texture).vulkan.unsupported != ()


def test_srgb_that_is_not_decoded_names_the_view_format_and_compatibility_mode_has_none() -> None:
    made = view_of(WEBGPU, "2d", "SRGB8_ALPHA8", (8, 8), sampler=SKIP)
    assert (made.webgpu["format"], made.webgpu.view_formats) == ("rgba8unorm", ("rgba8unorm",))
    assert made.webgpu.unsupported == ()
    assert made.explain().splitlines()[-1] == "texture: viewFormats with rgba8unorm"
    compatible = st.Screen.named("webgpu-compatibility")
    lesser = view_of(compatible, "2d", "SRGB8_ALPHA8", (8, 8), sampler=SKIP)
    because = "the compatibility mode sees a texture in its own format alone"
    wanted = Unsupported("format", "format", "rgba8unorm", "rgba8unorm-srgb", None, because)
    assert lesser.webgpu.unsupported == (wanted,)
    assert lesser.explain().splitlines()[-1] == f"unsupported: {wanted}"
    assert view_of(compatible, "2d", "SRGB8_ALPHA8", (8, 8)).webgpu.unsupported == ()


def test_a_view_in_the_textures_own_format_names_none() -> None:
    for screen in (WEBGPU, st.Screen.named("webgpu-compatibility")):
        for name in ("SRGB8_ALPHA8", "RGBA8", "DEPTH24_STENCIL8"):
            sampler = st.Sampler(compare_mode="compare-ref-to-texture")
            made = view_of(screen, "2d", name, (8, 8), sampler=sampler).webgpu
            assert (made.view_formats, made.unsupported) == ((), ())


def test_a_1d_texture_is_a_2d_one_of_one_row() -> None:
    made = view_of(WEBGPU, "1d", "RGBA8", (8,))
    assert made.webgpu["dimension"] == "2d"
    assert "GL_TEXTURE_1D, kept as a 2D texture of one row" in made.explain()
    assert "one row" not in view_of(WEBGPU, "2d", "RGBA8", (8, 8)).explain()


def test_a_format_that_the_device_lacks_is_refused() -> None:
    with pytest.raises(ArgumentError, match="a format of the device"):
        _ = view_of(WEBGPU, "2d", "COMPRESSED_RED_RGTC1", (8, 8), storage_format="RGTC1_UNORM").webgpu


PORTABILITY = st.Screen.device(report=38162)
COMPATIBLE = st.Screen.named("webgpu-compatibility")


@pytest.mark.parametrize(
    ("texture", "screen", "sampler", "lost"),
    [
        (("2d", "LUMINANCE8"), PORTABILITY, None, ["swizzle"]),  # it stood in the view alone
        (("2d", "SRGB8_ALPHA8"), COMPATIBLE, SKIP.copy(max_anisotropy=8.0), ["anisotropy", "format"]),  # each once
        (("2d", "COMPRESSED_RGBA_S3TC_DXT5_EXT"), WEBGPU, None, ["format"]),
        (("buffer", "RGBA32F"), WEBGPU, None, []),  # it has no view
    ],
)
def test_what_sampler_or_view_lacks_is_lost_by_the_result(
    texture: tuple[str, str], screen: st.Screen, sampler: st.Sampler | None, lost: list[str]
) -> None:
    result = st.convert(sampler, st.Texture(*texture), screen)
    assert [one.name for one in result.unsupported] == lost
    if screen is COMPATIBLE:
        assert result.unsupported == (*result.webgpu.unsupported, *result.view.webgpu.unsupported)


def test_a_screen_that_is_no_device_loses_halves_of_gl_clamp_alone() -> None:
    sampler = st.Sampler(wrap="clamp", min_filter="nearest", mag_filter="linear", max_anisotropy=8.0)
    texture = st.Texture("2d", "LUMINANCE8", (8, 8))
    clamped = st.convert(sampler, texture, st.Screen.named("llvmpipe").replace(emulate_gl_clamp=True))
    assert {type(one) for one in clamped.unsupported} == {UnsupportedClamp}
    assert st.convert(st.Sampler(), texture, st.Screen.named("llvmpipe")).unsupported == ()
