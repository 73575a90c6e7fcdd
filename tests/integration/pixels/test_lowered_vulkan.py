"""Lowered shaders with their create infos, against the device's own borders and the reference unit's bounds.

Wider with ``make pixels``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import settings

from statetracker.bindings import vulkan
from statetracker.bindings.vulkan import Device
from statetracker.caps import Screen, VulkanFacts
from statetracker.pipe import TexFilter
from tools.proofs.pixels.clamp_forms import FORMS, Form
from tools.proofs.pixels.lowered_vulkan import (
    LACKS,
    PLACED,
    SWIFTSHADER,
    Placed,
    compare_on_vulkan,
    driver_file,
    facts_lacking,
    facts_of_device,
    is_drawn,
    place,
)

WHOLE = settings.get_current_profile_name() == "pixels"
CLOSE = 2e-5
DRAWN = {name: form for name, form in FORMS.items() if is_drawn(form)}
#: One of each kind, for a driver that takes 40 ms a picture.
SOME = ("implicit 1d", "implicit 2d", "implicit 3d", "implicit 2d-array", "offset 2d", "gradients 2d", "projection 2d",
        "shadow 2d", "dynamic index", "function", "mipmaps 2d", "bias 2d", "lod 2d levels")  # fmt: skip


@pytest.fixture(scope="module")
def device() -> Iterator[tuple[Device, VulkanFacts]]:
    with vulkan.Instance() as instance, vulkan.Device(instance.device()) as made:
        facts = facts_of_device(made)
        if "VK_EXT_custom_border_color" not in facts.extensions:
            pytest.skip("this device has no custom border colours")
        yield made, facts


def states(form: Form) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Wraps of its samplers, and members; with ``make pixels`` of three kinds by either filter."""
    if not WHOLE:
        yield ("bre", "rrr", "beb", "eeb")[: len(form.wraps)], {}
        return
    for first, image_filter in product(("bbb", "eee", "rbe"), TexFilter):
        members = {"min_img_filter": image_filter, "mag_img_filter": image_filter}
        yield (first, "rrr", "ber", "eeb")[: len(form.wraps)], members


@pytest.mark.live("vulkan", "glslangValidator")
@pytest.mark.parametrize(
    ("form", "lack"),
    [
        pytest.param(form, lack, id=f"{form.name}, {lack}")
        for form in DRAWN.values()
        for lack in LACKS
        if WHOLE or form.name in SOME or lack == "everything"
    ],
)
def test_what_a_device_lacks_looks_as_it_does_on_the_whole_device(
    device: tuple[Device, VulkanFacts], form: Form, lack: str
) -> None:
    bias = 3.25 if form.levels > 1 else 0.0
    for wraps, members in states(form):
        comparison = compare_on_vulkan(*device, form, wraps, lack, lod_bias=bias, **members)
        assert (comparison.largest <= CLOSE, comparison.unresolved) == (True, 0), (wraps, members)
        if lack in {"custom borders", "everything"} and wraps[0][0] == "b" and "constant" not in form.name:
            assert comparison.alone > 0.25


@pytest.mark.live("vulkan", "glslangValidator")
@pytest.mark.parametrize("one", PLACED.values(), ids=PLACED)
def test_rewritten_with_vk_sampler_lies_within_the_bounds_of_gl_clamp(
    device: tuple[Device, VulkanFacts], one: Placed
) -> None:
    outcome = place(device[0], one)
    assert outcome.outside == 0
    assert one.nearest or outcome.outside_alone > outcome.samples / 2


@pytest.mark.live("vulkan", "swiftshader", "glslangValidator")
@pytest.mark.parametrize(
    "name", [name for name in DRAWN if is_drawn(FORMS[name], on_swiftshader=True)] if WHOLE else SOME
)
def test_on_swiftshader_too(name: str) -> None:
    form = FORMS[name]
    with driver_file(SWIFTSHADER), vulkan.Instance() as instance, vulkan.Device(instance.device()) as made:
        assert "SwiftShader" in instance.device().name
        for lack, (wraps, members) in product(LACKS if WHOLE else ("custom borders", "everything"), states(form)):
            if not (form.shadow and wraps == ("eee",)):  # it mirrors coordinates in the gather that compares
                comparison = compare_on_vulkan(made, facts_of_device(made), form, wraps, lack, **members)
                assert (comparison.largest <= CLOSE, comparison.unresolved) == (True, 0), (lack, wraps, members)


def test_facts_that_lack_something_lack_that_alone() -> None:
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    assert "VK_EXT_custom_border_color" not in facts_lacking(facts, "custom borders").extensions
    assert facts_lacking(facts, "mirror clamps").limits == facts.limits
    assert facts_lacking(facts, "LOD bias").limits["maxSamplerLodBias"] == 2
    assert facts_lacking(facts, "LOD bias").extensions == facts.extensions
