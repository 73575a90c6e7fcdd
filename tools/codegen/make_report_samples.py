"""Write the samples of report forms in ``tests/data/reports`` that no program of this machine prints.

``python tools/codegen/make_report_samples.py``: from the recorded ``vulkaninfo --json`` of lavapipe it makes the same
device in the forms of gpuinfo.org and of vulkaninfo before 2022. What a form cannot say (features of extensions in the
old vulkaninfo, masks beyond 32 bits in both) is left out, as the programs do.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any, Final

from statetracker.caps.vulkan_formats import feature_bits, vulkan_formats

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "reports"
SOURCE: Final = FOLDER / "vulkaninfo-1.3.239-lavapipe.json.gz"
MASKS: Final = ("linearTilingFeatures", "optimalTilingFeatures", "bufferFeatures")

#: Extensions whose features gpuinfo.org lists under ``extended``, by struct.
EXTENDED: Final = {
    "VkPhysicalDeviceCustomBorderColorFeaturesEXT": "VK_EXT_custom_border_color",
    "VkPhysicalDeviceBorderColorSwizzleFeaturesEXT": "VK_EXT_border_color_swizzle",
    "VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT": "VK_EXT_non_seamless_cube_map",
    "VkPhysicalDevice4444FormatsFeaturesEXT": "VK_EXT_4444_formats",
    "VkPhysicalDeviceCustomBorderColorPropertiesEXT": "VK_EXT_custom_border_color",
    "VkPhysicalDeviceSamplerFilterMinmaxProperties": "VK_EXT_sampler_filter_minmax",
}


def number(names: list[str]) -> int:
    """Return the mask of a list of bit names."""
    bits = feature_bits()
    return sum(bits[name.removeprefix("VK_FORMAT_FEATURE_").removesuffix("_BIT")] for name in names)


def as_numbers(struct: dict[str, Any]) -> dict[str, Any]:
    """Booleans as 0 and 1, as both forms write them."""
    return {name: int(value) if isinstance(value, bool) else value for name, value in struct.items()}


def masks_of(device: dict[str, Any], name: str) -> dict[str, int] | None:
    """Return the 32-bit masks of a format, or None for one that can do nothing."""
    structs = device["formats"].get(f"VK_FORMAT_{name}")
    return None if structs is None else {member: number(structs["VkFormatProperties"][member]) for member in MASKS}


def gpuinfo(device: dict[str, Any]) -> dict[str, Any]:
    """Return the form of a gpuinfo.org report, version 4."""
    features, properties = device["features"], device["properties"]
    core = dict(properties["VkPhysicalDeviceProperties"])
    core |= {"apiVersionText": "1.3.230", "driverVersionText": "0.0.1", "limits": as_numbers(core["limits"])}
    formats = []
    for row in vulkan_formats().values():
        if 0 < row.number < 1000000000:
            masks = masks_of(device, row.name)
            texts = {member: str(value) for member, value in (masks or dict.fromkeys(MASKS, 0)).items()}
            formats.append([row.number, {**texts, "supported": masks is not None}])
    report = {
        f"core1{n}": {
            "features": as_numbers(features[f"VkPhysicalDeviceVulkan1{n}Features"]),
            "properties": as_numbers(properties[f"VkPhysicalDeviceVulkan1{n}Properties"]),
        }
        for n in (1, 2, 3)
    }
    return report | {
        "environment": {"name": "debian", "reportversion": "4.0", "version": "12"},
        "extended": {
            "devicefeatures2": [
                {"extension": extension, "name": name, "supported": value}
                for struct, extension in EXTENDED.items()
                for name, value in features.get(struct, {}).items()
            ],
            "deviceproperties2": [
                {"extension": extension, "name": name, "value": str(value).lower()}
                for struct, extension in EXTENDED.items()
                for name, value in properties.get(struct, {}).items()
            ],
        },
        "extensions": [{"extensionName": name, "specVersion": n} for name, n in device["extensions"].items()],
        "features": as_numbers(features["VkPhysicalDeviceFeatures"]),
        "formats": formats,
        "properties": core,
    }


def devsim(device: dict[str, Any]) -> dict[str, Any]:
    """Return the form of vulkaninfo before 2022."""
    core = dict(device["properties"]["VkPhysicalDeviceProperties"])
    core["limits"] = as_numbers(core["limits"])
    numbered = [(row.number, masks_of(device, row.name)) for row in vulkan_formats().values()]
    return {
        "$schema": "https://schema.khronos.org/vulkan/devsim_1_0_0.json#",
        "comments": {"desc": "Made from vulkaninfo 1.3.239", "vulkanApiVersion": "1.3.239"},
        "ArrayOfVkLayerProperties": [],
        "VkPhysicalDeviceProperties": core,
        "ArrayOfVkExtensionProperties": [
            {"extensionName": name, "specVersion": revision} for name, revision in device["extensions"].items()
        ],
        "VkPhysicalDeviceMemoryProperties": {"memoryHeaps": [], "memoryTypes": []},
        "VkPhysicalDeviceFeatures": as_numbers(device["features"]["VkPhysicalDeviceFeatures"]),
        "ArrayOfVkFormatProperties": [{"formatID": n, **masks} for n, masks in numbered if masks is not None],
    }


def main() -> int:
    """Write both."""
    device = json.loads(gzip.decompress(SOURCE.read_bytes()))["capabilities"]["device"]
    for name, form in (("gpuinfo-form-lavapipe", gpuinfo), ("vulkaninfo-devsim-form-lavapipe", devsim)):
        data = json.dumps(form(device)).encode()
        (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(data, mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
