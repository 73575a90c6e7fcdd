"""A device that the `vulkan` package made, with the validation layer listening; wider with ``make host-vulkan``."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.vulkan import VulkanDriver, c_struct, facts_of, pyvulkan_struct, screen_of
from tests.vulkan.on_driver import BOTH, on
from tools.proofs.vulkan_live.host import WHAT, Host, bound, host

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
BORDERED = st.Sampler(wrap="clamp-to-border", border_color=(1.0, 0.5, 0.0, 1.0), max_anisotropy=8.0)
TEXTURE = st.Texture("2d", "RGBA8", (16, 16))

pytestmark = [pytest.mark.live("pyvulkan", "validation"), pytest.mark.parametrize("driver", BOTH, indirect=True)]


@pytest.fixture
def driver(request: pytest.FixtureRequest) -> Iterator[str]:
    with on(request.param):
        yield request.param


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.usefixtures("driver")
def test_two_thousand_binds_draw_no_message(what: str, whole: bool) -> None:
    binds = 100_000 if whole else 2_000
    with host(what) as one:
        seen = bound(one, binds, seed=5)
        assert one.messages.take() == []
    assert seen.messages == []
    assert seen.made == seen.destroyed > binds
    assert seen.peak <= 256


def test_the_device_is_the_one_that_the_host_made(driver: str) -> None:
    with host() as one:
        device = one.given()
        assert device.physical is not None
        assert ("SwiftShader" in device.physical.name) == (driver == "swiftshader")
        device.close()


@pytest.mark.usefixtures("driver")
def test_the_layer_listens() -> None:
    """Else its silence would say nothing: anisotropy on a device without it is a message."""
    with host("nothing") as one:
        device = one.given()
        device.create_sampler({"anisotropyEnable": 1, "maxAnisotropy": 2.0})
        device.close()
        assert [message.name for message in one.messages.take()] == ["VUID-VkSamplerCreateInfo-anisotropyEnable-01070"]


@pytest.mark.usefixtures("driver")
def test_what_the_host_left_off_is_left_to_the_shader() -> None:
    made: dict[str, Any] = {}
    for what in WHAT:
        with host(what) as one:
            made[what] = st.convert(BORDERED, TEXTURE, VulkanDriver(one.given()).screen)
    custom = {what: result.vulkan.custom_border_color is not None for what, result in made.items()}
    assert custom == {"everything": True, "anisotropy": False, "nothing": False}
    assert [made[what].lowering.border for what in WHAT] == ["", "str", "str"]
    assert [made[what].vulkan.anisotropy_enable for what in WHAT] == [True, True, False]


@pytest.mark.usefixtures("driver")
def test_the_hosts_own_calls_take_our_infos_by_all_three_ways() -> None:
    """The package's struct, cffi's pointer, and an address through ctypes; then an image's view."""
    with host() as one:
        vk, device = one.package, one.given()
        info = st.convert(BORDERED, TEXTURE, screen_of(device)).vulkan
        kept = c_struct(info)
        for given in (pyvulkan_struct(info), vk.ffi.cast("VkSamplerCreateInfo *", kept.pointer)):
            vk.vkDestroySampler(one.device, vk.vkCreateSampler(one.device, given, None), None)
        create = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(number(vk, vk.lib.vkCreateSampler))
        out = ctypes.c_uint64()
        assert create(number(vk, one.device), kept.address, None, ctypes.addressof(out)) == 0
        vk.vkDestroySampler(one.device, vk.ffi.cast("VkSampler", out.value), None)
        for texture in (TEXTURE, st.Texture("cube-map", "LUMINANCE8", (16, 16), base_level=1)):
            viewed(one, texture, screen_of(device))
        assert one.messages.take() == []


def number(vk: Any, pointer: Any) -> int:
    return int(vk.ffi.cast("uintptr_t", pointer))


