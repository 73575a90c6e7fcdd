"""`statetracker.caps.derivation`: caps from Vulkan facts, each by its own rule."""

from __future__ import annotations

from typing import Any, Final

import pytest

from statetracker.caps import FormatMasks, Screen, VulkanFacts
from statetracker.caps.derivation import FLOAT_RULES, RULES, VulkanFiltering, caps_of, capsf_of
from statetracker.caps.facts import FILTER_LINEAR, SAMPLED_IMAGE
from statetracker.caps.flags import CAP_DEFAULTS, SEED_CAPS
from statetracker.pipe import BorderColorQuirk

SAMPLED: Final = FormatMasks(0, SAMPLED_IMAGE)
LINEAR: Final = FormatMasks(0, SAMPLED_IMAGE | FILTER_LINEAR)
EXTENSION: Final = "VK_EXT_border_color_swizzle"
WITHOUT: Final = "customBorderColorWithoutFormat"


def facts(*features: str, extensions: tuple[str, ...] = (), **more: Any) -> VulkanFacts:
    """A device with some features and extensions."""
    return VulkanFacts(features=frozenset(features), extensions=frozenset(extensions))._replace(**more)


def cap(name: str, device: VulkanFacts) -> int:
    """One answer."""
    return caps_of(device)[f"PIPE_CAP_{name}"]


def test_every_cap_that_samplers_read_has_a_rule() -> None:
    """All but the proposal's, which zink never had."""
    assert {*CAP_DEFAULTS, *SEED_CAPS} - {rule.cap for rule in RULES} == {*SEED_CAPS}
    assert len({rule.cap for rule in (*RULES, *FLOAT_RULES)}) == len(RULES) + len(FLOAT_RULES)


def test_what_the_front_end_makes_up_for_is_never_there() -> None:
    """GL_CLAMP, rectangles and mirrored clamps; whatever the device."""
    for name in ("GL_CLAMP", "TEXRECT", "TEXTURE_MIRROR_CLAMP", "TEXTURE_BUFFER_SAMPLER", "SAMPLER_REDUCTION_MINMAX"):
        assert cap(name, facts()) == cap(name, facts("samplerAnisotropy", WITHOUT)) == 0


@pytest.mark.parametrize("name", ["SEAMLESS_CUBE_MAP", "SEAMLESS_CUBE_MAP_PER_TEXTURE", "TEXTURE_SHADOW_MAP"])
def test_what_vulkan_always_has_is_always_there(name: str) -> None:
    assert cap(name, facts()) == 1


def test_anisotropy_is_the_limit_where_the_feature_is_there_and_1_where_not() -> None:
    limits = {"maxSamplerAnisotropy": 8.0, "maxSamplerLodBias": 4.0}
    off, on = facts(limits=limits), facts("samplerAnisotropy", limits=limits)
    assert (cap("ANISOTROPIC_FILTER", off), cap("ANISOTROPIC_FILTER", on)) == (0, 1)
    assert capsf_of(off) == {"PIPE_CAPF_MAX_TEXTURE_ANISOTROPY": 1.0, "PIPE_CAPF_MAX_TEXTURE_LOD_BIAS": 4.0}
    assert capsf_of(on)["PIPE_CAPF_MAX_TEXTURE_ANISOTROPY"] == 8.0
    assert (Screen.from_vulkan(off).max_anisotropy, Screen.from_vulkan(on).max_anisotropy) == (1.0, 8.0)


def test_mirror_clamp_to_edge_follows_the_extension() -> None:
    """Not the feature of Vulkan 1.2: zink asks for the extension."""
    assert cap("TEXTURE_MIRROR_CLAMP_TO_EDGE", facts(extensions=("VK_KHR_sampler_mirror_clamp_to_edge",))) == 1
    assert cap("TEXTURE_MIRROR_CLAMP_TO_EDGE", facts("samplerMirrorClampToEdge")) == 0


def test_min_max_follows_the_feature_or_the_extension() -> None:
    assert cap("SAMPLER_REDUCTION_MINMAX_ARB", facts()) == 0
    assert cap("SAMPLER_REDUCTION_MINMAX_ARB", facts("samplerFilterMinmax")) == 1
    assert cap("SAMPLER_REDUCTION_MINMAX_ARB", facts(extensions=("VK_EXT_sampler_filter_minmax",))) == 1


