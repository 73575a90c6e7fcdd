"""`Screen.probe`: what the live Vulkan says, beside vulkaninfo of the same machine and the embedded profile."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from statetracker.bindings import vulkan
from statetracker.caps import FormatMasks, Screen, VulkanFacts
from statetracker.caps.derivation import EMULATIONS, Emulation
from statetracker.caps.facts import EXTENSIONS, FEATURES, LIMITS, PROMISED
from statetracker.caps.fields import FIELDS
from statetracker.caps.files import screen_from
from statetracker.errors import LibraryMissing, NoDevice, WrongLibrary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@pytest.fixture(scope="module")
def probed() -> Screen:
    return Screen.probe()


@pytest.mark.live("vulkan", "vulkaninfo")
def test_a_probe_equals_vulkaninfo_of_the_same_machine(probed: Screen, tmp_path: Path) -> None:
    program = shutil.which("vulkaninfo")
    assert program is not None
    subprocess.run([program, "--json"], cwd=tmp_path, capture_output=True, check=True)
    (file,) = tmp_path.glob("VP_VULKANINFO_*.json")
    given = Screen.load(file)
    assert probed == given
    assert probed.vulkan == given.vulkan, "down to each mask"


@pytest.mark.live("vulkan")
def test_a_probe_of_lavapipe_equals_the_embedded_profile_as_far_as_both_speak(probed: Screen) -> None:
    """The profile was recorded from zink, which has no linear-filtering hook and keeps depth nearest."""
    embedded = Screen.named("zink-lavapipe")
    if probed.vulkan is None or embedded.vulkan is None or probed.vulkan.driver != embedded.vulkan.driver:
        pytest.skip(f"another device or driver: {probed!r}")
    assert probed.vulkan == embedded.vulkan
    spoken = [field for field in FIELDS if field not in ("linear_filtering", "unfilterable_depth", "caps", "capsf")]
    assert {f: getattr(probed, f) for f in spoken} == {f: getattr(embedded, f) for f in spoken}
    assert set(embedded.caps.items()) <= set(probed.caps.items())


@pytest.mark.live("vulkan")
def test_a_probe_is_saved_and_loaded_whole_is_what_a_report_says_and_chooses_its_device(
    probed: Screen, tmp_path: Path
) -> None:
    for name in ("screen.json", "screen.json.gz"):
        probed.save(tmp_path / name)
        assert Screen.load(tmp_path / name) == probed
    assert screen_from(vulkan.report()) == probed
    assert Screen.probe(probed.name[:6]) == probed
    with pytest.raises(NoDevice, match="no device 'nothing'"):
        Screen.probe("nothing")


def test_a_probe_without_vulkan_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(vulkan.VULKAN.variable, "libm.so.6")
    with pytest.raises(WrongLibrary):
        Screen.probe()
    with pytest.raises(LibraryMissing, match="apt-get install libvulkan1"):
        Screen.probe(library="/nowhere/libvulkan.so.1")


def report_with(formats: Mapping[str, object], **features: bool) -> dict[str, object]:
    block = {"features": {"VkPhysicalDevice4444FormatsFeaturesEXT": features}, "formats": formats}
    return {"capabilities": {"device": block}}


def test_a_format_that_a_feature_promises_is_filtered_whatever_a_list_says() -> None:
    """Vulkaninfo 1.3.239 lists none of them: RGBA4 would have been demoted to nearest on every device."""
    r8 = {"VK_FORMAT_R8_UNORM": {"VkFormatProperties": {"optimalTilingFeatures": 0x1001}}}
    screen = screen_from(report_with(r8, formatA4R4G4B4=True))
    assert screen.filters("B4G4R4A4_UNORM", "B4G4R4A4_UNORM")
    assert not screen.filters("R4G4B4A4_UNORM", "R4G4B4A4_UNORM"), "the other feature is off"
    for name, feature in PROMISED.items():
        listed = {f"VK_FORMAT_{name}": {"VkFormatProperties3": {"optimalTilingFeatures": 0x1001}}}
        for there in (True, False):
            facts = screen_from(report_with(listed, **{feature: there})).vulkan
            assert facts == screen_from(report_with({}, **{feature: there})).vulkan
            assert facts is not None
            assert facts.filters(name) is facts.samples(name) is there


EVERYTHING = VulkanFacts(
    limits=dict.fromkeys(LIMITS, 16.0),
    features=frozenset(FEATURES),
    extensions=EXTENSIONS,
    formats={name: FormatMasks(0, 0x1001) for row in EMULATIONS for name in row.needs.split()},
)


@pytest.mark.parametrize("row", EMULATIONS, ids=lambda row: row.want)
def test_a_want_is_met_by_a_device_with_everything_alone_and_says_what_is_done_without(row: Emulation) -> None:
    assert row.there(EVERYTHING) is bool(row.needs)
    assert row.instead
    if "_" not in row.needs:
        bare = EVERYTHING._replace(features=frozenset(), limits={}, formats={"R8_UNORM": FormatMasks(0, 1)})
        assert not row.there(bare)
    if row.want.startswith("depth textures"):  # sampled, and not filtered
        assert not row.there(EVERYTHING._replace(formats={"D16_UNORM": FormatMasks(0, 1)}))
