"""Write ``bindings/vulkan.cdef`` from the Khronos headers: the declarations we use, and what they need.

``python tools/codegen/make_vulkan_cdef.py [--check] [FOLDER]``; FOLDER holds ``vulkan_core.h`` and ``vulkan_beta.h``
(Debian: libvulkan-dev). Chosen are commands and the structs that hang on chains, below; everything else follows from
them. Left out of what is chosen: enumerants that are only another name, structure types of structs that are not
chosen, and what only host allocators and object names need. Exit codes: 0 written or equal, 1 with ``--check`` it
would change, 2 there are no headers.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Final

HEADERS: Final = Path("/usr/include/vulkan")
TARGET: Final = Path(__file__).resolve().parents[2] / "bindings" / "vulkan.cdef"

COMMANDS: Final = """
    vkGetInstanceProcAddr vkGetDeviceProcAddr vkCreateInstance vkDestroyInstance vkEnumerateInstanceVersion
    vkEnumerateInstanceLayerProperties vkEnumerateInstanceExtensionProperties
    vkCreateDebugUtilsMessengerEXT vkDestroyDebugUtilsMessengerEXT
    vkEnumeratePhysicalDevices vkEnumerateDeviceExtensionProperties
    vkGetPhysicalDeviceProperties vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceFeatures
    vkGetPhysicalDeviceFeatures2 vkGetPhysicalDeviceFormatProperties vkGetPhysicalDeviceFormatProperties2
    vkGetPhysicalDeviceQueueFamilyProperties vkGetPhysicalDeviceMemoryProperties
    vkGetPhysicalDeviceImageFormatProperties
    vkCreateDevice vkDestroyDevice vkDeviceWaitIdle vkGetDeviceQueue vkQueueSubmit vkQueueWaitIdle
    vkCreateSampler vkDestroySampler
    vkAllocateMemory vkFreeMemory vkMapMemory vkUnmapMemory
    vkCreateBuffer vkDestroyBuffer vkGetBufferMemoryRequirements vkBindBufferMemory
    vkCreateBufferView vkDestroyBufferView
    vkCreateImage vkDestroyImage vkGetImageMemoryRequirements vkBindImageMemory vkCreateImageView vkDestroyImageView
    vkCreateShaderModule vkDestroyShaderModule
    vkCreateDescriptorSetLayout vkDestroyDescriptorSetLayout vkCreateDescriptorPool vkDestroyDescriptorPool
    vkAllocateDescriptorSets vkUpdateDescriptorSets
    vkCreatePipelineLayout vkDestroyPipelineLayout vkCreateComputePipelines vkCreateGraphicsPipelines vkDestroyPipeline
    vkCreateRenderPass vkDestroyRenderPass vkCreateFramebuffer vkDestroyFramebuffer
    vkCreateCommandPool vkDestroyCommandPool vkAllocateCommandBuffers vkBeginCommandBuffer vkEndCommandBuffer
    vkCreateFence vkDestroyFence vkWaitForFences
    vkCmdPipelineBarrier vkCmdCopyBufferToImage vkCmdCopyImageToBuffer vkCmdClearColorImage
    vkCmdBindPipeline vkCmdBindDescriptorSets vkCmdPushConstants vkCmdDispatch vkCmdBeginRenderPass vkCmdEndRenderPass
    vkCmdDraw vkCmdBindVertexBuffers vkCmdSetViewport vkCmdSetScissor
"""

#: Structs that no command names: they hang on a chain.
CHAINED: Final = """
    VkSamplerCustomBorderColorCreateInfoEXT VkSamplerReductionModeCreateInfo VkSamplerYcbcrConversionInfo
    VkSamplerBorderColorComponentMappingCreateInfoEXT VkDebugUtilsMessengerCreateInfoEXT VkFormatProperties3
    VkPhysicalDeviceVulkan11Features VkPhysicalDeviceVulkan12Features VkPhysicalDeviceVulkan13Features
    VkPhysicalDeviceVulkan11Properties VkPhysicalDeviceVulkan12Properties VkPhysicalDeviceVulkan13Properties
    VkPhysicalDevice4444FormatsFeaturesEXT VkPhysicalDeviceBorderColorSwizzleFeaturesEXT
    VkPhysicalDeviceCustomBorderColorFeaturesEXT VkPhysicalDeviceCustomBorderColorPropertiesEXT
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT VkPhysicalDevicePortabilitySubsetFeaturesKHR
    VkPhysicalDeviceSamplerYcbcrConversionFeatures VkPhysicalDeviceTextureCompressionASTCHDRFeatures
    VkPhysicalDeviceSamplerFilterMinmaxProperties VkPhysicalDeviceDriverProperties
    VkPhysicalDeviceSynchronization2Features VkPhysicalDeviceRobustness2FeaturesEXT
    VkPhysicalDeviceImage2DViewOf3DFeaturesEXT
    VkImageViewUsageCreateInfo VkImageStencilUsageCreateInfo
