"""A device of a host: what it may be given as, what is known of it, and whose it stays."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.bindings import vulkan
from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_host import HostDevice, address_of, enabled_by
from statetracker.errors import ArgumentError, CallFailed, InvalidCallOrder, UnknownName
from tests.vulkan.on_driver import BOTH, on

if TYPE_CHECKING:
    from collections.abc import Iterator

CUSTOM = "VK_EXT_custom_border_color"
INFO = {"maxLod": 1.0}


def address(pointer: Any) -> int:
    return int(definitions().ffi.cast("uintptr_t", pointer))


class Own:
    """A device of our own, seen as a host's: all by number, as C, SDL or ctypes have it."""

    def __init__(self, instance: vulkan.Instance, device: vulkan.Device) -> None:
        self.instance, self.device = instance, device
        self.number = address(device.handle)
        self.loader = address(instance.calls.library.vkGetInstanceProcAddr)

    def given(self, **others: Any) -> HostDevice:
        values: dict[str, Any] = {
            "instance": address(self.instance.handle),
            "physical": address(self.device.physical.handle),
            "get_instance_proc_addr": self.loader,
            "enabled": self.device.enabled,
            "api": (1, 3),
        }
        return HostDevice(self.number, **(values | others))


@pytest.fixture(params=BOTH)
def own(request: pytest.FixtureRequest) -> Iterator[Own]:
    with on(request.param), vulkan.Instance() as instance, vulkan.Device(instance.device()) as device:
        yield Own(instance, device)


# Addresses


def test_a_handle_is_a_number_or_a_pointer_of_any_cffi_or_of_ctypes() -> None:
    import cffi

    other = cffi.FFI()
    thing = other.new("int *")
    number = int(other.cast("uintptr_t", thing))
    for value in (number, thing, thing[0:1], ctypes.c_void_p(number)):
        assert address_of("device", value) == number
    struct = other.new("struct { int a; } *")
    assert address_of("info", struct[0]) == int(other.cast("uintptr_t", struct))


@pytest.mark.parametrize("value", [0, None, -1, 1 << 64, True, "0x7f", 1.5, ctypes.c_void_p(0)])
def test_null_and_what_is_no_address_is_refused_by_its_name(value: object) -> None:
    with pytest.raises(ArgumentError, match=r"device=.* an address that is not null"):
        address_of("device", value)


def test_a_device_without_a_loader_function_says_where_one_is() -> None:
    with pytest.raises(
        ArgumentError, match=r"get_instance_proc_addr with instance.*SDL_Vulkan_GetVkGetInstanceProcAddr"
    ):
        HostDevice(1)


def test_vk_get_instance_proc_addr_needs_the_instance() -> None:
    with pytest.raises(ArgumentError, match="instance=None"):
        HostDevice(1, get_instance_proc_addr=1)


# What a create info enables


def device_info(**members: Any) -> Any:
    from statetracker.bindings.vulkan_calls import structs

    keep: list[Any] = []
    return structs().new("VkDeviceCreateInfo", members, keep), keep


def test_an_api_that_is_a_number_is_refused() -> None:
    """As VK_MAKE_VERSION makes it."""
    with pytest.raises(ArgumentError, match=r"api=4198400.*such as \(1, 1\)"):
        HostDevice(1, api=4198400)  # type: ignore[arg-type]


def test_what_a_create_info_enables_is_read_from_features_chain_and_extensions() -> None:
    chain = {
        "sType": "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES",
        "samplerMirrorClampToEdge": 1,
        "pNext": {
            "sType": "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT",
            "customBorderColors": 1,
            "pNext": None,
        },
    }
    info, _keep = device_info(
        pNext=chain,
        enabledExtensionCount=1,
        ppEnabledExtensionNames=[CUSTOM],
        pEnabledFeatures={"samplerAnisotropy": 1},
    )
    expected = {CUSTOM, "samplerMirrorClampToEdge", "customBorderColors", "samplerAnisotropy"}
    assert enabled_by(info) == enabled_by(address(info)) == expected


def test_features_may_hang_on_the_chain_and_structs_that_are_not_known_are_passed_over() -> None:
    chain = {
        "sType": "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO",
        "pNext": {
            "sType": "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2",
            "features": {"imageCubeArray": 1},
            "pNext": None,
        },
    }
    info, _keep = device_info(pNext=chain)
    assert enabled_by(info) == {"imageCubeArray"}


# Devices


def test_samplers_are_made_on_the_hosts_device_and_handles_are_numbers(own: Own) -> None:
    given = own.given()
    handle = given.create_sampler(INFO)
    assert isinstance(handle, int)
    assert given.physical is not None
    assert given.physical.name == own.device.physical.name
    assert (given.live("VkSampler"), own.device.live("VkSampler")) == (1, 0)
    given.close()
    assert (given.created["VkSampler"], given.destroyed["VkSampler"]) == (1, 1)


def test_closing_destroys_what_is_left_and_leaves_the_device_to_its_host(own: Own) -> None:
    given = own.given()
    given.create_sampler(INFO)
    given.close()
    given.close()
    with pytest.raises(InvalidCallOrder):
        given.create_sampler(INFO)
    own.device.destroy_sampler(own.device.create_sampler(INFO))  # it is there still


def test_what_the_host_made_is_not_destroyed_here(own: Own) -> None:
    theirs, given = own.device.create_sampler(INFO), own.given()
    with pytest.raises(ArgumentError, match="one of the 0"):
        given.destroy_sampler(theirs)


def test_vk_get_device_proc_addr_is_enough_to_make_samplers(own: Own) -> None:
    find = address(own.instance.calls.vkGetDeviceProcAddr)
    given = HostDevice(own.number, get_device_proc_addr=find)
    given.destroy_sampler(given.create_sampler(INFO))
    assert given.physical is None
    with pytest.raises(CallFailed, match="no such function"):
        _ = given.calls.vkCreateNothing


def test_a_feature_that_the_device_cannot_have_is_refused(own: Own) -> None:
    lacking = [name for name, there in own.device.physical.features()["VkPhysicalDeviceFeatures"].items() if not there]
    assert lacking
    with pytest.raises(ArgumentError, match=f"enabled='{lacking[0]}'.*lacks this one"):
        own.given(enabled=lacking[:1])
    with pytest.raises(UnknownName, match="VK_NO_such_extension"):
        own.given(enabled=["VK_NO_such_extension"])
    with pytest.raises(UnknownName, match="Did you mean 'customBorderColors'"):
        own.given(enabled=["customBorderColor"])


def test_features_of_extensions_need_the_api_that_the_host_wrote_its_instance_for(own: Own) -> None:
    enabled = sorted(name for name in own.device.enabled if name.startswith("customBorder"))
    assert enabled
    with pytest.raises(UnknownName, match="give the api of the host's instance"):
        own.given(enabled=enabled, api=(1, 0))
    assert own.given(enabled=enabled).enabled == frozenset(enabled)
