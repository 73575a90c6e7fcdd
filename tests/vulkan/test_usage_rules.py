"""Each valid-usage rule, broken by one info made by hand for it; or listed as out of reach, with the reason.

On which device which rule is judged is in ``test_usage_case.py``.
"""

from __future__ import annotations

from csv import DictReader
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from statetracker.caps import VulkanFacts
from statetracker.caps.facts import EXTENSIONS, FEATURES, FILTER_LINEAR, FILTER_MINMAX, SAMPLED_IMAGE, FormatMasks
from statetracker.vulkan import EDITIONS, RULES, UNREACHABLE, violations
from tests.bindings.vulkan_infos import plain_info

if TYPE_CHECKING:
    from collections.abc import Mapping

DATA: Final = Path(__file__).resolve().parents[1] / "data" / "vulkan"
_S: Final = "VK_STRUCTURE_TYPE_"
_ABLE: Final = FormatMasks(linear=SAMPLED_IMAGE | FILTER_LINEAR, optimal=SAMPLED_IMAGE | FILTER_LINEAR | 1 << 33)
_REDUCED: Final = FormatMasks(linear=0, optimal=SAMPLED_IMAGE | FILTER_MINMAX)
_SAMPLED: Final = FormatMasks(linear=SAMPLED_IMAGE, optimal=SAMPLED_IMAGE)

#: A device that has everything, judged by the newest rules; of its formats D32_SFLOAT can be sampled and nothing else.
DEVICE: Final = VulkanFacts(
    api=EDITIONS[-1],
    limits={
        "maxSamplerLodBias": 16,
        "maxSamplerAnisotropy": 16,
        "maxCustomBorderColorSamplers": 8,
        "maxSamplerAllocationCount": 4000,
        "maxBlockMatchWindow.width": 64,
        "maxBlockMatchWindow.height": 32,
    },
    features=frozenset({*FEATURES, "descriptorBufferCaptureReplay"}),
    extensions=EXTENSIONS,
    formats={"R8G8B8A8_UNORM": _ABLE, "R8_UNORM": _REDUCED, "B5G6R5_UNORM_PACK16": _ABLE, "D32_SFLOAT": _SAMPLED},
)


def without(*names: str) -> VulkanFacts:
    assert set(names) <= DEVICE.features | DEVICE.extensions
    return DEVICE._replace(features=DEVICE.features - set(names), extensions=DEVICE.extensions - set(names))


def struct(name: str, **members: object) -> dict[str, object]:
    return {"sType": f"{_S}{name}", "pNext": None, **members}


def chained(*structs: Mapping[str, object]) -> dict[str, object]:
    following: Mapping[str, object] | None = None
    for one in reversed(structs):
        following = {**one, "pNext": following}
    return {"pNext": following}


class Case(NamedTuple):
    """An info: members that differ from `plain_info`; the device; what else is known."""

    members: Mapping[str, Any]
    device: VulkanFacts = DEVICE
    known: Mapping[str, Any] = {}


_BORDER: Final = 3
_UNNORMALIZED: Final = {
    "unnormalizedCoordinates": 1, "magFilter": 1, "minFilter": 1, "mipmapMode": 0, "minLod": 0.0, "maxLod": 0.0,
}  # fmt: skip
_SUBSAMPLED: Final = _UNNORMALIZED | {"flags": 1, "unnormalizedCoordinates": 0}
_PROCESSING: Final = _SUBSAMPLED | {"flags": 16, "magFilter": 0, "minFilter": 0}
_CUSTOM: Final = {"addressModeU": _BORDER, "borderColor": "VK_BORDER_COLOR_FLOAT_CUSTOM_EXT"}
_CUBIC: Final = {"magFilter": "VK_FILTER_CUBIC_EXT"}
_ANISO: Final = {"anisotropyEnable": 1, "maxAnisotropy": 2.0}
_YCBCR: Final = struct("SAMPLER_YCBCR_CONVERSION_INFO", conversion=1)


