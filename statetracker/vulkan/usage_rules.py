"""The valid-usage rules of samplers, one row a rule: those of Vulkan 1.4.363 and what left since 1.3.239; some on drawing.

`RULES` are coded: a row has the condition that breaks its rule, and the specification that it came with. `UNREACHABLE`
are those that no create info, chain and device can break, with the reason.

Source: Vulkan 1.3.239, 1.4.309 and 1.4.363 (``validusage.json`` of Debian's libvulkan-dev) and 1.3.255 (chapter
"Samplers"): valid usage of VkSamplerCreateInfo and the structs of its chain, vkCreateSampler, vkCmdDraw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.vulkan.device import limit_of
from statetracker.vulkan.usage_case import EDITIONS, UsageRule

# fmt: off
from statetracker.vulkan.usage_conditions import (
    BORDER,
    BORDERS,
    CUBIC_WEIGHTS,
    MIRROR_EDGE,
    NON_SEAMLESS,
    PROCESSING,
    REPLAY,
    STRUCT_EXTENSIONS,
    SUBSAMPLED,
    TRANSPARENT_BLACK,
    WINDOW_MODES,
    any_axis,
    beyond_anisotropy,
    beyond_bias,
    beyond_slots,
    beyond_window,
    chained,
    cubic,
    cubic_reduced,
    defined,
    flagged,
    foreign,
    format_wanted,
    is_custom,
    linear,
    linear_mip,
    no_format,
    no_queue,
    not_clamped,
    not_zero,
    other_kind,
    reduced,
    too_many,
    too_many_beside,
    undefined,
    undefined_filter,
    undefined_flags,
    undefined_reduction,
    unmapped,
    unnormalized,
    unrepresentable,
    ycbcr,
    ycbcr_members,
)

# fmt: on
from statetracker.vulkan.views import DEPTH_COMPARISON

if TYPE_CHECKING:
    from collections.abc import Mapping

_INFO: Final = "VkSamplerCreateInfo"
_CUSTOM: Final = "VkSamplerCustomBorderColorCreateInfoEXT"
_REDUCTION: Final = "VkSamplerReductionModeCreateInfo"
_MAPPING: Final = "VkSamplerBorderColorComponentMappingCreateInfoEXT"
_CREATE: Final = "vkCreateSampler"
_DRAW: Final = "vkCmdDraw"
_YCBCR: Final = "VkSamplerYcbcrConversionInfo"
_INDEX: Final = "VkSamplerCustomBorderColorIndexCreateInfoEXT"
_WINDOW: Final = "VkSamplerBlockMatchWindowCreateInfoQCOM"
_WEIGHTS: Final = "VkSamplerCubicWeightsCreateInfoQCOM"
_, _1_3_255, _1_4_309, _1_4_363 = EDITIONS

_EQUAL: Final = "make minFilter and magFilter equal"
_MIP: Final = "make mipmapMode NEAREST"
_ZERO: Final = "make minLod and maxLod 0"
_EDGES: Final = "make addressModeU and addressModeV CLAMP_TO_EDGE or CLAMP_TO_BORDER"
_NO_ANISO: Final = "disable anisotropy"
_NO_COMPARE: Final = "disable comparison"
_AVERAGE: Final = "leave VkSamplerReductionModeCreateInfo out, or make it WEIGHTED_AVERAGE"

# fmt: off
#: Every rule that is checked.
RULES: Final = (
    #         struct      suffix                            stage member                     broken  fix
    UsageRule(_INFO,      "sType-sType",                      1, "sType",                    lambda c: not c.reading.right_type, "make sType VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO"),
    UsageRule(_INFO,      "pNext-pNext",                      1, "pNext",                    lambda c: bool(foreign(c)), "take the struct out of the chain"),
    UsageRule(_INFO,      "sType-unique",                     1, "pNext",                    lambda c: bool(c.reading.repeated), "keep one struct of each type"),
    UsageRule(_INFO,      "flags-parameter",                  1, "flags",                    undefined_flags, "use flags of Vulkan and of enabled extensions"),
    UsageRule(_INFO,      "magFilter-parameter",              1, "magFilter",                undefined_filter("magFilter"), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "minFilter-parameter",              1, "minFilter",                undefined_filter("minFilter"), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "mipmapMode-parameter",             1, "mipmapMode",               undefined("mipmapMode", 0, 1), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "addressModeU-parameter",           1, "addressModeU",             undefined("addressModeU", *range(5)), "use one of the five address modes"),
    UsageRule(_INFO,      "addressModeV-parameter",           1, "addressModeV",             undefined("addressModeV", *range(5)), "use one of the five address modes"),
    UsageRule(_INFO,      "addressModeW-parameter",           1, "addressModeW",             undefined("addressModeW", *range(5)), "use one of the five address modes"),
    UsageRule(_REDUCTION, "reductionMode-parameter",          1, "reductionMode",            undefined_reduction, "use WEIGHTED_AVERAGE, MIN or MAX"),
    UsageRule(_CUSTOM,    "format-parameter",                 1, "format",                   lambda c: None in c.reading.formats, "use a VkFormat"),
    UsageRule(_MAPPING,   "components-parameter",             1, "components",               unmapped, "use members of VkComponentSwizzle"),
    UsageRule(_WEIGHTS,   "cubicWeights-parameter",           1, "cubicWeights",             chained("weights", lambda s: not defined(s.get("cubicWeights", 0), CUBIC_WEIGHTS)), "use a member of VkCubicFilterWeightsQCOM", _1_4_309, extension=STRUCT_EXTENSIONS["weights"]),
    UsageRule(_WINDOW,    "windowCompareMode-parameter",      1, "windowCompareMode",        chained("window", lambda s: not defined(s.get("windowCompareMode", 0), WINDOW_MODES)), "use MIN or MAX", _1_4_309, extension=STRUCT_EXTENSIONS["window"]),
    UsageRule(_INFO,      "mipLodBias-01069",                 2, "mipLodBias",               beyond_bias, "keep it within +-{maxSamplerLodBias} (maxSamplerLodBias), let the shader add the rest"),
    UsageRule(_INFO,      "maxLod-01973",                     2, "maxLod",                   lambda c: not c.members["maxLod"] >= c.members["minLod"], "raise maxLod to minLod"),
    UsageRule(_INFO,      "anisotropyEnable-01070",           2, "anisotropyEnable",         lambda c: c.members["anisotropyEnable"] == 1 and "samplerAnisotropy" not in c.facts.features, "enable feature samplerAnisotropy, or disable anisotropy"),
    UsageRule(_INFO,      "anisotropyEnable-01071",           2, "maxAnisotropy",            beyond_anisotropy, "keep it from 1 to {maxSamplerAnisotropy} (maxSamplerAnisotropy), or disable anisotropy"),
    UsageRule(_INFO,      "unnormalizedCoordinates-01072",    2, "minFilter",                unnormalized(lambda m: m["minFilter"] != m["magFilter"]), _EQUAL),
    UsageRule(_INFO,      "unnormalizedCoordinates-01073",    2, "mipmapMode",               unnormalized(lambda m: m["mipmapMode"] != 0), _MIP),
    UsageRule(_INFO,      "unnormalizedCoordinates-01074",    2, "maxLod",                   unnormalized(not_zero), _ZERO),
    UsageRule(_INFO,      "unnormalizedCoordinates-01075",    2, "addressModeU",             unnormalized(not_clamped), _EDGES),
    UsageRule(_INFO,      "unnormalizedCoordinates-01076",    2, "anisotropyEnable",         unnormalized(lambda m: m["anisotropyEnable"] == 1), _NO_ANISO),
    UsageRule(_INFO,      "unnormalizedCoordinates-01077",    2, "compareEnable",            unnormalized(lambda m: m["compareEnable"] == 1), _NO_COMPARE),
    UsageRule(_INFO,      "addressModeU-01078",               2, "borderColor",              lambda c: any_axis(c, BORDER) and c.members["borderColor"] not in BORDERS, "use a member of VkBorderColor"),
    UsageRule(_INFO,      "compareEnable-01080",              2, "compareOp",                lambda c: c.members["compareEnable"] == 1 and c.members["compareOp"] not in range(8), "use a member of VkCompareOp"),
    UsageRule(_INFO,      "compareEnable-01423",              2, "reductionMode",            lambda c: c.members["compareEnable"] == 1 and c.reading.reduction_mode != 0, _AVERAGE),
    UsageRule(_INFO,      "magFilter-01081",                  2, "anisotropyEnable",         lambda c: cubic(c) and c.members["anisotropyEnable"] == 1, _NO_ANISO),
    UsageRule(_INFO,      "magFilter-01422",                  2, "reductionMode",            cubic_reduced, _AVERAGE, until=_1_3_255),
    UsageRule(_INFO,      "magFilter-07911",                  2, "reductionMode",            cubic_reduced, _AVERAGE, _1_3_255),
    UsageRule(_INFO,      "addressModeU-01646",               2, "addressModeU",             ycbcr(ycbcr_members), "with a YCbCr conversion use CLAMP_TO_EDGE everywhere, no anisotropy, normalised coordinates"),
    UsageRule(_INFO,      "None-01647",                       2, "reductionMode",            ycbcr(lambda c: c.reading.reduction_mode != 0), _AVERAGE),
    UsageRule(_INFO,      "borderColor-04011",                2, "borderColor",              lambda c: is_custom(c) and "custom" not in c.chain, "chain a VkSamplerCustomBorderColorCreateInfoEXT, or use a predefined colour"),
    UsageRule(_INFO,      "borderColor-04442",                2, "customBorderColor",        unrepresentable, "clamp the colour to what the format holds"),
    UsageRule(_CUSTOM,    "format-07605",                     2, "format",                   other_kind, "use the border colour of the format's kind: INT for integers and stencil, FLOAT for others"),
    UsageRule(_INFO,      "flags-02574",                      2, "minFilter",                flagged(SUBSAMPLED, lambda m: m["minFilter"] != m["magFilter"]), _EQUAL),
    UsageRule(_INFO,      "flags-02575",                      2, "mipmapMode",               flagged(SUBSAMPLED, lambda m: m["mipmapMode"] != 0), _MIP),
    UsageRule(_INFO,      "flags-02576",                      2, "maxLod",                   flagged(SUBSAMPLED, not_zero), _ZERO),
    UsageRule(_INFO,      "flags-02577",                      2, "addressModeU",             flagged(SUBSAMPLED, not_clamped), _EDGES),
    UsageRule(_INFO,      "flags-02578",                      2, "anisotropyEnable",         flagged(SUBSAMPLED, lambda m: m["anisotropyEnable"] == 1), _NO_ANISO),
    UsageRule(_INFO,      "flags-02579",                      2, "compareEnable",            flagged(SUBSAMPLED, lambda m: m["compareEnable"] == 1), _NO_COMPARE),
    UsageRule(_INFO,      "flags-02580",                      2, "unnormalizedCoordinates",  flagged(SUBSAMPLED, lambda m: m["unnormalizedCoordinates"] == 1), "use normalised coordinates"),
    UsageRule(_INFO,      "flags-06964",                      2, "minFilter",                flagged(PROCESSING, lambda m: m["minFilter"] != 0 or m["magFilter"] != 0), "make both filters NEAREST"),
    UsageRule(_INFO,      "flags-06965",                      2, "mipmapMode",               flagged(PROCESSING, lambda m: m["mipmapMode"] != 0), _MIP),
    UsageRule(_INFO,      "flags-06966",                      2, "maxLod",                   flagged(PROCESSING, not_zero), _ZERO),
    UsageRule(_INFO,      "flags-06967",                      2, "addressModeU",             flagged(PROCESSING, not_clamped), _EDGES),
    UsageRule(_INFO,      "flags-06968",                      2, "borderColor",              flagged(PROCESSING, lambda m: BORDER in (m["addressModeU"], m["addressModeV"]) and m["borderColor"] not in TRANSPARENT_BLACK), "use transparent black"),
    UsageRule(_INFO,      "flags-06969",                      2, "anisotropyEnable",         flagged(PROCESSING, lambda m: m["anisotropyEnable"] == 1), _NO_ANISO),
    UsageRule(_INFO,      "flags-06970",                      2, "compareEnable",            flagged(PROCESSING, lambda m: m["compareEnable"] == 1), _NO_COMPARE),
    UsageRule(_INFO,      "addressModeU-01079",               3, "addressModeU",             lambda c: any_axis(c, MIRROR_EDGE) and not c.device.mirror_edge, "enable samplerMirrorClampToEdge, or clamp abs(coordinate) to the edge in the shader"),
    UsageRule(_INFO,      "pNext-06726",                      3, "reductionMode",            lambda c: c.reading.reduction_mode != 0 and not c.device.minmax, "enable samplerFilterMinmax, or take averages"),
    UsageRule(_INFO,      "customBorderColors-04085",         3, "borderColor",              lambda c: is_custom(c) and not c.device.custom_feature, "enable customBorderColors, or use a predefined colour"),
    UsageRule(_CUSTOM,    "format-04014",                     3, "format",                   no_format, "enable customBorderColorWithoutFormat, or add the format that will be sampled"),
    UsageRule(_INFO,      "nonSeamlessCubeMap-06788",         3, "flags",                    lambda c: bool(c.members["flags"] & NON_SEAMLESS) and not c.device.seams_feature, "enable nonSeamlessCubeMap, or sample the faces one by one in the shader"),
    UsageRule(_INFO,      "samplerMipLodBias-04467",          3, "mipLodBias",               lambda c: c.device.bias_fixed and not c.members["mipLodBias"] == 0, "make it 0, let the shader add the bias"),  # noqa: SIM201 (NaN)
    UsageRule(_INFO,      "flags-08110",                      3, "flags",                    lambda c: bool(c.members["flags"] & REPLAY) and "descriptorBufferCaptureReplay" not in c.facts.features, "enable descriptorBufferCaptureReplay"),
    UsageRule(_INFO,      "pNext-08111",                      3, "flags",                    lambda c: "opaque" in c.chain and not c.members["flags"] & REPLAY, "add DESCRIPTOR_BUFFER_CAPTURE_REPLAY to flags"),
    UsageRule(_MAPPING,   "borderColorSwizzle-06437",         2, "components",               lambda c: "mapping" in c.chain and "borderColorSwizzle" not in c.facts.features, "enable borderColorSwizzle, or leave the struct out"),
    UsageRule(_INFO,      "None-04012",                       3, "borderColor",              lambda c: is_custom(c) and too_many(c.live_custom, c.device.custom_slots), "destroy a sampler with a custom colour first: there may be {maxCustomBorderColorSamplers}"),
    UsageRule(_CREATE,    "maxSamplerAllocationCount-04110",  3, "pSampler",                 lambda c: too_many(c.live, limit_of(c.facts, "maxSamplerAllocationCount") or float("inf")), "destroy a sampler first: there may be {maxSamplerAllocationCount}"),
    UsageRule(_CREATE,    "maxSamplerAllocationCount-11412",  3, "pSampler",                 too_many_beside, "destroy a sampler first: those embedded in pipelines count too", _1_4_363, extension=STRUCT_EXTENSIONS["index"]),
    UsageRule(_CREATE,    "device-09668",                     3, "device",                   no_queue, "take a device with a queue family of graphics or compute", _1_4_309),
    UsageRule(_INDEX,     "index-11289",                      3, "index",                    beyond_slots, "keep it below {maxCustomBorderColorSamplers} (maxCustomBorderColorSamplers)", _1_4_363, extension=STRUCT_EXTENSIONS["index"]),
    UsageRule(_WINDOW,    "WindowExtent-09210",               3, "windowExtent",             beyond_window, "keep both sides within maxBlockMatchWindow", _1_4_309, extension=STRUCT_EXTENSIONS["window"]),
    UsageRule(_CUSTOM,    "format-04015",                     4, "format",                   format_wanted, "add the format: views of this one need it"),
    UsageRule(_DRAW,      "magFilter-04553",                  4, "magFilter",                linear, "make both filters NEAREST, or compare: the format cannot be filtered linearly"),
    UsageRule(_DRAW,      "magFilter-09598",                  4, "magFilter",                reduced("magFilter", "minFilter"), "make both filters NEAREST, or take averages: the format cannot be reduced", _1_4_309),
    UsageRule(_DRAW,      "mipmapMode-09599",                 4, "mipmapMode",               reduced("mipmapMode"), "make it NEAREST, or take averages: the format cannot be reduced", _1_4_309),
    UsageRule(_DRAW,      "mipmapMode-04770",                 4, "mipmapMode",               linear_mip, "make it NEAREST, or compare: the format cannot be filtered linearly"),
    UsageRule(_DRAW,      "None-06479",                       4, "compareEnable",            lambda c: c.members["compareEnable"] == 1 and not c.has(DEPTH_COMPARISON), "do not compare: the format cannot be compared"),
)

#: Rule -> why no create info on no device can break it.
UNREACHABLE: Final[Mapping[str, str]] = {
    f"VUID-{_INFO}-minFilter-01645":           "the chroma filter is in the VkSamplerYcbcrConversion, an object made before; a create info has its handle only",
    f"VUID-{_CUSTOM}-sType-sType":             "structs in a chain are known by their sType: one with another is another struct (pNext-pNext)",
    f"VUID-{_REDUCTION}-sType-sType":          "as above",
    f"VUID-{_MAPPING}-sType-sType":            "as above",
    f"VUID-{_YCBCR}-sType-sType":              "as above",
    f"VUID-{_INDEX}-sType-sType":              "as above",
    f"VUID-{_WINDOW}-sType-sType":             "as above",
    f"VUID-{_WEIGHTS}-sType-sType":            "as above",
    f"VUID-{_YCBCR}-conversion-parameter":     "about a handle, which plain data does not judge; this library never chains the struct",
    f"VUID-{_CREATE}-device-parameter":        "about the call's device, not about the info",
    f"VUID-{_CREATE}-pCreateInfo-parameter":   "broken exactly where a rule on the info or its chain is",
    f"VUID-{_CREATE}-pAllocator-parameter":    "about the call's allocator; this library passes none",
    f"VUID-{_CREATE}-pSampler-parameter":      "about the call's result pointer, not about the info",
}
# fmt: on
