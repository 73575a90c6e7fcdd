"""Vulkan of this machine, and every way in which it may not be there."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.bindings import vulkan
from statetracker.bindings.vulkan_physical import version
from statetracker.errors import (
    ArgumentError,
    CallFailed,
    DeviceLost,
    InvalidCallOrder,
    LibraryMissing,
    NoDevice,
    UnknownName,
    WrongLibrary,
)
from tests.bindings.vulkan_infos import custom_info, plain_info
from tests.vulkan.on_driver import BOTH, on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VARIABLE = vulkan.VULKAN.variable
DRIVERS = ("VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES")


@pytest.fixture(params=BOTH)
def instance(request: pytest.FixtureRequest) -> Iterator[vulkan.Instance]:
    with on(request.param), vulkan.Instance() as opened:
        yield opened


@pytest.fixture
def device(instance: vulkan.Instance) -> Iterator[vulkan.Device]:
    with vulkan.Device(instance.device()) as opened:
        yield opened


# What may be missing. None of these needs Vulkan.


def test_a_library_without_the_first_function_is_not_vulkan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "libm.so.6")
    with pytest.raises(WrongLibrary, match=r"libm\.so\.6 has no vkGetInstanceProcAddr") as caught:
        vulkan.Instance()
    assert VARIABLE in caught.value.hint
    assert not vulkan.available()


def test_a_library_that_is_not_there_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(LibraryMissing) as caught:
        vulkan.Instance(library="/nowhere/libvulkan.so.1")
    assert caught.value.package == "libvulkan1"
    assert caught.value.tried == ("/nowhere/libvulkan.so.1",)


def test_the_argument_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "libm.so.6")
    with pytest.raises(LibraryMissing, match="/nowhere"):
        vulkan.Instance(library="/nowhere/libvulkan.so.1")


@pytest.mark.live("vulkan")
@pytest.mark.usefixtures("instance")
def test_a_library_without_drivers_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in DRIVERS:
        monkeypatch.setenv(variable, str(tmp_path / "none.json"))
    reason = vulkan.available().reason
    assert "mesa-vulkan-drivers" in reason
    assert "VK_ICD_FILENAMES" in reason
    with pytest.raises(NoDevice):
        vulkan.report()


def test_a_version_is_taken_apart() -> None:
    assert version(4206822) == (1, 3, 230)


# What is there


@pytest.mark.live("vulkan")
def test_available_is_true_and_has_no_reason(instance: vulkan.Instance) -> None:
    assert vulkan.available()
    assert vulkan.available().reason == ""
    assert instance.device().name


@pytest.mark.live("vulkan")
def test_a_device_is_chosen_by_a_part_of_its_name_or_by_number(instance: vulkan.Instance) -> None:
    first = instance.devices()[0]
    assert instance.device(first.name[:5].upper()).name == first.name
    with pytest.raises(NoDevice, match=first.name[:8]):
        instance.device("no such")
    for choice in (99, None, 0.5):
        with pytest.raises(NoDevice):
            instance.device(choice)  # type: ignore[arg-type]


@pytest.mark.live("vulkan")
def test_features_properties_and_formats_are_plain_data(instance: vulkan.Instance) -> None:
    physical = instance.device()
    features, properties, formats = physical.features(), physical.properties(), physical.formats()
    assert isinstance(features["VkPhysicalDeviceFeatures"]["samplerAnisotropy"], bool)
    limits = properties["VkPhysicalDeviceProperties"]["limits"]
    assert limits["maxSamplerLodBias"] >= 2
    assert limits["maxSamplerAllocationCount"] >= 4000
    assert formats["VK_FORMAT_R8G8B8A8_UNORM"]["VkFormatProperties"]["optimalTilingFeatures"] & 0x1001 == 0x1001


@pytest.mark.live("vulkan")
def test_wide_masks_say_what_narrow_ones_cannot(instance: vulkan.Instance) -> None:
    physical = instance.device()
    if not physical.has((1, 3), "VK_KHR_format_feature_flags2"):
        pytest.skip("the device has no 64-bit format masks")
    depth = physical.formats()["VK_FORMAT_D16_UNORM"]
    wide, narrow = (depth[s]["optimalTilingFeatures"] for s in ("VkFormatProperties3", "VkFormatProperties"))
    assert wide & 0x2_0000_0000
    assert narrow < 1 << 32
    assert wide & narrow == narrow


@pytest.mark.live("vulkan")
def test_an_old_instance_asks_without_chains(instance: vulkan.Instance) -> None:
    new = instance.device().features()
    with vulkan.Instance(api=(1, 0)) as old:
        physical = old.device()
        assert physical.features() == {"VkPhysicalDeviceFeatures": new["VkPhysicalDeviceFeatures"]}
        assert list(physical.properties()) == ["VkPhysicalDeviceProperties"]
        assert all(list(parts) == ["VkFormatProperties"] for parts in physical.formats().values())
        with vulkan.Device(physical, extensions=()) as device:
            device.create_sampler(plain_info())


@pytest.mark.live("vulkan")
def test_samplers_are_made_counted_and_destroyed(device: vulkan.Device) -> None:
    handles = [device.create_sampler(plain_info(maxLod=float(n))) for n in range(10)]
    assert len(set(handles)) == 10
    for handle in handles[:4]:
        device.destroy_sampler(handle)
    assert (device.live("VkSampler"), device.created["VkSampler"], device.destroyed["VkSampler"]) == (6, 10, 4)
    device.close()
    assert (device.live("VkSampler"), device.destroyed["VkSampler"]) == (0, 10)


@pytest.mark.live("vulkan")
def test_a_sampler_is_destroyed_once(device: vulkan.Device) -> None:
    handle = device.create_sampler(plain_info())
    device.destroy_sampler(handle)
    with pytest.raises(ArgumentError, match="one of the 0 that exist"):
        device.destroy_sampler(handle)


@pytest.mark.live("vulkan")
def test_after_close_nothing_reaches_the_driver(instance: vulkan.Instance) -> None:
    physical = instance.device()
    device = vulkan.Device(physical)
    with pytest.raises(InvalidCallOrder, match="1 devices are open"):
        instance.close()
    device.close()
    device.close()
    with pytest.raises(InvalidCallOrder, match="closed"):
        device.create_sampler(plain_info())
    instance.close()
    for ask in (instance.devices, physical.features, physical.formats, physical.queue_families):
        with pytest.raises(InvalidCallOrder, match="closed"):
            ask()


@pytest.mark.live("vulkan")
def test_a_chain_survives_the_collector(device: vulkan.Device) -> None:
    gc.collect()
    for _ in range(200):
        device.destroy_sampler(device.create_sampler(custom_info()))
    assert device.live("VkSampler") == 0


@pytest.mark.live("vulkan")
def test_a_lost_device_says_so_at_once_from_then_on(device: vulkan.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver's answer is put in its place: no driver here loses a device on demand."""
    kept = device.create_sampler(plain_info())
    real = device._functions["VkSampler"]
    lost = (real[0], lambda *_: -4, *real[2:])
    monkeypatch.setitem(device._functions, "VkSampler", lost)
    with pytest.raises(DeviceLost, match=r"VK_ERROR_DEVICE_LOST\. Close this device"):
        device.create_sampler(plain_info())
    monkeypatch.setitem(device._functions, "VkSampler", real)
    assert device.lost
    with pytest.raises(DeviceLost):
        device.create_sampler(plain_info())
    device.destroy_sampler(kept)
    assert device.live("VkSampler") == 0