def coloured(form: object = "VK_FORMAT_UNDEFINED", *colour: float) -> dict[str, object]:
    four = list(colour or (0.5, 0.5, 0.5, 0.5))
    return struct("SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT", customBorderColor={"float32": four}, format=form)


def reduced(mode: object = "VK_SAMPLER_REDUCTION_MODE_MIN") -> dict[str, object]:
    return struct("SAMPLER_REDUCTION_MODE_CREATE_INFO", reductionMode=mode)


def mapped(red: object = "VK_COMPONENT_SWIZZLE_B") -> dict[str, object]:
    components = dict.fromkeys("gba", "VK_COMPONENT_SWIZZLE_IDENTITY") | {"r": red}
    return struct("SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT", components=components, srgb=0)


def window(width: int = 64, height: int = 32, mode: object = 1) -> dict[str, object]:
    extent = {"width": width, "height": height}
    return struct("SAMPLER_BLOCK_MATCH_WINDOW_CREATE_INFO_QCOM", windowExtent=extent, windowCompareMode=mode)


def weighted(weights: object = 3) -> dict[str, object]:
    return struct("SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM", cubicWeights=weights)


def indexed(index: int = 7) -> dict[str, object]:
    return struct("SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT", index=index)


_UNMINMAX: Final = ("samplerFilterMinmax", "VK_EXT_sampler_filter_minmax")
_UNMIRRORED: Final = ("samplerMirrorClampToEdge", "VK_KHR_sampler_mirror_clamp_to_edge")

_OLD: Final = without("VK_EXT_filter_cubic")._replace(api=EDITIONS[0])
_COLOUR: Final = {"view_format": "R8G8B8A8_UNORM"}

