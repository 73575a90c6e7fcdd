"""The `Screen`: what hardware can do, its embedded profiles, and the readers that make one from a file.

A screen is data, whatever it was made from: a profile of this package, a device of the corpus, a screen file, the
header of a recorded case file, or a report on a Vulkan device (vulkaninfo, gpuinfo.org, Vulkan Profiles, a probe).
pydantic checks files, and is loaded with the first; the names below are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.caps.derivation import VulkanFiltering as VulkanFiltering
    from statetracker.caps.devices import CorpusChoice as CorpusChoice
    from statetracker.caps.devices import DeviceRow as DeviceRow
    from statetracker.caps.devices import corpus as corpus
    from statetracker.caps.devices import matching as matching
    from statetracker.caps.devices import searching as searching
    from statetracker.caps.facts import FormatMasks as FormatMasks
    from statetracker.caps.facts import VulkanFacts as VulkanFacts
    from statetracker.caps.fields import UNFILTERABLE_DEPTH as UNFILTERABLE_DEPTH
    from statetracker.caps.fields import FormatFeatures as FormatFeatures
    from statetracker.caps.fields import LinearFiltering as LinearFiltering
    from statetracker.caps.flags import FLAGS as FLAGS
    from statetracker.caps.flags import Flag as Flag
    from statetracker.caps.intel import GENERATIONS as GENERATIONS
    from statetracker.caps.intel import Generation as Generation
    from statetracker.caps.intel import generation as generation
    from statetracker.caps.profiles import PROFILES as PROFILES
    from statetracker.caps.profiles import profile_names as profile_names
    from statetracker.caps.screen import Screen as Screen
    from statetracker.caps.vulkan_formats import vulkan_format as vulkan_format
    from statetracker.caps.webgpu import WEBGPU_FEATURES as WEBGPU_FEATURES
    from statetracker.caps.webgpu import WebGpuFormat as WebGpuFormat
    from statetracker.caps.webgpu import webgpu_facts as webgpu_facts
    from statetracker.caps.webgpu import webgpu_formats as webgpu_formats

_MODULES = {
    "derivation": ("VulkanFiltering",),
    "devices": ("CorpusChoice", "DeviceRow", "corpus", "matching", "searching"),
    "fields": ("UNFILTERABLE_DEPTH", "FormatFeatures", "LinearFiltering"),
    "flags": ("FLAGS", "Flag"),
    "facts": ("FormatMasks", "VulkanFacts"),
    "intel": ("GENERATIONS", "Generation", "generation"),
    "profiles": ("PROFILES", "profile_names"),
    "screen": ("Screen",),
    "vulkan_formats": ("vulkan_format",),
    "webgpu": ("WEBGPU_FEATURES", "WebGpuFormat", "webgpu_facts", "webgpu_formats"),
}

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
