"""The conditions that break valid-usage rules: each says whether a case breaks, or makes a function that does.

One that a NaN could slip through is written so that it does not. Source: as `statetracker.vulkan.usage_rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.vulkan_names import FILTER_LINEAR, FILTER_MINMAX
from statetracker.vulkan.border import FORMAT_REQUIRED
from statetracker.vulkan.device import limit_of
from statetracker.vulkan.enums import CUSTOM_COLORS, INTEGER_COLORS
from statetracker.vulkan.ranges import color_range, combined_depth_stencil, holds, is_integer_format
from statetracker.vulkan.usage_case import EDITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.vulkan.usage_case import Case

# fmt: off
# fmt: on

#: From which edition on: rules of their own for MIN and MAX when drawing; names for debugging in the chain.
MINMAX_EDITION, LABEL_EDITION = EDITIONS[2:]
#: Kinds of chained structs -> the extension that defines them, of those that came after the first edition.
STRUCT_EXTENSIONS: Final[Mapping[str, str]] = {
    "index": "VK_EXT_descriptor_heap",
    "window": "VK_QCOM_image_processing2",
    "weights": "VK_QCOM_filter_cubic_weights",
}
#: Members of VkCubicFilterWeightsQCOM and VkBlockMatchWindowCompareModeQCOM, in the order of their numbers from 0.
CUBIC_WEIGHTS: Final = tuple(
    f"VK_CUBIC_FILTER_WEIGHTS_{name}_QCOM"
    for name in ("CATMULL_ROM", "ZERO_TANGENT_CARDINAL", "B_SPLINE", "MITCHELL_NETRAVALI")
)
WINDOW_MODES: Final = tuple(f"VK_BLOCK_MATCH_WINDOW_COMPARE_MODE_{name}_QCOM" for name in ("MIN", "MAX"))
_GRAPHICS_OR_COMPUTE: Final = 3  # VK_QUEUE_GRAPHICS_BIT and VK_QUEUE_COMPUTE_BIT
_RANGECLAMP: Final = 1000521000
_NEAREST, _LINEAR, _CUBIC = 0, 1, 1000015000
EDGE, BORDER, MIRROR_EDGE = 2, 3, 4
_FILTERS: Final = (_NEAREST, _LINEAR)
_CUBIC_EXTENSIONS: Final = frozenset({"VK_EXT_filter_cubic", "VK_IMG_filter_cubic"})
BORDERS: Final = (*range(6), *CUSTOM_COLORS)
TRANSPARENT_BLACK: Final = (0, 1)
SUBSAMPLED, SUBSAMPLED_COARSE, NON_SEAMLESS, REPLAY, PROCESSING = 1, 2, 4, 8, 16
_AXES: Final = ("addressModeU", "addressModeV", "addressModeW")
_COMPONENTS: Final = frozenset(
    (*range(7), *(f"VK_COMPONENT_SWIZZLE_{name}" for name in ("IDENTITY", "ZERO", "ONE", "R", "G", "B", "A")))
)

#: Flag -> the extension that defines it; the others are defined everywhere.
_FLAG_EXTENSIONS: Final[Mapping[int, str]] = {
    SUBSAMPLED: "VK_EXT_fragment_density_map",
    SUBSAMPLED_COARSE: "VK_EXT_fragment_density_map",
    PROCESSING: "VK_QCOM_image_processing",
}


def undefined(member: str, *numbers: int) -> Callable[[Case], bool]:
    """Break where a member has none of these numbers."""
    return lambda c: c.members[member] not in numbers


def undefined_filter(member: str) -> Callable[[Case], bool]:
    """Break where a member is no filter, or one of an extension that is missing."""

    def broken(c: Case) -> bool:
        value = c.members[member]
        return value not in _FILTERS and not (value == _CUBIC and _CUBIC_EXTENSIONS & c.facts.extensions)

    return broken


def undefined_flags(c: Case) -> bool:
    """Whether a flag is none, or one of an extension that is missing."""
    mask = c.members["flags"]
    if mask & ~31:
        return True
    return any(mask & bit and name not in c.facts.extensions for bit, name in _FLAG_EXTENSIONS.items())


def unnormalized(broken: Callable[[Mapping[str, Any]], bool]) -> Callable[[Case], bool]:
    """Break, with coordinates in texels, where the members do."""
    return lambda c: c.members["unnormalizedCoordinates"] == 1 and broken(c.members)


def flagged(bit: int, broken: Callable[[Mapping[str, Any]], bool]) -> Callable[[Case], bool]:
    """Break, with a flag, where the members do."""
    return lambda c: bool(c.members["flags"] & bit) and broken(c.members)


def not_clamped(m: Mapping[str, Any]) -> bool:
    """Whether U or V is neither on the edge nor on the border."""
    return m["addressModeU"] not in (EDGE, BORDER) or m["addressModeV"] not in (EDGE, BORDER)


def not_zero(m: Mapping[str, Any]) -> bool:
    """Whether a LOD is not 0."""
    return not (m["minLod"] == 0 and m["maxLod"] == 0)


def any_axis(c: Case, mode: int) -> bool:
    """Whether an axis has an address mode."""
    return any(c.members[axis] == mode for axis in _AXES)


def beyond_anisotropy(c: Case) -> bool:
    """Whether anisotropy is on, and outside 1 and the limit."""
    most = limit_of(c.facts, "maxSamplerAnisotropy")
    return c.members["anisotropyEnable"] == 1 and not 1.0 <= c.members["maxAnisotropy"] <= most


def beyond_bias(c: Case) -> bool:
    """Whether the LOD bias is beyond the limit, or NaN."""
    return not abs(c.members["mipLodBias"]) <= limit_of(c.facts, "maxSamplerLodBias")


def cubic(c: Case) -> bool:
    """Whether a filter is cubic."""
    return _CUBIC in (c.members["magFilter"], c.members["minFilter"])


def cubic_reduced(c: Case) -> bool:
    """Whether a cubic filter reduces. VK_EXT_filter_cubic lifts the rule; with the older extension alone it holds."""
    return cubic(c) and "VK_EXT_filter_cubic" not in c.facts.extensions and c.reading.reduction_mode != 0


def ycbcr(broken: Callable[[Case], bool]) -> Callable[[Case], bool]:
    """Break, with a YCbCr conversion, where the case does."""
    return lambda c: "ycbcr" in c.chain and broken(c)


def ycbcr_members(c: Case) -> bool:
    """Whether a member is one that a YCbCr conversion rules out."""
    m = c.members
    return any(m[axis] != EDGE for axis in _AXES) or m["anisotropyEnable"] == 1 or m["unnormalizedCoordinates"] == 1


def is_custom(c: Case) -> bool:
    """Whether the border colour is a custom one."""
    return c.members["borderColor"] in CUSTOM_COLORS


def unrepresentable(c: Case) -> bool:
    """Whether the custom colour is beyond what its format holds."""
    name, words = c.reading.format, c.reading.words
    if not is_custom(c) or name is None or words is None:
        return False
    span = color_range(name, stencil=c.members["borderColor"] in INTEGER_COLORS)
    return span is not None and not holds(span, words)


def no_format(c: Case) -> bool:
    """Whether a custom colour lacks its format on a device that needs it."""
    return c.reading.format == "UNDEFINED" and not c.device.without_format


def other_kind(c: Case) -> bool:
    """Whether the colour is not of its format's kind; a predefined one does not read the struct."""
    name = c.reading.format
    if name is None or name == "UNDEFINED" or not is_custom(c) or combined_depth_stencil(name):
        return False
    return is_integer_format(name) != (c.members["borderColor"] in INTEGER_COLORS)