# fmt: off
#: Rule, without the struct's name -> an info that breaks it.
CASES: Final[Mapping[str, Case]] = {
    "sType-sType":                   Case({"sType": f"{_S}IMAGE_CREATE_INFO"}),
    "pNext-pNext":                   Case(chained(struct("IMAGE_CREATE_INFO"))),
    "sType-unique":                  Case(chained(reduced(0), reduced(0))),
    "flags-parameter":               Case({"flags": 1 << 5}),
    "magFilter-parameter":           Case({"magFilter": 2}),
    "minFilter-parameter":           Case({"minFilter": -1}),
    "mipmapMode-parameter":          Case({"mipmapMode": 2}),
    "addressModeU-parameter":        Case({"addressModeU": 5}),
    "addressModeV-parameter":        Case({"addressModeV": 5}),
    "addressModeW-parameter":        Case({"addressModeW": 0x7FFFFFFF}),
    "reductionMode-parameter":       Case(chained(reduced(3))),
    "format-parameter":              Case(chained(coloured(77777))),
    "components-parameter":          Case(chained(mapped(7))),
    "cubicWeights-parameter":        Case(chained(weighted(4))),
    "windowCompareMode-parameter":   Case(chained(window(mode=2))),
    "mipLodBias-01069":              Case({"mipLodBias": -16.5}),
    "maxLod-01973":                  Case({"minLod": 2.0, "maxLod": 1.0}),
    "anisotropyEnable-01070":        Case(_ANISO, without("samplerAnisotropy")),
    "anisotropyEnable-01071":        Case({"anisotropyEnable": 1, "maxAnisotropy": 0.0}),
    "unnormalizedCoordinates-01072": Case(_UNNORMALIZED | {"minFilter": 0}),
    "unnormalizedCoordinates-01073": Case(_UNNORMALIZED | {"mipmapMode": 1}),
    "unnormalizedCoordinates-01074": Case(_UNNORMALIZED | {"maxLod": 0.25}),
    "unnormalizedCoordinates-01075": Case(_UNNORMALIZED | {"addressModeV": 0}),
    "unnormalizedCoordinates-01076": Case(_UNNORMALIZED | _ANISO),
    "unnormalizedCoordinates-01077": Case(_UNNORMALIZED | {"compareEnable": 1}),
    "addressModeU-01078":            Case({"addressModeW": _BORDER, "borderColor": 6}),
    "compareEnable-01080":           Case({"compareEnable": 1, "compareOp": 8}),
    "compareEnable-01423":           Case({"compareEnable": 1, **chained(reduced())}),
    "magFilter-01081":               Case(_CUBIC | _ANISO),
    "magFilter-01422":               Case(_CUBIC | chained(reduced()), _OLD),
    "magFilter-07911":               Case(_CUBIC | chained(reduced()), without("VK_EXT_filter_cubic")),
    "addressModeU-01646":            Case({"addressModeW": 0, **chained(_YCBCR)}),
    "None-01647":                    Case(chained(_YCBCR, reduced())),
    "borderColor-04011":             Case(_CUSTOM),
    "borderColor-04442":             Case(_CUSTOM | chained(coloured("VK_FORMAT_R8_UNORM", 2.5, 0, 0, 0))),
    "format-07605":                  Case(_CUSTOM | chained(coloured("VK_FORMAT_R32_UINT"))),
    "flags-02574":                   Case(_SUBSAMPLED | {"magFilter": 0}),
    "flags-02575":                   Case(_SUBSAMPLED | {"mipmapMode": 1}),
    "flags-02576":                   Case(_SUBSAMPLED | {"maxLod": 1.0}),
    "flags-02577":                   Case(_SUBSAMPLED | {"addressModeU": 1}),
    "flags-02578":                   Case(_SUBSAMPLED | _ANISO),
    "flags-02579":                   Case(_SUBSAMPLED | {"compareEnable": 1}),
    "flags-02580":                   Case(_SUBSAMPLED | {"unnormalizedCoordinates": 1}),
    "flags-06964":                   Case(_PROCESSING | {"magFilter": 1, "minFilter": 1}),
    "flags-06965":                   Case(_PROCESSING | {"mipmapMode": 1}),
    "flags-06966":                   Case(_PROCESSING | {"maxLod": 1.0}),
    "flags-06967":                   Case(_PROCESSING | {"addressModeV": 4}),
    "flags-06968":                   Case(_PROCESSING | {"addressModeV": _BORDER}),
    "flags-06969":                   Case(_PROCESSING | _ANISO),
    "flags-06970":                   Case(_PROCESSING | {"compareEnable": 1}),
    "addressModeU-01079":            Case({"addressModeW": 4}, without(*_UNMIRRORED)),
    "pNext-06726":                   Case(chained(reduced()), without(*_UNMINMAX)),
    "customBorderColors-04085":      Case(_CUSTOM | chained(coloured()), without("customBorderColors")),
    "format-04014":                  Case(_CUSTOM | chained(coloured()), without("customBorderColorWithoutFormat")),
    "nonSeamlessCubeMap-06788":      Case({"flags": 4}, without("nonSeamlessCubeMap")),
    "samplerMipLodBias-04467":       Case({}, without("samplerMipLodBias")),
    "flags-08110":                   Case({"flags": 8}, without("descriptorBufferCaptureReplay")),
    "pNext-08111":                   Case(chained(struct("OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT"))),
    "borderColorSwizzle-06437":      Case(chained(mapped()), without("borderColorSwizzle")),
    "None-04012":                    Case(_CUSTOM | chained(coloured()), known={"live_custom": 8}),
    "maxSamplerAllocationCount-04110": Case({}, known={"live": 4000}),
    "maxSamplerAllocationCount-11412": Case({}, known={"live": 3990, "embedded": 10}),
    "device-09668":                  Case({}, known={"queues": [4, 4 | 8]}),
    "index-11289":                   Case(_CUSTOM | chained(coloured(), indexed(8))),
    "WindowExtent-09210":            Case(chained(window(width=65))),
    "format-04015":                  Case(_CUSTOM | chained(coloured()), known={"view_format": "B5G6R5_UNORM_PACK16"}),
    "magFilter-04553":               Case({"mipmapMode": 0}, known={"view_format": "D32_SFLOAT"}),
    "mipmapMode-04770":              Case({"magFilter": 0}, known={"view_format": "D32_SFLOAT"}),
    "magFilter-09598":               Case({"mipmapMode": 0, **chained(reduced())}, known=_COLOUR),
    "mipmapMode-09599":              Case({"magFilter": 0, **chained(reduced())}, known=_COLOUR),
    "None-06479":                    Case({"compareEnable": 1}, known={"view_format": "VK_FORMAT_D32_SFLOAT"}),
}
# fmt: on
_NAMES: Final = {rule.suffix: rule.name for rule in RULES}


