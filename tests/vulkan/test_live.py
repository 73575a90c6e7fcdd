"""Infos and samplers under the validation layer, wider with ``make layer``, ``make samplers`` and ``make soak``."""

from __future__ import annotations

import resource
from collections import Counter
from contextlib import ExitStack, contextmanager
from random import Random  # seeded: the same in every run
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from statetracker.bindings import vulkan
from statetracker.caps import Screen, VulkanFacts
from statetracker.caps.reports import read_report
from statetracker.cso import CsoContext
from statetracker.errors import CallFailed
from statetracker.vulkan import EDITIONS, create_info, violations
from statetracker.vulkan.driver import VulkanDriver
from tests.vulkan.on_driver import BOTH, on
from tools.proofs.vulkan_live.infos import FAULTS, drafted, faulty, random_record, survivable
from tools.proofs.vulkan_live.layer import ALONE, GAPS, LAYERS_NAMES, NOT_ENABLED, expected
from tools.proofs.vulkan_live.variants import QUIET, VARIANTS, made

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

INFO = "VUID-VkSamplerCreateInfo-"
EVERYTHING = VulkanFacts(
    limits={"maxSamplerLodBias": 16, "maxSamplerAnisotropy": 16, "maxCustomBorderColorSamplers": 32768},
    features=frozenset(
        (
            *("samplerAnisotropy", "samplerMirrorClampToEdge", "samplerFilterMinmax", "nonSeamlessCubeMap"),
            *("customBorderColors", "customBorderColorWithoutFormat", "borderColorSwizzle"),
        )
    ),
    extensions=frozenset({"VK_EXT_custom_border_color", "VK_EXT_sampler_filter_minmax"}),
)


def random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 (no secret)


def rules(info: Mapping[str, Any], facts: VulkanFacts = EVERYTHING) -> set[str]:
    return {violation.rule for violation in violations(info, facts)}


# The live runs


def seeds(target: str) -> range:
    """One seed, of a target of make many."""
    return range({"layer": 20, "samplers": 42}[target] if settings.get_current_profile_name() == target else 1)


@contextmanager
def opened(messages: vulkan.Messages, variants: Iterable[str]) -> Iterator[list[tuple[vulkan.Device, VulkanFacts]]]:
    """Open a device of each variant under the validation layer, with its facts."""
    with ExitStack() as stack:
        physical = stack.enter_context(vulkan.Instance(validation=True, messages=messages)).device()
        devices = []
        for name in variants:
            device, report = made(physical, VARIANTS[name])
            devices.append((stack.enter_context(device), read_report(report, file="variant").facts))
        yield devices


def reaches_the_driver(device: vulkan.Device, info: dict[str, Any]) -> bool:
    """Make and destroy a sampler; whether the driver made it."""
    try:
        handle = device.create_sampler(info)
    except CallFailed as error:
        assert error.code == "VK_ERROR_VALIDATION_FAILED_EXT"  # noqa: PT017 (else a driver's own fault)
        return False
    device.destroy_sampler(handle)
    return True


@pytest.mark.live("validation")
@pytest.mark.parametrize("seed", seeds("layer"))
@pytest.mark.parametrize("driver", BOTH)
def test_checker_and_layer_name_the_same_rules(driver: str, seed: int) -> None:
    messages, rng = vulkan.Messages(("error",), keep_text=False), random(20 + seed)
    rules, layer, valid = Counter[str](), Counter[str](), 0
    with on(driver), opened(messages, VARIANTS) as devices:
        for device, enabled in devices:
            facts = enabled._replace(api=EDITIONS[0])  # the layer's specification
            for _ in range(1_800):
                info = faulty(rng)
                broken = {violation.rule for violation in violations(info, facts)}
                reached = reaches_the_driver(device, info)
                said = {LAYERS_NAMES.get(message.name, message.name) for message in messages.take()}
                assert (said, reached) == (expected(broken, info, facts), not said), info
                rules.update(broken)
                layer.update(said)
                valid += not broken
    assert valid > 300
    assert [rule for rule in ALONE if rules[rule] < 60] == []
    assert set(layer) - {NOT_ENABLED} <= set(ALONE)
    silent = {INFO + "borderColor-04442", INFO + "magFilter-01081"} | {INFO + f"flags-0{n}" for n in range(6964, 6971)}
    assert {rule for rule in ALONE if rule not in layer} == silent <= {gap.rule for gap in GAPS}


