"""`VulkanFacts` of a WebGPU device's features: what it can do for samplers.

WebGPU lacks border, mirrored clamp, LOD bias, reduction and view swizzle. So it is described as a Vulkan device; what
Vulkan has no word for is said by the driver's name, `WEBGPU`. Source: W3C WebGPU, "Feature Index", "Limits", "Texture
Format Capabilities"; its compatibility mode.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.facts import FILTER_LINEAR, LIMITS, SAMPLED_IMAGE, FormatMasks, VulkanFacts
from statetracker.errors import UnknownName
from statetracker.files import csv_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: ``driver`` of the facts of a WebGPU device.
WEBGPU: Final = "WebGPU"
_CORE: Final = "core-features-and-limits"
_FILTERABLE: Final = "float32-filterable"
#: VkFormatFeatureFlags2: depth can be compared.
_COMPARED: Final = 1 << 33

# fmt: off
#: GPUFeatureName that samplers and formats need -> the Vulkan feature that stands for it, where one does.
WEBGPU_FEATURES: Final[Mapping[str, str]] = {
    _CORE:                       "imageCubeArray",
    _FILTERABLE:                 "",
    "depth32float-stencil8":     "",
    "texture-compression-bc":    "textureCompressionBC",
    "texture-compression-etc2":  "textureCompressionETC2",
    "texture-compression-astc":  "textureCompressionASTC_LDR",
    "texture-formats-tier1":     "",
    "texture-component-swizzle": "imageViewFormatSwizzle",
}
#: Embedded screen -> its features. Core devices have their feature always; compatibility mode is a device without it.
WEBGPU_SCREENS: Final[Mapping[str, tuple[str, ...]]] = {
    "webgpu":                    (_CORE,),
    "webgpu-float32-filterable": (_CORE, _FILTERABLE),
    "webgpu-compatibility":      (),
}
#: Limits that every device has: in core, in compatibility mode.
_LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "maxSamplerLodBias":                  (0, 0),
    "maxSamplerAnisotropy":               (16, 16),
    "maxCustomBorderColorSamplers":       (0, 0),
    "maxPerStageDescriptorSamplers":      (16, 16),
    "maxPerStageDescriptorSampledImages": (16, 16),
    "maxImageDimension1D":                (8192, 4096),
    "maxImageDimension2D":                (8192, 4096),
    "maxImageDimension3D":                (2048, 2048),
    "maxImageDimensionCube":              (8192, 4096),
    "maxImageArrayLayers":                (256, 256),
}
# fmt: on


class WebGpuFormat(NamedTuple):
    """One GPUTextureFormat.

    Attributes:
        format: Its name.
        vulkan: The VkFormat with the same texels, without prefix.
        sample_type: GPUTextureSampleType of its views.
        feature: The GPUFeatureName without which it is not there; empty for none.
    """

    format: str
    vulkan: str
    sample_type: str
    feature: str


@cache
def webgpu_formats() -> Mapping[str, WebGpuFormat]:
    """VkFormat, without prefix -> the GPUTextureFormat with the same texels."""
    rows = (WebGpuFormat(**row) for row in csv_rows(Path(__file__).with_name("webgpu_formats.csv")))
    return {row.vulkan: row for row in rows}


def webgpu_facts(features: Iterable[str] = (_CORE,), *, limits: Mapping[str, int] | None = None) -> VulkanFacts:
    """Return the facts of a WebGPU device; features, limits and errors are as in `Screen.webgpu`."""
    have = frozenset(features)
    for name in sorted(have - WEBGPU_FEATURES.keys()):
        raise UnknownName("feature", name, accepted=", ".join(WEBGPU_FEATURES))
    given = dict(limits or {})
    for name in sorted(given.keys() - LIMITS.keys()):
        if name.startswith("maxTexture") or name.endswith("PerShaderStage"):  # WebGPU's own names
            raise UnknownName("limit", name, accepted=", ".join(LIMITS))
    core = _CORE in have
    return VulkanFacts(
        device="WebGPU" if core else "WebGPU, compatibility mode",
        api=(1, 1, 0),
        driver=WEBGPU,
        limits={name: row[not core] for name, row in _LIMITS.items()}
        | {name: given[name] for name in LIMITS if name in given},
        features=frozenset({"samplerAnisotropy", *filter(None, map(WEBGPU_FEATURES.get, have))}),
        extensions=frozenset({"VK_KHR_portability_subset"}),
        formats={
            row.vulkan: _masks(row, filterable=_FILTERABLE in have)
            for row in webgpu_formats().values()
            if not row.feature or row.feature in have
        },
    )


def _masks(row: WebGpuFormat, *, filterable: bool) -> FormatMasks:
    linear = row.sample_type == "float" or (row.sample_type == "unfilterable-float" and filterable)
    compared: Any = _COMPARED if row.sample_type == "depth" else 0
    return FormatMasks(0, SAMPLED_IMAGE | (FILTER_LINEAR if linear else 0) | compared)