def broken_by(case: Case) -> set[str]:
    return {one.rule for one in violations(plain_info(**case.members), case.device, **case.known)}


def test_the_info_that_the_cases_change_breaks_nothing() -> None:
    assert violations(plain_info(), DEVICE, live=3999, live_custom=7, view_format="R8G8B8A8_UNORM") == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.suffix)
def test_a_rule_is_broken_by_the_info_made_for_it_and_no_other_is(rule: Any) -> None:
    assert broken_by(CASES[rule.suffix]) == {rule.name}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.suffix)
def test_a_violation_names_the_member_its_value_and_a_fix_without_gaps(rule: Any) -> None:
    case = CASES[rule.suffix]
    seen = next(
        one for one in violations(plain_info(**case.members), case.device, **case.known) if one.rule == rule.name
    )
    assert seen.member == rule.member
    assert seen.value not in (None, [], {})
    assert seen.fix
    assert "{" not in seen.fix
    assert str(seen).startswith(f"{rule.name}: {rule.member} is ")
    assert seen.to_dict()["member"] == rule.member


def test_cases_are_of_rules_and_rules_have_one_name_each() -> None:
    assert set(CASES) == set(_NAMES)
    assert len(_NAMES) == len(RULES)


def test_all_sampler_rules_of_three_specifications_are_coded_or_out_of_reach_with_a_reason() -> None:
    coded = {rule.name for rule in RULES if not rule.name.startswith("VUID-vkCmdDraw-")}
    assert not coded & set(UNREACHABLE)
    with (DATA / "sampler_vuids.csv").open(encoding="ascii", newline="") as lines:
        assert coded | set(UNREACHABLE) == {row["rule"] for row in DictReader(lines)}
    assert all(len(reason) > 6 for reason in UNREACHABLE.values())


#: Members at fault that their rules are not named after.
_AT_FAULT: Final = {
    "addressModeU": "01075 02577 06967",
    "anisotropyEnable": "01076 01081 02578 06969",
    "borderColor": "01078 06968 04085 04012",
    "compareEnable": "01077 02579 06970 06479",
    "compareOp": "01080",
    "components": "06437",
    "customBorderColor": "04442",
    "flags": "06788 08111",
    "maxAnisotropy": "01071",
    "maxLod": "01074 02576 06966",
    "minFilter": "01072 02574 06964",
    "mipLodBias": "04467",
    "mipmapMode": "01073 02575 06965",
    "pNext": "unique",
    "pSampler": "11412 04110",
    "reductionMode": "01423 01422 07911 01647 06726",
    "unnormalizedCoordinates": "02580",
    "windowExtent": "09210",
}


def test_a_rule_is_named_after_the_member_at_fault_or_listed() -> None:
    listed = {number: member for member, numbers in _AT_FAULT.items() for number in numbers.split()}
    suffixes = (rule.suffix.split("-") for rule in RULES)
    assert [rule.member for rule in RULES] == [listed.get(number, named) for named, number in suffixes]


#: What a validation layer judges third, and last; first are the parameters and the chain, second all others.
_THIRD: Final = "01079 06726 04085 04014 06788 04467 08110 08111 04012 04110 11412 09668 11289 09210"
_DRAWN: Final = "04015 04553 04770 06479 09598 09599"


