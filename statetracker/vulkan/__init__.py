"""From the pipe record to Vulkan: create infos and their chain, border colours, formats, valid usage.

The names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.vulkan.border import BorderChoice, BorderRung
    from statetracker.vulkan.conversion import create_info, ladder
    from statetracker.vulkan.device import facts_of
    from statetracker.vulkan.dialects import DIALECTS, VulkanDialect, vulkan_dialect
    from statetracker.vulkan.draft import Loss, Needs, View
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
    from statetracker.vulkan.info import ComponentMapping, CustomBorderColor, SamplerCreateInfo
    from statetracker.vulkan.usage import Violation, violations
    from statetracker.vulkan.usage_rules import RULES, UNREACHABLE, UsageRule

__all__ = [
    "DIALECTS",
    "RULES",
    "UNREACHABLE",
    "BorderChoice",
    "BorderColor",
    "BorderRung",
    "CompareOp",
    "ComponentMapping",
    "ComponentSwizzle",
    "CustomBorderColor",
    "Filter",
    "Loss",
    "Needs",
    "SamplerAddressMode",
    "SamplerCreateFlag",
    "SamplerCreateInfo",
    "SamplerHandle",
    "SamplerMipmapMode",
    "SamplerReductionMode",
    "StoredFormat",
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
    "ladder",
    "stored",
    "view_swizzle",
    "violations",
    "vulkan_dialect",
]

_MODULES = {
    "BorderChoice": "border",
    "BorderColor": "enums",
    "BorderRung": "border",
    "CompareOp": "enums",
    "ComponentMapping": "info",
    "ComponentSwizzle": "enums",
    "CustomBorderColor": "info",
    "DIALECTS": "dialects",
    "Filter": "enums",
    "Loss": "draft",
    "Needs": "draft",
    "RULES": "usage_rules",
    "SamplerAddressMode": "enums",
    "SamplerCreateFlag": "enums",
    "SamplerCreateInfo": "info",
    "SamplerHandle": "driver",
    "SamplerMipmapMode": "enums",
    "SamplerReductionMode": "enums",
    "StoredFormat": "formats",
    "UNREACHABLE": "usage_rules",
    "UsageRule": "usage_rules",
    "View": "draft",
    "Violation": "usage",
    "VulkanDialect": "dialects",
    "VulkanDriver": "driver",
    "VulkanExplanation": "explanation",
    "create_info": "conversion",
    "explain_info": "explanation",
    "facts_of": "device",
    "gl_formats": "formats",
    "ladder": "conversion",
    "stored": "formats",
    "view_swizzle": "formats",
    "violations": "usage",
    "vulkan_dialect": "dialects",
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
