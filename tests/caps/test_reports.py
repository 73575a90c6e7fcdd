"""`statetracker.caps.reports`: what a Vulkan device says about itself, in every form that is read."""

from __future__ import annotations

import copy
import gzip
import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from statetracker.caps import FormatMasks, Screen, VulkanFacts
from statetracker.caps.facts import ALL_BITS, EXTENSIONS, FEATURES, LIMITS, PROMISED, WORD_BITS
from statetracker.caps.fields import FIELDS
from statetracker.caps.files import screen_from
from statetracker.caps.reports import read_report
from statetracker.caps.vulkan_formats import vulkan_formats
from statetracker.errors import ScreenError

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER: Final = Path(__file__).parents[1] / "data" / "reports"
VULKANINFO: Final = FOLDER / "vulkaninfo-1.3.239-lavapipe.json.gz"
GPUINFO: Final = FOLDER / "gpuinfo-form-lavapipe.json.gz"
DEVSIM: Final = FOLDER / "vulkaninfo-devsim-form-lavapipe.json.gz"
REDUCED: Final = FOLDER / "gpuinfo-38434-reduced.json"
PROFILES: Final = FOLDER / "profiles-two.json"


def text_of(path: Path) -> bytes:
    """A sample's text."""
    raw = path.read_bytes()
    return gzip.decompress(raw) if path.suffix == ".gz" else raw


def facts_in(path: Path, **options: Any) -> VulkanFacts:
    """The facts of a sample."""
    facts = Screen.load(path, **options).vulkan
    assert facts is not None
    return facts


def test_vulkaninfo_of_lavapipe_has_the_facts_of_the_embedded_screen() -> None:
    """What differs is what a recorded driver does not have: the hook, and so what becomes of depth."""
    screen, embedded = Screen.load(VULKANINFO), Screen.named("zink-lavapipe")
    differ = {field for field in FIELDS if getattr(screen, field) != getattr(embedded, field)}
    assert differ == {"linear_filtering", "unfilterable_depth", "caps", "capsf"}
    assert {name: screen.caps[name] for name in embedded.caps} == embedded.caps
    assert screen.replace(linear_filtering=None, unfilterable_depth="nearest") == embedded


def test_vulkaninfo_of_lavapipe_answers_as_the_recorded_driver_did() -> None:
    """Every cap that is derived, against the header of the recording."""
    with gzip.open(FOLDER.parent / "mesa" / "zink.jsonl.gz", "rt", encoding="utf-8") as lines:
        header = json.loads(next(lines))
    screen = Screen.load(VULKANINFO)
    assert {name: header["caps"][name] for name in screen.caps if name in header["caps"]} == {
        name: value for name, value in screen.caps.items() if name in header["caps"]
    }
    assert len(screen.caps.keys() & header["caps"].keys()) >= 14
    assert {name: float(header["capsf"][name]) for name in screen.capsf} == screen.capsf
    assert screen.max_texture_size == header["limits"]["GL_MAX_TEXTURE_SIZE"]
    assert screen.max_combined_units == header["limits"]["GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS"]


def test_the_same_device_is_the_same_in_the_form_of_gpuinfo() -> None:
    """But for the bits beyond 32 and the driver's own words."""
    full, report = facts_in(VULKANINFO), facts_in(GPUINFO)
    assert report.format_bits == WORD_BITS
    assert full.formats is not None
    narrow = {name: FormatMasks(*(mask & WORD_BITS for mask in masks)) for name, masks in full.formats.items()}
    core = {row.name for row in vulkan_formats().values() if row.number < 1_000_000_000}
    assert report.formats == {name: masks for name, masks in narrow.items() if name in core}
    assert report._replace(formats=full.formats, format_bits=ALL_BITS) == full


def test_the_same_device_in_the_old_form_lacks_what_vulkaninfo_did_not_list_then() -> None:
    """Features and limits of extensions, and the name of the driver."""
    full, old = facts_in(VULKANINFO), facts_in(DEVSIM)
    assert old.features == {name for name in full.features if FEATURES[name] == "VkPhysicalDeviceFeatures"}
    assert old.extensions == full.extensions
    assert old.limits == {n: v for n, v in full.limits.items() if LIMITS[n] == "VkPhysicalDeviceLimits"}
    assert (old.driver, old.format_bits) == ("1", WORD_BITS)
    assert Screen.load(DEVSIM).use_format_with_border_color


