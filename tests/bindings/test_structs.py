"""Plain data to C structs and back; no library is needed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.bindings.libraries import definitions
from statetracker.bindings.structs import Structs
from statetracker.errors import ArgumentError, UnknownName
from tests.bindings.vulkan_infos import custom_info, plain_info

VULKAN = definitions()
STRUCTS = Structs(VULKAN)
INFO = "VkSamplerCreateInfo"


def made(struct: str, data: dict[str, Any]) -> tuple[Any, list[Any]]:
    keep: list[Any] = []
    return STRUCTS.new(struct, data, keep), keep


def test_the_members_lie_where_the_header_has_them() -> None:
    """Against offsets counted by hand from the C rules of a 64-bit machine."""
    offsets = {"sType": 0, "pNext": 8, "flags": 16, "magFilter": 20, "mipmapMode": 28, "addressModeW": 40}
    offsets |= {"mipLodBias": 44, "maxAnisotropy": 52, "compareOp": 60, "maxLod": 68, "unnormalizedCoordinates": 76}
    fields = dict(VULKAN.ffi.typeof(INFO).fields)
    assert {name: fields[name].offset for name in offsets} == offsets
    assert VULKAN.ffi.sizeof(INFO) == 80


def test_raw_words_of_a_sampler_are_what_the_names_say() -> None:
    sampler, keep = made(INFO, plain_info(addressModeU="VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT", compareEnable=True))
    words = VULKAN.ffi.cast("uint32_t *", sampler)
    assert [words[n] for n in (0, 5, 6, 7, 8, 9, 14, 18)] == [31, 1, 0, 1, 1, 2, 1, 4]
    assert len(keep) == 1


def test_an_info_read_back_is_the_info() -> None:
    sampler, _ = made(INFO, plain_info())
    expected = {name: value for name, value in plain_info().items() if name not in ("sType", "pNext")}
    assert STRUCTS.plain(INFO, sampler) == expected | {"flags": []}


def test_a_chain_hangs_in_the_order_given() -> None:
    sampler, keep = made(INFO, custom_info())
    custom = VULKAN.ffi.cast("VkSamplerCustomBorderColorCreateInfoEXT *", sampler.pNext)
    reduction = VULKAN.ffi.cast("VkSamplerReductionModeCreateInfo *", custom.pNext)
    assert list(custom.customBorderColor.float32) == [1.0, 0.5, 0.0, 1.0]
    assert (reduction.sType, reduction.reductionMode, reduction.pNext) == (1000130001, 2, VULKAN.ffi.NULL)
    assert len(keep) == 3, "the owners of all three live as long as the caller's list"


def test_the_last_member_of_a_union_decides() -> None:
    color: dict[str, list[float]] = {"float32": [1.0, 0.0, 0.0, 0.0], "uint32": [7, 8, 9, 0xFFFFFFFF]}
    sampler, _keep = made(INFO, custom_info(color))
    custom = VULKAN.ffi.cast("VkSamplerCustomBorderColorCreateInfoEXT *", sampler.pNext)
    assert list(custom.customBorderColor.uint32) == [7, 8, 9, 0xFFFFFFFF]


def test_masks_take_numbers_and_names() -> None:
    bit = "VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT"
    for value in (4, [bit], bit):
        sampler, _ = made(INFO, plain_info(flags=value))
        assert sampler.flags == 4
        assert STRUCTS.plain(INFO, sampler)["flags"] == [bit]


def test_undefined_numbers_of_enums_pass_as_they_are() -> None:
    """A checker is tested with what no program should say."""
    sampler, _ = made(INFO, plain_info(magFilter=77, sType=0x7FFFFFFF))
    assert (sampler.magFilter, sampler.sType) == (77, 0x7FFFFFFF)
    assert STRUCTS.plain(INFO, sampler)["magFilter"] == 77


@given(some.floats(width=32), some.integers(0, 7))
def test_floats_and_enums_come_back(bias: float, compare: int) -> None:
    sampler, _ = made(INFO, plain_info(mipLodBias=bias, compareOp=compare))
    plain = STRUCTS.plain(INFO, sampler)
    assert plain["mipLodBias"] == bias or (bias != bias and plain["mipLodBias"] != plain["mipLodBias"])  # noqa: PLR0124
    assert VULKAN.values("VkCompareOp")[plain["compareOp"]] == compare


_MAPPING = "VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT"
_ENDLESS: dict[str, object] = {"sType": "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO"}
_ENDLESS["pNext"] = _ENDLESS


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"magFilter": "VK_FILTER_LINEAER"}, UnknownName, "VK_FILTER_LINEAR"),
        ({"magfilter": 1}, UnknownName, "member of VkSamplerCreateInfo: 'magfilter'"),
        ({"maxLod": "8"}, ArgumentError, "VkSamplerCreateInfo.maxLod='8'"),
        ({"flags": -1}, ArgumentError, "VkSamplerCreateInfo.flags=-1"),
        ({"magFilter": 1 << 40}, ArgumentError, "VkSamplerCreateInfo.magFilter"),
        ({"pNext": {"sType": "VK_STRUCTURE_TYPE_NOTHING"}}, UnknownName, "sType: 'VK_STRUCTURE_TYPE_NOTHING'"),
        ({"pNext": {"flags": 1}}, ArgumentError, "its sType by name"),
        ({"pNext": 12}, ArgumentError, "pNext=12"),
        ({"pNext": {"sType": 31}}, ArgumentError, "its sType by name"),
        ({"pNext": {"sType": _MAPPING, "components": "RGBA"}}, ArgumentError, "accepted: a mapping of its members"),
        ({"pNext": _ENDLESS}, ArgumentError, "VkSamplerReductionModeCreateInfo.pNext"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(
    change: dict[str, object], error: type[ArgumentError], words: str
) -> None:
    with pytest.raises(error) as caught:
        made(INFO, plain_info(**change))
    assert words in str(caught.value)


def test_every_struct_on_a_chain_has_its_structure_type() -> None:
    typed = [name for name, members in VULKAN.members.items() if "sType" in members]
    assert len(typed) > 60
    assert [name for name in typed if STRUCTS.structure_type(name) is None] == []
    assert [name for name in typed if STRUCTS.struct_of(str(STRUCTS.structure_type(name))) != name] == []


def test_arrays_texts_and_counts_are_written() -> None:
    data = {"enabledExtensionCount": 2, "ppEnabledExtensionNames": ["VK_A", "VK_B"], "pQueueCreateInfos": [{}, {}]}
    device, _keep = made("VkDeviceCreateInfo", data)
    assert VULKAN.ffi.string(device.ppEnabledExtensionNames[1]) == b"VK_B"
    assert (
        device.pQueueCreateInfos[1].sType
        == VULKAN.values("VkStructureType")["VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO"]
    )


def test_64_bit_masks_have_names_above_bit_31() -> None:
    assert STRUCTS.names_of(0x2_0000_1001, "VkFormatFeatureFlagBits2") == [
        "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT",
        "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT",
        "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT",
    ]
