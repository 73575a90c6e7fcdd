"""Rewritten shaders with VkSampler on the machine's Vulkan, within the bounds of the reference unit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from statetracker.bindings import vulkan
from statetracker.bindings.vulkan import Device
from tools.proofs.pixels.lowered_vulkan import PLACED, Placed, place

pytestmark = pytest.mark.live("vulkan", "glslangValidator")


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    with vulkan.Instance() as instance, vulkan.Device(instance.device()) as made:
        if "VK_EXT_custom_border_color" not in made.extensions:
            pytest.skip("this device has no custom border colours")
        yield made


@pytest.mark.parametrize("one", PLACED.values(), ids=PLACED)
def test_rewritten_with_vk_sampler_lies_within_the_bounds_of_gl_clamp(device: Device, one: Placed) -> None:
    outcome = place(device, one)
    assert outcome.outside == 0
    assert one.nearest or outcome.outside_alone > outcome.samples / 2