def test_a_report_of_gpuinfo_agrees_with_the_corpus_made_of_such() -> None:
    """Report 38434 against its row, as far as the reduced report goes."""
    report, row = facts_in(REDUCED), Screen.device(report=38434).vulkan
    assert row is not None
    assert (report.device, report.vendor_id, report.device_id) == (row.device, row.vendor_id, row.device_id)
    assert report.api == row.api
    assert report.features & {"samplerAnisotropy", "customBorderColors"} == row.features
    assert report.extensions & row.extensions == row.extensions
    assert {name: report.limits[name] for name in row.limits} == row.limits
    assert report.formats is not None
    assert row.formats is not None
    sampled = {name: masks for name, masks in report.formats.items() if (masks.optimal | masks.linear) & 1}
    assert sampled
    for name, masks in sampled.items():
        assert tuple(mask & row.format_bits for mask in masks[:2]) == row.formats[name][:2]


@pytest.mark.parametrize("path", [VULKANINFO, GPUINFO])
def test_4444_formats_of_the_extension_count_by_their_feature(path: Path) -> None:
    """The programs do not list them; a source that does is equal to one that does not."""
    screen = Screen.load(path)
    assert screen.vulkan is not None
    assert all(screen.vulkan.filters(name) for name in PROMISED)
    assert screen.filters("B4G4R4A4_UNORM", "B4G4R4A4_UNORM")
    data = json.loads(text_of(VULKANINFO))
    device = data["capabilities"]["device"]
    device["formats"]["VK_FORMAT_A4R4G4B4_UNORM_PACK16"] = {"VkFormatProperties3": {"optimalTilingFeatures": 56705}}
    assert screen_from(data) == Screen.load(VULKANINFO)
    device["features"]["VkPhysicalDevice4444FormatsFeaturesEXT"]["formatA4R4G4B4"] = False
    assert not screen_from(data).filters("B4G4R4A4_UNORM", "B4G4R4A4_UNORM")


def test_profiles_are_put_together_from_their_blocks() -> None:
    """A profile has what its blocks and the profiles below it have; of a choice, what all have."""
    small = facts_in(PROFILES, profile="VP_EXAMPLE_small")
    assert small.features == {"samplerAnisotropy"}
    assert small.api == (1, 1, 128)
    large = facts_in(PROFILES, profile="VP_EXAMPLE_large")
    assert large.features == {"samplerAnisotropy", "customBorderColors"}
    assert large.extensions == {"VK_KHR_sampler_mirror_clamp_to_edge", "VK_EXT_custom_border_color"}
    assert large.limits["maxCustomBorderColorSamplers"] == 32
    assert large.formats == {"R8_UNORM": FormatMasks(0, 0x1001)}
    assert Screen.load(PROFILES, profile="VP_EXAMPLE_large").name == "VP_EXAMPLE_large"


def test_several_profiles_ask_for_a_choice() -> None:
    with pytest.raises(ScreenError) as caught:
        Screen.load(PROFILES)
    assert str(caught.value) == (
        f"{PROFILES}: it has 2 profiles. Choose one with profile=: VP_EXAMPLE_small, VP_EXAMPLE_large"
    )
    with pytest.raises(ScreenError, match="it has no profile 'VP_OTHER'"):
        Screen.load(PROFILES, profile="VP_OTHER")
    with pytest.raises(ScreenError, match="it has no profile 'VP_OTHER'"):
        Screen.load(GPUINFO, profile="VP_OTHER")


@pytest.mark.parametrize(("count", "each"), [(60, 2), (5000, 1)])
def test_profiles_that_build_on_profiles_are_read_once_or_refused(count: int, each: int) -> None:
    """Every one builds on the one before: twice, that is 2^59 ways to the first."""
    block = {"extensions": {"VK_EXT_4444_formats": 1}}
    names = [f"p{n}" for n in range(count)]
    profiles = {name: {"capabilities": [], "profiles": [before] * each} for before, name in pairwise(names)}
    data = {"capabilities": {"block": block}, "profiles": {"p0": {"capabilities": ["block"]}, **profiles}}
    if each == 2:
        assert screen_from(data, profile=names[-1]).vulkan == screen_from(data, profile="p0").vulkan
        return
    with pytest.raises(ScreenError, match="too deeply"):
        screen_from(data, profile=names[-1])