def viewed(one: Host, texture: st.Texture, screen: st.Screen) -> None:
    """Make an image as our view wants it, and the view."""
    vk, view = one.package, st.convert(None, texture, screen).view.vulkan
    base = texture.base_image()
    assert base is not None
    image = vk.vkCreateImage(
        one.device,
        vk.VkImageCreateInfo(
            flags=sum(getattr(vk, flag) for flag in view.image_flags),
            imageType=vk.VK_IMAGE_TYPE_2D,
            format=getattr(vk, view.image_format or ""),
            extent=vk.VkExtent3D(16, 16, 1),
            mipLevels=5,
            arrayLayers=texture.layers,
            samples=vk.VK_SAMPLE_COUNT_1_BIT,
            usage=vk.VK_IMAGE_USAGE_SAMPLED_BIT,
        ),
        None,
    )
    wants = vk.vkGetImageMemoryRequirements(one.device, image)
    kind = wants.memoryTypeBits & -wants.memoryTypeBits
    allocate = vk.VkMemoryAllocateInfo(allocationSize=wants.size, memoryTypeIndex=kind.bit_length() - 1)
    memory = vk.vkAllocateMemory(one.device, allocate, None)
    vk.vkBindImageMemory(one.device, image, memory, 0)
    info = pyvulkan_struct({**view, "image": number(vk, image)})
    vk.vkDestroyImageView(one.device, vk.vkCreateImageView(one.device, info, None), None)
    vk.vkDestroyImage(one.device, image, None)
    vk.vkFreeMemory(one.device, memory, None)


@pytest.mark.usefixtures("driver")
def test_a_sampler_of_ours_is_the_hosts_to_bind_and_the_device_outlives_the_driver() -> None:
    with host() as one:
        ours = VulkanDriver(one.given())
        handle = ours.create_sampler_state(bytes(36))
        vk = one.package
        binding = vk.VkDescriptorSetLayoutBinding(
            binding=0,
            descriptorType=vk.VK_DESCRIPTOR_TYPE_SAMPLER,
            descriptorCount=1,
            stageFlags=vk.VK_SHADER_STAGE_FRAGMENT_BIT,
            pImmutableSamplers=[vk.ffi.cast("VkSampler", handle.sampler)],
        )
        layout = vk.vkCreateDescriptorSetLayout(
            one.device, vk.VkDescriptorSetLayoutCreateInfo(pBindings=[binding]), None
        )
        vk.vkDestroyDescriptorSetLayout(one.device, layout, None)
        ours.close()
        assert ours.live == 0
        vk.vkDestroySampler(one.device, vk.vkCreateSampler(one.device, pyvulkan_struct(handle.info), None), None)
        assert one.messages.take() == []


@pytest.mark.usefixtures("driver")
def test_a_host_that_does_not_say_what_is_enabled_is_asked_to() -> None:
    with host("nothing", validation=False) as one, pytest.raises(ArgumentError, match="Vulkan cannot be asked"):
        VulkanDriver(one.given(enabled=None))


@pytest.mark.usefixtures("driver")
def test_a_device_behind_vk_get_device_proc_addr_alone_takes_its_limits_from_the_screen() -> None:
    with host() as one:
        screen = screen_of(one.given())
        others = {"physical": None, "get_instance_proc_addr": None, "enabled": None}
        device = one.given(get_device_proc_addr=one.package.lib.vkGetDeviceProcAddr, **others)
        ours = VulkanDriver(device, screen)
        assert ours.budget == VulkanDriver(one.given()).budget
        assert ours.custom_budget == facts_of(screen).limits["maxCustomBorderColorSamplers"] or ours.budget
        assert ours.create_sampler_state(bytes(36)).sampler
        ours.close()


def test_the_example_runs_on_a_host(driver: str) -> None:
    with on(driver):
        done = subprocess.run(
            [sys.executable, "examples/host_vulkan.py"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    assert done.stdout.startswith("SwiftShader" if driver == "swiftshader" else "llvmpipe")
    assert "1 sampler" in done.stdout


@pytest.mark.live("glslangValidator")
def test_hello_draws_the_border_on_a_host(driver: str, tmp_path: Path) -> None:
    with on(driver):
        done = subprocess.run(
            [sys.executable, "examples/hello_vulkan.py", str(tmp_path / "hello.png")],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
    assert done.stdout.endswith("[201, 118, 40, 255] [147, 172, 207, 255]\n")
    assert (tmp_path / "hello.png").stat().st_size > 1000
