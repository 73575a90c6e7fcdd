"""Which device is judged by which rule: by its own version, or by an extension that it has."""

from __future__ import annotations

from csv import DictReader
from typing import TYPE_CHECKING, Any, Final

import pytest

from statetracker.caps import Screen, VulkanFacts
from statetracker.vulkan import EDITIONS, RULES, edition_of, facts_of, violations
from tests.bindings.vulkan_infos import plain_info
from tests.vulkan.test_usage_rules import (
    CASES,
    DATA,
    DEVICE,
    Case,
    broken_by,
    chained,
    indexed,
    reduced,
    struct,
    window,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST, _, LATER, NEWEST = EDITIONS
_FOREVER: Final = (99, 0, 0)
_BY_SUFFIX: Final = {rule.suffix: rule for rule in RULES}
_BY_VERSION: Final = [rule for rule in RULES if not rule.extension]
_BY_EXTENSION: Final = [rule for rule in RULES if rule.extension]


def at(version: tuple[int, int, int], case: Case) -> Case:
    return case._replace(device=case.device._replace(api=version))


@pytest.mark.parametrize("rule", _BY_VERSION, ids=lambda rule: rule.suffix)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_rule_is_broken_on_devices_whose_specification_has_it_and_on_no_other(rule: Any, edition: Any) -> None:
    judged = rule.since <= edition < (rule.until or _FOREVER)
    assert (rule.name in broken_by(at(edition, CASES[rule.suffix]))) == judged


@pytest.mark.parametrize("rule", _BY_EXTENSION, ids=lambda rule: rule.suffix)
@pytest.mark.parametrize("edition", [OLDEST, NEWEST])
def test_a_rule_on_an_extensions_struct_is_judged_where_the_device_has_the_extension(rule: Any, edition: Any) -> None:
    case = at(edition, CASES[rule.suffix])
    assert broken_by(case) == {rule.name}
    bare = case.device._replace(extensions=case.device.extensions - {rule.extension})
    without = broken_by(case._replace(device=bare))
    stranger = set() if rule.suffix.endswith("11412") else {"VUID-VkSamplerCreateInfo-pNext-pNext"}
    assert without == stranger


def editions_with(name: str) -> Iterator[tuple[int, ...]]:
    with (DATA / "sampler_vuids.csv").open(encoding="ascii", newline="") as lines:
        row = next(row for row in DictReader(lines) if row["rule"] == name)
    for version in ("1.3.239", "1.4.309", "1.4.363"):
        if row[version] == "1":
            yield tuple(map(int, version.split(".")))


@pytest.mark.parametrize("rule", [one for one in RULES if one.struct != "vkCmdDraw"], ids=lambda rule: rule.suffix)
def test_a_rule_came_and_left_when_the_specifications_say(rule: Any) -> None:
    read = [edition for edition in EDITIONS if edition != (1, 3, 255)]  # of that one the chapter alone
    assert [one for one in read if rule.since <= one < (rule.until or _FOREVER)] == list(editions_with(rule.name))


def test_the_rules_that_came_and_left() -> None:
    """By hand: the table may not drift."""
    later = {rule.suffix: (rule.since, rule.extension) for rule in RULES if rule.since != OLDEST}
    heap, window2 = "VK_EXT_descriptor_heap", "VK_QCOM_image_processing2"
    assert later == {
        "magFilter-07911": ((1, 3, 255), ""),
        "device-09668": (LATER, ""),
        "magFilter-09598": (LATER, ""),
        "mipmapMode-09599": (LATER, ""),
        "WindowExtent-09210": (LATER, window2),
        "windowCompareMode-parameter": (LATER, window2),
        "cubicWeights-parameter": (LATER, "VK_QCOM_filter_cubic_weights"),
        "index-11289": (NEWEST, heap),
        "maxSamplerAllocationCount-11412": (NEWEST, heap),
    }
    assert {rule.suffix: rule.until for rule in RULES if rule.until} == {"magFilter-01422": (1, 3, 255)}


def test_a_device_is_judged_by_the_newest_edition_up_to_its_own_version() -> None:
    assert edition_of(VulkanFacts()) == OLDEST
    assert edition_of(VulkanFacts(api=(1, 3, 238))) == OLDEST
    assert edition_of(VulkanFacts(api=(1, 3, 254))) == OLDEST
    assert edition_of(VulkanFacts(api=(1, 3, 255))) == (1, 3, 255)
    assert edition_of(VulkanFacts(api=(1, 4, 308))) == (1, 3, 255)
    assert edition_of(VulkanFacts(api=(1, 4, 309))) == LATER
    assert edition_of(VulkanFacts(api=(1, 4, 400))) == NEWEST


def test_a_screen_without_a_device_is_judged_by_the_newest() -> None:
    assert edition_of(facts_of(Screen.named("llvmpipe"))) == NEWEST
    assert edition_of(facts_of(Screen.named("zink-lavapipe"))) == OLDEST


def test_either_rule_of_cubic_filters_is_judged_and_never_both() -> None:
    cubic = CASES["magFilter-07911"]
    for edition in EDITIONS:
        assert len(broken_by(at(edition, cubic))) == 1


def test_what_is_reduced_need_not_be_filterable_from_1_4_309_on() -> None:
    case = Case(chained(reduced()) | {"mipmapMode": 0}, known={"view_format": "R8_UNORM"})
    assert broken_by(at(OLDEST, case)) == {_BY_SUFFIX["magFilter-04553"].name}
    assert broken_by(at(LATER, case)) == set()
    mips = case._replace(members={**case.members, "magFilter": 0, "mipmapMode": 1})
    assert broken_by(at(OLDEST, mips)) == {_BY_SUFFIX["mipmapMode-04770"].name}
    assert broken_by(at(LATER, mips)) == set()


def test_a_sampler_may_be_named_in_its_chain_from_1_4_363_on() -> None:
    case = Case(chained(struct("DEBUG_UTILS_OBJECT_NAME_INFO_EXT")))
    assert broken_by(at(NEWEST, case)) == set()
    assert broken_by(at(LATER, case)) == {_BY_SUFFIX["pNext-pNext"].name}


def test_structs_of_extensions_that_are_missing_are_named_as_strangers() -> None:
    bare = DEVICE._replace(extensions=frozenset())
    (seen,) = violations(plain_info(**chained(indexed(), window())), bare)
    assert seen.rule == _BY_SUFFIX["pNext-pNext"].name
    assert seen.value == [indexed()["sType"], window()["sType"]]