def test_a_block_that_is_missing_and_a_circle_are_refused() -> None:
    data = json.loads(text_of(PROFILES))
    data["profiles"]["VP_EXAMPLE_small"]["capabilities"] = ["base"]
    with pytest.raises(ScreenError, match="names capabilities 'base', which are not there"):
        screen_from(data, profile="VP_EXAMPLE_small")
    data["profiles"]["VP_EXAMPLE_small"] |= {"capabilities": [], "profiles": ["VP_EXAMPLE_large"]}
    with pytest.raises(ScreenError, match="builds on itself"):
        screen_from(data, profile="VP_EXAMPLE_large")


def test_blocks_without_profiles_are_a_report_if_there_is_one() -> None:
    """What a probe gives needs no profile."""
    assert screen_from({"capabilities": {"device": {}}}).name == "device"
    with pytest.raises(ScreenError, match="no profile says which"):
        screen_from({"capabilities": {"one": {}, "two": {}}})


def test_masks_are_numbers_texts_or_names() -> None:
    """And what the registry does not have yet is no bit."""
    named = ["VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT_KHR", "VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT"]
    for mask in (0x2001, "8193", "0x2001", named, [*named, "VK_FORMAT_FEATURE_2_OF_2040_BIT_EXT"]):
        report = {"formats": {"VK_FORMAT_R8_UNORM": {"VkFormatProperties3KHR": {"optimalTilingFeatures": mask}}}}
        facts = read_report({"capabilities": {"device": report}}, file="x").facts
        assert facts.formats == {"R8_UNORM": FormatMasks(0, 0x2001)}
        assert facts.format_bits == ALL_BITS


def test_wrapped_structs_are_opened() -> None:
    """The *2 structs hold the first ones."""
    report = {
        "features": {"VkPhysicalDeviceFeatures2KHR": {"features": {"samplerAnisotropy": 1}}},
        "properties": {"VkPhysicalDeviceProperties2": {"properties": {"limits": {"maxSamplerLodBias": 4}}}},
        "formats": {"VK_FORMAT_R8_UNORM": {"VkFormatProperties2": {"formatProperties": {"linearTilingFeatures": 1}}}},
        "extensions": ["VK_EXT_filter_cubic", "VK_KHR_swapchain"],
    }
    facts = read_report({"capabilities": {"device": report}}, file="x").facts
    assert facts.features == {"samplerAnisotropy"}
    assert facts.limits == {"maxSamplerLodBias": 4}
    assert facts.formats == {"R8_UNORM": FormatMasks(1, 0)}
    assert facts.extensions == {"VK_EXT_filter_cubic"}


