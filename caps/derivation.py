"""From Vulkan facts to a screen: a rule for each ``PIPE_CAP_*`` that samplers read.

`RULES` gives the answers of Mesa 22.3's zink on such a device. Only linear filtering is read from the device's format
table instead. `EMULATIONS` says what samplers need beyond that, and what is done where it is not there: in the create
info, in the shader or by a demotion. Source: docs/vulkan_screens.md (Mesa 22.3; recorded live on lavapipe).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.pipe.enums import BorderColorQuirk as Quirk

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.caps.facts import VulkanFacts

#: Shader stages that can have textures, and the most samplers zink gives to each.
STAGES: Final = 6
_MOST_SAMPLERS: Final = 32

#: Field of a screen -> the Vulkan limit that it is.
SIZES: Final = {
    "max_texture_size": "maxImageDimension2D",
    "max_3d_size": "maxImageDimension3D",
    "max_cube_size": "maxImageDimensionCube",
    "max_layers": "maxImageArrayLayers",
}


class CapRule(NamedTuple):
    """One answer: the cap, the rule in words, and the rule."""

    cap: str
    rule: str
    read: Callable[[VulkanFacts], int | float]


def _quirk(facts: VulkanFacts) -> int:
    # on Turnip zink keeps the format, for speed, though it need not
    if facts.is_turnip or "customBorderColorWithoutFormat" not in facts.features:
        return Quirk.ALPHA_NOT_W | Quirk.FREEDRENO
    swizzles = "VK_EXT_border_color_swizzle" in facts.extensions
    return Quirk.ALPHA_NOT_W | (Quirk.NV50 if swizzles and "borderColorSwizzleFromImage" not in facts.features else 0)


def _feature(name: str) -> Callable[[VulkanFacts], bool]:
    return lambda facts: name in facts.features


def _either(feature: str, extension: str) -> Callable[[VulkanFacts], bool]:
    return lambda facts: feature in facts.features or extension in facts.extensions


def _all_linear(*formats: str) -> Callable[[VulkanFacts], bool]:
    """Every one of them that can be sampled can be filtered."""
    return lambda facts: all(facts.filters(name) for name in formats if facts.samples(name))


def _anisotropy(facts: VulkanFacts) -> float:
    return float(facts.limits.get("maxSamplerAnisotropy", 1.0)) if "samplerAnisotropy" in facts.features else 1.0


_FLOATS: Final = ("R32_SFLOAT", "R32G32_SFLOAT", "R32G32B32_SFLOAT", "R32G32B32A32_SFLOAT")
_HALFS: Final = ("R16_SFLOAT", "R16G16_SFLOAT", "R16G16B16_SFLOAT", "R16G16B16A16_SFLOAT")
_MIRROR: Final = "VK_KHR_sampler_mirror_clamp_to_edge"
_MINMAX: Final = "VK_EXT_sampler_filter_minmax"
_CAP: Final = "PIPE_CAP_"

# fmt: off
RULES: Final = (
    CapRule(_CAP + "GL_CLAMP",                       "0: emulated",                                                        lambda _: 0),
    CapRule(_CAP + "TEXRECT",                        "0: coordinates are normalised by a shader",                          lambda _: 0),
    CapRule(_CAP + "TEXTURE_BUFFER_SAMPLER",         "0",                                                                  lambda _: 0),
    CapRule(_CAP + "TEXTURE_MIRROR_CLAMP",           "0",                                                                  lambda _: 0),
    CapRule(_CAP + "TEXTURE_MIRROR_CLAMP_TO_EDGE",   f"`{_MIRROR}` is there",                                              lambda f: _MIRROR in f.extensions),
    CapRule(_CAP + "SEAMLESS_CUBE_MAP",              "1",                                                                  lambda _: 1),
    CapRule(_CAP + "SEAMLESS_CUBE_MAP_PER_TEXTURE",  "1",                                                                  lambda _: 1),
    CapRule(_CAP + "SAMPLER_REDUCTION_MINMAX",       "0",                                                                  lambda _: 0),
    CapRule(_CAP + "SAMPLER_REDUCTION_MINMAX_ARB",   f"feature `samplerFilterMinmax`, or `{_MINMAX}` is there",            _either("samplerFilterMinmax", _MINMAX)),
    CapRule(_CAP + "ANISOTROPIC_FILTER",             "feature `samplerAnisotropy`",                                        _feature("samplerAnisotropy")),
    CapRule(_CAP + "TEXTURE_FLOAT_LINEAR",           "every 32-bit SFLOAT format of 1 to 4 channels, and D32_SFLOAT, that can be sampled can be filtered", _all_linear(*_FLOATS, "D32_SFLOAT")),
    CapRule(_CAP + "TEXTURE_HALF_FLOAT_LINEAR",      "every 16-bit SFLOAT format of 1 to 4 channels that can be sampled can be filtered", _all_linear(*_HALFS)),
    CapRule(_CAP + "TEXTURE_BORDER_COLOR_QUIRK",     "ALPHA_NOT_W (8); and FREEDRENO (4) without feature `customBorderColorWithoutFormat` or on Turnip; "
                                                     "else NV50 (1) where `VK_EXT_border_color_swizzle` is there without feature `borderColorSwizzleFromImage`", _quirk),
    CapRule(_CAP + "TEXTURE_SHADOW_MAP",             "1",                                                                  lambda _: 1),
    CapRule(_CAP + "TEXTURE_SWIZZLE",                "1",                                                                  lambda _: 1),
)

FLOAT_RULES: Final = (
    CapRule("PIPE_CAPF_MAX_TEXTURE_ANISOTROPY",      "`maxSamplerAnisotropy`; 1 without feature `samplerAnisotropy`",      _anisotropy),
    CapRule("PIPE_CAPF_MAX_TEXTURE_LOD_BIAS",        "`maxSamplerLodBias`",                                                lambda f: float(f.limits.get("maxSamplerLodBias", 0.0))),
)
# fmt: on


def caps_of(facts: VulkanFacts) -> dict[str, int]:
    """Return the ``PIPE_CAP_*`` answers of a device."""
    return {rule.cap: int(rule.read(facts)) for rule in RULES}


def capsf_of(facts: VulkanFacts) -> dict[str, float]:
    """Return the ``PIPE_CAPF_*`` answers of a device."""
    return {rule.cap: float(rule.read(facts)) for rule in FLOAT_RULES}


def limits_of(facts: VulkanFacts) -> dict[str, int]:
    """GL limits that follow: sizes and ``max_combined_units``; without one that was not reported.

    `SIZES` has the sizes. A stage has as many units as it may have samplers and as it may have
    sampled images, at most 32.
    """
    limits = {field: int(facts.limits[name]) for field, name in SIZES.items() if name in facts.limits}
    per_stage = ("maxPerStageDescriptorSamplers", "maxPerStageDescriptorSampledImages")
    if any(name in facts.limits for name in per_stage):
        counts = [int(facts.limits[name]) for name in per_stage if name in facts.limits]
        limits["max_combined_units"] = STAGES * min(*counts, _MOST_SAMPLERS)
    return limits


class VulkanFiltering:
    """The linear-filtering hook of a Vulkan device: its format table.

    A pipe format can be filtered where the optimally tiled features of its VkFormat have SAMPLED_IMAGE_FILTER_LINEAR;
    one without a VkFormat cannot. Source: Vulkan 1.3, 13.1 (VUID-*-magFilter-04553, mipmapMode-04770).
    The device's facts must have ``formats``.
    """

    __slots__ = ("answers", "facts")

    def __init__(self, facts: VulkanFacts) -> None:
        self.facts = facts
        self.answers: dict[str, bool] = {}

    def __call__(self, view_format: str, resource_format: str) -> bool:
        """Return whether a view of that pipe format can be filtered linearly."""
        del resource_format
        known = self.answers.get(view_format)
        if known is None:
            name = vulkan_format(view_format, self.facts)
            known = self.answers[view_format] = name is not None and self.facts.filters(name)
        return known

    def __eq__(self, other: object) -> bool:
        return self.facts == other.facts if isinstance(other, VulkanFiltering) else NotImplemented

    def __hash__(self) -> int:
        """Hash of the device's name: equal facts have equal names."""
        return hash(self.facts.device)

    def __repr__(self) -> str:
        return f"VulkanFiltering({self.facts.device!r})"


