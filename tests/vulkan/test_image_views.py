"""Image views beside samplers: format, swizzle, aspect, levels, layers; held against those that zink makes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker.caps import Screen
from statetracker.conformance import drivers
from statetracker.errors import ArgumentError
from statetracker.vulkan import View, ViewPart, facts_of, image_view
from statetracker.vulkan.image_views import VIEW_RULES, explained
from tests.vulkan.zink_views import CASES, Case, width_of

ROOT = Path(__file__).parents[2]
ZINK = st.Screen.named("zink-lavapipe")
FLAGS = {"VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT": 8, "VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT": 16}


def ours(case: Case, width: int) -> dict[str, Any]:
    """The members of our view; of its image, the format where it is known, and the flags that it must have."""
    made = st.convert(st.Sampler(**case.sampler), case.texture(width), ZINK, vulkan_dialect="zink22").view.vulkan
    image = {} if made.image_format is None else {"imageFormat": made.image_format}
    flags = made.image_flags if image else ()
    return made.to_dict() | image | {"imageFlags": sum(FLAGS[flag] for flag in flags)}


def theirs(file: Path) -> dict[int, dict[str, Any]]:
    """Width -> the last view of an image of that width."""
    images, views = {}, {}
    numbers = re.compile(r"(?<=[:,\[])-?(?:nan|inf)\b")
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if '"vkCreateImage"' in line or '"vkCreateImageView"' in line:
                arguments = json.loads(numbers.sub("null", line))["vkFunc"]["args"]
                info = arguments["pCreateInfo"]
                if "pImage" in arguments:
                    images[arguments["pImage"]] = info
                elif (image := images[info["image"]])["extent"]["width"] >= 16:
                    of_image = {"imageFormat": image["format"], "imageFlags": image["flags"]}
                    views[image["extent"]["width"]] = info | of_image
    return views


@pytest.mark.live("egl:zink", "capture", "gfxrecon-convert")
def test_the_view_of_every_texture_is_that_of_zink(tmp_path: Path) -> None:
    """Format, swizzle, aspect, levels and layers; images are mutable and of cubes where ours must be."""
    capture, out = tmp_path / "vulkan.gfxr", tmp_path / "calls.jsonl"
    chosen = drivers.environment(drivers.driver("zink"), str(tmp_path / "trace.xml"), str(capture))
    subprocess.run([sys.executable, "-m", "tests.vulkan.zink_views"], cwd=ROOT, env=chosen, check=True, timeout=300)
    converter = shutil.which("gfxrecon-convert")
    assert converter is not None
    subprocess.run([converter, "--output", str(out), str(capture)], check=True, capture_output=True)
    made = theirs(out)
    differ = {}
    for number, case in enumerate(CASES):
        mine, zinks = ours(case, width_of(number)), made[width_of(number)]
        zinks["imageFlags"] &= mine["imageFlags"]  # zink has others for its own use
        names = [name for name in mine if name not in ("sType", "pNext")]
        wrong = {name: (mine[name], zinks[name]) for name in names if plain(mine[name]) != plain(zinks[name])}
        if wrong:
            differ[number] = (case, wrong)
    assert differ == {}
    assert len(CASES) > 80


def plain(value: Any) -> Any:
    """As the converter prints it: aspects as a number."""
    bits = {"VK_IMAGE_ASPECT_COLOR_BIT": 1, "VK_IMAGE_ASPECT_DEPTH_BIT": 2, "VK_IMAGE_ASPECT_STENCIL_BIT": 4}
    if isinstance(value, dict):
        return {name: bits.get(part, part) for name, part in value.items()}
    return value


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


def test_a_format_that_the_device_lacks_is_refused_with_the_feature() -> None:
    """The format that RGBA4 is kept as."""
    lacking = Screen.from_vulkan(facts_of(ZINK)._replace(features=frozenset()))
    with pytest.raises(
        ArgumentError, match="The device lacks feature formatA4R4G4B4: keep the texels in another format"
    ):
        _ = st.convert(None, st.Texture("2d", "RGBA4", (8, 8)), lacking).view.vulkan