@pytest.mark.live("validation")
@pytest.mark.parametrize("seed", seeds("samplers"))
@pytest.mark.parametrize("driver", BOTH)
def test_native_infos_of_random_records_draw_no_message(driver: str, seed: int) -> None:
    messages, rng, chained = vulkan.Messages(), random(30 + seed), 0
    with on(driver), opened(messages, QUIET) as devices:
        reduces = "samplerFilterMinmax" in devices[0][1].features
        for device, facts in devices:
            screen = Screen.from_vulkan(facts)
            for _ in range(2_000):
                info = create_info(random_record(rng), screen, dialect="native").to_dict()
                chained += info["pNext"] is not None
                device.destroy_sampler(device.create_sampler(info))
            assert (device.created["VkSampler"], device.live("VkSampler")) == (2_000, 0)
        assert [message.text for message in messages.take()] == []
    assert chained > (1000 if reduces else 500)


@pytest.mark.parametrize("name", BOTH)
def test_a_soak_stays_within_its_budget_and_destroys_every_sampler_once(name: str, whole: bool) -> None:
    """Half of the draws bind records of a small working set that moves, as programs do; the others any."""
    binds, states, budget = (1_000_000, 50_000, 1024) if whole else (16_000, 3_000, 64)
    rng, seen, peak, memory = random(1), set[int](), 0, list[int]()
    records = list({random_record(rng): None for _ in range(2 * states)})[:states]
    with on(name), VulkanDriver.open(budget=budget) as driver:
        context, device = CsoContext(driver, max_size=driver.max_states), driver.device
        for draw in range(binds // 16):
            near = [(draw // 8 + rng.randrange(200)) % states for _ in range(16)]
            chosen = near if draw % 2 else rng.choices(range(states), k=16)
            seen.update(chosen)
            context.set_samplers("fragment", [records[n] for n in chosen])
            peak = max(peak, device.live("VkSampler"))
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)  # KiB
        assert driver.max_states <= peak <= budget, "as many as the cache may keep, some with a second sampler"
        assert context.statistics().hits > 0
        context.destroy()
        created, destroyed = device.created["VkSampler"], device.destroyed["VkSampler"]
        assert created == destroyed > len(seen) > 0.8 * states
        assert memory[-1] - memory[len(memory) // 5] < 4096


# Infos


def test_a_draft_breaks_no_rule_on_a_device_with_everything() -> None:
    rng = random(1)
    assert [rules(drafted(rng).to_dict()) for _ in range(2000)] == [set()] * 2000


def test_an_undefined_colour_is_read_by_an_axis() -> None:
    """The lavapipe of Mesa 22.3 crashes on one that is not, though it breaks no rule."""
    rng = random(3)
    for _ in range(500):
        draft = drafted(rng)
        FAULTS["undefined border colour"](draft, rng)
        assert INFO + "addressModeU-01078" in rules(survivable(draft, rng).to_dict())


def plain(**members: object) -> dict[str, Any]:
    return drafted(random(0)).to_dict() | {"pNext": None, "borderColor": "VK_BORDER_COLOR_INT_OPAQUE_BLACK"} | members


# What the layer showed of the checker

CUSTOM = "VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT"
MAPPING = "VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT"


def chained(*parts: dict[str, Any]) -> dict[str, Any]:
    following = None
    for part in reversed(parts):
        following = {**part, "pNext": following}
    return {"pNext": following}


@pytest.mark.parametrize("color", ["VK_BORDER_COLOR_INT_OPAQUE_WHITE", "VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE", 77])
@pytest.mark.parametrize("form", ["VK_FORMAT_R8_UNORM", "VK_FORMAT_R8_UINT"])
def test_a_colour_that_is_not_custom_may_stand_beside_a_struct_of_any_format(color: object, form: str) -> None:
    struct = {"sType": CUSTOM, "customBorderColor": {"uint32": [0, 0, 0, 0]}, "format": form}
    broken = rules(plain(borderColor=color, **chained(struct)))
    assert not {rule for rule in broken if "07605" in rule}


def test_every_struct_of_a_chain_is_judged_also_one_that_is_there_twice() -> None:
    right = {"sType": CUSTOM, "customBorderColor": {"uint32": [0, 0, 0, 0]}, "format": "VK_FORMAT_R8_UNORM"}
    identity = {"sType": MAPPING, "components": dict.fromkeys("rgba", 0), "srgb": 0}
    wrong_format, wrong_mapping = right | {"format": 77777}, identity | {"components": {"r": 99}}
    for parts, rule in (((right, wrong_format), "format-parameter"), ((identity, wrong_mapping), "components-param")):
        broken = rules(plain(**chained(*parts)))
        assert INFO + "sType-unique" in broken
        assert [name for name in broken if rule in name]