def test_rules_are_judged_in_the_stages_in_which_a_layer_does() -> None:
    numbers = [rule.suffix.split("-")[1] for rule in RULES]
    stages = [
        1 if not number.isdigit() else 3 if number in _THIRD else 4 if number in _DRAWN else 2 for number in numbers
    ]
    assert [rule.stage for rule in RULES] == stages


# On the edges of the rules


@pytest.mark.parametrize("axis", ["addressModeU", "addressModeV", "addressModeW"])
def test_every_axis_counts(axis: str) -> None:
    assert broken_by(Case({axis: 4}, without(*_UNMIRRORED))) == {_NAMES["addressModeU-01079"]}
    assert broken_by(Case({axis: _BORDER, "borderColor": 6})) == {_NAMES["addressModeU-01078"]}
    assert broken_by(Case({axis: 0, **chained(_YCBCR)})) == {_NAMES["addressModeU-01646"]}
    for bad in ({"flags": 1}, {"flags": 16, "magFilter": 0, "minFilter": 0}, {"unnormalizedCoordinates": 1}):
        wrong = broken_by(Case(_UNNORMALIZED | {"unnormalizedCoordinates": 0} | bad | {axis: 0}))
        assert len(wrong) == (axis != "addressModeW")


@pytest.mark.parametrize("member", ["magFilter", "minFilter"])
def test_both_filters_count(member: str) -> None:
    nearest = {"magFilter": 0, "minFilter": 0, "mipmapMode": 0}
    assert broken_by(Case({**nearest, member: 1}, known={"view_format": "D32_SFLOAT"})) == {_NAMES["magFilter-04553"]}
    cubic = {member: "VK_FILTER_CUBIC_EXT"}
    assert broken_by(Case({**nearest, **cubic, **_ANISO})) == {_NAMES["magFilter-01081"]}
    bare = without("VK_EXT_filter_cubic", "VK_IMG_filter_cubic")
    assert broken_by(Case({**nearest, **cubic}, bare)) == {_NAMES[f"{member}-parameter"]}
    assert broken_by(Case({**_PROCESSING, member: 1})) == {_NAMES["flags-06964"]}


@pytest.mark.parametrize("color", range(6))
def test_every_predefined_colour_is_one(color: int) -> None:
    assert broken_by(Case({"addressModeU": _BORDER, "borderColor": color})) == set()
    drawn = broken_by(Case(_PROCESSING | {"addressModeU": _BORDER, "borderColor": color}))
    assert bool(drawn) == (color > 1)


_SWIZZLES: Final = ("IDENTITY", "ZERO", "ONE", "R", "G", "B", "A")
_WEIGHTS: Final = ("CATMULL_ROM", "ZERO_TANGENT_CARDINAL", "B_SPLINE", "MITCHELL_NETRAVALI")


@pytest.mark.parametrize(
    "members",
    [
        *({"compareEnable": 1, "compareOp": op} for op in range(8)),
        *(dict.fromkeys(("addressModeU", "addressModeV", "addressModeW"), mode) for mode in range(5)),
        *(chained(mapped(f"VK_COMPONENT_SWIZZLE_{name}")) for name in _SWIZZLES),
        *(chained(mapped(number)) for number in range(len(_SWIZZLES))),
        *(chained(weighted(f"VK_CUBIC_FILTER_WEIGHTS_{name}_QCOM")) for name in _WEIGHTS),
        *(chained(weighted(number)) for number in range(len(_WEIGHTS))),
        *(chained(window(mode=f"VK_BLOCK_MATCH_WINDOW_COMPARE_MODE_{name}_QCOM")) for name in ("MIN", "MAX")),
        *(chained(window(mode=number)) for number in range(2)),
    ],
)
def test_every_enumerator_is_one_by_its_name_and_its_number(members: dict[str, object]) -> None:
    assert broken_by(Case(members)) == set()


