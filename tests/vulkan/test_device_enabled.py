"""The screen of a device as it was made: what is off does not count, and a host must say what is on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.bindings import vulkan
from statetracker.errors import ArgumentError
from statetracker.vulkan import facts_of, screen_of
from tests.vulkan.on_driver import BOTH, on

if TYPE_CHECKING:
    from collections.abc import Iterator

CUSTOM = "VK_EXT_custom_border_color"


@pytest.fixture(params=BOTH)
def physical(request: pytest.FixtureRequest) -> Iterator[vulkan.PhysicalDevice]:
    with on(request.param), vulkan.Instance() as instance:
        yield instance.device()


def test_a_device_that_nothing_can_be_asked_of_wants_a_screen() -> None:
    with pytest.raises(ArgumentError, match=r"screen=None.*give instance, physical and get_instance_proc_addr"):
        screen_of(SimpleNamespace(physical=None, enabled=frozenset()))


def test_what_is_enabled_cannot_be_asked_and_must_be_said() -> None:
    with pytest.raises(ArgumentError, match=r"enabled=None.*enabled_by\(the VkDeviceCreateInfo\)"):
        screen_of(SimpleNamespace(physical=object(), enabled=None))


def test_features_and_extensions_count_where_they_are_on(physical: vulkan.PhysicalDevice) -> None:
    with vulkan.Device(physical) as whole:
        facts = facts_of(screen_of(whole))
    assert {"samplerAnisotropy", "customBorderColors"} <= facts.features
    assert CUSTOM in facts.extensions
    assert facts.features <= whole.enabled
    assert facts.extensions == whole.enabled & facts.extensions
    with vulkan.Device(physical, extensions=(), features={"VkPhysicalDeviceFeatures": {}}) as bare:
        lesser = facts_of(screen_of(bare))
    assert (lesser.features, lesser.extensions) == (frozenset(), frozenset())
    assert lesser.formats == facts.formats
    assert lesser.limits == facts.limits


def test_a_host_may_have_less_of_the_api_than_the_device(physical: vulkan.PhysicalDevice) -> None:
    seen: Any = SimpleNamespace(physical=physical, enabled=frozenset())
    assert facts_of(screen_of(seen)).api[:2] == min(physical.api[:2], (1, 3))
    with vulkan.Instance(api=(1, 0)) as old:
        seen = SimpleNamespace(physical=old.device(), enabled=frozenset())
        assert facts_of(screen_of(seen)).api[:2] == (1, 0)
