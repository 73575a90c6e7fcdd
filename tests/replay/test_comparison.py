"""A recorded case's create infos against ours: what is compared, how differences are named, what is no create info."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.caps import Screen
from statetracker.cli import main
from statetracker.errors import ArgumentError
from statetracker.frontend.vulkan_view import our_infos
from statetracker.pipe import SamplerState
from statetracker.replay.comparison import info_differences, slot_differences
from tests.vulkan.devices import screen_without

if TYPE_CHECKING:
    from pathlib import Path

ZINK = Screen.named("zink-lavapipe")
BORDERED = SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=(0x3F000000, 0, 0, 0x3F800000))


def differ(state: SamplerState, changed: dict[str, Any], screen: Screen = ZINK) -> dict[str, tuple[object, object]]:
    info = {**our_infos(bytes(state), screen, "zink22")[0], **changed}
    seen = info_differences({"vk": [info]}, bytes(state), screen, "zink22")
    assert seen is not None
    return {one.what: (one.expected, one.got) for one in seen}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("flags", 8),
        ("magFilter", "VK_FILTER_LINEAR"),
        ("addressModeW", "VK_SAMPLER_ADDRESS_MODE_REPEAT_TWICE"),
        ("mipLodBias", 0.00390625),
        ("maxLod", 0.5),
        ("minLod", -0.0),
        ("borderColor", "VK_BORDER_COLOR_INT_CUSTOM_EXT"),
        ("unnormalizedCoordinates", 1),
    ],
)
def test_every_member_that_differs_is_named(member: str, value: object) -> None:
    seen = differ(BORDERED, {member: value})
    assert list(seen) == [f"VkSamplerCreateInfo.{member}"]
    assert seen[f"VkSamplerCreateInfo.{member}"][0] == value


def test_a_chained_structure_that_is_missing_is_named() -> None:
    seen = differ(BORDERED, {"pNext": None})
    assert set(seen) == {f"VkSamplerCustomBorderColorCreateInfoEXT.{name}" for name in ("customBorderColor", "format")}


def test_a_second_sampler_that_is_missing_is_named() -> None:
    assert differ(BORDERED, {}) == {}
    assert differ(BORDERED, {}, screen_without(formats=("D24_UNORM_S8_UINT",))) == {"samplers made": (1, 2)}


def test_without_create_infos_or_record_nothing_is_compared() -> None:
    assert info_differences({}, bytes(BORDERED), ZINK, "zink22") is None
    assert info_differences({"vk": our_infos(bytes(BORDERED), ZINK, "zink22")}, None, ZINK, "zink22") is None


@pytest.mark.parametrize("wrong", [3, {"flags": 0}, [3], [None], "vk"])
def test_what_is_no_list_of_create_infos_is_refused(wrong: object) -> None:
    with pytest.raises(ArgumentError, match="vk"):
        info_differences({"vk": wrong}, bytes(BORDERED), ZINK, "zink22")


@pytest.mark.parametrize("chain", [3, {}, {"sType": None}, {"sType": [], "pNext": "more"}, {"customBorderColor": 1}])
def test_a_chain_that_makes_no_sense_is_a_difference(chain: object) -> None:
    assert differ(BORDERED, {"pNext": chain})


@pytest.mark.live("egl:zink", "capture")
def test_a_recording_keeps_create_infos_and_the_replay_compares_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "zink.jsonl"
    assert main(["conform", "--driver", "zink", "-n", "30", "--seed", "4", "--record", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["create_infos"]
    assert main(["replay", "--check", str(file)]) == 0
    header, *lines = file.read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    assert sum(bool(case.get("vk")) for case in cases) > 20
    changed = next(case for case in cases if case.get("vk"))
    changed["vk"][0]["mipLodBias"] += 0.00390625
    file.write_text("\n".join([header, *map(json.dumps, cases)]), encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", "--check", str(file)]) == 1
    assert "VkSamplerCreateInfo.mipLodBias: recorded" in "".join(capsys.readouterr())


@pytest.mark.parametrize("slots", [{"9" * 5000: {}}, {"-1": {}}, {"x": {}}, [0]])
def test_slots_that_are_no_numbers_of_slots_are_an_argument_error(slots: object) -> None:
    with pytest.raises(ArgumentError, match="slot"):
        slot_differences({"slots": slots}, [], "22.3")