@pytest.mark.parametrize(
    ("flag", "extension", "neighbours"),
    [
        (1, "VK_EXT_fragment_density_map", set()),
        (2, "VK_EXT_fragment_density_map", set()),
        (16, "VK_QCOM_image_processing", {"flags-06964"}),
    ],
)
def test_a_flag_needs_its_extension(flag: int, extension: str, neighbours: set[str]) -> None:
    members = _SUBSAMPLED | {"flags": flag}
    assert _NAMES["flags-parameter"] in broken_by(Case(members, without(extension)))
    assert broken_by(Case(members)) == {_NAMES[one] for one in neighbours}


@pytest.mark.parametrize(("limit", "said"), [(15.99609375, "15.99609375"), (16, "16"), (16.0, "16")])
def test_who_keeps_to_a_limit_that_is_said_breaks_no_rule(limit: float, said: str) -> None:
    device = DEVICE._replace(limits={**DEVICE.limits, "maxSamplerLodBias": limit, "maxSamplerAllocationCount": 1 << 20})
    (seen,) = violations(plain_info(mipLodBias=17.0), device)
    assert f"+-{said} " in seen.fix
    assert violations(plain_info(mipLodBias=float(said)), device) == []
    (full,) = violations(plain_info(), device, live=1 << 20)
    assert full.fix.endswith("there may be 1048576")


@pytest.mark.parametrize("flag", [1 << bit for bit in range(5, 32)])
def test_no_other_flag_exists(flag: int) -> None:
    assert broken_by(Case({"flags": flag})) == {_NAMES["flags-parameter"]}


@pytest.mark.parametrize("member", ["addressModeU", "anisotropyEnable", "unnormalizedCoordinates"])
def test_a_ycbcr_conversion_leaves_no_choice(member: str) -> None:
    more = _ANISO if member == "anisotropyEnable" else {member: 0}
    if member == "unnormalizedCoordinates":
        more = _UNNORMALIZED
    assert _NAMES["addressModeU-01646"] in broken_by(Case({**more, **chained(_YCBCR)}))
    assert broken_by(Case(chained(_YCBCR, reduced(0)))) == set()


@pytest.mark.parametrize("lacking", sorted(DEVICE.features | DEVICE.extensions))
def test_what_is_not_asked_for_may_be_missing(lacking: str) -> None:
    device = without(lacking)
    assert broken_by(Case({"mipLodBias": 0.0}, device)) == set()
    assert broken_by(Case({"mipLodBias": 0.0, **chained(reduced())}, device)) == set(), "feature or extension"


def test_a_flag_does_not_ask_for_what_others_need() -> None:
    assert broken_by(Case({"flags": 4}, without("VK_EXT_fragment_density_map", "VK_QCOM_image_processing"))) == set()
    assert broken_by(Case(_SUBSAMPLED | {"flags": 1}, without("nonSeamlessCubeMap"))) == set()
    assert broken_by(Case({"flags": 4}, without("descriptorBufferCaptureReplay"))) == set()


def test_only_its_own_flag_goes_with_an_opaque_capture() -> None:
    opaque = CASES["pNext-08111"].members
    assert broken_by(Case({**opaque, "flags": 4})) == {_NAMES["pNext-08111"]}
    assert broken_by(Case({**opaque, "flags": 8})) == set()


@pytest.mark.parametrize("mode", range(3))
def test_every_reduction_is_one_and_averages_need_nothing(mode: int) -> None:
    assert broken_by(Case(chained(reduced(mode)))) == set()
    lacking = {_NAMES["pNext-06726"]} if mode else set()
    assert broken_by(Case(chained(reduced(mode)), without(*_UNMINMAX))) == lacking


@pytest.mark.parametrize("lods", [{"minLod": -1.0}, {"maxLod": 1.0}, {"minLod": 1.0, "maxLod": 1.0}])
def test_both_lods_count(lods: dict[str, float]) -> None:
    for members, rule in ((_UNNORMALIZED, "unnormalizedCoordinates-01074"), (_SUBSAMPLED, "flags-02576")):
        assert broken_by(Case(members | lods)) == {_NAMES[rule]}


def test_a_format_that_no_vulkan_has_is_no_format_said() -> None:
    case = Case(_CUSTOM | chained(coloured(77777)), known={"view_format": "B5G6R5_UNORM_PACK16"})
    assert broken_by(case) == {_NAMES["format-parameter"], _NAMES["format-04015"]}