class Emulation(NamedTuple):
    """One need.

    Attributes:
        want: What a program may use.
        needs: What the device must have, in Vulkan's names; empty: no Vulkan device has it.
        there: Whether a device has it.
        instead: What is done otherwise.
    """

    want: str
    needs: str
    there: Callable[[VulkanFacts], bool]
    instead: str


def _custom(*features: str) -> Callable[[VulkanFacts], bool]:
    return lambda facts: (
        "VK_EXT_custom_border_color" in facts.extensions
        and facts.features.issuperset(features)
        and bool(facts.limits.get("maxCustomBorderColorSamplers"))
    )


def _limit(name: str, least: float) -> Callable[[VulkanFacts], bool]:
    return lambda facts: facts.limits.get(name, 0) >= least


def _samples(*formats: str) -> Callable[[VulkanFacts], bool]:
    return lambda facts: facts.formats is None or all(facts.samples(name) for name in formats)


def _bias(facts: VulkanFacts) -> bool:
    return "VK_KHR_portability_subset" not in facts.extensions or "samplerMipLodBias" in facts.features


_NEVER: Final = ""
_DEPTH: Final = ("D16_UNORM", "X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT", "D32_SFLOAT", "D32_SFLOAT_S8_UINT")

# fmt: off
#: Source: docs/vulkan_live.md.
EMULATIONS: Final = (
    Emulation("GL_CLAMP, GL_MIRROR_CLAMP",        _NEVER,                                         lambda _: False,              "clamp to edge, and the shader mixes in half the border"),
    Emulation("rectangle textures",               _NEVER,                                         lambda _: False,              "the shader divides coordinates by the size"),
    Emulation("mirror clamp to border",           _NEVER,                                         lambda _: False,              "clamp to border, and the shader takes the absolute coordinate"),
    Emulation("mirror clamp to edge",             f"samplerMirrorClampToEdge or {_MIRROR}",       _either("samplerMirrorClampToEdge", _MIRROR), "clamp to edge, and the shader takes the absolute coordinate"),
    Emulation("cube maps with seams",             "nonSeamlessCubeMap",                           _feature("nonSeamlessCubeMap"), "the shader samples each face up to its own edge"),
    Emulation("cube map arrays",                  "imageCubeArray",                               _feature("imageCubeArray"),   "none"),
    Emulation("anisotropic filtering",            "samplerAnisotropy",                            _feature("samplerAnisotropy"), "off"),
    Emulation("LOD bias in the sampler",          "samplerMipLodBias, on a portability subset",   _bias,                       "the shader adds the bias"),
    Emulation("LOD bias up to 16",                "maxSamplerLodBias of 16",                      _limit("maxSamplerLodBias", 16), "the shader adds what is beyond the limit"),
    Emulation("minimum and maximum of texels",    f"samplerFilterMinmax or {_MINMAX}",            _either("samplerFilterMinmax", _MINMAX), "the weighted average"),
    Emulation("any border colour",                "customBorderColors",                           _custom("customBorderColors"), "the shader mixes it in"),
    Emulation("border colours without a format",  "customBorderColorWithoutFormat",               _custom("customBorderColors", "customBorderColorWithoutFormat"), "one sampler for each format"),
    Emulation("borders of swizzled views",        "borderColorSwizzleFromImage",                  _feature("borderColorSwizzleFromImage"), "the view's swizzle is passed with the colour, or the shader mixes it in"),
    Emulation("depth textures filtered linearly", "FILTER_LINEAR of depth formats",               _all_linear(*_DEPTH),         "the shader filters"),
    Emulation("32-bit floats filtered linearly",  "FILTER_LINEAR of R32_SFLOAT and its like",     _all_linear(*_FLOATS),        "the shader filters"),
    Emulation("24-bit depth",                     "X8_D24_UNORM_PACK32",                          _samples("X8_D24_UNORM_PACK32"), "32-bit float depth, and a second sampler for border colours"),
    Emulation("24-bit depth with stencil",        "D24_UNORM_S8_UINT",                            _samples("D24_UNORM_S8_UINT"), "32-bit float depth with stencil, and a second sampler for border colours"),
    Emulation("stencil textures",                 "S8_UINT",                                      _samples("S8_UINT"),          "a depth format with stencil"),
    Emulation("four bits a channel",              "formatA4R4G4B4",                               _feature("formatA4R4G4B4"),   "eight bits a channel"),
    Emulation("S3TC and BPTC",                    "textureCompressionBC",                         _feature("textureCompressionBC"), "decompressed"),
    Emulation("ETC2",                             "textureCompressionETC2",                       _feature("textureCompressionETC2"), "decompressed"),
    Emulation("ASTC",                             "textureCompressionASTC_LDR",                   _feature("textureCompressionASTC_LDR"), "decompressed"),
)
# fmt: on
