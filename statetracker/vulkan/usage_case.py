"""Valid-usage rules, the cases that they judge, and which specification's rules a device is judged by.

See docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.facts import FILTER_LINEAR, FILTER_MINMAX
from statetracker.vulkan.device import limit_of
from statetracker.vulkan.enums import CUSTOM_COLORS, Filter, SamplerAddressMode
from statetracker.vulkan.reading import ParsedCreateInfo
from statetracker.vulkan.views import has_bit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.caps.facts import VulkanFacts
    from statetracker.vulkan.device import Device
    from statetracker.vulkan.info import SamplerCreateInfo

Version = tuple[int, int, int]
_CLAMPED: Final = (SamplerAddressMode.CLAMP_TO_EDGE, SamplerAddressMode.CLAMP_TO_BORDER)

#: The specifications whose valid usage was read: the rules are those of the newest, and what left since the oldest.
EDITIONS: Final = ((1, 3, 239), (1, 3, 255), (1, 4, 309), (1, 4, 363))

#: Kinds of chained structs -> the extension that defines them, of those that came after the first edition.
STRUCT_EXTENSIONS: Final[Mapping[str, str]] = {
    "index": "VK_EXT_descriptor_heap",
    "window": "VK_QCOM_image_processing2",
    "weights": "VK_QCOM_filter_cubic_weights",
}


def edition_of(facts: VulkanFacts) -> Version:
    """Name the one of `EDITIONS` that a device is judged by: the newest up to its own version, else the oldest.

    Args:
        facts: What the device reports; its version counts.
    """
    return max((edition for edition in EDITIONS if edition <= facts.api), default=EDITIONS[0])


class Case(ParsedCreateInfo):
    """The case to judge: a create info on a device, and, where known, the view's format and the live samplers.

    ``case["minFilter"]`` is a member's number.

    Args:
        info: The create info.
        device: What the rules read of it; features and extensions count as enabled.
        **known: The attributes below that are known.

    Attributes:
        facts: What the device reports.
        edition: Of `EDITIONS`, the device's.
        view_format: VkFormat of the view that is sampled, without prefix, or None: no rule on drawing is judged.
        live: Samplers that exist already; None: not judged.
        live_custom: Those of them with custom colours; None: not judged.
        embedded: Samplers that a heap keeps for embedded ones, where a pipeline has any; 0: none has.
        queues: VkQueueFlags of each queue family; None: not judged.
    """

    view_format: str | None = None
    live: int | None = None
    live_custom: int | None = None
    embedded: int = 0
    queues: Sequence[int] | None = None

    def __init__(self, info: SamplerCreateInfo | Mapping[str, Any], device: Device, **known: object) -> None:
        super().__init__(info)
        self.device = device
        self.facts = device.facts
        self.edition = edition_of(device.facts)
        vars(self).update(known)

    def __getitem__(self, member: str) -> Any:  # noqa: ANN401 (a number)
        return self.members[member]

    def has(self, bit: int) -> bool:
        """Return whether the view's format can do something; true where no view is given."""
        return self.view_format is None or has_bit(self.facts, self.view_format, bit)

    @property
    def custom(self) -> bool:
        """True where the border colour is a custom one."""
        return self.members["borderColor"] in CUSTOM_COLORS

    @property
    def foreign(self) -> list[object]:
        """The structs in the chain that do not belong there, on this device, by sType."""
        absent = {kind for kind, name in STRUCT_EXTENSIONS.items() if name not in self.facts.extensions}
        if self.edition < EDITIONS[3]:
            absent.add("label")  # a name for debugging
        return [*self.strangers, *(entry["sType"] for kind, entry in self.chain.items() if kind in absent)]

    @property
    def in_texels(self) -> bool:
        """True where coordinates are not normalised."""
        return bool(self["unnormalizedCoordinates"] == 1)

    @property
    def modes(self) -> list[int]:
        """The address modes."""
        return [self["addressModeU"], self["addressModeV"], self["addressModeW"]]

    @property
    def not_clamped(self) -> bool:
        """True where an axis of a 2D view does not clamp."""
        return any(mode not in _CLAMPED for mode in self.modes[:2])

    @property
    def not_zero(self) -> bool:
        """True where a limit of the level of detail is not 0."""
        return not (self["minLod"] == 0 and self["maxLod"] == 0)

    @property
    def cubic_reduced(self) -> bool:
        """True where texels are reduced with a cubic filter, which of the extensions the newer one allows."""
        cubic = Filter.CUBIC_EXT in (self["magFilter"], self["minFilter"])
        return cubic and "VK_EXT_filter_cubic" not in self.facts.extensions and self.reduction_mode != 0

    @property
    def most_samplers(self) -> float:
        """The most samplers that there may be."""
        return limit_of(self.facts, "maxSamplerAllocationCount") or float("inf")

    def averages(self, *members: str) -> bool:
        """Return whether an unfilterable format is filtered by average; until 1.4.309 MIN and MAX counted too."""
        averaged = self.edition < EDITIONS[2] or self.reduction_mode == 0
        wanted = averaged and self["compareEnable"] != 1 and any(self[name] == Filter.LINEAR for name in members)
        return wanted and not self.has(FILTER_LINEAR)

    def reduces(self, *members: str) -> bool:
        """Return whether one of these is LINEAR with MIN or MAX, of a format that cannot be reduced."""
        wanted = self.reduction_mode in (1, 2) and any(self[name] == Filter.LINEAR for name in members)
        return wanted and not self.has(FILTER_MINMAX)

    def shown(self, member: str) -> object:
        """Return the value of a member, in the info or in its chain, as people read it."""
        special = _SHOWN.get(member)
        return super().shown(member) if special is None else special(self)


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


class UsageRule(NamedTuple):
    """One rule, and which specifications have it.

    Attributes:
        struct: The struct or command it belongs to.
        suffix: Its name after the struct's.
        stage: 1: values and chain, 2: members against each other, 3: against the device, 4: when drawing. A validation
            layer that finds something in one stage may not look at the next.
        member: The member at fault.
        broken: True for a case that breaks it.
        fix: What to do; ``{name}`` is a limit of the device.
        since: The first of `EDITIONS` that has it; the oldest one stands for itself and all before.
        until: The first of `EDITIONS` that no longer has it, or None.
        extension: With an extension's own struct: judged where the device has the extension, whatever its version.
    """

    struct: str
    suffix: str
    stage: int
    member: str
    broken: Callable[[Case], object]
    fix: str
    since: Version = EDITIONS[0]
    until: Version | None = None
    extension: str = ""

    @property
    def name(self) -> str:
        """The VUID."""
        return f"VUID-{self.struct}-{self.suffix}"

    def applies(self, facts: VulkanFacts) -> bool:
        """Return whether a device, by its facts, is judged by it."""
        if self.extension:
            return self.extension in facts.extensions
        edition = edition_of(facts)
        return self.since <= edition and (self.until is None or edition < self.until)
