"""What a valid-usage rule is, what it is asked about, and which specification's rules a device is judged by.

See docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.vulkan.enums import CUSTOM_COLORS
from statetracker.vulkan.reading import ParsedCreateInfo
from statetracker.vulkan.views import has_bit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.caps.facts import VulkanFacts
    from statetracker.vulkan.device import Device
    from statetracker.vulkan.info import SamplerCreateInfo

Version = tuple[int, int, int]

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

    facts   what the device reports; its version counts
    """
    return max((edition for edition in EDITIONS if edition <= facts.api), default=EDITIONS[0])


class Case(ParsedCreateInfo):
    """What is judged: a create info on a device, and, where known, the view's format and the live samplers.

    ``case["minFilter"]`` is a member's number.

    facts, device    what the device offers; features and extensions count as enabled
    edition          of `EDITIONS`, the device's
    view_format      VkFormat of the view that is sampled, without prefix, or None: no rule on drawing is judged
    live, live_custom   samplers, and samplers with custom colours, that exist already; None: not judged
    embedded         samplers that a heap keeps for embedded ones, where a pipeline has any; 0: none has
    queues           VkQueueFlags of each queue family; None: not judged
    """

    __slots__ = ("device", "edition", "embedded", "facts", "live", "live_custom", "queues", "view_format")

    def __init__(
        self,
        info: SamplerCreateInfo | Mapping[str, Any],
        device: Device,
        *,
        view_format: str | None = None,
        live: int | None = None,
        live_custom: int | None = None,
        embedded: int = 0,
        queues: Sequence[int] | None = None,
    ) -> None:
        super().__init__(info)
        self.device = device
        self.facts = device.facts
        self.edition = edition_of(device.facts)
        self.view_format = view_format
        self.live = live
        self.live_custom = live_custom
        self.embedded = embedded
        self.queues = queues

    def __getitem__(self, member: str) -> Any:  # noqa: ANN401 (a number)
        return self.members[member]

    def has(self, bit: int) -> bool:
        """Whether the view's format can do something; true where no view is given."""
        return self.view_format is None or has_bit(self.facts, self.view_format, bit)

    @property
    def custom(self) -> bool:
        """Whether the border colour is a custom one."""
        return self.members["borderColor"] in CUSTOM_COLORS

    @property
    def foreign(self) -> list[object]:
        """The structs in the chain that do not belong there, on this device, by sType."""
        absent = {kind for kind, name in STRUCT_EXTENSIONS.items() if name not in self.facts.extensions}
        if self.edition < EDITIONS[3]:
            absent.add("label")  # a name for debugging
        return [*self.strangers, *(entry["sType"] for kind, entry in self.chain.items() if kind in absent)]


class UsageRule(NamedTuple):
    """One rule, and which specifications have it.

    struct    the struct or command it belongs to
    suffix    its name after the struct's
    stage     1: values and chain, 2: members against each other, 3: against the device, 4: when drawing. A validation
              layer that finds something in one stage may not look at the next
    member    the member at fault
    broken    true for a case that breaks it
    fix       what to do; ``{name}`` is a limit of the device
    since     the first of `EDITIONS` that has it; the oldest one stands for itself and all before
    until     the first of `EDITIONS` that no longer has it, or None
    extension  with an extension's own struct: judged where the device has the extension, whatever its version
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
        """Whether a device, by its facts, is judged by it."""
        if self.extension:
            return self.extension in facts.extensions
        edition = edition_of(facts)
        return self.since <= edition and (self.until is None or edition < self.until)
