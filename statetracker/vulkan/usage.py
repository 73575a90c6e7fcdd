"""`violations`: which valid-usage rules a create info breaks, on which device, and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.vulkan_names import vulkan_formats
from statetracker.errors import ArgumentError, UnknownName
from statetracker.vulkan.device import REQUIRED_LIMITS, device_of, limit_of
from statetracker.vulkan.usage_case import Case
from statetracker.vulkan.usage_rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.caps import Screen
    from statetracker.caps.facts import VulkanFacts
    from statetracker.vulkan.info import SamplerCreateInfo
    from statetracker.vulkan.usage_case import UsageRule

#: Members that are not in the info itself -> their values.
_SHOWN: Final[Mapping[str, Callable[[Case], object]]] = {
    "sType": lambda _: "another structure type",
    "pNext": lambda c: [*c.foreign, *c.repeated],
    "customBorderColor": lambda c: list(c.words or ()),
    "format": lambda c: c.format or c.chain.get("custom", {}).get("format", 0),
    "reductionMode": lambda c: c.chain.get("reduction", {}).get("reductionMode", 0),
    "components": lambda c: dict(c.chain.get("mapping", {}).get("components", {})),
    "pSampler": lambda c: c.live,
    "device": lambda c: f"of queue families {list(c.queues or ())}",
    "index": lambda c: c.chain["index"].get("index", 0),
    "windowExtent": lambda c: dict(c.chain["window"].get("windowExtent", {})),
    "windowCompareMode": lambda c: c.chain["window"].get("windowCompareMode", 0),
    "cubicWeights": lambda c: c.chain["weights"].get("cubicWeights", 0),
}


class Violation(NamedTuple):
    """One rule that is broken.

    rule     the VUID
    member   the member at fault, in Vulkan's name
    value    its value; enums by name
    fix      what to do
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

    info          a `SamplerCreateInfo`, or plain data in Vulkan's names with any numbers; see `ParsedCreateInfo`
    screen        the device; its features and extensions count as enabled
    view_format   VkFormat of the view that is sampled, with or without prefix: rules on drawing are then judged too,
                  as far as the device reports its formats
    live, live_custom   how many samplers, and samplers with custom border colours, exist already on the device

    embedded      where a pipeline has embedded samplers, how many the device keeps for them:
                  minSamplerHeapReservedRangeWithEmbedded / samplerDescriptorSize
    queues        the VkQueueFlags of each queue family; None: the rule on them is not judged

    return        the rules that are broken, in the order of `statetracker.vulkan.RULES`; which ones judge the device is
                  said at `edition_of`

    Booleans count as true where they are 1, the value of VK_TRUE. Limits that are not reported are those that every
    device has. Raises `ArgumentError` for data that is no create info, `UnknownName` for names Vulkan lacks.
    """
    if view_format is not None:
        view_format = view_format.removeprefix("VK_FORMAT_")
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
    return [_violation(rule, case) for rule in RULES if rule.applies(case.facts) and rule.broken(case)]


def _violation(rule: UsageRule, case: Case) -> Violation:
    limits = {name: f"{limit_of(case.facts, name):g}" for name in REQUIRED_LIMITS}
    return Violation(rule.name, rule.member, _value(rule.member, case), rule.fix.format(**limits))


def _value(member: str, case: Case) -> object:
    shown = _SHOWN.get(member)
    return case.shown(member) if shown is None else shown(case)
