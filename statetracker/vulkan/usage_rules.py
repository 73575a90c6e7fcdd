"""The valid-usage rules of samplers: those of Vulkan 1.4.363 and what left since 1.3.239; some on drawing.

`violations` says which of `RULES` a create info breaks, on which device, and how to fix it; `UNREACHABLE` are those
that none can break, with the reason. Source: Vulkan 1.3.239, 1.4.309 and 1.4.363 (``validusage.json``) and 1.3.255
(chapter "Samplers"): VkSamplerCreateInfo and the structs of its chain, vkCreateSampler, vkCmdDraw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.vulkan_formats import vulkan_formats
from statetracker.errors import ArgumentError, UnknownName
from statetracker.vulkan.border import FORMAT_REQUIRED
from statetracker.vulkan.device import REQUIRED_LIMITS, device_of, limit_of, shown_limit
from statetracker.vulkan.enums import CUSTOM_COLORS, INTEGER_COLORS, NUMBERS, ComponentSwizzle, SamplerCreateFlag
from statetracker.vulkan.ranges import color_range, combined_depth_stencil, holds, is_integer_format
from statetracker.vulkan.usage_case import EDITIONS, STRUCT_EXTENSIONS, Case, UsageRule
from statetracker.vulkan.views import DEPTH_COMPARISON

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.caps import Screen
    from statetracker.caps.facts import VulkanFacts
    from statetracker.vulkan.info import SamplerCreateInfo

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

_CUBIC = 1000015000
_EDGE, _BORDER, _MIRROR_EDGE = 2, 3, 4
_SUBSAMPLED, _COARSE, _NON_SEAMLESS, _REPLAY, _PROCESSING = map(int, SamplerCreateFlag)
_COMPONENTS: Final = (*range(7), *NUMBERS[ComponentSwizzle])
#: Members of VkCubicFilterWeightsQCOM and VkBlockMatchWindowCompareModeQCOM, in the order of their numbers from 0.
_CUBIC_WEIGHTS: Final = tuple(
    f"VK_CUBIC_FILTER_WEIGHTS_{name}_QCOM"
    for name in ("CATMULL_ROM", "ZERO_TANGENT_CARDINAL", "B_SPLINE", "MITCHELL_NETRAVALI")
)
_WINDOW_MODES: Final = tuple(f"VK_BLOCK_MATCH_WINDOW_COMPARE_MODE_{name}_QCOM" for name in ("MIN", "MAX"))
#: Flag -> the extension that defines it; the others are defined everywhere.
_FLAG_EXTENSIONS: Final[Mapping[int, str]] = {
    _SUBSAMPLED: "VK_EXT_fragment_density_map",
    _COARSE: "VK_EXT_fragment_density_map",
    _PROCESSING: "VK_QCOM_image_processing",
}
_CUBIC_EXTENSIONS: Final = frozenset({"VK_EXT_filter_cubic", "VK_IMG_filter_cubic"})
_RANGECLAMP: Final = 1000521000
_GRAPHICS_OR_COMPUTE: Final = 3  # VK_QUEUE_GRAPHICS_BIT and VK_QUEUE_COMPUTE_BIT


# Conditions that are longer than a row is wide; those that several rows have are the case's. One that a NaN could slip
# through is written so that it does not.


def _undefined_flags(c: Case) -> bool:
    mask = c["flags"]
    missing = (bit for bit, name in _FLAG_EXTENSIONS.items() if name not in c.facts.extensions)
    return bool(mask & ~31) or any(mask & bit for bit in missing)


def _undefined_filter(c: Case, member: str) -> bool:
    return c[member] not in (0, 1) and not (c[member] == _CUBIC and _CUBIC_EXTENSIONS & c.facts.extensions)


def _undefined_reduction(c: Case) -> bool:
    known = (0, 1, 2, _RANGECLAMP) if "VK_QCOM_filter_cubic_clamp" in c.facts.extensions else (0, 1, 2)
    return any(mode not in known for mode in c.reduction_modes)


def _undefined_swizzle(c: Case) -> bool:
    mappings = (entry.get("components", {}) for entry in c.every.get("mapping", ()))
    return any(value not in _COMPONENTS for components in mappings for value in components.values())


def _undefined_in(c: Case, kind: str, member: str, names: Sequence[str]) -> bool:
    """Return whether a member of a struct in the chain is neither one of these names nor the number of one."""
    values = (entry.get(member, 0) for entry in c.every.get(kind, ()))
    return any(value not in names and value not in range(len(names)) for value in values)


def _unrepresentable(c: Case) -> bool:
    if not c.custom or c.format is None or c.words is None:
        return False
    span = color_range(c.format, stencil=c["borderColor"] in INTEGER_COLORS)
    return span is not None and not holds(span, c.words)


def _other_kind(c: Case) -> bool:
    """Return whether the colour is not of its format's kind; a predefined one does not read the struct."""
    if c.format in (None, "UNDEFINED") or not c.custom or combined_depth_stencil(c.format):
        return False
    return is_integer_format(c.format) != (c["borderColor"] in INTEGER_COLORS)


