"""From the pipe record to WebGPU: sampler descriptors, their validation rules, a driver for the cache.

WebGPU is a Vulkan device with less (`statetracker.caps.webgpu_facts`), so the translation is `statetracker.vulkan`'s;
this room gives its result WebGPU's names: members in wgpu-py's snake case, values as the specification spells them.
"""

from __future__ import annotations

from statetracker.webgpu.conversion import (
    SamplerDescriptor,
    TextureViewDescriptor,
    descriptor,
    explain_descriptor,
    texture_view,
)
from statetracker.webgpu.driver import WgpuDriver, WgpuHandle, screen_of
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
