"""What OpenGL's samplers need of a Vulkan device, whether it is there, and what is done where it is not.

One row a want, in `EMULATIONS`; ``statetracker probe`` prints it. What is done is done elsewhere: in the create info
(`statetracker.vulkan`), in the shader (`statetracker.shader`) or by a demotion (`statetracker.sampler`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.caps.facts import VulkanFacts


class Emulation(NamedTuple):
    """One need.

    want      what a program may use
    needs     what the device must have, in Vulkan's names; empty: no Vulkan device has it
    there     whether a device has it
    instead   what is done otherwise
    """

    want: str
    needs: str
    there: Callable[[VulkanFacts], bool]
    instead: str


def _feature(name: str) -> Callable[[VulkanFacts], bool]:
    return lambda facts: name in facts.features


def _either(feature: str, extension: str) -> Callable[[VulkanFacts], bool]:
    return lambda facts: feature in facts.features or extension in facts.extensions


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


def _filters(*formats: str) -> Callable[[VulkanFacts], bool]:
    """Every one of them that can be sampled can be filtered."""
    return lambda facts: facts.formats is None or all(facts.filters(n) for n in formats if facts.samples(n))


def _bias(facts: VulkanFacts) -> bool:
    return "VK_KHR_portability_subset" not in facts.extensions or "samplerMipLodBias" in facts.features


_NEVER: Final = ""
_DEPTH: Final = ("D16_UNORM", "X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT", "D32_SFLOAT", "D32_SFLOAT_S8_UINT")
_FLOATS: Final = ("R32_SFLOAT", "R32G32_SFLOAT", "R32G32B32_SFLOAT", "R32G32B32A32_SFLOAT")
_MIRROR: Final = "VK_KHR_sampler_mirror_clamp_to_edge"
_MINMAX: Final = "VK_EXT_sampler_filter_minmax"

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
    Emulation("LOD bias in the sampler",          "samplerMipLodBias where portability is subset", _bias,                       "the shader adds the bias"),
    Emulation("LOD bias up to 16",                "maxSamplerLodBias of 16",                      _limit("maxSamplerLodBias", 16), "the shader adds what is beyond the limit"),
    Emulation("minimum and maximum of texels",    f"samplerFilterMinmax or {_MINMAX}",            _either("samplerFilterMinmax", _MINMAX), "the weighted average"),
    Emulation("any border colour",                "customBorderColors",                           _custom("customBorderColors"), "the shader mixes it in"),
    Emulation("border colours without a format",  "customBorderColorWithoutFormat",               _custom("customBorderColors", "customBorderColorWithoutFormat"), "one sampler for each format"),
    Emulation("borders of swizzled views",        "borderColorSwizzleFromImage",                  _feature("borderColorSwizzleFromImage"), "the view's swizzle is passed with the colour, or the shader mixes it in"),
    Emulation("depth textures filtered linearly", "FILTER_LINEAR of depth formats",               _filters(*_DEPTH),            "the shader filters"),
    Emulation("32-bit floats filtered linearly",  "FILTER_LINEAR of R32_SFLOAT and its like",     _filters(*_FLOATS),           "the shader filters"),
    Emulation("24-bit depth",                     "X8_D24_UNORM_PACK32",                          _samples("X8_D24_UNORM_PACK32"), "32-bit float depth, and a second sampler for border colours"),
    Emulation("24-bit depth with stencil",        "D24_UNORM_S8_UINT",                            _samples("D24_UNORM_S8_UINT"), "32-bit float depth with stencil, and a second sampler for border colours"),
    Emulation("stencil textures",                 "S8_UINT",                                      _samples("S8_UINT"),          "a depth format with stencil"),
    Emulation("four bits a channel",              "formatA4R4G4B4",                               _feature("formatA4R4G4B4"),   "eight bits a channel"),
    Emulation("S3TC and BPTC",                    "textureCompressionBC",                         _feature("textureCompressionBC"), "decompressed"),
    Emulation("ETC2",                             "textureCompressionETC2",                       _feature("textureCompressionETC2"), "decompressed"),
    Emulation("ASTC",                             "textureCompressionASTC_LDR",                   _feature("textureCompressionASTC_LDR"), "decompressed"),
)
# fmt: on
