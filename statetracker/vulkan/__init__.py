"""From the pipe record to Vulkan: create infos and their chain, border colours, formats, valid usage.

The names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.vulkan.conversion import create_info, record_of
    from statetracker.vulkan.device import facts_of, screen_of
    from statetracker.vulkan.dialects import DIALECTS, VulkanDialect, vulkan_dialect
    from statetracker.vulkan.draft_lowering import with_view
    from statetracker.vulkan.driver import SamplerHandle, VulkanDriver
    from statetracker.vulkan.enums import (
        BorderChoice,
        BorderColor,
        BorderFallback,
        CompareOp,
        ComponentMapping,
        ComponentSwizzle,
        CustomBorderColor,
        Filter,
        SamplerAddressMode,
        SamplerCreateFlag,
        SamplerMipmapMode,
        SamplerReductionMode,
    )
    from statetracker.vulkan.explanation import VulkanExplanation, explain_info
    from statetracker.vulkan.image_views import ImageViewInfo, ViewMember, ViewPart, image_view
    from statetracker.vulkan.info import SamplerCreateInfo, Unsupported
    from statetracker.vulkan.reading import c_struct, pyvulkan_struct
    from statetracker.vulkan.usage_case import EDITIONS, UsageRule, edition_of
    from statetracker.vulkan.usage_rules import RULES, UNREACHABLE, Violation, violations
    from statetracker.vulkan.views import StoredFormat, View, gl_formats, stored, view_swizzle

__all__ = [
    "DIALECTS",
    "EDITIONS",
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
    "ImageViewInfo",
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
    "ViewMember",
    "ViewPart",
    "Violation",
    "VulkanDialect",
    "VulkanDriver",
    "VulkanExplanation",
    "c_struct",
    "create_info",
    "edition_of",
    "explain_info",
    "facts_of",
    "gl_formats",
    "image_view",
    "pyvulkan_struct",
    "record_of",
    "screen_of",
    "stored",
    "view_swizzle",
    "violations",
    "vulkan_dialect",
    "with_view",
]

_MODULES = {
    "conversion": ("create_info", "record_of"),
    "device": ("facts_of", "screen_of"),
    "dialects": ("DIALECTS", "VulkanDialect", "vulkan_dialect"),
    "draft_lowering": ("with_view",),
    "driver": ("SamplerHandle", "VulkanDriver"),
    "enums": (
        *("BorderChoice", "BorderColor", "BorderFallback", "CompareOp", "ComponentMapping", "ComponentSwizzle"),
        *("CustomBorderColor", "Filter", "SamplerAddressMode", "SamplerCreateFlag", "SamplerMipmapMode"),
        "SamplerReductionMode",
    ),
    "explanation": ("VulkanExplanation", "explain_info"),
    "image_views": ("ImageViewInfo", "ViewMember", "ViewPart", "image_view"),
    "info": ("SamplerCreateInfo", "Unsupported"),
    "reading": ("c_struct", "pyvulkan_struct"),
    "usage_case": ("EDITIONS", "UsageRule", "edition_of"),
    "usage_rules": ("RULES", "UNREACHABLE", "Violation", "violations"),
    "views": ("StoredFormat", "View", "gl_formats", "stored", "view_swizzle"),
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
