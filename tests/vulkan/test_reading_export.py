"""Create infos for others: C memory, ctypes, objects of the `vulkan` package."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, MissingExtra
from statetracker.vulkan import SamplerCreateInfo, c_struct, pyvulkan_struct
from tests.bindings.vulkan_infos import custom_info

ZINK = st.Screen.named("zink-lavapipe")
COLOUR = (1.0, 0.5, 0.25, 1.0)


def bordered() -> SamplerCreateInfo:
    sampler = st.Sampler(wrap="clamp-to-border", border_color=COLOUR, max_anisotropy=4.0, min_lod=1.5)
    return st.convert(sampler, st.Texture("2d", "RGBA8"), ZINK).vulkan


class VkSamplerCreateInfo(ctypes.Structure):
    """As a host that uses ctypes writes it down."""

    _fields_ = (
        *(("sType", ctypes.c_int32), ("pNext", ctypes.c_void_p)),
        *((name, ctypes.c_uint32) for name in ("flags", "magFilter", "minFilter", "mipmapMode", "u", "v", "w")),
        *(("mipLodBias", ctypes.c_float), ("anisotropyEnable", ctypes.c_uint32), ("maxAnisotropy", ctypes.c_float)),
        *(("compareEnable", ctypes.c_uint32), ("compareOp", ctypes.c_uint32)),
        *(("minLod", ctypes.c_float), ("maxLod", ctypes.c_float), ("borderColor", ctypes.c_uint32)),
        ("unnormalizedCoordinates", ctypes.c_uint32),
    )


class Custom(ctypes.Structure):
    """VkSamplerCustomBorderColorCreateInfoEXT."""

    _fields_ = (
        *(("sType", ctypes.c_int32), ("pNext", ctypes.c_void_p)),
        *(("customBorderColor", ctypes.c_float * 4), ("format", ctypes.c_uint32)),
    )


def test_ctypes_reads_an_info_and_its_chain_at_the_address() -> None:
    made = c_struct(bordered())
    gc.collect()
    _later = [c_struct(custom_info()) for _ in range(50)]  # who would take memory that was given up
    for seen in (VkSamplerCreateInfo.from_address(made.address), VkSamplerCreateInfo.from_buffer_copy(bytes(made))):
        assert (seen.u, seen.maxAnisotropy, seen.minLod, seen.borderColor) == (3, 4.0, 1.5, 1000287003)
        chained = Custom.from_address(seen.pNext)
        assert tuple(chained.customBorderColor) == COLOUR
    assert ctypes.sizeof(VkSamplerCreateInfo) == len(bytes(made))


def test_an_image_view_is_written_the_same_way() -> None:
    view = st.convert(None, st.Texture("cube-map", "ALPHA8", (8, 8)), ZINK).view.vulkan
    made = c_struct({**view, "image": 0x1234}).pointer
    assert (made.image, made.viewType, made.subresourceRange.layerCount) == (0x1234, 3, 6)
    assert (made.components.r, made.components.a) == (1, 3 if view["format"].count("8") == 1 else 6)


@pytest.mark.parametrize("info", [{"maxLod": 1.0}, None, 5])
def test_what_has_no_structure_type_is_no_info(info: Any) -> None:
    with pytest.raises(ArgumentError, match="a create info with its sType"):
        c_struct(info)


def test_without_the_package_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vulkan", None)
    with pytest.raises(MissingExtra, match=r"pip install vulkan$"):
        pyvulkan_struct(bordered())


@pytest.mark.live("pyvulkan")
def test_the_package_has_its_own_struct_with_the_chain() -> None:
    import vulkan as vk

    info = bordered()
    made = pyvulkan_struct(info)
    gc.collect()
    assert vk.ffi.typeof(made) is vk.ffi.typeof("VkSamplerCreateInfo")
    assert made.addressModeU == vk.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
    assert made.maxAnisotropy == info["maxAnisotropy"]
    chained = vk.ffi.cast("VkSamplerCustomBorderColorCreateInfoEXT *", made.pNext)
    assert chained.sType == vk.VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT
    assert tuple(chained.customBorderColor.float32) == COLOUR
    plain = pyvulkan_struct(st.convert(None, st.Texture("2d", "RGBA8"), ZINK).vulkan)
    assert plain.pNext == vk.ffi.NULL
