"""The VkFormat that stands for a pipe format, as zink chooses it on a given device.

`table` is for a device that has everything; `vulkan_format` replaces what a device lacks. View swizzles are not here.
Source: docs/vulkan_screens.md (Mesa 22.3, zink over lavapipe, recorded live).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from statetracker.caps.facts import PROMISED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.caps.facts import VulkanFacts

_NUMBERS: Final = ("UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT")
_NORMAL: Final = ("UNORM", "SNORM")
_PURE: Final = ("UINT", "SINT")

# fmt: off
#: Channels whose name is the same in Vulkan, and the kinds they come in. FLOAT is SFLOAT there.
_SAME: Final[Mapping[str, tuple[str, ...]]] = {
    "R8":           (*_NUMBERS, "SRGB"),
    "R8G8":         (*_NUMBERS, "SRGB"),
    "R8G8B8":       (*_NUMBERS, "SRGB"),
    "B8G8R8":       (*_NUMBERS, "SRGB"),
    "R8G8B8A8":     _NUMBERS,                  # not SRGB: see below
    "B8G8R8A8":     (*_NUMBERS, "SRGB"),
    "R16":          (*_NUMBERS, "FLOAT"),
    "R16G16":       (*_NUMBERS, "FLOAT"),
    "R16G16B16":    (*_NUMBERS, "FLOAT"),
    "R16G16B16A16": (*_NUMBERS, "FLOAT"),
    "R32":          (*_PURE, "FLOAT"),
    "R32G32":       (*_PURE, "FLOAT"),
    "R32G32B32":    (*_PURE, "FLOAT"),
    "R32G32B32A32": (*_PURE, "FLOAT"),
}

#: One by one. Where pipe packs from the lowest bit and Vulkan from the highest, the letters are turned round.
_NAMED: Final[Mapping[str, str]] = {
    "R8G8B8A8_SRGB":        "A8B8G8R8_SRGB_PACK32",
    "A4B4G4R4_UNORM":       "R4G4B4A4_UNORM_PACK16",
    "A4R4G4B4_UNORM":       "B4G4R4A4_UNORM_PACK16",
    "B4G4R4A4_UNORM":       "A4R4G4B4_UNORM_PACK16",
    "R4G4B4A4_UNORM":       "A4B4G4R4_UNORM_PACK16",
    "B5G6R5_UNORM":         "R5G6B5_UNORM_PACK16",
    "R5G6B5_UNORM":         "B5G6R5_UNORM_PACK16",
    "A1B5G5R5_UNORM":       "R5G5B5A1_UNORM_PACK16",
    "A1R5G5B5_UNORM":       "B5G5R5A1_UNORM_PACK16",
    "B5G5R5A1_UNORM":       "A1R5G5B5_UNORM_PACK16",
    "R4A4_UNORM":           "R4G4_UNORM_PACK8",
    "R11G11B10_FLOAT":      "B10G11R11_UFLOAT_PACK32",
    "R9G9B9E5_FLOAT":       "E5B9G9R9_UFLOAT_PACK32",
    "Z16_UNORM":            "D16_UNORM",
    "Z24X8_UNORM":          "X8_D24_UNORM_PACK32",
    "Z32_FLOAT":            "D32_SFLOAT",
    "Z16_UNORM_S8_UINT":    "D16_UNORM_S8_UINT",
    "Z24_UNORM_S8_UINT":    "D24_UNORM_S8_UINT",
    "Z32_FLOAT_S8X24_UINT": "D32_SFLOAT_S8_UINT",
    "X24S8_UINT":           "D24_UNORM_S8_UINT",
    "X32_S8X24_UINT":       "D32_SFLOAT_S8_UINT",
    "S8_UINT":              "S8_UINT",
    "DXT1_RGB":             "BC1_RGB_UNORM_BLOCK",
    "DXT1_RGBA":            "BC1_RGBA_UNORM_BLOCK",
    "DXT3_RGBA":            "BC2_UNORM_BLOCK",
    "DXT5_RGBA":            "BC3_UNORM_BLOCK",
    "DXT1_SRGB":            "BC1_RGB_SRGB_BLOCK",
    "DXT1_SRGBA":           "BC1_RGBA_SRGB_BLOCK",
    "DXT3_SRGBA":           "BC2_SRGB_BLOCK",
    "DXT5_SRGBA":           "BC3_SRGB_BLOCK",
    "RGTC1_UNORM":          "BC4_UNORM_BLOCK",
    "RGTC1_SNORM":          "BC4_SNORM_BLOCK",
    "RGTC2_UNORM":          "BC5_UNORM_BLOCK",
    "RGTC2_SNORM":          "BC5_SNORM_BLOCK",
    "BPTC_RGBA_UNORM":      "BC7_UNORM_BLOCK",
    "BPTC_SRGBA":           "BC7_SRGB_BLOCK",
    "BPTC_RGB_FLOAT":       "BC6H_SFLOAT_BLOCK",
    "BPTC_RGB_UFLOAT":      "BC6H_UFLOAT_BLOCK",
    "ETC1_RGB8":            "ETC2_R8G8B8_UNORM_BLOCK",
    "ETC2_RGB8":            "ETC2_R8G8B8_UNORM_BLOCK",
    "ETC2_SRGB8":           "ETC2_R8G8B8_SRGB_BLOCK",
    "ETC2_RGB8A1":          "ETC2_R8G8B8A1_UNORM_BLOCK",
    "ETC2_SRGB8A1":         "ETC2_R8G8B8A1_SRGB_BLOCK",
    "ETC2_RGBA8":           "ETC2_R8G8B8A8_UNORM_BLOCK",
    "ETC2_SRGBA8":          "ETC2_R8G8B8A8_SRGB_BLOCK",
    "ETC2_R11_UNORM":       "EAC_R11_UNORM_BLOCK",
    "ETC2_R11_SNORM":       "EAC_R11_SNORM_BLOCK",
    "ETC2_RG11_UNORM":      "EAC_R11G11_UNORM_BLOCK",
    "ETC2_RG11_SNORM":      "EAC_R11G11_SNORM_BLOCK",
}

#: Ten-bit colours: pipe's letters, Vulkan's, and the kinds that have a counterpart.
_TEN: Final = (
    ("R10G10B10A2", "A2B10G10R10", ("UNORM", "SNORM", "USCALED", "SSCALED", "UINT")),
    ("B10G10R10A2", "A2R10G10B10", _NUMBERS),
)

#: Block sizes of ASTC.
_ASTC: Final = (
    *("4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "8x8"),
    *("10x5", "10x6", "10x8", "10x10", "12x10", "12x12"),
)

#: Formats of one or two channels that Vulkan has no name for: kept as red, or red and green, of the same size.
_AS_RED: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("A", ""):  ("UNORM", "SNORM", "UINT", "SINT", "FLOAT"),
    ("L", ""):  ("UNORM", "SNORM", "UINT", "SINT", "FLOAT", "SRGB"),
    ("L", "A"): ("UNORM", "SNORM", "UINT", "SINT", "FLOAT", "SRGB"),
    ("R", "A"): ("UNORM", "SNORM", "UINT", "SINT", "FLOAT"),
}

#: Formats whose last channel is not used: kept as the twin with alpha. There are no twins of UINT.
_WITHOUT_ALPHA: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "B8G8R8X8":     ("B8G8R8A8",     ("UNORM", "SRGB")),
    "R8G8B8X8":     ("R8G8B8A8",     ("UNORM", "SNORM", "SINT", "SRGB")),
    "R16G16B16X16": ("R16G16B16A16", ("UNORM", "SNORM", "SINT", "FLOAT")),
    "R32G32B32X32": ("R32G32B32A32", ("SINT", "FLOAT")),
}

#: VkFormats that a device may lack -> what stands in.
REPLACED: Final[Mapping[str, str]] = {
    "X8_D24_UNORM_PACK32": "D32_SFLOAT",
    "D24_UNORM_S8_UINT":   "D32_SFLOAT_S8_UINT",
}

# fmt: on


@cache
def table() -> Mapping[str, str]:
    """Pipe format -> VkFormat, both without prefix, on a device that has everything; others have no VkFormat."""
    formats = dict(_direct())
    for pipe, (twin, kinds) in _WITHOUT_ALPHA.items():
        formats |= {f"{pipe}_{kind}": formats[f"{twin}_{kind}"] for kind in kinds}
    for (first, second), kinds in _AS_RED.items():
        for bits in (8, 16, 32):
            red = f"R{bits}G{bits}" if second else f"R{bits}"
            pipe = f"{first}{bits}{second}{bits}" if second else f"{first}{bits}"
            formats |= {f"{pipe}_{kind}": formats[f"{red}_{kind}"] for kind in kinds if f"{red}_{kind}" in formats}
    for kind in _NORMAL:
        formats |= {f"LATC{n}_{kind}": formats[f"RGTC{n}_{kind}"] for n in (1, 2)}
    return formats


def _direct() -> Iterator[tuple[str, str]]:
    for channels, kinds in _SAME.items():
        for kind in kinds:
            yield f"{channels}_{kind}", f"{channels}_{'SFLOAT' if kind == 'FLOAT' else kind}"
    yield from _NAMED.items()
    for pipe, vulkan, kinds in _TEN:
        for kind in kinds:
            yield f"{pipe}_{kind}", f"{vulkan}_{kind}_PACK32"
    for size in _ASTC:
        yield f"ASTC_{size}", f"ASTC_{size}_UNORM_BLOCK"
        yield f"ASTC_{size}_SRGB", f"ASTC_{size}_SRGB_BLOCK"


def vulkan_format(pipe: str, facts: VulkanFacts) -> str | None:
    """Name the VkFormat, without ``VK_FORMAT_``, in which a device keeps a pipe format.

    None where there is none: no VkFormat corresponds, or a feature is missing. What is named may still be a format
    that the device cannot sample.

    Args:
        pipe: A pipe format without ``PIPE_FORMAT_``.
        facts: The device; where it reports no formats, it is taken to have all.
    """
    name = table().get(pipe)
    if name is None or facts.formats is None:
        return name
    if name in PROMISED and PROMISED[name] not in facts.features:
        return None
    if name in REPLACED and name not in facts.formats:
        return REPLACED[name]
    return name
