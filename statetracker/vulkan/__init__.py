"""From the pipe record to Vulkan: create infos and their chain, border colours, formats, valid usage.

The names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.vulkan.conversion import create_info as create_info
    from statetracker.vulkan.conversion import record_of as record_of
    from statetracker.vulkan.device import facts_of as facts_of
    from statetracker.vulkan.device import screen_of as screen_of
    from statetracker.vulkan.dialects import DIALECTS as DIALECTS
    from statetracker.vulkan.dialects import VulkanDialect as VulkanDialect
    from statetracker.vulkan.dialects import vulkan_dialect as vulkan_dialect
    from statetracker.vulkan.draft_lowering import with_view as with_view
    from statetracker.vulkan.driver import SamplerHandle as SamplerHandle
    from statetracker.vulkan.driver import VulkanDriver as VulkanDriver
    from statetracker.vulkan.enums import BorderChoice as BorderChoice
    from statetracker.vulkan.enums import BorderColor as BorderColor
    from statetracker.vulkan.enums import BorderFallback as BorderFallback
    from statetracker.vulkan.enums import CompareOp as CompareOp
    from statetracker.vulkan.enums import ComponentMapping as ComponentMapping
    from statetracker.vulkan.enums import ComponentSwizzle as ComponentSwizzle
    from statetracker.vulkan.enums import CustomBorderColor as CustomBorderColor
    from statetracker.vulkan.enums import Filter as Filter
    from statetracker.vulkan.enums import SamplerAddressMode as SamplerAddressMode
    from statetracker.vulkan.enums import SamplerCreateFlag as SamplerCreateFlag
    from statetracker.vulkan.enums import SamplerMipmapMode as SamplerMipmapMode
    from statetracker.vulkan.enums import SamplerReductionMode as SamplerReductionMode
    from statetracker.vulkan.explanation import VulkanExplanation as VulkanExplanation
    from statetracker.vulkan.explanation import explain_info as explain_info
    from statetracker.vulkan.image_views import ImageViewInfo as ImageViewInfo
    from statetracker.vulkan.image_views import ViewMember as ViewMember
    from statetracker.vulkan.image_views import ViewPart as ViewPart
    from statetracker.vulkan.image_views import image_view as image_view
    from statetracker.vulkan.info import SamplerCreateInfo as SamplerCreateInfo
    from statetracker.vulkan.info import Unsupported as Unsupported
    from statetracker.vulkan.reading import c_struct as c_struct
    from statetracker.vulkan.reading import pyvulkan_struct as pyvulkan_struct
    from statetracker.vulkan.usage_case import EDITIONS as EDITIONS
    from statetracker.vulkan.usage_case import UsageRule as UsageRule
    from statetracker.vulkan.usage_case import edition_of as edition_of
    from statetracker.vulkan.usage_rules import RULES as RULES
    from statetracker.vulkan.usage_rules import UNREACHABLE as UNREACHABLE
    from statetracker.vulkan.usage_rules import Violation as Violation
    from statetracker.vulkan.usage_rules import violations as violations
    from statetracker.vulkan.views import StoredFormat as StoredFormat
    from statetracker.vulkan.views import View as View
    from statetracker.vulkan.views import gl_formats as gl_formats
    from statetracker.vulkan.views import stored as stored
    from statetracker.vulkan.views import view_swizzle as view_swizzle

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

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