@pytest.mark.parametrize("form", [f"{form}_UNORM_PACK16" for form in ("B4G4R4A4", "B5G6R5", "B5G5R5A1", "A1B5G5R5")])
def test_views_that_need_the_format_said(form: str) -> None:
    able = DEVICE._replace(formats={form: _ABLE})
    known = {"view_format": form}
    assert broken_by(Case(_CUSTOM | chained(coloured()), able, known)) == {_NAMES["format-04015"]}
    assert broken_by(Case({"addressModeU": _BORDER, "borderColor": 4, **chained(coloured())}, able, known)) == set()
    assert broken_by(Case(_CUSTOM | chained(coloured(f"VK_FORMAT_{form}")), able, known)) == set()


@pytest.mark.parametrize(
    ("form", "kind", "fits"),
    [
        ("R8_UINT", "INT", True), ("R8_UINT", "FLOAT", False), ("R8_UNORM", "FLOAT", True), ("R8_UNORM", "INT", False),
        ("S8_UINT", "INT", True), ("S8_UINT", "FLOAT", False), ("D16_UNORM", "FLOAT", True),
        ("D24_UNORM_S8_UINT", "INT", True), ("D24_UNORM_S8_UINT", "FLOAT", True),
    ],
)  # fmt: skip
def test_the_colours_kind_is_the_formats(form: str, kind: str, fits: bool) -> None:
    color = {"addressModeU": _BORDER, "borderColor": f"VK_BORDER_COLOR_{kind}_CUSTOM_EXT"}
    chain = chained(coloured(f"VK_FORMAT_{form}", 0.0, 0.0, 0.0, 0.0))
    assert broken_by(Case(color | chain)) == (set() if fits else {_NAMES["format-07605"]})


@pytest.mark.parametrize(
    ("rule", "case"),
    [
        ("borderColor-04011", Case({"addressModeU": _BORDER, "borderColor": "VK_BORDER_COLOR_INT_CUSTOM_EXT"})),
        ("mipLodBias-01069", Case({"mipLodBias": 16.5})),
        ("mipLodBias-01069", Case({"mipLodBias": nan}, DEVICE)),
        ("maxLod-01973", Case({"maxLod": nan})),
        ("maxLod-01973", Case({"minLod": nan})),
        ("anisotropyEnable-01071", Case({"anisotropyEnable": 1, "maxAnisotropy": 16.5})),
        ("anisotropyEnable-01071", Case({"anisotropyEnable": 1, "maxAnisotropy": nan})),
        ("borderColor-04442", Case(_CUSTOM | chained(coloured("VK_FORMAT_R8_UNORM", nan, 0, 0, 0)))),
        ("WindowExtent-09210", Case(chained(window(height=33)))),
        ("index-11289", Case(chained(indexed(8)))),
        ("device-09668", Case({}, known={"queues": []})),
        (
            "magFilter-09598",
            Case({"magFilter": 0, "minFilter": 1, **chained(reduced(2))}, known=_COLOUR),
        ),
        ("reductionMode-parameter", Case(chained(reduced(1000521000)), without("VK_QCOM_filter_cubic_clamp"))),
    ],
)
def test_a_rule_is_broken_on_its_edges(rule: str, case: Case) -> None:
    assert _NAMES[rule] in broken_by(case)


