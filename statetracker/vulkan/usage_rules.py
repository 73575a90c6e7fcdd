"""The valid-usage rules of samplers, one row a rule: all 69 of Vulkan 1.3.239, and what is judged when drawing.

`RULES` are coded: a row has the condition that breaks its rule. `UNREACHABLE` are those that no create info, chain and device
can break, with the reason. A rule that a NaN could slip through is written so that it does not.

Source: Vulkan 1.3.239, valid usage of VkSamplerCreateInfo and the structs of its chain, vkCreateSampler, vkCmdDraw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.vulkan_names import FILTER_LINEAR
from statetracker.vulkan.border import FORMAT_REQUIRED
from statetracker.vulkan.device import limit_of
from statetracker.vulkan.enums import CUSTOM_COLORS, INTEGER_COLORS
from statetracker.vulkan.ranges import color_range, combined_depth_stencil, holds, is_integer_format
from statetracker.vulkan.views import DEPTH_COMPARISON, has_bit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.vulkan.device import Device
    from statetracker.vulkan.reading import Reading

__all__ = ["RULES", "UNREACHABLE", "Case", "UsageRule"]


class Case:
    """What is judged: a create info on a device, and, where known, the view's format and the live samplers.

    reading          the create info
    facts, device    what the device offers; features and extensions count as enabled
    view_format      VkFormat of the view that is sampled, without prefix, or None: no rule on drawing is judged
    live, live_custom   samplers, and samplers with custom colours, that exist already; None: not judged
    """

    __slots__ = ("chain", "device", "facts", "live", "live_custom", "members", "reading", "view_format")

    def __init__(
        self, reading: Reading, device: Device, view_format: str | None, live: int | None, live_custom: int | None
    ) -> None:
        """Keep it all."""
        self.reading = reading
        self.members = reading.members
        self.chain = reading.chain
        self.facts = device.facts
        self.device = device
        self.view_format = view_format
        self.live = live
        self.live_custom = live_custom

    def has(self, bit: int) -> bool:
        """Whether the view's format can do something; true where no view is given."""
        return self.view_format is None or has_bit(self.facts, self.view_format, bit)


class UsageRule(NamedTuple):
    """One rule.

    struct    the struct or command it belongs to
    suffix    its name after the struct's
    stage     1: values and chain, 2: members against each other, 3: against the device, 4: when drawing. A validation
              layer that finds something in one stage may not look at the next
    member    the member at fault
    broken    whether a case breaks it
    fix       what to do; ``{name}`` is a limit of the device
    """

    struct: str
    suffix: str
    stage: int
    member: str
    broken: Callable[[Case], bool]
    fix: str

    @property
    def name(self) -> str:
        """The VUID."""
        return f"VUID-{self.struct}-{self.suffix}"


_INFO: Final = "VkSamplerCreateInfo"
_CUSTOM: Final = "VkSamplerCustomBorderColorCreateInfoEXT"
_REDUCTION: Final = "VkSamplerReductionModeCreateInfo"
_MAPPING: Final = "VkSamplerBorderColorComponentMappingCreateInfoEXT"
_CREATE: Final = "vkCreateSampler"
_DRAW: Final = "vkCmdDraw"
_YCBCR: Final = "VkSamplerYcbcrConversionInfo"

_NEAREST, _LINEAR, _CUBIC = 0, 1, 1000015000
_EDGE, _BORDER, _MIRROR_EDGE = 2, 3, 4
_FILTERS: Final = (_NEAREST, _LINEAR)
_CUBIC_EXTENSIONS: Final = frozenset({"VK_EXT_filter_cubic", "VK_IMG_filter_cubic"})
_BORDERS: Final = (*range(6), *CUSTOM_COLORS)
_TRANSPARENT_BLACK: Final = (0, 1)
_SUBSAMPLED, _SUBSAMPLED_COARSE, _NON_SEAMLESS, _REPLAY, _PROCESSING = 1, 2, 4, 8, 16
_AXES: Final = ("addressModeU", "addressModeV", "addressModeW")
_COMPONENTS: Final = frozenset(
    (*range(7), *(f"VK_COMPONENT_SWIZZLE_{name}" for name in ("IDENTITY", "ZERO", "ONE", "R", "G", "B", "A")))
)

