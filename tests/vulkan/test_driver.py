"""The Vulkan driver for the cache: budgets, custom colours, deletes; first over a stand-in, then over real samplers."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.bindings import vulkan
from statetracker.caps import Screen
from statetracker.cso import CsoContext
from statetracker.errors import ArgumentError, CallFailed, DeviceLost, DriverError, SamplerLimitExceeded, UnknownName
from statetracker.pipe.lowering import NO_LOWERING
from statetracker.vulkan.driver import VulkanDriver
from statetracker.vulkan.ranges import words_of
from tests.vulkan.on_driver import BOTH, on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CLAMP, EDGE, BORDER = 1, 2, 3


class Standin:
    """A device that makes numbers and counts them."""

    def __init__(self, samplers: int = 4000, colours: int = 100) -> None:
        limits = {"limits": {"maxSamplerAllocationCount": samplers}}
        border = {"maxCustomBorderColorSamplers": colours}
        properties = {
            "VkPhysicalDeviceProperties": limits,
            "VkPhysicalDeviceCustomBorderColorPropertiesEXT": border,
        }
        self.physical: Any = SimpleNamespace(properties=lambda: properties)
        self.infos: dict[int, Mapping[str, Any]] = {}
        self.made = 0
        self.fails_at = 0
        self.lost = False

    def create_sampler(self, info: Mapping[str, Any]) -> int:
        self.made += 1
        if self.lost or self.made == self.fails_at:
            raise DeviceLost("Vulkan", "vkCreateSampler", "VK_ERROR_DEVICE_LOST")
        self.infos[self.made] = info
        return self.made

    def destroy(self, kind: str, handle: int) -> None:
        assert kind == "VkSampler"
        del self.infos[handle]

    def close(self) -> None:
        self.infos.clear()


def driver_over(device: Standin, screen: Screen | None = None, **options: Any) -> VulkanDriver:
    return VulkanDriver(device, screen or Screen.named("zink-lavapipe"), **options)


def record(number: int = 0, *, wrap: int = EDGE, color: tuple[float, ...] = (0, 0, 0, 0)) -> bytes:
    """A record whose largest LOD is ``number``."""
    word = wrap | wrap << 3 | wrap << 6
    return struct.pack("<I3f4fI", word, 0.0, 0.0, float(number), *color, 0)


def without_24_bit_depth() -> Screen:
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    formats = {name: masks for name, masks in (facts.formats or {}).items() if "D24" not in name}
    return Screen.from_vulkan(facts._replace(formats=formats))


def test_the_screen_may_allow_fewer_custom_colours_than_the_device() -> None:
    """It says what the translation may rely on; what is missing in it is not what it promises."""
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    fewer = Screen.from_vulkan(facts._replace(limits={**facts.limits, "maxCustomBorderColorSamplers": 3}))
    for screen, device, colours in ((fewer, Standin(), 3), (fewer, Standin(colours=2), 2), (None, Standin(), 100)):
        driver = driver_over(device, screen)
        handles = [
            driver.create_sampler_state(record(wrap=BORDER, color=(n / 256, 0.5, 0.5, 0.5))) for n in range(1, 106)
        ]
        custom = [handle.info.custom_border_color is not None for handle in handles]
        assert custom == [True] * colours + [False] * (105 - colours)


def test_the_budget_refuses_before_the_driver_is_called() -> None:
    device = Standin()
    driver = driver_over(device, budget=2)
    handles = [driver.create_sampler_state(record(n)) for n in range(2)]
    with pytest.raises(SamplerLimitExceeded, match="2 of 2 samplers exist") as caught:
        driver.create_sampler_state(record(9))
    assert (caught.value.live, caught.value.budget, device.made, driver.refused) == (2, 2, 2, 1)
    driver.delete_sampler_state(handles[0])
    driver.create_sampler_state(record(9))
    assert (driver.live, driver.peak, len(device.infos)) == (2, 2, 2)


def test_a_cache_of_the_drivers_size_evicts_before_the_budget_is_spent() -> None:
    device = Standin()
    driver = driver_over(device, budget=8)
    context = CsoContext(driver, max_size=driver.max_states)
    for n in range(100):
        context.set_samplers("fragment", [record(n), record(n + 1)])
        assert len(device.infos) <= 8
    assert (driver.refused, driver.peak) == (0, 8)
    context.destroy()
    assert (device.infos, driver.live) == ({}, 0)


def test_more_bound_at_once_than_the_budget_is_an_error_that_loses_nothing() -> None:
    device = Standin()
    context = CsoContext(driver_over(device, budget=2), max_size=2)
    context.set_samplers("fragment", [record(0), record(1)])
    with pytest.raises(DriverError) as caught:
        context.set_samplers("vertex", [record(2)])
    assert isinstance(caught.value.__cause__, SamplerLimitExceeded)
    assert len(device.infos) == 2


def test_the_default_budget_stays_below_the_devices_limit() -> None:
    assert driver_over(Standin(samplers=4000)).budget < 4000
    assert driver_over(Standin(samplers=0)).budget > 4000, "two drivers report 0: unknown, not none"


@pytest.mark.parametrize("budget", [0, -1, 4001, 1.5, "8"])
def test_a_budget_that_the_device_does_not_have_is_refused(budget: Any) -> None:
    with pytest.raises(ArgumentError, match="1 to 4000"):
        driver_over(Standin(samplers=4000), budget=budget)


def test_spent_custom_colours_are_left_to_the_shader() -> None:
    device = Standin(colours=2)
    driver = driver_over(device)
    colour = (0.9, 0.9, 0.9, 0.9)
    handles = [driver.create_sampler_state(record(n, wrap=BORDER, color=colour)) for n in range(3)]
    assert [info["borderColor"] for info in device.infos.values()] == [
        "VK_BORDER_COLOR_FLOAT_CUSTOM_EXT",
        "VK_BORDER_COLOR_FLOAT_CUSTOM_EXT",
        "VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK",
    ]
    assert [handle.lowering.border for handle in handles] == ["", "", "str"]
    assert handles[2].lowering.route == "predefined"
    assert handles[2].lowering_values.border == words_of(colour, "float")
    assert handles[2].info.unsupported == ()
    assert (driver.live_custom, driver.fallbacks) == (2, 1)
    driver.delete_sampler_state(handles[2])
    driver.delete_sampler_state(handles[0])
    assert driver.live_custom == 1, "only a custom colour gives a slot back"
    last = driver.create_sampler_state(record(7, wrap=BORDER, color=colour))
    assert last.info.custom_border_color is not None
    assert last.lowering == NO_LOWERING


def test_a_border_on_the_shader_for_another_reason_is_no_spent_colour() -> None:
    """A slot is free, and the format that the device needs is not in the record."""
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    wanted = Screen.from_vulkan(facts._replace(features=facts.features - {"customBorderColorWithoutFormat"}))
    driver = driver_over(Standin(), wanted)
    handle = driver.create_sampler_state(record(wrap=BORDER, color=(0.9, 0.9, 0.9, 0.9)))
    assert (handle.lowering.border, driver.fallbacks) == ("str", 0)


def test_the_records_of_a_native_driver_keep_gl_clamp() -> None:
    assert Screen.named("zink-lavapipe").emulate_gl_clamp
    assert driver_over(Standin(), dialect="zink22").screen.emulate_gl_clamp
    assert not driver_over(Standin()).screen.emulate_gl_clamp
    handle = driver_over(Standin()).create_sampler_state(record(wrap=CLAMP, color=(0.9, 0.1, 0.9, 0.9)))
    assert (handle.lowering.half_border, handle.lowering.route) == ("str", "edge")


def test_a_colour_that_no_wrap_reads_spends_no_slot() -> None:
    driver = driver_over(Standin())
    driver.create_sampler_state(record(wrap=EDGE, color=(0.9, 0.1, 0.9, 0.9)))
    assert driver.live_custom == 0


def test_zink_that_knows_no_slots_is_refused_at_the_limit() -> None:
    driver = driver_over(Standin(colours=1), dialect="zink22")
    driver.create_sampler_state(record(0, wrap=BORDER, color=(0.5, 0.5, 0.5, 0.5)))
    with pytest.raises(SamplerLimitExceeded, match="1 of 1 custom border colours"):
        driver.create_sampler_state(record(1, wrap=BORDER, color=(0.5, 0.5, 0.5, 0.5)))


def test_a_second_sampler_for_depth_is_counted_and_deleted_with_the_first() -> None:
    device = Standin()
    driver = driver_over(device, without_24_bit_depth(), budget=5)
    assert driver.max_states == 2
    handle = driver.create_sampler_state(record(wrap=BORDER, color=(3.0, 0, 0, 0)))
    assert handle.depth_sampler is not None
    assert (driver.live, len(device.infos)) == (2, 2)
    driver.delete_sampler_state(handle)
    assert (driver.live, driver.live_custom, device.infos) == (0, 0, {})


def test_a_second_sampler_that_fails_takes_the_first_with_it() -> None:
    device = Standin()
    device.fails_at = 2
    driver = driver_over(device, without_24_bit_depth())
    with pytest.raises(DeviceLost):
        driver.create_sampler_state(record(wrap=BORDER, color=(3.0, 0, 0, 0)))
    assert (driver.live, driver.live_custom, device.infos) == (0, 0, {})


def test_deferred_deletes_wait_and_count_until_they_are_retired() -> None:
    device = Standin()
    driver = driver_over(device, budget=1, deferred=True)
    driver.delete_sampler_state(driver.create_sampler_state(record(0)))
    with pytest.raises(SamplerLimitExceeded):
        driver.create_sampler_state(record(1))
    assert len(device.infos) == 1, "commands in flight may still read it"
    assert (driver.retire(), driver.retire()) == (1, 0)
    driver.create_sampler_state(record(1))


def test_what_waits_is_destroyed_once_whatever_ends_the_first_try() -> None:
    device = Standin()
    driver = driver_over(device, deferred=True)
    for handle in [driver.create_sampler_state(record(number)) for number in range(3)]:
        driver.delete_sampler_state(handle)
    destroy = device.destroy

    def interrupted(kind: str, handle: int) -> None:
        destroy(kind, handle)
        device.destroy = destroy  # type: ignore[method-assign]
        raise KeyboardInterrupt

    device.destroy = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        driver.retire()
    assert (driver.retire(), device.infos) == (2, {})


def test_nothing_waits_once_a_driver_is_closed() -> None:
    driver = driver_over(Standin(), deferred=True)
    driver.delete_sampler_state(driver.create_sampler_state(record()))
    driver.close()
    assert (driver.retire(), driver.live) == (0, 0)


def test_an_unknown_dialect_is_refused_before_the_first_sampler() -> None:
    with pytest.raises(UnknownName, match="accepted: zink21, zink22, native"):
        driver_over(Standin(), dialect="mesa22")


def test_binds_are_remembered_by_stage_and_slot() -> None:
    driver = driver_over(Standin())
    one, two = (driver.create_sampler_state(record(n)) for n in range(2))
    driver.bind_sampler_states("fragment", 0, [one, None, two])
    driver.bind_sampler_states("fragment", 1, [two])
    assert driver.bound == {"fragment": [one, two, two]}


def test_a_lost_device_is_reported_as_such_through_the_cache() -> None:
    device = Standin()
    driver = driver_over(device)
    context = CsoContext(driver, max_size=4)
    context.set_samplers("fragment", [record(0)])
    device.lost = True
    assert driver.lost
    with pytest.raises(DriverError) as caught:
        context.set_samplers("fragment", [record(1)])
    assert isinstance(caught.value.__cause__, DeviceLost)
    context.destroy()
    assert len(device.infos) == 1, "no delete is called for what is lost"
    driver.close()
    assert (device.infos, driver.live) == ({}, 0)


# Real samplers


@pytest.fixture(params=BOTH)
def opened(request: pytest.FixtureRequest) -> Iterator[VulkanDriver]:
    messages = vulkan.Messages()
    with on(request.param), VulkanDriver.open(validation=True, messages=messages) as driver:
        yield driver
        assert [message.text for message in messages.take()] == []


@pytest.mark.live("validation")
def test_real_samplers_stop_at_the_devices_own_limit(opened: VulkanDriver) -> None:
    """Under the layer, which would name 04110 for one too many."""
    for n in range(opened.budget):
        opened.create_sampler_state(record(n))
    with pytest.raises(SamplerLimitExceeded):
        opened.create_sampler_state(record(opened.budget))
    assert opened.live == opened.budget
    assert opened.device.live("VkSampler") == opened.budget


@pytest.mark.parametrize("name", BOTH)
def test_a_real_driver_closes_what_its_user_forgot(name: str) -> None:
    with on(name), VulkanDriver.open() as driver:
        driver.create_sampler_state(record())
        device = driver.device
    assert device.live("VkSampler") == 0


def test_opening_without_vulkan_says_what_to_install() -> None:
    with (
        pytest.raises(Exception, match="apt-get install libvulkan1"),
        VulkanDriver.open(library="/nowhere/libvulkan.so"),
    ):
        raise CallFailed("Vulkan", "open", "it opened")
