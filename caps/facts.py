"""`VulkanFacts`: what a Vulkan device reports of samplers, as plain data.

Whatever the source (vulkaninfo, a gpuinfo.org report, a Vulkan Profile, the device corpus, the live machine), the same
record comes out. The three tables say which facts are kept; `statetracker.caps.derivation` makes a screen of them.
Source: Vulkan 1.3, chapters "Features", "Limits", "Formats" and 13 "Samplers".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Bits of ``VkFormatFeatureFlags2``.
SAMPLED_IMAGE: Final = 1 << 0
FILTER_LINEAR: Final = 1 << 12
FILTER_MINMAX: Final = 1 << 16
#: Masks of VkFormatProperties3 have every bit, those of VkFormatProperties the first 31.
ALL_BITS: Final = (1 << 64) - 1
WORD_BITS: Final = (1 << 31) - 1

_LIMITS: Final = "VkPhysicalDeviceLimits"
_BORDER: Final = "VkPhysicalDeviceCustomBorderColorPropertiesEXT"
_MINMAX: Final = "VkPhysicalDeviceSamplerFilterMinmaxProperties"
_WINDOW: Final = "VkPhysicalDeviceImageProcessing2PropertiesQCOM"

# fmt: off
#: Limits and properties that are kept -> the struct that has them. All are numbers of 0 or more; booleans are 0
#: and 1, and of a VkExtent2D each side is one, behind a dot.
LIMITS: Final[Mapping[str, str]] = {
    "maxSamplerAllocationCount":          _LIMITS,
    "maxSamplerLodBias":                  _LIMITS,
    "maxSamplerAnisotropy":               _LIMITS,
    "maxCustomBorderColorSamplers":       _BORDER,
    "maxPerStageDescriptorSamplers":      _LIMITS,
    "maxPerStageDescriptorSampledImages": _LIMITS,
    "maxDescriptorSetSamplers":           _LIMITS,
    "maxImageDimension1D":                _LIMITS,
    "maxImageDimension2D":                _LIMITS,
    "maxImageDimension3D":                _LIMITS,
    "maxImageDimensionCube":              _LIMITS,
    "maxImageArrayLayers":                _LIMITS,
    "maxTexelBufferElements":             _LIMITS,
    "filterMinmaxSingleComponentFormats": _MINMAX,
    "filterMinmaxImageComponentMapping":  _MINMAX,
    "maxBlockMatchWindow.width":          _WINDOW,
    "maxBlockMatchWindow.height":         _WINDOW,
}

#: Features that are kept -> the struct that has them.
FEATURES: Final[Mapping[str, str]] = {
    "samplerAnisotropy":              "VkPhysicalDeviceFeatures",
    "imageCubeArray":                 "VkPhysicalDeviceFeatures",
    "textureCompressionBC":           "VkPhysicalDeviceFeatures",
    "textureCompressionETC2":         "VkPhysicalDeviceFeatures",
    "textureCompressionASTC_LDR":     "VkPhysicalDeviceFeatures",
    "samplerYcbcrConversion":         "VkPhysicalDeviceVulkan11Features",
    "samplerMirrorClampToEdge":       "VkPhysicalDeviceVulkan12Features",
    "samplerFilterMinmax":            "VkPhysicalDeviceVulkan12Features",
    "customBorderColors":             "VkPhysicalDeviceCustomBorderColorFeaturesEXT",
    "customBorderColorWithoutFormat": "VkPhysicalDeviceCustomBorderColorFeaturesEXT",
    "borderColorSwizzle":             "VkPhysicalDeviceBorderColorSwizzleFeaturesEXT",
    "borderColorSwizzleFromImage":    "VkPhysicalDeviceBorderColorSwizzleFeaturesEXT",
    "nonSeamlessCubeMap":             "VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT",
    "formatA4R4G4B4":                 "VkPhysicalDevice4444FormatsFeaturesEXT",
    "formatA4B4G4R4":                 "VkPhysicalDevice4444FormatsFeaturesEXT",
    "samplerMipLodBias":              "VkPhysicalDevicePortabilitySubsetFeaturesKHR",
    "imageViewFormatSwizzle":         "VkPhysicalDevicePortabilitySubsetFeaturesKHR",
}
# fmt: on

#: Formats that come with a feature, which promises that they can be sampled and filtered. They are known by the feature
#: alone: vulkaninfo does not list their masks. Source: Vulkan 1.3, VkPhysicalDevice4444FormatsFeaturesEXT.
PROMISED: Final[Mapping[str, str]] = {
    "A4R4G4B4_UNORM_PACK16": "formatA4R4G4B4",
    "A4B4G4R4_UNORM_PACK16": "formatA4B4G4R4",
}

#: Device extensions that are kept.
EXTENSIONS: Final = frozenset(
    {
        "VK_KHR_sampler_mirror_clamp_to_edge",
        "VK_KHR_sampler_ycbcr_conversion",
        "VK_KHR_format_feature_flags2",
        "VK_KHR_portability_subset",
        "VK_EXT_4444_formats",
        "VK_EXT_border_color_swizzle",
        "VK_EXT_custom_border_color",
        "VK_EXT_descriptor_heap",
        "VK_EXT_depth_range_unrestricted",
        "VK_EXT_descriptor_buffer",
        "VK_EXT_filter_cubic",
        "VK_EXT_fragment_density_map",
        "VK_EXT_non_seamless_cube_map",
        "VK_EXT_sampler_filter_minmax",
        "VK_IMG_filter_cubic",
        "VK_QCOM_filter_cubic_clamp",
        "VK_QCOM_filter_cubic_weights",
        "VK_QCOM_image_processing",
        "VK_QCOM_image_processing2",
    }
)


class FormatMasks(NamedTuple):
    """A device's features of a format: masks of ``VkFormatFeatureFlags2``, 64 bits wide.

    Attributes:
        linear: Of images with linear tiling.
        optimal: Of images with optimal tiling.
        buffer: Of texel buffers.
    """

    linear: int
    optimal: int
    buffer: int = 0


class VulkanFacts(NamedTuple):
    """One device's report. A constant: do not write into its mappings.

    Attributes:
        device: ``deviceName``, empty if not reported.
        vendor_id: PCI or Khronos vendor, None if not reported.
        device_id: The vendor's number for the device, None if not reported.
        api: Highest Vulkan version: major, minor, patch.
        driver: What the driver calls itself or its version, as text; empty if not reported.
        limits: Limits and properties of `LIMITS` that were reported; one that is missing is unknown, not 0.
        features: Those of `FEATURES` that are true; the rest are false or were not reported.
        extensions: Those of `EXTENSIONS` that the device has.
        formats: VkFormat without prefix -> masks, for formats that can do anything, without those of `PROMISED`; None:
            the source has no formats.
        format_bits: The bits of the masks that the source reports; a bit outside is 0 and unknown.
    """

    device: str = ""
    vendor_id: int | None = None
    device_id: int | None = None
    api: tuple[int, int, int] = (1, 0, 0)
    driver: str = ""
    limits: Mapping[str, int | float] = {}
    features: frozenset[str] = frozenset()
    extensions: frozenset[str] = frozenset()
    formats: Mapping[str, FormatMasks] | None = None
    format_bits: int = ALL_BITS

    @property
    def is_turnip(self) -> bool:
        """True where this is Mesa's driver for Adreno, for which zink has a rule of its own."""
        return self.device.startswith("Turnip")

    def samples(self, name: str) -> bool:
        """Return whether optimally tiled images of a format can be sampled; name without ``VK_FORMAT_``."""
        return self._optimal(name, SAMPLED_IMAGE)

    def filters(self, name: str) -> bool:
        """Return whether optimally tiled images of a format can be filtered linearly; name without ``VK_FORMAT_``."""
        return self._optimal(name, FILTER_LINEAR)

    def _optimal(self, name: str, bit: int) -> bool:
        if name in PROMISED:
            return PROMISED[name] in self.features
        masks = (self.formats or {}).get(name)
        return masks is not None and bool(masks.optimal & bit)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as a report, in Vulkan's own names: the form that `statetracker.caps.reports` describes."""
        from statetracker.caps.report_form import written

        return written(self)


def version_parts(number: int) -> tuple[int, int, int]:
    """Unpack a version number of Vulkan: major, minor, patch."""
    return number >> 22 & 0x7F, number >> 12 & 0x3FF, number & 0xFFF


def version_number(parts: tuple[int, int, int]) -> int:
    """Pack a version number of Vulkan."""
    return parts[0] << 22 | parts[1] << 12 | parts[2]