@pytest.mark.live("vulkan")
def test_an_extension_that_is_not_there_is_refused(instance: vulkan.Instance) -> None:
    with pytest.raises(CallFailed, match="VK_ERROR_EXTENSION_NOT_PRESENT"):
        vulkan.Device(instance.device(), extensions=("VK_EXT_nothing",))


# The validation layer


@pytest.fixture
def messages() -> vulkan.Messages:
    return vulkan.Messages()


def test_kinds_of_message_are_words_that_there_are() -> None:
    with pytest.raises(UnknownName, match="severities: 'errors' is not known; accepted: error, warning, info, verbose"):
        vulkan.Messages(("errors",))


@pytest.mark.live("validation")
def test_the_layer_names_every_rule_and_stops_the_call(messages: vulkan.Messages) -> None:
    with (
        vulkan.Instance(validation=True, messages=messages) as instance,
        vulkan.Device(instance.device()) as device,
    ):
        device.create_sampler(plain_info())
        assert messages.take() == []
        with pytest.raises(CallFailed, match="VK_ERROR_VALIDATION_FAILED_EXT"):
            device.create_sampler(plain_info(maxLod=-1.0, mipLodBias=1e9))
        assert {message.name for message in messages.take()} == {
            "VUID-VkSamplerCreateInfo-maxLod-01973",
            "VUID-VkSamplerCreateInfo-mipLodBias-01069",
        }
        assert device.live("VkSampler") == 1


@pytest.mark.live("validation")
def test_a_custom_colour_without_its_struct_does_not_reach_the_driver(messages: vulkan.Messages) -> None:
    """The lavapipe of Mesa 22.3 would crash."""
    bad: dict[str, Any] = custom_info() | {"pNext": None}
    with (
        vulkan.Instance(validation=True, messages=messages) as instance,
        vulkan.Device(instance.device()) as device,
        pytest.raises(CallFailed, match="VK_ERROR_VALIDATION_FAILED_EXT"),
    ):
        device.create_sampler(bad)
    assert [m.name for m in messages.heard] == ["VUID-VkSamplerCreateInfo-borderColor-04011"]
    assert "custom" in messages.heard[0].text.lower()


@pytest.mark.live("vulkan")
@pytest.mark.usefixtures("instance")
def test_a_missing_validation_layer_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VK_LAYER_PATH", str(tmp_path))
    there = vulkan.available(validation=True)
    assert not there
    assert "apt-get install vulkan-validationlayers" in there.reason