"""

#: Needed by nothing of ours; their pointers become ``void *``.
OPAQUE: Final = ("VkAllocationCallbacks", "VkDebugUtilsLabelEXT", "VkDebugUtilsObjectNameInfoEXT")

HEAD: Final = """\
/* Declarations of the Vulkan API, read by bindings/libraries.py.
 * Written by tools/codegen/make_vulkan_cdef.py; do not edit.
 *
 * Taken from vulkan_core.h and vulkan_beta.h, header version {version}:
 * Copyright 2015-2022 The Khronos Group Inc.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Handles that are no pointers everywhere are uint64_t here, and the 64-bit flags are an enum.
 */
"""

_DECLARATION: Final = re.compile(
    r"^typedef (?:enum|struct|union) (?P<body>\w+) \{.*?^\} (?P=body);"
    r"|^typedef \w[\w ]*?(?P<plain>\w+);"
    r"|^typedef [\w *]+\(VKAPI_PTR \*(?P<pointer>\w+)\)\(.*?\);"
    r"|^(?P<kind>VK_DEFINE_(?:NON_DISPATCHABLE_)?HANDLE)\((?P<handle>\w+)\)"
    r"|^#define (?P<define>VK_[A-Z_]+_SIZE|VK_MAX_\w+) +\d+U?",
    re.DOTALL | re.MULTILINE,
)
_BITS64: Final = re.compile(r"^static const (\w+) (\w+_BIT) = (0x[0-9A-Fa-f]+)ULL;", re.MULTILINE)
_ENUMERANT: Final = re.compile(r"^ +(VK_\w+) = (\S+?),?$", re.MULTILINE)


def declarations(header: str) -> dict[str, str]:
    """Name -> declaration as a C parser without a preprocessor takes it, in the header's order."""
    declared: dict[str, str] = {}
    for match in _DECLARATION.finditer(header):
        name = next(match[group] for group in ("body", "plain", "pointer", "handle", "define") if match[group])
        text = match[0]
        if match["kind"]:
            kind = "struct " + name + "_T *" if match["kind"] == "VK_DEFINE_HANDLE" else "uint64_t "
            text = f"typedef {kind}{name};"
        declared[name] = _plain(text)
    for kind in {match[1] for match in _BITS64.finditer(header)}:
        rows = [f"    {bit} = {value}" for owner, bit, value in _BITS64.findall(header) if owner == kind]
        declared[kind] = f"typedef enum {kind} {{\n" + ",\n".join(rows) + f"\n}} {kind};"
    return declared


def _plain(text: str) -> str:
    text = re.sub(r"//.*$|VKAPI_PTR ", "", text, flags=re.MULTILINE)
    text = re.sub(rf"\b(?:{'|'.join(OPAQUE)})\b", "void", text)
    text = re.sub(r"(\d)U\b", r"\1", text)
    if text.startswith("typedef enum"):
        rows = [(name, value) for name, value in _ENUMERANT.findall(text) if not value.startswith("VK_")]
        head, tail = text.split("\n", 1)[0], text.rsplit("\n", 1)[1]
        text = head + "\n" + ",\n".join(f"    {name} = {value}" for name, value in rows) + "\n" + tail
    return text


def closure(declared: dict[str, str]) -> set[str]:
    """Find what is chosen and what it needs; for flags, their bits too."""
    todo = [f"PFN_{command}" for command in COMMANDS.split()] + CHAINED.split()
    chosen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in chosen:
            continue
        chosen.add(name)
        todo += [word for word in re.findall(r"\w+", declared[name]) if word in declared]
        todo += [bits for bits in (re.sub(r"Flags(?=\d?[A-Z]*$)", "FlagBits", name),) if bits in declared]
    return chosen


def _structure_types(text: str, chosen: set[str]) -> str:
    """Keep the structure types of structs that are chosen."""
    wanted = {name.removeprefix("Vk").lower() for name in chosen}
    head, *rows, tail = text.split("\n")
    kept = [
        row
        for row in rows
        if "MAX_ENUM" in row or re.sub(r".*VK_STRUCTURE_TYPE_(\w+) = .*", r"\1", row).replace("_", "").lower() in wanted
    ]
    return "\n".join((head, *kept, tail))


def rendered(folder: Path) -> str:
    """Return the text of the file."""
    header = "\n".join((folder / name).read_text(encoding="utf-8") for name in ("vulkan_core.h", "vulkan_beta.h"))
    declared = declarations(header)
    chosen = closure(declared)
    declared["VkStructureType"] = _structure_types(declared["VkStructureType"], chosen)
    version = re.search(r"#define VK_HEADER_VERSION (\d+)", header)
    minor = re.search(r"VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION\(0, (\d+), (\d+)", header)
    number = f"{minor[1]}.{minor[2]}.{version[1]}" if version and minor else "unknown"
    parts = [HEAD.format(version=number), *(text for name, text in declared.items() if name in chosen)]
    parts.append("PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char* pName);")
    return "\n".join(parts) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Write or check the file."""
    parser = argparse.ArgumentParser(description="Write bindings/vulkan.cdef from the Khronos headers.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file would change")
    parser.add_argument("folder", nargs="?", type=Path, default=HEADERS)
    options = parser.parse_args(argv)
    try:
        text = rendered(options.folder)
    except OSError as error:
        sys.stderr.write(f"{error}\nDebian, Ubuntu: apt-get install libvulkan-dev\n")
        return 2
    if options.check:
        return int(text != TARGET.read_text(encoding="utf-8"))
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