# fmt: off
#: A device, and the quirks that zink has on it.
QUIRKS: Final = [
    (facts(),                                                                 {"ALPHA_NOT_W", "FREEDRENO"}),
    (facts(extensions=(EXTENSION,)),                                          {"ALPHA_NOT_W", "FREEDRENO"}),
    (facts(WITHOUT),                                                          {"ALPHA_NOT_W"}),
    (facts(WITHOUT, extensions=(EXTENSION,)),                                 {"ALPHA_NOT_W", "NV50"}),
    (facts(WITHOUT, "borderColorSwizzleFromImage", extensions=(EXTENSION,)),  {"ALPHA_NOT_W"}),
    (facts(WITHOUT, device="Turnip Adreno (TM) 640"),                         {"ALPHA_NOT_W", "FREEDRENO"}),
]
# fmt: on


@pytest.mark.parametrize(("device", "quirks"), QUIRKS)
def test_border_colour_quirks(device: VulkanFacts, quirks: set[str]) -> None:
    value = BorderColorQuirk(cap("TEXTURE_BORDER_COLOR_QUIRK", device))
    assert {quirk.name for quirk in BorderColorQuirk if quirk in value} == quirks


def test_float_linear_asks_only_formats_that_can_be_sampled() -> None:
    """One that can be sampled and not filtered takes it away; depth counts."""
    good = {"R32_SFLOAT": LINEAR, "R32G32B32_SFLOAT": FormatMasks(FILTER_LINEAR, 0)}
    assert cap("TEXTURE_FLOAT_LINEAR", facts(formats=good)) == 1
    assert cap("TEXTURE_FLOAT_LINEAR", facts(formats=good | {"D32_SFLOAT": SAMPLED})) == 0
    assert cap("TEXTURE_HALF_FLOAT_LINEAR", facts(formats=good | {"D32_SFLOAT": SAMPLED})) == 1
    assert cap("TEXTURE_HALF_FLOAT_LINEAR", facts(formats={"R16G16_SFLOAT": SAMPLED})) == 0


def test_hook_is_the_optimal_column_of_the_format_table() -> None:
    """Linear tiling does not count, nor does a format that is not listed or has no VkFormat."""
    device = facts(formats={"R8_UNORM": LINEAR, "D16_UNORM": SAMPLED, "R16_UNORM": FormatMasks(FILTER_LINEAR, 1)})
    hook = VulkanFiltering(device)
    assert [hook(name, "NONE") for name in ("R8_UNORM", "Z16_UNORM", "R16_UNORM", "R32_FLOAT", "NV12")] == [
        True,
        False,
        False,
        False,
        False,
    ]
    assert hook == VulkanFiltering(device)
    assert hash(hook) == hash(VulkanFiltering(device))
    assert hook != VulkanFiltering(facts(formats={}))
    assert hook != device


def test_screen_of_a_device_has_its_formats_as_the_hook() -> None:
    """Depth that cannot be filtered stays linear while it compares; without formats nothing is refused."""
    screen = Screen.from_vulkan(facts(formats={"D16_UNORM": SAMPLED}, device="one"))
    assert (screen.name, screen.unfilterable_depth, screen.storage) == ("one", "when-comparing", "zink")
    assert not screen.filters("Z16_UNORM", "Z16_UNORM")
    assert Screen.from_vulkan(facts()).linear_filtering is None
    assert Screen.from_vulkan(facts(), max_anisotropy=2.0).max_anisotropy == 2.0


def test_gl_limits_follow_where_they_were_reported() -> None:
    """A stage has at most 32 units; there are six stages."""
    limits: dict[str, int | float] = {"maxPerStageDescriptorSampledImages": 99, "maxImageDimension2D": 8192}
    limits |= {"maxPerStageDescriptorSamplers": 16}
    screen = Screen.from_vulkan(facts(limits=limits))
    assert (screen.max_texture_size, screen.max_combined_units) == (8192, 96)
    others = {"maxImageDimension3D": 512, "maxImageDimensionCube": 1024, "maxImageArrayLayers": 64}
    small = Screen.from_vulkan(facts(limits=others))
    assert (small.max_3d_size, small.max_cube_size, small.max_layers) == (512, 1024, 64)
    many = Screen.from_vulkan(facts(limits={"maxPerStageDescriptorSamplers": 1_000_000}))
    assert (many.max_texture_size, many.max_combined_units) == (16384, 192)