#: Flag -> the extension that defines it; the others are defined everywhere.
_FLAG_EXTENSIONS: Final[Mapping[int, str]] = {
    _SUBSAMPLED: "VK_EXT_fragment_density_map",
    _SUBSAMPLED_COARSE: "VK_EXT_fragment_density_map",
    _PROCESSING: "VK_QCOM_image_processing",
}


def _defined(member: str, *numbers: int) -> Callable[[Case], bool]:
    return lambda c: c.members[member] not in numbers


def _filter(member: str) -> Callable[[Case], bool]:
    def broken(c: Case) -> bool:
        value = c.members[member]
        return value not in _FILTERS and not (value == _CUBIC and _CUBIC_EXTENSIONS & c.facts.extensions)

    return broken


def _flags(c: Case) -> bool:
    mask = c.members["flags"]
    if mask & ~31:
        return True
    return any(mask & bit and name not in c.facts.extensions for bit, name in _FLAG_EXTENSIONS.items())


def _unnormalized(broken: Callable[[Mapping[str, Any]], bool]) -> Callable[[Case], bool]:
    return lambda c: c.members["unnormalizedCoordinates"] == 1 and broken(c.members)


def _flagged(bit: int, broken: Callable[[Mapping[str, Any]], bool]) -> Callable[[Case], bool]:
    return lambda c: bool(c.members["flags"] & bit) and broken(c.members)


def _modes(m: Mapping[str, Any]) -> bool:
    return m["addressModeU"] not in (_EDGE, _BORDER) or m["addressModeV"] not in (_EDGE, _BORDER)


def _lods(m: Mapping[str, Any]) -> bool:
    return not (m["minLod"] == 0 and m["maxLod"] == 0)


def _any_axis(c: Case, mode: int) -> bool:
    return any(c.members[axis] == mode for axis in _AXES)


def _anisotropy(c: Case) -> bool:
    most = limit_of(c.facts, "maxSamplerAnisotropy")
    return c.members["anisotropyEnable"] == 1 and not 1.0 <= c.members["maxAnisotropy"] <= most


def _bias(c: Case) -> bool:
    return not abs(c.members["mipLodBias"]) <= limit_of(c.facts, "maxSamplerLodBias")


def _cubic(c: Case) -> bool:
    return _CUBIC in (c.members["magFilter"], c.members["minFilter"])


def _cubic_reduced(c: Case) -> bool:
    # VK_EXT_filter_cubic lifts it; with the older extension alone it holds.
    return _cubic(c) and "VK_EXT_filter_cubic" not in c.facts.extensions and c.reading.reduction_mode != 0


def _ycbcr(broken: Callable[[Case], bool]) -> Callable[[Case], bool]:
    return lambda c: "ycbcr" in c.chain and broken(c)


def _ycbcr_members(c: Case) -> bool:
    m = c.members
    return any(m[axis] != _EDGE for axis in _AXES) or m["anisotropyEnable"] == 1 or m["unnormalizedCoordinates"] == 1


def _is_custom(c: Case) -> bool:
    return c.members["borderColor"] in CUSTOM_COLORS


def _unrepresentable(c: Case) -> bool:
    name, words = c.reading.format, c.reading.words
    if not _is_custom(c) or name is None or words is None:
        return False
    span = color_range(name, stencil=c.members["borderColor"] in INTEGER_COLORS)
    return span is not None and not holds(span, words)


def _no_format(c: Case) -> bool:
    return c.reading.format == "UNDEFINED" and not c.device.without_format


def _other_kind(c: Case) -> bool:
    """A predefined colour does not read the struct: its format may be any."""
    name = c.reading.format
    if name is None or name == "UNDEFINED" or not _is_custom(c) or combined_depth_stencil(name):
        return False
    return is_integer_format(name) != (c.members["borderColor"] in INTEGER_COLORS)


def _format_wanted(c: Case) -> bool:
    has_format = c.reading.format not in (None, "UNDEFINED")
    return c.view_format in FORMAT_REQUIRED and _is_custom(c) and not has_format


def _unmapped(c: Case) -> bool:
    mappings = (entry.get("components", {}) for entry in c.reading.every.get("mapping", ()))
    return any(value not in _COMPONENTS for components in mappings for value in components.values())


def _too_many(count: int | None, most: float) -> bool:
    return count is not None and count >= most


def _linear(c: Case) -> bool:
    wanted = _LINEAR in (c.members["magFilter"], c.members["minFilter"]) and c.members["compareEnable"] != 1
    return wanted and not c.has(FILTER_LINEAR)


