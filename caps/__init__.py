"""The `Screen`: what hardware can do, its embedded profiles, and the readers that make one from a file.

A screen is data, whatever it was made from: a profile of this package, a device of the corpus, a screen file, the
header of a recorded case file, or a report on a Vulkan device (vulkaninfo, gpuinfo.org, Vulkan Profiles, a probe).
pydantic checks files, and is loaded with the first.
"""

from __future__ import annotations

from statetracker.caps.fields import UNFILTERABLE_DEPTH, FormatFeatures, LinearFiltering
from statetracker.caps.flags import FLAGS, Flag
from statetracker.caps.profiles import PROFILES, profile_names
from statetracker.caps.screen import Screen
from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.caps.derivation import VulkanFiltering
    from statetracker.caps.devices import CorpusChoice, DeviceRow, corpus, matching, searching
    from statetracker.caps.facts import FormatMasks, VulkanFacts
    from statetracker.caps.intel import GENERATIONS, Generation, generation
    from statetracker.caps.vulkan_formats import vulkan_format
    from statetracker.caps.webgpu import WEBGPU_FEATURES, WebGpuFormat, webgpu_facts, webgpu_formats

__all__ = [
    "FLAGS",
    "GENERATIONS",
    "PROFILES",
    "UNFILTERABLE_DEPTH",
    "WEBGPU_FEATURES",
    "CorpusChoice",
    "DeviceRow",
    "Flag",
    "FormatFeatures",
    "FormatMasks",
    "Generation",
    "LinearFiltering",
    "Screen",
    "VulkanFacts",
    "VulkanFiltering",
    "WebGpuFormat",
    "corpus",
    "generation",
    "matching",
    "profile_names",
    "searching",
    "vulkan_format",
    "webgpu_facts",
    "webgpu_formats",
]

#: Module -> its names that are loaded on first use.
_LATER = {
    "derivation": ("VulkanFiltering",),
    "devices": ("CorpusChoice", "DeviceRow", "corpus", "matching", "searching"),
    "facts": ("FormatMasks", "VulkanFacts"),
    "intel": ("GENERATIONS", "Generation", "generation"),
    "vulkan_formats": ("vulkan_format",),
    "webgpu": ("WEBGPU_FEATURES", "WebGpuFormat", "webgpu_facts", "webgpu_formats"),
}

__getattr__, __dir__ = on_first_use(__name__, _LATER)