def format_wanted(c: Case) -> bool:
    """Whether the view is of a format that a custom colour must give, and does not."""
    has_format = c.reading.format not in (None, "UNDEFINED")
    return c.view_format in FORMAT_REQUIRED and is_custom(c) and not has_format


def unmapped(c: Case) -> bool:
    """Whether a border mapping has what is no VkComponentSwizzle."""
    mappings = (entry.get("components", {}) for entry in c.reading.every.get("mapping", ()))
    return any(value not in _COMPONENTS for components in mappings for value in components.values())


def too_many(count: int | None, most: float) -> bool:
    """Whether there are as many already as there may be."""
    return count is not None and count >= most


def _filtered(c: Case, *members: str) -> bool:
    """Whether a member is LINEAR and texels are averaged; until 1.4.309 a MIN or MAX counted too."""
    averaged = c.edition < MINMAX_EDITION or c.reading.reduction_mode == 0
    return averaged and c.members["compareEnable"] != 1 and _LINEAR in (c.members[name] for name in members)


def linear(c: Case) -> bool:
    """Whether a format that cannot be filtered is."""
    return _filtered(c, "magFilter", "minFilter") and not c.has(FILTER_LINEAR)


def linear_mip(c: Case) -> bool:
    """Whether levels of a format that cannot be filtered are mixed."""
    return _filtered(c, "mipmapMode") and not c.has(FILTER_LINEAR)