def _beyond_window(c: Case) -> bool:
    """Return whether a block-matching window is larger than the device's, where that reports it."""
    return any(
        entry.get("windowExtent", {}).get(side, 0) > c.facts.limits.get(f"maxBlockMatchWindow.{side}", float("inf"))
        for entry in c.every.get("window", ())
        for side in ("width", "height")
    )


# fmt: off
#: Every rule that is checked, with the case `c` that breaks it.
RULES: Final = (
    #         struct      suffix                            stage member                     broken  fix
    UsageRule(_INFO,      "sType-sType",                      1, "sType",                    lambda c: not c.right_type, "make sType VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO"),
    UsageRule(_INFO,      "pNext-pNext",                      1, "pNext",                    lambda c: c.foreign, "take the struct out of the chain"),
    UsageRule(_INFO,      "sType-unique",                     1, "pNext",                    lambda c: c.repeated, "keep one struct of each type"),
    UsageRule(_INFO,      "flags-parameter",                  1, "flags",                    _undefined_flags, "use flags of Vulkan and of enabled extensions"),
    UsageRule(_INFO,      "magFilter-parameter",              1, "magFilter",                lambda c: _undefined_filter(c, "magFilter"), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "minFilter-parameter",              1, "minFilter",                lambda c: _undefined_filter(c, "minFilter"), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "mipmapMode-parameter",             1, "mipmapMode",               lambda c: c["mipmapMode"] not in (0, 1), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "addressModeU-parameter",           1, "addressModeU",             lambda c: c["addressModeU"] not in range(5), "use one of the five address modes"),
    UsageRule(_INFO,      "addressModeV-parameter",           1, "addressModeV",             lambda c: c["addressModeV"] not in range(5), "use one of the five address modes"),
    UsageRule(_INFO,      "addressModeW-parameter",           1, "addressModeW",             lambda c: c["addressModeW"] not in range(5), "use one of the five address modes"),
    UsageRule(_REDUCTION, "reductionMode-parameter",          1, "reductionMode",            _undefined_reduction, "use WEIGHTED_AVERAGE, MIN or MAX"),
    UsageRule(_CUSTOM,    "format-parameter",                 1, "format",                   lambda c: None in c.formats, "use a VkFormat"),
    UsageRule(_MAPPING,   "components-parameter",             1, "components",               _undefined_swizzle, "use members of VkComponentSwizzle"),
    UsageRule(_WEIGHTS,   "cubicWeights-parameter",           1, "cubicWeights",             lambda c: _undefined_in(c, "weights", "cubicWeights", _CUBIC_WEIGHTS), "use a member of VkCubicFilterWeightsQCOM", _1_4_309, extension=STRUCT_EXTENSIONS["weights"]),
    UsageRule(_WINDOW,    "windowCompareMode-parameter",      1, "windowCompareMode",        lambda c: _undefined_in(c, "window", "windowCompareMode", _WINDOW_MODES), "use MIN or MAX", _1_4_309, extension=STRUCT_EXTENSIONS["window"]),
    UsageRule(_INFO,      "mipLodBias-01069",                 2, "mipLodBias",               lambda c: not abs(c["mipLodBias"]) <= limit_of(c.facts, "maxSamplerLodBias"), "keep it within +-{maxSamplerLodBias} (maxSamplerLodBias), let the shader add the rest"),
    UsageRule(_INFO,      "maxLod-01973",                     2, "maxLod",                   lambda c: not c["maxLod"] >= c["minLod"], "raise maxLod to minLod"),
    UsageRule(_INFO,      "anisotropyEnable-01070",           2, "anisotropyEnable",         lambda c: c["anisotropyEnable"] == 1 and "samplerAnisotropy" not in c.facts.features, "enable feature samplerAnisotropy, or disable anisotropy"),
    UsageRule(_INFO,      "anisotropyEnable-01071",           2, "maxAnisotropy",            lambda c: c["anisotropyEnable"] == 1 and not 1.0 <= c["maxAnisotropy"] <= limit_of(c.facts, "maxSamplerAnisotropy"), "keep it from 1 to {maxSamplerAnisotropy} (maxSamplerAnisotropy), or disable anisotropy"),
    UsageRule(_INFO,      "unnormalizedCoordinates-01072",    2, "minFilter",                lambda c: c.in_texels and c["minFilter"] != c["magFilter"], _EQUAL),
    UsageRule(_INFO,      "unnormalizedCoordinates-01073",    2, "mipmapMode",               lambda c: c.in_texels and c["mipmapMode"] != 0, _MIP),
    UsageRule(_INFO,      "unnormalizedCoordinates-01074",    2, "maxLod",                   lambda c: c.in_texels and c.not_zero, _ZERO),
    UsageRule(_INFO,      "unnormalizedCoordinates-01075",    2, "addressModeU",             lambda c: c.in_texels and c.not_clamped, _EDGES),
    UsageRule(_INFO,      "unnormalizedCoordinates-01076",    2, "anisotropyEnable",         lambda c: c.in_texels and c["anisotropyEnable"] == 1, _NO_ANISO),
    UsageRule(_INFO,      "unnormalizedCoordinates-01077",    2, "compareEnable",            lambda c: c.in_texels and c["compareEnable"] == 1, _NO_COMPARE),
    UsageRule(_INFO,      "addressModeU-01078",               2, "borderColor",              lambda c: _BORDER in c.modes and c["borderColor"] not in (*range(6), *CUSTOM_COLORS), "use a member of VkBorderColor"),
    UsageRule(_INFO,      "compareEnable-01080",              2, "compareOp",                lambda c: c["compareEnable"] == 1 and c["compareOp"] not in range(8), "use a member of VkCompareOp"),
    UsageRule(_INFO,      "compareEnable-01423",              2, "reductionMode",            lambda c: c["compareEnable"] == 1 and c.reduction_mode != 0, _AVERAGE),
    UsageRule(_INFO,      "magFilter-01081",                  2, "anisotropyEnable",         lambda c: _CUBIC in (c["magFilter"], c["minFilter"]) and c["anisotropyEnable"] == 1, _NO_ANISO),
    UsageRule(_INFO,      "magFilter-01422",                  2, "reductionMode",            lambda c: c.cubic_reduced, _AVERAGE, until=_1_3_255),
    UsageRule(_INFO,      "magFilter-07911",                  2, "reductionMode",            lambda c: c.cubic_reduced, _AVERAGE, _1_3_255),
    UsageRule(_INFO,      "addressModeU-01646",               2, "addressModeU",             lambda c: "ycbcr" in c.chain and (c.modes != [_EDGE] * 3 or c["anisotropyEnable"] == 1 or c.in_texels), "with a YCbCr conversion use CLAMP_TO_EDGE everywhere, no anisotropy, normalised coordinates"),
    UsageRule(_INFO,      "None-01647",                       2, "reductionMode",            lambda c: "ycbcr" in c.chain and c.reduction_mode != 0, _AVERAGE),
    UsageRule(_INFO,      "borderColor-04011",                2, "borderColor",              lambda c: c.custom and "custom" not in c.chain, "chain a VkSamplerCustomBorderColorCreateInfoEXT, or use a predefined colour"),
    UsageRule(_INFO,      "borderColor-04442",                2, "customBorderColor",        _unrepresentable, "clamp the colour to what the format holds"),
    UsageRule(_CUSTOM,    "format-07605",                     2, "format",                   _other_kind, "use the border colour of the format's kind: INT for integers and stencil, FLOAT for others"),
    UsageRule(_INFO,      "flags-02574",                      2, "minFilter",                lambda c: c["flags"] & _SUBSAMPLED and c["minFilter"] != c["magFilter"], _EQUAL),
    UsageRule(_INFO,      "flags-02575",                      2, "mipmapMode",               lambda c: c["flags"] & _SUBSAMPLED and c["mipmapMode"] != 0, _MIP),
    UsageRule(_INFO,      "flags-02576",                      2, "maxLod",                   lambda c: c["flags"] & _SUBSAMPLED and c.not_zero, _ZERO),
    UsageRule(_INFO,      "flags-02577",                      2, "addressModeU",             lambda c: c["flags"] & _SUBSAMPLED and c.not_clamped, _EDGES),
    UsageRule(_INFO,      "flags-02578",                      2, "anisotropyEnable",         lambda c: c["flags"] & _SUBSAMPLED and c["anisotropyEnable"] == 1, _NO_ANISO),
    UsageRule(_INFO,      "flags-02579",                      2, "compareEnable",            lambda c: c["flags"] & _SUBSAMPLED and c["compareEnable"] == 1, _NO_COMPARE),
    UsageRule(_INFO,      "flags-02580",                      2, "unnormalizedCoordinates",  lambda c: c["flags"] & _SUBSAMPLED and c["unnormalizedCoordinates"] == 1, "use normalised coordinates"),
    UsageRule(_INFO,      "flags-06964",                      2, "minFilter",                lambda c: c["flags"] & _PROCESSING and (c["minFilter"] != 0 or c["magFilter"] != 0), "make both filters NEAREST"),
    UsageRule(_INFO,      "flags-06965",                      2, "mipmapMode",               lambda c: c["flags"] & _PROCESSING and c["mipmapMode"] != 0, _MIP),
    UsageRule(_INFO,      "flags-06966",                      2, "maxLod",                   lambda c: c["flags"] & _PROCESSING and c.not_zero, _ZERO),
    UsageRule(_INFO,      "flags-06967",                      2, "addressModeU",             lambda c: c["flags"] & _PROCESSING and c.not_clamped, _EDGES),
    UsageRule(_INFO,      "flags-06968",                      2, "borderColor",              lambda c: c["flags"] & _PROCESSING and _BORDER in c.modes[:2] and c["borderColor"] not in (0, 1), "use transparent black"),
    UsageRule(_INFO,      "flags-06969",                      2, "anisotropyEnable",         lambda c: c["flags"] & _PROCESSING and c["anisotropyEnable"] == 1, _NO_ANISO),
    UsageRule(_INFO,      "flags-06970",                      2, "compareEnable",            lambda c: c["flags"] & _PROCESSING and c["compareEnable"] == 1, _NO_COMPARE),
    UsageRule(_INFO,      "addressModeU-01079",               3, "addressModeU",             lambda c: _MIRROR_EDGE in c.modes and not c.device.mirror_edge, "enable samplerMirrorClampToEdge, or clamp abs(coordinate) to the edge in the shader"),
    UsageRule(_INFO,      "pNext-06726",                      3, "reductionMode",            lambda c: c.reduction_mode != 0 and not c.device.minmax, "enable samplerFilterMinmax, or take averages"),
    UsageRule(_INFO,      "customBorderColors-04085",         3, "borderColor",              lambda c: c.custom and not c.device.custom_feature, "enable customBorderColors, or use a predefined colour"),
    UsageRule(_CUSTOM,    "format-04014",                     3, "format",                   lambda c: c.format == "UNDEFINED" and not c.device.without_format, "enable customBorderColorWithoutFormat, or add the format that will be sampled"),
    UsageRule(_INFO,      "nonSeamlessCubeMap-06788",         3, "flags",                    lambda c: c["flags"] & _NON_SEAMLESS and not c.device.seams_feature, "enable nonSeamlessCubeMap, or sample the faces one by one in the shader"),
    UsageRule(_INFO,      "samplerMipLodBias-04467",          3, "mipLodBias",               lambda c: c.device.bias_fixed and not c["mipLodBias"] == 0, "make it 0, let the shader add the bias"),  # noqa: SIM201 (NaN)
    UsageRule(_INFO,      "flags-08110",                      3, "flags",                    lambda c: c["flags"] & _REPLAY and "descriptorBufferCaptureReplay" not in c.facts.features, "enable descriptorBufferCaptureReplay"),
    UsageRule(_INFO,      "pNext-08111",                      3, "flags",                    lambda c: "opaque" in c.chain and not c["flags"] & _REPLAY, "add DESCRIPTOR_BUFFER_CAPTURE_REPLAY to flags"),
    UsageRule(_MAPPING,   "borderColorSwizzle-06437",         2, "components",               lambda c: "mapping" in c.chain and "borderColorSwizzle" not in c.facts.features, "enable borderColorSwizzle, or leave the struct out"),
    UsageRule(_INFO,      "None-04012",                       3, "borderColor",              lambda c: c.custom and c.live_custom is not None and c.live_custom >= c.device.custom_slots, "destroy a sampler with a custom colour first: there may be {maxCustomBorderColorSamplers}"),
    UsageRule(_CREATE,    "maxSamplerAllocationCount-04110",  3, "pSampler",                 lambda c: c.live is not None and c.live >= c.most_samplers, "destroy a sampler first: there may be {maxSamplerAllocationCount}"),
    UsageRule(_CREATE,    "maxSamplerAllocationCount-11412",  3, "pSampler",                 lambda c: c.embedded and c.live is not None and c.live >= c.most_samplers - c.embedded, "destroy a sampler first: those embedded in pipelines count too", _1_4_363, extension=STRUCT_EXTENSIONS["index"]),
    UsageRule(_CREATE,    "device-09668",                     3, "device",                   lambda c: c.queues is not None and not any(flags & _GRAPHICS_OR_COMPUTE for flags in c.queues), "take a device with a queue family of graphics or compute", _1_4_309),
    UsageRule(_INDEX,     "index-11289",                      3, "index",                    lambda c: any(entry.get("index", 0) >= c.device.custom_slots for entry in c.every.get("index", ())), "keep it below {maxCustomBorderColorSamplers} (maxCustomBorderColorSamplers)", _1_4_363, extension=STRUCT_EXTENSIONS["index"]),
    UsageRule(_WINDOW,    "WindowExtent-09210",               3, "windowExtent",             _beyond_window, "keep both sides within maxBlockMatchWindow", _1_4_309, extension=STRUCT_EXTENSIONS["window"]),
    UsageRule(_CUSTOM,    "format-04015",                     4, "format",                   lambda c: c.view_format in FORMAT_REQUIRED and c.custom and c.format in (None, "UNDEFINED"), "add the format: views of this one need it"),
    UsageRule(_DRAW,      "magFilter-04553",                  4, "magFilter",                lambda c: c.averages("magFilter", "minFilter"), "make both filters NEAREST, or compare: the format cannot be filtered linearly"),
    UsageRule(_DRAW,      "magFilter-09598",                  4, "magFilter",                lambda c: c.reduces("magFilter", "minFilter"), "make both filters NEAREST, or take averages: the format cannot be reduced", _1_4_309),
    UsageRule(_DRAW,      "mipmapMode-09599",                 4, "mipmapMode",               lambda c: c.reduces("mipmapMode"), "make it NEAREST, or take averages: the format cannot be reduced", _1_4_309),
    UsageRule(_DRAW,      "mipmapMode-04770",                 4, "mipmapMode",               lambda c: c.averages("mipmapMode"), "make it NEAREST, or compare: the format cannot be filtered linearly"),
    UsageRule(_DRAW,      "None-06479",                       4, "compareEnable",            lambda c: c["compareEnable"] == 1 and not c.has(DEPTH_COMPARISON), "do not compare: the format cannot be compared"),
)

