"""From the pipe record to WebGPU: sampler descriptors, their validation rules, a driver for the cache.

WebGPU is a Vulkan device with less (`statetracker.caps.webgpu_facts`), so the translation is `statetracker.vulkan`'s;
this room gives its result WebGPU's names: members in wgpu-py's snake case, values as the specification spells them. The
names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.webgpu.conversion import SamplerDescriptor, descriptor, explain_descriptor
    from statetracker.webgpu.driver import WgpuDriver, WgpuHandle, screen_of
    from statetracker.webgpu.texture_views import TextureViewDescriptor, texture_view
    from statetracker.webgpu.validation import RULES, WebGpuRule, violations

__all__ = [
    "RULES",
    "SamplerDescriptor",
    "TextureViewDescriptor",
    "WebGpuRule",
    "WgpuDriver",
    "WgpuHandle",
    "descriptor",
    "explain_descriptor",
    "screen_of",
    "texture_view",
    "violations",
]

_MODULES = {
    "conversion": ("SamplerDescriptor", "descriptor", "explain_descriptor"),
    "driver": ("WgpuDriver", "WgpuHandle", "screen_of"),
    "texture_views": ("TextureViewDescriptor", "texture_view"),
    "validation": ("RULES", "WebGpuRule", "violations"),
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