# fmt: off
#: Where in the sample, what stands there instead, what the error says after the file.
DEVICE: Final = ("capabilities", "device")
LIMIT: Final = (*DEVICE, "properties", "VkPhysicalDeviceProperties", "limits")
BAD: Final = [
    (VULKANINFO, (*LIMIT, "maxSamplerLodBias"), -1, ".maxSamplerLodBias: accepted: a number from 0 to 2^64 - 1, not -1"),
    (VULKANINFO, (*LIMIT, "maxSamplerLodBias"), "many", ".maxSamplerLodBias: accepted: a number from 0 to 2^64 - 1, not 'many'"),
    (VULKANINFO, (*LIMIT, "maxSamplerAnisotropy"), [16], ".maxSamplerAnisotropy: accepted: a number"),
    (VULKANINFO, (*LIMIT, "maxSamplerAnisotropy"), 10**400, ".maxSamplerAnisotropy: accepted: a number"),
    (VULKANINFO, (*LIMIT, "maxSamplerAnisotropy"), float("nan"), ".maxSamplerAnisotropy: accepted: a number"),
    (VULKANINFO, LIMIT, 5, ".limits: "),
    (VULKANINFO, (*LIMIT[:4], "apiVersion"), "one", ".apiVersion: accepted: a version"),
    (VULKANINFO, (*DEVICE, "features", "VkPhysicalDeviceFeatures", "samplerAnisotropy"), 2, "ropy: accepted: true, false, 0 or 1, not 2"),
    (VULKANINFO, (*DEVICE, "formats", "R8"), {}, ".formats: 'R8' is no format"),
    (VULKANINFO, (*DEVICE, "formats", "VK_FORMAT_R8_UNORM", "VkFormatProperties3", "optimalTilingFeatures"), ["SAMPLED"], ".optimalTilingFeatures: 'SAMPLED' is no bit"),
    (VULKANINFO, (*DEVICE, "extensions"), 5, ".extensions: "),
    (VULKANINFO, (*DEVICE, "extensions"), [5], ".extensions: accepted: names of extensions"),
    (VULKANINFO, ("capabilities",), [], "capabilities: "),
    (VULKANINFO, ("profiles",), {"one\nline": {"capabilities": 5}}, "profiles.'one\\nline'.capabilities: "),
    (GPUINFO,    ("formats", 3), 5, "formats.3: accepted: a format's number and its masks"),
    (GPUINFO,    ("formats", 8, 1, "optimalTilingFeatures"), "x", "formats.9.VkFormatProperties.optimalTilingFeatures: accepted: a number"),
    (GPUINFO,    ("properties", "limits", "maxSamplerLodBias"), None, None),
    (GPUINFO,    ("properties", "limits", "maxSamplerLodBias"), "?", ": properties.limits.maxSamplerLodBias: "),
    (GPUINFO,    ("core12", "features", "samplerFilterMinmax"), 7, ": core12.features.samplerFilterMinmax: accepted: true"),
    (GPUINFO,    ("extended", "devicefeatures2", 0, "supported"), "?", ": extended.devicefeatures2.customBorderColors: "),
    (GPUINFO,    ("extended", "deviceproperties2", 0, "value"), -2, ": extended.deviceproperties2.maxCustomBorderColorSamplers: "),
    (GPUINFO,    ("features",), 5, "features: "),
    (DEVSIM,     ("ArrayOfVkFormatProperties", 0, "formatID"), "one", "ArrayOfVkFormatProperties.0.formatID: "),
    (DEVSIM,     ("VkPhysicalDeviceFeatures", "samplerAnisotropy"), "on", ": VkPhysicalDeviceFeatures.samplerAnisotropy: "),
    (DEVSIM,     ("VkPhysicalDeviceProperties",), 5, "VkPhysicalDeviceProperties: "),
    (DEVSIM,     ("ArrayOfVkExtensionProperties", 0), 5, "extensions: accepted: names of extensions"),
]
# fmt: on


@pytest.mark.parametrize(("path", "place", "value", "said"), BAD, ids=range(len(BAD)))
def test_bad_report_is_refused_by_file_member_value_and_what_is_accepted(
    path: Path, place: tuple[Any, ...], value: Any, said: str | None
) -> None:
    data = json.loads(text_of(path))
    inner = data
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    if said is None:
        assert screen_from(data).vulkan is not None
        return
    with pytest.raises(ScreenError) as caught:
        screen_from(data, file="report.json")
    assert str(caught.value).startswith("report.json: not a ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_document_of_no_form_is_answered_with_what_would_be_one(tmp_path: Path) -> None:
    path = tmp_path / "package.json"
    path.write_text('{"name": "x", "version": "1"}')
    with pytest.raises(ScreenError) as caught:
        Screen.load(path)
    assert str(caught.value).startswith(
        f"{path}: not a screen: caps: Field required. A screen is a JSON object with 'caps'"
    )
    assert "'capabilities' in a Vulkan Profiles or vulkaninfo file" in str(caught.value)
    assert "This one has 'name', 'version'." in str(caught.value)


REPLACEMENTS: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.just([[]]),
    st.just({"": {"": None}}),
)
DOCUMENTS: Final = [json.loads(text_of(path)) for path in (REDUCED, PROFILES)]
DOCUMENTS.append(Screen.device(report=38434).to_json())
DOCUMENTS.append({k: v[:3] if isinstance(v, list) else v for k, v in json.loads(text_of(DEVSIM)).items()})


def places(data: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [above] * bool(above) + [place for key, value in inner for place in places(value, (*above, key))]


PLACES: Final = [places(data) for data in DOCUMENTS]


def outcome(make: Callable[[], Screen]) -> Screen | str:
    """A screen, or what the error says; any other error is a failure."""
    try:
        return make()
    except ScreenError as error:
        return str(error)


@given(st.data())
def test_random_damage_gives_a_screen_or_one_clear_line(data: st.DataObject) -> None:
    """Whatever stands at whatever place; nothing else is ever raised."""
    at = data.draw(st.integers(0, len(DOCUMENTS) - 1))
    document = copy.deepcopy(DOCUMENTS[at])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(PLACES[at]))
        inner = document
        try:
            for step in place[:-1]:
                inner = inner[step]
            if data.draw(st.booleans()):
                inner[place[-1]] = data.draw(REPLACEMENTS)
            else:
                del inner[place[-1]]
        except (LookupError, TypeError):
            continue  # an earlier damage took the place away
    made = outcome(lambda: screen_from(document, file="damaged.json"))
    if isinstance(made, str):
        assert made.startswith("damaged.json")
        assert "\n" not in made
    else:
        assert screen_from(made.to_json()) == made