#: Rule -> why no create info on no device can break it.
UNREACHABLE: Final[Mapping[str, str]] = {
    f"VUID-{_INFO}-minFilter-01645":           "the chroma filter is in the VkSamplerYcbcrConversion, an object made before; a create info has its handle only",
    **dict.fromkeys(
        (f"VUID-{struct}-sType-sType" for struct in (_CUSTOM, _REDUCTION, _MAPPING, _YCBCR, _INDEX, _WINDOW, _WEIGHTS)),
        "structs in a chain are known by their sType: one with another is another struct (pNext-pNext)",
    ),
    f"VUID-{_YCBCR}-conversion-parameter":     "about a handle, which plain data does not judge; this library never chains the struct",
    f"VUID-{_CREATE}-device-parameter":        "about the call's device, not about the info",
    f"VUID-{_CREATE}-pCreateInfo-parameter":   "broken exactly where a rule on the info or its chain is",
    f"VUID-{_CREATE}-pAllocator-parameter":    "about the call's allocator; this library passes none",
    f"VUID-{_CREATE}-pSampler-parameter":      "about the call's result pointer, not about the info",
}
# fmt: on


class Violation(NamedTuple):
    """One rule that is broken.

    Attributes:
        rule: The VUID.
        member: The member at fault, in Vulkan's name.
        value: Its value; enums by name.
        fix: What to do.
    """

    rule: str
    member: str
    value: object
    fix: str

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON, but for floats that are no numbers."""
        return self._asdict()

    def __str__(self) -> str:
        return f"{self.rule}: {self.member} is {self.value}; {self.fix}"


def violations(
    info: SamplerCreateInfo | Mapping[str, Any],
    screen: Screen | VulkanFacts,
    *,
    view_format: str | None = None,
    live: int | None = None,
    live_custom: int | None = None,
    embedded: int = 0,
    queues: Sequence[int] | None = None,
) -> list[Violation]:
    """Check a create info, good or bad.

    Booleans count as true where they are 1, the value of VK_TRUE. Limits that are not reported are those that every
    device has.

    Args:
        info: A `SamplerCreateInfo`, or plain data in Vulkan's names with any numbers; see `ParsedCreateInfo`.
        screen: The device; its features and extensions count as enabled.
        view_format: VkFormat of the view that is sampled, with or without prefix: rules on drawing are then judged too,
            as far as the device reports its formats.
        live: How many samplers exist already on the device.
        live_custom: How many samplers with custom border colours exist already.
        embedded: Where a pipeline has embedded samplers, how many the device keeps for them:
            minSamplerHeapReservedRangeWithEmbedded / samplerDescriptorSize.
        queues: The VkQueueFlags of each queue family; None: the rule on them is not judged.

    Returns:
        The rules that are broken, in the order of `statetracker.vulkan.RULES`; which ones judge the device is said at
        `edition_of`.

    Raises:
        ArgumentError: Data that is no create info.
        UnknownName: Names Vulkan lacks.
    """
    if view_format is not None:
        name = view_format if isinstance(view_format, str) else str(view_format)
        view_format = name.removeprefix("VK_FORMAT_")
        if view_format not in vulkan_formats():
            raise UnknownName("view_format", view_format, accepted="a VkFormat")
    for name, count in (("live", live), ("live_custom", live_custom), ("embedded", embedded)):
        if count is not None and (not isinstance(count, int) or count < 0):
            raise ArgumentError(name, count, accepted="a number of samplers, 0 or more, or None")
    case = Case(
        info,
        device_of(screen),
        view_format=view_format,
        live=live,
        live_custom=live_custom,
        embedded=embedded,
        queues=queues,
    )
    broken = [rule for rule in RULES if rule.applies(case.facts) and rule.broken(case)]
    limits = {name: shown_limit(case.facts, name) for name in REQUIRED_LIMITS if broken}
    return [Violation(rule.name, rule.member, case.shown(rule.member), rule.fix.format(**limits)) for rule in broken]