def _linear_mip(c: Case) -> bool:
    return c.members["mipmapMode"] == 1 and c.members["compareEnable"] != 1 and not c.has(FILTER_LINEAR)


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
    UsageRule(_INFO,      "pNext-pNext",                      1, "pNext",                    lambda c: bool(c.reading.strangers), "take the struct out of the chain"),
    UsageRule(_INFO,      "sType-unique",                     1, "pNext",                    lambda c: bool(c.reading.repeated), "keep one struct of each type"),
    UsageRule(_INFO,      "flags-parameter",                  1, "flags",                    _flags, "use flags of Vulkan and of enabled extensions"),
    UsageRule(_INFO,      "magFilter-parameter",              1, "magFilter",                _filter("magFilter"), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "minFilter-parameter",              1, "minFilter",                _filter("minFilter"), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "mipmapMode-parameter",             1, "mipmapMode",               _defined("mipmapMode", 0, 1), "use NEAREST or LINEAR"),
    UsageRule(_INFO,      "addressModeU-parameter",           1, "addressModeU",             _defined("addressModeU", *range(5)), "use one of the five address modes"),
    UsageRule(_INFO,      "addressModeV-parameter",           1, "addressModeV",             _defined("addressModeV", *range(5)), "use one of the five address modes"),
    UsageRule(_INFO,      "addressModeW-parameter",           1, "addressModeW",             _defined("addressModeW", *range(5)), "use one of the five address modes"),
    UsageRule(_REDUCTION, "reductionMode-parameter",          1, "reductionMode",            lambda c: any(mode not in (0, 1, 2) for mode in c.reading.reduction_modes), "use WEIGHTED_AVERAGE, MIN or MAX"),
    UsageRule(_CUSTOM,    "format-parameter",                 1, "format",                   lambda c: None in c.reading.formats, "use a VkFormat"),
    UsageRule(_MAPPING,   "components-parameter",             1, "components",               _unmapped, "use members of VkComponentSwizzle"),
    UsageRule(_INFO,      "mipLodBias-01069",                 2, "mipLodBias",               _bias, "keep it within +-{maxSamplerLodBias} (maxSamplerLodBias), let the shader add the rest"),
    UsageRule(_INFO,      "maxLod-01973",                     2, "maxLod",                   lambda c: not c.members["maxLod"] >= c.members["minLod"], "raise maxLod to minLod"),
    UsageRule(_INFO,      "anisotropyEnable-01070",           2, "anisotropyEnable",         lambda c: c.members["anisotropyEnable"] == 1 and "samplerAnisotropy" not in c.facts.features, "enable feature samplerAnisotropy, or disable anisotropy"),
    UsageRule(_INFO,      "anisotropyEnable-01071",           2, "maxAnisotropy",            _anisotropy, "keep it from 1 to {maxSamplerAnisotropy} (maxSamplerAnisotropy), or disable anisotropy"),
    UsageRule(_INFO,      "unnormalizedCoordinates-01072",    2, "minFilter",                _unnormalized(lambda m: m["minFilter"] != m["magFilter"]), _EQUAL),
    UsageRule(_INFO,      "unnormalizedCoordinates-01073",    2, "mipmapMode",               _unnormalized(lambda m: m["mipmapMode"] != 0), _MIP),
    UsageRule(_INFO,      "unnormalizedCoordinates-01074",    2, "maxLod",                   _unnormalized(_lods), _ZERO),
    UsageRule(_INFO,      "unnormalizedCoordinates-01075",    2, "addressModeU",             _unnormalized(_modes), _EDGES),
    UsageRule(_INFO,      "unnormalizedCoordinates-01076",    2, "anisotropyEnable",         _unnormalized(lambda m: m["anisotropyEnable"] == 1), _NO_ANISO),
    UsageRule(_INFO,      "unnormalizedCoordinates-01077",    2, "compareEnable",            _unnormalized(lambda m: m["compareEnable"] == 1), _NO_COMPARE),
    UsageRule(_INFO,      "addressModeU-01078",               2, "borderColor",              lambda c: _any_axis(c, _BORDER) and c.members["borderColor"] not in _BORDERS, "use a member of VkBorderColor"),
    UsageRule(_INFO,      "compareEnable-01080",              2, "compareOp",                lambda c: c.members["compareEnable"] == 1 and c.members["compareOp"] not in range(8), "use a member of VkCompareOp"),
    UsageRule(_INFO,      "compareEnable-01423",              2, "reductionMode",            lambda c: c.members["compareEnable"] == 1 and c.reading.reduction_mode != 0, _AVERAGE),
    UsageRule(_INFO,      "magFilter-01081",                  2, "anisotropyEnable",         lambda c: _cubic(c) and c.members["anisotropyEnable"] == 1, _NO_ANISO),
    UsageRule(_INFO,      "magFilter-01422",                  2, "reductionMode",            _cubic_reduced, _AVERAGE),
    UsageRule(_INFO,      "addressModeU-01646",               2, "addressModeU",             _ycbcr(_ycbcr_members), "with a YCbCr conversion use CLAMP_TO_EDGE everywhere, no anisotropy, normalised coordinates"),
    UsageRule(_INFO,      "None-01647",                       2, "reductionMode",            _ycbcr(lambda c: c.reading.reduction_mode != 0), _AVERAGE),
    UsageRule(_INFO,      "borderColor-04011",                2, "borderColor",              lambda c: _is_custom(c) and "custom" not in c.chain, "chain a VkSamplerCustomBorderColorCreateInfoEXT, or use a predefined colour"),
    UsageRule(_INFO,      "borderColor-04442",                2, "customBorderColor",        _unrepresentable, "clamp the colour to what the format holds"),
    UsageRule(_CUSTOM,    "format-07605",                     2, "format",                   _other_kind, "use the border colour of the format's kind: INT for integers and stencil, FLOAT for others"),
    UsageRule(_INFO,      "flags-02574",                      2, "minFilter",                _flagged(_SUBSAMPLED, lambda m: m["minFilter"] != m["magFilter"]), _EQUAL),
    UsageRule(_INFO,      "flags-02575",                      2, "mipmapMode",               _flagged(_SUBSAMPLED, lambda m: m["mipmapMode"] != 0), _MIP),
    UsageRule(_INFO,      "flags-02576",                      2, "maxLod",                   _flagged(_SUBSAMPLED, _lods), _ZERO),
    UsageRule(_INFO,      "flags-02577",                      2, "addressModeU",             _flagged(_SUBSAMPLED, _modes), _EDGES),
    UsageRule(_INFO,      "flags-02578",                      2, "anisotropyEnable",         _flagged(_SUBSAMPLED, lambda m: m["anisotropyEnable"] == 1), _NO_ANISO),
    UsageRule(_INFO,      "flags-02579",                      2, "compareEnable",            _flagged(_SUBSAMPLED, lambda m: m["compareEnable"] == 1), _NO_COMPARE),
    UsageRule(_INFO,      "flags-02580",                      2, "unnormalizedCoordinates",  _flagged(_SUBSAMPLED, lambda m: m["unnormalizedCoordinates"] == 1), "use normalised coordinates"),
    UsageRule(_INFO,      "flags-06964",                      2, "minFilter",                _flagged(_PROCESSING, lambda m: m["minFilter"] != 0 or m["magFilter"] != 0), "make both filters NEAREST"),
    UsageRule(_INFO,      "flags-06965",                      2, "mipmapMode",               _flagged(_PROCESSING, lambda m: m["mipmapMode"] != 0), _MIP),
    UsageRule(_INFO,      "flags-06966",                      2, "maxLod",                   _flagged(_PROCESSING, _lods), _ZERO),
    UsageRule(_INFO,      "flags-06967",                      2, "addressModeU",             _flagged(_PROCESSING, _modes), _EDGES),
    UsageRule(_INFO,      "flags-06968",                      2, "borderColor",              _flagged(_PROCESSING, lambda m: _BORDER in (m["addressModeU"], m["addressModeV"]) and m["borderColor"] not in _TRANSPARENT_BLACK), "use transparent black"),
    UsageRule(_INFO,      "flags-06969",                      2, "anisotropyEnable",         _flagged(_PROCESSING, lambda m: m["anisotropyEnable"] == 1), _NO_ANISO),
    UsageRule(_INFO,      "flags-06970",                      2, "compareEnable",            _flagged(_PROCESSING, lambda m: m["compareEnable"] == 1), _NO_COMPARE),
    UsageRule(_INFO,      "addressModeU-01079",               3, "addressModeU",             lambda c: _any_axis(c, _MIRROR_EDGE) and not c.device.mirror_edge, "enable samplerMirrorClampToEdge, or clamp abs(coordinate) to the edge in the shader"),
    UsageRule(_INFO,      "pNext-06726",                      3, "reductionMode",            lambda c: c.reading.reduction_mode != 0 and not c.device.minmax, "enable samplerFilterMinmax, or take averages"),
    UsageRule(_INFO,      "customBorderColors-04085",         3, "borderColor",              lambda c: _is_custom(c) and not c.device.custom_feature, "enable customBorderColors, or use a predefined colour"),
    UsageRule(_CUSTOM,    "format-04014",                     3, "format",                   _no_format, "enable customBorderColorWithoutFormat, or add the format that will be sampled"),
    UsageRule(_INFO,      "nonSeamlessCubeMap-06788",         3, "flags",                    lambda c: bool(c.members["flags"] & _NON_SEAMLESS) and not c.device.seams_feature, "enable nonSeamlessCubeMap, or sample the faces one by one in the shader"),
    UsageRule(_INFO,      "samplerMipLodBias-04467",          3, "mipLodBias",               lambda c: c.device.bias_fixed and not c.members["mipLodBias"] == 0, "make it 0, let the shader add the bias"),  # noqa: SIM201 (NaN)
    UsageRule(_INFO,      "flags-08110",                      3, "flags",                    lambda c: bool(c.members["flags"] & _REPLAY) and "descriptorBufferCaptureReplay" not in c.facts.features, "enable descriptorBufferCaptureReplay"),
    UsageRule(_INFO,      "pNext-08111",                      3, "flags",                    lambda c: "opaque" in c.chain and not c.members["flags"] & _REPLAY, "add DESCRIPTOR_BUFFER_CAPTURE_REPLAY to flags"),
    UsageRule(_MAPPING,   "borderColorSwizzle-06437",         2, "components",               lambda c: "mapping" in c.chain and "borderColorSwizzle" not in c.facts.features, "enable borderColorSwizzle, or leave the struct out"),
    UsageRule(_INFO,      "None-04012",                       3, "borderColor",              lambda c: _is_custom(c) and _too_many(c.live_custom, c.device.custom_slots), "destroy a sampler with a custom colour first: there may be {maxCustomBorderColorSamplers}"),
    UsageRule(_CREATE,    "maxSamplerAllocationCount-04110",  3, "pSampler",                 lambda c: _too_many(c.live, limit_of(c.facts, "maxSamplerAllocationCount") or float("inf")), "destroy a sampler first: there may be {maxSamplerAllocationCount}"),
    UsageRule(_CUSTOM,    "format-04015",                     4, "format",                   _format_wanted, "add the format: views of this one need it"),
    UsageRule(_DRAW,      "magFilter-04553",                  4, "magFilter",                _linear, "make both filters NEAREST, or compare: the format cannot be filtered linearly"),
    UsageRule(_DRAW,      "mipmapMode-04770",                 4, "mipmapMode",               _linear_mip, "make it NEAREST, or compare: the format cannot be filtered linearly"),
    UsageRule(_DRAW,      "None-06479",                       4, "compareEnable",            lambda c: c.members["compareEnable"] == 1 and not c.has(DEPTH_COMPARISON), "do not compare: the format cannot be compared"),
)

#: Rule -> why no create info on no device can break it.
UNREACHABLE: Final[Mapping[str, str]] = {
    f"VUID-{_INFO}-minFilter-01645":           "the chroma filter is in the VkSamplerYcbcrConversion, an object made before; a create info has its handle only",
    f"VUID-{_CUSTOM}-sType-sType":             "structs in a chain are known by their sType: one with another is another struct (pNext-pNext)",
    f"VUID-{_REDUCTION}-sType-sType":          "as above",
    f"VUID-{_MAPPING}-sType-sType":            "as above",
    f"VUID-{_YCBCR}-sType-sType":              "as above",
    f"VUID-{_YCBCR}-conversion-parameter":     "about a handle, which plain data does not judge; this library never chains the struct",
    f"VUID-{_CREATE}-device-parameter":        "about the call's device, not about the info",
    f"VUID-{_CREATE}-pCreateInfo-parameter":   "broken exactly where a rule on the info or its chain is",
    f"VUID-{_CREATE}-pAllocator-parameter":    "about the call's allocator; this library passes none",
    f"VUID-{_CREATE}-pSampler-parameter":      "about the call's result pointer, not about the info",
}
# fmt: on