@given(st.data())
@example(None)
def test_truncated_and_bitten_files_give_one_clear_line(tmp_path_factory: Any, data: Any) -> None:
    """Cut anywhere, or with a few bytes changed."""
    raw = bytearray(REDUCED.read_bytes() if data is None else text_of(data.draw(st.sampled_from((REDUCED, PROFILES)))))
    if data is not None:
        for _ in range(data.draw(st.integers(0, 3))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        raw = raw[: data.draw(st.integers(0, len(raw)))]
    path = tmp_path_factory.getbasetemp() / "bitten.json"
    path.write_bytes(raw)
    made = outcome(lambda: Screen.load(path))
    if isinstance(made, str):
        assert made.startswith(str(path))
        assert "\n" not in made


def normal(facts: VulkanFacts) -> VulkanFacts:
    """As every source gives it: without formats no bits are missing."""
    if facts.formats is None:
        return facts._replace(format_bits=ALL_BITS)
    return facts


NAMES: Final = st.sampled_from(["R8_UNORM", "D16_UNORM", "R8G8B8A8_SRGB", "BC1_RGB_UNORM_BLOCK", "1999999999"])
MASK: Final = st.integers(0, ALL_BITS)
MASKS: Final = st.builds(FormatMasks, MASK, MASK, MASK).filter(any)
FACTS: Final = st.builds(
    VulkanFacts,
    device=st.text(max_size=20),
    vendor_id=st.none() | st.integers(0, 0xFFFFFFFF),
    device_id=st.none() | st.integers(0, 0xFFFFFFFF),
    api=st.tuples(st.integers(1, 3), st.integers(0, 9), st.integers(0, 999)),
    driver=st.sampled_from(["", "512.502.0", "Mesa 22.3.6 (LLVM 15.0.6)"]),
    limits=st.dictionaries(
        st.sampled_from(sorted(LIMITS)), st.integers(0, 1 << 32) | st.floats(0, 1e6), max_size=len(LIMITS)
    ),
    features=st.frozensets(st.sampled_from(sorted(FEATURES))),
    extensions=st.frozensets(st.sampled_from(sorted(EXTENSIONS))),
    formats=st.none() | st.dictionaries(NAMES, MASKS),
    format_bits=st.sampled_from([ALL_BITS, WORD_BITS, 0x13001]),
).map(normal)


@given(FACTS)
def test_facts_written_as_a_report_are_read_as_the_same_facts(facts: VulkanFacts) -> None:
    """In Vulkan's own names, through JSON."""
    data = json.loads(json.dumps(facts.to_dict()))
    assert read_report(data, file="x").facts == facts


@pytest.mark.live("lavapipe", "vulkaninfo")
def test_vulkaninfo_of_this_machine_is_the_recorded_one(tmp_path: Path) -> None:
    """On lavapipe of Mesa 22.3.6; elsewhere it is read and makes a screen."""
    program = shutil.which("vulkaninfo")
    driver = next(iter(sorted(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))), None)
    assert program is not None
    assert driver is not None
    env = {
        "VK_DRIVER_FILES": str(driver),
        "VK_ICD_FILENAMES": str(driver),
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    subprocess.run([program, "--json"], cwd=tmp_path, env=env, capture_output=True, check=True)
    (path,) = tmp_path.glob("VP_VULKANINFO_*.json")
    screen, recorded = Screen.load(path), Screen.load(VULKANINFO)
    assert screen.vulkan is not None
    if screen.vulkan.driver.startswith("Mesa 22.3.6 "):
        ours = screen.vulkan._replace(device=recorded.name)  # the name has the width of this processor's vectors
        assert ours == recorded.vulkan
        assert screen.caps == recorded.caps
    assert screen.vulkan.device.startswith("llvmpipe")
    assert json.loads(json.dumps(screen.to_json()))
