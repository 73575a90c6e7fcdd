"""The driver over a stand-in device: creates, binds, deletes, and what it says of the device."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.cso import CsoContext
from statetracker.errors import CallFailed, DeviceLost
from statetracker.vulkan import SamplerCreateInfo
from statetracker.webgpu import WgpuDriver, screen_of
from statetracker.webgpu import driver as driver_module


class Device:
    """As much of wgpu-py's device as is called."""

    def __init__(self, *features: str, **limits: int) -> None:
        self.features = set(features)
        self.limits = {"max-texture-dimension-2d": 8192} | limits
        self.made: list[dict[str, Any]] = []

    def create_sampler(self, **members: Any) -> str:
        self.made.append(members)
        return f"sampler {len(self.made)}"


def test_a_cache_makes_each_sampler_once_and_binds_its_handles() -> None:
    device = Device()
    driver = WgpuDriver(device)
    context = CsoContext(driver)
    for wrap in ("REPEAT", "CLAMP_TO_EDGE", "REPEAT"):
        context.set_samplers("fragment", [st.SamplerState(wrap_s=wrap), st.SamplerState()])
    assert [one["address_mode_u"] for one in device.made] == ["repeat", "clamp-to-edge"]
    assert [handle and handle.sampler for handle in driver.bound["fragment"]] == ["sampler 1", "sampler 1"]
    assert driver.live == 2
    context.unbind()
    context.destroy()
    assert driver.live == 0


def test_a_handle_has_what_the_shader_must_do() -> None:
    handle = WgpuDriver(Device()).create_sampler_state(bytes(st.SamplerState(wrap_s="CLAMP", lod_bias=2.0)))
    assert isinstance(handle.info, SamplerCreateInfo)
    assert handle.lowering == handle.descriptor.lowering
    assert handle.lowering.half_border == "s"
    assert handle.lowering_values.rest == 2.0
    driver = WgpuDriver(Device())
    driver.delete_sampler_state(handle)
    assert handle.sampler is None


def test_the_tracker_gives_the_shaders_share_of_a_slot() -> None:
    driver = WgpuDriver(Device())
    tracker = st.StateTracker(driver.screen, driver)
    linear: dict[str, Any] = {"min_filter": "linear", "mag_filter": "linear"}
    for members, name, work in (
        (dict[str, Any](wrap="clamp-to-border"), "RGBA8", ["border str, by edge"]),
        (linear | {"compare_mode": "compare-ref-to-texture"}, "DEPTH_COMPONENT24", []),
        (linear, "RGBA32F", ["filter texels"]),
    ):
        bound = tracker.bind("fragment", {0: (st.Sampler(**members), st.Texture("2d", name))})
        assert [str(one) for one in bound.lowerings.values()] == work


def test_the_screen_has_the_devices_features_and_limits() -> None:
    device = Device("float32-filterable", "timestamp-query", "texture-format16bit-norm")
    screen = screen_of(device)
    assert screen.filters("R32_FLOAT", "R32_FLOAT")
    assert screen.filters("R16_UNORM", "R16_UNORM")
    assert not screen_of(Device()).filters("R16_UNORM", "R16_UNORM")
    assert screen_of(Device(**{"max-texture-dimension-2d": 2048})).max_texture_size == 2048
    assert screen.vulkan is not None
    assert "imageCubeArray" in screen.vulkan.features
    compatible = screen_of(Device("core-features-and-limits"), compatibility=True)
    assert compatible.vulkan is not None
    assert "imageCubeArray" not in compatible.vulkan.features


def test_a_broken_descriptor_does_not_reach_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device()
    monkeypatch.setattr(driver_module, "descriptor", lambda *_: {"lod_min_clamp": -1.0})
    with pytest.raises(CallFailed, match=r"createSampler answered lod-min: lod_min_clamp is -1.0"):
        WgpuDriver(device).create_sampler_state(b"")
    assert device.made == []


#: What wgpu-py 0.32 raises, of a class of its own: on a device that was destroyed, or that its driver lost.
LOST = "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateSampler\n    Parent device is lost"
BUSY = "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateSampler\n    Too many samplers: 4000 of 4000"


def refusing(message: str) -> WgpuDriver:
    """A driver that has made one sampler, and makes no other."""
    driver = WgpuDriver(Device())
    driver.create_sampler_state(bytes(st.SamplerState()))

    def create_sampler(**_members: Any) -> str:
        raise RuntimeError(message)

    driver.device.create_sampler = create_sampler
    return driver


@pytest.mark.parametrize("message", [LOST, "The WGPU device was lost (destroyed)", "Device lost"])
def test_a_lost_device_is_known_by_wgpus_own_error(message: str) -> None:
    driver = refusing(message)
    with pytest.raises(DeviceLost, match="lost") as caught:
        driver.create_sampler_state(bytes(st.SamplerState()))
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_another_error_of_wgpu_is_no_loss() -> None:
    driver = refusing(BUSY)
    with pytest.raises(RuntimeError, match="Too many samplers"):
        driver.create_sampler_state(bytes(st.SamplerState()))
    assert driver.live == 1
