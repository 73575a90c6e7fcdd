"""Image views one step below `Result.view`: every member, its rule, and what is refused."""

from __future__ import annotations

import pytest

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.vulkan import View, ViewPart, image_view
from statetracker.vulkan.image_views import VIEW_RULES, explained

ZINK = Screen.named("zink-lavapipe")
WEBGPU = Screen.named("webgpu")
APPLE = Screen.device(report=38162)  # a portability subset


def test_a_part_of_which_only_the_shape_is_known_leaves_the_rest_to_the_image() -> None:
    made = image_view(View("R8_UNORM"), ViewPart("2D"), ZINK)
    assert made.to_dict() == {
        "sType": "VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO",
        "pNext": None,
        "flags": 0,
        "viewType": "VK_IMAGE_VIEW_TYPE_2D",
        "format": "VK_FORMAT_R8_UNORM",
        "components": {letter: f"VK_COMPONENT_SWIZZLE_{letter.upper()}" for letter in "rgba"},
        "subresourceRange": {
            "aspectMask": "VK_IMAGE_ASPECT_COLOR_BIT",
            "baseMipLevel": 0,
            "levelCount": 0xFFFFFFFF,
            "baseArrayLayer": 0,
            "layerCount": 0xFFFFFFFF,
        },
    }
    assert dict(made) == made.to_dict()
    assert len(made) == 7
    assert (made.image_format, made.unsupported) == (None, ())


def test_what_is_given_out_is_the_callers_to_change() -> None:
    made = image_view(View("R8_UNORM"), ViewPart("2D"), ZINK)
    made.to_dict()["components"]["r"] = None
    made["subresourceRange"]["levelCount"] = 3
    assert None not in made["components"].values()
    assert made["subresourceRange"]["levelCount"] == 0xFFFFFFFF


def test_every_member_has_the_rule_of_the_table() -> None:
    made = image_view(View("R8_UNORM"), ViewPart("2D"), ZINK)
    assert [(one.name, one.rule) for one in made.members] == [(name, rule) for name, (rule, _) in VIEW_RULES.items()]
    rules = ["target", "format", "swizzle", "aspect", "levels", "levels", "layers", "layers"]
    assert [one.rule for one in made.members] == rules


def test_the_table_of_reasons() -> None:
    part = ViewPart("2D_ARRAY", "R8_UNORM", (1, 2), (3, 4), target="GL_TEXTURE_2D_ARRAY")
    assert explained(image_view(View("R8_UNORM", "X001"), part, ZINK).members).splitlines() == [
        "member                           value                        rule     because",
        "viewType                         VK_IMAGE_VIEW_TYPE_2D_ARRAY  target   GL_TEXTURE_2D_ARRAY",
        "format                           VK_FORMAT_R8_UNORM           format   the texture is kept as R8_UNORM",
        f"components{'R ZERO ZERO ONE':>38}              swizzle  X001 of R8_UNORM, whose texels lie in R8_UNORM",
        "subresourceRange.aspectMask      VK_IMAGE_ASPECT_COLOR_BIT    aspect   R8_UNORM is sampled",
        "subresourceRange.baseMipLevel    1                            levels   the first level that the texture shows",
        "subresourceRange.levelCount      2                            levels   levels 1 to 2",
        "subresourceRange.baseArrayLayer  3                            layers   the first layer that the texture shows",
        "subresourceRange.layerCount      4                            layers   layers 3 to 6",
    ]


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (ViewPart("2D"), "a texture view as R8G8B8A8_UNORM; its parent's image may have another format"),
        (ViewPart("2D", "R8G8B8A8_UNORM"), "the texture is kept as R8G8B8A8_UNORM"),
        (
            ViewPart("2D", "R8G8B8A8_SRGB", skip_decode=True),
            "sRGB is not decoded; the image has another format, A8B8G8R8_SRGB_PACK32",
        ),
        (ViewPart("2D", "R32_UINT"), "it is seen as R8G8B8A8_UNORM; the image has another format, R32_UINT"),
    ],
)
def test_the_format_has_its_reason(part: ViewPart, reason: str) -> None:
    made = image_view(View("R8G8B8A8_UNORM"), part, ZINK)
    assert made.members[1].because == reason
    assert made.members[0].because == "a texture of shape 2D"
    mutable = part.stored != "R8G8B8A8_UNORM"
    assert made.image_flags == (("VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT",) if mutable else ())


def test_a_swizzle_that_views_lack_is_unsupported_unless_red_alone_is_read() -> None:
    luminance, depth = View("L8_UNORM", "XXX1"), View("Z32_FLOAT", "XXX1")
    assert image_view(luminance, ViewPart("2D", "L8_UNORM"), WEBGPU).unsupported == ()  # there it is the shader's
    (lacking,) = image_view(luminance, ViewPart("2D", "L8_UNORM"), APPLE).unsupported
    assert (lacking.name, lacking.member, lacking.wanted, lacking.got) == ("swizzle", "components", "RRR1", "RGBA")
    assert "put it into the texels, or into the shader" in lacking.because
    compared = ViewPart("2D", "Z32_FLOAT", compares=True)
    assert image_view(depth, compared, APPLE).unsupported == ()
    assert image_view(depth._replace(swizzle="0001"), compared, APPLE).unsupported != ()
    assert image_view(depth, compared._replace(compares=False), APPLE).unsupported != ()
    assert image_view(luminance, ViewPart("2D", "L8_UNORM"), ZINK).unsupported == ()


def test_a_format_without_a_vk_format_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"format='UYVY'.*a pipe format that a VkFormat stands for"):
        image_view(View("UYVY"), ViewPart("2D"), ZINK)