def reduced(*members: str) -> Callable[[Case], bool]:
    """Break where one of these is LINEAR with MIN or MAX, of a format that cannot be reduced."""

    def broken(c: Case) -> bool:
        wanted = c.reading.reduction_mode in (1, 2) and _LINEAR in (c.members[name] for name in members)
        return wanted and not c.has(FILTER_MINMAX)

    return broken


def undefined_reduction(c: Case) -> bool:
    """Whether a reduction mode is none, or one of an extension that is missing."""
    known = (0, 1, 2, _RANGECLAMP) if "VK_QCOM_filter_cubic_clamp" in c.facts.extensions else (0, 1, 2)
    return any(mode not in known for mode in c.reading.reduction_modes)


def foreign(c: Case) -> list[object]:
    """The structs in the chain that do not belong there, on this device, by sType."""
    return [*c.reading.strangers, *(c.chain[kind]["sType"] for kind in c.chain if not _belongs(c, kind))]


def _belongs(c: Case, kind: str) -> bool:
    if kind == "label":
        return c.edition >= LABEL_EDITION
    return kind not in STRUCT_EXTENSIONS or STRUCT_EXTENSIONS[kind] in c.facts.extensions


def defined(value: object, names: Sequence[str]) -> bool:
    """Whether a value is one of an enum's names, or the number of one."""
    return value in names or value in range(len(names))


def chained(kind: str, broken: Callable[[Mapping[str, Any]], bool]) -> Callable[[Case], bool]:
    """Break where any struct of a kind in the chain does."""
    return lambda c: any(broken(entry) for entry in c.reading.every.get(kind, ()))


def beyond_window(c: Case) -> bool:
    """Whether a block-matching window is larger than the device's, where that reports it."""
    return any(
        entry.get("windowExtent", {}).get(side, 0) > c.facts.limits.get(f"maxBlockMatchWindow.{side}", float("inf"))
        for entry in c.reading.every.get("window", ())
        for side in ("width", "height")
    )


def beyond_slots(c: Case) -> bool:
    """Whether a custom colour's index is beyond the slots."""
    return any(entry.get("index", 0) >= c.device.custom_slots for entry in c.reading.every.get("index", ()))


def too_many_beside(c: Case) -> bool:
    """Whether there are as many samplers as may be beside those that are embedded in pipelines."""
    most = limit_of(c.facts, "maxSamplerAllocationCount") or float("inf")
    return bool(c.embedded) and too_many(c.live, most - c.embedded)


def no_queue(c: Case) -> bool:
    """Whether no queue family has graphics or compute."""
    return c.queues is not None and not any(flags & _GRAPHICS_OR_COMPUTE for flags in c.queues)
