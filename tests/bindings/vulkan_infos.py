"""Create infos for the tests of the Vulkan bindings."""

from __future__ import annotations

from typing import Any

EDGE = "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE"
BORDER = "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER"


def plain_info(**members: object) -> dict[str, Any]:
    """A sampler that every device can make, with some members changed."""
    info: dict[str, Any] = {
        "sType": "VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO",
        "pNext": None,
        "flags": 0,
        "magFilter": "VK_FILTER_LINEAR",
        "minFilter": "VK_FILTER_NEAREST",
        "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_LINEAR",
        "addressModeU": EDGE,
        "addressModeV": EDGE,
        "addressModeW": EDGE,
        "mipLodBias": -0.5,
        "anisotropyEnable": 0,
        "maxAnisotropy": 0.0,
        "compareEnable": 0,
        "compareOp": "VK_COMPARE_OP_NEVER",
        "minLod": 0.0,
        "maxLod": 8.0,
        "borderColor": "VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE",
        "unnormalizedCoordinates": 0,
    }
    return info | members


def custom_info(color: dict[str, list[float]] | None = None) -> dict[str, Any]:
    """A sampler with a border colour of its own, and a reduction mode behind it on the chain."""
    reduction = {
        "sType": "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO",
        "pNext": None,
        "reductionMode": "VK_SAMPLER_REDUCTION_MODE_MAX",
    }
    custom = {
        "sType": "VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT",
        "pNext": reduction,
        "customBorderColor": color or {"float32": [1.0, 0.5, 0.0, 1.0]},
        "format": "VK_FORMAT_UNDEFINED",
    }
    return plain_info(
        pNext=custom, addressModeU=BORDER, addressModeV=BORDER, borderColor="VK_BORDER_COLOR_FLOAT_CUSTOM_EXT"
    )
