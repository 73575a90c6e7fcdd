"""`Messages`: the messages of layers and drivers, and whether a call they report still reaches the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.bindings.definitions import definitions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.bindings.vulkan_calls import Calls

__all__ = ["SEVERITIES", "Message", "Messages"]

#: Kinds of message, worst first, and Vulkan's bit for each.
SEVERITIES: Final = {
    "error": "VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT",
    "warning": "VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT",
    "info": "VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT",
    "verbose": "VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT",
}

_TYPES: Final = (
    "VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT",
    "VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT",
    "VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT",
)


class Message(NamedTuple):
    """One message: severity, the rule or the source (``VUID-VkSamplerCreateInfo-maxLod-01973``), and the text."""

    severity: str
    name: str
    text: str


class Messages:
    """Collects messages while an instance is open; give it to `Instance`.

    severities    which kinds to hear
    stop_errors   answer an error with VK_TRUE: the layer then fails the call with VK_ERROR_VALIDATION_FAILED_EXT and
                  does not pass it to the driver
    keep_text     keep the text too, not only severity and name

    ``heard`` holds the messages; `take` gives and forgets them.
    """

    def __init__(
        self, severities: Sequence[str] = ("error", "warning"), *, stop_errors: bool = True, keep_text: bool = True
    ) -> None:
        """Make the callback; it lives as long as this object."""
        self.heard: list[Message] = []
        self.stop_errors = stop_errors
        self._keep_text = keep_text
        known = definitions("vulkan")
        self._ffi = known.ffi
        bits = known.values("VkDebugUtilsMessageSeverityFlagBitsEXT")
        self._words = {bits[bit]: word for word, bit in SEVERITIES.items()}
        self._severities = [SEVERITIES[word] for word in severities]
        self._callback = self._ffi.callback("PFN_vkDebugUtilsMessengerCallbackEXT", self._hear)

    def info(self) -> dict[str, Any]:
        """Give a ``VkDebugUtilsMessengerCreateInfoEXT`` as plain data, with the callback."""
        return {
            "sType": "VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT",
            "messageSeverity": self._severities,
            "messageType": _TYPES,
            "pfnUserCallback": self._callback,
        }

    def take(self) -> list[Message]:
        """Give what was heard since the last time."""
        heard, self.heard = self.heard, []
        return heard

    def register(self, calls: Calls, instance: Any, made: Any) -> Any:
        """Make the messenger of an instance."""
        out = self._ffi.new("VkDebugUtilsMessengerEXT *")
        call = "vkCreateDebugUtilsMessengerEXT"
        calls.check(call, getattr(calls, call)(instance, made, self._ffi.NULL, out))
        return out[0]

    def _hear(self, severity: int, _types: int, data: Any, _user: Any) -> int:
        name = data.pMessageIdName
        rule = self._ffi.string(name).decode("utf-8", "replace") if name else ""
        text = ""
        if self._keep_text and data.pMessage:
            text = self._ffi.string(data.pMessage).decode("utf-8", "replace")
        word = self._words.get(severity, str(severity))
        self.heard.append(Message(word, rule, text))
        return int(self.stop_errors and word == "error")
