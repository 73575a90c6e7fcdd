"""Reports of VK_LAYER_KHRONOS_validation 1.3.239 for an info with known broken rules: its order and gaps.

Measured by passing infos with one fault and with several; the agreement run checks them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.vulkan import EDITIONS, RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.caps import VulkanFacts

__all__ = ["ALONE", "GAPS", "LAYERS_NAMES", "NOT_ENABLED", "STAGES", "Gap", "expected"]

_INFO: Final = "VUID-VkSamplerCreateInfo-"
_CUSTOM: Final = "VUID-VkSamplerCustomBorderColorCreateInfoEXT-"
_SWIZZLE: Final = "VUID-VkSamplerBorderColorComponentMappingCreateInfoEXT-"

#: What the layer says for anything of an extension that is not enabled.
NOT_ENABLED: Final = "UNASSIGNED-GeneralParameterError-ExtensionNotEnabled"

#: The rules of the layer's own specification: it knows none that came later.
_KNOWN: Final = tuple(rule for rule in RULES if rule.since == EDITIONS[0])

#: The layer looks in three stages, and stops after the first that has something to say.
STAGES: Final[Mapping[str, int]] = {NOT_ENABLED: 2, **{r.name: r.stage for r in _KNOWN if r.stage <= 3}}

#: Rules that the layer names after the struct inside: our rule is the one of the struct that a chain holds.
LAYERS_NAMES: Final = {f"VUID-VkComponentMapping-{c}-parameter": f"{_SWIZZLE}components-parameter" for c in "rgba"}

#: Rules about how many there are: no single info breaks them.
_COUNTED: Final = (_INFO + "None-04012", "VUID-vkCreateSampler-maxSamplerAllocationCount-04110")

_YCBCR: Final = tuple(_INFO + name for name in ("minFilter-01645", "addressModeU-01646", "None-01647"))
#: Rules that need VK_KHR_portability_subset, or a struct of VK_EXT_descriptor_buffer: no variant has them.
_ELSEWHERE: Final = tuple(_INFO + name for name in ("samplerMipLodBias-04467", "pNext-08111"))

#: Rules that an info alone can break on one of the variants, and that a run must break often enough.
ALONE: Final = tuple(name for name in STAGES if name not in (NOT_ENABLED, *_COUNTED, *_YCBCR, *_ELSEWHERE))


class Gap(NamedTuple):
    """A broken rule that the layer is silent about: the rule, when, and why.

    Attributes:
        when: Info, the device's facts -> whether it is silent.
    """

    rule: str
    words: str
    when: Callable[[Mapping[str, Any], VulkanFacts], bool]


def _nan(*members: str) -> Callable[[Mapping[str, Any], VulkanFacts], bool]:
    return lambda info, _: any(math.isnan(info[member]) for member in members)


def _cubic_alone(member: str) -> Callable[[Mapping[str, Any], VulkanFacts], bool]:
    return lambda info, _: bool(info[member] == "VK_FILTER_CUBIC_EXT")


#: The layer's known gaps.
GAPS: Final = (
    Gap(_INFO + "borderColor-04442", "never checked", lambda _info, _: True),
    Gap(_INFO + "mipLodBias-01069", "no absolute value: negative biases and NaN", lambda i, _: not i["mipLodBias"] > 0),
    Gap(_INFO + "anisotropyEnable-01071", "NaN", _nan("maxAnisotropy")),
    Gap(_INFO + "maxLod-01973", "NaN", _nan("minLod", "maxLod")),
    Gap(_INFO + "flags-parameter", "flags of extensions that are not enabled", lambda i, _: not i["flags"] & ~31),
    Gap(_INFO + "magFilter-parameter", "CUBIC where no extension has it", _cubic_alone("magFilter")),
    Gap(_INFO + "minFilter-parameter", "CUBIC where no extension has it", _cubic_alone("minFilter")),
    Gap(_INFO + "magFilter-01081", "looked at where an extension has CUBIC", lambda _info, _: True),
    *(Gap(_INFO + f"flags-{n:05}", "not known to this layer", lambda _info, _: True) for n in range(6964, 6971)),
    Gap(
        _CUSTOM + "format-04014",
        "where the colour is a predefined one",
        lambda i, _: "CUSTOM" not in str(i["borderColor"]),
    ),
)

_CUSTOM_EXTENSION: Final = "VK_EXT_custom_border_color"
_MINMAX_EXTENSION: Final = "VK_EXT_sampler_filter_minmax"
_REDUCTION: Final = "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO"
_AVERAGE: Final = "VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE"


def expected(broken: set[str], info: Mapping[str, Any], facts: VulkanFacts) -> set[str]:
    """Return the rules that the layer names, of an info that breaks some.

    Args:
        broken: The rules that are broken, full names.
        info: The info.
        facts: What is enabled on the device.
    """
    named = broken - {gap.rule for gap in GAPS if gap.rule in broken and gap.when(info, facts)}
    if _CUSTOM_EXTENSION not in facts.extensions:
        unknown = {_INFO + "customBorderColors-04085", _CUSTOM + "format-04014"}
        if named & unknown:
            named = named - unknown | {NOT_ENABLED}
    if _stricter_about_reduction(info, facts):
        named = named | {_INFO + "pNext-06726"}
    first = min((STAGES[rule] for rule in named), default=1)
    return {rule for rule in named if STAGES[rule] == first}


def _stricter_about_reduction(info: Mapping[str, Any], facts: VulkanFacts) -> bool:
    """Return whether the layer wants Vulkan 1.2's bit of the feature, though the extension is enabled."""
    if "samplerFilterMinmax" in facts.features or _MINMAX_EXTENSION not in facts.extensions:
        return False
    part = info["pNext"]
    while part is not None and part["sType"] != _REDUCTION:
        part = part["pNext"]
    return part is not None and part["reductionMode"] != _AVERAGE
