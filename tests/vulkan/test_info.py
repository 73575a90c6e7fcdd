"""`SamplerCreateInfo` as plain data, and what is no record, view or screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.vulkan import SamplerCreateInfo, View, create_info, violations
from tests.vulkan.devices import LAVAPIPE, WHOLE

STATE = st.SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=(0.25, 0.5, 0.75, 1.0), reduction_mode="MIN")


def test_an_info_is_a_mapping_of_its_plain_data() -> None:
    info = create_info(STATE, WHOLE)
    plain = info.to_dict()
    assert isinstance(info, Mapping)
    assert (list(info), list(info.values()), dict(info.items())) == (list(plain), list(plain.values()), plain)
    assert info.get("magFilter") == info["magFilter"] == "VK_FILTER_NEAREST"
    assert info.get("nothing") is None
    assert "pNext" in info
    assert "nothing" not in info
    assert len(info) == len(plain) == 18


def test_who_reads_all_pairs_makes_the_plain_data_once(monkeypatch: pytest.MonkeyPatch) -> None:
    info, made, to_dict = create_info(STATE, WHOLE), [0], SamplerCreateInfo.to_dict

    def counted(self: SamplerCreateInfo) -> dict[str, Any]:
        made[0] += 1
        return to_dict(self)

    monkeypatch.setattr(SamplerCreateInfo, "to_dict", counted)
    pairs = dict(info.items())
    assert made == [1]
    assert pairs == to_dict(info)


def test_an_info_is_equal_to_its_plain_data_and_to_no_other() -> None:
    info, other = create_info(STATE, WHOLE), create_info(st.SamplerState(), WHOLE)
    assert info == info.to_dict()
    assert info.to_dict() == info
    assert info != other.to_dict()
    assert info != [*info]
    assert len({info, create_info(STATE, WHOLE), other}) == 2
    sampler = st.Sampler(), st.Texture(internal_format="RGBA8"), WHOLE
    assert st.convert(*sampler).vulkan == st.convert(*sampler).vulkan.to_dict()


@pytest.mark.parametrize("state", [None, "x", 36, [0] * 36, b"short", bytes(37)])
def test_what_is_no_record_is_refused(state: Any) -> None:
    with pytest.raises(ArgumentError, match=r"state=.* accepted: a SamplerState or its 36 bytes"):
        create_info(state, WHOLE)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"view": 5}, "view=5 cannot be used"),
        ({"view": View("R8_UNORM", "XYZQ")}, "view.swizzle='XYZQ' cannot be used; accepted: four letters of XYZW01"),
        ({"view": View("R8_UNORM", "XYZ")}, "view.swizzle='XYZ'"),
        ({"free_slots": -1}, "free_slots=-1 cannot be used"),
        ({"free_slots": "x"}, "free_slots='x'"),
        ({"screen": None}, "screen=None cannot be used; accepted: a Screen"),
        ({"screen": "zink"}, "screen='zink'"),
    ],
)
def test_what_no_translation_can_use_is_refused(more: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        create_info(STATE, more.pop("screen", WHOLE), **more)


@pytest.mark.parametrize("more", [{"live": "x"}, {"live": -1}, {"live_custom": 0.5}])
def test_what_is_no_number_of_samplers_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="accepted: a number of samplers"):
        violations(create_info(STATE, WHOLE), LAVAPIPE, **more)


def test_a_chain_without_an_end_is_refused() -> None:
    info = create_info(STATE, WHOLE).to_dict()
    first = info["pNext"]
    first["pNext"]["pNext"] = first
    with pytest.raises(ArgumentError, match="accepted: a chain that ends"):
        violations(info, WHOLE)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        *(("flags", value) for value in (None, 1.5)),
        ("pNext", {"sType": []}),
        *(("customBorderColor", value) for value in (None, "red", [1.0, 0.0, 0.0, 1.0])),
        *(("customBorderColor", {"float32": four}) for four in (None, [1.0], [1e39] * 4, ["1"] * 4)),
        *(("customBorderColor", {"int32": four}) for four in ([None] * 4, [float("inf")] * 4, [1] * 5)),
        *(("components", value) for value in (None, "RGBA")),
    ],
)
def test_what_no_struct_holds_is_refused_by_name(member: str, value: object) -> None:
    info = create_info(STATE, WHOLE).to_dict()
    (info if member in info else info["pNext"])[member] = value
    with pytest.raises(ArgumentError, match=member):
        violations(info, WHOLE)


def test_what_is_no_member_of_an_enum_breaks_its_rule() -> None:
    info = create_info(STATE, WHOLE).to_dict()
    mapping = {"sType": "VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT"}
    info["pNext"] |= {"format": [], "pNext": mapping | {"components": {"r": []}}}
    rules = {broken.rule.partition("EXT-")[2] for broken in violations(info, WHOLE)}
    assert {"format-parameter", "components-parameter"} <= rules
