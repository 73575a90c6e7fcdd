"""From the pipe record to Vulkan: create infos and their chain, border colours, formats, valid usage.

The names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.vulkan.border_choice import BorderChoice, BorderFallback, ComponentMapping, CustomBorderColor
    from statetracker.vulkan.conversion import create_info
    from statetracker.vulkan.device import facts_of
    from statetracker.vulkan.dialects import DIALECTS, VulkanDialect, vulkan_dialect
    from statetracker.vulkan.driver import SamplerHandle, VulkanDriver
    from statetracker.vulkan.enums import (
        BorderColor,
        CompareOp,
        ComponentSwizzle,
        Filter,
        SamplerAddressMode,
        SamplerCreateFlag,
        SamplerMipmapMode,
        SamplerReductionMode,
    )
    from statetracker.vulkan.explanation import VulkanExplanation, explain_info
    from statetracker.vulkan.formats import StoredFormat, gl_formats, stored, view_swizzle
    from statetracker.vulkan.info import SamplerCreateInfo, Unsupported
    from statetracker.vulkan.usage import Violation, violations
    from statetracker.vulkan.usage_rules import RULES, UNREACHABLE, UsageRule
    from statetracker.vulkan.views import View

__all__ = [
    "DIALECTS",
    "RULES",
    "UNREACHABLE",
    "BorderChoice",
    "BorderColor",
    "BorderFallback",
    "CompareOp",
    "ComponentMapping",
    "ComponentSwizzle",
    "CustomBorderColor",
    "Filter",
    "SamplerAddressMode",
    "SamplerCreateFlag",
    "SamplerCreateInfo",
    "SamplerHandle",
    "SamplerMipmapMode",
    "SamplerReductionMode",
    "StoredFormat",
    "Unsupported",
    "UsageRule",
    "View",
    "Violation",
    "VulkanDialect",
    "VulkanDriver",
    "VulkanExplanation",
    "create_info",
    "explain_info",
    "facts_of",
    "gl_formats",
    "stored",
    "view_swizzle",
    "violations",
    "vulkan_dialect",
]

_MODULES = {
    "BorderChoice": "border_choice",
    "BorderColor": "enums",
    "BorderFallback": "border_choice",
    "CompareOp": "enums",
    "ComponentMapping": "border_choice",
    "ComponentSwizzle": "enums",
    "CustomBorderColor": "border_choice",
    "DIALECTS": "dialects",
    "Filter": "enums",
    "RULES": "usage_rules",
    "SamplerAddressMode": "enums",
    "SamplerCreateFlag": "enums",
    "SamplerCreateInfo": "info",
    "SamplerHandle": "driver",
    "SamplerMipmapMode": "enums",
    "SamplerReductionMode": "enums",
    "StoredFormat": "formats",
    "UNREACHABLE": "usage_rules",
    "Unsupported": "info",
    "UsageRule": "usage_rules",
    "View": "views",
    "Violation": "usage",
    "VulkanDialect": "dialects",
    "VulkanDriver": "driver",
    "VulkanExplanation": "explanation",
    "create_info": "conversion",
    "explain_info": "explanation",
    "facts_of": "device",
    "gl_formats": "formats",
    "stored": "formats",
    "view_swizzle": "formats",
    "violations": "usage",
    "vulkan_dialect": "dialects",
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