@pytest.mark.parametrize(
    "case",
    [
        Case({"mipLodBias": 16.0}),
        Case({"mipLodBias": -16.0}),
        Case({"maxLod": float("inf"), "minLod": float("-inf")}),
        Case({"minLod": 3.0, "maxLod": 3.0}),
        Case({"anisotropyEnable": 1, "maxAnisotropy": 1.0}),
        Case({"anisotropyEnable": 1, "maxAnisotropy": 16.0}),
        Case({"anisotropyEnable": 0, "maxAnisotropy": 99.0}),
        Case({"anisotropyEnable": 0, "maxAnisotropy": 99.0}, without("samplerAnisotropy")),
        Case(_UNNORMALIZED | {"addressModeW": 0}),
        Case(_UNNORMALIZED | {"addressModeU": _BORDER}),
        Case({"borderColor": 6}),
        Case({"compareEnable": 0, "compareOp": 99}),
        Case({"compareEnable": 1, **chained(reduced(0))}),
        Case(chained(reduced()), without("samplerFilterMinmax")),
        Case(chained(reduced()), without("VK_EXT_sampler_filter_minmax")),
        Case({"addressModeU": 4}, without("samplerMirrorClampToEdge")),
        Case({"addressModeU": 4}, without("VK_KHR_sampler_mirror_clamp_to_edge")),
        Case({"magFilter": "VK_FILTER_CUBIC_EXT"}, without("VK_IMG_filter_cubic")),
        Case(_CUBIC | chained(reduced())),
        Case(_CUBIC | chained(reduced(0)), without("VK_EXT_filter_cubic")),
        Case(_PROCESSING | {"addressModeU": _BORDER, "borderColor": 1}),
        Case(_PROCESSING | {"addressModeW": _BORDER, "borderColor": 4}),
        Case({"borderColor": 5, **chained(coloured("VK_FORMAT_R8_UNORM", 2.5, 0, 0, 0))}),
        Case(_CUSTOM | chained(coloured("VK_FORMAT_R8_UNORM", 1.0, 0, 0, 0))),
        Case(_CUSTOM | chained(coloured("VK_FORMAT_D24_UNORM_S8_UINT", 1.0, 9, 9, nan))),
        Case(
            _CUSTOM | chained(coloured("VK_FORMAT_B5G6R5_UNORM_PACK16")), known={"view_format": "B5G6R5_UNORM_PACK16"}
        ),
        Case({"mipLodBias": 0.0}, without("samplerMipLodBias")),
        Case({}, without(*_UNMIRRORED)),
        Case({}, without("VK_EXT_fragment_density_map", "VK_QCOM_image_processing")),
        Case(_CUSTOM | chained(coloured("VK_FORMAT_R8_UNORM", 0, 0, 0, 0)), without("customBorderColorWithoutFormat")),
        Case({"addressModeU": _BORDER, "borderColor": "VK_BORDER_COLOR_INT_CUSTOM_EXT", **chained(coloured())}),
        Case({}, without("samplerMipLodBias", "VK_KHR_portability_subset")),
        Case({"compareEnable": 1, "magFilter": 1}, known={"view_format": "R8G8B8A8_UNORM"}),
        Case({"magFilter": 0, "mipmapMode": 0}, known={"view_format": "D32_SFLOAT"}),
        Case({}, known={"live": 3999, "live_custom": 8}),
        Case({"flags": 8, **chained(struct("OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT"))}),
        Case(chained(window(), weighted(), struct("DEBUG_UTILS_OBJECT_NAME_INFO_EXT"))),
        Case(chained(window(9999, 9999)), DEVICE._replace(limits={})),
        Case(_CUSTOM | chained(coloured(), indexed())),
        Case({}, known={"live": 3989, "embedded": 10}),
        Case({}, known={"queues": [4, 2]}),
        Case({}, known={"queues": [4, 1]}),
        Case(chained(reduced()) | {"mipmapMode": 0}, known={"view_format": "R8_UNORM"}),
        Case(chained(reduced(0)), known={"view_format": "R8G8B8A8_UNORM"}),
        Case(_CUBIC | chained(reduced(1000521000))),
    ],
)
def test_just_within_the_rules_nothing_is_broken(case: Case) -> None:
    assert broken_by(case) == set()


def test_a_limit_of_no_samplers_at_all_is_taken_as_unknown() -> None:
    """Two drivers of the corpus report 0."""
    device = DEVICE._replace(limits={**DEVICE.limits, "maxSamplerAllocationCount": 0})
    assert violations(plain_info(), device, live=100_000) == []
